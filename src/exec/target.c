/* SPDX-License-Identifier: Apache-2.0 */
/* target.c - questions about any target. */
#include "exec/target.h"

bool tsr_target_joins(const tsr_target *t, tsr_tile_op op, tsr_dtype type)
{
    tsr_dtype wide = tsr_register_type(type);
    return t->tile(op, wide) &&
           (wide == type || (t->convert(wide, type) && t->convert(type, wide)));
}

static bool has_tile(const tsr_target *t, const tsr_program *p, const tsr_node *n)
{
    tsr_dtype of = (tsr_dtype)n->of, to = (tsr_dtype)p->values.data[n->out[0]].dtype;
    switch (n->tile) {
    case TSR_TILE_CONVERT: return t->convert(to, of);
    case TSR_TILE_BITS: return t->bits_in_loops;
    case TSR_TILE_LOOKUP: return t->lookups_in_loops;
    default: return t->tile((tsr_tile_op)n->tile, tsr_register_type(of));
    }
}

bool tsr_target_has(const tsr_target *t, const tsr_program *p, const tsr_node *n)
{
    tsr_dtype type = (tsr_dtype)(n->nout ? p->values.data[n->out[0]].dtype : TSR_D_NONE);
    switch ((tsr_node_kind)n->kind) {
    case TSR_NODE_TILE: return has_tile(t, p, n);
    case TSR_NODE_REDUCE: return t->fold((tsr_fold_op)n->fold, tsr_register_type(type));
    case TSR_NODE_CONTRACT:
        return t->product((tsr_dtype)n->contract->type, (tsr_dtype)n->contract->to);
    case TSR_NODE_MOVE: return t->move((tsr_move_kind)n->move, type);
    case TSR_NODE_BARRIER:
    case TSR_NODE_ZEROS:
    case TSR_NODE_CHECK:
    case TSR_NODE_OTHER:
    case TSR_NODE_COLLECTIVE:
    case TSR_NODE_WHILE:
    case TSR_NODE_CASE:
    case TSR_NODE_START: break;
    }
    return true;
}
