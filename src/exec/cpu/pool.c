/* SPDX-License-Identifier: Apache-2.0 */
/* pool.c - runs windowed reductions on the operand in place: padding is never in memory.
 *
 * Each result of a block has an accumulator, initialized with the second operand. Then the elements of the windows are
 * added, one window position after the other, where they are inside the operand. Narrow floats are rounded at the end,
 * or with strict rounding after each step. */
#include "base/threads.h"
#include "exec/cpu/move.h"

enum { BLOCK = 512, CHUNK = 1 << 14 };

/* A dimension with windows of `size` elements; its elements are line elements apart. */
typedef struct {
    int64_t size, stride, dilation, low, in, out, line;
} span;

typedef struct {
    tsr_join join;
    tsr_dtype type, wide;
    const char *in, *init;
    char *out;
    bool strict;
    uint8_t rank;             /* number of dimensions before the last one with windows */
    span dims[TSR_VIEW_RANK]; /* dims[rank] is the last one */
    int64_t inner;            /* contiguous elements that have the same windows */
    /* Positions of the last dimension, or inner elements, per block; blocks per line. */
    int64_t each, blocks;
    int64_t nblock, per_chunk;
} pool;

/* Narrows [first, end) to the results whose element at position k of the window is inside. */
static void inside(const span *d, int64_t k, int64_t *first, int64_t *end)
{
    int64_t at = k * d->dilation - d->low, last = d->in - 1 - at;
    int64_t from = at >= 0 ? 0 : (-at + d->stride - 1) / d->stride;
    int64_t to = last < 0 ? 0 : last / d->stride + 1;
    *first = *first > from ? *first : from;
    *end = *end < to ? *end : to;
}

/* Combines n elements, which are step elements apart, with those of the accumulator. */
static void join(const pool *p, char *sum, const char *from, int64_t step, int64_t n)
{
    _Alignas(64) char near[BLOCK * 8], wide[BLOCK * 8];
    const void *in[2] = {sum, from}, *one[1] = {near};
    if (step != 1) {
        tsr_load_strided(near, from, step, n, (uint32_t)p->join.bytes);
        in[1] = near;
    }
    if (p->join.widen) {
        one[0] = in[1];
        p->join.widen(wide, one, (size_t)n);
        in[1] = wide;
    }
    p->join.fn(sum, in, (size_t)n);
    if (p->strict && p->join.narrow) {
        const void *rounded[1] = {near};
        one[0] = sum;
        p->join.narrow(near, one, (size_t)n);
        p->join.widen(sum, rounded, (size_t)n);
    }
}

/* Adds elements along the last dimension: results from first up to end, or some inner elements of one; x: the beginning
 * of the line. */
static void along_line(const pool *p, char *sum, const char *x, int64_t first, int64_t end,
                       int64_t skip, int64_t width)
{
    const span *d = &p->dims[p->rank];
    int64_t wide = tsr_dtype_bytes(p->wide);
    for (int64_t k = 0; k < d->size; k++) {
        int64_t from = first, to = end;
        inside(d, k, &from, &to);
        if (from >= to)
            continue;
        int64_t at = from * d->stride + k * d->dilation - d->low;
        const char *src = x + (at * p->inner + skip) * p->join.bytes;
        char *dst = sum + (from - first) * width * wide;
        if (p->inner == 1) {
            join(p, dst, src, d->stride, to - from);
        } else if (d->stride == 1 && width == p->inner) {
            join(p, dst, src, 1, (to - from) * width);
        } else {
            for (; from < to; from++, dst += width * wide)
                join(p, dst, src, 1, width), src += d->stride * p->inner * p->join.bytes;
        }
    }
}

static void run_block(const pool *p, int64_t number)
{
    _Alignas(64) char sums[BLOCK * 8];
    const span *d = &p->dims[p->rank];
    int64_t left = number / p->blocks, block = number % p->blocks, index[TSR_VIEW_RANK];
    int64_t first = block * p->each, end = first + p->each, skip = 0, width = p->inner;
    if (p->inner > BLOCK) { /* some elements of one position */
        int64_t pieces = p->blocks / d->out;
        first = block / pieces;
        end = first + 1;
        skip = block % pieces * BLOCK;
        width = p->inner - skip < BLOCK ? p->inner - skip : BLOCK;
    }
    end = end < d->out ? end : d->out;
    char *to = p->out + ((left * d->out + first) * p->inner + skip) * p->join.bytes;
    int64_t n = (end - first) * width, at[TSR_VIEW_RANK] = {0}, sizes[TSR_VIEW_RANK];
    for (int i = p->rank - 1; i >= 0; i--) {
        index[i] = left % p->dims[i].out;
        left /= p->dims[i].out;
        sizes[i] = p->dims[i].size;
    }
    tsr_tile_splat(p->wide, sums, p->init, (size_t)n);
    do {
        int64_t place = 0;
        bool in = true;
        for (uint8_t i = 0; i < p->rank && in; i++) {
            const span *s = &p->dims[i];
            int64_t x = index[i] * s->stride + at[i] * s->dilation - s->low;
            in = x >= 0 && x < s->in;
            place += x * s->line;
        }
        if (in)
            along_line(p, sums, p->in + place * p->join.bytes, first, end, skip, width);
    } while (tsr_next_index(at, sizes, p->rank));
    const void *made[1] = {sums};
    if (p->join.narrow)
        p->join.narrow(to, made, (size_t)n);
    else
        memcpy(to, sums, (size_t)(n * p->join.bytes));
}

static void run_chunk(void *ctx, int64_t chunk, int worker)
{
    const pool *p = ctx;
    int64_t end = (chunk + 1) * p->per_chunk;
    (void)worker;
    for (int64_t i = chunk * p->per_chunk; i < end && i < p->nblock; i++)
        run_block(p, i);
}

void tsr_run_window(const tsr_run *r, const tsr_node *n)
{
    const tsr_xvalue *x = &r->p->values.data[n->in[0]], *to = &r->p->values.data[n->out[0]];
    uint8_t rank = to->rank, last = 0;
    uint64_t init = 0;
    const int64_t *w = n->numbers + 1;
    int64_t taps = 1, line = 1;
    pool p = {.type = (tsr_dtype)to->dtype,
              .wide = tsr_register_type((tsr_dtype)to->dtype),
              .in = tsr_run_at(r, n->in[0]),
              .out = r->at[n->out[0]],
              .strict = r->p->strict,
              .init = (char *)&init,
              .inner = 1};
    p.join = tsr_join_of((tsr_tile_op)n->numbers[0], p.type);
    tsr_convert(p.wide, &init, p.type, tsr_run_at(r, n->in[1]), 1);
    for (int i = rank - 1; i >= 0; i--, line *= x->dims[i + 1]) {
        p.dims[i] = (span){w[i],        w[rank + i], w[2 * rank + i], w[3 * rank + i], x->dims[i],
                           to->dims[i], line};
        taps = taps < CHUNK ? taps * w[i] : CHUNK;
    }
    for (uint8_t i = 0; i < rank; i++) {
        const span *d = &p.dims[i];
        if (d->size != 1 || d->stride != 1 || d->low || d->in != d->out)
            last = i;
    }
    p.rank = last;
    p.inner = p.dims[last].line;
    int64_t out = p.dims[last].out, rows = 1;
    for (uint8_t i = 0; i < last; i++)
        rows *= p.dims[i].out;
    p.each = p.inner > BLOCK ? 1 : BLOCK / p.inner;
    p.blocks =
        p.inner > BLOCK ? out * ((p.inner + BLOCK - 1) / BLOCK) : (out + p.each - 1) / p.each;
    p.nblock = rows * p.blocks;
    p.per_chunk = CHUNK / (BLOCK * (taps < CHUNK / BLOCK ? taps : CHUNK / BLOCK));
    tsr_pool_for((p.nblock + p.per_chunk - 1) / p.per_chunk, run_chunk, &p);
}
