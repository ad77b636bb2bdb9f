/* propagate_site.c - what an op has to do with propagation, found when it is first visited. */
#include "dialect/opcode.h"
#include "shard/flow.h"
#include "shard/propagate.h"

static uint32_t *new_places(tsr_engine *e, uint32_t n)
{
    return tsr_arena_alloc(e->arena, n * sizeof(uint32_t));
}

static bool static_shape(const tsr_type *t)
{
    return tsr_type_is_shaped(t) && tsr_type_has_static_shape(t);
}

static void rule_site(tsr_engine *e, tsr_op *op, tsr_site *s)
{
    s->rule = tsr_rules_get(&e->rules, op);
    if (!s->rule)
        return;
    s->kind = TSR_SITE_RULE;
    s->places = new_places(e, op->nin + op->nout);
    for (uint32_t i = 0; i < op->nin; i++)
        s->places[i] = e->place[op->in[i].value->id];
    for (uint32_t i = 0; i < op->nout; i++)
        s->places[op->nin + i] = e->place[op->out[i].id];
}

/* From sources to op's one result, by the identity rule. */
static void identity_site(tsr_engine *e, tsr_op *op, tsr_site *s, tsr_site_kind kind,
                          const uint32_t *sources, uint32_t n)
{
    s->kind = (uint8_t)kind;
    s->rule = tsr_rule_identity(e->arena, op->out[0].type, n);
    s->places = new_places(e, n + 1);
    if (n)
        memcpy(s->places, sources, n * sizeof *sources);
    s->places[n] = op->out[0].id;
}

static void edge_site(tsr_engine *e, tsr_op *op, tsr_site *s)
{
    const tsr_value *owner = op->in[0].value;
    uint32_t n = 0;
    while (tsr_flow_source(owner, n))
        n++;
    uint32_t *sources = new_places(e, n);
    for (uint32_t i = 0; i < n; i++)
        sources[i] = e->place[tsr_flow_source(owner, i)->value->id];
    const tsr_op *parent = owner->is_arg ? tsr_block_parent(owner->block) : owner->op;
    s->manual = tsr_sdy_manual_axes(parent) != NULL;
    identity_site(e, op, s, TSR_SITE_EDGE, sources, n);
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
        if (end && tsr_op_is(end, TSR_OP_FUNC_RETURN) && v->index < end->nin)
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
    switch (op->def->opcode) {
    case TSR_OP_SDY_DATA_FLOW_EDGE:
        if (static_shape(op->out[0].type))
            edge_site(e, op, s);
        break;
    case TSR_OP_SDY_FUNC_DATA_FLOW_EDGE:
        if (static_shape(op->out[0].type))
            func_edge_site(e, op, s);
        break;
    case TSR_OP_SDY_PROPAGATION_BARRIER:
        s->barrier = (uint8_t)op->attrs[SDY_PROPAGATION_BARRIER_allowed_direction]->i;
        identity_site(e, op, s, TSR_SITE_BARRIER, &e->place[op->in[0].value->id], 1);
        break;
    default: rule_site(e, op, s);
    }
    return s;
}

void tsr_engine_func_sites(tsr_engine *e)
{
    const tsr_op *func = e->main->func;
    const tsr_block *body = func->nregion ? func->regions[0].first : NULL;
    const tsr_op *end = body ? body->last : NULL;
    e->main_sites = TSR_NEW_ARRAY(e->arena, tsr_site, end ? end->nin : 0);
    for (uint32_t i = 0; end && i < end->nin; i++) {
        tsr_site *s = &e->main_sites[i];
        const tsr_value *v = end->in[i].value;
        s->kind = TSR_SITE_NONE;
        if (!static_shape(v->type))
            continue;
        s->kind = TSR_SITE_FUNC;
        s->rule = tsr_rule_identity(e->arena, v->type, 1);
        s->places = new_places(e, 2);
        s->places[0] = e->place[v->id];
        s->places[1] = e->main->first + i;
    }
}
