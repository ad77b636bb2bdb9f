/* SPDX-License-Identifier: Apache-2.0 */
/* attrs.c - assembly of meshes, axes and shardings: the attributes of the sdy dialect that users write. Rules and
 * propagation records are in rules.c. */
#include "dialect/sdy/axes.h"

#include "asm/reader.h"
#include "dialect/hooks.h"

/* ---- Steps ---- */

static bool number(tsr_asm *a, tsr_attr **attr)
{
    return tsr_asm_i64(a, attr);
}

bool tsr_asm_sdy_failed(tsr_asm *a, const char *what)
{
    return tsr_asm_error(a, "failed to parse %s", what);
}

typedef struct {
    const tsr_attrdef *def; /* of elements; NULL: strings */
    const char *what;
    tsr_attr *array; /* writing */
    tsr_attr_vec read;
} list;

static bool list_element(tsr_asm *a, void *user, size_t i)
{
    list *l = user;
    tsr_attr *attr = l->array ? l->array->attrs[i] : NULL;
    if (!(l->def ? tsr_asm_struct(a, l->def, &attr) : tsr_asm_string_attr(a, &attr)))
        return l->what && tsr_asm_sdy_failed(a, l->what);
    if (!tsr_asm_writing(a))
        tsr_vec_push(&l->read, attr);
    return true;
}

bool tsr_asm_sdy_list(tsr_asm *a, const char *brackets, const tsr_attrdef *def, const char *what,
                      tsr_attr **array)
{
    char open[2] = {brackets[0], 0}, close[2] = {brackets[1], 0};
    list l = {.def = def, .what = what, .array = tsr_asm_writing(a) ? *array : NULL};
    size_t n = l.array ? l.array->n : 0;
    bool ok = tsr_asm_list(a, open, close, &n, list_element, &l);
    if (ok && !tsr_asm_writing(a))
        *array = tsr_attr_array(a->ctx, l.read.data, l.read.n);
    tsr_vec_free(&l.read);
    return ok;
}

/* ---- Meshes ---- */

tsr_attr *tsr_sdy_mesh(tsr_ctx *ctx, tsr_attr *axes, tsr_attr *device_ids)
{
    if (device_ids && axes->n) {
        int64_t n = tsr_attr_count(device_ids), total = 1, i = 0;
        for (uint32_t k = 0; k < axes->n && total <= n; k++) {
            int64_t size = axes->attrs[k]->attrs[SDY_MESH_AXIS_size]->i;
            total = size <= 0 || size > n ? n + 1 : total * size;
        }
        while (i < n && tsr_attr_int_at(device_ids, (size_t)i) == i)
            i++;
        if (i == n && total == n)
            device_ids = NULL;
    }
    return tsr_attr_struct(ctx, &tsr_def_SDY_MESH, (tsr_attr *[]){axes, device_ids});
}

bool attr_SDY_MESH_AXIS(tsr_asm *a, tsr_attr **params)
{
    tsr_loc loc = tsr_asm_writing(a) ? 0 : tsr_asm_loc(a);
    TSR_TRY(tsr_asm_string_attr(a, &params[SDY_MESH_AXIS_name]) && tsr_asm_lit(a, "=") &&
            number(a, &params[SDY_MESH_AXIS_size]));
    int64_t size = params[SDY_MESH_AXIS_size]->i;
    return tsr_asm_writing(a) || size > 0 ||
           tsr_asm_error_at(a, loc, "axis size must be at least 1, got: %lld", (long long)size);
}

static int by_value(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

/* Whether the ids are a permutation of all devices of the mesh. */
static bool all_devices(const tsr_attr *ids, int64_t n, tsr_buf *why)
{
    int64_t *sorted = tsr_xmalloc((size_t)n * sizeof *sorted), i = 0;
    for (int64_t k = 0; k < n; k++)
        sorted[k] = tsr_attr_int_at(ids, (size_t)k);
    qsort(sorted, (size_t)n, sizeof *sorted, by_value);
    while (i < n && sorted[i] == i)
        i++;
    if (i < n) {
        tsr_buf_cstr(why, "sorted device ids must be iota(product(axes)), got: ");
        for (int64_t k = 0; k < n; k++) {
            tsr_buf_cstr(why, k ? ", " : "");
            tsr_buf_int(why, sorted[k]);
        }
    }
    tsr_free(sorted);
    return i == n;
}

static bool because(tsr_buf *why, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    tsr_buf_vprintf(why, fmt, args);
    va_end(args);
    return false;
}

bool tsr_sdy_mesh_ok(const tsr_attr *axes, const tsr_attr *ids, tsr_buf *why)
{
    int64_t n = ids ? tsr_attr_count(ids) : 0, total = 1;
    for (int64_t i = 0; i < n; i++)
        if (tsr_attr_int_at(ids, (size_t)i) < 0)
            return because(why, "device id must be non-negative, got: %lld",
                           (long long)tsr_attr_int_at(ids, (size_t)i));
    if (!axes->n)
        return n <= 1 || because(why, "axes is empty and device_ids has more than one element");
    tsr_ptr_set seen = {.n = 0};
    bool ok = true;
    for (uint32_t i = 0; ok && i < axes->n; i++) {
        const tsr_attr *name = axes->attrs[i]->attrs[SDY_MESH_AXIS_name];
        total = tsr_sdy_mul(total, axes->attrs[i]->attrs[SDY_MESH_AXIS_size]->i);
        if (!tsr_ptr_set_add(&seen, name))
            ok = because(why, "duplicate axis name: \"%.*s\"", TSR_STR_ARG(name->s));
    }
    tsr_ptr_set_free(&seen);
    if (!ok || !n)
        return ok;
    if (total != n)
        return because(why,
                       "total product of axis sizes must match total number of device ids, got: "
                       "%lld != %lld",
                       (long long)total, (long long)n);
    return all_devices(ids, n, why);
}

/* mesh ::= '<' '[' axes ']' (',' 'device_ids' '=' '[' numbers ']')? '>' */
bool attr_SDY_MESH(tsr_asm *a, tsr_attr **params)
{
    tsr_attr **ids = &params[SDY_MESH_device_ids];
    tsr_loc loc = tsr_asm_writing(a) ? 0 : tsr_asm_loc(a);
    TSR_TRY(tsr_asm_lit(a, "<") &&
            tsr_asm_sdy_list(
                a, "[]", &tsr_def_SDY_MESH_AXIS,
                "Sdy_Mesh parameter 'axes' which is to be a `::llvm::ArrayRef<MeshAxisAttr>`",
                &params[SDY_MESH_axes]));
    if (tsr_asm_maybe(a, ", device_ids=", *ids != NULL))
        TSR_TRY(tsr_asm_i64s(a, ids));
    TSR_TRY(tsr_asm_lit(a, ">"));
    if (tsr_asm_writing(a))
        return true;
    if (*ids)
        *ids = tsr_sdy_mesh(a->ctx, params[SDY_MESH_axes], *ids)->attrs[SDY_MESH_device_ids];
    tsr_buf why = {0};
    bool ok = tsr_sdy_mesh_ok(params[SDY_MESH_axes], *ids, &why);
    if (!ok)
        tsr_asm_error_at(a, loc, "%.*s", TSR_STR_ARG(tsr_buf_text(&why)));
    tsr_buf_free(&why);
    return ok;
}

/* ---- Axes ---- */

bool attr_SDY_SUB_AXIS_INFO(tsr_asm *a, tsr_attr **params)
{
    return tsr_asm_lit(a, "(") && number(a, &params[SDY_SUB_AXIS_INFO_pre_size]) &&
           tsr_asm_lit(a, ")") && number(a, &params[SDY_SUB_AXIS_INFO_size]);
}

/* axis_ref ::= "name" (':' '(' pre ')' size)? */
bool attr_SDY_AXIS_REF(tsr_asm *a, tsr_attr **params)
{
    if (!tsr_asm_string_attr(a, &params[SDY_AXIS_REF_name]))
        return tsr_asm_sdy_failed(
            a, "Sdy_AxisRef parameter 'name' which is to be a `::llvm::StringRef`");
    return !tsr_asm_maybe(a, ":", params[SDY_AXIS_REF_sub] != NULL) ||
           tsr_asm_struct(a, &tsr_def_SDY_SUB_AXIS_INFO, &params[SDY_AXIS_REF_sub]);
}

bool attr_SDY_AXIS_REF_LIST(tsr_asm *a, tsr_attr **params)
{
    return tsr_asm_sdy_list(
        a, "{}", &tsr_def_SDY_AXIS_REF,
        "Sdy_AxisRefList parameter 'value' which is to be a `::llvm::ArrayRef<AxisRefAttr>`",
        &params[0]);
}

bool attr_SDY_LIST_OF_AXIS_REF_LISTS(tsr_asm *a, tsr_attr **params)
{
    return tsr_asm_sdy_list(a, "[]", &tsr_def_SDY_AXIS_REF_LIST,
                            "Sdy_ListOfAxisRefLists parameter 'value' which is to be a "
                            "`::llvm::ArrayRef<AxisRefListAttr>`",
                            &params[0]);
}

bool attr_SDY_MANUAL_AXES(tsr_asm *a, tsr_attr **params)
{
    return tsr_asm_sdy_list(
        a, "{}", NULL,
        "Sdy_ManualAxes parameter 'value' which is to be a `::llvm::ArrayRef<StringAttr>`",
        &params[0]);
}

/* all_to_all_param ::= '{' axes '}' ':' src '->' tgt */
bool attr_SDY_ALL_TO_ALL_PARAM(tsr_asm *a, tsr_attr **params)
{
    return tsr_asm_sdy_list(a, "{}", &tsr_def_SDY_AXIS_REF,
                            "Sdy_AllToAllParamAttr parameter 'axes' which is to be a "
                            "`::llvm::ArrayRef<AxisRefAttr>`",
                            &params[SDY_ALL_TO_ALL_PARAM_axes]) &&
           tsr_asm_lit(a, ": ") && number(a, &params[SDY_ALL_TO_ALL_PARAM_src]) &&
           tsr_asm_lit(a, "->") && number(a, &params[SDY_ALL_TO_ALL_PARAM_tgt]);
}

bool attr_SDY_ALL_TO_ALL_PARAM_LIST(tsr_asm *a, tsr_attr **params)
{
    return tsr_asm_sdy_list(a, "[]", &tsr_def_SDY_ALL_TO_ALL_PARAM,
                            "Sdy_AllToAllParamList parameter 'value' which is to be a "
                            "`::llvm::ArrayRef<AllToAllParamAttr>`",
                            &params[0]);
}

/* ---- Shardings ---- */

/* p12, reading. The word is the current token. */
static bool read_priority(tsr_asm *a, tsr_attr **attr)
{
    tsr_str word = tsr_tok_text(a->in);
    uint64_t value = 0;
    bool digits = word.len > 1 && word.data[0] == 'p';
    for (size_t i = 1; digits && i < word.len; i++)
        digits = word.data[i] >= '0' && word.data[i] <= '9';
    tsr_read_next(a->in);
    if (!digits)
        return tsr_asm_error(a, "expecting priority in format 'p<number>', got: %.*s",
                             TSR_STR_ARG(word));
    if (word.len > 2 && word.data[1] == '0')
        return tsr_asm_error(a, "priorities with leading zeros are not allowed, got: %.*s",
                             TSR_STR_ARG(word));
    if (!tsr_tok_uint((tsr_str){word.data + 1, word.len - 1}, &value) || value > INT64_MAX)
        return tsr_asm_error(a, "expecting integer priority, got: %.*s", TSR_STR_ARG(word));
    *attr = tsr_attr_i64(a->ctx, (int64_t)value);
    return true;
}

static bool read_dimension(tsr_asm *a, tsr_attr_vec *axes, tsr_attr **params)
{
    bool closed = true;
    TSR_TRY(tsr_asm_lit(a, "{"));
    while (!tsr_asm_maybe(a, "}", false)) {
        tsr_attr *axis = NULL;
        if (axes->n)
            TSR_TRY(tsr_asm_lit(a, ","));
        if (tsr_asm_maybe(a, "?", false)) {
            closed = false;
            TSR_TRY(tsr_asm_lit(a, "}"));
            break;
        }
        TSR_TRY(tsr_asm_struct(a, &tsr_def_SDY_AXIS_REF, &axis));
        tsr_vec_push(axes, axis);
    }
    params[SDY_DIMENSION_SHARDING_axes] = tsr_attr_array(a->ctx, axes->data, axes->n);
    params[SDY_DIMENSION_SHARDING_is_closed] = tsr_attr_bool(a->ctx, closed);
    return !tsr_read_is(a->in, TOK_WORD) ||
           read_priority(a, &params[SDY_DIMENSION_SHARDING_priority]);
}

/* dimension_sharding ::= '{' (axis (',' axis)*)? (','? '?')? '}' ('p' number)? */
bool attr_SDY_DIMENSION_SHARDING(tsr_asm *a, tsr_attr **params)
{
    if (!tsr_asm_writing(a)) {
        tsr_attr_vec axes = {0};
        bool ok = read_dimension(a, &axes, params);
        tsr_vec_free(&axes);
        return ok;
    }
    tsr_attr *axes = params[SDY_DIMENSION_SHARDING_axes],
             *priority = params[SDY_DIMENSION_SHARDING_priority];
    tsr_asm_lit(a, "{");
    for (uint32_t i = 0; i < axes->n; i++) {
        if (i)
            tsr_asm_lit(a, ", ");
        tsr_asm_struct(a, &tsr_def_SDY_AXIS_REF, &axes->attrs[i]);
    }
    if (!params[SDY_DIMENSION_SHARDING_is_closed]->i)
        tsr_asm_lit(a, axes->n ? ", ?" : "?");
    tsr_asm_lit(a, "}");
    return !priority || (tsr_asm_lit(a, "p") && number(a, &priority));
}

static bool axis_list(tsr_asm *a, tsr_attr **axes)
{
    return tsr_asm_sdy_list(a, "{}", &tsr_def_SDY_AXIS_REF,
                            "axis list which is expected to be an `ArrayRef<AxisRefAttr>`", axes);
}

static const char *const reduction_words[] = {"sum", "max", "min", NULL};

/* replicated={...} and unreduced={...} in any order, reading. unreduced may name its reduction: max{...}. */
static bool read_axes_by_name(tsr_asm *a, tsr_attr **params)
{
    tsr_attr **replicated = &params[SDY_SHARDING_replicated],
             **unreduced = &params[SDY_SHARDING_unreduced];
    while (tsr_asm_maybe(a, ",", false)) {
        if (!*replicated && tsr_asm_maybe(a, "replicated", false)) {
            if (!tsr_asm_lit(a, "=") || !axis_list(a, replicated))
                return tsr_asm_sdy_failed(a, "Sdy_TensorSharding parameter 'replicated_axes'");
        } else if (!*unreduced && tsr_asm_maybe(a, "unreduced", false)) {
            if (tsr_asm_maybe(a, "=", false))
                for (int i = 0; reduction_words[i]; i++)
                    if (tsr_asm_maybe(a, reduction_words[i], false)) {
                        params[SDY_SHARDING_reduction] = tsr_attr_i64(a->ctx, i);
                        break;
                    }
            if (!axis_list(a, unreduced))
                return tsr_asm_sdy_failed(a, "Sdy_TensorSharding parameter 'unreduced_axes'");
        } else {
            return tsr_asm_error(
                a,
                "failed to parse Sdy_TensorSharding, expected valid named axis list after comma");
        }
    }
    tsr_attr *none = tsr_attr_array(a->ctx, NULL, 0);
    if (!*replicated)
        *replicated = none;
    if (!*unreduced)
        *unreduced = none;
    if (!params[SDY_SHARDING_reduction] || !(*unreduced)->n)
        params[SDY_SHARDING_reduction] = tsr_attr_i64(a->ctx, TSR_SDY_SUM);
    return true;
}

/* sharding ::= '<' (@mesh | 'mesh' mesh) ',' '[' dims ']' (',' 'replicated' '=' axes)?
 *              (',' 'unreduced' '=' axes)? '>' */
bool attr_SDY_SHARDING(tsr_asm *a, tsr_attr **params)
{
    tsr_attr **mesh = &params[SDY_SHARDING_mesh];
    TSR_TRY(tsr_asm_lit(a, "<"));
    if (tsr_asm_maybe(a, "mesh", tsr_attr_is_struct(*mesh, &tsr_def_SDY_MESH)))
        TSR_TRY(tsr_asm_struct(a, &tsr_def_SDY_MESH, mesh));
    else
        TSR_TRY(tsr_asm_form(a, &tsr_is_FlatSymbolRefAttr, mesh));
    TSR_TRY(tsr_asm_lit(a, ", ") &&
            tsr_asm_sdy_list(a, "[]", &tsr_def_SDY_DIMENSION_SHARDING,
                             "Sdy_TensorSharding parameter 'dim_shardings' which is to be a "
                             "`::llvm::ArrayRef<DimensionShardingAttr>`",
                             &params[SDY_SHARDING_dims]));
    if (!tsr_asm_writing(a))
        return read_axes_by_name(a, params) && tsr_asm_lit(a, ">");
    if (params[SDY_SHARDING_replicated]->n) {
        tsr_asm_lit(a, ", replicated=");
        axis_list(a, &params[SDY_SHARDING_replicated]);
    }
    if (params[SDY_SHARDING_unreduced]->n) {
        int64_t op = params[SDY_SHARDING_reduction]->i;
        tsr_asm_lit(a, ", unreduced=");
        if (op != TSR_SDY_SUM)
            tsr_asm_lit(a, reduction_words[op]);
        axis_list(a, &params[SDY_SHARDING_unreduced]);
    }
    return tsr_asm_lit(a, ">");
}

bool attr_SDY_SHARDING_PER_VALUE(tsr_asm *a, tsr_attr **params)
{
    return tsr_asm_lit(a, "<") &&
           tsr_asm_sdy_list(a, "[]", &tsr_def_SDY_SHARDING,
                            "Sdy_TensorShardingPerValue parameter 'shardings' which is to be a "
                            "`::llvm::ArrayRef<TensorShardingAttr>`",
                            &params[0]) &&
           tsr_asm_lit(a, ">");
}

bool tsr_asm_sdy_shardings(tsr_asm *a, tsr_attr **per_value)
{
    tsr_attr *shardings = *per_value ? (*per_value)->attrs[0] : NULL;
    TSR_TRY(tsr_asm_sdy_list(a, "[]", &tsr_def_SDY_SHARDING, NULL, &shardings));
    if (!tsr_asm_writing(a))
        *per_value = tsr_attr_struct(a->ctx, &tsr_def_SDY_SHARDING_PER_VALUE, &shardings);
    return true;
}
