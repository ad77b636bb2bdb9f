/* SPDX-License-Identifier: Apache-2.0 */
/* direct.c - the inner loop of products in which each column has its own factors: c[r][j] = or += sum over k of a[r *
 * row + a_at[k] + j] * b[b_at[k] + j]. Sums of some rows and columns stay in registers. Products are rounded before
 * they are summed, which gives the evaluator's bits at no cost: the loop is memory-bound. */
#include "exec/kernel/isa/isa.h"

enum { VECTORS = 2 };

#define TILE(rows, name, T)                                                             \
    static void tile_##name##_##rows(const tsr_direct *d, const T *a, const T *b, T *c) \
    {                                                                                   \
        typedef T vector VECTOR(T);                                                     \
        enum { WIDTH = BYTES / sizeof(T) };                                             \
        vector acc[rows][VECTORS] = {0};                                                \
        for (int64_t k = 0; k < d->depth; k++) {                                        \
            const T *x = a + d->a_at[k], *y = b + d->b_at[k];                           \
            vector number[VECTORS];                                                     \
            UNROLL                                                                      \
            for (int v = 0; v < VECTORS; v++)                                           \
                number[v] = *(const vector *)(y + v * WIDTH);                           \
            UNROLL                                                                      \
            for (int r = 0; r < (rows); r++)                                            \
                UNROLL                                                                  \
            for (int v = 0; v < VECTORS; v++)                                           \
                acc[r][v] += *(const vector *)(x + r * d->row + v * WIDTH) * number[v]; \
        }                                                                               \
        UNROLL                                                                          \
        for (int r = 0; r < (rows); r++)                                                \
            UNROLL                                                                      \
        for (int v = 0; v < VECTORS; v++) {                                             \
            vector *to = (vector *)(c + r * d->ldc + v * WIDTH);                        \
            if (d->add)                                                                 \
                acc[r][v] += *to;                                                       \
            *to = acc[r][v];                                                            \
        }                                                                               \
    }

/* Columns that do not fill the registers: one number at a time, in the same order. */
#define DIRECT(name, T)                                                                       \
    TILE(1, name, T)                                                                          \
    TILE(4, name, T)                                                                          \
    static void edge_##name(const tsr_direct *d, const T *a, const T *b, T *c, int64_t n)     \
    {                                                                                         \
        for (int64_t r = 0; r < d->rows; r++, a += d->row, c += d->ldc)                       \
            for (int64_t j = 0; j < n; j++) {                                                 \
                T sum = 0;                                                                    \
                for (int64_t k = 0; k < d->depth; k++)                                        \
                    sum += a[d->a_at[k] + j] * b[d->b_at[k] + j];                             \
                c[j] = d->add ? c[j] + sum : sum;                                             \
            }                                                                                 \
    }                                                                                         \
    static void name(const tsr_direct *d)                                                     \
    {                                                                                         \
        enum { COLS = VECTORS * BYTES / sizeof(T) };                                          \
        int64_t j = 0;                                                                        \
        for (; j + COLS <= d->cols; j += COLS) {                                              \
            const T *a = (const T *)d->a + j, *b = (const T *)d->b + j;                       \
            T *c = (T *)d->c + j;                                                             \
            int64_t r = 0;                                                                    \
            for (; r + 4 <= d->rows; r += 4, a += 4 * d->row, c += 4 * d->ldc)                \
                tile_##name##_4(d, a, b, c);                                                  \
            for (; r < d->rows; r++, a += d->row, c += d->ldc)                                \
                tile_##name##_1(d, a, b, c);                                                  \
        }                                                                                     \
        edge_##name(d, (const T *)d->a + j, (const T *)d->b + j, (T *)d->c + j, d->cols - j); \
    }

DIRECT(f32, float)
DIRECT(f64, double)

tsr_direct_fn *const ISA(tsr_directs)[2] = {f32, f64};
