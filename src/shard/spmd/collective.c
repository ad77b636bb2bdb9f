/* SPDX-License-Identifier: Apache-2.0 */
/* collective.c - this device's position, groups of devices, and the collectives between them.
 *
 * Devices are partitions; a replica is a copy of all of them. Groups list devices in the order of their positions along
 * the axes, the first axis being major, so that a dimension divided along several axes is gathered in order by one
 * collective. A table indexed by device number gives the position of this device, as devices may be in any order. */
#include <math.h>

#include "shard/core/invariants.h"
#include "shard/core/make.h"
#include "shard/spmd/spmd.h"

/* ---- Places ---- */

/* A place is a position in a mesh in row-major order; it has a digit for each axis or sub-axis. */
static int64_t digit(const tsr_mesh *mesh, tsr_axis a, int64_t place)
{
    int64_t stride = 1;
    for (uint32_t i = mesh->naxis; --i > a.axis;)
        stride *= mesh->sizes[i];
    int64_t full = mesh->sizes[a.axis];
    tsr_assert(full % tsr_axis_end(a) == 0, "sub-axis (%lld)%lld of an axis of %lld",
               (long long)a.pre, (long long)a.size, (long long)full);
    return place / stride % full / (full / tsr_axis_end(a)) % a.size;
}

static int64_t index_at(const tsr_mesh *mesh, const tsr_axes *axes, int64_t place)
{
    int64_t index = 0;
    for (uint32_t i = 0; i < axes->n; i++) {
        tsr_axis a = axes->data[TSR_BUG(12) ? axes->n - 1 - i : i];
        index = index * a.size + digit(mesh, a, place);
    }
    return index;
}

static int64_t device_at(const tsr_mesh *mesh, int64_t place)
{
    const tsr_attr *ids = mesh->attr->attrs[SDY_MESH_device_ids];
    return ids && tsr_attr_count(ids) == mesh->ndevice ? tsr_attr_int_at(ids, (size_t)place)
                                                       : place;
}

int64_t tsr_spmd_place_index(const tsr_mesh *mesh, const tsr_axes *axes, int64_t place)
{
    return index_at(mesh, axes, place);
}

int64_t tsr_spmd_device_at(const tsr_mesh *mesh, int64_t place)
{
    return device_at(mesh, place);
}

/* ---- Small ops ---- */

/* Ops that are created once per function, at its start. */
static tsr_build at_start(tsr_spmd *s)
{
    tsr_build b = s->b;
    b.block = s->entry;
    b.at = s->entry->first;
    b.loc = s->b.loc;
    memset(&b.made, 0, sizeof b.made);
    return b;
}

struct tsr_spmd_index {
    const tsr_mesh *mesh; /* NULL: a constant */
    const tsr_axes *axes;
    int64_t chunk;
    const tsr_type *elem; /* for constants: an identity of this type */
    int join;
    tsr_value *value;
};

static struct tsr_spmd_index *known(tsr_spmd *s, struct tsr_spmd_index key)
{
    uint64_t hash = tsr_hash_ptr(key.mesh);
    hash = (hash ^ tsr_hash_ptr(key.axes)) * UINT64_C(0x100000001B3);
    hash = (hash ^ tsr_hash_ptr(key.elem)) * UINT64_C(0x100000001B3);
    hash = (hash ^ (uint64_t)key.chunk ^ (uint64_t)key.join << 56) * UINT64_C(0x9E3779B97F4A7C15);
    hash ^= hash >> 32;
    TSR_MAP_EACH (&s->indices, hash, v) {
        struct tsr_spmd_index *i = v;
        if (i->mesh == key.mesh && i->axes == key.axes && i->chunk == key.chunk &&
            i->elem == key.elem && i->join == key.join)
            return i;
    }
    struct tsr_spmd_index *i = TSR_NEW(s->scratch, struct tsr_spmd_index);
    *i = key;
    tsr_map_put(&s->indices, hash, i);
    return i;
}

tsr_value *tsr_spmd_i64(tsr_spmd *s, int64_t number)
{
    struct tsr_spmd_index *i = known(s, (struct tsr_spmd_index){.chunk = number, .join = -1});
    if (!i->value) {
        tsr_build b = at_start(s);
        i->value = tsr_build_new_constant(&b, tsr_attr_dense(s->ctx, s->module,
                                                             tsr_scalar_type(s->ctx->i64), &number,
                                                             sizeof number, true));
    }
    return i->value;
}

/* Sets the signs of one or two zeros. False: the type has no negative zero. */
static bool negate_zeros(const tsr_type *elem, uint8_t *bytes, size_t n)
{
    const tsr_type *part = elem->kind == TSR_TYPE_COMPLEX ? elem->elem : elem;
    if (part->kind != TSR_TYPE_FLOAT || part->width < 16)
        return false;
    for (size_t end = part->width / 8; end <= n; end += part->width / 8)
        bytes[end - 1] = 0x80;
    return true;
}

/* negative: of sums, -0. */
static tsr_value *identity(tsr_spmd *s, enum tsr_opcode join, tsr_type *elem, bool negative)
{
    uint8_t bytes[32];
    tsr_reduce_kind kind = tsr_reduce_kind_of((int)join);
    if (TSR_BUG(22) && kind == TSR_REDUCE_MAX)
        kind = TSR_REDUCE_SUM;
    size_t n =
        tsr_is_number(elem) ? tsr_reduce_identity(kind, elem, TSR_IDENTITY_INFINITE, bytes) : 0;
    if (!n)
        return NULL;
    negative = negative && kind == TSR_REDUCE_SUM && negate_zeros(elem, bytes, n);
    struct tsr_spmd_index *i =
        known(s, (struct tsr_spmd_index){.elem = elem, .join = (int)join, .chunk = -negative});
    if (!i->value) {
        tsr_build b = at_start(s);
        i->value = tsr_build_new_constant(
            &b, tsr_attr_dense(s->ctx, s->module, tsr_scalar_type(elem), bytes, n, true));
    }
    return i->value;
}

tsr_value *tsr_spmd_identity(tsr_spmd *s, enum tsr_opcode join, tsr_type *elem)
{
    return identity(s, join, elem, false);
}

tsr_value *tsr_spmd_nothing(tsr_spmd *s, enum tsr_opcode join, tsr_type *elem)
{
    return identity(s, join, elem, true);
}

tsr_value *tsr_spmd_identity_like(tsr_spmd *s, enum tsr_opcode join, const tsr_value *init)
{
    tsr_value *nothing = tsr_spmd_nothing(s, join, tsr_elem(init));
    bool known = !init->is_arg && tsr_op_has(init->op, TSR_TRAIT(CONSTANT_LIKE));
    return !known || (nothing && tsr_same_constant(init, nothing))
               ? nothing
               : tsr_spmd_identity(s, join, tsr_elem(init));
}

tsr_value *tsr_spmd_zero(tsr_spmd *s, tsr_type *elem)
{
    return tsr_spmd_identity(s, TSR_OP_STABLEHLO_ADD, elem);
}

tsr_value *tsr_spmd_dynamic_slice(tsr_spmd *s, tsr_value *v, tsr_value *const *starts,
                                  const int64_t *sizes)
{
    uint32_t rank = v->type->n;
    tsr_value **in = tsr_arena_alloc(s->r.arena, (rank + 1) * sizeof *in);
    in[0] = v;
    for (uint32_t d = 0; d < rank; d++) {
        tsr_assert(
            sizes[d] >= 0 && (v->type->dims[d] == TSR_DYNAMIC || sizes[d] <= v->type->dims[d]),
            "%lld of %lld elements of a part", (long long)sizes[d], (long long)v->type->dims[d]);
        in[d + 1] = starts[d] ? starts[d] : tsr_spmd_i64(s, 0);
    }
    tsr_op *op = tsr_build_open(&s->b, TSR_OP_STABLEHLO_DYNAMIC_SLICE, in, rank + 1, 1, 0);
    op->attrs[STABLEHLO_DYNAMIC_SLICE_slice_sizes] = tsr_attr_i64_array(s->ctx, sizes, rank);
    tsr_type *type = tsr_type_tensor(s->ctx, sizes, rank, v->type->elem, v->type->attr);
    return &tsr_build_close_as(&s->b, op, &type)->out[0];
}

/* Some element of v, as a scalar; v has one. */
static tsr_value *any_element(tsr_spmd *s, tsr_value *v)
{
    uint32_t rank = v->type->n;
    int64_t *zeros = TSR_NEW_ARRAY(s->r.arena, int64_t, rank),
            *ones = TSR_NEW_ARRAY(s->r.arena, int64_t, rank);
    for (uint32_t d = 0; d < rank; d++)
        ones[d] = 1;
    tsr_op *op = tsr_build_open(&s->b, TSR_OP_STABLEHLO_SLICE, &v, 1, 1, 0);
    op->attrs[STABLEHLO_SLICE_start_indices] = tsr_attr_i64_array(s->ctx, zeros, rank);
    op->attrs[STABLEHLO_SLICE_limit_indices] = tsr_attr_i64_array(s->ctx, ones, rank);
    op->attrs[STABLEHLO_SLICE_strides] = tsr_attr_i64_array(s->ctx, ones, rank);
    tsr_type *one = tsr_type_tensor(s->ctx, ones, rank, v->type->elem, NULL);
    tsr_value *e = &tsr_build_close_as(&s->b, op, &one)->out[0];
    return tsr_build_op(&s->b, TSR_OP_STABLEHLO_RESHAPE, &e, 1, tsr_scalar_type(v->type->elem));
}

tsr_value *tsr_spmd_grow(tsr_spmd *s, tsr_value *v, uint32_t dim, int64_t low, int64_t high)
{
    if (low == 0 && high == 0)
        return v;
    uint32_t rank = v->type->n;
    tsr_assert(dim < rank && low >= 0 && high >= 0, "dimension %u of %u grows by %lld and %lld",
               dim, rank, (long long)low, (long long)high);
    int64_t *before = TSR_NEW_ARRAY(s->r.arena, int64_t, rank),
            *behind = TSR_NEW_ARRAY(s->r.arena, int64_t, rank);
    int64_t *inside = TSR_NEW_ARRAY(s->r.arena, int64_t, rank);
    int64_t *sizes = tsr_arena_copy(s->r.arena, v->type->dims, rank * sizeof *sizes);
    before[dim] = low;
    behind[dim] = high;
    sizes[dim] += low + high;
    tsr_value *fill = tsr_spmd_zero(s, v->type->elem);
    tsr_value *in[] = {v, fill ? fill : any_element(s, v)};
    tsr_op *op = tsr_build_open(&s->b, TSR_OP_STABLEHLO_PAD, in, 2, 1, 0);
    op->attrs[STABLEHLO_PAD_edge_padding_low] = tsr_attr_i64_array(s->ctx, before, rank);
    op->attrs[STABLEHLO_PAD_edge_padding_high] = tsr_attr_i64_array(s->ctx, behind, rank);
    op->attrs[STABLEHLO_PAD_interior_padding] = tsr_attr_i64_array(s->ctx, inside, rank);
    tsr_type *type = tsr_type_tensor(s->ctx, sizes, rank, v->type->elem, v->type->attr);
    return &tsr_build_close_as(&s->b, op, &type)->out[0];
}

/* ---- This device ---- */

static tsr_value *device_number(tsr_spmd *s, tsr_build *b)
{
    if (!s->device)
        s->device = tsr_build_op(b, TSR_OP_STABLEHLO_PARTITION_ID, NULL, 0,
                                 tsr_scalar_type(tsr_type_integer(s->ctx, 32, TSR_UNSIGNED)));
    return s->device;
}

tsr_value *tsr_spmd_start(tsr_spmd *s, const tsr_mesh *mesh, const tsr_axes *axes, int64_t chunk)
{
    if (axes->size <= 1 || !chunk)
        return tsr_spmd_i64(s, 0);
    struct tsr_spmd_index *i =
        known(s, (struct tsr_spmd_index){.mesh = mesh, .axes = axes, .chunk = chunk});
    if (i->value)
        return i->value;
    int64_t n = mesh->ndevice, one = 1;
    int64_t *table = tsr_arena_alloc(s->r.arena, (size_t)n * sizeof *table);
    for (int64_t place = 0; place < n; place++)
        table[device_at(mesh, place)] = index_at(mesh, axes, place) * chunk;
    /* The device number is defined first, so that everything can use it. */
    tsr_build b = at_start(s);
    if (s->device)
        b.at = s->device->op->next;
    tsr_value *device = device_number(s, &b);
    tsr_type *type = tsr_static_type(s->ctx, &n, 1, s->ctx->i64),
             *part = tsr_static_type(s->ctx, &one, 1, s->ctx->i64);
    tsr_value *in[] = {tsr_build_new_constant(&b, tsr_attr_dense(s->ctx, s->module, type, table,
                                                                 (size_t)n * sizeof *table, false)),
                       device};
    tsr_op *op = tsr_build_open(&b, TSR_OP_STABLEHLO_DYNAMIC_SLICE, in, 2, 1, 0);
    op->attrs[STABLEHLO_DYNAMIC_SLICE_slice_sizes] = tsr_attr_i64_array(s->ctx, &one, 1);
    tsr_value *at = &tsr_build_close_as(&b, op, &part)->out[0];
    return i->value =
               tsr_build_op(&b, TSR_OP_STABLEHLO_RESHAPE, &at, 1, tsr_scalar_type(s->ctx->i64));
}

tsr_value *tsr_spmd_index(tsr_spmd *s, const tsr_mesh *mesh, const tsr_axes *axes)
{
    return tsr_spmd_start(s, mesh, axes, 1);
}

/* Erases the op of an unused value, and the ops that only it used. */
static void drop(tsr_value *v)
{
    while (v && !v->uses) {
        tsr_op *op = v->op;
        v = op->nin ? op->in[0].value : NULL;
        if (v && v->is_arg)
            v = NULL;
        tsr_op_erase(op);
    }
}

void tsr_spmd_drop_unused(tsr_spmd *s)
{
    for (uint32_t i = s->indices.n; i--;) /* users before what they use */
        drop(((const struct tsr_spmd_index *)s->indices.entries[i].value)->value);
    drop(s->device);
    tsr_map_free(&s->indices);
    s->device = NULL;
}

/* ---- Groups ---- */

typedef struct {
    const tsr_mesh *mesh;
    const tsr_axes *axes;
    bool flat; /* process numbers across all replicas; else devices of one replica */
    tsr_attr *attr;
} group_key;

/* Groups of devices that differ only along axes, one row each, in the order of their places. */
static tsr_attr *make_groups(tsr_spmd *s, const tsr_mesh *mesh, const tsr_axes *axes,
                             int64_t copies)
{
    int64_t size = axes->size, rows = mesh->ndevice / size, n = 0;
    tsr_assert(mesh->ndevice == s->ndevice && rows * size == s->ndevice,
               "%lld groups of %lld devices of a mesh of %lld, but %lld devices", (long long)rows,
               (long long)size, (long long)mesh->ndevice, (long long)s->ndevice);
    int64_t *ids = tsr_arena_alloc(s->r.arena, (size_t)(mesh->ndevice * copies) * sizeof *ids);
    int64_t *first = tsr_arena_alloc(s->r.arena, (size_t)mesh->ndevice * sizeof *first);
    /* The place whose digits along axes are all 0 represents its row. */
    for (int64_t place = 0; place < mesh->ndevice; place++)
        if (index_at(mesh, axes, place) == 0)
            first[n++] = place;
    tsr_assert(n == rows, "%lld groups, not %lld", (long long)n, (long long)rows);
    int64_t *row_of = tsr_arena_alloc(s->r.arena, (size_t)mesh->ndevice * sizeof *row_of);
    for (int64_t r = 0; r < n; r++)
        row_of[first[r]] = r;
    for (int64_t place = 0; place < mesh->ndevice; place++) {
        int64_t base = place;
        for (uint32_t i = 0; i < axes->n; i++) {
            tsr_axis a = axes->data[i];
            int64_t stride = 1;
            for (uint32_t k = mesh->naxis; --k > a.axis;)
                stride *= mesh->sizes[k];
            base -= digit(mesh, a, place) * stride * (mesh->sizes[a.axis] / tsr_axis_end(a));
        }
        ids[row_of[base] * size + index_at(mesh, axes, place)] = device_at(mesh, place);
    }
    tsr_check(tsr_is_permutation(ids, mesh->ndevice), "a device is in two groups, or in none");
    for (int64_t c = 1; c < copies; c++)
        for (int64_t i = 0; i < mesh->ndevice; i++)
            ids[c * mesh->ndevice + i] = ids[i] + c * mesh->ndevice;
    int64_t dims[] = {rows * copies, size};
    tsr_type *type = tsr_static_type(s->ctx, dims, 2, s->ctx->i64);
    return tsr_attr_dense(s->ctx, s->module, type, ids, (size_t)(dims[0] * size) * sizeof *ids,
                          dims[0] * size == 1);
}

static tsr_attr *groups_of(tsr_spmd *s, const tsr_mesh *mesh, const tsr_axes *axes, bool flat)
{
    uint64_t hash = tsr_hash_ptr(mesh) ^ tsr_hash_ptr(axes) * 3 ^ (uint64_t)flat;
    TSR_MAP_EACH (&s->groups, hash, v) {
        group_key *k = v;
        if (k->mesh == mesh && k->axes == axes && k->flat == flat)
            return k->attr;
    }
    group_key *k = TSR_NEW(s->scratch, group_key);
    *k = (group_key){mesh, axes, flat, make_groups(s, mesh, axes, flat ? s->nreplica : 1)};
    tsr_map_put(&s->groups, hash, k);
    tsr_map_put(&s->groups, tsr_hash_ptr(k->attr), k);
    return k->attr;
}

tsr_attr *tsr_spmd_channel(tsr_spmd *s)
{
    tsr_attr *params[] = {tsr_attr_i64(s->ctx, ++s->channel), tsr_attr_i64(s->ctx, 1)};
    return tsr_attr_struct(s->ctx, &tsr_def_STABLEHLO_CHANNEL_HANDLE, params);
}

void tsr_spmd_note_axes(tsr_spmd *s, tsr_op *op, tsr_attr *axes)
{
    tsr_op_set_attr(op, TSR_NOTE_AXES, tsr_attr_struct(s->ctx, &tsr_def_SDY_AXIS_REF_LIST, &axes));
}

void tsr_spmd_note(tsr_spmd *s, tsr_op *op, const tsr_mesh *mesh, const tsr_axes *axes)
{
    if (!s->notes)
        return;
    if (axes)
        tsr_spmd_note_axes(s, op, tsr_axes_encode(&s->r.table, mesh, axes));
    if (s->at)
        tsr_op_set_attr(op, TSR_NOTE_CAUSE, tsr_attr_string(s->ctx, s->at->def->name));
}

static tsr_type *resized(tsr_spmd *s, const tsr_value *v, uint32_t dim, int64_t size)
{
    int64_t *dims = tsr_arena_copy(s->r.arena, v->type->dims, v->type->n * sizeof *dims);
    tsr_assert(dim < v->type->n, "dimension %u of %u", dim, v->type->n);
    dims[dim] = size;
    return tsr_type_tensor(s->ctx, dims, v->type->n, v->type->elem, v->type->attr);
}

/* ---- Collectives ---- */

/* Whether v has no elements: then there is nothing to move. */
static bool is_empty(const tsr_value *v)
{
    for (uint32_t d = 0; d < v->type->n; d++)
        if (v->type->dims[d] == 0)
            return true;
    return false;
}

/* v, which has no elements, with the type that the collective's result would have. */
static tsr_value *empty_as(tsr_spmd *s, tsr_value *v, tsr_type *type)
{
    return v->type == type ? v : tsr_build_op(&s->b, TSR_OP_STABLEHLO_RESHAPE, &v, 1, type);
}

tsr_value *tsr_spmd_all_gather(tsr_spmd *s, tsr_value *v, uint32_t dim, const tsr_mesh *mesh,
                               const tsr_axes *axes)
{
    if (axes->size <= 1)
        return v;
    tsr_type *type = resized(s, v, dim, v->type->dims[dim] * axes->size);
    if (is_empty(v))
        return empty_as(s, v, type);
    tsr_op *op = tsr_build_open(&s->b, TSR_OP_STABLEHLO_ALL_GATHER, &v, 1, 1, 0);
    op->attrs[STABLEHLO_ALL_GATHER_all_gather_dim] = tsr_attr_i64(s->ctx, dim);
    op->attrs[STABLEHLO_ALL_GATHER_replica_groups] = groups_of(s, mesh, axes, true);
    op->attrs[STABLEHLO_ALL_GATHER_channel_handle] = tsr_spmd_channel(s);
    tsr_spmd_note(s, op, mesh, axes);
    op->attrs[STABLEHLO_ALL_GATHER_use_global_device_ids] = tsr_attr_unit(s->ctx);
    return &tsr_build_close_as(&s->b, op, &type)->out[0];
}

static void join_body(tsr_spmd *s, tsr_op *op, enum tsr_opcode join, tsr_type *elem)
{
    tsr_type *scalar = tsr_scalar_type(elem), *args[] = {scalar, scalar};
    tsr_build b = tsr_build_in(&s->b, &op->regions[0], args, 2);
    if (TSR_BUG(23) && tsr_type_is_integer(elem, 1) && join == TSR_OP_STABLEHLO_ADD)
        join = TSR_OP_STABLEHLO_XOR;
    tsr_value *joined = tsr_build_op(&b, join, b.block->args, 2, scalar);
    tsr_build_return(&b, &joined, 1);
    tsr_build_free(&b);
}

tsr_value *tsr_spmd_all_reduce(tsr_spmd *s, tsr_value *v, enum tsr_opcode join,
                               const tsr_mesh *mesh, const tsr_axes *axes)
{
    if (axes->size <= 1 || is_empty(v))
        return v;
    tsr_op *op = tsr_build_open(&s->b, TSR_OP_STABLEHLO_ALL_REDUCE, &v, 1, 1, 1);
    op->attrs[STABLEHLO_ALL_REDUCE_replica_groups] = groups_of(s, mesh, axes, true);
    op->attrs[STABLEHLO_ALL_REDUCE_channel_handle] = tsr_spmd_channel(s);
    tsr_spmd_note(s, op, mesh, axes);
    op->attrs[STABLEHLO_ALL_REDUCE_use_global_device_ids] = tsr_attr_unit(s->ctx);
    join_body(s, op, join, v->type->elem);
    return &tsr_build_close_as(&s->b, op, &v->type)->out[0];
}

/* The axes of a collective with these groups of device numbers. NULL: it was not created here, or is on another
 * mesh. */
static const tsr_axes *axes_of(tsr_spmd *s, const tsr_attr *groups, const tsr_mesh *mesh)
{
    TSR_MAP_EACH (&s->groups, tsr_hash_ptr(groups), v) {
        const group_key *k = v;
        if (k->attr == groups && k->mesh == mesh && k->flat)
            return k->axes;
    }
    return NULL;
}

/* v before an all-reduce along all of axes: it is reduced along the other axes only. */
static tsr_value *before_reduce(tsr_spmd *s, const tsr_op *op, enum tsr_opcode join,
                                const tsr_mesh *mesh, const tsr_axes *axes)
{
    tsr_axis_lists *lists = &s->r.table.lists;
    const tsr_axes *all = axes_of(s, op->attrs[STABLEHLO_ALL_REDUCE_replica_groups], mesh);
    if (!all || !tsr_spmd_axes_fit(axes, all) ||
        !op->attrs[STABLEHLO_ALL_REDUCE_use_global_device_ids] ||
        !tsr_op_is(op->regions[0].first->first, join) || tsr_axes_minus(lists, axes, all)->n)
        return NULL;
    return tsr_spmd_all_reduce(s, op->in[0].value, join, mesh, tsr_axes_minus(lists, all, axes));
}

/* v before an all-gather along exactly these axes: each device has its part in its position, and nothing around it. */
static tsr_value *before_gather(tsr_spmd *s, const tsr_op *op, const tsr_mesh *mesh,
                                const tsr_axes *axes)
{
    tsr_axis_lists *lists = &s->r.table.lists;
    tsr_type *type = op->out[0].type;
    const tsr_axes *all = axes_of(s, op->attrs[STABLEHLO_ALL_GATHER_replica_groups], mesh);
    tsr_value *zero = tsr_spmd_nothing(s, TSR_OP_STABLEHLO_ADD, type->elem);
    if (!all || !zero || op->nin != 1 || !op->attrs[STABLEHLO_ALL_GATHER_use_global_device_ids] ||
        !tsr_spmd_axes_fit(axes, all) || tsr_axes_minus(lists, axes, all)->n ||
        tsr_axes_minus(lists, all, axes)->n)
        return NULL;
    int64_t dim = op->attrs[STABLEHLO_ALL_GATHER_all_gather_dim]->i;
    tsr_value **in = tsr_arena_alloc(s->r.arena, (type->n + 2) * sizeof *in);
    in[0] = tsr_build_broadcast(&s->b, zero, NULL, type);
    in[1] = op->in[0].value;
    for (uint32_t d = 0; d < type->n; d++)
        in[2 + d] =
            d == dim ? tsr_spmd_start(s, mesh, all, in[1]->type->dims[d]) : tsr_spmd_i64(s, 0);
    return tsr_build_op(&s->b, TSR_OP_STABLEHLO_DYNAMIC_UPDATE_SLICE, in, type->n + 2, type);
}

tsr_value *tsr_spmd_unjoined(tsr_spmd *s, tsr_value *v, enum tsr_opcode join, const tsr_mesh *mesh,
                             const tsr_axes *axes)
{
    if (v->is_arg)
        return NULL;
    if (tsr_op_is(v->op, TSR_OP_STABLEHLO_ALL_REDUCE))
        return before_reduce(s, v->op, join, mesh, axes);
    if (tsr_op_is(v->op, TSR_OP_STABLEHLO_ALL_GATHER) && join == TSR_OP_STABLEHLO_ADD)
        return before_gather(s, v->op, mesh, axes);
    return NULL;
}

tsr_value *tsr_spmd_reduce_scatter(tsr_spmd *s, tsr_value *v, uint32_t dim, enum tsr_opcode join,
                                   const tsr_mesh *mesh, const tsr_axes *axes)
{
    if (axes->size <= 1)
        return v;
    tsr_assert(v->type->dims[dim] % axes->size == 0, "%lld elements are scattered to %lld devices",
               (long long)v->type->dims[dim], (long long)axes->size);
    tsr_type *type = resized(s, v, dim, v->type->dims[dim] / axes->size);
    if (is_empty(v))
        return empty_as(s, v, type);
    tsr_op *op = tsr_build_open(&s->b, TSR_OP_STABLEHLO_REDUCE_SCATTER, &v, 1, 1, 1);
    op->attrs[STABLEHLO_REDUCE_SCATTER_scatter_dimension] = tsr_attr_i64(s->ctx, dim);
    op->attrs[STABLEHLO_REDUCE_SCATTER_replica_groups] = groups_of(s, mesh, axes, true);
    op->attrs[STABLEHLO_REDUCE_SCATTER_channel_handle] = tsr_spmd_channel(s);
    tsr_spmd_note(s, op, mesh, axes);
    op->attrs[STABLEHLO_REDUCE_SCATTER_use_global_device_ids] = tsr_attr_unit(s->ctx);
    join_body(s, op, join, v->type->elem);
    return &tsr_build_close_as(&s->b, op, &type)->out[0];
}

tsr_value *tsr_spmd_all_to_all(tsr_spmd *s, tsr_value *v, uint32_t split, uint32_t concat,
                               const tsr_mesh *mesh, const tsr_axes *axes)
{
    if (axes->size <= 1)
        return v;
    int64_t *dims = tsr_arena_copy(s->r.arena, v->type->dims, v->type->n * sizeof *dims);
    tsr_assert(split != concat && dims[split] % axes->size == 0,
               "dimension %u of %lld elements is exchanged with %u by %lld devices", split,
               (long long)dims[split], concat, (long long)axes->size);
    dims[split] /= axes->size;
    dims[concat] *= axes->size;
    tsr_type *type = tsr_type_tensor(s->ctx, dims, v->type->n, v->type->elem, v->type->attr);
    if (is_empty(v))
        return empty_as(s, v, type);
    tsr_op *op = tsr_build_open(&s->b, TSR_OP_STABLEHLO_ALL_TO_ALL, &v, 1, 1, 0);
    op->attrs[STABLEHLO_ALL_TO_ALL_split_dimension] = tsr_attr_i64(s->ctx, split);
    op->attrs[STABLEHLO_ALL_TO_ALL_concat_dimension] = tsr_attr_i64(s->ctx, concat);
    op->attrs[STABLEHLO_ALL_TO_ALL_split_count] = tsr_attr_i64(s->ctx, axes->size);
    op->attrs[STABLEHLO_ALL_TO_ALL_replica_groups] = groups_of(s, mesh, axes, false);
    op->attrs[STABLEHLO_ALL_TO_ALL_channel_handle] = tsr_spmd_channel(s);
    tsr_spmd_note(s, op, mesh, axes);
    return &tsr_build_close_as(&s->b, op, &type)->out[0];
}

/* pairs: n times source and target device numbers. */
tsr_value *tsr_spmd_permute_devices(tsr_spmd *s, tsr_value *v, tsr_attr *pairs)
{
    if (is_empty(v))
        return v;
    tsr_op *op = tsr_build_open(&s->b, TSR_OP_STABLEHLO_COLLECTIVE_PERMUTE, &v, 1, 1, 0);
    op->attrs[STABLEHLO_COLLECTIVE_PERMUTE_source_target_pairs] = pairs;
    op->attrs[STABLEHLO_COLLECTIVE_PERMUTE_channel_handle] = tsr_spmd_channel(s);
    tsr_spmd_note(s, op, NULL, NULL);
    return &tsr_build_close_as(&s->b, op, &v->type)->out[0];
}

tsr_value *tsr_spmd_permute(tsr_spmd *s, tsr_value *v, const int64_t *from, const tsr_mesh *mesh,
                            const tsr_axes *axes)
{
    tsr_attr *groups = groups_of(s, mesh, axes, false);
    int64_t size = axes->size, n = 0;
    int64_t *pairs = tsr_arena_alloc(s->r.arena, (size_t)mesh->ndevice * 2 * sizeof *pairs);
    for (int64_t first = 0; first < mesh->ndevice; first += size)
        for (int64_t i = 0; i < size; i++)
            if (from[i] >= 0) {
                tsr_assert(from[i] < size, "position %lld of %lld", (long long)from[i],
                           (long long)size);
                pairs[n * 2] = tsr_attr_int_at(groups, (size_t)(first + from[i]));
                pairs[n++ * 2 + 1] = tsr_attr_int_at(groups, (size_t)(first + i));
            }
    return tsr_spmd_permute_devices(s, v, tsr_spmd_pairs(s, pairs, n));
}

/* Groups of all devices; in a manual computation, of the devices that run one instance of it. */
static tsr_attr *all_groups(tsr_spmd *s)
{
    if (s->manual->n) {
        const tsr_mesh *mesh = s->manual_mesh;
        tsr_axis *all = tsr_arena_alloc(s->r.arena, (mesh->naxis + 1) * sizeof *all);
        for (uint32_t i = 0; i < mesh->naxis; i++)
            all[i] = (tsr_axis){i, 1, mesh->sizes[i]};
        tsr_axis_lists *lists = &s->r.table.lists;
        return groups_of(s, mesh,
                         tsr_axes_minus(lists, tsr_axes_get(lists, all, mesh->naxis), s->manual),
                         false);
    }
    int64_t n = s->ndevice, dims[] = {1, n};
    int64_t *ids = tsr_arena_alloc(s->r.arena, (size_t)n * sizeof *ids);
    for (int64_t i = 0; i < n; i++)
        ids[i] = i;
    tsr_type *type = tsr_static_type(s->ctx, dims, 2, s->ctx->i64);
    return tsr_attr_dense(s->ctx, s->module, type, ids, (size_t)n * sizeof *ids, n == 1);
}

tsr_value *tsr_spmd_from_first(tsr_spmd *s, tsr_value *v)
{
    if (is_empty(v))
        return v;
    tsr_op *op = tsr_build_open(&s->b, TSR_OP_STABLEHLO_COLLECTIVE_BROADCAST, &v, 1, 1, 0);
    op->attrs[STABLEHLO_COLLECTIVE_BROADCAST_replica_groups] = all_groups(s);
    op->attrs[STABLEHLO_COLLECTIVE_BROADCAST_channel_handle] = tsr_spmd_channel(s);
    tsr_spmd_note(s, op, NULL, NULL);
    return &tsr_build_close_as(&s->b, op, &v->type)->out[0];
}
