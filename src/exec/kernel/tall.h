/* tall.h - products with few columns: a matrix by a vector, or by some. They read A once, and the time that takes is most of what there is. */
#ifndef TSR_EXEC_KERNEL_TALL_H
#define TSR_EXEC_KERNEL_TALL_H

#include "exec/kernel/gemm.h"

/* Whether this is one, of f32 or f64, whose rows of A lie along the depth; tsr_gemm_run asks. */
bool tsr_tall_fits(const tsr_gemm *g);
bool tsr_tall_run(const tsr_gemm *g);

#endif
