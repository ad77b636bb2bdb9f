/* SPDX-License-Identifier: Apache-2.0 */
/* direct.c - see direct.h. Rows and columns are divided into blocks, each computed by one thread; sums are added along
 * the depth in steps, in order. */
#include "exec/kernel/direct.h"

#include "base/scope.h"
#include "base/threads.h"
#include "exec/kernel/isa/isa.h"
#include "exec/kernel/scratch.h"

enum {
    DEPTH = 384,
    BLOCK = 4096, /* elements of a block */
    /* Of a block that copies the image rows it reads, with their zero padding. */
    PADDED = 4 * BLOCK,
    COLS = 256,       /* of a block, at most, unless it has whole rows */
    LEAST_COLS = 32,  /* of a block if the depth is large */
    WORK = 256 << 10, /* products of a block, approximately */
};

typedef struct {
    const tsr_gemm *g;
    tsr_direct_fn *fn;
    const int64_t *a_at, *b_at; /* offsets of the depth steps */
    int64_t size, rows, cols, blocks_n;
    char *own; /* scratch of each thread: sums of a block, and image rows */
    int64_t own_bytes, sum_bytes;
} direct;

/* Rows of windows, starting at an offset of a, one stride apart. */
static void run_line(const direct *t, const char *a, int64_t rows, int64_t place, int64_t col,
                     int64_t cols, char *c, int64_t ldc)
{
    const tsr_gemm *g = t->g;
    for (int64_t k = 0; k < g->k; k += DEPTH)
        t->fn(&(tsr_direct){.a = a + (place + col) * t->size,
                            .b = (const char *)g->b + col * t->size,
                            .c = c,
                            .a_at = t->a_at + k,
                            .b_at = t->b_at + k,
                            .row = tsr_grid_stride(&g->a_grid->lines),
                            .ldc = ldc,
                            .rows = rows,
                            .cols = cols,
                            .depth = g->k - k < DEPTH ? g->k - k : DEPTH,
                            .add = k > 0});
}

static void chunk(void *ctx, int64_t number, int worker)
{
    const direct *t = ctx;
    const tsr_gemm *g = t->g;
    int64_t row = number / t->blocks_n * t->rows, col = number % t->blocks_n * t->cols;
    int64_t rows = g->m - row < t->rows ? g->m - row : t->rows;
    int64_t cols = g->n - col < t->cols ? g->n - col : t->cols;
    char *own = t->own + worker * t->own_bytes;
    char *c = g->c ? (char *)g->c + (row * g->c_m + col) * t->size : own;
    int64_t ldc = g->c ? g->c_m : cols, origin = 0;
    const char *a = g->a;
    const tsr_grid_pad *pad = g->a_grid->pad;
    if (pad) {
        int64_t first, all = tsr_grid_rows(g->a_grid, row, rows, 0, &first);
        tsr_grid_fill(pad, (uint32_t)t->size, a, first, all, own + t->sum_bytes);
        a = own + t->sum_bytes;
        origin = first * pad->row;
    }
    for (int64_t i = 0, n; i < rows; i += n) {
        int64_t place = tsr_grid_place(&g->a_grid->lines, row + i, &n);
        n = n < rows - i ? n : rows - i;
        run_line(t, a, n, place - origin, col, cols, c + i * ldc * t->size, ldc);
    }
    if (g->epilogue)
        g->epilogue(g->ctx, &(tsr_gemm_block){.row = row,
                                              .rows = rows,
                                              .col = col,
                                              .cols = cols,
                                              .at = c,
                                              .stride = ldc,
                                              .worker = worker});
    tsr_poll();
}

static void find_steps(const tsr_xview *v, int64_t n, int64_t *at)
{
    for (int64_t k = 0, run; k < n; k += run) {
        int64_t first = tsr_grid_place(v, k, &run);
        for (int64_t i = 0; i < run && k + i < n; i++)
            at[k + i] = first + i * tsr_grid_stride(v);
    }
}

static int64_t within(int64_t v, int64_t low, int64_t high)
{
    return v < low ? low : v > high ? high : v;
}

/* Bytes of the image rows that a block reads, at most. */
static int64_t picture_bytes(const direct *t)
{
    const tsr_gemm *g = t->g;
    int64_t most = 0, first;
    for (int64_t row = 0; g->a_grid->pad && row < g->m; row += t->rows) {
        int64_t rows = g->m - row < t->rows ? g->m - row : t->rows;
        int64_t n = tsr_grid_rows(g->a_grid, row, rows, 0, &first) * g->a_grid->pad->row;
        most = n > most ? n : most;
    }
    return (most * t->size + 63) / 64 * 64;
}

bool tsr_direct_run(const tsr_gemm *g)
{
    direct t = {.g = g, .size = tsr_dtype_bytes(g->type)};
    bool pads = g->a_grid->pad != NULL;
    t.cols = g->rows || pads ? g->n : within(WORK / g->k, LEAST_COLS, g->n < COLS ? g->n : COLS);
    t.rows = within(WORK / g->k / t.cols, 1, within((pads ? PADDED : BLOCK) / t.cols, 1, g->m));
    t.sum_bytes = g->c ? 0 : (t.rows * t.cols * t.size + 63) / 64 * 64;
    t.own_bytes = t.sum_bytes + picture_bytes(&t);
    int64_t steps = (g->k * 2 * (int64_t)sizeof(int64_t) + 63) / 64 * 64, *at;
    char *all = tsr_scratch_new(g->room, steps + tsr_pool_size() * t.own_bytes + 64);
    if (!all)
        return false;
    t.own = all + (64 - (uintptr_t)all % 64);
    at = (int64_t *)(void *)(t.own + tsr_pool_size() * t.own_bytes);
    find_steps(&g->a_grid->steps, g->k, at);
    find_steps(&g->b_grid->steps, g->k, at + g->k);
    t.fn = tsr_isa_now()->directs[g->type == TSR_D_F64];
    t.a_at = at;
    t.b_at = at + g->k;
    t.blocks_n = (g->n + t.cols - 1) / t.cols;
    tsr_pool_for((g->m + t.rows - 1) / t.rows * t.blocks_n, chunk, &t);
    tsr_free(all);
    return true;
}
