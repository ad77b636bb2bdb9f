/* SPDX-License-Identifier: Apache-2.0 */
/* tall.c - products with few columns. See tall.h.
 *
 * Rows of A are divided into chunks. Each thread reads as many rows at a time as a vector has lanes, step by step along
 * the depth, and keeps the sums of all columns in registers. B is small: it is read in place, or packed by rows with as
 * many columns as the inner loop has. */
#include "exec/kernel/tall.h"

#include "base/scope.h"
#include "base/threads.h"
#include "exec/kernel/isa/isa.h"
#include "exec/kernel/scratch.h"

enum {
    DEPTH = TSR_GEMM_DEPTH,
    LEAST = 16,      /* rows and steps of the depth, at least */
    MOST_ROWS = 128, /* of a chunk, which is a block of C */
    CHUNK = 1 << 18, /* elements of A that a chunk reads, approximately */
    COLS = TSR_TALL_COLS,
};

typedef struct {
    const tsr_gemm *g;
    tsr_tall_fn *const *fn;
    const uint8_t *cols; /* of each inner loop */
    tsr_tile_fn *narrow; /* NULL: C has the type of the sums */
    int64_t size, out_size, lanes;
    const char *b;
    int64_t ldb;
    char *packed; /* B, ldb columns wide; NULL: B is read in place */
    int64_t each; /* elements of a packed matrix; 0: there is one for all */
    int64_t rows, chunks;
} tall;

bool tsr_tall_fits(const tsr_gemm *g)
{
    bool floats = g->type == TSR_D_F32 || g->type == TSR_D_F64;
    return floats && !g->fill[0] && !g->fill[1] &&
           tsr_contract_sum(g->type, g->out_type) == g->type && !g->a_grid && !g->b_grid &&
           g->a_k == 1 && g->m >= LEAST && g->k >= LEAST &&
           g->n <= tsr_isa_now()->talls->most[g->type == TSR_D_F64];
}

/* The inner loop for this many columns, or the largest one. */
static int loop_for(const tall *t, int64_t cols)
{
    int i = 0;
    while (i + 1 < TSR_TALL_SIZES && t->cols[i + 1] && t->cols[i] < cols)
        i++;
    return i;
}

static int64_t width_of(const tall *t)
{
    int64_t width = 0;
    while (width < t->g->n)
        width += t->cols[loop_for(t, t->g->n - width)];
    return width;
}

/* As many rows as a vector has lanes. Only the first count exist: the last of them is repeated. */
static void run_lanes(const tall *t, const char *a, const char *b, int64_t count, char *c,
                      int64_t stride)
{
    const tsr_gemm *g = t->g;
    const void *rows[TSR_TALL_LANES];
    _Alignas(64) char sums[COLS * TSR_TALL_LANES * sizeof(float)];
    int64_t line = t->lanes * t->size;
    for (int64_t i = 0; i < t->lanes; i++)
        rows[i] = a + (i < count ? i : count - 1) * g->a_m * t->size;
    for (int64_t k = 0; k < g->k; k += DEPTH) {
        int64_t depth = g->k - k < DEPTH ? g->k - k : DEPTH;
        for (int64_t col = 0, i; col < g->n; col += t->cols[i]) {
            i = loop_for(t, g->n - col);
            t->fn[i](rows, k, depth, b + (k * t->ldb + col) * t->size, t->ldb, sums + col * line,
                     k > 0);
        }
    }
    if (g->n == 1 && stride == 1)
        memcpy(c, sums, (size_t)(count * t->size));
    else
        tsr_isa_now()->transpose((uint32_t)t->size, sums, line, c, stride * t->size, g->n, count);
}

static void run_block(const tall *t, int64_t batch, int64_t row, int worker)
{
    const tsr_gemm *g = t->g;
    int64_t rows = g->m - row < t->rows ? g->m - row : t->rows;
    _Alignas(64) char own[MOST_ROWS * COLS * sizeof(double)];
    char *c = g->c ? (char *)g->c + (tsr_gemm_c_at(g, batch) + row * g->c_m) * t->out_size : NULL;
    bool apart = !c || t->narrow;
    char *at = apart ? own : c;
    int64_t stride = apart ? g->n : g->c_m;
    const char *a = (const char *)g->a + (tsr_gemm_a_at(g, batch) + row * g->a_m) * t->size;
    const char *b = t->b + (t->packed ? batch * t->each : tsr_gemm_b_at(g, batch)) * t->size;
    for (int64_t r = 0; r < rows; r += t->lanes)
        run_lanes(t, a + r * g->a_m * t->size, b, rows - r < t->lanes ? rows - r : t->lanes,
                  at + r * stride * t->size, stride);
    if (g->epilogue)
        g->epilogue(g->ctx, &(tsr_gemm_block){.batch = batch,
                                              .row = row,
                                              .rows = rows,
                                              .cols = g->n,
                                              .at = at,
                                              .stride = stride,
                                              .worker = worker});
    for (int64_t r = 0; c && t->narrow && r < rows; r++) {
        const void *in[1] = {at + r * stride * t->size};
        t->narrow(c + r * g->c_m * t->out_size, in, (size_t)g->n);
    }
}

static void chunk(void *ctx, int64_t number, int worker)
{
    const tall *t = ctx;
    run_block(t, number / t->chunks, number % t->chunks * t->rows, worker);
    tsr_poll();
}

/* Packs B of one matrix of the batch, with zeros in missing columns. */
static void pack_chunk(void *ctx, int64_t batch, int worker)
{
    const tall *t = ctx;
    const tsr_gemm *g = t->g;
    const char *from = (const char *)g->b + tsr_gemm_b_at(g, batch) * t->size;
    char *to = t->packed + batch * t->each * t->size;
    tsr_pack p = {.src = from,
                  .out = to,
                  .line = g->b_n * t->size,
                  .step = g->b_k * t->size,
                  .lines = g->n,
                  .depth = g->k,
                  .width = (int)t->ldb,
                  .pair = 1,
                  .elem = (uint32_t)t->size};
    tsr_isa_now()->pack(&p);
    (void)worker;
}

/* Provides B as the inner loops read it; false: out of memory. */
static bool give_b(tall *t)
{
    const tsr_gemm *g = t->g;
    bool one = !g->b_batch && !g->outer;
    int64_t width = width_of(t), count = one ? 1 : g->batch;
    t->b = g->b;
    t->ldb = g->b_k;
    if (width == g->n && (g->b_n == 1 || width == 1))
        return !g->room;
    t->ldb = width;
    t->each = one ? 0 : g->k * width;
    t->packed = tsr_scratch_new(g->room, count * g->k * width * t->size);
    t->b = t->packed;
    if (t->packed)
        tsr_pool_for(count, pack_chunk, t);
    return t->packed;
}

bool tsr_tall_run(const tsr_gemm *g)
{
    const tsr_tall *isa = tsr_isa_now()->talls;
    bool wide = g->type == TSR_D_F64;
    tall t = {.g = g,
              .fn = isa->fn[wide],
              .cols = isa->cols[wide],
              .narrow = g->type == g->out_type ? NULL : tsr_tile_convert(g->out_type, g->type),
              .size = tsr_dtype_bytes(g->type),
              .out_size = tsr_dtype_bytes(g->out_type),
              .lanes = isa->lanes[wide]};
    if (!give_b(&t))
        return false;
    int64_t rows = (CHUNK / g->k + LEAST - 1) / LEAST * LEAST;
    t.rows = rows < LEAST ? LEAST : rows > MOST_ROWS ? MOST_ROWS : rows;
    t.chunks = (g->m + t.rows - 1) / t.rows;
    tsr_pool_for(t.chunks * g->batch, chunk, &t);
    tsr_free(t.packed);
    return true;
}
