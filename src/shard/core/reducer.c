/* reducer.c - see reducer.h. */
#include "shard/core/reducer.h"

#include <float.h>
#include <math.h>

#include "shard/core/make.h"

const tsr_op *tsr_reducer_of(const tsr_op *reduce)
{
    const tsr_block *body = reduce->nregion ? reduce->regions[0].first : NULL;
    const tsr_op *ret = body ? body->last : NULL;
    if (!ret || body->nargs != 2 || !tsr_op_is(ret, TSR_OP_STABLEHLO_RETURN) || ret->nin != 1)
        return NULL;
    const tsr_value *v = ret->in[0].value;
    if (v->is_arg || v->op->nin != 2)
        return NULL;
    const tsr_value *a = v->op->in[0].value, *b = v->op->in[1].value;
    bool both =
        (a == body->args[0] && b == body->args[1]) || (a == body->args[1] && b == body->args[0]);
    return both ? v->op : NULL;
}

/* The largest number, or its negative. Rounding what is larger than all finite ones gives it or what
 * comes next to it, infinity or NaN. */
static uint64_t largest(const tsr_type *elem, bool negative, bool finite)
{
    tsr_float_kind kind = (tsr_float_kind)elem->sub;
    uint64_t bits = tsr_float_from_double(kind, DBL_MAX);
    bits -= !tsr_float_is_finite(kind, bits);
    uint64_t infinite = tsr_float_from_double(kind, INFINITY);
    if (!finite && isinf(tsr_float_to_double(kind, infinite)))
        bits = infinite;
    return negative ? bits | (uint64_t)1 << (elem->width - 1) : bits;
}

static tsr_attr *float_elements(tsr_module *m, tsr_type *type, uint64_t bits)
{
    uint8_t bytes[8];
    for (int i = 0; i < 8; i++)
        bytes[i] = (uint8_t)(bits >> 8 * i);
    return tsr_attr_dense(m->ctx, m, type, bytes, tsr_type_storage_bits(type->elem) / 8, true);
}

tsr_attr *tsr_reducer_identity(tsr_module *m, const tsr_op *op, tsr_type *elem, bool finite)
{
    tsr_type *type = tsr_scalar_type(elem);
    bool is_float = elem->kind == TSR_TYPE_FLOAT, is_signed = elem->sub != TSR_UNSIGNED;
    if (!op || (!is_float && elem->kind != TSR_TYPE_INTEGER) || !elem->width || elem->width > 64)
        return NULL;
    bool truth = !is_float && elem->width == 1; /* which has no sign */
    uint32_t up = 64 - elem->width;
    int64_t least = is_signed && !truth ? -(INT64_MAX >> up) - 1 : 0;
    int64_t most = is_signed && !truth ? INT64_MAX >> up : -1;
    switch (op->def->opcode) {
    case TSR_OP_STABLEHLO_ADD:
    case TSR_OP_STABLEHLO_OR: return tsr_zero_elements(m->ctx, m, type);
    case TSR_OP_STABLEHLO_AND: return is_float ? NULL : tsr_int_elements(m->ctx, m, type, -1);
    case TSR_OP_STABLEHLO_MULTIPLY:
        return is_float
                   ? float_elements(m, type, tsr_float_from_double((tsr_float_kind)elem->sub, 1))
                   : tsr_int_elements(m->ctx, m, type, 1);
    case TSR_OP_STABLEHLO_MAXIMUM:
        return is_float ? float_elements(m, type, largest(elem, true, finite))
                        : tsr_int_elements(m->ctx, m, type, least);
    case TSR_OP_STABLEHLO_MINIMUM:
        return is_float ? float_elements(m, type, largest(elem, false, finite))
                        : tsr_int_elements(m->ctx, m, type, most);
    default: return NULL;
    }
}
