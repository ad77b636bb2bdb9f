/* SPDX-License-Identifier: Apache-2.0 */
/* sort.c - runs sort and top_k.
 *
 * The sorted dimension becomes the last one. Keys that can be derived from the comparator (eval/math/sort_keys.h)
 * become numbers of 32 bits, or pairs of them, each stored with the index of its element; stable radix sorts run from
 * the last key to the first. Threads share the slices. The first k of many elements are found without a sort. Where NaNs
 * have no order, zeros are equal; a slice with NaNs is merged as by the evaluator (merge.c). */
#include <math.h>

#include "base/scope.h"
#include "exec/cpu/merge.h"
#include "exec/cpu/move.h"
#include "exec/kernel/scratch.h"
#include "exec/sort.h"

typedef struct {
    const tsr_run *r;
    const tsr_node *node;
    const tsr_sort_plan *p;
    int64_t each; /* slices of a chunk */
    char *own;    /* per thread: two lists of entries, and keys */
} sorter;

/* The upper half is the key, the lower half the index of the element. */
typedef uint64_t entry;

enum { DIGIT = 11, FEW = 48, MOST_KEPT = 64, BLOCK = 256 };

static void insert(entry *e, int64_t n)
{
    for (int64_t i = 1; i < n; i++) {
        entry v = e[i];
        int64_t k = i;
        for (; k > 0 && e[k - 1] >> 32 > v >> 32; k--)
            e[k] = e[k - 1];
        e[k] = v;
    }
}

/* Sorts e by its upper half, stably. Returns the list that has the result, e or spare. */
static entry *radix_sort(entry *e, entry *spare, int64_t n)
{
    if (n < FEW) {
        insert(e, n);
        return e;
    }
    for (int shift = 32; shift < 64; shift += DIGIT) {
        uint32_t count[1 << DIGIT] = {0}, at = 0;
        const entry mask = (1 << DIGIT) - 1;
        for (int64_t i = 0; i < n; i++)
            count[e[i] >> shift & mask]++;
        if (count[e[0] >> shift & mask] == n)
            continue; /* all digits are equal */
        for (int v = 0; v < 1 << DIGIT; v++) {
            uint32_t k = count[v];
            count[v] = at;
            at += k;
        }
        for (int64_t i = 0; i < n; i++)
            spare[count[e[i] >> shift & mask]++] = e[i];
        entry *t = e;
        e = spare;
        spare = t;
    }
    return e;
}

/* Converts 32-bit floats to integers with the same order. */
static void float_keys(const tsr_sort_key *k, const uint32_t *x, int64_t n, uint64_t *out)
{
    uint32_t flip = k->descending ? UINT32_MAX : 0;
    for (int64_t i = 0; i < n; i++) {
        uint32_t v = x[i], size = v & INT32_MAX;
        v = k->one_nan && size > 0x7F800000u ? 0x7FC00000u : v;
        v = k->one_zero && !size ? 0 : v;
        out[i] = (v ^ (v >> 31 ? UINT32_MAX : (uint32_t)INT32_MAX + 1)) ^ flip;
    }
}

/* Converts keys to integers, of 32 bits if the type has no more. */
static void find_keys(const tsr_sort_key *k, tsr_dtype d, const char *x, int64_t n, uint64_t *out)
{
    if (d == TSR_D_F32) {
        float_keys(k, (const uint32_t *)x, n, out);
        return;
    }
    tsr_sort_numbers(k, d, x, n, out);
    if (tsr_dtype_is_int(d) && tsr_dtype_bits(d) <= 32)
        for (int64_t i = 0; i < n; i++)
            out[i] = (uint32_t)out[i] ^ (tsr_dtype_kind(d) == TSR_K_SINT ? 1u << 31 : 0);
}

static const char *slice_of(const sorter *s, tsr_xid v, int64_t slice, int64_t n)
{
    return tsr_run_at(s->r, v) +
           slice * n * (int64_t)tsr_dtype_bytes((tsr_dtype)s->r->p->values.data[v].dtype);
}

/* ---- NaNs that have no order ---- */

typedef struct {
    const sorter *s;
    int64_t slice;
    const uint64_t *first; /* numbers of the first key */
    uint64_t nan[TSR_MAX_SORT_KEYS];
} slice_keys;

/* The number of a NaN, by key. */
static uint64_t nan_of(const tsr_sort_key *k, tsr_dtype d)
{
    double nan = NAN;
    uint64_t bits = 0, number = 0;
    tsr_convert(d, &bits, TSR_D_F64, &nan, 1);
    find_keys(k, d, (const char *)&bits, 1, &number);
    return number;
}

static bool comes_before(const void *with, uint64_t a, uint64_t b)
{
    const slice_keys *w = with;
    const tsr_sort_plan *p = w->s->p;
    for (size_t k = 0; k < p->nkey; k++) {
        uint64_t x = w->first[a], y = w->first[b];
        if (k) {
            tsr_xid v = w->s->node->in[p->keys[k].operand];
            tsr_dtype d = (tsr_dtype)w->s->r->p->values.data[v].dtype;
            const char *at = slice_of(w->s, v, w->slice, p->n);
            find_keys(&p->keys[k], d, at + a * tsr_dtype_bytes(d), 1, &x);
            find_keys(&p->keys[k], d, at + b * tsr_dtype_bytes(d), 1, &y);
        }
        bool none = p->unordered >> k & 1 && (x == w->nan[k] || y == w->nan[k]);
        if (none || x != y)
            return !none && x < y;
    }
    return false;
}

/* Whether a key without order is NaN somewhere; keys: numbers of key k. */
static bool has_nan(const slice_keys *w, size_t k, const uint64_t *keys)
{
    bool any = false;
    for (int64_t i = 0; w->s->p->unordered >> k & 1 && i < w->s->p->n; i++)
        any |= keys[i] == w->nan[k];
    return any;
}

/* Sorts a slice. */
static const entry *order_of(const sorter *s, int64_t slice, entry *e, entry *spare, uint64_t *keys)
{
    const tsr_sort_plan *p = s->p;
    slice_keys with = {.s = s, .slice = slice, .first = keys};
    bool merges = false;
    for (int64_t i = 0; i < p->n; i++)
        e[i] = (entry)i;
    for (size_t k = p->nkey; k-- > 0;) {
        tsr_xid v = s->node->in[p->keys[k].operand];
        tsr_dtype d = (tsr_dtype)s->r->p->values.data[v].dtype;
        find_keys(&p->keys[k], d, slice_of(s, v, slice, p->n), p->n, keys);
        with.nan[k] = p->unordered >> k & 1 ? nan_of(&p->keys[k], d) : 0;
        merges |= has_nan(&with, k, keys);
        if (merges)
            continue;
        for (int half = 0; half < (tsr_dtype_bits(d) > 32 ? 2 : 1); half++) {
            for (int64_t i = 0; i < p->n; i++)
                e[i] = keys[(uint32_t)e[i]] >> 32 * half << 32 | (uint32_t)e[i];
            entry *got = radix_sort(e, spare, p->n);
            spare = got == e ? spare : e;
            e = got;
        }
    }
    return merges ? tsr_sort_merge(e, spare, p->n, comes_before, &with) : e;
}

/* The first k elements of a long slice, in order: each element that precedes the last of them is inserted. */
static const entry *first_of(const sorter *s, int64_t slice, entry *best)
{
    const tsr_sort_plan *p = s->p;
    tsr_xid v = s->node->in[0];
    tsr_dtype d = (tsr_dtype)s->r->p->values.data[v].dtype;
    const char *x = slice_of(s, v, slice, p->n);
    const float *floats = d == TSR_D_F32 ? (const float *)x : NULL;
    float last = -INFINITY; /* a float below this comes after all found so far */
    uint64_t keys[BLOCK];
    int64_t have = 0;
    for (int64_t i = 0; i < p->n; i++) {
        if (floats && floats[i] < last)
            continue;
        if (i % BLOCK == 0 || floats)
            find_keys(&p->keys[0], d, x + i * (int64_t)tsr_dtype_bytes(d),
                      floats             ? 1
                      : p->n - i < BLOCK ? p->n - i
                                         : BLOCK,
                      keys);
        entry one = (uint64_t)(uint32_t)keys[floats ? 0 : i % BLOCK] << 32 | (uint32_t)i;
        if (have == p->k && one > best[have - 1])
            continue;
        have += have < p->k;
        int64_t at = have - 1;
        for (; at > 0 && best[at - 1] > one; at--)
            best[at] = best[at - 1];
        best[at] = one;
        if (floats && have == p->k)
            last = floats[(uint32_t)best[have - 1]];
    }
    return best;
}

#define PICK(type)                  \
    for (int64_t i = 0; i < n; i++) \
        ((type *)to)[i] = ((const type *)from)[(uint32_t)e[i]];

static void pick(char *to, const char *from, const entry *e, int64_t n, uint32_t bytes)
{
    switch (bytes) {
    case 1: PICK(uint8_t) return;
    case 2: PICK(uint16_t) return;
    case 4: PICK(uint32_t) return;
    case 8: PICK(uint64_t) return;
    default:
        for (int64_t i = 0; i < n; i++)
            memcpy(to + i * bytes, from + (int64_t)(uint32_t)e[i] * bytes, bytes);
    }
}

static void put_places(char *to, const entry *e, int64_t n, bool wide)
{
    for (int64_t i = 0; i < n; i++)
        if (wide)
            ((int64_t *)(void *)to)[i] = (uint32_t)e[i];
        else
            ((int32_t *)(void *)to)[i] = (int32_t)(uint32_t)e[i];
}

static void chunk(void *ctx, int64_t number, int worker)
{
    const sorter *s = ctx;
    const tsr_sort_plan *p = s->p;
    const tsr_xvalue *values = s->r->p->values.data;
    entry *e = (entry *)s->own + worker * 3 * p->n;
    bool few = p->k <= MOST_KEPT && p->k * 4 <= p->n &&
               tsr_dtype_bits((tsr_dtype)values[s->node->in[0]].dtype) <= 32;
    for (int64_t i = number * s->each; i < (number + 1) * s->each && i < p->slices; i++) {
        const entry *order = few ? first_of(s, i, e) : order_of(s, i, e, e + p->n, e + 2 * p->n);
        for (uint32_t k = 0; k < s->node->nout; k++) {
            tsr_xid v = s->node->out[k];
            uint32_t bytes = tsr_dtype_bytes((tsr_dtype)values[v].dtype);
            char *to = (char *)slice_of(s, v, i, p->k);
            if (p->from[k] == TSR_SORT_PLACES)
                put_places(to, order, p->k, bytes == sizeof(int64_t));
            else
                pick(to, slice_of(s, s->node->in[p->from[k]], i, p->n), order, p->k, bytes);
        }
        tsr_poll();
    }
}

bool tsr_run_sort(const tsr_run *r, const tsr_node *n)
{
    enum { CHUNK = 1 << 13 };
    sorter s = {.r = r, .node = n, .p = n->sort};
    s.each = s.p->n < CHUNK ? CHUNK / s.p->n : 1;
    s.own = tsr_scratch_new(r->room, s.p->n * 3 * (int64_t)sizeof(entry) * tsr_pool_size());
    if (s.own)
        tsr_pool_for((s.p->slices + s.each - 1) / s.each, chunk, &s);
    tsr_free(s.own);
    return s.own != NULL;
}
