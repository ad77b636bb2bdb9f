/* thin.h - products with few rows: what a model computes for one token. They read B once, and the time that takes is all there is. */
#ifndef TSR_EXEC_KERNEL_THIN_H
#define TSR_EXEC_KERNEL_THIN_H

#include "exec/kernel/gemm.h"

/* Whether this is one; tsr_gemm_run asks. */
bool tsr_thin_fits(const tsr_gemm *g);
bool tsr_thin_run(const tsr_gemm *g);

#endif
