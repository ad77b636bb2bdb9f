/* chain.h - products one behind the other, for each of a batch: attention and its gradient.
 *
 * A block of rows of A * B is computed, or of two such products, f runs on it, and what f leaves in the block is multiplied while it is in the cache: C = f(A * B) * V. A tail
 * contracts the rows: X^T Y, where rows of X are those that f leaves, or lie in memory. What is between the products is never in memory as a whole.
 * Elements are f32. Blocks depend on shapes alone, sums are in order: the bits are the same on any number of threads. */
#ifndef TSR_EXEC_KERNEL_CHAIN_H
#define TSR_EXEC_KERNEL_CHAIN_H

#include "exec/kernel/gemm.h"

enum { TSR_CHAIN_FIRSTS = 2, TSR_CHAIN_TAILS = 3 };

typedef struct {
    int64_t k; /* A: m x k, B: k x n */
    const float *a, *b;
    int64_t a_batch, a_m, a_k, b_batch, b_k, b_n;
} tsr_chain_first;

typedef struct {
    int64_t d; /* X: m x n, Y: m x d */
    int block; /* that X is in; -1: it is at x, one of the batch behind the other */
    const float *x, *y;
    int64_t y_batch, y_m, y_d;
    float *c;    /* n x d of each of the batch */
    bool turned; /* d x n */
} tsr_chain_tail;

typedef struct {
    int64_t batch, m, n;
    int nfirst, ntail;
    int blocks; /* of rows, which lie side by side: sums of the first products, one each; results of f */
    tsr_chain_first first[TSR_CHAIN_FIRSTS];
    int64_t d; /* V: n x d, of rows of the first block; 0: there is none */
    const float *v;
    float *c;
    int64_t v_batch, v_n, v_d, c_batch, c_m, c_d;
    tsr_chain_tail tails[TSR_CHAIN_TAILS];
    /* Of some rows from row on, counted through the batch: how many columns f looks at. NULL: all. */
    int64_t (*reach)(void *ctx, int64_t row, int64_t rows);
    /* f, in place; apart: elements from block to block. Columns behind reach have no sums; what f gives there is the same number in all of a row. */
    void (*rows)(void *ctx, const tsr_gemm_block *block, int64_t apart, int64_t reach);
    void *ctx;
} tsr_chain;

/* Whether a product of m x k by k x n, and one of its rows with n x d, are worth it. */
bool tsr_chain_fits(int64_t batch, int64_t m, int64_t n, int64_t k, int64_t d);
/* The same of a tail. */
bool tsr_chain_fits_tail(int64_t batch, int64_t m, int64_t n, int64_t k, int64_t d);
/* False: no memory; C is not set. */
bool tsr_chain_run(const tsr_chain *c);

#endif
