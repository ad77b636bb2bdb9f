/* SPDX-License-Identifier: Apache-2.0 */
/* spread.c - see spread.h. */
#include "shard/rule/spread.h"

#include "dialect/opcode.h"

static const uint8_t column[TSR_OP__COUNT] = {
#define OP(id, name, traits) [TSR_OP_##id] = 0
#define SPREAD(how) +TSR_SPREAD_##how
#define END ,
#include "dialect/ops.def"
};

static bool only_moves_data(const tsr_op *op)
{
    const tsr_attr *target = tsr_attr_of(op, STABLEHLO_CUSTOM_CALL_call_target_name);
    return tsr_attr_is(target, TSR_ATTR_STRING) &&
           (tsr_str_is(target->s, "MoveToDevice") || tsr_str_is(target->s, "MoveToHost"));
}

static bool same_shape(const tsr_op *op)
{
    if (op->nin != 1 || op->nout != 1)
        return false;
    const tsr_type *a = op->in[0].value->type, *b = op->out[0].type;
    return a->n == b->n && (!a->n || memcmp(a->dims, b->dims, a->n * sizeof *a->dims) == 0);
}

tsr_spread tsr_spread_of(const tsr_op *op)
{
    if (tsr_op_has(op, TSR_TRAIT(ELEMENTWISE) | TSR_TRAIT(BROADCASTING_ELEMENTWISE)))
        return TSR_SPREAD_ELEMENTWISE;
    tsr_spread how = op->def->opcode < TSR_OP__COUNT ? column[op->def->opcode] : TSR_SPREAD_LATE;
    if (how == TSR_SPREAD_SAME_SHAPE)
        return same_shape(op) ? TSR_SPREAD_ELEMENTWISE : TSR_SPREAD_LATE;
    if (how == TSR_SPREAD_TRANSFER)
        return only_moves_data(op) ? TSR_SPREAD_PASS : TSR_SPREAD_LATE;
    return how;
}

/* Scalars do not count: they are never sharded. */
static bool operand_has_other_uses(const tsr_op *op)
{
    for (uint32_t i = 0; i < op->nin; i++) {
        const tsr_value *v = op->in[i].value;
        bool scalar = tsr_type_is(v->type, TSR_TYPE_TENSOR) && !v->type->n;
        if (v->uses->next && !scalar)
            return true;
    }
    return false;
}

tsr_spread_directions tsr_spread_in(const tsr_op *op, tsr_spread how, unsigned round)
{
    bool broadcast = how == TSR_SPREAD_BROADCAST;
    if (round >= 4 || (round == 3 && !broadcast))
        return (tsr_spread_directions){TSR_SDY_BOTH, TSR_SDY_BOTH};
    if (broadcast)
        return (tsr_spread_directions){round >= 2 ? TSR_SDY_BACKWARD : TSR_SDY_NONE,
                                       round == 3 ? TSR_SDY_BACKWARD : TSR_SDY_NONE};
    tsr_sdy_direction d = how == TSR_SPREAD_LATE      ? TSR_SDY_NONE
                          : how == TSR_SPREAD_FORWARD ? TSR_SDY_FORWARD
                                                      : TSR_SDY_BOTH;
    if (d != TSR_SDY_NONE && !round && operand_has_other_uses(op))
        d = TSR_SDY_NONE;
    return (tsr_spread_directions){round >= 2 ? TSR_SDY_BOTH : d, d};
}
