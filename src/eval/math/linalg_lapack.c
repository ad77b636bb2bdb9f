/* SPDX-License-Identifier: Apache-2.0 */
/* linalg_lapack.c - the implementation of LAPACK's custom_call targets: a system library if built with one (TSR_LAPACK:
 * make LAPACK=1), otherwise plain C.
 *
 * The library is called through its Fortran interface: all arguments by address, lengths of strings last. It computes
 * in the type of the operands, plain C in double. */
#include "eval/math/linalg.h"

#ifndef TSR_LAPACK

const tsr_linalg *tsr_lapack_of(tsr_dtype d)
{
    return tsr_linalg_of(d);
}

const char *tsr_lapack_name(void)
{
    return "plain C";
}

#else

#include <limits.h>
#include <stdlib.h>

/* Allocations of one call. */
typedef struct {
    void *blocks[8];
    int n;
    bool failed; /* out of memory, or sizes that the library cannot represent */
} heap;

/* The library's indices, including those into a whole matrix, are 32-bit integers. */
static void heap_fits(heap *h, int64_t m, int64_t n)
{
    if (m <= 0 || n <= 0 || m > INT_MAX / n)
        h->failed = true;
}

static heap heap_for(int64_t m, int64_t n)
{
    heap h = {.n = 0};
    heap_fits(&h, m, n);
    return h;
}

static void *heap_new(heap *h, int64_t count, size_t size)
{
    void *p = h->failed ? NULL : tsr_calloc((size_t)count + 1, size);
    tsr_assert(h->n < (int)TSR_COUNT(h->blocks), "a routine takes more memory than it may");
    h->blocks[h->n++] = p;
    h->failed |= !p;
    return p;
}

static void heap_free(heap *h)
{
    for (int i = 0; i < h->n; i++)
        tsr_free(h->blocks[i]);
}

#define F float
#define R float
#define N double
#define SAME 0
#define IS_COMPLEX 0
#define PLAIN tsr_linalg_real
#define REAL_OF(x) (x)
#define IMAG_OF(x, second) (second)
#define L(x) s##x##_
#define OR(x) sor##x##_
#define SY(x) ssy##x##_
#define S(x) s_##x
#include "eval/math/linalg_lapack.def"

#define F double
#define R double
#define N double
#define SAME 1
#define IS_COMPLEX 0
#define PLAIN tsr_linalg_real
#define REAL_OF(x) (x)
#define IMAG_OF(x, second) (second)
#define L(x) d##x##_
#define OR(x) dor##x##_
#define SY(x) dsy##x##_
#define S(x) d_##x
#include "eval/math/linalg_lapack.def"

#define F float complex
#define R float
#define N tsr_z
#define SAME 0
#define IS_COMPLEX 1
#define PLAIN tsr_linalg_complex
#define REAL_OF(x) crealf(x)
#define IMAG_OF(x, second) cimagf(x)
#define L(x) c##x##_
#define OR(x) cun##x##_
#define SY(x) che##x##_
#define S(x) c_##x
#include "eval/math/linalg_lapack.def"

#define F double complex
#define R double
#define N tsr_z
#define SAME 1
#define IS_COMPLEX 1
#define PLAIN tsr_linalg_complex
#define REAL_OF(x) creal(x)
#define IMAG_OF(x, second) cimag(x)
#define L(x) z##x##_
#define OR(x) zun##x##_
#define SY(x) zhe##x##_
#define S(x) z_##x
#include "eval/math/linalg_lapack.def"

const tsr_linalg *tsr_lapack_of(tsr_dtype d)
{
    switch (d) {
    case TSR_D_F32: return &s_table;
    case TSR_D_F64: return &d_table;
    case TSR_D_C64: return &c_table;
    case TSR_D_C128: return &z_table;
    default: return tsr_linalg_of(d);
    }
}

const char *tsr_lapack_name(void)
{
    return "a LAPACK library";
}

#endif
