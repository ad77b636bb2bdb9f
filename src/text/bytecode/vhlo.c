/* SPDX-License-Identifier: Apache-2.0 */
/* vhlo.c - encodings of VHLO's attributes and types. They never change: they read files of any version. */
#include "dialect/vhlo/vhlo.h"
#include "text/bytecode/fields.h"

/* ---- Attributes ---- */

BC_STRUCT(VHLO_ARRAY_V1, {BC_LIST, NULL})
BC_ENUM(VHLO_COMPARISON_DIRECTION_V1)
BC_ENUM(VHLO_COMPARISON_TYPE_V1)
BC_ENUM(VHLO_API_VERSION_V1)
BC_ENUM(VHLO_FFT_TYPE_V1)
BC_ENUM(VHLO_PRECISION_V1)
BC_ENUM(VHLO_RNG_ALGORITHM_V1)
BC_ENUM(VHLO_TRANSPOSE_ATTR_V1)
BC_ENUM(VHLO_RESULT_ACCURACY_MODE_V1)
BC_STRUCT(VHLO_OUTPUT_OPERAND_ALIAS_V1, {BC_NUMBERS, NULL}, {BC_NUMBER, NULL}, {BC_NUMBERS, NULL})
BC_STRUCT(VHLO_STRING_V1, {BC_STRING, NULL})
BC_STRUCT(VHLO_TYPE_EXTENSIONS_V1, {BC_NUMBERS, NULL})
BC_STRUCT(VHLO_RESULT_ACCURACY_V1, {BC_F64, NULL}, {BC_F64, NULL}, {BC_NUMBER, NULL},
          {BC_ATTR, &tsr_def_VHLO_RESULT_ACCURACY_MODE_V1})
BC_STRUCT(VHLO_SUB_AXIS_INFO_V1, {BC_NUMBER, NULL}, {BC_NUMBER, NULL})
BC_STRUCT(VHLO_REPLICA_GROUP_MESH_AXES_V1, {BC_ATTR, NULL}, {BC_ATTR, NULL})
BC_STRUCT(VHLO_MESH_AXIS_V1, {BC_ATTR, NULL}, {BC_NUMBER, NULL})

static bool make(tsr_bc *b, const tsr_attrdef *def, tsr_attr *const *params, tsr_attr **attr)
{
    if (tsr_bc_reading(b))
        *attr = tsr_attr_struct(b->ctx, def, params);
    return true;
}

/* The numbers start at 1. */
static bool code_VHLO_RNG_DISTRIBUTION_V1(tsr_bc *b, tsr_attr **attr)
{
    uint64_t v = tsr_bc_reading(b) ? 0 : (uint64_t)(*attr)->i + 1;
    TSR_TRY(tsr_bc_enum(b, &v, 3));
    if (!tsr_bc_reading(b))
        return true;
    if (!v)
        return tsr_bc_error(b, "unknown distribution 0");
    *attr = tsr_attr_enum(b->ctx, &tsr_def_VHLO_RNG_DISTRIBUTION_V1, (int64_t)v - 1);
    return true;
}

static bool code_VHLO_BOOL_ATTR_V1(tsr_bc *b, tsr_attr **attr)
{
    uint64_t v = tsr_bc_reading(b) ? 0 : (uint64_t)((*attr)->attrs[0]->i != 0);
    TSR_TRY(tsr_bc_enum(b, &v, 2));
    tsr_attr *value = tsr_bc_reading(b) ? tsr_attr_bool(b->ctx, v != 0) : NULL;
    return make(b, &tsr_def_VHLO_BOOL_ATTR_V1, &value, attr);
}

/* The number of pairs, then keys and values. */
static bool code_VHLO_DICT_V1(tsr_bc *b, tsr_attr **attr)
{
    size_t n = tsr_bc_reading(b) ? 0 : (*attr)->attrs[0]->n / 2;
    TSR_TRY(tsr_bc_count(b, &n));
    tsr_attr **list = tsr_bc_reading(b) ? tsr_arena_zalloc(b->scratch, (2 * n + 1) * sizeof *list)
                                        : (*attr)->attrs[0]->attrs;
    for (size_t i = 0; i < 2 * n; i++) {
        TSR_TRY(tsr_bc_attr(b, &list[i]));
        if (tsr_bc_reading(b) && i % 2 == 0 && !tsr_attr_is_vhlo(list[i]))
            return tsr_bc_error(b, "has a dictionary with a key that is no VHLO attribute");
    }
    tsr_attr *array = tsr_bc_reading(b) ? tsr_attr_array(b->ctx, list, 2 * n) : NULL;
    return make(b, &tsr_def_VHLO_DICT_V1, &array, attr);
}

/* A VHLO type; meant: the type that it represents. */
static bool stable_type(tsr_bc *b, tsr_type *inside, tsr_type **meant)
{
    tsr_type *t = tsr_bc_reading(b) ? NULL : tsr_vhlo_type(b->ctx, inside);
    TSR_TRY(tsr_bc_type(b, &t));
    *meant = inside;
    if (!tsr_bc_reading(b))
        return true;
    *meant = tsr_type_is_vhlo(t) ? tsr_vhlo_type_meant(b->ctx, t) : NULL;
    return *meant || tsr_bc_error(b, "has a value whose type is no VHLO type");
}

static bool code_VHLO_FLOAT_V1(tsr_bc *b, tsr_attr **attr)
{
    tsr_attr *value = tsr_bc_reading(b) ? NULL : (*attr)->attrs[0];
    tsr_type *type;
    return stable_type(b, value ? value->type : NULL, &type) &&
           tsr_bc_float_attr(b, type, &value) && make(b, &tsr_def_VHLO_FLOAT_V1, &value, attr);
}

static bool code_VHLO_INTEGER_V1(tsr_bc *b, tsr_attr **attr)
{
    tsr_attr *value = tsr_bc_reading(b) ? NULL : (*attr)->attrs[0];
    tsr_type *type;
    return stable_type(b, value ? value->type : NULL, &type) && tsr_bc_int_attr(b, type, &value) &&
           make(b, &tsr_def_VHLO_INTEGER_V1, &value, attr);
}

/* A single boolean is a bit, several equal ones a byte of ones or zeros. */
static void write_elements(tsr_bc *b, const tsr_attr *dense)
{
    char bit = dense->s.len && dense->s.data[0];
    tsr_str data = {&bit, 1};
    if (tsr_type_is_integer(dense->type->elem, 1) && tsr_attr_count(dense) == 1)
        tsr_bc_blob(b, &data);
    else
        tsr_bc_write_dense(b, dense);
}

static bool code_VHLO_TENSOR_ATTR_V1(tsr_bc *b, tsr_attr **attr)
{
    tsr_attr *dense = tsr_bc_reading(b) ? NULL : (*attr)->attrs[0];
    tsr_type *type;
    tsr_str data;
    TSR_TRY(stable_type(b, dense ? dense->type : NULL, &type));
    if (!tsr_bc_reading(b)) {
        write_elements(b, dense);
        return true;
    }
    TSR_TRY(tsr_bc_blob(b, &data));
    if (type->kind != TSR_TYPE_TENSOR)
        return tsr_bc_error(b, "has elements whose type is no tensor");
    dense = tsr_bc_read_dense(b, type, data);
    return dense && make(b, &tsr_def_VHLO_TENSOR_ATTR_V1, &dense, attr);
}

static bool code_VHLO_AXIS_REF_V1(tsr_bc *b, tsr_attr **attr)
{
    tsr_attr *params[2] = {0};
    uint64_t has;
    if (!tsr_bc_reading(b))
        memcpy(params, (*attr)->attrs, sizeof params);
    has = params[1] != NULL;
    return tsr_bc_attr(b, &params[0]) && tsr_bc_enum(b, &has, 2) &&
           (!has || tsr_bc_attr(b, &params[1])) && make(b, &tsr_def_VHLO_AXIS_REF_V1, params, attr);
}

static bool code_VHLO_MESH_V1(tsr_bc *b, tsr_attr **attr)
{
    tsr_attr *params[2] = {0};
    if (!tsr_bc_reading(b))
        memcpy(params, (*attr)->attrs, sizeof params);
    return tsr_bc_attr(b, &params[0]) && tsr_bc_optional_attr(b, &params[1]) &&
           make(b, &tsr_def_VHLO_MESH_V1, params, attr);
}

/* A VHLO type as parameter. */
static bool type_param(tsr_bc *b, tsr_attr **param)
{
    tsr_type *t = tsr_bc_reading(b) ? NULL : (*param)->type;
    TSR_TRY(tsr_bc_type(b, &t));
    if (!tsr_bc_reading(b))
        return true;
    *param = tsr_attr_type(b->ctx, t);
    return tsr_type_is_vhlo(t) || tsr_bc_error(b, "has a part whose type is no VHLO type");
}

static bool code_VHLO_TYPE_V1(tsr_bc *b, tsr_attr **attr)
{
    tsr_attr *type = tsr_bc_reading(b) ? NULL : (*attr)->attrs[0];
    return type_param(b, &type) && make(b, &tsr_def_VHLO_TYPE_V1, &type, attr);
}

/* clang-format off */
/* The attributes with their codes; 0 is no longer used. */
#define ATTRS(ATTR)                              \
    ATTR(1, VHLO_ARRAY_V1)                       \
    ATTR(2, VHLO_BOOL_ATTR_V1)                   \
    ATTR(3, VHLO_COMPARISON_DIRECTION_V1)        \
    ATTR(4, VHLO_COMPARISON_TYPE_V1)             \
    ATTR(5, VHLO_API_VERSION_V1)                 \
    ATTR(6, VHLO_DICT_V1)                        \
    ATTR(7, VHLO_FFT_TYPE_V1)                    \
    ATTR(8, VHLO_FLOAT_V1)                       \
    ATTR(9, VHLO_INTEGER_V1)                     \
    ATTR(10, VHLO_OUTPUT_OPERAND_ALIAS_V1)       \
    ATTR(11, VHLO_PRECISION_V1)                  \
    ATTR(12, VHLO_RNG_ALGORITHM_V1)              \
    ATTR(13, VHLO_RNG_DISTRIBUTION_V1)           \
    ATTR(14, VHLO_STRING_V1)                     \
    ATTR(15, VHLO_TENSOR_ATTR_V1)                \
    ATTR(16, VHLO_TRANSPOSE_ATTR_V1)             \
    ATTR(17, VHLO_TYPE_V1)                       \
    ATTR(18, VHLO_TYPE_EXTENSIONS_V1)            \
    ATTR(19, VHLO_RESULT_ACCURACY_MODE_V1)       \
    ATTR(20, VHLO_RESULT_ACCURACY_V1)            \
    ATTR(21, VHLO_SUB_AXIS_INFO_V1)              \
    ATTR(22, VHLO_AXIS_REF_V1)                   \
    ATTR(23, VHLO_REPLICA_GROUP_MESH_AXES_V1)    \
    ATTR(24, VHLO_MESH_AXIS_V1)                  \
    ATTR(25, VHLO_MESH_V1)
/* clang-format on */

static tsr_bc_attr_codec *const attr_codecs[] = {ATTRS(BC_CODEC)};
static const tsr_attrdef *const attr_defs[] = {ATTRS(BC_DEF)};

static int attr_code(const tsr_bc *b, const tsr_attr *a)
{
    (void)b;
    return bc_code_of(attr_defs, TSR_COUNT(attr_defs), a->def);
}

/* ---- Types ---- */

static void params_of(const tsr_bc *b, tsr_type *const *type, tsr_attr **params)
{
    if (!tsr_bc_reading(b))
        memcpy(params, (*type)->params, (*type)->def->nparam * sizeof *params);
}

static bool make_type(tsr_bc *b, const tsr_attrdef *def, tsr_attr *const *params, tsr_type **type)
{
    if (tsr_bc_reading(b))
        *type = tsr_type_dialect(b->ctx, def, params);
    return true;
}

/* The types of a list are VHLO's. */
static bool types_param(tsr_bc *b, tsr_attr **param)
{
    static const bc_field field = {BC_TYPES, NULL};
    TSR_TRY(bc_field_code(b, &field, param));
    for (uint32_t i = 0; tsr_bc_reading(b) && i < (*param)->n; i++)
        if (!tsr_type_is_vhlo((*param)->attrs[i]->type))
            return tsr_bc_error(b, "has a list with a type that is no VHLO type");
    return true;
}

static bool code_complex(tsr_bc *b, tsr_type **type)
{
    tsr_attr *params[1] = {0};
    params_of(b, type, params);
    return type_param(b, &params[0]) && make_type(b, &tsr_def_VHLO_COMPLEX_TYPE_V1, params, type);
}

static bool code_unranked(tsr_bc *b, tsr_type **type)
{
    tsr_attr *params[1] = {0};
    params_of(b, type, params);
    return type_param(b, &params[0]) &&
           make_type(b, &tsr_def_VHLO_UNRANKED_TENSOR_V1, params, type);
}

static bool code_function(tsr_bc *b, tsr_type **type)
{
    tsr_attr *params[2] = {0};
    params_of(b, type, params);
    return types_param(b, &params[0]) && types_param(b, &params[1]) &&
           make_type(b, &tsr_def_VHLO_FUNC_TYPE_V1, params, type);
}

static bool code_tuple(tsr_bc *b, tsr_type **type)
{
    tsr_attr *params[1] = {0};
    params_of(b, type, params);
    return types_param(b, &params[0]) && make_type(b, &tsr_def_VHLO_TUPLE_TYPE_V1, params, type);
}

static bool code_future(tsr_bc *b, tsr_type **type)
{
    tsr_attr *params[1] = {0};
    params_of(b, type, params);
    return types_param(b, &params[0]) && make_type(b, &tsr_def_VHLO_FUTURE_V1, params, type);
}

/* Sizes, or TSR_DYNAMIC. */
static bool shape_param(tsr_bc *b, tsr_attr **param)
{
    TSR_TRY(tsr_bc_i64s(b, param));
    for (int64_t i = 0; tsr_bc_reading(b) && i < tsr_attr_count(*param); i++) {
        int64_t size = tsr_attr_int_at(*param, (size_t)i);
        if (size < 0 && size != TSR_DYNAMIC)
            return tsr_bc_error(b, "has a dimension of size %lld", (long long)size);
    }
    return true;
}

static bool code_tensor(tsr_bc *b, tsr_type **type)
{
    tsr_attr *params[3] = {0};
    params_of(b, type, params);
    return shape_param(b, &params[0]) && type_param(b, &params[1]) &&
           make_type(b, &tsr_def_VHLO_TENSOR_V1, params, type);
}

static bool code_encoded(tsr_bc *b, tsr_type **type)
{
    tsr_attr *params[3] = {0};
    params_of(b, type, params);
    TSR_TRY(tsr_bc_attr(b, &params[2]));
    if (tsr_bc_reading(b) && !tsr_attr_is_vhlo(params[2]))
        return tsr_bc_error(b, "has a tensor whose encoding is no VHLO attribute");
    return shape_param(b, &params[0]) && type_param(b, &params[1]) &&
           make_type(b, &tsr_def_VHLO_TENSOR_V1, params, type);
}

static bool code_buffer(tsr_bc *b, tsr_type **type)
{
    tsr_attr *params[2] = {0};
    params_of(b, type, params);
    return shape_param(b, &params[0]) && type_param(b, &params[1]) &&
           make_type(b, &tsr_def_VHLO_BUFFER_V1, params, type);
}

/* A varint that is not negative and fits an i64. */
static bool count_param(tsr_bc *b, tsr_attr **param)
{
    uint64_t v = tsr_bc_reading(b) ? 0 : (uint64_t)(*param)->i;
    TSR_TRY(tsr_bc_varint(b, &v));
    if (!tsr_bc_reading(b))
        return true;
    *param = tsr_attr_i64(b->ctx, (int64_t)v);
    return v <= INT32_MAX ||
           tsr_bc_error(b, "has a quantized type with a number that is too large");
}

static const bc_field number = {BC_NUMBER, NULL}, f64 = {BC_F64, NULL},
                      numbers = {BC_NUMBERS, NULL};

static bool code_quant(tsr_bc *b, tsr_type **type)
{
    tsr_attr *p[7] = {0};
    params_of(b, type, p);
    return count_param(b, &p[VHLO_QUANT_flags]) && type_param(b, &p[VHLO_QUANT_storage]) &&
           type_param(b, &p[VHLO_QUANT_expressed]) &&
           bc_field_code(b, &f64, &p[VHLO_QUANT_scale]) &&
           bc_field_code(b, &number, &p[VHLO_QUANT_zero_point]) &&
           bc_field_code(b, &number, &p[VHLO_QUANT_min]) &&
           bc_field_code(b, &number, &p[VHLO_QUANT_max]) &&
           make_type(b, &tsr_def_VHLO_QUANT_V1, p, type);
}

/* array<f64> as a list of bit patterns. */
static bool scales_param(tsr_bc *b, tsr_attr **param)
{
    size_t n = tsr_bc_reading(b) ? 0 : (size_t)tsr_attr_count(*param);
    TSR_TRY(tsr_bc_count(b, &n));
    uint64_t *bits = tsr_bc_reading(b) ? tsr_arena_alloc(b->scratch, (n + 1) * sizeof *bits) : NULL,
             one;
    for (size_t i = 0; i < n; i++) {
        if (!bits)
            memcpy(&one, (*param)->s.data + 8 * i, 8);
        TSR_TRY(tsr_bc_bits(b, 64, bits ? &bits[i] : &one));
    }
    if (bits)
        *param = tsr_attr_dense_array(b->ctx, tsr_type_float(b->ctx, TSR_F64), bits, n);
    return true;
}

static bool code_per_axis(tsr_bc *b, tsr_type **type)
{
    tsr_attr *p[8] = {0};
    params_of(b, type, p);
    return count_param(b, &p[VHLO_PER_AXIS_flags]) && type_param(b, &p[VHLO_PER_AXIS_storage]) &&
           type_param(b, &p[VHLO_PER_AXIS_expressed]) && count_param(b, &p[VHLO_PER_AXIS_axis]) &&
           bc_field_code(b, &number, &p[VHLO_PER_AXIS_min]) &&
           bc_field_code(b, &number, &p[VHLO_PER_AXIS_max]) &&
           scales_param(b, &p[VHLO_PER_AXIS_scales]) &&
           bc_field_code(b, &numbers, &p[VHLO_PER_AXIS_zero_points]) &&
           make_type(b, &tsr_def_VHLO_QUANT_PER_AXIS_V1, p, type);
}

/* clang-format off */
/* Types without parameters. */
#define PLAINS(TYPE)               \
    TYPE(0, VHLO_BOOL_V1)          \
    TYPE(2, VHLO_BF16_V1)          \
    TYPE(3, VHLO_F16_V1)           \
    TYPE(4, VHLO_F32_V1)           \
    TYPE(5, VHLO_F64_V1)           \
    TYPE(6, VHLO_F8E4M3FN_V1)      \
    TYPE(7, VHLO_F8E5M2_V1)        \
    TYPE(9, VHLO_INDEX_V1)         \
    TYPE(10, VHLO_I4_V1)           \
    TYPE(11, VHLO_I8_V1)           \
    TYPE(12, VHLO_I16_V1)          \
    TYPE(13, VHLO_I32_V1)          \
    TYPE(14, VHLO_I64_V1)          \
    TYPE(15, VHLO_UI4_V1)          \
    TYPE(16, VHLO_UI8_V1)          \
    TYPE(17, VHLO_UI16_V1)         \
    TYPE(18, VHLO_UI32_V1)         \
    TYPE(19, VHLO_UI64_V1)         \
    TYPE(22, VHLO_TOKEN_V1)        \
    TYPE(26, VHLO_WITNESS_V1)      \
    TYPE(27, VHLO_F8E4M3FNUZ_V1)   \
    TYPE(28, VHLO_F8E5M2FNUZ_V1)   \
    TYPE(29, VHLO_F8E4M3B11FNUZ_V1) \
    TYPE(31, VHLO_I2_V1)           \
    TYPE(32, VHLO_UI2_V1)          \
    TYPE(33, VHLO_NONE_V1)         \
    TYPE(34, VHLO_TF32_V1)         \
    TYPE(35, VHLO_F8E4M3_V1)       \
    TYPE(36, VHLO_F8E3M4_V1)       \
    TYPE(37, VHLO_F4E2M1FN_V1)     \
    TYPE(38, VHLO_F6E2M3FN_V1)     \
    TYPE(39, VHLO_F6E3M2FN_V1)     \
    TYPE(40, VHLO_F8E8M0FNU_V1)
/* The others, each with its codec. */
#define HOLDERS(TYPE)                                  \
    TYPE(1, VHLO_COMPLEX_TYPE_V1, code_complex)        \
    TYPE(8, VHLO_FUNC_TYPE_V1, code_function)          \
    TYPE(20, VHLO_TENSOR_V1, code_tensor)              \
    TYPE(23, VHLO_TUPLE_TYPE_V1, code_tuple)           \
    TYPE(24, VHLO_QUANT_V1, code_quant)                \
    TYPE(25, VHLO_UNRANKED_TENSOR_V1, code_unranked)   \
    TYPE(30, VHLO_QUANT_PER_AXIS_V1, code_per_axis)    \
    TYPE(41, VHLO_BUFFER_V1, code_buffer)              \
    TYPE(42, VHLO_FUTURE_V1, code_future)
/* clang-format on */
enum { TENSOR_ENCODED = 21 };

#define TYPE(code, id)                                  \
    static bool code_##id(tsr_bc *b, tsr_type **type)   \
    {                                                   \
        return make_type(b, &tsr_def_##id, NULL, type); \
    }
PLAINS(TYPE)
#undef TYPE

static tsr_bc_type_codec *const type_codecs[] = {
#define TYPE(code, id) [code] = code_##id,
    PLAINS(TYPE)
#undef TYPE
#define TYPE(code, id, codec) [code] = codec,
        HOLDERS(TYPE)
#undef TYPE
            [TENSOR_ENCODED] = code_encoded,
};
static const tsr_attrdef *const type_defs[] = {
#define TYPE(code, id) [code] = &tsr_def_##id,
    PLAINS(TYPE)
#undef TYPE
#define TYPE(code, id, codec) [code] = &tsr_def_##id,
        HOLDERS(TYPE)
#undef TYPE
};

static int type_code(const tsr_bc *b, const tsr_type *t)
{
    (void)b;
    if (t->def == &tsr_def_VHLO_TENSOR_V1 && t->params[2])
        return TENSOR_ENCODED;
    for (size_t i = 0; i < TSR_COUNT(type_defs); i++)
        if (type_defs[i] && t->def == type_defs[i])
            return (int)i;
    return -1;
}

const tsr_bc_dialect tsr_bc_vhlo = {.name = "vhlo",
                                    .attrs = attr_codecs,
                                    .types = type_codecs,
                                    .nattr = TSR_COUNT(attr_codecs),
                                    .ntype = TSR_COUNT(type_codecs),
                                    .attr_code = attr_code,
                                    .type_code = type_code};
