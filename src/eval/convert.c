/* convert.c - elements from one type to another. Floats of every kind go through double, which holds all of them exactly;
 * integers through int64. The loops over plain C types are written once, as a macro over pairs. */
#include <math.h>

#include "base/float.h"
#include "eval/tensor.h"

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

void tsr_to_doubles(tsr_dtype from, const void *in, double *out, int64_t n)
{
#define LOOP(type, expr)                      \
    {                                         \
        const type *p = in;                   \
        for (int64_t i = 0; i < n; i++)       \
            out[i] = (double)(expr);          \
        return;                               \
    }
    switch (from) {
    case TSR_D_F64:
        memcpy(out, in, (size_t)n * 8);
        return;
    case TSR_D_F32:
        LOOP(float, p[i])
    case TSR_D_F16:
        LOOP(uint16_t, half_to_float(p[i]))
    case TSR_D_BF16:
        LOOP(uint16_t, bf16_to_float(p[i]))
    case TSR_D_I1:
        LOOP(uint8_t, p[i] & 1)
    case TSR_D_I2:
    case TSR_D_I4:
    case TSR_D_I8:
        LOOP(int8_t, p[i])
    case TSR_D_U2:
    case TSR_D_U4:
    case TSR_D_U8:
        LOOP(uint8_t, p[i])
    case TSR_D_I16:
        LOOP(int16_t, p[i])
    case TSR_D_U16:
        LOOP(uint16_t, p[i])
    case TSR_D_I32:
        LOOP(int32_t, p[i])
    case TSR_D_U32:
        LOOP(uint32_t, p[i])
    case TSR_D_I64:
        LOOP(int64_t, p[i])
    case TSR_D_U64:
        LOOP(uint64_t, p[i])
    case TSR_D_C64:
        LOOP(float, p[2 * i])
    case TSR_D_C128:
        LOOP(double, p[2 * i])
    default:
        LOOP(uint8_t, tsr_float_to_double(tsr_dtype_float_kind(from), p[i]))
    }
#undef LOOP
}

/* Truncation with saturation; NaN is 0. */
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

void tsr_from_doubles(tsr_dtype to, const double *in, void *out, int64_t n)
{
#define LOOP(type, expr)                  \
    {                                     \
        type *p = out;                    \
        for (int64_t i = 0; i < n; i++)   \
            p[i] = (type)(expr);          \
        return;                           \
    }
    switch (to) {
    case TSR_D_F64:
        memcpy(out, in, (size_t)n * 8);
        return;
    case TSR_D_F32:
        LOOP(float, in[i])
    case TSR_D_F16:
    case TSR_D_BF16:
        LOOP(uint16_t, tsr_float_from_double(tsr_dtype_float_kind(to), in[i]))
    case TSR_D_I1:
        LOOP(uint8_t, in[i] != 0)
    case TSR_D_I2:
        LOOP(int8_t, clamp_int(in[i], -2, 1))
    case TSR_D_I4:
        LOOP(int8_t, clamp_int(in[i], -8, 7))
    case TSR_D_I8:
        LOOP(int8_t, clamp_int(in[i], INT8_MIN, INT8_MAX))
    case TSR_D_U2:
        LOOP(uint8_t, clamp_int(in[i], 0, 3))
    case TSR_D_U4:
        LOOP(uint8_t, clamp_int(in[i], 0, 15))
    case TSR_D_U8:
        LOOP(uint8_t, clamp_int(in[i], 0, UINT8_MAX))
    case TSR_D_I16:
        LOOP(int16_t, clamp_int(in[i], INT16_MIN, INT16_MAX))
    case TSR_D_U16:
        LOOP(uint16_t, clamp_int(in[i], 0, UINT16_MAX))
    case TSR_D_I32:
        LOOP(int32_t, clamp_int(in[i], INT32_MIN, INT32_MAX))
    case TSR_D_U32:
        LOOP(uint32_t, clamp_int(in[i], 0, UINT32_MAX))
    case TSR_D_I64:
        LOOP(int64_t, clamp_int(in[i], INT64_MIN, INT64_MAX))
    case TSR_D_U64:
        LOOP(uint64_t, clamp_u64(in[i]))
    case TSR_D_C64: {
        float *p = out;
        for (int64_t i = 0; i < n; i++) {
            p[2 * i] = (float)in[i];
            p[2 * i + 1] = 0;
        }
        return;
    }
    case TSR_D_C128: {
        double *p = out;
        for (int64_t i = 0; i < n; i++) {
            p[2 * i] = in[i];
            p[2 * i + 1] = 0;
        }
        return;
    }
    default:
        LOOP(uint8_t, tsr_float_from_double(tsr_dtype_float_kind(to), in[i]))
    }
#undef LOOP
}

/* ---- Integers ---- */

static void to_ints(tsr_dtype from, const void *in, int64_t *out, int64_t n)
{
#define LOOP(type, expr)                \
    {                                   \
        const type *p = in;             \
        for (int64_t i = 0; i < n; i++) \
            out[i] = (int64_t)(expr);   \
        return;                         \
    }
    switch (from) {
    case TSR_D_I1:
        LOOP(uint8_t, p[i] & 1)
    case TSR_D_I2:
    case TSR_D_I4:
    case TSR_D_I8:
        LOOP(int8_t, p[i])
    case TSR_D_U2:
    case TSR_D_U4:
    case TSR_D_U8:
        LOOP(uint8_t, p[i])
    case TSR_D_I16:
        LOOP(int16_t, p[i])
    case TSR_D_U16:
        LOOP(uint16_t, p[i])
    case TSR_D_I32:
        LOOP(int32_t, p[i])
    case TSR_D_U32:
        LOOP(uint32_t, p[i])
    default:
        LOOP(int64_t, p[i])
    }
#undef LOOP
}

static void from_ints(tsr_dtype to, const int64_t *in, void *out, int64_t n)
{
#define LOOP(type, expr)                \
    {                                   \
        type *p = out;                  \
        for (int64_t i = 0; i < n; i++) \
            p[i] = (type)(expr);        \
        return;                         \
    }
    switch (to) {
    case TSR_D_I1:
        LOOP(uint8_t, in[i] != 0)
    case TSR_D_I2:
        LOOP(int8_t, (int8_t)((uint8_t)in[i] << 6) >> 6)
    case TSR_D_I4:
        LOOP(int8_t, (int8_t)((uint8_t)in[i] << 4) >> 4)
    case TSR_D_U2:
        LOOP(uint8_t, in[i] & 3)
    case TSR_D_U4:
        LOOP(uint8_t, in[i] & 15)
    case TSR_D_I8:
    case TSR_D_U8:
        LOOP(uint8_t, in[i])
    case TSR_D_I16:
    case TSR_D_U16:
        LOOP(uint16_t, in[i])
    case TSR_D_I32:
    case TSR_D_U32:
        LOOP(uint32_t, in[i])
    default:
        LOOP(int64_t, in[i])
    }
#undef LOOP
}

/* 64-bit integers to floats: one rounding, straight to the target. */
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

void tsr_convert(tsr_dtype to, void *out, tsr_dtype from, const void *in, int64_t n)
{
    enum { CHUNK = 512 };
    if (to == from) {
        memcpy(out, in, (size_t)n * tsr_dtype_bytes(to));
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
