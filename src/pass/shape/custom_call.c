/* SPDX-License-Identifier: Apache-2.0 */
/* custom_call.c - custom calls whose attribute indices_of_shape_operands says which operands hold the shapes of the
 * results. */
#include "pass/shape/refine.h"

void tsr_shapes_free(tsr_shapes *s)
{
    for (size_t i = 0; i < s->n; i++)
        tsr_vec_free(&s->data[i]);
    tsr_vec_free(s);
}

static tsr_attr *indices_of(const tsr_op *op)
{
    return tsr_dict_get(op->extra, TSR_STR("indices_of_shape_operands"));
}

void tsr_flatten_type(tsr_type *t, tsr_type_vec *out)
{
    if (t->kind != TSR_TYPE_TUPLE)
        tsr_vec_push(out, t);
    else
        for (uint32_t i = 0; i < t->n; i++)
            tsr_flatten_type(t->types[i], out);
}

#define SAY(...) (loud ? tsr_hlo_error(op, "indices_of_shape_operands: " __VA_ARGS__) : false)

static bool check_indices(const tsr_op *op, const tsr_attr *indices, size_t nresult,
                          const char *suffix, bool loud)
{
    int64_t n = tsr_attr_count(indices);
    if (n != (int64_t)nresult)
        return SAY("number of elements (%lld) must be equal to the number of operation results "
                   "(%zu)%s",
                   (long long)n, nresult, suffix);
    if (indices->type->n != 1)
        return SAY("must have rank = 1");
    if (!tsr_type_is_integer(indices->type->elem, 64))
        return SAY("must have i64 element type");
    return true;
}

/* The shape of result i. */
static bool shape_at(const tsr_op *op, int64_t index, size_t i, const tsr_type *result,
                     const char *suffix, tsr_shapes *out, bool loud)
{
    if (index < 0 || index >= op->nin)
        return SAY("index #%zu (%lld) must be within bounds for operation operands (from 0 to %u)",
                   i, (long long)index, op->nin);
    tsr_i64_vec dims = {0};
    bool known = tsr_hlo_const_ints(op->in[index].value, &dims);
    tsr_vec_push(out, dims);
    if (!known)
        return false;
    if (result->kind == TSR_TYPE_UNRANKED_TENSOR)
        return true;
    bool fits = tsr_hlo_is_ranked(result) && result->n == dims.n;
    for (size_t d = 0; fits && d < dims.n; d++)
        fits = tsr_hlo_dims_compatible(dims.data[d], result->dims[d]);
    return fits ||
           SAY("refinement #%zu ([%s]) must be compatible with operation result #%zu (%s)%s", i,
               tsr_hlo_show_dims(op->module->ctx, dims.data, dims.n), i, tsr_hlo_show_type(result),
               suffix);
}

bool tsr_custom_call_shapes(const tsr_op *op, tsr_shapes *out, bool loud)
{
    const tsr_attr *indices = indices_of(op);
    if (!tsr_attr_is(indices, TSR_ATTR_DENSE) || indices->type->elem->kind != TSR_TYPE_INTEGER)
        return false;
    tsr_type_vec flat = {0};
    for (uint32_t i = 0; i < op->nout; i++)
        tsr_flatten_type(op->out[i].type, &flat);
    const char *suffix = flat.n != op->nout ? ", with tuples flattened" : "";
    bool ok = check_indices(op, indices, flat.n, suffix, loud);
    for (size_t i = 0; ok && i < flat.n; i++)
        ok = shape_at(op, tsr_attr_int_at(indices, i), i, flat.data[i], suffix, out, loud);
    tsr_vec_free(&flat);
    return ok;
}

bool tsr_check_custom_call_shapes(tsr_op *root)
{
    tsr_ctx *ctx = root->module->ctx;
    uint32_t before = ctx->nerror;
    TSR_OPS (root, op)
        if (tsr_op_is(op, TSR_OP_STABLEHLO_CUSTOM_CALL) && indices_of(op)) {
            tsr_shapes shapes = {0};
            (void)tsr_custom_call_shapes(op, &shapes, true);
            tsr_shapes_free(&shapes);
        }
    return ctx->nerror == before;
}
