/* SPDX-License-Identifier: Apache-2.0 */
/* tall.h - products with few columns: a matrix by a vector, or by a few. They read A once, which takes most of the
 * time. */
#ifndef TSR_EXEC_KERNEL_TALL_H
#define TSR_EXEC_KERNEL_TALL_H

#include "exec/kernel/gemm.h"

/* Whether this is such a product, of f32 or f64, with rows of A contiguous along the depth; called by tsr_gemm_run. */
bool tsr_tall_fits(const tsr_gemm *g);
bool tsr_tall_run(const tsr_gemm *g);

#endif
