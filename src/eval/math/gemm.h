/* SPDX-License-Identifier: Apache-2.0 */
/* gemm.h - matrix products of elements of any type and layout, for dot and convolution.
 *
 * A matrix is given by the offset of each row and each column in its tensor; element (i, j) is at row[i] + col[j], or
 * is zero if either is negative. Products are summed in order along the columns of the first matrix: in the result's
 * type for f32, f64 and complex (as StableHLO's interpreter does), in double for narrower floats, in 64 wrapping bits
 * for integers. A sum of truth values is an or. */
#ifndef TSR_EVAL_MATH_GEMM_H
#define TSR_EVAL_MATH_GEMM_H

#include "eval/eval.h"

typedef struct {
    const tsr_tensor *t;
    const int64_t *row, *col;
    int64_t nrow, ncol;
    int64_t zero_point; /* subtracted from each element (quantized integers); 0 otherwise */
} tsr_matrix;

/* The output of a product: element (i, j) is at row[i] + col[j] of t. */
typedef struct {
    tsr_tensor *t;
    const int64_t *row, *col;
} tsr_target;

/* n offsets 0, step, 2 * step, ...; the caller frees them. NULL: out of memory. */
int64_t *tsr_ramp(int64_t n, int64_t step);
bool tsr_gemm(tsr_call *c, const tsr_matrix *a, const tsr_matrix *b, const tsr_target *out);

#endif
