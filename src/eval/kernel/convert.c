/* SPDX-License-Identifier: Apache-2.0 */
/* convert.c - conversions between element types: convert, bitcast_convert, reduce_precision, quantization, complex
 * parts. */
#include <math.h>
#include <stdlib.h>

#include "dialect/builtin/quant.h"
#include "eval/kernel/pointwise.h"
#include "eval/math/scalar.h"
#include "eval/kernel/kernels.h"

/* ---- convert ---- */

/* Pairs that are common enough for a loop of their own; false: not one of them. Works in place if the sizes are
 * equal. */
static bool convert_fast(tsr_dtype to, void *out, tsr_dtype from, const void *in, int64_t n)
{
#define PAIR(FROM, T, TO, U, expr)                  \
    if (from == TSR_D_##FROM && to == TSR_D_##TO) { \
        const T *p = in;                            \
        U *o = out;                                 \
        for (int64_t i = 0; i < n; i++) {           \
            T x = p[i];                             \
            o[i] = (U)(expr);                       \
        }                                           \
        return true;                                \
    }
    PAIR(F32, float, F64, double, x)
    PAIR(F64, double, F32, float, x)
    PAIR(I32, int32_t, F32, float, x)
    PAIR(I32, int32_t, F64, double, x)
    PAIR(U32, uint32_t, F32, float, x)
    PAIR(I32, int32_t, I64, int64_t, x)
    PAIR(I64, int64_t, I32, int32_t, (uint32_t)x)
    PAIR(U32, uint32_t, I32, uint32_t, x)
    PAIR(I32, uint32_t, U32, uint32_t, x)
    PAIR(I1, uint8_t, F32, float, x & 1)
    PAIR(I1, uint8_t, I32, int32_t, x & 1)
    PAIR(I8, int8_t, F32, float, x)
    PAIR(U8, uint8_t, F32, float, x)
    PAIR(U8, uint8_t, I32, int32_t, x)
#undef PAIR
    if (from == TSR_D_BF16 && to == TSR_D_F32) {
        const uint16_t *p = in;
        uint32_t *o = out;
        for (int64_t i = 0; i < n; i++)
            o[i] = (uint32_t)p[i] << 16;
        return true;
    }
    if (from == TSR_D_F32 && to == TSR_D_BF16) {
        const uint32_t *p = in;
        uint16_t *o = out;
        for (int64_t i = 0; i < n; i++) {
            uint32_t v = p[i], nan = (v & 0x7FFFFFFF) > 0x7F800000;
            /* to nearest, ties to even; a NaN stays one */
            o[i] = (uint16_t)(nan ? (v >> 16) | 0x40 : (v + 0x7FFF + (v >> 16 & 1)) >> 16);
        }
        return true;
    }
    return false;
}

static bool row_convert(const tsr_row *r)
{
    int64_t n = r->step[0] ? r->n : r->n > 0;
    if (r->to == r->d)
        memmove(r->out, r->in[0], (size_t)n * tsr_dtype_bytes(r->d));
    else if (!convert_fast(r->to, r->out, r->d, r->in[0], n))
        tsr_convert(r->to, r->out, r->d, r->in[0], n);
    for (int64_t i = n; i < r->n; i++)
        memcpy((char *)r->out + (size_t)i * tsr_dtype_bytes(r->to), r->out, tsr_dtype_bytes(r->to));
    return true;
}

bool eval_convert(tsr_call *c)
{
    tsr_type *elem = c->op->out[0].type->elem;
    if (c->in[0]->kind == TSR_TENSOR && c->in[0]->elem == elem && !c->batch) {
        c->out[0] = tsr_call_take(c, 0);
        return true;
    }
    return tsr_pointwise(c, TSR_OP_STABLEHLO_CONVERT, row_convert);
}

/* ---- bitcast_convert ---- */

/* The bits of consecutive elements, lowest first; sub-byte elements take a byte each. */
static void copy_bits(const tsr_tensor *in, tsr_tensor *out)
{
    uint32_t wi = tsr_dtype_bits((tsr_dtype)in->dtype), wo = tsr_dtype_bits((tsr_dtype)out->dtype);
    uint32_t bi = tsr_dtype_bytes((tsr_dtype)in->dtype) * 8,
             bo = tsr_dtype_bytes((tsr_dtype)out->dtype) * 8;
    const uint8_t *src = in->data;
    uint8_t *dst = out->data;
    size_t total = (size_t)in->n * wi;
    memset(dst, 0, tsr_tensor_bytes(out));
    for (size_t k = 0; k < total; k++) {
        size_t from = k / wi * bi + k % wi, to = k / wo * bo + k % wo;
        dst[to / 8] |= (uint8_t)((src[from / 8] >> from % 8 & 1) << to % 8);
    }
    tsr_row_wrap((tsr_dtype)out->dtype, dst, out->n);
}

bool eval_bitcast_convert(tsr_call *c)
{
    const tsr_tensor *in = c->in[0];
    tsr_dtype to = tsr_dtype_of(c->op->out[0].type->elem);
    if (in->kind != TSR_TENSOR || to == TSR_D_NONE)
        return tsr_fail(c, "has a type that has no bits");
    uint32_t wi = tsr_dtype_bits((tsr_dtype)in->dtype), wo = tsr_dtype_bits(to);
    int64_t dims[TSR_MAX_RANK + 1];
    size_t rank = in->rank;
    memcpy(dims, in->dims, rank * sizeof *dims);
    if (wi > wo) {
        if (wi % wo || rank == TSR_MAX_RANK)
            return tsr_fail(c, "cannot split elements of %u bits into %u bits each", wi, wo);
        dims[rank++] = wi / wo;
    } else if (wi < wo) {
        if (!rank || dims[rank - 1] * wi != wo)
            return tsr_fail(c, "cannot join elements of %u bits to %u bits", wi, wo);
        rank--;
    }
    tsr_tensor *out = tsr_call_new(c, 0, dims, rank);
    if (!out)
        return false;
    if (wi == 8 * tsr_dtype_bytes((tsr_dtype)in->dtype) && wo == 8 * tsr_dtype_bytes(to))
        memcpy(out->data, in->data, tsr_tensor_bytes(out));
    else
        copy_bits(in, out);
    return true;
}

/* ---- reduce_precision ---- */

typedef struct {
    uint32_t mbits, ebits, bits; /* of the type */
    uint32_t to_m, to_e;
    tsr_float_kind kind;
} precision;

/* Works on the bit pattern: rounds the mantissa to nearest even, then checks whether the exponent still fits; values
 * that are too small become zero, since reduced formats have no subnormals. */
static uint64_t reduce_bits(const precision *p, uint64_t v)
{
    uint64_t sign = (uint64_t)1 << (p->bits - 1), exponent = (((uint64_t)1 << p->ebits) - 1)
                                                             << p->mbits;
    double value = tsr_float_to_double(p->kind, v);
    if (isnan(value))
        return p->to_m ? v : tsr_float_from_double(p->kind, INFINITY);
    if (isinf(value))
        return v;
    uint64_t s = v & sign, m = v & (sign - 1);
    if (p->to_m < p->mbits) {
        uint64_t last = (uint64_t)1 << (p->mbits - p->to_m);
        m += (last >> 1) - 1 + ((m & last) != 0);
        m &= ~(last - 1);
    }
    if (p->to_e < p->ebits) {
        uint64_t bias = ((uint64_t)1 << (p->ebits - 1)) - 1,
                 to_bias = ((uint64_t)1 << (p->to_e - 1)) - 1;
        uint64_t e = m & exponent;
        if (e > (bias + to_bias) << p->mbits)
            return tsr_float_from_double(p->kind, s ? -INFINITY : INFINITY);
        if (e <= (bias - to_bias) << p->mbits)
            return s;
    }
    return s | m;
}

static bool row_reduce_precision(const tsr_row *r)
{
    if (!tsr_dtype_is_float(r->d))
        return false;
    const tsr_attr *e = r->op->attrs[STABLEHLO_REDUCE_PRECISION_exponent_bits];
    const tsr_attr *m = r->op->attrs[STABLEHLO_REDUCE_PRECISION_mantissa_bits];
    if (!e || !m || e->i < 1 || m->i < 0)
        return false;
    precision p = {.kind = tsr_dtype_float_kind(r->d)};
    const tsr_float_format *f = &tsr_float_formats[p.kind];
    p.bits = f->bits;
    p.mbits = f->mbits;
    p.ebits = f->ebits;
    p.to_m = m->i > 64 ? 64 : (uint32_t)m->i;
    p.to_e = e->i > 64 ? 64 : (uint32_t)e->i;
    size_t size = tsr_dtype_bytes(r->d);
    for (int64_t i = 0; i < r->n; i++) {
        uint64_t v = 0;
        memcpy(&v, (const char *)r->in[0] + (size_t)(i * r->step[0]) * size, size);
        v = reduce_bits(&p, v);
        memcpy((char *)r->out + (size_t)i * size, &v, size);
    }
    return true;
}

bool eval_reduce_precision(tsr_call *c)
{
    return tsr_pointwise(c, TSR_OP_STABLEHLO_REDUCE_PRECISION, row_reduce_precision);
}

/* ---- Quantization ---- */

/* Parameters of a quantized type, applied to a shape: element i has parameter i / inner % count. */
typedef struct {
    tsr_type *expressed;
    tsr_dtype d; /* of expressed */
    const tsr_attr *scales, *zeros;
    int64_t count, inner;
    double least, most;
} quantization;

static bool quantization_of(quantization *q, const tsr_tensor *t)
{
    if (!tsr_is_quantized(t->elem))
        return false;
    tsr_attr **p = t->elem->params;
    *q = (quantization){.expressed = p[QUANT_expressed] ? p[QUANT_expressed]->type : NULL,
                        .scales = p[QUANT_scales],
                        .zeros = p[QUANT_zero_points],
                        .count = 1,
                        .inner = 1,
                        .least = (double)p[QUANT_min]->i,
                        .most = (double)p[QUANT_max]->i};
    q->d = tsr_dtype_of(q->expressed);
    if (!tsr_dtype_is_float(q->d) || !q->scales || !q->zeros)
        return false;
    const tsr_attr *axis = p[QUANT_axis];
    if (!axis)
        return tsr_attr_count(q->scales) >= 1;
    if (axis->kind != TSR_ATTR_INT || axis->i < 0 || axis->i >= t->rank)
        return false;
    q->count = t->dims[axis->i];
    for (size_t k = (size_t)axis->i + 1; k < t->rank; k++)
        q->inner *= t->dims[k];
    return tsr_attr_count(q->scales) == q->count && tsr_attr_count(q->zeros) == q->count;
}

static double round_to(tsr_dtype d, double v)
{
    if (d == TSR_D_F32)
        return (float)v;
    if (d == TSR_D_F64)
        return v;
    uint64_t bits;
    tsr_from_doubles(d, &v, &bits, 1);
    tsr_to_doubles(d, &bits, &v, 1);
    return v;
}

static void parameters(const quantization *q, int64_t i, double *scale, double *zero)
{
    size_t k = (size_t)(i / q->inner % q->count);
    memcpy(scale, q->scales->s.data + k * sizeof(double), sizeof(double));
    *scale = round_to(q->d, *scale);
    *zero = (double)tsr_attr_int_at(q->zeros, k);
}

tsr_tensor *tsr_dequantize(const tsr_tensor *t)
{
    quantization q;
    tsr_tensor *out = quantization_of(&q, t) ? tsr_tensor_like(t, q.expressed) : NULL;
    double scale = 1, zero = 0;
    for (int64_t i = 0; out && i < t->n; i++) {
        if (i == 0 || (q.count > 1 && i % q.inner == 0))
            parameters(&q, i, &scale, &zero);
        double v = round_to(q.d, (double)tsr_get_int(t, i) - zero);
        tsr_set_double(out, i, v * scale);
    }
    return out;
}

bool tsr_quantize_into(tsr_tensor *out, const tsr_tensor *floats)
{
    quantization q;
    double scale = 1, zero = 0;
    if (!quantization_of(&q, out) || out->n != floats->n)
        return false;
    for (int64_t i = 0; i < out->n; i++) {
        if (i == 0 || (q.count > 1 && i % q.inner == 0))
            parameters(&q, i, &scale, &zero);
        double v = round_to(q.d, tsr_get_double(floats, i) / scale);
        v = round_to(q.d, v + zero);
        v = v != v ? 0 : v < q.least ? q.least : v > q.most ? q.most : rint(v);
        tsr_set_int(out, i, (int64_t)v);
    }
    return true;
}

bool eval_uniform_quantize(tsr_call *c)
{
    tsr_tensor *out = tsr_call_pointwise(c, 0);
    if (!out)
        return false;
    tsr_tensor *in = c->in[0];
    if (in->kind != TSR_TENSOR || in->n != out->n)
        return tsr_fail(c, "takes a tensor of the result's shape");
    tsr_tensor *floats = tsr_is_quantized(in->elem) ? tsr_dequantize(in) : tsr_tensor_ref(in);
    bool ok = floats && tsr_quantize_into(out, floats);
    tsr_tensor_unref(floats);
    return ok || tsr_fail(c, "has a quantization that does not fit the shape");
}

bool eval_uniform_dequantize(tsr_call *c)
{
    if (c->in[0]->kind == TSR_TENSOR)
        c->out[0] = tsr_dequantize(c->in[0]);
    return c->out[0] || tsr_fail(c, "has a quantization that does not fit the shape");
}

/* ---- is_finite, and parts of complex numbers ---- */

static bool row_is_finite(const tsr_row *r)
{
    uint8_t *out = r->out;
    int64_t s = r->step[0];
    if (r->d == TSR_D_F32) {
        const float *in = r->in[0];
        for (int64_t i = 0; i < r->n; i++)
            out[i] = isfinite(in[i * s]) != 0;
        return true;
    }
    if (!tsr_dtype_is_float(r->d))
        return false;
    size_t size = tsr_dtype_bytes(r->d);
    for (int64_t i = 0; i < r->n; i++) {
        double v;
        tsr_to_doubles(r->d, (const char *)r->in[0] + (size_t)(i * s) * size, &v, 1);
        out[i] = isfinite(v) != 0;
    }
    return true;
}

bool eval_is_finite(tsr_call *c)
{
    return tsr_pointwise(c, TSR_OP_STABLEHLO_IS_FINITE, row_is_finite);
}

static bool row_part(const tsr_row *r)
{
    int64_t part = r->opcode == TSR_OP_STABLEHLO_IMAG, s = r->step[0];
    size_t size = tsr_dtype_bytes(r->to);
    if (r->d == TSR_D_C64 || r->d == TSR_D_C128) {
        for (int64_t i = 0; i < r->n; i++)
            if (r->d == TSR_D_C64)
                ((float *)r->out)[i] = ((const float *)r->in[0])[2 * i * s + part];
            else
                ((double *)r->out)[i] = ((const double *)r->in[0])[2 * i * s + part];
        return true;
    }
    if (!tsr_dtype_is_float(r->d) || r->to != r->d)
        return false;
    if (part) {
        memset(r->out, 0, (size_t)r->n * size);
        return true;
    }
    for (int64_t i = 0; i < r->n; i++)
        memmove((char *)r->out + (size_t)i * size, (const char *)r->in[0] + (size_t)(i * s) * size,
                size);
    return true;
}

/* real and imag */
bool eval_part(tsr_call *c)
{
    return tsr_pointwise(c, c->op->def->opcode, row_part);
}

bool tsr_row_complex(const tsr_row *r)
{
    int64_t sa = r->step[0], sb = r->step[1];
#define JOIN(T)                               \
    do {                                      \
        const T *a = r->in[0], *b = r->in[1]; \
        T *out = r->out;                      \
        for (int64_t i = 0; i < r->n; i++) {  \
            out[2 * i] = a[i * sa];           \
            out[2 * i + 1] = b[i * sb];       \
        }                                     \
    } while (0)
    if (r->d == TSR_D_F32 && r->to == TSR_D_C64)
        JOIN(float);
    else if (r->d == TSR_D_F64 && r->to == TSR_D_C128)
        JOIN(double);
    else
        return false;
#undef JOIN
    return true;
}

bool eval_complex(tsr_call *c)
{
    return tsr_pointwise(c, TSR_OP_STABLEHLO_COMPLEX, tsr_row_complex);
}
