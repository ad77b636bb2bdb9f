/* SPDX-License-Identifier: Apache-2.0 */
/* collective.c - converts sdy's collectives to StableHLO's, which refer to devices instead of axes. */
#include "shard/local/local.h"

/* ---- Groups and channels ---- */

static tsr_attr *next_channel(tsr_local *s)
{
    enum { DEVICE_TO_DEVICE = 1 };
    tsr_attr *params[] = {tsr_attr_i64(s->ctx, s->channel++),
                          tsr_attr_i64(s->ctx, DEVICE_TO_DEVICE)};
    return tsr_attr_struct(s->ctx, &tsr_def_STABLEHLO_CHANNEL_HANDLE, params);
}

static bool whole_axes(const tsr_mesh *mesh, const tsr_axis *axes, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (axes[i].size != mesh->sizes[axes[i].axis])
            return false;
    return true;
}

/* Groups of devices that differ only along the axes. StableHLO can also express them by axes. */
static tsr_attr *groups_of(tsr_local *s, tsr_module *m, const tsr_mesh *mesh, const tsr_axis *axes,
                           size_t n, int64_t *size)
{
    int64_t *ids = tsr_device_groups(s->arena, mesh, axes, n, size);
    if (!s->mesh_axes_groups || !whole_axes(mesh, axes, n))
        return tsr_i64_elements(s->ctx, m, (int64_t[]){mesh->ndevice / *size, *size}, 2, ids);
    tsr_attr **list = TSR_NEW_ARRAY(s->arena, tsr_attr *, n + 1);
    for (size_t i = 0; i < n; i++)
        list[i] = tsr_attr_struct(s->ctx, &tsr_def_STABLEHLO_AXIS_REF,
                                  (tsr_attr *[]){tsr_mesh_axis_name(mesh, axes[i].axis), NULL});
    tsr_attr *params[] = {mesh->ref, tsr_attr_array(s->ctx, list, n)};
    return tsr_attr_struct(s->ctx, &tsr_def_STABLEHLO_REPLICA_GROUP_MESH_AXES, params);
}

/* The mesh of op's result; NULL after a diagnostic. */
static const tsr_mesh *mesh_of(tsr_local *s, const tsr_op *op)
{
    const tsr_sharding *out = tsr_local_sharding(s, &op->out[0]);
    if (!out) {
        tsr_op_error(op, "failed to resolve mesh");
        return NULL;
    }
    if (!tsr_type_is(op->out[0].type, TSR_TYPE_TENSOR) ||
        !tsr_type_has_static_shape(op->out[0].type)) {
        tsr_op_error(op, "dynamic shape not supported");
        return NULL;
    }
    return tsr_devices_ok(op, out->mesh) ? out->mesh : NULL;
}

/* A list of axes for each dimension, from a list_of_axis_ref_lists. NULL after a diagnostic. */
static const tsr_axes **axes_per_dim(tsr_local *s, const tsr_op *op, int slot, const tsr_mesh *mesh)
{
    const tsr_attr *lists = op->attrs[slot]->attrs[0];
    const tsr_axes **axes = TSR_NEW_ARRAY(s->arena, const tsr_axes *, op->out[0].type->n + 1);
    for (uint32_t d = 0; d < op->out[0].type->n; d++) {
        axes[d] = d < lists->n ? tsr_axes_decode(&s->table, mesh, lists->attrs[d]->attrs[0]) : NULL;
        if (!axes[d]) {
            tsr_op_error(op, "failed to resolve axes");
            return NULL;
        }
    }
    return axes;
}

/* The axes of all dimensions, concatenated; returns how many dimensions have axes. */
static uint32_t join_axes(const tsr_axes *const *axes, uint32_t rank, tsr_axis_vec *out)
{
    uint32_t n = 0;
    for (uint32_t d = 0; d < rank; d++) {
        n += axes[d]->n != 0;
        tsr_axis_vec_add_all(out, axes[d]->data, axes[d]->n);
    }
    return n;
}

/* ---- All-gather ---- */

static tsr_value *gather(tsr_local *s, tsr_build *b, tsr_value *v, int64_t dim,
                         const tsr_mesh *mesh, const tsr_axis *axes, size_t n)
{
    int64_t size, *dims = tsr_arena_copy(s->arena, v->type->dims, v->type->n * sizeof *dims);
    tsr_op *op = tsr_build_open(b, TSR_OP_STABLEHLO_ALL_GATHER, &v, 1, 1, 0);
    op->attrs[STABLEHLO_ALL_GATHER_all_gather_dim] = tsr_attr_i64(s->ctx, dim);
    op->attrs[STABLEHLO_ALL_GATHER_replica_groups] = groups_of(s, b->module, mesh, axes, n, &size);
    op->attrs[STABLEHLO_ALL_GATHER_channel_handle] = next_channel(s);
    op->attrs[STABLEHLO_ALL_GATHER_use_global_device_ids] = tsr_attr_unit(s->ctx);
    dims[dim] *= size;
    tsr_type *type = tsr_type_with_dims(v->type, dims, v->type->n);
    return &tsr_build_close_as(b, op, &type)->out[0];
}

/* All dimensions at once: parts are gathered along a new dimension, which is then split up. */
static tsr_value *gather_combined(tsr_local *s, tsr_build *b, tsr_value *v, const tsr_mesh *mesh,
                                  const tsr_axes *const *axes, const tsr_axis_vec *all, uint32_t nk)
{
    uint32_t rank = v->type->n, k = 0;
    const int64_t *local = v->type->dims;
    int64_t *dims = TSR_NEW_ARRAY(s->arena, int64_t, 2 * rank + 2);
    int64_t *order = TSR_NEW_ARRAY(s->arena, int64_t, 2 * rank + 2), norder = 0;
    int64_t *whole = TSR_NEW_ARRAY(s->arena, int64_t, rank + 1);
    dims[0] = 1;
    memcpy(dims + 1, local, rank * sizeof *dims);
    v = tsr_make_reshape(b, v, dims, rank + 1);
    v = gather(s, b, v, 0, mesh, all->data, all->n);
    for (uint32_t d = 0; d < rank; d++) {
        whole[d] = local[d] * axes[d]->size;
        if (axes[d]->n) {
            dims[k] = axes[d]->size;
            order[norder++] = k++;
        }
        order[norder++] = d + nk;
    }
    memcpy(dims + nk, local, rank * sizeof *dims);
    v = tsr_make_reshape(b, v, dims, rank + nk);
    return tsr_make_reshape(b, tsr_make_transpose(b, v, order), whole, rank);
}

bool local_all_gather(tsr_local *s, tsr_op *op)
{
    const tsr_mesh *mesh = mesh_of(s, op);
    const tsr_axes **axes = mesh ? axes_per_dim(s, op, SDY_ALL_GATHER_gathering_axes, mesh) : NULL;
    if (!axes)
        return false;
    tsr_axis_vec all = {0};
    tsr_build b = tsr_build_before(op);
    tsr_value *v = op->in[0].value;
    uint32_t rank = v->type->n, n = join_axes(axes, rank, &all);
    if (n > 1 && !s->gather_per_dim) {
        v = gather_combined(s, &b, v, mesh, axes, &all, n);
    } else {
        for (uint32_t d = rank; d-- > 0;)
            if (axes[d]->n)
                v = gather(s, &b, v, d, mesh, axes[d]->data, axes[d]->n);
    }
    tsr_vec_free(&all);
    tsr_local_replace(s, op, v);
    return true;
}

/* ---- All-reduce and reduce-scatter ---- */

static enum tsr_opcode reducer_of(const tsr_op *op, int slot)
{
    return tsr_reduce_opcode(
        tsr_reduce_from_sdy(op->attrs[slot] ? op->attrs[slot]->i : TSR_SDY_SUM));
}

static tsr_value *reduce(tsr_local *s, tsr_build *b, tsr_value *v, enum tsr_opcode how,
                         const tsr_mesh *mesh, const tsr_axis *axes, size_t n)
{
    int64_t size;
    tsr_op *op = tsr_build_open(b, TSR_OP_STABLEHLO_ALL_REDUCE, &v, 1, 1, 1);
    op->attrs[STABLEHLO_ALL_REDUCE_replica_groups] = groups_of(s, b->module, mesh, axes, n, &size);
    op->attrs[STABLEHLO_ALL_REDUCE_channel_handle] = next_channel(s);
    op->attrs[STABLEHLO_ALL_REDUCE_use_global_device_ids] = tsr_attr_unit(s->ctx);
    tsr_make_reducer(b, &op->regions[0], how, v->type->elem);
    return &tsr_build_close_as(b, op, &v->type)->out[0];
}

bool local_all_reduce(tsr_local *s, tsr_op *op)
{
    const tsr_mesh *mesh = mesh_of(s, op);
    if (!mesh)
        return false;
    const tsr_attr *list = op->attrs[SDY_ALL_REDUCE_reduction_axes]->attrs[0];
    const tsr_axes *axes = tsr_axes_decode(&s->table, mesh, list);
    if (!axes)
        return tsr_op_error(op, "failed to resolve axes");
    tsr_build b = tsr_build_before(op);
    tsr_local_replace(s, op,
                      reduce(s, &b, op->in[0].value, reducer_of(op, SDY_ALL_REDUCE_reduction_op),
                             mesh, axes->data, axes->n));
    return true;
}

static tsr_value *scatter(tsr_local *s, tsr_build *b, tsr_value *v, int64_t dim,
                          enum tsr_opcode how, const tsr_mesh *mesh, const tsr_axis_vec *axes,
                          tsr_type *type)
{
    int64_t size;
    tsr_op *op = tsr_build_open(b, TSR_OP_STABLEHLO_REDUCE_SCATTER, &v, 1, 1, 1);
    op->attrs[STABLEHLO_REDUCE_SCATTER_scatter_dimension] = tsr_attr_i64(s->ctx, dim);
    op->attrs[STABLEHLO_REDUCE_SCATTER_replica_groups] =
        groups_of(s, b->module, mesh, axes->data, axes->n, &size);
    op->attrs[STABLEHLO_REDUCE_SCATTER_channel_handle] = next_channel(s);
    op->attrs[STABLEHLO_REDUCE_SCATTER_use_global_device_ids] = tsr_attr_unit(s->ctx);
    tsr_make_reducer(b, &op->regions[0], how, v->type->elem);
    return &tsr_build_close_as(b, op, &type)->out[0];
}

/* All dimensions at once: the parts to be scattered are moved to the front as one dimension. */
static tsr_value *scatter_combined(tsr_local *s, tsr_build *b, tsr_value *v, enum tsr_opcode how,
                                   const tsr_mesh *mesh, const tsr_axes *const *axes,
                                   const tsr_axis_vec *all, tsr_type *type)
{
    uint32_t rank = v->type->n, n = 0, front = 0, back = 0;
    int64_t *dims = TSR_NEW_ARRAY(s->arena, int64_t, 2 * rank + 2), total = 1;
    int64_t *order = TSR_NEW_ARRAY(s->arena, int64_t, 2 * rank + 2);
    for (uint32_t d = 0; d < rank; d++)
        back += axes[d]->n != 0;
    for (uint32_t d = 0; d < rank; d++) {
        if (axes[d]->n) {
            order[front++] = n;
            dims[n++] = axes[d]->size;
            total *= axes[d]->size;
        }
        order[back++] = n;
        dims[n++] = v->type->dims[d] / axes[d]->size;
    }
    v = tsr_make_transpose(b, tsr_make_reshape(b, v, dims, n), order);
    dims[0] = total;
    memcpy(dims + 1, type->dims, rank * sizeof *dims);
    v = tsr_make_reshape(b, v, dims, rank + 1);
    dims[0] = 1;
    v = scatter(s, b, v, 0, how, mesh, all, tsr_type_with_dims(type, dims, rank + 1));
    return tsr_make_reshape(b, v, type->dims, rank);
}

bool local_reduce_scatter(tsr_local *s, tsr_op *op)
{
    const tsr_mesh *mesh = mesh_of(s, op);
    const tsr_axes **axes =
        mesh ? axes_per_dim(s, op, SDY_REDUCE_SCATTER_reduce_scatter_axes, mesh) : NULL;
    if (!axes)
        return false;
    tsr_value *v = op->in[0].value;
    tsr_type *type = op->out[0].type;
    uint32_t rank = v->type->n, last = 0;
    for (uint32_t d = 0; d < rank; d++) {
        last = axes[d]->n ? d : last;
        if (v->type->dims[d] % axes[d]->size)
            return tsr_op_error(op, "dimension not divisible by scattering factor");
    }
    tsr_axis_vec all = {0};
    tsr_build b = tsr_build_before(op);
    enum tsr_opcode how = reducer_of(op, SDY_REDUCE_SCATTER_reduction_op);
    uint32_t n = join_axes(axes, rank, &all);
    if (n == 1) {
        v = scatter(s, &b, v, last, how, mesh, &all, type);
    } else if (n > 1 && s->scatter_combined) {
        v = scatter_combined(s, &b, v, how, mesh, axes, &all, type);
    } else if (n > 1) {
        v = reduce(s, &b, v, how, mesh, all.data, all.n);
        v = tsr_local_part(s, &b, v, mesh, axes, type);
    }
    tsr_vec_free(&all);
    tsr_local_replace(s, op, v);
    return true;
}

/* ---- All-slice ---- */

bool local_all_slice(tsr_local *s, tsr_op *op)
{
    const tsr_mesh *mesh = mesh_of(s, op);
    const tsr_axes **axes = mesh ? axes_per_dim(s, op, SDY_ALL_SLICE_slicing_axes, mesh) : NULL;
    if (!axes)
        return false;
    tsr_build b = tsr_build_before(op);
    tsr_local_replace(s, op, tsr_local_part(s, &b, op->in[0].value, mesh, axes, op->out[0].type));
    return true;
}

/* ---- All-to-all ---- */

typedef struct {
    const tsr_axes *axes;
    int64_t from, to; /* dimensions */
} exchange;

static tsr_value *exchange_parts(tsr_local *s, tsr_build *b, tsr_value *v, int64_t split,
                                 int64_t concat, const tsr_mesh *mesh, const tsr_axis *axes,
                                 size_t n, tsr_type *type)
{
    int64_t size;
    tsr_op *op = tsr_build_open(b, TSR_OP_STABLEHLO_ALL_TO_ALL, &v, 1, 1, 0);
    op->attrs[STABLEHLO_ALL_TO_ALL_split_dimension] = tsr_attr_i64(s->ctx, split);
    op->attrs[STABLEHLO_ALL_TO_ALL_concat_dimension] = tsr_attr_i64(s->ctx, concat);
    op->attrs[STABLEHLO_ALL_TO_ALL_replica_groups] = groups_of(s, b->module, mesh, axes, n, &size);
    op->attrs[STABLEHLO_ALL_TO_ALL_split_count] = tsr_attr_i64(s->ctx, size);
    if (!s->replicas) /* with a channel, the groups would refer to partitions */
        op->attrs[STABLEHLO_ALL_TO_ALL_channel_handle] = next_channel(s);
    return &tsr_build_close_as(b, op, &type)->out[0];
}

static tsr_value *exchange_one(tsr_local *s, tsr_build *b, tsr_value *v, const tsr_mesh *mesh,
                               const exchange *e)
{
    int64_t *dims = tsr_arena_copy(s->arena, v->type->dims, v->type->n * sizeof *dims);
    dims[e->from] *= e->axes->size;
    dims[e->to] /= e->axes->size;
    tsr_type *type = tsr_type_with_dims(v->type, dims, v->type->n);
    return exchange_parts(s, b, v, e->to, e->from, mesh, e->axes->data, e->axes->n, type);
}

/* Several at once: the parts cut off all target dimensions are moved to the front as one dimension, exchanged, and
 * moved to the sources. e: by target. */
static tsr_value *exchange_all(tsr_local *s, tsr_build *b, tsr_value *v, const tsr_mesh *mesh,
                               const exchange *e, uint32_t n)
{
    uint32_t rank = v->type->n, nd = 0, k = 0, at = 0;
    int64_t *dims = TSR_NEW_ARRAY(s->arena, int64_t, 2 * rank + 2), total = 1;
    int64_t *order = TSR_NEW_ARRAY(s->arena, int64_t, 2 * rank + 2);
    int64_t *whole = TSR_NEW_ARRAY(s->arena, int64_t, rank + 1);
    tsr_axis_vec axes = {0};
    for (uint32_t d = 0; d < rank; d++) {
        int64_t cut = k < n && e[k].to == d ? e[k].axes->size : 0;
        whole[d] = v->type->dims[d];
        if (cut) {
            tsr_axis_vec_add_all(&axes, e[k].axes->data, e[k].axes->n);
            order[k++] = nd;
            dims[nd++] = cut;
            total *= cut;
            whole[d] /= cut;
        }
        order[n + d] = nd;
        dims[nd++] = whole[d];
    }
    v = tsr_make_transpose(b, tsr_make_reshape(b, v, dims, nd), order);
    tsr_type *split = v->type;
    dims[0] = total;
    memcpy(dims + 1, whole, rank * sizeof *dims);
    v = tsr_make_reshape(b, v, dims, rank + 1);
    v = exchange_parts(s, b, v, 0, 0, mesh, axes.data, axes.n, v->type);
    tsr_vec_free(&axes);
    v = tsr_make_reshape(b, v, split->dims, split->n);
    for (uint32_t d = 0; d < rank; d++) {
        for (uint32_t i = 0; i < n; i++)
            if (e[i].from == d) {
                order[at++] = i;
                whole[d] *= e[i].axes->size;
            }
        order[at++] = d + n;
    }
    return tsr_make_reshape(b, tsr_make_transpose(b, v, order), whole, rank);
}

static int by_target(const void *a, const void *b)
{
    int64_t x = ((const exchange *)a)->to, y = ((const exchange *)b)->to;
    return (x > y) - (x < y);
}

bool local_all_to_all(tsr_local *s, tsr_op *op)
{
    const tsr_mesh *mesh = mesh_of(s, op);
    if (!mesh)
        return false;
    const tsr_attr *params = op->attrs[SDY_ALL_TO_ALL_params]->attrs[0];
    const tsr_type *type = op->in[0].value->type;
    exchange *all = TSR_NEW_ARRAY(s->arena, exchange, params->n + 1);
    for (uint32_t i = 0; i < params->n; i++) {
        tsr_attr *const *p = params->attrs[i]->attrs;
        exchange *e = &all[i];
        e->axes = tsr_axes_decode(&s->table, mesh, p[SDY_ALL_TO_ALL_PARAM_axes]);
        e->from = p[SDY_ALL_TO_ALL_PARAM_src]->i;
        e->to = p[SDY_ALL_TO_ALL_PARAM_tgt]->i;
        if (!e->axes || !e->axes->n)
            return tsr_op_error(op, "failed to resolve axes");
        if (e->from < 0 || e->from >= type->n || e->to < 0 || e->to >= type->n)
            return tsr_op_error(op, "exchanges dimensions that the tensor does not have");
        if (type->dims[e->to] % e->axes->size)
            return tsr_op_error(op, "dimension not divisible by num devices per group");
    }
    qsort(all, params->n, sizeof *all, by_target);
    tsr_build b = tsr_build_before(op);
    tsr_value *v = op->in[0].value;
    if (params->n)
        v = params->n == 1 ? exchange_one(s, &b, v, mesh, all)
                           : exchange_all(s, &b, v, mesh, all, params->n);
    tsr_local_replace(s, op, v);
    return true;
}

/* ---- Collective-permute ---- */

typedef TSR_VEC(int64_t) cuts; /* of one axis: where parts begin and end */

static void cut_at(cuts *c, int64_t at)
{
    size_t i = c->n;
    for (size_t k = 0; k < c->n; k++)
        if (c->data[k] == at)
            return;
    tsr_vec_push(c, at);
    for (; i > 0 && c->data[i - 1] > at; i--)
        c->data[i] = c->data[i - 1];
    c->data[i] = at;
}

static void cut_for(cuts *all, const tsr_sharding *a)
{
    for (uint32_t d = 0; d < a->rank + 2; d++) {
        const tsr_axes *axes = d < a->rank    ? a->dims[d].axes
                               : d == a->rank ? a->replicated
                                              : a->unreduced;
        for (uint32_t i = 0; i < axes->n; i++) {
            cut_at(&all[axes->data[i].axis], axes->data[i].pre);
            cut_at(&all[axes->data[i].axis], tsr_axis_end(axes->data[i]));
        }
    }
}

/* The parts of all axes, with those that shard a first, in its order: a device's index along them says which part of
 * the tensor it has, and which copy of it. */
static void parts_in_order(const tsr_mesh *mesh, const cuts *all, const tsr_sharding *a,
                           tsr_axis_vec *out)
{
    for (uint32_t d = 0; d < a->rank; d++)
        for (uint32_t i = 0; i < a->dims[d].axes->n; i++) {
            tsr_axis x = a->dims[d].axes->data[i];
            const cuts *c = &all[x.axis];
            for (size_t k = 0; k + 1 < c->n; k++)
                if (c->data[k] >= x.pre && c->data[k + 1] <= tsr_axis_end(x))
                    tsr_vec_push(out, (tsr_axis){x.axis, c->data[k], c->data[k + 1] / c->data[k]});
        }
    size_t n = out->n;
    for (uint32_t axis = 0; axis < mesh->naxis; axis++)
        for (size_t k = 0; k + 1 < all[axis].n; k++) {
            const int64_t *c = &all[axis].data[k];
            tsr_axis part = {axis, c[0], c[1] / c[0]};
            size_t i = 0;
            while (i < n && !tsr_axis_eq(out->data[i], part))
                i++;
            if (i == n)
                tsr_vec_push(out, part);
        }
}

/* Source and target of each device's transfer: a pair for each device. */
static int64_t *pairs_of(tsr_local *s, const cuts *all, const tsr_sharding *in,
                         const tsr_sharding *out)
{
    int64_t n = out->mesh->ndevice, *pairs = TSR_NEW_ARRAY(s->arena, int64_t, 2 * n + 1);
    int64_t *holder = TSR_NEW_ARRAY(s->arena, int64_t, n + 1);
    tsr_axis_vec a = {0}, b = {0};
    parts_in_order(in->mesh, all, in, &a);
    parts_in_order(out->mesh, all, out, &b);
    int64_t *from = tsr_device_positions(s->arena, in->mesh, a.data, a.n);
    int64_t *to = tsr_device_positions(s->arena, out->mesh, b.data, b.n);
    for (int64_t i = 0; i < n; i++)
        holder[to[i]] = i;
    for (int64_t i = 0; i < n; i++) {
        pairs[2 * i] = i;
        pairs[2 * i + 1] = holder[from[i]];
    }
    tsr_vec_free(&a);
    tsr_vec_free(&b);
    return pairs;
}

bool local_collective_permute(tsr_local *s, tsr_op *op)
{
    const tsr_mesh *mesh = mesh_of(s, op);
    tsr_value *v = op->in[0].value;
    const tsr_sharding *in = tsr_local_sharding(s, v), *out = tsr_local_sharding(s, &op->out[0]);
    if (!mesh)
        return false;
    if (!in || !tsr_devices_ok(op, in->mesh))
        return tsr_op_error(op, "failed to resolve mesh");
    if (!tsr_mesh_same_axes(in->mesh, mesh))
        return tsr_op_error(op, "permutes between meshes of different axes");
    cuts *all = TSR_NEW_ARRAY(s->arena, cuts, mesh->naxis + 1);
    for (uint32_t i = 0; i < mesh->naxis; i++) {
        cut_at(&all[i], 1);
        cut_at(&all[i], mesh->sizes[i]);
    }
    cut_for(all, in);
    cut_for(all, out);
    bool ok = true;
    for (uint32_t i = 0; ok && i < mesh->naxis; i++)
        for (size_t k = 0; ok && k + 1 < all[i].n; k++)
            ok = all[i].data[k + 1] % all[i].data[k] == 0 ||
                 tsr_op_error(op, "has parts of an axis that cut each other");
    int64_t *pairs = ok ? pairs_of(s, all, in, out) : NULL;
    for (uint32_t i = 0; i < mesh->naxis; i++)
        tsr_vec_free(&all[i]);
    if (!ok)
        return false;
    tsr_build b = tsr_build_before(op);
    tsr_op *new = tsr_build_open(&b, TSR_OP_STABLEHLO_COLLECTIVE_PERMUTE, &v, 1, 1, 0);
    new->attrs[STABLEHLO_COLLECTIVE_PERMUTE_source_target_pairs] =
        tsr_i64_elements(s->ctx, op->module, (int64_t[]){mesh->ndevice, 2}, 2, pairs);
    if (!s->replicas) /* with a channel, the pairs would refer to partitions */
        new->attrs[STABLEHLO_COLLECTIVE_PERMUTE_channel_handle] = next_channel(s);
    tsr_local_replace(s, op, &tsr_build_close_as(&b, new, &v->type)->out[0]);
    return true;
}
