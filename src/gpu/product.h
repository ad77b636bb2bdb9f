/* SPDX-License-Identifier: Apache-2.0 */
/* product.h - what the files of products share. */
#ifndef TSR_GPU_PRODUCT_H
#define TSR_GPU_PRODUCT_H

#include "exec/contract.h"
#include "gpu/move.h"

/* The word for a factor's address, so many elements on: its memory may have elements of another type, complex ones. */
tsr_gpu_word tsr_gpu_factor(tsr_gpu_maker *m, const tsr_node *n, int side, int64_t elements);
/* The product by a kernel of our own, which has all types and strides (multiply.c). */
bool tsr_gpu_multiply(tsr_gpu_maker *m, const tsr_node *n);

#endif
