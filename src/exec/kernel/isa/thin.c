/* thin.c - inner loops of products with few rows: B is read once, in order, and sums stay in registers or in the nearest cache. The
 * makefile lets the compiler fuse products and sums here, as in gemm.c. */
#include "exec/kernel/isa/isa.h"
#include "exec/kernel/isa/math_f32.h"
#include "exec/kernel/isa/math_f64.h"

/* Sums of some rows and columns stay in registers over the whole depth: as many vectors as the machine has registers for. */
#if defined(__AVX512F__)
enum { BYTES = 64 };
#define VECTORS(rows) ((rows) == 8 ? 2 : 4)
#elif defined(__AVX2__)
enum { BYTES = 32 };
#define VECTORS(rows) ((rows) == 8 ? 1 : 2)
#elif defined(__aarch64__)
enum { BYTES = 16 };
#define VECTORS(rows) ((rows) == 8 ? 2 : 4)
#else
enum { BYTES = 16 };
#define VECTORS(rows) ((rows) == 8 ? 1 : 2)
#endif
enum { AHEAD = 12 }; /* rows of B that are asked for before they are read */

/* c[r][j] += sum over k of a[r][k] * b[k][j], in the order of k; of as many columns as fit the registers. */
#define TILE(rows, name, T)                                                                  \
    static void tile_##name##_##rows(const T *a, int64_t lda, const T *b, int64_t ldb, T *c, \
                                     int64_t ldc, int64_t depth)                             \
    {                                                                                        \
        typedef T vector VECTOR(T);                                                          \
        enum { N = VECTORS(rows), WIDTH = BYTES / sizeof(T) };                               \
        vector acc[rows][N];                                                                 \
        UNROLL                                                                               \
        for (int r = 0; r < (rows); r++)                                                     \
            UNROLL                                                                           \
        for (int v = 0; v < N; v++)                                                          \
            acc[r][v] = *(const vector *)(c + r * ldc + v * WIDTH);                          \
        for (int64_t k = 0; k < depth; k++, b += ldb) {                                      \
            vector row[N];                                                                   \
            for (int v = 0; v < N * BYTES; v += 64)                                          \
                __builtin_prefetch((const char *)(b + AHEAD * ldb) + v);                     \
            UNROLL                                                                           \
            for (int v = 0; v < N; v++)                                                      \
                row[v] = *(const vector *)(b + v * WIDTH);                                   \
            UNROLL                                                                           \
            for (int r = 0; r < (rows); r++)                                                 \
                UNROLL                                                                       \
            for (int v = 0; v < N; v++)                                                      \
                acc[r][v] += a[r * lda + k] * row[v];                                        \
        }                                                                                    \
        UNROLL                                                                               \
        for (int r = 0; r < (rows); r++)                                                     \
            UNROLL                                                                           \
        for (int v = 0; v < N; v++)                                                          \
            *(vector *)(c + r * ldc + v * WIDTH) = acc[r][v];                                \
    }

/* All whole tiles of these rows; the columns that are done. */
#define TILES(rows, name, T)                                                                     \
    TILE(rows, name, T)                                                                          \
    static int64_t tiles_##name##_##rows(const T *a, int64_t lda, const T *b, int64_t ldb, T *c, \
                                         int64_t ldc, int64_t cols, int64_t depth)               \
    {                                                                                            \
        const int64_t width = VECTORS(rows) * BYTES / (int64_t)sizeof(T);                        \
        int64_t j = 0;                                                                           \
        for (; j + width <= cols; j += width)                                                    \
            tile_##name##_##rows(a, lda, b + j, ldb, c + j, ldc, depth);                         \
        return j;                                                                                \
    }

/* A row, in the order in which B lies: eight rows of B at a time. */
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

/* Eight rows, four, two at a time; what is left over of them one by one. */
#define ROWS(name, T, FMA)                                                                      \
    TILES(2, name, T)                                                                           \
    TILES(4, name, T)                                                                           \
    TILES(8, name, T)                                                                           \
    ONE_ROW(name, T, FMA)                                                                       \
    static void rows_##name(const void *a_, int64_t lda, const void *b_, int64_t ldb, void *c_, \
                            int64_t ldc, int64_t rows, int64_t cols, int64_t depth)             \
    {                                                                                           \
        const T *b = b_;                                                                        \
        for (int64_t r = 0; r < rows;) {                                                        \
            const T *a = (const T *)a_ + r * lda;                                               \
            T *c = (T *)c_ + r * ldc;                                                           \
            int64_t left = rows - r, some = left >= 8 ? 8 : left >= 4 ? 4 : left >= 2 ? 2 : 1;  \
            int64_t done = some == 8   ? tiles_##name##_8(a, lda, b, ldb, c, ldc, cols, depth)  \
                           : some == 4 ? tiles_##name##_4(a, lda, b, ldb, c, ldc, cols, depth)  \
                           : some == 2 ? tiles_##name##_2(a, lda, b, ldb, c, ldc, cols, depth)  \
                                       : 0;                                                     \
            for (int64_t i = 0; i < some && done < cols; i++)                                   \
                row_##name(a + i * lda, b + done, ldb, c + i * ldc + done, cols - done, depth); \
            r += some;                                                                          \
        }                                                                                       \
    }

/* The same where B lies along the depth: element k goes into lane k mod 64, as in folds. */
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

const tsr_thin ISA(tsr_thins) = {{rows_f32, rows_f64}, {dots_f32, dots_f64}};
