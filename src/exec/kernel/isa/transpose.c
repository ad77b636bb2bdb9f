/* SPDX-License-Identifier: Apache-2.0 */
/* transpose.c - transposes of blocks that fit in the first-level cache. */
#include "exec/kernel/isa/isa.h"
#include "exec/kernel/isa/pack.h"

typedef struct {
    uint64_t w[2];
} pair;

typedef uint16_t half __attribute__((aligned(1), may_alias)); /* may also be two single bytes */

#define TRANSPOSE(type)                                                \
    for (int64_t j = 0; j < cols; j++)                                 \
        for (int64_t i = j < done_cols ? done_rows : 0; i < rows; i++) \
            *(type *)(out + j * to + i * (int64_t)sizeof(type)) =      \
                *(const type *)(in + i * from + j * (int64_t)sizeof(type));

/* Transposes two rows of two doublewords, eight rows of eight halfwords, or 16 rows of 16 bytes: log2(side) times, rows k and k + side / 2 are
 * interleaved. */
#define ROUND(type, side, to, from)                       \
    UNROLL                                                \
    for (int k = 0; k < (side) / 2; k++) {                \
        tsr_##type x = from[k], y = from[k + (side) / 2]; \
        to[2 * k] = TSR_LOW_##type(x, y);                 \
        to[2 * k + 1] = TSR_HIGH_##type(x, y);            \
    }
#define TRANSPOSE_BLOCK(type, side, rounds)                                           \
    static void transpose_##type(const char *in, int64_t from, char *out, int64_t to) \
    {                                                                                 \
        tsr_##type a[side], b[side];                                                  \
        UNROLL                                                                        \
        for (int k = 0; k < (side); k++)                                              \
            a[k] = *(const tsr_##type *)(in + k * from);                              \
        rounds;                                                                       \
        UNROLL                                                                        \
        for (int k = 0; k < (side); k++)                                              \
            *(tsr_##type *)(out + k * to) = b[k];                                     \
    }
TRANSPOSE_BLOCK(eight, 8, ROUND(eight, 8, b, a) ROUND(eight, 8, a, b) ROUND(eight, 8, b, a))
TRANSPOSE_BLOCK(sixteen, 16,
                ROUND(sixteen, 16, b, a) ROUND(sixteen, 16, a, b) ROUND(sixteen, 16, b, a)
                    ROUND(sixteen, 16, a, b) memcpy(b, a, sizeof b))

TRANSPOSE_BLOCK(two, 2, ROUND(two, 2, b, a))

void ISA(tsr_transpose_block)(uint32_t elem, const char *in, int64_t from, char *out, int64_t to,
                              int64_t rows, int64_t cols)
{
    int64_t side = elem <= 8 ? 16 / elem : 1;
    int64_t done_rows = side > 1 ? rows / side * side : 0,
            done_cols = side > 1 ? cols / side * side : 0;
    for (int64_t i = 0; i < done_rows; i += side)
        for (int64_t j = 0; j < done_cols; j += side) {
            const char *block = in + i * from + j * elem;
            char *block_out = out + j * to + i * elem;
            if (elem == 8)
                transpose_two(block, from, block_out, to);
            else if (elem == 4)
                tsr_transpose_quad(block, from, block_out, to);
            else if (elem == 2)
                transpose_eight(block, from, block_out, to);
            else
                transpose_sixteen(block, from, block_out, to);
        }
    switch (elem) {
    case 1: TRANSPOSE(uint8_t) return;
    case 2: TRANSPOSE(half) return;
    case 4: TRANSPOSE(uint32_t) return;
    case 8: TRANSPOSE(uint64_t) return;
    default: TRANSPOSE(pair)
    }
}
