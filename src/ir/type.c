/* SPDX-License-Identifier: Apache-2.0 */
/* type.c - interning of types. A lookup hashes the parts in the caller's memory; only a new type is copied. */
#include "ir/ir.h"

enum { BIG_TUPLE = 16 }; /* a tuple with more members prints through an alias */

static uint64_t hash_ptrs(uint64_t h, const void *const *p, size_t n)
{
    for (size_t i = 0; i < n; i++)
        h = tsr_hash_mix(h, (uintptr_t)p[i]);
    return h;
}

static tsr_type *new_type(tsr_ctx *ctx, tsr_type_kind kind, uint64_t hash)
{
    tsr_type *t = TSR_NEW(&ctx->arena, tsr_type);
    t->ctx = ctx;
    t->kind = (uint8_t)kind;
    tsr_map_put(&ctx->types, hash, t);
    return t;
}

static bool any_aliased_type(tsr_type *const *types, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (types[i]->aliased)
            return true;
    return false;
}

/* ---- Scalars ---- */

static tsr_type *scalar(tsr_ctx *ctx, tsr_type_kind kind, unsigned sub, uint32_t width,
                        tsr_type *elem)
{
    uint64_t h = tsr_hash_mix(kind + 1u, sub | (uint64_t)width << 8);
    h = tsr_hash_mix(h, (uintptr_t)elem);
    TSR_MAP_EACH (&ctx->types, h, v) {
        tsr_type *t = v;
        if (t->kind == kind && t->sub == sub && t->width == width && t->elem == elem)
            return t;
    }
    tsr_type *t = new_type(ctx, kind, h);
    t->sub = (uint8_t)sub;
    t->width = width;
    t->elem = elem;
    t->aliased = elem && elem->aliased;
    return t;
}

tsr_type *tsr_type_integer(tsr_ctx *ctx, uint32_t width, tsr_signedness sign)
{
    return scalar(ctx, TSR_TYPE_INTEGER, sign, width, NULL);
}

tsr_type *tsr_type_float(tsr_ctx *ctx, tsr_float_kind kind)
{
    tsr_assert(kind < TSR_FLOAT__COUNT, "float kind %d", (int)kind);
    return scalar(ctx, TSR_TYPE_FLOAT, kind, tsr_float_formats[kind].bits, NULL);
}

tsr_type *tsr_type_index(tsr_ctx *ctx)
{
    return scalar(ctx, TSR_TYPE_INDEX, 0, 64, NULL);
}

tsr_type *tsr_type_none(tsr_ctx *ctx)
{
    return scalar(ctx, TSR_TYPE_NONE, 0, 0, NULL);
}

tsr_type *tsr_type_complex(tsr_ctx *ctx, tsr_type *elem)
{
    tsr_assert(elem->kind == TSR_TYPE_FLOAT || elem->kind == TSR_TYPE_INTEGER,
               "a complex number with parts of type kind %d", elem->kind);
    return scalar(ctx, TSR_TYPE_COMPLEX, 0, 0, elem);
}

/* ---- Shaped types ---- */

static tsr_type *shaped(tsr_ctx *ctx, tsr_type_kind kind, const int64_t *dims, size_t n,
                        tsr_type *elem, tsr_attr *attr, tsr_attr *space)
{
    uint64_t h = tsr_hash_mix((uintptr_t)elem + kind, n + 1);
    for (size_t i = 0; i < n; i++)
        h = tsr_hash_mix(h, (uint64_t)dims[i]);
    if (attr || space)
        h = tsr_hash_mix(tsr_hash_mix(h, (uintptr_t)attr), (uintptr_t)space);
    TSR_MAP_EACH (&ctx->types, h, v) {
        tsr_type *t = v;
        if (t->kind == kind && t->elem == elem && t->n == n && t->attr == attr &&
            t->space == space && (n == 0 || memcmp(t->dims, dims, n * sizeof *dims) == 0))
            return t;
    }
    tsr_assert(elem && n <= UINT32_MAX, "a shaped type of %zu dimensions without elements", n);
    for (size_t i = 0; i < n; i++)
        tsr_assert(dims[i] >= 0 || dims[i] == TSR_DYNAMIC, "dimension %zu of a type is %lld", i,
                   (long long)dims[i]);
    tsr_type *t = new_type(ctx, kind, h);
    t->n = (uint32_t)n;
    t->elem = elem;
    t->dims = tsr_arena_copy(&ctx->arena, dims, n * sizeof *dims);
    t->attr = attr;
    t->space = space;
    t->sub = kind == TSR_TYPE_VECTOR && attr;
    t->aliased = elem->aliased || (attr && attr->aliased) || (space && space->aliased);
    return t;
}

tsr_type *tsr_type_tensor(tsr_ctx *ctx, const int64_t *dims, size_t n, tsr_type *elem,
                          tsr_attr *encoding)
{
    return shaped(ctx, TSR_TYPE_TENSOR, dims, n, elem, encoding, NULL);
}

tsr_type *tsr_type_unranked_tensor(tsr_ctx *ctx, tsr_type *elem)
{
    return shaped(ctx, TSR_TYPE_UNRANKED_TENSOR, NULL, 0, elem, NULL, NULL);
}

tsr_type *tsr_type_vector(tsr_ctx *ctx, const int64_t *dims, size_t n, tsr_type *elem,
                          tsr_attr *scalable)
{
    return shaped(ctx, TSR_TYPE_VECTOR, dims, n, elem, scalable, NULL);
}

tsr_type *tsr_type_memref(tsr_ctx *ctx, const int64_t *dims, size_t n, tsr_type *elem,
                          tsr_attr *layout, tsr_attr *space)
{
    return shaped(ctx, TSR_TYPE_MEMREF, dims, n, elem, layout, space);
}

tsr_type *tsr_type_unranked_memref(tsr_ctx *ctx, tsr_type *elem, tsr_attr *space)
{
    return shaped(ctx, TSR_TYPE_UNRANKED_MEMREF, NULL, 0, elem, NULL, space);
}

/* ---- Lists of types ---- */

static bool same_ptrs(const void *a, const void *b, size_t n)
{
    return n == 0 || memcmp(a, b, n * sizeof(void *)) == 0;
}

static tsr_type *listed(tsr_ctx *ctx, tsr_type_kind kind, tsr_type *const *in, size_t nin,
                        tsr_type *const *out, size_t nout)
{
    uint64_t h = tsr_hash_mix(kind + 1u, nin | (uint64_t)nout << 32);
    h = hash_ptrs(h, (const void *const *)in, nin);
    h = hash_ptrs(h, (const void *const *)out, nout);
    TSR_MAP_EACH (&ctx->types, h, v) {
        tsr_type *t = v;
        if (t->kind == kind && t->n == nin && t->nout == nout && same_ptrs(t->types, in, nin) &&
            same_ptrs(nout ? t->types + nin : NULL, out, nout))
            return t;
    }
    for (size_t i = 0; i < nin + nout; i++)
        tsr_assert(i < nin ? in[i] : out[i - nin], "member %zu of a type is missing", i);
    tsr_type *t = new_type(ctx, kind, h);
    t->n = (uint32_t)nin;
    t->nout = (uint32_t)nout;
    t->types = tsr_arena_alloc(&ctx->arena, (nin + nout) * sizeof *t->types);
    if (nin)
        memcpy(t->types, in, nin * sizeof *in);
    if (nout)
        memcpy(t->types + nin, out, nout * sizeof *out);
    t->aliased = any_aliased_type(t->types, nin + nout);
    if (kind == TSR_TYPE_TUPLE && nin > BIG_TUPLE)
        t->aliased = ctx->has_aliased = true;
    return t;
}

tsr_type *tsr_type_tuple(tsr_ctx *ctx, tsr_type *const *types, size_t n)
{
    return listed(ctx, TSR_TYPE_TUPLE, types, n, NULL, 0);
}

tsr_type *tsr_type_function(tsr_ctx *ctx, tsr_type *const *in, size_t nin, tsr_type *const *out,
                            size_t nout)
{
    return listed(ctx, TSR_TYPE_FUNCTION, in, nin, out, nout);
}

/* ---- Dialects ---- */

tsr_type *tsr_type_dialect(tsr_ctx *ctx, const tsr_attrdef *def, tsr_attr *const *params)
{
    size_t n = def->nparam;
    tsr_assert(def->flags & TSR_DEF_TYPE, "'%s' is no type", def->name);
    uint64_t h = hash_ptrs(tsr_hash_mix(TSR_TYPE_DIALECT + 1u, (uintptr_t)def),
                           (const void *const *)params, n);
    TSR_MAP_EACH (&ctx->types, h, v) {
        tsr_type *t = v;
        if (t->kind == TSR_TYPE_DIALECT && t->def == def && same_ptrs(t->params, params, n))
            return t;
    }
    tsr_type *t = new_type(ctx, TSR_TYPE_DIALECT, h);
    t->def = def;
    t->n = (uint32_t)n;
    t->params = tsr_arena_copy(&ctx->arena, params, n * sizeof *params);
    for (size_t i = 0; i < n; i++)
        if (params[i] && params[i]->aliased)
            t->aliased = true;
    return t;
}

static bool same_parts(const tsr_part *a, const tsr_part *b, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (a[i].attr != b[i].attr || a[i].type != b[i].type || !tsr_str_eq(a[i].text, b[i].text))
            return false;
    return true;
}

tsr_type *tsr_type_opaque(tsr_ctx *ctx, const tsr_name *dialect, const tsr_part *parts,
                          size_t nparts)
{
    uint64_t h = tsr_hash_mix(TSR_TYPE_OPAQUE + 1u, (uintptr_t)dialect);
    for (size_t i = 0; i < nparts; i++) {
        h = tsr_hash_mix(h, tsr_hash_str(parts[i].text));
        h = tsr_hash_mix(h, (uintptr_t)parts[i].attr ^ (uintptr_t)parts[i].type);
    }
    TSR_MAP_EACH (&ctx->types, h, v) {
        tsr_type *t = v;
        if (t->kind == TSR_TYPE_OPAQUE && t->name == dialect && t->nout == nparts &&
            same_parts(t->parts, parts, nparts))
            return t;
    }
    tsr_type *t = new_type(ctx, TSR_TYPE_OPAQUE, h);
    tsr_part *copy = tsr_arena_copy(&ctx->arena, parts, nparts * sizeof *parts);
    for (size_t i = 0; i < nparts; i++)
        copy[i].text.data = tsr_arena_copy(&ctx->arena, parts[i].text.data, parts[i].text.len);
    t->name = dialect;
    t->parts = copy;
    t->nout = (uint32_t)nparts;
    t->aliased = ctx->has_aliased = true;
    return t;
}

/* ---- Queries ---- */

bool tsr_type_is_ranked(const tsr_type *t)
{
    return tsr_type_is(t, TSR_TYPE_TENSOR) || tsr_type_is(t, TSR_TYPE_VECTOR) ||
           tsr_type_is(t, TSR_TYPE_MEMREF);
}

bool tsr_type_has_static_shape(const tsr_type *t)
{
    if (!tsr_type_is_ranked(t))
        return false;
    for (uint32_t i = 0; i < t->n; i++)
        if (t->dims[i] == TSR_DYNAMIC)
            return false;
    return true;
}

int64_t tsr_type_num_elements(const tsr_type *t)
{
    if (!tsr_type_has_static_shape(t))
        return -1;
    int64_t n = 1;
    for (uint32_t i = 0; i < t->n; i++)
        if (t->dims[i] == 0)
            return 0;
    for (uint32_t i = 0; i < t->n; i++) {
        if (t->dims[i] < 0 || __builtin_mul_overflow(n, t->dims[i], &n) || n > (int64_t)1 << 62)
            return -1;
    }
    return n;
}

uint32_t tsr_type_storage_bits(const tsr_type *elem)
{
    if (!elem)
        return 0;
    switch (elem->kind) {
    case TSR_TYPE_INTEGER:
    case TSR_TYPE_FLOAT: return elem->width > UINT32_MAX - 7 ? 0 : (elem->width + 7) & ~7u;
    case TSR_TYPE_INDEX: return 64;
    case TSR_TYPE_COMPLEX: return 2 * tsr_type_storage_bits(elem->elem);
    default: return 0;
    }
}

bool tsr_type_fits_tensor(const tsr_type *t)
{
    switch ((tsr_type_kind)t->kind) {
    case TSR_TYPE_FUNCTION:
    case TSR_TYPE_TENSOR:
    case TSR_TYPE_UNRANKED_TENSOR:
    case TSR_TYPE_MEMREF:
    case TSR_TYPE_UNRANKED_MEMREF:
    case TSR_TYPE_TUPLE:
    case TSR_TYPE_NONE: return false;
    default: return true;
    }
}
