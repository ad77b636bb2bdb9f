/* SPDX-License-Identifier: Apache-2.0 */
/* reify.c - result shapes of StableHLO ops, computed by ops (REIFY). The op itself has been verified. */
#include "dialect/hooks.h"
#include "dialect/stablehlo/reify.h"

typedef tsr_value_vec dim_vec;

/* The collected dimensions as one tensor, for each of n results. */
static bool finish(const tsr_shaper *s, dim_vec *dims, tsr_type *elem, uint32_t n,
                   tsr_value_vec *out)
{
    tsr_value *shape = tsr_shape_from(s, dims->data, dims->n, elem);
    tsr_vec_free(dims);
    for (uint32_t i = 0; i < n; i++)
        tsr_vec_push(out, shape);
    return true;
}

/* ---- The shape of an operand ---- */

static bool like_operand(tsr_op *op, tsr_op *at, size_t i, tsr_value_vec *out)
{
    tsr_shaper s = tsr_shaper_for(op, at);
    tsr_vec_push(out, tsr_shape_of(&s, op->in[i].value));
    return true;
}

bool reify_hlo_operand0(tsr_op *op, tsr_op *at, tsr_value_vec *out)
{
    return like_operand(op, at, 0, out);
}

/* clamp and select: their first operand may be a scalar. */
bool reify_hlo_operand1(tsr_op *op, tsr_op *at, tsr_value_vec *out)
{
    return like_operand(op, at, 1, out);
}

bool reify_stablehlo_bitcast_convert(tsr_op *op, tsr_op *at, tsr_value_vec *out)
{
    return tsr_hlo_bits(tsr_hlo_in(op, 0)->elem) == tsr_hlo_bits(op->out[0].type->elem) &&
           like_operand(op, at, 0, out);
}

/* ---- The value of the last operand ---- */

bool reify_hlo_shape_operand(tsr_op *op, tsr_op *at, tsr_value_vec *out)
{
    tsr_shaper s = tsr_shaper_for(op, at);
    tsr_vec_push(out, tsr_shape_as_index(&s, op->in[op->nin - 1].value));
    return true;
}

/* ---- Dimension by dimension ---- */

static const tsr_ints none;

/* The dimensions of v that neither list names. */
static void push_rest(const tsr_shaper *s, dim_vec *dims, tsr_value *v, tsr_ints a, tsr_ints b)
{
    for (uint32_t i = 0; i < v->type->n; i++)
        if (!tsr_ints_has(a, i) && !tsr_ints_has(b, i))
            tsr_vec_push(dims, tsr_dim_of(s, v, i, s->ctx->index));
}

bool reify_stablehlo_reduce(tsr_op *op, tsr_op *at, tsr_value_vec *out)
{
    tsr_shaper s = tsr_shaper_for(op, at);
    dim_vec dims = {0};
    push_rest(&s, &dims, op->in[0].value,
              tsr_attr_ints(tsr_attr_of(op, STABLEHLO_REDUCE_dimensions)), none);
    return finish(&s, &dims, s.ctx->index, op->nout, out);
}

bool reify_stablehlo_broadcast(tsr_op *op, tsr_op *at, tsr_value_vec *out)
{
    tsr_shaper s = tsr_shaper_for(op, at);
    const tsr_attr *sizes = tsr_attr_of(op, STABLEHLO_BROADCAST_broadcast_sizes);
    dim_vec dims = {0};
    for (size_t i = 0; i < tsr_hlo_len(sizes); i++)
        tsr_vec_push(&dims, tsr_dim_const(&s, s.ctx->index, tsr_hlo_at(sizes, i)));
    push_rest(&s, &dims, op->in[0].value, none, none);
    return finish(&s, &dims, s.ctx->index, 1, out);
}

bool reify_stablehlo_transpose(tsr_op *op, tsr_op *at, tsr_value_vec *out)
{
    tsr_shaper s = tsr_shaper_for(op, at);
    const tsr_attr *perm = tsr_attr_of(op, STABLEHLO_TRANSPOSE_permutation);
    dim_vec dims = {0}, moved = {0};
    push_rest(&s, &dims, op->in[0].value, none, none);
    for (size_t i = 0; i < dims.n; i++)
        tsr_vec_push(&moved, dims.data[tsr_hlo_at(perm, i)]);
    tsr_vec_free(&dims);
    return finish(&s, &moved, s.ctx->index, 1, out);
}

bool reify_stablehlo_concatenate(tsr_op *op, tsr_op *at, tsr_value_vec *out)
{
    tsr_shaper s = tsr_shaper_for(op, at);
    int64_t dim = tsr_attr_of(op, STABLEHLO_CONCATENATE_dimension)->i;
    dim_vec dims = {0}, parts = {0};
    push_rest(&s, &dims, op->in[0].value, none, none);
    for (uint32_t i = 1; i < op->nin; i++)
        tsr_vec_push(&parts, tsr_dim_of(&s, op->in[i].value, dim, s.ctx->index));
    for (size_t i = 0; i < parts.n; i++)
        dims.data[dim] = tsr_dim_add(&s, dims.data[dim], parts.data[i]);
    tsr_vec_free(&parts);
    return finish(&s, &dims, s.ctx->index, 1, out);
}

bool reify_stablehlo_dot_general(tsr_op *op, tsr_op *at, tsr_value_vec *out)
{
    tsr_shaper s = tsr_shaper_for(op, at);
    tsr_dot d;
    dim_vec dims = {0};
    tsr_dot_of(op, &d);
    for (uint32_t i = 0; i < d.batch[0].n; i++)
        tsr_vec_push(&dims,
                     tsr_dim_of(&s, op->in[0].value, tsr_ints_at(d.batch[0], i), s.ctx->index));
    for (int side = 0; side < 2; side++)
        push_rest(&s, &dims, op->in[side].value, d.batch[side], d.contract[side]);
    return finish(&s, &dims, s.ctx->index, 1, out);
}

/* Offset dimensions of the result come from the slice, the others from the indices, without the index vector. */
static bool gather_shape(tsr_op *op, const tsr_shaper *s, const tsr_gather *g, dim_vec *slice,
                         tsr_value_vec *out)
{
    tsr_value *indices = op->in[1].value;
    int64_t batch = 0, from = 0;
    dim_vec dims = {0};
    for (uint32_t i = 0; i < op->out[0].type->n; i++) {
        if (tsr_ints_has(g->window, i)) {
            while (!tsr_gather_keeps(g, from))
                from++;
            tsr_vec_push(&dims, slice->data[from++]);
        } else {
            tsr_vec_push(&dims,
                         tsr_dim_of(s, indices, batch + (batch >= g->vector), s->ctx->index));
            batch++;
        }
    }
    tsr_vec_free(slice);
    return finish(s, &dims, s->ctx->index, 1, out);
}

bool reify_stablehlo_gather(tsr_op *op, tsr_op *at, tsr_value_vec *out)
{
    tsr_shaper s = tsr_shaper_for(op, at);
    tsr_gather g;
    dim_vec slice = {0};
    tsr_gather_of(op, &g);
    for (uint32_t i = 0; i < g.sizes.n; i++)
        tsr_vec_push(&slice, tsr_dim_const(&s, s.ctx->index, tsr_ints_at(g.sizes, i)));
    return gather_shape(op, &s, &g, &slice, out);
}

bool reify_stablehlo_dynamic_gather(tsr_op *op, tsr_op *at, tsr_value_vec *out)
{
    tsr_shaper s = tsr_shaper_for(op, at);
    tsr_gather g;
    tsr_value *sizes = op->in[2].value;
    dim_vec slice = {0};
    tsr_gather_of(op, &g);
    for (int64_t i = 0; i < sizes->type->dims[0]; i++)
        tsr_vec_push(&slice, tsr_dim_at(&s, sizes, i, s.ctx->index));
    return gather_shape(op, &s, &g, &slice, out);
}

/* dim + low + high + (dim - 1) * interior, if there are elements. */
bool reify_stablehlo_pad(tsr_op *op, tsr_op *at, tsr_value_vec *out)
{
    tsr_shaper s = tsr_shaper_for(op, at);
    tsr_pad p;
    tsr_pad_of(op, &p);
    dim_vec dims = {0};
    for (uint32_t i = 0; i < tsr_hlo_in(op, 0)->n; i++) {
        tsr_value *dim = tsr_dim_of(&s, op->in[0].value, i, s.ctx->index);
        uint64_t edge = (uint64_t)tsr_ints_at(p.low, i) + (uint64_t)tsr_ints_at(p.high, i);
        if (tsr_ints_at(p.interior, i) > 0) {
            tsr_value *gap = tsr_dim_const(&s, s.ctx->index, tsr_ints_at(p.interior, i));
            dim = tsr_dim_add(&s, dim, tsr_dim_mul(&s, tsr_dim_gaps(&s, dim), gap));
        }
        tsr_vec_push(&dims, tsr_dim_add(&s, dim, tsr_dim_const(&s, s.ctx->index, (int64_t)edge)));
    }
    return finish(&s, &dims, s.ctx->index, 1, out);
}

bool reify_stablehlo_dynamic_pad(tsr_op *op, tsr_op *at, tsr_value_vec *out)
{
    tsr_shaper s = tsr_shaper_for(op, at);
    tsr_type *elem = tsr_hlo_in(op, 2)->elem;
    dim_vec dims = {0};
    for (uint32_t i = 0; i < tsr_hlo_in(op, 0)->n; i++) {
        tsr_value *dim = tsr_dim_of(&s, op->in[0].value, i, elem);
        tsr_value *low = tsr_dim_at(&s, op->in[2].value, i, elem);
        tsr_value *high = tsr_dim_at(&s, op->in[3].value, i, elem);
        tsr_value *interior = tsr_dim_at(&s, op->in[4].value, i, elem);
        tsr_value *inside = tsr_dim_add(&s, tsr_dim_mul(&s, interior, tsr_dim_gaps(&s, dim)), dim);
        tsr_vec_push(&dims, tsr_dim_add(&s, tsr_dim_add(&s, inside, low), high));
    }
    return finish(&s, &dims, elem, 1, out);
}

/* (limit - start) / stride, rounded up. */
bool reify_stablehlo_real_dynamic_slice(tsr_op *op, tsr_op *at, tsr_value_vec *out)
{
    tsr_shaper s = tsr_shaper_for(op, at);
    tsr_type *elem = tsr_hlo_in(op, 1)->elem;
    tsr_value *one = tsr_dim_const(&s, elem, 1);
    dim_vec dims = {0};
    for (uint32_t i = 0; i < tsr_hlo_in(op, 0)->n; i++) {
        tsr_value *start = tsr_dim_at(&s, op->in[1].value, i, elem);
        tsr_value *limit = tsr_dim_at(&s, op->in[2].value, i, elem);
        tsr_value *stride = tsr_dim_at(&s, op->in[3].value, i, elem);
        tsr_value *length = tsr_dim_add(&s, stride, tsr_dim_sub(&s, limit, start));
        tsr_vec_push(&dims, tsr_dim_div(&s, tsr_dim_sub(&s, length, one), stride));
    }
    return finish(&s, &dims, elem, 1, out);
}
