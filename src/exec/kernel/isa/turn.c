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

/* Eight rows of eight halfwords, 16 rows of 16 bytes. */
typedef uint16_t eight __attribute__((vector_size(16), aligned(2), may_alias));
typedef uint8_t sixteen __attribute__((vector_size(16), aligned(1), may_alias));

#if defined(__clang__)
#define WEAVE(type, x, y, ...) __builtin_shufflevector(x, y, __VA_ARGS__)
#else
#define WEAVE(type, x, y, ...) __builtin_shuffle(x, y, (type){__VA_ARGS__})
#endif
#define LOW_eight(x, y) WEAVE(eight, x, y, 0, 8, 1, 9, 2, 10, 3, 11)
#define HIGH_eight(x, y) WEAVE(eight, x, y, 4, 12, 5, 13, 6, 14, 7, 15)
#define LOW_sixteen(x, y) \
    WEAVE(sixteen, x, y, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23)
#define HIGH_sixteen(x, y) \
    WEAVE(sixteen, x, y, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31)

/* As often as the logarithm of the side says, rows k and k + side / 2 are woven. */
#define ROUND(type, side, to, from)                 \
    UNROLL                                          \
    for (int k = 0; k < (side) / 2; k++) {          \
        type x = from[k], y = from[k + (side) / 2]; \
        to[2 * k] = LOW_##type(x, y);               \
        to[2 * k + 1] = HIGH_##type(x, y);          \
    }
#define TURN_BLOCK(type, side, rounds)                                           \
    static void turn_##type(const char *in, int64_t from, char *out, int64_t to) \
    {                                                                            \
        type a[side], b[side];                                                   \
        UNROLL                                                                   \
        for (int k = 0; k < (side); k++)                                         \
            a[k] = *(const type *)(in + k * from);                               \
        rounds;                                                                  \
        UNROLL                                                                   \
        for (int k = 0; k < (side); k++)                                         \
            *(type *)(out + k * to) = b[k];                                      \
    }
TURN_BLOCK(eight, 8, ROUND(eight, 8, b, a) ROUND(eight, 8, a, b) ROUND(eight, 8, b, a))
TURN_BLOCK(sixteen, 16,
           ROUND(sixteen, 16, b, a) ROUND(sixteen, 16, a, b) ROUND(sixteen, 16, b, a)
               ROUND(sixteen, 16, a, b) memcpy(b, a, sizeof b))

void ISA(tsr_turn)(uint32_t elem, const char *in, int64_t from, char *out, int64_t to, int64_t rows,
                   int64_t cols)
{
    int64_t side = elem <= 4 ? 16 / elem : 1;
    int64_t done_rows = side > 1 ? rows / side * side : 0,
            done_cols = side > 1 ? cols / side * side : 0;
    for (int64_t i = 0; i < done_rows; i += side)
        for (int64_t j = 0; j < done_cols; j += side) {
            const char *block = in + i * from + j * elem;
            char *turned = out + j * to + i * elem;
            if (elem == 4)
                tsr_transpose_quad(block, from, turned, to);
            else if (elem == 2)
                turn_eight(block, from, turned, to);
            else
                turn_sixteen(block, from, turned, to);
        }
    switch (elem) {
    case 1: TURN(uint8_t) return;
    case 2: TURN(uint16_t) return;
    case 4: TURN(uint32_t) return;
    case 8: TURN(uint64_t) return;
    default: TURN(pair)
    }
}
