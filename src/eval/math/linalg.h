/* SPDX-License-Identifier: Apache-2.0 */
/* linalg.h - dense linear algebra in plain C: the subset of LAPACK that the kernels need.
 *
 * Matrices are stored column by column: element (i, j) of an m x n matrix is a[i + j * m]. Numbers are double or double
 * complex; each has a table of the same functions (linalg.def, included once for each). Reflectors, pivots, signs and
 * packing are as in LAPACK's documentation, so that results can be compared with LAPACK's. The caller provides work
 * memory. */
#ifndef TSR_EVAL_MATH_LINALG_H
#define TSR_EVAL_MATH_LINALG_H

#include <complex.h>

#include "eval/tensor.h"

typedef double complex tsr_z;

/* CMPLX, which not every compiler has. Adding a multiple of I would turn infinities into NaN. */
static inline tsr_z tsr_z_of(double re, double im)
{
    double parts[2] = {re, im};
    tsr_z z;
    memcpy(&z, parts, sizeof z);
    return z;
}

/* How a triangular matrix appears in an equation. */
typedef struct {
    bool left;  /* op(a) x = b; else x op(a) = b */
    bool lower; /* the triangle of a that is read */
    bool unit;  /* its diagonal is one, and not read */
    char trans; /* op: 'N' none, 'T' transpose, 'C' conjugate transpose */
} tsr_triangle;

typedef struct {
    size_t size; /* bytes of a number */
    /* Copies an m x n matrix from or to a tensor, in which it starts at element first. */
    void (*load)(const tsr_tensor *t, int64_t first, int64_t m, int64_t n, void *out);
    void (*store)(tsr_tensor *t, int64_t first, int64_t m, int64_t n, const void *in);
    bool (*finite)(const void *a, int64_t n);

    /* a = l l^H or u^H u, in place, in one triangle. Returns 0, or the order of the first minor that is not
     * positive. */
    int64_t (*potrf)(void *a, int64_t n, bool lower);
    /* b (m x n) is replaced by the solution. */
    void (*trsm)(const tsr_triangle *how, const void *a, void *b, int64_t m, int64_t n);
    /* p a = l u, in place; pivots count from 1. Returns 0, or the number of the first pivot that is zero. */
    int64_t (*getrf)(void *a, int64_t m, int64_t n, int32_t *pivots);
    /* a = q r: r above, reflectors below the diagonal; tau: min(m, n). */
    void (*geqrf)(void *a, int64_t m, int64_t n, void *tau);
    /* The same with the columns of a permuted: those that columns marks come first, then always the longest remaining
     * one. columns receives the origin of each, counted from 1. */
    void (*geqp3)(void *a, int64_t m, int64_t n, int32_t *columns, void *tau);
    /* The first n columns of the product of k reflectors, which they replace. */
    void (*orgqr)(void *a, int64_t m, int64_t n, int64_t k, const void *tau);
    /* c (m x n) becomes q c, c q or, with adjoint, q^H c, c q^H. q: the product of k reflectors, stored in a. */
    void (*ormqr)(bool left, bool adjoint, const void *a, int64_t k, const void *tau, void *c,
                  int64_t m, int64_t n);
    /* b (n x count) is replaced by the solution of a tridiagonal system: below and above the diagonal are n - 1 numbers
     * each, which become the factor u (below: its second superdiagonal). Returns 0, or the number of the first pivot
     * that is zero. If eps is not zero, pivots smaller than eps times u's largest number are raised to that, and there
     * is always a solution. */
    int64_t (*gtsv)(int64_t n, int64_t count, void *below, void *diagonal, void *above, void *b,
                    double eps);
    /* q^H a q is tridiagonal: d (n) and e (n - 1); reflectors are stored in one triangle of a; tau: n - 1; work: n
     * numbers. */
    void (*sytrd)(void *a, int64_t n, bool lower, double *d, double *e, void *tau, void *work);
    /* Eigenvalues, ascending, and eigenvectors of a hermitian matrix, which they replace. work: n * n + 2 n numbers and
     * n doubles. Returns 0, or how many did not converge. */
    int64_t (*syevd)(void *a, int64_t n, bool lower, double *w, void *work);
    /* a = u s vt with s descending; u: m x nu, vt: nv x n, both completed to nu and nv orthonormal vectors. a is
     * overwritten. work: 2 max(m, n)^2 numbers. False: no convergence. */
    bool (*svd)(void *a, int64_t m, int64_t n, double *s, void *u, int64_t nu, void *vt, int64_t nv,
                void *work);
    /* q^H a q is zero below the first subdiagonal: it replaces a, with the reflectors below; tau: n - 1; work: n. */
    void (*gehrd)(void *a, int64_t n, void *tau, void *work);
    /* q^H a q = t, triangular except for 2 x 2 blocks (real numbers: conjugate pairs of eigenvalues). t replaces a.
     * work: 2 n numbers. Returns 0, or how many eigenvalues did not converge. */
    int64_t (*schur)(void *a, void *q, int64_t n, tsr_z *w, void *work);
    /* Eigenvalues and, if left and right are not NULL, n x n eigenvectors (see tsr_eigenvectors). a is overwritten.
     * work: 3 n * n + 3 n complex numbers. Returns 0, or how many eigenvalues did not converge: then there are no
     * vectors. */
    int64_t (*geev)(void *a, int64_t n, tsr_z *w, tsr_z *left, tsr_z *right, void *work);
} tsr_linalg;

extern const tsr_linalg tsr_linalg_real, tsr_linalg_complex; /* plain C */

/* The implementation of LAPACK's custom_call targets: a library if built with one (linalg_lapack.c), otherwise plain
 * C. */
const tsr_linalg *tsr_lapack_of(tsr_dtype d);
const char *tsr_lapack_name(void);

static inline const tsr_linalg *tsr_linalg_of(tsr_dtype d)
{
    return tsr_dtype_is_complex(d) ? &tsr_linalg_complex : &tsr_linalg_real;
}

/* Vectors that are determined up to their sign are normalized: the first element that is not small relative to the
 * largest is positive. Returns whether x, of n numbers (f32 or f64) with a stride of step, has the opposite sign. */
bool tsr_vector_is_flipped(tsr_dtype d, const void *x, int64_t n, int64_t step);

/* Eigenvectors of q t q^H with eigenvalues w: right ones, or left ones (x^H a = w x^H). t may have 2 x 2 blocks where w
 * is a conjugate pair; real: eigenvectors of real eigenvalues are made real. Each has norm one, and its largest element
 * is real if w is not. out: n x n; work: n numbers. */
void tsr_eigenvectors(const tsr_z *t, const tsr_z *q, const tsr_z *w, int64_t n, bool left,
                      bool real, tsr_z *out, tsr_z *work);

#endif
