/* SPDX-License-Identifier: Apache-2.0 */
/* gemm.c - matrix products over packed panels. See gemm.h.
 *
 * Both operands are packed (gemm_pack.c) into panels as wide as the tiles of the inner loop (isa/gemm.c). Then blocks of
 * C are computed, each by one thread: along the depth in steps of DEPTH, so that a panel of B stays near while panels of
 * A pass by. On machines with a large second-level cache each block packs the rows of A that it needs. Products with few
 * rows do not pack B ahead: each thread packs the panels it needs, or reads B in place. Rows of A that are contiguous
 * along the depth, in particular windows of images, are read in place. A factor that is computed before the product is
 * computed when it is packed. Small products of a batch are packed and computed by one thread each. The order of sums
 * depends on shapes alone. */
#include "exec/kernel/gemm.h"

#include <math.h>

#include "base/scope.h"
#include "base/threads.h"
#include "exec/kernel/gemm_plan.h"
#include "exec/kernel/provider.h"
#include "exec/kernel/scratch.h"
#include "exec/kernel/tall.h"
#include "exec/kernel/thin.h"
#include "exec/kernel/tiny.h"
#include "exec/kernel/winograd.h"

enum {
    DEPTH = TSR_GEMM_DEPTH,
    LONG_DEPTH = 1024, /* for bytes and for AMX tiles: the work between two steps costs them more */
    FEW_ROWS = 48,
    BLOCK_ROWS = 144, /* approximately: a multiple of the tile's rows */
    BLOCK_COLS = 256,
    WINDOW_COLS = 512, /* if each block packs its own rows: windows */
    /* Up to this many columns a block has whole rows; a part of C is no narrower. */
    LONG_ROW = 4 * BLOCK_COLS,
    /* Up to this depth B stays in the cache while blocks of long rows read it again. */
    SHALLOW = 256,
    WIDE = 128,       /* least columns of a block with an epilogue, */
    WIDER = 256,      /* and if there are several blocks anyway */
    MANY_PANELS = 16, /* of B: enough to occupy the threads */
    /* Of A, for one step of the depth: they stay in the second-level cache. */
    NEAR_BYTES = 768 << 10,
    /* Rows of B that are this far apart displace each other in the nearest cache. */
    FAR_BYTES = 8 << 10,
    LEAST_RUN = 8,    /* shortest run of the depth that is read in place */
    FILLED_ROWS = 64, /* least rows of a block that computes or packs its rows, or copies B */
};
static const int64_t SMALL_WORK = 2 << 20; /* products of a matrix that one thread computes */
static const int64_t BLOCK_WORK = 1 << 20; /* products of a block, at least */
static const int64_t MOST_PACKED = (int64_t)48 << 20; /* bytes */

typedef tsr_gemm_plan plan;

/* ---- Types ---- */

static bool is_plain_int(tsr_dtype d)
{
    return tsr_dtype_is_int(d) && tsr_dtype_bits(d) >= 8;
}

static bool is_plain_float(tsr_dtype d)
{
    return d == TSR_D_F32 || d == TSR_D_F64 || d == TSR_D_BF16 || d == TSR_D_F16;
}

bool tsr_gemm_has(tsr_dtype type, tsr_dtype out_type)
{
    if (is_plain_int(type))
        return is_plain_int(out_type);
    return is_plain_float(type) && is_plain_float(out_type) &&
           (type != TSR_D_F64 || out_type == TSR_D_F64);
}

static tsr_micro_kind kind_of_bytes(bool is_u8)
{
    switch (tsr_isa_bytes()) {
    case TSR_BYTES_AMX: return is_u8 ? TSR_MICRO_AMX_U8 : TSR_MICRO_AMX_I8;
    case TSR_BYTES_DOT: return is_u8 ? TSR_MICRO_DOT_U8 : TSR_MICRO_DOT_I8;
    default: return tsr_isa_now()->micros[TSR_MICRO_I16].fn[0] ? TSR_MICRO_I16 : TSR_MICRO_I32;
    }
}

static tsr_micro_kind kind_of(tsr_dtype type, tsr_dtype sum, bool plain)
{
    bool pairs = type == TSR_D_BF16 && sum == TSR_D_F32 && !plain;
    if (pairs && tsr_isa_has_amx())
        return TSR_MICRO_AMX;
    if (pairs && tsr_isa_has_bf16())
        return TSR_MICRO_BF16;
    if ((type == TSR_D_I8 || type == TSR_D_U8) && sum == TSR_D_I32)
        return kind_of_bytes(type == TSR_D_U8);
    switch (sum) {
    case TSR_D_F32: return TSR_MICRO_F32;
    case TSR_D_F64: return TSR_MICRO_F64;
    case TSR_D_I32: return TSR_MICRO_I32;
    default: return TSR_MICRO_I64;
    }
}

static void set_types(plan *p)
{
    const tsr_gemm *g = p->g;
    p->sum = tsr_contract_sum(g->type, g->out_type);
    tsr_micro_kind kind = kind_of(g->type, p->sum, g->plain);
    p->isa = tsr_isa_now();
    p->micro = &p->isa->micros[kind];
    bool as_it_is = p->micro->pair > 1 && kind != TSR_MICRO_I16;
    tsr_dtype packed = as_it_is ? g->type : kind == TSR_MICRO_I16 ? TSR_D_I16 : p->sum;
    p->widen = packed == g->type ? NULL : tsr_tile_convert(packed, g->type);
    p->narrow = p->sum == g->out_type ? NULL : tsr_tile_convert(g->out_type, p->sum);
    p->apart = p->narrow || !g->c;
    p->in_size = tsr_dtype_bytes(g->type);
    p->packed_size = tsr_dtype_bytes(packed);
    p->sum_size = tsr_dtype_bytes(p->sum);
    p->out_size = tsr_dtype_bytes(g->out_type);
    p->depth = p->micro->lines || p->packed_size == 1 ? LONG_DEPTH : DEPTH;
    p->rows = p->micro->rows[TSR_MICRO_SIZES - 1];
    p->cols = p->micro->cols;
}

/* Whether rows of A can be read in place: their depth steps are contiguous. */
static bool has_contiguous_rows(const plan *p)
{
    const tsr_grid *grid = p->g->a_grid;
    if (p->widen || !p->micro->windows[0])
        return false;
    if (!grid)
        return p->g->a_k == 1;
    const tsr_xspace *steps = &grid->steps.space;
    return steps->rank && tsr_grid_stride(&grid->steps) == 1 &&
           steps->dims[steps->rank - 1] >= LEAST_RUN;
}

/* Whether reading rows in place pays: with more columns, packed rows are read often enough to be faster. */
static bool reads_rows(const plan *p)
{
    return has_contiguous_rows(p) && (p->g->a_grid || p->g->n <= WINDOW_COLS);
}

/* B is packed ahead if each panel is used by several blocks of rows, or if rows of A are not packed; otherwise a panel
 * is packed when it is needed, and stays in the cache. */
static bool packs_ahead(const plan *p)
{
    const tsr_gemm *g = p->g;
    int64_t line = tsr_min(g->k, p->depth) * p->packed_size;
    bool one_block = line * g->m <= NEAR_BYTES && (g->b_grid || g->n >= MANY_PANELS * p->cols) &&
                     (g->a_grid || !reads_rows(p));
    return g->m > FEW_ROWS && (g->rows || !one_block);
}

/* Whether B is read in place, and copied to panels by the first tile of rows that reads it: not if many small blocks of
 * rows need a panel, which then all read one that was packed ahead, and not if a few tiles read it as fast in place. */
static bool copies_panels(const plan *p)
{
    const tsr_gemm *g = p->g;
    bool in_place = g->b_n == 1 && !g->b_grid && !g->fill[1] && !p->widen && p->micro->copying[0];
    bool near = tsr_min(g->k, p->depth) * g->m * p->packed_size <= NEAR_BYTES;
    bool often = g->m > FEW_ROWS || (g->m > p->rows && g->b_k * p->in_size > FAR_BYTES);
    return in_place && !g->rows && often && (near || !reads_rows(p));
}

/* ---- Blocks by what they cost ---- */

/* With a second-level cache of LARGE_CACHE bytes or more, each block packs its own rows of A, which stay there, step by
 * step of the depth, and has as many columns as threads leave it: all panels of B pass by the rows. Blocks depend on the
 * number of threads; sums do not. */
enum {
    LARGE_CACHE = 3 << 19,
    SHARED_COLS = 384, /* up to so many columns, rows of A are read in place */
};

static bool may_be_wide(const plan *p)
{
    const tsr_gemm *g = p->g;
    return tsr_isa_near_bytes() >= LARGE_CACHE && p->micro->asking[0] && !p->widen && !g->rows &&
           !g->a_grid && !g->b_grid && !g->fill[0] && g->m > FEW_ROWS && g->n > SHARED_COLS;
}

/* The time that threads need for the blocks, relative to that of equal parts of the work. One thread is the last to end,
 * the later the more threads there are, since others use the machine, too: by a part of a block's time, which grows
 * with the number of threads. */
static double tail_of(int64_t blocks, double threads)
{
    static const double LATE = 0.2; /* for each doubling of the threads */
    double each = threads / (double)blocks,
           even = (double)tsr_div_up(blocks, (int64_t)threads) * each,
           late = 1 + LATE * log2(threads) * each;
    return even > late ? even : late;
}

/* The time of the tiles of a thread with blocks of this size, relative to that of multiplying alone. In times of a
 * tile, which are about the same for all kinds: packing a panel of A costs PACK_A, reading a panel of B in place COPY,
 * or much more if its rows displace each other, packing it ahead PACK_B, and reading it then READ. */
static double cost_of(const plan *p, bool copies, double threads, int64_t rows, int64_t cols)
{
    static const double PACK_A = 1, COPY = 0.8, COPY_FAR = 2, PACK_B = 4, READ = 0.3;
    const tsr_gemm *g = p->g;
    int64_t blocks = tsr_div_up(p->ms, rows) * tsr_div_up(p->ns, cols);
    double tiles = (double)(rows / p->rows),
           copy = g->b_k * p->in_size % FAR_BYTES ? COPY : COPY_FAR;
    double b = copies ? copy / tiles : READ / tiles + PACK_B * (double)p->rows / (double)p->ms;
    return tail_of(blocks, threads) * (1 + PACK_A * (double)p->cols / (double)cols + b);
}

/* The next number of parts to try: each one up to 8, then some. */
static int64_t more_parts(int64_t n)
{
    return n + (n < 8 ? 1 : n / 4);
}

/* Finds the blocks that cost least; returns their cost. */
static double set_wide(plan *p, bool copies)
{
    enum { PARTS = 40 };
    const tsr_gemm *g = p->g;
    double threads = tsr_pool_size();
    int64_t near = tsr_isa_near_bytes(), line = tsr_min(g->k > 0 ? g->k : 1, p->depth);
    int64_t most = near / 8 * 3 / (line * p->packed_size), last = 0;
    double least = 0;
    for (int64_t i = tsr_div_up(p->ms, most), end = i + PARTS; i < end; i = more_parts(i)) {
        int64_t rows = tsr_round_up(tsr_div_up(p->ms, i), p->rows);
        for (int64_t j = 1; rows != last && j <= PARTS; j = more_parts(j)) {
            int64_t cols = tsr_round_up(tsr_div_up(p->ns, j), p->cols);
            double cost = cost_of(p, copies, threads, rows, cols);
            bool fits = (!g->epilogue && !p->apart) || rows * cols * p->sum_size <= near / 4;
            if (least > 0 && (cost >= least || !fits))
                continue;
            least = cost;
            p->block_m = rows;
            p->block_n = cols;
        }
        last = rows;
    }
    return least;
}

static void start_blocks(plan *p)
{
    bool rows = p->g->rows && p->ns > BLOCK_COLS;
    int64_t near = NEAR_BYTES / p->packed_size / tsr_min(p->g->k > 0 ? p->g->k : 1, p->depth);
    int64_t block_m = rows                      ? BLOCK_ROWS * BLOCK_COLS / p->ns
                      : p->packs_b || p->late_a ? BLOCK_ROWS
                                                : tsr_div_up(p->ms, tsr_div_up(p->ms, near));
    p->block_m = tsr_min(tsr_round_up(block_m, p->rows), tsr_round_up(p->ms, p->rows));
    int64_t block_n = rows ? p->ns : p->late_a ? WINDOW_COLS : BLOCK_COLS;
    p->block_n = tsr_min(block_n, tsr_round_up(p->ns, p->cols));
}

/* Sets the blocks of C: large ones reuse panels more, but a large machine needs some for each thread. */
static void set_blocks(plan *p)
{
    const tsr_gemm *g = p->g;
    bool whole = p->ms == g->m && p->ns == g->n; /* decide_blocks has chosen */
    if (p->wide && !whole)
        set_wide(p, p->copies_b);
    else if (!p->wide)
        start_blocks(p);
    for (;;) {
        p->blocks_m = tsr_div_up(p->ms, p->block_m);
        p->blocks_n = tsr_div_up(p->ns, p->block_n);
        enum { ENOUGH = 32, EACH = 4, SOME = 8 };
        int64_t enough = EACH * tsr_pool_size() > ENOUGH ? EACH * tsr_pool_size() : ENOUGH;
        bool some = p->blocks_m * p->blocks_n >= SOME;
        if (p->wide || p->blocks_m * p->blocks_n >= enough ||
            p->block_m * p->block_n * g->k / 2 < BLOCK_WORK)
            return;
        /* rows are computed, or packed, by one block only */
        bool once = p->late_a && (g->fill[0] || !p->in_place);
        if (!g->rows && !once &&
            p->block_n >= 2 * (!g->epilogue ? p->cols
                               : some       ? WIDER
                                            : WIDE) &&
            (!p->packs_b || p->block_n * 2 > p->block_m))
            p->block_n = tsr_round_up(p->block_n / 2, p->cols);
        else if ((p->packs_b || p->late_a) &&
                 p->block_m >= 2 * (once || p->copies_b ? FILLED_ROWS : p->rows))
            p->block_m = tsr_round_up(p->block_m / 2, p->rows);
        else
            return;
    }
}

static char *raw_of(const plan *p, int worker)
{
    return p->own + worker * p->own_size;
}

/* ---- Blocks of C ---- */

typedef struct {
    int64_t batch, row, rows, col, cols; /* within the part of C */
    char *c;                             /* sums */
    int64_t stride;
    const char *a;
    tsr_pack_source from; /* with late_a: the image */
    char *b;
    int worker;
} block;

/* Operands of a tile: panels, or rows of A in place. */
typedef struct {
    int size;
    const char *a, *b;
    char *copy; /* where a B in place is copied; NULL: it is not */
    int64_t ldb, depth;
    const float *const *rows; /* NULL: a is a panel */
    const tsr_micro_run *runs;
    int64_t nruns;
    tsr_micro_ahead next; /* what is prefetched meanwhile; each 0: nothing */
    bool add, chain;
} tile;

static void run_whole(const plan *p, const tile *x, char *c, int64_t stride)
{
    const tsr_micro *m = p->micro;
    if (x->rows && x->copy)
        m->windows_copying[x->size](x->rows, x->runs, x->nruns, x->b, x->ldb, x->copy, c, stride,
                                    x->add, x->chain);
    else if (x->rows)
        m->windows[x->size](x->rows, x->runs, x->nruns, x->b, c, stride, x->add, x->chain);
    else if (x->copy)
        m->copying[x->size](x->a, x->b, x->ldb, x->copy, c, stride, x->depth, x->add);
    else if (x->next.each)
        m->asking[x->size](x->a, x->b, c, stride, x->depth, x->add, &x->next);
    else
        m->fn[x->size](x->a, x->b, x->ldb, c, stride, x->depth, x->add);
}

/* A tile at the edge of C goes through scratch memory. */
static void run_tile(const plan *p, const tile *x, char *c, int64_t stride, int64_t rows,
                     int64_t cols)
{
    _Alignas(64) char sums[TSR_MICRO_MOST_ROWS * TSR_MICRO_MOST_COLS * 8];
    int64_t line = p->cols * p->sum_size, bytes = cols * p->sum_size;
    if (rows == p->micro->rows[x->size] && cols == p->cols) {
        run_whole(p, x, c, stride);
        return;
    }
    for (int64_t r = 0; x->add && r < rows; r++)
        memcpy(sums + r * line, c + r * stride * p->sum_size, (size_t)bytes);
    for (int64_t r = rows; x->add && r < p->micro->rows[x->size]; r++)
        memset(sums + r * line, 0, (size_t)line);
    for (int64_t r = 0; x->add && r < rows; r++)
        memset(sums + r * line + bytes, 0, (size_t)(line - bytes));
    run_whole(p, x, sums, p->cols);
    for (int64_t r = 0; r < rows; r++)
        memcpy(c + r * stride * p->sum_size, sums + r * line, (size_t)bytes);
}

/* Memory that is packed next: lines of bytes. */
typedef struct {
    const char *at;
    int64_t line, lines, bytes;
} ahead;

/* The panel of B after the one at col and k, in a block that packs its own, or that asks for it; empty after the
 * last. */
enum { PLACE = 128 };
static ahead next_panel(const plan *p, const block *t, int64_t col, int64_t k)
{
    const tsr_gemm *g = p->g;
    col += p->cols;
    if (col >= t->col + t->cols) {
        col = t->col;
        k += p->depth;
    }
    if ((t->b && !p->wide) || (g->fill[1] && !t->b) || k >= g->k ||
        (g->b_n != 1 && g->b_k != 1 && !t->b))
        return (ahead){0};
    int64_t depth = tsr_min(p->depth, g->k - k), cols = tsr_min(p->cols, t->col + t->cols - col);
    if (t->b)
        return (ahead){.at = tsr_pack_b_panel(p, t->b, col / p->cols, k),
                       .line = PLACE,
                       .lines = tsr_div_up(depth * p->cols * p->packed_size, PLACE)};
    int64_t first = tsr_gemm_b_at(g, t->batch) + k * g->b_k + (p->n0 + col) * g->b_n;
    bool by_rows = g->b_n == 1;
    return (ahead){.at = (const char *)g->b + first * p->in_size,
                   .line = (by_rows ? g->b_k : g->b_n) * p->in_size,
                   .lines = by_rows ? depth : cols,
                   .bytes = (by_rows ? cols : depth) * p->in_size};
}

/* Prefetches lines from up to end, which arrive while tiles are multiplied. Always inline: compilers regard the
 * function as free of side effects, and drop its calls. */
static inline __attribute__((always_inline)) void ask_for(const ahead *n, int64_t from, int64_t end)
{
    enum { LINE = 64, NEAR = 2 };
    for (int64_t i = from; i < end; i++) {
        for (int64_t b = 0; b < n->bytes; b += LINE)
            __builtin_prefetch(n->at + i * n->line + b, 0, NEAR);
        __builtin_prefetch(n->at + i * n->line + n->bytes - 1, 0, NEAR);
    }
}

/* Whether zeros of a tile, whose rows are a panel, can be left out. finite: whether B is finite; negative: not checked
 * yet. */
static bool may_leave_out(const plan *p, const tile *x, const tsr_pack_span *s, int *finite)
{
    if (s->end - s->first == x->depth || x->ldb != p->cols)
        return false;
    if (*finite < 0)
        *finite = tsr_is_finite((const float *)x->b, x->depth * p->cols);
    return *finite;
}

/* Restricts a tile to its nonzero range. */
static void leave_out(const plan *p, tile *x, const tsr_pack_span *s)
{
    x->a += s->first * p->micro->rows[x->size] * p->packed_size;
    x->b += s->first * x->ldb * p->packed_size;
    x->depth = s->end - s->first;
}

/* The panel of A whose rows start at row of the block; with late_a the block has packed them for this step. */
static const char *panel_of_a(const plan *p, const block *t, int64_t row, int64_t k, const tile *x)
{
    if (p->late_a)
        return t->a + row * tsr_pack_depth(p, x->depth) * p->packed_size;
    return t->a + ((t->row + row) * tsr_pack_depth(p, p->g->k) + k * p->micro->rows[x->size]) *
                      p->packed_size;
}

/* Multiplies one panel of B, that of x, by all rows of the block, over one step of the depth. The first tile copies the
 * panel, if there is a copy to be made, and the others read that. in_place: addresses of rows; NULL: panels of A. */
static void run_panel(const plan *p, const block *t, tile x, const float *const *in_place,
                      int64_t col, int64_t k)
{
    int64_t cols = tsr_min(p->cols, t->col + t->cols - col);
    ahead next = next_panel(p, t, col, k);
    int64_t tiles = tsr_div_up(t->rows, p->rows), each = tsr_div_up(next.lines, tiles), asked = 0;
    int finite = -1;
    for (int64_t row = 0; row < t->rows; row += p->rows) {
        if (p->wide)
            x.next = (tsr_micro_ahead){TSR_FROM(next.at, asked * next.line), next.line,
                                       tsr_div_up(each, p->rows)};
        else
            ask_for(&next, asked, tsr_min(asked + each, next.lines));
        asked = tsr_min(asked + each, next.lines);
        int64_t rows = tsr_min(p->rows, t->rows - row);
        char *c = t->c + (row * t->stride + col - t->col) * p->sum_size;
        x.size = tsr_micro_tile(p->micro, rows);
        x.rows = in_place ? in_place + row : NULL;
        x.a = in_place ? NULL : panel_of_a(p, t, row, k, &x);
        int64_t panel = (p->late_a ? row : t->row + row) / p->rows;
        const tsr_pack_span *s = in_place ? NULL : tsr_pack_spans(p, t->a, panel);
        s = s && !p->late_a ? s + k / p->depth : s;
        /* No copy of x without need: reading parts of it together would wait for the stores of the last tile. */
        if (s && !x.copy && may_leave_out(p, &x, s, &finite)) {
            tile some = x;
            leave_out(p, &some, s);
            run_tile(p, &some, c, t->stride, rows, cols);
        } else
            run_tile(p, &x, c, t->stride, rows, cols);
        if (x.copy) {
            x.b = x.copy;
            x.ldb = p->cols;
            x.copy = NULL;
        }
    }
}

/* Whether a panel of B can be read in place. */
static bool reads_b(const plan *p, int64_t cols)
{
    return (p->copies_b || p->g->m <= FEW_ROWS) && !p->g->fill[1] && !p->widen &&
           p->micro->pair == 1 && p->g->b_n == 1 && cols == p->cols;
}

/* Packs the rows of a block over one step of the depth. */
static void pack_late(const plan *p, const block *t, int64_t k, char *own)
{
    int64_t depth = tsr_min(p->depth, p->g->k - k), held = tsr_pack_depth(p, depth);
    int64_t first = t->row / p->rows, end = first + tsr_div_up(t->rows, p->rows);
    tsr_pack_fill f = {true, t->batch, first, end, k, depth, held, own + p->own_a};
    if (p->g->fill[0])
        tsr_pack_filled(p, &f, own);
    bool together = p->g->a_grid && p->micro->pair == 1 && p->micro->pad == 1 && !p->widen;
    int64_t whole = together ? t->rows / p->rows * p->rows : 0;
    if (whole)
        tsr_pack_a_step(p, t->from, t->row, whole, k, own + p->own_a, own);
    for (int64_t i = whole; !p->g->fill[0] && i < t->rows; i += p->rows) {
        int64_t lines = tsr_min(p->rows, t->rows - i);
        char *out = own + p->own_a + i * held * p->packed_size;
        tsr_pack_span *span = tsr_pack_spans(p, own + p->own_a, i / p->rows);
        tsr_pack_a_step(p, t->from, t->row + i, lines, k, out, own);
        if (span)
            *span = tsr_pack_span_of(out, depth, p->micro->rows[tsr_micro_tile(p->micro, lines)]);
    }
}

/* Whether windows are summed along the whole depth in one chain, for products with few columns. The class of machine
 * must not decide this: it changes the bits. */
static bool is_chain(const plan *p)
{
    enum { FEW_COLS = 64 };
    const tsr_gemm *g = p->g;
    if (!g->a_grid || p->ns > FEW_COLS || p->ns % TSR_MICRO_MOST_COLS ||
        !g->a_grid->lines.space.rank)
        return false;
    const tsr_xspace *lines = &g->a_grid->lines.space;
    return lines->dims[lines->rank - 1] >= LEAST_RUN;
}

/* Addresses of the rows of a block; the last one is repeated for missing rows of a tile. */
static void find_rows(const plan *p, const block *t, const float **out)
{
    const tsr_gemm *g = p->g;
    int64_t run, row = 0;
    for (; row < t->rows; row += run) {
        int64_t line = p->m0 + t->row + row, step = g->a_m;
        run = t->rows - row;
        if (g->a_grid) {
            line = tsr_grid_place(&g->a_grid->lines, line, &run) - t->from.origin;
            step = tsr_grid_stride(&g->a_grid->lines);
            run = tsr_min(run, t->rows - row);
        } else
            line *= step;
        for (int64_t i = 0; i < run; i++)
            out[row + i] = (const float *)t->from.at + line + i * step;
    }
    for (; row % p->rows; row++)
        out[row] = out[t->rows - 1];
}

/* The same for rows that are computed: one step of the depth, from k on. */
static void fill_rows(const plan *p, const block *t, int64_t k, int64_t depth, char *own,
                      const float **out)
{
    tsr_gemm_box box = {.batch = t->batch,
                        .line = p->m0 + t->row,
                        .lines = t->rows,
                        .step = p->k0 + k,
                        .depth = depth,
                        .out = own + p->own_a,
                        .worker = t->worker};
    tsr_pack_fill_box(p->g, 0, depth, p->g->a_m, &box);
    for (int64_t row = 0; row < tsr_round_up(t->rows, p->rows); row++)
        out[row] = (const float *)box.out + tsr_min(row, t->rows - 1) * box.stride;
}

/* Finds the runs of the depth from k on. */
enum { MOST_RUNS = DEPTH / LEAST_RUN + 2 };
static int64_t find_runs(const plan *p, int64_t k, int64_t depth, tsr_micro_run *out)
{
    const tsr_gemm *g = p->g;
    int64_t n = 0, run = depth;
    for (int64_t i = 0; i < depth; i += run, n++) {
        int64_t at = g->a_grid    ? tsr_grid_place(&g->a_grid->steps, p->k0 + k + i, &run)
                     : g->fill[0] ? i
                                  : k + i;
        run = tsr_min(run, depth - i);
        out[n] = (tsr_micro_run){at, run};
    }
    return n;
}

/* Sets the panel of B at col, over one step of the depth: packed ahead, in place, or packed now. */
static void set_panel(const plan *p, const block *t, int64_t col, int64_t k, char *own, tile *x)
{
    const tsr_gemm *g = p->g;
    int64_t depth = tsr_min(p->depth, g->k - k), held = tsr_pack_depth(p, depth);
    char *out = own + p->own_b;
    x->ldb = p->cols;
    x->copy = NULL;
    x->b = out;
    if (t->b)
        x->b = tsr_pack_b_panel(p, t->b, col / p->cols, k);
    else if (reads_b(p, tsr_min(p->cols, p->ns - col))) {
        x->ldb = g->b_k;
        x->copy = p->copies_b ? out : NULL;
        x->b = (const char *)g->b +
               (tsr_gemm_b_at(g, t->batch) + k * g->b_k + p->n0 + col) * p->in_size;
    } else if (!tsr_pack_fills_lines(p, false))
        tsr_pack_b_step(p, t->batch, col / p->cols, k, out, own);
    else {
        int64_t first = t->col / p->cols;
        tsr_pack_fill f = {false, t->batch, first, tsr_div_up(t->col + t->cols, p->cols),
                           k,     depth,    held,  out};
        if (col == t->col) /* all of the block */
            tsr_pack_filled(p, &f, own);
        x->b = out + (col - t->col) * held * p->packed_size;
    }
}

static void run_sums(const plan *p, const block *t)
{
    const tsr_gemm *g = p->g;
    const float *rows[BLOCK_ROWS + TSR_MICRO_MOST_ROWS];
    tsr_micro_run runs[MOST_RUNS];
    tile x = {.runs = runs, .chain = p->in_place && is_chain(p)};
    char *own = raw_of(p, t->worker);
    if (p->in_place && !g->fill[0])
        find_rows(p, t, rows);
    if (p->micro->begin)
        p->micro->begin();
    for (int64_t k = 0; k < g->k; k += p->depth) {
        x.depth = tsr_min(p->depth, g->k - k);
        x.add = p->adds || k > 0;
        if (p->in_place && g->fill[0])
            fill_rows(p, t, k, x.depth, own, rows);
        if (p->in_place)
            x.nruns = find_runs(p, k, x.depth, runs);
        else if (p->late_a)
            pack_late(p, t, k, own);
        for (int64_t col = t->col; col < t->col + t->cols; col += p->cols) {
            set_panel(p, t, col, k, own, &x);
            run_panel(p, t, x, p->in_place ? rows : NULL, col, k);
        }
    }
    if (p->micro->end)
        p->micro->end();
    for (int64_t r = 0; g->k <= 0 && !p->adds && r < t->rows; r++)
        memset(t->c + r * t->stride * p->sum_size, 0, (size_t)(t->cols * p->sum_size));
}

static void run_block(const plan *p, block *t)
{
    const tsr_gemm *g = p->g;
    int64_t row = p->m0 + t->row, col = p->n0 + t->col;
    int64_t first = (tsr_gemm_c_at(g, t->batch) + row * g->c_m + col) * p->out_size;
    char *c = g->c ? (char *)g->c + first : NULL;
    t->c = p->apart ? raw_of(p, t->worker) + p->own_c : c;
    t->stride = p->apart ? t->cols : g->c_m;
    run_sums(p, t);
    if (g->epilogue)
        g->epilogue(g->ctx, &(tsr_gemm_block){.batch = t->batch,
                                              .row = row,
                                              .rows = t->rows,
                                              .col = col,
                                              .cols = t->cols,
                                              .at = t->c,
                                              .stride = t->stride,
                                              .worker = t->worker});
    for (int64_t r = 0; c && p->narrow && r < t->rows; r++) {
        const void *in[1] = {t->c + r * t->stride * p->sum_size};
        p->narrow(c + r * g->c_m * p->out_size, in, (size_t)t->cols);
    }
}

/* ---- Chunks ---- */

/* Panels packed by one chunk. */
static int64_t panels_each(const plan *p, bool is_a)
{
    enum { PANELS = 4 };
    return tsr_pack_fills_lines(p, is_a) ? tsr_pack_filled_panels(p, is_a) : PANELS;
}

static void pack_chunk(void *ctx, int64_t chunk, int worker)
{
    const plan *p = ctx;
    int64_t na = p->panels_a, nb = p->panels_b, chunks_a = tsr_div_up(na, panels_each(p, true));
    bool is_a = chunk < chunks_a;
    int64_t each = panels_each(p, is_a), first = (is_a ? chunk : chunk - chunks_a) * each,
            end = tsr_min(first + each, is_a ? na : nb);
    if (is_a)
        tsr_pack_a_panels(p, p->batch, first, end, p->a, raw_of(p, worker));
    else
        tsr_pack_b_panels(p, p->batch, first, end, p->b, raw_of(p, worker));
    tsr_poll();
}

/* The image rows that the rows of a block read, with zero padding. */
static tsr_pack_source picture_of(const plan *p, const block *t)
{
    const tsr_gemm *g = p->g;
    const tsr_grid_pad *pad = g->a_grid ? g->a_grid->pad : NULL;
    int64_t first, offset = t->batch * g->a_batch;
    if (!pad)
        return tsr_pack_source_of(p, true, t->batch);
    char *picture = raw_of(p, t->worker) + p->own_p;
    int64_t rows = tsr_grid_rows(g->a_grid, p->m0 + t->row, t->rows, offset, &first);
    tsr_grid_fill(pad, (uint32_t)p->in_size, g->a, first, rows, picture);
    return (tsr_pack_source){picture, first * pad->row - offset};
}

static void block_chunk(void *ctx, int64_t chunk, int worker)
{
    const plan *p = ctx;
    int64_t row = chunk % p->blocks_m * p->block_m, col = chunk / p->blocks_m * p->block_n;
    block t = {.batch = p->batch,
               .row = row,
               .rows = tsr_min(p->block_m, p->ms - row),
               .col = col,
               .cols = tsr_min(p->block_n, p->ns - col),
               .a = p->late_a ? raw_of(p, worker) + p->own_a : p->a,
               .b = p->packs_b ? p->b : NULL,
               .worker = worker};
    if (p->late_a && !p->g->fill[0])
        t.from = picture_of(p, &t);
    run_block(p, &t);
    tsr_poll();
}

/* Some matrices of a batch, each as a whole. */
static void matrix_chunk(void *ctx, int64_t chunk, int worker)
{
    const plan *p = ctx;
    const tsr_gemm *g = p->g;
    char *raw = raw_of(p, worker), *a = raw + p->own_a;
    char *b = a + tsr_pack_a_bytes(p);
    int64_t end = tsr_min((chunk + 1) * p->per_chunk, g->batch);
    for (int64_t i = chunk * p->per_chunk; i < end; i++) {
        if (!p->late_a)
            tsr_pack_a_panels(p, i, 0, tsr_div_up(p->ms, p->rows), a, raw);
        for (int64_t panel = 0; p->packs_b && panel * p->cols < p->ns; panel++)
            tsr_pack_b(p, i, panel, b, raw);
        for (int64_t row = 0; row < p->ms; row += p->block_m)
            for (int64_t col = 0; col < p->ns; col += p->block_n) {
                block t = {.batch = i,
                           .row = row,
                           .rows = tsr_min(p->block_m, p->ms - row),
                           .col = col,
                           .cols = tsr_min(p->block_n, p->ns - col),
                           .a = a,
                           .from = tsr_pack_source_of(p, true, i),
                           .b = p->packs_b ? b : NULL,
                           .worker = worker};
                run_block(p, &t);
            }
    }
    tsr_poll();
}

/* ---- Memory ---- */

/* Bytes of the padded image rows that a block reads, at most. */
static int64_t picture_bytes(const plan *p)
{
    const tsr_gemm *g = p->g;
    int64_t most = 0, first;
    if (!g->a_grid || !g->a_grid->pad)
        return 0;
    for (int64_t b = 0; b < g->batch; b++)
        for (int64_t row = 0; row < p->ms; row += p->block_m) {
            int64_t n = tsr_grid_rows(g->a_grid, p->m0 + row, tsr_min(p->block_m, p->ms - row),
                                      b * g->a_batch, &first);
            most = n > most ? n : most;
        }
    return most * g->a_grid->pad->row * p->in_size;
}

/* Lays out each worker's scratch: elements of a panel before conversion; a panel of B, or the computed panels of a
 * block; windows before they are paired, or computed elements; panels of A; an image; sums of a block. */
static void set_own(plan *p)
{
    int64_t widest = p->rows > p->cols ? p->rows : p->cols;
    p->own_b = tsr_round_up(p->widen ? p->depth * widest * p->in_size : 0, 64);
    int64_t cols =
        tsr_pack_fills_lines(p, false) && !p->packs_b ? tsr_round_up(p->block_n, p->cols) : p->cols;
    p->own_g = tsr_round_up(p->own_b + p->depth * cols * p->packed_size, 64);
    p->own_a = tsr_round_up(p->own_g + tsr_pack_box_elems(p) * p->in_size, 64);
    p->own_size = p->own_a;
    bool lies = p->in_place && !p->g->fill[0];
    int64_t spans = p->wide ? p->block_m / p->rows * (int64_t)sizeof(tsr_pack_span) : 0;
    if (p->late_a)
        p->own_p = p->own_a +
                   (lies ? 0 : tsr_round_up(p->block_m * p->depth * p->packed_size + spans, 64));
    if (p->late_a)
        p->own_size = p->own_p + tsr_round_up(picture_bytes(p), 64);
}

static int64_t packed_b_bytes(const plan *p)
{
    return p->packs_b
               ? tsr_round_up(
                     tsr_round_up(p->ns, p->cols) * tsr_pack_depth(p, p->g->k) * p->packed_size, 64)
               : 0;
}

static void add_sums(plan *p)
{
    p->own_c = p->own_size;
    p->own_size += p->apart ? p->block_m * p->block_n * p->sum_size : 0;
    p->own_size = tsr_round_up(p->own_size, 64);
}

/* Copies the image of B, for one matrix of the batch, with its zero padding. */
enum { PICTURE_ROWS = 64 };

static void picture_chunk(void *ctx, int64_t chunk, int worker)
{
    const plan *p = ctx;
    const tsr_grid_pad *pad = p->g->b_grid->pad;
    int64_t first = chunk * PICTURE_ROWS;
    tsr_grid_fill(pad, (uint32_t)p->in_size, p->g->b, p->picture_first + first,
                  tsr_min(PICTURE_ROWS, p->picture_rows - first),
                  p->picture + first * pad->row * p->in_size);
    (void)worker;
}

static bool pads_b(const plan *p)
{
    return p->g->b_grid && p->g->b_grid->pad;
}

static void find_picture(plan *p)
{
    const tsr_gemm *g = p->g;
    int64_t offset = p->batch * g->b_batch;
    if (!pads_b(p))
        return;
    p->picture_rows = tsr_grid_rows(g->b_grid, 0, g->n, offset, &p->picture_first);
    p->picture_origin = p->picture_first * g->b_grid->pad->row - offset;
}

/* ---- Running ---- */

static bool run_small(plan *p)
{
    const tsr_gemm *g = p->g;
    int64_t work = p->ms * p->ns * (g->k + 1);
    start_blocks(p);
    set_own(p);
    p->per_chunk = work >= BLOCK_WORK ? 1 : BLOCK_WORK / work;
    p->own_size += tsr_pack_a_bytes(p) + packed_b_bytes(p);
    add_sums(p);
    p->own = tsr_scratch_get(g->room, p->own_size * tsr_pool_size());
    if (!p->own)
        return false;
    tsr_pool_for(tsr_div_up(g->batch, p->per_chunk), matrix_chunk, p);
    tsr_scratch_put(p->own);
    return true;
}

static bool run_part(plan *p)
{
    set_blocks(p);
    set_own(p);
    add_sums(p);
    p->batch = 0;
    find_picture(p);
    int64_t a = tsr_pack_a_bytes(p), b = packed_b_bytes(p);
    int64_t picture =
        pads_b(p) ? tsr_round_up(p->picture_rows * p->g->b_grid->pad->row * p->in_size, 64) : 0;
    p->a = tsr_scratch_get(p->g->room, a + b + picture + p->own_size * tsr_pool_size());
    if (!p->a)
        return false;
    p->b = p->a + a;
    p->picture = picture ? p->b + b : NULL;
    p->own = p->b + b + picture;
    for (; p->batch < p->g->batch; p->batch++) {
        find_picture(p);
        if (picture)
            tsr_pool_for(tsr_div_up(p->picture_rows, PICTURE_ROWS), picture_chunk, p);
        bool again = p->batch > 0; /* an operand that the last one had is not packed again */
        bool same_a = again && tsr_gemm_a_at(p->g, p->batch) == tsr_gemm_a_at(p->g, p->batch - 1);
        bool same_b = again && tsr_gemm_b_at(p->g, p->batch) == tsr_gemm_b_at(p->g, p->batch - 1);
        p->panels_a = p->late_a || same_a ? 0 : tsr_div_up(p->ms, p->rows);
        p->panels_b = !p->packs_b || same_b ? 0 : tsr_div_up(p->ns, p->cols);
        tsr_pool_for(tsr_div_up(p->panels_a, panels_each(p, true)) +
                         tsr_div_up(p->panels_b, panels_each(p, false)),
                     pack_chunk, p);
        tsr_pool_for(p->blocks_m * p->blocks_n, block_chunk, p);
    }
    tsr_scratch_put(p->a);
    return true;
}

/* The most rows and columns whose panels fit in the memory limit. */
static void find_parts(const plan *p, int64_t *most_m, int64_t *most_n)
{
    const tsr_gemm *g = p->g;
    int64_t lines = MOST_PACKED / p->packed_size / (g->k > 0 ? g->k : 1),
            nb = p->packs_b ? g->n : 0;
    int64_t ms = g->m, ns = g->n;
    if (p->late_a) {
        ns = tsr_min(g->n,
                     lines > 4 * BLOCK_COLS ? lines / BLOCK_COLS * BLOCK_COLS : 4 * BLOCK_COLS);
    } else if (g->m + nb > lines) {
        ms = lines / 2 > 4 * BLOCK_ROWS ? lines / 2 / BLOCK_ROWS * BLOCK_ROWS : 4 * BLOCK_ROWS;
        ms = tsr_min(g->m, ms);
        ns = lines - ms > 4 * BLOCK_COLS ? (lines - ms) / BLOCK_COLS * BLOCK_COLS : 4 * BLOCK_COLS;
    }
    *most_m = ms;
    *most_n = ns;
}

static bool run_large(plan *p)
{
    const tsr_gemm *g = p->g;
    int64_t ms, ns;
    find_parts(p, &ms, &ns);
    for (p->m0 = 0; p->m0 < g->m; p->m0 += ms)
        for (p->n0 = 0; p->n0 < g->n; p->n0 += ns) {
            p->ms = tsr_min(ms, g->m - p->m0);
            p->ns = tsr_min(ns, g->n - p->n0);
            TSR_TRY(run_part(p));
        }
    return true;
}

/* Depth of a part, for products so deep, as those for gradients of weights are, that the factors are large and C fits
 * in the cache: the panels of one part are used by all blocks before those of the next are packed. */
static int64_t part_of_depth(const plan *p)
{
    enum { NEAR_C = 1 << 20, NEAR_B = 256 << 10, LARGE_B = 4 << 20 };
    const tsr_gemm *g = p->g;
    int64_t line = g->n * p->packed_size;
    if (p->apart || !p->packs_b || g->batch > 1 || g->m * g->n * p->sum_size > NEAR_C ||
        g->k < 8 * p->depth || line * g->k < LARGE_B)
        return g->k;
    int64_t steps = NEAR_B / line / p->depth;
    return (steps < 2 ? 2 : steps) * p->depth;
}

static bool run_deep(plan *p, int64_t part)
{
    const tsr_gemm *g = p->g;
    for (int64_t k = 0; k < g->k; k += part) {
        tsr_gemm some = *g;
        plan now = *p;
        some.k = tsr_min(part, g->k - k);
        if (!g->a_grid && !g->fill[0])
            some.a = (const char *)g->a + k * g->a_k * p->in_size;
        if (!g->b_grid && !g->fill[1])
            some.b = (const char *)g->b + k * g->b_k * p->in_size;
        if (k + part < g->k)
            some.epilogue = NULL;
        now.g = &some;
        now.k0 = k;
        now.adds = k > 0;
        TSR_TRY(run_large(&now));
    }
    return true;
}

bool tsr_gemm_gives_rows(int64_t m, int64_t n, int64_t k)
{
    return n <= (m <= TSR_THIN_ROWS ? TSR_THIN_COLS : k <= SHALLOW ? LONG_ROW : BLOCK_COLS);
}

/* An image that every thread would need as a whole: copied once, with its zero padding. */
typedef struct {
    const tsr_gemm *g;
    char *out;
    int64_t rows;
} picture;

static void fill_chunk(void *ctx, int64_t chunk, int worker)
{
    const picture *x = ctx;
    const tsr_grid_pad *pad = x->g->a_grid->pad;
    uint32_t elem = tsr_dtype_bytes(x->g->type);
    int64_t first = chunk * PICTURE_ROWS;
    tsr_grid_fill(pad, elem, x->g->a, first, tsr_min(PICTURE_ROWS, x->rows - first),
                  x->out + first * pad->row * elem);
    (void)worker;
}

static bool run_padded(const tsr_gemm *g)
{
    picture x = {g, NULL, 1};
    tsr_gemm inner = *g;
    tsr_grid grid = *g->a_grid;
    for (int i = 0; i < grid.pad->rank; i++)
        x.rows *= grid.pad->dims[i];
    int64_t bytes = x.rows * grid.pad->row * tsr_dtype_bytes(g->type);
    int64_t more = 0;
    grid.pad = NULL;
    inner.a_grid = &grid;
    inner.room = g->room ? &more : NULL;
    if (g->room)
        (void)tsr_gemm_run(&inner);
    inner.a = x.out = tsr_scratch_new(g->room, bytes + more);
    if (!x.out)
        return false;
    tsr_pool_for(tsr_div_up(x.rows, PICTURE_ROWS), fill_chunk, &x);
    bool ok = tsr_gemm_run(&inner);
    tsr_free(x.out);
    return ok;
}

static void fill_nothing(void *ctx, const tsr_gemm_box *box)
{
    (void)ctx, (void)box;
}

/* Decides which operands are packed, and when. False: one thread computes each matrix. */
static bool decide(plan *p)
{
    const tsr_gemm *g = p->g;
    set_types(p);
    p->copies_b = copies_panels(p);
    p->packs_b = !p->copies_b && packs_ahead(p);
    bool small =
        (double)g->m * (double)g->n * (double)(g->k + 1) <= (double)SMALL_WORK && !pads_b(p);
    bool in_place = reads_rows(p);
    bool once = g->fill[0] && g->n <= WINDOW_COLS;
    p->late_a = (p->packs_b || (p->copies_b && g->m > FEW_ROWS)) &&
                (small ? in_place && !g->a_grid && !g->fill[0] : g->a_grid || in_place || once);
    p->in_place = p->late_a && in_place;
    return !small;
}

/* Chooses blocks by what they cost, where that pays. */
static void decide_blocks(plan *p)
{
    p->wide = may_be_wide(p);
    if (!p->wide)
        return;
    p->late_a = true;
    p->in_place = false;
    double packing = set_wide(p, false);
    plan copying = *p;
    if (p->copies_b && set_wide(&copying, true) <= packing)
        *p = copying;
    else
        p->copies_b = false;
    p->packs_b = !p->copies_b;
}

int64_t tsr_gemm_fills(const tsr_gemm *g, int side)
{
    tsr_gemm filled = *g;
    plan p = {.g = &filled, .ms = g->m, .ns = g->n};
    int64_t ms, ns;
    if (g->m <= 0 || g->n <= 0 || g->k <= 0 || g->batch <= 0 || tsr_gemm_provider_of(g) ||
        tsr_tiny_fits(g) || tsr_thin_fits(g) || tsr_tall_fits(g) || (side && g->m <= FEW_ROWS))
        return 0;
    filled.fill[side] = fill_nothing;
    if (!decide(&p))
        return 0;
    find_parts(&p, &ms, &ns);
    return side ? tsr_div_up(g->m, ms) : p.late_a ? 1 : tsr_div_up(g->n, ns);
}

bool tsr_gemm_sums_in_one(const tsr_gemm *g)
{
    plan p = {.g = g, .ms = g->m, .ns = g->n};
    return g->type == TSR_D_F32 && g->out_type != TSR_D_F64 && decide(&p) && p.in_place &&
           is_chain(&p);
}

bool tsr_gemm_reads_pieces(const tsr_gemm *g)
{
    return g->m <= FEW_ROWS && g->b_n == 1 && !tsr_thin_fits(g);
}

bool tsr_gemm_run(const tsr_gemm *g)
{
    if (g->m <= 0 || g->n <= 0 || g->batch <= 0)
        return true;
    const tsr_gemm_provider *other = tsr_gemm_provider_of(g);
    if (other)
        return tsr_gemm_run_with(other, g);
    if (tsr_tiny_fits(g)) {
        if (!g->room)
            tsr_tiny_run(g);
        return !g->room;
    }
    if (tsr_thin_fits(g))
        return tsr_thin_run(g);
    if (tsr_tall_fits(g))
        return tsr_tall_run(g);
    if (tsr_winograd_fits(g) && (tsr_winograd_run(g) || g->room))
        return true;
    plan p = {.g = g, .ms = g->m, .ns = g->n};
    bool small = !decide(&p);
    if (!small)
        decide_blocks(&p);
    if (g->a_grid && g->a_grid->pad && !p.late_a)
        return run_padded(g);
    int64_t part = small ? g->k : part_of_depth(&p);
    return small ? run_small(&p) : part < g->k ? run_deep(&p, part) : run_large(&p);
}
