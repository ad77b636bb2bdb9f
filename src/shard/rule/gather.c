/* SPDX-License-Identifier: Apache-2.0 */
/* gather.c - rules of gather and scatter, two directions of one operation: slices of an input at positions that indices
 * give. */
#include "shard/rule/build.h"

/* Tensors of an op: inputs, which a scatter also has as results; indices; slices, which are a gather's result. */
typedef struct {
    tsr_rule_build *b;
    tsr_gather p;
    uint32_t inputs, indices, slices, n; /* first tensors, and how many inputs and slices */
    bool scatter;
} gather;

static void add(const gather *g, int64_t input, int64_t index, int64_t slice, int64_t size,
                tsr_factor_kind kind, bool blocked)
{
    uint32_t f = tsr_rule_factor(g->b, size, kind, blocked);
    tsr_rule_put_range(g->b, f, g->inputs, g->inputs + g->n, input);
    tsr_rule_put(g->b, f, g->indices, index);
    tsr_rule_put_range(g->b, f, g->slices, g->slices + g->n, slice);
    if (g->scatter)
        tsr_rule_put_range(g->b, f, tsr_build_result(g->b, 0), tsr_build_result(g->b, g->n), input);
}

/* A dimension of the slices that corresponds to one of the input. */
static void add_offset(const gather *g, int64_t input, int64_t slice)
{
    int64_t size = tsr_rule_size(g->b, g->inputs, input),
            part = tsr_rule_size(g->b, g->slices, slice);
    if (size == part) {
        add(g, input, TSR_NO_DIM, slice, size, TSR_FACTOR_PASS_THROUGH, false);
    } else if (g->scatter || part == 1) {
        /* A gather of one element finds it on one device, and zeros on the others. */
        add(g, input, TSR_NO_DIM, TSR_NO_DIM, size,
            g->scatter ? TSR_FACTOR_NEED_REPLICATION : TSR_FACTOR_REDUCTION, false);
        add(g, TSR_NO_DIM, TSR_NO_DIM, slice, part, TSR_FACTOR_NEED_REPLICATION, false);
    } else {
        add(g, input, TSR_NO_DIM, slice, size, TSR_FACTOR_NEED_REPLICATION, true);
    }
}

/* A dimension of the slices that corresponds to one of the indices, and to one of the input if it is a batch
 * dimension. */
static void add_batch(const gather *g, int64_t index, int64_t slice, bool reduces)
{
    int64_t at = tsr_ints_find(g->p.index_batch, index);
    int64_t input = at >= 0 ? tsr_ints_at(g->p.batch, (size_t)at) : TSR_NO_DIM;
    tsr_factor_kind kind = TSR_FACTOR_PASS_THROUGH;
    if (g->scatter && input == TSR_NO_DIM) /* updates of different devices may hit one element */
        kind = reduces ? TSR_FACTOR_REDUCTION : TSR_FACTOR_NEED_REPLICATION;
    add(g, input, index, slice, tsr_rule_size(g->b, g->slices, slice), kind, false);
}

static bool add_factors(const gather *g, bool reduces)
{
    int64_t input = 0, batch = 0, index_dim = g->p.vector, size;
    for (uint32_t d = 0; d < tsr_build_rank(g->b, g->slices); d++) {
        if (tsr_ints_has(g->p.window, d)) {
            while (!tsr_gather_keeps(&g->p, input))
                input++;
            add_offset(g, input++, d);
        } else {
            add_batch(g, batch < index_dim ? batch : batch + 1, d, reduces);
            batch++;
        }
    }
    for (uint32_t i = 0; i < g->p.dropped.n; i++) {
        int64_t dim = tsr_ints_at(g->p.dropped, i);
        size = tsr_rule_size(g->b, g->inputs, dim);
        add(g, dim, TSR_NO_DIM, TSR_NO_DIM, size,
            g->scatter  ? TSR_FACTOR_PASS_THROUGH
            : size == 1 ? TSR_FACTOR_NEED_REPLICATION
                        : TSR_FACTOR_REDUCTION,
            false);
    }
    if (index_dim < tsr_build_rank(g->b, g->indices))
        add(g, TSR_NO_DIM, index_dim, TSR_NO_DIM, tsr_rule_size(g->b, g->indices, index_dim),
            TSR_FACTOR_NEED_REPLICATION, false);
    return true;
}

bool shard_gather(tsr_rule_build *b)
{
    gather g = {.b = b, .indices = 1, .slices = tsr_build_result(b, 0), .n = 1};
    tsr_gather_of(b->op, &g.p);
    return add_factors(&g, false);
}

/* ---- Scatter ---- */

tsr_reduce_kind tsr_scatter_reduction(const tsr_op *scatter)
{
    uint32_t n = (scatter->nin - 1) / 2;
    tsr_reducer r = {0}, other;
    for (uint32_t i = 0; i < n; i++) {
        if (!tsr_reducer_of(&scatter->regions[0], n, i, i ? &other : &r) ||
            (i && other.kind != r.kind))
            return TSR_REDUCE_OTHER;
        const tsr_type *type = (i ? other.op : r.op)->out[0].type;
        bool bits = r.kind == TSR_REDUCE_AND || r.kind == TSR_REDUCE_OR;
        if (r.kind == TSR_REDUCE_XOR || !tsr_type_is(type, TSR_TYPE_TENSOR) ||
            (bits && !tsr_type_is_integer(type->elem, 1)))
            return TSR_REDUCE_OTHER;
    }
    return r.kind;
}

bool shard_scatter(tsr_rule_build *b)
{
    uint32_t n = (b->op->nin - 1) / 2;
    if (!n)
        return false;
    gather g = {.b = b, .indices = n, .slices = n + 1, .n = n, .scatter = true};
    tsr_gather_of(b->op, &g.p);
    return add_factors(&g, tsr_scatter_reduction(b->op) != TSR_REDUCE_OTHER);
}
