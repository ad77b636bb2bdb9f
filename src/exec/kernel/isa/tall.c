/* SPDX-License-Identifier: Apache-2.0 */
/* tall.c - the inner loop of products with few columns: rows of A are read in place, whole cache lines at a time, and
 * transposed in registers, so that each lane of a vector has a row. Sums are added in the same order as in gemm.c, and
 * have the same bits. */
#include "exec/kernel/isa/fused.h"
#include "exec/kernel/isa/pack.h"

/* ---- Transposes ---- */

/* A vector is several groups of 16 bytes. Within each group, elements of two vectors are interleaved. */
#if defined(__AVX512F__)
#define SPREAD4(a, b, c, d)                                                                     \
    a, b, c, d, a + 4, b + 4, c + 4, d + 4, a + 8, b + 8, c + 8, d + 8, a + 12, b + 12, c + 12, \
        d + 12
#define SPREAD2(a, b) a, b, a + 2, b + 2, a + 4, b + 4, a + 6, b + 6
#elif defined(__AVX2__)
#define SPREAD4(a, b, c, d) a, b, c, d, a + 4, b + 4, c + 4, d + 4
#define SPREAD2(a, b) a, b, a + 2, b + 2
#else
#define SPREAD4(a, b, c, d) a, b, c, d
#define SPREAD2(a, b) a, b
#endif
enum { F32S = BYTES / 4, F64S = BYTES / 8 };
typedef int32_t order_floats VECTOR(int32_t);
typedef int64_t order_doubles VECTOR(int64_t);
#if defined(__clang__)
#define MIX(type, x, y, ...) __builtin_shufflevector(x, y, __VA_ARGS__)
#else
#define MIX(type, x, y, ...) __builtin_shuffle(x, y, (order_##type){__VA_ARGS__})
#endif
#define LOW_floats(x, y) MIX(floats, x, y, SPREAD4(0, F32S, 1, F32S + 1))
#define HIGH_floats(x, y) MIX(floats, x, y, SPREAD4(2, F32S + 2, 3, F32S + 3))
#define LOW_doubles(x, y) MIX(doubles, x, y, SPREAD2(0, F64S))
#define HIGH_doubles(x, y) MIX(doubles, x, y, SPREAD2(1, F64S + 1))

/* Transposes groups of 16 bytes between the vectors x[0], x[step], ..., as many as a vector has groups. The header of
 * intrinsics takes longer to read than this file to compile. */
#if defined(__AVX512F__)
#define EVEN_GROUPS(x, y) MIX(doubles, x, y, 0, 1, 4, 5, 8, 9, 12, 13)
#define ODD_GROUPS(x, y) MIX(doubles, x, y, 2, 3, 6, 7, 10, 11, 14, 15)
#elif defined(__AVX2__)
#define EVEN_GROUPS(x, y) MIX(doubles, x, y, 0, 1, 4, 5)
#define ODD_GROUPS(x, y) MIX(doubles, x, y, 2, 3, 6, 7)
#endif
static inline __attribute__((always_inline)) void turn_groups(floats *x, int step)
{
#if defined(__AVX512F__)
    doubles a = (doubles)x[0], b = (doubles)x[step];
    doubles c = (doubles)x[2 * step], d = (doubles)x[3 * step];
    doubles ab = EVEN_GROUPS(a, b), cd = EVEN_GROUPS(c, d);
    x[0] = (floats)EVEN_GROUPS(ab, cd);
    x[2 * step] = (floats)ODD_GROUPS(ab, cd);
    ab = ODD_GROUPS(a, b);
    cd = ODD_GROUPS(c, d);
    x[step] = (floats)EVEN_GROUPS(ab, cd);
    x[3 * step] = (floats)ODD_GROUPS(ab, cd);
#elif defined(__AVX2__)
    doubles a = (doubles)x[0], b = (doubles)x[step];
    x[0] = (floats)EVEN_GROUPS(a, b);
    x[step] = (floats)ODD_GROUPS(a, b);
#else
    (void)x;
    (void)step;
#endif
}

/* Transposes four vectors within their groups. */
static inline __attribute__((always_inline)) void turn_four(floats *x)
{
    doubles low = (doubles)LOW_floats(x[0], x[1]), high = (doubles)HIGH_floats(x[0], x[1]);
    doubles low2 = (doubles)LOW_floats(x[2], x[3]), high2 = (doubles)HIGH_floats(x[2], x[3]);
    x[0] = (floats)LOW_doubles(low, low2);
    x[1] = (floats)HIGH_doubles(low, low2);
    x[2] = (floats)LOW_doubles(high, high2);
    x[3] = (floats)HIGH_doubles(high, high2);
}

static inline __attribute__((always_inline)) void turn_f32(floats *x)
{
    UNROLL
    for (int i = 0; i < F32S; i += 4)
        turn_four(x + i);
    UNROLL
    for (int i = 0; i < 4; i++)
        turn_groups(x + i, 4);
}

static inline __attribute__((always_inline)) void turn_f64(doubles *x)
{
    UNROLL
    for (int i = 0; i < F64S; i += 2) {
        doubles low = LOW_doubles(x[i], x[i + 1]);
        x[i + 1] = HIGH_doubles(x[i], x[i + 1]);
        x[i] = low;
    }
    UNROLL
    for (int i = 0; i < 2; i++)
        turn_groups((floats *)x + i, 2);
}

/* ---- Products ---- */

/* Some steps of the depth: the lanes of x are rows. */
#define STEPS(steps, cols, name, vector)                                \
    for (int i = 0; i < (steps); i++, b += ldb) {                       \
        UNROLL                                                          \
        for (int j = 0; j < (cols); j++)                                \
            acc[j] = FUSED_##name(x[i], EACH_OF(vector, b[j]), acc[j]); \
    }

#define TALL(cols, name, T, vector)                                                  \
    static void name##_##cols(const void *const *rows, int64_t first, int64_t depth, \
                              const void *b_, int64_t ldb, void *sums, bool add)     \
    {                                                                                \
        enum { LANES = BYTES / sizeof(T) };                                          \
        const T *const *a = (const T *const *)rows;                                  \
        const T *b = b_;                                                             \
        vector acc[cols] = {0}, *to = sums;                                          \
        int64_t k = first, end = first + depth;                                      \
        for (; k + LANES <= end; k += LANES) {                                       \
            vector x[LANES];                                                         \
            UNROLL                                                                   \
            for (int i = 0; i < LANES; i++)                                          \
                x[i] = *(const vector *)(a[i] + k);                                  \
            turn_##name(x);                                                          \
            UNROLL                                                                   \
            STEPS(LANES, cols, name, vector)                                         \
        }                                                                            \
        if (k < end) {                                                               \
            vector x[LANES] = {0};                                                   \
            for (int i = 0; i < LANES; i++)                                          \
                memcpy(&x[i], a[i] + k, (size_t)(end - k) * sizeof(T));              \
            turn_##name(x);                                                          \
            STEPS(end - k, cols, name, vector)                                       \
        }                                                                            \
        for (int j = 0; j < (cols); j++) {                                           \
            if (add)                                                                 \
                acc[j] += to[j];                                                     \
            to[j] = acc[j];                                                          \
        }                                                                            \
    }

/* As many columns as lanes: lanes are columns, and the sums are transposed when they are complete. Rows are copied to a
 * small buffer, where they do not evict each other from the cache. */
#define SQUARE(name, T, vector)                                                      \
    static void name##_square(const void *const *rows, int64_t first, int64_t depth, \
                              const void *b_, int64_t ldb, void *sums, bool add)     \
    {                                                                                \
        enum { LANES = BYTES / sizeof(T) };                                          \
        const T *const *a = (const T *const *)rows;                                  \
        const T *b = b_;                                                             \
        _Alignas(64) T x[LANES][LANES];                                              \
        vector acc[LANES] = {0}, *to = sums;                                         \
        for (int64_t k = first, end = first + depth; k < end; k += LANES) {          \
            int64_t steps = end - k < LANES ? end - k : LANES;                       \
            if (steps == LANES)                                                      \
                UNROLL                                                               \
            for (int r = 0; r < LANES; r++)                                          \
                memcpy(x[r], a[r] + k, BYTES);                                       \
            else for (int r = 0; r < LANES; r++)                                     \
                memcpy(x[r], a[r] + k, (size_t)steps * sizeof(T));                   \
            for (int64_t i = 0; i < steps; i++, b += ldb) {                          \
                vector row = *(const vector *)b;                                     \
                UNROLL                                                               \
                for (int r = 0; r < LANES; r++)                                      \
                    acc[r] = FUSED_##name(EACH_OF(vector, x[r][i]), row, acc[r]);    \
            }                                                                        \
        }                                                                            \
        turn_##name(acc);                                                            \
        for (int j = 0; j < LANES; j++) {                                            \
            if (add)                                                                 \
                acc[j] += to[j];                                                     \
            to[j] = acc[j];                                                          \
        }                                                                            \
    }

/* Numbers of columns whose sums fit in registers. */
#define SIZES(X, ...) X(1, __VA_ARGS__) X(2, __VA_ARGS__) X(4, __VA_ARGS__) X(8, __VA_ARGS__)
SIZES(TALL, f32, float, floats)
#if defined(__AVX512F__)
TALL(1, f64, double, doubles)
TALL(2, f64, double, doubles)
TALL(4, f64, double, doubles)
SQUARE(f32, float, floats)
SQUARE(f64, double, doubles)
#else
SIZES(TALL, f64, double, doubles)
#endif

/* With more columns the tiles of gemm.c are faster: packed rows are read more often. */
#if defined(__AVX512F__)
#define MOST   \
    {          \
        16, 32 \
    }
#elif defined(__AVX2__)
#define MOST   \
    {          \
        12, 16 \
    }
#else
#define MOST \
    {        \
        4, 4 \
    }
#endif
#define FN(cols, name) name##_##cols,
#define COLS(cols, name) cols,
const tsr_tall ISA(tsr_talls) = {
#if defined(__AVX512F__)
    .fn = {{SIZES(FN, f32) f32_square}, {f64_1, f64_2, f64_4, f64_square}},
    .cols = {{SIZES(COLS, ) 16}, {SIZES(COLS, )}},
#else
    .fn = {{SIZES(FN, f32)}, {SIZES(FN, f64)}},
    .cols = {{SIZES(COLS, )}, {SIZES(COLS, )}},
#endif
    .lanes = {F32S, F64S},
    .most = MOST,
};
