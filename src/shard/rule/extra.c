/* SPDX-License-Identifier: Apache-2.0 */
/* extra.c - our own rules for ops that have none in Shardy: the column SHARD_EXTRA.
 *
 * An op whose shapes are operands has static shapes in its types here, so it gets the rule of its static counterpart.
 * The shape operands themselves stay whole. */
#include "shard/rule/build.h"

/* ---- Parts ---- */

/* All dimensions of tensors from .. to - 1 stay whole. */
static void add_whole(tsr_rule_build *b, uint32_t from, uint32_t to)
{
    for (uint32_t t = from; t < to; t++)
        for (uint32_t d = 0; d < tsr_build_rank(b, t); d++)
            tsr_rule_put(
                b, tsr_rule_factor(b, tsr_rule_size(b, t, d), TSR_FACTOR_NEED_REPLICATION, false),
                t, d);
}

static int64_t attr_named(const tsr_op *op, tsr_str name)
{
    int slot = tsr_opdef_slot(op->def, name);
    return slot >= 0 && tsr_attr_of(op, slot) ? tsr_attr_of(op, slot)->i : 0;
}

/* ---- Shapes as operands ---- */

bool shard_dynamic_reshape(tsr_rule_build *b)
{
    if (!tsr_rule_reshape(b, 0, tsr_build_result(b, 0)))
        return false;
    add_whole(b, 1, b->op->nin);
    return true;
}

bool shard_dynamic_broadcast_in_dim(tsr_rule_build *b)
{
    if (!tsr_rule_broadcast(
            b, tsr_attr_of(b->op, STABLEHLO_DYNAMIC_BROADCAST_IN_DIM_broadcast_dimensions)))
        return false;
    add_whole(b, 1, b->op->nin);
    return true;
}

/* Slices and pads: like those with attributes if the positions are constant, else like those at unknown positions. */
bool shard_dynamic_shape_slice(tsr_rule_build *b)
{
    bool known = tsr_rule_known(b, 1), ok;
    ok = known ? tsr_rule_resized(b, TSR_FACTOR_PERMUTATION, b->options.conservative)
               : tsr_rule_resized(b, TSR_FACTOR_NEED_REPLICATION, true);
    add_whole(b, 1, b->op->nin);
    return ok;
}

bool shard_dynamic_shape_pad(tsr_rule_build *b)
{
    bool known = tsr_rule_known(b, 2), ok;
    ok = known ? tsr_rule_resized(b, TSR_FACTOR_PERMUTATION, b->options.conservative)
               : tsr_rule_resized(b, TSR_FACTOR_NEED_REPLICATION, true);
    add_whole(b, 2, b->op->nin);
    return ok;
}

bool shard_dynamic_gather(tsr_rule_build *b)
{
    TSR_TRY(shard_gather(b));
    add_whole(b, 2, 3);
    return true;
}

bool shard_dynamic_conv(tsr_rule_build *b)
{
    TSR_TRY(shard_convolution(b));
    add_whole(b, 2, 3);
    return true;
}

/* Every device creates its own part of the result. */
bool shard_generated(tsr_rule_build *b)
{
    uint32_t out = tsr_build_result(b, 0);
    for (uint32_t d = 0; d < tsr_build_rank(b, out); d++)
        tsr_rule_put(b,
                     tsr_rule_factor(b, tsr_rule_size(b, out, d), TSR_FACTOR_PASS_THROUGH, false),
                     out, d);
    add_whole(b, 0, b->op->nin);
    return true;
}

/* The dimension that is queried or changed is whole. */
static bool dimension_whole(tsr_rule_build *b, int64_t dim)
{
    for (uint32_t d = 0; d < tsr_build_rank(b, 0); d++)
        tsr_rule_add_all(b, d, tsr_rule_size(b, 0, d),
                         d == dim ? TSR_FACTOR_NEED_REPLICATION : TSR_FACTOR_PASS_THROUGH, false);
    return true;
}

bool shard_get_dimension_size(tsr_rule_build *b)
{
    return dimension_whole(b, tsr_attr_of(b->op, STABLEHLO_GET_DIMENSION_SIZE_dimension)->i);
}

bool shard_set_dimension_size(tsr_rule_build *b)
{
    return dimension_whole(b, tsr_attr_of(b->op, STABLEHLO_SET_DIMENSION_SIZE_dimension)->i);
}

/* ---- Normalization ---- */

/* Statistics are over all dimensions but the feature: those dimensions are whole, but shardings still propagate along
 * them. Scale, mean and the like have only the feature. */
bool shard_batch_norm(tsr_rule_build *b)
{
    int64_t feature = attr_named(b->op, TSR_STR("feature_index"));
    uint32_t rank = tsr_build_rank(b, 0);
    for (uint32_t d = 0; d < rank; d++) {
        uint32_t f = tsr_rule_factor(
            b, tsr_rule_size(b, 0, d),
            d == feature ? TSR_FACTOR_PASS_THROUGH : TSR_FACTOR_NEED_REPLICATION, false);
        for (uint32_t t = 0; t < b->ntensor; t++) {
            if (tsr_build_rank(b, t) == rank)
                tsr_rule_put(b, f, t, d);
            else if (d == feature)
                tsr_rule_put(b, f, t, 0);
        }
    }
    return true;
}

/* ---- Selection ---- */

/* operand[:dim] + index[batch:] + operand[dim + 1:], sharing the first batch dimensions. */
bool shard_torch_index_select(tsr_rule_build *b)
{
    int64_t rank = tsr_build_rank(b, 0), nindex = tsr_build_rank(b, 1);
    int64_t dim = tsr_attr_of(b->op, STABLEHLO_TORCH_INDEX_SELECT_dim)->i;
    int64_t batch = tsr_attr_of(b->op, STABLEHLO_TORCH_INDEX_SELECT_batch_dims)->i;
    dim += dim < 0 ? rank : 0;
    batch += batch < 0 ? nindex : 0;
    if (dim < 0 || dim >= rank || batch < 0 || batch > dim || batch > nindex ||
        tsr_build_rank(b, 2) != rank - 1 + nindex - batch)
        return false;
    for (int64_t d = 0; d < rank - 1 + nindex - batch; d++) {
        bool in_index = d < batch || (d >= dim && d < dim + nindex - batch);
        int64_t in = d < dim ? d : in_index ? TSR_NO_DIM : d - (nindex - batch) + 1;
        int64_t index = d < batch ? d : in_index ? d - dim + batch : TSR_NO_DIM;
        tsr_rule_add3(b, in, index, d, tsr_rule_size(b, 2, d), TSR_FACTOR_PASS_THROUGH, false);
    }
    int64_t size = tsr_rule_size(b, 0, dim);
    tsr_rule_add3(b, dim, TSR_NO_DIM, TSR_NO_DIM, size,
                  size == 1 ? TSR_FACTOR_NEED_REPLICATION : TSR_FACTOR_REDUCTION, false);
    return true;
}

bool shard_top_k(tsr_rule_build *b)
{
    uint32_t rank = tsr_build_rank(b, 0);
    for (uint32_t d = 0; d < rank; d++) {
        bool last = d + 1 == rank;
        tsr_rule_add_all(b, d, tsr_rule_size(b, 0, d),
                         last ? TSR_FACTOR_NEED_REPLICATION : TSR_FACTOR_PASS_THROUGH, last);
    }
    return true;
}
