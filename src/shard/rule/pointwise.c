/* SPDX-License-Identifier: Apache-2.0 */
/* pointwise.c - rules of elementwise ops: one factor per dimension, after broadcasting. */
#include "dialect/builtin/quant.h"
#include "shard/rule/build.h"

bool shard_pointwise(tsr_rule_build *b)
{
    return tsr_rule_pointwise(b);
}

/* ---- Our own rules, for ops that Shardy leaves out ---- */

/* A dimension with its own scales in the type cannot be cut, as the type would change. */
bool shard_quantize(tsr_rule_build *b)
{
    for (uint32_t d = 0; d < tsr_build_rank(b, 0); d++) {
        bool scaled = false;
        for (uint32_t t = 0; t < b->ntensor; t++) {
            const tsr_type *elem = tsr_rule_type(b, t)->elem;
            if (tsr_type_is(elem, TSR_TYPE_DIALECT) && elem->def == &tsr_def_QUANT_UNIFORM &&
                elem->params[QUANT_axis])
                scaled |= !tsr_attr_is(elem->params[QUANT_axis], TSR_ATTR_INT) ||
                          elem->params[QUANT_axis]->i == d;
        }
        tsr_rule_add_all(b, d, tsr_rule_size(b, 0, d),
                         scaled ? TSR_FACTOR_NEED_REPLICATION : TSR_FACTOR_PASS_THROUGH, false);
    }
    return true;
}

/* The dimension of tensor t that corresponds to dimension d of the result: from explicit lists, else aligned at the
 * end. */
static int64_t aligned(const tsr_rule_build *b, uint32_t t, int64_t d, const tsr_attr *map)
{
    int64_t rank = tsr_build_rank(b, t), all = tsr_build_rank(b, tsr_build_result(b, 0));
    if (map && rank < all) {
        for (int64_t i = 0; i < tsr_attr_count(map); i++)
            if (tsr_attr_int_at(map, (size_t)i) == d)
                return i;
        return TSR_NO_DIM;
    }
    return d >= all - rank ? d - (all - rank) : TSR_NO_DIM;
}

bool shard_broadcasting(tsr_rule_build *b)
{
    int slot = tsr_opdef_slot(b->op->def, TSR_STR("broadcast_dimensions"));
    const tsr_attr *map = slot >= 0 ? tsr_attr_of(b->op, slot) : NULL;
    uint32_t out = tsr_build_result(b, 0);
    for (int64_t d = 0; d < tsr_build_rank(b, out); d++) {
        int64_t size = tsr_rule_size(b, out, d);
        uint32_t f = tsr_rule_factor(b, size, TSR_FACTOR_PASS_THROUGH, false);
        for (uint32_t t = 0; t < out; t++) {
            int64_t dim = aligned(b, t, d, map);
            if (tsr_rule_size(b, t, dim) ==
                size) /* one element for all keeps a factor of its own */
                tsr_rule_put(b, f, t, dim);
        }
        tsr_rule_put(b, f, out, d);
    }
    return true;
}

bool shard_broadcast(tsr_rule_build *b)
{
    int64_t added = tsr_attr_count(tsr_attr_of(b->op, STABLEHLO_BROADCAST_broadcast_sizes));
    for (int64_t d = 0; d < tsr_build_rank(b, 1); d++)
        tsr_rule_add3(b, d < added ? TSR_NO_DIM : d - added, TSR_NO_DIM, d, tsr_rule_size(b, 1, d),
                      TSR_FACTOR_PASS_THROUGH, false);
    return true;
}
