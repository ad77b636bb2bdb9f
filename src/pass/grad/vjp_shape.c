/* SPDX-License-Identifier: Apache-2.0 */
/* vjp_shape.c - ops that move, repeat or drop elements; their tangents go through the op itself (jvp_linear). */
#include "pass/grad/grad.h"

bool vjp_broadcast_in_dim(tsr_grad *g, tsr_op *op, tsr_value *const *ct)
{
    tsr_value *x = tsr_grad_in(op, 0);
    const tsr_attr *dims = tsr_attr_of(op, STABLEHLO_BROADCAST_IN_DIM_broadcast_dimensions);
    tsr_i64_vec at = {0};
    for (size_t i = 0; i < tsr_hlo_len(dims); i++)
        tsr_vec_push(&at, tsr_hlo_at(dims, i));
    tsr_grad_add(g, x, tsr_grad_unspread(&g->b, ct[0], x, at.data));
    tsr_vec_free(&at);
    return true;
}

bool vjp_dynamic_broadcast_in_dim(tsr_grad *g, tsr_op *op, tsr_value *const *ct)
{
    tsr_value *x = tsr_grad_in(op, 0);
    const tsr_attr *dims = tsr_attr_of(op, STABLEHLO_DYNAMIC_BROADCAST_IN_DIM_broadcast_dimensions);
    const tsr_attr *fixed =
        tsr_attr_of(op, STABLEHLO_DYNAMIC_BROADCAST_IN_DIM_known_nonexpanding_dimensions);
    tsr_i64_vec at = {0};
    bool known = true;
    for (size_t i = 0; i < tsr_hlo_len(dims); i++) {
        bool stays = x->type->dims[i] != TSR_DYNAMIC;
        for (size_t k = 0; k < tsr_hlo_len(fixed); k++)
            stays |= tsr_hlo_at(fixed, k) == (int64_t)i;
        known &= stays;
        tsr_vec_push(&at, tsr_hlo_at(dims, i));
    }
    if (known)
        tsr_grad_add(g, x, tsr_grad_unspread(&g->b, ct[0], x, at.data));
    tsr_vec_free(&at);
    return known || tsr_grad_none(op, "a size that is not known may be repeated");
}

bool vjp_broadcast(tsr_grad *g, tsr_op *op, tsr_value *const *ct)
{
    tsr_i64_vec dims = {0};
    for (size_t i = 0; i < tsr_hlo_len(tsr_attr_of(op, STABLEHLO_BROADCAST_broadcast_sizes)); i++)
        tsr_vec_push(&dims, (int64_t)i);
    tsr_grad_add(g, tsr_grad_in(op, 0), tsr_grad_sum(&g->b, ct[0], dims.data, dims.n));
    tsr_vec_free(&dims);
    return true;
}

bool vjp_reshape(tsr_grad *g, tsr_op *op, tsr_value *const *ct)
{
    tsr_value *x = tsr_grad_in(op, 0), *d;
    if (tsr_type_has_static_shape(x->type)) {
        d = tsr_build_reshape(&g->b, ct[0], x->type);
    } else {
        tsr_value *in[] = {ct[0], tsr_build_sizes(&g->b, x)};
        d = tsr_build_op(&g->b, TSR_OP_STABLEHLO_DYNAMIC_RESHAPE, in, 2, x->type);
    }
    tsr_grad_add(g, x, d);
    return true;
}

bool vjp_transpose(tsr_grad *g, tsr_op *op, tsr_value *const *ct)
{
    const tsr_attr *perm = tsr_attr_of(op, STABLEHLO_TRANSPOSE_permutation);
    tsr_i64_vec back = {0};
    size_t n = tsr_hlo_len(perm);
    for (size_t i = 0; i < n; i++)
        tsr_vec_push(&back, 0);
    for (size_t i = 0; i < n; i++)
        back.data[tsr_hlo_at(perm, i)] = (int64_t)i;
    tsr_grad_add(g, tsr_grad_in(op, 0), tsr_grad_transpose(&g->b, ct[0], back.data));
    tsr_vec_free(&back);
    return true;
}

bool vjp_reverse(tsr_grad *g, tsr_op *op, tsr_value *const *ct)
{
    tsr_op *again = tsr_grad_again(&g->b, op, ct, NULL);
    tsr_op_insert(again, g->b.block, g->b.at);
    tsr_grad_add(g, tsr_grad_in(op, 0), &again->out[0]);
    return true;
}

static bool is_static(const tsr_op *op)
{
    return tsr_type_has_static_shape(tsr_grad_in(op, 0)->type) &&
           tsr_type_has_static_shape(op->out[0].type);
}

bool vjp_slice(tsr_grad *g, tsr_op *op, tsr_value *const *ct)
{
    tsr_value *x = tsr_grad_in(op, 0);
    tsr_i64_vec low = {0}, high = {0}, inner = {0};
    if (!is_static(op))
        return tsr_grad_none(op, "sizes are not known");
    tsr_slice s;
    tsr_slice_of(op, &s);
    for (uint32_t i = 0; i < x->type->n; i++) {
        int64_t n = ct[0]->type->dims[i], start = tsr_ints_at(s.start, i);
        int64_t stride = tsr_ints_at(s.strides, i);
        int64_t covered = n ? (n - 1) * stride + 1 : 0;
        tsr_vec_push(&low, start);
        tsr_vec_push(&high, x->type->dims[i] - start - covered);
        tsr_vec_push(&inner, stride - 1);
    }
    tsr_value *none = tsr_grad_scalar(&g->b, tsr_elem(x), 0);
    tsr_grad_add(g, x, tsr_grad_pad(&g->b, ct[0], none, low.data, high.data, inner.data));
    tsr_vec_free(&low);
    tsr_vec_free(&high);
    tsr_vec_free(&inner);
    return true;
}

/* Removes padding: negative edges, then every (interior + 1)th element. */
static tsr_value *unpad(tsr_build *b, tsr_op *op, tsr_value *ct)
{
    const tsr_type *t = tsr_grad_in(op, 0)->type;
    tsr_i64_vec low = {0}, high = {0}, start = {0}, stride = {0};
    tsr_pad p;
    tsr_pad_of(op, &p);
    for (uint32_t i = 0; i < t->n; i++) {
        tsr_vec_push(&low, -tsr_ints_at(p.low, i));
        tsr_vec_push(&high, -tsr_ints_at(p.high, i));
        tsr_vec_push(&start, 0);
        tsr_vec_push(&stride, tsr_ints_at(p.interior, i) + 1);
    }
    tsr_value *cut =
        tsr_grad_pad(b, ct, tsr_grad_scalar(b, tsr_elem(ct), 0), low.data, high.data, NULL);
    tsr_value *out = tsr_grad_slice(b, cut, start.data, cut->type->dims, stride.data);
    tsr_vec_free(&low);
    tsr_vec_free(&high);
    tsr_vec_free(&start);
    tsr_vec_free(&stride);
    return out;
}

bool vjp_pad(tsr_grad *g, tsr_op *op, tsr_value *const *ct)
{
    tsr_value *x = tsr_grad_in(op, 0), *with = tsr_grad_in(op, 1);
    if (!is_static(op))
        return tsr_grad_none(op, "sizes are not known");
    tsr_value *d = unpad(&g->b, op, ct[0]);
    tsr_grad_add(g, x, d);
    if (tsr_grad_varied(g, with))
        tsr_grad_add(g, with,
                     f_sub(&g->b, tsr_grad_sum_all(&g->b, ct[0]), tsr_grad_sum_all(&g->b, d)));
    return true;
}

bool vjp_concatenate(tsr_grad *g, tsr_op *op, tsr_value *const *ct)
{
    int64_t dim = tsr_attr_of(op, STABLEHLO_CONCATENATE_dimension)->i, at = 0;
    for (uint32_t i = 0; i < op->nin; i++) {
        tsr_value *x = tsr_grad_in(op, i);
        int64_t n = x->type->dims[dim];
        if (n == TSR_DYNAMIC)
            return tsr_grad_none(op, "sizes are not known");
        if (tsr_grad_varied(g, x))
            tsr_grad_add(g, x, tsr_build_slice(&g->b, ct[0], dim, at, at + n));
        at += n;
    }
    return true;
}

/* ---- Slices at dynamic positions ---- */

static tsr_value *slice_at(tsr_build *b, tsr_value *v, tsr_op *op, uint32_t first,
                           const tsr_type *like)
{
    tsr_value_vec in = {0};
    tsr_vec_push(&in, v);
    for (uint32_t i = first; i < op->nin; i++)
        tsr_vec_push(&in, tsr_grad_in(op, i));
    tsr_op *slice = tsr_build_open(b, TSR_OP_STABLEHLO_DYNAMIC_SLICE, in.data, in.n, 1, 0);
    slice->attrs[STABLEHLO_DYNAMIC_SLICE_slice_sizes] = tsr_grad_list(b, like->dims, like->n);
    tsr_vec_free(&in);
    return &tsr_build_close(b, slice)->out[0];
}

static tsr_value *update_at(tsr_build *b, tsr_value *v, tsr_value *update, tsr_op *op,
                            uint32_t first)
{
    tsr_value_vec in = {0};
    tsr_vec_push(&in, v);
    tsr_vec_push(&in, update);
    for (uint32_t i = first; i < op->nin; i++)
        tsr_vec_push(&in, tsr_grad_in(op, i));
    tsr_value *out = tsr_build_op(b, TSR_OP_STABLEHLO_DYNAMIC_UPDATE_SLICE, in.data, in.n, v->type);
    tsr_vec_free(&in);
    return out;
}

bool vjp_dynamic_slice(tsr_grad *g, tsr_op *op, tsr_value *const *ct)
{
    tsr_value *x = tsr_grad_in(op, 0), *sum = tsr_grad_of(g, x);
    if (!tsr_grad_varied(g, x))
        return true;
    /* An existing cotangent is updated in one place, which for a loop over slices costs less than adding zeros. */
    tsr_value *part = sum ? f_add(&g->b, slice_at(&g->b, sum, op, 1, ct[0]->type), ct[0]) : ct[0];
    tsr_value *whole = sum ? sum : tsr_grad_zero(g, x);
    tsr_grad_set(g, x, update_at(&g->b, whole, part, op, 1));
    return true;
}

bool vjp_dynamic_update_slice(tsr_grad *g, tsr_op *op, tsr_value *const *ct)
{
    tsr_value *x = tsr_grad_in(op, 0), *update = tsr_grad_in(op, 1);
    if (tsr_grad_varied(g, x))
        tsr_grad_add(g, x, update_at(&g->b, ct[0], tsr_grad_zero(g, update), op, 2));
    if (tsr_grad_varied(g, update))
        tsr_grad_add(g, update, slice_at(&g->b, ct[0], op, 2, update->type));
    return true;
}

/* ---- Barriers and tuples ---- */

bool vjp_barrier(tsr_grad *g, tsr_op *op, tsr_value *const *ct)
{
    tsr_value_vec in = {0};
    tsr_type_vec types = {0};
    for (uint32_t i = 0; i < op->nout; i++)
        if (ct[i]) {
            tsr_vec_push(&in, ct[i]);
            tsr_vec_push(&types, ct[i]->type);
        }
    tsr_op *again =
        tsr_build_open(&g->b, TSR_OP_STABLEHLO_OPTIMIZATION_BARRIER, in.data, in.n, in.n, 0);
    tsr_build_close_as(&g->b, again, types.data);
    for (uint32_t i = 0, k = 0; i < op->nout; i++)
        if (ct[i])
            tsr_grad_add(g, tsr_grad_in(op, i), &again->out[k++]);
    tsr_vec_free(&in);
    tsr_vec_free(&types);
    return true;
}

tsr_unfolded unfold_get_tuple_element(tsr_grad *g, tsr_op *op, tsr_build *b, tsr_value **out)
{
    (void)g, (void)b;
    tsr_value *tuple = tsr_grad_in(op, 0);
    int64_t i = tsr_attr_of(op, STABLEHLO_GET_TUPLE_ELEMENT_index)->i;
    if (tuple->is_arg || !tsr_op_is(tuple->op, TSR_OP_STABLEHLO_TUPLE) || i >= tuple->op->nin)
        return TSR_UNFOLD_KEEP;
    out[0] = tsr_grad_in(tuple->op, (uint32_t)i);
    return TSR_UNFOLD_DONE;
}
