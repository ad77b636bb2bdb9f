/* SPDX-License-Identifier: Apache-2.0 */
/* why.c - see why.h. */
#include "shard/propagate/why.h"

#include "dialect/sdy/axes.h"

struct tsr_why_step {
    tsr_engine *e;
    tsr_op *op;
    const tsr_site *site;
    const tsr_mesh *mesh;
    const tsr_factor_sharding *old; /* parts before the step */
};

void tsr_why_free(tsr_why *why)
{
    tsr_vec_free(&why->edges);
    tsr_map_free(&why->by_value);
}

tsr_why_step *tsr_why_before(tsr_why *why, tsr_engine *e, tsr_op *op, const tsr_site *site,
                             const tsr_projection *p, const tsr_mesh *mesh)
{
    (void)why;
    tsr_why_step *s = TSR_NEW(&e->step, tsr_why_step);
    uint32_t n = tsr_projection_parts(p->rule);
    *s =
        (tsr_why_step){e, op, site, mesh, tsr_arena_copy(&e->step, p->parts, n * sizeof *p->parts)};
    return s;
}

/* ---- Effect of a step ---- */

/* The first tensor that had all these axes on the factor before, operands first. */
static bool find_source(const tsr_why_step *s, uint32_t factor, const tsr_axes *axes, uint32_t *out)
{
    const tsr_rule *r = s->site->rule;
    uint32_t n = tsr_rule_tensors(r);
    for (uint32_t t = 0; t < n; t++)
        for (uint32_t i = tsr_projection_first(r, t); i < tsr_projection_first(r, t + 1); i++)
            if (r->factors[i] == factor && !s->old[i].absent &&
                tsr_axes_prefix(axes, s->old[i].axes) != TSR_NOT_PREFIX) {
                *out = t;
                return true;
            }
    return false;
}

static tsr_why_place place_of(const tsr_why_step *s, uint32_t tensor)
{
    const tsr_engine *e = s->e;
    uint32_t place = tsr_site_places(s->site)[tensor];
    if (place < e->nvalue)
        return (tsr_why_place){e->values[place], NULL, 0};
    if (place == TSR_NO_PLACE)
        return (tsr_why_place){NULL, NULL, 0};
    const tsr_func_results *f = e->funcs;
    for (uint32_t n = e->nfunc; n > 1;) { /* the last function that begins at the place or before */
        uint32_t half = n / 2;
        f += f[half].first <= place ? half : 0;
        n -= half;
    }
    const tsr_op *end = f->func->regions[0].first->last;
    return (tsr_why_place){end->in[place - f->first].value, f->func, place - f->first};
}

/* New axes of one tensor; a later factor of the same dimension may extend the last one, so parts are reported only when
 * complete. */
typedef struct {
    tsr_axis axis;
    uint32_t source;
    bool gone;
} arrival;
typedef TSR_VEC(arrival) arrivals;

static void arrive(arrivals *list, tsr_axis axis, uint32_t source)
{
    for (size_t i = 0; i < list->n; i++)
        if (!list->data[i].gone && tsr_axis_eq(list->data[i].axis, axis))
            return;
    tsr_vec_push(list, (arrival){axis, source, false});
}

static void leave(arrivals *list, tsr_axis axis)
{
    for (size_t i = 0; i < list->n; i++)
        if (tsr_axis_eq(list->data[i].axis, axis))
            list->data[i].gone = true;
}

static void new_axes_of_dim(const tsr_why_step *s, const tsr_projection *p, uint32_t dim,
                            arrivals *out)
{
    const tsr_rule *r = p->rule;
    tsr_axis previous = {0};
    bool has_previous = false;
    for (uint32_t i = r->first[dim]; i < r->first[dim + 1]; i++) {
        const tsr_axes *old = s->old[i].axes, *new = p->parts[i].axes;
        if (s->old[i].absent || old == new || !new->n)
            continue;
        tsr_axis last = new->data[new->n - 1];
        if (has_previous && tsr_axis_can_merge(previous, last)) {
            leave(out, previous);
            last = tsr_axis_merge(previous, last);
        }
        previous = new->data[new->n - 1];
        has_previous = true;
        uint32_t source;
        if (!find_source(s, r->factors[i], new, &source))
            continue;
        /* The last old axis may have grown; those after it are new. */
        for (uint32_t k = old->n ? old->n - 1 : 0; k < new->n; k++) {
            tsr_axis a = k + 1 == new->n ? last : new->data[k];
            if (k >= old->n || !tsr_axis_eq(old->data[k], a))
                arrive(out, a, source);
        }
    }
}

void tsr_why_after(tsr_why *why, tsr_why_step *s, const tsr_projection *p, bool any)
{
    if (!any)
        return;
    const tsr_rule *r = p->rule;
    uint32_t n = tsr_rule_tensors(r);
    arrivals list = {0};
    for (uint32_t t = 0; t < n; t++) {
        list.n = 0;
        for (uint32_t d = r->dims[t]; d < r->dims[t + 1]; d++)
            new_axes_of_dim(s, p, d, &list);
        for (size_t i = 0; i < list.n; i++) {
            if (list.data[i].gone)
                continue;
            tsr_why_edge edge = {.step = why->step,
                                 .op = s->op,
                                 .axis = tsr_axis_encode(s->e->ctx, s->mesh, list.data[i].axis),
                                 .from = place_of(s, list.data[i].source),
                                 .to = place_of(s, t),
                                 .source = list.data[i].source,
                                 .target = t,
                                 .noperand = r->noperand,
                                 .round = s->e->round};
            tsr_vec_push(&why->edges, edge);
        }
    }
    why->step++;
    tsr_vec_free(&list);
}

/* ---- Queries ---- */

/* Whether both are parts of one axis, one inside the other. */
static bool related(const tsr_attr *a, const tsr_attr *b)
{
    if (a == b)
        return true;
    if (tsr_sdy_axis_name(a) != tsr_sdy_axis_name(b))
        return false;
    if (tsr_sdy_axis_is_full(a) || tsr_sdy_axis_is_full(b))
        return true;
    int64_t pa = tsr_sdy_axis_pre(a), pb = tsr_sdy_axis_pre(b);
    int64_t ea = tsr_sdy_sub_axis_end(a), eb = tsr_sdy_sub_axis_end(b);
    return (pa <= pb && ea >= eb) || (pb <= pa && eb >= ea);
}

/* Adds the edges that came since the last query. */
static void index_edges(tsr_why *why)
{
    for (; why->nindexed < why->edges.n; why->nindexed++) {
        const tsr_why_edge *edge = &why->edges.data[why->nindexed];
        if (!edge->to.func)
            tsr_map_put(&why->by_value, tsr_hash_ptr(edge->to.value),
                        (void *)(uintptr_t)(why->nindexed + 1));
    }
}

/* The first edge that brought axis to exactly v before step; NULL: none. */
static const tsr_why_edge *first_to(const tsr_why *why, const tsr_value *v, const tsr_attr *axis,
                                    int64_t before)
{
    TSR_MAP_EACH (&why->by_value, tsr_hash_ptr(v), at) {
        const tsr_why_edge *edge = &why->edges.data[(uintptr_t)at - 1];
        if (edge->step >= before)
            return NULL;
        if (edge->to.value == v && related(edge->axis, axis))
            return edge;
    }
    return NULL;
}

/* The edge that brought axis to v before step, also by where v's sharding is kept; NULL: v had it from the start. */
static const tsr_why_edge *edge_to(const tsr_why *why, const tsr_value *v, const tsr_attr *axis,
                                   int64_t before)
{
    const tsr_value *kept = tsr_sdy_shardable(v);
    const tsr_why_edge *own = first_to(why, v, axis, before),
                       *other = kept == v ? NULL : first_to(why, kept, axis, before);
    return !own || (other && other < own) ? other : own;
}

void tsr_why_chain(tsr_why *why, const tsr_value *v, const tsr_attr *axis, tsr_why_edges *out)
{
    index_edges(why);
    int64_t before = INT64_MAX;
    const tsr_why_edge *edge;
    /* Each edge belongs to an earlier step than the one before it, so this ends. */
    while (v && (edge = edge_to(why, v, axis, before)) != NULL) {
        tsr_vec_push(out, *edge);
        before = edge->step;
        axis = edge->axis;
        if (edge->from.func)
            break;
        v = edge->from.value;
    }
}
