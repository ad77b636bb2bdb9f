/* signless.c - --stablehlo-convert-to-signless: integers that say whether they have a sign no
 * longer do, in types of values, in signatures of functions and in constants. needs nothing; keeps
 * bits, not what ops make of them; breaks nothing. */
#include "dialect/dialect.h"
#include "lower/passes.h"

static tsr_type *signless(tsr_type *t)
{
    tsr_ctx *ctx = t->ctx;
    if (t->kind == TSR_TYPE_INTEGER)
        return t->sub == TSR_SIGNLESS ? t : tsr_type_integer(ctx, t->width, TSR_SIGNLESS);
    if (!tsr_type_is_shaped(t) || t->elem->kind != TSR_TYPE_INTEGER || t->elem->sub == TSR_SIGNLESS)
        return t;
    tsr_type *elem = signless(t->elem);
    switch (t->kind) {
    case TSR_TYPE_TENSOR: return tsr_type_tensor(ctx, t->dims, t->n, elem, t->attr);
    case TSR_TYPE_UNRANKED_TENSOR: return tsr_type_unranked_tensor(ctx, elem);
    case TSR_TYPE_VECTOR: return tsr_type_vector(ctx, t->dims, t->n, elem, t->attr);
    case TSR_TYPE_MEMREF: return tsr_type_memref(ctx, t->dims, t->n, elem, t->attr, t->space);
    default: return tsr_type_unranked_memref(ctx, elem, t->space);
    }
}

static tsr_type *signless_function(tsr_type *t)
{
    uint32_t n = t->n + t->nout;
    tsr_type **types = tsr_xmalloc((n ? n : 1) * sizeof *types);
    for (uint32_t i = 0; i < n; i++)
        types[i] = signless(t->types[i]);
    tsr_type *made = tsr_type_function(t->ctx, types, t->n, types + t->n, t->nout);
    tsr_free(types);
    return made;
}

static bool retype(tsr_type **type)
{
    tsr_type *made = signless(*type);
    bool changed = made != *type;
    *type = made;
    return changed;
}

static bool convert_constant(tsr_pass *p, tsr_op *op)
{
    int slot = tsr_opdef_slot(op->def, TSR_STR("value"));
    tsr_attr *a = slot < 0 ? NULL : op->attrs[slot];
    if (!a || !a->type || signless(a->type) == a->type)
        return false;
    tsr_type *type = signless(a->type);
    if (a->kind == TSR_ATTR_INT)
        op->attrs[slot] = tsr_attr_int(p->ctx, type, a->i);
    else if (a->kind == TSR_ATTR_DENSE)
        op->attrs[slot] = tsr_attr_dense(p->ctx, p->module, type, a->s.data, a->s.len, a->sub);
    else if (a->kind == TSR_ATTR_DENSE_RESOURCE)
        op->attrs[slot] = tsr_attr_dense_resource(p->ctx, type, a->s);
    else
        return false;
    return true;
}

bool pass_stablehlo_convert_to_signless(tsr_pass *p, tsr_op *root)
{
    TSR_OPS (root, op) {
        for (uint32_t i = 0; i < op->nout; i++)
            p->changed |= retype(&op->out[i].type);
        for (uint32_t r = 0; r < op->nregion; r++)
            TSR_REGION_BLOCKS(&op->regions[r], b)
        for (uint32_t i = 0; i < b->nargs; i++)
            p->changed |= retype(&b->args[i]->type);
        if (tsr_op_has(op, TSR_TRAIT(CONSTANT_LIKE)))
            p->changed |= convert_constant(p, op);
        int slot = tsr_op_has(op, TSR_TRAIT(FUNCTION))
                       ? tsr_opdef_slot(op->def, TSR_STR("function_type"))
                       : -1;
        if (slot < 0 || !op->attrs[slot])
            continue;
        tsr_type *type = op->attrs[slot]->type, *made = signless_function(type);
        if (made != type) {
            op->attrs[slot] = tsr_attr_type(p->ctx, made);
            p->changed = true;
        }
    }
    return true;
}
