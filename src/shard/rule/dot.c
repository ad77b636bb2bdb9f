/* dot.c - rules of products: dot_general, dot, convolution. What is summed up is a reduction. */
#include "shard/rule/build.h"

/* Parameters of #stablehlo.dot. */
enum { LHS_BATCH, RHS_BATCH, LHS_CONTRACT, RHS_CONTRACT };
/* Parameters of #stablehlo.conv. */
enum {
    IN_BATCH,
    IN_FEATURE,
    IN_SPATIAL,
    K_IN,
    K_OUT,
    K_SPATIAL,
    OUT_BATCH,
    OUT_FEATURE,
    OUT_SPATIAL
};

static uint32_t length(const tsr_attr *ints)
{
    int64_t n = ints ? tsr_attr_count(ints) : 0;
    return n > 0 ? (uint32_t)n : 0;
}

/* Dimensions of an operand that are neither batch nor contracted, in order, from result dimension out on. */
static int64_t add_free(tsr_rule_build *b, uint32_t t, const tsr_attr *batch,
                        const tsr_attr *contract, int64_t out)
{
    for (int64_t d = 0; d < tsr_build_rank(b, t); d++)
        if (!tsr_ints_have(contract, d) && !tsr_ints_have(batch, d))
            tsr_rule_add3(b, t ? TSR_NO_DIM : d, t ? d : TSR_NO_DIM, out++, tsr_build_size(b, t, d),
                          TSR_FACTOR_PASS_THROUGH, false);
    return out;
}

bool shard_dot_general(tsr_rule_build *b)
{
    tsr_attr *const *p = tsr_attr_of(b->op, STABLEHLO_DOT_GENERAL_dot_dimension_numbers)->attrs;
    int64_t out = 0;
    for (uint32_t i = 0; i < length(p[LHS_BATCH]); i++) {
        int64_t lhs = tsr_attr_int_at(p[LHS_BATCH], i);
        tsr_rule_add3(b, lhs, tsr_attr_int_at(p[RHS_BATCH], i), out++, tsr_build_size(b, 0, lhs),
                      TSR_FACTOR_PASS_THROUGH, false);
    }
    out = add_free(b, 0, p[LHS_BATCH], p[LHS_CONTRACT], out);
    add_free(b, 1, p[RHS_BATCH], p[RHS_CONTRACT], out);
    for (uint32_t i = 0; i < length(p[LHS_CONTRACT]); i++) {
        int64_t lhs = tsr_attr_int_at(p[LHS_CONTRACT], i);
        tsr_rule_add3(b, lhs, tsr_attr_int_at(p[RHS_CONTRACT], i), TSR_NO_DIM,
                      tsr_build_size(b, 0, lhs), TSR_FACTOR_REDUCTION, false);
    }
    return true;
}

/* Vectors and matrices. */
bool shard_dot(tsr_rule_build *b)
{
    bool lhs = tsr_build_rank(b, 0) == 2, rhs = tsr_build_rank(b, 1) == 2;
    if (lhs)
        tsr_rule_add3(b, 0, TSR_NO_DIM, 0, tsr_build_size(b, 0, 0), TSR_FACTOR_PASS_THROUGH, false);
    if (rhs)
        tsr_rule_add3(b, TSR_NO_DIM, 1, lhs, tsr_build_size(b, 1, 1), TSR_FACTOR_PASS_THROUGH,
                      false);
    tsr_rule_add3(b, lhs, 0, TSR_NO_DIM, tsr_build_size(b, 1, 0), TSR_FACTOR_REDUCTION, false);
    return true;
}

/* ---- Convolution ---- */

/* Input positions along one spatial dimension are windows (as many as the result has positions) of some size (the
 * kernel's): a factor for each, the larger one first, for it is the one that most shardings fit into. */
static void add_spatial(tsr_rule_build *b, int64_t in, int64_t kernel, int64_t out)
{
    uint32_t result = tsr_build_result(b, 0);
    int64_t windows = tsr_build_size(b, result, out), window = tsr_build_size(b, 1, kernel);
    int64_t left = tsr_build_size(b, 0, in);
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

bool tsr_rule_convolution(tsr_rule_build *b, tsr_attr *const *p, int64_t batch_groups,
                          int64_t feature_groups)
{
    uint32_t result = tsr_build_result(b, 0);
    int64_t in_batch = p[IN_BATCH]->i, in_feature = p[IN_FEATURE]->i, k_in = p[K_IN]->i,
            k_out = p[K_OUT]->i;
    int64_t out_batch = p[OUT_BATCH]->i, out_feature = p[OUT_FEATURE]->i;
    if (batch_groups > 1)
        tsr_rule_add3(b, in_batch, k_out, out_feature, batch_groups, TSR_FACTOR_PASS_THROUGH,
                      false);
    tsr_rule_add3(b, in_batch, TSR_NO_DIM, out_batch, tsr_build_size(b, result, out_batch),
                  TSR_FACTOR_PASS_THROUGH, false);
    if (!b->options.conservative)
        for (uint32_t i = 0; i < length(p[IN_SPATIAL]); i++)
            add_spatial(b, tsr_attr_int_at(p[IN_SPATIAL], i), tsr_attr_int_at(p[K_SPATIAL], i),
                        tsr_attr_int_at(p[OUT_SPATIAL], i));
    if (feature_groups > 1)
        tsr_rule_add3(b, in_feature, k_out, out_feature, feature_groups, TSR_FACTOR_PASS_THROUGH,
                      false);
    tsr_rule_add3(b, in_feature, k_in, TSR_NO_DIM, tsr_build_size(b, 1, k_in), TSR_FACTOR_REDUCTION,
                  false);
    int64_t size = tsr_build_size(b, result, out_feature) / batch_groups / feature_groups;
    if (size > 1)
        tsr_rule_add3(b, TSR_NO_DIM, k_out, out_feature, size, TSR_FACTOR_PASS_THROUGH, false);
    return true;
}

bool shard_convolution(tsr_rule_build *b)
{
    return tsr_rule_convolution(b,
                                tsr_attr_of(b->op, STABLEHLO_CONVOLUTION_dimension_numbers)->attrs,
                                tsr_attr_of(b->op, STABLEHLO_CONVOLUTION_batch_group_count)->i,
                                tsr_attr_of(b->op, STABLEHLO_CONVOLUTION_feature_group_count)->i);
}
