/* SPDX-License-Identifier: Apache-2.0 */
/* verify.c - rules of the shape dialect's ops with regions, in MLIR's words. A region yields values of the op's result
 * types: the assembly writes them once. */
#include "dialect/hooks.h"
#include "dialect/scf/edges.h"

static bool is_size(const tsr_type *t)
{
    return t->kind == TSR_TYPE_DIALECT && t->def == &tsr_def_SHAPE_SIZE;
}

static bool is_shape(const tsr_type *t)
{
    return t->kind == TSR_TYPE_DIALECT && t->def == &tsr_def_SHAPE_SHAPE;
}

/* The body takes the index of an extent, the extent, and the values so far. */
bool verify_shape_reduce(tsr_op *op)
{
    const tsr_block *body = op->regions[0].first;
    if (!body)
        return true;
    if (body->nargs != op->nin + 1)
        return tsr_op_error(op, "ReduceOp body is expected to have %u arguments", op->nin + 1);
    if (!tsr_type_is(body->args[0]->type, TSR_TYPE_INDEX))
        return tsr_op_error(op, "argument 0 of ReduceOp body is expected to be of IndexType");
    const tsr_type *extent = body->args[1]->type;
    if (is_shape(op->in[0].value->type)) {
        if (!is_size(extent))
            return tsr_op_error(op, "argument 1 of ReduceOp body is expected to be of SizeType if "
                                    "the ReduceOp operates on "
                                    "a ShapeType");
    } else if (!tsr_type_is(extent, TSR_TYPE_INDEX)) {
        return tsr_op_error(op, "argument 1 of ReduceOp body is expected to be of IndexType if the "
                                "ReduceOp operates on an "
                                "extent tensor");
    }
    for (uint32_t i = 1; i < op->nin; i++)
        if (body->args[i + 1]->type != op->in[i].value->type)
            return tsr_op_error(
                op, "type mismatch between argument %u of ReduceOp body and initial value %u",
                i + 1, i - 1);
    return true;
}

bool verify_shape_yield(tsr_op *op)
{
    const tsr_op *parent = tsr_op_parent(op);
    if (!parent)
        return true;
    if (parent->nout != op->nin)
        return tsr_op_error(op,
                            "number of operands does not match number of results of its parent");
    for (uint32_t i = 0; i < op->nin; i++)
        if (op->in[i].value->type != parent->out[i].type)
            return tsr_op_error(op, "types mismatch between yield op and its parent");
    return true;
}

bool verify_shape_assuming(tsr_op *op)
{
    const tsr_block *body = op->regions[0].first;
    if (!body || !body->last || !tsr_op_is(body->last, TSR_OP_SHAPE_ASSUMING_YIELD))
        return true;
    return tsr_verify_edge_to_results(op, 0, body->last, 0);
}
