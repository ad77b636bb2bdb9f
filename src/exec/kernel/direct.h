/* direct.h - products in which each column has its own numbers: C[m, n] = sum over k of A[m, k, n] * B[k, n], as convolutions of
 * each channel alone are. Channels lie side by side, the rest is windows (grid.h). */
#ifndef TSR_EXEC_KERNEL_DIRECT_H
#define TSR_EXEC_KERNEL_DIRECT_H

#include "exec/kernel/gemm.h"

/* Of f32 or f64, with a_grid and the steps of b_grid, of one matrix; the epilogue as in gemm.h. Bits depend on shapes only. False: no memory. */
bool tsr_direct_run(const tsr_gemm *g);

#endif
