/* SPDX-License-Identifier: Apache-2.0 */
/* speculate.c - whether an op may run where it would not run as written.
 *
 * It must not if something could go wrong at run time that its types do not exclude: shapes that have to agree but may
 * not, because one of them is not static. Rows declare this by traits, or by a SPECULATE hook for conditions of a
 * specific op. */
#include "ir/ir.h"

/* Every static dimension of the result is also static in the operand, so it cannot differ at run time. */
static bool static_dims(const tsr_op *op)
{
    if (!op->nin || !op->nout)
        return false;
    const tsr_type *in = op->in[0].value->type, *out = op->out[0].type;
    if (!tsr_type_is(in, TSR_TYPE_TENSOR) || !tsr_type_is(out, TSR_TYPE_TENSOR))
        return false;
    for (uint32_t i = 0; i < out->n; i++)
        if (out->dims[i] != TSR_DYNAMIC && (i >= in->n || in->dims[i] == TSR_DYNAMIC))
            return false;
    return true;
}

static bool static_inputs(const tsr_op *op)
{
    for (uint32_t i = 0; i < op->nin; i++)
        if (!tsr_type_has_static_shape(op->in[i].value->type))
            return false;
    return true;
}

tsr_speculation tsr_op_speculation(const tsr_op *op)
{
    tsr_traits traits = op->def->traits;
    tsr_speculation yes =
        traits & TSR_TRAIT(RECURSIVE_SPECULATABLE) ? TSR_SPECULATE_RECURSIVE : TSR_SPECULATE_YES;
    if (op->def->speculate)
        return op->def->speculate(op);
    if (traits & TSR_TRAIT(SPEC_STATIC_DIMS))
        return static_dims(op) ? yes : TSR_SPECULATE_NO;
    if (traits & TSR_TRAIT(SPEC_STATIC_INPUTS))
        return static_inputs(op) ? yes : TSR_SPECULATE_NO;
    if (traits & TSR_TRAIT(SPEC_CONSTANT_SHAPE))
        return op->nin && tsr_value_is_constant(op->in[op->nin - 1].value) && static_inputs(op)
                   ? yes
                   : TSR_SPECULATE_NO;
    return traits & (TSR_TRAIT(SPECULATABLE) | TSR_TRAIT(RECURSIVE_SPECULATABLE))
               ? yes
               : TSR_SPECULATE_NO;
}

bool tsr_op_speculatable(const tsr_op *op)
{
    tsr_speculation own = tsr_op_speculation(op);
    if (own != TSR_SPECULATE_RECURSIVE)
        return own == TSR_SPECULATE_YES;
    for (uint32_t r = 0; r < op->nregion; r++)
        TSR_REGION_BLOCKS (&op->regions[r], b)
            TSR_BLOCK_OPS (b, inner)
                if (!tsr_op_speculatable(inner))
                    return false;
    return true;
}
