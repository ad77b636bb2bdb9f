/* SPDX-License-Identifier: Apache-2.0 */
/* broadcast.c - CHLO's broadcasting ops that need more than a StableHLO op with another name. */
#include "lower/lower.h"

static bool operands(tsr_build *b, tsr_op *op, const tsr_attr *dims, tsr_value **in)
{
    for (uint32_t i = 0; i < op->nin; i++)
        in[i] = op->in[i].value;
    return tsr_broadcast_operands(b, in, op->nin, dims, op->out[0].type);
}

bool tsr_chlo_broadcast_compare(tsr_build *b, tsr_op *op, tsr_value **out)
{
    tsr_value *in[2];
    TSR_TRY(operands(b, op, tsr_attr_of(op, CHLO_BROADCAST_COMPARE_broadcast_dimensions), in));
    const tsr_attr *direction = tsr_attr_of(op, CHLO_BROADCAST_COMPARE_comparison_direction);
    const tsr_attr *type = tsr_attr_of(op, CHLO_BROADCAST_COMPARE_compare_type);
    /* The words are the same in both dialects. */
    out[0] = tsr_build_compare(b, direction->def->cases[direction->i],
                               type ? type->def->cases[type->i] : NULL, in[0], in[1]);
    return true;
}

bool tsr_chlo_broadcast_next_after(tsr_build *b, tsr_op *op, tsr_value **out)
{
    tsr_value *in[2];
    TSR_TRY(operands(b, op, tsr_attr_of(op, CHLO_BROADCAST_NEXT_AFTER_broadcast_dimensions), in));
    return (out[0] = tsr_lower_next_after(b, in[0], in[1])) != NULL;
}

bool tsr_chlo_broadcast_select(tsr_build *b, tsr_op *op, tsr_value **out)
{
    tsr_value *in[3], *pred = op->in[0].value;
    TSR_TRY(operands(b, op, NULL, in));
    if (!pred->type->n) /* a scalar predicate may select all elements */
        in[0] = pred;
    out[0] = tsr_build_op(b, TSR_OP_STABLEHLO_SELECT, in, 3, op->out[0].type);
    return true;
}
