/* SPDX-License-Identifier: Apache-2.0 */
/* few.c - rows of a few elements: each element of an array several times, or one element of each row. */
#include "exec/kernel/isa/few.h"
#include "exec/kernel/isa/fused.h"

/* ---- Elements of four bytes ---- */

#if defined(__AVX2__)

FEW_INLINE void spread_some(uint32_t *to, const uint32_t *from, int64_t rows, const int n)
{
    few_vector at[TSR_FEW];
    UNROLL
    for (int k = 0; k < n; k++)
        at[k] = FEW_INDEX(FEW_ROW, n, k);
    int64_t i = 0;
    for (; i + FEW_LANES <= rows; i += FEW_LANES) {
        few_vector v = FEW_LOAD(from + i);
        UNROLL
        for (int k = 0; k < n; k++)
            FEW_STORE(to + i * n + k * FEW_LANES, FEW_PERMUTE(v, at[k]));
    }
    for (; i < rows; i++)
        for (int k = 0; k < n; k++)
            to[i * n + k] = from[i];
}

/* Longer rows end in the next one, which overwrites that; the last ones, whose vectors would end outside, do not. */
static void spread_long(uint32_t *to, const uint32_t *from, int64_t rows, int64_t n)
{
    int64_t wide = (n + FEW_LANES - 1) / FEW_LANES * FEW_LANES, i = 0;
    for (; i * n + wide <= rows * n; i++)
        for (int64_t k = 0; k < n; k += FEW_LANES)
#if defined(__AVX512F__)
            FEW_STORE(to + i * n + k, _mm512_set1_epi32((int)from[i]));
#else
            FEW_STORE(to + i * n + k, _mm256_set1_epi32((int)from[i]));
#endif
    for (; i < rows; i++)
        for (int64_t k = 0; k < n; k++)
            to[i * n + k] = from[i];
}

void ISA(tsr_words_spread)(uint32_t *to, const uint32_t *from, int64_t rows, int64_t n)
{
    switch (n) {
    case 2: spread_some(to, from, rows, 2); return;
    case 3: spread_some(to, from, rows, 3); return;
    case 4: spread_some(to, from, rows, 4); return;
    case 5: spread_some(to, from, rows, 5); return;
    case 6: spread_some(to, from, rows, 6); return;
    case 7: spread_some(to, from, rows, 7); return;
    case 8: spread_some(to, from, rows, 8); return;
    default: spread_long(to, from, rows, n);
    }
}

/* Vectors end where the last element that is read does, or before. */
FEW_INLINE void firsts_of(uint32_t *to, const uint32_t *from, int64_t rows, const int n)
{
    int64_t i = 0;
    for (; i + FEW_LANES < rows; i += FEW_LANES) {
        few_vector v[TSR_FEW];
        UNROLL
        for (int k = 0; k < n; k++)
            v[k] = FEW_LOAD(from + i * n + k * FEW_LANES);
        FEW_STORE(to + i, few_column(v, n, 0));
    }
    for (; i < rows; i++)
        to[i] = from[i * n];
}

bool ISA(tsr_words_take)(uint32_t *to, const uint32_t *from, int64_t rows, int64_t stride)
{
    switch (stride) {
    case 3: firsts_of(to, from, rows, 3); return true;
    case 4: firsts_of(to, from, rows, 4); return true;
    case 5: firsts_of(to, from, rows, 5); return true;
    case 6: firsts_of(to, from, rows, 6); return true;
    case 7: firsts_of(to, from, rows, 7); return true;
    case 8: firsts_of(to, from, rows, 8); return true;
    default: return false;
    }
}

#else

void ISA(tsr_words_spread)(uint32_t *to, const uint32_t *from, int64_t rows, int64_t n)
{
    for (int64_t i = 0; i < rows; i++)
        for (int64_t k = 0; k < n; k++)
            to[i * n + k] = from[i];
}

bool ISA(tsr_words_take)(uint32_t *to, const uint32_t *from, int64_t rows, int64_t stride)
{
    (void)to, (void)from, (void)rows, (void)stride;
    return false;
}

#endif

/* ---- Folds of rows ---- */

#if defined(__AVX2__)

#define SUM(x, y) ((x) + (y))
#define PRODUCT(x, y) ((x) * (y))
/* Rows are lanes: columns are joined as the lanes of one row would be, each first with the neutral element. Missing rows
 * are zeros. */
#define FOLD(name, JOIN, start)                                                         \
    FEW_INLINE void name##_lanes(float *out, const float *in, const int n)              \
    {                                                                                   \
        few_vector v[TSR_FEW];                                                          \
        floats t[TSR_FEW];                                                              \
        UNROLL                                                                          \
        for (int k = 0; k < n; k++)                                                     \
            v[k] = FEW_LOAD(in + k * FEW_LANES);                                        \
        UNROLL                                                                          \
        for (int k = 0; k < n; k++)                                                     \
            t[k] = JOIN((floats){0} + (start), (floats)few_column(v, n, k));            \
        UNROLL                                                                          \
        for (int half = TSR_FEW / 2; half; half /= 2)                                   \
            UNROLL                                                                      \
        for (int k = 0; k < half; k++)                                                  \
            if (k + half < n)                                                           \
                t[k] = JOIN(t[k], t[k + half]);                                         \
        *(floats *)out = t[0];                                                          \
    }                                                                                   \
    FEW_INLINE void name##_rows(float *out, const float *in, int64_t rows, const int n) \
    {                                                                                   \
        float some[TSR_FEW * FEW_LANES] = {0}, results[FEW_LANES];                      \
        int64_t i = 0;                                                                  \
        for (; i + FEW_LANES <= rows; i += FEW_LANES)                                   \
            name##_lanes(out + i, in + i * n, n);                                       \
        if (i == rows)                                                                  \
            return;                                                                     \
        memcpy(some, in + i * n, (size_t)((rows - i) * n) * sizeof *in);                \
        name##_lanes(results, some, n);                                                 \
        memcpy(out + i, results, (size_t)(rows - i) * sizeof *out);                     \
    }
FOLD(sum, SUM, 0)
FOLD(product, PRODUCT, 1)

#define FOLD_OF(n)                          \
    case n:                                 \
        if (op == TSR_FOLD_SUM)             \
            sum_rows(out, in, rows, n);     \
        else                                \
            product_rows(out, in, rows, n); \
        return true

bool ISA(tsr_few_fold)(tsr_fold_op op, float *out, const float *in, int64_t rows, int64_t n)
{
    if (op != TSR_FOLD_SUM && op != TSR_FOLD_PRODUCT)
        return false;
    switch (n) {
        FOLD_OF(2);
        FOLD_OF(3);
        FOLD_OF(5);
        FOLD_OF(6);
        FOLD_OF(7);
    default: return false;
    }
}

#else

bool ISA(tsr_few_fold)(tsr_fold_op op, float *out, const float *in, int64_t rows, int64_t n)
{
    (void)op, (void)out, (void)in, (void)rows, (void)n;
    return false;
}

#endif

/* ---- Sums of columns ---- */

/* Each sum stays in a register, and has its rows in order. */
#define ADD_COLUMNS(n)                     \
    case n: {                              \
        float all[n];                      \
        memcpy(all, sums, sizeof all);     \
        for (int64_t i = 0; i < rows; i++) \
            UNROLL                         \
        for (int k = 0; k < n; k++)        \
            all[k] += from[i * n + k];     \
        memcpy(sums, all, sizeof all);     \
        return true;                       \
    }

bool ISA(tsr_columns_add)(float *sums, const float *from, int64_t rows, int64_t n)
{
    switch (n) {
        ADD_COLUMNS(1)
        ADD_COLUMNS(2)
        ADD_COLUMNS(3)
        ADD_COLUMNS(4)
        ADD_COLUMNS(5)
        ADD_COLUMNS(6)
        ADD_COLUMNS(7)
        ADD_COLUMNS(8)
    default: return false;
    }
}
