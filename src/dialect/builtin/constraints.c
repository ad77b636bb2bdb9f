/* SPDX-License-Identifier: Apache-2.0 */
/* constraints.c - the tests of builtin/constraints.def: what a type or an attribute must be beyond its form. */
#include "dialect/builtin/quant.h"
#include "dialect/classes.h"
#include "dialect/hooks.h"

/* ---- Types ---- */

static uint32_t integer_class(const tsr_type *t)
{
    bool hlo = t->width >= 2 && t->width <= 64 && !(t->width & (t->width - 1));
    if (t->sub == TSR_UNSIGNED)
        return !hlo ? C_SIGNED : t->width == 32 ? C_UI32 : C_UI_HLO;
    if (t->sub == TSR_SIGNED)
        return C_SIGNED;
    switch (t->width) {
    case 1: return C_I1;
    case 8: return C_I8;
    case 32: return C_I32;
    case 64: return C_I64;
    default: return hlo ? C_I_HLO : C_I_ODD;
    }
}

static uint32_t float_class(const tsr_type *t)
{
    switch (t->width) {
    case 32: return C_F32;
    case 64: return C_F64;
    default: return t->width <= 16 ? C_F_HLO : C_F_ODD;
    }
}

/* Quantized types that StableHLO accepts: stored in 2 to 32 bits, zero points within the stored range. */
static uint32_t quantized_class(const tsr_type *t)
{
    const tsr_attr *axis = t->params[QUANT_axis], *zero = t->params[QUANT_zero_points];
    uint32_t stored = integer_class(t->params[QUANT_storage]->type);
    if (!(stored & (HLO_INT & ~C_I64)) || t->params[QUANT_storage]->type->width == 64)
        return C_OTHER;
    if (axis && axis->kind != TSR_ATTR_INT)
        return C_OTHER;
    int64_t low = t->params[QUANT_min]->i, high = t->params[QUANT_max]->i;
    for (int64_t i = 0, n = zero ? tsr_attr_count(zero) : 0; i < n; i++) {
        int64_t z = tsr_attr_int_at(zero, (size_t)i);
        if (z < low || z > high)
            return C_OTHER;
    }
    return axis ? C_QA : C_Q;
}

static uint32_t dialect_class(const tsr_type *t)
{
    static const struct {
        const tsr_attrdef *def;
        uint32_t class;
    } defs[] = {
        {&tsr_def_STABLEHLO_TOKEN, C_TOKEN},
        {&tsr_def_STABLEHLO_FUTURE, C_FUTURE},
        {&tsr_def_TESSERA_EFFECT_TOKEN, C_EFFECT_TOKEN},
        {&tsr_def_SHAPE_SHAPE, C_SHAPE},
        {&tsr_def_SHAPE_SIZE, C_SIZE},
        {&tsr_def_SHAPE_WITNESS, C_WITNESS},
        {&tsr_def_SHAPE_VALUE_SHAPE, C_VALUE_SHAPE},
        {&tsr_def_TTCORE_DICT, C_DICT},
        {&tsr_def_TTCORE_TILE, C_F_ODD},
        {&tsr_def_TTNN_DEVICE, (uint32_t)C_TTNN_DEVICE},
    };
    if (t->def == &tsr_def_QUANT_UNIFORM)
        return quantized_class(t);
    for (size_t i = 0; i < TSR_COUNT(defs); i++)
        if (t->def == defs[i].def)
            return defs[i].class;
    return C_OTHER;
}

static uint32_t class_of(const tsr_type *t)
{
    switch (t->kind) {
    case TSR_TYPE_INTEGER: return integer_class(t);
    case TSR_TYPE_FLOAT: return float_class(t);
    case TSR_TYPE_INDEX: return C_INDEX;
    case TSR_TYPE_NONE: return C_NONE;
    case TSR_TYPE_COMPLEX:
        return float_class(t->elem) & (C_F32 | C_F64) && t->elem->kind == TSR_TYPE_FLOAT ? C_C_HLO
                                                                                         : C_C_ODD;
    case TSR_TYPE_TUPLE: return C_TUPLE;
    case TSR_TYPE_FUNCTION: return C_FUNCTION;
    case TSR_TYPE_DIALECT: return dialect_class(t);
    default: return C_OTHER;
    }
}

static uint32_t shape_of(const tsr_type *t)
{
    switch (t->kind) {
    case TSR_TYPE_TENSOR: return S_RANKED;
    case TSR_TYPE_UNRANKED_TENSOR: return S_UNRANKED;
    case TSR_TYPE_VECTOR: return S_VECTOR;
    case TSR_TYPE_MEMREF: return S_MEMREF;
    case TSR_TYPE_UNRANKED_MEMREF: return S_UNRANKED_MEMREF;
    default: return 0;
    }
}

/* One dynamic dimension, and one bound. */
static bool is_bounded_once(const tsr_type *t)
{
    if (!tsr_attr_is_struct(t->attr, &tsr_def_STABLEHLO_BOUNDS) || !t->attr->attrs[0])
        return false;
    const tsr_attr *bounds = t->attr->attrs[0];
    int64_t bounded = 0, dynamic = 0;
    for (int64_t i = 0, n = tsr_attr_count(bounds); i < n; i++)
        bounded += tsr_attr_int_at(bounds, (size_t)i) != TSR_DYNAMIC;
    for (uint32_t i = 0; i < t->n; i++)
        dynamic += t->dims[i] == TSR_DYNAMIC;
    return bounded == 1 && dynamic == 1;
}

/* The number of scales of a type that is quantized per axis must match the size of the axis. */
static bool axis_fits(const tsr_type *t)
{
    int64_t axis = t->elem->params[QUANT_axis]->i;
    return axis >= 0 && axis < t->n &&
           (t->dims[axis] == TSR_DYNAMIC ||
            t->dims[axis] == tsr_attr_count(t->elem->params[QUANT_scales]));
}

static bool rank_fits(uint32_t shapes, const tsr_type *t)
{
    const uint32_t ranks = S_RANK0 | S_RANK1 | S_RANK2;
    if ((shapes & ranks) && (t->n > 2 || !(shapes & ((uint32_t)S_RANK0 << t->n))))
        return false;
    if ((shapes & S_RANK_SOME) && t->n == 0)
        return false;
    if ((shapes & (S_STATIC | S_BOUNDED)) && !tsr_type_has_static_shape(t) &&
        ((shapes & S_STATIC) || !is_bounded_once(t)))
        return false;
    return true;
}

enum { TUPLE_DEPTH = 256 }; /* of nested tuples; deeper ones are rejected */

static bool fits(uint32_t alone, uint32_t shapes, uint32_t elems, const tsr_type *t, int depth)
{
    uint32_t shape = shape_of(t);
    if (shape) {
        uint32_t elem = class_of(t->elem);
        if (!(shape & shapes) || !(elem & elems))
            return false;
        if (shape == S_RANKED && (shapes & ~(uint32_t)S_ALL) && !rank_fits(shapes, t))
            return false;
        /* Rows with quantized elements do not accept buffers of per-axis quantized elements. */
        return elem != C_QA || elems == (uint32_t)EVERYTHING || shape == S_UNRANKED ||
               (shape == S_RANKED && axis_fits(t));
    }
    if (t->kind != TSR_TYPE_TUPLE || (alone & C_TUPLE) || !(alone & C_NESTED))
        return (class_of(t) & alone) != 0;
    shapes |= S_RANKED | S_MEMREF;
    for (uint32_t i = 0; i < t->n; i++)
        if (depth == TUPLE_DEPTH ||
            !fits(C_NESTED | C_TOKEN, shapes, elems, t->types[i], depth + 1))
            return false;
    return true;
}

bool type_ok_row(const tsr_constraint *c, const tsr_type *t)
{
    return fits(c->alone, c->shapes, c->elems, t, 0);
}

/* ---- Attributes ---- */

bool attr_ok_int_nonneg(const tsr_attr *a)
{
    return a->i >= 0;
}

bool attr_ok_int_positive(const tsr_attr *a)
{
    return a->i > 0;
}

bool attr_ok_i8_attr(const tsr_attr *a)
{
    return tsr_type_is_integer(a->type, 8);
}

bool attr_ok_ui32_attr(const tsr_attr *a)
{
    return tsr_type_is(a->type, TSR_TYPE_INTEGER) && a->type->sub == TSR_UNSIGNED &&
           a->type->width == 32;
}

bool attr_ok_ui64_attr(const tsr_attr *a)
{
    return tsr_type_is(a->type, TSR_TYPE_INTEGER) && a->type->sub == TSR_UNSIGNED &&
           a->type->width == 64;
}

bool attr_ok_index_attr(const tsr_attr *a)
{
    return tsr_type_is(a->type, TSR_TYPE_INDEX);
}

static bool each_is(const tsr_attr *a, tsr_attr_kind kind)
{
    for (uint32_t i = 0; i < a->n; i++)
        if (!tsr_attr_is(a->attrs[i], kind))
            return false;
    return true;
}

bool attr_ok_dict_array(const tsr_attr *a)
{
    return each_is(a, TSR_ATTR_DICT);
}

bool attr_ok_str_array(const tsr_attr *a)
{
    return each_is(a, TSR_ATTR_STRING);
}

bool attr_ok_i64_array(const tsr_attr *a)
{
    for (uint32_t i = 0; i < a->n; i++)
        if (!tsr_attr_is(a->attrs[i], TSR_ATTR_INT) || !tsr_type_is_integer(a->attrs[i]->type, 64))
            return false;
    return true;
}

bool attr_ok_i64_array_array(const tsr_attr *a)
{
    for (uint32_t i = 0; i < a->n; i++)
        if (!tsr_attr_is(a->attrs[i], TSR_ATTR_ARRAY) || !attr_ok_i64_array(a->attrs[i]))
            return false;
    return true;
}

bool attr_ok_symbol_array(const tsr_attr *a)
{
    return each_is(a, TSR_ATTR_SYMBOL);
}

bool attr_ok_flat_symbol_array(const tsr_attr *a)
{
    for (uint32_t i = 0; i < a->n; i++)
        if (!tsr_attr_is(a->attrs[i], TSR_ATTR_SYMBOL) || a->attrs[i]->n)
            return false;
    return true;
}

bool attr_ok_flat_symbol_array_array(const tsr_attr *a)
{
    for (uint32_t i = 0; i < a->n; i++)
        if (!tsr_attr_is(a->attrs[i], TSR_ATTR_ARRAY) || !attr_ok_flat_symbol_array(a->attrs[i]))
            return false;
    return true;
}

static const tsr_type *element_type(const tsr_attr *a)
{
    return a->type && tsr_type_is_shaped(a->type) ? a->type->elem : NULL;
}

bool attr_ok_int_elements(const tsr_attr *a)
{
    const tsr_type *t = element_type(a);
    return a->kind == TSR_ATTR_DENSE && t &&
           (t->kind == TSR_TYPE_INTEGER || t->kind == TSR_TYPE_INDEX);
}

bool attr_ok_i32_elements(const tsr_attr *a)
{
    return a->kind == TSR_ATTR_DENSE && tsr_type_is_integer(element_type(a), 32);
}

bool attr_ok_i64_elements(const tsr_attr *a)
{
    return a->kind == TSR_ATTR_DENSE && tsr_type_is_integer(element_type(a), 64);
}

bool attr_ok_index_elements(const tsr_attr *a)
{
    return a->kind == TSR_ATTR_DENSE && tsr_type_is(element_type(a), TSR_TYPE_INDEX);
}

bool attr_ok_typed_attr(const tsr_attr *a)
{
    switch (a->kind) {
    case TSR_ATTR_INT:
    case TSR_ATTR_FLOAT:
    case TSR_ATTR_STRING:
    case TSR_ATTR_DENSE:
    case TSR_ATTR_DENSE_STRING:
    case TSR_ATTR_DENSE_RESOURCE:
    case TSR_ATTR_SPARSE:
    case TSR_ATTR_OPAQUE:
    case TSR_ATTR_STRUCT: return true;
    default: return false;
    }
}

bool attr_ok_cmpi(const tsr_attr *a)
{
    return a->i >= 0 && a->i <= 9;
}

bool attr_ok_cmpf(const tsr_attr *a)
{
    return a->i >= 0 && a->i <= 15;
}

bool attr_ok_roundingmode(const tsr_attr *a)
{
    return a->i >= 0 && a->i <= 4;
}
