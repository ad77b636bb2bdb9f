/* SPDX-License-Identifier: Apache-2.0 */
/* types.c - assembly of VHLO's types, and of its function op. */
#include "asm/reader.h"
#include "asm/writer.h"
#include "dialect/hooks.h"
#include "dialect/vhlo/forms.h"

bool type_plain(tsr_asm *a, tsr_attr **params)
{
    (void)a;
    (void)params;
    return true;
}

/* ---- One element type ---- */

bool type_VHLO_COMPLEX_TYPE_V1(tsr_asm *a, tsr_attr **params)
{
    return tsr_asm_lit(a, "<") && tsr_vhlo_asm_type(a, &params[0]) && tsr_asm_lit(a, ">");
}

bool type_VHLO_UNRANKED_TENSOR_V1(tsr_asm *a, tsr_attr **params)
{
    return type_VHLO_COMPLEX_TYPE_V1(a, params);
}

/* 2x?x in front of an element type */
static bool shape(tsr_asm *a, tsr_attr **attr)
{
    int64_t dims[TSR_READ_MAX_RANK];
    size_t n;
    if (!tsr_asm_writing(a)) {
        TSR_TRY(tsr_read_dims(a->in, dims, &n));
        *attr = tsr_attr_i64_array(a->ctx, dims, n);
        return true;
    }
    n = (size_t)tsr_attr_count(*attr);
    for (size_t i = 0; i < n; i++) {
        int64_t dim = tsr_attr_int_at(*attr, i);
        tsr_asm_dim(a, &dim);
        tsr_asm_lit(a, "x");
    }
    return true;
}

bool type_VHLO_TENSOR_V1(tsr_asm *a, tsr_attr **params)
{
    TSR_TRY(tsr_asm_lit(a, "<") && shape(a, &params[0]) && tsr_vhlo_asm_type(a, &params[1]));
    if (tsr_asm_maybe(a, ", ", params[2] != NULL)) {
        tsr_loc loc = tsr_asm_writing(a) ? 0 : tsr_asm_loc(a);
        TSR_TRY(tsr_asm_attr(a, &params[2]));
        if (!tsr_attr_is_vhlo(params[2]))
            return tsr_asm_error_at(a, loc, "expected VHLO type or attribute");
    }
    return tsr_asm_lit(a, ">");
}

bool type_VHLO_BUFFER_V1(tsr_asm *a, tsr_attr **params)
{
    return tsr_asm_lit(a, "<") && shape(a, &params[0]) && tsr_vhlo_asm_type(a, &params[1]) &&
           tsr_asm_lit(a, ">");
}

/* ---- Lists of types ---- */

/* T, T, ...; empty if there are none. */
static bool types(tsr_asm *a, const char *empty, tsr_attr **array)
{
    tsr_attr_vec v = {0};
    bool ok = true;
    if (tsr_asm_writing(a)) {
        if (!(*array)->n)
            tsr_asm_lit(a, empty);
        for (uint32_t i = 0; i < (*array)->n; i++) {
            tsr_asm_lit(a, i ? ", " : "");
            tsr_vhlo_asm_type(a, &(*array)->attrs[i]);
        }
        return true;
    }
    if (*empty && tsr_asm_maybe(a, "(", false)) {
        TSR_TRY(tsr_asm_lit(a, ")"));
    } else if (!tsr_asm_peek(a, ">")) {
        do {
            tsr_attr *t = NULL;
            ok = tsr_vhlo_asm_type(a, &t);
            if (ok)
                tsr_vec_push(&v, t);
        } while (ok && tsr_asm_maybe(a, ",", false));
    }
    if (ok)
        *array = tsr_attr_array(a->ctx, v.data, v.n);
    tsr_vec_free(&v);
    return ok;
}

/* <(T, T) -> T, T>; () represents no types on either side */
bool type_VHLO_FUNC_TYPE_V1(tsr_asm *a, tsr_attr **params)
{
    return tsr_asm_lit(a, "<(") && types(a, "()", &params[0]) && tsr_asm_lit(a, ") -> ") &&
           types(a, "()", &params[1]) && tsr_asm_lit(a, ">");
}

bool type_VHLO_TUPLE_TYPE_V1(tsr_asm *a, tsr_attr **params)
{
    return tsr_asm_lit(a, "<") && types(a, "", &params[0]) && tsr_asm_lit(a, ">");
}

bool type_VHLO_FUTURE_V1(tsr_asm *a, tsr_attr **params)
{
    return type_VHLO_TUPLE_TYPE_V1(a, params);
}

/* ---- Quantized types ---- */

/* min:max, flags> */
static bool quant_end(tsr_asm *a, tsr_attr **range, tsr_attr **flags)
{
    return tsr_asm_lit(a, ", ") && tsr_asm_i64(a, &range[0]) && tsr_asm_lit(a, ":") &&
           tsr_asm_i64(a, &range[1]) && tsr_asm_lit(a, ", ") && tsr_asm_i64(a, flags) &&
           tsr_asm_lit(a, ">");
}

/* <storage:expressed, scale:zero, min:max, flags> */
bool type_VHLO_QUANT_V1(tsr_asm *a, tsr_attr **params)
{
    return tsr_asm_lit(a, "<") && tsr_vhlo_asm_type(a, &params[VHLO_QUANT_storage]) &&
           tsr_asm_lit(a, ":") && tsr_vhlo_asm_type(a, &params[VHLO_QUANT_expressed]) &&
           tsr_asm_lit(a, ", ") && tsr_vhlo_asm_double(a, &params[VHLO_QUANT_scale]) &&
           tsr_asm_lit(a, ":") && tsr_asm_i64(a, &params[VHLO_QUANT_zero_point]) &&
           quant_end(a, &params[VHLO_QUANT_min], &params[VHLO_QUANT_flags]);
}

typedef TSR_VEC(uint64_t) bits_vec;

static bool scale_element(tsr_asm *a, void *user, size_t i)
{
    bits_vec *v = user;
    tsr_type *f64 = tsr_type_float(a->ctx, TSR_F64);
    tsr_attr *scale = tsr_asm_writing(a) ? tsr_attr_float_bits(a->ctx, f64, v->data[i]) : NULL;
    TSR_TRY(tsr_vhlo_asm_double(a, &scale));
    if (!tsr_asm_writing(a))
        tsr_vec_push(v, (uint64_t)scale->i);
    return true;
}

/* [1.0, 2.0] as array<f64> */
static bool scales(tsr_asm *a, tsr_attr **attr)
{
    bits_vec v = {0};
    size_t n = tsr_asm_writing(a) ? (size_t)tsr_attr_count(*attr) : 0;
    for (size_t i = 0; i < n; i++) {
        uint64_t bits;
        memcpy(&bits, (*attr)->s.data + 8 * i, 8);
        tsr_vec_push(&v, bits);
    }
    bool ok = tsr_asm_list(a, "[", "]", &n, scale_element, &v);
    if (ok && !tsr_asm_writing(a))
        *attr = tsr_attr_dense_array(a->ctx, tsr_type_float(a->ctx, TSR_F64), v.data, v.n);
    tsr_vec_free(&v);
    return ok;
}

/* <storage:expressed, axis, [scales], [zeros], min:max, flags> */
bool type_VHLO_QUANT_PER_AXIS_V1(tsr_asm *a, tsr_attr **params)
{
    return tsr_asm_lit(a, "<") && tsr_vhlo_asm_type(a, &params[VHLO_PER_AXIS_storage]) &&
           tsr_asm_lit(a, ":") && tsr_vhlo_asm_type(a, &params[VHLO_PER_AXIS_expressed]) &&
           tsr_asm_lit(a, ", ") && tsr_asm_i64(a, &params[VHLO_PER_AXIS_axis]) &&
           tsr_asm_lit(a, ", ") && scales(a, &params[VHLO_PER_AXIS_scales]) &&
           tsr_asm_lit(a, ", ") && tsr_asm_i64s(a, &params[VHLO_PER_AXIS_zero_points]) &&
           quant_end(a, &params[VHLO_PER_AXIS_min], &params[VHLO_PER_AXIS_flags]);
}

/* ---- Functions ---- */

/* func ::= @name '(' (%arg ':' type),* ')' '->' types region dict */
static bool write_func(tsr_asm *a)
{
    const tsr_attr *name = a->op->attrs[VHLO_FUNC_V1_sym_name],
                   *type = a->op->attrs[VHLO_FUNC_V1_function_type];
    if (!tsr_attr_is_struct(name, &tsr_def_VHLO_STRING_V1) ||
        !tsr_attr_is_struct(type, &tsr_def_VHLO_TYPE_V1))
        return false;
    const tsr_type *f = type->attrs[0]->type;
    if (!tsr_type_is(f, TSR_TYPE_DIALECT) || f->def != &tsr_def_VHLO_FUNC_TYPE_V1)
        return false;
    tsr_str word = name->attrs[0]->s;
    const tsr_block *entry = a->op->regions[0].first;
    if ((entry ? entry->nargs : 0) !=
        f->params[0]->n) /* of a declaration: the form has no place for its inputs */
        return false;
    tsr_asm_lit(a, " ");
    tsr_asm_symbol_name(a, &word);
    tsr_asm_lit(a, "(");
    for (uint32_t i = 0; entry && i < entry->nargs; i++) {
        tsr_asm_lit(a, i ? ", " : "");
        tsr_asm_region_arg(a, 0, i, NULL);
    }
    tsr_asm_lit(a, ") -> (");
    types(a, "", &f->params[1]);
    tsr_asm_lit(a, ") ");
    tsr_asm_region(a, 0, NULL, TSR_REGION_TERMINATORS | TSR_REGION_EMPTY_BLOCK);
    tsr_asm_done(a, VHLO_FUNC_V1_sym_name);
    tsr_asm_done(a, VHLO_FUNC_V1_function_type);
    return tsr_asm_dict(a);
}

static bool read_arg(tsr_asm *a, void *user, size_t i)
{
    return tsr_asm_region_arg(a, 0, i, user);
}

static bool read_func(tsr_asm *a, tsr_region_args *args, tsr_type_vec *results, tsr_attr_vec *attrs)
{
    tsr_str name;
    size_t n;
    TSR_TRY(tsr_asm_symbol_name(a, &name) && tsr_asm_list(a, "(", ")", &n, read_arg, args) &&
            tsr_asm_lit(a, "->"));
    tsr_loc loc = tsr_asm_loc(a);
    TSR_TRY(tsr_read_type_list(a->in, results));
    tsr_attr *params[2], *held;
    for (size_t i = 0; i < args->n; i++)
        tsr_vec_push(attrs, tsr_attr_type(a->ctx, args->data[i].type));
    params[0] = tsr_attr_array(a->ctx, attrs->data, attrs->n);
    for (size_t i = 0; i < results->n; i++)
        tsr_vec_push(attrs, tsr_attr_type(a->ctx, results->data[i]));
    for (size_t i = 0; i < attrs->n; i++)
        if (!tsr_type_is_vhlo(attrs->data[i]->type))
            return tsr_asm_error_at(a, loc, "expected VHLO types");
    params[1] = tsr_attr_array(a->ctx, TSR_FROM(attrs->data, args->n), results->n);
    held = tsr_attr_type(a->ctx, tsr_type_dialect(a->ctx, &tsr_def_VHLO_FUNC_TYPE_V1, params));
    a->st->attrs[VHLO_FUNC_V1_function_type] =
        tsr_attr_struct(a->ctx, &tsr_def_VHLO_TYPE_V1, &held);
    held = tsr_attr_string(a->ctx, name);
    a->st->attrs[VHLO_FUNC_V1_sym_name] = tsr_attr_struct(a->ctx, &tsr_def_VHLO_STRING_V1, &held);
    tsr_asm_done(a, VHLO_FUNC_V1_sym_name);
    tsr_asm_done(a, VHLO_FUNC_V1_function_type);
    return tsr_asm_region(a, 0, args->n ? args : NULL, TSR_REGION_TERMINATORS) && tsr_asm_dict(a);
}

bool asm_vhlo_func(tsr_asm *a)
{
    if (tsr_asm_writing(a))
        return write_func(a);
    tsr_region_args args = {0};
    tsr_type_vec results = {0};
    tsr_attr_vec attrs = {0};
    bool ok = read_func(a, &args, &results, &attrs);
    tsr_vec_free(&args);
    tsr_vec_free(&results);
    tsr_vec_free(&attrs);
    return ok;
}
