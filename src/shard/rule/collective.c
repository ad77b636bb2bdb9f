/* SPDX-License-Identifier: Apache-2.0 */
/* collective.c - rules of StableHLO's collectives that change shapes: the dimensions that they work along stay whole,
 * with separate factors for operands and results. The others are pointwise. */
#include "shard/rule/build.h"

/* A factor for dim of all operands, and one for dim of all results. */
static void add_split(tsr_rule_build *b, int64_t dim)
{
    uint32_t nin = b->op->nin, f;
    f = tsr_rule_factor(b, tsr_rule_size(b, 0, dim), TSR_FACTOR_NEED_REPLICATION, false);
    tsr_rule_put_range(b, f, 0, nin, dim);
    f = tsr_rule_factor(b, tsr_rule_size(b, nin, dim), TSR_FACTOR_NEED_REPLICATION, false);
    tsr_rule_put_range(b, f, nin, b->ntensor, dim);
}

/* All dimensions except one or two, whose factors come last. */
static bool all_but(tsr_rule_build *b, int64_t dim, int64_t other)
{
    if (!b->op->nin || !b->op->nout)
        return false;
    for (uint32_t d = 0; d < tsr_build_rank(b, 0); d++)
        if (d != dim && d != other)
            tsr_rule_add_all(b, d, tsr_rule_size(b, 0, d), TSR_FACTOR_PASS_THROUGH, false);
    add_split(b, dim);
    if (dim != other)
        add_split(b, other);
    return true;
}

bool shard_all_gather(tsr_rule_build *b)
{
    int64_t dim = tsr_attr_of(b->op, STABLEHLO_ALL_GATHER_all_gather_dim)->i;
    return all_but(b, dim, dim);
}

bool shard_reduce_scatter(tsr_rule_build *b)
{
    int64_t dim = tsr_attr_of(b->op, STABLEHLO_REDUCE_SCATTER_scatter_dimension)->i;
    return all_but(b, dim, dim);
}

bool shard_all_to_all(tsr_rule_build *b)
{
    return all_but(b, tsr_attr_of(b->op, STABLEHLO_ALL_TO_ALL_split_dimension)->i,
                   tsr_attr_of(b->op, STABLEHLO_ALL_TO_ALL_concat_dimension)->i);
}
