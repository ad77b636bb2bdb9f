/* thin.h - products with few rows: what a model computes for one token. They read B once, and the time that takes is all there is. */
#ifndef TSR_EXEC_KERNEL_THIN_H
#define TSR_EXEC_KERNEL_THIN_H

#include "exec/kernel/gemm.h"

enum {
    TSR_THIN_ROWS = 8,   /* at most */
    TSR_THIN_COLS = 512, /* of a strip, which is a block of C */
};

/* Whether this is one; tsr_gemm_run asks. */
bool tsr_thin_fits(const tsr_gemm *g);
bool tsr_thin_run(const tsr_gemm *g);
/* B of one in the order in which it is read, for a loop that has it in each turn (panels); it is the caller's. NULL: it would not help, or there is no memory. */
void *tsr_thin_pack(const tsr_gemm *g);

#endif
