/* SPDX-License-Identifier: Apache-2.0 */
/* fold.c - folds casts that change nothing. */
#include "dialect/hooks.h"

/* A cast to the operand's own type folds to the operand. */
bool fold_cast_to_same(tsr_op *op, tsr_value **out)
{
    if (op->nin != 1 || op->nout != 1 || op->in[0].value->type != op->out[0].type)
        return false;
    out[0] = op->in[0].value;
    return true;
}

/* The same for any number of values; and a cast of a cast back to the original type. */
bool fold_unrealized_conversion_cast(tsr_op *op, tsr_value **out)
{
    bool same = op->nin == op->nout;
    for (uint32_t i = 0; same && i < op->nout; i++) {
        out[i] = op->in[i].value;
        same = out[i]->type == op->out[i].type;
    }
    if (same)
        return true;
    const tsr_op *inner = op->nin && !op->in[0].value->is_arg ? op->in[0].value->op : NULL;
    if (!inner || inner->def != op->def || inner->nout != op->nin || inner->nin != op->nout)
        return false;
    for (uint32_t i = 0; i < op->nin; i++)
        if (op->in[i].value != &inner->out[i])
            return false;
    for (uint32_t i = 0; i < op->nout; i++) {
        out[i] = inner->in[i].value;
        if (out[i]->type != op->out[i].type)
            return false;
    }
    return true;
}
