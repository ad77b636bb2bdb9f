/* SPDX-License-Identifier: Apache-2.0 */
/* few.h - columns of rows of a few elements of four bytes, in vectors: rows are permuted in registers. */
#ifndef TSR_EXEC_KERNEL_ISA_FEW_H
#define TSR_EXEC_KERNEL_ISA_FEW_H

#include "exec/kernel/isa/isa.h"

/* Elements of a row, at most; lanes: rows that are permuted at a time, 0 if the class does not. */
enum { TSR_FEW = 8 };

#if defined(__AVX512F__) || defined(__AVX2__)
#include <immintrin.h>

#define FEW_INLINE static inline __attribute__((always_inline))
#define AT_EIGHT(f, n, k, first)                                                \
    f(first, n, k), f(first + 1, n, k), f(first + 2, n, k), f(first + 3, n, k), \
        f(first + 4, n, k), f(first + 5, n, k), f(first + 6, n, k), f(first + 7, n, k)
/* Element k of row l of n elements, within its vector; the row that element l of vector k belongs to. */
#define FEW_PLACE(l, n, k) ((l) * (n) + (k)) % FEW_LANES
#define FEW_ROW(l, n, k) ((k)*FEW_LANES + (l)) / (n)
/* All bits, if element k of row l is in vector m. */
#define FEW_HAS(l, n, k, m) (((l) * (n) + (k)) / FEW_LANES == (m))

#if defined(__AVX512F__)
enum { FEW_LANES = 16 };
typedef __m512i few_vector;
typedef int few_words __attribute__((vector_size(64)));
#define FEW_LOAD(at) _mm512_loadu_si512(at)
#define FEW_STORE(at, v) _mm512_storeu_si512(at, v)
#define FEW_INDEX(f, n, k) ((few_vector)(few_words){AT_EIGHT(f, n, k, 0), AT_EIGHT(f, n, k, 8)})
#define FEW_PERMUTE(v, at) _mm512_permutexvar_epi32(at, v)
FEW_INLINE few_vector few_join(few_vector r, few_vector v, few_vector at, int n, int k, int m)
{
    unsigned mask = 0;
    UNROLL
    for (int l = 0; l < FEW_LANES; l++)
        mask |= (unsigned)FEW_HAS(l, n, k, m) << l;
    return _mm512_mask_permutexvar_epi32(r, (__mmask16)mask, at, v);
}
#else
enum { FEW_LANES = 8 };
typedef __m256i few_vector;
typedef int few_words __attribute__((vector_size(32)));
#define FEW_LOAD(at) _mm256_loadu_si256((const __m256i *)(at))
#define FEW_STORE(at, v) _mm256_storeu_si256((__m256i *)(at), v)
#define FEW_INDEX(f, n, k) ((few_vector)(few_words){AT_EIGHT(f, n, k, 0)})
#define FEW_PERMUTE(v, at) _mm256_permutevar8x32_epi32(v, at)
#define FEW_BITS(l, n, k) -FEW_HAS(l, n, k, m)
FEW_INLINE few_vector few_join(few_vector r, few_vector v, few_vector at, int n, int k, int m)
{
    const few_vector mask = FEW_INDEX(FEW_BITS, n, k);
    return _mm256_blendv_epi8(r, FEW_PERMUTE(v, at), mask);
}
#undef FEW_BITS
#endif

/* Column k of FEW_LANES rows of n elements, which are in n vectors. n and k are constants. */
FEW_INLINE few_vector few_column(const few_vector *v, int n, int k)
{
    const few_vector at = FEW_INDEX(FEW_PLACE, n, k);
    few_vector r = FEW_PERMUTE(v[0], at);
    UNROLL
    for (int m = 1; m < n; m++)
        r = few_join(r, v[m], at, n, k, m);
    return r;
}
#else
enum { FEW_LANES = 0 };
#endif

#endif
