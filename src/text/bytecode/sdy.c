/* SPDX-License-Identifier: Apache-2.0 */
/* sdy.c - encodings of the sdy dialect's attributes. Records of a propagation are text.
 *
 * A sharding has three forms: without unreduced axes, with unreduced axes that are summed, and with another
 * reduction. */
#include "dialect/sdy/axes.h"
#include "text/bytecode/fields.h"

static bool axis_ok(tsr_ctx *ctx, tsr_loc loc, tsr_attr *const *params)
{
    int64_t size = params[SDY_MESH_AXIS_size]->i;
    return size > 0 ||
           tsr_error(ctx, loc, "axis size must be at least 1, got: %lld", (long long)size);
}

static bool factors_ok(tsr_ctx *ctx, tsr_loc loc, tsr_attr *const *params)
{
    for (int64_t i = 0; i < tsr_attr_count(params[0]); i++)
        if (tsr_attr_int_at(params[0], (size_t)i) < 0)
            return tsr_error(ctx, loc, "factor index is negative: %lld",
                             (long long)tsr_attr_int_at(params[0], (size_t)i));
    return true;
}

BC_STRUCT(SDY_MANUAL_AXES, {BC_STRINGS, NULL})
BC_STRUCT_OK(SDY_MESH_AXIS, axis_ok, {BC_STRING, NULL}, {BC_NUMBER, NULL})
BC_STRUCT(SDY_SUB_AXIS_INFO, {BC_NUMBER, NULL}, {BC_NUMBER, NULL})
BC_STRUCT(SDY_AXIS_REF, {BC_STRING, NULL}, {BC_MAYBE, &tsr_def_SDY_SUB_AXIS_INFO})
BC_STRUCT(SDY_DIMENSION_SHARDING, {BC_LIST, &tsr_def_SDY_AXIS_REF}, {BC_BOOL, NULL},
          {BC_PRIORITY, NULL})
BC_STRUCT_OK(SDY_DIM_MAPPING, factors_ok, {BC_NUMBERS, NULL})
BC_STRUCT(SDY_TENSOR_MAPPING, {BC_LIST, &tsr_def_SDY_DIM_MAPPING})
BC_STRUCT(SDY_OP_SHARDING_RULE, {BC_NUMBERS, NULL}, {BC_LIST, &tsr_def_SDY_TENSOR_MAPPING},
          {BC_LIST, &tsr_def_SDY_TENSOR_MAPPING}, {BC_NUMBERS, NULL}, {BC_NUMBERS, NULL},
          {BC_NUMBERS, NULL}, {BC_NUMBERS, NULL}, {BC_UNIT, NULL})
BC_STRUCT(SDY_AXIS_REF_LIST, {BC_LIST, &tsr_def_SDY_AXIS_REF})
BC_STRUCT(SDY_LIST_OF_AXIS_REF_LISTS, {BC_LIST, &tsr_def_SDY_AXIS_REF_LIST})
BC_STRUCT(SDY_ALL_TO_ALL_PARAM, {BC_LIST, &tsr_def_SDY_AXIS_REF}, {BC_NUMBER, NULL},
          {BC_NUMBER, NULL})
BC_STRUCT(SDY_ALL_TO_ALL_PARAM_LIST, {BC_LIST, &tsr_def_SDY_ALL_TO_ALL_PARAM})
BC_STRUCT(SDY_SHARDING_PER_VALUE, {BC_LIST, &tsr_def_SDY_SHARDING})

static bool code_mesh(tsr_bc *b, tsr_attr **attr)
{
    static const bc_field axes_field = {BC_LIST, &tsr_def_SDY_MESH_AXIS},
                          ids_field = {BC_MAYBE_NUMBERS, NULL};
    tsr_attr *axes = NULL, *ids = NULL;
    if (!tsr_bc_reading(b)) {
        axes = (*attr)->attrs[SDY_MESH_axes];
        ids = (*attr)->attrs[SDY_MESH_device_ids];
    }
    TSR_TRY(bc_field_code(b, &axes_field, &axes) && bc_field_code(b, &ids_field, &ids));
    if (!tsr_bc_reading(b))
        return true;
    tsr_attr *mesh = tsr_sdy_mesh(b->ctx, axes, ids);
    tsr_buf why = {0};
    bool ok = tsr_sdy_mesh_ok(axes, mesh->attrs[SDY_MESH_device_ids], &why);
    if (!ok)
        tsr_bc_error(b, "has a bad #sdy.mesh: %.*s", TSR_STR_ARG(tsr_buf_text(&why)));
    tsr_buf_free(&why);
    *attr = mesh;
    return ok;
}

enum {
    CODE_SHARDING = 6,
    CODE_PER_VALUE = 7,
    CODE_SHARDING_SUM = 15,
    CODE_PER_VALUE_UNREDUCED = 16,
    CODE_SHARDING_ANY = 17
};

static bool code_sharding_of(tsr_bc *b, int code, tsr_attr **attr)
{
    static const bc_field fields[] = {{BC_ATTR, NULL},
                                      {BC_LIST, &tsr_def_SDY_DIMENSION_SHARDING},
                                      {BC_LIST, &tsr_def_SDY_AXIS_REF},
                                      {BC_LIST, &tsr_def_SDY_AXIS_REF},
                                      {BC_NUMBER, NULL}};
    size_t n = code == CODE_SHARDING ? 3 : code == CODE_SHARDING_SUM ? 4 : 5;
    tsr_attr *params[5] = {0};
    TSR_TRY(bc_params(b, fields, n, *attr, params));
    if (!tsr_bc_reading(b))
        return true;
    const tsr_attr *mesh = params[SDY_SHARDING_mesh];
    if (!tsr_attr_is_struct(mesh, &tsr_def_SDY_MESH) &&
        !(tsr_attr_is(mesh, TSR_ATTR_SYMBOL) && mesh->n == 0))
        return tsr_bc_error(b, "has a #sdy.sharding without a mesh");
    if (n < 4)
        params[SDY_SHARDING_unreduced] = tsr_attr_array(b->ctx, NULL, 0);
    if (n < 5)
        params[SDY_SHARDING_reduction] = tsr_attr_i64(b->ctx, TSR_SDY_SUM);
    int64_t reduction = params[SDY_SHARDING_reduction]->i;
    if (reduction < TSR_SDY_SUM || reduction > TSR_SDY_MIN)
        return tsr_bc_error(b, "has the unknown reduction %lld", (long long)reduction);
    *attr = tsr_attr_struct(b->ctx, &tsr_def_SDY_SHARDING, params);
    return true;
}

static bool code_sharding(tsr_bc *b, tsr_attr **attr)
{
    return code_sharding_of(b, CODE_SHARDING, attr);
}

static bool code_sharding_sum(tsr_bc *b, tsr_attr **attr)
{
    return code_sharding_of(b, CODE_SHARDING_SUM, attr);
}

static bool code_sharding_any(tsr_bc *b, tsr_attr **attr)
{
    return code_sharding_of(b, CODE_SHARDING_ANY, attr);
}

/* ---- Codes ---- */

/* clang-format off */
#define ATTRS(ATTR)                                                              \
    ATTR(0, SDY_MANUAL_AXES, code_SDY_MANUAL_AXES)                               \
    ATTR(1, SDY_MESH_AXIS, code_SDY_MESH_AXIS)                                   \
    ATTR(2, SDY_MESH, code_mesh)                                                 \
    ATTR(3, SDY_SUB_AXIS_INFO, code_SDY_SUB_AXIS_INFO)                           \
    ATTR(4, SDY_AXIS_REF, code_SDY_AXIS_REF)                                     \
    ATTR(5, SDY_DIMENSION_SHARDING, code_SDY_DIMENSION_SHARDING)                 \
    ATTR(CODE_SHARDING, SDY_SHARDING, code_sharding)                             \
    ATTR(CODE_PER_VALUE, SDY_SHARDING_PER_VALUE, code_SDY_SHARDING_PER_VALUE)    \
    ATTR(8, SDY_DIM_MAPPING, code_SDY_DIM_MAPPING)                               \
    ATTR(9, SDY_TENSOR_MAPPING, code_SDY_TENSOR_MAPPING)                         \
    ATTR(10, SDY_OP_SHARDING_RULE, code_SDY_OP_SHARDING_RULE)                    \
    ATTR(11, SDY_AXIS_REF_LIST, code_SDY_AXIS_REF_LIST)                          \
    ATTR(12, SDY_LIST_OF_AXIS_REF_LISTS, code_SDY_LIST_OF_AXIS_REF_LISTS)        \
    ATTR(13, SDY_ALL_TO_ALL_PARAM, code_SDY_ALL_TO_ALL_PARAM)                    \
    ATTR(14, SDY_ALL_TO_ALL_PARAM_LIST, code_SDY_ALL_TO_ALL_PARAM_LIST)          \
    ATTR(CODE_SHARDING_SUM, SDY_SHARDING, code_sharding_sum)                     \
    ATTR(CODE_PER_VALUE_UNREDUCED, SDY_SHARDING_PER_VALUE, code_SDY_SHARDING_PER_VALUE) \
    ATTR(CODE_SHARDING_ANY, SDY_SHARDING, code_sharding_any)
/* clang-format on */

static tsr_bc_attr_codec *const attr_codecs[] = {
#define ATTR(code, id, fn) [code] = fn,
    ATTRS(ATTR)
#undef ATTR
};
static const tsr_attrdef *const attr_defs[] = {
#define ATTR(code, id, fn) [code] = &tsr_def_##id,
    ATTRS(ATTR)
#undef ATTR
};

static bool has_unreduced(const tsr_attr *sharding)
{
    return sharding->attrs[SDY_SHARDING_unreduced]->n > 0;
}

static int attr_code(const tsr_bc *b, const tsr_attr *a)
{
    (void)b;
    if (a->def == &tsr_def_SDY_SHARDING)
        return !has_unreduced(a)                                    ? CODE_SHARDING
               : a->attrs[SDY_SHARDING_reduction]->i == TSR_SDY_SUM ? CODE_SHARDING_SUM
                                                                    : CODE_SHARDING_ANY;
    if (a->def == &tsr_def_SDY_SHARDING_PER_VALUE) {
        for (uint32_t i = 0; i < a->attrs[0]->n; i++)
            if (has_unreduced(a->attrs[0]->attrs[i]))
                return CODE_PER_VALUE_UNREDUCED;
        return CODE_PER_VALUE;
    }
    return bc_code_of(attr_defs, TSR_COUNT(attr_defs), a->def);
}

static int type_code(const tsr_bc *b, const tsr_type *t)
{
    (void)b;
    (void)t;
    return -1;
}

/* major, minor, patch */
static bool read_version(tsr_bc *b, tsr_bc_version *v)
{
    return tsr_bc_u32(b, &v->major) && tsr_bc_u32(b, &v->minor) && tsr_bc_u32(b, &v->patch);
}

const tsr_bc_dialect tsr_bc_sdy = {.name = "sdy",
                                   .attrs = attr_codecs,
                                   .nattr = TSR_COUNT(attr_codecs),
                                   .attr_code = attr_code,
                                   .type_code = type_code,
                                   .read_version = read_version};
