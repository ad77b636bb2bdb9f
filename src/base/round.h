/* round.h - the smaller of two sizes, and sizes rounded up. */
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

#endif
