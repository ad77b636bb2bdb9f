/* SPDX-License-Identifier: Apache-2.0 */
/* tile_convert.c - conversions between element types, with the results of eval's tsr_convert: floats round to nearest
 * even, floats to integers truncate and saturate (NaN: 0), integers wrap, anything to i1 is != 0. */
#include "exec/kernel/isa/convert.h"
#include "exec/kernel/isa/isa.h"

#if defined(__F16C__)
#include <immintrin.h>
#endif

LOOP1(f32_bf16, uint16_t, float, from_bf16(x))

/* Compilers narrow elements before they select between a number and NaN, which takes half as many instructions
 * again. */
#if defined(__AVX2__) && !defined(__AVX512F__)
static inline __m256i bf16_of(const float *at)
{
    __m256 v = _mm256_loadu_ps(at);
    __m256i x = _mm256_castps_si256(v);
    __m256i odd = _mm256_and_si256(_mm256_srli_epi32(x, 16), _mm256_set1_epi32(1));
    __m256i number = _mm256_add_epi32(_mm256_add_epi32(x, _mm256_set1_epi32(0x7FFF)), odd);
    __m256i nan = _mm256_or_si256(x, _mm256_set1_epi32(0x400000));
    __m256 y = _mm256_blendv_ps(_mm256_castsi256_ps(number), _mm256_castsi256_ps(nan),
                                _mm256_cmp_ps(v, v, _CMP_UNORD_Q));
    return _mm256_srli_epi32(_mm256_castps_si256(y), 16);
}

static void bf16_f32(void *out, const void *const *in, size_t n)
{
    const float *a = in[0];
    uint16_t *o = out;
    size_t i = 0;
    for (; i + 16 <= n; i += 16) {
        __m256i both = _mm256_packus_epi32(bf16_of(a + i), bf16_of(a + i + 8));
        _mm256_storeu_si256((__m256i *)(o + i), _mm256_permute4x64_epi64(both, 0xD8));
    }
    for (; i < n; i++)
        o[i] = to_bf16(bits_of(a[i]));
}
#else
LOOP1(bf16_f32, uint32_t, uint16_t, to_bf16(x))
#endif

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
        /* All NaNs become the same one, as in eval. */
        __m256 nan = _mm256_cmp_ps(v, v, _CMP_UNORD_Q);
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

/* ---- f32 rounded to narrower types ---- */

LOOP1(nearest_bf16, uint32_t, uint32_t,
      (x & 0x7FFFFFFF) > 0x7F800000 ? x : (x + 0x7FFF + (x >> 16 & 1)) & 0xFFFF0000)

#if defined(__F16C__)
static void nearest_f16(void *out, const void *const *in, size_t n)
{
    const float *a = in[0];
    float *o = out;
    size_t i = 0;
#if defined(__AVX512F__)
    for (; i + 16 <= n; i += 16) {
        __m256i h = _mm512_cvtps_ph(_mm512_loadu_ps(a + i), _MM_FROUND_TO_NEAREST_INT);
        _mm512_storeu_ps(o + i, _mm512_cvtph_ps(h));
    }
#endif
    for (; i + 8 <= n; i += 8)
        _mm256_storeu_ps(o + i, _mm256_cvtph_ps(_mm256_cvtps_ph(_mm256_loadu_ps(a + i),
                                                                _MM_FROUND_TO_NEAREST_INT)));
    for (; i < n; i++)
        o[i] = from_f16(to_f16(bits_of(a[i])));
}
#else
LOOP1(nearest_f16, uint32_t, float, from_f16(to_f16(x)))
#endif

/* Multiples of the least f16, where that has all numbers. */
static inline float gradual_f16(float x)
{
    uint32_t b = bits_of(x), a = b & 0x7FFFFFFF, small = bits_of(float_of(a) + 0.5f - 0.5f);
    return a < 0x38800000 ? float_of(small | (b & 0x80000000)) : x;
}
LOOP1(small_f16, float, float, gradual_f16(x))

tsr_tile_fn *const ISA(tsr_nearest)[TSR_NEAREST__COUNT] = {
    [TSR_NEAREST_BF16] = nearest_bf16,
    [TSR_NEAREST_F16] = nearest_f16,
    [TSR_NEAREST_SMALL_F16] = small_f16,
};

/* ---- Between f32, f64 and integers ---- */

LOOP1(f64_f32, float, double, x)
LOOP1(f32_f64, double, float, x)
LOOP1(i1_f32, float, uint8_t, x != 0)
LOOP1(i1_f64, double, uint8_t, x != 0)

#define FROM_FLOATS(from, ftype)                         \
    LOOP1(i8_##from, ftype, int8_t, i8_of_##from(x))     \
    LOOP1(i16_##from, ftype, int16_t, i16_of_##from(x))  \
    LOOP1(i32_##from, ftype, int32_t, i32_of_##from(x))  \
    LOOP1(i64_##from, ftype, int64_t, i64_of_##from(x))  \
    LOOP1(u8_##from, ftype, uint8_t, u8_of_##from(x))    \
    LOOP1(u16_##from, ftype, uint16_t, u16_of_##from(x)) \
    LOOP1(u32_##from, ftype, uint32_t, u32_of_##from(x)) \
    LOOP1(u64_##from, ftype, uint64_t, u64_of_##from(x))
FROM_FLOATS(f32, float)
FROM_FLOATS(f64, double)

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
