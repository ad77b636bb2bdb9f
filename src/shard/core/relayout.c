/* SPDX-License-Identifier: Apache-2.0 */
/* relayout.c - see relayout.h.
 *
 * The state is the difference between the current sharding and the target, without their common prefix, per dimension:
 * in (axes to remove) and out (axes to add). Each round tries, in this order, to slice (tensors shrink), to permute and
 * to exchange (they keep their size), and to gather (they grow). One round suffices if sizes divide each other. The
 * order of steps and axes is that of Shardy's reshard-to-collectives, whose output we match. */
#include "shard/core/relayout.h"

#include "dialect/sdy/axes.h"

/* ---- Lists of axes ---- */

void tsr_axis_list_insert(tsr_arena *arena, tsr_axis_list *list, uint32_t at, tsr_axis a)
{
    tsr_assert(at <= list->n, "an axis is inserted at %u of %u", at, list->n);
    if (list->n == list->cap) {
        uint32_t cap = list->cap ? list->cap * 2 : 4;
        tsr_axis *data = tsr_arena_alloc(arena, cap * sizeof *data);
        if (list->n)
            memcpy(data, list->data, list->n * sizeof *data);
        list->data = data;
        list->cap = cap;
    }
    memmove(list->data + at + 1, list->data + at, (list->n - at) * sizeof a);
    list->data[at] = a;
    list->n++;
}

static tsr_axis take(tsr_axis_list *list, uint32_t at)
{
    tsr_assert(at < list->n, "axis %u of %u is taken", at, list->n);
    tsr_axis a = list->data[at];
    list->n--;
    memmove(list->data + at, list->data + at + 1, (list->n - at) * sizeof a);
    return a;
}

void tsr_axis_list_add(tsr_arena *arena, tsr_axis_list *list, tsr_axis a)
{
    tsr_axis *last = list->n ? &list->data[list->n - 1] : NULL;
    if (last && tsr_axis_can_merge(*last, a))
        *last = tsr_axis_merge(*last, a);
    else
        tsr_axis_list_push(arena, list, a);
}

int64_t tsr_axis_list_size(const tsr_axis_list *list)
{
    int64_t size = 1;
    for (uint32_t i = 0; i < list->n; i++)
        size = tsr_sdy_mul(size, list->data[i].size);
    return size;
}

static uint32_t find(const tsr_axis_list *list, tsr_axis a)
{
    uint32_t i = 0;
    while (i < list->n && !tsr_axis_eq(list->data[i], a))
        i++;
    return i;
}

static bool has(const tsr_axis_list *list, tsr_axis a)
{
    return find(list, a) < list->n;
}

static tsr_axis_list copy(tsr_arena *arena, const tsr_axis *data, uint32_t n)
{
    return (tsr_axis_list){tsr_arena_copy(arena, data, n * sizeof *data), n, n};
}

static bool divides(int64_t a, int64_t b)
{
    return a > 0 && b % a == 0;
}

static bool same_or_divide(int64_t a, int64_t b)
{
    return divides(a, b) || divides(b, a);
}

/* ---- State ---- */

typedef struct {
    tsr_axis a;
    uint32_t dim, index;
} place;

typedef struct {
    tsr_arena *arena;
    const tsr_relayout *r;
    uint32_t rank;
    tsr_axis_list *in, *out, *cur; /* cur: includes the common prefix */
    int64_t *room;                 /* how much further the current step may shard a dimension */
    /* all of in; Shardy lets this become stale in places, and later steps depend on that */
    tsr_axis_list in_set;
    place *wanted; /* positions of axes in out when it was last cut */
    uint32_t nwanted, cap_wanted;
    bool target_mesh;
    bool careful; /* no permute that changes local sizes, which happens when sizes do not divide */
    tsr_relayout_step *first, **last;
} state;

static void note_wanted(state *s)
{
    s->nwanted = 0;
    uint32_t n = 0;
    for (uint32_t d = 0; d < s->rank; d++)
        n += s->out[d].n;
    if (n > s->cap_wanted) {
        s->wanted = tsr_arena_alloc(s->arena, n * sizeof *s->wanted);
        s->cap_wanted = n;
    }
    for (uint32_t d = 0; d < s->rank; d++)
        for (uint32_t i = 0; i < s->out[d].n; i++)
            s->wanted[s->nwanted++] = (place){s->out[d].data[i], d, i};
}

static const place *wanted(const state *s, tsr_axis a)
{
    for (uint32_t i = 0; i < s->nwanted; i++)
        if (tsr_axis_eq(s->wanted[i].a, a))
            return &s->wanted[i];
    return NULL;
}

static void in_set_add(state *s, tsr_axis a)
{
    if (!has(&s->in_set, a))
        tsr_axis_list_push(s->arena, &s->in_set, a);
}

static void in_set_remove(state *s, tsr_axis a)
{
    uint32_t i = find(&s->in_set, a);
    if (i < s->in_set.n)
        take(&s->in_set, i);
}

static tsr_relayout_step *add_step(state *s, tsr_step_kind kind, tsr_axis_list *axes)
{
    tsr_relayout_step *step = TSR_NEW(s->arena, tsr_relayout_step);
    step->kind = kind;
    step->axes = axes;
    step->target_mesh = s->target_mesh;
    step->sharding = tsr_arena_alloc(s->arena, s->rank * sizeof *step->sharding);
    for (uint32_t d = 0; d < s->rank; d++)
        step->sharding[d] = copy(s->arena, s->cur[d].data, s->cur[d].n);
    *s->last = step;
    s->last = &step->next;
    return step;
}

/* Cuts axes of list where those of others begin and end, so that overlapping axes are equal. */
static void align(tsr_arena *arena, tsr_axis_list *list, const tsr_axis_list *others)
{
    for (uint32_t i = 0; i < list->n; i++) {
        tsr_axis a = list->data[i];
        /* The first of the overlapping axes, which do not overlap each other. */
        const tsr_axis *cut = NULL;
        for (uint32_t k = 0; k < others->n; k++)
            if (tsr_axis_overlaps(others->data[k], a) && (!cut || others->data[k].pre < cut->pre))
                cut = &others->data[k];
        tsr_axis part;
        if (!cut || tsr_axis_contains(*cut, a) || !tsr_axis_common(a, *cut, &list->data[i]))
            continue;
        if (tsr_axis_before(a, *cut, &part))
            tsr_axis_list_insert(arena, list, i++, part);
        if (tsr_axis_behind(a, *cut, &part)) /* the rest comes next, and may be cut again */
            tsr_axis_list_insert(arena, list, i + 1, part);
    }
}

/* Removes axes (from .. end) from the end of cur, which may hold several of them merged. */
static void pop_current(tsr_axis_list *cur, const tsr_axis_list *axes, uint32_t from)
{
    for (uint32_t i = axes->n; i-- > from && cur->n;) {
        tsr_axis *last = &cur->data[cur->n - 1], left;
        if (tsr_axis_before(*last, axes->data[i], &left))
            *last = left;
        else
            cur->n--;
    }
}

/* Cuts a to the part that fits into room, and reduces room; false: none fits. rest: the remainder of a, if *more. */
static bool within(tsr_axis *a, int64_t *room, tsr_axis *rest, bool *more)
{
    *more = false;
    if (*room <= 1 || !same_or_divide(a->size, *room))
        return false;
    tsr_assert(*room > 0 && a->size > 0, "room %lld for an axis of %lld", (long long)*room,
               (long long)a->size);
    if (*room >= a->size) {
        *room /= a->size;
        return true;
    }
    *rest = (tsr_axis){a->axis, tsr_sdy_mul(a->pre, *room), a->size / *room};
    *more = true;
    a->size = *room;
    *room = 1;
    return true;
}

/* Adds axes of available (one list for all dimensions, or one each) to in while there is room, and also records them in
 * slices. Returns whether any was added. */
static bool distribute(state *s, tsr_axis_list *available, bool per_dim, bool front,
                       tsr_axis_list *slices)
{
    tsr_axis_list split = {0};
    bool any = false;
    for (uint32_t d = 0; d < s->rank; d++) {
        tsr_axis_list *from = per_dim ? &available[d] : available;
        uint32_t at = front ? 0 : s->in[d].n;
        for (uint32_t i = 0; i < from->n && s->room[d] > 1;) {
            tsr_axis a = from->data[i], rest;
            bool more;
            if (!within(&a, &s->room[d], &rest, &more)) {
                i++;
                continue;
            }
            take(from, i);
            tsr_axis_list_insert(s->arena, &s->in[d], at++, a);
            in_set_add(s, a);
            any = true;
            if (slices) {
                tsr_axis_list_add(s->arena, &slices[d], a);
                tsr_axis_list_add(s->arena, &s->cur[d], a);
            }
            if (more) {
                tsr_axis_list_push(s->arena, &split, a);
                tsr_axis_list_insert(s->arena, from, 0, rest);
                i++;
            }
        }
    }
    if (split.n)
        for (uint32_t d = 0; d < s->rank; d++)
            align(s->arena, &s->out[d], &split);
    return any;
}

/* ---- Slice ---- */

/* Whether axes that dimension tgt needs, after one that src has, are better sliced at src: they then move with it in
 * one exchange, and no permute is needed to reorder them. Returns tgt and the axes, first .. end of out[tgt]. */
static bool slice_at_source(state *s, uint32_t src, uint32_t *tgt, uint32_t *first, uint32_t *end)
{
    const tsr_axis_list *from = &s->in[src];
    if (!from->n || s->out[src].n)
        return false;
    tsr_axis last = from->data[from->n - 1];
    const place *p = wanted(s, last);
    if (!p || s->in[p->dim].n)
        return false;
    *tgt = p->dim;
    const tsr_axis_list *to = &s->out[p->dim];
    *first = find(to, last) + 1;
    if (*first >= to->n || has(&s->in_set, to->data[*first]))
        return false;

    uint32_t i = from->n, k = *first;
    int64_t moved = 1;
    while (i && k && tsr_axis_eq(from->data[i - 1], to->data[k - 1])) {
        moved = tsr_sdy_mul(moved, from->data[i - 1].size);
        i--;
        k--;
    }
    while (i-- > 0) {
        p = wanted(s, from->data[i]);
        if (p && p->dim == *tgt)
            return false;
    }

    int64_t more = 1;
    for (*end = *first; *end < to->n && !has(&s->in_set, to->data[*end]); ++*end)
        more = tsr_sdy_mul(more, to->data[*end].size);
    int64_t parts = tsr_sdy_mul(tsr_axis_list_size(&s->cur[src]), more);
    if (s->r->dims[src] % parts)
        return false;
    s->room[*tgt] /= tsr_sdy_mul(moved, more);
    return true;
}

/* Slices axes of out[d] that no dimension has, in dimension d itself; those that do not fit go to available. */
static bool slice_in_place(state *s, uint32_t d, tsr_axis_list *slices, tsr_axis_list *available)
{
    tsr_axis_list *in = &s->in[d], *out = &s->out[d];
    bool any = false;
    for (uint32_t i = 0; i < out->n;) {
        tsr_axis a = out->data[i], rest;
        bool more;
        if (has(&s->in_set, a)) {
            i++;
            continue;
        }
        if (!within(&a, &s->room[d], &rest, &more)) {
            tsr_axis_list_push(s->arena, available, a);
            i++;
            continue;
        }
        any = true;
        tsr_axis_list_add(s->arena, slices, a);
        tsr_axis_list_add(s->arena, &s->cur[d], a);
        if (!in->n && !i) {
            take(out, 0);
        } else {
            in_set_add(s, a);
            tsr_axis_list_push(s->arena, in, a);
            out->data[i++] = a;
        }
        if (more) { /* still needed, but not tried again */
            tsr_axis_list_insert(s->arena, out, i++, rest);
            tsr_axis_list_push(s->arena, available, rest);
        }
    }
    return any;
}

static void try_slice(state *s)
{
    tsr_axis_list *slices = TSR_NEW_ARRAY(s->arena, tsr_axis_list, s->rank), available = {0};
    bool any = false;
    for (uint32_t d = 0; d < s->rank; d++) {
        int64_t in = tsr_axis_list_size(&s->in[d]), out = tsr_axis_list_size(&s->out[d]),
                both = tsr_gcd(in, out);
        s->room[d] = both ? out / both : 1;
    }
    for (uint32_t d = 0; d < s->rank; d++) {
        uint32_t tgt, first, end;
        if (!slice_at_source(s, d, &tgt, &first, &end))
            continue;
        any = true;
        for (uint32_t i = first; i < end; i++) {
            tsr_axis a = s->out[tgt].data[i];
            tsr_axis_list_push(s->arena, &s->in[d], a);
            in_set_add(s, a);
            tsr_axis_list_add(s->arena, &slices[d], a);
            tsr_axis_list_add(s->arena, &s->cur[d], a);
        }
    }
    for (uint32_t d = 0; d < s->rank; d++)
        any |= slice_in_place(s, d, &slices[d], &available);
    any |= distribute(s, &available, false, false, slices);
    note_wanted(s); /* axes may have been cut */
    if (any)
        add_step(s, TSR_STEP_SLICE, slices);
}

/* ---- Permute ---- */

/* Whether the order of axes in in[d] requires a permute before some of them can move to other dimensions: they are in a
 * different order than needed, or after or between axes that stay. *keep: an axis that no dimension needs. */
static bool misplaced(const state *s, uint32_t d, tsr_bitset *seen, const tsr_axis **keep)
{
    enum { NOWHERE = UINT32_MAX };
    uint32_t last_dim = NOWHERE, last_index = 0;
    bool found = false;
    for (uint32_t i = 0; i < s->in[d].n && !found; i++) {
        const place *p = wanted(s, s->in[d].data[i]);
        uint32_t dim = NOWHERE;
        if (p) {
            dim = p->dim;
            found = (dim == d || tsr_bitset_has(seen, dim)) &&
                    (last_dim != dim || p->index != last_index + 1);
            tsr_bitset_add(seen, dim);
            last_index = p->index;
        } else if (last_dim != NOWHERE && !s->out[d].n) {
            found = true;
        } else {
            *keep = &s->in[d].data[i];
        }
        last_dim = dim;
    }
    for (uint32_t i = 0; i < s->in[d].n; i++) { /* cleared for the next dimension */
        const place *p = wanted(s, s->in[d].data[i]);
        if (p)
            tsr_bitset_remove(seen, p->dim);
    }
    return found;
}

static bool should_permute(const state *s)
{
    const tsr_axis *goes = NULL, *comes = NULL;
    tsr_bitset seen = tsr_bitset_new(s->arena, s->rank);
    for (uint32_t d = 0; d < s->rank; d++) {
        const tsr_axis_list *in = &s->in[d], *out = &s->out[d];
        if (in->n && out->n && same_or_divide(in->data[0].size, out->data[0].size))
            return true;
        for (uint32_t i = 0; i < out->n; i++)
            if (!has(&s->in_set, out->data[i]))
                comes = &out->data[i];
        if (misplaced(s, d, &seen, &goes))
            return true;
    }
    return goes && comes && same_or_divide(comes->size, goes->size);
}

/* Takes as much of the first axis of a list as fits into room; false: nothing fits. */
static bool take_within(tsr_axis_list *list, int64_t *room, tsr_axis *a)
{
    tsr_axis rest;
    bool more;
    if (*room <= 1 || !list->n)
        return false;
    *a = list->data[0];
    if (!within(a, room, &rest, &more))
        return false;
    if (more)
        list->data[0] = rest;
    else
        take(list, 0);
    return true;
}

/* False: a dimension would end up in fewer parts than before. */
static bool permute(state *s)
{
    tsr_axis_list out_left = {0}, in_left = {0};
    tsr_axis_list *stay = TSR_NEW_ARRAY(s->arena, tsr_axis_list, s->rank);
    s->in_set.n = 0;
    for (uint32_t d = 0; d < s->rank; d++) {
        tsr_axis_list *in = &s->in[d], *out = &s->out[d];
        int64_t used = s->room[d] = tsr_axis_list_size(in);
        pop_current(&s->cur[d], in, 0);
        for (tsr_axis a; take_within(out, &s->room[d], &a);)
            tsr_axis_list_add(s->arena, &s->cur[d], a);
        for (uint32_t i = 0; i < out->n; i++)
            tsr_axis_list_push(s->arena, &out_left, out->data[i]);

        /* Axes that no dimension needs: those not replaced come first, so that they stay where they were. */
        used /= s->room[d] > 0 ? s->room[d] : 1;
        uint32_t n = 0;
        for (uint32_t i = 0; i < in->n; i++)
            if (!wanted(s, in->data[i]))
                in->data[n++] = in->data[i];
        in->n = n;
        for (tsr_axis a; take_within(in, &used, &a);)
            tsr_axis_list_push(s->arena, &stay[d], a);
        for (uint32_t i = 0; i < in->n; i++)
            tsr_axis_list_insert(s->arena, &stay[d], i, in->data[i]);
        in->n = 0;
    }
    distribute(s, &out_left, false, false, NULL);
    distribute(s, stay, true, true, NULL);
    for (uint32_t d = 0; d < s->rank; d++)
        for (uint32_t i = 0; i < stay[d].n; i++)
            tsr_axis_list_push(s->arena, &in_left, stay[d].data[i]);
    distribute(s, &in_left, false, true, NULL);
    note_wanted(s); /* axes may have been cut */
    for (uint32_t d = 0; d < s->rank; d++)
        for (uint32_t i = 0; i < s->in[d].n; i++)
            tsr_axis_list_add(s->arena, &s->cur[d], s->in[d].data[i]);
    for (uint32_t d = 0; d < s->rank; d++)
        if (s->room[d] > 1)
            return false;
    return true;
}

static tsr_axis_list *copy_all(tsr_arena *arena, const tsr_axis_list *lists, uint32_t n)
{
    tsr_axis_list *all = tsr_arena_alloc(arena, n * sizeof *all);
    for (uint32_t i = 0; i < n; i++)
        all[i] = copy(arena, lists[i].data, lists[i].n);
    return all;
}

/* Permutes, or does nothing if that would change local sizes. */
static bool permute_carefully(state *s)
{
    state old = *s;
    s->in = copy_all(s->arena, old.in, s->rank);
    s->out = copy_all(s->arena, old.out, s->rank);
    s->cur = copy_all(s->arena, old.cur, s->rank);
    s->in_set = copy(s->arena, old.in_set.data, old.in_set.n);
    s->wanted = tsr_arena_copy(s->arena, old.wanted, old.nwanted * sizeof *old.wanted);
    s->cap_wanted = old.nwanted;
    if (permute(s))
        return true;
    *s = old;
    return false;
}

static void try_permute(state *s)
{
    bool moves = should_permute(s);
    if (moves && s->careful)
        moves = permute_carefully(s);
    else if (moves)
        permute(s);
    if (!moves && s->target_mesh)
        return;
    s->target_mesh = true;
    add_step(s, TSR_STEP_PERMUTE, NULL);
}

/* ---- Exchange ---- */

/* One all-to-all: moves the last axes of in[src] that another dimension needs together to that dimension; with
 * in_order, only if they arrive in their final position. */
static bool exchange(state *s, uint32_t src, bool in_order)
{
    tsr_axis_list *from = &s->in[src];
    uint32_t start = from->n, tgt = src;
    for (; start; start--) {
        const place *p = wanted(s, from->data[start - 1]);
        if (!p || p->dim == src || (tgt != src && p->dim != tgt))
            break;
        tgt = p->dim;
    }
    if (tgt == src)
        return false;
    tsr_axis_list *to = &s->in[tgt], *out = &s->out[tgt];
    if (in_order) {
        if (from->n - start > out->n)
            return false;
        for (uint32_t i = start; i < from->n; i++)
            if (!tsr_axis_eq(from->data[i], out->data[i - start]))
                return false;
    }
    pop_current(&s->cur[src], from, start);
    tsr_axis_list *axes = TSR_NEW(s->arena, tsr_axis_list);
    for (uint32_t i = start; i < from->n; i++) {
        tsr_axis a = from->data[i];
        tsr_axis_list_add(s->arena, axes, a);
        tsr_axis_list_add(s->arena, &s->cur[tgt], a);
        in_set_remove(s, a);
        if (!to->n && out->n && tsr_axis_eq(out->data[0], a)) {
            take(out, 0);
        } else {
            tsr_axis_list_push(s->arena, to, a);
            in_set_add(s, a);
        }
    }
    from->n = start;
    tsr_relayout_step *step = add_step(s, TSR_STEP_ALL_TO_ALL, axes);
    step->src = src;
    step->tgt = tgt;
    return true;
}

static void try_exchanges(state *s, bool in_order)
{
    for (uint32_t d = 0; d < s->rank; d++)
        while (exchange(s, d, in_order))
            ;
}

/* ---- Gather ---- */

static void try_gather(state *s)
{
    tsr_axis_list *axes = TSR_NEW_ARRAY(s->arena, tsr_axis_list, s->rank);
    bool any = false;
    for (uint32_t d = 0; d < s->rank; d++) {
        tsr_axis_list *in = &s->in[d];
        if (!in->n || wanted(s, in->data[in->n - 1]))
            continue;
        /* Gathers the whole dimension, even if axes before the last are needed elsewhere, as Shardy does. */
        in_set_remove(s, in->data[in->n - 1]);
        pop_current(&s->cur[d], in, 0);
        for (uint32_t i = 0; i < in->n; i++)
            tsr_axis_list_add(s->arena, &axes[d], in->data[i]);
        in->n = 0;
        any = true;
    }
    if (any)
        add_step(s, TSR_STEP_GATHER, axes);
}

/* ---- All ---- */

static bool is_done(const state *s)
{
    for (uint32_t d = 0; d < s->rank; d++)
        if (s->in[d].n || s->out[d].n)
            return false;
    return s->target_mesh;
}

/* Whether only axes of size 1 differ, which have no effect. */
static bool is_as_good_as_done(const state *s)
{
    for (uint32_t d = 0; d < s->rank; d++)
        if (tsr_axis_list_size(&s->in[d]) != 1 || tsr_axis_list_size(&s->out[d]) != 1)
            return false;
    return s->target_mesh;
}

static bool overlap_any(const tsr_axis_list *list, const tsr_axis_list *all)
{
    for (uint32_t i = 0; i < list->n; i++)
        for (uint32_t k = 0; k < all->n; k++)
            if (&list->data[i] != &all->data[k] && tsr_axis_overlaps(list->data[i], all->data[k]))
                return true;
    return false;
}

/* Whether permutes keep local sizes, and no axis occurs twice in an intermediate sharding. The latter happens only if
 * sub-axes of one axis to be removed and added overlap unevenly, such as (1)2 and (1)3 of 6. */
static bool is_sound(const state *s)
{
    const tsr_relayout *r = s->r;
    const tsr_axis_list *before = NULL;
    for (const tsr_relayout_step *step = s->first; step; step = step->next) {
        for (uint32_t d = 0; d < s->rank; d++) {
            int64_t parts = before ? tsr_axis_list_size(&before[d]) : r->from[d]->size;
            if (step->kind == TSR_STEP_PERMUTE && parts != tsr_axis_list_size(&step->sharding[d]))
                return false;
            for (uint32_t e = 0; e <= d; e++)
                if (overlap_any(&step->sharding[d], &step->sharding[e]))
                    return false;
        }
        before = step->sharding;
    }
    return true;
}

/* The fallback plan that always works: gather all axes to be removed, slice all to be added. */
static void gather_and_slice(state *s)
{
    tsr_axis_list *gathered = TSR_NEW_ARRAY(s->arena, tsr_axis_list, s->rank);
    tsr_axis_list *sliced = TSR_NEW_ARRAY(s->arena, tsr_axis_list, s->rank);
    bool gathers = false, slices = false;
    for (uint32_t d = 0; d < s->rank; d++) {
        gathers |= s->in[d].n != 0;
        slices |= s->out[d].n != 0;
        pop_current(&s->cur[d], &s->in[d], 0);
        for (uint32_t i = 0; i < s->in[d].n; i++)
            tsr_axis_list_add(s->arena, &gathered[d], s->in[d].data[i]);
    }
    if (gathers)
        add_step(s, TSR_STEP_GATHER, gathered);
    if (!s->target_mesh) {
        s->target_mesh = true;
        add_step(s, TSR_STEP_PERMUTE, NULL);
    }
    for (uint32_t d = 0; d < s->rank; d++)
        for (uint32_t i = 0; i < s->out[d].n; i++) {
            tsr_axis_list_add(s->arena, &sliced[d], s->out[d].data[i]);
            tsr_axis_list_add(s->arena, &s->cur[d], s->out[d].data[i]);
        }
    if (slices)
        add_step(s, TSR_STEP_SLICE, sliced);
}

static void align_both(state *s)
{
    tsr_axis_list in = {0}, out = {0};
    for (uint32_t d = 0; d < s->rank; d++) {
        for (uint32_t i = 0; i < s->in[d].n; i++)
            tsr_axis_list_push(s->arena, &in, s->in[d].data[i]);
        for (uint32_t i = 0; i < s->out[d].n; i++)
            tsr_axis_list_push(s->arena, &out, s->out[d].data[i]);
    }
    for (uint32_t d = 0; d < s->rank; d++) {
        align(s->arena, &s->in[d], &out);
        align(s->arena, &s->out[d], &in);
    }
}

static void drop_common_prefix(tsr_axis_list *a, tsr_axis_list *b)
{
    uint32_t n = 0;
    while (n < a->n && n < b->n && tsr_axis_eq(a->data[n], b->data[n]))
        n++;
    a->data += n;
    a->n -= n;
    a->cap -= n;
    b->data += n;
    b->n -= n;
    b->cap -= n;
}

static void start(state *s)
{
    const tsr_relayout *r = s->r;
    s->target_mesh = r->same_mesh;
    s->first = NULL;
    s->last = &s->first;
    s->in_set.n = 0;
    for (uint32_t d = 0; d < s->rank; d++) {
        s->in[d] = copy(s->arena, r->from[d]->data, r->from[d]->n);
        s->out[d] = copy(s->arena, r->to[d]->data, r->to[d]->n);
        s->cur[d] = copy(s->arena, r->from[d]->data, r->from[d]->n);
    }
    align_both(s);
    for (uint32_t d = 0; d < s->rank; d++)
        drop_common_prefix(&s->in[d], &s->out[d]);
    for (uint32_t d = 0; d < s->rank; d++)
        for (uint32_t i = 0; i < s->in[d].n; i++)
            in_set_add(s, s->in[d].data[i]);
    note_wanted(s);
}

static void rounds(state *s)
{
    start(s);
    /* Shardy stops after two rounds, sometimes before it reaches the target. */
    for (int round = 0; round < 4 && !(round < 2 ? is_done(s) : is_as_good_as_done(s)); round++) {
        try_slice(s);
        try_permute(s);
        try_exchanges(s, true);
        try_exchanges(s, false);
        try_gather(s);
    }
}

/* The next axis of a list that is longer than 1; axes that follow each other count as one. */
static bool next_real(const tsr_axis *data, uint32_t n, uint32_t *i, tsr_axis *out)
{
    while (*i < n && data[*i].size == 1)
        ++*i;
    if (*i == n)
        return false;
    *out = data[(*i)++];
    for (; *i < n && (data[*i].size == 1 || tsr_axis_can_merge(*out, data[*i])); ++*i)
        out->size *= data[*i].size;
    return true;
}

/* Whether both shard alike: axes of size 1 have no effect. */
static bool same_parts(const tsr_axis_list *a, const tsr_axes *b)
{
    tsr_axis x, y;
    uint32_t i = 0, k = 0;
    while (next_real(a->data, a->n, &i, &x))
        if (!next_real(b->data, b->n, &k, &y) || !tsr_axis_eq(x, y))
            return false;
    return !next_real(b->data, b->n, &k, &y);
}

/* Whether the last step ends in the wanted sharding. */
static bool ends_there(const state *s)
{
    for (uint32_t d = 0; d < s->rank; d++)
        if (!same_parts(&s->cur[d], s->r->to[d]))
            return false;
    return s->target_mesh;
}

tsr_relayout_step *tsr_relayout_plan(tsr_arena *arena, const tsr_relayout *r)
{
    state s = {.arena = arena, .r = r, .rank = r->rank};
    s.in = tsr_arena_alloc(arena, s.rank * sizeof *s.in);
    s.out = tsr_arena_alloc(arena, s.rank * sizeof *s.out);
    s.cur = tsr_arena_alloc(arena, s.rank * sizeof *s.cur);
    s.room = TSR_NEW_ARRAY(arena, int64_t, s.rank);
    rounds(&s);
    if (!is_sound(&s)) {
        s.careful = true;
        rounds(&s);
    }
    if (!is_sound(&s))
        start(&s);
    if (!is_as_good_as_done(&s))
        gather_and_slice(&s);
    tsr_assert(ends_there(&s), "a relayout of rank %u does not end in the wanted sharding", s.rank);
    return s.first;
}
