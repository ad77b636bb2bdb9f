/* SPDX-License-Identifier: Apache-2.0 */
/* attr.c - interning of attributes.
 *
 * A constructor fills a key on the stack; intern() hashes it, looks for an equal attribute and copies the arrays of the
 * key only if there is none. The kind of an attribute determines which arrays it has (payload). */
#include "ir/ir.h"

/* ---- Interning ---- */

/* Bytes of the array in the union; parts are compared and copied separately. */
static size_t payload(const tsr_attr *a)
{
    switch (a->kind) {
    case TSR_ATTR_DICT: return a->n * sizeof(tsr_named);
    case TSR_ATTR_OPAQUE: return 0;
    case TSR_ATTR_LOC: /* a fused location has its metadata after the locations */
        return (a->n + (a->sub == TSR_LOC_KIND_FUSED)) * sizeof(void *);
    default: return a->n * sizeof(void *); /* attributes, integers, affine expressions */
    }
}

static uint64_t hash_attr(const tsr_attr *k)
{
    uint64_t h =
        tsr_hash_mix(k->kind | (uint64_t)k->sub << 8 | (uint64_t)k->n << 16, (uintptr_t)k->type);
    h = tsr_hash_mix(h, (uint64_t)k->i);
    if (k->s.len)
        h = tsr_hash_mix(h, tsr_hash_str(k->s));
    if (k->def)
        h = tsr_hash_mix(h, (uintptr_t)k->def);
    if (k->kind == TSR_ATTR_OPAQUE) {
        h = tsr_hash_mix(h, (uintptr_t)k->name);
        for (uint32_t i = 0; i < k->n; i++) {
            h = tsr_hash_mix(h, tsr_hash_str(k->parts[i].text));
            h = tsr_hash_mix(h, (uintptr_t)k->parts[i].attr ^ (uintptr_t)k->parts[i].type);
        }
    } else if (k->n || k->kind == TSR_ATTR_LOC) {
        size_t bytes = payload(k);
        if (bytes)
            h = tsr_hash_mix(h, tsr_hash_bytes(k->attrs, bytes));
        if (k->eqs)
            h = tsr_hash_mix(h, tsr_hash_bytes(k->eqs, k->n));
    }
    return h;
}

static bool same_attr(const tsr_attr *a, const tsr_attr *k)
{
    if (a->kind != k->kind || a->sub != k->sub || a->n != k->n || a->type != k->type ||
        a->i != k->i || a->def != k->def || a->name != k->name || !tsr_str_eq(a->s, k->s))
        return false;
    if (k->kind == TSR_ATTR_OPAQUE) {
        for (uint32_t i = 0; i < k->n; i++)
            if (a->parts[i].attr != k->parts[i].attr || a->parts[i].type != k->parts[i].type ||
                !tsr_str_eq(a->parts[i].text, k->parts[i].text))
                return false;
        return true;
    }
    size_t bytes = payload(k);
    return (!bytes || memcmp(a->attrs, k->attrs, bytes) == 0) &&
           (!k->eqs || memcmp(a->eqs, k->eqs, k->n) == 0);
}

/* Whether a is a symbol or contains one. */
static bool refers(const tsr_attr *a)
{
    bool any = a->kind == TSR_ATTR_SYMBOL;
    switch (a->kind) {
    case TSR_ATTR_DICT:
        for (uint32_t i = 0; i < a->n; i++)
            any |= a->named[i].value->refers;
        return any;
    case TSR_ATTR_ARRAY:
    case TSR_ATTR_STRUCT:
    case TSR_ATTR_DISTINCT:
        for (uint32_t i = 0; i < a->n; i++)
            any |= a->attrs[i] && a->attrs[i]->refers;
        return any;
    case TSR_ATTR_OPAQUE:
        for (uint32_t i = 0; i < a->n; i++)
            any |= a->parts[i].attr && a->parts[i].attr->refers;
        return any;
    default: return any;
    }
}

static bool is_aliased(tsr_ctx *ctx, const tsr_attr *a)
{
    const uint32_t flags = TSR_DEF_ALIAS | TSR_DEF_ALIAS_LAST | TSR_DEF_ALIAS_NAME;
    if ((a->kind == TSR_ATTR_STRUCT || a->kind == TSR_ATTR_ENUM) && (a->def->flags & flags))
        return ctx->has_aliased = true;
    switch (a->kind) {
    case TSR_ATTR_AFFINE_MAP:
    case TSR_ATTR_INTEGER_SET:
    case TSR_ATTR_OPAQUE:
    case TSR_ATTR_DISTINCT: ctx->has_aliased = true; return true;
    case TSR_ATTR_LOC: return true;
    case TSR_ATTR_DICT:
        for (uint32_t i = 0; i < a->n; i++)
            if (a->named[i].value->aliased)
                return true;
        return false;
    case TSR_ATTR_ARRAY:
    case TSR_ATTR_SYMBOL:
    case TSR_ATTR_STRUCT:
    case TSR_ATTR_SPARSE:
    case TSR_ATTR_DENSE_STRING:
        for (uint32_t i = 0; i < a->n; i++)
            if (a->attrs[i] && a->attrs[i]->aliased)
                return true;
        break;
    default: break;
    }
    return a->type && a->type->aliased;
}

static tsr_attr *add(tsr_ctx *ctx, tsr_map *map, tsr_arena *arena, const tsr_attr *k, uint64_t hash,
                     bool borrowed)
{
    tsr_attr *a = tsr_arena_copy(arena, k, sizeof *k);
    if (borrowed) {
        a->s = k->s;
    } else if (k->s.len) {
        char *text = tsr_arena_alloc(arena, k->s.len);
        memcpy(text, k->s.data, k->s.len);
        a->s.data = text;
    } else {
        a->s.data = "";
    }
    if (k->kind == TSR_ATTR_OPAQUE) {
        tsr_part *parts = tsr_arena_copy(arena, k->parts, k->n * sizeof *parts);
        for (uint32_t i = 0; i < k->n; i++)
            parts[i].text.data = tsr_arena_copy(arena, k->parts[i].text.data, k->parts[i].text.len);
        a->parts = parts;
    } else {
        size_t bytes = payload(k);
        a->attrs = bytes ? tsr_arena_copy(arena, k->attrs, bytes) : NULL;
        if (k->eqs)
            a->eqs = tsr_arena_copy(arena, k->eqs, k->n);
    }
    a->aliased = is_aliased(ctx, a);
    a->refers = refers(a);
    tsr_map_put(map, hash, a);
    return a;
}

bool tsr_attr_is_interned(const tsr_ctx *ctx, const tsr_attr *a)
{
    TSR_MAP_EACH (&ctx->attrs, hash_attr(a), v)
        if (same_attr(v, a))
            return v == a;
    return false;
}

static tsr_attr *intern(tsr_ctx *ctx, const tsr_attr *k)
{
    uint64_t hash = hash_attr(k);
    TSR_MAP_EACH (&ctx->attrs, hash, v)
        if (same_attr(v, k))
            return v;
    return add(ctx, &ctx->attrs, &ctx->arena, k, hash, false);
}

/* ---- Scalars ---- */

tsr_attr *tsr_attr_unit(tsr_ctx *ctx)
{
    return intern(ctx, &(tsr_attr){.kind = TSR_ATTR_UNIT});
}

tsr_attr *tsr_attr_int(tsr_ctx *ctx, tsr_type *type, int64_t value)
{
    uint32_t width = type->kind == TSR_TYPE_INTEGER ? type->width : 64;
    tsr_assert(type->kind == TSR_TYPE_INTEGER || type->kind == TSR_TYPE_INDEX,
               "an integer with a type of kind %d", type->kind);
    if (width > 64) {
        uint8_t stack[64], *bytes = stack;
        size_t n = (width + 7) / 8;
        if (n > sizeof stack)
            bytes = tsr_xmalloc(n);
        memset(bytes, value < 0 && type->sub != TSR_UNSIGNED ? 0xFF : 0, n);
        for (int i = 0; i < 8; i++)
            bytes[i] = (uint8_t)((uint64_t)value >> (8 * i));
        if (width % 8)
            bytes[n - 1] &= (uint8_t)((1u << width % 8) - 1);
        tsr_attr *a =
            intern(ctx, &(tsr_attr){.kind = TSR_ATTR_INT, .type = type, .s = {(char *)bytes, n}});
        if (bytes != stack)
            tsr_free(bytes);
        return a;
    }
    if (width < 64) {
        uint64_t mask = ((uint64_t)1 << width) - 1, v = (uint64_t)value & mask;
        /* A boolean is 0 or 1, not -1. */
        if (type->sub != TSR_UNSIGNED && width > (type->sub == TSR_SIGNLESS) && v >> (width - 1))
            v |= ~mask;
        value = (int64_t)v;
    }
    return intern(ctx, &(tsr_attr){.kind = TSR_ATTR_INT, .type = type, .i = value});
}

tsr_attr *tsr_attr_wide_int(tsr_ctx *ctx, tsr_type *type, const uint8_t *bytes)
{
    uint32_t width = type->kind == TSR_TYPE_INTEGER ? type->width : 64;
    size_t n = (width + 7) / 8;
    if (width > 64)
        return intern(
            ctx, &(tsr_attr){.kind = TSR_ATTR_INT, .type = type, .s = {(const char *)bytes, n}});
    uint64_t v = 0;
    for (size_t i = 0; i < n; i++)
        v |= (uint64_t)bytes[i] << (8 * i);
    return tsr_attr_int(ctx, type, (int64_t)v);
}

tsr_attr *tsr_attr_bool(tsr_ctx *ctx, bool value)
{
    return tsr_attr_int(ctx, ctx->i1, value);
}

tsr_attr *tsr_attr_i64(tsr_ctx *ctx, int64_t value)
{
    return tsr_attr_int(ctx, ctx->i64, value);
}

tsr_attr *tsr_attr_i32(tsr_ctx *ctx, int32_t value)
{
    return tsr_attr_int(ctx, ctx->i32, value);
}

tsr_attr *tsr_attr_float_bits(tsr_ctx *ctx, tsr_type *type, uint64_t bits)
{
    tsr_assert(type->kind == TSR_TYPE_FLOAT, "a float with a type of kind %d", type->kind);
    tsr_assert(type->width >= 64 || !(bits >> type->width), "bits %llx of a float of %u",
               (unsigned long long)bits, type->width);
    return intern(ctx, &(tsr_attr){.kind = TSR_ATTR_FLOAT, .type = type, .i = (int64_t)bits});
}

tsr_attr *tsr_attr_float(tsr_ctx *ctx, tsr_type *type, double value)
{
    return tsr_attr_float_bits(ctx, type, tsr_float_from_double((tsr_float_kind)type->sub, value));
}

tsr_attr *tsr_attr_string(tsr_ctx *ctx, tsr_str s)
{
    return intern(ctx, &(tsr_attr){.kind = TSR_ATTR_STRING, .s = s});
}

tsr_attr *tsr_attr_typed_string(tsr_ctx *ctx, tsr_str s, tsr_type *type)
{
    if (type == ctx->none)
        type = NULL;
    return intern(ctx, &(tsr_attr){.kind = TSR_ATTR_STRING, .s = s, .type = type});
}

tsr_attr *tsr_attr_type(tsr_ctx *ctx, tsr_type *type)
{
    return intern(ctx, &(tsr_attr){.kind = TSR_ATTR_TYPE, .type = type});
}

/* ---- Containers ---- */

static tsr_attr *with_attrs(tsr_ctx *ctx, tsr_attr key, tsr_attr *const *attrs, size_t n)
{
    key.attrs = (tsr_attr **)attrs;
    key.n = (uint32_t)n;
    return intern(ctx, &key);
}

tsr_attr *tsr_attr_array(tsr_ctx *ctx, tsr_attr *const *attrs, size_t n)
{
    return with_attrs(ctx, (tsr_attr){.kind = TSR_ATTR_ARRAY}, attrs, n);
}

static int by_name(const void *a, const void *b)
{
    return tsr_str_cmp(((const tsr_named *)a)->name->str, ((const tsr_named *)b)->name->str);
}

tsr_attr *tsr_attr_dict(tsr_ctx *ctx, const tsr_named *named, size_t n)
{
    tsr_attr key = {.kind = TSR_ATTR_DICT, .n = (uint32_t)n, .named = named};
    size_t sorted = 1;
    while (sorted < n && by_name(&named[sorted - 1], &named[sorted]) < 0)
        sorted++;
    if (sorted >= n)
        return intern(ctx, &key);
    tsr_named stack[32], *copy = n > TSR_COUNT(stack) ? tsr_xmalloc(n * sizeof *copy) : stack;
    memcpy(copy, named, n * sizeof *copy);
    qsort(copy, n, sizeof *copy, by_name);
    key.named = copy;
    tsr_attr *a = intern(ctx, &key);
    if (copy != stack)
        tsr_free(copy);
    return a;
}

tsr_attr *tsr_attr_symbol(tsr_ctx *ctx, tsr_str root, tsr_attr *const *nested, size_t n)
{
    return with_attrs(ctx, (tsr_attr){.kind = TSR_ATTR_SYMBOL, .s = root}, nested, n);
}

tsr_attr *tsr_attr_struct(tsr_ctx *ctx, const tsr_attrdef *def, tsr_attr *const *params)
{
    tsr_assert(!(def->flags & TSR_DEF_TYPE) && !def->cases, "'%s' is no attribute with parameters",
               def->name);
    return with_attrs(ctx, (tsr_attr){.kind = TSR_ATTR_STRUCT, .def = def}, params, def->nparam);
}

tsr_attr *tsr_attr_enum(tsr_ctx *ctx, const tsr_attrdef *def, int64_t value)
{
    tsr_assert(def->cases && value >= 0, "case %lld of '%s'", (long long)value, def->name);
    return intern(ctx, &(tsr_attr){.kind = TSR_ATTR_ENUM, .def = def, .i = value});
}

tsr_attr *tsr_attr_opaque(tsr_ctx *ctx, const tsr_name *dialect, const tsr_part *parts,
                          size_t nparts)
{
    return intern(
        ctx, &(tsr_attr){
                 .kind = TSR_ATTR_OPAQUE, .name = dialect, .parts = parts, .n = (uint32_t)nparts});
}

tsr_attr *tsr_attr_distinct(tsr_ctx *ctx, int64_t id, tsr_attr *value)
{
    return with_attrs(ctx, (tsr_attr){.kind = TSR_ATTR_DISTINCT, .i = id}, &value, 1);
}

/* ---- Elements ---- */

enum { LARGE = 1 << 12, ALIGN = 64 };

static tsr_attr *dense(tsr_ctx *ctx, tsr_module *m, tsr_type *type, const void *data, size_t bytes,
                       bool splat, bool borrowed)
{
    size_t size = tsr_type_storage_bits(type->elem) / 8;
    tsr_assert(!size || (splat ? bytes == size : bytes % size == 0),
               "%zu bytes of elements of %zu bytes", bytes, size);
    tsr_check(!size || splat || (uint64_t)tsr_type_num_elements(type) == bytes / size,
              "%zu elements of a type with %lld", bytes / size,
              (long long)tsr_type_num_elements(type));
    /* A list of equal elements is a splat, as in MLIR. */
    if (!splat && size && bytes >= size &&
        memcmp(data, (const char *)data + size, bytes - size) == 0) {
        splat = true;
        bytes = size;
    }
    tsr_attr key = {.kind = TSR_ATTR_DENSE, .sub = splat, .type = type, .s = {data, bytes}};
    if (!m || bytes <= TSR_DENSE_OWNED)
        return intern(ctx, &key);
    uint64_t hash = hash_attr(&key);
    TSR_MAP_EACH (&m->dense, hash, v)
        if (same_attr(v, &key))
            return v;
    if (!borrowed && bytes >= LARGE) { /* programs read it where it is: as aligned as tensors are */
        char *at = tsr_arena_alloc(&m->arena, bytes + ALIGN);
        at += -(uintptr_t)at % ALIGN;
        key.s.data = memcpy(at, data, bytes);
    }
    return add(ctx, &m->dense, &m->arena, &key, hash, borrowed || bytes >= LARGE);
}

tsr_attr *tsr_attr_dense(tsr_ctx *ctx, tsr_module *m, tsr_type *type, const void *data,
                         size_t bytes, bool splat)
{
    return dense(ctx, m, type, data, bytes, splat, false);
}

tsr_attr *tsr_attr_dense_borrowed(tsr_ctx *ctx, tsr_module *m, tsr_type *type, const void *data,
                                  size_t bytes, bool splat)
{
    return dense(ctx, m, type, data, bytes, splat, true);
}

tsr_attr *tsr_attr_dense_string(tsr_ctx *ctx, tsr_type *type, tsr_attr *const *strings, size_t n)
{
    size_t same = 1;
    while (same < n && strings[same] == strings[0])
        same++;
    if (same == n)
        n = 1;
    return with_attrs(ctx, (tsr_attr){.kind = TSR_ATTR_DENSE_STRING, .sub = n == 1, .type = type},
                      strings, n);
}

tsr_attr *tsr_attr_dense_resource(tsr_ctx *ctx, tsr_type *type, tsr_str key)
{
    return intern(ctx, &(tsr_attr){.kind = TSR_ATTR_DENSE_RESOURCE, .type = type, .s = key});
}

tsr_attr *tsr_attr_sparse(tsr_ctx *ctx, tsr_type *type, tsr_attr *indices, tsr_attr *values)
{
    tsr_attr *attrs[] = {indices, values};
    return with_attrs(ctx, (tsr_attr){.kind = TSR_ATTR_SPARSE, .type = type}, attrs, 2);
}

tsr_attr *tsr_attr_dense_array(tsr_ctx *ctx, tsr_type *elem, const void *data, size_t n)
{
    size_t bytes = n * (tsr_type_storage_bits(elem) / 8);
    tsr_assert(bytes || !n, "an array of %zu elements without a size", n);
    return intern(ctx, &(tsr_attr){.kind = TSR_ATTR_DENSE_ARRAY, .type = elem, .s = {data, bytes}});
}

tsr_attr *tsr_attr_i64_array(tsr_ctx *ctx, const int64_t *values, size_t n)
{
    return tsr_attr_dense_array(ctx, ctx->i64, values, n);
}

/* ---- Affine ---- */

static tsr_attr *affine(tsr_ctx *ctx, tsr_attr_kind kind, uint32_t dims, uint32_t syms,
                        const tsr_affine *const *exprs, const bool *eqs, size_t n)
{
    tsr_attr key = {.kind = (uint8_t)kind,
                    .n = (uint32_t)n,
                    .i = (int64_t)((uint64_t)dims << 32 | syms),
                    .eqs = eqs};
    key.exprs = (const tsr_affine **)exprs;
    return intern(ctx, &key);
}

bool tsr_affine_map_is_identity(const tsr_attr *map, size_t rank)
{
    if (!tsr_attr_is(map, TSR_ATTR_AFFINE_MAP) || map->n != rank || map->i != (int64_t)rank << 32)
        return false;
    for (uint32_t i = 0; i < map->n; i++)
        if (map->exprs[i]->kind != TSR_AFFINE_DIM || map->exprs[i]->value != (int64_t)i)
            return false;
    return true;
}

tsr_attr *tsr_attr_affine_map(tsr_ctx *ctx, uint32_t dims, uint32_t syms,
                              const tsr_affine *const *results, size_t n)
{
    return affine(ctx, TSR_ATTR_AFFINE_MAP, dims, syms, results, NULL, n);
}

tsr_attr *tsr_attr_integer_set(tsr_ctx *ctx, uint32_t dims, uint32_t syms,
                               const tsr_affine *const *exprs, const bool *eqs, size_t n)
{
    return affine(ctx, TSR_ATTR_INTEGER_SET, dims, syms, exprs, n ? eqs : NULL, n);
}

tsr_attr *tsr_attr_strided(tsr_ctx *ctx, const int64_t *strides, size_t n, int64_t offset)
{
    int64_t stack[16],
        *ints = n + 1 > TSR_COUNT(stack) ? tsr_xmalloc((n + 1) * sizeof *ints) : stack;
    if (n)
        memcpy(ints, strides, n * sizeof *ints);
    ints[n] = offset;
    tsr_attr *a =
        intern(ctx, &(tsr_attr){.kind = TSR_ATTR_STRIDED, .n = (uint32_t)n + 1, .ints = ints});
    if (ints != stack)
        tsr_free(ints);
    return a;
}

/* ---- Locations ---- */

tsr_attr *tsr_attr_loc_unknown(tsr_ctx *ctx)
{
    return intern(ctx, &(tsr_attr){.kind = TSR_ATTR_LOC, .sub = TSR_LOC_KIND_UNKNOWN});
}

tsr_attr *tsr_attr_loc_file(tsr_ctx *ctx, tsr_str file, const int64_t *ints, size_t n)
{
    tsr_attr key = {
        .kind = TSR_ATTR_LOC, .sub = TSR_LOC_KIND_FILE, .s = file, .ints = ints, .n = (uint32_t)n};
    /* The packed form is kept in i, so that tsr_loc_of_attr needs no context. */
    if (n == 2 && ints[0] >= 0 && ints[0] <= UINT32_MAX && ints[1] >= 0 && ints[1] <= UINT32_MAX) {
        tsr_loc packed =
            tsr_loc_pack(ctx, tsr_name_get(ctx, file), (uint32_t)ints[0], (uint32_t)ints[1]);
        key.i = (int64_t)packed;
    }
    return intern(ctx, &key);
}

/* Whether it contains a file position: kept in i, so that searches for one go straight to it. */
static bool has_position(const tsr_attr *loc)
{
    return loc && (loc->i || loc->sub == TSR_LOC_KIND_FILE);
}

tsr_attr *tsr_attr_loc_name(tsr_ctx *ctx, tsr_str name, tsr_attr *child)
{
    tsr_attr key = {
        .kind = TSR_ATTR_LOC, .sub = TSR_LOC_KIND_NAME, .s = name, .i = has_position(child)};
    return with_attrs(ctx, key, &child, 1);
}

tsr_attr *tsr_attr_loc_callsite(tsr_ctx *ctx, tsr_attr *callee, tsr_attr *caller)
{
    tsr_attr *attrs[] = {callee, caller};
    tsr_attr key = {.kind = TSR_ATTR_LOC,
                    .sub = TSR_LOC_KIND_CALLSITE,
                    .i = has_position(callee) || has_position(caller)};
    return with_attrs(ctx, key, attrs, 2);
}

tsr_attr *tsr_attr_loc_fused(tsr_ctx *ctx, tsr_attr *const *locs, size_t n, tsr_attr *meta)
{
    tsr_attr *stack[16],
        **attrs = n + 1 > TSR_COUNT(stack) ? tsr_xmalloc((n + 1) * sizeof *attrs) : stack;
    if (n)
        memcpy(attrs, locs, n * sizeof *attrs);
    attrs[n] = meta;
    tsr_attr key = {.kind = TSR_ATTR_LOC, .sub = TSR_LOC_KIND_FUSED};
    for (size_t i = 0; i < n; i++)
        key.i |= has_position(locs[i]);
    tsr_attr *a = with_attrs(ctx, key, attrs, n);
    if (attrs != stack)
        tsr_free(attrs);
    return a;
}

/* ---- Questions ---- */

/* Where name is in the dictionary, or would be. */
static uint32_t dict_place(const tsr_attr *dict, tsr_str name, bool *found)
{
    uint32_t lo = 0, hi = dict->n;
    *found = false;
    while (lo < hi) {
        uint32_t mid = lo + (hi - lo) / 2;
        int c = tsr_str_cmp(dict->named[mid].name->str, name);
        if (c == 0) {
            *found = true;
            return mid;
        }
        if (c < 0)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

tsr_attr *tsr_dict_get(const tsr_attr *dict, tsr_str name)
{
    if (!dict)
        return NULL;
    if (dict->n <= 4) { /* most are so short that comparing lengths decides */
        for (uint32_t i = 0; i < dict->n; i++)
            if (tsr_str_eq(dict->named[i].name->str, name))
                return dict->named[i].value;
        return NULL;
    }
    bool found;
    uint32_t i = dict_place(dict, name, &found);
    return found ? dict->named[i].value : NULL;
}

static tsr_attr *dict_with(tsr_ctx *ctx, tsr_attr *dict, const tsr_name *name, tsr_attr *value)
{
    size_t n = dict ? dict->n : 0;
    bool found = false;
    uint32_t at = dict ? dict_place(dict, name->str, &found) : 0;
    if (!value && !found)
        return n ? dict : NULL;
    tsr_named stack[32],
        *copy = n + 1 > TSR_COUNT(stack) ? tsr_xmalloc((n + 1) * sizeof *copy) : stack;
    size_t out = 0;
    for (uint32_t i = 0; i < n; i++) {
        if (i == at && value)
            copy[out++] = (tsr_named){name, value};
        if (i != at || !found)
            copy[out++] = dict->named[i];
    }
    if (at == n && value)
        copy[out++] = (tsr_named){name, value};
    tsr_attr *a = out ? tsr_attr_dict(ctx, copy, out) : NULL;
    if (copy != stack)
        tsr_free(copy);
    return a;
}

tsr_attr *tsr_dict_with(tsr_ctx *ctx, tsr_attr *dict, const tsr_name *name, tsr_attr *value)
{
    uint64_t hash =
        tsr_hash_mix(tsr_hash_mix(tsr_hash_ptr(dict), tsr_hash_ptr(name)), tsr_hash_ptr(value));
    tsr_dict_change *c = &ctx->dict_changes[hash % TSR_COUNT(ctx->dict_changes)];
    if (!c->name || c->dict != dict || c->name != name || c->value != value)
        *c = (tsr_dict_change){dict, name, value, dict_with(ctx, dict, name, value)};
    return c->result;
}

int64_t tsr_attr_int_at(const tsr_attr *a, size_t i)
{
    bool wide = a->kind == TSR_ATTR_DENSE_ARRAY
                    ? a->type->width == 64
                    : a->kind == TSR_ATTR_DENSE && !a->sub &&
                          a->type->elem->kind == TSR_TYPE_INTEGER && a->type->elem->width == 64;
    if (TSR_LIKELY(wide && (i + 1) * 8 <= a->s.len)) {
        int64_t x;
        memcpy(&x, a->s.data + i * 8, 8);
        return x;
    }
    tsr_assert(a->kind != TSR_ATTR_ARRAY || i < a->n, "element %zu of %u", i, a->n);
    if (a->kind == TSR_ATTR_ARRAY)
        return a->attrs[i]->i;
    const tsr_type *elem = a->kind == TSR_ATTR_DENSE ? a->type->elem : a->type;
    size_t size = tsr_type_storage_bits(elem) / 8;
    if (a->kind == TSR_ATTR_DENSE && a->sub)
        i = 0;
    uint64_t v = 0;
    tsr_assert(size && size <= 8 && (i + 1) * size <= a->s.len, "element %zu of %zu bytes", i,
               a->s.len);
    for (size_t b = 0; b < size; b++)
        v |= (uint64_t)(unsigned char)a->s.data[i * size + b] << (8 * b);
    bool extend = elem->kind != TSR_TYPE_INTEGER || (elem->sub != TSR_UNSIGNED && elem->width > 1);
    if (extend && size < 8 && v >> (8 * size - 1))
        v |= ~(uint64_t)0 << (8 * size);
    return (int64_t)v;
}

int64_t tsr_attr_count(const tsr_attr *a)
{
    switch (a->kind) {
    case TSR_ATTR_ARRAY:
    case TSR_ATTR_DICT: return a->n;
    case TSR_ATTR_DENSE_ARRAY: {
        if (a->type->width == 64)
            return (int64_t)(a->s.len / 8);
        uint32_t bits = tsr_type_storage_bits(a->type);
        return bits ? (int64_t)(a->s.len / (bits / 8)) : 0;
    }
    case TSR_ATTR_DENSE:
    case TSR_ATTR_DENSE_STRING:
    case TSR_ATTR_DENSE_RESOURCE:
    case TSR_ATTR_SPARSE: return tsr_type_num_elements(a->type);
    default: return 0;
    }
}

static bool is_float(const tsr_attr *a, tsr_float_kind kind)
{
    return a->kind == TSR_ATTR_FLOAT && a->type->kind == TSR_TYPE_FLOAT && a->type->sub == kind;
}

bool tsr_attr_fits(const tsr_constraint *c, const tsr_attr *a)
{
    if (!a)
        return false;
    switch (c ? c->form : TSR_FORM_ANY) {
    case TSR_FORM_ANY: return true;
    case TSR_FORM_UNIT: return a->kind == TSR_ATTR_UNIT;
    case TSR_FORM_BOOL: return a->kind == TSR_ATTR_INT && tsr_type_is_integer(a->type, 1);
    case TSR_FORM_I32: return a->kind == TSR_ATTR_INT && tsr_type_is_integer(a->type, 32);
    case TSR_FORM_I64: return a->kind == TSR_ATTR_INT && tsr_type_is_integer(a->type, 64);
    case TSR_FORM_INT: return a->kind == TSR_ATTR_INT;
    case TSR_FORM_F32: return is_float(a, TSR_F32);
    case TSR_FORM_F64: return is_float(a, TSR_F64);
    case TSR_FORM_FLOAT: return a->kind == TSR_ATTR_FLOAT;
    case TSR_FORM_STRING:
    case TSR_FORM_SYMNAME: return a->kind == TSR_ATTR_STRING;
    case TSR_FORM_SYMBOL: return a->kind == TSR_ATTR_SYMBOL && a->n == 0;
    case TSR_FORM_SYMREF: return a->kind == TSR_ATTR_SYMBOL;
    case TSR_FORM_TYPE: return a->kind == TSR_ATTR_TYPE;
    case TSR_FORM_FUNCTION_TYPE:
        return a->kind == TSR_ATTR_TYPE && a->type->kind == TSR_TYPE_FUNCTION;
    case TSR_FORM_ARRAY: return a->kind == TSR_ATTR_ARRAY;
    case TSR_FORM_DICT: return a->kind == TSR_ATTR_DICT;
    case TSR_FORM_ELEMENTS: return a->kind >= TSR_ATTR_DENSE && a->kind <= TSR_ATTR_SPARSE;
    case TSR_FORM_I1S: return a->kind == TSR_ATTR_DENSE_ARRAY && tsr_type_is_integer(a->type, 1);
    case TSR_FORM_I32S: return a->kind == TSR_ATTR_DENSE_ARRAY && tsr_type_is_integer(a->type, 32);
    case TSR_FORM_I64S: return a->kind == TSR_ATTR_DENSE_ARRAY && tsr_type_is_integer(a->type, 64);
    case TSR_FORM_ENUM: return a->kind == TSR_ATTR_ENUM && (!c->def || a->def == c->def);
    case TSR_FORM_STRUCT: return a->kind == TSR_ATTR_STRUCT && (!c->def || a->def == c->def);
    case TSR_FORM_AFFINE_MAP: return a->kind == TSR_ATTR_AFFINE_MAP;
    }
    return false;
}
