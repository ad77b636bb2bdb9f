/* SPDX-License-Identifier: Apache-2.0 */
/* thin.c - products with few rows. See thin.h.
 *
 * B is divided into strips of columns; a chunk is some strips. A strip is read row by row, or column by column if
 * columns are contiguous; narrow floats are converted on the way. */
#include "exec/kernel/thin.h"

#include "base/scope.h"
#include "base/threads.h"
#include "exec/kernel/isa/isa.h"
#include "exec/kernel/scratch.h"

enum {
    MOST_ROWS = TSR_THIN_ROWS,
    STRIP = TSR_THIN_COLS,
    PIECE = 8,         /* rows of B that are converted at a time */
    LONG_PIECE = 4096, /* elements of a column that are converted at a time */
    CHUNK = 1 << 16,   /* elements of B that a chunk reads at least */
    PAD = 16,          /* elements between rows of sums */
};
/* Bytes of B for which packing pays: more than fit in the first-level cache. */
static const int64_t LEAST_PACKED = 32 << 10, MOST_PACKED = (int64_t)48 << 20;

typedef struct {
    const tsr_gemm *g;
    tsr_thin_fn *fn;
    tsr_tile_fn *widen, *narrow;
    tsr_dtype sum;
    int64_t in_size, sum_size, out_size;
    const char *a; /* in the sum's type, contiguous along the depth */
    int64_t a_m;
    bool turned; /* A is a copy, whose matrices follow each other */
    bool along;  /* B is contiguous along the depth */
    int64_t strip, strips, per_chunk;
    int64_t width, packed; /* columns of a panel; elements of all panels of a matrix */
} thin;

bool tsr_thin_fits(const tsr_gemm *g)
{
    bool floats = tsr_dtype_is_float(g->type);
    /* Sums along the depth in lanes: a shorter one would leave most lanes empty. */
    bool along = g->b_k == 1 && g->k >= TSR_FOLD_LANES;
    return floats && !g->a_grid && !g->b_grid && !g->fill[0] && !g->fill[1] && g->m <= MOST_ROWS &&
           g->k > 0 && g->n >= MOST_ROWS && (g->b_n == 1 || along);
}

/* Whether B, which is large, is read in memory order by several rows: not if strips would be short parts of its rows. */
static bool is_in_order(const thin *t)
{
    enum { FEW = 4 };
    static const int64_t LARGE = 1 << 20;
    const tsr_gemm *g = t->g;
    return g->m > 1 && (g->m <= FEW || g->n <= 2 * STRIP) && !t->along && !t->widen && !g->panels &&
           g->k * g->n * t->in_size > LARGE && tsr_isa_reads_in_order();
}

/* Rows of a strip, PIECE at a time if they must be converted. */
static void by_rows(const thin *t, const char *a, const char *b, char *c, int64_t ldc, int64_t cols)
{
    const tsr_gemm *g = t->g;
    _Alignas(64) char wide[PIECE * STRIP * 8];
    if (!t->widen) {
        t->fn(a, t->a_m, b, g->b_k, c, ldc, g->m, cols, g->k);
        return;
    }
    for (int64_t k = 0; k < g->k; k += PIECE) {
        int64_t n = g->k - k < PIECE ? g->k - k : PIECE;
        for (int64_t i = 0; i < n; i++) {
            const void *in[1] = {b + (k + i) * g->b_k * t->in_size};
            t->widen(wide + i * STRIP * t->sum_size, in, (size_t)cols);
        }
        t->fn(a + k * t->sum_size, t->a_m, wide, STRIP, c, ldc, g->m, cols, n);
    }
}

static void by_columns(const thin *t, const char *a, const char *b, char *c, int64_t ldc,
                       int64_t cols)
{
    const tsr_gemm *g = t->g;
    _Alignas(64) char wide[LONG_PIECE * 8];
    if (!t->widen) {
        t->fn(a, t->a_m, b, g->b_n, c, ldc, g->m, cols, g->k);
        return;
    }
    for (int64_t j = 0; j < cols; j++)
        for (int64_t k = 0; k < g->k; k += LONG_PIECE) {
            int64_t n = g->k - k < LONG_PIECE ? g->k - k : LONG_PIECE;
            const void *in[1] = {b + (j * g->b_n + k) * t->in_size};
            t->widen(wide, in, (size_t)n);
            t->fn(a + k * t->sum_size, t->a_m, wide, 0, c + j * t->sum_size, ldc, g->m, 1, n);
        }
}

/* Panels of a strip; the last one may extend beyond its end. */
static void by_panels(const thin *t, const char *a, const char *b, char *c, int64_t ldc,
                      int64_t cols)
{
    const tsr_gemm *g = t->g;
    for (int64_t j = 0; j < cols; j += t->width)
        t->fn(a, t->a_m, b + j * g->k * t->sum_size, t->width, c + j * t->sum_size, ldc, g->m,
              t->width, g->k);
}

/* Sums of a strip are in C itself if it has their type and room for whole panels. */
static void run_strip(const thin *t, int64_t batch, int64_t col, int worker)
{
    const tsr_gemm *g = t->g;
    int64_t cols = g->n - col < t->strip ? g->n - col : t->strip;
    int64_t all = g->panels ? (cols + t->width - 1) / t->width * t->width : cols;
    _Alignas(64) char own[MOST_ROWS * (STRIP + PAD) * 8];
    char *c = g->c ? (char *)g->c + (tsr_gemm_c_at(g, batch) + col) * t->out_size : NULL;
    /* Rows of sums that are a page apart would displace each other, and rows of B, in the nearest cache. */
    bool in_order = is_in_order(t), apart = !c || t->narrow || all > cols || in_order;
    char *sums = apart ? own : c;
    int64_t stride = apart ? t->strip + (in_order ? PAD : 0) : g->c_m;
    for (int64_t r = 0; r < g->m; r++)
        memset(sums + r * stride * t->sum_size, 0, (size_t)(all * t->sum_size));
    const char *a =
        t->a + (t->turned ? batch * g->m * g->k : tsr_gemm_a_at(g, batch)) * t->sum_size;
    const char *b = (const char *)g->b + (tsr_gemm_b_at(g, batch) + col * g->b_n) * t->in_size;
    if (g->panels)
        by_panels(t, a, (const char *)g->panels + (batch * t->packed + col * g->k) * t->sum_size,
                  sums, stride, cols);
    else if (t->along)
        by_columns(t, a, b, sums, stride, cols);
    else
        by_rows(t, a, b, sums, stride, cols);
    if (g->epilogue)
        g->epilogue(g->ctx, &(tsr_gemm_block){.batch = batch,
                                              .rows = g->m,
                                              .col = col,
                                              .cols = cols,
                                              .at = sums,
                                              .stride = stride,
                                              .worker = worker});
    for (int64_t r = 0; c && apart && r < g->m; r++) {
        const void *in[1] = {sums + r * stride * t->sum_size};
        if (t->narrow)
            t->narrow(c + r * g->c_m * t->out_size, in, (size_t)cols);
        else
            memcpy(c + r * g->c_m * t->out_size, in[0], (size_t)(cols * t->sum_size));
    }
}

static void chunk(void *ctx, int64_t number, int worker)
{
    const thin *t = ctx;
    int64_t end = (number + 1) * t->per_chunk, all = t->strips * t->g->batch;
    for (int64_t i = number * t->per_chunk; i < end && i < all; i++)
        run_strip(t, i / t->strips, i % t->strips * t->strip, worker);
    tsr_poll();
}

/* Copies A to the layout that the loops read: in the sum's type, contiguous along the depth. */
static char *turn_a(thin *t, int64_t bytes)
{
    const tsr_gemm *g = t->g;
    char *all = tsr_malloc_aligned((size_t)bytes);
    for (int64_t i = 0; all && i < g->batch * g->m; i++) {
        const char *from =
            (const char *)g->a + (tsr_gemm_a_at(g, i / g->m) + i % g->m * g->a_m) * t->in_size;
        char *to = all + i * g->k * t->sum_size;
        int64_t run = g->a_k == 1 ? g->k : 1;
        for (int64_t k = 0; k < g->k; k += run) {
            const void *in[1] = {from + k * g->a_k * t->in_size};
            if (t->widen)
                t->widen(to + k * t->sum_size, in, (size_t)run);
            else
                memcpy(to + k * t->sum_size, in[0], (size_t)(run * t->sum_size));
        }
    }
    t->a_m = g->k;
    t->turned = true;
    return all;
}

/* Columns of a strip. One row reads B in memory order: the longer its rows, the better the hardware prefetcher works,
 * so each thread gets as few strips as possible. The bits do not depend on it. */
static int64_t strip_of(const thin *t)
{
    const tsr_gemm *g = t->g;
    int64_t each = (g->n + tsr_pool_size() - 1) / tsr_pool_size();
    if ((g->m > 1 && !is_in_order(t)) || t->along || t->widen || g->panels || each <= STRIP)
        return STRIP;
    int64_t most = MOST_ROWS / g->m * STRIP;
    each = (each + STRIP / 4 - 1) / (STRIP / 4) * (STRIP / 4);
    return each < most ? each : most;
}

static thin thin_of(const tsr_gemm *g)
{
    thin t = {.g = g, .sum = tsr_contract_sum(g->type, g->out_type)};
    const tsr_isa *isa = tsr_isa_now();
    bool wide = t.sum == TSR_D_F64;
    t.along = g->b_n != 1;
    t.fn = t.along ? isa->thins->dots[wide] : isa->thins->rows[wide];
    t.widen = t.sum == g->type ? NULL : tsr_tile_convert(t.sum, g->type);
    t.narrow = t.sum == g->out_type ? NULL : tsr_tile_convert(g->out_type, t.sum);
    t.in_size = tsr_dtype_bytes(g->type);
    t.sum_size = tsr_dtype_bytes(t.sum);
    t.out_size = tsr_dtype_bytes(g->out_type);
    if (is_in_order(&t))
        t.fn = isa->thins->in_order[wide];
    t.strip = strip_of(&t);
    t.strips = (g->n + t.strip - 1) / t.strip;
    t.width = isa->micros[wide ? TSR_MICRO_F64 : TSR_MICRO_F32].cols;
    t.packed = (g->n + t.width - 1) / t.width * t.width * g->k;
    return t;
}

bool tsr_thin_run(const tsr_gemm *g)
{
    thin t = thin_of(g);
    int64_t work = g->k * (g->n < t.strip ? g->n : t.strip);
    t.per_chunk = work >= CHUNK ? 1 : CHUNK / work;
    char *own = NULL;
    int64_t turned = t.widen || g->a_k != 1 ? g->batch * g->m * g->k * t.sum_size : 0;
    if (tsr_scratch_asked(g->room, turned))
        return false;
    if (turned) {
        own = turn_a(&t, turned);
        if (!own)
            return false;
        t.a = own;
    } else {
        t.a = g->a;
        t.a_m = g->a_m;
    }
    tsr_pool_for((t.strips * g->batch + t.per_chunk - 1) / t.per_chunk, chunk, &t);
    tsr_free(own);
    return true;
}

void *tsr_thin_pack(const tsr_gemm *g)
{
    if (!tsr_thin_fits(g) || g->b_n != 1 || g->m == 1)
        return NULL;
    thin t = thin_of(g);
    int64_t each = t.packed * t.sum_size;
    bool worth = each > LEAST_PACKED && g->batch <= MOST_PACKED / each;
    char *all = worth ? tsr_malloc_aligned((size_t)(g->batch * each)) : NULL;
    for (int64_t i = 0; all && i < g->batch * g->k; i++)
        for (int64_t col = 0; col < g->n; col += t.width) {
            int64_t k = i % g->k, cols = g->n - col < t.width ? g->n - col : t.width;
            const void *in[1] = {(const char *)g->b +
                                 (tsr_gemm_b_at(g, i / g->k) + k * g->b_k + col) * t.in_size};
            char *to = all + (i / g->k * t.packed + col * g->k + k * t.width) * t.sum_size;
            if (t.widen)
                t.widen(to, in, (size_t)cols);
            else
                memcpy(to, in[0], (size_t)(cols * t.sum_size));
            memset(to + cols * t.sum_size, 0, (size_t)((t.width - cols) * t.sum_size));
        }
    return all;
}
