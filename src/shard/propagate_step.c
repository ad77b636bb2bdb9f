/* propagate_step.c - one visit: the shardings of a site's values are projected to factors, axes spread, and what changed
 * goes back to the values. */
#include "shard/flow.h"
#include "shard/propagate.h"
#include "shard/why.h"

/* Shardings of edges as their sources see them, and back. */
static const tsr_sharding *seen_by_sources(tsr_engine *e, tsr_op *op, const tsr_sharding *s)
{
    tsr_attr *attr = tsr_sharding_encode(&e->table, s);
    return attr ? tsr_sharding_decode(&e->table, tsr_flow_to_sources(op->in[0].value, attr)) : NULL;
}

static const tsr_sharding *seen_by_owner(tsr_engine *e, tsr_op *op, const tsr_sharding *s)
{
    tsr_attr *attr = tsr_sharding_encode(&e->table, s);
    return tsr_sharding_decode(&e->table, tsr_flow_to_owner(op->in[0].value, attr));
}

/* How a visit is made: strategy and directions, never 0. */
static uint8_t manner(const tsr_engine *e, const tsr_op *op, const tsr_site *site,
                      tsr_spread_directions *d)
{
    if (site->kind == TSR_SITE_BARRIER)
        *d = (tsr_spread_directions){site->barrier, site->barrier};
    else if (site->kind == TSR_SITE_FUNC)
        *d = (tsr_spread_directions){TSR_SDY_BOTH, TSR_SDY_BOTH};
    else
        *d = tsr_spread_in(op, (tsr_spread)site->spread, e->round);
    return (uint8_t)(1 | e->strategy << 1 | d->pass_through << 2 | d->other << 4);
}

/* Whether the last visit, made in this manner, changed nothing and nothing has changed since: so it would again. */
static bool settled(const tsr_engine *e, const tsr_site *site, uint8_t how)
{
    if (site->last != how)
        return false;
    uint32_t n = tsr_rule_tensors(site->rule);
    for (uint32_t t = 0; t < n; t++)
        if (site->places[t] != TSR_NO_PLACE && e->changed[site->places[t]] > site->visited)
            return false;
    return true;
}

/* Sets a tensor's new sharding and tells who must know. */
static bool update(tsr_engine *e, tsr_op *op, const tsr_site *site, uint32_t t,
                   const tsr_sharding *old, const tsr_sharding *new)
{
    uint32_t place = site->places[t];
    if (new == old || (!old && tsr_sharding_no_axes(new)) || place == TSR_NO_PLACE)
        return false;
    if (site->manual && t + 1 == tsr_rule_tensors(site->rule)) {
        tsr_engine_set(e, place, seen_by_owner(e, op, new));
    } else {
        tsr_engine_set(e, place, new);
    }
    if (place >= e->nvalue)
        return true; /* a function's result, which nothing else depends on */
    if (site->kind != TSR_SITE_FUNC)
        tsr_engine_notify(e, e->values[place]);
    if (!e->group_of || !e->group_of[place])
        return true;
    const tsr_group *g = &e->groups[e->group_of[place] - 1];
    for (uint32_t i = 0; i < g->n; i++) {
        uint32_t member = g->members[i];
        if (member == place)
            continue;
        if (e->place[member] != TSR_NO_PLACE)
            tsr_engine_set(e, e->place[member], new);
        if (site->kind != TSR_SITE_FUNC)
            tsr_engine_notify(e, e->values[member]);
    }
    return true;
}

typedef struct {
    const tsr_sharding **old;
    const tsr_mesh *mesh;
    uint32_t n;
} tensors;

/* The tensors' shardings; false when they cannot change each other. */
static bool load(tsr_engine *e, tsr_op *op, const tsr_site *site, tensors *in)
{
    bool any = false;
    in->n = tsr_rule_tensors(site->rule);
    in->old = tsr_arena_alloc(&e->step, in->n * sizeof *in->old);
    for (uint32_t t = 0; t < in->n; t++) {
        uint32_t place = site->places[t];
        in->old[t] = place == TSR_NO_PLACE ? NULL : e->now[place];
        if (site->manual && t + 1 == in->n)
            in->old[t] = seen_by_sources(e, op, in->old[t]);
        any |= in->old[t] && in->old[t]->sharded;
    }
    if (!any)
        return false;
    in->mesh = tsr_common_mesh(in->old, in->n, false);
    return in->mesh && !in->mesh->maximal;
}

static bool spread(tsr_engine *e, tsr_op *op, tsr_site *site, const tensors *in,
                   tsr_spread_directions d)
{
    const tsr_rule *r = site->rule;
    uint8_t *directions = tsr_arena_alloc(&e->step, r->nfactor);
    for (uint32_t f = 0; f < r->nfactor; f++)
        directions[f] = r->blocked[f]                            ? TSR_SDY_NONE
                        : r->kinds[f] == TSR_FACTOR_PASS_THROUGH ? d.pass_through
                                                                 : d.other;
    tsr_factor_step step = {
        .strategy = e->strategy,
        .mesh = in->mesh,
        .directions = directions,
        .conservative = e->options->conservative && site->kind == TSR_SITE_RULE,
        .elementwise = site->kind != TSR_SITE_FUNC && site->spread == TSR_SPREAD_ELEMENTWISE,
        .scratch = &e->step,
    };
    tsr_projection p;
    tsr_projection_init(&p, &e->step, &e->table, r);
    tsr_projection_build(&p, in->old, false);
    bool *changed = tsr_arena_zalloc(&e->step, in->n), any = false;
    tsr_why_step *record = e->options->why ? tsr_why_before(e->options->why, e, op, site, &p, in->mesh) : NULL;
    if (tsr_factor_propagate(&step, &p, changed))
        for (uint32_t t = 0; t < in->n; t++)
            if (changed[t])
                any |= update(e, op, site, t, in->old[t], tsr_projection_sharding(&p, t, in->mesh));
    if (record)
        tsr_why_after(e->options->why, record, &p, any);
    return any;
}

bool tsr_engine_step(tsr_engine *e, tsr_op *op, tsr_site *site)
{
    tsr_spread_directions d;
    uint8_t how = manner(e, op, site, &d);
    if (settled(e, site, how))
        return false;
    tsr_arena_mark mark = tsr_arena_save(&e->step);
    tensors in;
    bool any = (d.pass_through != TSR_SDY_NONE || d.other != TSR_SDY_NONE) &&
               load(e, op, site, &in) && spread(e, op, site, &in, d);
    tsr_arena_rewind(&e->step, mark);
    site->last = any ? 0 : how;
    site->visited = e->time;
    return any;
}
