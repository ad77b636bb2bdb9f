/* SPDX-License-Identifier: Apache-2.0 */
/* collective.c - ops between devices: shards over a mesh, and collectives.
 *
 * The number of devices comes from the module's ttcore.meshes; if there is none, a result keeps its shape. */
#include <stdlib.h>

#include "dialect/hooks.h"
#include "dialect/ttir/shape.h"
#include "dialect/ttir/say.h"

/* The input with one dimension multiplied or divided by the devices of an axis. */
static bool scaled_result(const tsr_op *op, tsr_type_vec *out, int64_t dim, int64_t axis,
                          bool grows)
{
    int64_t devices = tt_mesh_size(op, axis);
    tt_shape s;
    size_t d;
    TSR_TRY(tt_shape_of(op, IN(op, 0), &s));
    if (!tt_dim(dim, s.n, &d))
        return tsr_op_error(op, "dimension %lld is out of range for a tensor of rank %zu",
                            (long long)dim, s.n);
    if (devices <= 0)
        return tt_result_kept(op, out);
    if (grows)
        s.d[d] = tt_times(s.d[d], devices);
    else if (s.d[d] != TSR_DYNAMIC && s.d[d] % devices != 0)
        return tsr_op_error(op, "dimension %zu of size %lld cannot be divided by %lld devices", d,
                            (long long)s.d[d], (long long)devices);
    else if (s.d[d] != TSR_DYNAMIC)
        s.d[d] /= devices;
    return tt_result(op, out, &s);
}

/* ---- Shards over a mesh ---- */

bool infer_ttir_mesh_shard(const tsr_op *op, tsr_type_vec *out)
{
    const tsr_attr *by = op->attrs[TTIR_MESH_SHARD_shard_shape];
    tt_shape s;
    if (!tsr_type_is(IN(op, 0), TSR_TYPE_TENSOR) ||
        op->attrs[TTIR_MESH_SHARD_shard_type]->i == TSR_TT_IDENTITY)
        return tt_result_kept(op, out);
    TSR_TRY(tt_shape_of(op, IN(op, 0), &s));
    bool full = op->attrs[TTIR_MESH_SHARD_shard_direction]->i == TSR_TT_SHARD_TO_FULL;
    bool parts = op->attrs[TTIR_MESH_SHARD_shard_type]->i == TSR_TT_DEVICES;
    for (size_t i = 0; parts && i < s.n && i < tt_count(by); i++) {
        int64_t k = tt_int_at(by, i);
        if (k <= 1)
            continue;
        if (!full && s.d[i] != TSR_DYNAMIC && s.d[i] % k != 0)
            return tsr_op_error(op, "dimension %zu of size %lld cannot be divided into %lld shards",
                                i, (long long)s.d[i], (long long)k);
        s.d[i] = full ? tt_times(s.d[i], k) : s.d[i] == TSR_DYNAMIC ? TSR_DYNAMIC : s.d[i] / k;
    }
    return tt_result(op, out, &s);
}

bool verify_ttir_mesh_shard(tsr_op *op)
{
    SAY(op->attrs[TTIR_MESH_SHARD_shard_type]->i != TSR_TT_MAXIMAL,
        "Invalid shard_type (maximal) for mesh_shard op.");
    return true;
}

bool infer_ttir_mesh_partition(const tsr_op *op, tsr_type_vec *out)
{
    const tsr_attr *axis = op->attrs[TTIR_MESH_PARTITION_cluster_axis];
    return axis ? scaled_result(op, out, tt_int(op, TTIR_MESH_PARTITION_dim, 0), axis->i, false)
                : tt_result_kept(op, out);
}

bool verify_ttir_mesh_partition(tsr_op *op)
{
    size_t d;
    int64_t dim = tt_int(op, TTIR_MESH_PARTITION_dim, 0),
            axis = tt_int(op, TTIR_MESH_PARTITION_cluster_axis, 0);
    SAY(tt_dim(dim, IN(op, 0)->n, &d),
        "Invalid tensor dimension for mesh partition op. Dimension must be >= to input tensor "
        "rank or < -input tensor rank, got dim = %lld",
        (long long)dim);
    /* tt-mlir's devices and collectives have two axes; here a mesh has any number. */
    SAY(axis <= 1 || !op->module->ctx->as_peer,
        "Cluster axis must be either None, 0 or 1, got %lld", (long long)axis);
    return true;
}

/* ---- Collectives ---- */

bool infer_ttir_all_gather(const tsr_op *op, tsr_type_vec *out)
{
    return scaled_result(op, out, tt_int(op, TTIR_ALL_GATHER_all_gather_dim, 0),
                         tt_int(op, TTIR_ALL_GATHER_cluster_axis, 0), true);
}

bool verify_ttir_all_gather(tsr_op *op)
{
    size_t d;
    int64_t dim = tt_int(op, TTIR_ALL_GATHER_all_gather_dim, 0);
    SAY(tt_dim(dim, IN(op, 0)->n, &d),
        "Invalid dimension for all gather op. Gather dimension must be >= to input tensor rank "
        "or < -input tensor rank, got gather_dim = %lld",
        (long long)dim);
    return true;
}

/* tt-mlir accepts only some reductions; every one except "invalid" has a meaning here. */
static bool reduces(const tsr_op *op, int64_t how, bool as_peer)
{
    return op->module->ctx->as_peer ? as_peer : how != TSR_TT_INVALID;
}

bool verify_ttir_all_reduce(tsr_op *op)
{
    int64_t how = op->attrs[TTIR_ALL_REDUCE_reduce_type]->i;
    SAY(reduces(op, how, how == TSR_TT_SUM), "Invalid reduction type for all reduce%s op.",
        tsr_op_is(op, TSR_OP_TTIR_ALL_REDUCE) ? "" : " async");
    return true;
}

bool infer_ttir_reduce_scatter(const tsr_op *op, tsr_type_vec *out)
{
    return scaled_result(op, out, tt_int(op, TTIR_REDUCE_SCATTER_scatter_dim, 0),
                         tt_int(op, TTIR_REDUCE_SCATTER_cluster_axis, 0), false);
}

bool verify_ttir_reduce_scatter(tsr_op *op)
{
    size_t d;
    int64_t how = op->attrs[TTIR_REDUCE_SCATTER_reduce_type]->i,
            dim = tt_int(op, TTIR_REDUCE_SCATTER_scatter_dim, 0);
    SAY(reduces(op, how, how == TSR_TT_SUM || how == TSR_TT_MAX || how == TSR_TT_MIN),
        "Invalid reduction type for reduce scatter op.");
    SAY(tt_dim(dim, IN(op, 0)->n, &d),
        "Invalid dimension for reduce scatter op. Scatter dimension must be >= to input tensor "
        "rank or < -input tensor rank, got scatter_dim = %lld",
        (long long)dim);
    return true;
}

static int by_value(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

/* Whether every second number, starting at first, occurs only once. */
static bool distinct(const tsr_attr *numbers, size_t first, size_t n)
{
    int64_t *v = tsr_xmalloc((n / 2 + 1) * sizeof *v);
    size_t count = 0, i = 1;
    for (size_t k = first; k < n; k += 2)
        v[count++] = tt_int_at(numbers, k);
    qsort(v, count, sizeof *v, by_value);
    while (i < count && v[i - 1] != v[i])
        i++;
    tsr_free(v);
    return i >= count;
}

bool verify_ttir_collective_permute(tsr_op *op)
{
    const tsr_attr *pairs = op->attrs[TTIR_COLLECTIVE_PERMUTE_source_target_pairs];
    size_t n = tt_count(pairs);
    SAY(pairs->type->n == 2, "The rank of source target pairs must be 2, got rank = %u",
        pairs->type->n);
    bool ok = distinct(pairs, 0, n) && distinct(pairs, 1, n);
    SAY(ok, "There are duplicate 'src' or 'dest' devices in source target pairs");
    return true;
}

static bool replica_groups(const tsr_op *op, const tsr_attr *groups)
{
    size_t n = tt_count(groups);
    SAY(groups->type->n == 2, "replica_groups must be a 2D array");
    bool *seen = tsr_xmalloc(n + 1), ok = true;
    memset(seen, 0, n + 1);
    for (size_t i = 0; i < n && ok; i++) {
        int64_t id = tt_int_at(groups, i);
        if (id < 0)
            ok = tsr_op_error(op, "replica_groups values must be positive");
        else if (id >= (int64_t)n)
            ok = tsr_op_error(op, "replica_groups values must be in the range [0, %zu], got %lld",
                              n - 1, (long long)id);
        else if (seen[id])
            ok = tsr_op_error(op, "replica_groups must not contain duplicate values");
        else
            seen[id] = true;
    }
    tsr_free(seen);
    return ok;
}

static bool all_to_all_shape(const tsr_op *op, tt_shape *s)
{
    int64_t split = tt_int(op, TTIR_ALL_TO_ALL_split_dim, 0),
            count = tt_int(op, TTIR_ALL_TO_ALL_split_count, 1);
    int64_t concat = tt_int(op, TTIR_ALL_TO_ALL_concat_dim, 0), rank = IN(op, 0)->n;
    TSR_TRY(tt_shape_of(op, IN(op, 0), s));
    SAY(split >= 0 && split < rank, "splitDim must be in the range [0, %lld], got %lld",
        (long long)rank - 1, (long long)split);
    SAY(count > 0, "splitCount must be a positive integer");
    SAY(s->d[split] == TSR_DYNAMIC || s->d[split] % count == 0,
        "splitDim size must be divisible by splitCount");
    SAY(concat >= 0 && concat < rank, "concatDim must be in the range [0, %lld], got %lld",
        (long long)rank - 1, (long long)concat);
    if (s->d[split] != TSR_DYNAMIC)
        s->d[split] /= count;
    s->d[concat] = tt_times(s->d[concat], count);
    return true;
}

bool infer_ttir_all_to_all(const tsr_op *op, tsr_type_vec *out)
{
    tt_shape s;
    return all_to_all_shape(op, &s) && tt_result(op, out, &s);
}

bool verify_ttir_all_to_all(tsr_op *op)
{
    const tsr_attr *groups = op->attrs[TTIR_ALL_TO_ALL_replica_groups];
    tt_shape s;
    TSR_TRY(all_to_all_shape(op, &s));
    SAY(tt_shape_is(&s, OUT(op)), "Output shape mismatch: expected = <%s> output = <%s>",
        tt_join(op, s.d, s.n, ", "), tt_show(op, OUT(op), ", "));
    SAY(IN(op, 0)->elem == OUT(op)->elem, "Input and output element types must match");
    TSR_TRY(replica_groups(op, groups));
    SAY(groups->type->dims[1] == tt_int(op, TTIR_ALL_TO_ALL_split_count, 1),
        "replicaGroup count must match splitCount");
    return true;
}

bool verify_ttir_collective_broadcast(tsr_op *op)
{
    SAY(IN(op, 0) == OUT(op), "input and output must have the same type");
    return replica_groups(op, op->attrs[TTIR_COLLECTIVE_BROADCAST_replica_groups]);
}
