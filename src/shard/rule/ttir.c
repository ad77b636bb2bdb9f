/* SPDX-License-Identifier: Apache-2.0 */
/* ttir.c - how ops of TTIR work on parts, for the column SPLIT: elementwise ops, reductions, products, ops that move
 * elements. rule/ttir_layers.c has convolutions, normalisation, attention and the rest.
 *
 * A dimension that no hook places gets its own factor without meaning: an operand divided along such a dimension is
 * gathered first. So a hook may leave out dimensions it does not know, but never a dimension of a result that depends
 * on a whole one; those it must mark. */
#include "dialect/params.h"
#include "dialect/ttir/ttir.h"
#include "shard/rule/ttir.h"

/* ---- Tools ---- */

int64_t tsr_ttir_slot(const tsr_rule_build *b, int slot, int64_t otherwise)
{
    const tsr_attr *a = tsr_attr_of(b->op, slot);
    return tsr_attr_is(a, TSR_ATTR_INT) ? a->i : otherwise;
}

int64_t tsr_ttir_dim(const tsr_rule_build *b, uint32_t t, int64_t d)
{
    return d < 0 ? d + tsr_build_rank(b, t) : d;
}

void tsr_ttir_through(tsr_rule_build *b, int64_t in, int64_t out)
{
    uint32_t f = tsr_rule_factor(b, tsr_rule_size(b, 0, in), TSR_FACTOR_PASS_THROUGH, false);
    tsr_rule_put(b, f, 0, in);
    tsr_rule_put(b, f, tsr_build_result(b, 0), out);
}

void tsr_ttir_whole(tsr_rule_build *b, uint32_t t, int64_t d)
{
    tsr_rule_put(b, tsr_rule_factor(b, tsr_rule_size(b, t, d), TSR_FACTOR_NEED_REPLICATION, false),
                 t, d);
}

bool tsr_ttir_all_but(tsr_rule_build *b, int64_t dim)
{
    int64_t rank = tsr_build_rank(b, 0);
    for (uint32_t t = 1; t < b->ntensor; t++)
        if (tsr_build_rank(b, t) != rank)
            return false;
    for (int64_t d = 0; d < rank; d++) {
        int64_t size = tsr_rule_size(b, 0, d);
        bool same = d != dim;
        for (uint32_t t = 1; t < b->ntensor; t++)
            same &= tsr_rule_size(b, t, d) == size;
        if (same)
            tsr_rule_add_all(b, d, size, TSR_FACTOR_PASS_THROUGH, false);
        else
            for (uint32_t t = 0; t < b->ntensor; t++)
                tsr_ttir_whole(b, t, d);
    }
    return true;
}

/* ---- Reductions ---- */

static bool reduced(const tsr_rule_build *b, tsr_ints dims, int64_t d)
{
    for (size_t i = 0; i < dims.n; i++)
        if (tsr_ttir_dim(b, 0, tsr_ints_at(dims, i)) == d)
            return true;
    return dims.n == 0; /* all of them */
}

static bool reduction(tsr_rule_build *b, tsr_factor_kind kind)
{
    tsr_reduce_dims r;
    int64_t out = 0;
    tsr_reduce_dims_of(b->op, &r);
    for (int64_t d = 0; d < tsr_build_rank(b, 0); d++) {
        if (!reduced(b, r.dims, d)) {
            tsr_ttir_through(b, d, out++);
            continue;
        }
        tsr_rule_put(b, tsr_rule_factor(b, tsr_rule_size(b, 0, d), kind, false), 0, d);
        out += r.keep;
    }
    return true;
}

bool shard_ttir_reduction(tsr_rule_build *b)
{
    return reduction(b, TSR_FACTOR_REDUCTION);
}

bool shard_ttir_argmax(tsr_rule_build *b)
{
    return reduction(b, TSR_FACTOR_NEED_REPLICATION);
}

/* ---- Products ---- */

/* Puts a factor on dimension d of tensor t, which may broadcast to the factor: only if the sizes are equal. */
static void put_if(tsr_rule_build *b, uint32_t f, int64_t size, uint32_t t, int64_t d)
{
    if (d >= 0 && d < (int64_t)tsr_build_rank(b, t) && tsr_rule_size(b, t, d) == size)
        tsr_rule_put(b, f, t, d);
}

/* a, b, perhaps a bias that broadcasts to the product. A vector is a row on the left, a column on the right. */
bool shard_ttir_matmul(tsr_rule_build *b)
{
    tsr_matmul m;
    tsr_matmul_of(b->op, &m);
    bool transpose_a = m.transpose[0], transpose_b = m.transpose[1];
    uint32_t out = tsr_build_result(b, 0);
    int64_t ra = tsr_build_rank(b, 0), rb = tsr_build_rank(b, 1), ro = tsr_build_rank(b, out);
    bool rows = ra > 1, columns = rb > 1, bias = b->op->nin > 2;
    int64_t nbatch = ro - rows - columns;
    if (nbatch < 0 || (!rows && !columns))
        return false;
    int64_t row = transpose_a ? ra - 1 : ra - 2, inner_a = !rows || !transpose_a ? ra - 1 : ra - 2;
    int64_t column = transpose_b ? rb - 2 : rb - 1,
            inner_b = !columns ? 0 : (transpose_b ? rb - 1 : rb - 2);
    for (int64_t d = 0; d < ro; d++) {
        int64_t size = tsr_rule_size(b, out, d);
        uint32_t f = tsr_rule_factor(b, size, TSR_FACTOR_PASS_THROUGH, false);
        if (d < nbatch) { /* leading dimensions are aligned at the end */
            put_if(b, f, size, 0, d - nbatch + (ra - 2));
            put_if(b, f, size, 1, d - nbatch + (rb - 2));
        } else if (rows && d == nbatch) {
            put_if(b, f, size, 0, row);
        } else {
            put_if(b, f, size, 1, column);
        }
        if (bias)
            put_if(b, f, size, 2, d - ro + tsr_build_rank(b, 2));
        tsr_rule_put(b, f, out, d);
    }
    /* A bias would be added once for each part. */
    uint32_t f = tsr_rule_factor(b, tsr_rule_size(b, 0, inner_a),
                                 bias ? TSR_FACTOR_NEED_REPLICATION : TSR_FACTOR_REDUCTION, false);
    tsr_rule_put(b, f, 0, inner_a);
    tsr_rule_put(b, f, 1, inner_b);
    return true;
}

/* ---- Shapes ---- */

/* A factor that only one side has represents elements that move between dimensions. */
bool shard_ttir_reshape(tsr_rule_build *b)
{
    if (!tsr_rule_reshape(b, 0, 1))
        return false;
    uint8_t *sides = TSR_NEW_ARRAY(b->arena, uint8_t, b->nfactor + 1);
    for (uint32_t i = 0; i < b->nplace; i++)
        sides[b->places[i].factor] |= b->places[i].dim < b->dims[1] ? 1 : 2;
    for (uint32_t f = 0; f < b->nfactor; f++)
        if (b->sizes[f] > 1 && sides[f] != 3)
            b->kinds[f] = TSR_FACTOR_NEED_REPLICATION;
    return true;
}

bool shard_ttir_rearrange(tsr_rule_build *b)
{
    tsr_ttir_order order;
    uint32_t rank = tsr_build_rank(b, 0), factors[TSR_TTIR_ORDER_MAX];
    if (!tsr_ttir_rearrangement(tsr_attr_of(b->op, TTIR_REARRANGE_pattern)->s, rank, &order) ||
        order.nin != rank)
        return false;
    for (uint32_t d = 0; d < rank; d++) {
        factors[d] = tsr_rule_factor(b, tsr_rule_size(b, 0, d), TSR_FACTOR_PASS_THROUGH, false);
        tsr_rule_put(b, factors[d], 0, d);
    }
    size_t at = 0;
    for (size_t d = 0; d < order.nout; d++)
        for (size_t i = 0; i < order.sizes[d]; i++)
            tsr_rule_put(b, factors[order.dims[at++]], 1, (int64_t)d);
    return true;
}

bool shard_ttir_permute(tsr_rule_build *b)
{
    tsr_order order;
    tsr_order_of(b->op, &order);
    for (uint32_t d = 0; d < order.dims.n; d++)
        tsr_ttir_through(b, tsr_ints_at(order.dims, d), d);
    return true;
}

bool shard_ttir_transpose(tsr_rule_build *b)
{
    int64_t x = tsr_ttir_dim(b, 0, tsr_ttir_slot(b, TTIR_TRANSPOSE_dim0, 0));
    int64_t y = tsr_ttir_dim(b, 0, tsr_ttir_slot(b, TTIR_TRANSPOSE_dim1, 0));
    for (int64_t d = 0; d < tsr_build_rank(b, 0); d++)
        tsr_ttir_through(b, d, d == x ? y : d == y ? x : d);
    return true;
}

bool shard_ttir_squeeze(tsr_rule_build *b)
{
    int64_t gone = tsr_ttir_dim(b, 0, tsr_ttir_slot(b, TTIR_SQUEEZE_dim, 0)), out = 0;
    for (int64_t d = 0; d < tsr_build_rank(b, 0); d++)
        if (d != gone)
            tsr_ttir_through(b, d, out++);
    return true;
}

bool shard_ttir_unsqueeze(tsr_rule_build *b)
{
    int64_t fresh = tsr_ttir_dim(b, 1, tsr_ttir_slot(b, TTIR_UNSQUEEZE_dim, 0)), in = 0;
    for (int64_t d = 0; d < tsr_build_rank(b, 1); d++)
        if (d != fresh)
            tsr_ttir_through(b, in++, d);
    return true;
}

/* Dimensions with one element may be repeated in parts; longer ones are whole. */
bool shard_ttir_repeat(tsr_rule_build *b)
{
    if (tsr_build_rank(b, 0) != tsr_build_rank(b, 1))
        return false;
    for (int64_t d = 0; d < tsr_build_rank(b, 0); d++) {
        int64_t in = tsr_rule_size(b, 0, d), out = tsr_rule_size(b, 1, d);
        if (in == out) {
            tsr_ttir_through(b, d, d);
        } else if (in == 1) {
            tsr_rule_put(b, tsr_rule_factor(b, out, TSR_FACTOR_PASS_THROUGH, false), 1, d);
        } else {
            tsr_ttir_whole(b, 0, d);
            tsr_ttir_whole(b, 1, d);
        }
    }
    return true;
}

/* Each element is repeated in place, so all its copies are on one device. */
bool shard_ttir_repeat_interleave(tsr_rule_build *b)
{
    int64_t dim = tsr_ttir_dim(b, 0, tsr_ttir_slot(b, TTIR_REPEAT_INTERLEAVE_dim, 0));
    for (int64_t d = 0; d < tsr_build_rank(b, 0); d++) {
        tsr_ttir_through(b, d, d);
        int64_t times = tsr_ttir_slot(b, TTIR_REPEAT_INTERLEAVE_repeats, 1);
        if (d == dim && times > 1)
            tsr_rule_put(b, tsr_rule_factor(b, times, TSR_FACTOR_NEED_REPLICATION, false), 1, d);
    }
    return true;
}

bool shard_ttir_reverse(tsr_rule_build *b)
{
    const tsr_attr *dims = tsr_attr_of(b->op, TTIR_REVERSE_dimensions);
    for (int64_t d = 0; d < tsr_build_rank(b, 0); d++) {
        if (!tsr_ints_has(tsr_attr_ints(dims), d)) {
            tsr_ttir_through(b, d, d);
            continue;
        }
        tsr_ttir_whole(b, 0, d);
        tsr_ttir_whole(b, 1, d);
    }
    return true;
}

bool shard_ttir_concat(tsr_rule_build *b)
{
    return tsr_ttir_all_but(b, tsr_ttir_dim(b, 0, tsr_ttir_slot(b, TTIR_CONCAT_dim, 0)));
}

/* Dimensions that are taken whole by a slice, or not padded by a pad, pass through. */
bool shard_ttir_resized(tsr_rule_build *b)
{
    return tsr_ttir_all_but(b, TSR_NO_DIM);
}

/* The dimension that is cut is whole, even if nothing of it is left out. */
bool shard_ttir_index(tsr_rule_build *b)
{
    int slot = tsr_opdef_slot(b->op->def, TSR_STR("dim"));
    return tsr_ttir_all_but(b, tsr_ttir_dim(b, 0, tsr_ttir_slot(b, slot, 0)));
}

bool shard_ttir_pad(tsr_rule_build *b)
{
    tsr_pad by;
    tsr_pad_of(b->op, &by);
    for (uint32_t d = 0; d < tsr_build_rank(b, 0); d++) {
        if (tsr_ints_at(by.low, d) == 0 && tsr_ints_at(by.high, d) == 0) {
            tsr_ttir_through(b, d, d);
            continue;
        }
        tsr_ttir_whole(b, 0, d);
        tsr_ttir_whole(b, 1, d);
    }
    return true;
}

/* ---- Indices ---- */

/* Indices in the older form: each index vector selects one slice of the result. */
static bool numbered_gather(tsr_rule_build *b)
{
    tsr_gather g;
    int64_t out = 0;
    tsr_gather_of(b->op, &g);
    for (int64_t d = 0; d < tsr_build_rank(b, 0); d++)
        tsr_ttir_whole(b, 0, d);
    for (int64_t d = 0; d < tsr_build_rank(b, 1); d++) {
        if (d == g.vector) {
            tsr_ttir_whole(b, 1, d);
            continue;
        }
        while (tsr_ints_has(g.window, out))
            out++;
        uint32_t f = tsr_rule_factor(b, tsr_rule_size(b, 1, d), TSR_FACTOR_PASS_THROUGH, false);
        tsr_rule_put(b, f, 1, d);
        tsr_rule_put(b, f, 2, out++);
    }
    for (int64_t d = 0; d < tsr_build_rank(b, 2); d++)
        if (tsr_ints_has(g.window, d))
            tsr_ttir_whole(b, 2, d);
    return g.batch.n == 0;
}

bool shard_ttir_gather(tsr_rule_build *b)
{
    if (!tsr_attr_of(b->op, TTIR_GATHER_dim))
        return tsr_attr_of(b->op, TTIR_GATHER_operand_batching_dims) &&
               tsr_attr_of(b->op, TTIR_GATHER_offset_dims) && numbered_gather(b);
    int64_t dim = tsr_ttir_dim(b, 0, tsr_ttir_slot(b, TTIR_GATHER_dim, 0));
    for (int64_t d = 0; d < tsr_build_rank(b, 1); d++) {
        int64_t size = tsr_rule_size(b, 1, d);
        uint32_t f = tsr_rule_factor(b, size, TSR_FACTOR_PASS_THROUGH, false);
        if (d == dim)
            tsr_ttir_whole(b, 0, d); /* indices point anywhere */
        else if (tsr_rule_size(b, 0, d) == size)
            tsr_rule_put(b, f, 0, d);
        else
            return false; /* only the first ones */
        tsr_rule_put(b, f, 1, d);
        tsr_rule_put(b, f, 2, d);
    }
    return true;
}

bool shard_ttir_scatter(tsr_rule_build *b)
{
    return tsr_ttir_all_but(b, tsr_ttir_dim(b, 0, tsr_ttir_slot(b, TTIR_SCATTER_dim, 0)));
}

bool shard_ttir_embedding(tsr_rule_build *b)
{
    int64_t n = tsr_build_rank(b, 0), w = tsr_build_rank(b, 1);
    if (w < 2 || tsr_build_rank(b, 2) != n + 1)
        return false;
    for (int64_t d = 0; d < n; d++)
        tsr_ttir_through(b, d, d);
    tsr_ttir_whole(b, 1, w - 2);
    uint32_t f = tsr_rule_factor(b, tsr_rule_size(b, 1, w - 1), TSR_FACTOR_PASS_THROUGH, false);
    tsr_rule_put(b, f, 1, w - 1);
    tsr_rule_put(b, f, 2, n);
    return true;
}

/* Gradients of the rows that indices select: each index contributes a summand. */
bool shard_ttir_embedding_backward(tsr_rule_build *b)
{
    int64_t n = tsr_build_rank(b, 0), g = tsr_build_rank(b, 2);
    if (g != n + 1)
        return false;
    for (int64_t d = 0; d < n; d++) {
        int64_t size = tsr_rule_size(b, 0, d);
        if (tsr_rule_size(b, 2, d) != size)
            return false;
        uint32_t f = tsr_rule_factor(b, size, TSR_FACTOR_REDUCTION, false);
        tsr_rule_put(b, f, 0, d);
        tsr_rule_put(b, f, 2, d);
    }
    return true;
}

/* ---- Tensors without operands ---- */

static bool created(tsr_rule_build *b, int64_t whole)
{
    for (int64_t d = 0; d < tsr_build_rank(b, 0); d++)
        tsr_rule_put(b,
                     tsr_rule_factor(
                         b, tsr_rule_size(b, 0, d),
                         d == whole ? TSR_FACTOR_NEED_REPLICATION : TSR_FACTOR_PASS_THROUGH, false),
                     0, d);
    return true;
}

bool shard_ttir_filled(tsr_rule_build *b)
{
    return created(b, TSR_NO_DIM);
}

bool shard_ttir_constant(tsr_rule_build *b)
{
    const tsr_attr *v = tsr_attr_of(b->op, TTIR_CONSTANT_value);
    return tsr_attr_is(v, TSR_ATTR_DENSE) && v->sub && created(b, TSR_NO_DIM);
}

bool shard_ttir_arange(tsr_rule_build *b)
{
    return created(b, tsr_ttir_slot(b, TTIR_ARANGE_arange_dimension, 0));
}
