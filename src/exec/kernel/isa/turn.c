/* turn.c - transposes of blocks that fit the nearest cache. */
#include "exec/kernel/isa/isa.h"
#include "exec/kernel/isa/pack.h"

typedef struct {
    uint64_t w[2];
} pair;

#define TURN(type)                                                     \
    for (int64_t j = 0; j < cols; j++)                                 \
        for (int64_t i = j < done_cols ? done_rows : 0; i < rows; i++) \
            *(type *)(out + j * to + i * (int64_t)sizeof(type)) =      \
                *(const type *)(in + i * from + j * (int64_t)sizeof(type));

/* Eight rows of eight halfwords. */
typedef uint16_t eight __attribute__((vector_size(16), aligned(2), may_alias));

#if defined(__clang__)
#define LOW(x, y) __builtin_shufflevector(x, y, 0, 8, 1, 9, 2, 10, 3, 11)
#define HIGH(x, y) __builtin_shufflevector(x, y, 4, 12, 5, 13, 6, 14, 7, 15)
#else
#define LOW(x, y) __builtin_shuffle(x, y, (eight){0, 8, 1, 9, 2, 10, 3, 11})
#define HIGH(x, y) __builtin_shuffle(x, y, (eight){4, 12, 5, 13, 6, 14, 7, 15})
#endif

/* Three times, rows k and k + 4 are woven. */
static void turn_eight(const char *in, int64_t from, char *out, int64_t to)
{
    eight a[8], b[8];
    for (int k = 0; k < 8; k++)
        a[k] = *(const eight *)(in + k * from);
    for (int k = 0; k < 4; k++) {
        b[2 * k] = LOW(a[k], a[k + 4]);
        b[2 * k + 1] = HIGH(a[k], a[k + 4]);
    }
    for (int k = 0; k < 4; k++) {
        a[2 * k] = LOW(b[k], b[k + 4]);
        a[2 * k + 1] = HIGH(b[k], b[k + 4]);
    }
    for (int k = 0; k < 4; k++) {
        *(eight *)(out + 2 * k * to) = LOW(a[k], a[k + 4]);
        *(eight *)(out + (2 * k + 1) * to) = HIGH(a[k], a[k + 4]);
    }
}

void ISA(tsr_turn)(uint32_t elem, const char *in, int64_t from, char *out, int64_t to, int64_t rows,
                   int64_t cols)
{
    int64_t side = elem == 4 ? 4 : elem == 2 ? 8 : 1;
    int64_t done_rows = side > 1 ? rows / side * side : 0,
            done_cols = side > 1 ? cols / side * side : 0;
    for (int64_t i = 0; i < done_rows; i += side)
        for (int64_t j = 0; j < done_cols; j += side) {
            if (elem == 4)
                tsr_transpose_quad(in + i * from + j * 4, from, out + j * to + i * 4, to);
            else
                turn_eight(in + i * from + j * 2, from, out + j * to + i * 2, to);
        }
    switch (elem) {
    case 1: TURN(uint8_t) return;
    case 2: TURN(uint16_t) return;
    case 4: TURN(uint32_t) return;
    case 8: TURN(uint64_t) return;
    default: TURN(pair)
    }
}
