/* SPDX-License-Identifier: Apache-2.0 */
/* attrs.c - assembly of VHLO's attributes. */
#include "asm/reader.h"
#include "dialect/hooks.h"
#include "dialect/vhlo/forms.h"

/* ---- Values ---- */

/* [1, ?, 2] as array<i64> */
static bool dims(tsr_asm *a, tsr_attr **attr)
{
    return tsr_asm_dim_list(a, "[", "]", attr);
}

bool tsr_vhlo_asm_double(tsr_asm *a, tsr_attr **attr)
{
    tsr_loc loc = tsr_asm_writing(a) ? 0 : tsr_asm_loc(a);
    TSR_TRY(tsr_asm_attr_typed(a, attr, tsr_type_float(a->ctx, TSR_F64)));
    return tsr_attr_is(*attr, TSR_ATTR_FLOAT) ||
           tsr_asm_error_at(a, loc, "expected floating point literal");
}

bool tsr_vhlo_asm_type(tsr_asm *a, tsr_attr **attr)
{
    tsr_loc loc = tsr_asm_writing(a) ? 0 : tsr_asm_loc(a);
    tsr_type *t = tsr_asm_writing(a) ? (*attr)->type : NULL;
    TSR_TRY(tsr_asm_type(a, &t));
    if (tsr_asm_writing(a))
        return true;
    *attr = tsr_attr_type(a->ctx, t);
    return tsr_type_is_vhlo(t) || tsr_asm_error_at(a, loc, "expected VHLO type");
}

/* An attribute in full, of a given kind. */
static bool of_kind(tsr_asm *a, tsr_attr_kind kind, tsr_attr **attr)
{
    tsr_loc loc = tsr_asm_writing(a) ? 0 : tsr_asm_loc(a);
    TSR_TRY(tsr_asm_attr(a, attr));
    return tsr_attr_is(*attr, kind) ||
           tsr_asm_error_at(a, loc, "invalid kind of attribute specified");
}

static bool angled(tsr_asm *a, tsr_attr_kind kind, tsr_attr **attr)
{
    return tsr_asm_lit(a, "<") && of_kind(a, kind, attr) && tsr_asm_lit(a, ">");
}

static bool keyed(tsr_asm *a, const tsr_asm_field *fields, size_t n, tsr_attr **params)
{
    return tsr_asm_lit(a, "<") && tsr_asm_fields(a, fields, n, ">", params) && tsr_asm_lit(a, ">");
}

/* The contents must have a VHLO type. */
static bool stable(tsr_asm *a, tsr_loc loc, const tsr_attr *attr)
{
    return tsr_asm_writing(a) || tsr_vhlo_type(a->ctx, attr->type) ||
           tsr_asm_error_at(a, loc, "expected VHLO type");
}

/* ---- Attributes that wrap one of MLIR's ---- */

bool attr_VHLO_ARRAY_V1(tsr_asm *a, tsr_attr **params)
{
    return angled(a, TSR_ATTR_ARRAY, &params[0]);
}

bool attr_VHLO_BOOL_ATTR_V1(tsr_asm *a, tsr_attr **params)
{
    if (tsr_asm_writing(a))
        return tsr_asm_lit(a, params[0]->i ? "<true>" : "<false>");
    TSR_TRY(tsr_asm_lit(a, "<"));
    bool yes = tsr_asm_maybe(a, "true", false);
    if (!yes && !tsr_asm_maybe(a, "false", false))
        return tsr_asm_error(a, "expected 'true' or 'false'");
    params[0] = tsr_attr_bool(a->ctx, yes);
    return tsr_asm_lit(a, ">");
}

/* key = value */
static bool dict_entry(tsr_asm *a, void *user, size_t i)
{
    tsr_attr_vec *v = user;
    tsr_attr *key = tsr_asm_writing(a) ? v->data[2 * i] : NULL,
             *value = tsr_asm_writing(a) ? v->data[2 * i + 1] : NULL;
    tsr_loc loc = tsr_asm_writing(a) ? 0 : tsr_asm_loc(a);
    TSR_TRY(tsr_asm_attr(a, &key) && tsr_asm_lit(a, " = ") && tsr_asm_attr(a, &value));
    if (tsr_asm_writing(a))
        return true;
    if (!tsr_attr_is_vhlo(key))
        return tsr_asm_error_at(a, loc, "expected VHLO key attribute");
    tsr_vec_push(v, key);
    tsr_vec_push(v, value);
    return true;
}

bool attr_VHLO_DICT_V1(tsr_asm *a, tsr_attr **params)
{
    tsr_attr_vec v = {0};
    size_t n = tsr_asm_writing(a) ? params[0]->n / 2 : 0;
    for (size_t i = 0; i < 2 * n; i++)
        tsr_vec_push(&v, params[0]->attrs[i]);
    bool ok =
        tsr_asm_lit(a, "<") && tsr_asm_list(a, "{", "}", &n, dict_entry, &v) && tsr_asm_lit(a, ">");
    if (ok && !tsr_asm_writing(a))
        params[0] = tsr_attr_array(a->ctx, v.data, v.n);
    tsr_vec_free(&v);
    return ok;
}

/* <1.0 : !vhlo.f32_v1> */
bool attr_VHLO_FLOAT_V1(tsr_asm *a, tsr_attr **params)
{
    if (tsr_asm_writing(a)) {
        tsr_type *type = tsr_vhlo_type(a->ctx, params[0]->type);
        return tsr_asm_lit(a, "<") && tsr_asm_attr_typed(a, params, params[0]->type) &&
               tsr_asm_lit(a, " : ") && (!type || tsr_asm_type(a, &type)) && tsr_asm_lit(a, ">");
    }
    tsr_attr *value = NULL, *type = NULL;
    tsr_loc loc = tsr_asm_loc(a);
    TSR_TRY(tsr_asm_lit(a, "<") && tsr_vhlo_asm_double(a, &value) && tsr_asm_lit(a, ":") &&
            tsr_vhlo_asm_type(a, &type));
    tsr_type *meant = tsr_vhlo_type_meant(a->ctx, type->type);
    if (!tsr_type_is(meant, TSR_TYPE_FLOAT))
        return tsr_asm_error_at(a, loc, "expected a floating-point VHLO type");
    params[0] = tsr_attr_float(a->ctx, meant, tsr_float_to_double(TSR_F64, (uint64_t)value->i));
    return tsr_asm_lit(a, ">");
}

bool attr_VHLO_INTEGER_V1(tsr_asm *a, tsr_attr **params)
{
    tsr_loc loc = tsr_asm_writing(a) ? 0 : tsr_asm_loc(a);
    return angled(a, TSR_ATTR_INT, &params[0]) && stable(a, loc, params[0]);
}

bool attr_VHLO_STRING_V1(tsr_asm *a, tsr_attr **params)
{
    tsr_str s = tsr_asm_writing(a) ? params[0]->s : (tsr_str){0};
    TSR_TRY(tsr_asm_lit(a, "<") && tsr_asm_string(a, &s) && tsr_asm_lit(a, ">"));
    if (!tsr_asm_writing(a))
        params[0] = tsr_attr_string(a->ctx, s);
    return true;
}

bool attr_VHLO_TENSOR_ATTR_V1(tsr_asm *a, tsr_attr **params)
{
    tsr_loc loc = tsr_asm_writing(a) ? 0 : tsr_asm_loc(a);
    return angled(a, TSR_ATTR_DENSE, &params[0]) && stable(a, loc, params[0]);
}

bool attr_VHLO_TYPE_V1(tsr_asm *a, tsr_attr **params)
{
    return tsr_asm_lit(a, "<") && tsr_vhlo_asm_type(a, &params[0]) && tsr_asm_lit(a, ">");
}

/* ---- Records ---- */

bool attr_VHLO_OUTPUT_OPERAND_ALIAS_V1(tsr_asm *a, tsr_attr **params)
{
    static const tsr_asm_field fields[] = {{"outputTupleIndices", dims, true},
                                           {"operandIndex", tsr_asm_i64, true},
                                           {"operandTupleIndices", dims, true}};
    return keyed(a, fields, TSR_COUNT(fields), params);
}

bool attr_VHLO_TYPE_EXTENSIONS_V1(tsr_asm *a, tsr_attr **params)
{
    static const tsr_asm_field fields[] = {{"bounds", dims, true}};
    return keyed(a, fields, TSR_COUNT(fields), params);
}

static bool mode(tsr_asm *a, tsr_attr **attr)
{
    tsr_loc loc = tsr_asm_writing(a) ? 0 : tsr_asm_loc(a);
    TSR_TRY(tsr_asm_attr(a, attr));
    return tsr_attr_is_struct(*attr, &tsr_def_VHLO_RESULT_ACCURACY_MODE_V1) ||
           tsr_asm_error_at(a, loc, "expected VHLO result accuracy mode");
}

bool attr_VHLO_RESULT_ACCURACY_V1(tsr_asm *a, tsr_attr **params)
{
    static const tsr_asm_field fields[] = {{"atol", tsr_vhlo_asm_double, true},
                                           {"rtol", tsr_vhlo_asm_double, true},
                                           {"ulps", tsr_asm_i64, true},
                                           {"mode", mode, true}};
    return keyed(a, fields, TSR_COUNT(fields), params);
}

bool attr_VHLO_SUB_AXIS_INFO_V1(tsr_asm *a, tsr_attr **params)
{
    static const tsr_asm_field fields[] = {{"pre_size", tsr_asm_i64, true},
                                           {"size", tsr_asm_i64, true}};
    return keyed(a, fields, TSR_COUNT(fields), params);
}

bool attr_VHLO_AXIS_REF_V1(tsr_asm *a, tsr_attr **params)
{
    static const tsr_asm_field fields[] = {{"name", tsr_asm_attr, true},
                                           {"sub_axis_info", tsr_asm_attr, false}};
    return keyed(a, fields, TSR_COUNT(fields), params);
}

bool attr_VHLO_REPLICA_GROUP_MESH_AXES_V1(tsr_asm *a, tsr_attr **params)
{
    static const tsr_asm_field fields[] = {{"mesh", tsr_asm_attr, true},
                                           {"axes", tsr_asm_attr, true}};
    return keyed(a, fields, TSR_COUNT(fields), params);
}

bool attr_VHLO_MESH_AXIS_V1(tsr_asm *a, tsr_attr **params)
{
    static const tsr_asm_field fields[] = {{"name", tsr_asm_attr, true},
                                           {"size", tsr_asm_i64, true}};
    return keyed(a, fields, TSR_COUNT(fields), params);
}

bool attr_VHLO_MESH_V1(tsr_asm *a, tsr_attr **params)
{
    static const tsr_asm_field fields[] = {{"axes", tsr_asm_attr, true},
                                           {"device_ids", tsr_asm_attr, false}};
    return keyed(a, fields, TSR_COUNT(fields), params);
}
