/* SPDX-License-Identifier: Apache-2.0 */
/* compare.h - compares one tensor with another: errors, ULPs, correlation, verdict.
 *
 * The verdict depends on the tolerance alone, element by element: |a - e| <= atol + rtol * |e|; a NaN must meet a NaN,
 * an infinity the same infinity; integers and booleans must be equal unless a tolerance is given. Correlation is shown
 * because it finds errors that tolerances hide, but it says nothing about a single element, or about a tensor whose
 * elements are all equal: there it is "n/a", never 1.
 *
 * Default tolerances (rtol, atol):
 *
 *     f64, complex<f64>   1e-9   1e-12       f16     5e-3   1e-3
 *     f32, complex<f32>   1e-4   1e-5        bf16    2e-2   1e-2
 *     f8, f6, f4          two units in the last place, relative; the smallest subnormal, absolute
 *     integers, i1        0      0
 *
 * The tolerance of f32 allows for sums in another order, not for a wrong formula. The error of a sum depends on its
 * terms, not on the sum: if no tolerance was given, atol is multiplied by the root mean square of the expected tensor
 * where that is above 1. */
#ifndef TSR_CHECK_COMPARE_H
#define TSR_CHECK_COMPARE_H

#include "eval/tensor.h"

/* The heading of the table, and one row of it: name, shape and type, errors, verdict. Both end in a newline. grown: the
 * value is beyond the tolerance, but not through a fault of the op that computes it (ops.h), which is a pass. */
void tsr_compare_heading(tsr_buf *out);
void tsr_compare_row(tsr_buf *out, const char *name, const tsr_tensor *actual,
                     const tsr_tensor *expected, const tsr_comparison *c, bool grown);

#endif
