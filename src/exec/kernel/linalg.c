/* SPDX-License-Identifier: Apache-2.0 */
/* linalg.c - blocked factorizations and triangular solves. See linalg.h.
 *
 * Matrices are halved recursively down to a block, or a panel of few columns, which isa/linalg.c computes; the work
 * between the halves is matrix products, which is nearly all of it. A complex product is four products of real and
 * imaginary parts. */
#include "exec/kernel/linalg.h"

#include <string.h>

#include "base/round.h"
#include "base/scope.h"
#include "base/threads.h"
#include "exec/kernel/isa/isa.h"

enum { PANEL = 32 }; /* columns of a panel, for LU and QR */

static tsr_dtype part_type(tsr_dtype d)
{
    return d == TSR_D_C64 ? TSR_D_F32 : d == TSR_D_C128 ? TSR_D_F64 : d;
}

static const tsr_leaves *leaves_of(tsr_dtype d)
{
    return &tsr_isa_now()->leaves[d == TSR_D_F32 ? 0 : d == TSR_D_F64 ? 1 : d == TSR_D_C64 ? 2 : 3];
}

static int64_t size_of(const tsr_factor *f)
{
    return tsr_dtype_bytes(f->type);
}

/* ---- Views ---- */

static tsr_matrix part_of(const tsr_factor *f, tsr_matrix a, int64_t row, int64_t col)
{
    a.at += (row * a.rs + col * a.cs) * size_of(f);
    return a;
}

static tsr_matrix transposed(tsr_matrix a)
{
    return (tsr_matrix){a.at, a.cs, a.rs, a.conj};
}

static tsr_matrix conjugate(tsr_matrix a)
{
    a.conj = !a.conj;
    return a;
}

static tsr_matrix adjoint_of(tsr_matrix a)
{
    return conjugate(transposed(a));
}

/* ---- Products ---- */

typedef enum { SET, ADD, SUBTRACT } how;

typedef struct {
    void (*add)(void *c, int64_t step, const void *x, int64_t n, bool minus);
    char *c;
    int64_t rs, cs, size;
    bool minus;
} sum;

static void add_block(void *ctx, const tsr_gemm_block *b)
{
    const sum *s = ctx;
    for (int64_t r = 0; r < b->rows; r++)
        s->add(s->c + ((b->row + r) * s->rs + b->col * s->cs) * s->size, s->cs,
               (const char *)b->at + r * b->stride * s->size, b->cols, s->minus);
}

/* Multiplies one part of a and one of b into one part of c; strides are in parts. */
static void part_product(tsr_factor *f, tsr_matrix c, tsr_matrix a, tsr_matrix b, int64_t m,
                         int64_t n, int64_t k, how into)
{
    tsr_dtype part = part_type(f->type);
    if (c.cs > c.rs) { /* compute the transpose: the product of the transposes in reverse order */
        tsr_matrix first = transposed(b);
        b = transposed(a);
        a = first;
        c = transposed(c);
        int64_t rows = n;
        n = m;
        m = rows;
    }
    sum s = {leaves_of(f->type)->add, c.at, c.rs, c.cs, tsr_dtype_bytes(part), into == SUBTRACT};
    tsr_gemm g = {.type = part,
                  .out_type = part,
                  .m = m,
                  .n = n,
                  .k = k,
                  .batch = 1,
                  .a = a.at,
                  .b = b.at,
                  .c = into == SET ? c.at : NULL,
                  .a_m = a.rs,
                  .a_k = a.cs,
                  .b_k = b.rs,
                  .b_n = b.cs,
                  .c_m = into == SET ? c.rs : n,
                  .epilogue = into == SET ? NULL : add_block,
                  .ctx = &s};
    f->starved |= !tsr_gemm_run(&g);
}

static tsr_matrix complex_part(const tsr_factor *f, tsr_matrix a, int which)
{
    return (tsr_matrix){a.at + which * size_of(f) / 2, 2 * a.rs, 2 * a.cs, false};
}

/* c (m x n) = a b, c += a b or c -= a b; k: columns of a. */
static void product(tsr_factor *f, tsr_matrix c, tsr_matrix a, tsr_matrix b, int64_t m, int64_t n,
                    int64_t k, how into)
{
    if (m <= 0 || n <= 0)
        return;
    if (!tsr_dtype_is_complex(f->type)) {
        part_product(f, c, a, b, m, n, k, into);
        return;
    }
    for (int64_t i = 0; into == SET && i < m; i++)
        for (int64_t j = 0; j < n; j++)
            memset(part_of(f, c, i, j).at, 0, (size_t)size_of(f));
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++) {
            bool minus = (into == SUBTRACT) ^ (i && j) ^ (i && a.conj) ^ (j && b.conj);
            part_product(f, complex_part(f, c, i ^ j), complex_part(f, a, i), complex_part(f, b, j),
                         m, n, k, minus ? SUBTRACT : ADD);
        }
}

/* ---- Triangles ---- */

typedef struct {
    const tsr_leaves *leaves;
    tsr_leaf_solve s;
    int64_t cols;
} leaf;

static void solve_chunk(void *ctx, int64_t chunk, int worker)
{
    const leaf *x = ctx;
    int64_t first = chunk * TSR_LEAF;
    x->leaves->solve(&x->s, first, tsr_min(TSR_LEAF, x->cols - first));
    tsr_poll();
    (void)worker;
}

/* Where to divide n: the first half is whole blocks. */
static int64_t half_of(int64_t n, int64_t block)
{
    return (n / 2 + block - 1) / block * block;
}

void tsr_factor_solve(tsr_factor *f, tsr_matrix a, bool upper, bool unit, int64_t n, tsr_matrix b,
                      int64_t cols)
{
    if (n <= TSR_LEAF) {
        leaf x = {.leaves = leaves_of(f->type),
                  .s = {a.at, b.at, a.rs, a.cs, b.rs, b.cs, n, a.conj, upper, unit},
                  .cols = cols};
        tsr_pool_for((cols + TSR_LEAF - 1) / TSR_LEAF, solve_chunk, &x);
        return;
    }
    int64_t h = half_of(n, TSR_LEAF), first = upper ? h : 0, second = upper ? 0 : h;
    int64_t count = upper ? n - h : h; /* size of the half that is solved first */
    tsr_factor_solve(f, part_of(f, a, first, first), upper, unit, count, part_of(f, b, first, 0),
                     cols);
    product(f, part_of(f, b, second, 0), part_of(f, a, second, first), part_of(f, b, first, 0),
            n - count, cols, count, SUBTRACT);
    tsr_factor_solve(f, part_of(f, a, second, second), upper, unit, n - count,
                     part_of(f, b, second, 0), cols);
}

/* c -= a a^H in the lower triangle, and in a few elements of the upper one. */
static void subtract_square(tsr_factor *f, tsr_matrix c, tsr_matrix a, int64_t n, int64_t k)
{
    enum { FEW = 128 };
    if (n <= FEW) {
        product(f, c, a, adjoint_of(a), n, n, k, SUBTRACT);
        return;
    }
    int64_t h = half_of(n, FEW);
    tsr_matrix below = part_of(f, a, h, 0);
    subtract_square(f, c, a, h, k);
    product(f, part_of(f, c, h, 0), below, adjoint_of(a), n - h, h, k, SUBTRACT);
    subtract_square(f, part_of(f, c, h, h), below, n - h, k);
}

int64_t tsr_factor_potrf(tsr_factor *f, tsr_matrix a, int64_t n)
{
    if (n <= TSR_LEAF)
        return leaves_of(f->type)->potrf(a.at, a.rs, a.cs, n);
    int64_t h = half_of(n, TSR_LEAF);
    tsr_matrix below = part_of(f, a, h, 0), rest = part_of(f, a, h, h);
    int64_t info = tsr_factor_potrf(f, a, h);
    if (info)
        return info;
    /* solves x l^H = below for x, as conj(l) x^T = below^T */
    tsr_factor_solve(f, conjugate(a), false, false, h, transposed(below), n - h);
    subtract_square(f, rest, below, n - h, h);
    info = tsr_factor_potrf(f, rest, n - h);
    return info ? info + h : 0;
}

/* ---- Panels ---- */

/* Copies the matrix a (m x n, by rows) to a panel by columns, ld apart, or back. a may also be by columns, but not
 * back. */
static void turn_panel(const tsr_factor *f, tsr_matrix a, int64_t m, int64_t n, char *panel,
                       int64_t ld, bool back)
{
    enum { ROWS = 64 };
    int64_t size = size_of(f);
    for (int64_t j = 0; a.cs != 1 && j < n; j++)
        memcpy(panel + j * ld * size, a.at + j * a.cs * size, (size_t)(m * size));
    for (int64_t i = 0; a.cs == 1 && i < m; i += ROWS) {
        char *by_rows = a.at + i * a.rs * size, *by_columns = panel + i * size;
        int64_t rows = tsr_min(ROWS, m - i);
        if (back)
            tsr_isa_now()->transpose((uint32_t)size, by_columns, ld * size, by_rows, a.rs * size, n,
                                     rows);
        else
            tsr_isa_now()->transpose((uint32_t)size, by_rows, a.rs * size, by_columns, ld * size,
                                     rows, n);
    }
}

int64_t tsr_factor_scratch(tsr_dtype type, int64_t m, int64_t n)
{
    int64_t most = m > n ? m : n;
    return (3 * most + 2 * PANEL) * PANEL * (int64_t)tsr_dtype_bytes(type);
}

static void swap_rows(const tsr_factor *f, tsr_matrix a, int64_t n, const int32_t *pivots,
                      int64_t count)
{
    char some[256];
    for (int64_t i = 0; i < count; i++) {
        char *x = part_of(f, a, i, 0).at, *y = part_of(f, a, pivots[i] - 1, 0).at;
        for (int64_t at = 0, bytes = n * size_of(f); x != y && at < bytes; at += sizeof some) {
            size_t now = (size_t)tsr_min(sizeof some, bytes - at);
            memcpy(some, x + at, now);
            memcpy(x + at, y + at, now);
            memcpy(y + at, some, now);
        }
    }
}

int64_t tsr_factor_getrf(tsr_factor *f, tsr_matrix a, int64_t m, int64_t n, int32_t *pivots)
{
    int64_t k = tsr_min(m, n), h = k <= PANEL ? k : half_of(k, PANEL), info;
    tsr_poll();
    if (k <= PANEL) {
        turn_panel(f, a, m, h, f->scratch, m, false);
        info = leaves_of(f->type)->getrf(f->scratch, m, m, h, pivots);
        turn_panel(f, a, m, h, f->scratch, m, true);
    } else {
        info = tsr_factor_getrf(f, a, m, h, pivots);
    }
    if (h == n)
        return info;
    tsr_matrix right = part_of(f, a, 0, h), below = part_of(f, a, h, 0), rest = part_of(f, a, h, h);
    swap_rows(f, right, n - h, pivots, h);
    tsr_factor_solve(f, a, false, true, h, right, n - h);
    if (h == m)
        return info;
    product(f, rest, below, right, m - h, n - h, h, SUBTRACT);
    int64_t later = tsr_factor_getrf(f, rest, m - h, n - h, pivots + h);
    swap_rows(f, below, h, pivots + h, k - h);
    for (int64_t i = h; i < k; i++)
        pivots[i] += (int32_t)h;
    return info ? info : later ? later + h : 0;
}

/* ---- Blocks of reflectors, whose product is 1 - v t v^H ---- */

typedef struct {
    tsr_matrix v, t; /* v: by columns, in scratch memory */
    int64_t rows, n;
    char *rest; /* unused scratch memory */
} reflectors;

/* Sets v, with explicit zeros and ones, and t, from the reflectors below the panel's diagonal. */
static void set_block(tsr_factor *f, reflectors *r, const void *tau)
{
    int64_t size = size_of(f);
    for (int64_t j = 0; j < r->n; j++) {
        const double one = 1;
        char *col = r->v.at + j * r->v.cs * size;
        memset(col, 0, (size_t)(j * size));
        tsr_convert(f->type, col + j * size, TSR_D_F64, &one, 1);
    }
    tsr_matrix products = {r->rest, r->n, 1, false};
    product(f, products, adjoint_of(r->v), r->v, r->n, r->n, r->rows, SET);
    leaves_of(f->type)->block(r->t.at, products.at, tau, r->n);
}

/* c becomes (1 - v t v^H) c. */
static void apply(tsr_factor *f, const reflectors *r, tsr_matrix v, tsr_matrix t, tsr_matrix c,
                  int64_t cols)
{
    tsr_matrix w = {r->rest, cols, 1, false},
               tw = {r->rest + r->n * cols * size_of(f), cols, 1, false};
    product(f, w, adjoint_of(v), c, r->n, cols, r->rows, SET);
    product(f, tw, t, w, r->n, cols, r->n, SET);
    product(f, c, v, tw, r->rows, cols, r->n, SUBTRACT);
    tsr_poll();
}

static reflectors start_block(const tsr_factor *f, int64_t rows, int64_t n)
{
    int64_t size = size_of(f);
    reflectors r = {.rows = rows, .n = n, .v = {f->scratch, 1, rows, false}};
    r.t = (tsr_matrix){f->scratch + rows * n * size, n, 1, false};
    r.rest = r.t.at + n * n * size;
    return r;
}

void tsr_factor_geqrf(tsr_factor *f, tsr_matrix a, int64_t m, int64_t n, void *tau)
{
    for (int64_t i = 0; i < tsr_min(m, n); i += PANEL) {
        reflectors r = start_block(f, m - i, tsr_min(PANEL, tsr_min(m, n) - i));
        tsr_matrix panel = part_of(f, a, i, i);
        char *taus = (char *)tau + i * size_of(f);
        turn_panel(f, panel, r.rows, r.n, r.v.at, r.rows, false);
        leaves_of(f->type)->geqrf(r.v.at, r.rows, r.rows, r.n, taus);
        turn_panel(f, panel, r.rows, r.n, r.v.at, r.rows, true);
        if (i + r.n == n)
            break;
        set_block(f, &r, taus);
        apply(f, &r, r.v, adjoint_of(r.t), part_of(f, a, i, i + r.n), n - i - r.n);
    }
}

static reflectors load_block(tsr_factor *f, tsr_matrix v, int64_t order, int64_t k, int64_t i,
                             const void *tau)
{
    reflectors r = start_block(f, order - i, tsr_min(PANEL, k - i));
    turn_panel(f, part_of(f, v, i, i), r.rows, r.n, r.v.at, r.rows, false);
    set_block(f, &r, (const char *)tau + i * size_of(f));
    return r;
}

void tsr_factor_ormqr(tsr_factor *f, bool right, bool adjoint, tsr_matrix v, int64_t order,
                      int64_t k, const void *tau, tsr_matrix c, int64_t cols)
{
    int64_t blocks = (k + PANEL - 1) / PANEL;
    bool forward = right != adjoint;
    for (int64_t step = 0; step < blocks; step++) {
        int64_t i = (forward ? step : blocks - 1 - step) * PANEL;
        reflectors r = load_block(f, v, order, k, i, tau);
        tsr_matrix t = adjoint ? adjoint_of(r.t) : r.t;
        apply(f, &r, right ? conjugate(r.v) : r.v, right ? transposed(t) : t, part_of(f, c, i, 0),
              cols);
    }
}

void tsr_factor_orgqr(tsr_factor *f, tsr_matrix v, int64_t m, int64_t n, int64_t k, const void *tau,
                      tsr_matrix out)
{
    const double one = 1;
    bool by_rows = out.cs == 1;
    for (int64_t i = 0; i < (by_rows ? m : n); i++)
        memset(out.at + i * (by_rows ? out.rs : out.cs) * size_of(f), 0,
               (size_t)((by_rows ? n : m) * size_of(f)));
    for (int64_t i = 0; i < n; i++)
        tsr_convert(f->type, part_of(f, out, i, i).at, TSR_D_F64, &one, 1);
    for (int64_t i = (k - 1) / PANEL * PANEL; k > 0 && i >= 0; i -= PANEL) {
        reflectors r = load_block(f, v, m, k, i, tau);
        apply(f, &r, r.v, r.t, part_of(f, out, i, i), n - i);
    }
}
