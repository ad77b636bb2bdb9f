/* SPDX-License-Identifier: Apache-2.0 */
/* reduce.c - rules of ops that work along some dimensions: reductions, windows, sort, transforms, decompositions,
 * normalization, random bits. */
#include "dialect/stablehlo/cases.h"
#include "shard/rule/build.h"

/* ---- Reduce ---- */

bool shard_reduce(tsr_rule_build *b)
{
    const tsr_attr *reduced = tsr_attr_of(b->op, STABLEHLO_REDUCE_dimensions);
    uint32_t n = b->op->nin / 2; /* inputs; then as many initial values */
    int64_t out = 0;
    if (!n)
        return false;
    for (uint32_t d = 0; d < tsr_build_rank(b, 0); d++) {
        bool gone = tsr_ints_has(tsr_attr_ints(reduced), d);
        uint32_t f = tsr_rule_factor(b, tsr_rule_size(b, 0, d),
                                     gone ? TSR_FACTOR_REDUCTION : TSR_FACTOR_PASS_THROUGH, false);
        tsr_rule_put_range(b, f, 0, n, d);
        if (!gone)
            tsr_rule_put_range(b, f, b->op->nin, b->ntensor, out++);
    }
    return true;
}

/* ---- Windows ---- */

/* Whether windows along dim are single elements, side by side, without padding. */
static bool window_is_element(const tsr_window *w, uint32_t dim)
{
    return !tsr_window_low(w, dim) && !tsr_window_high(w, dim) && tsr_window_stride(w, dim) == 1 &&
           tsr_ints_or(w->sizes, dim, 1) == 1;
}

bool shard_reduce_window(tsr_rule_build *b)
{
    tsr_window w;
    uint32_t out = tsr_build_result(b, 0);
    tsr_window_of(b->op, &w);
    if (!b->op->nout)
        return false;
    for (uint32_t d = 0; d < tsr_build_rank(b, out); d++) {
        bool plain = window_is_element(&w, d);
        tsr_rule_add_all(b, d, tsr_rule_size(b, out, d),
                         plain ? TSR_FACTOR_PASS_THROUGH : TSR_FACTOR_PERMUTATION,
                         !plain && b->options.conservative);
    }
    return true;
}

bool shard_select_and_scatter(tsr_rule_build *b)
{
    tsr_window w;
    uint32_t out = tsr_build_result(b, 0);
    tsr_window_of(b->op, &w);
    bool blocked = b->options.conservative;
    for (uint32_t d = 0; d < tsr_build_rank(b, out); d++) {
        int64_t size = tsr_rule_size(b, out, d);
        if (window_is_element(&w, d)) {
            tsr_rule_add_all(b, d, size, TSR_FACTOR_PASS_THROUGH, false);
            continue;
        }
        uint32_t f =
            tsr_rule_factor(b, tsr_rule_size(b, 1, d), TSR_FACTOR_NEED_REPLICATION, blocked);
        tsr_rule_put(b, f, 1, d);
        f = tsr_rule_factor(b, size, TSR_FACTOR_PERMUTATION, blocked);
        tsr_rule_put(b, f, 0, d);
        tsr_rule_put(b, f, out, d);
    }
    return true;
}

/* ---- Sort and transforms ---- */

bool shard_sort(tsr_rule_build *b)
{
    const tsr_attr *a = tsr_attr_of(b->op, STABLEHLO_SORT_dimension);
    int64_t along = a ? a->i : -1;
    uint32_t rank = b->op->nin ? tsr_build_rank(b, 0) : 0;
    /* there is nothing else to shard: then the sorted dimension does not take part */
    bool alone = true;
    if (!b->op->nin)
        return false;
    if (along < 0 && b->options.extra)
        along += rank; /* in Shardy no dimension has this number, so none is sorted */
    for (uint32_t d = 0; d < rank; d++)
        alone &= d == along || tsr_rule_size(b, 0, d) == 1;
    for (uint32_t d = 0; d < rank; d++)
        tsr_rule_add_all(b, d, tsr_rule_size(b, 0, d),
                         d == along ? TSR_FACTOR_NEED_REPLICATION : TSR_FACTOR_PASS_THROUGH,
                         d == along && alone);
    return true;
}

bool shard_fft(tsr_rule_build *b)
{
    int64_t rank = tsr_build_rank(b, 0),
            n = tsr_attr_count(tsr_attr_of(b->op, STABLEHLO_FFT_fft_length));
    for (int64_t d = 0; d < rank; d++) {
        bool cut = d == rank - 1 &&
                   tsr_rule_size(b, 0, d) != tsr_rule_size(b, 1, d); /* halves of real spectra */
        bool batch = d < rank - n;
        tsr_rule_add_all(b, d, tsr_rule_size(b, 0, d),
                         batch ? TSR_FACTOR_PASS_THROUGH : TSR_FACTOR_NEED_REPLICATION,
                         !batch && cut);
    }
    return true;
}

/* ---- Decompositions ---- */

bool shard_cholesky(tsr_rule_build *b)
{
    uint32_t rank = tsr_build_rank(b, 0);
    for (uint32_t d = 0; d < rank; d++)
        tsr_rule_add_all(b, d, tsr_rule_size(b, 0, d),
                         d + 2 < rank ? TSR_FACTOR_PASS_THROUGH : TSR_FACTOR_NEED_REPLICATION,
                         false);
    return true;
}

/* a x = b or x a = b: rows and columns of the matrices stay whole. */
bool shard_triangular_solve(tsr_rule_build *b)
{
    const tsr_factor_kind whole = TSR_FACTOR_NEED_REPLICATION;
    int64_t rank = tsr_build_rank(b, 0), row = rank - 2, column = rank - 1;
    if (rank < 2 || tsr_build_rank(b, 1) != rank)
        return false;
    const tsr_attr *how = tsr_attr_of(b->op, STABLEHLO_TRIANGULAR_SOLVE_transpose_a);
    bool left = tsr_attr_of(b->op, STABLEHLO_TRIANGULAR_SOLVE_left_side)->i != 0;
    bool flip = how->i == TSR_SOLVE_TRANSPOSE || how->i == TSR_SOLVE_ADJOINT;
    /* The dimension of a that b also has, and the one that the result has. */
    int64_t with_b = flip == left ? column : row, with_x = flip == left ? row : column;
    int64_t solved = left ? row : column, other = left ? column : row;
    tsr_rule_add_batch(b, 0, (uint32_t)rank - 2);
    if (left) {
        tsr_rule_add3(b, with_b, solved, TSR_NO_DIM, tsr_rule_size(b, 0, with_b), whole, false);
        tsr_rule_add3(b, TSR_NO_DIM, other, other, tsr_rule_size(b, 1, other), whole, false);
    } else {
        tsr_rule_add3(b, TSR_NO_DIM, other, other, tsr_rule_size(b, 1, other), whole, false);
        tsr_rule_add3(b, with_b, solved, TSR_NO_DIM, tsr_rule_size(b, 0, with_b), whole, false);
    }
    tsr_rule_add3(b, with_x, TSR_NO_DIM, solved, tsr_rule_size(b, 0, with_x), whole, false);
    return true;
}

/* ---- Normalization ---- */

bool shard_batch_norm_inference(tsr_rule_build *b)
{
    int64_t feature = tsr_attr_of(b->op, STABLEHLO_BATCH_NORM_INFERENCE_feature_index)->i;
    for (uint32_t d = 0; d < tsr_build_rank(b, 0); d++) {
        uint32_t f = tsr_rule_factor(b, tsr_rule_size(b, 0, d), TSR_FACTOR_PASS_THROUGH, false);
        tsr_rule_put(b, f, 0, d);
        tsr_rule_put_range(b, f, 1, b->op->nin, d == feature ? 0 : TSR_NO_DIM);
        tsr_rule_put(b, f, tsr_build_result(b, 0), d);
    }
    return true;
}

/* ---- Random bits ---- */

/* Every device has the whole state; the bits may be cut. */
bool shard_rng_bit_generator(tsr_rule_build *b)
{
    for (uint32_t d = 0; d < tsr_build_rank(b, 0); d++) {
        uint32_t f = tsr_rule_factor(b, tsr_rule_size(b, 0, d), TSR_FACTOR_NEED_REPLICATION, true);
        tsr_rule_put_range(b, f, 0, 2, d);
    }
    for (uint32_t d = 0; d < tsr_build_rank(b, 2); d++)
        tsr_rule_put(b, tsr_rule_factor(b, tsr_rule_size(b, 2, d), TSR_FACTOR_PASS_THROUGH, false),
                     2, d);
    return true;
}
