/* SPDX-License-Identifier: Apache-2.0 */
/* infer_calls.c - infers types between functions and their calls, and inserts casts where the two cannot agree. */
#include "dialect/tessera/tessera.h"
#include "pass/shape/infer.h"

enum {
    FUNC_ESCAPES = 1, /* may be called from outside: its arguments keep their types */
    FUNC_WAITS = 2,   /* in waiting */
};

tsr_type *tsr_type_either(tsr_type *a, tsr_type *b)
{
    bool tensors = (a->kind == TSR_TYPE_TENSOR || a->kind == TSR_TYPE_UNRANKED_TENSOR) &&
                   (b->kind == TSR_TYPE_TENSOR || b->kind == TSR_TYPE_UNRANKED_TENSOR);
    if (a == b)
        return a;
    if (!tensors || a->elem != b->elem)
        return NULL;
    if (a->kind != b->kind || a->n != b->n)
        return tsr_type_unranked_tensor(a->ctx, a->elem);
    tsr_tessera_dims dims = {0};
    for (uint32_t i = 0; i < a->n; i++) {
        tsr_tessera_dim x = tsr_tessera_dim_of(a, i), y = tsr_tessera_dim_of(b, i);
        if (x.size != y.size || x.name != y.name)
            x = (tsr_tessera_dim){x.size == y.size ? x.size : TSR_DYNAMIC, NULL};
        tsr_vec_push(&dims, x);
    }
    tsr_type *t = tsr_tessera_tensor(dims.data, dims.n, a->elem);
    tsr_vec_free(&dims);
    return t;
}

/* ---- The call graph ---- */

static bool is_composite(const tsr_op *op)
{
    return tsr_op_is(op, TSR_OP_STABLEHLO_COMPOSITE);
}

/* The function that op calls, if it has a body in this module. */
static tsr_op *callee_of(const tsr_inference *s, const tsr_op *op)
{
    const tsr_attr *name = NULL;
    if (is_composite(op))
        name = op->attrs[STABLEHLO_COMPOSITE_decomposition];
    else if (tsr_op_is(op, TSR_OP_FUNC_CALL))
        name = op->attrs[FUNC_CALL_callee];
    tsr_op *func =
        tsr_attr_is(name, TSR_ATTR_SYMBOL) ? tsr_symtab_find(&s->symbols, name->s) : NULL;
    return func && tsr_op_is(func, TSR_OP_FUNC_FUNC) && func->regions[0].first ? func : NULL;
}

static bool escapes(void *user, const tsr_attr *symbol)
{
    tsr_inference *s = user;
    const tsr_op *func = tsr_symtab_find(&s->symbols, symbol->s);
    if (func && func->id < s->nid)
        s->state[func->id] |= FUNC_ESCAPES;
    return true;
}

static bool is_private(const tsr_op *func)
{
    const tsr_attr *v = func->attrs[FUNC_FUNC_sym_visibility];
    return tsr_attr_is(v, TSR_ATTR_STRING) && tsr_str_is(v->s, "private");
}

static void keep_types(tsr_inference *s, const tsr_op *op)
{
    for (uint32_t i = 0; i < op->nout; i++)
        s->written[op->out[i].id] = op->out[i].type;
    for (uint32_t r = 0; r < op->nregion; r++)
        TSR_REGION_BLOCKS (&op->regions[r], b)
            for (uint32_t i = 0; i < b->nargs; i++)
                s->written[b->args[i]->id] = b->args[i]->type;
}

void tsr_inference_start(tsr_inference *s, tsr_op *root)
{
    s->nid = s->p->module->nop + 1;
    s->first_call = TSR_NEW_ARRAY(s->p->scratch, uint32_t, s->nid);
    s->call_place = TSR_NEW_ARRAY(s->p->scratch, uint32_t, s->nid);
    s->state = TSR_NEW_ARRAY(s->p->scratch, uint8_t, s->nid);
    tsr_symtab_init(&s->symbols, root);
    TSR_OPS (root, op) {
        keep_types(s, op);
        tsr_op *func = callee_of(s, op);
        bool fits =
            func && func->regions[0].first->nargs == op->nin && tsr_symbol_table_of(op) == root;
        if (fits) {
            tsr_vec_push(&s->calls, (tsr_inferred_call){op, func, s->first_call[func->id]});
            s->first_call[func->id] = s->call_place[op->id] = (uint32_t)s->calls.n;
        } else if (op != root) {
            tsr_op_symbol_refs(op, escapes, s);
        }
        if (tsr_op_is(op, TSR_OP_FUNC_FUNC) &&
            (!is_private(op) || op->regions[0].first != op->regions[0].last))
            s->state[op->id] |= FUNC_ESCAPES;
    }
}

void tsr_inference_end(tsr_inference *s)
{
    tsr_vec_free(&s->calls);
    tsr_vec_free(&s->waiting);
    tsr_symtab_free(&s->symbols);
}

/* ---- Types ---- */

static const tsr_op *only_return(const tsr_op *func)
{
    const tsr_block *b = func->regions[0].first;
    return b && !b->next && b->last && tsr_op_is(b->last, TSR_OP_FUNC_RETURN) ? b->last : NULL;
}

/* A call's results have the types that its function returns. */
static void follow(tsr_inference *s, tsr_op *call, const tsr_op *func)
{
    const tsr_type *type = func->attrs[FUNC_FUNC_function_type]->type;
    const tsr_op *ret = only_return(func);
    (void)tsr_refine_results(&s->r, call, type->types + type->n, type->nout);
    for (uint32_t i = 0; ret && i < ret->nin && i < call->nout; i++)
        if (call->out[i].type == tsr_rw_in(ret, i)->type)
            tsr_inference_know(s, &call->out[i], tsr_known_of(&s->r, tsr_rw_in(ret, i)));
}

void tsr_inference_call(tsr_inference *s, tsr_op *op)
{
    if (op->id >= s->nid)
        return;
    if (tsr_op_is(op, TSR_OP_FUNC_RETURN)) {
        const tsr_op *func = tsr_block_parent(op->block);
        for (uint32_t i = func ? s->first_call[func->id] : 0; i; i = s->calls.data[i - 1].next)
            tsr_rw_touch(&s->r, s->calls.data[i - 1].call);
    }
    if (!s->call_place[op->id])
        return;
    tsr_op *func = s->calls.data[s->call_place[op->id] - 1].func;
    follow(s, op, func);
    if (s->state[func->id])
        return;
    s->state[func->id] |= FUNC_WAITS;
    tsr_vec_push(&s->waiting, func);
}

/* An argument gets the type that all calls agree on. */
static void refine_argument(tsr_inference *s, const tsr_op *func, uint32_t i)
{
    tsr_value *arg = func->regions[0].first->args[i];
    tsr_type *type = NULL;
    tsr_attr *value = NULL;
    for (uint32_t k = s->first_call[func->id]; k; k = s->calls.data[k - 1].next) {
        const tsr_value *v = tsr_rw_in(s->calls.data[k - 1].call, i);
        tsr_attr *known = tsr_known_of(&s->r, v);
        value = !type || known == value ? known : NULL;
        type = type ? tsr_type_either(type, v->type) : v->type;
        if (!type)
            return;
    }
    if (type && tsr_refine_values(&s->r, func, &arg, &type, 1))
        tsr_func_update_type((tsr_op *)func);
    tsr_inference_know(s, arg, value);
}

bool tsr_inference_functions(tsr_inference *s)
{
    bool some = s->waiting.n > 0;
    for (size_t k = 0; k < s->waiting.n && !s->r.failed; k++) {
        tsr_op *func = s->waiting.data[k];
        s->state[func->id] &= (uint8_t)~FUNC_WAITS;
        tsr_arena_mark mark = tsr_arena_save(s->p->scratch);
        s->options.loud = true;
        for (uint32_t i = 0; i < func->regions[0].first->nargs && !s->r.failed; i++)
            refine_argument(s, func, i);
        tsr_arena_rewind(s->p->scratch, mark);
    }
    s->waiting.n = 0;
    return some;
}

/* ---- Casts ---- */

/* Ops that accept operands of other types than their original ones. */
static bool tolerates(const tsr_op *op)
{
    static const uint16_t more[] = {TSR_OP_TENSOR_DIM, TSR_OP_SHAPE_SHAPE_OF, TSR_OP_TENSOR_CAST,
                                    TSR_OP_BUILTIN_UNREALIZED_CONVERSION_CAST};
    for (size_t i = 0; i < TSR_COUNT(more); i++)
        if (op->def->opcode == more[i])
            return true;
    if (tsr_op_is(op, TSR_OP_SDY_MANUAL_COMPUTATION))
        return false;
    return tsr_op_in(op, TSR_DIALECT_STABLEHLO) || tsr_op_in(op, TSR_DIALECT_CHLO) ||
           tsr_op_in(op, TSR_DIALECT_SDY) || tsr_op_in(op, TSR_DIALECT_TESSERA);
}

/* The type that op requires of operand i; NULL: any. */
static tsr_type *wanted(const tsr_inference *s, const tsr_op *op, uint32_t i)
{
    const tsr_op *parent = tsr_block_parent(op->block);
    const tsr_value *v = tsr_rw_in(op, i);
    if (op->id < s->nid && s->call_place[op->id]) {
        const tsr_op *func = s->calls.data[s->call_place[op->id] - 1].func;
        return func->regions[0].first->args[i]->type;
    }
    if (tsr_op_is(op, TSR_OP_FUNC_RETURN) && parent && tsr_op_is(parent, TSR_OP_FUNC_FUNC)) {
        const tsr_type *type = parent->attrs[FUNC_FUNC_function_type]->type;
        return i < type->nout ? type->types[type->n + i] : NULL;
    }
    tsr_type *loop = tsr_inference_carried(op, parent, i);
    if (loop)
        return loop;
    if (v->id >= s->r.nknown || (tolerates(op) && !is_composite(op)))
        return NULL;
    return s->written[v->id];
}

void tsr_inference_mend(tsr_inference *s, tsr_op *root)
{
    const tsr_opdef *def = tsr_opdef_of(s->p->ctx, TSR_OP_TENSOR_CAST);
    TSR_OPS (root, op)
        for (uint32_t i = 0; i < op->nin; i++) {
            tsr_value *v = tsr_rw_in(op, i);
            tsr_type *type = wanted(s, op, i);
            if (!type || type == v->type || !tsr_type_both(op, type, v->type))
                continue;
            tsr_op *cast = tsr_op_new(s->p->module, def, op->loc, &v, 1, &type, 1, 0, 0);
            tsr_op_insert(cast, op->block, op);
            tsr_op_set_operand(op, i, &cast->out[0]);
            s->p->changed = true;
        }
    /* Removes casts that only lose information that is known now. */
    tsr_op *next;
    for (tsr_op *op = tsr_walk_next(root, root); op; op = next) {
        next = tsr_walk_next(root, op);
        if (!tsr_op_is(op, TSR_OP_TENSOR_CAST) || op->out[0].type != tsr_rw_in(op, 0)->type ||
            op->out[0].id >= s->r.nknown || s->written[op->out[0].id] == op->out[0].type)
            continue;
        tsr_value_replace(&op->out[0], tsr_rw_in(op, 0));
        tsr_op_erase(op);
        s->p->changed = true;
    }
}
