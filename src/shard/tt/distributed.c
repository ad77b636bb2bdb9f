/* SPDX-License-Identifier: Apache-2.0 */
/* distributed.c - fuse-distributed-custom-calls: fuses a normalization of a gathered value, of which each device then
 * keeps its part, into one distributed normalization. Needs uses; keeps everything else; breaks ids. */
#include "shard/passes.h"
#include "shard/tt/tt.h"

#define ATTRIBUTES TSR_STR("tt.composite_attributes")

static tsr_op *gathered(const tsr_value *v)
{
    return !v->is_arg && tsr_op_is(v->op, TSR_OP_STABLEHLO_ALL_GATHER) && v->op->nin == 1 ? v->op
                                                                                          : NULL;
}

static tsr_op *only_user(const tsr_op *op)
{
    const tsr_use *use = op->nout == 1 ? op->out[0].uses : NULL;
    return use && !use->next ? use->user : NULL;
}

/* The ops that slice the result of op, last one first: a composite, or its expansion. Returns their number; 0: no
 * slice. */
static size_t find_slice(const tsr_op *op, tsr_op **out)
{
    static const uint16_t steps[] = {TSR_OP_STABLEHLO_RESHAPE, TSR_OP_STABLEHLO_ALL_TO_ALL,
                                     TSR_OP_STABLEHLO_SLICE, TSR_OP_STABLEHLO_RESHAPE};
    tsr_op *user = only_user(op);
    if (user && tsr_op_is(user, TSR_OP_STABLEHLO_COMPOSITE)) {
        out[0] = user;
        return user->nout == 1 &&
                       tsr_str_starts(user->attrs[STABLEHLO_COMPOSITE_name]->s, "sdy.all_slice")
                   ? 1
                   : 0;
    }
    for (size_t i = 0; i < TSR_COUNT(steps); i++) {
        if (!user || !tsr_op_is(user, steps[i]))
            return 0;
        out[TSR_COUNT(steps) - 1 - i] = user;
        user = only_user(user);
    }
    return TSR_COUNT(steps);
}

/* The axis of a two-dimensional mesh along which the groups are: the second if they contain neighbours. False: the
 * groups are not a table. */
static bool cluster_axis(const tsr_attr *groups, int32_t *axis)
{
    if (!tsr_attr_is(groups, TSR_ATTR_DENSE) || groups->type->n != 2)
        return false;
    *axis = groups->type->dims[1] > 1 && !groups->sub &&
            tsr_attr_int_at(groups, 0) + 1 == tsr_attr_int_at(groups, 1);
    return true;
}

static tsr_attr *new_attributes(tsr_ctx *ctx, const tsr_attr *old, int32_t axis)
{
    tsr_named_vec all = {0};
    for (uint32_t i = 0; tsr_attr_is(old, TSR_ATTR_DICT) && i < old->n; i++)
        if (!tsr_str_is(old->named[i].name->str, "normalized_shape") &&
            !tsr_str_is(old->named[i].name->str, "cluster_axis"))
            tsr_vec_push(&all, old->named[i]);
    tsr_vec_push(&all,
                 (tsr_named){tsr_name_get(ctx, TSR_STR("cluster_axis")), tsr_attr_i32(ctx, axis)});
    tsr_attr *dict = tsr_attr_dict(ctx, all.data, all.n);
    tsr_vec_free(&all);
    return dict;
}

static bool fuse(void *user, tsr_op *op)
{
    (void)user;
    tsr_op *slice[4], *gathers[2] = {NULL, NULL};
    tsr_value *in[2];
    int32_t axis;
    if (!tsr_str_is(tsr_tt_target(op), "tenstorrent.rms_norm") ||
        !tsr_dict_get(op->extra, TSR_STR("tt.has_custom_sharding")))
        return false;
    /* A third operand is a bias in one op and a residual in the other. */
    if (op->nout != 1 || op->nin < 1 || op->nin > 2 || !gathered(op->in[0].value))
        return false;
    size_t n = find_slice(op, slice);
    for (uint32_t i = 0; i < op->nin; i++) {
        gathers[i] = gathered(op->in[i].value);
        in[i] = gathers[i] ? gathers[i]->in[0].value : op->in[i].value;
        if (gathers[i] && gathers[i]->attrs[STABLEHLO_ALL_GATHER_replica_groups] !=
                              gathers[0]->attrs[STABLEHLO_ALL_GATHER_replica_groups])
            return false;
    }
    if (!n || !cluster_axis(gathers[0]->attrs[STABLEHLO_ALL_GATHER_replica_groups], &axis))
        return false;
    tsr_ctx *ctx = op->module->ctx;
    tsr_op *made = tsr_op_new(op->module, tsr_opdef_of(ctx, TSR_OP_STABLEHLO_CUSTOM_CALL), op->loc,
                              in, op->nin, &slice[0]->out[0].type, 1, 0, 0);
    made->attrs[STABLEHLO_CUSTOM_CALL_call_target_name] =
        tsr_attr_string(ctx, TSR_STR("tenstorrent.distributed_rms_norm"));
    tsr_op_set_attr(made, ATTRIBUTES,
                    new_attributes(ctx, tsr_dict_get(op->extra, ATTRIBUTES), axis));
    tsr_op_insert(made, op->block, op);
    tsr_value_replace(&slice[0]->out[0], &made->out[0]);
    for (size_t i = 0; i < n; i++)
        tsr_op_erase(slice[i]);
    tsr_op_erase(op);
    for (int i = 0; i < 2; i++)
        if (gathers[i] && gathers[i]->block && !tsr_op_used(gathers[i]))
            tsr_op_erase(gathers[i]);
    return true;
}

bool pass_tt_fuse_distributed_custom_calls(tsr_pass *p, tsr_op *root)
{
    return tsr_tt_greedy(p, root, false, fuse, NULL);
}
