/* SPDX-License-Identifier: Apache-2.0 */
/* cmv1.c - sdy-remove-all-gather-reduce-scatter-for-cmv1: removes collectives next to a product that XLA's older
 * collective matmul fuses by itself. */
#include "dialect/sdy/sharding.h"
#include "shard/passes.h"

static bool has_one_use(const tsr_value *v)
{
    return v->uses && !v->uses->next;
}

static void bypass(tsr_op *op)
{
    tsr_value_replace(&op->out[0], op->in[0].value);
    tsr_op_erase(op);
}

static bool bypass_gathers(tsr_op *dot)
{
    bool found = false;
    for (uint32_t i = 0; i < dot->nin; i++) {
        const tsr_value *v = dot->in[i].value;
        if (v->is_arg || !tsr_op_is(v->op, TSR_OP_SDY_ALL_GATHER) || !has_one_use(v))
            continue;
        bypass(v->op);
        found = true;
    }
    return found;
}

/* The product gets the sharding of its scattered sum. */
static bool bypass_scatter(tsr_op *dot)
{
    tsr_op *user = has_one_use(&dot->out[0]) ? dot->out[0].uses->user : NULL;
    const tsr_attr *s = tsr_sdy_sharding_of(&dot->out[0]);
    if (!user || !tsr_op_is(user, TSR_OP_SDY_REDUCE_SCATTER) || !s ||
        s->attrs[SDY_SHARDING_unreduced]->n)
        return false;
    tsr_ctx *ctx = dot->module->ctx;
    tsr_attr *to = tsr_attr_array(ctx, &user->attrs[SDY_REDUCE_SCATTER_out_sharding], 1);
    tsr_op_set_attr(dot, TSR_STR("sdy.sharding"),
                    tsr_attr_struct(ctx, &tsr_def_SDY_SHARDING_PER_VALUE, &to));
    bypass(user);
    return true;
}

bool pass_sdy_remove_all_gather_reduce_scatter_for_cmv1(tsr_pass *p, tsr_op *root)
{
    TSR_OPS (root, op)
        if (tsr_op_is(op, TSR_OP_STABLEHLO_DOT) || tsr_op_is(op, TSR_OP_STABLEHLO_DOT_GENERAL))
            p->changed |= bypass_gathers(op) || bypass_scatter(op);
    return true;
}
