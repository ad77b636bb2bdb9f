/* SPDX-License-Identifier: Apache-2.0 */
/* local.c - which factors a device can compute by itself.
 *
 * Rules say along which factors an op may be sharded if a partitioner does the rest: moves parts between devices,
 * shifts indices, masks elements of other devices. Where types are only cut, such factors need replication. */
#include "dialect/stablehlo/types.h"
#include "shard/rule/build.h"

/* ---- Reductions ---- */

static bool is_zero(const tsr_value *v)
{
    const tsr_attr *a = !v->is_arg && tsr_op_is(v->op, TSR_OP_STABLEHLO_CONSTANT)
                            ? v->op->attrs[STABLEHLO_CONSTANT_value]
                            : NULL;
    if (!tsr_attr_is(a, TSR_ATTR_DENSE))
        return false;
    for (size_t i = 0; i < a->s.len; i++) /* 0.0, not -0.0, which would count as another part */
        if (a->s.data[i])
            return false;
    return true;
}

bool tsr_reduction_of(const tsr_op *op, tsr_sdy_reduction *how)
{
    *how = TSR_SDY_SUM;
    if (!tsr_op_is(op, TSR_OP_STABLEHLO_REDUCE))
        return true; /* products: sums */
    tsr_reduce_kind kind = op->nin == 2 ? tsr_reducer_kind(&op->regions[0]) : TSR_REDUCE_OTHER;
    const tsr_type *elem = op->nout ? op->out[0].type->elem : NULL;
    return tsr_reduce_to_sdy(kind, elem, how) &&
           (kind != TSR_REDUCE_SUM || (!tsr_type_is_integer(elem, 1) && is_zero(op->in[1].value)));
}

/* ---- Factors ---- */

static bool on_dim(const tsr_rule *r, uint32_t t, uint32_t dim, uint32_t factor)
{
    if (dim >= tsr_rule_rank(r, t))
        return false;
    uint32_t d = r->dims[t] + dim;
    for (uint32_t i = r->first[d]; i < r->first[d + 1]; i++)
        if (r->factors[i] == factor)
            return true;
    return false;
}

static bool on_tensor(const tsr_rule *r, uint32_t t, uint32_t factor)
{
    for (uint32_t d = 0; d < tsr_rule_rank(r, t); d++)
        if (on_dim(r, t, d, factor))
            return true;
    return false;
}

/* Whether the factor is along a dimension of the input that indices select from, and that updates do not have. */
static bool is_pointed_into(const tsr_rule *r, const tsr_op *op, uint32_t factor)
{
    tsr_gather g;
    tsr_gather_of(op, &g);
    uint32_t updates = (op->nin - 1) / 2 + 1;
    for (uint32_t d = 0; d < tsr_rule_rank(r, 0); d++)
        if (tsr_ints_has(g.map, d) && on_dim(r, 0, d, factor))
            return !on_tensor(r, updates, factor);
    return false;
}

static bool has_groups_of_batches(const tsr_op *op)
{
    tsr_conv c;
    return tsr_conv_of(op, &c) && c.batch_groups > 1;
}

/* Whether the factor is along windows: which part of the input meets which part of the kernel depends on the device. */
static bool is_along_windows(const tsr_rule *r, const tsr_op *op, uint32_t factor)
{
    tsr_conv c;
    tsr_conv_of(op, &c);
    for (uint32_t i = 0; i < c.kernel_spatial.n; i++)
        if (on_dim(r, 1, (uint32_t)tsr_ints_at(c.kernel_spatial, i), factor))
            return true;
    return false;
}

static bool needs_all(const tsr_rule *r, const tsr_op *op, uint32_t factor)
{
    tsr_factor_kind kind = r->kinds[factor];
    tsr_sdy_reduction how;
    switch (op->def->opcode) {
    case TSR_OP_STABLEHLO_SLICE: return kind == TSR_FACTOR_NEED_REPLICATION;
    case TSR_OP_STABLEHLO_GATHER:
        if (kind == TSR_FACTOR_REDUCTION)
            return true;
        break;
    case TSR_OP_STABLEHLO_SCATTER:
        if (kind == TSR_FACTOR_REDUCTION || is_pointed_into(r, op, factor))
            return true;
        break;
    case TSR_OP_STABLEHLO_DYNAMIC_UPDATE_SLICE:
        if (on_tensor(r, 0, factor) != on_tensor(r, 1, factor))
            return true;
        break;
    case TSR_OP_STABLEHLO_REDUCE:
        if (kind == TSR_FACTOR_REDUCTION && !tsr_reduction_of(op, &how))
            return true;
        break;
    case TSR_OP_STABLEHLO_CONVOLUTION:
        if (has_groups_of_batches(op) || is_along_windows(r, op, factor))
            return true;
        break;
    case TSR_OP_STABLEHLO_RNG:
    /* all devices would generate the same bits */
    case TSR_OP_STABLEHLO_RNG_BIT_GENERATOR: return true;
    default: break;
    }
    return kind == TSR_FACTOR_NEED_REPLICATION || kind == TSR_FACTOR_PERMUTATION;
}

const tsr_rule *tsr_rule_local(tsr_arena *arena, const tsr_rule *rule, const tsr_op *op)
{
    uint8_t *kinds = NULL;
    for (uint32_t f = 0; f < rule->nfactor; f++) {
        if (rule->kinds[f] == TSR_FACTOR_NEED_REPLICATION || !needs_all(rule, op, f))
            continue;
        if (!kinds)
            kinds = tsr_arena_copy(arena, rule->kinds, rule->nfactor);
        kinds[f] = TSR_FACTOR_NEED_REPLICATION;
    }
    if (!kinds)
        return rule;
    tsr_rule *local = tsr_arena_copy(arena, rule, sizeof *local);
    local->kinds = kinds;
    return local;
}
