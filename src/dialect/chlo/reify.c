/* SPDX-License-Identifier: Apache-2.0 */
/* reify.c - result shapes of CHLO's broadcasting ops, computed by ops (REIFY). */
#include "dialect/hooks.h"
#include "dialect/stablehlo/reify.h"

/* The common shape of all operands, aligned at their last dimensions. */
static bool broadcast_shape(tsr_op *op, tsr_op *at, tsr_value_vec *out)
{
    tsr_shaper s = tsr_shaper_for(op, at);
    tsr_value_vec shapes = {0};
    int64_t rank = 0;
    for (uint32_t i = 0; i < op->nin; i++) {
        tsr_value *shape = tsr_shape_of(&s, op->in[i].value);
        int64_t n = shape->type->dims[0];
        tsr_vec_push(&shapes, shape);
        if (rank != TSR_DYNAMIC && (n == TSR_DYNAMIC || n > rank))
            rank = n;
    }
    tsr_type *type = tsr_type_tensor(s.ctx, &rank, 1, s.ctx->index, NULL);
    tsr_vec_push(out, tsr_shaper_op(&s, TSR_OP_SHAPE_BROADCAST, shapes.data, shapes.n, type));
    tsr_vec_free(&shapes);
    return true;
}

/* Whether broadcast_dimensions is the default: the smaller operand is aligned at the end of the larger one. */
static bool aligned_at_end(const tsr_type *a, const tsr_type *b, const tsr_attr *dims)
{
    if (!tsr_hlo_is_ranked(a) || !tsr_hlo_is_ranked(b))
        return false;
    if (a->n == b->n)
        return true;
    uint32_t small = a->n < b->n ? a->n : b->n, large = a->n < b->n ? b->n : a->n;
    if (tsr_hlo_len(dims) != small)
        return false;
    for (uint32_t i = 0; i < small; i++)
        if (tsr_hlo_at(dims, i) != large - small + i)
            return false;
    return true;
}

bool reify_chlo_broadcast(tsr_op *op, tsr_op *at, tsr_value_vec *out)
{
    tsr_ctx *ctx = op->module->ctx;
    tsr_attr *dims = tsr_attr_of(
        op, CHLO_BROADCAST_ADD_broadcast_dimensions); /* the first slot of all of them */
    if (!dims || aligned_at_end(tsr_hlo_in(op, 0), tsr_hlo_in(op, 1), dims))
        return broadcast_shape(op, at, out);
    tsr_buf text = {0};
    ctx->print_attr(ctx, &text, dims);
    tsr_emit(ctx, TSR_WARNING, op->loc,
             "unsupported non prefix-padded dynamic rank broadcast_dimensions = %.*s",
             (int)text.len, text.data);
    tsr_buf_free(&text);
    return false;
}

bool reify_chlo_broadcast_select(tsr_op *op, tsr_op *at, tsr_value_vec *out)
{
    return broadcast_shape(op, at, out);
}
