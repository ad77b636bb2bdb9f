/* SPDX-License-Identifier: Apache-2.0 */
/* fold.c - folds conversions of a buffer to a tensor and back. */
#include "dialect/hooks.h"

static tsr_op *def_of(const tsr_value *v, uint16_t opcode)
{
    return !v->is_arg && tsr_op_is(v->op, opcode) ? v->op : NULL;
}

/* to_tensor(to_buffer(x)) is x if nothing in between may write. */
bool fold_bufferization_to_tensor(tsr_op *op, tsr_value **out)
{
    const tsr_op *buffer = def_of(op->in[0].value, TSR_OP_BUFFERIZATION_TO_BUFFER);
    if (!buffer || buffer->next != op || buffer->in[0].value->type != op->out[0].type)
        return false;
    out[0] = buffer->in[0].value;
    return true;
}

bool fold_bufferization_to_buffer(tsr_op *op, tsr_value **out)
{
    const tsr_op *tensor = def_of(op->in[0].value, TSR_OP_BUFFERIZATION_TO_TENSOR);
    if (!tensor || tensor->in[0].value->type != op->out[0].type)
        return false;
    out[0] = tensor->in[0].value;
    return true;
}
