/* SPDX-License-Identifier: Apache-2.0 */
/* gemm_real.c - matrix products of floats in tiles that stay in registers.
 *
 * A block of the second matrix is packed into panels with as many columns as a tile, a strip of the first into panels
 * with as many rows; a tile then adds products along the depth of the block. Every element is summed in order of the
 * depth, and products and sums are rounded separately (no fused multiply-add), so that all machines and all tile sizes
 * give the same numbers. */
#include "eval/math/gemm_real.h"

#include <stdlib.h>

#include "base/round.h"
#include "base/scope.h"

enum {
    ROWS = 256, /* of a block of the result */
    COLS = 512, /* of a block: a multiple of the columns of every tile */
    DEPTH = 256,
    ALIGNMENT = 64, /* of panels, for vectors of any size */
};

/* ---- Tiles ---- */

/* sum[rows][cols] += a[depth][rows] * b[depth][cols]; rows of sum are COLS apart. */
typedef void tile_fn(const void *a, const void *b, void *sum, int64_t depth);

#define TILE(name, attribute, type, bytes, rows, vectors)                                 \
    attribute static void name(const void *a_, const void *b_, void *sum_, int64_t depth) \
    {                                                                                     \
        typedef type vector TSR_VECTOR(bytes);                                            \
        enum { WIDTH = (bytes) / sizeof(type) };                                          \
        const type *a = a_;                                                               \
        const vector *b = b_;                                                             \
        vector acc[rows][vectors];                                                        \
        for (int r = 0; r < (rows); r++)                                                  \
            for (int v = 0; v < (vectors); v++)                                           \
                acc[r][v] = *(const vector *)((const type *)sum_ + r * COLS + v * WIDTH); \
        for (int64_t k = 0; k < depth; k++, a += (rows), b += (vectors))                  \
            for (int r = 0; r < (rows); r++)                                              \
                for (int v = 0; v < (vectors); v++)                                       \
                    acc[r][v] += a[r] * b[v];                                             \
        for (int r = 0; r < (rows); r++)                                                  \
            for (int v = 0; v < (vectors); v++)                                           \
                *(vector *)((type *)sum_ + r * COLS + v * WIDTH) = acc[r][v];             \
    }

/* Loops over rows and vectors must be unrolled for the sums to stay in registers. */
#if defined(__clang__)
#define FAST
#else
#define FAST __attribute__((optimize("O3")))
#endif

TILE(tile_float, FAST, float, 16, 4, 2)
TILE(tile_double, FAST, double, 16, 4, 2)
#if defined(__x86_64__)
TILE(tile_float_256, FAST __attribute__((target("avx2"))), float, 32, 6, 2)
TILE(tile_double_256, FAST __attribute__((target("avx2"))), double, 32, 6, 2)
TILE(tile_float_512, FAST __attribute__((target("avx512f"))), float, 64, 8, 2)
TILE(tile_double_512, FAST __attribute__((target("avx512f"))), double, 64, 8, 2)
#endif

typedef struct {
    tile_fn *add;
    int64_t rows, cols;
} tile;

/* The best tile that this machine supports. */
static tile choose_tile(bool single)
{
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx512f"))
        return single ? (tile){tile_float_512, 8, 32} : (tile){tile_double_512, 8, 16};
    if (__builtin_cpu_supports("avx2"))
        return single ? (tile){tile_float_256, 6, 16} : (tile){tile_double_256, 6, 8};
#endif
    return single ? (tile){tile_float, 4, 8} : (tile){tile_double, 4, 4};
}

/* ---- Packing ---- */

static inline float bfloat(uint16_t bits)
{
    uint32_t wide = (uint32_t)bits << 16;
    float f;
    memcpy(&f, &wide, sizeof f);
    return f;
}

/* Copies n elements of a tensor at first + offset[i], to out with a stride of step; a negative offset gives zero. The
 * offsets of most tensors have a constant stride: the loop then does not read them. */
#define LOOP(type, get)                                                   \
    do {                                                                  \
        if (straight)                                                     \
            for (int64_t i = 0, at = first + offset[0]; i < n; i++, at++) \
                out[i * step] = (type)(get);                              \
        else                                                              \
            for (int64_t i = 0, at = 0; i < n; i++) {                     \
                at = first + offset[i];                                   \
                out[i * step] = offset[i] < 0 ? (type)0 : (type)(get);    \
            }                                                             \
    } while (0)
#define GATHER(name, type)                                                           \
    FAST static void name(const tsr_tensor *t, int64_t first, const int64_t *offset, \
                          bool straight, int64_t n, type *out, int64_t step)         \
    {                                                                                \
        if (first < 0)                                                               \
            for (int64_t i = 0; i < n; i++)                                          \
                out[i * step] = 0;                                                   \
        else if (t->dtype == TSR_D_F32)                                              \
            LOOP(type, ((const float *)t->data)[at]);                                \
        else if (t->dtype == TSR_D_F64)                                              \
            LOOP(type, ((const double *)t->data)[at]);                               \
        else if (t->dtype == TSR_D_BF16)                                             \
            LOOP(type, bfloat(((const uint16_t *)t->data)[at]));                     \
        else                                                                         \
            LOOP(type, tsr_get_double(t, at));                                       \
    }
GATHER(gather_floats, float)
GATHER(gather_doubles, double)

static bool runs_straight(const int64_t *offset, int64_t n)
{
    for (int64_t i = 1; i < n; i++)
        if (offset[i] != offset[0] + i)
            return false;
    return n > 0 && offset[0] >= 0;
}

typedef struct {
    const int64_t *offset;
    int64_t n;
    bool straight;
} line;

static line line_of(const int64_t *offset, int64_t n)
{
    return (line){offset, n, runs_straight(offset, n)};
}

static void gather(bool single, const tsr_tensor *t, int64_t first, line l, void *out, int64_t at,
                   int64_t step)
{
    if (single)
        gather_floats(t, first, l.offset, l.straight, l.n, (float *)out + at, step);
    else
        gather_doubles(t, first, l.offset, l.straight, l.n, (double *)out + at, step);
}

/* Packs rows from r0 on, columns from k0 on, of m: strips with as many rows as a tile, [depth][rows] each. */
static void pack_rows(const tile *t, bool single, const tsr_matrix *m, int64_t r0, int64_t nr,
                      int64_t k0, int64_t nk, void *out)
{
    line depth = line_of(m->col + k0, nk);
    for (int64_t r = 0; r < nr; r++)
        gather(single, m->t, m->row[r0 + r], depth, out, r / t->rows * t->rows * nk + r % t->rows,
               t->rows);
}

/* Packs columns likewise, [depth][cols] each, reading along the dimension with the smaller stride. */
static void pack_cols(const tile *t, bool single, const tsr_matrix *m, int64_t k0, int64_t nk,
                      int64_t c0, int64_t nc, void *out)
{
    bool down =
        nk > 1 && nc > 1 && llabs(m->row[k0 + 1] - m->row[k0]) < llabs(m->col[c0 + 1] - m->col[c0]);
    line depth = line_of(m->row + k0, down ? nk : 0);
    for (int64_t c = 0; c < nc; c += t->cols) {
        line across = line_of(m->col + c0 + c, tsr_min(t->cols, nc - c));
        for (int64_t j = 0; down && j < across.n; j++)
            gather(single, m->t, m->col[c0 + c + j], depth, out, c * nk + j, t->cols);
        for (int64_t k = 0; !down && k < nk; k++)
            gather(single, m->t, m->row[k0 + k], across, out, c * nk + k * t->cols, 1);
    }
}

/* ---- Blocks ---- */

static void store(const tsr_target *out, bool single, const void *sum, int64_t r0, int64_t nr,
                  int64_t c0, int64_t nc)
{
    const int64_t *col = out->col + c0;
    for (int64_t i = 0; i < nr; i++) {
        int64_t row = out->row[r0 + i];
        for (int64_t j = 0; single && j < nc; j++)
            ((float *)out->t->data)[row + col[j]] = ((const float *)sum)[i * COLS + j];
        for (int64_t j = 0; !single && j < nc; j++)
            tsr_set_double(out->t, row + col[j], ((const double *)sum)[i * COLS + j]);
    }
}

typedef struct {
    const tsr_matrix *a, *b;
    const tsr_target *out;
    tile tile;
    bool single;
    size_t size; /* of an element of the panels */
    char *rows, *cols, *sum;
} product;

static void block(const product *p, int64_t r0, int64_t nr, int64_t c0, int64_t nc)
{
    const tile *t = &p->tile;
    int64_t rows = tsr_round_up(nr, t->rows), cols = tsr_round_up(nc, t->cols);
    for (int64_t r = 0; r < rows; r++)
        memset(p->sum + (size_t)(r * COLS) * p->size, 0, (size_t)cols * p->size);
    for (int64_t k0 = 0, nk; k0 < p->a->ncol; k0 += nk) {
        nk = tsr_min(DEPTH, p->a->ncol - k0);
        tsr_work(nr * nc * nk / 4);
        /* Elements beyond the last row or column are computed, and ignored. */
        if (rows != nr)
            memset(p->rows, 0, (size_t)(rows * nk) * p->size);
        if (cols != nc)
            memset(p->cols, 0, (size_t)(cols * nk) * p->size);
        pack_rows(t, p->single, p->a, r0, nr, k0, nk, p->rows);
        pack_cols(t, p->single, p->b, k0, nk, c0, nc, p->cols);
        for (int64_t c = 0; c < nc; c += t->cols)
            for (int64_t r = 0; r < nr; r += t->rows)
                t->add(p->rows + (size_t)(r * nk) * p->size, p->cols + (size_t)(c * nk) * p->size,
                       p->sum + (size_t)(r * COLS + c) * p->size, nk);
    }
    store(p->out, p->single, p->sum, r0, nr, c0, nc);
}

bool tsr_gemm_real(tsr_call *c, const tsr_matrix *a, const tsr_matrix *b, const tsr_target *out)
{
    bool single = out->t->dtype == TSR_D_F32;
    product p = {
        a,    b,    out, choose_tile(single), single, single ? sizeof(float) : sizeof(double),
        NULL, NULL, NULL};
    int64_t nr = tsr_round_up(tsr_min(ROWS, a->nrow), p.tile.rows),
            nc = tsr_round_up(tsr_min(COLS, b->ncol), p.tile.cols);
    size_t depth = (size_t)tsr_round_up(tsr_min(DEPTH, a->ncol), ALIGNMENT) * p.size;
    size_t rows = (size_t)nr * depth, cols = (size_t)nc * depth, sum = (size_t)nr * COLS * p.size;
    char *mem = tsr_malloc_aligned(rows + cols + sum + ALIGNMENT);
    if (!mem)
        return tsr_fail_memory(c, "panels");
    p.rows = mem;
    p.cols = mem + rows;
    p.sum = p.cols + cols;
    for (int64_t r0 = 0; r0 < a->nrow; r0 += ROWS)
        for (int64_t c0 = 0; c0 < b->ncol; c0 += COLS)
            block(&p, r0, tsr_min(ROWS, a->nrow - r0), c0, tsr_min(COLS, b->ncol - c0));
    tsr_free(mem);
    return true;
}
