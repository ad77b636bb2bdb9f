/* SPDX-License-Identifier: Apache-2.0 */
/* loop_block.c - runs a loop on a block of a product: its epilogue, or a factor that it reads. */
#include "base/round.h"
#include "exec/cpu/loop.h"

/* Elements of a row for which calls of its own cost less than copying results by rows. */
enum { WIDE = 256 };

/* Runs some rows of a block at a time, or pieces of one row. */
static void run_rows(tsr_loop_worker *w, const tsr_loop_block *b)
{
    int64_t block = w->l->cpu->block, most = b->cols < block ? b->cols : block;
    /* Rows of a factor that are not contiguous. */
    bool one = w->l->g->gives && b->stride != b->cols;
    int64_t some = most == b->cols && !one ? block / b->cols : 1;
    w->line = b->line;
    w->stride = b->stride;
    for (int64_t col = 0; col < b->cols; col += most) {
        w->cols = b->cols - col < most ? b->cols - col : most;
        for (uint32_t i = 0; i < w->l->cpu->ncode; i++)
            if (w->l->cpu->code[i].repeats)
                tsr_loop_step(w, &w->l->cpu->code[i], b->start + col, some * w->cols);
        for (int64_t row = 0; row < b->rows; row += some) {
            int64_t rows = b->rows - row < some ? b->rows - row : some;
            w->product = b->product + (row * b->stride + col) * b->bytes;
            w->first = b->start + row * b->line + col;
            tsr_loop_run(w, w->first, rows * w->cols);
        }
    }
}

/* Computes a box of a factor with lists of calls. False: not possible. */
static bool call_box(tsr_loop_worker *w, const tsr_loop_block *b)
{
    enum { LEAST = 64 }; /* elements of a row for which calls of its own pay */
    if (b->cols == b->line && b->stride == b->line &&
        tsr_loop_run_calls(w, b->start, b->start + b->rows * b->line))
        return true;
    return b->cols >= LEAST && tsr_loop_call_rows(w, b);
}

/* ---- Masked rows ---- */

/* The index of the last true among n truth values, from least on; least: there is none. */
static int64_t last_true(const char *at, int64_t n, int64_t least)
{
    enum { WORDS = 8 };
    uint64_t word[WORDS], some = 0;
    while (n >= least + (int64_t)sizeof word && !some) {
        memcpy(word, at + n - sizeof word, sizeof word);
        for (int i = 0; i < WORDS; i++)
            some |= word[i] & UINT64_C(0x0101010101010101);
        n -= some ? 0 : (int64_t)sizeof word;
    }
    while (n > least && !(at[n - 1] & 1))
        n--;
    return n;
}

/* Examines the last rows first: in a causal mask they reach farthest, so that less of the others is examined. */
int64_t tsr_loop_reach(const tsr_run *r, const tsr_xgroup *g, int64_t row, int64_t rows)
{
    const tsr_cpu_code *cpu = tsr_cpu_code_of(r->p, g);
    int64_t n = r->p->nodes.data[g->product].contract->side[1].rest, reach = 0, place;
    for (int64_t i = row + rows; cpu->mask && i-- > row;) {
        if (!tsr_is_contiguous(cpu->mask, i * n, n, &place))
            return n;
        reach = last_true(r->at[cpu->mask_of] + place, n, reach);
    }
    return cpu->mask ? reach : n;
}

/* Fills the stored results of a masked row, in the columns after the last one computed. */
static void fill_rest(const tsr_loop_worker *w, int64_t start, int64_t n)
{
    const tsr_cpu_code *cpu = w->l->cpu;
    for (uint32_t i = 0; i < cpu->ncode; i++) {
        const tsr_cpu_instr *o = &cpu->code[i];
        uint32_t bytes = tsr_dtype_bytes((tsr_dtype)o->dtype);
        if ((o->kind != TSR_I_STORE && !o->direct) || o->by_row)
            continue;
        char *at = tsr_loop_place(w, o, start) + (size_t)w->inner * bytes;
        tsr_tile_splat((tsr_dtype)o->dtype, at, at - bytes, (size_t)(n - w->inner));
    }
}

/* Runs a row whose columns after reach are masked: at least one more column, up to the end of a vector, represents them.
 * False: it cannot. */
static bool run_masked(const tsr_loop_worker *whole, int64_t start, int64_t n, int64_t reach)
{
    enum { WORTH = 32, VECTOR = 16 };
    bool differs = false;
    tsr_loop_worker w = *whole;
    if (n - reach < WORTH)
        return false;
    w.inner = tsr_round_up(reach + 1, VECTOR);
    w.differs = &differs;
    tsr_loop_run(&w, start, w.inner);
    if (!differs)
        fill_rest(&w, start, n);
    return !differs;
}

void tsr_run_loop_block(const tsr_run *r, const tsr_xgroup *g, const tsr_loop_block *b)
{
    tsr_loop l = tsr_loop_of(r, g);
    tsr_loop_asker ask;
    tsr_loop_worker w = tsr_loop_worker_of(&l, b->worker, &ask);
    int64_t bytes = b->bytes;
    tsr_loop_begin(&w);
    w.product = b->product;
    w.apart = b->apart * bytes;
    w.first = b->start;
    /* Rows of a factor are extended to whole vectors if there is room after them. */
    tsr_loop_block wide = *b;
    if (g->gives && b->start + (b->rows - 1) * b->line + b->stride <= g->n)
        wide.cols = b->stride;
    if (g->gives && (call_box(&w, &wide) || call_box(&w, b)))
        return;
    b = &wide;
    if (l.cpu->mask && b->reach < b->line) {
        for (int64_t i = 0; i < b->rows; i++, w.first += b->line, w.product += b->stride * bytes)
            if (!run_masked(&w, w.first, b->line, b->reach))
                tsr_loop_run(&w, w.first, b->line);
    } else if (b->cols == b->line && b->stride == b->line) {
        tsr_loop_run_range(&w, b->start, b->start + b->rows * b->line);
    } else if (b->cols == b->line || b->cols >= WIDE) {
        w.line = b->line;
        for (int64_t i = 0; i < b->rows; i++, w.first += b->line, w.product += b->stride * bytes)
            tsr_loop_run_range(&w, w.first, w.first + b->cols);
    } else {
        run_rows(&w, b);
    }
}
