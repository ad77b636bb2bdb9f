/* linalg.h - factorizations and triangular systems, in blocks: what is outside of small blocks and narrow panels is matrix products (gemm.h).
 *
 * Matrices have any two strides, of which one is 1: a transposed one is the same with its strides swapped. Numbers are f32, f64, c64, c128, computed in
 * their own type. Each function runs on the pool, or on the thread that it is called on inside a body. How work is cut depends on sizes alone. Reflectors,
 * pivots, signs and packing are as LAPACK's documentation has them (eval/math/linalg.h). */
#ifndef TSR_EXEC_KERNEL_LINALG_H
#define TSR_EXEC_KERNEL_LINALG_H

#include "exec/kernel/gemm.h"

typedef struct {
    char *at;
    int64_t rs, cs; /* in elements: from row to row, from column to column */
    bool conj;      /* its conjugate is meant; of what is read only */
} tsr_matrix;

typedef struct {
    tsr_dtype type;
    char *scratch; /* tsr_factor_scratch bytes */
    bool starved;  /* there was no memory for a product: results mean nothing */
} tsr_factor;

/* For matrices of up to so many rows and columns; of tsr_factor_potrf and tsr_factor_solve none is needed. */
int64_t tsr_factor_scratch(tsr_dtype type, int64_t m, int64_t n);

/* a = l l^H in the lower triangle; the other one is destroyed. 0, or the order of the first minor that is not positive: then all of a is. */
int64_t tsr_factor_potrf(tsr_factor *f, tsr_matrix a, int64_t n);
/* b (n x cols) becomes the solution of a x = b. upper: the triangle of a that is read; unit: its diagonal is one. */
void tsr_factor_solve(tsr_factor *f, tsr_matrix a, bool upper, bool unit, int64_t n, tsr_matrix b,
                      int64_t cols);
/* p a = l u, in place, by rows (cs 1); pivots from 1. 0, or the number of the first pivot that is zero. */
int64_t tsr_factor_getrf(tsr_factor *f, tsr_matrix a, int64_t m, int64_t n, int32_t *pivots);
/* a = q r, in place, by rows: r above, reflectors below; tau: min(m, n). */
void tsr_factor_geqrf(tsr_factor *f, tsr_matrix a, int64_t m, int64_t n, void *tau);
/* c (order x cols) becomes q c, or q^H c. q: the product of k reflectors, which v (order x k, by rows or columns) has below its diagonal. right: c is a matrix whose
 * transpose becomes that of c q, or c q^H. */
void tsr_factor_ormqr(tsr_factor *f, bool right, bool adjoint, tsr_matrix v, int64_t order,
                      int64_t k, const void *tau, tsr_matrix c, int64_t cols);
/* The first n columns of q, in out (m x n, by rows or columns). */
void tsr_factor_orgqr(tsr_factor *f, tsr_matrix v, int64_t m, int64_t n, int64_t k, const void *tau,
                      tsr_matrix out);

/* ---- Real numbers only (spectrum.c) ---- */

/* Bytes of f->scratch; nvector: vectors as long as the matrix, min(m, n) at least. */
int64_t tsr_spectrum_scratch(tsr_dtype type, int64_t m, int64_t n, int64_t nvector);
/* Eigenvalues, ascending, and eigenvectors as columns of z (n x n, by rows; NULL: none are wanted) of a symmetric matrix, of which one triangle is read. 0, or how many did
 * not converge; 1 where a number is not finite. */
int64_t tsr_factor_eigen(tsr_factor *f, const void *a, int64_t n, bool lower, double *w, void *z);
/* a (m x n) = u s vt with s descending; u: m x nu, vt: nv x n, all by rows, filled up to nu and nv orthonormal vectors (u NULL: none are wanted). 0, or 1: no convergence; -4: a number
 * is not finite. */
int64_t tsr_factor_svd(tsr_factor *f, const void *a, int64_t m, int64_t n, double *s, void *u,
                       int64_t nu, void *vt, int64_t nv);

#endif
