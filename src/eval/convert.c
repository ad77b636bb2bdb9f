/* SPDX-License-Identifier: Apache-2.0 */
/* convert.c - converts elements from one type to another. Floats of every kind go through double, which represents all
 * of them exactly; integers go through int64. */
#include <math.h>

#include "base/float.h"
#include "eval/kernel/pointwise.h"

/* ---- Half floats, without a table ---- */

static float half_to_float(uint16_t h)
{
    uint32_t sign = (uint32_t)(h & 0x8000) << 16, exp = h >> 10 & 31, man = h & 1023, bits;
    if (exp == 31)
        bits = sign | 0x7F800000 | man << 13;
    else if (exp)
        bits = sign | (exp + 112) << 23 | man << 13;
    else if (!man)
        bits = sign;
    else { /* subnormal: 2^-24 units */
        float v = (float)man * 0x1p-24f;
        memcpy(&bits, &v, 4);
        bits |= sign;
    }
    float f;
    memcpy(&f, &bits, 4);
    return f;
}

static float bf16_to_float(uint16_t h)
{
    uint32_t bits = (uint32_t)h << 16;
    float f;
    memcpy(&f, &bits, 4);
    return f;
}

/* The pattern of v as f32, rounded to odd: the last bit says whether any bits followed, so that a second rounding to at
 * least two bits fewer gives the same result as a single one. */
static uint32_t odd_float(double v)
{
    float f = (float)v;
    uint32_t bits;
    memcpy(&bits, &f, sizeof bits);
    if (f == v || v != v)
        return bits;
    bits -= (v < 0 ? (double)f < v : (double)f > v) ? 1 : 0; /* towards zero first */
    return bits | 1;
}

uint16_t tsr_bf16_of(double v)
{
    uint32_t bits = odd_float(v);
    if (v != v)
        return (uint16_t)(bits >> 16 | 0x40);
    return (uint16_t)((bits + 0x7FFF + (bits >> 16 & 1)) >> 16);
}

uint16_t tsr_f16_of(double v)
{
    uint32_t bits = odd_float(v), sign = bits >> 16 & 0x8000, x = bits & 0x7FFFFFFF;
    if (v != v)
        return (uint16_t)(sign | 0x7E00 | (x >> 13 & 0x3FF));
    if (x >= 0x47800000) /* 2^16 and more */
        return (uint16_t)(sign | 0x7C00);
    if (x < 0x38800000) { /* below 2^-14: the addition rounds to multiples of 2^-24 */
        float f;
        memcpy(&f, &x, sizeof f);
        f += 0.5f;
        memcpy(&x, &f, sizeof x);
        return (uint16_t)(sign | (x - 0x3F000000));
    }
    x += 0xFFF + (x >> 13 & 1);
    return (uint16_t)(sign | ((x - 0x38000000) >> 13)); /* 2^16 is infinity's pattern */
}

/* Loops in the cases of a switch over types: elements p[i] of in become out[i], or in[i] is converted to p[i] of
 * out. */
#define READ(type, expr)                \
    {                                   \
        const type *p = in;             \
        for (int64_t i = 0; i < n; i++) \
            out[i] = (expr);            \
        return;                         \
    }
#define WRITE(type, expr)               \
    {                                   \
        type *p = out;                  \
        for (int64_t i = 0; i < n; i++) \
            p[i] = (type)(expr);        \
        return;                         \
    }
#define WRITE_COMPLEX(type)               \
    {                                     \
        type *p = out;                    \
        for (int64_t i = 0; i < n; i++) { \
            p[2 * i] = (type)in[i];       \
            p[2 * i + 1] = 0;             \
        }                                 \
        return;                           \
    }
#define READ_INTS                          \
    case TSR_D_I1: READ(uint8_t, p[i] & 1) \
    case TSR_D_I2:                         \
    case TSR_D_I4:                         \
    case TSR_D_I8: READ(int8_t, p[i])      \
    case TSR_D_U2:                         \
    case TSR_D_U4:                         \
    case TSR_D_U8: READ(uint8_t, p[i])     \
    case TSR_D_I16: READ(int16_t, p[i])    \
    case TSR_D_U16: READ(uint16_t, p[i])   \
    case TSR_D_I32: READ(int32_t, p[i])    \
    case TSR_D_U32: READ(uint32_t, p[i])   \
    case TSR_D_I64: READ(int64_t, p[i])

void tsr_to_doubles(tsr_dtype from, const void *in, double *out, int64_t n)
{
    switch (from) {
    case TSR_D_F64: memcpy(out, in, (size_t)n * 8); return;
    case TSR_D_F32: READ(float, p[i])
    case TSR_D_F16: READ(uint16_t, half_to_float(p[i]))
    case TSR_D_BF16:
        READ(uint16_t, bf16_to_float(p[i]))
        READ_INTS case TSR_D_U64 : READ(uint64_t, (double)p[i]) case TSR_D_C64
            : READ(float, p[2 * i]) case TSR_D_C128 : READ(double, p[2 * i]) default
            : READ(uint8_t, tsr_float_to_double(tsr_dtype_float_kind(from), p[i]))
    }
}

/* Truncates with saturation; NaN gives 0. */
static int64_t clamp_int(double v, int64_t least, int64_t most)
{
    if (isnan(v))
        return 0;
    if (v <= (double)least)
        return least;
    if (v >= (double)most)
        return most;
    return (int64_t)v;
}

static uint64_t clamp_u64(double v)
{
    if (!(v > 0))
        return 0;
    return v >= 0x1p64 ? UINT64_MAX : (uint64_t)v;
}

/* Every NaN becomes the format's canonical one. */
static uint16_t half_of(tsr_float_kind kind, double v)
{
    if (v != v)
        return (uint16_t)tsr_float_from_double(kind, v);
    return kind == TSR_F16 ? tsr_f16_of(v) : tsr_bf16_of(v);
}

void tsr_from_doubles(tsr_dtype to, const double *in, void *out, int64_t n)
{
    switch (to) {
    case TSR_D_F64: memcpy(out, in, (size_t)n * 8); return;
    case TSR_D_F32: WRITE(float, in[i])
    case TSR_D_F16: WRITE(uint16_t, half_of(TSR_F16, in[i]))
    case TSR_D_BF16: WRITE(uint16_t, half_of(TSR_BF16, in[i]))
    case TSR_D_I1: WRITE(uint8_t, in[i] != 0)
    case TSR_D_I2: WRITE(int8_t, clamp_int(in[i], -2, 1))
    case TSR_D_I4: WRITE(int8_t, clamp_int(in[i], -8, 7))
    case TSR_D_I8: WRITE(int8_t, clamp_int(in[i], INT8_MIN, INT8_MAX))
    case TSR_D_U2: WRITE(uint8_t, clamp_int(in[i], 0, 3))
    case TSR_D_U4: WRITE(uint8_t, clamp_int(in[i], 0, 15))
    case TSR_D_U8: WRITE(uint8_t, clamp_int(in[i], 0, UINT8_MAX))
    case TSR_D_I16: WRITE(int16_t, clamp_int(in[i], INT16_MIN, INT16_MAX))
    case TSR_D_U16: WRITE(uint16_t, clamp_int(in[i], 0, UINT16_MAX))
    case TSR_D_I32: WRITE(int32_t, clamp_int(in[i], INT32_MIN, INT32_MAX))
    case TSR_D_U32: WRITE(uint32_t, clamp_int(in[i], 0, UINT32_MAX))
    case TSR_D_I64: WRITE(int64_t, clamp_int(in[i], INT64_MIN, INT64_MAX))
    case TSR_D_U64: WRITE(uint64_t, clamp_u64(in[i]))
    case TSR_D_C64: WRITE_COMPLEX(float)
    case TSR_D_C128: WRITE_COMPLEX(double)
    default: WRITE(uint8_t, tsr_float_from_double(tsr_dtype_float_kind(to), in[i]))
    }
}

/* ---- Integers ---- */

static void to_ints(tsr_dtype from, const void *in, int64_t *out, int64_t n)
{
    switch (from) {
        READ_INTS
    default: READ(uint64_t, (int64_t)p[i])
    }
}

static void from_ints(tsr_dtype to, const int64_t *in, void *out, int64_t n)
{
    switch (to) {
    case TSR_D_I1: WRITE(uint8_t, in[i] != 0)
    case TSR_D_I2: WRITE(int8_t, (int8_t)((uint8_t)in[i] << 6) >> 6)
    case TSR_D_I4: WRITE(int8_t, (int8_t)((uint8_t)in[i] << 4) >> 4)
    case TSR_D_U2: WRITE(uint8_t, in[i] & 3)
    case TSR_D_U4: WRITE(uint8_t, in[i] & 15)
    case TSR_D_I8:
    case TSR_D_U8: WRITE(uint8_t, in[i])
    case TSR_D_I16:
    case TSR_D_U16: WRITE(uint16_t, in[i])
    case TSR_D_I32:
    case TSR_D_U32: WRITE(uint32_t, in[i])
    default: WRITE(int64_t, in[i])
    }
}

/* 64-bit integers to floats: one rounding, directly to the target. */
static void wide_to_float(tsr_dtype to, tsr_dtype from, const void *in, void *out, int64_t n)
{
    const int64_t *s = in;
    const uint64_t *u = in;
    for (int64_t i = 0; i < n; i++) {
        if (to == TSR_D_F32)
            ((float *)out)[i] = from == TSR_D_U64 ? (float)u[i] : (float)s[i];
        else {
            double v = from == TSR_D_U64 ? (double)u[i] : (double)s[i];
            tsr_from_doubles(to, &v, (char *)out + (size_t)i * tsr_dtype_bytes(to), 1);
        }
    }
}

static void complex_to_complex(tsr_dtype to, void *out, const void *in, int64_t n)
{
    for (int64_t i = 0; i < 2 * n; i++) {
        if (to == TSR_D_C64)
            ((float *)out)[i] = (float)((const double *)in)[i];
        else
            ((double *)out)[i] = ((const float *)in)[i];
    }
}

/* The two most common types of models: bf16 is the upper half of f32. */
static void bf16_to_f32(const uint16_t *in, uint32_t *out, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        out[i] = (uint32_t)in[i] << 16;
}

static void f32_to_bf16(const uint32_t *in, uint16_t *out, int64_t n)
{
    for (int64_t i = 0; i < n; i++) {
        uint32_t x = in[i];
        bool nan = (x & 0x7FFFFFFF) > 0x7F800000;
        out[i] = (uint16_t)(nan ? x >> 16 | 0x40 : (x + 0x7FFF + (x >> 16 & 1)) >> 16);
    }
}

void tsr_convert(tsr_dtype to, void *out, tsr_dtype from, const void *in, int64_t n)
{
    enum { CHUNK = 512 };
    if (to == from) {
        memcpy(out, in, (size_t)n * tsr_dtype_bytes(to));
        return;
    }
    if (to == TSR_D_F32 && from == TSR_D_BF16) {
        bf16_to_f32(in, out, n);
        return;
    }
    if (to == TSR_D_BF16 && from == TSR_D_F32) {
        f32_to_bf16(in, out, n);
        return;
    }
    if (tsr_dtype_is_complex(to) && tsr_dtype_is_complex(from)) {
        complex_to_complex(to, out, in, n);
        return;
    }
    if ((from == TSR_D_I64 || from == TSR_D_U64) && tsr_dtype_is_float(to)) {
        wide_to_float(to, from, in, out, n);
        return;
    }
    bool ints = tsr_dtype_is_int(to) && tsr_dtype_is_int(from);
    size_t from_size = tsr_dtype_bytes(from), to_size = tsr_dtype_bytes(to);
    for (int64_t at = 0; at < n; at += CHUNK) {
        int64_t k = n - at < CHUNK ? n - at : CHUNK;
        const void *src = (const char *)in + (size_t)at * from_size;
        void *dst = (char *)out + (size_t)at * to_size;
        if (ints) {
            int64_t v[CHUNK];
            to_ints(from, src, v, k);
            from_ints(to, v, dst, k);
        } else {
            double v[CHUNK];
            tsr_to_doubles(from, src, v, k);
            tsr_from_doubles(to, v, dst, k);
        }
    }
}
