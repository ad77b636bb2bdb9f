/* SPDX-License-Identifier: Apache-2.0 */
/* matrix.h - matrices, stacked in the dimensions before the last two, for rules of linear algebra (matrix.c). */
#ifndef TSR_PASS_GRAD_MATRIX_H
#define TSR_PASS_GRAD_MATRIX_H

#include "dialect/stablehlo/cases.h"
#include "pass/grad/grad.h"

/* The form in which a triangular matrix appears in an equation. */
typedef struct {
    bool left, lower, unit;
    int64_t transpose;
} tsr_mat_how;

static inline int64_t tsr_mat_rows(const tsr_value *x)
{
    return x->type->dims[x->type->n - 2];
}
static inline int64_t tsr_mat_cols(const tsr_value *x)
{
    return x->type->dims[x->type->n - 1];
}
static inline bool tsr_mat_is_complex(const tsr_value *x)
{
    return tsr_elem(x)->kind == TSR_TYPE_COMPLEX;
}

tsr_value *tsr_mat_product(tsr_build *b, tsr_value *x, tsr_value *y);
tsr_value *tsr_mat_adjoint(tsr_build *b, tsr_value *x);
/* The elements of one triangle, with the diagonal times a number; zeros elsewhere. */
tsr_value *tsr_mat_triangle(tsr_build *b, tsr_value *x, bool lower, double diagonal);
/* A matrix composed of one triangle, the diagonal and the other triangle of different matrices; NULL: zeros. */
tsr_value *tsr_mat_join(tsr_build *b, tsr_value *lower, tsr_value *diagonal, tsr_value *upper);
/* op(a)^-1 v, or v op(a)^-1 if the matrix is on the right. */
tsr_value *tsr_mat_solve(tsr_build *b, tsr_value *a, tsr_value *v, tsr_mat_how how);
/* The Hermitian matrix with this triangle. */
tsr_value *tsr_mat_hermitian(tsr_build *b, tsr_value *x, bool lower);

/* rows x cols identity matrices, as many as in like, of its type. */
tsr_value *tsr_mat_eye(tsr_build *b, tsr_value *like, int64_t rows, int64_t cols);
/* Rows and columns from .. up to. */
tsr_value *tsr_mat_part(tsr_build *b, tsr_value *x, int64_t row, int64_t row_end, int64_t col,
                        int64_t col_end);
/* Pads with zeros below and to the right. */
tsr_value *tsr_mat_pad(tsr_build *b, tsr_value *x, int64_t rows, int64_t cols);
tsr_value *tsr_mat_beside(tsr_build *b, tsr_value *x, tsr_value *y);
tsr_value *tsr_mat_above(tsr_build *b, tsr_value *x, tsr_value *y);

/* The diagonal of square matrices; vectors repeated as each row, or as each column, of a matrix like m. */
tsr_value *tsr_mat_diagonal(tsr_build *b, tsr_value *x);
tsr_value *tsr_mat_as_rows(tsr_build *b, tsr_value *v, tsr_value *m);
tsr_value *tsr_mat_as_cols(tsr_build *b, tsr_value *v, tsr_value *m);

/* Converts real numbers to elem, which is real or complex. */
tsr_value *tsr_mat_as(tsr_build *b, tsr_value *x, tsr_type *elem);

/* dl of l l^H = a, for the lower triangle of a tangent (vjp_linalg.c). */
tsr_value *tsr_grad_cholesky_tangent(tsr_build *b, tsr_value *l, tsr_value *t);

#endif
