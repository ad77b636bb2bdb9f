/* SPDX-License-Identifier: Apache-2.0 */
/* step.c - one visit: projects the shardings of a site's values to factors, spreads axes, and writes changes back to
 * the values. */
#include "shard/core/flow.h"
#include "shard/core/invariants.h"
#include "shard/propagate/propagate.h"
#include "shard/propagate/why.h"

/* Shardings of edges as their sources see them, and the reverse. */
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

/* The kind of a visit: strategy and directions; 0: nothing can propagate. */
static uint8_t manner(const tsr_engine *e, const tsr_op *op, const tsr_site *site,
                      tsr_spread_directions *d)
{
    if (site->kind == TSR_SITE_BARRIER)
        *d = (tsr_spread_directions){site->barrier, site->barrier};
    else if (site->kind == TSR_SITE_FUNC)
        *d = (tsr_spread_directions){TSR_SDY_BOTH, TSR_SDY_BOTH};
    else
        *d = tsr_spread_in(op, (tsr_spread)site->spread, e->round);
    if (!site->passes)
        d->pass_through = TSR_SDY_NONE;
    if (!site->others)
        d->other = TSR_SDY_NONE;
    if (d->pass_through == TSR_SDY_NONE && d->other == TSR_SDY_NONE)
        return 0;
    return (uint8_t)(1 | e->strategy << 1 | d->pass_through << 2 | d->other << 4);
}

/* Whether a visit of this kind changed nothing and nothing has changed since: repeating it is useless. */
static bool settled(const tsr_engine *e, tsr_site *site, uint8_t how)
{
    const uint32_t *places = tsr_site_places(site);
    for (uint32_t t = 0; t < site->ntensor && site->visited != e->time; t++)
        if (places[t] != TSR_NO_PLACE && e->changed[places[t]] > site->visited) {
            site->quiet = 0;
            break;
        }
    site->visited = e->time;
    return site->quiet >> (how >> 1) & 1;
}

/* Sets a tensor's new sharding and notifies everything that depends on it. */
static bool update(tsr_engine *e, tsr_op *op, const tsr_site *site, uint32_t t,
                   const tsr_sharding *old, const tsr_sharding *new)
{
    uint32_t place = tsr_site_places(site)[t];
    if (new == old || place == TSR_NO_PLACE)
        return false;
    bool inside = site->manual && t + 1 == site->ntensor;
    tsr_engine_set(e, place, inside ? seen_by_owner(e, op, new) : new);
    if (place >= e->nvalue)
        return true; /* a function's result, which nothing else depends on */
    if (site->kind != TSR_SITE_FUNC)
        tsr_engine_notify(e, e->values[place]);
    if (!e->group_of || !e->group_of[place])
        return true;
    const tsr_value_group *g = &e->groups[e->group_of[place] - 1];
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

/* Loads the tensors' shardings; false if they cannot change each other. */
static bool load(tsr_engine *e, tsr_op *op, const tsr_site *site, const tsr_sharding **old)
{
    bool any = false;
    const uint32_t *places = tsr_site_places(site);
    for (uint32_t t = 0; t < site->ntensor; t++) {
        uint32_t place = places[t];
        old[t] = place == TSR_NO_PLACE ? NULL : e->now[place];
        if (site->manual && t + 1 == site->ntensor)
            old[t] = seen_by_sources(e, op, old[t]);
        any |= old[t] && old[t]->sharded;
    }
    return any;
}

/* ---- Memoised visits: the same shardings under the same rule recur often ---- */

typedef struct {
    const tsr_rule *rule;
    uint32_t how;
    bool any;                    /* something changes */
    const tsr_sharding *pairs[]; /* for each tensor: before, after */
} outcome;

static uint32_t manner_of_all(const tsr_engine *e, const tsr_site *site, uint8_t how)
{
    bool elementwise = site->kind != TSR_SITE_FUNC && site->spread == TSR_SPREAD_ELEMENTWISE;
    bool conservative = e->options->conservative && site->kind == TSR_SITE_RULE;
    return how | (uint32_t)elementwise << 8 | (uint32_t)conservative << 9;
}

static const outcome *recall(const tsr_engine *e, const tsr_site *site, uint32_t how,
                             const tsr_sharding *const *old, uint64_t *hash)
{
    uint64_t h = tsr_hash_mix(tsr_hash_ptr(site->rule), how);
    for (uint32_t t = 0; t < site->ntensor; t++)
        h = tsr_hash_mix(h, old[t] ? old[t]->id : 0);
    *hash = h;
    TSR_MAP_EACH (&e->memo, h, found) {
        const outcome *o = found;
        bool same = o->rule == site->rule && o->how == how;
        for (uint32_t t = 0; t < site->ntensor && same; t++)
            same = o->pairs[2 * t] == old[t];
        if (same)
            return o;
    }
    return NULL;
}

static const outcome *compute(tsr_engine *e, tsr_op *op, const tsr_site *site, uint32_t how,
                              tsr_spread_directions d, const tsr_sharding *const *old,
                              const tsr_mesh *mesh, tsr_arena *keep)
{
    const tsr_rule *r = site->rule;
    uint32_t n = site->ntensor;
    tsr_assert(n == tsr_rule_tensors(r), "'%.*s': %u tensors, but a rule for %u",
               TSR_STR_ARG(op->def->name), n, tsr_rule_tensors(r));
    uint8_t *directions = tsr_arena_alloc(&e->step, r->nfactor);
    for (uint32_t f = 0; f < r->nfactor; f++)
        directions[f] = r->blocked[f]                            ? TSR_SDY_NONE
                        : r->kinds[f] == TSR_FACTOR_PASS_THROUGH ? d.pass_through
                                                                 : d.other;
    tsr_factor_step step = {
        .strategy = e->strategy,
        .mesh = mesh,
        .directions = directions,
        .conservative = how >> 9 & 1,
        .elementwise = how >> 8 & 1,
        .scratch = &e->step,
    };
    tsr_projection p;
    tsr_projection_init(&p, &e->step, &e->table, r);
    tsr_projection_build(&p, old, false);
    bool *changed = tsr_arena_zalloc(&e->step, n);
    tsr_why *why = e->options->why;
    tsr_why_step *record = why ? tsr_why_before(why, e, op, site, &p, mesh) : NULL;
    outcome *o = tsr_arena_alloc(keep, sizeof *o + 2 * n * sizeof *o->pairs);
    *o = (outcome){.rule = r, .how = how};
    bool any = tsr_factor_propagate(&step, &p, changed);
    for (uint32_t t = 0; t < n; t++) {
        const tsr_sharding *new = any &&changed[t] ? tsr_projection_sharding(&p, t, mesh) : old[t];
        if (!old[t] && new &&tsr_sharding_no_axes(new))
            new = NULL;
        tsr_check(tsr_sharding_extends(old[t], new),
                  "'%.*s': propagation takes axes away from tensor %u", TSR_STR_ARG(op->def->name),
                  t);
        o->pairs[2 * t] = old[t];
        o->pairs[2 * t + 1] = new;
        o->any |= new != old[t];
    }
    if (record)
        tsr_why_after(why, record, &p, o->any);
    return o;
}

static const outcome *outcome_of(tsr_engine *e, tsr_op *op, const tsr_site *site, uint32_t how,
                                 tsr_spread_directions d, const tsr_sharding *const *old)
{
    uint64_t hash = 0;
    const outcome *o = e->options->why ? NULL : recall(e, site, how, old, &hash);
    if (o)
        return o;
    const tsr_mesh *mesh = tsr_common_mesh(old, site->ntensor, false);
    if (!mesh || mesh->maximal)
        return NULL;
    /* Large ops are few, and memoising them costs memory. */
    bool keep = !e->options->why && site->ntensor <= 16;
    o = compute(e, op, site, how, d, old, mesh, keep ? e->arena : &e->step);
    if (keep)
        tsr_map_put(&e->memo, hash, (void *)o);
    return o;
}

bool tsr_engine_step(tsr_engine *e, tsr_op *op, tsr_site *site)
{
    tsr_spread_directions d;
    uint8_t how = manner(e, op, site, &d);
    if (!how || settled(e, site, how))
        return false;
    tsr_arena_mark mark = tsr_arena_save(&e->step);
    const tsr_sharding **old = tsr_arena_alloc(&e->step, site->ntensor * sizeof *old);
    bool some = load(e, op, site, old);
    const outcome *o = some ? outcome_of(e, op, site, manner_of_all(e, site, how), d, old) : NULL;
    bool any = false;
    for (uint32_t t = 0; o && o->any && t < site->ntensor; t++)
        any |= update(e, op, site, t, o->pairs[2 * t], o->pairs[2 * t + 1]);
    tsr_arena_rewind(&e->step, mark);
    if (any)
        site->visited = e->time, site->quiet = 0;
    else
        site->quiet |= some ? UINT32_C(1) << (how >> 1) : UINT32_MAX;
    return any;
}
