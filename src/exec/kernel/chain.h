/* SPDX-License-Identifier: Apache-2.0 */
/* chain.h - chains of matrix products, batched: attention and its gradient.
 *
 * A block of rows of A * B, or of two such products, is computed; f runs on it; and the rows that f leaves in the block
 * are multiplied while they are in the cache: C = f(A * B) * V. A tail contracts the rows: X^T Y, where the rows of X
 * are those that f leaves, or are read from memory. Intermediate values are never in memory as a whole.
 * Elements are f32. Blocks depend on shapes alone and sums are added in order: the bits are the same on any number of
 * threads. */
#ifndef TSR_EXEC_KERNEL_CHAIN_H
#define TSR_EXEC_KERNEL_CHAIN_H

#include "exec/kernel/gemm.h"

enum { TSR_CHAIN_FIRSTS = 2, TSR_CHAIN_TAILS = 3 };

typedef struct {
    int64_t k; /* A: m x k, B: k x n */
    const float *a, *b;
    int64_t a_batch, a_m, a_k, b_batch, b_k, b_n;
    const tsr_gemm_outer *outer; /* of the batch of A and B; NULL: one dimension */
} tsr_chain_first;

typedef struct {
    int64_t d; /* X: m x n, Y: m x d */
    int block; /* which block of rows X is in; -1: X is at x, contiguous over the batch */
    const float *x, *y;
    int64_t y_batch, y_m, y_d;
    const tsr_gemm_outer *outer; /* of the batch of Y and C; NULL: one dimension */
    tsr_gemm_of y_of;            /* which factor Y is */
    float *c;                    /* n x d for each matrix of the batch */
    int64_t c_batch, c_line;     /* strides of the batch, of rows */
    bool transposed;             /* C is transposed: d x n */
} tsr_chain_tail;

typedef struct {
    int64_t batch, m, n;
    int nfirst, ntail;
    /* Blocks of rows, side by side: sums of the first products, one block each; then results of f. */
    int blocks;
    tsr_chain_first first[TSR_CHAIN_FIRSTS];
    int64_t d; /* V: n x d, multiplied by rows of the first block; 0: no V */
    const float *v;
    float *c;
    int64_t v_batch, v_n, v_d, c_batch, c_m, c_d;
    const tsr_gemm_outer *outer; /* of the batch of V and C; NULL: one dimension */
    tsr_gemm_of v_of;            /* which factor V is */
    tsr_chain_tail tails[TSR_CHAIN_TAILS];
    /* How many columns of these rows f reads; rows are numbered through the batch. NULL: all. */
    int64_t (*reach)(void *ctx, int64_t row, int64_t rows);
    /* f, in place; apart: elements between the starts of two blocks. Columns beyond reach are not computed; f must give
     * the same number in all of those of one row. */
    void (*rows)(void *ctx, const tsr_gemm_block *block, int64_t apart, int64_t reach);
    void *ctx;
    int64_t *room; /* as in tsr_scratch_asked: nothing is computed, and false */
} tsr_chain;

/* Whether computing A * B (m x k by k x n) and f(A * B) * V (n x d) as a chain is worthwhile. */
bool tsr_chain_fits(int64_t batch, int64_t m, int64_t n, int64_t k, int64_t d);
/* The same for a chain with a tail. */
bool tsr_chain_fits_tail(int64_t batch, int64_t m, int64_t n, int64_t k, int64_t d);
/* False: out of memory, and C is not set. */
bool tsr_chain_run(const tsr_chain *c);

#endif
