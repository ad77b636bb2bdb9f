/* SPDX-License-Identifier: Apache-2.0 */
/* ttir_layers.c - how TTIR's ops work on parts, continued: windows, order, normalisation, attention, caches,
 * quantization, collectives. Mostly samples are independent, and all other dimensions are whole. */
#include "dialect/params.h"
#include "dialect/ttir/ttir.h"
#include "shard/rule/ttir.h"

/* ---- Tools ---- */

/* A factor of samples, and the tensors it is put on. */
typedef struct {
    tsr_rule_build *b;
    uint32_t factor;
    int64_t size;
} samples;

static samples samples_of(tsr_rule_build *b, uint32_t t, int64_t d)
{
    samples s = {b, 0, tsr_rule_size(b, t, d)};
    s.factor = tsr_rule_factor(b, s.size, TSR_FACTOR_PASS_THROUGH, false);
    return s;
}

/* Puts it on dimension d of tensor t, unless the tensor has one element for all samples there. */
static void put(const samples *s, uint32_t t, int64_t d)
{
    if (d >= 0 && d < (int64_t)tsr_build_rank(s->b, t) && tsr_rule_size(s->b, t, d) == s->size)
        tsr_rule_put(s->b, s->factor, t, d);
}

/* Marks all dimensions without a factor as whole. */
static void rest_whole(tsr_rule_build *b)
{
    for (uint32_t t = 0; t < b->ntensor; t++)
        for (uint32_t d = 0; d < tsr_build_rank(b, t); d++)
            if (!b->count || !b->count[b->dims[t] + d])
                tsr_ttir_whole(b, t, d);
}

/* The tensor number of the only operand of a group; -1: none. */
static int64_t operand(const tsr_rule_build *b, size_t group)
{
    uint32_t start, n;
    return tsr_op_operand_group(b->op, group, &start, &n) && n == 1 ? (int64_t)start : -1;
}

static void put_operand(const samples *s, size_t group, int64_t d)
{
    int64_t t = operand(s->b, group);
    if (t >= 0)
        put(s, (uint32_t)t, d);
}

/* ---- Windows ---- */

/* Images stored one after the other in a dimension: a factor for the samples, and one for the contents of each. */
static bool flattened(tsr_rule_build *b, int64_t n)
{
    enum { ROWS = 2 };
    uint32_t f = tsr_rule_factor(b, n, TSR_FACTOR_PASS_THROUGH, false);
    for (uint32_t t = 0; t < b->ntensor; t++) {
        if (t > 0 && t < b->op->nin)
            continue; /* weights */
        int64_t rows = tsr_rule_size(b, t, ROWS);
        if (n <= 0 || rows % n != 0)
            return false;
        tsr_rule_put(b, f, t, ROWS);
        if (rows / n > 1)
            tsr_rule_put(b, tsr_rule_factor(b, rows / n, TSR_FACTOR_NEED_REPLICATION, false), t,
                         ROWS);
    }
    rest_whole(b);
    return true;
}

bool shard_ttir_window(tsr_rule_build *b)
{
    tsr_conv c;
    tsr_flat flat = tsr_flat_of(b->op);
    if (flat.given)
        return flattened(b, flat.batch);
    int64_t d = tsr_conv_of(b->op, &c) ? c.in_batch : 0;
    samples s = samples_of(b, 0, d);
    for (uint32_t t = 0; t < b->ntensor; t++)
        if (t == 0 || t >= b->op->nin)
            tsr_rule_put(b, s.factor, t, d);
    rest_whole(b);
    return true;
}

/* ---- Order and sums along a dimension ---- */

static bool along(tsr_rule_build *b, tsr_str name, int64_t otherwise)
{
    int slot = tsr_opdef_slot(b->op->def, name);
    return tsr_ttir_all_but(b, tsr_ttir_dim(b, 0, tsr_ttir_slot(b, slot, otherwise)));
}

bool shard_ttir_along(tsr_rule_build *b)
{
    return along(b, TSR_STR("dim"), -1);
}

bool shard_ttir_softmax(tsr_rule_build *b)
{
    return along(b, TSR_STR("dimension"), -1);
}

/* ---- Normalisation ---- */

/* The last dimensions belong together; a tensor with fewer dimensions is the same for all others. */
static bool normalized(tsr_rule_build *b, int64_t last)
{
    uint32_t out = tsr_build_result(b, 0);
    int64_t rank = tsr_build_rank(b, 0);
    for (int64_t d = 0; d < rank - last; d++) {
        samples s = samples_of(b, 0, d);
        for (uint32_t t = 0; t <= out; t++)
            if (tsr_build_rank(b, t) == rank)
                put(&s, t, d);
    }
    rest_whole(b);
    return true;
}

bool shard_ttir_layer_norm(tsr_rule_build *b)
{
    int slot = tsr_opdef_slot(b->op->def, TSR_STR("normalized_shape"));
    return normalized(b, slot >= 0 ? tsr_attr_count(tsr_attr_of(b->op, slot)) : 1);
}

bool shard_ttir_first(tsr_rule_build *b)
{
    samples s = samples_of(b, 0, 0);
    tsr_rule_put(b, s.factor, 0, 0);
    for (uint32_t i = 0; i < b->op->nout; i++)
        put(&s, tsr_build_result(b, i), 0);
    rest_whole(b);
    return true;
}

/* Statistics are given: all dimensions but the channels' are elementwise. */
bool shard_ttir_batch_norm_inference(tsr_rule_build *b)
{
    int64_t channels = tsr_ttir_slot(b, TTIR_BATCH_NORM_INFERENCE_dimension, 1);
    uint32_t out = tsr_build_result(b, 0);
    for (int64_t d = 0; d < tsr_build_rank(b, 0); d++) {
        samples s = samples_of(b, 0, d);
        put(&s, 0, d);
        for (uint32_t t = 1; d == channels && t < out; t++)
            put(&s, t, 0);
        put(&s, out, d);
    }
    return true;
}

/* Statistics are over all samples: only channels are independent. */
bool shard_ttir_batch_norm_training(tsr_rule_build *b)
{
    int64_t channels = tsr_ttir_slot(b, TTIR_BATCH_NORM_TRAINING_dimension, 1);
    samples s = samples_of(b, 0, channels);
    for (uint32_t t = 0; t < b->ntensor; t++)
        put(&s, t, t == 0 || t == tsr_build_result(b, 0) ? channels : 0);
    rest_whole(b);
    return true;
}

bool shard_ttir_adamw(tsr_rule_build *b)
{
    return !tsr_ttir_slot(b, TTIR_ADAMW_stochastic_rounding, 0) && tsr_ttir_all_but(b, TSR_NO_DIM);
}

/* ---- Attention ---- */

/* Samples are the first dimension everywhere; a mask may have one for all. */
bool shard_ttir_attention(tsr_rule_build *b)
{
    enum { Q, K, V, MASK };
    samples s = samples_of(b, Q, 0);
    for (uint32_t t = Q; t <= V; t++)
        put(&s, t, 0);
    put_operand(&s, MASK, 0);
    for (uint32_t i = 0; i < b->op->nout; i++)
        put(&s, tsr_build_result(b, i), 0);
    rest_whole(b);
    return tsr_build_rank(b, Q) == 4 && tsr_rule_size(b, K, 0) == s.size;
}

/* Queries and results have samples as the second dimension. */
bool shard_ttir_attention_decode(tsr_rule_build *b)
{
    enum { Q, K, V, MASK, POSITION };
    samples s = samples_of(b, Q, 1);
    put(&s, Q, 1);
    put(&s, K, 0);
    put(&s, V, 0);
    put_operand(&s, MASK, 0);
    put_operand(&s, POSITION, 0);
    put(&s, tsr_build_result(b, 0), 1);
    rest_whole(b);
    return true;
}

bool shard_ttir_attention_backward(tsr_rule_build *b)
{
    enum { MASK = 6 };
    samples s = samples_of(b, 0, 0);
    for (uint32_t t = 0; t < b->ntensor; t++) {
        if (t != MASK || t >= b->op->nin) {
            if (tsr_build_rank(b, t) != 4 || tsr_rule_size(b, t, 0) != s.size)
                return false;
            put(&s, t, 0);
        }
    }
    rest_whole(b);
    return true;
}

bool shard_ttir_heads(tsr_rule_build *b)
{
    samples s = samples_of(b, 0, 0);
    for (uint32_t t = 0; t < b->ntensor; t++) {
        if (tsr_rule_size(b, t, 0) != s.size)
            return false;
        put(&s, t, 0);
    }
    rest_whole(b);
    return true;
}

/* ---- Caches ---- */

/* Cache (samples, heads, rows, columns), input (1, heads, samples, columns). */
bool shard_ttir_update_cache(tsr_rule_build *b)
{
    enum { CACHE, INPUT, INDEX };
    samples s = samples_of(b, CACHE, 0);
    if (tsr_build_rank(b, CACHE) != 4 || tsr_build_rank(b, INPUT) != 4)
        return false;
    if (tsr_ttir_slot(b, TTIR_UPDATE_CACHE_batch_offset, 0) == 0 &&
        tsr_rule_size(b, INPUT, 2) == s.size && tsr_rule_size(b, INDEX, 0) == 1) {
        put(&s, CACHE, 0);
        put(&s, INPUT, 2);
    }
    rest_whole(b);
    return true;
}

/* All samples at once; a fill of one sample needs its index among all. */
bool shard_ttir_fill_cache(tsr_rule_build *b)
{
    enum { CACHE, INPUT };
    samples s = samples_of(b, CACHE, 0);
    if (tsr_ttir_slot(b, TTIR_FILL_CACHE_batch_offset, 0) == 0 &&
        tsr_rule_size(b, INPUT, 0) == s.size) {
        put(&s, CACHE, 0);
        put(&s, INPUT, 0);
    }
    rest_whole(b);
    return true;
}

/* ---- Quantization ---- */

/* Scales and zero points are scalars, or vectors along an axis. */
bool shard_ttir_quantize_unrolled(tsr_rule_build *b)
{
    int slot = tsr_opdef_slot(b->op->def, TSR_STR("axis"));
    bool has_axis = tsr_attr_of(b->op, slot) != NULL;
    int64_t axis = tsr_ttir_dim(b, 0, tsr_ttir_slot(b, slot, -1));
    uint32_t out = tsr_build_result(b, 0);
    for (int64_t d = 0; d < tsr_build_rank(b, 0); d++) {
        samples s = samples_of(b, 0, d);
        put(&s, 0, d);
        for (uint32_t t = 1; has_axis && d == axis && t < out; t++)
            put(&s, t, 0);
        put(&s, out, d);
    }
    return true;
}

/* ---- Between devices ---- */

/* Collectives along other axes of the mesh: dimensions that keep their size pass through. */
bool shard_ttir_collective(tsr_rule_build *b)
{
    return tsr_ttir_all_but(b, TSR_NO_DIM);
}
