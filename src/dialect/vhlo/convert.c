/* SPDX-License-Identifier: Apache-2.0 */
/* convert.c - converts VHLO types to and from the MLIR and StableHLO types that they represent: one to one, except
 * for types without a stable form. Types from files may be composed of anything, so the conversion back checks every
 * step. */
#include <stdlib.h>

#include "dialect/builtin/quant.h"
#include "dialect/vhlo/vhlo.h"

static const struct {
    const tsr_attrdef *def;
    tsr_float_kind kind;
} floats[] = {
#define FLOAT_IS(id, kind) {&tsr_def_##id, TSR_##kind},
#include "dialect/attrs.def"
};

static const struct {
    const tsr_attrdef *def;
    uint32_t width;
    tsr_signedness sign;
} integers[] = {
#define INTEGER_IS(id, width, sign) {&tsr_def_##id, width, TSR_##sign},
#include "dialect/attrs.def"
};

/* Types without parameters that are neither. */
typedef struct {
    const tsr_attrdef *vhlo, *meant;
} plain_pair;
static const plain_pair plains[] = {
    {&tsr_def_VHLO_TOKEN_V1, &tsr_def_STABLEHLO_TOKEN},
    {&tsr_def_VHLO_WITNESS_V1, &tsr_def_SHAPE_WITNESS},
};

enum { MAX_RANK = 64 }; /* as in text */

typedef tsr_type *convert_fn(tsr_ctx *ctx, tsr_type *t);

/* A type attribute, or an array of them, with each type converted; NULL if one cannot be. */
static tsr_attr *one_type(tsr_ctx *ctx, tsr_type *t, convert_fn *convert)
{
    t = t ? convert(ctx, t) : NULL;
    return t ? tsr_attr_type(ctx, t) : NULL;
}

static tsr_attr *type_attrs(tsr_ctx *ctx, tsr_type *const *types, size_t n, convert_fn *convert)
{
    tsr_attr **attrs = tsr_xmalloc((n + 1) * sizeof *attrs), *array = NULL;
    size_t i = 0;
    while (i < n && (attrs[i] = one_type(ctx, types[i], convert)))
        i++;
    if (i == n)
        array = tsr_attr_array(ctx, attrs, n);
    tsr_free(attrs);
    return array;
}

/* The types of an array of type attributes; false if it contains something else. */
static bool types_of(tsr_ctx *ctx, const tsr_attr *array, tsr_type_vec *out, convert_fn *convert)
{
    for (uint32_t i = 0; array && i < array->n; i++) {
        tsr_attr *a = array->attrs[i];
        tsr_type *t = a->kind == TSR_ATTR_TYPE ? convert(ctx, a->type) : NULL;
        TSR_TRY(t != NULL);
        tsr_vec_push(out, t);
    }
    return array != NULL;
}

tsr_attr *tsr_vhlo_encoding(tsr_ctx *ctx, tsr_attr *a)
{
    if (tsr_attr_is_struct(a, &tsr_def_STABLEHLO_BOUNDS))
        return tsr_attr_struct(ctx, &tsr_def_VHLO_TYPE_EXTENSIONS_V1, a->attrs);
    return tsr_attr_is_vhlo(a) ? a : NULL;
}

tsr_attr *tsr_vhlo_encoding_meant(tsr_ctx *ctx, tsr_attr *a)
{
    if (tsr_attr_is_struct(a, &tsr_def_VHLO_TYPE_EXTENSIONS_V1))
        return tsr_attr_struct(ctx, &tsr_def_STABLEHLO_BOUNDS, a->attrs);
    return a;
}

/* ---- To VHLO ---- */

static tsr_type *quant(tsr_ctx *ctx, const tsr_type *t)
{
    tsr_attr **p = t->params, *axis = p[QUANT_axis];
    tsr_attr *flags = tsr_attr_i64(ctx, p[QUANT_signed]->i ? 1 : 0);
    tsr_attr *storage = one_type(ctx, p[QUANT_storage]->type, tsr_vhlo_type);
    tsr_attr *expressed = one_type(ctx, p[QUANT_expressed]->type, tsr_vhlo_type);
    if (!storage || !expressed || p[QUANT_shape])
        return NULL;
    if (axis)
        return tsr_type_dialect(ctx, &tsr_def_VHLO_QUANT_PER_AXIS_V1,
                                (tsr_attr *[]){flags, storage, expressed, axis, p[QUANT_scales],
                                               p[QUANT_zero_points], p[QUANT_min], p[QUANT_max]});
    uint64_t bits;
    memcpy(&bits, p[QUANT_scales]->s.data, 8);
    tsr_attr *scale = tsr_attr_float_bits(ctx, tsr_type_float(ctx, TSR_F64), bits);
    tsr_attr *zero = tsr_attr_i64(ctx, tsr_attr_int_at(p[QUANT_zero_points], 0));
    return tsr_type_dialect(
        ctx, &tsr_def_VHLO_QUANT_V1,
        (tsr_attr *[]){flags, storage, expressed, scale, zero, p[QUANT_min], p[QUANT_max]});
}

static tsr_type *shaped(tsr_ctx *ctx, const tsr_type *t)
{
    bool memref = t->kind == TSR_TYPE_MEMREF;
    tsr_attr *elem = one_type(ctx, t->elem, tsr_vhlo_type), *encoding = NULL;
    if (!elem)
        return NULL;
    if (!memref && t->attr && !(encoding = tsr_vhlo_encoding(ctx, t->attr)))
        return NULL;
    tsr_attr *params[] = {tsr_attr_i64_array(ctx, t->dims, t->n), elem, encoding};
    return tsr_type_dialect(ctx, memref ? &tsr_def_VHLO_BUFFER_V1 : &tsr_def_VHLO_TENSOR_V1,
                            params);
}

static tsr_type *of_dialect(tsr_ctx *ctx, tsr_type *t)
{
    if (tsr_type_is_vhlo(t))
        return t;
    for (size_t i = 0; i < TSR_COUNT(plains); i++)
        if (t->def == plains[i].meant)
            return tsr_type_dialect(ctx, plains[i].vhlo, NULL);
    if (t->def == &tsr_def_QUANT_UNIFORM)
        return quant(ctx, t);
    if (t->def != &tsr_def_STABLEHLO_FUTURE)
        return NULL;
    tsr_type_vec types = {0};
    bool ok = types_of(ctx, t->params[0], &types, tsr_vhlo_type);
    tsr_attr *array = ok ? type_attrs(ctx, types.data, types.n, tsr_vhlo_type) : NULL;
    tsr_vec_free(&types);
    return array ? tsr_type_dialect(ctx, &tsr_def_VHLO_FUTURE_V1, &array) : NULL;
}

tsr_type *tsr_vhlo_type(tsr_ctx *ctx, tsr_type *t)
{
    tsr_attr *params[2];
    switch ((tsr_type_kind)t->kind) {
    case TSR_TYPE_INTEGER:
        for (size_t i = 0; i < TSR_COUNT(integers); i++)
            if (integers[i].width == t->width && integers[i].sign == (tsr_signedness)t->sub)
                return tsr_type_dialect(ctx, integers[i].def, NULL);
        return NULL;
    case TSR_TYPE_FLOAT:
        for (size_t i = 0; i < TSR_COUNT(floats); i++)
            if (floats[i].kind == (tsr_float_kind)t->sub)
                return tsr_type_dialect(ctx, floats[i].def, NULL);
        return NULL;
    case TSR_TYPE_INDEX: return tsr_type_dialect(ctx, &tsr_def_VHLO_INDEX_V1, NULL);
    case TSR_TYPE_NONE: return tsr_type_dialect(ctx, &tsr_def_VHLO_NONE_V1, NULL);
    case TSR_TYPE_COMPLEX:
    case TSR_TYPE_UNRANKED_TENSOR:
        params[0] = one_type(ctx, t->elem, tsr_vhlo_type);
        return params[0] ? tsr_type_dialect(ctx,
                                            t->kind == TSR_TYPE_COMPLEX
                                                ? &tsr_def_VHLO_COMPLEX_TYPE_V1
                                                : &tsr_def_VHLO_UNRANKED_TENSOR_V1,
                                            params)
                         : NULL;
    case TSR_TYPE_TENSOR:
    case TSR_TYPE_MEMREF: return shaped(ctx, t);
    case TSR_TYPE_TUPLE:
        params[0] = type_attrs(ctx, t->types, t->n, tsr_vhlo_type);
        return params[0] ? tsr_type_dialect(ctx, &tsr_def_VHLO_TUPLE_TYPE_V1, params) : NULL;
    case TSR_TYPE_FUNCTION:
        params[0] = type_attrs(ctx, t->types, t->n, tsr_vhlo_type);
        params[1] = type_attrs(ctx, t->types + t->n, t->nout, tsr_vhlo_type);
        return params[0] && params[1] ? tsr_type_dialect(ctx, &tsr_def_VHLO_FUNC_TYPE_V1, params)
                                      : NULL;
    case TSR_TYPE_DIALECT: return of_dialect(ctx, t);
    default: return NULL;
    }
}

/* ---- Back ---- */

static tsr_type *inner(tsr_ctx *ctx, const tsr_attr *type)
{
    return tsr_attr_is(type, TSR_ATTR_TYPE) ? tsr_vhlo_type_meant(ctx, type->type) : NULL;
}

static tsr_type *quant_meant(tsr_ctx *ctx, const tsr_type *t, bool per_axis)
{
    tsr_attr **p = t->params;
    tsr_type *storage = inner(ctx, p[VHLO_QUANT_storage]),
             *expressed = inner(ctx, p[VHLO_QUANT_expressed]);
    int64_t low = p[per_axis ? VHLO_PER_AXIS_min : VHLO_QUANT_min]->i;
    int64_t high = p[per_axis ? VHLO_PER_AXIS_max : VHLO_QUANT_max]->i;
    bool is_signed = p[VHLO_QUANT_flags]->i & 1;
    if (!tsr_type_is(storage, TSR_TYPE_INTEGER) || storage->width < 1 || storage->width > 32 ||
        !tsr_type_is(expressed, TSR_TYPE_FLOAT))
        return NULL;
    int64_t least = is_signed ? -((int64_t)1 << (storage->width - 1)) : 0;
    int64_t most = ((int64_t)1 << (is_signed ? storage->width - 1 : storage->width)) - 1;
    if (low < least || high > most || low > high)
        return NULL;
    tsr_attr *scales, *zeros, *axis = NULL;
    if (per_axis) {
        axis = p[VHLO_PER_AXIS_axis];
        scales = p[VHLO_PER_AXIS_scales];
        zeros = p[VHLO_PER_AXIS_zero_points];
        if (axis->i < 0 || tsr_attr_count(scales) != tsr_attr_count(zeros) ||
            !tsr_attr_count(scales))
            return NULL;
    } else {
        uint64_t bits = (uint64_t)p[VHLO_QUANT_scale]->i;
        scales = tsr_attr_dense_array(ctx, tsr_type_float(ctx, TSR_F64), &bits, 1);
        zeros = tsr_attr_i64_array(ctx, &p[VHLO_QUANT_zero_point]->i, 1);
    }
    tsr_attr *params[] = {[QUANT_storage] = tsr_attr_type(ctx, storage),
                          [QUANT_signed] = tsr_attr_bool(ctx, is_signed),
                          [QUANT_min] = tsr_attr_i64(ctx, low),
                          [QUANT_max] = tsr_attr_i64(ctx, high),
                          [QUANT_expressed] = tsr_attr_type(ctx, expressed),
                          [QUANT_axis] = axis,
                          [QUANT_scales] = scales,
                          [QUANT_zero_points] = zeros,
                          [QUANT_shape] = NULL};
    return tsr_type_dialect(ctx, &tsr_def_QUANT_UNIFORM, params);
}

static bool element_ok(const tsr_type *t)
{
    return t && (t->kind <= TSR_TYPE_INDEX || t->kind == TSR_TYPE_COMPLEX ||
                 t->kind == TSR_TYPE_DIALECT);
}

static tsr_type *shaped_meant(tsr_ctx *ctx, const tsr_type *t)
{
    tsr_type *elem = inner(ctx, t->params[1]);
    size_t n = (size_t)tsr_attr_count(t->params[0]);
    int64_t dims[MAX_RANK];
    if (!element_ok(elem) || n > MAX_RANK)
        return NULL;
    for (size_t i = 0; i < n; i++) {
        dims[i] = tsr_attr_int_at(t->params[0], i);
        if (dims[i] < 0 && dims[i] != TSR_DYNAMIC)
            return NULL;
    }
    if (t->def == &tsr_def_VHLO_BUFFER_V1)
        return tsr_type_memref(ctx, dims, n, elem, NULL, NULL);
    tsr_attr *encoding = t->params[2];
    if (tsr_attr_is_struct(encoding, &tsr_def_VHLO_TYPE_EXTENSIONS_V1) &&
        (size_t)tsr_attr_count(encoding->attrs[0]) != n)
        return NULL;
    if (!encoding)
        return tsr_type_tensor(ctx, dims, n, elem, NULL);
    encoding = tsr_vhlo_encoding_meant(ctx, encoding);
    const tsr_type *plain = tsr_type_tensor(ctx, dims, n, elem, NULL);
    if (encoding && ctx->verify_encoding && !ctx->verify_encoding(TSR_LOC_UNKNOWN, plain, encoding))
        return NULL;
    return tsr_type_tensor(ctx, dims, n, elem, encoding);
}

static tsr_type *list_meant(tsr_ctx *ctx, const tsr_type *t)
{
    tsr_type_vec in = {0}, out = {0};
    tsr_type *made = NULL;
    tsr_attr *array;
    bool ok = types_of(ctx, t->params[0], &in, tsr_vhlo_type_meant);
    if (ok && t->def == &tsr_def_VHLO_FUNC_TYPE_V1) {
        if (types_of(ctx, t->params[1], &out, tsr_vhlo_type_meant))
            made = tsr_type_function(ctx, in.data, in.n, out.data, out.n);
    } else if (ok && t->def == &tsr_def_VHLO_TUPLE_TYPE_V1) {
        made = tsr_type_tuple(ctx, in.data, in.n);
    } else if (ok) {
        array = type_attrs(ctx, in.data, in.n, tsr_vhlo_type_meant);
        made = array ? tsr_type_dialect(ctx, &tsr_def_STABLEHLO_FUTURE, &array) : NULL;
    }
    tsr_vec_free(&in);
    tsr_vec_free(&out);
    return made;
}

tsr_type *tsr_vhlo_type_meant(tsr_ctx *ctx, tsr_type *t)
{
    if (!tsr_type_is_vhlo(t))
        return t;
    const tsr_attrdef *def = t->def;
    tsr_type *elem;
    if (def == &tsr_def_VHLO_TENSOR_V1 || def == &tsr_def_VHLO_BUFFER_V1)
        return shaped_meant(ctx, t);
    for (size_t i = 0; i < TSR_COUNT(floats); i++)
        if (floats[i].def == def)
            return tsr_type_float(ctx, floats[i].kind);
    for (size_t i = 0; i < TSR_COUNT(integers); i++)
        if (integers[i].def == def)
            return tsr_type_integer(ctx, integers[i].width, integers[i].sign);
    for (size_t i = 0; i < TSR_COUNT(plains); i++)
        if (plains[i].vhlo == def)
            return tsr_type_dialect(ctx, plains[i].meant, NULL);
    if (def == &tsr_def_VHLO_INDEX_V1)
        return tsr_type_index(ctx);
    if (def == &tsr_def_VHLO_NONE_V1)
        return tsr_type_none(ctx);
    if (def == &tsr_def_VHLO_QUANT_V1 || def == &tsr_def_VHLO_QUANT_PER_AXIS_V1)
        return quant_meant(ctx, t, def == &tsr_def_VHLO_QUANT_PER_AXIS_V1);
    if (def == &tsr_def_VHLO_COMPLEX_TYPE_V1) {
        elem = inner(ctx, t->params[0]);
        return elem && (elem->kind == TSR_TYPE_FLOAT || elem->kind == TSR_TYPE_INTEGER)
                   ? tsr_type_complex(ctx, elem)
                   : NULL;
    }
    if (def == &tsr_def_VHLO_UNRANKED_TENSOR_V1) {
        elem = inner(ctx, t->params[0]);
        return element_ok(elem) ? tsr_type_unranked_tensor(ctx, elem) : NULL;
    }
    return list_meant(ctx, t);
}
