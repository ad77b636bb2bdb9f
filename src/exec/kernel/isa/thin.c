/* thin.c - inner loops of products with few rows: B is read once, in order, and sums stay in the nearest cache. */
#include "exec/kernel/isa/isa.h"
#include "exec/kernel/isa/math_f32.h"
#include "exec/kernel/isa/math_f64.h"

enum { PIECE = 64 }; /* columns that stay in registers for some rows of B */

/* The rows of B that come next are asked for while these are multiplied: the machine's own guess ends with each. */
static inline void ask_for(const char *b, int64_t line, int64_t bytes)
{
    for (int k = 0; k < 8; k++)
        for (int64_t i = 0; i < bytes; i += 64)
            __builtin_prefetch(b + k * line + i);
}

/* c[r][j] += sum over k of a[r][k] * b[k][j], in the order of k. */
#define ROWS(name, T, FMA)                                                                      \
    static inline void eight_##name(const T *a, const T *b, int64_t ldb, T *c)                  \
    {                                                                                           \
        INDEPENDENT                                                                             \
        for (int64_t j = 0; j < PIECE; j++) {                                                   \
            T x = c[j];                                                                         \
            for (int k = 0; k < 8; k++)                                                         \
                x = FMA(a[k], b[k * ldb + j], x);                                               \
            c[j] = x;                                                                           \
        }                                                                                       \
    }                                                                                           \
                                                                                                \
    static void rows_##name(const void *a_, int64_t lda, const void *b_, int64_t ldb, void *c_, \
                            int64_t ldc, int64_t rows, int64_t cols, int64_t depth)             \
    {                                                                                           \
        int64_t k = 0;                                                                          \
        for (; k + 8 <= depth; k += 8) {                                                        \
            const T *b = (const T *)b_ + k * ldb;                                               \
            int64_t j0 = 0;                                                                     \
            for (; j0 + PIECE <= cols; j0 += PIECE) {                                           \
                if (k + 16 <= depth)                                                            \
                    ask_for((const char *)(b + 8 * ldb + j0), ldb *(int64_t)sizeof(T),          \
                            PIECE * sizeof(T));                                                 \
                for (int64_t r = 0; r < rows; r++)                                              \
                    eight_##name((const T *)a_ + r * lda + k, b + j0, ldb,                      \
                                 (T *)c_ + r * ldc + j0);                                       \
            }                                                                                   \
            for (int64_t r = 0; r < rows; r++) {                                                \
                const T *a = (const T *)a_ + r * lda + k;                                       \
                T *c = (T *)c_ + r * ldc;                                                       \
                INDEPENDENT                                                                     \
                for (int64_t j = j0; j < cols; j++) {                                           \
                    T x = c[j];                                                                 \
                    x = FMA(a[0], b[j], x);                                                     \
                    x = FMA(a[1], b[ldb + j], x);                                               \
                    x = FMA(a[2], b[2 * ldb + j], x);                                           \
                    x = FMA(a[3], b[3 * ldb + j], x);                                           \
                    x = FMA(a[4], b[4 * ldb + j], x);                                           \
                    x = FMA(a[5], b[5 * ldb + j], x);                                           \
                    x = FMA(a[6], b[6 * ldb + j], x);                                           \
                    c[j] = FMA(a[7], b[7 * ldb + j], x);                                        \
                }                                                                               \
            }                                                                                   \
        }                                                                                       \
        for (; k < depth; k++)                                                                  \
            for (int64_t r = 0; r < rows; r++) {                                                \
                const T a = ((const T *)a_)[r * lda + k], *b = (const T *)b_ + k * ldb;         \
                T *c = (T *)c_ + r * ldc;                                                       \
                INDEPENDENT                                                                     \
                for (int64_t j = 0; j < cols; j++)                                              \
                    c[j] = FMA(a, b[j], c[j]);                                                  \
            }                                                                                   \
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
