/* SPDX-License-Identifier: Apache-2.0 */
/* print.h - host tensors as text. */
#ifndef TSR_EVAL_FILE_PRINT_H
#define TSR_EVAL_FILE_PRINT_H

#include "eval/tensor.h"

/* The tensor's type, tensor<2x3xf32>; quantized element types are printed through the context, so not on two threads at
 * once. */
void tsr_tensor_print_type(tsr_buf *out, const tsr_tensor *t);
/* Element i: 3, true, 1.000000e+00, [re, im] of complex ones. */
void tsr_element_print(tsr_buf *out, const tsr_tensor *t, int64_t i);
/* [1, 2] of element i. */
void tsr_index_print(tsr_buf *out, const tsr_tensor *t, int64_t i);
/* The type, then the elements in braces, one innermost row per line. No final newline. Also prints tokens and
 * tuples. */
void tsr_tensor_print(tsr_buf *out, const tsr_tensor *t);
/* The same for people to read: one number format for the whole tensor, and for a large one only the first and last
 * elements of each dimension, as in NumPy; full: all of them. */
void tsr_tensor_print_summary(tsr_buf *out, const tsr_tensor *t, bool full);

#endif
