/* SPDX-License-Identifier: Apache-2.0 */
/* linalg.h - blocked factorizations and triangular solves: all work outside small blocks and narrow panels is matrix
 * products (gemm.h).
 *
 * A matrix has two arbitrary strides, one of which is 1: a transposed matrix is the same one with its strides swapped.
 * Numbers are f32, f64, c64 or c128, computed in their own type. Each function runs on the pool, or on the calling
 * thread if that is inside a pool body. Work is divided by sizes alone. Reflectors, pivots, signs and packing are as in
 * LAPACK's documentation (eval/math/linalg.h). */
#ifndef TSR_EXEC_KERNEL_LINALG_H
#define TSR_EXEC_KERNEL_LINALG_H

#include "exec/kernel/gemm.h"

typedef struct {
    char *at;
    int64_t rs, cs; /* row and column strides, in elements */
    bool conj; /* the matrix is the conjugate of its elements; only for matrices that are read */
} tsr_matrix;

typedef struct {
    tsr_dtype type;
    char *scratch; /* tsr_factor_scratch bytes */
    bool starved;  /* a product was out of memory: results are meaningless */
} tsr_factor;

/* Scratch bytes for matrices of up to m rows and n columns; tsr_factor_potrf and tsr_factor_solve need none. */
int64_t tsr_factor_scratch(tsr_dtype type, int64_t m, int64_t n);

/* a = l l^H in the lower triangle; the upper one is overwritten. Returns 0, or the order of the first minor that is not
 * positive: then all of a is overwritten. */
int64_t tsr_factor_potrf(tsr_factor *f, tsr_matrix a, int64_t n);
/* b (n x cols) is replaced by the solution of a x = b. upper: the triangle of a that is read; unit: its diagonal is
 * one. */
void tsr_factor_solve(tsr_factor *f, tsr_matrix a, bool upper, bool unit, int64_t n, tsr_matrix b,
                      int64_t cols);
/* p a = l u, in place, by rows (cs == 1); pivots count from 1. Returns 0, or the number of the first pivot that is
 * zero. */
int64_t tsr_factor_getrf(tsr_factor *f, tsr_matrix a, int64_t m, int64_t n, int32_t *pivots);
/* a = q r, in place, by rows: r above, reflectors below the diagonal; tau: min(m, n). */
void tsr_factor_geqrf(tsr_factor *f, tsr_matrix a, int64_t m, int64_t n, void *tau);
/* c (order x cols) becomes q c, or q^H c, where q is the product of k reflectors, stored below the diagonal of v (order
 * x k, by rows or columns). right: c is the transpose of x, which becomes x q, or x q^H. */
void tsr_factor_ormqr(tsr_factor *f, bool right, bool adjoint, tsr_matrix v, int64_t order,
                      int64_t k, const void *tau, tsr_matrix c, int64_t cols);
/* Writes the first n columns of q to out (m x n, by rows or columns). */
void tsr_factor_orgqr(tsr_factor *f, tsr_matrix v, int64_t m, int64_t n, int64_t k, const void *tau,
                      tsr_matrix out);

/* ---- Real numbers only (spectrum.c) ---- */

/* Bytes of f->scratch; nvector: the number of vectors as long as the matrix, at least min(m, n). */
int64_t tsr_spectrum_scratch(tsr_dtype type, int64_t m, int64_t n, int64_t nvector);
/* Eigenvalues, ascending, and eigenvectors as columns of z (n x n, by rows; NULL: not computed) of a symmetric matrix,
 * of which one triangle is read. Returns 0, the number of eigenvalues that did not converge, or 1 if a number is not
 * finite. */
int64_t tsr_factor_eigen(tsr_factor *f, const void *a, int64_t n, bool lower, double *w, void *z);
/* a (m x n) = u s vt with s descending; u: m x nu, vt: nv x n, all by rows, completed to nu and nv orthonormal vectors
 * (u NULL: not computed). Returns 0; 1: no convergence; -4: a number is not finite. */
int64_t tsr_factor_svd(tsr_factor *f, const void *a, int64_t m, int64_t n, double *s, void *u,
                       int64_t nu, void *vt, int64_t nv);

#endif
