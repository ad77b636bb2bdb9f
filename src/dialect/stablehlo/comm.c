/* SPDX-License-Identifier: Apache-2.0 */
/* comm.c - parameters of StableHLO's collectives (dialect/comm.h). */
#include "dialect/hooks.h"

/* An attribute that the op may lack, as slot -1. */
static const tsr_attr *given(const tsr_op *op, int slot)
{
    return slot < 0 ? NULL : tsr_attr_of(op, slot);
}

/* What all have in common; global: the slot of use_global_device_ids, -1: the op has none. */
static void start(const tsr_op *op, tsr_comm *c, tsr_collective kind, int groups, int channel,
                  int global)
{
    c->kind = kind;
    c->groups = tsr_attr_of(op, groups);
    c->channel = tsr_channel_of(given(op, channel));
    c->line = global < 0;
    c->global_ids = given(op, global) != NULL;
    c->how = c->line          ? tsr_line_grouping(c->channel)
             : c->global_ids  ? TSR_BY_PROCESS
             : c->channel > 0 ? TSR_BY_BOTH
                              : TSR_BY_REPLICA;
    c->body = op->nregion ? &op->regions[0] : NULL;
    c->reducer = c->body ? tsr_reducer_kind(c->body) : TSR_REDUCE_OTHER;
}

void params_all_gather(const tsr_op *op, tsr_comm *c)
{
    start(op, c, TSR_COLLECTIVE_GATHER, STABLEHLO_ALL_GATHER_replica_groups,
          STABLEHLO_ALL_GATHER_channel_handle, STABLEHLO_ALL_GATHER_use_global_device_ids);
    c->axis = tsr_attr_of(op, STABLEHLO_ALL_GATHER_all_gather_dim)->i;
}

void params_all_reduce(const tsr_op *op, tsr_comm *c)
{
    start(op, c, TSR_COLLECTIVE_REDUCE, STABLEHLO_ALL_REDUCE_replica_groups,
          STABLEHLO_ALL_REDUCE_channel_handle, STABLEHLO_ALL_REDUCE_use_global_device_ids);
}

void params_reduce_scatter(const tsr_op *op, tsr_comm *c)
{
    start(op, c, TSR_COLLECTIVE_SCATTER, STABLEHLO_REDUCE_SCATTER_replica_groups,
          STABLEHLO_REDUCE_SCATTER_channel_handle, STABLEHLO_REDUCE_SCATTER_use_global_device_ids);
    c->axis = tsr_attr_of(op, STABLEHLO_REDUCE_SCATTER_scatter_dimension)->i;
}

void params_all_to_all(const tsr_op *op, tsr_comm *c)
{
    start(op, c, TSR_COLLECTIVE_EXCHANGE, STABLEHLO_ALL_TO_ALL_replica_groups,
          STABLEHLO_ALL_TO_ALL_channel_handle, -1);
    c->split = tsr_attr_of(op, STABLEHLO_ALL_TO_ALL_split_dimension)->i;
    c->concat = tsr_attr_of(op, STABLEHLO_ALL_TO_ALL_concat_dimension)->i;
    c->count = tsr_attr_of(op, STABLEHLO_ALL_TO_ALL_split_count)->i;
}

void params_collective_reduce(const tsr_op *op, tsr_comm *c)
{
    start(op, c, TSR_COLLECTIVE_REDUCE, STABLEHLO_COLLECTIVE_REDUCE_replica_groups,
          STABLEHLO_COLLECTIVE_REDUCE_channel_handle,
          STABLEHLO_COLLECTIVE_REDUCE_use_global_device_ids);
    c->rooted = true;
    c->dynamic_root = given(op, STABLEHLO_COLLECTIVE_REDUCE_has_dynamic_root) != NULL;
}

void params_cross_replica_sum(const tsr_op *op, tsr_comm *c)
{
    start(op, c, TSR_COLLECTIVE_REDUCE, STABLEHLO_CROSS_REPLICA_SUM_replica_groups, -1, -1);
    c->reducer = TSR_REDUCE_SUM;
}

void params_collective_broadcast(const tsr_op *op, tsr_comm *c)
{
    start(op, c, TSR_COLLECTIVE_BROADCAST, STABLEHLO_COLLECTIVE_BROADCAST_replica_groups,
          STABLEHLO_COLLECTIVE_BROADCAST_channel_handle, -1);
    c->rooted = true;
    c->dynamic_root = given(op, STABLEHLO_COLLECTIVE_BROADCAST_has_dynamic_root) != NULL;
}

void params_collective_permute(const tsr_op *op, tsr_comm *c)
{
    start(op, c, TSR_COLLECTIVE_PERMUTE, STABLEHLO_COLLECTIVE_PERMUTE_source_target_pairs,
          STABLEHLO_COLLECTIVE_PERMUTE_channel_handle, -1);
}

bool tsr_comm_table(const tsr_comm *c, int64_t *rows, int64_t *cols)
{
    bool is = tsr_attr_is(c->groups, TSR_ATTR_DENSE) && c->groups->type->n == 2;
    *rows = is ? c->groups->type->dims[0] : 0;
    *cols = is ? c->groups->type->dims[1] : 0;
    return is;
}
