/* SPDX-License-Identifier: Apache-2.0 */
/* stablehlo.c - encodings of StableHLO's attributes and types; CHLO's two are in
 * bytecode/chlo.c. */
#include "dialect/stablehlo/rules.h"
#include "dialect/stablehlo/stablehlo.h"
#include "text/bytecode/fields.h"

BC_STRUCT(STABLEHLO_CHANNEL_HANDLE, {BC_NUMBER, NULL}, {BC_NUMBER, NULL})
BC_ENUM(STABLEHLO_COMPARISON_DIRECTION)
BC_ENUM(STABLEHLO_COMPARISON_TYPE)
BC_STRUCT(STABLEHLO_CONV, {BC_NUMBER, NULL}, {BC_NUMBER, NULL}, {BC_NUMBERS, NULL},
          {BC_NUMBER, NULL}, {BC_NUMBER, NULL}, {BC_NUMBERS, NULL}, {BC_NUMBER, NULL},
          {BC_NUMBER, NULL}, {BC_NUMBERS, NULL})
BC_STRUCT(STABLEHLO_DOT, {BC_NUMBERS, NULL}, {BC_NUMBERS, NULL}, {BC_NUMBERS, NULL},
          {BC_NUMBERS, NULL})
BC_ENUM(STABLEHLO_FFT_TYPE)
BC_STRUCT(STABLEHLO_GATHER, {BC_NUMBERS, NULL}, {BC_NUMBERS, NULL}, {BC_NUMBERS, NULL},
          {BC_NUMBERS, NULL}, {BC_NUMBERS, NULL}, {BC_NUMBER, NULL})
BC_ENUM(STABLEHLO_PRECISION)
BC_ENUM(STABLEHLO_RNG_ALGORITHM)

/* The numbers start at 1. */
static bool code_STABLEHLO_RNG_DISTRIBUTION(tsr_bc *b, tsr_attr **attr)
{
    uint64_t v = tsr_bc_reading(b) ? 0 : (uint64_t)(*attr)->i + 1;
    TSR_TRY(tsr_bc_enum(b, &v, 3));
    if (!tsr_bc_reading(b))
        return true;
    if (!v)
        return tsr_bc_error(b, "has the unknown distribution 0");
    *attr = tsr_attr_enum(b->ctx, &tsr_def_STABLEHLO_RNG_DISTRIBUTION, (int64_t)v - 1);
    return true;
}

BC_STRUCT(STABLEHLO_SCATTER, {BC_NUMBERS, NULL}, {BC_NUMBERS, NULL}, {BC_NUMBERS, NULL},
          {BC_NUMBERS, NULL}, {BC_NUMBERS, NULL}, {BC_NUMBER, NULL})
BC_ENUM(STABLEHLO_TRANSPOSE)
BC_STRUCT(STABLEHLO_BOUNDS, {BC_NUMBERS, NULL})
BC_STRUCT(STABLEHLO_OUTPUT_OPERAND_ALIAS, {BC_NUMBERS, NULL}, {BC_NUMBER, NULL}, {BC_NUMBERS, NULL})
BC_STRUCT_OK(STABLEHLO_DOT_ALGORITHM, tsr_hlo_dot_algorithm_ok, {BC_TYPE, NULL}, {BC_TYPE, NULL},
             {BC_TYPE, NULL}, {BC_NUMBER, NULL}, {BC_NUMBER, NULL}, {BC_NUMBER, NULL},
             {BC_BOOL, NULL})
BC_ENUM(STABLEHLO_RESULT_ACCURACY_MODE)
BC_STRUCT_OK(STABLEHLO_RESULT_ACCURACY, tsr_hlo_accuracy_ok, {BC_F64, NULL}, {BC_F64, NULL},
             {BC_NUMBER, NULL}, {BC_ATTR, &tsr_def_STABLEHLO_RESULT_ACCURACY_MODE})
BC_STRUCT_OK(STABLEHLO_REPLICA_GROUP_MESH_AXES, tsr_hlo_verify_mesh_axes, {BC_ATTR, NULL},
             {BC_LIST, NULL})
BC_STRUCT(STABLEHLO_SUB_AXIS_INFO, {BC_NUMBER, NULL}, {BC_NUMBER, NULL})
BC_STRUCT(STABLEHLO_AXIS_REF, {BC_STRING, NULL}, {BC_MAYBE_BYTE, &tsr_def_STABLEHLO_SUB_AXIS_INFO})
BC_STRUCT(STABLEHLO_MESH_AXIS, {BC_STRING, NULL}, {BC_NUMBER, NULL})
BC_STRUCT(STABLEHLO_MESH, {BC_ARRAY, &tsr_def_STABLEHLO_MESH_AXIS}, {BC_MAYBE_BYTE, NULL})

/* The attributes with their codes; 0 was never used. */
/* clang-format off */
#define ATTRS(ATTR)                          \
    ATTR(1, STABLEHLO_CHANNEL_HANDLE)        \
    ATTR(2, STABLEHLO_COMPARISON_DIRECTION)  \
    ATTR(3, STABLEHLO_COMPARISON_TYPE)       \
    ATTR(4, STABLEHLO_CONV)                  \
    ATTR(5, STABLEHLO_DOT)                   \
    ATTR(6, STABLEHLO_FFT_TYPE)              \
    ATTR(7, STABLEHLO_GATHER)                \
    ATTR(8, STABLEHLO_PRECISION)             \
    ATTR(9, STABLEHLO_RNG_ALGORITHM)         \
    ATTR(10, STABLEHLO_RNG_DISTRIBUTION)     \
    ATTR(11, STABLEHLO_SCATTER)              \
    ATTR(12, STABLEHLO_TRANSPOSE)            \
    ATTR(13, STABLEHLO_BOUNDS)               \
    ATTR(14, STABLEHLO_OUTPUT_OPERAND_ALIAS) \
    ATTR(15, STABLEHLO_DOT_ALGORITHM)        \
    ATTR(16, STABLEHLO_RESULT_ACCURACY_MODE) \
    ATTR(17, STABLEHLO_RESULT_ACCURACY)      \
    ATTR(18, STABLEHLO_REPLICA_GROUP_MESH_AXES) \
    ATTR(19, STABLEHLO_SUB_AXIS_INFO)        \
    ATTR(20, STABLEHLO_AXIS_REF)             \
    ATTR(21, STABLEHLO_MESH_AXIS)            \
    ATTR(22, STABLEHLO_MESH)
/* clang-format on */

static tsr_bc_attr_codec *const attr_codecs[] = {ATTRS(BC_CODEC)};
static const tsr_attrdef *const attr_defs[] = {ATTRS(BC_DEF)};

static int attr_code(const tsr_bc *b, const tsr_attr *a)
{
    (void)b;
    return bc_code_of(attr_defs, TSR_COUNT(attr_defs), a->def);
}

/* ---- Types ---- */

enum { TYPE_TOKEN, TYPE_FUTURE };

static bool code_token(tsr_bc *b, tsr_type **type)
{
    if (tsr_bc_reading(b))
        *type = tsr_type_dialect(b->ctx, &tsr_def_STABLEHLO_TOKEN, NULL);
    return true;
}

static bool code_future(tsr_bc *b, tsr_type **type)
{
    static const bc_field field = {BC_TYPES, NULL};
    tsr_attr *types = tsr_bc_reading(b) ? NULL : (*type)->params[0];
    TSR_TRY(bc_field_code(b, &field, &types));
    if (!tsr_bc_reading(b))
        return true;
    if (!tsr_hlo_future_ok(b->ctx, TSR_LOC_UNKNOWN, types))
        return tsr_bc_error(b, "has a bad !stablehlo.future");
    *type = tsr_type_dialect(b->ctx, &tsr_def_STABLEHLO_FUTURE, &types);
    return true;
}

static tsr_bc_type_codec *const type_codecs[] = {
    [TYPE_TOKEN] = code_token, [TYPE_FUTURE] = code_future};

static int type_code(const tsr_bc *b, const tsr_type *t)
{
    (void)b;
    return t->def == &tsr_def_STABLEHLO_TOKEN    ? TYPE_TOKEN
           : t->def == &tsr_def_STABLEHLO_FUTURE ? TYPE_FUTURE
                                                 : -1;
}

/* major, minor, patch */
static bool read_version(tsr_bc *b, tsr_bc_version *v)
{
    return tsr_bc_u32(b, &v->major) && tsr_bc_u32(b, &v->minor) && tsr_bc_u32(b, &v->patch);
}

const tsr_bc_dialect tsr_bc_stablehlo = {.name = "stablehlo",
                                         .attrs = attr_codecs,
                                         .types = type_codecs,
                                         .nattr = TSR_COUNT(attr_codecs),
                                         .ntype = TSR_COUNT(type_codecs),
                                         .attr_code = attr_code,
                                         .type_code = type_code,
                                         .read_version = read_version};
