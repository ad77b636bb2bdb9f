/* SPDX-License-Identifier: Apache-2.0 */
/* thin.h - products with few rows, as a model computes them for one token. They read B once, which takes all of the
 * time. */
#ifndef TSR_EXEC_KERNEL_THIN_H
#define TSR_EXEC_KERNEL_THIN_H

#include "exec/kernel/gemm.h"

enum {
    TSR_THIN_ROWS = 8,   /* at most */
    TSR_THIN_COLS = 512, /* of a strip, which is a block of C */
};

/* Whether this is such a product; called by tsr_gemm_run. */
bool tsr_thin_fits(const tsr_gemm *g);
bool tsr_thin_run(const tsr_gemm *g);
/* Packs B in the order in which it is read, for a loop that multiplies by the same B in each iteration (panels). The
 * caller owns the result. NULL: packing would not help, or out of memory. */
void *tsr_thin_pack(const tsr_gemm *g);

#endif
