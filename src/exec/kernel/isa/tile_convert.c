/* tile_convert.c - conversions between element types, as eval's tsr_convert has them: floats round to nearest even, floats to
 * integers truncate and saturate (NaN: 0), integers wrap, anything to i1 is != 0. */
#include "exec/kernel/isa/isa.h"

#if defined(__F16C__)
#include <immintrin.h>
#endif

/* ---- Narrow floats ---- */

static inline uint32_t bits_of(float x)
{
    uint32_t b;
    memcpy(&b, &x, sizeof b);
    return b;
}

static inline float float_of(uint32_t b)
{
    float x;
    memcpy(&x, &b, sizeof x);
    return x;
}

static inline float from_bf16(uint16_t h)
{
    return float_of((uint32_t)h << 16);
}

static inline uint16_t to_bf16(uint32_t x)
{
    uint32_t nan = x >> 16 | 0x40, number = (x + 0x7FFF + (x >> 16 & 1)) >> 16;
    return (uint16_t)((x & 0x7FFFFFFF) > 0x7F800000 ? nan : number);
}

/* Of the magnitude: numbers are moved to f32's exponent by a product, which is exact and takes subnormals along. */
static inline float from_f16(uint16_t h)
{
    uint32_t sign = (uint32_t)(h & 0x8000) << 16, x = (uint32_t)(h & 0x7FFF) << 13;
    uint32_t number = bits_of(float_of(x) * 0x1p112f);
    return float_of(sign | (x >= 0x0F800000 ? x | 0x7F800000 : number));
}

static inline uint16_t to_f16(uint32_t b)
{
    uint32_t sign = b >> 16 & 0x8000, x = b & 0x7FFFFFFF;
    uint32_t small = bits_of(float_of(x) + 0.5f) - 0x3F000000; /* rounds to multiples of 2^-24 */
    uint32_t normal = (x + 0xFFF + (x >> 13 & 1) - 0x38000000) >> 13;
    uint32_t large = x > 0x7F800000 ? 0x7E00 : 0x7C00;
    uint32_t v = x < 0x38800000 ? small : normal;
    return (uint16_t)(sign | (x >= 0x47800000 ? large : v));
}

LOOP1(f32_bf16, uint16_t, float, from_bf16(x))
LOOP1(bf16_f32, uint32_t, uint16_t, to_bf16(x))

#if defined(__F16C__)
static void f32_f16(void *out, const void *const *in, size_t n)
{
    const uint16_t *a = in[0];
    float *o = out;
    size_t i = 0;
    for (; i + 8 <= n; i += 8)
        _mm256_storeu_ps(o + i, _mm256_cvtph_ps(_mm_loadu_si128((const __m128i *)(a + i))));
    for (; i < n; i++)
        o[i] = from_f16(a[i]);
}

static void f16_f32(void *out, const void *const *in, size_t n)
{
    const float *a = in[0];
    uint16_t *o = out;
    size_t i = 0;
    for (; i + 8 <= n; i += 8) {
        __m256 v = _mm256_loadu_ps(a + i);
        __m256 nan = _mm256_cmp_ps(v, v, _CMP_UNORD_Q); /* become one, as eval has it */
        v = _mm256_blendv_ps(v,
                             _mm256_or_ps(_mm256_and_ps(v, _mm256_set1_ps(-0.0f)),
                                          _mm256_castsi256_ps(_mm256_set1_epi32(0x7FC00000))),
                             nan);
        _mm_storeu_si128((__m128i *)(o + i), _mm256_cvtps_ph(v, _MM_FROUND_TO_NEAREST_INT));
    }
    for (; i < n; i++)
        o[i] = to_f16(bits_of(a[i]));
}
#else
LOOP1(f32_f16, uint16_t, float, from_f16(x))
LOOP1(f16_f32, uint32_t, uint16_t, to_f16(x))
#endif

/* ---- Between f32, f64 and integers ---- */

LOOP1(f64_f32, float, double, x)
LOOP1(f32_f64, double, float, x)
LOOP1(i1_f32, float, uint8_t, x != 0)
LOOP1(i1_f64, double, uint8_t, x != 0)

/* low, high: the least and the first that does not fit, both floats. Comparisons come before the conversion. */
#define TO_INT(to, type, from, ftype, low, high, least, most)                      \
    static inline type to##_of_##from(ftype x)                                     \
    {                                                                              \
        ftype in = x >= (low) && x < (high) ? x : 0;                               \
        type v = (type)in, bound = x >= (high) ? (most) : x < (low) ? (least) : 0; \
        return in == x ? v : bound;                                                \
    }                                                                              \
    LOOP1(to##_##from, ftype, type, to##_of_##from(x))
#define TO_INTS(from, ftype)                                                   \
    TO_INT(i8, int8_t, from, ftype, -0x1p7f, 0x1p7f, INT8_MIN, INT8_MAX)       \
    TO_INT(i16, int16_t, from, ftype, -0x1p15f, 0x1p15f, INT16_MIN, INT16_MAX) \
    TO_INT(i32, int32_t, from, ftype, -0x1p31f, 0x1p31f, INT32_MIN, INT32_MAX) \
    TO_INT(i64, int64_t, from, ftype, -0x1p63f, 0x1p63f, INT64_MIN, INT64_MAX) \
    TO_INT(u8, uint8_t, from, ftype, 0.0f, 0x1p8f, 0, UINT8_MAX)               \
    TO_INT(u16, uint16_t, from, ftype, 0.0f, 0x1p16f, 0, UINT16_MAX)           \
    TO_INT(u32, uint32_t, from, ftype, 0.0f, 0x1p32f, 0, UINT32_MAX)           \
    TO_INT(u64, uint64_t, from, ftype, 0.0f, 0x1p64f, 0, UINT64_MAX)
TO_INTS(f32, float)
TO_INTS(f64, double)

/* An integer to floats, to i1, and to the bits of integers of each width. */
#define FROM_INT(from, type)             \
    LOOP1(f32_##from, type, float, x)    \
    LOOP1(f64_##from, type, double, x)   \
    LOOP1(w8_##from, type, uint8_t, x)   \
    LOOP1(w16_##from, type, uint16_t, x) \
    LOOP1(w32_##from, type, uint32_t, x) \
    LOOP1(w64_##from, type, uint64_t, x)
FROM_INT(i8, int8_t)
FROM_INT(i16, int16_t)
FROM_INT(i32, int32_t)
FROM_INT(i64, int64_t)
FROM_INT(u8, uint8_t)
FROM_INT(u16, uint16_t)
FROM_INT(u32, uint32_t)
FROM_INT(u64, uint64_t)
LOOP1(i1_w8, uint8_t, uint8_t, x != 0)
LOOP1(i1_w16, uint16_t, uint8_t, x != 0)
LOOP1(i1_w32, uint32_t, uint8_t, x != 0)
LOOP1(i1_w64, uint64_t, uint8_t, x != 0)

/* clang-format off */
#define FROM_FLOAT(FROM, from) \
    [TSR_D_I8][FROM] = i8_##from, [TSR_D_I16][FROM] = i16_##from, [TSR_D_I32][FROM] = i32_##from, [TSR_D_I64][FROM] = i64_##from, \
    [TSR_D_U8][FROM] = u8_##from, [TSR_D_U16][FROM] = u16_##from, [TSR_D_U32][FROM] = u32_##from, [TSR_D_U64][FROM] = u64_##from, \
    [TSR_D_I1][FROM] = i1_##from,
#define FROM_INTS(FROM, from, wide) \
    [TSR_D_I8][FROM] = w8_##from, [TSR_D_I16][FROM] = w16_##from, [TSR_D_I32][FROM] = w32_##from, [TSR_D_I64][FROM] = w64_##from, \
    [TSR_D_U8][FROM] = w8_##from, [TSR_D_U16][FROM] = w16_##from, [TSR_D_U32][FROM] = w32_##from, [TSR_D_U64][FROM] = w64_##from, \
    [TSR_D_F32][FROM] = f32_##from, [TSR_D_F64][FROM] = f64_##from, [TSR_D_I1][FROM] = i1_##wide,
/* clang-format on */

tsr_tile_fn *const ISA(tsr_converts)[TSR_D__COUNT][TSR_D__COUNT] = {
    [TSR_D_F32][TSR_D_BF16] = f32_bf16,
    [TSR_D_BF16][TSR_D_F32] = bf16_f32,
    [TSR_D_F32][TSR_D_F16] = f32_f16,
    [TSR_D_F16][TSR_D_F32] = f16_f32,
    [TSR_D_F64][TSR_D_F32] = f64_f32,
    [TSR_D_F32][TSR_D_F64] = f32_f64,
    FROM_FLOAT(TSR_D_F32, f32) FROM_FLOAT(TSR_D_F64, f64) FROM_INTS(TSR_D_I1, u8, w8)
        FROM_INTS(TSR_D_I8, i8, w8) FROM_INTS(TSR_D_I16, i16, w16) FROM_INTS(TSR_D_I32, i32, w32)
            FROM_INTS(TSR_D_I64, i64, w64) FROM_INTS(TSR_D_U8, u8, w8)
                FROM_INTS(TSR_D_U16, u16, w16) FROM_INTS(TSR_D_U32, u32, w32)
                    FROM_INTS(TSR_D_U64, u64, w64)};
