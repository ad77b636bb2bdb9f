/* SPDX-License-Identifier: Apache-2.0 */
/* pick.c - select_and_scatter: a comparison picks one element of each window, to which the window's source number is
 * added. This is the gradient of max pooling.
 *
 * Slices of the leading dimensions without windows run in parallel; within a slice, numbers are added in the order of
 * windows, as in the evaluator. Elements of the dimensions after the last one with windows are picked together. */
#include "base/scope.h"
#include "base/threads.h"
#include "exec/cpu/move.h"

enum { BLOCK = 128 }; /* elements that are picked at a time */

typedef struct {
    int64_t size, stride, low, in, out, line;
} span;

typedef struct {
    const char *x, *from, *init;
    char *out;
    uint8_t type;       /* f32, f64, i64 or ui64 */
    uint8_t how;        /* the comparison that keeps the first of two */
    uint8_t first, end; /* range of dimensions that contains all those with windows */
    span dims[TSR_VIEW_RANK];
    /* Elements of a slice, of x and of the source; contiguous elements that are picked together. */
    int64_t each, each_from, inner;
} pick;

/* The position in x of an element of a window; -1: outside. */
static int64_t place_in(const pick *p, const int64_t *window, const int64_t *at)
{
    int64_t place = 0;
    for (uint8_t i = p->first; i < p->end; i++) {
        const span *d = &p->dims[i];
        int64_t k = window[i] * d->stride + at[i] - d->low;
        if (k < 0 || k >= d->in)
            return -1;
        place += k * d->line;
    }
    return place;
}

/* Updates n picked elements with those at place, except where the comparison keeps the old ones. */
#define TAKE(type, keeps)                        \
    for (int64_t i = 0; i < n; i++) {            \
        type a = best[i], b = x[place + i];      \
        bool stays = a keeps b;                  \
        best[i] = stays ? a : b;                 \
        where[i] = stays ? where[i] : place + i; \
    }

#define PICK(type)                                                                               \
    static void pick_##type(const pick *p, int64_t number)                                       \
    {                                                                                            \
        const type *x = (const type *)p->x + number * p->each;                                   \
        const type *from = (const type *)p->from + number * p->each_from;                        \
        type *out = (type *)p->out + number * p->each, best[BLOCK];                              \
        int64_t window[TSR_VIEW_RANK] = {0}, sizes[2][TSR_VIEW_RANK], where[BLOCK];              \
        for (uint8_t i = p->first; i < p->end; i++) {                                            \
            sizes[0][i] = p->dims[i].out;                                                        \
            sizes[1][i] = p->dims[i].size;                                                       \
        }                                                                                        \
        for (int64_t i = 0; i < p->each; i++)                                                    \
            out[i] = *(const type *)p->init;                                                     \
        do {                                                                                     \
            for (int64_t c = 0; c < p->inner; c += BLOCK, from += BLOCK) {                       \
                int64_t n = p->inner - c < BLOCK ? p->inner - c : BLOCK;                         \
                int64_t at[TSR_VIEW_RANK] = {0};                                                 \
                bool any = false;                                                                \
                do {                                                                             \
                    int64_t place = place_in(p, window, at);                                     \
                    if (place < 0)                                                               \
                        continue;                                                                \
                    place += c;                                                                  \
                    if (!any) {                                                                  \
                        for (int64_t i = 0; i < n; i++) {                                        \
                            best[i] = x[place + i];                                              \
                            where[i] = place + i;                                                \
                        }                                                                        \
                    } else if (p->how == TSR_TILE_compare_ge) {                                  \
                        TAKE(type, >=)                                                           \
                    } else if (p->how == TSR_TILE_compare_gt) {                                  \
                        TAKE(type, >)                                                            \
                    } else if (p->how == TSR_TILE_compare_le) {                                  \
                        TAKE(type, <=)                                                           \
                    } else {                                                                     \
                        TAKE(type, <)                                                            \
                    }                                                                            \
                    any = true;                                                                  \
                } while (tsr_next_index(at + p->first, sizes[1] + p->first, p->end - p->first)); \
                for (int64_t i = 0; any && i < n; i++)                                           \
                    out[where[i]] += from[i];                                                    \
                from -= BLOCK - n;                                                               \
            }                                                                                    \
        } while (tsr_next_index(window + p->first, sizes[0] + p->first, p->end - p->first));     \
    }
PICK(float)
PICK(double)
PICK(int64_t)
PICK(uint64_t)

static void chunk_of(void *ctx, int64_t chunk, int worker)
{
    const pick *p = ctx;
    (void)worker;
    switch (p->type) {
    case TSR_D_F32: pick_float(p, chunk); break;
    case TSR_D_F64: pick_double(p, chunk); break;
    case TSR_D_I64: pick_int64_t(p, chunk); break;
    default: pick_uint64_t(p, chunk);
    }
    tsr_poll();
}

void tsr_run_pick(const tsr_run *r, const tsr_node *n)
{
    const tsr_xvalue *x = &r->p->values.data[n->in[0]], *from = &r->p->values.data[n->in[1]];
    const int64_t *w = n->numbers + 1;
    uint8_t rank = x->rank;
    int64_t line = 1, count = 1;
    pick p = {.x = tsr_run_at(r, n->in[0]),
              .from = tsr_run_at(r, n->in[1]),
              .init = tsr_run_at(r, n->in[2]),
              .out = r->at[n->out[0]],
              .type = x->dtype,
              .how = (uint8_t)n->numbers[0],
              .first = rank,
              .inner = 1};
    for (int i = rank - 1; i >= 0; i--, line *= x->dims[i + 1]) {
        p.dims[i] = (span){w[i], w[rank + i], w[2 * rank + i], x->dims[i], from->dims[i], line};
        const span *d = &p.dims[i];
        bool windows = d->size != 1 || d->stride != 1 || d->low || d->in != d->out;
        p.first = windows ? (uint8_t)i : p.first;
        p.end = windows && !p.end ? (uint8_t)(i + 1) : p.end;
    }
    for (uint8_t i = 0; i < p.first; i++)
        count *= x->dims[i];
    for (uint8_t i = p.end; i < rank; i++)
        p.inner *= x->dims[i];
    p.first = p.end ? p.first : 0;
    count = p.end ? count : 1;
    p.each = x->n / count;
    p.each_from = from->n / count;
    tsr_pool_for(count, chunk_of, &p);
}
