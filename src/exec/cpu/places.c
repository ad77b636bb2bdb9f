/* SPDX-License-Identifier: Apache-2.0 */
/* places.c - gather and scatter of any form: windows at the positions given by an index operand.
 *
 * A window of a gather is clamped so that it is inside the operand. For a scatter, elements outside are skipped.
 * Updates of the same element are combined in the order of the index. Threads share the positions of a gather, and the
 * columns of the windows of a scatter. Scatters of rows of a table are in rows.c. */
#include "exec/places.h"

#include "base/scope.h"
#include "exec/kernel/isa/isa.h"
#include "exec/cpu/move.h"

typedef struct {
    const tsr_places_plan *p;
    const char *index;
    tsr_dtype index_type;
    char *whole, *part;
    int64_t bytes, each, columns; /* each: positions per chunk; columns: of a run, per chunk */
    tsr_join join;
    bool scatters;
} places;

static inline int64_t number_at(const places *w, int64_t i)
{
    int64_t v = 0;
    if (w->index_type == TSR_D_I32)
        return ((const int32_t *)w->index)[i];
    tsr_convert(TSR_D_I64, &v, w->index_type,
                w->index + i * (int64_t)tsr_dtype_bytes(w->index_type), 1);
    return w->index_type == TSR_D_U64 && v < 0 ? INT64_MAX : v;
}

static inline void put(const places *w, int64_t whole, int64_t part, int64_t n)
{
    char *at = w->whole + whole * w->bytes, *other = w->part + part * w->bytes;
    if (!w->scatters)
        memcpy(other, at, (size_t)(n * w->bytes));
    else if (w->p->joins)
        tsr_join_run(&w->join, at, at, other, n);
    else
        memcpy(at, other, (size_t)(n * w->bytes));
}

/* Handles a window that is partly outside, element by element. */
static void put_inside(const places *w, const int64_t *start, int64_t whole, int64_t part,
                       int64_t first, int64_t end)
{
    const tsr_places_plan *p = w->p;
    int64_t at[TSR_MAX_RANK] = {0}, n = 0;
    do {
        int64_t to = whole, from = part;
        bool inside = n % p->run >= first && n % p->run < end;
        bool named[TSR_MAX_RANK] = {false};
        for (uint8_t i = 0; i < p->nwindow; i++) {
            int8_t k = p->of[i];
            to += at[i] * p->whole_stride[i];
            from += at[i] * p->part_stride[i];
            if (k >= 0) {
                named[k] = true;
                inside &= start[k] > -p->window[i] && start[k] < p->size[k] &&
                          start[k] + at[i] >= 0 && start[k] + at[i] < p->size[k];
            }
        }
        for (uint8_t k = 0; k < p->nmap; k++)
            inside &= named[k] || (start[k] >= 0 && start[k] < p->size[k]);
        for (uint8_t k = 0; inside && k < p->nmap; k++)
            to += start[k] * p->stride[k];
        if (inside)
            put(w, to, from, 1);
        n++;
    } while (tsr_next_index(at, p->window, p->nwindow));
}

static void put_window(const places *w, int64_t index, int64_t whole, int64_t part, int64_t first,
                       int64_t end)
{
    const tsr_places_plan *p = w->p;
    int64_t start[TSR_MAX_RANK], place = whole, at[TSR_MAX_RANK] = {0};
    bool inside = true;
    for (uint8_t k = 0; k < p->nmap; k++) {
        start[k] = number_at(w, index + k * p->vector_step);
        if (!w->scatters)
            start[k] = start[k] < 0 ? 0 : start[k] > p->room[k] ? p->room[k] : start[k];
        inside &= start[k] >= 0 && start[k] <= p->room[k];
        place += inside ? start[k] * p->stride[k] : 0;
    }
    if (!inside) {
        put_inside(w, start, whole, part, first, end);
        return;
    }
    do {
        int64_t to = place, from = part;
        for (uint8_t i = 0; i < p->nouter; i++) {
            to += at[i] * p->whole_stride[i];
            from += at[i] * p->part_stride[i];
        }
        put(w, to + first, from + first, end - first);
    } while (tsr_next_index(at, p->window, p->nouter));
}

/* ---- Contiguous windows ---- */

enum { SOME = 256 }; /* positions whose offsets are computed at a time */

/* Some consecutive positions, along the last dimension of the index. */
typedef struct {
    int64_t index, whole, part, n;
} span;

static int64_t last_step(const tsr_places_plan *p, const int64_t *steps)
{
    return p->nloop ? steps[p->nloop - 1] : 0;
}

/* Reads component k of the index vectors. */
static void read_numbers(const places *w, const span *s, uint8_t k, int64_t *out)
{
    int64_t step = last_step(w->p, w->p->index_step), first = s->index + k * w->p->vector_step;
    const int32_t *narrow = (const int32_t *)w->index + first;
    if (w->index_type == TSR_D_I32)
        for (int64_t i = 0; i < s->n; i++)
            out[i] = narrow[i * step];
    else
        for (int64_t i = 0; i < s->n; i++)
            out[i] = number_at(w, first + i * step);
}

/* Computes the offsets of the windows; -1 in a scatter: partly outside. */
static void find_places(const places *w, const span *s, int64_t *at)
{
    const tsr_places_plan *p = w->p;
    int64_t step = last_step(p, p->whole_step), numbers[SOME];
    for (int64_t i = 0; i < s->n; i++)
        at[i] = s->whole + i * step;
    for (uint8_t k = 0; k < p->nmap; k++) {
        int64_t room = p->room[k], stride = p->stride[k];
        read_numbers(w, s, k, numbers);
        for (int64_t i = 0; i < s->n; i++) {
            int64_t v = numbers[i] < 0 ? 0 : numbers[i] > room ? room : numbers[i];
            bool out = w->scatters && (v != numbers[i] || at[i] < 0);
            at[i] = out ? -1 : at[i] + v * stride;
        }
    }
}

/* Gathers single elements at an offset from the places, by their size. */
#define PICK(T)                        \
    for (int64_t i = 0; i < s->n; i++) \
        ((T *)w->part)[part + i * step] = ((const T *)w->whole)[at[i] + whole];
static bool pick(const places *w, const span *s, const int64_t *at, int64_t whole, int64_t part)
{
    int64_t step = last_step(w->p, w->p->part_step);
    part += s->part;
    switch (w->bytes) {
    case 1: PICK(uint8_t) return true;
    case 2: PICK(uint16_t) return true;
    case 4: PICK(uint32_t) return true;
    case 8: PICK(uint64_t) return true;
    default: return false;
    }
}

/* Whether windows of single elements are gathered to neighbours in the result: element by element of the window for
 * many positions. A scatter handles one position after the other. */
static bool is_by_element(const places *w)
{
    return !w->scatters && w->p->nouter && w->p->run == 1 && w->bytes <= 8 &&
           last_step(w->p, w->p->part_step) == 1;
}

static void run_elements(const places *w, const span *s)
{
    const tsr_places_plan *p = w->p;
    int64_t at[SOME], in[TSR_MAX_RANK] = {0};
    find_places(w, s, at);
    do {
        int64_t whole = 0, part = 0;
        for (uint8_t i = 0; i < p->nouter; i++) {
            whole += in[i] * p->whole_stride[i];
            part += in[i] * p->part_stride[i];
        }
        pick(w, s, at, whole, part);
    } while (tsr_next_index(in, p->window, p->nouter));
}

/* Moves windows of one run each, columns first to end. Of windows partly outside, those with one element are
 * skipped. */
static void run_span(const places *w, const span *s, int64_t first, int64_t end)
{
    const tsr_places_plan *p = w->p;
    int64_t at[SOME], part = last_step(p, p->part_step);
    find_places(w, s, at);
    if (p->run == 1 && !w->scatters && pick(w, s, at, 0, 0))
        return;
    for (int64_t i = 0; i < s->n; i++)
        if (at[i] >= 0)
            put(w, at[i] + first, s->part + i * part + first, end - first);
        else
            put_window(w, s->index + i * last_step(p, p->index_step),
                       s->whole + i * last_step(p, p->whole_step), s->part + i * part, first, end);
}

/* How many positions can be handled at once, from one whose last index is last. */
static int64_t span_of(const places *w, int64_t last, int64_t left)
{
    const tsr_places_plan *p = w->p;
    int64_t most = p->nloop ? p->loop[p->nloop - 1] - last : 1;
    most = most < left ? most : left;
    return p->nouter && !is_by_element(w) ? 1 : most < SOME ? most : SOME;
}

static void run_positions(const places *w, int64_t begin, int64_t stop, int64_t first, int64_t end)
{
    const tsr_places_plan *p = w->p;
    int64_t at[TSR_MAX_RANK] = {0}, left = begin, done;
    span s = {0};
    for (uint8_t d = p->nloop; d-- > 0; left /= p->loop[d]) {
        at[d] = left % p->loop[d];
        s.index += at[d] * p->index_step[d];
        s.whole += at[d] * p->whole_step[d];
        s.part += at[d] * p->part_step[d];
    }
    for (int64_t i = begin; i < stop; i += done) {
        s.n = done = span_of(w, p->nloop ? at[p->nloop - 1] : 0, stop - i);
        if (is_by_element(w))
            run_elements(w, &s);
        else if (p->nouter)
            put_window(w, s.index, s.whole, s.part, first, end);
        else
            run_span(w, &s, first, end);
        for (uint8_t d = p->nloop; d-- > 0;) {
            int64_t by = d == p->nloop - 1 ? done : 1;
            bool ends = (at[d] += by) == p->loop[d];
            by = ends ? by - p->loop[d] : by;
            s.index += by * p->index_step[d];
            s.whole += by * p->whole_step[d];
            s.part += by * p->part_step[d];
            if (!ends)
                break;
            at[d] = 0;
        }
    }
    tsr_poll();
}

static void chunk(void *ctx, int64_t number, int worker)
{
    const places *w = ctx;
    const tsr_places_plan *p = w->p;
    int64_t first = w->scatters ? number * w->columns : 0,
            begin = w->scatters ? 0 : number * w->each;
    int64_t end = first + w->columns, stop = begin + w->each;
    (void)worker;
    run_positions(w, begin, stop < p->positions ? stop : p->positions, first,
                  end < p->run ? end : p->run);
}

void tsr_run_places(const tsr_run *r, const tsr_node *n)
{
    enum { CHUNK = 1 << 15, COLUMNS = 64 };
    const tsr_places_plan *p = n->places;
    bool scatters = n->move == TSR_MOVE_SCATTER;
    if (scatters && tsr_run_rows(r, n))
        return;
    const tsr_xvalue *x = &r->p->values.data[n->out[0]], *at = &r->p->values.data[n->in[1]];
    places w = {.p = p,
                .index = tsr_run_at(r, n->in[1]),
                .index_type = (tsr_dtype)at->dtype,
                .whole = scatters ? r->at[n->out[0]] : tsr_run_at(r, n->in[0]),
                .part = scatters ? tsr_run_at(r, n->in[2]) : r->at[n->out[0]],
                .bytes = tsr_dtype_bytes((tsr_dtype)x->dtype),
                .each = p->positions,
                .columns = p->run,
                .scatters = scatters};
    if (!scatters) {
        int64_t window = x->n / p->positions * w.bytes;
        w.each = window < CHUNK ? CHUNK / window : 1;
        tsr_pool_for((p->positions + w.each - 1) / w.each, chunk, &w);
        return;
    }
    const char *old = tsr_run_at(r, n->in[0]);
    if (w.whole != old)
        memcpy(w.whole, old, (size_t)(x->n * w.bytes));
    if (p->joins)
        w.join = tsr_join_of((tsr_tile_op)p->tile, (tsr_dtype)x->dtype);
    bool few = p->run < COLUMNS || p->positions < COLUMNS;
    w.columns = few || !tsr_columns_apart(p) ? p->run : COLUMNS;
    tsr_pool_for((p->run + w.columns - 1) / w.columns, chunk, &w);
}
