/* SPDX-License-Identifier: Apache-2.0 */
/* builtin.c - the encodings of builtin attributes, by their codes.
 *
 * What the text reader rejects is rejected here too, because the layers above rely on it. Affine maps, integer sets and
 * strided layouts have no code and are written as text. */
#include "asm/reader.h"
#include "text/bytecode/bytecode.h"

/* ---- Attributes ---- */

static bool bc_array(tsr_bc *b, tsr_attr **attr)
{
    tsr_attr *const *attrs = tsr_bc_reading(b) ? NULL : (*attr)->attrs;
    size_t n = tsr_bc_reading(b) ? 0 : (*attr)->n;
    if (!tsr_bc_attrs(b, &attrs, &n))
        return false;
    if (tsr_bc_reading(b))
        *attr = tsr_attr_array(b->ctx, attrs, n);
    return true;
}

static int by_name(const void *a, const void *b)
{
    return tsr_str_cmp(((const tsr_named *)a)->name->str, ((const tsr_named *)b)->name->str);
}

static bool bc_dict(tsr_bc *b, tsr_attr **attr)
{
    size_t n = tsr_bc_reading(b) ? 0 : (*attr)->n;
    if (!tsr_bc_count(b, &n))
        return false;
    tsr_named *named = tsr_bc_reading(b) ? tsr_arena_alloc(b->scratch, n * sizeof *named) : NULL;
    for (size_t i = 0; i < n; i++) {
        tsr_attr *name = named ? NULL : tsr_attr_string(b->ctx, (*attr)->named[i].name->str);
        tsr_attr *value = named ? NULL : (*attr)->named[i].value;
        if (!tsr_bc_attr_kind(b, TSR_ATTR_STRING, &name) || !tsr_bc_attr(b, &value))
            return false;
        if (named && !name->s.len)
            return tsr_bc_error(b, "has an attribute without a name");
        if (named)
            named[i] = (tsr_named){tsr_name_get(b->ctx, name->s), value};
    }
    if (!named)
        return true;
    bool sorted = true;
    for (size_t i = 1; i < n; i++)
        sorted = sorted && by_name(&named[i - 1], &named[i]) < 0;
    if (!sorted)
        qsort(named, n, sizeof *named, by_name);
    for (size_t i = 1; !sorted && i < n; i++)
        if (named[i - 1].name == named[i].name)
            return tsr_bc_error(b, "has the attribute '%.*s' twice",
                                TSR_STR_ARG(named[i].name->str));
    *attr = tsr_attr_dict(b->ctx, named, n);
    return true;
}

static bool bc_typed_string(tsr_bc *b, tsr_attr **attr)
{
    tsr_str s = tsr_bc_reading(b) ? (tsr_str){0} : (*attr)->s;
    tsr_type *type = tsr_bc_reading(b) ? NULL : (*attr)->type;
    if (!tsr_bc_string(b, &s) || !tsr_bc_type(b, &type))
        return false;
    if (tsr_bc_reading(b))
        *attr = tsr_attr_typed_string(b->ctx, s, type);
    return true;
}

static bool symbol(tsr_bc *b, tsr_attr **attr, bool nested)
{
    tsr_attr *root = tsr_bc_reading(b) ? NULL : tsr_attr_string(b->ctx, (*attr)->s);
    tsr_attr *const *attrs = tsr_bc_reading(b) ? NULL : (*attr)->attrs;
    size_t n = tsr_bc_reading(b) ? 0 : (*attr)->n;
    if (!tsr_bc_attr_kind(b, TSR_ATTR_STRING, &root) || (nested && !tsr_bc_attrs(b, &attrs, &n)))
        return false;
    if (!tsr_bc_reading(b))
        return true;
    for (size_t i = 0; i < n; i++)
        if (attrs[i]->kind != TSR_ATTR_SYMBOL || attrs[i]->n)
            return tsr_bc_error(b, "has a nested reference that is no flat symbol");
    *attr = tsr_attr_symbol(b->ctx, root->s, attrs, n);
    return true;
}

static bool bc_flat_symbol(tsr_bc *b, tsr_attr **attr)
{
    return symbol(b, attr, false);
}

static bool bc_symbol(tsr_bc *b, tsr_attr **attr)
{
    return symbol(b, attr, true);
}

static bool bc_type_attr(tsr_bc *b, tsr_attr **attr)
{
    tsr_type *type = tsr_bc_reading(b) ? NULL : (*attr)->type;
    if (!tsr_bc_type(b, &type))
        return false;
    if (tsr_bc_reading(b))
        *attr = tsr_attr_type(b->ctx, type);
    return true;
}

static bool bc_unit(tsr_bc *b, tsr_attr **attr)
{
    if (tsr_bc_reading(b))
        *attr = tsr_attr_unit(b->ctx);
    return true;
}

static bool bc_int(tsr_bc *b, tsr_attr **attr)
{
    tsr_type *type = tsr_bc_reading(b) ? NULL : (*attr)->type;
    return tsr_bc_type(b, &type) && tsr_bc_int_attr(b, type, attr);
}

static bool bc_float(tsr_bc *b, tsr_attr **attr)
{
    tsr_type *type = tsr_bc_reading(b) ? NULL : (*attr)->type;
    return tsr_bc_type(b, &type) && tsr_bc_float_attr(b, type, attr);
}

/* ---- Locations ---- */

static bool bc_callsite(tsr_bc *b, tsr_attr **attr)
{
    tsr_attr *callee = tsr_bc_reading(b) ? NULL : (*attr)->attrs[0];
    tsr_attr *caller = tsr_bc_reading(b) ? NULL : (*attr)->attrs[1];
    if (!tsr_bc_attr_kind(b, TSR_ATTR_LOC, &callee) || !tsr_bc_attr_kind(b, TSR_ATTR_LOC, &caller))
        return false;
    if (tsr_bc_reading(b))
        *attr = tsr_attr_loc_callsite(b->ctx, callee, caller);
    return true;
}

/* The file is a string attribute; lines and columns are kept in 32 bits. */
static bool file_name(tsr_bc *b, tsr_attr *const *attr, tsr_attr **file)
{
    *file = tsr_bc_reading(b) ? NULL : tsr_attr_string(b->ctx, (*attr)->s);
    return tsr_bc_attr_kind(b, TSR_ATTR_STRING, file);
}

static bool bc_file(tsr_bc *b, tsr_attr **attr)
{
    tsr_attr *file;
    uint32_t line = 0, col = 0;
    if (!tsr_bc_reading(b)) {
        line = (uint32_t)(*attr)->ints[0];
        col = (uint32_t)(*attr)->ints[1];
    }
    if (!file_name(b, attr, &file) || !tsr_bc_u32(b, &line) || !tsr_bc_u32(b, &col))
        return false;
    int64_t at[] = {line, col};
    if (tsr_bc_reading(b))
        *attr = tsr_attr_loc_file(b->ctx, file->s, at, 2);
    return true;
}

/* A range: as few of start line, start column, end line and end column as needed; the last of three is a column. */
static bool bc_file_range(tsr_bc *b, tsr_attr **attr)
{
    tsr_attr *file;
    int64_t at[4] = {0};
    size_t n = 0;
    if (!tsr_bc_reading(b)) {
        n = (*attr)->n;
        memcpy(at, (*attr)->ints, n * sizeof *at);
    }
    if (!file_name(b, attr, &file) || !tsr_bc_count(b, &n))
        return false;
    if (n > 4)
        return tsr_bc_error(b, "has a range of %zu numbers", n);
    for (size_t i = 0; i < n; i++) {
        uint32_t v = (uint32_t)at[i];
        if (!tsr_bc_u32(b, &v))
            return false;
        at[i] = v;
    }
    if (!tsr_bc_reading(b))
        return true;
    /* Fewer numbers than a position: the missing ones are 0. A range that ends where it starts is a position. */
    if (n < 2)
        n = 2;
    if (n == 4 && at[2] == at[0]) {
        at[2] = at[3];
        n = 3;
    }
    if (n == 3 && at[2] == at[1])
        n = 2;
    *attr = tsr_attr_loc_file(b->ctx, file->s, at, n);
    return true;
}

static bool fused(tsr_bc *b, tsr_attr **attr, bool with_meta)
{
    tsr_attr *const *locs = tsr_bc_reading(b) ? NULL : (*attr)->attrs;
    size_t n = tsr_bc_reading(b) ? 0 : (*attr)->n;
    tsr_attr *meta = tsr_bc_reading(b) ? NULL : (*attr)->attrs[(*attr)->n];
    if (!tsr_bc_attrs(b, &locs, &n) || (with_meta && !tsr_bc_attr(b, &meta)))
        return false;
    if (!tsr_bc_reading(b))
        return true;
    for (size_t i = 0; i < n; i++)
        if (locs[i]->kind != TSR_ATTR_LOC)
            return tsr_bc_error(b, "fuses what is no location");
    *attr = tsr_loc_fuse(b->ctx, locs, n, meta);
    return true;
}

static bool bc_fused(tsr_bc *b, tsr_attr **attr)
{
    return fused(b, attr, false);
}

static bool bc_fused_meta(tsr_bc *b, tsr_attr **attr)
{
    return fused(b, attr, true);
}

static bool bc_name(tsr_bc *b, tsr_attr **attr)
{
    tsr_attr *name, *child = NULL;
    if (!file_name(b, attr, &name))
        return false;
    if (!tsr_bc_reading(b))
        child = (*attr)->attrs[0] ? (*attr)->attrs[0] : tsr_attr_loc_unknown(b->ctx);
    if (!tsr_bc_attr_kind(b, TSR_ATTR_LOC, &child))
        return false;
    if (tsr_bc_reading(b))
        *attr =
            tsr_attr_loc_name(b->ctx, name->s, child->sub == TSR_LOC_KIND_UNKNOWN ? NULL : child);
    return true;
}

static bool bc_unknown(tsr_bc *b, tsr_attr **attr)
{
    if (tsr_bc_reading(b))
        *attr = tsr_attr_loc_unknown(b->ctx);
    return true;
}

/* ---- Elements ---- */

static bool shaped(tsr_bc *b, tsr_attr *const *attr, tsr_type **type)
{
    *type = tsr_bc_reading(b) ? NULL : (*attr)->type;
    if (!tsr_bc_type(b, type))
        return false;
    return tsr_type_is_shaped(*type) || tsr_bc_error(b, "has elements whose type is not shaped");
}

static bool bc_dense_resource(tsr_bc *b, tsr_attr **attr)
{
    tsr_type *type;
    tsr_str key = tsr_bc_reading(b) ? (tsr_str){0} : (*attr)->s;
    if (!shaped(b, attr, &type) || !tsr_bc_resource(b, TSR_STR("builtin"), &key))
        return false;
    if (tsr_bc_reading(b))
        *attr = tsr_attr_dense_resource(b->ctx, type, key);
    return true;
}

static bool bc_dense_array(tsr_bc *b, tsr_attr **attr)
{
    tsr_type *elem = tsr_bc_reading(b) ? NULL : (*attr)->type;
    uint64_t n = tsr_bc_reading(b) ? 0 : (uint64_t)tsr_attr_count(*attr);
    tsr_str data = tsr_bc_reading(b) ? (tsr_str){0} : (*attr)->s;
    if (!tsr_bc_type(b, &elem) || !tsr_bc_varint(b, &n) || !tsr_bc_blob(b, &data))
        return false;
    if (!tsr_bc_reading(b))
        return true;
    bool ok = (elem->kind == TSR_TYPE_INTEGER || elem->kind == TSR_TYPE_FLOAT) && elem->width &&
              (elem->width == 1 || elem->width % 8 == 0) && elem->width <= 64;
    size_t size = ok ? tsr_type_storage_bits(elem) / 8 : 0;
    if (!size || n > data.len / size || n * size != data.len)
        return tsr_bc_error(b, "has %zu bytes for an array of %llu numbers", data.len,
                            (unsigned long long)n);
    if (elem->width > 1) {
        *attr = tsr_attr_dense_array(b->ctx, elem, data.data, (size_t)n);
        return true;
    }
    uint8_t *bools = tsr_arena_alloc(b->scratch, data.len);
    for (size_t i = 0; i < data.len; i++)
        bools[i] = data.data[i] != 0;
    *attr = tsr_attr_dense_array(b->ctx, elem, bools, (size_t)n);
    return true;
}

static bool bc_dense(tsr_bc *b, tsr_attr **attr)
{
    tsr_type *type;
    tsr_str data;
    if (!shaped(b, attr, &type))
        return false;
    if (!tsr_bc_reading(b)) {
        tsr_bc_write_dense(b, *attr);
        return true;
    }
    return tsr_bc_blob(b, &data) && (*attr = tsr_bc_read_dense(b, type, data)) != NULL;
}

static bool bc_dense_string(tsr_bc *b, tsr_attr **attr)
{
    tsr_type *type;
    uint64_t splat = tsr_bc_reading(b) ? 0 : (*attr)->sub;
    if (!shaped(b, attr, &type) || !tsr_bc_varint(b, &splat))
        return false;
    int64_t n = splat ? 1 : tsr_type_num_elements(type);
    if (tsr_bc_reading(b) && (n < 0 || n > b->end - b->p || type->kind > TSR_TYPE_TENSOR ||
                              tsr_type_num_elements(type) < 0))
        return tsr_bc_error(b, "has too few strings for its type");
    if (tsr_bc_reading(b) && tsr_type_storage_bits(type->elem))
        return tsr_bc_error(b, "has strings for elements of another type");
    tsr_attr **strings = tsr_bc_reading(b)
                             ? tsr_arena_alloc(b->scratch, ((size_t)n + 1) * sizeof *strings)
                             : (*attr)->attrs;
    for (int64_t i = 0; i < n; i++)
        if (!tsr_bc_string_attr(b, &strings[i]))
            return false;
    if (tsr_bc_reading(b))
        *attr = tsr_attr_dense_string(b->ctx, type, strings, (size_t)n);
    return true;
}

/* Checks coordinates and values: one of each per stored element. */
static bool sparse_fits(const tsr_type *type, const tsr_attr *indices, const tsr_attr *values)
{
    const tsr_type *it = indices->type, *vt = values->type;
    if (it->kind != TSR_TYPE_TENSOR || vt->kind != TSR_TYPE_TENSOR || it->n > 2 || vt->n > 1 ||
        vt->elem != type->elem || !tsr_type_is_integer(it->elem, 64))
        return false;
    int64_t n = it->n ? it->dims[0] : 1, rank = it->n == 2 ? it->dims[1] : 1;
    if (it->n == 2 ? rank != type->n : it->n == 1 && n && !(type->n == 1 && n == 1))
        return false;
    if (vt->n && it->n && vt->dims[0] != n)
        return false;
    for (int64_t i = 0; i < n; i++)
        for (uint32_t k = 0; k < type->n; k++) {
            int64_t at =
                tsr_attr_int_at(indices, it->n ? (size_t)(i * rank + (it->n == 2 ? k : 0)) : 0);
            if (at < 0 || at >= type->dims[k])
                return false;
        }
    return true;
}

static bool bc_sparse(tsr_bc *b, tsr_attr **attr)
{
    tsr_type *type;
    tsr_attr *indices = tsr_bc_reading(b) ? NULL : (*attr)->attrs[0];
    tsr_attr *values = tsr_bc_reading(b) ? NULL : (*attr)->attrs[1];
    if (!shaped(b, attr, &type) || !tsr_bc_attr_kind(b, TSR_ATTR_DENSE, &indices) ||
        !tsr_bc_attr(b, &values))
        return false;
    if (!tsr_bc_reading(b))
        return true;
    if (!tsr_type_has_static_shape(type) || values->kind != TSR_ATTR_DENSE ||
        !sparse_fits(type, indices, values))
        return tsr_bc_error(b, "has sparse elements that do not fit their type");
    *attr = tsr_attr_sparse(b->ctx, type, indices, values);
    return true;
}

static bool bc_distinct(tsr_bc *b, tsr_attr **attr)
{
    tsr_attr *value = tsr_bc_reading(b) ? NULL : (*attr)->attrs[0];
    if (!tsr_bc_attr(b, &value))
        return false;
    if (tsr_bc_reading(b))
        *attr = tsr_attr_distinct(b->ctx, b->ndistinct++, value);
    return true;
}

enum {
    ARRAY,
    DICT,
    STRING,
    TYPED_STRING,
    FLAT_SYMBOL,
    SYMBOL,
    TYPE,
    UNIT,
    INT,
    FLOAT,
    CALLSITE,
    FILE_LOC,
    FUSED,
    FUSED_META,
    NAME,
    UNKNOWN,
    DENSE_RESOURCE,
    DENSE_ARRAY,
    DENSE,
    DENSE_STRING,
    SPARSE,
    DISTINCT,
    FILE_RANGE,
    NATTR
};

static tsr_bc_attr_codec *const attrs[NATTR] = {
    [ARRAY] = bc_array,
    [DICT] = bc_dict,
    [STRING] = tsr_bc_string_attr,
    [TYPED_STRING] = bc_typed_string,
    [FLAT_SYMBOL] = bc_flat_symbol,
    [SYMBOL] = bc_symbol,
    [TYPE] = bc_type_attr,
    [UNIT] = bc_unit,
    [INT] = bc_int,
    [FLOAT] = bc_float,
    [CALLSITE] = bc_callsite,
    [FILE_LOC] = bc_file,
    [FUSED] = bc_fused,
    [FUSED_META] = bc_fused_meta,
    [NAME] = bc_name,
    [UNKNOWN] = bc_unknown,
    [DENSE_RESOURCE] = bc_dense_resource,
    [DENSE_ARRAY] = bc_dense_array,
    [DENSE] = bc_dense,
    [DENSE_STRING] = bc_dense_string,
    [SPARSE] = bc_sparse,
    [DISTINCT] = bc_distinct,
    [FILE_RANGE] = bc_file_range,
};

static int loc_code(const tsr_attr *a)
{
    switch ((tsr_loc_kind)a->sub) {
    case TSR_LOC_KIND_UNKNOWN: return UNKNOWN;
    case TSR_LOC_KIND_FILE: return a->n == 2 ? FILE_LOC : FILE_RANGE;
    case TSR_LOC_KIND_NAME: return NAME;
    case TSR_LOC_KIND_CALLSITE: return CALLSITE;
    case TSR_LOC_KIND_FUSED: return a->attrs[a->n] ? FUSED_META : FUSED;
    }
    return -1;
}

static int attr_code(const tsr_bc *b, const tsr_attr *a)
{
    (void)b;
    switch ((tsr_attr_kind)a->kind) {
    case TSR_ATTR_UNIT: return UNIT;
    case TSR_ATTR_INT: return INT;
    case TSR_ATTR_FLOAT: return FLOAT;
    case TSR_ATTR_STRING: return a->type ? TYPED_STRING : STRING;
    case TSR_ATTR_ARRAY: return ARRAY;
    case TSR_ATTR_DICT: return DICT;
    case TSR_ATTR_TYPE: return TYPE;
    case TSR_ATTR_SYMBOL: return a->n ? SYMBOL : FLAT_SYMBOL;
    case TSR_ATTR_DENSE: return DENSE;
    case TSR_ATTR_DENSE_STRING: return DENSE_STRING;
    case TSR_ATTR_DENSE_RESOURCE: return DENSE_RESOURCE;
    case TSR_ATTR_SPARSE: return SPARSE;
    case TSR_ATTR_DENSE_ARRAY: return DENSE_ARRAY;
    case TSR_ATTR_LOC: return loc_code(a);
    case TSR_ATTR_DISTINCT: return DISTINCT;
    default: return -1;
    }
}

const tsr_bc_dialect tsr_bc_builtin = {
    .name = "builtin",
    .attrs = attrs,
    .types = tsr_bc_builtin_types,
    .nattr = NATTR,
    .ntype = TSR_BC_NBUILTIN_TYPE,
    .attr_code = attr_code,
    .type_code = tsr_bc_builtin_type_code,
};
