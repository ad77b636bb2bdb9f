/* chain.h - two products one behind the other, C = f(A * B) * V, for each of a batch: attention, where f is a loop over whole rows.
 *
 * Rows of A * B are never in memory as a whole: a block of them is computed, f runs on it, and it is multiplied with V while it is in the cache.
 * Elements are f32. Blocks depend on shapes alone, sums are in order: the bits are the same on any number of threads. */
#ifndef TSR_EXEC_KERNEL_CHAIN_H
#define TSR_EXEC_KERNEL_CHAIN_H

#include "exec/kernel/gemm.h"

typedef struct {
    int64_t batch, m, n, k, d; /* A: m x k, B: k x n, V: n x d */
    const float *a, *b, *v;
    float *c;
    int64_t a_batch, a_m, a_k, b_batch, b_k, b_n, v_batch, v_n, v_d, c_batch, c_m, c_d;
    /* Of some rows from row on, counted through the batch: how many columns f looks at. NULL: all. */
    int64_t (*reach)(void *ctx, int64_t row, int64_t rows);
    /* f, in place. Columns behind reach have no sums; what f gives there is the same number in all of a row. */
    void (*rows)(void *ctx, const tsr_gemm_block *block, int64_t reach);
    void *ctx;
} tsr_chain;

/* Whether a product of m x k by k x n, and one of its rows with n x d, are worth it. */
bool tsr_chain_fits(int64_t batch, int64_t m, int64_t n, int64_t k, int64_t d);
/* False: no memory; C is not set. */
bool tsr_chain_run(const tsr_chain *c);

#endif
