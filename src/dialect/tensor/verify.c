/* SPDX-License-Identifier: Apache-2.0 */
/* verify.c - rules of the tensor dialect, in MLIR's words: element types, and the numbers of indices and sizes. */
#include "dialect/hooks.h"
#include "dialect/stablehlo/types.h"

/* An index for each dimension of t, after the first operands. */
static bool has_indices(const tsr_op *op, const tsr_type *t, uint32_t first, const char *message)
{
    return op->nin - first == t->n || tsr_op_error(op, "%s", message);
}

/* A size for each dynamic dimension of the result, after the first operands. */
static bool has_sizes(const tsr_op *op, uint32_t first)
{
    const tsr_type *t = op->out[0].type;
    uint32_t want = 0;
    for (uint32_t i = 0; i < t->n; i++)
        want += t->dims[i] == TSR_DYNAMIC;
    return op->nin - first == want ||
           tsr_op_error(op, "incorrect number of dynamic sizes, has %u, expected %u",
                        op->nin - first, want);
}

bool verify_tensor_extract(tsr_op *op)
{
    const tsr_type *t = op->in[0].value->type;
    if (op->out[0].type != t->elem)
        return tsr_op_error(op, "failed to verify that result type matches element type of tensor");
    return has_indices(op, t, 1, "incorrect number of indices for extract_element");
}

bool verify_tensor_insert(tsr_op *op)
{
    const tsr_type *t = op->in[1].value->type;
    if (op->in[0].value->type != t->elem)
        return tsr_op_error(op, "failed to verify that scalar type matches element type of dest");
    return has_indices(op, t, 2, "incorrect number of indices");
}

bool verify_tensor_splat(tsr_op *op)
{
    if (op->in[0].value->type != op->out[0].type->elem)
        return tsr_op_error(op,
                            "failed to verify that operand type matches element type of result");
    return has_sizes(op, 1);
}

bool verify_tensor_from_elements(tsr_op *op)
{
    const tsr_type *t = op->out[0].type;
    bool same = (int64_t)op->nin == tsr_type_num_elements(t);
    for (uint32_t i = 0; i < op->nin; i++)
        same &= op->in[i].value->type == t->elem;
    return same ||
           tsr_op_error(op, "failed to verify that operand types match result element type");
}

bool verify_tensor_empty(tsr_op *op)
{
    return has_sizes(op, 0);
}

bool verify_tensor_cast(tsr_op *op)
{
    const tsr_type *from = op->in[0].value->type, *to = op->out[0].type;
    return (from->elem == to->elem && tsr_hlo_compatible_shape(from, to)) ||
           tsr_op_error(op, "operand type %s and result type %s are cast incompatible",
                        tsr_hlo_show_type(from), tsr_hlo_show_type(to));
}
