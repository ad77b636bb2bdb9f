/* SPDX-License-Identifier: Apache-2.0 */
/* axis.c - see axis.h. */
#include "shard/core/axis.h"

#include "base/str.h"

/* ---- One axis ---- */

static int64_t most(int64_t a, int64_t b)
{
    return a < b ? b : a;
}

bool tsr_axis_fits(tsr_axis a, tsr_axis b)
{
    if (a.axis != b.axis)
        return true;
    int64_t start = most(a.pre, b.pre), end = tsr_min(tsr_axis_end(a), tsr_axis_end(b));
    if (end <= start)
        return start % end == 0;
    return end % start == 0 && start % tsr_min(a.pre, b.pre) == 0 &&
           most(tsr_axis_end(a), tsr_axis_end(b)) % end == 0;
}

bool tsr_axis_before(tsr_axis a, tsr_axis b, tsr_axis *out)
{
    *out = a;
    if (a.axis != b.axis)
        return true;
    if (!tsr_axis_fits(a, b))
        return false;
    if (!tsr_axis_overlaps(a, b))
        return true;
    out->size = b.pre / a.pre;
    return a.pre < b.pre;
}

bool tsr_axis_behind(tsr_axis a, tsr_axis b, tsr_axis *out)
{
    *out = a;
    if (a.axis != b.axis)
        return true;
    if (!tsr_axis_fits(a, b))
        return false;
    if (!tsr_axis_overlaps(a, b))
        return true;
    out->pre = tsr_axis_end(b);
    out->size = tsr_axis_end(a) / tsr_axis_end(b);
    return tsr_axis_end(a) > tsr_axis_end(b);
}

bool tsr_axis_common(tsr_axis a, tsr_axis b, tsr_axis *out)
{
    if (!tsr_axis_overlaps(a, b) || !tsr_axis_fits(a, b))
        return false;
    int64_t start = most(a.pre, b.pre);
    *out = (tsr_axis){a.axis, start, tsr_min(tsr_axis_end(a), tsr_axis_end(b)) / start};
    return true;
}

bool tsr_axis_common_prefix(tsr_axis a, tsr_axis b, tsr_axis *out)
{
    *out = tsr_axis_prefix_of(a, b) ? a : b;
    return a.axis == b.axis && tsr_axis_fits(a, b) &&
           (tsr_axis_prefix_of(a, b) || tsr_axis_prefix_of(b, a));
}

/* ---- Interning ---- */

static uint64_t hash_axes(const tsr_axis *axes, size_t n)
{
    uint64_t h = n;
    for (size_t i = 0; i < n; i++)
        h = tsr_hash_mix(tsr_hash_mix(h, axes[i].axis ^ (uint64_t)axes[i].pre << 32),
                         (uint64_t)axes[i].size);
    return h;
}

static bool same(const tsr_axis *a, const tsr_axis *b, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!tsr_axis_eq(a[i], b[i]))
            return false;
    return true;
}

const tsr_axes *tsr_axes_get(tsr_axis_lists *lists, const tsr_axis *axes, size_t n)
{
    if (!n && lists->none)
        return lists->none;
    uint64_t h = hash_axes(axes, n);
    TSR_MAP_EACH (&lists->map, h, found) {
        const tsr_axes *old = found;
        if (old->n == n && same(old->data, axes, n))
            return old;
    }
    tsr_axes *new = tsr_arena_alloc(lists->arena, sizeof *new + n * sizeof *axes);
    *new = (tsr_axes){.n = (uint32_t)n, .id = lists->map.n, .size = 1};
    for (size_t i = 0; i < n; i++) {
        tsr_assert(axes[i].pre > 0 && axes[i].size > 0, "sub-axis (%lld)%lld of axis %u",
                   (long long)axes[i].pre, (long long)axes[i].size, axes[i].axis);
        new->data[i] = (tsr_axis){.axis = axes[i].axis, .pre = axes[i].pre, .size = axes[i].size};
        bool fits = new->size <= INT64_MAX / axes[i].size;
        new->size = fits ? new->size *axes[i].size : INT64_MAX;
    }
    tsr_map_put(&lists->map, h, new);
    return new;
}

void tsr_axis_lists_init(tsr_axis_lists *lists, tsr_arena *arena)
{
    *lists = (tsr_axis_lists){.arena = arena};
    lists->none = tsr_axes_get(lists, NULL, 0);
}

void tsr_axis_lists_free(tsr_axis_lists *lists)
{
    tsr_map_free(&lists->map);
}

/* ---- Building lists of axes, on the stack if they are short, as nearly always ---- */

enum { FEW = 16 };

typedef struct {
    tsr_axis few[FEW];
    tsr_axis *data;
    size_t n;
} scratch;

static void start(scratch *s, size_t most_axes)
{
    s->n = 0;
    s->data = most_axes <= FEW ? s->few : tsr_xmalloc(most_axes * sizeof *s->data);
}

static void push(scratch *s, tsr_axis a)
{
    s->data[s->n++] = a;
}

static const tsr_axes *finish(tsr_axis_lists *lists, scratch *s)
{
    const tsr_axes *list = tsr_axes_get(lists, s->data, s->n);
    if (s->data != s->few)
        tsr_free(s->data);
    return list;
}

const tsr_axes *tsr_axes_cut(tsr_axis_lists *lists, const tsr_axes *a, uint32_t n,
                             const tsr_axis *last)
{
    tsr_assert(n + (last != NULL) <= a->n, "%u of %u axes", n, a->n);
    tsr_check(!last || tsr_axis_prefix_of(*last, a->data[n]), "axis %u is cut to no prefix", n);
    if (!last)
        return n == a->n ? a : tsr_axes_get(lists, a->data, n);
    scratch s;
    start(&s, (size_t)n + 1);
    for (uint32_t i = 0; i < n; i++)
        push(&s, a->data[i]);
    push(&s, *last);
    return finish(lists, &s);
}

/* ---- Queries ---- */

tsr_prefix tsr_axes_prefix(const tsr_axes *a, const tsr_axes *b)
{
    if (a == b)
        return TSR_SAME_AXES;
    if (!a->n)
        return TSR_STRICT_PREFIX;
    if (a->n > b->n || !same(a->data, b->data, a->n - 1))
        return TSR_NOT_PREFIX;
    return tsr_axis_prefix_of(a->data[a->n - 1], b->data[a->n - 1]) ? TSR_STRICT_PREFIX
                                                                    : TSR_NOT_PREFIX;
}

bool tsr_axes_overlap_axis(const tsr_axes *list, tsr_axis a)
{
    for (uint32_t i = 0; i < list->n; i++)
        if (tsr_axis_overlaps(list->data[i], a))
            return true;
    return false;
}

bool tsr_axes_overlap(const tsr_axes *a, const tsr_axes *b)
{
    for (uint32_t i = 0; i < a->n; i++)
        if (tsr_axes_overlap_axis(b, a->data[i]))
            return true;
    return false;
}

bool tsr_axis_before_all(tsr_axis *a, const tsr_axes *list)
{
    for (uint32_t i = 0; i < list->n; i++)
        if (!tsr_axis_before(*a, list->data[i], a))
            return false;
    return true;
}

/* ---- Lists of lists ---- */

const tsr_axes *tsr_axes_before(tsr_axis_lists *lists, const tsr_axes *a, const tsr_axes *b)
{
    for (uint32_t i = 0; i < a->n; i++) {
        tsr_axis cut = a->data[i];
        if (!tsr_axis_before_all(&cut, b))
            return tsr_axes_cut(lists, a, i, NULL);
        if (!tsr_axis_eq(cut, a->data[i]))
            return tsr_axes_cut(lists, a, i, &cut);
    }
    return a;
}

const tsr_axes *tsr_axes_common_prefix(tsr_axis_lists *lists, const tsr_axes *a, const tsr_axes *b)
{
    if (a == b)
        return a;
    uint32_t n = a->n < b->n ? a->n : b->n, i = 0;
    while (i < n && tsr_axis_eq(a->data[i], b->data[i]))
        i++;
    tsr_axis last;
    bool more = i < n && tsr_axis_common_prefix(a->data[i], b->data[i], &last);
    return tsr_axes_cut(lists, a, i, more ? &last : NULL);
}

const tsr_axes *tsr_axes_minus(tsr_axis_lists *lists, const tsr_axes *a, const tsr_axes *b)
{
    if (!tsr_axes_overlap(a, b))
        return a;
    tsr_axis_vec cuts = {0}, left = {0};
    tsr_axis_vec_add_all(&cuts, b->data, b->n);
    tsr_axis_vec_sort(&cuts);
    for (uint32_t i = 0; i < a->n; i++) {
        tsr_axis rest = a->data[i];
        bool more = true;
        for (size_t k = 0; k < cuts.n && more; k++) {
            if (!tsr_axis_overlaps(rest, cuts.data[k]))
                continue;
            tsr_axis before;
            if (tsr_axis_before(rest, cuts.data[k], &before))
                tsr_vec_push(&left, before);
            more = tsr_axis_behind(rest, cuts.data[k], &rest);
        }
        if (more)
            tsr_vec_push(&left, rest);
    }
    const tsr_axes *list = tsr_axes_get(lists, left.data, left.n);
    tsr_check(!tsr_axes_overlap(list, b), "%u axes without %u others still share one", a->n, b->n);
    tsr_vec_free(&cuts);
    tsr_vec_free(&left);
    return list;
}

const tsr_axes *tsr_axes_sorted(tsr_axis_lists *lists, const tsr_axes *a)
{
    if (a->n < 2)
        return a;
    tsr_axis_vec v = {0};
    tsr_axis_vec_add_all(&v, a->data, a->n);
    tsr_axis_vec_sort(&v);
    const tsr_axes *list = tsr_axes_get(lists, v.data, v.n);
    tsr_assert(list->size == a->size, "sorted axes have %lld parts, not %lld",
               (long long)list->size, (long long)a->size);
    tsr_vec_free(&v);
    return list;
}

const tsr_axes *tsr_axes_join(tsr_axis_lists *lists, const tsr_axes *a, const tsr_axes *b)
{
    if (!b->n)
        return a;
    if (!a->n)
        return b;
    scratch s;
    start(&s, (size_t)a->n + b->n);
    for (uint32_t i = 0; i < a->n; i++)
        push(&s, a->data[i]);
    tsr_axis *last = &s.data[s.n - 1];
    uint32_t i = 0;
    if (tsr_axis_can_merge(*last, b->data[0]))
        *last = tsr_axis_merge(*last, b->data[i++]);
    for (; i < b->n; i++)
        push(&s, b->data[i]);
    return finish(lists, &s);
}

/* ---- Vectors ---- */

void tsr_axis_vec_add(tsr_axis_vec *v, tsr_axis a)
{
    tsr_axis *last = v->n ? &v->data[v->n - 1] : NULL;
    if (last && tsr_axis_can_merge(*last, a))
        *last = tsr_axis_merge(*last, a);
    else
        tsr_vec_push(v, a);
}

void tsr_axis_vec_add_all(tsr_axis_vec *v, const tsr_axis *axes, size_t n)
{
    for (size_t i = 0; i < n; i++)
        tsr_vec_push(v, axes[i]);
}

static int by_place(const void *a, const void *b)
{
    tsr_axis x = *(const tsr_axis *)a, y = *(const tsr_axis *)b;
    return tsr_axis_less(y, x) - tsr_axis_less(x, y);
}

void tsr_axis_vec_sort(tsr_axis_vec *v)
{
    if (v->n < 2)
        return;
    qsort(v->data, v->n, sizeof *v->data, by_place);
    size_t n = v->n;
    v->n = 1;
    for (size_t i = 1; i < n; i++) {
        tsr_axis a = v->data[i];
        tsr_axis_vec_add(v, a); /* never grows: it has room for all axes */
    }
}
