/* SPDX-License-Identifier: Apache-2.0 */
/* verify_collective.c - collectives: groups of replicas, channels, roots, and result shapes. */
#include "dialect/hooks.h"
#include "dialect/stablehlo/rules.h"

/* ---- Groups of replicas ---- */

/* Adds an id; false if it is already there. The hash is one-to-one, so equal hashes mean equal ids. */
static bool add_id(tsr_map *ids, int64_t id)
{
    uint64_t hash = tsr_hash_mix(0, (uint64_t)id);
    TSR_MAP_EACH (ids, hash, same)
        return false;
    tsr_map_put(ids, hash, ids);
    return true;
}

static bool has_id(const tsr_map *ids, int64_t id)
{
    TSR_MAP_EACH (ids, tsr_hash_mix(0, (uint64_t)id), same)
        return true;
    return false;
}

/* Whether each of so many columns has the ids from 0 on exactly once: true for most lists, and quick to check. */
static bool each_once(const tsr_attr *ids, size_t columns)
{
    size_t n = tsr_hlo_len(ids), rows = n / columns;
    if (ids->sub || rows * columns != n) /* one number represents all of them */
        return false;
    unsigned char *seen = tsr_xmalloc(rows + 1);
    bool ok = true;
    memset(seen, 0, rows + 1);
    for (size_t i = 0; ok && i < n; i++) {
        int64_t id = tsr_hlo_at(ids, i);
        unsigned char bit = (unsigned char)(1u << i % columns);
        ok = id >= 0 && (uint64_t)id < rows && !(seen[id] & bit);
        if (ok)
            seen[id] |= bit;
    }
    tsr_free(seen);
    return ok;
}

/* The id that represents "none" in groups of different sizes. */
enum { NO_ID = -1 };

static bool collect_ids(const tsr_op *op, const tsr_attr *groups, bool same_size, tsr_map *ids)
{
    size_t n = tsr_hlo_len(groups);
    if (n && groups->sub && tsr_hlo_at(groups, 0) == NO_ID && !same_size)
        return true;
    for (size_t i = 0; i < n; i++) {
        int64_t id = tsr_hlo_at(groups, i);
        if (id == NO_ID && !same_size)
            continue;
        if (id == NO_ID)
            return tsr_hlo_error(op, "Invalid replica id -1");
        if (!add_id(ids, id))
            return tsr_hlo_error(op, "replica id #%lld seen more than once", (long long)id);
    }
    for (uint32_t id = 0; id < ids->n; id++)
        if (!has_id(ids, id))
            return tsr_hlo_error(op, "replica id #%u not seen in replica groups", id);
    return true;
}

/* Every id from 0 on must occur once. size: of each group; 0 if any is allowed. Groups given by a mesh are not
 * checked. */
static bool check_groups(const tsr_op *op, const tsr_attr *groups, bool same_size, bool global_ids,
                         int64_t size)
{
    if (!tsr_attr_is(groups, TSR_ATTR_DENSE))
        return true;
    const tsr_type *t = groups->type;
    if (t->n != 2)
        return tsr_hlo_error(op, "replica groups should be a rank 2 tensor");
    if (global_ids && (t->dims[0] == 0 || t->dims[1] == 0))
        return tsr_hlo_error(
            op, "if `use_global_device_ids` is set, the replica groups cannot be empty");
    tsr_map ids = {0};
    bool ok = each_once(groups, 1) || collect_ids(op, groups, same_size, &ids);
    tsr_map_free(&ids);
    if (ok && same_size && size && (t->dims[0] == 0 || t->dims[1] != size))
        ok = tsr_hlo_error(op, "group size of replica_groups must be %lld", (long long)size);
    return ok;
}

/* Params of #stablehlo.replica_group_mesh_axes; a mesh begins with its axes, an axis with its name. */
enum { MESH_AXES_mesh, MESH_AXES_axes };

static bool mesh_has_axis(const tsr_attr *mesh, const tsr_attr *name)
{
    const tsr_attr *axes = mesh->attrs[0];
    for (uint32_t i = 0; i < axes->n; i++)
        if (axes->attrs[i]->attrs[0] == name)
            return true;
    return false;
}

bool tsr_hlo_verify_mesh_axes(tsr_ctx *ctx, tsr_loc loc, tsr_attr *const *params)
{
    const tsr_attr *mesh = params[MESH_AXES_mesh], *axes = params[MESH_AXES_axes];
    if (tsr_attr_is(mesh, TSR_ATTR_SYMBOL) && mesh->n == 0)
        return true;
    if (!tsr_attr_is_struct(mesh, &tsr_def_STABLEHLO_MESH))
        return tsr_error(ctx, loc, "mesh must be a FlatSymbolRefAttr or MeshAttr");
    for (uint32_t i = 0; i < axes->n; i++) {
        const tsr_attr *axis = axes->attrs[i];
        if (!tsr_attr_is_struct(axis, &tsr_def_STABLEHLO_AXIS_REF))
            return tsr_error(ctx, loc, "expected AxisRefAttr in axes list");
        if (!mesh_has_axis(mesh, axis->attrs[0]))
            return tsr_error(ctx, loc, "axis '%.*s' not found in mesh definition",
                             TSR_STR_ARG(axis->attrs[0]->s));
    }
    return true;
}

/* A mesh that groups refer to by name must exist. */
bool uses_hlo_replica_groups(tsr_op *op)
{
    const tsr_attr *groups = tsr_op_attr(op, TSR_STR("replica_groups"));
    if (!tsr_attr_is_struct(groups, &tsr_def_STABLEHLO_REPLICA_GROUP_MESH_AXES))
        return true;
    const tsr_attr *mesh = groups->attrs[MESH_AXES_mesh];
    if (!tsr_attr_is(mesh, TSR_ATTR_SYMBOL) || tsr_symbol_resolve(op, mesh))
        return true;
    return tsr_op_error(op, "replica_groups: mesh symbol '%.*s' not found", TSR_STR_ARG(mesh->s));
}

static int64_t channel_id(const tsr_attr *handle)
{
    return handle ? handle->attrs[0]->i : 0;
}

static bool check_channel(const tsr_op *op, const tsr_attr *handle, bool global_ids)
{
    if (!global_ids || channel_id(handle) > 0)
        return true;
    return tsr_hlo_error(op,
                         "channel_id must be positive when useGlobalDeviceIds is set but got: %lld",
                         (long long)channel_id(handle));
}

/* With a dynamic root the last operand has the roots, one for each of the others. */
static bool check_root(const tsr_op *op, const char *name, bool dynamic)
{
    if (!dynamic)
        return op->nin || tsr_hlo_error(op, "%s requires at least one data operand", name);
    if (op->nin < 2)
        return tsr_hlo_error(
            op, "%s with has_dynamic_root=true requires at least two operands (data + root)", name);
    const tsr_type *root = tsr_hlo_in(op, op->nin - 1);
    if (!tsr_hlo_is_ranked(root) || !tsr_type_is_integer(root->elem, 32) || root->n != 1)
        return tsr_hlo_error(
            op,
            "last operand of %s with has_dynamic_root=true must be a rank-1 i32 tensor, but got %s",
            name, tsr_hlo_show_type(root));
    if (root->dims[0] != (int64_t)op->nin - 1)
        return tsr_hlo_error(op,
                             "last operand of %s with has_dynamic_root=true must have the same "
                             "number of elements as data "
                             "operands (%u), but got %lld",
                             name, op->nin - 1, (long long)root->dims[0]);
    return true;
}

/* A type with one dimension multiplied or divided by the size of groups, if that is known. */
static tsr_type *scaled_type(const tsr_type *t, size_t dim, const tsr_attr *groups, bool times,
                             tsr_type *elem)
{
    tsr_i64_vec dims = {0};
    bool dense =
        tsr_attr_is(groups, TSR_ATTR_DENSE) && groups->type->n == 2 && groups->type->dims[1] > 0;
    int64_t size = dense ? groups->type->dims[1] : 0;
    for (uint32_t i = 0; i < t->n; i++)
        tsr_vec_push(&dims, t->dims[i]);
    int64_t old = dims.data[dim];
    if (!size || old < 0 || (times && old > INT64_MAX / size))
        dims.data[dim] = TSR_DYNAMIC;
    else
        dims.data[dim] = times ? old * size : old / size;
    tsr_type *out = tsr_type_tensor(t->ctx, dims.data, dims.n, elem, NULL);
    tsr_vec_free(&dims);
    return out;
}

/* ---- all_gather ---- */

/* The processes of a group depend on flags and on the run: the op's own type takes precedence. */
bool infer_stablehlo_all_gather(const tsr_op *op, tsr_type_vec *out)
{
    int64_t dim = tsr_attr_of(op, STABLEHLO_ALL_GATHER_all_gather_dim)->i;
    for (uint32_t i = 0; i < op->nin; i++) {
        tsr_type *t = tsr_hlo_in(op, i);
        if (dim < 0 || dim >= t->n)
            return tsr_hlo_error(op, "all_gather_dim must be a valid index of operand");
        const tsr_attr *groups = tsr_attr_of(op, STABLEHLO_ALL_GATHER_replica_groups);
        tsr_vec_push(out, i < op->nout ? op->out[i].type
                                       : scaled_type(t, (size_t)dim, groups, true, t->elem));
    }
    return true;
}

/* Checks one operand and its result; done: what remains to be checked is unknown, also for the operands after it. */
static bool check_gathered(const tsr_op *op, const tsr_type *t, const tsr_type *result, int64_t dim,
                           bool *done)
{
    if (dim >= t->n)
        return tsr_hlo_error(op, "all_gather_dim must be a valid index of operand");
    if (t->dims[dim] == 0)
        return tsr_hlo_error(op, "dimension size of operand at 'all_gather_dim' cannot be zero");
    if (result->n != t->n)
        return tsr_hlo_error(op, "operand and result must have the same rank");
    for (uint32_t d = 0; d < t->n; d++)
        if (d != dim && !tsr_hlo_dims_compatible(t->dims[d], result->dims[d]))
            return tsr_hlo_error(
                op,
                "operand and result should have the same shape except for the dimension size at "
                "'all_gather_dim'");
    int64_t from = t->dims[dim], to = result->dims[dim];
    *done = from == TSR_DYNAMIC || to == TSR_DYNAMIC;
    if (!*done && to % from != 0)
        return tsr_hlo_error(
            op,
            "result gather dimension has size %lld, expected to be a multiple of operand gather "
            "dimension size %lld",
            (long long)to, (long long)from);
    return true;
}

bool verify_stablehlo_all_gather(tsr_op *op)
{
    const tsr_attr *groups = tsr_attr_of(op, STABLEHLO_ALL_GATHER_replica_groups);
    bool global_ids = tsr_attr_of(op, STABLEHLO_ALL_GATHER_use_global_device_ids) != NULL,
         done = false;
    TSR_TRY(check_groups(op, groups, true, global_ids, 0));
    if (global_ids && channel_id(tsr_attr_of(op, STABLEHLO_ALL_GATHER_channel_handle)) < 0)
        return tsr_hlo_error(op, "channel_id cannot be negative when useGlobalDeviceIds is set");
    int64_t dim = tsr_attr_of(op, STABLEHLO_ALL_GATHER_all_gather_dim)->i;
    for (uint32_t i = 0; !done && i < op->nin && i < op->nout; i++)
        TSR_TRY(check_gathered(op, tsr_hlo_in(op, i), op->out[i].type, dim, &done));
    return true;
}

/* ---- all_reduce, collective_reduce ---- */

static bool infer_reduced(const tsr_op *op, uint32_t n, tsr_type_vec *out)
{
    for (uint32_t i = 0; i < n; i++) {
        tsr_type *t = tsr_hlo_in(op, i);
        tsr_vec_push(out, tsr_hlo_with_element(t, tsr_hlo_accumulator(&op->regions[0], 0, t)));
    }
    return true;
}

bool infer_stablehlo_all_reduce(const tsr_op *op, tsr_type_vec *out)
{
    return infer_reduced(op, op->nin, out);
}

bool verify_stablehlo_all_reduce(tsr_op *op)
{
    const tsr_attr *groups = tsr_attr_of(op, STABLEHLO_ALL_REDUCE_replica_groups);
    bool global_ids = tsr_attr_of(op, STABLEHLO_ALL_REDUCE_use_global_device_ids) != NULL;
    TSR_TRY(check_groups(op, groups, false, global_ids, 0));
    TSR_TRY(check_channel(op, tsr_attr_of(op, STABLEHLO_ALL_REDUCE_channel_handle), global_ids));
    for (uint32_t i = 0; i < op->nin; i++)
        TSR_TRY(tsr_hlo_verify_scalar_reducer(op, &op->regions[0], tsr_hlo_in(op, i)));
    return true;
}

static uint32_t data_operands(const tsr_op *op, int slot) /* without the roots */
{
    return tsr_attr_of(op, slot) && op->nin ? op->nin - 1 : op->nin;
}

bool infer_stablehlo_collective_reduce(const tsr_op *op, tsr_type_vec *out)
{
    return infer_reduced(op, data_operands(op, STABLEHLO_COLLECTIVE_REDUCE_has_dynamic_root), out);
}

bool verify_stablehlo_collective_reduce(tsr_op *op)
{
    const tsr_attr *groups = tsr_attr_of(op, STABLEHLO_COLLECTIVE_REDUCE_replica_groups);
    bool global_ids = tsr_attr_of(op, STABLEHLO_COLLECTIVE_REDUCE_use_global_device_ids) != NULL;
    bool dynamic = tsr_attr_of(op, STABLEHLO_COLLECTIVE_REDUCE_has_dynamic_root) != NULL;
    TSR_TRY(check_groups(op, groups, false, global_ids, 0));
    TSR_TRY(
        check_channel(op, tsr_attr_of(op, STABLEHLO_COLLECTIVE_REDUCE_channel_handle), global_ids));
    TSR_TRY(check_root(op, "collective_reduce", dynamic));
    for (uint32_t i = 0; i < op->nin - dynamic; i++)
        TSR_TRY(tsr_hlo_verify_scalar_reducer(op, &op->regions[0], tsr_hlo_in(op, i)));
    return true;
}

/* ---- reduce_scatter ---- */

bool infer_stablehlo_reduce_scatter(const tsr_op *op, tsr_type_vec *out)
{
    const tsr_attr *groups = tsr_attr_of(op, STABLEHLO_REDUCE_SCATTER_replica_groups);
    int64_t dim = tsr_attr_of(op, STABLEHLO_REDUCE_SCATTER_scatter_dimension)->i;
    tsr_type *t = tsr_hlo_in(op, 0), *elem = tsr_hlo_accumulator(&op->regions[0], 0, t);
    if (dim < 0 || dim >= t->n)
        return tsr_hlo_error(op, "scatter dim should be less than operand/result rank");
    tsr_vec_push(out,
                 op->nout ? op->out[0].type : scaled_type(t, (size_t)dim, groups, false, elem));
    return true;
}

static bool check_scattered_sizes(const tsr_op *op, const tsr_type *t, const tsr_type *result,
                                  int64_t dim)
{
    int64_t from = t->dims[dim], to = result->dims[dim];
    if (to == 0 || from == 0)
        return tsr_hlo_error(op, "%s dimension size at scatter_dimension cannot be zero",
                             to == 0 ? "result" : "operand");
    if (from % to != 0)
        return tsr_hlo_error(
            op,
            "operand scatter dimension has size %lld, expected to be a multiple of result scatter "
            "dimension size %lld",
            (long long)from, (long long)to);
    for (uint32_t d = 0; d < t->n; d++)
        if (d != dim && !tsr_hlo_dims_compatible(t->dims[d], result->dims[d]))
            return tsr_hlo_error(
                op, "non scatter dimensions should be same for operand (%lld) and result (%lld)",
                (long long)t->dims[d], (long long)result->dims[d]);
    const tsr_type *elem = tsr_hlo_accumulator(&op->regions[0], 0, t);
    if (result->elem != elem)
        return tsr_hlo_error(op, "result element-type is expected to be %s, but got %s",
                             tsr_hlo_show_type(elem), tsr_hlo_show_type(result->elem));
    return true;
}

bool verify_stablehlo_reduce_scatter(tsr_op *op)
{
    const tsr_attr *groups = tsr_attr_of(op, STABLEHLO_REDUCE_SCATTER_replica_groups);
    bool global_ids = tsr_attr_of(op, STABLEHLO_REDUCE_SCATTER_use_global_device_ids) != NULL;
    const tsr_type *t = tsr_hlo_in(op, 0), *result = op->out[0].type;
    int64_t dim = tsr_attr_of(op, STABLEHLO_REDUCE_SCATTER_scatter_dimension)->i;
    TSR_TRY(check_groups(op, groups, true, global_ids, 0));
    TSR_TRY(tsr_hlo_verify_scalar_reducer(op, &op->regions[0], tsr_hlo_in(op, 0)));
    if (t->n != result->n)
        return tsr_hlo_error(op, "operand and result should have same rank");
    if (dim >= t->n)
        return tsr_hlo_error(op, "scatter dim should be less than operand/result rank");
    TSR_TRY(
        check_channel(op, tsr_attr_of(op, STABLEHLO_REDUCE_SCATTER_channel_handle), global_ids));
    if (t->dims[dim] != TSR_DYNAMIC && result->dims[dim] != TSR_DYNAMIC)
        TSR_TRY(check_scattered_sizes(op, t, result, dim));
    return true;
}

/* ---- all_to_all ---- */

static int64_t times(int64_t size, int64_t count)
{
    return size == TSR_DYNAMIC || size > INT64_MAX / count ? TSR_DYNAMIC : size * count;
}

static bool infer_exchanged(const tsr_op *op, const tsr_type *t, tsr_type_vec *out)
{
    int64_t split = tsr_attr_of(op, STABLEHLO_ALL_TO_ALL_split_dimension)->i;
    int64_t concat = tsr_attr_of(op, STABLEHLO_ALL_TO_ALL_concat_dimension)->i;
    int64_t count = tsr_attr_of(op, STABLEHLO_ALL_TO_ALL_split_count)->i;
    if (split >= t->n || concat >= t->n)
        return tsr_hlo_error(op, "AllToAll %s %lld is out-of-bounds for input rank %u",
                             split >= t->n ? "split_dimension" : "concat_dimension",
                             (long long)(split >= t->n ? split : concat), t->n);
    if (t->dims[split] != TSR_DYNAMIC && t->dims[split] % count != 0)
        return tsr_hlo_error(
            op, "split dimension has size %lld, expected to be a multiple of split_count %lld",
            (long long)t->dims[split], (long long)count);
    const int64_t *parts[] = {t->dims, tsr_hlo_bounds(t)};
    tsr_i64_vec dims = {0};
    for (size_t p = 0; p < TSR_COUNT(parts) && parts[p]; p++) {
        size_t at = dims.n;
        for (uint32_t d = 0; d < t->n; d++)
            tsr_vec_push(&dims, parts[p][d]);
        if (parts[p][split] != TSR_DYNAMIC)
            dims.data[at + (size_t)split] /= count;
        dims.data[at + (size_t)concat] = times(dims.data[at + (size_t)concat], count);
    }
    tsr_vec_push(out, tsr_hlo_tensor_like(t, dims.data, t->n, parts[1] ? dims.data + t->n : NULL));
    tsr_vec_free(&dims);
    return true;
}

bool infer_stablehlo_all_to_all(const tsr_op *op, tsr_type_vec *out)
{
    const tsr_attr *groups = tsr_attr_of(op, STABLEHLO_ALL_TO_ALL_replica_groups);
    TSR_TRY(check_groups(op, groups, true, false,
                         tsr_attr_of(op, STABLEHLO_ALL_TO_ALL_split_count)->i));
    for (uint32_t i = 0; i < op->nin; i++)
        TSR_TRY(infer_exchanged(op, tsr_hlo_in(op, i), out));
    return true;
}

/* ---- collective_broadcast ---- */

bool infer_stablehlo_collective_broadcast(const tsr_op *op, tsr_type_vec *out)
{
    tsr_hlo_operand_types(op, 0, data_operands(op, STABLEHLO_COLLECTIVE_BROADCAST_has_dynamic_root),
                          out);
    return true;
}

static bool check_broadcast_groups(const tsr_op *op, const tsr_attr *groups)
{
    if (!tsr_attr_is(groups, TSR_ATTR_DENSE))
        return true;
    if (groups->type->n != 2)
        return tsr_hlo_error(
            op, "replica groups should be a rank 2 tensor,but instead it is of rank %u",
            groups->type->n);
    tsr_map ids = {0};
    bool ok = true;
    for (size_t i = 0; ok && i < tsr_hlo_len(groups); i++) {
        int64_t id = tsr_hlo_at(groups, i);
        if (id < 0)
            ok = tsr_hlo_error(op, "replica_groups values must be positive, but was given %lld",
                               (long long)id);
        else if (!add_id(&ids, id))
            ok = tsr_hlo_error(op, "replica id #%lld seen more than once", (long long)id);
    }
    tsr_map_free(&ids);
    return ok;
}

bool verify_stablehlo_collective_broadcast(tsr_op *op)
{
    const tsr_attr *groups = tsr_attr_of(op, STABLEHLO_COLLECTIVE_BROADCAST_replica_groups);
    bool dynamic = tsr_attr_of(op, STABLEHLO_COLLECTIVE_BROADCAST_has_dynamic_root) != NULL;
    return check_broadcast_groups(op, groups) && check_root(op, "collective_broadcast", dynamic);
}

/* ---- collective_permute ---- */

bool infer_stablehlo_collective_permute(const tsr_op *op, tsr_type_vec *out)
{
    tsr_hlo_operand_types(op, 0, op->nin, out);
    return true;
}

bool verify_stablehlo_collective_permute(tsr_op *op)
{
    const tsr_attr *pairs = tsr_attr_of(op, STABLEHLO_COLLECTIVE_PERMUTE_source_target_pairs);
    const tsr_type *t = pairs->type;
    if (t->n != 2)
        return tsr_hlo_error(
            op, "expect source_target_pairs attribute to be of rank 2, but got rank %u", t->n);
    if (t->dims[1] != 2)
        return tsr_hlo_error(op,
                             "expect source_target_pairs attribute of shape (N, 2), but got (%s)",
                             tsr_hlo_show_dims(op->module->ctx, t->dims, t->n));
    tsr_map ids[2] = {{0}, {0}}; /* sources, targets */
    bool ok = true, all = each_once(pairs, 2);
    for (size_t i = 0; ok && !all && i < tsr_hlo_len(pairs); i++) {
        int64_t id = tsr_hlo_at(pairs, i);
        if (id < 0)
            ok = tsr_hlo_error(op, "replica ids in source_target_pairs must be >= 0.");
        else if (!add_id(&ids[i % 2], id))
            ok = tsr_hlo_error(op, "duplicate %s not allowed.", i % 2 ? "targets" : "sources");
    }
    tsr_map_free(&ids[0]);
    tsr_map_free(&ids[1]);
    return ok;
}
