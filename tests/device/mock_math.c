/* SPDX-License-Identifier: Apache-2.0 */
/* mock_math.c - products and collectives of the mock device, by plain loops. */
#include "mock_inner.h"

#include <math.h>
#include <string.h>

/* ---- Numbers of all types ---- */

static float small_float(uint32_t bits, int exponent, int mantissa, int bias)
{
    uint32_t e = bits >> mantissa & ((1u << exponent) - 1), f = bits & ((1u << mantissa) - 1);
    float v = e ? ldexpf((float)(f + (1u << mantissa)), (int)e - bias - mantissa)
                : ldexpf((float)f, 1 - bias - mantissa);
    return bits >> (exponent + mantissa) & 1 ? -v : v;
}

static float of_f16(uint16_t h)
{
    uint32_t size = h & 0x7fff;
    if (size < 0x7c00)
        return small_float(h, 5, 10, 15);
    return size > 0x7c00 ? NAN : h & 0x8000 ? -INFINITY : INFINITY;
}

static float of_bf16(uint16_t h)
{
    uint32_t b = (uint32_t)h << 16;
    float x;
    memcpy(&x, &b, 4);
    return x;
}

static float of_f8(uint8_t x, bool e5)
{
    if (e5)
        return of_f16((uint16_t)(x << 8));
    return (x & 0x7f) == 0x7f ? NAN : small_float(x, 4, 3, 7);
}

static double get(const void *at, int64_t i, tsr_device_type t)
{
    switch (t) {
    case TSR_DEVICE_F64: return ((const double *)at)[i];
    case TSR_DEVICE_F32: return ((const float *)at)[i];
    case TSR_DEVICE_BF16: return of_bf16(((const uint16_t *)at)[i]);
    case TSR_DEVICE_F16: return of_f16(((const uint16_t *)at)[i]);
    case TSR_DEVICE_F8E4M3: return of_f8(((const uint8_t *)at)[i], false);
    case TSR_DEVICE_F8E5M2: return of_f8(((const uint8_t *)at)[i], true);
    case TSR_DEVICE_I8: return ((const int8_t *)at)[i];
    case TSR_DEVICE_I32: return ((const int32_t *)at)[i];
    }
    return NAN;
}

static uint16_t to_bf16(float x)
{
    uint32_t b;
    memcpy(&b, &x, 4);
    return x != x ? 0x7fff : (uint16_t)((b + 0x7fff + (b >> 16 & 1)) >> 16);
}

static uint16_t to_f16(float x)
{
    uint16_t sign = signbit(x) ? 0x8000 : 0;
    float size = fabsf(x);
    if (x != x)
        return 0x7fff;
    if (size >= 65520)
        return sign | 0x7c00;
    int e = size < 0x1p-14f ? -14 : ilogbf(size);
    uint16_t units = (uint16_t)rintf(ldexpf(size, 10 - e)); /* 1024 to 2048; below: denormal */
    return (uint16_t)(sign | (units + ((e + 14) << 10)));
}

static void put(void *at, int64_t i, tsr_device_type t, double v)
{
    switch (t) {
    case TSR_DEVICE_F64: ((double *)at)[i] = v; break;
    case TSR_DEVICE_F32: ((float *)at)[i] = (float)v; break;
    case TSR_DEVICE_BF16: ((uint16_t *)at)[i] = to_bf16((float)v); break;
    case TSR_DEVICE_F16: ((uint16_t *)at)[i] = to_f16((float)v); break;
    default: ((int32_t *)at)[i] = (int32_t)(int64_t)v; break;
    }
}

/* ---- Products ---- */

static int64_t place(const tsr_device_matrix *x, int64_t batch, int64_t row, int64_t col)
{
    return batch * x->matrix + (x->transposed ? col * x->line + row : row * x->line + col);
}

/* 10 bits of fraction remain. */
static double to_tf32(double v)
{
    float x = (float)v;
    uint32_t b;
    memcpy(&b, &x, 4);
    if (x == x)
        b = (b + 0xfff + (b >> 13 & 1)) & ~0x1fffu;
    memcpy(&x, &b, 4);
    return x;
}

static double gelu(double x)
{
    return x / 2 * (1 + tanh(0.7978845608028654 * (x + 0.044715 * x * x * x)));
}

static double dgelu(double x)
{
    double t = tanh(0.7978845608028654 * (x + 0.044715 * x * x * x));
    return (1 + t) / 2 + x / 2 * (1 - t * t) * 0.7978845608028654 * (1 + 3 * 0.044715 * x * x);
}

static double sum_of(const tsr_device_product *p, int64_t batch, int64_t i, int64_t j)
{
    double sum = 0;
    for (int64_t k = 0; k < p->k; k++) {
        double x = get(p->a.at, place(&p->a, batch, i, k), p->a.type);
        double y = get(p->b.at, place(&p->b, batch, k, j), p->b.type);
        sum += p->fast ? to_tf32(x) * to_tf32(y) : x * y;
    }
    return p->alpha * sum;
}

static double end_of(const tsr_device_product *p, int64_t i, int64_t j, double v)
{
    int64_t at = i * p->aux_line + j;
    if (tsr_epilogue_has_bias(p->epilogue))
        v += get(p->bias, j, p->out.type);
    if (p->epilogue == TSR_EPILOGUE_DGELU)
        return v * dgelu(get(p->aux, at, p->out.type));
    if (tsr_epilogue_has_aux(p->epilogue))
        put(p->aux, at, p->out.type, v);
    return p->epilogue == TSR_EPILOGUE_NONE || p->epilogue == TSR_EPILOGUE_BIAS ? v : gelu(v);
}

void tsr_mock_product(const tsr_device_product *p)
{
    for (int64_t b = 0; b < p->batch; b++)
        for (int64_t i = 0; i < p->m; i++)
            for (int64_t j = 0; j < p->n; j++) {
                double v = sum_of(p, b, i, j);
                if (p->beta != 0)
                    v += p->beta * get(p->add.at, place(&p->add, b, i, j), p->add.type);
                put(p->out.at, place(&p->out, b, i, j), p->out.type, end_of(p, i, j, v));
            }
}

/* ---- Collectives ---- */

size_t tsr_mock_native_bytes(tsr_native_type t)
{
    static const uint8_t bytes[] = {
        [TSR_NATIVE_F32] = 4, [TSR_NATIVE_F64] = 8, [TSR_NATIVE_I8] = 1, [TSR_NATIVE_I16] = 2,
        [TSR_NATIVE_I32] = 4, [TSR_NATIVE_I64] = 8, [TSR_NATIVE_U8] = 1, [TSR_NATIVE_U16] = 2,
        [TSR_NATIVE_U32] = 4, [TSR_NATIVE_U64] = 8};
    return bytes[t];
}

/* u: the type in which sums wrap. */
#define FOLD(T, t, u)                                     \
    case T: {                                             \
        t a, b;                                           \
        memcpy(&a, to, sizeof a);                         \
        memcpy(&b, from, sizeof b);                       \
        a = op == TSR_NATIVE_SUM       ? (t)((u)a + (u)b) \
            : op == TSR_NATIVE_PRODUCT ? (t)((u)a * (u)b) \
            : op == TSR_NATIVE_MIN     ? (b < a ? b : a)  \
                                       : (b > a ? b : a);     \
        memcpy(to, &a, sizeof a);                         \
        break;                                            \
    }

static void fold(void *to, const void *from, tsr_native_type type, tsr_native_op op)
{
    switch (type) {
        FOLD(TSR_NATIVE_F32, float, float)
        FOLD(TSR_NATIVE_F64, double, double)
        FOLD(TSR_NATIVE_I8, int8_t, uint32_t)
        FOLD(TSR_NATIVE_I16, int16_t, uint32_t)
        FOLD(TSR_NATIVE_I32, int32_t, uint32_t)
        FOLD(TSR_NATIVE_I64, int64_t, uint64_t)
        FOLD(TSR_NATIVE_U8, uint8_t, uint32_t)
        FOLD(TSR_NATIVE_U16, uint16_t, uint32_t)
        FOLD(TSR_NATIVE_U32, uint32_t, uint32_t)
        FOLD(TSR_NATIVE_U64, uint64_t, uint64_t)
    }
}

/* Element e of all members, in their order. */
static void fold_all(const tsr_native *calls, size_t n, size_t e, uint64_t *out)
{
    size_t bytes = tsr_mock_native_bytes(calls->type);
    memcpy(out, (const char *)calls->in + e * bytes, bytes);
    for (size_t i = 1; i < n; i++)
        fold(out, (const char *)calls[i].in + e * bytes, calls->type, calls->op);
}

void tsr_mock_collective(const tsr_native *calls, size_t n)
{
    size_t bytes = tsr_mock_native_bytes(calls->type), some = calls->n, part = some * bytes;
    uint64_t v;
    for (size_t e = 0; calls->kind == TSR_NATIVE_REDUCE && e < some; e++) {
        fold_all(calls, n, e, &v);
        for (size_t i = 0; i < n; i++)
            memcpy((char *)calls[i].out + e * bytes, &v, bytes);
    }
    for (size_t i = 0; i < n; i++) {
        char *out = calls[i].out;
        for (size_t e = 0; calls->kind == TSR_NATIVE_SCATTER && e < some; e++) {
            fold_all(calls, n, i * some + e, &v);
            memcpy(out + e * bytes, &v, bytes);
        }
        for (size_t j = 0; calls->kind == TSR_NATIVE_GATHER && j < n; j++)
            memmove(out + j * part, calls[j].in, part);
        for (size_t j = 0; calls->kind == TSR_NATIVE_EXCHANGE && j < n; j++)
            memcpy(out + j * part, (const char *)calls[j].in + i * part, part);
    }
}
