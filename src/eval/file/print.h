/* print.h - host tensors as text. */
#ifndef TSR_EVAL_FILE_PRINT_H
#define TSR_EVAL_FILE_PRINT_H

#include "eval/tensor.h"

/* tensor<2x3xf32> of what the tensor is; of quantized elements through the context, so not from two threads at
 * once. */
void tsr_tensor_print_type(tsr_buf *out, const tsr_tensor *t);
/* Element i: 3, true, 1.000000e+00, [re, im] of complex ones. */
void tsr_element_print(tsr_buf *out, const tsr_tensor *t, int64_t i);
/* [1, 2] of element i. */
void tsr_index_print(tsr_buf *out, const tsr_tensor *t, int64_t i);
/* The type, then the elements in braces, one innermost row a line. No line end. Tokens and tuples too. */
void tsr_tensor_print(tsr_buf *out, const tsr_tensor *t);
/* The same for people: one number format for the whole tensor, and of a large one only the first and the last elements of
 * each dimension, as NumPy does it; full: all of them. */
void tsr_tensor_print_summary(tsr_buf *out, const tsr_tensor *t, bool full);

#endif
