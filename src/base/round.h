/* SPDX-License-Identifier: Apache-2.0 */
/* round.h - small functions of sizes: the smaller of two, rounded up, the greatest common divisor. */
#ifndef TSR_BASE_ROUND_H
#define TSR_BASE_ROUND_H

#include <stdint.h>

static inline int64_t tsr_min(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static inline int64_t tsr_div_up(int64_t a, int64_t b)
{
    return (a + b - 1) / b;
}

/* The least multiple of b that is not below a. */
static inline int64_t tsr_round_up(int64_t a, int64_t b)
{
    return tsr_div_up(a, b) * b;
}

/* The greatest common divisor of numbers that are not negative. */
static inline int64_t tsr_gcd(int64_t a, int64_t b)
{
    while (b) {
        int64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

#endif
