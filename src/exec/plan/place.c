/* SPDX-License-Identifier: Apache-2.0 */
/* place.c - assigns offsets in one arena to values.
 *
 * Several plans are made, and the smallest is used; a plan that reaches the lower bound ends the search; where there are
 * many pieces, one that is near it does.
 * - In order of time, as an allocator that knows the future would: memory of dead values is reused, taking the smallest
 *   gap that fits. Perfect for values of one size.
 * - In order of size, and of size times lifetime: each piece in the smallest gap that fits between those that are live
 *   at the same time. Examining all of them is quadratic, so each such plan has a budget proportional to the number of
 *   pieces; the remaining pieces are small, and are placed above the rest in order of time.
 * - The same with the pieces that are live at the peak first.
 * - Small random changes of the best plan, kept if the plan does not grow: a piece is placed earlier, or at the upper
 *   end of its gap. The random numbers are the same in every run.
 *
 * The time is O(n log n). */
#include "exec/plan/place.h"

#include <stdlib.h>

enum {
    LOOKS = 500,       /* pieces examined per piece of a plan */
    TRIAL_LOOKS = 100, /* the same for all random plans together */
    SOME_LOOKS = 100000,
    FINE = 8, /* classes of gaps for each power of two */
    CLASSES = 64 * FINE,
    TRIES = 8, /* gaps of one class that are compared */
    /* Of more pieces, a plan that is above the lower bound by less than one part in so many is good enough. */
    MANY = 512,
    NEAR = 1024,
};

size_t tsr_place_least(const tsr_piece *all, size_t n, uint32_t nsteps, uint32_t *when)
{
    int64_t *change = tsr_xmalloc(((size_t)nsteps + 2) * sizeof *change);
    memset(change, 0, ((size_t)nsteps + 2) * sizeof *change);
    for (size_t i = 0; i < n; i++) {
        change[all[i].first] += (int64_t)all[i].bytes;
        change[all[i].last + 1] -= (int64_t)all[i].bytes;
    }
    int64_t now = 0, most = 0;
    for (uint32_t s = 0; s <= nsteps; s++) {
        now += change[s];
        if (now > most) {
            most = now;
            *when = s;
        }
    }
    tsr_free(change);
    return (size_t)most;
}

/* ---- In order of time ---- */

/* A piece or a gap of the arena, with its neighbours. */
typedef struct {
    size_t offset, bytes;
    uint32_t before, behind; /* neighbours */
    uint32_t previous, next; /* of a gap: in the list of its class */
    bool is_gap;
} segment;

typedef struct {
    TSR_VEC(segment) segments; /* number 0 is none */
    uint32_t last;             /* the segment at the end */
    uint32_t unused;           /* list of unused segments, by next */
    uint32_t gaps[CLASSES];
    uint64_t has[CLASSES / 64]; /* classes that have gaps */
    size_t end, most;
} sweeper;

static unsigned class_of(size_t bytes)
{
    uint64_t n = bytes / TSR_PLACE_LEAST;
    if (n < FINE)
        return (unsigned)n;
    unsigned top = 63 - (unsigned)__builtin_clzll(n); /* at least 3 */
    return (top - 2) * FINE + (unsigned)(n >> (top - 3) & (FINE - 1));
}

static uint32_t new_segment(sweeper *s, segment made)
{
    uint32_t i = s->unused;
    if (i) {
        s->unused = s->segments.data[i].next;
        s->segments.data[i] = made;
        return i;
    }
    tsr_vec_push(&s->segments, made);
    return (uint32_t)s->segments.n - 1;
}

static void take_gap(sweeper *s, uint32_t i)
{
    segment *x = &s->segments.data[i];
    unsigned c = class_of(x->bytes);
    if (x->previous)
        s->segments.data[x->previous].next = x->next;
    else
        s->gaps[c] = x->next;
    if (x->next)
        s->segments.data[x->next].previous = x->previous;
    if (!s->gaps[c])
        s->has[c / 64] &= ~(1ull << c % 64);
    x->is_gap = false;
}

static void put_gap(sweeper *s, uint32_t i)
{
    segment *x = &s->segments.data[i];
    unsigned c = class_of(x->bytes);
    x->is_gap = true;
    x->previous = 0;
    x->next = s->gaps[c];
    if (x->next)
        s->segments.data[x->next].previous = i;
    s->gaps[c] = i;
    s->has[c / 64] |= 1ull << c % 64;
}

/* A gap of at least so many bytes, about the smallest; 0: none. */
static uint32_t find_gap(const sweeper *s, size_t bytes)
{
    unsigned c = class_of(bytes);
    uint32_t best = 0;
    int tries = 0;
    for (uint32_t i = s->gaps[c]; i && tries < TRIES; i = s->segments.data[i].next, tries++) {
        const segment *x = &s->segments.data[i];
        if (x->bytes >= bytes && (!best || x->bytes < s->segments.data[best].bytes))
            best = i;
    }
    for (unsigned k = c + 1; !best && k < CLASSES; k = (k / 64 + 1) * 64) {
        uint64_t has = s->has[k / 64] >> k % 64;
        if (has)
            best = s->gaps[k + (unsigned)__builtin_ctzll(has)];
    }
    return best;
}

/* Shortens segment i to `bytes` bytes; the remainder becomes a gap after it. */
static void split(sweeper *s, uint32_t i, size_t bytes)
{
    segment x = s->segments.data[i];
    if (x.bytes == bytes)
        return;
    uint32_t rest = new_segment(s, (segment){.offset = x.offset + bytes,
                                             .bytes = x.bytes - bytes,
                                             .before = i,
                                             .behind = x.behind});
    if (x.behind)
        s->segments.data[x.behind].before = rest;
    else
        s->last = rest;
    s->segments.data[i].behind = rest;
    s->segments.data[i].bytes = bytes;
    put_gap(s, rest);
}

static uint32_t claim(sweeper *s, size_t bytes)
{
    uint32_t i = find_gap(s, bytes);
    if (i) {
        take_gap(s, i);
    } else if (s->last && s->segments.data[s->last].is_gap) {
        /* The gap at the end grows. */
        i = s->last;
        take_gap(s, i);
        s->end += bytes - s->segments.data[i].bytes;
        s->segments.data[i].bytes = bytes;
    } else {
        i = new_segment(s, (segment){.offset = s->end, .bytes = bytes, .before = s->last});
        if (s->last)
            s->segments.data[s->last].behind = i;
        s->last = i;
        s->end += bytes;
    }
    split(s, i, bytes);
    s->most = s->end > s->most ? s->end : s->most;
    return i;
}

/* Joins gap i with the gap after it. */
static void absorb(sweeper *s, uint32_t i)
{
    uint32_t gone = s->segments.data[i].behind;
    segment x = s->segments.data[gone];
    s->segments.data[i].bytes += x.bytes;
    s->segments.data[i].behind = x.behind;
    if (x.behind)
        s->segments.data[x.behind].before = i;
    else
        s->last = i;
    s->segments.data[gone].next = s->unused;
    s->unused = gone;
}

static void release(sweeper *s, uint32_t i)
{
    uint32_t behind = s->segments.data[i].behind, before = s->segments.data[i].before;
    if (behind && s->segments.data[behind].is_gap) {
        take_gap(s, behind);
        absorb(s, i);
    }
    if (before && s->segments.data[before].is_gap) {
        take_gap(s, before);
        absorb(s, before);
        i = before;
    }
    put_gap(s, i);
}

/* Lists of pieces by the step in which they begin or end: next[i] follows i, from[step] is the first. */
typedef struct {
    uint32_t *from, *next;
} by_step;

static by_step list_by(const tsr_piece *all, const uint32_t *which, size_t n, size_t total,
                       uint32_t nsteps, bool ends)
{
    by_step l = {.from = tsr_xmalloc(((size_t)nsteps + 2 + total) * sizeof *l.from)};
    l.next = l.from + nsteps + 2;
    memset(l.from, 0xff, ((size_t)nsteps + 2) * sizeof *l.from);
    for (size_t i = n; i-- > 0;) {
        uint32_t step = ends ? all[which[i]].last + 1 : all[which[i]].first;
        l.next[which[i]] = l.from[step];
        l.from[step] = which[i];
    }
    return l;
}

/* Places the pieces which[0..n) of all in order of time, from offset base on; returns the end of the last. */
static size_t sweep(tsr_piece *all, size_t total, const uint32_t *which, size_t n, uint32_t nsteps,
                    size_t base)
{
    sweeper s = {0};
    tsr_vec_push(&s.segments, (segment){0});
    uint32_t *at = tsr_xmalloc((total + 1) * sizeof *at);
    by_step begins = list_by(all, which, n, total, nsteps, false),
            ends = list_by(all, which, n, total, nsteps, true);
    for (uint32_t step = 0; step <= nsteps; step++) {
        for (uint32_t i = ends.from[step]; i != UINT32_MAX; i = ends.next[i])
            release(&s, at[i]);
        for (uint32_t i = begins.from[step]; i != UINT32_MAX; i = begins.next[i]) {
            at[i] = claim(&s, all[i].bytes);
            all[i].offset = base + s.segments.data[at[i]].offset;
        }
    }
    tsr_vec_free(&s.segments);
    tsr_free(at);
    tsr_free(begins.from);
    tsr_free(ends.from);
    return base + s.most;
}

/* ---- In order of size ---- */

typedef struct {
    tsr_piece *all;
    size_t n;
    uint32_t nsteps;
    uint32_t *order, *best_order;
    bool *high, *best_high; /* by piece: it is at the upper end of its gap */
    size_t *best;           /* offsets of the best plan */
    size_t most;            /* its size */
    size_t least;
    uint64_t looks;  /* budget that is left */
    uint64_t random; /* the state of the generator */
    /* Placed pieces, by offset; hits: those that are live at the same time as the current one. */
    uint32_t *first, *last, *hits;
    size_t *start, *end;
    size_t nplaced;
} placing;

static bool is_good(const placing *p)
{
    return p->most <= p->least + (p->n > MANY ? p->least / NEAR : 0);
}

static void put_at(placing *p, size_t k, const tsr_piece *x)
{
    size_t n = p->nplaced++ - k;
    memmove(p->first + k + 1, p->first + k, n * sizeof *p->first);
    memmove(p->last + k + 1, p->last + k, n * sizeof *p->last);
    memmove(p->start + k + 1, p->start + k, n * sizeof *p->start);
    memmove(p->end + k + 1, p->end + k, n * sizeof *p->end);
    p->first[k] = x->first;
    p->last[k] = x->last;
    p->start[k] = x->offset;
    p->end[k] = x->offset + x->bytes;
}

/* Puts x into the smallest gap that fits between pieces live at the same time; high: at its upper end. */
static void fit(placing *p, tsr_piece *x, bool high)
{
    size_t at = 0, best = SIZE_MAX, best_gap = SIZE_MAX, nhit = 0;
    for (size_t k = 0; k < p->nplaced; k++) {
        p->hits[nhit] = (uint32_t)k;
        nhit += (p->last[k] >= x->first) & (p->first[k] <= x->last);
    }
    for (size_t i = 0; i < nhit; i++) {
        size_t start = p->start[p->hits[i]], end = p->end[p->hits[i]];
        if (start > at && start - at >= x->bytes && start - at < best_gap) {
            best = high ? start - x->bytes : at;
            best_gap = start - at;
        }
        at = end > at ? end : at;
    }
    x->offset = best != SIZE_MAX                    ? best
                : high && at + x->bytes <= p->least ? p->least - x->bytes
                                                    : at;
    size_t low = 0, top = p->nplaced;
    while (low < top) {
        size_t middle = (low + top) / 2;
        if (p->start[middle] > x->offset)
            top = middle;
        else
            low = middle + 1;
    }
    put_at(p, low, x);
}

/* Makes a plan with the pieces in p->order, and keeps it if it is not larger than the best. Returns whether it is
 * kept. */
static bool plan(placing *p, uint64_t looks)
{
    size_t most = 0, i = 0;
    p->nplaced = 0;
    for (; i < p->n && looks >= p->nplaced; i++) {
        tsr_piece *x = &p->all[p->order[i]];
        looks -= p->nplaced;
        p->looks -= p->nplaced < p->looks ? p->nplaced : p->looks;
        fit(p, x, p->high[p->order[i]]);
        most = x->offset + x->bytes > most ? x->offset + x->bytes : most;
        if (most > p->most)
            return false;
    }
    if (i < p->n)
        most = sweep(p->all, p->n, p->order + i, p->n - i, p->nsteps, most);
    if (most > p->most)
        return false;
    p->most = most;
    for (size_t k = 0; k < p->n; k++)
        p->best[k] = p->all[k].offset;
    memcpy(p->best_order, p->order, p->n * sizeof *p->order);
    memcpy(p->best_high, p->high, p->n * sizeof *p->high);
    return true;
}

typedef struct {
    double weight;
    uint32_t piece;
} weighed;

static int by_weight(const void *a, const void *b)
{
    const weighed *x = a, *y = b;
    if (x->weight != y->weight)
        return x->weight < y->weight ? 1 : -1;
    return (x->piece > y->piece) - (x->piece < y->piece);
}

typedef enum { BY_SIZE, BY_AREA, BY_PEAK, ORDERS } order_kind;

static void set_order(placing *p, order_kind how, uint32_t peak)
{
    weighed *w = tsr_xmalloc((p->n + 1) * sizeof *w);
    for (size_t i = 0; i < p->n; i++) {
        const tsr_piece *x = &p->all[i];
        w[i] = (weighed){(double)x->bytes, (uint32_t)i};
        if (how == BY_AREA)
            w[i].weight *= x->last - x->first + 1;
        if (how == BY_PEAK && x->first <= peak && x->last >= peak)
            w[i].weight += 1e18 * (x->last - x->first + 1);
    }
    qsort(w, p->n, sizeof *w, by_weight);
    for (size_t i = 0; i < p->n; i++)
        p->order[i] = w[i].piece;
    tsr_free(w);
}

static size_t random_below(placing *p, size_t n)
{
    p->random = p->random * 6364136223846793005u + 1442695040888963407u;
    return (size_t)((p->random >> 33) % n);
}

/* Tries random changes of the best plan until the budget is used up. */
static void try_at_random(placing *p)
{
    memcpy(p->order, p->best_order, p->n * sizeof *p->order);
    p->looks = SOME_LOOKS + (uint64_t)TRIAL_LOOKS * p->n;
    p->random = p->n;
    while (!is_good(p) && p->looks > p->n * p->n / 2 + p->n) {
        p->looks -= p->n;
        for (size_t changes = 1 + random_below(p, 3); changes > 0; changes--) {
            size_t from = random_below(p, p->n), to = random_below(p, from + 1);
            uint32_t x = p->order[from];
            memmove(p->order + to + 1, p->order + to, (from - to) * sizeof *p->order);
            p->order[to] = x;
            p->high[x] ^= random_below(p, 2);
        }
        if (plan(p, UINT64_MAX))
            continue;
        memcpy(p->order, p->best_order, p->n * sizeof *p->order);
        memcpy(p->high, p->best_high, p->n * sizeof *p->high);
    }
}

static void search(placing *p, uint32_t peak)
{
    for (size_t i = 0; i < p->n; i++)
        p->order[i] = p->best_order[i] = (uint32_t)i;
    p->most = sweep(p->all, p->n, p->order, p->n, p->nsteps, 0);
    for (size_t k = 0; k < p->n; k++)
        p->best[k] = p->all[k].offset;
    for (int how = 0; how < ORDERS && !is_good(p); how++) {
        set_order(p, (order_kind)how, peak);
        plan(p, (uint64_t)LOOKS * p->n + SOME_LOOKS);
    }
    if (!is_good(p))
        try_at_random(p);
}

size_t tsr_place_all(tsr_piece *all, size_t n, uint32_t nsteps, size_t least, uint32_t peak)
{
    placing p = {.all = all, .n = n, .nsteps = nsteps, .least = least};
    if (!n)
        return 0;
    uint32_t *small = tsr_xmalloc(5 * (n + 1) * sizeof *small);
    size_t *large = tsr_xmalloc(3 * (n + 1) * sizeof *large);
    p.order = small;
    p.best_order = small + (n + 1);
    p.first = small + 2 * (n + 1);
    p.last = small + 3 * (n + 1);
    p.hits = small + 4 * (n + 1);
    p.start = large;
    p.end = large + (n + 1);
    p.best = large + 2 * (n + 1);
    p.high = memset(tsr_xmalloc(2 * (n + 1) * sizeof *p.high), 0, 2 * (n + 1) * sizeof *p.high);
    p.best_high = p.high + (n + 1);
    search(&p, peak);
    for (size_t i = 0; i < n; i++)
        all[i].offset = p.best[i];
    tsr_free(p.high);
    tsr_free(small);
    tsr_free(large);
    return p.most;
}
