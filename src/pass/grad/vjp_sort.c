/* SPDX-License-Identifier: Apache-2.0 */
/* vjp_sort.c - sort carries tangents along; cotangents are sorted back by the original positions of elements. */
#include "pass/grad/grad.h"

/* A sort of these values along the dimension of op; body: its comparator, still empty. */
static tsr_op *open_sort(tsr_build *b, tsr_op *op, tsr_value *const *values, size_t n,
                         tsr_build *body)
{
    tsr_type_vec args = {0};
    tsr_op *sort = tsr_build_open(b, TSR_OP_STABLEHLO_SORT, values, n, n, 1);
    sort->attrs[STABLEHLO_SORT_dimension] = tsr_attr_of(op, STABLEHLO_SORT_dimension);
    for (size_t i = 0; i < 2 * n; i++)
        tsr_vec_push(&args, tsr_scalar_type(tsr_elem(values[i / 2])));
    *body = tsr_build_in(b, &sort->regions[0], args.data, args.n);
    tsr_vec_free(&args);
    return sort;
}

static tsr_op *close_sort(tsr_build *b, tsr_op *sort, tsr_value *const *values, size_t n)
{
    tsr_type_vec types = {0};
    for (size_t i = 0; i < n; i++)
        tsr_vec_push(&types, values[i]->type);
    tsr_build_close_as(b, sort, types.data);
    tsr_vec_free(&types);
    return sort;
}

/* Sorts all values with the comparator of op, which sees the first ones. */
static tsr_op *sort_more(tsr_build *b, tsr_op *op, tsr_value *const *values, size_t n)
{
    tsr_build body;
    tsr_op *sort = open_sort(b, op, values, n, &body);
    sort->attrs[STABLEHLO_SORT_is_stable] = tsr_attr_of(op, STABLEHLO_SORT_is_stable);
    tsr_block *from = op->regions[0].first;
    tsr_mapping map = {0};
    for (uint32_t i = 0; i < from->nargs; i++)
        tsr_mapping_put(&map, from->args[i], body.block->args[i]);
    TSR_BLOCK_OPS (from, inner)
        tsr_op_insert(tsr_op_clone(b->module, inner, &map), body.block, NULL);
    tsr_mapping_free(&map);
    tsr_build_free(&body);
    return close_sort(b, sort, values, n);
}

static int64_t sort_dim(const tsr_op *op)
{
    const tsr_attr *a = tsr_attr_of(op, STABLEHLO_SORT_dimension);
    int64_t d = a ? a->i : -1;
    return d < 0 ? d + tsr_hlo_in(op, 0)->n : d;
}

bool jvp_sort(tsr_grad *g, tsr_op *op)
{
    tsr_value_vec values = {0};
    for (uint32_t i = 0; i < op->nin; i++)
        tsr_vec_push(&values, tsr_grad_in(op, i));
    for (uint32_t i = 0; i < op->nin; i++)
        if (tsr_grad_wanted(g, &op->out[i]))
            tsr_vec_push(&values, tsr_grad_of_or_zero(g, tsr_grad_in(op, i)));
    tsr_op *more = sort_more(&g->b, op, values.data, values.n);
    tsr_vec_free(&values);
    for (uint32_t i = 0, k = op->nin; i < op->nin; i++)
        if (tsr_grad_wanted(g, &op->out[i]))
            tsr_grad_set(g, &op->out[i], &more->out[k++]);
    return true;
}

/* Sorts values by index, which is a permutation along the dimension. */
static tsr_op *sort_by(tsr_build *b, tsr_op *op, tsr_value *const *values, size_t n)
{
    tsr_build body;
    tsr_op *sort = open_sort(b, op, values, n, &body);
    tsr_value *less = f_lt(&body, body.block->args[0], body.block->args[1]);
    tsr_build_return(&body, &less, 1);
    tsr_build_free(&body);
    return close_sort(b, sort, values, n);
}

bool vjp_sort(tsr_grad *g, tsr_op *op, tsr_value *const *ct)
{
    tsr_value_vec values = {0};
    tsr_build before = tsr_build_before(op);
    for (uint32_t i = 0; i < op->nin; i++)
        tsr_vec_push(&values, tsr_grad_in(op, i));
    tsr_vec_push(&values, tsr_build_iota(&before, values.data[0], g->b.ctx->i32, sort_dim(op)));
    /* The forward sort also returns the original positions. */
    tsr_op *more = sort_more(&before, op, values.data, values.n);
    tsr_build_free(&before);
    for (uint32_t i = 0; i < op->nout; i++)
        tsr_value_replace(&op->out[i], &more->out[i]);
    values.n = 0;
    tsr_vec_push(&values, &more->out[op->nin]);
    for (uint32_t i = 0; i < op->nout; i++)
        if (ct[i] && tsr_grad_varied(g, tsr_grad_in(op, i)))
            tsr_vec_push(&values, ct[i]);
    if (values.n > 1) {
        tsr_op *back = sort_by(&g->b, op, values.data, values.n);
        for (uint32_t i = 0, k = 1; i < op->nout; i++)
            if (ct[i] && tsr_grad_varied(g, tsr_grad_in(op, i)))
                tsr_grad_add(g, tsr_grad_in(op, i), &back->out[k++]);
    }
    tsr_vec_free(&values);
    return true;
}
