/* SPDX-License-Identifier: Apache-2.0 */
/* retype.c - changes the types of all values below an op: results, block arguments, signatures of functions and
 * constants. */
#include "dialect/dialect.h"
#include "dialect/stablehlo/types.h"
#include "lower/lower.h"

static tsr_type *retyped_function(tsr_type *t, tsr_type_fn *map)
{
    uint32_t n = t->n + t->nout;
    tsr_type **types = tsr_xmalloc((n ? n : 1) * sizeof *types);
    for (uint32_t i = 0; i < n; i++)
        types[i] = map(t->types[i]);
    tsr_type *made = tsr_type_function(t->ctx, types, t->n, types + t->n, t->nout);
    tsr_free(types);
    return made;
}

static bool retype(tsr_type **type, tsr_type_fn *map)
{
    tsr_type *made = map(*type);
    bool changed = made != *type;
    *type = made;
    return changed;
}

/* The value of a constant has its result's elements; the storage is unchanged. */
static bool retype_constant(tsr_op *op)
{
    tsr_ctx *ctx = op->module->ctx;
    int slot = tsr_opdef_slot(op->def, TSR_STR("value"));
    tsr_attr *a = slot < 0 ? NULL : op->attrs[slot];
    if (!a || !a->type || op->nout != 1)
        return false;
    tsr_type *type = tsr_hlo_is_ranked(a->type)
                         ? tsr_hlo_with_element(a->type, tsr_hlo_element(op->out[0].type))
                         : op->out[0].type;
    if (type == a->type)
        return false;
    if (a->kind == TSR_ATTR_INT)
        op->attrs[slot] = tsr_attr_int(ctx, type, a->i);
    else if (a->kind == TSR_ATTR_DENSE)
        op->attrs[slot] = tsr_attr_dense(ctx, op->module, type, a->s.data, a->s.len, a->sub);
    else if (a->kind == TSR_ATTR_DENSE_RESOURCE)
        op->attrs[slot] = tsr_attr_dense_resource(ctx, type, a->s);
    else
        return false;
    return true;
}

static bool retype_signature(tsr_op *op, tsr_type_fn *map)
{
    int slot = tsr_op_has(op, TSR_TRAIT(FUNCTION))
                   ? tsr_opdef_slot(op->def, TSR_STR("function_type"))
                   : -1;
    if (slot < 0 || !op->attrs[slot])
        return false;
    tsr_type *type = op->attrs[slot]->type, *made = retyped_function(type, map);
    if (made != type)
        op->attrs[slot] = tsr_attr_type(op->module->ctx, made);
    return made != type;
}

bool tsr_retype(tsr_op *root, tsr_type_fn *map)
{
    bool changed = false;
    TSR_OPS (root, op) {
        bool results = false;
        for (uint32_t i = 0; i < op->nout; i++)
            results |= retype(&op->out[i].type, map);
        changed |= results;
        for (uint32_t r = 0; r < op->nregion; r++)
            TSR_REGION_BLOCKS (&op->regions[r], b)
                for (uint32_t i = 0; i < b->nargs; i++)
                    changed |= retype(&b->args[i]->type, map);
        if (results && tsr_op_has(op, TSR_TRAIT(CONSTANT_LIKE)))
            retype_constant(op);
        changed |= retype_signature(op, map);
    }
    return changed;
}
