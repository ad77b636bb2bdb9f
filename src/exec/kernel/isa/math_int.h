/* math_int.h - functions of integers for kernels. */
#ifndef TSR_EXEC_KERNEL_ISA_MATH_INT_H
#define TSR_EXEC_KERNEL_ISA_MATH_INT_H

#include <stdint.h>

static inline uint64_t unsigned_power(uint64_t base, uint64_t exponent)
{
    uint64_t v = 1;
    for (; exponent; exponent >>= 1, base *= base)
        if (exponent & 1)
            v *= base;
    return v;
}

/* Of negative exponents only one and minus one have a power that is not a fraction. */
static inline int64_t signed_power(int64_t base, int64_t exponent)
{
    if (exponent >= 0)
        return (int64_t)unsigned_power((uint64_t)base, (uint64_t)exponent);
    return base == 1 ? 1 : base == -1 ? (exponent & 1 ? -1 : 1) : 0;
}

#endif
