/* constraints.c - the tests behind builtin/constraints.def: what a type or an attribute must be beyond its form. */
#include "dialect/hooks.h"

/* ---- Types ---- */

static bool is_float(const tsr_type *t, uint32_t width)
{
    return tsr_type_is(t, TSR_TYPE_FLOAT) && t->width == width;
}

static bool is_tensor(const tsr_type *t)
{
    return t->kind == TSR_TYPE_TENSOR || t->kind == TSR_TYPE_UNRANKED_TENSOR;
}

/* The element of vectors and tensors, for "-like" constraints; any other type is its own. */
static const tsr_type *like_element(const tsr_type *t)
{
    return is_tensor(t) || t->kind == TSR_TYPE_VECTOR ? t->elem : t;
}

static bool is_memref(const tsr_type *t)
{
    return t->kind == TSR_TYPE_MEMREF || t->kind == TSR_TYPE_UNRANKED_MEMREF;
}

static bool is_def(const tsr_type *t, const tsr_attrdef *def)
{
    return t->kind == TSR_TYPE_DIALECT && t->def == def;
}

bool type_ok_none_type(const tsr_type *t)
{
    return t->kind == TSR_TYPE_NONE;
}

bool type_ok_index(const tsr_type *t)
{
    return t->kind == TSR_TYPE_INDEX;
}

bool type_ok_i1(const tsr_type *t)
{
    return tsr_type_is_integer(t, 1);
}

bool type_ok_i8(const tsr_type *t)
{
    return tsr_type_is_integer(t, 8);
}

bool type_ok_i32(const tsr_type *t)
{
    return tsr_type_is_integer(t, 32);
}

bool type_ok_i64(const tsr_type *t)
{
    return tsr_type_is_integer(t, 64);
}

bool type_ok_f32(const tsr_type *t)
{
    return is_float(t, 32);
}

bool type_ok_f64(const tsr_type *t)
{
    return is_float(t, 64);
}

bool type_ok_integer(const tsr_type *t)
{
    return t->kind == TSR_TYPE_INTEGER;
}

bool type_ok_signless_integer(const tsr_type *t)
{
    return t->kind == TSR_TYPE_INTEGER && t->sub == TSR_SIGNLESS;
}

bool type_ok_signless_integer_or_index(const tsr_type *t)
{
    return type_ok_signless_integer(t) || t->kind == TSR_TYPE_INDEX;
}

bool type_ok_float(const tsr_type *t)
{
    return t->kind == TSR_TYPE_FLOAT;
}

bool type_ok_function(const tsr_type *t)
{
    return t->kind == TSR_TYPE_FUNCTION;
}

bool type_ok_tuple(const tsr_type *t)
{
    return t->kind == TSR_TYPE_TUPLE;
}

bool type_ok_shaped(const tsr_type *t)
{
    return tsr_type_is_shaped(t);
}

bool type_ok_tensor(const tsr_type *t)
{
    return is_tensor(t);
}

bool type_ok_ranked_tensor(const tsr_type *t)
{
    return t->kind == TSR_TYPE_TENSOR;
}

bool type_ok_static_tensor(const tsr_type *t)
{
    return t->kind == TSR_TYPE_TENSOR && tsr_type_has_static_shape(t);
}

bool type_ok_unranked_tensor(const tsr_type *t)
{
    return t->kind == TSR_TYPE_UNRANKED_TENSOR;
}

bool type_ok_non0_ranked_tensor(const tsr_type *t)
{
    return t->kind == TSR_TYPE_UNRANKED_TENSOR || (t->kind == TSR_TYPE_TENSOR && t->n > 0);
}

bool type_ok_tensor1d_index(const tsr_type *t)
{
    return t->kind == TSR_TYPE_TENSOR && t->n == 1 && t->elem->kind == TSR_TYPE_INDEX;
}

bool type_ok_tensor1d_int_or_index(const tsr_type *t)
{
    return t->kind == TSR_TYPE_TENSOR && t->n == 1 && type_ok_signless_integer_or_index(t->elem);
}

bool type_ok_tensor_i1(const tsr_type *t)
{
    return is_tensor(t) && tsr_type_is_integer(t->elem, 1);
}

bool type_ok_tensor_i32(const tsr_type *t)
{
    return is_tensor(t) && tsr_type_is_integer(t->elem, 32);
}

bool type_ok_tensor_i64(const tsr_type *t)
{
    return is_tensor(t) && tsr_type_is_integer(t->elem, 64);
}

bool type_ok_tensor_float_or_complex(const tsr_type *t)
{
    return is_tensor(t) && (t->elem->kind == TSR_TYPE_FLOAT || t->elem->kind == TSR_TYPE_COMPLEX);
}

bool type_ok_signless_integer_like(const tsr_type *t)
{
    return type_ok_signless_integer_or_index(like_element(t));
}

bool type_ok_fixed_integer_like(const tsr_type *t)
{
    return type_ok_signless_integer(like_element(t));
}

bool type_ok_float_like(const tsr_type *t)
{
    return type_ok_float(like_element(t));
}

bool type_ok_bool_like(const tsr_type *t)
{
    return type_ok_i1(like_element(t));
}

bool type_ok_integer_or_float_like(const tsr_type *t)
{
    return type_ok_signless_integer_like(t) || type_ok_float_like(t);
}

bool type_ok_index_cast_like(const tsr_type *t)
{
    return type_ok_signless_integer_or_index(is_memref(t) ? t->elem : like_element(t));
}

bool type_ok_bitcast_like(const tsr_type *t)
{
    return type_ok_integer_or_float_like(is_memref(t) ? t->elem : t);
}

bool type_ok_shape_shape(const tsr_type *t)
{
    return is_def(t, &tsr_def_SHAPE_SHAPE);
}

bool type_ok_shape_size(const tsr_type *t)
{
    return is_def(t, &tsr_def_SHAPE_SIZE);
}

bool type_ok_shape_witness(const tsr_type *t)
{
    return is_def(t, &tsr_def_SHAPE_WITNESS);
}

bool type_ok_shape_value_shape(const tsr_type *t)
{
    return is_def(t, &tsr_def_SHAPE_VALUE_SHAPE);
}

bool type_ok_shape_or_extents(const tsr_type *t)
{
    return type_ok_shape_shape(t) || type_ok_tensor1d_index(t);
}

bool type_ok_size_or_index(const tsr_type *t)
{
    return type_ok_shape_size(t) || type_ok_index(t);
}

bool type_ok_shape_or_size(const tsr_type *t)
{
    return type_ok_shape_shape(t) || type_ok_shape_size(t);
}

bool type_ok_shape_or_size_any(const tsr_type *t)
{
    return type_ok_shape_or_size(t) || type_ok_index(t) || type_ok_tensor1d_index(t);
}

bool type_ok_shaped_or_value_shape(const tsr_type *t)
{
    return tsr_type_is_shaped(t) || is_def(t, &tsr_def_SHAPE_VALUE_SHAPE);
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
