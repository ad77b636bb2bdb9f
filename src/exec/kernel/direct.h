/* SPDX-License-Identifier: Apache-2.0 */
/* direct.h - products in which each column has its own factors: C[m, n] = sum over k of A[m, k, n] * B[k, n], as in
 * depthwise convolutions. Channels are contiguous, the other dimensions are windows (grid.h). */
#ifndef TSR_EXEC_KERNEL_DIRECT_H
#define TSR_EXEC_KERNEL_DIRECT_H

#include "exec/kernel/gemm.h"

/* For f32 or f64, with a_grid and the steps of b_grid, for a single matrix; the epilogue is as in gemm.h. The bits
 * depend on shapes only. False: out of memory. */
bool tsr_direct_run(const tsr_gemm *g);

#endif
