/* SPDX-License-Identifier: Apache-2.0 */
/* thin.c - inner loops of products with few rows: B is read once, in order, and sums stay in registers or in the
 * first-level cache. */
#include "exec/kernel/isa/fused.h"
#include "exec/kernel/isa/math_f32.h"
#include "exec/kernel/isa/math_f64.h"

/* Sums of some rows and columns stay in registers. SIZES: rows of a tile, the largest first; its columns are those of
 * gemm.c. */
#if defined(__AVX512F__)
#define SIZES(X, ...) X(8, __VA_ARGS__) X(4, __VA_ARGS__) X(2, __VA_ARGS__)
#elif defined(__AVX2__)
#define SIZES(X, ...) X(6, __VA_ARGS__) X(4, __VA_ARGS__) X(2, __VA_ARGS__)
#elif defined(__aarch64__)
#define SIZES(X, ...) X(8, __VA_ARGS__) X(4, __VA_ARGS__) X(2, __VA_ARGS__)
#else
#define SIZES(X, ...) X(4, __VA_ARGS__) X(2, __VA_ARGS__)
#endif
enum {
    VECTORS = 2,     /* in a row of a tile */
    AHEAD = 4,       /* distance of prefetches, in tiles of columns, */
    ROWS_AHEAD = 16, /* or in rows, if they are far apart: in bytes */
    FAR = 4096,
    PIECE = 64, /* rows and columns of B that stay in the cache while rows of A pass by */
    COLS = 64,
};

/* Machines with wide vectors prefetch the next lines of a row themselves, and explicit prefetches cost a third of the
 * time; but they do not follow rows that are pages apart. */
#if defined(__AVX512F__)
#define ASK(b, ldb, N, T)                       \
    if ((ldb) * (int64_t)sizeof(T) > FAR)       \
        for (int v = 0; v < (N)*BYTES; v += 64) \
            __builtin_prefetch((const char *)((b) + ROWS_AHEAD * (ldb)) + v);
#else
#define ASK(b, ldb, N, T)                   \
    for (int v = 0; v < (N)*BYTES; v += 64) \
        __builtin_prefetch((const char *)((b) + AHEAD * (N)*BYTES / sizeof(T)) + v);
#endif

/* c[r][j] += sum over k of a[r][k] * b[k][j], in the order of k, for as many columns as fit in registers, or half as many:
 * N vectors. */
#define TILE(rows, name, T, fn, N)                                                            \
    static void fn##_##name##_##rows(const T *a, int64_t lda, const T *b, int64_t ldb, T *c,  \
                                     int64_t ldc, int64_t depth)                              \
    {                                                                                         \
        typedef T vector VECTOR(T);                                                           \
        enum { WIDTH = BYTES / sizeof(T) };                                                   \
        vector acc[rows][N];                                                                  \
        UNROLL                                                                                \
        for (int r = 0; r < (rows); r++)                                                      \
            UNROLL                                                                            \
        for (int v = 0; v < N; v++)                                                           \
            acc[r][v] = *(const vector *)(c + r * ldc + v * WIDTH);                           \
        for (int64_t k = 0; k < depth; k++, b += ldb) {                                       \
            vector row[N];                                                                    \
            ASK(b, ldb, N, T)                                                                 \
            UNROLL                                                                            \
            for (int v = 0; v < N; v++)                                                       \
                row[v] = *(const vector *)(b + v * WIDTH);                                    \
            UNROLL                                                                            \
            for (int r = 0; r < (rows); r++)                                                  \
                UNROLL                                                                        \
            for (int v = 0; v < N; v++)                                                       \
                acc[r][v] = FUSED_##name(EACH_OF(vector, a[r * lda + k]), row[v], acc[r][v]); \
        }                                                                                     \
        UNROLL                                                                                \
        for (int r = 0; r < (rows); r++)                                                      \
            UNROLL                                                                            \
        for (int v = 0; v < N; v++)                                                           \
            *(vector *)(c + r * ldc + v * WIDTH) = acc[r][v];                                 \
    }

/* All tiles of these rows with whole vectors; returns the number of columns done. */
#define TILES(rows, name, T)                                                                     \
    TILE(rows, name, T, tile, VECTORS)                                                           \
    TILE(rows, name, T, narrow, VECTORS / 2)                                                     \
    static int64_t tiles_##name##_##rows(const T *a, int64_t lda, const T *b, int64_t ldb, T *c, \
                                         int64_t ldc, int64_t cols, int64_t depth)               \
    {                                                                                            \
        const int64_t width = VECTORS * BYTES / (int64_t)sizeof(T);                              \
        int64_t j = 0;                                                                           \
        for (; j + width <= cols; j += width)                                                    \
            tile_##name##_##rows(a, lda, b + j, ldb, c + j, ldc, depth);                         \
        if (j + width / 2 <= cols) {                                                             \
            narrow_##name##_##rows(a, lda, b + j, ldb, c + j, ldc, depth);                       \
            j += width / 2;                                                                      \
        }                                                                                        \
        return j;                                                                                \
    }

/* One row, in the memory order of B: eight rows of B at a time. */
#define ONE_ROW(name, T, FMA)                                                                      \
    static void row_##name(const T *a, const T *b, int64_t ldb, T *c, int64_t cols, int64_t depth) \
    {                                                                                              \
        int64_t k = 0;                                                                             \
        for (; k + 8 <= depth; k += 8, a += 8, b += 8 * ldb) {                                     \
            INDEPENDENT                                                                            \
            for (int64_t j = 0; j < cols; j++) {                                                   \
                T x = c[j];                                                                        \
                x = FMA(a[0], b[j], x);                                                            \
                x = FMA(a[1], b[ldb + j], x);                                                      \
                x = FMA(a[2], b[2 * ldb + j], x);                                                  \
                x = FMA(a[3], b[3 * ldb + j], x);                                                  \
                x = FMA(a[4], b[4 * ldb + j], x);                                                  \
                x = FMA(a[5], b[5 * ldb + j], x);                                                  \
                x = FMA(a[6], b[6 * ldb + j], x);                                                  \
                c[j] = FMA(a[7], b[7 * ldb + j], x);                                               \
            }                                                                                      \
        }                                                                                          \
        for (; k < depth; k++, a++, b += ldb)                                                      \
            INDEPENDENT                                                                            \
        for (int64_t j = 0; j < cols; j++)                                                         \
            c[j] = FMA(a[0], b[j], c[j]);                                                          \
    }

/* Up to four rows, in the memory order of B: four of its rows at a time, from which the hardware prefetches. Sums are in
 * the nearest cache. */
enum { LINES = 4 };
#define LINES_OF(rows, name, T)                                                                  \
    static int64_t lines_##name##_##rows(const T *a, int64_t lda, const T *b, int64_t ldb, T *c, \
                                         int64_t ldc, int64_t cols)                              \
    {                                                                                            \
        typedef T vector VECTOR(T);                                                              \
        enum { WIDTH = BYTES / sizeof(T) };                                                      \
        int64_t j = 0;                                                                           \
        for (; j + WIDTH <= cols; j += WIDTH) {                                                  \
            vector row[LINES];                                                                   \
            UNROLL                                                                               \
            for (int k = 0; k < LINES; k++)                                                      \
                row[k] = *(const vector *)(b + k * ldb + j);                                     \
            UNROLL                                                                               \
            for (int r = 0; r < (rows); r++) {                                                   \
                vector x = *(vector *)(c + r * ldc + j);                                         \
                UNROLL                                                                           \
                for (int k = 0; k < LINES; k++)                                                  \
                    x = FUSED_##name(EACH_OF(vector, a[r * lda + k]), row[k], x);                \
                *(vector *)(c + r * ldc + j) = x;                                                \
            }                                                                                    \
        }                                                                                        \
        return j;                                                                                \
    }

/* A tile with as many of the remaining rows as possible. */
#define TILES_OF(rows, name, T)                                            \
    if (left >= (rows)) {                                                  \
        some = rows;                                                       \
        done = tiles_##name##_##rows(a, lda, b, ldb, c, ldc, cols, depth); \
    } else

/* Remaining rows and columns are done one by one. */
#define ROWS(name, T, FMA)                                                                        \
    SIZES(TILES, name, T)                                                                         \
    ONE_ROW(name, T, FMA)                                                                         \
    static void block_##name(const T *a, int64_t lda, const T *b, int64_t ldb, T *c, int64_t ldc, \
                             int64_t rows, int64_t cols, int64_t depth)                           \
    {                                                                                             \
        for (int64_t left = rows, some; left; left -= some, a += some * lda, c += some * ldc) {   \
            int64_t done = 0;                                                                     \
            SIZES(TILES_OF, name, T)                                                              \
            some = 1;                                                                             \
            for (int64_t i = 0; i < some && done < cols; i++)                                     \
                row_##name(a + i * lda, b + done, ldb, c + i * ldc + done, cols - done, depth);   \
        }                                                                                         \
    }                                                                                             \
    LINES_OF(4, name, T)                                                                          \
    LINES_OF(2, name, T)                                                                          \
    static void in_order_##name(const void *a_, int64_t lda, const void *b_, int64_t ldb,         \
                                void *c_, int64_t ldc, int64_t rows, int64_t cols, int64_t depth) \
    {                                                                                             \
        const T *a = a_, *b = b_;                                                                 \
        for (int64_t k = 0, some; k < depth; k += some, a += some, b += some * ldb) {             \
            some = depth - k < LINES ? depth - k : LINES;                                         \
            for (int64_t r = 0, n, done; r < rows; r += n) {                                      \
                T *c = (T *)c_ + r * ldc;                                                         \
                n = some < LINES || rows - r < 2 ? 1 : rows - r < 4 ? 2 : 4;                      \
                done = n == 4   ? lines_##name##_4(a + r * lda, lda, b, ldb, c, ldc, cols)        \
                       : n == 2 ? lines_##name##_2(a + r * lda, lda, b, ldb, c, ldc, cols)        \
                                : 0;                                                              \
                for (int64_t i = 0; i < n && done < cols; i++)                                    \
                    row_##name(a + (r + i) * lda, b + done, ldb, c + i * ldc + done, cols - done, \
                               some);                                                             \
            }                                                                                     \
        }                                                                                         \
    }                                                                                             \
    static void rows_##name(const void *a_, int64_t lda, const void *b_, int64_t ldb, void *c_,   \
                            int64_t ldc, int64_t rows, int64_t cols, int64_t depth)               \
    {                                                                                             \
        const T *a = a_, *b = b_;                                                                 \
        bool whole = rows == 1 || ldb <= COLS;                                                    \
        int64_t piece = whole ? depth : PIECE, width = whole ? cols : COLS;                       \
        for (int64_t k = 0; k < depth; k += piece)                                                \
            for (int64_t j = 0; j < cols; j += width)                                             \
                block_##name(a + k, lda, b + k * ldb + j, ldb, (T *)c_ + j, ldc, rows,            \
                             cols - j < width ? cols - j : width,                                 \
                             depth - k < piece ? depth - k : piece);                              \
    }

/* The same if B is contiguous along the depth: element k goes into lane k mod 64, as in folds. */
#define DOTS(name, T, FMA)                                                                      \
    static void dots_##name(const void *a_, int64_t lda, const void *b_, int64_t ldb, void *c_, \
                            int64_t ldc, int64_t rows, int64_t cols, int64_t depth)             \
    {                                                                                           \
        for (int64_t j = 0; j < cols; j++)                                                      \
            for (int64_t r = 0; r < rows; r++) {                                                \
                const T *a = (const T *)a_ + r * lda, *b = (const T *)b_ + j * ldb;             \
                T acc[TSR_FOLD_LANES] = {0};                                                    \
                int64_t k = 0;                                                                  \
                for (; k + TSR_FOLD_LANES <= depth; k += TSR_FOLD_LANES)                        \
                    for (int i = 0; i < TSR_FOLD_LANES; i++)                                    \
                        acc[i] = FMA(a[k + i], b[k + i], acc[i]);                               \
                for (int i = 0; k < depth; i++, k++)                                            \
                    acc[i] = FMA(a[k], b[k], acc[i]);                                           \
                for (int half = TSR_FOLD_LANES / 2; half; half /= 2)                            \
                    for (int i = 0; i < half; i++)                                              \
                        acc[i] += acc[i + half];                                                \
                ((T *)c_)[r * ldc + j] += acc[0];                                               \
            }                                                                                   \
    }

ROWS(f32, float, F32_fma)
ROWS(f64, double, F64_fma)
DOTS(f32, float, F32_fma)
DOTS(f64, double, F64_fma)

const tsr_thin ISA(tsr_thins) = {
    {rows_f32, rows_f64}, {dots_f32, dots_f64}, {in_order_f32, in_order_f64}};
