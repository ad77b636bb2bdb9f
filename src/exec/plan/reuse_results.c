/* SPDX-License-Identifier: Apache-2.0 */
/* reuse_results.c - stores values in the buffers of results that are computed later.
 *
 * A result of the function has a buffer from the beginning of a run, which is unused before the step that computes the
 * result. Values that are live at the peak and dead before that step are stored there, largest first; so is an operand
 * in whose place the result is computed. Then the next peak is handled. For the first few peaks only one value is moved
 * at a time, since a second value of the same peak may take the room that a value of the next peak needs. The number of
 * results examined is proportional to the number of values, so the time is linear. */
#include "exec/plan/place.h"

#include <stdlib.h>

enum {
    HOSTS = 1024, /* the largest results */
    GUESTS = 256, /* values in the buffer of one result */
    ROUNDS = 64,  /* peaks that are handled */
    SINGLE = 16,  /* first peaks, for which one value is moved */
    LOOKS = 256,  /* results, and values in them, examined per value */
    SOME_LOOKS = 10000,
};

typedef struct {
    tsr_xid value;
    size_t bytes;
    uint32_t until; /* the step that computes the result */
    uint8_t width;  /* of an element: values stored here need no larger alignment */
    TSR_VEC(tsr_piece) guests;
} host;

static int largest_host(const void *a, const void *b)
{
    const host *x = a, *y = b;
    return x->bytes != y->bytes ? (x->bytes < y->bytes ? 1 : -1)
                                : (x->value > y->value) - (x->value < y->value);
}

static size_t find_hosts(const tsr_program *p, host **out)
{
    TSR_VEC(host) all = {0};
    for (uint32_t i = 0; i < p->main.nresults; i++) {
        tsr_xid v = tsr_storage_of(p, p->main.results[i]);
        const tsr_xvalue *x = &p->values.data[v];
        if (p->main.owned[i] && !x->donor && x->node != TSR_XNONE && tsr_xvalue_bytes(x))
            tsr_vec_push(&all, ((host){.value = v,
                                       .bytes = (size_t)tsr_xvalue_bytes(x),
                                       .until = x->first,
                                       .width = tsr_dtype_bytes((tsr_dtype)x->dtype)}));
    }
    if (all.n)
        qsort(all.data, all.n, sizeof *all.data, largest_host);
    *out = all.data;
    return all.n < HOSTS ? all.n : HOSTS;
}

/* Finds an offset in a host where the piece overlaps none that is live at the same time; false: none. */
static bool find_room(const host *h, const tsr_piece *g, size_t *at, uint64_t *looks)
{
    *at = 0;
    for (size_t i = 0; i < h->guests.n; i++) {
        const tsr_piece *o = &h->guests.data[i];
        if (!*looks)
            return false;
        --*looks;
        if (o->first > g->last || g->first > o->last || o->offset >= *at + g->bytes ||
            *at >= o->offset + o->bytes)
            continue;
        *at = o->offset + o->bytes;
        i = (size_t)-1; /* start again: pieces are not sorted */
    }
    return *at + g->bytes <= h->bytes;
}

/* The number of hosts with at least `bytes` bytes; hosts are sorted, largest first. */
static size_t count_fitting(const host *hosts, size_t n, size_t bytes)
{
    size_t low = 0;
    while (low < n) {
        size_t middle = (low + n) / 2;
        if (hosts[middle].bytes >= bytes)
            low = middle + 1;
        else
            n = middle;
    }
    return low;
}

static void put(tsr_program *p, host *h, const tsr_piece *guest)
{
    tsr_vec_push(&h->guests, *guest);
    p->values.data[guest->value].host = h->value + 1;
    p->values.data[guest->value].offset = guest->offset;
}

/* Stores a value in the buffer of the result that is computed in its place; it takes the whole buffer up to that
 * step. */
static bool reuse_in_place(tsr_program *p, host *h, const tsr_piece *g, uint64_t *looks)
{
    tsr_piece guest = *g;
    guest.bytes = h->bytes; /* not rounded up as pieces are */
    if (p->values.data[h->value].guest != g->value + 1 || g->last != h->until ||
        h->guests.n == GUESTS || !find_room(h, &guest, &guest.offset, looks) || guest.offset)
        return false;
    put(p, h, &guest);
    p->values.data[h->value].follows = true;
    return true;
}

static bool reuse_one(tsr_program *p, host *hosts, size_t n, const tsr_piece *g, uint64_t *looks)
{
    const tsr_xvalue *x = &p->values.data[g->value];
    size_t fit = count_fitting(hosts, n, tsr_xvalue_bytes(x));
    for (size_t i = fit; i-- > 0 && hosts[i].bytes == tsr_xvalue_bytes(x) && *looks; --*looks)
        if (reuse_in_place(p, &hosts[i], g, looks))
            return true;
    for (size_t i = count_fitting(hosts, n, g->bytes); i-- > 0 && *looks;) { /* smallest first */
        --*looks;
        host *h = &hosts[i];
        tsr_piece guest = *g;
        if (h->guests.n == GUESTS || g->last >= h->until ||
            tsr_dtype_bytes((tsr_dtype)x->dtype) > h->width ||
            !find_room(h, g, &guest.offset, looks))
            continue;
        put(p, h, &guest);
        return true;
    }
    return false;
}

static int largest_piece(const void *a, const void *b)
{
    const tsr_piece *x = *(tsr_piece *const *)a, *y = *(tsr_piece *const *)b;
    return x->bytes != y->bytes ? (x->bytes < y->bytes ? 1 : -1)
                                : (x->value > y->value) - (x->value < y->value);
}

/* Of the values live at a step, stores those that find room, `most` at most; their pieces then have 0 bytes. */
static bool reuse_at(tsr_program *p, host *hosts, size_t n, tsr_piece *all, size_t npiece,
                     uint32_t step, size_t most, uint64_t *looks)
{
    TSR_VEC(tsr_piece *) alive = {0};
    for (size_t i = 0; i < npiece; i++)
        if (all[i].bytes && all[i].first <= step && step <= all[i].last)
            tsr_vec_push(&alive, &all[i]);
    if (alive.n)
        qsort(alive.data, alive.n, sizeof *alive.data, largest_piece);
    size_t found = 0;
    for (size_t i = 0; i < alive.n && found < most && *looks; i++)
        if (reuse_one(p, hosts, n, alive.data[i], looks)) {
            alive.data[i]->bytes = 0;
            found++;
        }
    tsr_vec_free(&alive);
    return found;
}

size_t tsr_reuse_results(tsr_program *p, tsr_piece *all, size_t n)
{
    host *hosts;
    size_t nhost = find_hosts(p, &hosts);
    uint64_t looks = SOME_LOOKS + LOOKS * (uint64_t)n;
    for (int round = 0; nhost && round < ROUNDS; round++) {
        uint32_t when = 0;
        if (!tsr_place_least(all, n, p->nsteps, &when) ||
            !reuse_at(p, hosts, nhost, all, n, when, round < SINGLE ? 1 : n, &looks))
            break;
    }
    for (size_t i = 0; i < nhost; i++)
        tsr_vec_free(&hosts[i].guests);
    tsr_free(hosts);
    size_t kept = 0;
    for (size_t i = 0; i < n; i++)
        if (all[i].bytes)
            all[kept++] = all[i];
    return kept;
}
