/* SPDX-License-Identifier: Apache-2.0 */
/* fields.c - the kinds of fields in encodings of struct attributes; each works in both directions. */
#include "text/bytecode/fields.h"

/* Parameters of the largest struct. */
enum { MOST_PARAMS = 16 };

static bool number(tsr_bc *b, tsr_attr **attr)
{
    int64_t v = tsr_bc_reading(b) ? 0 : (*attr)->i;
    TSR_TRY(tsr_bc_svarint(b, &v));
    if (tsr_bc_reading(b))
        *attr = tsr_attr_i64(b->ctx, v);
    return true;
}

static bool maybe_numbers(tsr_bc *b, tsr_attr **attr)
{
    tsr_attr *list = tsr_bc_reading(b) || *attr ? *attr : tsr_attr_i64_array(b->ctx, NULL, 0);
    TSR_TRY(tsr_bc_i64s(b, &list));
    if (tsr_bc_reading(b))
        *attr = tsr_attr_count(list) ? list : NULL;
    return true;
}

static bool priority(tsr_bc *b, tsr_attr **attr)
{
    uint64_t v = tsr_bc_reading(b) || !*attr ? 0 : (uint64_t)(*attr)->i << 1 | 1;
    TSR_TRY(tsr_bc_varint(b, &v));
    if (tsr_bc_reading(b))
        *attr = v & 1 ? tsr_attr_i64(b->ctx, (int64_t)(v >> 1)) : NULL;
    return true;
}

static bool type(tsr_bc *b, tsr_attr **attr)
{
    tsr_type *t = tsr_bc_reading(b) ? NULL : (*attr)->type;
    TSR_TRY(tsr_bc_type(b, &t));
    if (tsr_bc_reading(b))
        *attr = tsr_attr_type(b->ctx, t);
    return true;
}

static bool truth(tsr_bc *b, bool unit, tsr_attr **attr)
{
    bool v = !tsr_bc_reading(b) && *attr && (unit || (*attr)->i);
    TSR_TRY(tsr_bc_bool(b, &v));
    if (tsr_bc_reading(b))
        *attr = !unit ? tsr_attr_bool(b->ctx, v) : v ? tsr_attr_unit(b->ctx) : NULL;
    return true;
}

static bool of_def(tsr_bc *b, const tsr_attrdef *def, tsr_attr **attr)
{
    return def ? tsr_bc_attr_def(b, def, attr) : tsr_bc_attr(b, attr);
}

static bool maybe(tsr_bc *b, const tsr_attrdef *def, tsr_attr **attr)
{
    TSR_TRY(tsr_bc_optional_attr(b, attr));
    if (tsr_bc_reading(b) && *attr && def && !tsr_attr_is_struct(*attr, def))
        return tsr_bc_error(b, "has another attribute in place of a #%s", def->name);
    return true;
}

static bool maybe_byte(tsr_bc *b, const tsr_attrdef *def, tsr_attr **attr)
{
    bool there = !tsr_bc_reading(b) && *attr;
    TSR_TRY(tsr_bc_bool(b, &there));
    if (there)
        return of_def(b, def, attr);
    if (tsr_bc_reading(b))
        *attr = NULL;
    return true;
}

/* Whether all are of def (NULL: any), or strings. */
static bool elements_ok(tsr_bc *b, const tsr_attrdef *def, bool strings, tsr_attr *const *attrs,
                        size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (def && !tsr_attr_is_struct(attrs[i], def))
            return tsr_bc_error(b, "has another attribute in a list of #%s", def->name);
        if (strings && !tsr_attr_is(attrs[i], TSR_ATTR_STRING))
            return tsr_bc_error(b, "has another attribute in a list of strings");
    }
    return true;
}

static bool list(tsr_bc *b, const tsr_attrdef *def, bool strings, tsr_attr **attr)
{
    tsr_attr *const *attrs = tsr_bc_reading(b) ? NULL : (*attr)->attrs;
    size_t n = tsr_bc_reading(b) ? 0 : (*attr)->n;
    TSR_TRY(tsr_bc_attrs(b, &attrs, &n));
    if (!tsr_bc_reading(b))
        return true;
    TSR_TRY(elements_ok(b, def, strings, attrs, n));
    *attr = tsr_attr_array(b->ctx, attrs, n);
    return true;
}

static bool array(tsr_bc *b, const tsr_attrdef *def, tsr_attr **attr)
{
    return tsr_bc_attr_kind(b, TSR_ATTR_ARRAY, attr) &&
           (!tsr_bc_reading(b) || elements_ok(b, def, false, (*attr)->attrs, (*attr)->n));
}

static bool types(tsr_bc *b, tsr_attr **attr)
{
    size_t n = tsr_bc_reading(b) ? 0 : (*attr)->n;
    TSR_VEC(tsr_attr *) all = {0};
    TSR_TRY(tsr_bc_count(b, &n));
    bool ok = true;
    for (size_t i = 0; i < n && ok; i++) {
        tsr_attr *t = tsr_bc_reading(b) ? NULL : (*attr)->attrs[i];
        ok = type(b, &t);
        tsr_vec_push(&all, t);
    }
    if (ok && tsr_bc_reading(b))
        *attr = tsr_attr_array(b->ctx, all.data, n);
    tsr_vec_free(&all);
    return ok;
}

bool bc_field_code(tsr_bc *b, const bc_field *f, tsr_attr **param)
{
    switch (f->kind) {
    case BC_NUMBER: return number(b, param);
    case BC_NUMBERS: return tsr_bc_i64s(b, param);
    case BC_MAYBE_NUMBERS: return maybe_numbers(b, param);
    case BC_PRIORITY: return priority(b, param);
    case BC_STRING: return tsr_bc_string_attr(b, param);
    case BC_TYPE: return type(b, param);
    case BC_TYPES: return types(b, param);
    case BC_BOOL: return truth(b, false, param);
    case BC_UNIT: return truth(b, true, param);
    case BC_F64: return tsr_bc_float_attr(b, tsr_type_float(b->ctx, TSR_F64), param);
    case BC_ATTR: return of_def(b, f->def, param);
    case BC_MAYBE: return maybe(b, f->def, param);
    case BC_MAYBE_BYTE: return maybe_byte(b, f->def, param);
    case BC_LIST: return list(b, f->def, false, param);
    case BC_STRINGS: return list(b, NULL, true, param);
    case BC_ARRAY: return array(b, f->def, param);
    }
    return false;
}

bool bc_params(tsr_bc *b, const bc_field *fields, size_t n, const tsr_attr *attr, tsr_attr **params)
{
    for (size_t i = 0; i < n; i++) {
        if (!tsr_bc_reading(b))
            params[i] = attr->attrs[i];
        TSR_TRY(bc_field_code(b, &fields[i], &params[i]));
    }
    return true;
}

bool bc_struct(tsr_bc *b, const tsr_attrdef *def, const bc_field *fields, size_t n,
               bool (*ok)(tsr_ctx *ctx, tsr_loc loc, tsr_attr *const *params), tsr_attr **attr)
{
    tsr_attr *params[MOST_PARAMS] = {0};
    tsr_assert(n == def->nparam && n <= MOST_PARAMS, "%s: one field for each parameter", def->name);
    TSR_TRY(bc_params(b, fields, n, *attr, params));
    if (!tsr_bc_reading(b))
        return true;
    if (ok && !ok(b->ctx, TSR_LOC_UNKNOWN, params))
        return tsr_bc_error(b, "has a bad #%s", def->name);
    *attr = tsr_attr_struct(b->ctx, def, params);
    return true;
}

int bc_code_of(const tsr_attrdef *const *defs, size_t n, const tsr_attrdef *def)
{
    for (size_t i = 0; i < n; i++)
        if (defs[i] && defs[i] == def)
            return (int)i;
    return -1;
}

bool bc_enum(tsr_bc *b, const tsr_attrdef *def, tsr_attr **attr)
{
    uint64_t v = tsr_bc_reading(b) ? 0 : (uint64_t)(*attr)->i, ncase = 0;
    while (def->cases[ncase])
        ncase++;
    TSR_TRY(tsr_bc_enum(b, &v, ncase));
    if (tsr_bc_reading(b))
        *attr = tsr_attr_enum(b->ctx, def, (int64_t)v);
    return true;
}
