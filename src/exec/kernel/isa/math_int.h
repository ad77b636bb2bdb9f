/* SPDX-License-Identifier: Apache-2.0 */
/* math_int.h - functions of integers for the kernels. */
#ifndef TSR_EXEC_KERNEL_ISA_MATH_INT_H
#define TSR_EXEC_KERNEL_ISA_MATH_INT_H

#include <stdbool.h>
#include <stdint.h>

static inline uint64_t unsigned_power(uint64_t base, uint64_t exponent)
{
    uint64_t v = 1;
    for (; exponent; exponent >>= 1, base *= base)
        if (exponent & 1)
            v *= base;
    return v;
}

/* With a negative exponent, only one and minus one have an integer power. */
static inline int64_t signed_power(int64_t base, int64_t exponent)
{
    if (exponent >= 0)
        return (int64_t)unsigned_power((uint64_t)base, (uint64_t)exponent);
    return base == 1 ? 1 : base == -1 ? (exponent & 1 ? -1 : 1) : 0;
}

/* ---- With vector instructions only ---- */

static inline uint32_t bits_set_32(uint32_t x)
{
    x -= x >> 1 & 0x55555555;
    x = (x & 0x33333333) + (x >> 2 & 0x33333333);
    x = (x + (x >> 4)) & 0x0F0F0F0F;
    /* No product: compilers would recognise the whole as one instruction, which vectors lack. */
    x += x >> 8;
    return (x + (x >> 16)) & 0x3F;
}

static inline uint64_t bits_set_64(uint64_t x)
{
    x -= x >> 1 & 0x5555555555555555;
    x = (x & 0x3333333333333333) + (x >> 2 & 0x3333333333333333);
    x = (x + (x >> 4)) & 0x0F0F0F0F0F0F0F0F;
    x += x >> 8;
    x += x >> 16;
    return (x + (x >> 32)) & 0x7F;
}

/* Sets all bits below the highest one that is set. */
static inline uint32_t filled_32(uint32_t x)
{
    x |= x >> 1;
    x |= x >> 2;
    x |= x >> 4;
    x |= x >> 8;
    return x | x >> 16;
}

static inline uint64_t filled_64(uint64_t x)
{
    x |= x >> 1;
    x |= x >> 2;
    x |= x >> 4;
    x |= x >> 8;
    x |= x >> 16;
    return x | x >> 32;
}

/* ---- Quotients by one divisor ---- */

static inline uint32_t whole_u32(double x)
{
    bool high = x >= 0x1p31;
    return (uint32_t)(int32_t)(high ? x - 0x1p31 : x) + (high ? 0x80000000 : 0);
}

/* For 32 bits, products of doubles take fewer instructions: by is a little more than the reciprocal, so that exact
 * quotients are not truncated to the integer below. */
typedef double divisor_32;
static inline divisor_32 signed_divisor_32(int32_t d)
{
    return 1 / (double)d * (1 + 0x1p-45);
}
static inline divisor_32 unsigned_divisor_32(uint32_t d)
{
    return 1 / (double)d * (1 + 0x1p-45);
}
/* The least integer over -1 is itself: x86's conversion of 0x1p31 to 32 bits returns it, others saturate. */
static inline int32_t signed_over_32(int32_t x, divisor_32 by)
{
#if defined(__x86_64__)
    return (int32_t)((double)x * by);
#else
    return (int32_t)(int64_t)((double)x * by);
#endif
}
static inline uint32_t unsigned_over_32(uint32_t x, divisor_32 by)
{
    return whole_u32((double)x * by);
}

/* Division by multiplication (Granlund and Montgomery): the quotient of x and d is the high half of x times a
 * multiplier, shifted, exactly for all x and all d but 0. SS, UU: twice as wide as S and U. */
#define QUOTIENTS(N, S, U, SS, UU)                                                 \
    typedef struct {                                                               \
        U by, flip;                                                                \
        uint8_t first, shift;                                                      \
    } divisor_##N;                                                                 \
    static inline divisor_##N signed_divisor_##N(S d)                              \
    {                                                                              \
        U size = d < 0 ? (U)(0 - (U)d) : (U)d;                                     \
        int bits = size > 2 ? 64 - __builtin_clzll((uint64_t)size - 1) : 1;        \
        U by = (U)(((UU)1 << ((N) + bits - 1)) / size + 1);                        \
        return (divisor_##N){by, d < 0 ? (U)-1 : 0, 0, (uint8_t)(bits - 1)};       \
    }                                                                              \
    static inline S signed_over_##N(S x, divisor_##N d)                            \
    {                                                                              \
        S high = (S)((SS)x * (S)d.by >> (N));                                      \
        U q = (U)((U)(S)((S)((U)x + (U)high) >> d.shift) - (U)(x >> ((N)-1)));     \
        return (S)(U)((q ^ d.flip) - d.flip);                                      \
    }                                                                              \
    static inline divisor_##N unsigned_divisor_##N(U d)                            \
    {                                                                              \
        int bits = d > 1 ? 64 - __builtin_clzll((uint64_t)d - 1) : 0;              \
        U by = (U)(((((UU)1 << bits) - d) << (N)) / d + 1);                        \
        return (divisor_##N){by, 0, bits > 0, (uint8_t)(bits > 0 ? bits - 1 : 0)}; \
    }                                                                              \
    static inline U unsigned_over_##N(U x, divisor_##N d)                          \
    {                                                                              \
        U high = (U)((UU)x * d.by >> (N));                                         \
        return (U)((U)(high + (U)((U)(x - high) >> d.first)) >> d.shift);          \
    }
QUOTIENTS(16, int16_t, uint16_t, int32_t, uint32_t)
__extension__ typedef __int128 int128;
__extension__ typedef unsigned __int128 uint128;
QUOTIENTS(64, int64_t, uint64_t, int128, uint128)
#undef QUOTIENTS

#endif
