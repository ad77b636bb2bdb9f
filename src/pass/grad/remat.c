/* SPDX-License-Identifier: Apache-2.0 */
/* remat.c - recomputes cheap values of the forward part in the backward part instead of keeping them.
 *
 * Elementwise ops and ops that only repeat or renumber elements are cheap. The inputs of the copies go through one
 * barrier each, so that no later pass merges the copies with the originals. */
#include "pass/grad/function.h"

typedef struct {
    tsr_grad *g;
    tsr_mapping copies; /* forward value to its copy in the backward part */
    tsr_op *at;         /* copies are inserted before it */
    uint32_t first;
} remat;

static bool is_cheap(const tsr_op *op)
{
    if (op->nregion || op->nout != 1 || !tsr_op_effect_free(op))
        return false;
    return tsr_op_has(op, TSR_TRAIT(ELEMENTWISE) | TSR_TRAIT(BROADCASTING_ELEMENTWISE)) ||
           tsr_op_is(op, TSR_OP_STABLEHLO_BROADCAST_IN_DIM) ||
           tsr_op_is(op, TSR_OP_STABLEHLO_RESHAPE) || tsr_op_is(op, TSR_OP_STABLEHLO_IOTA);
}

static bool is_forward(const remat *r, const tsr_value *v)
{
    return !v->is_arg && v->op->id < r->first;
}

/* A value that is kept, behind a barrier. */
static tsr_value *keep(remat *r, tsr_value *v)
{
    tsr_value *known = tsr_mapping_get(&r->copies, v);
    if (known != v || tsr_value_is_constant(v))
        return known;
    tsr_build b = tsr_build_before(r->at);
    tsr_value *out = tsr_build_op(&b, TSR_OP_STABLEHLO_OPTIMIZATION_BARRIER, &v, 1, v->type);
    tsr_build_free(&b);
    tsr_mapping_put(&r->copies, v, out);
    return out;
}

static tsr_value *again(remat *r, tsr_value *v, unsigned depth)
{
    tsr_value *known = tsr_mapping_get(&r->copies, v);
    if (known != v || tsr_value_is_constant(v))
        return known;
    if (v->is_arg || !is_forward(r, v) || !is_cheap(v->op) || depth > TSR_GRAD_DEPTH)
        return keep(r, v);
    tsr_value_vec in = {0};
    for (uint32_t i = 0; i < v->op->nin; i++)
        tsr_vec_push(&in, again(r, tsr_grad_in(v->op, i), depth + 1));
    tsr_build b = tsr_build_before(r->at);
    tsr_op *copy = tsr_grad_again(&b, v->op, in.data, NULL);
    tsr_op_insert(copy, b.block, b.at);
    tsr_build_free(&b);
    tsr_vec_free(&in);
    tsr_mapping_put(&r->copies, v, &copy->out[0]);
    return &copy->out[0];
}

void tsr_grad_rematerialise(tsr_grad *g, tsr_block *block, uint32_t first)
{
    remat r = {.g = g, .first = first};
    uint32_t end = block->last->module->nop;
    TSR_BLOCK_OPS (block, top) {
        if (top->id < first || top->id >= end)
            continue;
        r.at = top;
        TSR_OPS (top, op)
            for (uint32_t i = 0; i < op->nin; i++) {
                tsr_value *v = tsr_grad_in(op, i);
                if (is_forward(&r, v) && v->op->block == block && is_cheap(v->op))
                    tsr_op_set_operand(op, i, again(&r, v, 0));
            }
    }
    tsr_mapping_free(&r.copies);
    tsr_grad_erase_dead(g, block->last->prev);
}
