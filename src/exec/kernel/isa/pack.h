/* SPDX-License-Identifier: Apache-2.0 */
/* pack.h - transposes of small blocks in registers, for packing and for copies. */
#ifndef TSR_EXEC_KERNEL_ISA_PACK_H
#define TSR_EXEC_KERNEL_ISA_PACK_H

#include "base/compiler.h"

/* Four 32-bit words at any address: groups of bytes are words, too. */
typedef uint32_t tsr_quad __attribute__((vector_size(16), aligned(1), may_alias));

#if defined(__clang__)
#define TSR_SHUFFLE(a, b, i, j, k, l) __builtin_shufflevector(a, b, i, j, k, l)
#else
#define TSR_SHUFFLE(a, b, i, j, k, l) __builtin_shuffle(a, b, (tsr_quad){i, j, k, l})
#endif

/* Two doublewords, eight halfwords and 16 bytes, likewise; LOW and HIGH interleave the first or last halves of two vectors. */
typedef uint64_t tsr_two __attribute__((vector_size(16), aligned(1), may_alias));
typedef uint16_t tsr_eight __attribute__((vector_size(16), aligned(1), may_alias));
typedef uint8_t tsr_sixteen __attribute__((vector_size(16), aligned(1), may_alias));

#if defined(__clang__)
#define TSR_WEAVE(type, x, y, ...) __builtin_shufflevector(x, y, __VA_ARGS__)
#else
#define TSR_WEAVE(type, x, y, ...) __builtin_shuffle(x, y, (type){__VA_ARGS__})
#endif
#define TSR_LOW_two(x, y) TSR_WEAVE(tsr_two, x, y, 0, 2)
#define TSR_HIGH_two(x, y) TSR_WEAVE(tsr_two, x, y, 1, 3)
#define TSR_LOW_eight(x, y) TSR_WEAVE(tsr_eight, x, y, 0, 8, 1, 9, 2, 10, 3, 11)
#define TSR_HIGH_eight(x, y) TSR_WEAVE(tsr_eight, x, y, 4, 12, 5, 13, 6, 14, 7, 15)
#define TSR_LOW_sixteen(x, y) \
    TSR_WEAVE(tsr_sixteen, x, y, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23)
#define TSR_HIGH_sixteen(x, y) \
    TSR_WEAVE(tsr_sixteen, x, y, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31)

/* Transposes four rows of four words: row, to: strides in bytes. */
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

/* The same for two rows: four columns of two words. */
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
