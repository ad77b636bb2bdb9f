/* product.h - what the files of products share. */
#ifndef TSR_GPU_PRODUCT_H
#define TSR_GPU_PRODUCT_H

#include "exec/contract.h"
#include "gpu/move.h"

/* The product by a kernel of our own, which has all types and strides (multiply.c). */
bool tsr_gpu_multiply(tsr_gpu_maker *m, const tsr_node *n);

#endif
