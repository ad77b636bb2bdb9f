/* chain.c - two products with a loop over rows between them. See chain.h.
 *
 * B and V are packed first, for all rows. Then each block of rows goes through both products on one thread. Blocks are padded to whole tiles. */
#include "exec/kernel/chain.h"

#include "base/scope.h"
#include "base/threads.h"
#include "exec/kernel/isa/isa.h"

enum {
    LEAST_ROWS = 16,        /* fewer are not worth packing B */
    MOST_COLS = 16384,      /* of a row, which is in the cache as a whole */
    MOST_DEPTH = 512,       /* of A * B, in one step; columns of V too */
    NEAR_BYTES = 384 << 10, /* of a block */
    MOST_BLOCK = 48, /* rows: what a causal mask leaves out of a block ends with its last row */
    STEP = 256,      /* of the depth of the second product */
};
static const int64_t MOST_PACKED = (int64_t)48 << 20; /* bytes */

typedef struct {
    const tsr_chain *c;
    const tsr_isa *isa;
    const tsr_micro *micro;
    tsr_micro_fn *multiply;            /* the largest tile */
    int64_t rows, cols;                /* of it */
    int64_t wide, deep;                /* n and d in whole tiles */
    int64_t block, blocks;             /* rows of a block; blocks of a matrix */
    int64_t first, count;              /* matrices that are packed now */
    float *b, *v, *own;                /* panels of B, of V; memory of the workers */
    bool *finite;                      /* by panel of V: whether all its numbers are; with reach */
    int64_t own_size, sums, part, out; /* of own, in elements, and where its parts begin */
} plan;

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static int64_t round_up(int64_t a, int64_t b)
{
    return (a + b - 1) / b * b;
}

/* Rows of a block, about: so many that it is near, and not more than there are. */
static int64_t rows_of_block(int64_t m, int64_t n)
{
    return least(least(NEAR_BYTES / (int64_t)sizeof(float) / n, MOST_BLOCK), m);
}

/* Large ones must have blocks for the threads of a large machine. */
bool tsr_chain_fits(int64_t batch, int64_t m, int64_t n, int64_t k, int64_t d)
{
    enum { ENOUGH = 16, SMALL = 1 << 22 };
    if (m < LEAST_ROWS || n < LEAST_ROWS || n > MOST_COLS || k < 1 || k > MOST_DEPTH || d < 1 ||
        d > MOST_DEPTH)
        return false;
    int64_t rows = rows_of_block(m, n);
    return batch >= ENOUGH || batch * ((m + rows - 1) / rows) >= ENOUGH ||
           (double)(batch * n * (k + d)) * (double)m <= SMALL;
}

/* ---- Packing ---- */

/* Lines of a matrix as a panel, [depth][width]; line and step in elements. */
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

/* A panel of B or of V of one matrix. */
static void pack_chunk(void *ctx, int64_t chunk, int worker)
{
    const plan *p = ctx;
    const tsr_chain *c = p->c;
    int64_t panels_b = p->wide / p->cols, panels_v = p->deep / p->cols;
    int64_t matrix = chunk / (panels_b + panels_v), panel = chunk % (panels_b + panels_v);
    int64_t of = p->first + matrix;
    (void)worker;
    if (panel < panels_b) {
        int64_t col = panel * p->cols;
        pack(p, c->b + of * c->b_batch + col * c->b_n, c->b_n, c->b_k, least(p->cols, c->n - col),
             c->k, p->cols, p->b + (matrix * p->wide + col) * c->k);
    } else {
        int64_t col = (panel - panels_b) * p->cols;
        float *out = p->v + (matrix * p->deep + col) * c->n;
        pack(p, c->v + of * c->v_batch + col * c->v_d, c->v_d, c->v_n, least(p->cols, c->d - col),
             c->n, p->cols, out);
        p->finite[matrix * panels_v + panel - panels_b] =
            !c->reach || tsr_is_finite(out, c->n * p->cols);
    }
    tsr_poll();
}

/* ---- Blocks of rows ---- */

typedef struct {
    int64_t matrix, row, rows;
    float *a, *sums, *part, *out;
    int64_t line; /* from row to row of out */
} block;

/* A * B, as far as the columns are looked at. Rows of sums have no gaps: what a tile at the right border writes into the next row is written again by the tiles of its first
 * columns, which come later. */
static void multiply_first(const plan *p, const block *t, int64_t reach)
{
    const tsr_chain *c = p->c;
    const float *from = c->a + (p->first + t->matrix) * c->a_batch + t->row * c->a_m;
    for (int64_t i = 0; i < t->rows; i += p->rows)
        pack(p, from + i * c->a_m, c->a_m, c->a_k, least(p->rows, t->rows - i), c->k, p->rows,
             t->a + i * c->k);
    for (int64_t col = (reach - 1) / p->cols * p->cols; col >= 0 && reach; col -= p->cols) {
        const float *b = p->b + (t->matrix * p->wide + col) * c->k;
        for (int64_t i = 0; i < t->rows; i += p->rows)
            p->multiply(t->a + i * c->k, b, p->cols, t->sums + i * c->n + col, c->n, c->k, false);
    }
}

/* Rows that f has made, with V. Zeros behind reach are left out where V has finite numbers only. Rows are read where they are: they are near, and would be packed for a few
 * panels only. A step of the depth begins with zeros, and is added to those before. */
static void multiply_second(const plan *p, const block *t, int64_t reach)
{
    const tsr_chain *c = p->c;
    int64_t panels = p->deep / p->cols, depth = reach > 0 ? reach : 1;
    for (int64_t i = 0; i < t->rows; i++)
        depth = t->sums[i * c->n + c->n - 1] != 0 ? c->n : depth;
    for (int64_t i = 0; i < panels; i++)
        depth = p->finite[t->matrix * panels + i] ? depth : c->n;
    for (int64_t k = 0; k < depth; k += STEP) {
        float *out = k ? t->part : t->out;
        int64_t line = k ? p->deep : t->line;
        for (int64_t i = 0; i < t->rows; i++)
            memset(out + i * line, 0, (size_t)p->deep * sizeof *out);
        for (int64_t col = 0; col < p->deep; col += p->cols)
            p->isa->thins->rows[0](t->sums + k, c->n,
                                   p->v + (t->matrix * p->deep + col) * c->n + k * p->cols, p->cols,
                                   out + col, line, t->rows, p->cols, least(STEP, depth - k));
        for (int64_t i = 0; k && i < t->rows; i++)
            for (int64_t col = 0; col < p->deep; col++)
                t->out[i * t->line + col] += out[i * line + col];
    }
}

/* Columns of C that are not side by side, or less than whole panels. */
static void put_rows(const plan *p, const block *t, float *to)
{
    const tsr_chain *c = p->c;
    for (int64_t k = 0; k < c->d; k++)
        for (int64_t i = 0; i < t->rows; i++)
            to[i * c->c_m + k * c->c_d] = t->out[i * t->line + k];
}

static void block_chunk(void *ctx, int64_t chunk, int worker)
{
    const plan *p = ctx;
    const tsr_chain *c = p->c;
    block t = {.matrix = chunk / p->blocks, .row = chunk % p->blocks * p->block};
    t.rows = least(p->block, c->m - t.row);
    t.a = p->own + worker * p->own_size;
    t.sums = t.a + p->sums;
    t.part = t.a + p->part;
    int64_t of = p->first + t.matrix;
    float *to = c->c + of * c->c_batch + t.row * c->c_m;
    bool apart = c->c_d != 1 || p->deep > c->d;
    t.out = apart ? t.a + p->out : to;
    t.line = apart ? p->deep : c->c_m;
    int64_t reach = c->reach ? c->reach(c->ctx, of * c->m + t.row, t.rows) : c->n;
    multiply_first(p, &t, reach);
    c->rows(c->ctx,
            &(tsr_gemm_block){.batch = of,
                              .row = t.row,
                              .rows = t.rows,
                              .cols = c->n,
                              .at = t.sums,
                              .stride = c->n,
                              .worker = worker},
            reach);
    multiply_second(p, &t, reach);
    if (apart)
        put_rows(p, &t, to);
    tsr_poll();
}

/* ---- The whole ---- */

static void set_blocks(plan *p)
{
    const tsr_chain *c = p->c;
    p->isa = tsr_isa_now();
    p->micro = &p->isa->micros[TSR_MICRO_F32];
    p->multiply = p->micro->fn[TSR_MICRO_SIZES - 1];
    p->rows = p->micro->rows[TSR_MICRO_SIZES - 1];
    p->cols = p->micro->cols;
    p->wide = round_up(c->n, p->cols);
    p->deep = round_up(c->d, p->cols);
    p->block = round_up(rows_of_block(c->m, p->wide), p->rows);
    p->blocks = (c->m + p->block - 1) / p->block;
    enum { LINE = 16 }; /* elements */
    p->sums = round_up(p->block * c->k, LINE);
    p->part = p->sums + round_up(p->block * c->n + p->cols, LINE);
    p->out = p->part + round_up(p->block * p->deep, LINE);
    p->own_size = p->out + round_up(p->block * p->deep, LINE);
}

bool tsr_chain_run(const tsr_chain *c)
{
    plan p = {.c = c};
    set_blocks(&p);
    int64_t each = p.wide * c->k + p.deep * c->n, panels = p.deep / p.cols;
    int64_t some = MOST_PACKED / ((int64_t)sizeof(float) * each);
    some = least(some > 1 ? some : 1, c->batch);
    size_t size = (size_t)(some * each + p.own_size * tsr_pool_size()) * sizeof(float);
    char *memory = tsr_malloc_aligned(size + (size_t)(some * panels));
    if (!memory)
        return false;
    p.b = (float *)memory;
    p.v = p.b + some * p.wide * c->k;
    p.own = p.b + some * each;
    p.finite = (bool *)(memory + size);
    for (; p.first < c->batch; p.first += some) {
        p.count = least(some, c->batch - p.first);
        tsr_pool_for(p.count * (p.wide / p.cols + panels), pack_chunk, &p);
        tsr_pool_for(p.count * p.blocks, block_chunk, &p);
    }
    tsr_free(memory);
    return true;
}
