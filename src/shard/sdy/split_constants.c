/* SPDX-License-Identifier: Apache-2.0 */
/* split_constants.c - gives each use of a constant computation, or of a scalar's broadcast, its own copy, so that no
 * sharding propagates from one use to another through it. Needs nothing; keeps everything else; breaks ids.
 *
 * A constant computation is a constant, an iota, or an op that maps constants to constants (elementwise ops,
 * broadcasts, reshapes, slices; computations and calls of functions made of such ops) whose operands are all constant
 * computations. Scalars are not copied: they are never sharded. */
#include "dialect/sdy/axes.h"
#include "shard/core/calls.h"
#include "shard/passes.h"
#include "shard/rule/spread.h"

enum { CONSTANT = 1, EXPANSION = 2 };

/* A level of the copied computation: operands of op before next are copied. */
typedef struct {
    tsr_value *value;
    uint32_t next;
} frame;

typedef struct {
    tsr_pass *p;
    tsr_symbols symbols;
    uint32_t nold;            /* smaller ids belong to ops that existed before */
    uint8_t *state;           /* by op id: CONSTANT, EXPANSION */
    tsr_op **copies;          /* by op id: its copy for the current use */
    TSR_VEC(uint32_t) copied; /* ids that have a copy */
    TSR_VEC(frame) stack;
    TSR_VEC(tsr_op *) constants, expansions;
    tsr_ptr_set computations, funcs; /* names of those that are not constant */
} split;

/* ---- Which ops are constant ---- */

static bool is_scalar(const tsr_value *v)
{
    return tsr_type_is_shaped(v->type) && v->type->kind != TSR_TYPE_UNRANKED_TENSOR && !v->type->n;
}

static bool keeps_constants(split *s, const tsr_op *op)
{
    switch (op->def->opcode) {
    case TSR_OP_FUNC_CALL: {
        const tsr_attr *name = op->attrs[FUNC_CALL_callee];
        const tsr_op *func = tsr_symbols_find(&s->symbols, name->s);
        return func && !tsr_ptr_set_has(&s->funcs, tsr_original_name(func));
    }
    case TSR_OP_SDY_NAMED_COMPUTATION:
        return !tsr_ptr_set_has(&s->computations, op->attrs[SDY_NAMED_COMPUTATION_name]);
    case TSR_OP_STABLEHLO_BROADCAST_IN_DIM:
    case TSR_OP_STABLEHLO_RESHAPE:
    case TSR_OP_STABLEHLO_SLICE: break;
    default:
        if (tsr_spread_of(op) != TSR_SPREAD_ELEMENTWISE)
            return false;
    }
    return tsr_op_effect_free(op) && tsr_op_speculatable(op);
}

static uint8_t state_of(const split *s, const tsr_value *v)
{
    return !v->is_arg && v->op->id < s->nold ? s->state[v->op->id] : 0;
}

static bool of_constants(const split *s, const tsr_op *op)
{
    for (uint32_t i = 0; i < op->nin; i++)
        if (state_of(s, op->in[i].value) != CONSTANT)
            return false;
    return true;
}

/* ---- Copies ---- */

static tsr_op *copy_of(const split *s, const tsr_value *v)
{
    return !v->is_arg && v->op->id < s->nold ? s->copies[v->op->id] : NULL;
}

static tsr_value *mapped(const split *s, tsr_value *v)
{
    tsr_op *copy = copy_of(s, v);
    return copy ? &copy->out[v->index] : v;
}

/* Copies op, with the copied operands. */
static tsr_op *copy_op(split *s, tsr_op *op, tsr_op *before)
{
    tsr_module *m = op->module;
    tsr_op *copy;
    if (op->nregion || op->nin > 4 || op->nout > 4) {
        tsr_mapping map = {.values = {0}};
        for (uint32_t i = 0; i < op->nin; i++)
            tsr_mapping_put(&map, op->in[i].value, mapped(s, op->in[i].value));
        copy = tsr_op_clone(m, op, &map);
        tsr_mapping_free(&map);
    } else {
        tsr_value *in[4];
        tsr_type *types[4];
        for (uint32_t i = 0; i < op->nin; i++)
            in[i] = mapped(s, op->in[i].value);
        for (uint32_t i = 0; i < op->nout; i++)
            types[i] = op->out[i].type;
        copy = tsr_op_new(m, op->def, op->loc, in, op->nin, types, op->nout, 0, 0);
        memcpy(copy->attrs, op->attrs, op->def->nslot * sizeof *op->attrs);
        copy->extra = op->extra;
    }
    tsr_op_insert(copy, before->block, before);
    return copy;
}

static bool copy_value(split *s, tsr_value *v)
{
    tsr_op *op = v->op, *copy = copy_op(s, op, op);
    s->copies[op->id] = copy;
    tsr_vec_push(&s->copied, op->id);
    if (tsr_op_is(copy, TSR_OP_FUNC_CALL)) {
        tsr_op *func = tsr_called_func(&s->symbols, copy);
        func = func ? tsr_clone_func(&s->symbols, func) : NULL;
        if (!func)
            return false;
        tsr_set_callee(copy, func);
    }
    for (const tsr_use *use = v->uses; use; use = use->next)
        if (tsr_op_is(use->user, TSR_OP_SDY_SHARDING_GROUP))
            copy_op(s, use->user, op);
    return true;
}

/* Copies the computation of v. */
static bool copy_computation(split *s, tsr_value *v, tsr_value **out)
{
    *out = v;
    if (is_scalar(v))
        return true;
    s->stack.n = 0;
    tsr_vec_push(&s->stack, (frame){v, 0});
    while (s->stack.n) {
        frame *top = &s->stack.data[s->stack.n - 1];
        if (top->next < top->value->op->nin) {
            tsr_value *in = top->value->op->in[top->next++].value;
            if (!in->is_arg && in->op->id < s->nold && !is_scalar(in) && !copy_of(s, in))
                tsr_vec_push(&s->stack, (frame){in, 0});
            continue;
        }
        s->stack.n--;
        if (!copy_of(s, top->value))
            TSR_TRY(copy_value(s, top->value));
    }
    *out = mapped(s, v);
    for (size_t i = 0; i < s->copied.n; i++)
        s->copies[s->copied.data[i]] = NULL;
    s->copied.n = 0;
    return true;
}

/* ---- Functions ---- */

static bool visit(split *s, tsr_op *op, const tsr_op *computation, const tsr_op *func)
{
    if (tsr_op_is(op, TSR_OP_FUNC_FUNC) || tsr_op_is(op, TSR_OP_SDY_SHARDING_GROUP))
        return true;
    bool keeps = tsr_op_is(op, TSR_OP_SDY_CONSTANT) || tsr_op_is(op, TSR_OP_STABLEHLO_IOTA);
    if (keeps || ((keeps = keeps_constants(s, op)) && of_constants(s, op))) {
        s->state[op->id] = CONSTANT;
        tsr_vec_push(&s->constants, op);
        return true;
    }
    if (!keeps && !tsr_op_has(op, TSR_TRAIT(TERMINATOR))) {
        if (computation)
            tsr_ptr_set_add(&s->computations, computation->attrs[SDY_NAMED_COMPUTATION_name]);
        tsr_ptr_set_add(&s->funcs, tsr_original_name(func));
    }
    if (tsr_op_is(op, TSR_OP_STABLEHLO_BROADCAST_IN_DIM) && is_scalar(op->in[0].value)) {
        s->state[op->id] = EXPANSION;
        tsr_vec_push(&s->expansions, op);
        return true;
    }
    for (uint32_t i = 0; i < op->nin; i++) {
        tsr_value *v = op->in[i].value, *copy;
        if (!state_of(s, v))
            continue;
        TSR_TRY(copy_computation(s, v, &copy));
        if (copy != v)
            tsr_op_set_operand(op, i, copy);
    }
    return true;
}

/* Removes originals that are no longer used, with their sharding groups. */
static void drop_unused(tsr_op *op)
{
    for (uint32_t i = 0; i < op->nout; i++)
        for (const tsr_use *use = op->out[i].uses; use; use = use->next)
            if (!tsr_op_is(use->user, TSR_OP_SDY_SHARDING_GROUP))
                return;
    for (uint32_t i = 0; i < op->nout; i++)
        while (op->out[i].uses)
            tsr_op_erase(op->out[i].uses->user);
    tsr_op_erase(op);
}

/* The next op after op, skipping its regions. */
static tsr_op *after(tsr_op *root, tsr_op *op)
{
    while (op != root) {
        if (op->next)
            return op->next;
        tsr_op *parent = op->block->region->op;
        uint32_t r = (uint32_t)(op->block->region - parent->regions);
        for (tsr_block *b = op->block->next; b; b = b->next)
            if (b->first)
                return b->first;
        for (r++; r < parent->nregion; r++)
            TSR_REGION_BLOCKS (&parent->regions[r], b)
                if (b->first)
                    return b->first;
        op = parent;
    }
    return NULL;
}

/* Ops of one body, of a function or a computation, without those of nested computations. */
static bool split_body(split *s, tsr_op *owner, const tsr_op *func)
{
    s->constants.n = s->expansions.n = 0;
    bool is_func = owner == func;
    for (tsr_op *op = tsr_walk_next(owner, owner); op;) {
        TSR_TRY(visit(s, op, is_func ? NULL : owner, func));
        op = tsr_op_is(op, TSR_OP_SDY_NAMED_COMPUTATION) ? after(owner, op)
                                                         : tsr_walk_next(owner, op);
    }
    for (size_t i = 0; i < s->expansions.n; i++)
        drop_unused(s->expansions.data[i]);
    for (size_t i = s->constants.n; i-- > 0;)
        drop_unused(s->constants.data[i]);
    return true;
}

static bool split_func(split *s, tsr_op *func)
{
    TSR_POST_OPS (func, op)
        if (tsr_op_is(op, TSR_OP_SDY_NAMED_COMPUTATION))
            TSR_TRY(split_body(s, op, func));
    return split_body(s, func, func);
}

bool pass_sdy_constant_or_scalar_splitter(tsr_pass *p, tsr_op *root)
{
    /* sdy's own constants are never merged again by folding. The two rows have the same slots. */
    const tsr_opdef *def = tsr_opdef_of(p->ctx, TSR_OP_SDY_CONSTANT);
    TSR_OPS (root, op)
        if (tsr_op_is(op, TSR_OP_STABLEHLO_CONSTANT)) {
            tsr_assert(op->def->nslot == def->nslot, "constants differ");
            tsr_op_become(op, def);
        }
    p->module->verified = false;
    p->changed = true;

    size_t n;
    tsr_op **order = tsr_call_order(p->scratch, root, false, &n);
    split s = {.p = p, .nold = p->module->nop};
    s.state = TSR_NEW_ARRAY(p->scratch, uint8_t, s.nold + 1);
    s.copies = TSR_NEW_ARRAY(p->scratch, tsr_op *, s.nold + 1);
    tsr_symbols_init(&s.symbols, root);
    bool ok = true;
    for (size_t i = 0; i < n && ok; i++)
        ok = split_func(&s, order[i]);
    tsr_symbols_free(&s.symbols);
    tsr_vec_free(&s.copied);
    tsr_vec_free(&s.stack);
    tsr_vec_free(&s.constants);
    tsr_vec_free(&s.expansions);
    tsr_ptr_set_free(&s.computations);
    tsr_ptr_set_free(&s.funcs);
    return ok;
}
