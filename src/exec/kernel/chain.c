/* SPDX-License-Identifier: Apache-2.0 */
/* chain.c - products with a loop over rows between them. See chain.h.
 *
 * B and V are packed first, for all rows. Then each block of rows goes through all products on one thread. Blocks are
 * padded to whole tiles. With tails, one thread processes all blocks of a matrix, or of a part of its rows, one after
 * the other, and packs B and V itself if it has all rows. Sums of parts are added in order. */
#include "exec/kernel/chain.h"

#include "base/round.h"
#include "base/scope.h"
#include "base/threads.h"
#include "exec/kernel/isa/isa.h"
#include "exec/kernel/scratch.h"

enum {
    LEAST_ROWS = 16,        /* with fewer, packing B does not pay */
    MOST_COLS = 16384,      /* of a row: whole rows fit in the cache */
    MOST_DEPTH = 512,       /* of A * B, in one step; also columns of V */
    NEAR_BYTES = 384 << 10, /* of a block */
    /* rows; small, since a block is computed up to the columns that its last row needs under a causal mask */
    MOST_BLOCK = 48,
    STEP = 256, /* depth steps of the second product that are done at a time */
    LINE = 16,  /* elements of a cache line */
};
static const int64_t MOST_PACKED = (int64_t)48 << 20; /* bytes */

typedef struct {
    const tsr_chain *c;
    const tsr_isa *isa;
    const tsr_micro *micro;
    int64_t rows, cols;      /* of the largest tile */
    int64_t wide, deep;      /* n and d rounded up to whole tiles */
    int64_t block, blocks;   /* rows of a block; blocks of a matrix */
    int64_t first;           /* first of the matrices that are packed now */
    int64_t npanel, nfinite; /* panels of a matrix: of B and V together, of V */
    int64_t packed;          /* elements of the panels of a matrix */
    float *panels, *own;     /* packed panels; scratch memory of the workers */
    /* By panel of V: whether all its numbers are finite; used only where zeros are skipped. */
    bool *finite;
    /* Elements of a worker's scratch; from one block of rows to the next. */
    int64_t own_size, apart;
    int64_t sums, part, out; /* offsets in a worker's scratch */
    /* With tails, offsets too: panels of the two factors, and the sums of all tails. */
    int64_t left, right, ends;
    int64_t own_panels, own_finite;
    int64_t ends_size;       /* elements of the sums */
    int64_t parts, per_part; /* parts of a matrix, each with its own sums; rows of a part */
    float *partial;          /* the sums of each part, if there are several */
} plan;

/* Approximate number of rows of a block: as many as fit in the cache, at most m. */
static int64_t rows_of_block(int64_t m, int64_t n)
{
    return tsr_min(tsr_min(NEAR_BYTES / (int64_t)sizeof(float) / n, MOST_BLOCK), m);
}

/* The same with tails, whose sums restart with each block: a multiple of the rows of every tile size, so that sums are
 * added in the same order on all machines. */
static int64_t rows_of_tails(int64_t n)
{
    enum { WIDE = 2048 };
    return n > WIDE ? MOST_BLOCK / 2 : MOST_BLOCK;
}

static bool fits_block(int64_t m, int64_t n, int64_t k, int64_t d)
{
    return m >= LEAST_ROWS && n >= LEAST_ROWS && n <= MOST_COLS && k >= 1 && k <= MOST_DEPTH &&
           d >= 1 && d <= MOST_DEPTH;
}

/* Large chains need enough blocks to occupy the threads of a large machine. */
enum { ENOUGH = 16 };

bool tsr_chain_fits(int64_t batch, int64_t m, int64_t n, int64_t k, int64_t d)
{
    enum { SMALL = 1 << 22 };
    if (!fits_block(m, n, k, d))
        return false;
    int64_t rows = rows_of_block(m, n);
    return batch >= ENOUGH || batch * ((m + rows - 1) / rows) >= ENOUGH ||
           (double)(batch * n * (k + d)) * (double)m <= SMALL;
}

/* Sums are read and written for each block of rows, so they must fit in the cache. If the products are deep, they take
 * so long that going through memory between them costs little: a chain gains nothing. */
bool tsr_chain_fits_tail(int64_t batch, int64_t m, int64_t n, int64_t k, int64_t d)
{
    enum { SMALL = 1 << 20, MOST_TAIL_COLS = 4096, MOST_TAIL_DEPTH = 128, NEAR_SUMS = 1 << 18 };
    int64_t rows = rows_of_tails(n);
    if (!fits_block(m, n, k, d) || n > MOST_TAIL_COLS || k > MOST_TAIL_DEPTH ||
        d > MOST_TAIL_DEPTH || n * d > NEAR_SUMS)
        return false;
    return batch >= ENOUGH || batch * ((m + rows - 1) / rows) >= ENOUGH ||
           (double)(batch * n * (k + d)) * (double)m <= SMALL;
}

/* ---- Packing ---- */

/* Packs lines of a matrix as a panel, [depth][width]; line and step are strides in elements. */
static void pack(const plan *p, const float *src, int64_t line, int64_t step, int64_t lines,
                 int64_t depth, int64_t width, float *out)
{
    p->isa->pack(&(tsr_pack){.src = (const char *)src,
                             .out = out,
                             .line = line * (int64_t)sizeof *src,
                             .step = step * (int64_t)sizeof *src,
                             .lines = lines,
                             .depth = depth,
                             .width = (int)width,
                             .pair = 1,
                             .elem = sizeof *src});
}

/* Packs one panel of B or V of a matrix to its place in panels. */
static void pack_panel(const plan *p, int64_t matrix, int64_t panel, float *panels, bool *finite)
{
    const tsr_chain *c = p->c;
    for (int i = 0; i < c->nfirst; i++) {
        const tsr_chain_first *f = &c->first[i];
        int64_t col = panel * p->cols;
        if (col < p->wide) {
            pack(p, f->b + tsr_batch_at(f->outer, TSR_OF_B, f->b_batch, matrix) + col * f->b_n,
                 f->b_n, f->b_k, tsr_min(p->cols, c->n - col), f->k, p->cols, panels + col * f->k);
            return;
        }
        panel -= p->wide / p->cols;
        panels += p->wide * f->k;
    }
    int64_t col = panel * p->cols;
    float *out = panels + col * c->n;
    pack(p, c->v + tsr_batch_at(c->outer, c->v_of, c->v_batch, matrix) + col * c->v_d, c->v_d,
         c->v_n, tsr_min(p->cols, c->d - col), c->n, p->cols, out);
    finite[panel] = (!c->reach && !c->ntail) || tsr_is_finite(out, c->n * p->cols);
}

static void pack_chunk(void *ctx, int64_t chunk, int worker)
{
    const plan *p = ctx;
    int64_t matrix = chunk / p->npanel;
    (void)worker;
    pack_panel(p, p->first + matrix, chunk % p->npanel, p->panels + matrix * p->packed,
               p->finite + matrix * p->nfinite);
    tsr_poll();
}

/* ---- Blocks of rows ---- */

typedef struct {
    int64_t matrix, row, rows;
    const float *panels;
    const bool *finite;
    float *a, *sums, *part, *out;
    int64_t line; /* row stride of out */
    /* With tails, by block: columns up to the last nonzero; -1: not known yet. */
    int64_t used[TSR_CHAIN_TAILS + 1];
} block;

/* The first row of A that a block reads. */
static const float *first_row(const tsr_chain_first *f, const block *t)
{
    return f->a + tsr_batch_at(f->outer, TSR_OF_A, f->a_batch, t->matrix) + t->row * f->a_m;
}

/* A panel of A * B of which at most half of the columns are needed. */
static void multiply_half(const plan *p, const block *t, const tsr_chain_first *f,
                          const float *panel, float *sums)
{
    int64_t n = p->c->n, half = p->cols / 2;
    for (int64_t i = 0; i < t->rows; i++)
        memset(sums + i * n, 0, (size_t)half * sizeof *sums);
    p->isa->thins->rows[0](first_row(f, t), f->a_m, panel, p->cols, sums, n, t->rows, half, f->k);
}

/* Packs rows of A for tiles as large as there are rows. */
static void pack_rows(const plan *p, const block *t, const tsr_chain_first *f)
{
    const float *from = first_row(f, t);
    for (int64_t i = 0; i < t->rows; i += p->rows) {
        int64_t left = tsr_min(p->rows, t->rows - i);
        pack(p, from + i * f->a_m, f->a_m, f->a_k, left, f->k,
             p->micro->rows[tsr_micro_tile(p->micro, left)], t->a + i * f->k);
    }
}

/* A * B, for the columns that f reads. Rows of A are read in place if their elements are contiguous. Rows of sums have
 * no padding: elements that a tile at the right edge writes into the next row are overwritten by the tiles of the first
 * columns, which run later. */
static void multiply_first(const plan *p, const block *t, const tsr_chain_first *f,
                           const float *panels, float *sums, int64_t reach)
{
    int64_t n = p->c->n;
    const float *from = first_row(f, t);
    const float *lines[MOST_BLOCK + TSR_MICRO_MOST_ROWS];
    bool there = f->a_k == 1 && p->micro->windows[0];
    for (int64_t i = 0; i < tsr_round_up(t->rows, p->rows); i++)
        lines[i] = from + tsr_min(i, t->rows - 1) * f->a_m;
    if (!there)
        pack_rows(p, t, f);
    for (int64_t col = (reach - 1) / p->cols * p->cols; col >= 0 && reach; col -= p->cols) {
        if (there && reach - col <= p->cols / 2) {
            multiply_half(p, t, f, panels + col * f->k, sums + col);
            continue;
        }
        for (int64_t i = 0; i < t->rows; i += p->rows) {
            int size = tsr_micro_tile(p->micro, t->rows - i);
            if (there)
                p->micro->windows[size](lines + i, &(tsr_micro_run){0, f->k}, 1,
                                        panels + col * f->k, sums + i * n + col, n, false, false);
            else
                p->micro->fn[size](t->a + i * f->k, panels + col * f->k, p->cols,
                                   sums + i * n + col, n, f->k, false);
        }
    }
}

/* Number of columns up to the last nonzero one in these rows. The last rows are checked first: under a causal mask they
 * reach farthest. */
static int64_t used_columns(const float *x, int64_t rows, int64_t n)
{
    enum { WORDS = 4, SOME = 32 };
    int64_t reach = 0;
    for (int64_t i = rows; i-- > 0;) {
        const float *row = x + i * n;
        uint64_t word[WORDS], any = 0;
        int64_t end = n;
        while (end - SOME >= reach && !any) {
            uint64_t all[WORDS] = {0};
            for (int64_t k = end - SOME; k < end; k += 2 * WORDS) {
                memcpy(word, row + k, sizeof word);
                for (int m = 0; m < WORDS; m++)
                    all[m] |= word[m];
            }
            any = (all[0] | all[1] | all[2] | all[3]) & UINT64_C(0x7fffffff7fffffff);
            end -= any ? 0 : SOME;
        }
        while (end > reach && row[end - 1] == 0)
            end--;
        reach = end;
    }
    return reach;
}

/* The same for a block of results of f. */
static int64_t used_of(const plan *p, block *t, int number)
{
    if (t->used[number] < 0)
        t->used[number] = used_columns(t->sums + number * p->apart, t->rows, p->c->n);
    return t->used[number];
}

/* Multiplies the rows that f has computed by V. Zeros beyond reach are skipped if V is finite. Rows are read in place:
 * they are in the cache, and too few panels would use packed ones. Each step of the depth starts from zero and is added
 * to the previous ones. */
static void multiply_second(const plan *p, const block *t, int64_t reach)
{
    const tsr_chain *c = p->c;
    const float *panels = t->panels + p->packed - p->deep * c->n;
    int64_t depth = reach > 0 ? reach : 1;
    for (int64_t i = 0; i < t->rows; i++)
        depth = t->sums[i * c->n + c->n - 1] != 0 ? c->n : depth;
    for (int64_t i = 0; i < p->nfinite; i++)
        depth = t->finite[i] ? depth : c->n;
    for (int64_t k = 0; k < depth; k += STEP) {
        float *out = k ? t->part : t->out;
        int64_t line = k ? p->deep : t->line;
        for (int64_t i = 0; i < t->rows; i++)
            memset(out + i * line, 0, (size_t)p->deep * sizeof *out);
        for (int64_t col = 0; col < p->deep; col += p->cols)
            p->isa->thins->rows[0](t->sums + k, c->n, panels + col * c->n + k * p->cols, p->cols,
                                   out + col, line, t->rows, p->cols, tsr_min(STEP, depth - k));
        for (int64_t i = 0; k && i < t->rows; i++)
            for (int64_t col = 0; col < p->deep; col++)
                t->out[i * t->line + col] += out[i * line + col];
    }
}

/* Copies rows to C where its columns are not contiguous or do not fill whole panels. */
static void put_rows(const plan *p, const block *t, float *to)
{
    const tsr_chain *c = p->c;
    for (int64_t k = 0; k < c->d; k++)
        for (int64_t i = 0; i < t->rows; i++)
            to[i * c->c_m + k * c->c_d] = t->out[i * t->line + k];
}

/* All products of a block except the tails. */
static void run_block(const plan *p, block *t, int worker)
{
    const tsr_chain *c = p->c;
    const float *panels = t->panels;
    t->a = p->own + worker * p->own_size;
    t->sums = t->a + p->sums;
    t->part = t->a + p->part;
    t->rows = tsr_min(p->block, c->m - t->row);
    int64_t reach = c->reach ? c->reach(c->ctx, t->matrix * c->m + t->row, t->rows) : c->n;
    for (int i = 0; i < c->nfirst; i++) {
        multiply_first(p, t, &c->first[i], panels, t->sums + i * p->apart, reach);
        panels += p->wide * c->first[i].k;
    }
    c->rows(c->ctx,
            &(tsr_gemm_block){.batch = t->matrix,
                              .row = t->row,
                              .rows = t->rows,
                              .cols = c->n,
                              .at = t->sums,
                              .stride = c->n,
                              .worker = worker},
            p->apart, reach);
    for (int i = 0; i < c->blocks; i++)
        t->used[i] = -1;
    if (!c->d)
        return;
    float *to = c->c + tsr_batch_at(c->outer, TSR_OF_C, c->c_batch, t->matrix) + t->row * c->c_m;
    bool apart = c->c_d != 1 || p->deep > c->d;
    t->out = apart ? t->a + p->out : to;
    t->line = apart ? p->deep : c->c_m;
    multiply_second(p, t, c->ntail ? used_of(p, t, 0) : reach);
    if (apart)
        put_rows(p, t, to);
}

static void block_chunk(void *ctx, int64_t chunk, int worker)
{
    const plan *p = ctx;
    int64_t at = chunk / p->blocks;
    block t = {.matrix = p->first + at,
               .row = chunk % p->blocks * p->block,
               .panels = p->panels + at * p->packed,
               .finite = p->finite + at * p->nfinite};
    run_block(p, &t, worker);
    tsr_poll();
}

/* ---- Tails ---- */

/* A tail as C += L^T R: X is on the left, or on the right if C is transposed. */
typedef struct {
    const tsr_chain_tail *x;
    int64_t rows, cols; /* of C */
    float *c;
    int64_t line; /* its row stride */
    bool near;    /* C is in the worker's scratch, padded to whole tiles */
} tail;

/* Row stride of the sums of a tail in scratch memory, in whole tiles, chosen so that rows do not all map to the same
 * cache set. */
static int64_t tail_line(const plan *p, int64_t cols)
{
    return tsr_round_up(cols, p->cols) + LINE;
}

static int64_t tail_size(const plan *p, const tsr_chain_tail *x)
{
    int64_t n = p->c->n, rows = x->transposed ? x->d : n, cols = x->transposed ? n : x->d;
    return tsr_round_up(rows, p->rows) * tail_line(p, cols);
}

static float *tail_at(const tsr_chain_tail *x, int64_t matrix)
{
    return x->c + tsr_batch_at(x->outer, TSR_OF_C, x->c_batch, matrix);
}

/* Sums go directly to C if it has no gaps and its edges are tile boundaries. */
static tail tail_of(const plan *p, const tsr_chain_tail *x, int64_t matrix, float *near)
{
    int64_t n = p->c->n;
    tail t = {.x = x, .rows = x->transposed ? x->d : n, .cols = x->transposed ? n : x->d};
    int64_t rest = t.rows % p->rows;
    t.near = p->parts > 1 || t.cols % p->cols || x->c_line != t.cols ||
             (rest && p->micro->rows[tsr_micro_tile(p->micro, rest)] != rest);
    t.c = t.near ? near : tail_at(x, matrix);
    t.line = t.near ? tail_line(p, t.cols) : t.cols;
    memset(t.c, 0, (size_t)(t.near ? tail_size(p, x) : n * x->d) * sizeof *t.c);
    return t;
}

/* Packs the first columns of a factor as panels; returns the number of elements. */
static int64_t pack_factor(const plan *p, const block *t, const tail *x, bool left, int64_t columns)
{
    bool is_x = left != x->x->transposed;
    const tsr_chain_tail *of = x->x;
    int64_t n = p->c->n, step = is_x ? n : of->y_m, line = is_x ? 1 : of->y_d;
    const float *from =
        of->y + tsr_batch_at(of->outer, of->y_of, of->y_batch, t->matrix) + t->row * of->y_m;
    if (is_x)
        from = of->block < 0 ? of->x + (t->matrix * p->c->m + t->row) * n
                             : t->sums + of->block * p->apart;
    float *out = t->a + (left ? p->left : p->right);
    int64_t each = left ? p->rows : p->cols, end = 0;
    for (int64_t i = 0; i < columns; i += each) {
        int64_t lines = tsr_min(each, columns - i);
        int64_t width = left ? p->micro->rows[tsr_micro_tile(p->micro, lines)] : each;
        pack(p, from + i * line, line, step, lines, t->rows, width, out + i * t->rows);
        end = (i + width) * t->rows;
    }
    return end;
}

/* Whether all numbers of a packed factor are finite. */
static bool is_finite(float *panels, int64_t n)
{
    int64_t whole = tsr_round_up(n, TSR_FINITE_STEP);
    memset(panels + n, 0, (size_t)(whole - n) * sizeof *panels);
    return tsr_is_finite(panels, whole);
}

/* Adds a block to the sums. Zeros after the last nonzero of X are skipped if Y is finite. */
static void add_tail(const plan *p, block *t, const tail *x)
{
    const tsr_chain_tail *of = x->x;
    int64_t n = p->c->n, rows = x->rows, cols = x->cols, *reach = of->transposed ? &cols : &rows;
    float *left = t->a + p->left, *right = t->a + p->right;
    int64_t end = pack_factor(p, t, x, of->transposed, of->d);
    if (is_finite(of->transposed ? left : right, end))
        *reach = of->block >= 0
                     ? used_of(p, t, of->block)
                     : used_columns(of->x + (t->matrix * p->c->m + t->row) * n, t->rows, n);
    pack_factor(p, t, x, !of->transposed, *reach);
    for (int64_t col = 0; col < cols; col += p->cols)
        for (int64_t i = 0; i < rows; i += p->rows)
            p->micro->fn[tsr_micro_tile(p->micro, rows - i)](
                left + i * t->rows, right + col * t->rows, p->cols, x->c + i * x->line + col,
                x->line, t->rows, true);
}

static void put_tail(const tail *t, int64_t matrix)
{
    float *to = tail_at(t->x, matrix);
    for (int64_t i = 0; t->near && i < t->rows; i++)
        memcpy(to + i * t->x->c_line, t->c + i * t->line, (size_t)t->cols * sizeof *to);
}

/* One matrix of the batch, or a part of its rows. */
static void part_chunk(void *ctx, int64_t chunk, int worker)
{
    const plan *p = ctx;
    const tsr_chain *c = p->c;
    bool parts = p->parts > 1;
    int64_t matrix = chunk / p->parts, row = chunk % p->parts * p->per_part;
    float *own = p->own + worker * p->own_size;
    float *panels = parts ? p->panels + matrix * p->packed : own + p->own_panels;
    float *sums = parts ? p->partial + chunk * p->ends_size : own + p->ends;
    bool *finite = parts ? p->finite + matrix * p->nfinite : (bool *)(own + p->own_finite);
    block t = {.matrix = matrix, .row = row, .panels = panels, .finite = finite};
    tail tails[TSR_CHAIN_TAILS];
    for (int64_t i = 0; i < p->npanel && !parts; i++)
        pack_panel(p, matrix, i, panels, finite);
    for (int i = 0; i < c->ntail; sums += tail_size(p, &c->tails[i++]))
        tails[i] = tail_of(p, &c->tails[i], matrix, sums);
    for (; t.row < tsr_min(row + p->per_part, c->m); t.row += p->block) {
        run_block(p, &t, worker);
        for (int i = 0; i < c->ntail; i++)
            add_tail(p, &t, &tails[i]);
        tsr_poll();
    }
    for (int i = 0; i < c->ntail && !parts; i++)
        put_tail(&tails[i], matrix);
}

/* Adds the sums of the parts of one matrix, in order. */
static void join_chunk(void *ctx, int64_t matrix, int worker)
{
    const plan *p = ctx;
    float *sums = p->partial + matrix * p->parts * p->ends_size;
    tsr_tile_fn *add = tsr_tile_find(TSR_TILE_add, TSR_D_F32);
    (void)worker;
    for (int i = 0; i < p->c->ntail; sums += tail_size(p, &p->c->tails[i++])) {
        const tsr_chain_tail *x = &p->c->tails[i];
        tail t = {.x = x, .rows = x->transposed ? x->d : p->c->n, .near = true, .c = sums};
        t.cols = x->transposed ? p->c->n : x->d;
        t.line = tail_line(p, t.cols);
        for (int64_t part = 1; part < p->parts; part++) {
            const void *both[2] = {sums, sums + part * p->ends_size};
            add(sums, both, (size_t)(t.rows * t.line));
        }
        put_tail(&t, matrix);
    }
    tsr_poll();
}

/* With few matrices their rows are divided into parts, so that there is enough work for the threads of a large
 * machine. */
static void set_parts(plan *p)
{
    int64_t least_parts = (ENOUGH + p->c->batch - 1) / p->c->batch;
    int64_t blocks = (p->blocks + least_parts - 1) / least_parts;
    p->per_part = blocks * p->block;
    p->parts = (p->blocks + blocks - 1) / blocks;
}

/* ---- The whole ---- */

/* Reserves elements of the workers' scratch memory; returns their offset. */
static int64_t take(plan *p, int64_t n)
{
    int64_t at = p->own_size;
    p->own_size += tsr_round_up(n, LINE);
    return at;
}

static void set_tails(plan *p)
{
    const tsr_chain *c = p->c;
    int64_t most = c->n;
    for (int i = 0; i < c->ntail; i++)
        most = c->tails[i].d > most ? c->tails[i].d : most;
    p->left = take(p, p->block * tsr_round_up(most, p->rows) + TSR_FINITE_STEP);
    p->right = take(p, p->block * tsr_round_up(most, p->cols));
    set_parts(p);
    p->own_panels = take(p, p->parts > 1 ? 0 : p->packed);
    p->own_finite = take(p, p->nfinite); /* of one byte each */
    for (int i = 0; i < c->ntail; i++)
        p->ends_size += tail_size(p, &c->tails[i]);
    p->ends = take(p, p->parts > 1 ? 0 : p->ends_size);
}

static void set_blocks(plan *p)
{
    const tsr_chain *c = p->c;
    int64_t k = 0;
    p->isa = tsr_isa_now();
    p->micro = &p->isa->micros[TSR_MICRO_F32];
    p->rows = p->micro->rows[TSR_MICRO_SIZES - 1];
    p->cols = p->micro->cols;
    p->wide = tsr_round_up(c->n, p->cols);
    p->deep = tsr_round_up(c->d, p->cols);
    p->block = c->ntail ? rows_of_tails(c->n) : tsr_round_up(rows_of_block(c->m, p->wide), p->rows);
    p->blocks = (c->m + p->block - 1) / p->block;
    p->nfinite = p->deep / p->cols;
    p->npanel = c->nfirst * (p->wide / p->cols) + p->nfinite;
    p->packed = p->deep * c->n;
    for (int i = 0; i < c->nfirst; i++) {
        p->packed += p->wide * c->first[i].k;
        k = c->first[i].k > k ? c->first[i].k : k;
    }
    p->apart = tsr_round_up(p->block * c->n + p->cols, LINE);
    take(p, p->block * k);
    p->sums = take(p, p->apart * c->blocks);
    p->part = take(p, p->block * p->deep);
    p->out = take(p, p->block * p->deep);
    if (c->ntail)
        set_tails(p);
}

static void run_parts(plan *p)
{
    if (p->parts > 1)
        tsr_pool_for(p->c->batch * p->npanel, pack_chunk, p);
    tsr_pool_for(p->c->batch * p->parts, part_chunk, p);
    if (p->parts > 1)
        tsr_pool_for(p->c->batch, join_chunk, p);
}

static void run_blocks(plan *p, int64_t some)
{
    for (; p->first < p->c->batch; p->first += some) {
        int64_t count = tsr_min(some, p->c->batch - p->first);
        tsr_pool_for(count * p->npanel, pack_chunk, p);
        tsr_pool_for(count * p->blocks, block_chunk, p);
    }
}

/* How many matrices are packed at a time for all threads; 0: each thread packs its own. */
static int64_t matrices_at_once(const plan *p)
{
    int64_t some = MOST_PACKED / ((int64_t)sizeof(float) * p->packed);
    if (p->c->ntail)
        return p->parts > 1 ? p->c->batch : 0;
    return tsr_min(some > 1 ? some : 1, p->c->batch);
}

bool tsr_chain_run(const tsr_chain *c)
{
    plan p = {.c = c};
    set_blocks(&p);
    int64_t some = matrices_at_once(&p);
    int64_t partial = p.parts > 1 ? c->batch * p.parts * p.ends_size : 0;
    int64_t all = some * p.packed + partial + p.own_size * tsr_pool_size();
    size_t size = (size_t)all * sizeof(float);
    char *memory = tsr_scratch_get(c->room, (int64_t)size + some * p.nfinite);
    if (!memory)
        return false;
    p.panels = (float *)memory;
    p.partial = p.panels + some * p.packed;
    p.own = p.partial + partial;
    p.finite = (bool *)(memory + size);
    if (c->ntail)
        run_parts(&p);
    else
        run_blocks(&p, some);
    tsr_scratch_put(memory);
    return true;
}
