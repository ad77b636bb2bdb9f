/* SPDX-License-Identifier: Apache-2.0 */
/* auto_args.c - the best plan that shardings of arguments alone can say: propagation does the rest. Starts from the
 * arguments of all candidates, and then changes one layout at a time, of arguments that are alike or tied, as long as
 * that helps. */
#include "api/auto_try.h"

#include "dialect/kinds.h"

enum {
    OPS_TO_TRY = 600000,
    LEAST = 64,
    MOST = 1500,
    STARTS = 96, /* at most: layouts of arguments that are tried first */
    DESCENTS = 3,
    WAVE = 8 /* tried at once, with any number of threads */
};

typedef struct {
    tsr_chooser *c;
    const tsr_block *body;
    uint32_t *tied,
        *alike; /* by argument: the first one of its group; tied: also with other kinds of state */
    uint32_t *order; /* arguments, those with the most bytes first */
    uint32_t from;   /* the plan that is changed */
    tsr_auto_plan plans[WAVE];
    uint32_t n;
    bool better;
} descent;

static tsr_layout *copy_args(const descent *d, const tsr_layout *args)
{
    return tsr_arena_copy(d->c->arena, args, (d->body->nargs + 1) * sizeof *args);
}

/* ---- Groups of arguments ---- */

/* Arguments that represent each other in few layers. */
static void join_layers(const descent *d, uint32_t *parent)
{
    const tsr_chooser *c = d->c;
    for (uint32_t i = 0; c->nsmall && i < d->body->nargs; i++) {
        const tsr_folded *f = &c->small[0].folded;
        uint32_t like = f->arg_from[f->arg_to[i]];
        if (d->body->args[like]->type == d->body->args[i]->type)
            tsr_auto_join(parent, like, i);
    }
}

static bool same_shape(const tsr_type *a, const tsr_type *b)
{
    return tsr_type_is(a, TSR_TYPE_TENSOR) && tsr_type_is(b, TSR_TYPE_TENSOR) && a->n == b->n &&
           a->n && memcmp(a->dims, b->dims, a->n * sizeof *a->dims) == 0;
}

/* A parameter and its optimiser state meet in pointwise ops of their shape, which update them: such arguments are
 * tied. */
static void join_tied(descent *d)
{
    const tsr_op *func = d->c->whole.func;
    uint32_t n = func->module->nvalue + 1;
    uint32_t *parent = TSR_NEW_ARRAY(d->c->arena, uint32_t, n);
    uint32_t *first = TSR_NEW_ARRAY(d->c->arena, uint32_t, n);
    for (uint32_t i = 0; i < n; i++)
        parent[i] = i;
    TSR_BLOCK_OPS (d->body->first ? d->body : NULL, op)
        for (uint32_t i = 0; tsr_op_has(op, TSR_TRAIT(ELEMENTWISE)) && i < op->nin; i++)
            if (op->nout == 1 && same_shape(op->in[i].value->type, op->out[0].type))
                tsr_auto_join(parent, op->in[i].value->id, op->out[0].id);
    for (uint32_t i = 0; i < d->body->nargs; i++) {
        uint32_t root = tsr_auto_root(parent, d->body->args[i]->id);
        if (!first[root])
            first[root] = i + 1;
        tsr_auto_join(d->tied, first[root] - 1, i);
    }
}

static void find_groups(descent *d)
{
    uint32_t n = d->body->nargs;
    d->tied = TSR_NEW_ARRAY(d->c->arena, uint32_t, n + 1);
    d->alike = TSR_NEW_ARRAY(d->c->arena, uint32_t, n + 1);
    d->order = TSR_NEW_ARRAY(d->c->arena, uint32_t, n + 1);
    double *bytes = TSR_NEW_ARRAY(d->c->arena, double, n + 1);
    for (uint32_t i = 0; i < n; i++) {
        int64_t b = tsr_local_bytes(d->body->args[i]->type, NULL);
        d->tied[i] = d->alike[i] = i;
        bytes[i] = b > 0 ? (double)b : 0;
        uint32_t at = i;
        for (; at && bytes[d->order[at - 1]] < bytes[i]; at--)
            d->order[at] = d->order[at - 1];
        d->order[at] = i;
    }
    join_layers(d, d->tied);
    join_layers(d, d->alike);
    join_tied(d);
    for (uint32_t i = 0; i < n; i++) {
        d->tied[i] = tsr_auto_root(d->tied, i);
        d->alike[i] = tsr_auto_root(d->alike, i);
    }
}

/* ---- Trying ---- */

static void try_collected(descent *d)
{
    const tsr_auto_result *r = d->c->out;
    uint32_t got = d->n ? tsr_auto_consider(d->c, d->plans, d->n) : UINT32_MAX;
    d->n = 0;
    if (got == UINT32_MAX)
        return;
    const tsr_auto_plan *now = &r->plans.data[got], *from = &r->plans.data[d->from];
    bool fits = tsr_auto_fits(r, from); /* else memory counts, and not time */
    if (tsr_auto_is_better(r, now, from) && (!fits || now->seconds < from->seconds * 0.9999)) {
        d->from = got;
        d->better = true;
    }
}

/* The plan with this layout for a group of arguments. Those of the group that have another shape keep theirs. */
static void change(descent *d, const uint32_t *group, uint32_t first, tsr_layout l)
{
    const tsr_auto_plan from = d->c->out->plans.data[d->from];
    tsr_layout *args = copy_args(d, from.args);
    bool differs = false;
    for (uint32_t i = 0; i < d->body->nargs; i++)
        if (group[i] == group[first] &&
            same_shape(d->body->args[i]->type, d->body->args[first]->type)) {
            differs |= !tsr_layout_eq(args[i], l);
            args[i] = l;
        }
    if (!differs)
        return;
    tsr_auto_plan plan = from;
    plan.args = args;
    if (from.origin != TSR_AUTO_FLIP) {
        tsr_buf name = {0};
        tsr_buf_str(&name, from.name);
        tsr_buf_cstr(&name, "; arguments changed");
        plan.name = tsr_str_of(tsr_arena_copy(d->c->arena, name.data, name.len), name.len);
        tsr_buf_free(&name);
    }
    plan.origin = TSR_AUTO_FLIP;
    if (!plan.named_by_axes)
        memset(plan.axes, 0, sizeof plan.axes); /* what they do may have changed */
    d->plans[d->n++] = plan;
    if (d->n == WAVE)
        try_collected(d);
}

/* All layouts of a group: each axis cuts each dimension that it divides, or none. */
static void change_all_ways(descent *d, const uint32_t *group, uint32_t first)
{
    const tsr_chooser *c = d->c;
    const tsr_type *type = d->body->args[first]->type;
    int64_t ways = 1;
    for (uint32_t a = 0; a < c->mesh->n; a++)
        ways *= type->n + 1;
    for (int64_t w = 0; w < ways && c->budget > d->n && tsr_auto_time_is_left(c); w++) {
        tsr_layout l = {{0}};
        int64_t rest = w;
        bool ok = true;
        for (uint32_t a = 0; a < c->mesh->n; a++, rest /= type->n + 1)
            l.at[a] = (uint8_t)(rest % (type->n + 1));
        for (uint32_t dim = 0; dim < type->n; dim++)
            ok &=
                type->dims[dim] > 0 && type->dims[dim] % tsr_layout_parts_of(c->mesh, l, dim) == 0;
        if (ok)
            change(d, group, first, l);
    }
}

static bool may_change(const descent *d, uint32_t i)
{
    const tsr_type *type = d->body->args[i]->type;
    return !d->c->given[i] && tsr_type_is(type, TSR_TYPE_TENSOR) && type->n && type->n < 8 &&
           tsr_type_has_static_shape(type);
}

/* Changes groups until nothing helps: first those that are tied, then each kind of them alone. */
static void descend(descent *d)
{
    for (bool again = true; again;) {
        again = false;
        const uint32_t *ways[] = {d->tied, d->alike};
        for (size_t w = 0; w < TSR_COUNT(ways); w++)
            for (uint32_t k = 0; k < d->body->nargs; k++) {
                uint32_t i = d->order[k];
                if (ways[w][i] != i || !may_change(d, i))
                    continue;
                d->better = false;
                change_all_ways(d, ways[w], i);
                try_collected(d);
                again |= d->better;
            }
        again &= d->c->budget > 0 && tsr_auto_time_is_left(d->c);
    }
}

/* ---- Where to start ---- */

static bool same_args(const descent *d, const tsr_auto_plan *a, const tsr_auto_plan *b)
{
    bool same = true;
    for (uint32_t i = 0; same && i < d->body->nargs; i++)
        same = tsr_layout_eq(a->args[i], b->args[i]);
    return same;
}

typedef struct {
    uint32_t mesh;
    tsr_auto_plan plan;
} estimate;

static bool estimate_one(tsr_chooser *c, int64_t i, void *user)
{
    estimate *e = (estimate *)user + i;
    TSR_TRY(tsr_auto_open(c, e->mesh, true));
    tsr_auto_estimate(c, &e->plan);
    return true;
}

/* Candidates that have no pins may have been given up after few layers: then their memory is that of these. They are
 * estimated anew. */
static void estimate_anew(descent *d)
{
    tsr_chooser *c = d->c;
    tsr_auto_result *r = c->out;
    estimate *all = TSR_NEW_ARRAY(c->arena, estimate, r->plans.n + 1);
    uint32_t *which = TSR_NEW_ARRAY(c->arena, uint32_t, r->plans.n + 1), n = 0;
    for (uint32_t i = 0; c->nsmall && i < r->plans.n; i++)
        if (r->plans.data[i].mesh == c->at && !r->plans.data[i].npin && !r->plans.data[i].settled &&
            r->plans.data[i].works) {
            which[n] = i;
            all[n++] = (estimate){c->at, r->plans.data[i]};
        }
    tsr_auto_each(c, n, estimate_one, all);
    for (uint32_t i = 0; i < n; i++)
        r->plans.data[which[i]] = all[i].plan;
}

/* The arguments of candidates on this mesh, the best ones first, without their pins. */
static void try_starts(descent *d)
{
    tsr_chooser *c = d->c;
    tsr_auto_result *r = c->out;
    size_t nold = r->plans.n;
    tsr_auto_plan *starts = TSR_NEW_ARRAY(c->arena, tsr_auto_plan, STARTS);
    uint32_t n = 0;
    for (size_t i = 0; i < nold && n < STARTS; i++) {
        const tsr_auto_plan *p = &r->plans.data[i];
        bool met = p->mesh != c->at || !p->works || (p->origin == TSR_AUTO_FLIP && i != r->best);
        for (uint32_t k = 0; k < n && !met; k++)
            met = same_args(d, p, &starts[k]);
        if (met)
            continue;
        starts[n] = *p;
        starts[n].npin = 0;
        starts[n].pins = NULL;
        starts[n++].settled = false;
    }
    c->least.works =
        false; /* plans with pins are no measure: all figures are to be for all layers */
    tsr_auto_consider(c, starts, n);
}

/* The best plan without pins on this mesh, among the first n; before: not one that began a descent. */
static uint32_t best_alone(const descent *d, size_t n, const uint32_t *before, uint32_t nbefore)
{
    const tsr_auto_result *r = d->c->out;
    uint32_t best = UINT32_MAX;
    for (uint32_t i = 0; i < n; i++) {
        const tsr_auto_plan *p = &r->plans.data[i];
        bool not = p->npin || p->mesh != d->c->at || !p->works;
        for (uint32_t k = 0; k < nbefore; k++)
            not |= before[k] == i;
        if (!not &&(best == UINT32_MAX || tsr_auto_is_better(r, p, &r->plans.data[best])))
            best = i;
    }
    return best;
}

/* The fastest plan without pins that nearly fits, if it is faster than the best one: a change or two may make it fit. */
static uint32_t nearly_alone(const descent *d, size_t n)
{
    const tsr_auto_result *r = d->c->out;
    uint32_t found = UINT32_MAX, best = best_alone(d, n, NULL, 0);
    for (uint32_t i = 0; best != UINT32_MAX && i < n; i++) {
        const tsr_auto_plan *p = &r->plans.data[i];
        if (!p->npin && p->mesh == d->c->at && p->works && !tsr_auto_fits(r, p) &&
            p->peak < 1.3 * r->limit && p->seconds < r->plans.data[best].seconds &&
            (found == UINT32_MAX || p->seconds < r->plans.data[found].seconds))
            found = i;
    }
    return found;
}

/* Tries the best ones with all layers, until one fits, and takes the best of them. */
static void settle_best(descent *d)
{
    tsr_chooser *c = d->c;
    tsr_auto_result *r = c->out;
    uint32_t tried[5];
    r->settled = UINT32_MAX;
    for (uint32_t k = 0; k < TSR_COUNT(tried); k++) {
        bool fits = r->settled != UINT32_MAX && tsr_auto_fits(r, &r->plans.data[r->settled]);
        tried[k] = k > 1 && fits ? UINT32_MAX : best_alone(d, r->plans.n, tried, k);
        if (tried[k] == UINT32_MAX)
            break;
        tsr_auto_settle(c, &tried[k], 1);
    }
    if (r->settled != UINT32_MAX)
        r->best = r->settled;
}

bool tsr_auto_arguments_alone(tsr_chooser *c)
{
    tsr_auto_result *r = c->out;
    TSR_TRY(tsr_auto_look_at(c, r->plans.data[r->best].mesh, 1));
    descent d = {.c = c, .body = c->whole.func->regions[0].first};
    int64_t budget = OPS_TO_TRY / (tsr_auto_ops_of_a_try(c) + 1);
    c->budget = budget < LEAST ? LEAST : budget > MOST ? MOST : budget;
    find_groups(&d);
    estimate_anew(&d);
    try_starts(&d);
    size_t nstart = r->plans.n;
    uint32_t before[DESCENTS], n = 0;
    int64_t all = c->budget;
    for (; n < DESCENTS; n++) {
        uint32_t start = n ? best_alone(&d, nstart, before, n) : nearly_alone(&d, nstart);
        before[n] = start;
        if (start == UINT32_MAX)
            continue;
        d.from = r->best = start;
        c->least.works = false;
        c->budget = all / DESCENTS;
        descend(&d);
    }
    settle_best(&d);
    return true;
}
