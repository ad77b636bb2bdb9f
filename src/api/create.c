/* SPDX-License-Identifier: Apache-2.0 */
/* create.c - the public calls that create types, attributes and locations (tessera/build.h). */
#include "api/guard.h"
#include "eval/tensor.h"

/* ---- Types ---- */

bool tsr_guard_types(tsr_guard *g, tsr_type *const *types, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!types[i] || types[i]->ctx != g->ctx)
            return TSR_REFUSE(g, "type #%zu is %s", i, types[i] ? "of another context" : "NULL");
    return true;
}

tsr_type *tsr_create_integer_type(tsr_ctx *ctx, uint32_t width, tsr_signedness sign,
                                  tsr_status *status)
{
    enum { WIDEST = (1 << 24) - 1 }; /* as in MLIR */
    TSR_GUARD_CTX(g, ctx, status, NULL)
    tsr_type *t = NULL;
    if (!width || width > WIDEST || (unsigned)sign > TSR_UNSIGNED)
        TSR_REFUSE(&g, "an integer type has 1 to %d bits, and a sign", WIDEST);
    else
        t = tsr_type_integer(ctx, width, sign);
    tsr_guard_finish(&g, t != NULL);
    return t;
}

tsr_type *tsr_create_complex_type(tsr_type *element, tsr_status *status)
{
    TSR_GUARD_CTX(g, element ? element->ctx : NULL, status, NULL)
    tsr_type *t = NULL;
    if (element->kind != TSR_TYPE_FLOAT && element->kind != TSR_TYPE_INTEGER)
        TSR_REFUSE(&g, "invalid element type for complex");
    else
        t = tsr_type_complex(g.ctx, element);
    tsr_guard_finish(&g, t != NULL);
    return t;
}

static bool dims_ok(tsr_guard *g, const int64_t *dims, size_t rank)
{
    for (size_t i = 0; i < rank; i++)
        if (dims[i] < 0 && dims[i] != TSR_DYNAMIC)
            return TSR_REFUSE(g, "dimension %zu is negative", i);
    return rank <= UINT32_MAX || TSR_REFUSE(g, "too many dimensions");
}

tsr_type *tsr_create_tensor_type(tsr_type *element, const int64_t *dims, size_t rank,
                                 tsr_attr *encoding, tsr_status *status)
{
    TSR_GUARD_IF(g, element && (dims || !rank), element ? element->ctx : NULL, NULL, TSR_READS,
                 status, NULL)
    tsr_ctx *ctx = g.ctx;
    tsr_type *t = NULL;
    bool ok = tsr_type_fits_tensor(element) || TSR_REFUSE(&g, "invalid tensor element type");
    ok = ok && dims_ok(&g, dims, rank);
    if (ok && encoding && ctx->verify_encoding)
        ok = ctx->verify_encoding(TSR_LOC_UNKNOWN, tsr_type_tensor(ctx, dims, rank, element, NULL),
                                  encoding);
    if (ok)
        t = tsr_type_tensor(ctx, dims, rank, element, encoding);
    tsr_guard_finish(&g, t != NULL);
    return t;
}

tsr_type *tsr_create_tuple_type(tsr_ctx *ctx, tsr_type *const *members, size_t n,
                                tsr_status *status)
{
    TSR_GUARD_IF(g, ctx && (members || !n), ctx, NULL, TSR_READS, status, NULL)
    tsr_type *t = tsr_guard_types(&g, members, n) ? tsr_type_tuple(ctx, members, n) : NULL;
    tsr_guard_finish(&g, t != NULL);
    return t;
}

tsr_type *tsr_create_function_type(tsr_ctx *ctx, tsr_type *const *inputs, size_t ninput,
                                   tsr_type *const *outputs, size_t noutput, tsr_status *status)
{
    TSR_GUARD_IF(g, ctx && (inputs || !ninput) && (outputs || !noutput), ctx, NULL, TSR_READS,
                 status, NULL)
    tsr_type *t = tsr_guard_types(&g, inputs, ninput) && tsr_guard_types(&g, outputs, noutput)
                      ? tsr_type_function(ctx, inputs, ninput, outputs, noutput)
                      : NULL;
    tsr_guard_finish(&g, t != NULL);
    return t;
}

/* ---- Attributes ---- */

tsr_attr *tsr_create_unit(tsr_ctx *ctx, tsr_status *status)
{
    TSR_GUARD_CTX(g, ctx, status, NULL)
    tsr_attr *a = tsr_attr_unit(ctx);
    tsr_guard_close(&g);
    return a;
}

tsr_attr *tsr_create_bool(tsr_ctx *ctx, bool value, tsr_status *status)
{
    TSR_GUARD_CTX(g, ctx, status, NULL)
    tsr_attr *a = tsr_attr_bool(ctx, value);
    tsr_guard_close(&g);
    return a;
}

/* A signless integer accepts both readings of its bits: -1 and 255 are valid for i8. */
static bool int_fits(const tsr_type *t, int64_t value)
{
    uint32_t bits = t->kind == TSR_TYPE_INDEX ? 64 : t->width;
    if (bits >= 64)
        return t->kind == TSR_TYPE_INDEX || t->sub != TSR_UNSIGNED || value >= 0;
    int64_t least = t->sub == TSR_UNSIGNED ? 0 : -(INT64_C(1) << (bits - 1));
    int64_t most = (INT64_C(1) << (t->sub == TSR_SIGNED ? bits - 1 : bits)) - 1;
    return value >= least && value <= most;
}

tsr_attr *tsr_create_int(tsr_type *type, int64_t value, tsr_status *status)
{
    TSR_GUARD_CTX(g, type ? type->ctx : NULL, status, NULL)
    tsr_attr *a = NULL;
    if (type->kind != TSR_TYPE_INDEX && (type->kind != TSR_TYPE_INTEGER || type->width > 64))
        TSR_REFUSE(&g, "the type of an integer is an integer type of 64 bits at most, or index");
    else if (!int_fits(type, value))
        TSR_REFUSE(&g, "%lld is no value of its type", (long long)value);
    else
        a = tsr_attr_int(g.ctx, type, value);
    tsr_guard_finish(&g, a != NULL);
    return a;
}

tsr_attr *tsr_create_float(tsr_type *type, double value, tsr_status *status)
{
    TSR_GUARD_CTX(g, type ? type->ctx : NULL, status, NULL)
    tsr_attr *a = NULL;
    if (type->kind != TSR_TYPE_FLOAT || type->width > 64)
        TSR_REFUSE(&g, "the type of a float is a float type of 64 bits at most");
    else
        a = tsr_attr_float(g.ctx, type, value);
    tsr_guard_finish(&g, a != NULL);
    return a;
}

tsr_attr *tsr_create_string(tsr_ctx *ctx, tsr_str text, tsr_status *status)
{
    TSR_GUARD_IF(g, ctx && (text.data || !text.len), ctx, NULL, TSR_READS, status, NULL)
    tsr_attr *a = tsr_attr_string(ctx, text);
    tsr_guard_close(&g);
    return a;
}

bool tsr_guard_attrs(tsr_guard *g, tsr_attr *const *attrs, size_t n, bool locations)
{
    for (size_t i = 0; i < n; i++)
        if (!attrs[i] || (locations && attrs[i]->kind != TSR_ATTR_LOC))
            return TSR_REFUSE(g, "%s #%zu is %s", locations ? "location" : "attribute", i,
                              attrs[i] ? "none" : "NULL");
    return n <= UINT32_MAX || TSR_REFUSE(g, "too many attributes");
}

tsr_attr *tsr_create_array(tsr_ctx *ctx, tsr_attr *const *items, size_t n, tsr_status *status)
{
    TSR_GUARD_IF(g, ctx && (items || !n), ctx, NULL, TSR_READS, status, NULL)
    tsr_attr *a = tsr_guard_attrs(&g, items, n, false) ? tsr_attr_array(ctx, items, n) : NULL;
    tsr_guard_finish(&g, a != NULL);
    return a;
}

tsr_attr *tsr_create_dict(tsr_ctx *ctx, const tsr_named_attr *items, size_t n, tsr_status *status)
{
    TSR_GUARD_IF(g, ctx && (items || !n), ctx, NULL, TSR_READS, status, NULL)
    tsr_named_vec named = {0};
    tsr_attr *a = NULL;
    bool ok = true;
    for (size_t i = 0; ok && i < n; i++) {
        ok = (items[i].name.len && items[i].value) ||
             TSR_REFUSE(&g, "item #%zu of a dictionary has no name or no value", i);
        if (ok)
            tsr_vec_push(&named, (tsr_named){tsr_name_get(ctx, items[i].name), items[i].value});
    }
    if (ok)
        a = tsr_attr_dict(ctx, named.data, named.n);
    for (size_t i = 1; a && i < a->n; i++)
        if (a->named[i - 1].name == a->named[i].name) {
            TSR_REFUSE(&g, "'%.*s' is twice in a dictionary", TSR_STR_ARG(a->named[i].name->str));
            a = NULL;
        }
    tsr_vec_free(&named);
    tsr_guard_finish(&g, a != NULL);
    return a;
}

tsr_attr *tsr_create_type_attr(tsr_type *type, tsr_status *status)
{
    TSR_GUARD_CTX(g, type ? type->ctx : NULL, status, NULL)
    tsr_attr *a = tsr_attr_type(g.ctx, type);
    tsr_guard_close(&g);
    return a;
}

tsr_attr *tsr_create_symbol(tsr_ctx *ctx, const tsr_str *path, size_t n, tsr_status *status)
{
    enum { DEEPEST = 16 };
    TSR_GUARD_IF(g, ctx && path, ctx, NULL, TSR_READS, status, NULL)
    tsr_attr *nested[DEEPEST], *a = NULL;
    bool ok = (n && n <= DEEPEST) || TSR_REFUSE(&g, "a symbol has 1 to %d names", DEEPEST);
    for (size_t i = 0; ok && i < n; i++)
        ok = path[i].len || TSR_REFUSE(&g, "an empty name of a symbol");
    for (size_t i = 1; ok && i < n; i++)
        nested[i - 1] = tsr_attr_symbol(ctx, path[i], NULL, 0);
    if (ok)
        a = tsr_attr_symbol(ctx, path[0], nested, n - 1);
    tsr_guard_finish(&g, a != NULL);
    return a;
}

/* array<...> of elements that put writes, little-endian. */
static tsr_attr *array_of(tsr_ctx *ctx, tsr_type *element, size_t n,
                          uint64_t (*bits)(const tsr_type *t, const void *values, size_t i),
                          const void *values)
{
    size_t size = element->width == 1 ? 1 : element->width / 8;
    uint8_t *data = tsr_xmalloc(n * size + 1);
    for (size_t i = 0; i < n; i++) {
        uint64_t x = bits(element, values, i);
        for (size_t b = 0; b < size; b++)
            data[i * size + b] = (uint8_t)(x >> 8 * b);
    }
    tsr_attr *a = tsr_attr_dense_array(ctx, element, data, n);
    tsr_free(data);
    return a;
}

static uint64_t int_bits(const tsr_type *t, const void *values, size_t i)
{
    int64_t x = ((const int64_t *)values)[i];
    return t->width == 1 ? x & 1 : (uint64_t)x;
}

static uint64_t float_bits(const tsr_type *t, const void *values, size_t i)
{
    return tsr_float_from_double((tsr_float_kind)t->sub, ((const double *)values)[i]);
}

static bool fits_array(tsr_guard *g, const tsr_type *element, tsr_type_kind kind)
{
    return (element->kind == kind && element->width <= 64 &&
            (element->width % 8 == 0 || element->width == 1)) ||
           TSR_REFUSE(g, "such elements are not supported in arrays");
}

tsr_attr *tsr_create_int_array(tsr_type *element, const int64_t *values, size_t n,
                               tsr_status *status)
{
    TSR_GUARD_IF(g, element && (values || !n), element ? element->ctx : NULL, NULL, TSR_READS,
                 status, NULL)
    bool ok = fits_array(&g, element, TSR_TYPE_INTEGER);
    for (size_t i = 0; ok && i < n; i++)
        ok = int_fits(element, values[i]) ||
             TSR_REFUSE(&g, "%lld is no value of its type", (long long)values[i]);
    tsr_attr *a = ok ? array_of(g.ctx, element, n, int_bits, values) : NULL;
    tsr_guard_finish(&g, a != NULL);
    return a;
}

tsr_attr *tsr_create_float_array(tsr_type *element, const double *values, size_t n,
                                 tsr_status *status)
{
    TSR_GUARD_IF(g, element && (values || !n), element ? element->ctx : NULL, NULL, TSR_READS,
                 status, NULL)
    tsr_attr *a = fits_array(&g, element, TSR_TYPE_FLOAT)
                      ? array_of(g.ctx, element, n, float_bits, values)
                      : NULL;
    tsr_guard_finish(&g, a != NULL);
    return a;
}

tsr_attr *tsr_create_elements(tsr_module *m, const tsr_tensor *t, tsr_status *status)
{
    TSR_GUARD_IF(g, m && t, m ? m->ctx : NULL, m, TSR_INSPECTS, status, NULL)
    tsr_attr *a = NULL;
    tsr_tensor *copy;
    const tsr_tensor *here = tsr_tensor_here(t, &copy);
    if (!t->data && t->n)
        TSR_REFUSE(&g, "a token or a tuple has no elements");
    else if (!here)
        TSR_REFUSE(&g, "the tensor is in the memory of a device, and cannot be read");
    else
        a = tsr_tensor_to_attr(g.ctx, m, here);
    tsr_tensor_unref(copy);
    tsr_guard_finish(&g, a != NULL);
    return a;
}

tsr_attr *tsr_create_enum(tsr_ctx *ctx, tsr_str name, tsr_str value, tsr_status *status)
{
    TSR_GUARD_CTX(g, ctx, status, NULL)
    const tsr_attrdef *def = tsr_attrdef_find(ctx, name, false);
    tsr_attr *a = NULL;
    for (int64_t i = 0; def && def->cases && !a && def->cases[i]; i++)
        if (tsr_str_is(value, def->cases[i]))
            a = tsr_attr_enum(ctx, def, i);
    if (!def || !def->cases)
        TSR_REFUSE(&g, "there is no enum '%.*s'", TSR_STR_ARG(name));
    else if (!a)
        TSR_REFUSE(&g, "'%.*s' is no case of %s", TSR_STR_ARG(value), def->name);
    tsr_guard_finish(&g, a != NULL);
    return a;
}

/* ---- Locations ---- */

tsr_attr *tsr_create_file_location(tsr_ctx *ctx, tsr_str file, uint32_t line, uint32_t col,
                                   tsr_status *status)
{
    TSR_GUARD_CTX(g, ctx, status, NULL)
    tsr_loc loc = tsr_loc_file(ctx, tsr_name_get(ctx, file), line, col);
    tsr_attr *a = tsr_loc_attr(ctx, loc);
    tsr_guard_close(&g);
    return a;
}

tsr_attr *tsr_create_name_location(tsr_ctx *ctx, tsr_str name, tsr_attr *child, tsr_status *status)
{
    TSR_GUARD_CTX(g, ctx, status, NULL)
    bool ok = !child || tsr_guard_attrs(&g, &child, 1, true);
    tsr_attr *a = ok ? tsr_attr_loc_name(ctx, name, child) : NULL;
    tsr_guard_finish(&g, a != NULL);
    return a;
}

tsr_attr *tsr_create_call_location(tsr_ctx *ctx, tsr_attr *callee, tsr_attr *caller,
                                   tsr_status *status)
{
    TSR_GUARD_CTX(g, ctx, status, NULL)
    tsr_attr *both[] = {callee, caller};
    tsr_attr *a =
        tsr_guard_attrs(&g, both, 2, true) ? tsr_attr_loc_callsite(ctx, callee, caller) : NULL;
    tsr_guard_finish(&g, a != NULL);
    return a;
}

tsr_attr *tsr_create_fused_location(tsr_ctx *ctx, tsr_attr *const *locations, size_t n,
                                    tsr_status *status)
{
    TSR_GUARD_IF(g, ctx && locations && n, ctx, NULL, TSR_READS, status, NULL)
    tsr_attr *a = tsr_guard_attrs(&g, locations, n, true)
                      ? tsr_attr_loc_fused(ctx, locations, n, NULL)
                      : NULL;
    tsr_guard_finish(&g, a != NULL);
    return a;
}
