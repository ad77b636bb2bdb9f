/* SPDX-License-Identifier: Apache-2.0 */
/* ccl.c - lowers collectives of StableHLO to those of TTIR, which run along one axis of the mesh (cluster_axis).
 *
 * Groups along several axes need one op per axis: gathers begin with the innermost, scatters with the outermost, so
 * that parts are in the order of their devices. Collectives whose groups do not correspond to axes stay. */
#include "lower/ttir/mesh.h"

/* How the body of a reduction combines two elements; false if it is not a single op, or one that TTIR does not have. */
static bool reduce_type(const tsr_op *op, tsr_tt_reduce_type *out)
{
    tsr_reduce_kind kind = tsr_reducer_kind(&op->regions[0]);
    int64_t how = TSR_TT_INVALID;
    bool ok = kind != TSR_REDUCE_OTHER &&
              tsr_ttir_join_type(
                  kind, tsr_type_is_integer(op->regions[0].first->args[0]->type->elem, 1), &how);
    *out = (tsr_tt_reduce_type)how;
    return ok;
}

/* A channel between a host and a device carries no collective: type 0 is unspecified, 1 is between devices. */
static bool is_between_devices(const tsr_attr *channel)
{
    return !channel || !channel->attrs[1] || channel->attrs[1]->i == 0 || channel->attrs[1]->i == 1;
}

static tsr_type *with_dim(const tsr_value *v, int64_t dim, int64_t size)
{
    int64_t dims[TSR_TTIR_RANK];
    for (uint32_t i = 0; i < v->type->n; i++)
        dims[i] = i == dim ? size : v->type->dims[i];
    return tsr_type_tensor(v->type->ctx, dims, v->type->n, v->type->elem, v->type->attr);
}

static int64_t size_along(const tsr_op *op, const tsr_attr *groups, uint32_t axis, uint32_t naxis)
{
    tsr_ttir_grid grid;
    return naxis > 1 && tsr_ttir_grid_of(op, &grid) ? grid.sizes[axis] : groups->type->dims[1];
}

tsr_value *tsr_ttir_all_gather(tsr_build *b, tsr_value *v, int64_t dim, uint32_t axis,
                               int64_t parts)
{
    tsr_op *op = tsr_ttir_open(b, TSR_OP_TTIR_ALL_GATHER, &v, 1, 1);
    op->attrs[TTIR_ALL_GATHER_all_gather_dim] = tsr_ttir_si32(b->ctx, dim);
    op->attrs[TTIR_ALL_GATHER_cluster_axis] = tsr_ttir_ui32(b->ctx, axis);
    return tsr_ttir_close(b, op, with_dim(v, dim, v->type->dims[dim] * parts));
}

tsr_value *tsr_ttir_mesh_partition(tsr_build *b, tsr_value *v, int64_t dim, uint32_t axis,
                                   int64_t parts)
{
    tsr_op *op = tsr_ttir_open(b, TSR_OP_TTIR_MESH_PARTITION, &v, 1, 1);
    op->attrs[TTIR_MESH_PARTITION_dim] = tsr_ttir_si32(b->ctx, dim);
    op->attrs[TTIR_MESH_PARTITION_cluster_axis] = tsr_ttir_ui32(b->ctx, axis);
    return tsr_ttir_close(b, op, with_dim(v, dim, v->type->dims[dim] / parts));
}

bool ttir_all_gather(tsr_build *b, tsr_op *op, tsr_value **out)
{
    const tsr_attr *groups = tsr_attr_of(op, STABLEHLO_ALL_GATHER_replica_groups);
    int64_t dim = tsr_attr_of(op, STABLEHLO_ALL_GATHER_all_gather_dim)->i;
    uint32_t axes[TSR_TTIR_AXES], n;
    TSR_TRY(tsr_ttir_static(op) && tsr_ttir_axes_of(op, groups, axes, &n) &&
            is_between_devices(tsr_attr_of(op, STABLEHLO_ALL_GATHER_channel_handle)));
    for (uint32_t i = 0; i < op->nin; i++) {
        out[i] = op->in[i].value;
        for (uint32_t k = n; k-- > 0;)
            out[i] =
                tsr_ttir_all_gather(b, out[i], dim, axes[k], size_along(op, groups, axes[k], n));
    }
    return true;
}

bool ttir_all_reduce(tsr_build *b, tsr_op *op, tsr_value **out)
{
    uint32_t axes[TSR_TTIR_AXES], n;
    tsr_tt_reduce_type type;
    TSR_TRY(reduce_type(op, &type) &&
            is_between_devices(tsr_attr_of(op, STABLEHLO_ALL_REDUCE_channel_handle)) &&
            tsr_ttir_axes_of(op, tsr_attr_of(op, STABLEHLO_ALL_REDUCE_replica_groups), axes, &n));
    for (uint32_t i = 0; i < op->nin; i++) {
        out[i] = op->in[i].value;
        for (uint32_t k = n; k-- > 0;) {
            tsr_op *made = tsr_ttir_open(b, TSR_OP_TTIR_ALL_REDUCE, &out[i], 1, 1);
            made->attrs[TTIR_ALL_REDUCE_reduce_type] =
                tsr_attr_enum(b->ctx, &tsr_def_TTCORE_REDUCE_TYPE, type);
            made->attrs[TTIR_ALL_REDUCE_cluster_axis] = tsr_ttir_ui32(b->ctx, axes[k]);
            out[i] = tsr_ttir_close(b, made, op->out[i].type);
        }
    }
    return true;
}

bool ttir_reduce_scatter(tsr_build *b, tsr_op *op, tsr_value **out)
{
    const tsr_attr *groups = tsr_attr_of(op, STABLEHLO_REDUCE_SCATTER_replica_groups);
    int64_t dim = tsr_attr_of(op, STABLEHLO_REDUCE_SCATTER_scatter_dimension)->i;
    uint32_t axes[TSR_TTIR_AXES], n;
    tsr_tt_reduce_type type;
    TSR_TRY(tsr_ttir_static(op) && reduce_type(op, &type) &&
            tsr_ttir_axes_of(op, groups, axes, &n) &&
            is_between_devices(tsr_attr_of(op, STABLEHLO_REDUCE_SCATTER_channel_handle)));
    out[0] = op->in[0].value;
    for (uint32_t k = 0; k < n; k++) {
        int64_t parts = size_along(op, groups, axes[k], n);
        tsr_op *made = tsr_ttir_open(b, TSR_OP_TTIR_REDUCE_SCATTER, out, 1, 1);
        made->attrs[TTIR_REDUCE_SCATTER_reduce_type] =
            tsr_attr_enum(b->ctx, &tsr_def_TTCORE_REDUCE_TYPE, type);
        made->attrs[TTIR_REDUCE_SCATTER_scatter_dim] = tsr_ttir_si32(b->ctx, dim);
        made->attrs[TTIR_REDUCE_SCATTER_cluster_axis] = tsr_ttir_ui32(b->ctx, axes[k]);
        out[0] = tsr_ttir_close(b, made, with_dim(out[0], dim, out[0]->type->dims[dim] / parts));
    }
    return true;
}

bool ttir_all_to_all(tsr_build *b, tsr_op *op, tsr_value **out)
{
    tsr_attr *groups = tsr_attr_of(op, STABLEHLO_ALL_TO_ALL_replica_groups);
    TSR_TRY(tsr_attr_is(groups, TSR_ATTR_DENSE));
    for (uint32_t i = 0; i < op->nin; i++) {
        tsr_op *made = tsr_ttir_open(b, TSR_OP_TTIR_ALL_TO_ALL, &op->in[i].value, 1, 1);
        made->attrs[TTIR_ALL_TO_ALL_split_dim] =
            tsr_ttir_si32(b->ctx, tsr_attr_of(op, STABLEHLO_ALL_TO_ALL_split_dimension)->i);
        made->attrs[TTIR_ALL_TO_ALL_concat_dim] =
            tsr_ttir_si32(b->ctx, tsr_attr_of(op, STABLEHLO_ALL_TO_ALL_concat_dimension)->i);
        made->attrs[TTIR_ALL_TO_ALL_split_count] =
            tsr_ttir_si32(b->ctx, tsr_attr_of(op, STABLEHLO_ALL_TO_ALL_split_count)->i);
        made->attrs[TTIR_ALL_TO_ALL_replica_groups] = groups;
        out[i] = tsr_ttir_close(b, made, op->out[i].type);
    }
    return true;
}

bool ttir_collective_permute(tsr_build *b, tsr_op *op, tsr_value **out)
{
    TSR_TRY(is_between_devices(tsr_attr_of(op, STABLEHLO_COLLECTIVE_PERMUTE_channel_handle)));
    tsr_op *made = tsr_ttir_open(b, TSR_OP_TTIR_COLLECTIVE_PERMUTE, &op->in[0].value, 1, 1);
    made->attrs[TTIR_COLLECTIVE_PERMUTE_source_target_pairs] =
        tsr_attr_of(op, STABLEHLO_COLLECTIVE_PERMUTE_source_target_pairs);
    out[0] = tsr_ttir_close(b, made, op->out[0].type);
    return true;
}

bool ttir_collective_broadcast(tsr_build *b, tsr_op *op, tsr_value **out)
{
    tsr_attr *groups = tsr_attr_of(op, STABLEHLO_COLLECTIVE_BROADCAST_replica_groups);
    TSR_TRY(op->nin == 1 && tsr_attr_is(groups, TSR_ATTR_DENSE) &&
            !tsr_attr_of(op, STABLEHLO_COLLECTIVE_BROADCAST_has_dynamic_root));
    tsr_op *made = tsr_ttir_open(b, TSR_OP_TTIR_COLLECTIVE_BROADCAST, &op->in[0].value, 1, 1);
    made->attrs[TTIR_COLLECTIVE_BROADCAST_replica_groups] = groups;
    out[0] = tsr_ttir_close(b, made, op->out[0].type);
    return true;
}
