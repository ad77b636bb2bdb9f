/* SPDX-License-Identifier: Apache-2.0 */
/* flow.c - see flow.h. */
#include "shard/core/flow.h"

static tsr_op *op_of(const tsr_value *v)
{
    return v->is_arg ? tsr_block_parent(v->block) : v->op;
}

uint32_t tsr_flow_nargs(const tsr_op *op)
{
    if (tsr_sdy_flow_of(op) != TSR_FLOW_BODY || !op->nregion || !op->regions[0].first)
        return 0;
    return op->regions[0].first->nargs;
}

tsr_value *tsr_flow_arg(const tsr_op *op, uint32_t i)
{
    return op->regions[0].first->args[i];
}

static tsr_use *operand(const tsr_op *op, uint32_t i)
{
    return op && i < op->nin ? &op->in[i] : NULL;
}

/* The operand that region r of op returns for result i. */
static tsr_use *returned(const tsr_op *op, uint32_t r, uint32_t i)
{
    const tsr_block *b = r < op->nregion ? op->regions[r].first : NULL;
    return b ? operand(b->last, i) : NULL;
}

tsr_use *tsr_flow_source(const tsr_value *owner, uint32_t k)
{
    const tsr_op *op = op_of(owner);
    switch (op ? tsr_sdy_flow_of(op) : TSR_FLOW_NONE) {
    case TSR_FLOW_BODY:
        if (k)
            return NULL;
        return owner->is_arg ? operand(op, owner->index) : returned(op, 0, owner->index);
    case TSR_FLOW_LOOP:
        return k == 0 ? operand(op, owner->index) : k == 1 ? returned(op, 1, owner->index) : NULL;
    case TSR_FLOW_BRANCHES: return returned(op, k, owner->index);
    case TSR_FLOW_THROUGH: return k ? NULL : operand(op, owner->index);
    default: return NULL;
    }
}

tsr_value *tsr_flow_target(const tsr_value *owner, uint32_t k)
{
    const tsr_op *op = op_of(owner);
    if (!op || tsr_sdy_flow_of(op) != TSR_FLOW_LOOP || k >= op->nregion || k >= 2)
        return NULL;
    const tsr_block *b = op->regions[k].first;
    return b && owner->index < b->nargs ? b->args[owner->index] : NULL;
}

tsr_op *tsr_flow_edge(const tsr_value *v)
{
    return tsr_sdy_edge_behind(tsr_sdy_edge_owner(v));
}

tsr_op *tsr_flow_edge_of_use(const tsr_use *use)
{
    const tsr_op *op = use->user;
    bool inside = tsr_op_has(op, TSR_TRAIT(TERMINATOR));
    if (inside)
        op = tsr_block_parent(op->block);
    tsr_flow_kind flow = op ? tsr_sdy_flow_of(op) : TSR_FLOW_NONE;
    size_t i = (size_t)(use - use->user->in);
    if (flow == TSR_FLOW_NONE || (flow == TSR_FLOW_BODY && !inside) || i >= op->nout)
        return NULL;
    return tsr_sdy_edge_behind(&op->out[i]);
}

tsr_op *tsr_flow_edge_into(const tsr_use *use)
{
    const tsr_op *op = use->user;
    size_t i = (size_t)(use - op->in);
    if (tsr_sdy_flow_of(op) != TSR_FLOW_BODY || i >= tsr_flow_nargs(op))
        return NULL;
    return tsr_sdy_edge_behind(tsr_flow_arg(op, (uint32_t)i));
}

/* Before the sources' shardings are compared, a body's argument gets the axes of the outside, and a result those of the
 * inside; afterwards it is the other way round. */
static tsr_attr *across(const tsr_value *owner, tsr_attr *sharding, bool to_sources)
{
    const tsr_op *op = op_of(owner);
    const tsr_attr *manual = op ? tsr_sdy_manual_axes(op) : NULL;
    if (!manual)
        return sharding;
    if (owner->is_arg != to_sources)
        return tsr_sdy_without_axes(op->module->ctx, sharding, manual);
    const tsr_attr *outer = tsr_sdy_list_sharding(op, owner->is_arg, owner->index);
    return outer ? tsr_sdy_with_free_axes(op->module->ctx, outer, sharding, manual) : sharding;
}

tsr_attr *tsr_flow_to_sources(const tsr_value *owner, tsr_attr *sharding)
{
    return across(owner, sharding, true);
}

tsr_attr *tsr_flow_to_owner(const tsr_value *owner, tsr_attr *sharding)
{
    return across(owner, sharding, false);
}

/* ---- Edges as ops ---- */

static bool is_user(void *user, tsr_use *use)
{
    return use->user == user;
}

void tsr_flow_move_uses(tsr_value *from, tsr_value *to, const tsr_op *except)
{
    tsr_value_replace_if(from, to, is_user, (void *)except);
}

static void add_edge(tsr_value *owner, tsr_block *block, tsr_op *before)
{
    if (!tsr_type_has_static_shape(owner->type)) /* tokens */
        return;
    tsr_module *m = block->region->op->module;
    tsr_attr *sharding = tsr_sdy_sharding_of(owner);
    tsr_op *edge = tsr_op_new(m, tsr_opdef_of(m->ctx, TSR_OP_SDY_DATA_FLOW_EDGE),
                              tsr_value_loc(owner), &owner, 1, &owner->type, 1, 0, 0);
    edge->attrs[SDY_DATA_FLOW_EDGE_sharding] = sharding;
    tsr_op_insert(edge, block, before);
    tsr_flow_move_uses(owner, &edge->out[0], edge);
}

void tsr_flow_add_edges(tsr_op *op)
{
    /* Last first: each is inserted right after its owner, so that they end up in order. */
    for (uint32_t i = tsr_flow_nargs(op); i-- > 0;) {
        tsr_block *body = op->regions[0].first;
        add_edge(body->args[i], body, body->first);
    }
    if (tsr_sdy_is_data_flow(op))
        for (uint32_t i = op->nout; i-- > 0;)
            add_edge(&op->out[i], op->block, op->next);
}

bool tsr_flow_edge_shardings(const tsr_op *op, bool args, tsr_attr **out)
{
    uint32_t n = args ? tsr_flow_nargs(op) : op->nout;
    tsr_attr *mesh = NULL;
    for (uint32_t i = 0; i < n; i++) {
        const tsr_op *edge = tsr_flow_edge(args ? tsr_flow_arg(op, i) : &op->out[i]);
        out[i] = edge ? edge->attrs[SDY_DATA_FLOW_EDGE_sharding] : NULL;
        if (out[i] && !mesh)
            mesh = out[i]->attrs[SDY_SHARDING_mesh];
    }
    for (uint32_t i = 0; mesh && i < n; i++)
        if (!out[i])
            out[i] = tsr_sdy_open(op->module->ctx, mesh,
                                  tsr_sdy_rank((args ? tsr_flow_arg(op, i) : &op->out[i])->type));
    return mesh != NULL;
}

void tsr_flow_set_arg_shardings(tsr_op *op, tsr_attr *const *shardings)
{
    tsr_ctx *ctx = op->module->ctx;
    const tsr_attr *manual = tsr_sdy_manual_axes(op);
    uint32_t n = tsr_flow_nargs(op);
    TSR_VEC(tsr_attr *) all = {0};
    for (uint32_t i = 0; i < n; i++) {
        const tsr_attr *outer = manual ? tsr_sdy_list_sharding(op, true, i) : NULL;
        tsr_vec_push(&all, outer ? tsr_sdy_with_free_axes(ctx, outer, shardings[i], manual)
                                 : shardings[i]);
    }
    tsr_sdy_set_arg_list(op, all.data, n);
    tsr_vec_free(&all);
}
