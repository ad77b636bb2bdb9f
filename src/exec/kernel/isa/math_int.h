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

static inline uint32_t whole_u32(double x)
{
    bool high = x >= 0x1p31;
    return (uint32_t)(int32_t)(high ? x - 0x1p31 : x) + (high ? 0x80000000 : 0);
}

#endif
