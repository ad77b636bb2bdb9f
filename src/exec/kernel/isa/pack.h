/* pack.h - transposes of small blocks in registers, for packing and for moves. */
#ifndef TSR_EXEC_KERNEL_ISA_PACK_H
#define TSR_EXEC_KERNEL_ISA_PACK_H

#include "base/compiler.h"

/* Four words of 32 bits at any address. */
typedef uint32_t tsr_quad __attribute__((vector_size(16), aligned(4), may_alias));

#if defined(__clang__)
#define TSR_SHUFFLE(a, b, i, j, k, l) __builtin_shufflevector(a, b, i, j, k, l)
#else
#define TSR_SHUFFLE(a, b, i, j, k, l) __builtin_shuffle(a, b, (tsr_quad){i, j, k, l})
#endif

/* Four rows of four words, row bytes apart, become four columns, to bytes apart. */
static inline void tsr_transpose_quad(const char *from, int64_t row, char *out, int64_t to)
{
    tsr_quad a = *(const tsr_quad *)from, b = *(const tsr_quad *)(from + row);
    tsr_quad c = *(const tsr_quad *)(from + 2 * row), d = *(const tsr_quad *)(from + 3 * row);
    tsr_quad ab = TSR_SHUFFLE(a, b, 0, 4, 1, 5), cd = TSR_SHUFFLE(c, d, 0, 4, 1, 5);
    tsr_quad ef = TSR_SHUFFLE(a, b, 2, 6, 3, 7), gh = TSR_SHUFFLE(c, d, 2, 6, 3, 7);
    *(tsr_quad *)out = TSR_SHUFFLE(ab, cd, 0, 1, 4, 5);
    *(tsr_quad *)(out + to) = TSR_SHUFFLE(ab, cd, 2, 3, 6, 7);
    *(tsr_quad *)(out + 2 * to) = TSR_SHUFFLE(ef, gh, 0, 1, 4, 5);
    *(tsr_quad *)(out + 3 * to) = TSR_SHUFFLE(ef, gh, 2, 3, 6, 7);
}

/* The same of two rows: four columns of two words. */
static inline void tsr_transpose_pair(const char *from, int64_t row, char *out, int64_t to)
{
    tsr_quad a = *(const tsr_quad *)from, b = *(const tsr_quad *)(from + row);
    tsr_quad ab = TSR_SHUFFLE(a, b, 0, 4, 1, 5), ef = TSR_SHUFFLE(a, b, 2, 6, 3, 7);
    memcpy(out, &ab, 8);
    memcpy(out + to, (char *)&ab + 8, 8);
    memcpy(out + 2 * to, &ef, 8);
    memcpy(out + 3 * to, (char *)&ef + 8, 8);
}

#endif
