/* direct.c - see direct.h. Rows and columns are cut into blocks, each done by one thread; sums go along the depth in steps, in order. */
#include "exec/kernel/direct.h"

#include "base/scope.h"
#include "base/threads.h"
#include "exec/kernel/isa/isa.h"

enum {
    DEPTH = 384,
    BLOCK = 4096,     /* elements of a block */
    COLS = 256,       /* of a block, at most, but where it has whole rows */
    LEAST_COLS = 32,  /* of a block with a great depth */
    WORK = 256 << 10, /* products of a block, about */
};

typedef struct {
    const tsr_gemm *g;
    tsr_direct_fn *fn;
    const int64_t *a_at, *b_at; /* places of the steps of the depth */
    int64_t size, rows, cols, blocks_n;
} direct;

/* Rows from a place on, which lie one stride behind the other. */
static void run_line(const direct *t, int64_t rows, int64_t place, int64_t col, int64_t cols,
                     char *c, int64_t ldc)
{
    const tsr_gemm *g = t->g;
    for (int64_t k = 0; k < g->k; k += DEPTH)
        t->fn(&(tsr_direct){.a = (const char *)g->a + (place + col) * t->size,
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
    _Alignas(64) char own[BLOCK * 8];
    char *c = g->c ? (char *)g->c + (row * g->c_m + col) * t->size : own;
    int64_t ldc = g->c ? g->c_m : cols;
    for (int64_t i = 0, n; i < rows; i += n) {
        int64_t place = tsr_grid_place(&g->a_grid->lines, row + i, &n);
        n = n < rows - i ? n : rows - i;
        run_line(t, n, place, col, cols, c + i * ldc * t->size, ldc);
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

bool tsr_direct_run(const tsr_gemm *g)
{
    direct t = {.g = g, .size = tsr_dtype_bytes(g->type)};
    int64_t *at = tsr_malloc((size_t)g->k * 2 * sizeof *at);
    if (!at)
        return false;
    find_steps(&g->a_grid->steps, g->k, at);
    find_steps(&g->b_grid->steps, g->k, at + g->k);
    t.fn = tsr_isa_now()->directs[g->type == TSR_D_F64];
    t.a_at = at;
    t.b_at = at + g->k;
    t.cols = g->rows ? g->n : within(WORK / g->k, LEAST_COLS, g->n < COLS ? g->n : COLS);
    t.rows = within(WORK / g->k / t.cols, 1, BLOCK / t.cols);
    t.blocks_n = (g->n + t.cols - 1) / t.cols;
    tsr_pool_for((g->m + t.rows - 1) / t.rows * t.blocks_n, chunk, &t);
    tsr_free(at);
    return true;
}
