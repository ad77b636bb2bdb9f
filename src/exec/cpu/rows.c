/* SPDX-License-Identifier: Apache-2.0 */
/* rows.c - scatters of rows: each position selects one row of a table.
 *
 * Positions are listed, some hundred at a time, so that rows can be prefetched; those outside are left out. Updates of
 * a row are combined in the order of the index by one thread, so the bits do not depend on the number of threads: they
 * divide columns, and the rows of the table by their numbers, each thread listing the positions of its rows only. */
#include "base/scope.h"
#include "base/threads.h"
#include "exec/kernel/isa/isa.h"
#include "exec/cpu/move.h"
#include "exec/places.h"

enum {
    SOME = 512, /* positions that are listed at a time */
    PARTS = 8,  /* of the table's rows, at most */
};

typedef struct {
    const tsr_places_plan *p;
    const char *index, *old, *part; /* old: what chunks copy first; NULL: nothing */
    char *whole;
    tsr_dtype index_type, type;
    int64_t n, bytes;          /* of the table: elements, bytes of one */
    int64_t columns, parts;    /* columns and parts of the rows per chunk */
    int64_t bounds[PARTS + 1]; /* the first row of each part, and the end */
    tsr_join join;
} rows;

typedef struct {
    int32_t row[SOME + 2 * TSR_ROWS_AHEAD], position[SOME + 2 * TSR_ROWS_AHEAD];
    int64_t n;
} list;

/* Whether each position selects a row, contiguous and apart from other ones, that is either inside or outside. */
static bool has_rows(const tsr_places_plan *p)
{
    return p->run > 1 && p->nmap == 1 && !p->nouter && p->nloop == 1 && !p->whole_step[0] &&
           p->index_step[0] == 1 && p->stride[0] >= p->run && p->positions <= INT32_MAX &&
           p->size[0] <= INT32_MAX && tsr_columns_apart(p);
}

/* Row numbers of positions start to start + n; -1: outside, whatever the table's size. held: memory for them. */
static const int32_t *numbers(const rows *w, int64_t start, int64_t n, int32_t *held)
{
    int64_t wide[SOME];
    const char *from = w->index + start * (int64_t)tsr_dtype_bytes(w->index_type);
    if (w->index_type == TSR_D_I32)
        return (const int32_t *)from;
    tsr_convert(TSR_D_I64, wide, w->index_type, from, n); /* a ui64 beyond i64 is negative */
    for (int64_t i = 0; i < n; i++)
        held[i] = wide[i] < 0 || wide[i] > INT32_MAX ? -1 : (int32_t)wide[i];
    return held;
}

/* A part's own rows; the last one has what is after them, too. */
static void copy_part(const rows *w, int64_t part)
{
    int64_t at = w->bounds[part] * w->p->stride[0] * w->bytes;
    int64_t end = part + 1 < w->parts ? w->bounds[part + 1] * w->p->stride[0] : w->n;
    memcpy(w->whole + at, w->old + at, (size_t)(end * w->bytes - at));
}

/* Combines the first n rows of a list with their updates, columns first to end. */
static void combine(const rows *w, const list *l, int64_t n, int64_t first, int64_t end)
{
    const tsr_places_plan *p = w->p;
    tsr_add_rows r = {.whole = w->whole + first * w->bytes,
                      .part = w->part + first * w->bytes,
                      .row = l->row,
                      .position = l->position,
                      .n = n,
                      .cols = end - first,
                      .row_step = p->stride[0],
                      .step = p->part_step[0]};
    if (p->joins && p->tile == TSR_TILE_add && tsr_isa_now()->add_rows(w->type, &r))
        return;
    for (int64_t k = 0; k < n; k++) {
        char *to = (char *)r.whole + l->row[k] * r.row_step * w->bytes;
        const char *next = (char *)r.whole + l->row[k + TSR_ROWS_AHEAD] * r.row_step * w->bytes;
        const char *from = (const char *)r.part + l->position[k] * r.step * w->bytes;
        for (int64_t i = 0; i < r.cols * w->bytes; i += 64)
            __builtin_prefetch(next + i, 1);
        if (p->joins)
            tsr_join_run(&w->join, to, to, from, r.cols);
        else
            memcpy(to, from, (size_t)(r.cols * w->bytes));
    }
}

static void chunk(void *ctx, int64_t number, int worker)
{
    const rows *w = ctx;
    const tsr_places_plan *p = w->p;
    int64_t part = number % w->parts, first = number / w->parts * w->columns, done;
    int64_t end = first + w->columns < p->run ? first + w->columns : p->run;
    int32_t held[SOME];
    list l;
    tsr_row_list to = {l.row, l.position, (uint32_t)w->bounds[part],
                       (uint32_t)(w->bounds[part + 1] - w->bounds[part])};
    (void)worker;
    l.n = 0;
    if (w->old)
        copy_part(w, part);
    for (int64_t start = 0; start < p->positions; start += SOME) {
        int64_t left = p->positions - start, n = left < SOME ? left : SOME;
        l.n = tsr_isa_now()->list_rows(&to, numbers(w, start, n, held), n, (int32_t)start, l.n);
        /* The last ones, which later rows are prefetched for, wait; after the end, any rows are. */
        done = l.n > TSR_ROWS_AHEAD ? l.n - TSR_ROWS_AHEAD : 0;
        if (n == left) {
            memset(l.row + l.n, 0, TSR_ROWS_AHEAD * sizeof *l.row);
            memset(l.position + l.n, 0, TSR_ROWS_AHEAD * sizeof *l.position);
            done = l.n;
        }
        combine(w, &l, done, first, end);
        l.n -= done;
        memmove(l.row, l.row + done, (size_t)l.n * sizeof *l.row);
        memmove(l.position, l.position + done, (size_t)l.n * sizeof *l.position);
        tsr_work(n * (end - first));
    }
    tsr_poll();
}

/* Parts of the rows, beside chunks of columns: as many as there are threads for them. Each thread reads the whole
 * index, so there are not many. */
static int64_t parts_of(const rows *w, int64_t chunks)
{
    enum { LEAST = 1 << 18 }; /* bytes of updates */
    const tsr_places_plan *p = w->p;
    int64_t parts = tsr_pool_size() / chunks;
    if (p->positions * p->run * w->bytes < LEAST || tsr_pool_is_busy() || parts < 1)
        return 1;
    return parts < PARTS ? parts : PARTS;
}

/* Divides the rows so that about the same number of positions select those of each part, as some positions do. Parts
 * are contiguous: otherwise processors would prefetch, and so take from each other, rows that another one changes. */
static void divide(rows *w)
{
    enum { SAMPLES = 64 };
    const tsr_places_plan *p = w->p;
    int32_t sample[SAMPLES];
    int64_t n = 0;
    w->bounds[w->parts] = p->size[0];
    for (int64_t i = 0; i < SAMPLES && w->parts > 1; i++) {
        int32_t held[1], v = *numbers(w, p->positions / SAMPLES * i, 1, held);
        int64_t at = n;
        if (v < 0 || v >= p->size[0])
            continue;
        for (; at > 0 && sample[at - 1] > v; at--)
            sample[at] = sample[at - 1];
        sample[at] = v;
        n++;
    }
    for (int64_t k = 1; k < w->parts; k++)
        w->bounds[k] = n ? sample[n * k / w->parts] : 0;
}

bool tsr_run_rows(const tsr_run *r, const tsr_node *n)
{
    enum { COLUMNS = 64 };
    const tsr_places_plan *p = n->places;
    const tsr_xvalue *x = &r->p->values.data[n->out[0]], *at = &r->p->values.data[n->in[1]];
    if (!has_rows(p))
        return false;
    rows w = {.p = p,
              .index = tsr_run_at(r, n->in[1]),
              .index_type = (tsr_dtype)at->dtype,
              .old = tsr_run_at(r, n->in[0]),
              .whole = r->at[n->out[0]],
              .part = tsr_run_at(r, n->in[2]),
              .type = (tsr_dtype)x->dtype,
              .n = x->n,
              .bytes = tsr_dtype_bytes((tsr_dtype)x->dtype)};
    w.columns = p->run < COLUMNS || p->positions < COLUMNS ? p->run : COLUMNS;
    if (p->joins)
        w.join = tsr_join_of((tsr_tile_op)p->tile, w.type);
    int64_t chunks = (p->run + w.columns - 1) / w.columns;
    w.parts = parts_of(&w, chunks);
    divide(&w);
    if (w.old != w.whole && chunks > 1)
        memcpy(w.whole, w.old, (size_t)(w.n * w.bytes));
    if (w.old == w.whole || chunks > 1)
        w.old = NULL;
    tsr_pool_for(chunks * w.parts, chunk, &w);
    return true;
}
