/* SPDX-License-Identifier: Apache-2.0 */
/* scan.c - scans: each result combines an element with all those before it, or after it, along a dimension.
 *
 * Elements of the inner dimensions are scanned together. Where the scanned dimension is the innermost one, blocks of
 * rows are transposed in the nearest cache. Chunks depend on shapes alone.
 *
 * So that errors of long sums stay small, a scan is divided into blocks of TSR_SCAN_BLOCK elements: a result is the scan
 * of its own block, combined with the scan of the sums of the blocks before, which is divided in the same way. The
 * order of sums depends on nothing else, so that few long rows may be scanned block by block on several threads. */
#include "base/threads.h"
#include "exec/kernel/isa/isa.h"
#include "exec/kernel/scan.h"
#include "exec/kernel/scratch.h"
#include "exec/program.h"

enum {
    ROWS = 64,
    BLOCK = TSR_SCAN_BLOCK,
    WIDTH = 128, /* elements of a line that is scanned in blocks */
    CHUNK = 1 << 14,
    LEVELS = 13 /* BLOCK to this power is more than any size */
};

/* The sums of finished blocks, of blocks of blocks, and so on, for a line of elements that are scanned together. */
typedef struct {
    int64_t count[LEVELS]; /* blocks that sum has */
    _Alignas(64) char sum[LEVELS][WIDTH * 8],
        all[LEVELS][WIDTH * 8]; /* of these, and of all before */
} carry;

int64_t tsr_scan_block(bool strict, tsr_dtype type, int64_t n)
{
    return strict && tsr_register_type(type) != type ? n : BLOCK;
}

/* The sum of a block is known: what all elements of the next one are combined with. */
static const char *carried(const tsr_scan *s, carry *c, int level, const char *sum, int64_t width)
{
    const char *before = level + 1 < LEVELS && c->count[level + 1] ? c->all[level + 1] : NULL;
    if (c->count[level] == BLOCK) {
        before = carried(s, c, level + 1, c->sum[level], width);
        c->count[level] = 0;
    }
    if (c->count[level]++)
        tsr_join_run(&s->join, c->sum[level], c->sum[level], sum, width);
    else
        memcpy(c->sum[level], sum, (size_t)(width * s->bytes));
    if (!before)
        return memcpy(c->all[level], c->sum[level], (size_t)(width * s->bytes));
    tsr_join_run(&s->join, c->all[level], before, c->sum[level], width);
    return c->all[level];
}

/* The first elements of scans. */
static void begin(const tsr_scan *s, char *to, const char *from, int64_t width)
{
    static const char zeros[ROWS * 8];
    if (!s->from_zero)
        memmove(to, from, (size_t)(width * s->bytes));
    for (int64_t i = 0; s->from_zero && i < width; i += ROWS)
        tsr_join_run(&s->join, to + i * s->bytes, zeros, from + i * s->bytes,
                     width - i < ROWS ? width - i : ROWS);
}

/* Scans lines of width elements, line elements apart: each is combined with the one before. */
static void run_lines(const tsr_scan *s, const char *in, char *out, int64_t line, int64_t width)
{
    int64_t step = (s->backwards ? -line : line) * s->bytes,
            at = s->backwards ? (s->n - 1) * line * s->bytes : 0;
    const char *before = NULL, *last = NULL;
    _Alignas(64) char local[WIDTH * 8];
    carry c;
    memset(c.count, 0, sizeof c.count);
    for (int64_t i = 0; i < s->n; i++, at += step) {
        bool first = i % s->block == 0;
        if (first && i)
            before = carried(s, &c, 0, last, width);
        char *to = before ? local : out + at;
        if (first)
            begin(s, to, in + at, width);
        else
            tsr_join_run(&s->join, to, last, in + at, width);
        last = to;
        if (before)
            tsr_join_run(&s->join, out + at, before, local, width);
    }
}

typedef struct {
    tsr_scan s;
    int64_t cols, count; /* inner elements of a strip; strips per scan */
} strips;

static void strip_chunk(void *ctx, int64_t chunk, int worker)
{
    const strips *all = ctx;
    const tsr_scan *s = &all->s;
    int64_t col = chunk % all->count * all->cols, from = chunk / all->count * s->n * s->inner + col;
    int64_t width = s->inner - col < all->cols ? s->inner - col : all->cols;
    (void)worker;
    run_lines(s, s->in + from * s->bytes, s->out + from * s->bytes, s->inner, width);
}

/* Scans a block of n elements of up to ROWS rows, which are line bytes apart, transposed: elements of the same column
 * are contiguous. before: what they are combined with, or NULL. sum: gets the sums of the block. */
static void block_of_rows(const tsr_scan *s, int64_t at, int64_t line, int64_t rows, int64_t n,
                          const char *before, char *sum)
{
    const tsr_isa *isa = tsr_isa_now();
    _Alignas(64) char piece[BLOCK * ROWS * 8];
    int64_t width = rows * s->bytes, step = s->backwards ? -width : width;
    isa->transpose((uint32_t)s->bytes, s->in + at, line, piece, width, rows, n);
    char *to = s->backwards ? piece + (n - 1) * width : piece;
    begin(s, to, to, rows);
    for (int64_t k = 1; k < n; k++, to += step)
        tsr_join_run(&s->join, to + step, to, to + step, rows);
    memcpy(sum, to, (size_t)width);
    for (int64_t k = 0; before && k < n; k++)
        tsr_join_run(&s->join, piece + k * width, before, piece + k * width, rows);
    isa->transpose((uint32_t)s->bytes, piece, width, s->out + at, line, n, rows);
}

static void rows_chunk(void *ctx, int64_t chunk, int worker)
{
    const tsr_scan *s = ctx;
    int64_t first = chunk * ROWS, rows = s->outer - first < ROWS ? s->outer - first : ROWS;
    const char *before = NULL;
    char sum[ROWS * 8];
    carry c;
    memset(c.count, 0, sizeof c.count);
    (void)worker;
    for (int64_t done = 0, n; done < s->n; done += n) {
        n = s->n - done < BLOCK ? s->n - done : BLOCK;
        int64_t at = first * s->n + (s->backwards ? s->n - done - n : done);
        if (done)
            before = carried(s, &c, 0, sum, rows);
        block_of_rows(s, at * s->bytes, s->n * s->bytes, rows, n, before, sum);
    }
}

/* ---- A long row: its blocks are rows ---- */

/* Where in memory block k begins, in elements, and its length. */
static int64_t begin_of(const tsr_scan *s, int64_t k, int64_t *n)
{
    *n = s->n - k * BLOCK < BLOCK ? s->n - k * BLOCK : BLOCK;
    return s->backwards ? s->n - k * BLOCK - *n : k * BLOCK;
}

typedef struct {
    tsr_scan s;
    char *sums; /* of blocks, then of blocks and all before */
} long_row;

/* ROWS whole blocks, or the last one, which is shorter. */
static void blocks_chunk(void *ctx, int64_t chunk, int worker)
{
    const long_row *l = ctx;
    const tsr_scan *s = &l->s;
    int64_t whole = s->n / BLOCK, k = chunk * ROWS, rows = whole - k < ROWS ? whole - k : ROWS, n;
    char sum[ROWS * 8];
    (void)worker;
    if (rows <= 0) {
        k = whole;
        rows = 1;
    }
    int64_t at = begin_of(s, s->backwards ? k + rows - 1 : k, &n);
    block_of_rows(s, at * s->bytes, BLOCK * s->bytes, rows, n, NULL, sum);
    for (int64_t r = 0; r < rows; r++)
        memcpy(l->sums + (s->backwards ? k + rows - 1 - r : k + r) * s->bytes, sum + r * s->bytes,
               (size_t)s->bytes);
}

/* Combines ROWS blocks with all before. */
static void carry_chunk(void *ctx, int64_t chunk, int worker)
{
    const long_row *l = ctx;
    const tsr_scan *s = &l->s;
    (void)worker;
    for (int64_t k = chunk * ROWS + 1, end = k + ROWS; k < end && k * BLOCK < s->n; k++) {
        _Alignas(64) char before[BLOCK * 8];
        int64_t n, at = begin_of(s, k, &n) * s->bytes;
        for (int64_t i = 0; i < n; i++)
            memcpy(before + i * s->bytes, l->sums + (k - 1) * s->bytes, (size_t)s->bytes);
        tsr_join_run(&s->join, s->out + at, before, s->out + at, n);
    }
}

static void run_long_row(const tsr_scan *row)
{
    long_row l = {*row, tsr_scratch_get(NULL, (row->n / BLOCK + 1) * row->bytes)};
    int64_t whole = row->n / BLOCK, chunks = (whole + ROWS - 1) / ROWS;
    if (!l.sums) {
        run_lines(row, row->in, row->out, 1, 1);
        return;
    }
    tsr_pool_for(chunks + (row->n % BLOCK != 0), blocks_chunk, &l);
    tsr_scan sums = *row;
    sums.in = sums.out = l.sums;
    sums.n = (row->n - 1) / BLOCK;
    sums.backwards = false;
    run_lines(&sums, sums.in, sums.out, 1, 1);
    tsr_pool_for(chunks, carry_chunk, &l);
    tsr_scratch_put(l.sums);
}

void tsr_scan_run(const tsr_scan *given)
{
    enum { FEW = 8, LONG = 16 * BLOCK };
    strips all = {.s = *given};
    tsr_scan *s = &all.s;
    bool in_blocks = s->inner == 1 && (s->block == BLOCK || s->n <= BLOCK);
    if (in_blocks && s->outer < ROWS && s->n >= LONG) {
        for (; s->outer > 0; s->outer--) {
            run_long_row(s);
            s->in += s->n * s->bytes;
            s->out += s->n * s->bytes;
        }
        return;
    }
    if (in_blocks && s->outer >= FEW) {
        tsr_pool_for((s->outer + ROWS - 1) / ROWS, rows_chunk, s);
        return;
    }
    int64_t cols = s->n > s->block ? WIDTH : CHUNK / s->n;
    all.cols = cols < ROWS ? ROWS : cols;
    all.cols = all.cols < s->inner ? all.cols : s->inner;
    all.count = (s->inner + all.cols - 1) / all.cols;
    tsr_pool_for(s->outer * all.count, strip_chunk, &all);
}
