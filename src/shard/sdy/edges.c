/* SPDX-License-Identifier: Apache-2.0 */
/* edges.c - inserts the ops that hold the shardings of data flow edges before propagation, and removes them afterwards.
 * Needs nothing; keeps everything else; breaks ids. */
#include "shard/core/flow.h"
#include "shard/passes.h"

bool pass_sdy_add_data_flow_edges(tsr_pass *p, tsr_op *root)
{
    TSR_OPS (root, op)
        if (tsr_sdy_is_data_flow(op)) {
            tsr_flow_add_edges(op);
            p->changed = true;
        }
    return true;
}

/* Keeps the debug information that propagation recorded for edges: an array with the entry of each edge among n
 * owners. */
static void keep_notes(tsr_op *op, tsr_value *(*owner)(const tsr_op *op, uint32_t i), uint32_t n,
                       tsr_str from, tsr_str to)
{
    tsr_ctx *ctx = op->module->ctx;
    TSR_VEC(tsr_attr *) notes = {0};
    for (uint32_t i = 0; i < n; i++) {
        const tsr_op *edge = tsr_flow_edge(owner(op, i));
        if (!edge)
            continue;
        tsr_attr *note = tsr_op_attr(edge, from);
        bool fits = tsr_attr_is(note, TSR_ATTR_DICT) ||
                    (tsr_attr_is_struct(note, &tsr_def_SDY_PROPAGATION_EDGES) && note->attrs[0]->n);
        if (fits)
            tsr_vec_push(&notes, note);
    }
    tsr_op_set_attr(op, to, tsr_attr_array(ctx, notes.data, notes.n));
    tsr_vec_free(&notes);
}

static tsr_value *result_owner(const tsr_op *op, uint32_t i)
{
    return &op->out[i];
}

static void sink(tsr_pass *p, tsr_op *op, bool origins, bool edges)
{
    uint32_t nargs = tsr_flow_nargs(op);
    tsr_attr **all =
        TSR_NEW_ARRAY(p->scratch, tsr_attr *, (nargs > op->nout ? nargs : op->nout) + 1);
    if (tsr_flow_edge_shardings(op, true, all))
        tsr_flow_set_arg_shardings(op, all);
    if (origins)
        keep_notes(op, tsr_flow_arg, nargs, TSR_STR("sdy.sharding_origins"),
                   TSR_STR("sdy.block_arg_sharding_origins"));
    if (edges)
        keep_notes(op, tsr_flow_arg, nargs, TSR_STR("sdy.propagation_edges"),
                   TSR_STR("sdy.block_arg_propagation_edges"));
    if (tsr_flow_edge_shardings(op, false, all))
        tsr_sdy_set_shardings(op, all, op->nout);
    if (origins)
        keep_notes(op, result_owner, op->nout, TSR_STR("sdy.sharding_origins"),
                   TSR_STR("sdy.result_sharding_origins"));
    if (edges)
        keep_notes(op, result_owner, op->nout, TSR_STR("sdy.propagation_edges"),
                   TSR_STR("sdy.result_propagation_edges"));
}

bool pass_sdy_sink_data_flow_edges(tsr_pass *p, tsr_op *root)
{
    bool origins = tsr_pass_bool(p, "sink-debug-sharding-origins");
    bool edges = tsr_pass_bool(p, "sink-debug-propagation-edge-sharding");
    for (tsr_op *op = root, *next; op; op = next) {
        next = tsr_walk_next(root, op);
        if (tsr_sdy_is_data_flow(op)) {
            sink(p, op, origins, edges);
            p->changed = true;
        } else if (tsr_op_is(op, TSR_OP_SDY_DATA_FLOW_EDGE)) {
            tsr_flow_move_uses(&op->out[0], op->in[0].value, NULL);
            tsr_op_erase(op);
            p->changed = true;
        }
    }
    return true;
}
