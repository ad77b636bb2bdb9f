/* gemm.h - matrix products: C[m, n] = sum over k of A[m, k] * B[k, n], for each of a batch.
 *
 * Any strides, so that transposed operands cost nothing before. Runs on the pool (base/threads.h). Each element is summed along
 * k in blocks of fixed size, in order: the bits depend on shapes and types, never on the number of threads.
 *
 * Sums are kept in the accumulation type: f32 for f32, bf16 and f16; f64 for f64; for integers i32, or i64 where the result is
 * wider; they wrap. bf16 products may take subnormal numbers for zeros (the instruction that multiplies pairs does). */
#ifndef TSR_EXEC_KERNEL_GEMM_H
#define TSR_EXEC_KERNEL_GEMM_H

#include "exec/kernel/grid.h"

/* A finished block of C: rows from row on, columns from col on; elements of the accumulation type, rows stride elements apart. */
typedef struct {
    int64_t batch, row, rows, col, cols;
    void *at;
    int64_t stride;
    int worker; /* the thread that made it: a number below tsr_pool_size() */
} tsr_gemm_block;

/* Elements of A or B that are wanted: lines are rows of A or columns of B, from line on; steps of the depth from step on. */
typedef struct {
    int64_t batch, line, lines, step, depth;
    void *out; /* where they go: steps one behind the other where their stride is 1, else lines */
    int64_t
        stride; /* of lines, or of steps, there; what lies behind the end of one does not count */
    int worker;
} tsr_gemm_box;
typedef void tsr_gemm_fill(void *ctx, const tsr_gemm_box *box);

typedef struct {
    tsr_dtype type, out_type; /* of A and B; of C */
    int64_t m, n, k, batch;
    const void *a, *b;
    void *c;                           /* NULL: only the epilogue wants to see it */
    const void *panels;                /* what tsr_thin_pack made of B; NULL: nothing */
    int64_t a_m, a_k, b_k, b_n;        /* strides, in elements; 0 repeats */
    const tsr_grid *a_grid, *b_grid;   /* of A[m, k], of B[n, k], in place of strides; NULL: none */
    int64_t a_batch, b_batch, c_batch; /* from one of the batch to the next */
    int64_t c_m;                       /* row stride of C; columns are contiguous */
    /* Gives elements of A, or of B, when they are packed: what is computed before the product and is not in memory. A stride of that side is 1. Called by
     * several threads at a time. NULL: they are in memory. */
    tsr_gemm_fill *fill[2];
    void *fill_ctx[2];
    /* Called for each finished block of C, by the thread that made it, while it is in its cache. When out_type is the accumulation type the
     * block is C itself; else, or without C, it is in scratch memory and is converted to C right after. NULL: nothing is to be
     * done. Blocks of a product are disjoint and cover C; they depend on shapes only. With k == 0 blocks are zeros. */
    void (*epilogue)(void *ctx, const tsr_gemm_block *block);
    void *ctx;
    bool rows; /* blocks have whole rows; where tsr_gemm_gives_rows */
    bool
        plain; /* bf16 is multiplied as f32, whatever the machine has for it: the same bits on all that fuse products and sums */
} tsr_gemm;

enum {
    TSR_GEMM_DEPTH = 384
}; /* of a block of k, of floats that are not multiplied by the machine's tiles */

/* Whether there is a kernel: floats of f16, bf16, f32, f64 and integers of eight bits or more, with a result of f16, bf16, f32,
 * f64 or of integers likewise; both floats or both integers, f64 not to narrower ones. */
bool tsr_gemm_has(tsr_dtype type, tsr_dtype out_type);
/* The type in which sums are kept and which the epilogue sees. */
tsr_dtype tsr_gemm_sum_type(tsr_dtype type, tsr_dtype out_type);
/* Whether blocks of a product of these sizes can have whole rows, and it costs nothing. */
bool tsr_gemm_gives_rows(int64_t m, int64_t n, int64_t k);
/* How often each element of A (side 0) or B is packed where it is filled; 0: it would be faster in memory. */
int64_t tsr_gemm_fills(const tsr_gemm *g, int side);
/* Whether B is read where it lies in short pieces, far from each other: it should be near. */
bool tsr_gemm_reads_pieces(const tsr_gemm *g);
/* Whether none of n numbers, a multiple of TSR_FINITE_STEP, is infinite or NaN. */
enum { TSR_FINITE_STEP = 8 };
bool tsr_is_finite(const float *x, int64_t n);
/* False: no memory for packed panels; C is not set. */
bool tsr_gemm_run(const tsr_gemm *g);

#endif
