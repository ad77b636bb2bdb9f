/* SPDX-License-Identifier: Apache-2.0 */
/* quant.c - quantized element types, as MLIR's quant dialect reads and writes them.
 *
 *   uniform    ::= '<' storage ':' float (':' axis)? ',' params '>'
 *   storage    ::= ('i' | 'u' | 'si' | 'ui') width ('<' min ':' max '>')?
 *   axis       ::= number | '{' (number ':' number),* '}'
 *   params     ::= scale (':' zero)? per tensor, '{' params,* '}' per axis, nested lists for blocks */
#include "dialect/builtin/quant.h"
#include "base/decimal.h"

#include "asm/reader.h"
#include "asm/writer.h"
#include "base/float.h"
#include "dialect/hooks.h"

enum { MAX_STORAGE_BITS = 32, MAX_RANK = 16 };

static tsr_type *f64(tsr_asm *a)
{
    return tsr_type_float(a->ctx, TSR_F64);
}

static void storage_range(uint32_t width, bool is_signed, int64_t *min, int64_t *max)
{
    *min = is_signed ? -((int64_t)1 << (width - 1)) : 0;
    *max = ((int64_t)1 << (is_signed ? width - 1 : width)) - 1;
}

static bool write_storage(tsr_asm *a, tsr_attr **params)
{
    tsr_buf *out = a->out->out;
    uint32_t width = params[QUANT_storage]->type->width;
    bool is_signed = params[QUANT_signed]->i != 0;
    int64_t min, max, low = params[QUANT_min]->i, high = params[QUANT_max]->i;
    storage_range(width, is_signed, &min, &max);
    static const char *const words[] = {[TSR_SIGNED] = "si", [TSR_UNSIGNED] = "ui"};
    const char *word = words[params[QUANT_storage]->type->sub];
    tsr_buf_printf(out, "%s%u", word ? word : is_signed ? "i" : "u", width);
    if (low != min || high != max)
        tsr_buf_printf(out, "<%lld:%lld>", (long long)low, (long long)high);
    return true;
}

/* i8, u8, i8<-127:127> */
static bool read_storage(tsr_asm *a, tsr_attr **params)
{
    tsr_str word;
    tsr_loc loc = tsr_asm_loc(a);
    TSR_TRY(tsr_asm_keyword(a, &word));
    bool sign_word =
        word.len > 2 && (word.data[0] == 'u' || word.data[0] == 's') && word.data[1] == 'i';
    bool is_signed = word.data[0] != 'u';
    uint64_t width = 0;
    size_t i = sign_word ? 2 : 1;
    bool digits = i < word.len && (sign_word || word.data[0] == 'i' || word.data[0] == 'u');
    for (; digits && i < word.len; i++) {
        digits = word.data[i] >= '0' && word.data[i] <= '9' && width <= UINT32_MAX;
        width = width * 10 + (uint64_t)(word.data[i] - '0');
    }
    if (!digits)
        return tsr_asm_error_at(a, loc, "illegal storage type prefix");
    if (!width || width > MAX_STORAGE_BITS)
        return tsr_asm_error_at(a, loc, "illegal storage type size: %llu",
                                (unsigned long long)width);
    /* ui8 and si8 keep their sign in the stored type; u8 is i8 with another range. */
    tsr_signedness sign = !sign_word ? TSR_SIGNLESS : is_signed ? TSR_SIGNED : TSR_UNSIGNED;
    int64_t min, max, low, high;
    storage_range((uint32_t)width, is_signed, &min, &max);
    low = min, high = max;
    if (tsr_asm_maybe(a, "<", false)) {
        loc = tsr_asm_loc(a);
        TSR_TRY(tsr_asm_int(a, &low) && tsr_asm_lit(a, ":") && tsr_asm_int(a, &high) &&
                tsr_asm_lit(a, ">"));
        if (low < min)
            return tsr_asm_error_at(a, loc, "illegal storage type minimum: %lld", (long long)low);
        if (high > max)
            return tsr_asm_error_at(a, loc, "illegal storage type maximum: %lld", (long long)high);
        if (low > high)
            return tsr_asm_error_at(a, loc, "illegal storage min and storage max: (%lld:%lld)",
                                    (long long)low, (long long)high);
    }
    params[QUANT_storage] = tsr_attr_type(a->ctx, tsr_type_integer(a->ctx, (uint32_t)width, sign));
    params[QUANT_signed] = tsr_attr_bool(a->ctx, is_signed);
    params[QUANT_min] = tsr_attr_i64(a->ctx, low);
    params[QUANT_max] = tsr_attr_i64(a->ctx, high);
    return true;
}

static bool storage(tsr_asm *a, tsr_attr **params)
{
    return tsr_asm_writing(a) ? write_storage(a, params) : read_storage(a, params);
}

static bool expressed(tsr_asm *a, tsr_attr **attr)
{
    tsr_type *type = *attr ? (*attr)->type : NULL;
    tsr_loc loc = tsr_asm_loc(a);
    TSR_TRY(tsr_asm_type(a, &type));
    if (tsr_asm_writing(a))
        return true;
    if (type->kind != TSR_TYPE_FLOAT)
        return tsr_asm_error_at(a, loc, "expressed type must be floating point");
    *attr = tsr_attr_type(a->ctx, type);
    return true;
}

bool type_QUANT_ANY(tsr_asm *a, tsr_attr **params)
{
    TSR_TRY(tsr_asm_lit(a, "<") && storage(a, params));
    if (tsr_asm_maybe(a, ":", params[QUANT_expressed] != NULL))
        TSR_TRY(expressed(a, &params[QUANT_expressed]));
    return tsr_asm_lit(a, ">");
}

bool type_QUANT_CALIBRATED(tsr_asm *a, tsr_attr **params)
{
    TSR_TRY(tsr_asm_lit(a, "<") && expressed(a, &params[QUANT_CALIBRATED_expressed]) &&
            tsr_asm_lit(a, "<") && tsr_asm_attr_typed(a, &params[QUANT_CALIBRATED_min], f64(a)) &&
            tsr_asm_lit(a, ":"));
    tsr_loc loc = tsr_asm_loc(a);
    TSR_TRY(tsr_asm_attr_typed(a, &params[QUANT_CALIBRATED_max], f64(a)));
    if (!tsr_asm_writing(a)) {
        double min = tsr_float_to_double(TSR_F64, (uint64_t)params[QUANT_CALIBRATED_min]->i);
        double max = tsr_float_to_double(TSR_F64, (uint64_t)params[QUANT_CALIBRATED_max]->i);
        if (!(min < max))
            return tsr_asm_error_at(a, loc, "illegal min and max: (%s:%s)",
                                    tsr_spell('e', 0, 6, min).text, tsr_spell('e', 0, 6, max).text);
    }
    return tsr_asm_lit(a, ">>");
}

/* ---- Scales and zero points ---- */

typedef struct {
    TSR_VEC(uint64_t) scales; /* bits of doubles */
    TSR_VEC(int64_t) zeros;
    int64_t shape[MAX_RANK];
    int rank; /* of nested lists: set by the first innermost one */
} quant_params;

/* Whether a float of this kind can represent the scale. */
static bool scale_in_range(tsr_float_kind kind, double scale)
{
    const tsr_float_format *f = &tsr_float_formats[kind];
    if (f->bits > 64)
        return scale > 0;
    uint64_t top = ((uint64_t)1 << (f->ebits + f->mbits)) -
                   1; /* the largest pattern, then the largest number */
    if (f->specials == TSR_FLOAT_IEEE)
        top -= (uint64_t)1 << f->mbits;
    else if (f->specials == TSR_FLOAT_FN || f->specials == TSR_FLOAT_E8M0)
        top -= 1;
    return scale >= tsr_float_to_double(kind, f->specials == TSR_FLOAT_E8M0 ? 0 : 1) &&
           scale <= tsr_float_to_double(kind, top);
}

/* scale (':' zero)? */
static bool read_pair(tsr_asm *a, tsr_attr **params, quant_params *q)
{
    tsr_loc loc = tsr_asm_loc(a);
    tsr_attr *scale = NULL;
    int64_t zero = 0;
    if (!tsr_read_is(a->in, TOK_FLOAT) && !tsr_read_is(a->in, '-') && !tsr_read_is(a->in, TOK_INT))
        return tsr_asm_error(a, "expected floating point literal");
    TSR_TRY(tsr_asm_attr_typed(a, &scale, f64(a)));
    if (scale->kind != TSR_ATTR_FLOAT)
        return tsr_asm_error_at(a, loc, "expected floating point literal");
    double value = tsr_float_to_double(TSR_F64, (uint64_t)scale->i);
    if (!scale_in_range((tsr_float_kind)params[QUANT_expressed]->type->sub, value))
        return tsr_asm_error_at(a, loc, "scale %s out of expressed type range",
                                tsr_spell('e', 0, 6, value).text);
    if (tsr_asm_maybe(a, ":", false))
        TSR_TRY(tsr_asm_int(a, &zero));
    tsr_vec_push(&q->scales, (uint64_t)scale->i);
    tsr_vec_push(&q->zeros, zero);
    return true;
}

/* '{' params,* '}' at nesting depth; all lists of one depth must have the same length. */
static bool read_list(tsr_asm *a, tsr_attr **params, quant_params *q, int depth)
{
    int64_t n = 0;
    if (depth == MAX_RANK)
        return tsr_asm_error(a, "nested too deeply");
    TSR_TRY(tsr_asm_lit(a, "{"));
    do {
        if (tsr_asm_peek(a, "{"))
            TSR_TRY(read_list(a, params, q, depth + 1));
        else if (q->rank && q->rank != depth + 1)
            return tsr_asm_error(a, "inconsistent nesting of quantization parameters");
        else
            TSR_TRY((q->rank = depth + 1) && read_pair(a, params, q));
        n++;
    } while (tsr_asm_maybe(a, ",", false));
    if (q->shape[depth] && q->shape[depth] != n)
        return tsr_asm_error(a, "inconsistent number of quantization parameters");
    q->shape[depth] = n;
    return tsr_asm_lit(a, "}");
}

typedef TSR_VEC(int64_t) numbers;

/* {0:1, 1:2}: dimension and size of its blocks. The list may be empty. */
static bool read_blocks(tsr_asm *a, numbers *blocks)
{
    while (!tsr_asm_maybe(a, "}", false)) {
        int64_t dim, size;
        if (blocks->n)
            TSR_TRY(tsr_asm_lit(a, ","));
        tsr_loc loc = tsr_asm_loc(a);
        TSR_TRY(tsr_asm_int(a, &dim) && tsr_asm_lit(a, ":") && tsr_asm_int(a, &size));
        if (dim < 0)
            return tsr_asm_error_at(a, loc, "illegal quantized dimension: %lld", (long long)dim);
        if (size <= 0)
            return tsr_asm_error_at(a, loc, "illegal block size: %lld", (long long)size);
        tsr_vec_push(blocks, dim);
        tsr_vec_push(blocks, size);
    }
    return true;
}

static bool read_axis(tsr_asm *a, tsr_attr **axis)
{
    if (tsr_asm_maybe(a, "{", false)) {
        numbers blocks = {0};
        bool ok = read_blocks(a, &blocks);
        if (ok)
            *axis = tsr_attr_i64_array(a->ctx, blocks.data, blocks.n);
        tsr_vec_free(&blocks);
        return ok;
    }
    tsr_loc loc = tsr_asm_loc(a);
    TSR_TRY(tsr_asm_i64(a, axis));
    return (*axis)->i >= 0 ||
           tsr_asm_error_at(a, loc, "illegal quantized dimension: %lld", (long long)(*axis)->i);
}

static bool read_params(tsr_asm *a, tsr_attr **params)
{
    quant_params q = {0};
    tsr_attr *axis = params[QUANT_axis];
    bool blocks = axis && axis->kind == TSR_ATTR_DENSE_ARRAY;
    bool ok = axis ? read_list(a, params, &q, 0) : read_pair(a, params, &q);
    if (ok && axis && !blocks && q.rank != 1)
        ok = tsr_asm_error(a, "expected one list of quantization parameters");
    if (ok) {
        params[QUANT_scales] = tsr_attr_dense_array(a->ctx, f64(a), q.scales.data, q.scales.n);
        params[QUANT_zero_points] = tsr_attr_i64_array(a->ctx, q.zeros.data, q.zeros.n);
        if (blocks)
            params[QUANT_shape] = tsr_attr_i64_array(a->ctx, q.shape, (size_t)q.rank);
    }
    tsr_vec_free(&q.scales);
    tsr_vec_free(&q.zeros);
    return ok;
}

/* Scales of blocks have the expressed type, others are doubles. */
static void write_pair(tsr_asm *a, tsr_attr **params, size_t i)
{
    uint64_t bits;
    tsr_float_kind kind = TSR_F64;
    int64_t zero = tsr_attr_int_at(params[QUANT_zero_points], i);
    memcpy(&bits, params[QUANT_scales]->s.data + 8 * i, 8);
    if (params[QUANT_shape]) {
        kind = (tsr_float_kind)params[QUANT_expressed]->type->sub;
        bits = tsr_float_from_double(kind, tsr_float_to_double(TSR_F64, bits));
    }
    tsr_buf_float(a->out->out, kind, bits);
    if (zero)
        tsr_buf_printf(a->out->out, ":%lld", (long long)zero);
}

static void write_nested(tsr_asm *a, tsr_attr **params, size_t depth, size_t *next)
{
    size_t rank = (size_t)tsr_attr_count(params[QUANT_shape]);
    int64_t n = tsr_attr_int_at(params[QUANT_shape], depth);
    tsr_asm_lit(a, "{");
    for (int64_t i = 0; i < n; i++) {
        if (i)
            tsr_asm_lit(a, ", ");
        if (depth + 1 == rank)
            write_pair(a, params, (*next)++);
        else
            write_nested(a, params, depth + 1, next);
    }
    tsr_asm_lit(a, "}");
}

static void write_axis_and_params(tsr_asm *a, tsr_attr **params)
{
    tsr_attr *axis = params[QUANT_axis];
    size_t next = 0;
    if (!axis) {
        tsr_asm_lit(a, ", ");
        write_pair(a, params, 0);
        return;
    }
    if (params[QUANT_shape]) {
        tsr_asm_lit(a, ":{");
        for (size_t i = 0; i + 1 < (size_t)tsr_attr_count(axis); i += 2)
            tsr_buf_printf(a->out->out, "%s%lld:%lld", i ? ", " : "",
                           (long long)tsr_attr_int_at(axis, i),
                           (long long)tsr_attr_int_at(axis, i + 1));
        tsr_asm_lit(a, "}, ");
        write_nested(a, params, 0, &next);
        return;
    }
    tsr_buf_printf(a->out->out, ":%lld, {", (long long)axis->i);
    for (size_t i = 0; i < (size_t)tsr_attr_count(params[QUANT_zero_points]); i++) {
        if (i)
            tsr_asm_lit(a, ",");
        write_pair(a, params, i);
    }
    tsr_asm_lit(a, "}");
}

bool type_QUANT_UNIFORM(tsr_asm *a, tsr_attr **params)
{
    TSR_TRY(tsr_asm_lit(a, "<") && storage(a, params) && tsr_asm_lit(a, ":") &&
            expressed(a, &params[QUANT_expressed]));
    if (tsr_asm_writing(a)) {
        write_axis_and_params(a, params);
    } else {
        if (tsr_asm_maybe(a, ":", false))
            TSR_TRY(read_axis(a, &params[QUANT_axis]));
        TSR_TRY(tsr_asm_lit(a, ",") && read_params(a, params));
    }
    return tsr_asm_lit(a, ">");
}
