/* SPDX-License-Identifier: Apache-2.0 */
/* op.c - creates an op from its specification. Result types that are not given are inferred by the op's row. */
#include "build/build.h"

#include "asm/asm.h"

/* The op that owns a detached region: no row has its name. */
static const tsr_opdef *apart(tsr_ctx *ctx)
{
    return tsr_opdef_get(ctx, TSR_STR("tessera.region apart"));
}

static const tsr_op *top_of(const tsr_op *op)
{
    while (op->block)
        op = tsr_block_parent(op->block);
    return op;
}

bool tsr_op_is_attached(const tsr_op *op)
{
    return top_of(op) == op->module->op;
}

bool tsr_op_is_erased(const tsr_op *op)
{
    const tsr_op *top = top_of(op);
    return top != op->module->op && top->def != apart(op->module->ctx);
}

tsr_module *tsr_value_module(const tsr_value *v)
{
    const tsr_block *b = v->is_arg ? v->block : NULL;
    const tsr_op *op = b ? tsr_block_parent(b) : v->op;
    if (b && (v->index >= b->nargs || b->args[v->index] != v))
        return NULL; /* an argument that was erased */
    return op && !tsr_op_is_erased(op) ? op->module : NULL;
}

tsr_region *tsr_region_apart(tsr_module *m)
{
    return &tsr_op_new(m, apart(m->ctx), TSR_LOC_UNKNOWN, NULL, 0, NULL, 0, 1, 0)->regions[0];
}

/* ---- Checks ---- */

typedef struct {
    tsr_module *m;
    const tsr_op_spec *spec;
    const tsr_opdef *def;
    tsr_loc loc;
} maker;

#define WRONG(k, ...) tsr_error((k)->m->ctx, (k)->loc, __VA_ARGS__)

static bool find_row(maker *k)
{
    tsr_ctx *ctx = k->m->ctx;
    tsr_str name = k->spec->name;
    const char *dot = name.len ? memchr(name.data, '.', name.len) : NULL;
    k->def = tsr_opdef_find(ctx, name);
    if (k->def)
        return true;
    bool open = dot && tsr_dialect_open(ctx, tsr_str_of(name.data, (size_t)(dot - name.data)));
    if (!name.len || (!open && !ctx->allow_unregistered))
        return WRONG(k, "there is no op '%.*s'", TSR_STR_ARG(name));
    k->def = tsr_opdef_get(ctx, name);
    return true;
}

static bool operands_are_here(const maker *k)
{
    const tsr_op_spec *s = k->spec;
    for (size_t i = 0; i < s->noperand; i++) {
        const tsr_module *m = s->operands[i] ? tsr_value_module(s->operands[i]) : NULL;
        if (m != k->m)
            return WRONG(k, "'%.*s' op operand #%zu is %s", TSR_STR_ARG(s->name), i,
                         !s->operands[i] ? "NULL"
                         : m             ? "a value of another module"
                                         : "a value of an op that was erased");
    }
    return true;
}

static bool types_are_here(const maker *k)
{
    const tsr_op_spec *s = k->spec;
    for (size_t i = 0; s->results && i < s->nresult; i++)
        if (!s->results[i] || s->results[i]->ctx != k->m->ctx)
            return WRONG(k, "'%.*s' op result #%zu has %s", TSR_STR_ARG(s->name), i,
                         s->results[i] ? "a type of another context" : "no type");
    return true;
}

static bool parts_are_here(const maker *k)
{
    const tsr_op_spec *s = k->spec;
    if (s->nregion > UINT16_MAX || s->nsuccessor > UINT16_MAX)
        return WRONG(k, "'%.*s' op has more than %d regions or successors", TSR_STR_ARG(s->name),
                     UINT16_MAX);
    for (size_t i = 0; s->regions && i < s->nregion; i++)
        if (s->regions[i] && (s->regions[i]->op->module != k->m || s->regions[i]->op->block ||
                              s->regions[i]->op == k->m->op))
            return WRONG(k, "'%.*s' op region #%zu is part of another op or module",
                         TSR_STR_ARG(s->name), i);
    size_t to_blocks = 0;
    for (size_t i = 0; i < s->nsuccessor; i++) {
        const tsr_op *op = s->successors[i] ? tsr_block_parent(s->successors[i]) : NULL;
        if (!op || op->module != k->m)
            return WRONG(k, "'%.*s' op successor #%zu is no block of the module",
                         TSR_STR_ARG(s->name), i);
        to_blocks += s->successor_operands ? s->successor_operands[i] : 0;
    }
    return to_blocks <= s->noperand ||
           WRONG(k, "'%.*s' op has %zu operands, fewer than go to its successors",
                 TSR_STR_ARG(s->name), s->noperand);
}

/* ---- Attributes ---- */

/* array<i32: ...> of the sizes of groups. */
static bool set_groups(const maker *k, tsr_op *op)
{
    const tsr_op_spec *s = k->spec;
    size_t sum = 0;
    if (!s->groups)
        return true;
    for (size_t i = 0; i < s->ngroup; i++)
        sum += s->groups[i];
    if (s->ngroup != k->def->narg || sum != s->noperand)
        return WRONG(k,
                     "'%.*s' op has %zu operands in %zu groups, but %zu are given and %u groups "
                     "are in its row",
                     TSR_STR_ARG(s->name), sum, s->ngroup, s->noperand, k->def->narg);
    if (!tsr_op_has(op, TSR_TRAIT(SEGMENTED_OPERANDS)))
        return true;
    int32_t few[32];
    if (s->ngroup > TSR_COUNT(few))
        return WRONG(k, "'%.*s' op has too many groups of operands", TSR_STR_ARG(s->name));
    for (size_t i = 0; i < s->ngroup; i++)
        few[i] = (int32_t)s->groups[i];
    tsr_op_set_attr(op, TSR_STR("operandSegmentSizes"),
                    tsr_attr_dense_array(k->m->ctx, k->m->ctx->i32, few, s->ngroup));
    return true;
}

static bool set_attrs(const maker *k, tsr_op *op)
{
    const tsr_op_spec *s = k->spec;
    for (size_t i = 0; i < s->nattr; i++) {
        if (!s->attrs[i].name.len || !s->attrs[i].value)
            return WRONG(k, "'%.*s' op attribute #%zu has no %s", TSR_STR_ARG(s->name), i,
                         s->attrs[i].value ? "name" : "value");
        tsr_op_set_attr(op, s->attrs[i].name, s->attrs[i].value);
    }
    for (uint16_t i = 0; k->def->slots && i < k->def->nslot; i++)
        if (!op->attrs[i] && k->def->slots[i].need == TSR_ATTR_FILLED)
            op->attrs[i] = tsr_slot_default(k->m->ctx, &k->def->slots[i]);
    return set_groups(k, op);
}

/* ---- Results ---- */

/* Type inference reads the blocks of regions up to their terminators, which must be present and valid. */
static bool regions_are_right(const maker *k, const tsr_op *op)
{
    for (uint16_t r = 0; r < op->nregion; r++)
        TSR_REGION_BLOCKS (&op->regions[r], b) {
            if (!b->last)
                return WRONG(k, "'%.*s' op region #%u has an empty block",
                             TSR_STR_ARG(k->spec->name), r);
            TSR_BLOCK_OPS (b, in)
                TSR_TRY(tsr_verify(in));
            if (!tsr_op_has(b->last, TSR_TRAIT(TERMINATOR)) &&
                !tsr_op_has(op, TSR_TRAIT(NO_TERMINATOR)))
                return WRONG(k, "'%.*s' op region #%u has a block without a terminator",
                             TSR_STR_ARG(k->spec->name), r);
        }
    return true;
}

/* A row's inference may run only if counts, attributes and regions match the row. */
static bool infer(const maker *k, tsr_op *op)
{
    if (!k->def->nresult)
        return true;
    if (!k->def->infer)
        return WRONG(k,
                     "'%.*s' op: the types of its results do not follow from its operands, and "
                     "none are given",
                     TSR_STR_ARG(k->spec->name));
    uint32_t before = k->m->ctx->nerror;
    tsr_type_vec types = {0};
    bool ok = tsr_op_fits_inputs(op) && regions_are_right(k, op) && k->def->infer(op, &types);
    /* Some inference rules keep the types that an op has; an op without any gets none. */
    ok = ok && (types.n || k->def->results[0].arity != TSR_ONE);
    if (!ok && k->m->ctx->nerror == before)
        WRONG(k, "'%.*s' op: the types of its results do not follow from its operands",
              TSR_STR_ARG(k->spec->name));
    if (ok)
        tsr_op_add_results(op, types.data, types.n);
    tsr_vec_free(&types);
    return ok;
}

static void set_parts(const maker *k, tsr_op *op)
{
    const tsr_op_spec *s = k->spec;
    for (size_t i = 0; s->regions && i < s->nregion; i++)
        if (s->regions[i])
            tsr_region_take(&op->regions[i], s->regions[i]);
    for (size_t i = 0; i < s->nsuccessor; i++) {
        tsr_op_set_successor(op, i, s->successors[i]);
        op->nsuccin[i] = s->successor_operands ? (uint32_t)s->successor_operands[i] : 0;
    }
}

tsr_op *tsr_spec_op(tsr_module *m, const tsr_op_spec *spec)
{
    maker k = {.m = m, .spec = spec};
    if (tsr_attr_is(spec->location, TSR_ATTR_LOC))
        k.loc = tsr_loc_of_attr(spec->location);
    else if (spec->location)
        return WRONG(&k, "'%.*s' op: its location is none", TSR_STR_ARG(spec->name)), NULL;
    if (!find_row(&k) || !operands_are_here(&k) || !types_are_here(&k) || !parts_are_here(&k))
        return NULL;
    tsr_op *op = tsr_op_new(m, k.def, k.loc, spec->operands, spec->noperand, spec->results,
                            spec->results ? spec->nresult : 0, spec->nregion, spec->nsuccessor);
    set_parts(&k, op);
    if (set_attrs(&k, op) && (spec->results || infer(&k, op)))
        return op;
    tsr_op_erase(op);
    return NULL;
}
