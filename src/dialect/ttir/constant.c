/* SPDX-License-Identifier: Apache-2.0 */
/* constant.c - the values of TTIR's ops that fill a tensor with one number: full, zeros, ones. */
#include <math.h>

#include "dialect/hooks.h"
#include "dialect/ttir/ttir.h"

/* A fraction for an integer type is truncated; false if that has no meaning. */
static bool truncated(const tsr_type *elem, double number, int64_t *out)
{
    int value_bits = (int)elem->width - (elem->sub != TSR_UNSIGNED);
    double most = ldexp(1, value_bits < 63 ? value_bits : 63);
    number = trunc(number);
    if (!(number < most && number >= (elem->sub == TSR_UNSIGNED ? 0 : -most)))
        return false;
    *out = (int64_t)number;
    return true;
}

/* One element of a type as stored in dense data; false if it has no such form. All numbers but 0 are true. */
static bool element_bits(const tsr_type *elem, double number, int64_t integer, bool whole,
                         uint64_t *out)
{
    uint32_t size = tsr_type_storage_bits(elem);
    if (elem->kind == TSR_TYPE_FLOAT && size && size <= 64) {
        *out = tsr_float_from_double((tsr_float_kind)elem->sub, number);
        return true;
    }
    if (elem->kind != TSR_TYPE_INTEGER || !size || size > 64)
        return false;
    if (elem->width == 1)
        integer = number != 0;
    else if (!whole && !truncated(elem, number, &integer))
        return false;
    *out = (uint64_t)integer;
    if (elem->width < 64)
        *out &= ((uint64_t)1 << elem->width) - 1;
    return true;
}

static tsr_attr *splat_of(const tsr_op *op, double number, int64_t integer, bool whole)
{
    tsr_type *type = op->out[0].type;
    uint64_t bits;
    uint8_t bytes[8];
    if (!tsr_type_is(type, TSR_TYPE_TENSOR) || !tsr_type_has_static_shape(type) ||
        !element_bits(type->elem, number, integer, whole, &bits))
        return NULL;
    size_t size = tsr_type_storage_bits(type->elem) / 8;
    for (size_t i = 0; i < size; i++)
        bytes[i] = (uint8_t)(bits >> 8 * i);
    bool none = tsr_type_num_elements(type) == 0;
    return tsr_attr_dense(type->ctx, NULL, type, bytes, none ? 0 : size, !none);
}

tsr_attr *constant_ttir_full(const tsr_op *op)
{
    const tsr_attr *fill = op->attrs[TTIR_FULL_fill_value];
    if (tsr_attr_is(fill, TSR_ATTR_INT))
        return splat_of(op, (double)fill->i, fill->i, true);
    if (!tsr_attr_is(fill, TSR_ATTR_FLOAT))
        return NULL;
    double v = tsr_float_to_double((tsr_float_kind)fill->type->sub, (uint64_t)fill->i);
    return splat_of(op, v, 0, false);
}

tsr_attr *constant_ttir_zeros(const tsr_op *op)
{
    return splat_of(op, 0, 0, true);
}

tsr_attr *constant_ttir_ones(const tsr_op *op)
{
    return splat_of(op, 1, 1, true);
}
