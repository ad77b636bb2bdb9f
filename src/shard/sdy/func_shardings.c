/* SPDX-License-Identifier: Apache-2.0 */
/* func_shardings.c - passes shardings across function signatures, and orders functions. Needs nothing; keeps everything
 * else; pre-order-funcs breaks ids, as functions move. */
#include "shard/core/calls.h"
#include "shard/core/flow.h"
#include "shard/passes.h"

/* A call without shardings takes those of its callee's results. */
bool pass_sdy_propagate_sharding_from_func_to_call(tsr_pass *p, tsr_op *root)
{
    tsr_symbols symbols;
    tsr_meshes meshes;
    tsr_symbols_init(&symbols, root);
    tsr_meshes_init(&meshes, p->scratch, root);
    bool ok = true;
    TSR_OPS (root, op) {
        if (!tsr_op_is(op, TSR_OP_FUNC_CALL))
            continue;
        const tsr_op *func = tsr_called_func(&symbols, op);
        if (!func) {
            ok = false;
            break;
        }
        const tsr_attr *all =
            tsr_sdy_shardings_of(op) ? NULL : tsr_func_shardings(func, false, &meshes);
        if (all) {
            tsr_sdy_set_shardings(op, all->attrs[0]->attrs, all->attrs[0]->n);
            p->changed = true;
        }
    }
    tsr_meshes_free(&meshes);
    tsr_symbols_free(&symbols);
    return ok;
}

/* Results of functions other than the main one get the shardings of the returned values. */
bool pass_sdy_propagate_to_func_results(tsr_pass *p, tsr_op *root)
{
    const tsr_op *main = tsr_entry_func(root, tsr_pass_str(p, "entry-function"));
    if (!main)
        return false;
    TSR_BLOCK_OPS (root->regions[0].first, func) {
        if (!tsr_op_has(func, TSR_TRAIT(FUNCTION)) || func == main || !func->regions[0].first)
            continue;
        const tsr_op *end = func->regions[0].first->last;
        if (!end || !tsr_op_is(end, TSR_OP_FUNC_RETURN) || end->nin != tsr_func_count(func, false))
            continue;
        tsr_attr **all = TSR_NEW_ARRAY(p->scratch, tsr_attr *, end->nin + 1);
        for (uint32_t i = 0; i < end->nin; i++)
            all[i] = tsr_sdy_sharding_of(end->in[i].value);
        tsr_sdy_set_result_shardings(func, all);
        p->changed = true;
    }
    return true;
}

bool pass_sdy_pre_order_funcs(tsr_pass *p, tsr_op *root)
{
    size_t n;
    tsr_op **order = tsr_call_order(p->scratch, root, false, &n);
    tsr_block *body = root->regions[0].first;
    while (n-- > 0) {
        if (order[n]->block != body) /* in a nested module, which has its own names */
            continue;
        tsr_op_remove(order[n]);
        tsr_op_insert(order[n], body, NULL);
    }
    p->changed = true;
    return true;
}

/* ---- Edges between calls and functions ---- */

static tsr_op *add_func_edge(tsr_value *v, tsr_loc loc, tsr_block *block, tsr_op *before)
{
    tsr_module *m = block->region->op->module;
    tsr_op *edge = tsr_op_new(m, tsr_opdef_of(m->ctx, TSR_OP_SDY_FUNC_DATA_FLOW_EDGE), loc, &v, 1,
                              &v->type, 1, 0, 0);
    tsr_op_insert(edge, block, before);
    tsr_flow_move_uses(v, &edge->out[0], edge);
    tsr_attr *sharding = tsr_sdy_sharding_of(v);
    if (sharding)
        tsr_sdy_set_shardings(edge, &sharding, 1);
    return edge;
}

/* Inserts an edge after each argument of a function other than the main one, and after each result of a call. */
bool pass_sdy_add_func_data_flow_edges(tsr_pass *p, tsr_op *root)
{
    const tsr_op *main = tsr_entry_func(root, tsr_pass_str(p, "entry-function"));
    if (!main)
        return false;
    TSR_OPS (root, op) {
        if (tsr_op_is(op, TSR_OP_FUNC_FUNC) && op != main && op->regions[0].first) {
            tsr_block *b = op->regions[0].first;
            tsr_op *before = b->first;
            for (uint32_t i = 0; i < b->nargs; i++)
                if (tsr_type_has_static_shape(b->args[i]->type))
                    add_func_edge(b->args[i], op->loc, b, before);
        }
        if (tsr_op_is(op, TSR_OP_FUNC_CALL)) {
            tsr_op *before = op->next;
            for (uint32_t i = 0; i < op->nout; i++)
                if (tsr_type_has_static_shape(op->out[i].type))
                    add_func_edge(&op->out[i], op->loc, op->block, before);
        }
    }
    p->changed = true;
    return true;
}

/* Copies the sharding of such an edge to its input, and removes the edge. */
bool pass_sdy_sink_func_data_flow_edges(tsr_pass *p, tsr_op *root)
{
    for (tsr_op *op = root, *next; op; op = next) {
        next = tsr_walk_next(root, op);
        if (!tsr_op_is(op, TSR_OP_SDY_FUNC_DATA_FLOW_EDGE))
            continue;
        tsr_value *in = op->in[0].value;
        tsr_attr *mine = tsr_sdy_sharding_of(&op->out[0]), *old = tsr_sdy_sharding_of(in);
        if (!mine && old)
            mine = tsr_sdy_open(p->ctx, old->attrs[SDY_SHARDING_mesh], tsr_sdy_dims(old)->n);
        if (mine)
            tsr_sdy_set_sharding(in, mine);
        tsr_flow_move_uses(&op->out[0], in, NULL);
        tsr_op_erase(op);
        p->changed = true;
    }
    return true;
}
