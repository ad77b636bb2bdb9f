/* SPDX-License-Identifier: Apache-2.0 */
/* attrs.c - assembly of StableHLO's attributes and types.
 *
 * A parameter is an interned attribute: a number is an i64, a list of numbers array<i64>, a type a type attribute.
 * Lists that are not given are empty lists, so that equal attributes are equal pointers. */
#include "dialect/hooks.h"
#include "dialect/stablehlo/stablehlo.h"

#include "asm/reader.h"
#include "dialect/stablehlo/rules.h"

/* ---- Values ---- */

static bool dims_value(tsr_asm *a, tsr_attr **attr)
{
    return tsr_asm_dim_list(a, "[", "]", attr);
}

static bool string_value(tsr_asm *a, tsr_attr **attr)
{
    tsr_str s = tsr_asm_writing(a) ? (*attr)->s : (tsr_str){0};
    TSR_TRY(tsr_asm_string(a, &s));
    if (!tsr_asm_writing(a))
        *attr = tsr_attr_string(a->ctx, s);
    return true;
}

static bool bool_value(tsr_asm *a, tsr_attr **attr)
{
    if (tsr_asm_writing(a))
        return tsr_asm_lit(a, (*attr)->i ? "true" : "false");
    bool yes = tsr_asm_maybe(a, "true", false);
    if (!yes && !tsr_asm_maybe(a, "false", false))
        return tsr_asm_error(a, "expected 'true' or 'false'");
    *attr = tsr_attr_bool(a->ctx, yes);
    return true;
}

static bool type_value(tsr_asm *a, tsr_attr **attr)
{
    tsr_type *t = tsr_asm_writing(a) ? (*attr)->type : NULL;
    TSR_TRY(tsr_asm_type(a, &t));
    if (!tsr_asm_writing(a))
        *attr = tsr_attr_type(a->ctx, t);
    return true;
}

static bool array_value(tsr_asm *a, tsr_attr **attr)
{
    TSR_TRY(tsr_asm_attr(a, attr));
    if (!tsr_asm_writing(a) && !tsr_attr_is(*attr, TSR_ATTR_ARRAY))
        return tsr_asm_error(a, "invalid kind of attribute specified");
    return true;
}

static bool sub_axis_value(tsr_asm *a, tsr_attr **attr)
{
    return tsr_asm_struct(a, &tsr_def_STABLEHLO_SUB_AXIS_INFO, attr);
}

/* ---- Numbers and lists of numbers ---- */

enum { MAX_FIELDS = 16 };

static bool field_value(tsr_asm *a, const tsr_hlo_field *f, tsr_attr **param)
{
    return f->is_list ? dims_value(a, param) : tsr_asm_i64(a, param);
}

static bool write_fields(tsr_asm *a, const tsr_hlo_field *fields, size_t n, tsr_attr **params)
{
    const char *comma = "";
    tsr_asm_lit(a, "<");
    for (size_t i = 0; i < n; i++) {
        if (fields[i].is_list ? tsr_attr_count(params[i]) == 0 : params[i]->i == 0)
            continue;
        tsr_asm_lit(a, comma);
        tsr_asm_lit(a, fields[i].key);
        tsr_asm_lit(a, " = ");
        field_value(a, &fields[i], &params[i]);
        comma = ", ";
    }
    return tsr_asm_lit(a, ">");
}

static bool expected_one_of(tsr_asm *a, const tsr_hlo_field *fields, size_t n)
{
    tsr_buf b = {0};
    for (size_t i = 0; i < n; i++)
        tsr_buf_printf(&b, "%s`%s`", i ? ", " : "", fields[i].key);
    tsr_asm_error(a, "expected one of: %.*s", (int)b.len, b.data);
    tsr_buf_free(&b);
    return false;
}

/* (key '=' value ','?)* '>' */
static bool read_fields(tsr_asm *a, const tsr_hlo_field *fields, size_t n, tsr_attr **params)
{
    bool seen[MAX_FIELDS] = {0};
    while (!tsr_asm_maybe(a, ">", false)) {
        size_t i = 0;
        while (i < n && !tsr_asm_maybe(a, fields[i].key, false))
            i++;
        if (i == n)
            return expected_one_of(a, fields, n);
        if (seen[i])
            return tsr_asm_error(a, "duplicated `%s` entry", fields[i].key);
        seen[i] = true;
        TSR_TRY(tsr_asm_lit(a, "="));
        TSR_TRY(field_value(a, &fields[i], &params[i]));
        if (!tsr_asm_maybe(a, ",", false))
            return tsr_asm_lit(a, ">");
    }
    return true;
}

static bool fields_from(tsr_asm *a, const tsr_hlo_field *fields, size_t n, const char *what,
                        tsr_attr **params)
{
    tsr_assert(n <= MAX_FIELDS, "%s has too many fields", what);
    for (size_t i = 0; i < n; i++)
        params[i] =
            fields[i].is_list ? tsr_attr_i64_array(a->ctx, NULL, 0) : tsr_attr_i64(a->ctx, 0);
    return read_fields(a, fields, n, params) ||
           tsr_asm_error(a, "failed parsing %s dimension numbers attribute", what);
}

bool tsr_hlo_fields(tsr_asm *a, const tsr_hlo_field *fields, size_t n, const char *what,
                    tsr_attr **params)
{
    if (tsr_asm_writing(a))
        return write_fields(a, fields, n, params);
    return tsr_asm_lit(a, "<") && fields_from(a, fields, n, what, params);
}

bool attr_STABLEHLO_SCATTER(tsr_asm *a, tsr_attr **params)
{
    static const tsr_hlo_field fields[] = {
        {"update_window_dims", true},           {"inserted_window_dims", true},
        {"input_batching_dims", true},          {"scatter_indices_batching_dims", true},
        {"scatter_dims_to_operand_dims", true}, {"index_vector_dim", false},
    };
    return tsr_hlo_fields(a, fields, TSR_COUNT(fields), "scatter", params);
}

bool attr_STABLEHLO_GATHER(tsr_asm *a, tsr_attr **params)
{
    static const tsr_hlo_field fields[] = {
        {"offset_dims", true},           {"collapsed_slice_dims", true},
        {"operand_batching_dims", true}, {"start_indices_batching_dims", true},
        {"start_index_map", true},       {"index_vector_dim", false},
    };
    return tsr_hlo_fields(a, fields, TSR_COUNT(fields), "gather", params);
}

bool attr_STABLEHLO_DOT(tsr_asm *a, tsr_attr **params)
{
    static const tsr_hlo_field fields[] = {
        {"lhs_batching_dimensions", true},
        {"rhs_batching_dimensions", true},
        {"lhs_contracting_dimensions", true},
        {"rhs_contracting_dimensions", true},
    };
    return tsr_hlo_fields(a, fields, TSR_COUNT(fields), "dot", params);
}

/* ---- Convolution ----
 *
 * The parameters of each of input, kernel and output are two single dimensions, then the list of spatial ones. In text
 * a part is a list of all its dimensions in order: a letter for a single one, its number for a spatial one. */

enum { MAX_CONV_RANK = 256 };

static const char conv_letters[3][3] = {"bf", "io", "bf"};

/* What is at each position: a letter's code, or the number of a spatial dimension. False if it is not a permutation. */
static bool conv_positions(tsr_attr *const *part, const char *letters, size_t *rank, int64_t *at,
                           bool *is_letter)
{
    bool taken[MAX_CONV_RANK] = {0};
    *rank = (size_t)tsr_attr_count(part[2]) + 2;
    if (*rank > MAX_CONV_RANK)
        return false;
    for (size_t i = 0; i < *rank; i++) {
        int64_t pos = i < 2 ? part[i]->i : tsr_attr_int_at(part[2], i - 2);
        if (pos < 0 || (size_t)pos >= *rank || taken[pos])
            return false;
        taken[pos] = true;
        is_letter[pos] = i < 2;
        at[pos] = i < 2 ? letters[i] : (int64_t)i - 2;
    }
    return true;
}

bool tsr_hlo_conv_is_regular(tsr_attr *const *params)
{
    int64_t at[MAX_CONV_RANK];
    bool is_letter[MAX_CONV_RANK];
    size_t rank;
    for (int p = 0; p < 3; p++)
        if (!conv_positions(params + 3 * p, conv_letters[p], &rank, at, is_letter))
            return false;
    return true;
}

static void write_conv_part(tsr_asm *a, tsr_attr *const *part, const char *letters)
{
    int64_t at[MAX_CONV_RANK];
    bool is_letter[MAX_CONV_RANK];
    size_t rank;
    if (!conv_positions(part, letters, &rank, at, is_letter))
        return;
    tsr_asm_lit(a, "[");
    for (size_t i = 0; i < rank; i++) {
        char letter[2] = {(char)at[i], 0};
        tsr_asm_lit(a, i ? ", " : "");
        if (is_letter[i])
            tsr_asm_lit(a, letter);
        else
            tsr_asm_int(a, &at[i]);
    }
    tsr_asm_lit(a, "]");
}

/* A part while it is read: positions of the letters and the spatial dimensions. */
typedef struct {
    const char *letters;
    int64_t letter_at[2]; /* -1: not yet */
    int64_t spatial[MAX_CONV_RANK], at[MAX_CONV_RANK];
    size_t nspatial;
} conv_part;

/* The letters that are still missing: "b, f". */
static const char *missing_letters(const conv_part *p, char text[8])
{
    size_t n = 0;
    for (int i = 0; i < 2; i++) {
        if (p->letter_at[i] >= 0)
            continue;
        if (n) {
            text[n++] = ',';
            text[n++] = ' ';
        }
        text[n++] = p->letters[i];
    }
    text[n] = 0;
    return text;
}

static bool read_conv_spatial(tsr_asm *a, conv_part *p, tsr_loc loc, int64_t index)
{
    int64_t dim;
    TSR_TRY(tsr_asm_int(a, &dim));
    if (dim < 0)
        return tsr_asm_error_at(a, loc, "Unexpected dimension %lld", (long long)dim);
    for (size_t i = 0; i < p->nspatial; i++)
        if (p->spatial[i] == dim)
            return tsr_asm_error_at(a, loc, "Duplicate entries for spatial dimension %lld",
                                    (long long)dim);
    if (p->nspatial == MAX_CONV_RANK - 2)
        return tsr_asm_error_at(a, loc, "more than %d spatial dimensions", MAX_CONV_RANK - 2);
    p->spatial[p->nspatial] = dim;
    p->at[p->nspatial++] = index;
    return true;
}

static bool read_conv_letter(tsr_asm *a, conv_part *p, tsr_loc loc, int64_t index)
{
    char text[8];
    tsr_str word;
    TSR_TRY(tsr_asm_keyword(a, &word));
    if (word.len != 1 || (p->letter_at[0] >= 0 && p->letter_at[1] >= 0))
        return tsr_asm_error_at(a, loc, "Unexpected keyword %.*s", TSR_STR_ARG(word));
    for (int i = 0; i < 2; i++) {
        if (word.data[0] == p->letters[i] && p->letter_at[i] < 0) {
            p->letter_at[i] = index;
            return true;
        }
    }
    missing_letters(p, text);
    return tsr_asm_error_at(a, loc, "Unexpected dimension %.*s, expecting %s", TSR_STR_ARG(word),
                            text);
}

/* Spatial dimensions are numbered without gaps: writes their positions in order to dims. */
static bool order_spatial(tsr_asm *a, const conv_part *p, int64_t *dims)
{
    enum { SHOWN = 10 };
    tsr_buf missing = {0};
    int64_t n = 0, nmissing = 0;
    for (size_t i = 0; i < p->nspatial; i++)
        if (p->spatial[i] >= n)
            n = p->spatial[i] < INT64_MAX ? p->spatial[i] + 1 : INT64_MAX;
    for (int64_t d = 0; d < n && nmissing < SHOWN; d++) {
        size_t i = 0;
        while (i < p->nspatial && p->spatial[i] != d)
            i++;
        if (i < p->nspatial)
            dims[d - nmissing] = p->at[i];
        else
            tsr_buf_printf(&missing, "%s%lld", nmissing++ ? ", " : "", (long long)d);
    }
    if (nmissing)
        tsr_asm_error(a, "Expected spatial dimensions %.*s not specified", (int)missing.len,
                      missing.data);
    tsr_buf_free(&missing);
    return nmissing == 0;
}

/* '[' (number | letter) (',' (number | letter))* ']' */
static bool read_conv_part(tsr_asm *a, const char *letters, tsr_attr **part)
{
    conv_part p = {.letters = letters, .letter_at = {-1, -1}};
    int64_t index = 0, dims[MAX_CONV_RANK];
    char text[8];
    TSR_TRY(tsr_asm_lit(a, "["));
    do {
        tsr_loc loc = tsr_asm_loc(a);
        bool number = tsr_read_is(a->in, TOK_INT) || tsr_read_is(a->in, '-');
        TSR_TRY(number ? read_conv_spatial(a, &p, loc, index)
                       : read_conv_letter(a, &p, loc, index));
        index++;
    } while (tsr_asm_maybe(a, ",", false));
    if (p.letter_at[0] < 0 || p.letter_at[1] < 0)
        return tsr_asm_error(a, "Expected dimensions %s not specified", missing_letters(&p, text));
    TSR_TRY(tsr_asm_lit(a, "]"));
    TSR_TRY(order_spatial(a, &p, dims));
    part[0] = tsr_attr_i64(a->ctx, p.letter_at[0]);
    part[1] = tsr_attr_i64(a->ctx, p.letter_at[1]);
    part[2] = tsr_attr_i64_array(a->ctx, dims, p.nspatial);
    return true;
}

bool tsr_hlo_conv_dims(tsr_asm *a, tsr_attr **params)
{
    static const char *const between[3] = {"", "x", "->"};
    for (int p = 0; p < 3; p++) {
        TSR_TRY(tsr_asm_lit(a, between[p]));
        if (tsr_asm_writing(a))
            write_conv_part(a, params + 3 * p, conv_letters[p]);
        else
            TSR_TRY(read_conv_part(a, conv_letters[p], params + 3 * p));
    }
    return true;
}

bool attr_STABLEHLO_CONV(tsr_asm *a, tsr_attr **params)
{
    static const tsr_hlo_field fields[] = {
        {"input_batch_dimension", false},           {"input_feature_dimension", false},
        {"input_spatial_dimensions", true},         {"kernel_input_feature_dimension", false},
        {"kernel_output_feature_dimension", false}, {"kernel_spatial_dimensions", true},
        {"output_batch_dimension", false},          {"output_feature_dimension", false},
        {"output_spatial_dimensions", true},
    };
    TSR_TRY(tsr_asm_lit(a, "<"));
    if (tsr_asm_writing(a) && !tsr_hlo_conv_is_regular(params)) {
        tsr_asm_lit(a, "raw ");
        for (size_t i = 0; i < TSR_COUNT(fields); i++) {
            tsr_asm_lit(a, i ? ", " : "");
            tsr_asm_lit(a, fields[i].key);
            tsr_asm_lit(a, " = ");
            field_value(a, &fields[i], &params[i]);
        }
        return tsr_asm_lit(a, ">");
    }
    if (!tsr_asm_writing(a) && tsr_asm_maybe(a, "raw", false))
        return fields_from(a, fields, TSR_COUNT(fields), "dot", params);
    return tsr_hlo_conv_dims(a, params) && tsr_asm_lit(a, ">");
}

/* ---- Others ---- */

bool attr_STABLEHLO_DOT_ALGORITHM(tsr_asm *a, tsr_attr **params)
{
    tsr_loc loc = tsr_asm_loc(a);
    bool ok = tsr_asm_lit(a, "<lhs_precision_type = ") && type_value(a, &params[0]) &&
              tsr_asm_lit(a, ", rhs_precision_type = ") && type_value(a, &params[1]) &&
              tsr_asm_lit(a, ", accumulation_type = ") && type_value(a, &params[2]) &&
              tsr_asm_lit(a, ", lhs_component_count = ") && tsr_asm_i64(a, &params[3]) &&
              tsr_asm_lit(a, ", rhs_component_count = ") && tsr_asm_i64(a, &params[4]) &&
              tsr_asm_lit(a, ", num_primitive_operations = ") && tsr_asm_i64(a, &params[5]) &&
              tsr_asm_lit(a, ", allow_imprecise_accumulation = ") && bool_value(a, &params[6]) &&
              tsr_asm_lit(a, ">");
    return ok && (tsr_asm_writing(a) || tsr_hlo_dot_algorithm_ok(a->ctx, loc, params));
}

bool attr_STABLEHLO_OUTPUT_OPERAND_ALIAS(tsr_asm *a, tsr_attr **params)
{
    return tsr_asm_lit(a, "<output_tuple_indices = ") && dims_value(a, &params[0]) &&
           tsr_asm_lit(a, ", operand_index = ") && tsr_asm_i64(a, &params[1]) &&
           tsr_asm_lit(a, ", operand_tuple_indices = ") && dims_value(a, &params[2]) &&
           tsr_asm_lit(a, ">");
}

static bool keyed(tsr_asm *a, const tsr_asm_field *fields, size_t n, tsr_attr **params)
{
    return tsr_asm_lit(a, "<") && tsr_asm_fields(a, fields, n, ">", params) && tsr_asm_lit(a, ">");
}

bool attr_STABLEHLO_CHANNEL_HANDLE(tsr_asm *a, tsr_attr **params)
{
    static const tsr_asm_field fields[] = {{"handle", tsr_asm_i64, true},
                                           {"type", tsr_asm_i64, true}};
    return keyed(a, fields, TSR_COUNT(fields), params);
}

/* Bounds of a tensor's dimensions: its encoding. */
bool attr_STABLEHLO_BOUNDS(tsr_asm *a, tsr_attr **params)
{
    return tsr_asm_dim_list(a, "<", ">", &params[0]);
}

/* The older spelling; read only. */
bool attr_STABLEHLO_TYPE_EXTENSIONS(tsr_asm *a, tsr_attr **params)
{
    tsr_attr *bounds = NULL;
    TSR_TRY(tsr_asm_lit(a, "<bounds = ") && dims_value(a, &bounds) && tsr_asm_lit(a, ">"));
    params[0] = tsr_attr_struct(a->ctx, &tsr_def_STABLEHLO_BOUNDS, &bounds);
    return true;
}

/* key = float, */
static bool tolerance(tsr_asm *a, const char *key, tsr_attr **attr)
{
    tsr_type *f64 = tsr_type_float(a->ctx, TSR_F64);
    if (tsr_asm_writing(a)) {
        if ((uint64_t)(*attr)->i << 1 == 0) /* positive or negative zero */
            return true;
        tsr_asm_lit(a, key);
    } else if (!tsr_asm_maybe(a, key, false)) {
        *attr = tsr_attr_float(a->ctx, f64, 0);
        return true;
    }
    return tsr_asm_lit(a, " = ") && tsr_asm_attr_typed(a, attr, f64) && tsr_asm_lit(a, ", ");
}

bool attr_STABLEHLO_RESULT_ACCURACY(tsr_asm *a, tsr_attr **params)
{
    tsr_loc start = tsr_asm_loc(a);
    TSR_TRY(tsr_asm_lit(a, "<"));
    TSR_TRY(tolerance(a, "atol", &params[0]));
    TSR_TRY(tolerance(a, "rtol", &params[1]));
    if (!tsr_asm_writing(a))
        params[2] = tsr_attr_i64(a->ctx, 0);
    if (tsr_asm_maybe(a, "ulps", params[2]->i != 0))
        TSR_TRY(tsr_asm_lit(a, " = ") && tsr_asm_i64(a, &params[2]) && tsr_asm_lit(a, ", "));
    TSR_TRY(tsr_asm_lit(a, "mode = "));
    tsr_loc loc = tsr_asm_writing(a) ? 0 : tsr_asm_loc(a);
    TSR_TRY(tsr_asm_attr(a, &params[3]));
    if (!tsr_attr_is_struct(params[3], &tsr_def_STABLEHLO_RESULT_ACCURACY_MODE))
        return tsr_asm_error_at(a, loc, "invalid kind of attribute specified");
    return tsr_asm_lit(a, ">") &&
           (tsr_asm_writing(a) || tsr_hlo_accuracy_ok(a->ctx, start, params));
}

/* (pre-size)size */
bool attr_STABLEHLO_SUB_AXIS_INFO(tsr_asm *a, tsr_attr **params)
{
    return tsr_asm_lit(a, "(") && tsr_asm_i64(a, &params[0]) && tsr_asm_lit(a, ")") &&
           tsr_asm_i64(a, &params[1]);
}

bool attr_STABLEHLO_AXIS_REF(tsr_asm *a, tsr_attr **params)
{
    static const tsr_asm_field fields[] = {{"name", string_value, true},
                                           {"sub_axis_info", sub_axis_value, false}};
    return keyed(a, fields, TSR_COUNT(fields), params);
}

bool attr_STABLEHLO_MESH_AXIS(tsr_asm *a, tsr_attr **params)
{
    static const tsr_asm_field fields[] = {{"name", string_value, true},
                                           {"size", tsr_asm_i64, true}};
    return keyed(a, fields, TSR_COUNT(fields), params);
}

/* A mesh's axis: <...>, or the attribute in full when reading. */
static bool mesh_axis(tsr_asm *a, void *user, size_t i)
{
    tsr_attr_vec *axes = user;
    if (tsr_asm_writing(a))
        return tsr_asm_struct(a, &tsr_def_STABLEHLO_MESH_AXIS, &axes->data[i]);
    tsr_attr *axis = NULL;
    TSR_TRY(tsr_asm_struct(a, &tsr_def_STABLEHLO_MESH_AXIS, &axis));
    tsr_vec_push(axes, axis);
    return true;
}

bool attr_STABLEHLO_MESH(tsr_asm *a, tsr_attr **params)
{
    tsr_attr_vec axes = {0};
    size_t n = tsr_asm_writing(a) ? params[0]->n : 0;
    for (size_t i = 0; i < n; i++)
        tsr_vec_push(&axes, params[0]->attrs[i]);
    bool ok = tsr_asm_lit(a, "<axes=") && tsr_asm_list(a, "[", "]", &n, mesh_axis, &axes);
    if (ok && !tsr_asm_writing(a))
        params[0] = tsr_attr_array(a->ctx, axes.data, axes.n);
    tsr_vec_free(&axes);
    if (ok && tsr_asm_maybe(a, ", device_ids=", params[1] != NULL))
        ok = tsr_asm_attr(a, &params[1]);
    return ok && tsr_asm_lit(a, ">");
}

bool attr_STABLEHLO_REPLICA_GROUP_MESH_AXES(tsr_asm *a, tsr_attr **params)
{
    static const tsr_asm_field fields[] = {{"mesh", tsr_asm_attr, true},
                                           {"axes", array_value, true}};
    tsr_loc loc = tsr_asm_writing(a) ? 0 : tsr_asm_loc(a);
    return keyed(a, fields, TSR_COUNT(fields), params) &&
           (tsr_asm_writing(a) || tsr_hlo_verify_mesh_axes(a->ctx, loc, params));
}

/* ---- Types ---- */

bool type_STABLEHLO_TOKEN(tsr_asm *a, tsr_attr **params)
{
    (void)a;
    (void)params;
    return true;
}

static bool future_type(tsr_asm *a, void *user, size_t i)
{
    tsr_attr_vec *types = user;
    if (tsr_asm_writing(a))
        return type_value(a, &types->data[i]);
    tsr_attr *t = NULL;
    TSR_TRY(type_value(a, &t));
    tsr_vec_push(types, t);
    return true;
}

bool type_STABLEHLO_FUTURE(tsr_asm *a, tsr_attr **params)
{
    tsr_attr_vec types = {0};
    size_t n = tsr_asm_writing(a) ? params[0]->n : 0;
    for (size_t i = 0; i < n; i++)
        tsr_vec_push(&types, params[0]->attrs[i]);
    tsr_loc loc = tsr_asm_loc(a);
    bool ok = tsr_asm_lit(a, "<") && tsr_asm_list(a, "", "", &n, future_type, &types) &&
              tsr_asm_lit(a, ">");
    if (ok && !tsr_asm_writing(a)) {
        params[0] = tsr_attr_array(a->ctx, types.data, types.n);
        ok = tsr_hlo_future_ok(a->ctx, loc, params[0]);
    }
    tsr_vec_free(&types);
    return ok;
}
