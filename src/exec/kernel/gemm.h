/* SPDX-License-Identifier: Apache-2.0 */
/* gemm.h - batched matrix products: C[m, n] = sum over k of A[m, k] * B[k, n].
 *
 * Strides are arbitrary, so transposed operands need no copy. Products run on the pool (base/threads.h). Each element
 * is summed along k in blocks of fixed size, in order: the bits depend on shapes and types, never on the number of
 * threads.
 *
 * Sums are kept in the accumulation type: f32 for f32, bf16 and f16; f64 for f64; for integers i32, or i64 if the
 * result is wider; they wrap. bf16 products may flush subnormal numbers to zero (the instruction that multiplies pairs
 * does). */
#ifndef TSR_EXEC_KERNEL_GEMM_H
#define TSR_EXEC_KERNEL_GEMM_H

#include "exec/contract.h"
#include "exec/kernel/grid.h"

/* A finished block of C: rows from row on, columns from col on; elements of the accumulation type, rows stride elements apart. */
typedef struct {
    int64_t batch, row, rows, col, cols;
    void *at;
    int64_t stride;
    int worker; /* the thread that computed it: a number below tsr_pool_size() */
} tsr_gemm_block;

/* The elements of A or B to compute: lines (rows of A or columns of B) from line on, steps of the depth from step
 * on. */
typedef struct {
    int64_t batch, line, lines, step, depth;
    /* output: contiguous along the steps if their stride is 1, otherwise along the lines */
    void *out;
    int64_t stride; /* of lines, or of steps, in out; elements beyond the end of one are ignored */
    int worker;
} tsr_gemm_box;
typedef void tsr_gemm_fill(void *ctx, const tsr_gemm_box *box);

typedef struct {
    tsr_dtype type, out_type; /* of A and B; of C */
    int64_t m, n, k, batch;
    const void *a, *b;
    void *c;                    /* NULL: only the epilogue reads the result */
    const void *panels;         /* B as packed by tsr_thin_pack; NULL: not packed */
    int64_t a_m, a_k, b_k, b_n; /* strides, in elements; 0 repeats */
    /* Of A[m, k] and of B[n, k], used instead of strides; NULL: none. */
    const tsr_grid *a_grid, *b_grid;
    int64_t a_batch, b_batch, c_batch; /* strides of the batch, or of its last dimension */
    const tsr_gemm_outer *outer;       /* NULL: the batch has one dimension */
    int64_t c_m;                       /* row stride of C; columns are contiguous */
    /* Computes elements of A, or of B, when they are packed: for a factor that is not in memory. One stride of that
     * side is 1. Called by several threads concurrently. NULL: the factor is in memory. */
    tsr_gemm_fill *fill[2];
    void *fill_ctx[2];
    /* Called for each finished block of C, by the thread that computed it, while the block is in its cache. If out_type
     * is the accumulation type the block is C itself; otherwise, or without C, it is in scratch memory and is converted
     * to C right after. NULL: no epilogue. Blocks of a product are disjoint and cover C; on
     * machines with a large second-level cache their sizes depend on the number of threads, unless they have whole rows.
     * With k == 0 blocks are zeros. */
    void (*epilogue)(void *ctx, const tsr_gemm_block *block);
    void *ctx;
    bool rows;     /* blocks have whole rows; only if tsr_gemm_gives_rows */
    int64_t *room; /* as in tsr_scratch_asked: nothing is computed, and false */
    /* Multiply bf16 as f32 on every machine: same bits on all that have fused multiply-add. */
    bool plain;
} tsr_gemm;

/* The arguments for a product, without operands. */
static inline tsr_gemm tsr_contract_gemm(const tsr_contract *c)
{
    const tsr_contract_side *a = &c->side[0], *b = &c->side[1];
    return (tsr_gemm){.type = (tsr_dtype)c->type,
                      .out_type = (tsr_dtype)c->to,
                      .m = a->rest,
                      .n = b->rest,
                      .k = a->contract,
                      .batch = a->batch,
                      .a_m = a->rest_stride,
                      .a_k = a->contract_stride,
                      .b_k = b->contract_stride,
                      .b_n = b->rest_stride,
                      .a_grid = a->grid,
                      .b_grid = b->grid,
                      .a_batch = a->batch_stride,
                      .b_batch = b->batch_stride,
                      .c_batch = c->to_batch,
                      .outer = c->outer,
                      .c_m = c->to_row};
}

static inline int64_t tsr_gemm_a_at(const tsr_gemm *g, int64_t batch)
{
    return tsr_batch_at(g->outer, TSR_OF_A, g->a_batch, batch);
}

static inline int64_t tsr_gemm_b_at(const tsr_gemm *g, int64_t batch)
{
    return tsr_batch_at(g->outer, TSR_OF_B, g->b_batch, batch);
}

static inline int64_t tsr_gemm_c_at(const tsr_gemm *g, int64_t batch)
{
    return tsr_batch_at(g->outer, TSR_OF_C, g->c_batch, batch);
}

/* Steps of k that are summed at a time, for floats, unless the machine's tile instructions multiply them. */
enum { TSR_GEMM_DEPTH = 384 };

/* Whether there is a kernel: for floats (f16, bf16, f32, f64) and integers of eight bits or more, with results of such
 * types; both floats or both integers; f64 not to narrower floats. */
bool tsr_gemm_has(tsr_dtype type, tsr_dtype out_type);
/* Whether blocks of a product of these sizes can have whole rows at no extra cost. */
bool tsr_gemm_gives_rows(int64_t m, int64_t n, int64_t k);
/* Whether sums go along the whole depth in one chain, and not in steps of TSR_GEMM_DEPTH: of windows, for few columns. */
bool tsr_gemm_sums_in_one(const tsr_gemm *g);
/* How often each element of A (side 0) or B is computed by fill; 0: computing the factor to memory first would be
 * faster. */
int64_t tsr_gemm_fills(const tsr_gemm *g, int side);
/* Whether B is read in place in short pieces that are far apart in memory: it should be in the cache. */
bool tsr_gemm_reads_pieces(const tsr_gemm *g);
/* Whether none of n numbers, a multiple of TSR_FINITE_STEP, is infinite or NaN. */
enum { TSR_FINITE_STEP = 8 };
bool tsr_is_finite(const float *x, int64_t n);
/* False: out of memory for packed panels; C is not set. */
bool tsr_gemm_run(const tsr_gemm *g);

#endif
