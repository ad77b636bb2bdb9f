/* SPDX-License-Identifier: Apache-2.0 */
/* constraints.c - tests of attributes for ttcore's constraints. */
#include "dialect/hooks.h"

static bool is_int(const tsr_attr *a, uint32_t width, tsr_signedness sign)
{
    return a->kind == TSR_ATTR_INT && tsr_type_is(a->type, TSR_TYPE_INTEGER) &&
           a->type->sub == sign && a->type->width == width;
}

static bool is_i32s(const tsr_attr *a)
{
    return a->kind == TSR_ATTR_DENSE_ARRAY && tsr_type_is_integer(a->type, 32);
}

bool attr_ok_si32_attr(const tsr_attr *a)
{
    return is_int(a, 32, TSR_SIGNED);
}

bool attr_ok_si64_attr(const tsr_attr *a)
{
    return is_int(a, 64, TSR_SIGNED);
}

bool attr_ok_i32_array(const tsr_attr *a)
{
    for (uint32_t i = 0; i < a->n; i++)
        if (!is_int(a->attrs[i], 32, TSR_SIGNLESS))
            return false;
    return true;
}

bool attr_ok_i32_or_i32s(const tsr_attr *a)
{
    return is_int(a, 32, TSR_SIGNLESS) || is_i32s(a);
}

bool attr_ok_si32_or_i32s(const tsr_attr *a)
{
    return is_int(a, 32, TSR_SIGNED) || is_i32s(a);
}

bool attr_ok_f32_or_i32(const tsr_attr *a)
{
    return is_int(a, 32, TSR_SIGNLESS) ||
           (a->kind == TSR_ATTR_FLOAT && tsr_type_is(a->type, TSR_TYPE_FLOAT) &&
            a->type->sub == TSR_F32);
}

bool attr_ok_str_or_index(const tsr_attr *a)
{
    return a->kind == TSR_ATTR_STRING ||
           (a->kind == TSR_ATTR_INT && tsr_type_is(a->type, TSR_TYPE_INDEX));
}
