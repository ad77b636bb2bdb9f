/* SPDX-License-Identifier: Apache-2.0 */
/* make.c - creates ops that rules of differentiation need frequently. */
#include "pass/grad/grad.h"

tsr_attr *tsr_grad_list(tsr_build *b, const int64_t *numbers, size_t n)
{
    return tsr_attr_i64_array(b->ctx, numbers, n);
}

tsr_value *tsr_grad_scalar(tsr_build *b, tsr_type *elem, double number)
{
    tsr_value like = {.type = tsr_scalar_type(elem)};
    return tsr_build_like(b, &like, elem, number);
}

tsr_value *tsr_grad_reduce(tsr_build *b, enum tsr_opcode opcode, tsr_value *v, tsr_value *init,
                           const int64_t *dims, size_t n)
{
    tsr_value *in[] = {v, init};
    tsr_op *op = tsr_build_open(b, TSR_OP_STABLEHLO_REDUCE, in, 2, 1, 1);
    op->attrs[STABLEHLO_REDUCE_dimensions] = tsr_grad_list(b, dims, n);
    tsr_type *scalar = tsr_scalar_type(tsr_elem(init)), *args[] = {scalar, scalar};
    tsr_build body = tsr_build_in(b, &op->regions[0], args, 2);
    tsr_value *sum = tsr_build_op(&body, opcode, body.block->args, 2, scalar);
    tsr_build_return(&body, &sum, 1);
    tsr_build_free(&body);
    return &tsr_build_close(b, op)->out[0];
}

tsr_value *tsr_grad_sum(tsr_build *b, tsr_value *v, const int64_t *dims, size_t n)
{
    if (!n)
        return v;
    return tsr_grad_reduce(b, TSR_OP_STABLEHLO_ADD, v, tsr_grad_scalar(b, tsr_elem(v), 0), dims, n);
}

tsr_value *tsr_grad_sum_all(tsr_build *b, tsr_value *v)
{
    tsr_i64_vec dims = {0};
    for (uint32_t i = 0; i < v->type->n; i++)
        tsr_vec_push(&dims, i);
    tsr_value *sum = tsr_grad_sum(b, v, dims.data, dims.n);
    tsr_vec_free(&dims);
    return sum;
}

tsr_value *tsr_grad_transpose(tsr_build *b, tsr_value *v, const int64_t *perm)
{
    bool same = true;
    for (uint32_t i = 0; i < v->type->n; i++)
        same &= perm[i] == i;
    if (same)
        return v;
    tsr_op *op = tsr_build_open(b, TSR_OP_STABLEHLO_TRANSPOSE, &v, 1, 1, 0);
    op->attrs[STABLEHLO_TRANSPOSE_permutation] = tsr_grad_list(b, perm, v->type->n);
    return &tsr_build_close(b, op)->out[0];
}

tsr_value *tsr_grad_swap(tsr_build *b, tsr_value *v)
{
    tsr_i64_vec perm = {0};
    int64_t n = v->type->n;
    for (int64_t i = 0; i < n; i++)
        tsr_vec_push(&perm, i == n - 2 ? n - 1 : i == n - 1 ? n - 2 : i);
    tsr_value *out = tsr_grad_transpose(b, v, perm.data);
    tsr_vec_free(&perm);
    return out;
}

tsr_value *tsr_grad_pad(tsr_build *b, tsr_value *v, tsr_value *with, const int64_t *low,
                        const int64_t *high, const int64_t *interior)
{
    size_t n = v->type->n;
    bool same = true;
    for (size_t i = 0; i < n; i++)
        same &= !low[i] && !high[i] && (!interior || !interior[i]);
    if (same)
        return v;
    tsr_i64_vec none = {0};
    for (size_t i = 0; i < n; i++)
        tsr_vec_push(&none, 0);
    tsr_value *in[] = {v, with};
    tsr_op *op = tsr_build_open(b, TSR_OP_STABLEHLO_PAD, in, 2, 1, 0);
    op->attrs[STABLEHLO_PAD_edge_padding_low] = tsr_grad_list(b, low, n);
    op->attrs[STABLEHLO_PAD_edge_padding_high] = tsr_grad_list(b, high, n);
    op->attrs[STABLEHLO_PAD_interior_padding] =
        tsr_grad_list(b, interior ? interior : none.data, n);
    tsr_vec_free(&none);
    return &tsr_build_close(b, op)->out[0];
}

tsr_value *tsr_grad_slice(tsr_build *b, tsr_value *v, const int64_t *start, const int64_t *limit,
                          const int64_t *stride)
{
    size_t n = v->type->n;
    bool same = true;
    for (size_t i = 0; i < n; i++)
        same &= !start[i] && limit[i] == v->type->dims[i] && stride[i] == 1;
    if (same)
        return v;
    tsr_op *op = tsr_build_open(b, TSR_OP_STABLEHLO_SLICE, &v, 1, 1, 0);
    op->attrs[STABLEHLO_SLICE_start_indices] = tsr_grad_list(b, start, n);
    op->attrs[STABLEHLO_SLICE_limit_indices] = tsr_grad_list(b, limit, n);
    op->attrs[STABLEHLO_SLICE_strides] = tsr_grad_list(b, stride, n);
    return &tsr_build_close(b, op)->out[0];
}

tsr_value *tsr_grad_concat(tsr_build *b, tsr_value *const *v, size_t n, int64_t dim)
{
    if (n == 1)
        return v[0];
    tsr_op *op = tsr_build_open(b, TSR_OP_STABLEHLO_CONCATENATE, v, n, 1, 0);
    op->attrs[STABLEHLO_CONCATENATE_dimension] = tsr_attr_i64(b->ctx, dim);
    return &tsr_build_close(b, op)->out[0];
}

tsr_value *tsr_grad_fill(tsr_build *b, tsr_value *scalar, tsr_value *v)
{
    return v->type->n ? tsr_build_spread(b, scalar, NULL, v) : scalar;
}

tsr_value *tsr_grad_conj(tsr_build *b, tsr_value *v)
{
    if (tsr_elem(v)->kind != TSR_TYPE_COMPLEX)
        return v;
    return f_complex(b, f_real(b, v), f_neg(b, f_imag(b, v)));
}

tsr_value *tsr_grad_unspread(tsr_build *b, tsr_value *v, tsr_value *x, const int64_t *dims)
{
    tsr_i64_vec sum = {0}, order = {0};
    for (uint32_t d = 0; d < v->type->n; d++) {
        int64_t from = -1;
        for (uint32_t i = 0; i < x->type->n; i++)
            if (dims[i] == d)
                from = i;
        if (from < 0 || (x->type->dims[from] == 1 && v->type->dims[d] != 1))
            tsr_vec_push(&sum, d);
        else
            tsr_vec_push(&order, from);
    }
    v = tsr_grad_sum(b, v, sum.data, sum.n);
    /* The remaining dimensions are in the result's order; those of size 1 are restored at the end. */
    tsr_i64_vec perm = {0};
    for (int64_t i = 0; i < x->type->n; i++)
        for (size_t k = 0; k < order.n; k++)
            if (order.data[k] == i)
                tsr_vec_push(&perm, (int64_t)k);
    v = tsr_grad_transpose(b, v, perm.data);
    tsr_vec_free(&sum);
    tsr_vec_free(&order);
    tsr_vec_free(&perm);
    if (v->type->n == x->type->n)
        return v;
    if (tsr_type_has_static_shape(x->type))
        return tsr_build_reshape(b, v,
                                 tsr_static_type(b->ctx, x->type->dims, x->type->n, tsr_elem(v)));
    tsr_value *in[] = {v, tsr_build_sizes(b, x)};
    return tsr_build_op(b, TSR_OP_STABLEHLO_DYNAMIC_RESHAPE, in, 2,
                        tsr_hlo_with_element(x->type, tsr_elem(v)));
}

tsr_op *tsr_grad_again(tsr_build *b, tsr_op *op, tsr_value *const *in, tsr_type *const *types)
{
    tsr_mapping map = {0};
    tsr_op *copy = tsr_op_clone(b->module, op, &map);
    tsr_mapping_free(&map);
    for (uint32_t i = 0; i < op->nin; i++)
        if (copy->in[i].value != in[i])
            tsr_op_set_operand(copy, i, in[i]);
    for (uint32_t i = 0; types && i < op->nout; i++)
        copy->out[i].type = types[i];
    return copy;
}
