/* SPDX-License-Identifier: Apache-2.0 */
/* update.c - dynamic_update_slice, which TTIR does not have: elements inside the window are selected from the update,
 * moved into position, others from the operand.
 *
 * Along a dimension where the update has one element, it is broadcast; where it has several, each position of the
 * operand gathers the element above it. */
#include "lower/ttir/ttir.h"

/* 1 x ... x size x ... x 1 of integers. */
static tsr_type *line(tsr_build *b, uint32_t rank, int64_t dim, int64_t size)
{
    int64_t dims[TSR_TTIR_RANK];
    for (uint32_t i = 0; i < rank; i++)
        dims[i] = i == dim ? size : 1;
    return tsr_type_tensor(b->ctx, dims, rank, b->ctx->i32, NULL);
}

static tsr_value *flags(tsr_build *b, enum tsr_opcode opcode, tsr_value *x, tsr_value *y)
{
    tsr_type *type = tsr_hlo_with_element(x->type, b->ctx->i1);
    return tsr_ttir_binary(b, opcode, x, y, type);
}

/* The start of the window: from 0 to last, as 1 x ... x 1. Bounds are those of its own type, which may be wider. */
static tsr_value *start_of(tsr_build *b, tsr_value *start, uint32_t rank, int64_t last)
{
    tsr_type *type = start->type;
    tsr_value *s = tsr_ttir_binary(b, TSR_OP_TTIR_MAXIMUM, start, tsr_ttir_full(b, type, 0), type);
    s = tsr_ttir_binary(b, TSR_OP_TTIR_MINIMUM, s, tsr_ttir_full(b, type, (double)last), type);
    tsr_type *ones = line(b, rank, 0, 1);
    return tsr_ttir_reshape(b, tsr_ttir_typecast(b, s, b->ctx->i32), ones->dims, rank);
}

/* v with dimension dim extended to all positions, each taking the element with its index. */
static tsr_value *gather(tsr_build *b, tsr_value *v, tsr_value *places, int64_t dim)
{
    int64_t dims[TSR_TTIR_RANK];
    for (uint32_t i = 0; i < v->type->n; i++)
        dims[i] = i == dim ? places->type->dims[i] : v->type->dims[i];
    tsr_value *index = tsr_ttir_typecast(b, places, tsr_type_integer(b->ctx, 32, TSR_UNSIGNED));
    tsr_value *in[] = {v, tsr_ttir_broadcast(b, index, dims)};
    tsr_op *op = tsr_ttir_open(b, TSR_OP_TTIR_GATHER, in, 2, 1);
    op->attrs[TTIR_GATHER_dim] = tsr_attr_i32(b->ctx, (int32_t)dim);
    return tsr_ttir_close(b, op, tsr_type_tensor(b->ctx, dims, v->type->n, v->type->elem, NULL));
}

bool ttir_dynamic_update_slice(tsr_build *b, tsr_op *op, tsr_value **out)
{
    tsr_value *x = op->in[0].value, *update = op->in[1].value, *mask = NULL;
    uint32_t rank = x->type->n;
    TSR_TRY(tsr_ttir_static(op) && op->nin == rank + 2);
    for (uint32_t d = 0; d < rank; d++) {
        int64_t size = x->type->dims[d], k = update->type->dims[d], wide[TSR_TTIR_RANK];
        TSR_TRY(size <= INT32_MAX && k > 0);
        if (k == size)
            continue;
        tsr_value *start = start_of(b, op->in[d + 2].value, rank, size - k), *inside;
        tsr_type *places = line(b, rank, d, size);
        tsr_value *place = tsr_ttir_arange(b, places, 0, 1, d);
        if (k == 1) {
            for (uint32_t i = 0; i < rank; i++)
                wide[i] = i == d ? size : update->type->dims[i];
            update = tsr_ttir_broadcast(b, update, wide);
            inside = flags(b, TSR_OP_TTIR_EQ, place, start);
        } else {
            tsr_value *first = tsr_ttir_full(b, places, 0);
            tsr_value *last = tsr_ttir_full(b, places, (double)(k - 1));
            tsr_value *at = tsr_ttir_binary(b, TSR_OP_TTIR_SUBTRACT, place, start, places);
            inside = flags(b, TSR_OP_TTIR_LOGICAL_AND, flags(b, TSR_OP_TTIR_GE, at, first),
                           flags(b, TSR_OP_TTIR_LE, at, last));
            at = tsr_ttir_binary(b, TSR_OP_TTIR_MAXIMUM, at, first, places);
            at = tsr_ttir_binary(b, TSR_OP_TTIR_MINIMUM, at, last, places);
            update = gather(b, update, at, d);
        }
        inside = tsr_ttir_broadcast(b, inside, x->type->dims);
        mask = mask ? flags(b, TSR_OP_TTIR_LOGICAL_AND, mask, inside) : inside;
    }
    out[0] = mask ? tsr_ttir_where(b, mask, update, x) : update;
    return true;
}
