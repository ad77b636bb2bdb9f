/* SPDX-License-Identifier: Apache-2.0 */
/* tiny.c - products of matrices that fit in registers: lanes are columns of B, a few rows of A at a time. Sums are added
 * in the same order as in gemm.c, and have the same bits. */
#include "exec/kernel/isa/fused.h"

#if defined(__AVX2__)
#include <immintrin.h>
#endif

enum { LANES = BYTES / sizeof(float), MOST = TSR_TINY };
#define INLINE static inline __attribute__((always_inline))

/* The first n lanes at an address: others are neither read, and 0, nor written. */
#if defined(__AVX512F__)
typedef __mmask16 lanes;
INLINE lanes first_lanes(int64_t n)
{
    return (lanes)(n < LANES ? (1u << n) - 1 : 0xffff);
}
INLINE floats load_part(const float *at, lanes some)
{
    return (floats)_mm512_maskz_loadu_ps(some, at);
}
INLINE void store_part(float *at, lanes some, floats v)
{
    _mm512_mask_storeu_ps(at, some, (__m512)v);
}
#elif defined(__AVX2__)
typedef __m256i lanes;
INLINE lanes first_lanes(int64_t n)
{
    return _mm256_cmpgt_epi32(_mm256_set1_epi32((int)n), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
}
INLINE floats load_part(const float *at, lanes some)
{
    return (floats)_mm256_maskload_ps(at, some);
}
INLINE void store_part(float *at, lanes some, floats v)
{
    _mm256_maskstore_ps(at, some, (__m256)v);
}
#else
typedef int64_t lanes;
INLINE lanes first_lanes(int64_t n)
{
    return n < LANES ? n : LANES;
}
INLINE floats load_part(const float *at, lanes some)
{
    floats v = {0};
    memcpy(&v, at, (size_t)some * sizeof *at);
    return v;
}
INLINE void store_part(float *at, lanes some, floats v)
{
    memcpy(at, &v, (size_t)some * sizeof *at);
}
#endif

/* Rows of C from `row` on, columns that b, ldb from step to step, has at some lanes. */
INLINE void run_rows(const tsr_tiny *t, const float *b, int64_t ldb, float *c, lanes some,
                     int64_t row, const int rows)
{
    floats acc[8] = {0};
    const float *a = t->a + row * t->a_m;
    for (int64_t k = 0; k < t->k; k++) {
        floats v = load_part(b + k * ldb, some);
        UNROLL
        for (int r = 0; r < rows; r++)
            acc[r] = FUSED_f32(EACH_OF(floats, a[r * t->a_m + k * t->a_k]), v, acc[r]);
    }
    UNROLL
    for (int r = 0; r < rows; r++)
        store_part(c + (row + r) * t->c_m, some, acc[r]);
}

void ISA(tsr_tiny_product)(const tsr_tiny *t)
{
    float own[MOST * MOST];
    const float *b = t->b;
    int64_t ldb = t->b_k;
    if (t->b_n != 1) {
        b = own;
        ldb = t->n;
        for (int64_t k = 0; k < t->k; k++)
            for (int64_t i = 0; i < t->n; i++)
                own[k * ldb + i] = t->b[k * t->b_k + i * t->b_n];
    }
    for (int64_t col = 0; col < t->n; col += LANES) {
        lanes some = first_lanes(t->n - col);
        int64_t row = 0;
        for (; row + 8 <= t->m; row += 8)
            run_rows(t, b + col, ldb, t->c + col, some, row, 8);
        for (; row + 4 <= t->m; row += 4)
            run_rows(t, b + col, ldb, t->c + col, some, row, 4);
        for (; row < t->m; row++)
            run_rows(t, b + col, ldb, t->c + col, some, row, 1);
    }
}
