/* SPDX-License-Identifier: Apache-2.0 */
/* site.c - finds the role of an op in propagation when it is first visited. */
#include "dialect/opcode.h"
#include "shard/core/flow.h"
#include "shard/propagate/propagate.h"

/* Room for the places of s->ntensor tensors. */
static uint32_t *new_places(tsr_engine *e, tsr_site *s)
{
    if (s->ntensor <= TSR_COUNT(s->few))
        return s->few;
    s->many = tsr_arena_alloc(e->arena, s->ntensor * sizeof *s->many);
    return s->many;
}

/* ---- Interned rules: most ops of a program resemble another ---- */

static uint64_t hash_rule(const tsr_rule *r)
{
    uint32_t ndim = r->dims[tsr_rule_tensors(r)];
    uint64_t h = tsr_hash_mix((uint64_t)r->nfactor << 32 | r->noperand,
                              (uint64_t)r->nresult << 1 | r->custom);
    h = tsr_hash_mix(h, tsr_hash_bytes(r->sizes, r->nfactor * sizeof *r->sizes));
    h = tsr_hash_mix(h, tsr_hash_bytes(r->kinds, r->nfactor));
    h = tsr_hash_mix(h, tsr_hash_bytes(r->blocked, r->nfactor));
    h = tsr_hash_mix(h, tsr_hash_bytes(r->dims, (tsr_rule_tensors(r) + 1) * sizeof *r->dims));
    h = tsr_hash_mix(h, tsr_hash_bytes(r->first, (ndim + 1) * sizeof *r->first));
    return tsr_hash_mix(h, tsr_hash_bytes(r->factors, r->first[ndim] * sizeof *r->factors));
}

static bool same(const void *a, const void *b, size_t bytes)
{
    return a == b || !bytes || memcmp(a, b, bytes) == 0;
}

static bool same_rule(const tsr_rule *a, const tsr_rule *b)
{
    uint32_t n = tsr_rule_tensors(a), ndim = a->dims[n];
    return a == b ||
           (a->nfactor == b->nfactor && a->noperand == b->noperand && a->nresult == b->nresult &&
            a->custom == b->custom && same(a->sizes, b->sizes, a->nfactor * sizeof *a->sizes) &&
            same(a->kinds, b->kinds, a->nfactor) && same(a->blocked, b->blocked, a->nfactor) &&
            same(a->dims, b->dims, (n + 1) * sizeof *a->dims) &&
            same(a->first, b->first, (ndim + 1) * sizeof *a->first) &&
            same(a->factors, b->factors, a->first[ndim] * sizeof *a->factors));
}

enum { SEEN = 256 }; /* a power of two */

const tsr_rule *tsr_engine_rule(tsr_engine *e, const tsr_rule *rule)
{
    if (!e->rules_seen)
        e->rules_seen = tsr_arena_zalloc(e->arena, SEEN * sizeof *e->rules_seen);
    const tsr_rule **seen = e->rules_seen[tsr_hash_ptr(rule) & (SEEN - 1)];
    if (seen[0] == rule)
        return seen[1];
    uint64_t h = hash_rule(rule);
    const tsr_rule *one = NULL;
    TSR_MAP_EACH (&e->rule_map, h, found)
        if (!one && same_rule(found, rule))
            one = found;
    if (!one) {
        one = rule;
        tsr_map_put(&e->rule_map, h, (void *)rule);
    }
    seen[0] = rule;
    seen[1] = one;
    return one;
}

static void set_rule(tsr_engine *e, tsr_site *s, const tsr_rule *rule)
{
    s->rule = tsr_engine_rule(e, rule);
    s->ntensor = tsr_rule_tensors(rule);
    for (uint32_t f = 0; f < rule->nfactor; f++) {
        bool pass = rule->kinds[f] == TSR_FACTOR_PASS_THROUGH;
        s->passes |= pass && !rule->blocked[f];
        s->others |= !pass && !rule->blocked[f];
    }
}

/* ---- Sites ---- */

static bool static_shape(const tsr_type *t)
{
    return tsr_type_is_shaped(t) && tsr_type_has_static_shape(t);
}

static void rule_site(tsr_engine *e, tsr_op *op, tsr_site *s)
{
    const tsr_rule *rule = tsr_rules_get(&e->rules, op);
    e->given |= op->extra && tsr_rule_given(op);
    if (!rule)
        return;
    s->kind = TSR_SITE_RULE;
    set_rule(e, s, rule);
    uint32_t *places = new_places(e, s);
    for (uint32_t i = 0; i < op->nin; i++)
        places[i] = e->place[op->in[i].value->id];
    for (uint32_t i = 0; i < op->nout; i++)
        places[op->nin + i] = e->place[op->out[i].id];
}

/* From sources to op's one result, by the identity rule. */
static void identity_site(tsr_engine *e, tsr_op *op, tsr_site *s, tsr_site_kind kind,
                          const uint32_t *sources, uint32_t n)
{
    s->kind = (uint8_t)kind;
    set_rule(e, s, tsr_rule_identity(e->arena, op->out[0].type, n));
    uint32_t *places = new_places(e, s);
    if (n)
        memcpy(places, sources, n * sizeof *sources);
    places[n] = op->out[0].id;
}

static void edge_site(tsr_engine *e, tsr_op *op, tsr_site *s)
{
    const tsr_value *owner = op->in[0].value;
    tsr_arena_mark mark = tsr_arena_save(&e->step);
    uint32_t n = 0;
    while (tsr_flow_source(owner, n))
        n++;
    uint32_t *sources = tsr_arena_alloc(&e->step, n * sizeof *sources);
    for (uint32_t i = 0; i < n; i++)
        sources[i] = e->place[tsr_flow_source(owner, i)->value->id];
    const tsr_op *parent = owner->is_arg ? tsr_block_parent(owner->block) : owner->op;
    s->manual = tsr_sdy_manual_axes(parent) != NULL;
    identity_site(e, op, s, TSR_SITE_EDGE, sources, n);
    tsr_arena_rewind(&e->step, mark);
}

static const tsr_op *enclosing_func(const tsr_op *op)
{
    while (op && !tsr_op_has(op, TSR_TRAIT(FUNCTION)))
        op = tsr_block_parent(op->block);
    return op;
}

static void func_edge_site(tsr_engine *e, tsr_op *op, tsr_site *s)
{
    const tsr_value *v = op->in[0].value;
    TSR_VEC(uint32_t) sources = {0};
    if (!e->calls)
        return;
    if (v->is_arg) {
        const tsr_op *func = enclosing_func(op);
        for (tsr_op *call = func ? e->calls[func->id] : NULL; call; call = e->calls[call->id])
            if (v->index < call->nin)
                tsr_vec_push(&sources, e->place[call->in[v->index].value->id]);
    } else {
        const tsr_op *callee = e->callees[v->op->id];
        const tsr_block *body = callee && callee->nregion ? callee->regions[0].first : NULL;
        const tsr_op *end = body ? body->last : NULL;
        if (end && tsr_is_func_return(end) && v->index < end->nin)
            tsr_vec_push(&sources, e->place[end->in[v->index].value->id]);
    }
    if (sources.n)
        identity_site(e, op, s, TSR_SITE_FUNC_EDGE, sources.data, (uint32_t)sources.n);
    tsr_vec_free(&sources);
}

tsr_site *tsr_engine_site(tsr_engine *e, tsr_op *op)
{
    tsr_site *s = &e->sites[op->id];
    if (s->kind != TSR_SITE_UNKNOWN)
        return s;
    s->kind = TSR_SITE_NONE;
    s->spread = (uint8_t)tsr_spread_of(op);
    switch (tsr_kinds_of(op).role) {
    case TSR_ROLE_EDGE:
        if (static_shape(op->out[0].type))
            edge_site(e, op, s);
        break;
    case TSR_ROLE_FUNC_EDGE:
        if (static_shape(op->out[0].type))
            func_edge_site(e, op, s);
        break;
    case TSR_ROLE_BARRIER:
        s->barrier = (uint8_t)op->attrs[SDY_PROPAGATION_BARRIER_allowed_direction]->i;
        identity_site(e, op, s, TSR_SITE_BARRIER, &e->place[op->in[0].value->id], 1);
        break;
    default: rule_site(e, op, s);
    }
    return s;
}

void tsr_engine_func_sites(tsr_engine *e, tsr_func_results *f)
{
    const tsr_block *body = f->func->nregion ? f->func->regions[0].first : NULL;
    const tsr_op *end = body ? body->last : NULL;
    f->sites = end ? TSR_NEW_ARRAY(e->arena, tsr_site, end->nin + 1) : NULL;
    for (uint32_t i = 0; end && i < end->nin; i++) {
        tsr_site *s = &f->sites[i];
        const tsr_value *v = end->in[i].value;
        s->kind = TSR_SITE_NONE;
        if (!static_shape(v->type))
            continue;
        s->kind = TSR_SITE_FUNC;
        set_rule(e, s, tsr_rule_identity(e->arena, v->type, 1));
        s->few[0] = e->place[v->id];
        s->few[1] = f->first + i;
    }
}
