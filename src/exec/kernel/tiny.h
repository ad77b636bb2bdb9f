/* SPDX-License-Identifier: Apache-2.0 */
/* tiny.h - batches of products of tiny matrices, such as those of many small filters. */
#ifndef TSR_EXEC_KERNEL_TINY_H
#define TSR_EXEC_KERNEL_TINY_H

#include "exec/kernel/gemm.h"

/* Whether matrices of these sizes are multiplied in registers. */
bool tsr_tiny_sizes(int64_t m, int64_t n, int64_t k);
/* Whether this is such a batch, of f32, without an epilogue; called by tsr_gemm_run. */
bool tsr_tiny_fits(const tsr_gemm *g);
void tsr_tiny_run(const tsr_gemm *g);

#endif
