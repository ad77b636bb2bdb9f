/* SPDX-License-Identifier: Apache-2.0 */
/* convert.h - conversions of one element between types, as eval's tsr_convert has them: floats round to nearest even, floats to integers truncate
 * and saturate (NaN: 0). Programs that are written as C (target/c) have this text, too. */
#ifndef TSR_EXEC_KERNEL_ISA_CONVERT_H
#define TSR_EXEC_KERNEL_ISA_CONVERT_H

#include <stdint.h>
#include <string.h>

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

/* ---- Floats to integers ---- */

/* low, high: the least and the first that does not fit, both floats. Comparisons come before the conversion. */
#define TO_INT(to, type, from, ftype, low, high, least, most)                      \
    static inline type to##_of_##from(ftype x)                                     \
    {                                                                              \
        ftype in = x >= (low) && x < (high) ? x : 0;                               \
        type v = (type)in, bound = x >= (high) ? (most) : x < (low) ? (least) : 0; \
        return in == x ? v : bound;                                                \
    }
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

#endif
