/* SPDX-License-Identifier: Apache-2.0 */
/* priority.c - user priorities: a dimension sharding of priority p takes part from round p on. Until then it is empty
 * and closed, and its axes are explicitly replicated, so that nothing else takes them. */
#include "dialect/opcode.h"
#include "shard/core/flow.h"
#include "shard/propagate/propagate.h"

/* A place and its original sharding. */
typedef struct {
    int64_t priority;
    uint32_t place;
    uint32_t number; /* in order of discovery */
    const tsr_sharding *original;
} reference;

struct tsr_priorities {
    reference *refs; /* by priority, then in order of discovery */
    size_t n, next;
};

static int by_priority(const void *a, const void *b)
{
    const reference *x = a, *y = b;
    if (x->priority != y->priority)
        return x->priority < y->priority ? -1 : 1;
    return x->number < y->number ? -1 : x->number > y->number;
}

static tsr_dim_sharding *copy_dims(tsr_engine *e, const tsr_sharding *s)
{
    return tsr_arena_copy(&e->step, s->dims, s->rank * sizeof *s->dims);
}

static int by_mesh(const void *a, const void *b)
{
    tsr_axis x = *(const tsr_axis *)a, y = *(const tsr_axis *)b;
    return tsr_axis_less(y, x) - tsr_axis_less(x, y);
}

/* For priority 0: hides dimensions of later priorities. */
static const tsr_sharding *hide_later(tsr_engine *e, const tsr_sharding *s)
{
    tsr_dim_sharding *dims = copy_dims(e, s);
    tsr_axis_vec replicated = {0};
    tsr_axis_vec_add_all(&replicated, s->replicated->data, s->replicated->n);
    for (uint32_t i = 0; i < s->rank; i++) {
        if (dims[i].priority > 0) {
            tsr_axis_vec_add_all(&replicated, dims[i].axes->data, dims[i].axes->n);
            dims[i] = (tsr_dim_sharding){.axes = e->table.lists.none, .closed = true};
        }
        dims[i].priority = -1;
    }
    if (replicated.n)
        qsort(replicated.data, replicated.n, sizeof *replicated.data, by_mesh);
    const tsr_axes *axes = tsr_axes_get(&e->table.lists, replicated.data, replicated.n);
    tsr_vec_free(&replicated);
    return tsr_sharding_get(&e->table, s->mesh, dims, s->rank, axes, s->unreduced, s->reduction);
}

/* Restores the dimensions of the current priority. */
static const tsr_sharding *show(tsr_engine *e, const tsr_sharding *s, const reference *ref)
{
    const tsr_sharding *original = ref->original;
    tsr_dim_sharding *dims = copy_dims(e, s);
    tsr_axis_vec left = {0};
    for (uint32_t i = 0; i < s->rank && i < original->rank; i++)
        if (original->dims[i].priority == ref->priority) {
            dims[i] = original->dims[i];
            dims[i].priority = -1;
        }
    for (uint32_t k = 0; k < s->replicated->n; k++) {
        bool shown = false;
        for (uint32_t i = 0; i < original->rank; i++)
            if (original->dims[i].priority == ref->priority)
                for (uint32_t a = 0; a < original->dims[i].axes->n; a++)
                    shown |= tsr_axis_eq(original->dims[i].axes->data[a], s->replicated->data[k]);
        if (!shown)
            tsr_vec_push(&left, s->replicated->data[k]);
    }
    const tsr_axes *axes = tsr_axes_get(&e->table.lists, left.data, left.n);
    tsr_vec_free(&left);
    return tsr_sharding_get(&e->table, s->mesh, dims, s->rank, axes, s->unreduced, s->reduction);
}

typedef TSR_VEC(reference) references;

/* One reference for each priority in s. */
static void add_references(references *refs, uint32_t place, const tsr_sharding *s)
{
    for (uint32_t i = 0; i < s->rank; i++) {
        bool seen = s->dims[i].priority <= 0;
        for (uint32_t k = 0; k < i && !seen; k++)
            seen = s->dims[k].priority == s->dims[i].priority;
        if (!seen)
            tsr_vec_push(refs, (reference){s->dims[i].priority, place, (uint32_t)refs->n, s});
    }
}

tsr_priorities *tsr_priorities_start(tsr_engine *e)
{
    references refs = {0};
    for (uint32_t place = 0; place < e->nplace; place++) {
        const tsr_sharding *s = e->now[place];
        bool given = false;
        for (uint32_t i = 0; s && i < s->rank; i++)
            given |= s->dims[i].priority >= 0;
        /* Replicated axes are also sorted in mesh order. */
        if (!s || (!given && s->replicated->n < 2))
            continue;
        tsr_arena_mark mark = tsr_arena_save(&e->step);
        add_references(&refs, place, s);
        const tsr_sharding *hidden = hide_later(e, s);
        if (hidden != s)
            tsr_engine_set(e, place, hidden);
        tsr_arena_rewind(&e->step, mark);
    }
    tsr_priorities *p = TSR_NEW(e->arena, tsr_priorities);
    p->n = refs.n;
    p->refs = tsr_arena_copy(e->arena, refs.data, refs.n * sizeof *refs.data);
    if (p->n)
        qsort(p->refs, p->n, sizeof *p->refs, by_priority);
    tsr_vec_free(&refs);
    return p;
}

bool tsr_priorities_more(const tsr_priorities *p)
{
    return p->next < p->n;
}

int64_t tsr_priorities_next(tsr_engine *e, tsr_priorities *p)
{
    int64_t priority = p->refs[p->next].priority;
    for (; p->next < p->n && p->refs[p->next].priority == priority; p->next++) {
        const reference *ref = &p->refs[p->next];
        tsr_arena_mark mark = tsr_arena_save(&e->step);
        if (e->now[ref->place])
            tsr_engine_set(e, ref->place, show(e, e->now[ref->place], ref));
        tsr_arena_rewind(&e->step, mark);
    }
    return priority;
}
