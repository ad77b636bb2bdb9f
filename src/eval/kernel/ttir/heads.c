/* SPDX-License-Identifier: Apache-2.0 */
/* heads.c - merging attention heads into one dimension, and splitting them. */
#include "eval/kernel/ttir/cache.h"
#include "eval/kernel/kernels.h"

/* [B, H, S, D] to [B, S, H * D] */
bool eval_ttir_concatenate_heads(tsr_call *c)
{
    const tsr_tensor *x = c->in[0];
    if (x->rank != 4)
        return tsr_fail(c, "takes heads of four dimensions");
    int64_t b = x->dims[0], h = x->dims[1], s = x->dims[2], d = x->dims[3], to[4], from[4];
    int64_t dims[3] = {b, s, h * d}, order[4] = {b, s, h, d};
    tsr_tensor *t = tsr_call_new(c, 0, dims, 3);
    if (!t)
        return false;
    size_t size = tsr_elem_size(x);
    tsr_byte_strides(order, 4, size, to);
    tsr_byte_strides(x->dims, 4, size, from);
    int64_t strides[4] = {from[0], from[2], from[1], from[3]};
    tsr_move_once(t->data, to, x->data, strides, order, 4, size);
    return true;
}

/* Result i: heads of d elements starting at column "first" of x, as [B, H, S, D], or [B, H, D, S]. */
static bool split(tsr_call *c, size_t i, const tsr_tensor *x, int64_t first, int64_t heads,
                  int64_t d, bool transpose)
{
    int64_t b = x->dims[0], s = x->dims[1], row = x->dims[2];
    int64_t dims[4] = {b, heads, transpose ? d : s, transpose ? s : d}, to[4];
    tsr_tensor *t = tsr_call_new(c, i, dims, 4);
    if (!t)
        return false;
    int64_t size = (int64_t)tsr_elem_size(x);
    tsr_byte_strides(dims, 4, (size_t)size, to);
    int64_t from[4] = {s * row * size, d * size, transpose ? size : row * size,
                       transpose ? row * size : size};
    tsr_move_once(t->data, to, (const char *)x->data + first * size, from, dims, 4, (size_t)size);
    return true;
}

/* Columns are all queries, then all keys, then all values; keys and values may be a separate operand. */
bool eval_ttir_split_heads(tsr_call *c)
{
    const tsr_tensor *x = c->in[0], *kv = tsr_tt_operand(c, 1);
    int64_t heads = tt_int(c->op, TTIR_SPLIT_QUERY_KEY_VALUE_AND_SPLIT_HEADS_num_heads, 1);
    int64_t kv_heads =
        tt_int(c->op, TTIR_SPLIT_QUERY_KEY_VALUE_AND_SPLIT_HEADS_num_kv_heads, heads);
    bool transpose =
        tt_int(c->op, TTIR_SPLIT_QUERY_KEY_VALUE_AND_SPLIT_HEADS_transpose_key, 0) != 0;
    if (x->rank != 3 || (kv && kv->rank != 3) || heads < 1 || kv_heads < 1)
        return tsr_fail(c, "takes tensors of three dimensions, and at least one head");
    int64_t d = x->dims[2] / (kv ? heads : heads + 2 * kv_heads),
            kd = kv ? kv->dims[2] / (2 * kv_heads) : d;
    if (d * (kv ? heads : heads + 2 * kv_heads) != x->dims[2] ||
        (kv && kd * 2 * kv_heads != kv->dims[2]))
        return tsr_fail(c, "cannot divide its columns into heads");
    int64_t first = kv ? 0 : heads * d;
    const tsr_tensor *from = kv ? kv : x;
    return split(c, 0, x, 0, heads, d, false) &&
           split(c, 1, from, first, kv_heads, kd, transpose) &&
           split(c, 2, from, first + kv_heads * kd, kv_heads, kd, false);
}
