/* SPDX-License-Identifier: Apache-2.0 */
/* composites.c - ttir-decompose-composites: decomposes attention, norms, softmax and repeat into simple ops. */
#include <math.h>

#include "pass/ttir/tt.h"

/* A parameter with leading ones, to the rank of the input. */
static tsr_value *widen(tsr_rewriter *r, tsr_op *at, tsr_value *v, size_t rank)
{
    int64_t dims[TSR_TTIR_RANK];
    if (v->type->n >= rank)
        return v;
    size_t more = rank - v->type->n;
    for (size_t i = 0; i < rank; i++)
        dims[i] = i < more ? 1 : v->type->dims[i - more];
    return tsr_ttr_reshape(r, at, v, dims, rank);
}

static tsr_value *mean_last(tsr_rewriter *r, tsr_op *at, tsr_value *v, size_t last)
{
    int64_t dims[TSR_TTIR_RANK], shape[TSR_TTIR_RANK];
    size_t rank = v->type->n;
    memcpy(shape, v->type->dims, rank * sizeof *shape);
    for (size_t i = 0; i < last; i++) {
        dims[i] = (int64_t)(rank - last + i);
        shape[dims[i]] = 1;
    }
    return tsr_ttr_reduce(r, at, TSR_OP_TTIR_MEAN, v, dims, last, true,
                          tsr_ttir_shaped(v->type, shape, rank));
}

/* rms_norm, layer_norm -> means, products and a square root */
bool rule_tt_unfold_norm(tsr_rewriter *r, tsr_op *op)
{
    bool centre = tsr_op_is(op, TSR_OP_TTIR_LAYER_NORM);
    tsr_value *x = tsr_rw_in(op, 0);
    tsr_type *type = x->type;
    size_t last = tt_count(op->attrs[TTIR_RMS_NORM_normalized_shape]);
    uint32_t start, n;
    if (!tsr_ttr_tensor(x) || last == 0 || last > type->n || type->elem != op->out[0].type->elem)
        return false;
    if (centre)
        x = tsr_ttr_binary(r, op, TSR_OP_TTIR_SUBTRACT, x, mean_last(r, op, x, last), type);
    tsr_value *v = mean_last(r, op, tsr_ttr_binary(r, op, TSR_OP_TTIR_MULTIPLY, x, x, type), last);
    tsr_type *narrow = v->type;
    v = tsr_ttr_binary(r, op, TSR_OP_TTIR_ADD, v,
                       tsr_ttr_full_of(r, op, narrow, op->attrs[TTIR_RMS_NORM_epsilon]), narrow);
    v = tsr_ttr_unary(r, op, TSR_OP_TTIR_RSQRT, v, narrow);
    v = tsr_ttr_binary(r, op, TSR_OP_TTIR_MULTIPLY, x, v, type);
    for (size_t group = 1; group <= 2; group++)
        if (tsr_op_operand_group(op, group, &start, &n) && n == 1)
            v = tsr_ttr_binary(r, op, group == 1 ? TSR_OP_TTIR_MULTIPLY : TSR_OP_TTIR_ADD, v,
                               widen(r, op, tsr_rw_in(op, start), type->n), type);
    v->type = op->out[0].type;
    tsr_rw_replace_one(r, op, v);
    return true;
}

/* softmax -> exp(x) / sum(exp(x)); x - max(x) first if it must not overflow */
bool rule_tt_unfold_softmax(tsr_rewriter *r, tsr_op *op)
{
    tsr_value *x = tsr_rw_in(op, 0);
    tsr_type *type = x->type;
    int64_t shape[TSR_TTIR_RANK];
    size_t dim;
    if (!tsr_ttr_tensor(x) || !tt_dim(op->attrs[TTIR_SOFTMAX_dimension]->i, type->n, &dim) ||
        type != op->out[0].type)
        return false;
    memcpy(shape, type->dims, type->n * sizeof *shape);
    shape[dim] = 1;
    tsr_type *narrow = tsr_ttir_shaped(type, shape, type->n);
    int64_t d = (int64_t)dim;
    if (op->attrs[TTIR_SOFTMAX_numericStable]->i) {
        tsr_value *max = tsr_ttr_reduce(r, op, TSR_OP_TTIR_MAX, x, &d, 1, true, narrow);
        x = tsr_ttr_binary(r, op, TSR_OP_TTIR_SUBTRACT, x, max, type);
    }
    x = tsr_ttr_unary(r, op, TSR_OP_TTIR_EXP, x, type);
    tsr_value *sum = tsr_ttr_reduce(r, op, TSR_OP_TTIR_SUM, x, &d, 1, true, narrow);
    tsr_rw_replace_one(r, op, tsr_ttr_binary(r, op, TSR_OP_TTIR_DIV, x, sum, type));
    return true;
}

/* repeat -> concats, by doubling as far as possible */
bool rule_tt_unfold_repeat(tsr_rewriter *r, tsr_op *op)
{
    tsr_value *v = tsr_rw_in(op, 0), *parts[64];
    const tsr_attr *times = op->attrs[TTIR_REPEAT_repeat_dimensions];
    if (!tsr_ttr_tensor(v) || v->type->n != tt_count(times))
        return false;
    for (size_t i = 0; i < tt_count(times); i++)
        if (tt_int_at(times, i) < 1)
            return false;
    for (size_t i = 0; i < tt_count(times); i++) {
        int64_t left = tt_int_at(times, i);
        size_t n = 0;
        for (tsr_value *chunk = v;; left >>= 1) {
            if (left & 1)
                parts[n++] = chunk;
            if (left <= 1)
                break;
            chunk = tsr_ttr_concat(r, op, (tsr_value *[]){chunk, chunk}, 2, i);
        }
        v = n == 1 ? parts[0] : tsr_ttr_concat(r, op, parts, n, i);
    }
    tsr_rw_replace_one(r, op, v);
    return true;
}

/* 0 where row i may see column k, minus infinity where it may not: [1, 1, rows, columns]. */
static tsr_value *causal_mask(tsr_rewriter *r, tsr_op *op, const tsr_type *like, int64_t rows,
                              int64_t columns)
{
    int64_t dims[] = {1, 1, rows, columns};
    tsr_type *type = tsr_ttir_shaped(like, dims, 4),
             *index = tsr_hlo_with_element(type, tsr_type_integer(r->ctx, 32, TSR_SIGNED));
    tsr_type *i64 = tsr_type_integer(r->ctx, 64, TSR_SIGNED);
    tsr_value *at[2];
    for (int i = 0; i < 2; i++) {
        tsr_op *arange = tsr_ttr_op(r, op, TSR_OP_TTIR_ARANGE, NULL, 0, index);
        arange->attrs[TTIR_ARANGE_start] = tsr_attr_int(r->ctx, i64, 0);
        arange->attrs[TTIR_ARANGE_end] = tsr_attr_int(r->ctx, i64, dims[2 + i]);
        arange->attrs[TTIR_ARANGE_step] = tsr_attr_int(r->ctx, i64, 1);
        arange->attrs[TTIR_ARANGE_arange_dimension] = tsr_attr_i64(r->ctx, 2 + i);
        at[i] = &arange->out[0];
    }
    tsr_value *sees = tsr_ttr_binary(r, op, TSR_OP_TTIR_GE, at[0], at[1], index);
    tsr_value *zero = tsr_ttr_full_of(r, op, type, tsr_ttir_f32(r->ctx, 0)),
              *none = tsr_ttr_full_of(r, op, type, tsr_ttir_f32(r->ctx, -INFINITY));
    return &tsr_ttr_op(r, op, TSR_OP_TTIR_WHERE, (tsr_value *[]){sees, zero, none}, 3, type)
                ->out[0];
}

/* scaled_dot_product_attention -> two products of matrices with a softmax between them */
bool rule_tt_unfold_attention(tsr_rewriter *r, tsr_op *op)
{
    tsr_value *q = tsr_rw_in(op, 0), *k = tsr_rw_in(op, 1), *v = tsr_rw_in(op, 2);
    uint32_t start, mask_at = 0, masks = 0, sinks = 0;
    if (!tsr_op_operand_group(op, 3, &mask_at, &masks) ||
        !tsr_op_operand_group(op, 4, &start, &sinks) || sinks ||
        op->attrs[TTIR_SCALED_DOT_PRODUCT_ATTENTION_sliding_window_size] || !tsr_ttr_tensor(q) ||
        !tsr_ttr_tensor(k) || !tsr_ttr_tensor(v) || q->type->n != 4 || k->type->n != 4 ||
        v->type->n != 4)
        return false;
    const tsr_type *like = q->type;
    int64_t batch = like->dims[0], heads = like->dims[1], rows = like->dims[2],
            size = like->dims[3];
    int64_t few = k->type->dims[1], columns = k->type->dims[2], wide = v->type->dims[3];
    if (few <= 0 || heads % few || k->type->dims[0] != batch || v->type->dims[0] != batch)
        return false;
    int64_t merged = heads / few * rows;
    bool grouped = heads != few;
    tsr_type *all = tsr_ttir_shaped(like, (int64_t[]){batch, heads, rows, columns}, 4);
    if (grouped)
        q = tsr_ttr_reshape(r, op, q, (int64_t[]){batch, few, merged, size}, 4);
    k = tsr_ttr_permute(r, op, k, (int64_t[]){0, 1, 3, 2});
    tsr_value *s = tsr_ttr_matmul(
        r, op, q, k, false, false,
        grouped ? tsr_ttir_shaped(like, (int64_t[]){batch, few, merged, columns}, 4) : all);
    if (grouped)
        s = tsr_ttr_reshape(r, op, s, all->dims, 4);
    tsr_attr *scale = op->attrs[TTIR_SCALED_DOT_PRODUCT_ATTENTION_scale];
    if (!scale)
        scale = tsr_ttir_f32(r->ctx, (float)(1 / sqrt((double)size)));
    s = tsr_ttr_binary(r, op, TSR_OP_TTIR_MULTIPLY, s, tsr_ttr_full_of(r, op, all, scale), all);
    if (masks)
        s = tsr_ttr_binary(r, op, TSR_OP_TTIR_ADD, s, tsr_rw_in(op, mask_at), all);
    if (op->attrs[TTIR_SCALED_DOT_PRODUCT_ATTENTION_is_causal]->i)
        s = tsr_ttr_binary(r, op, TSR_OP_TTIR_ADD, s, causal_mask(r, op, like, rows, columns), all);
    tsr_op *softmax = tsr_ttr_op(r, op, TSR_OP_TTIR_SOFTMAX, &s, 1, all);
    softmax->attrs[TTIR_SOFTMAX_dimension] = tsr_ttir_si32(r->ctx, 3);
    softmax->attrs[TTIR_SOFTMAX_numericStable] = tsr_attr_bool(r->ctx, true);
    s = &softmax->out[0];
    if (grouped)
        s = tsr_ttr_reshape(r, op, s, (int64_t[]){batch, few, merged, columns}, 4);
    s = tsr_ttr_matmul(r, op, s, v, false, false,
                       grouped ? tsr_ttir_shaped(like, (int64_t[]){batch, few, merged, wide}, 4)
                               : op->out[0].type);
    if (grouped)
        s = tsr_ttr_reshape(r, op, s, op->out[0].type->dims, 4);
    tsr_rw_replace_one(r, op, s);
    return true;
}
