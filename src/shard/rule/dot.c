/* SPDX-License-Identifier: Apache-2.0 */
/* dot.c - rules of products: dot_general, dot, convolution. Dimensions that are summed over are reduction factors. */
#include "shard/rule/build.h"

bool shard_dot_general(tsr_rule_build *b)
{
    tsr_dot d;
    int64_t out = 0;
    tsr_dot_of(b->op, &d);
    for (uint32_t i = 0; i < d.batch[0].n; i++) {
        int64_t lhs = tsr_ints_at(d.batch[0], i);
        tsr_rule_add3(b, lhs, tsr_ints_at(d.batch[1], i), out++, tsr_rule_size(b, 0, lhs),
                      TSR_FACTOR_PASS_THROUGH, false);
    }
    for (uint32_t t = 0; t < 2; t++)
        for (int64_t i = 0; i < tsr_build_rank(b, t); i++)
            if (tsr_dot_is_free(&d, (int)t, i))
                tsr_rule_add3(b, t ? TSR_NO_DIM : i, t ? i : TSR_NO_DIM, out++,
                              tsr_rule_size(b, t, i), TSR_FACTOR_PASS_THROUGH, false);
    for (uint32_t i = 0; i < d.contract[0].n; i++) {
        int64_t lhs = tsr_ints_at(d.contract[0], i);
        tsr_rule_add3(b, lhs, tsr_ints_at(d.contract[1], i), TSR_NO_DIM, tsr_rule_size(b, 0, lhs),
                      TSR_FACTOR_REDUCTION, false);
    }
    return true;
}

/* Vectors and matrices. */
bool shard_dot(tsr_rule_build *b)
{
    bool lhs = tsr_build_rank(b, 0) == 2, rhs = tsr_build_rank(b, 1) == 2;
    if (lhs)
        tsr_rule_add3(b, 0, TSR_NO_DIM, 0, tsr_rule_size(b, 0, 0), TSR_FACTOR_PASS_THROUGH, false);
    if (rhs)
        tsr_rule_add3(b, TSR_NO_DIM, 1, lhs, tsr_rule_size(b, 1, 1), TSR_FACTOR_PASS_THROUGH,
                      false);
    tsr_rule_add3(b, lhs, 0, TSR_NO_DIM, tsr_rule_size(b, 1, 0), TSR_FACTOR_REDUCTION, false);
    return true;
}

/* ---- Convolution ---- */

/* Input positions along one spatial dimension are composed of windows (one per position of the result) of some size
 * (the kernel's): a factor for each, the larger one first, since most shardings fit into it. */
static void add_spatial(tsr_rule_build *b, int64_t in, int64_t kernel, int64_t out)
{
    uint32_t result = tsr_build_result(b, 0);
    int64_t windows = tsr_rule_size(b, result, out), window = tsr_rule_size(b, 1, kernel);
    int64_t left = tsr_rule_size(b, 0, in);
    for (int i = 0; i < 2; i++) {
        bool summed = (windows >= window) == (i == 1);
        int64_t size = summed ? window : windows;
        size = size < left ? size : left;
        if (size <= 1)
            continue;
        tsr_rule_add3(b, in, summed ? kernel : TSR_NO_DIM, summed ? TSR_NO_DIM : out, size,
                      summed ? TSR_FACTOR_REDUCTION : TSR_FACTOR_PERMUTATION, false);
        left /= size;
    }
}

bool shard_convolution(tsr_rule_build *b)
{
    tsr_conv c;
    uint32_t result = tsr_build_result(b, 0);
    tsr_conv_of(b->op, &c);
    if (c.batch_groups > 1)
        tsr_rule_add3(b, c.in_batch, c.kernel_out, c.out_feature, c.batch_groups,
                      TSR_FACTOR_PASS_THROUGH, false);
    tsr_rule_add3(b, c.in_batch, TSR_NO_DIM, c.out_batch, tsr_rule_size(b, result, c.out_batch),
                  TSR_FACTOR_PASS_THROUGH, false);
    if (!b->options.conservative)
        for (uint32_t i = 0; i < c.in_spatial.n; i++)
            add_spatial(b, tsr_ints_at(c.in_spatial, i), tsr_ints_at(c.kernel_spatial, i),
                        tsr_ints_at(c.out_spatial, i));
    if (c.feature_groups > 1)
        tsr_rule_add3(b, c.in_feature, c.kernel_out, c.out_feature, c.feature_groups,
                      TSR_FACTOR_PASS_THROUGH, false);
    tsr_rule_add3(b, c.in_feature, c.kernel_in, TSR_NO_DIM, tsr_rule_size(b, 1, c.kernel_in),
                  TSR_FACTOR_REDUCTION, false);
    int64_t size = tsr_rule_size(b, result, c.out_feature) / c.batch_groups / c.feature_groups;
    if (size > 1)
        tsr_rule_add3(b, TSR_NO_DIM, c.kernel_out, c.out_feature, size, TSR_FACTOR_PASS_THROUGH,
                      false);
    return true;
}
