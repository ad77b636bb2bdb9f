/* SPDX-License-Identifier: Apache-2.0 */
/* ops.c - partitions ops without operands, and collectives in the input program. */
#include "shard/spmd/spmd.h"

#include "dialect/params.h"
#include "eval/groups.h"

/* ---- Constants ---- */

/* stablehlo.constant, Graph IR's, and sdy's own, which becomes the first. */
bool spmd_constant(tsr_spmd_op *o)
{
    tsr_spmd *s = o->s;
    tsr_attr *value = o->op->attrs[0];
    const tsr_sharding *have = o->want[0];
    bool alike =
        tsr_attr_is(value, TSR_ATTR_DENSE) && value->sub && tsr_type_num_elements(value->type) > 0;
    if (!alike)
        have = tsr_spmd_replicated(s, have->rank);
    tsr_type *type = tsr_spmd_type(s, o->op->out[0].type, have);
    if (have->sharded) {
        tsr_type *held =
            tsr_type_tensor(s->ctx, type->dims, type->n, value->type->elem, value->type->attr);
        value = tsr_attr_dense(s->ctx, s->module, held, value->s.data, value->s.len, true);
    }
    _Static_assert((int)STABLEHLO_CONSTANT_value == 0 && (int)TESSERA_CONSTANT_value == 0,
                   "constants have their value in the first slot");
    tsr_op *op =
        tsr_build_open(&s->b,
                       tsr_op_is(o->op, TSR_OP_TESSERA_CONSTANT) ? TSR_OP_TESSERA_CONSTANT
                                                                 : TSR_OP_STABLEHLO_CONSTANT,
                       NULL, 0, 1, 0);
    op->attrs[0] = value;
    op->extra = o->op->extra;
    tsr_build_close_as(&s->b, op, &type);
    tsr_spmd_out(o, 0, &op->out[0], have);
    return true;
}

/* Counts in i64, then converts as for the global value: sums in the type itself might round twice. */
bool spmd_iota(tsr_spmd_op *o)
{
    tsr_spmd *s = o->s;
    tsr_type *global = o->op->out[0].type;
    const tsr_sharding *want = o->want[0];
    int64_t dim = o->op->attrs[STABLEHLO_IOTA_iota_dimension]->i;
    tsr_type *type = tsr_spmd_type(s, global, want);
    if (!want->sharded || !tsr_is_number(global->elem))
        return tsr_spmd_whole(o);
    if (!want->dims[dim].axes->n || TSR_BUG(13)) {
        tsr_op *op = tsr_spmd_same(o, NULL, &type);
        tsr_spmd_out(o, 0, &op->out[0], want);
        return true;
    }
    tsr_type *wide = tsr_static_type(s->ctx, type->dims, type->n, s->ctx->i64);
    tsr_op *op = tsr_spmd_same(o, NULL, &wide);
    tsr_value *start = tsr_spmd_start(s, want->mesh, want->dims[dim].axes, type->dims[dim]);
    tsr_value *in[] = {&op->out[0], tsr_build_broadcast(&s->b, start, NULL, wide)};
    tsr_value *v = tsr_build_op(&s->b, TSR_OP_STABLEHLO_ADD, in, 2, wide);
    if (type != wide)
        v = tsr_build_op(&s->b, TSR_OP_STABLEHLO_CONVERT, &v, 1, type);
    tsr_spmd_out(o, 0, v, want);
    return true;
}

/* ---- Random numbers ---- */

/* Values that every device can compute, and slice its part from: the bits of a generator's state. */
bool spmd_same_everywhere(tsr_spmd_op *o)
{
    o->axes = NULL;
    return tsr_spmd_parts(o);
}

/* Devices would draw different numbers: those of the first one are used. */
bool spmd_rng(tsr_spmd_op *o)
{
    tsr_spmd *s = o->s;
    tsr_op *op = o->op;
    tsr_value **in = tsr_arena_alloc(s->r.arena, (op->nin + 1) * sizeof *in);
    for (uint32_t i = 0; i < op->nin; i++)
        in[i] = tsr_spmd_in(o, i, tsr_spmd_replicated(s, tsr_value_rank(op->in[i].value)));
    tsr_op *made = tsr_spmd_same(o, in, &op->out[0].type);
    tsr_spmd_out(o, 0, tsr_spmd_from_first(s, &made->out[0]),
                 tsr_spmd_replicated(s, tsr_value_rank(&op->out[0])));
    return true;
}

/* ---- Collectives of the program ---- */

/* Rows of devices of one replica, and the same rows for all others. */
static tsr_attr *of_all_replicas(tsr_spmd *s, const tsr_attr *groups)
{
    int64_t rows = groups->type->dims[0], size = groups->type->dims[1], n = rows * size;
    int64_t dims[] = {rows * s->nreplica, size};
    int64_t *ids = tsr_arena_alloc(s->r.arena, (size_t)(n * s->nreplica + 1) * sizeof *ids);
    for (int64_t r = 0; r < s->nreplica; r++)
        for (int64_t i = 0; i < n; i++) {
            int64_t id = tsr_attr_int_at(groups, (size_t)i);
            ids[r * n + i] = id < 0 ? id : id + r * s->ndevice;
        }
    tsr_type *type = tsr_static_type(s->ctx, dims, 2, s->ctx->i64);
    return tsr_attr_dense(s->ctx, s->module, type, ids, (size_t)(n * s->nreplica) * sizeof *ids,
                          false);
}

/* Converts StableHLO's axis references to Shardy's. */
static tsr_attr *shardy_axes(tsr_ctx *ctx, const tsr_attr *axes)
{
    tsr_attr_vec list = {0};
    for (uint32_t i = 0; i < axes->n; i++) {
        tsr_attr *const *axis = axes->attrs[i]->attrs;
        tsr_attr *sub =
            axis[1] ? tsr_attr_struct(ctx, &tsr_def_SDY_SUB_AXIS_INFO, axis[1]->attrs) : NULL;
        tsr_vec_push(&list,
                     tsr_attr_struct(ctx, &tsr_def_SDY_AXIS_REF, (tsr_attr *[]){axis[0], sub}));
    }
    tsr_attr *all = tsr_attr_array(ctx, list.data, list.n);
    tsr_vec_free(&list);
    return all;
}

/* Replaces groups given by axes of a mesh with device numbers, as the mesh is removed. False: they stay. */
static bool list_groups(tsr_spmd *s, tsr_op *op, int groups, int channel, int flat)
{
    const tsr_attr *a = op->attrs[groups];
    tsr_device_list ids = {0};
    size_t size = 1;
    if (!tsr_attr_is_struct(a, &tsr_def_STABLEHLO_REPLICA_GROUP_MESH_AXES))
        return false;
    bool ok = !tsr_mesh_axes_list(s->at, a->attrs[0], a->attrs[1], &ids, &size) && size &&
              ids.n == (size_t)s->manual_devices;
    if (ok && s->notes)
        tsr_spmd_note_axes(s, op, shardy_axes(s->ctx, a->attrs[1]));
    if (ok) {
        int64_t dims[] = {(int64_t)(ids.n / size), (int64_t)size};
        tsr_type *type = tsr_static_type(s->ctx, dims, 2, s->ctx->i64);
        op->attrs[groups] =
            tsr_attr_dense(s->ctx, s->module, type, ids.data, ids.n * sizeof *ids.data, ids.n == 1);
        /* Device numbers, whatever they were before. */
        if (channel >= 0 && !op->attrs[channel])
            op->attrs[channel] = tsr_spmd_channel(s);
        if (flat >= 0)
            op->attrs[flat] = tsr_attr_unit(s->ctx);
    }
    tsr_vec_free(&ids);
    return ok;
}

/* Whether each process acts alone: all groups have one member, all pairs are from a device to itself. */
static bool is_alone(const tsr_spmd *s, const tsr_op *op)
{
    int slot = tsr_opdef_slot(op->def, TSR_STR("replica_groups"));
    const tsr_attr *groups = slot >= 0 ? op->attrs[slot] : NULL;
    if (tsr_attr_is(groups, TSR_ATTR_DENSE))
        return groups->type->n == 2 && groups->type->dims[0] && groups->type->dims[1] == 1;
    if (tsr_attr_is_struct(groups, &tsr_def_STABLEHLO_REPLICA_GROUP_MESH_AXES)) {
        tsr_device_list ids = {0};
        size_t size = 0;
        bool ok = !tsr_mesh_axes_list(op, groups->attrs[0], groups->attrs[1], &ids, &size);
        tsr_vec_free(&ids);
        return ok && size == 1;
    }
    slot = tsr_opdef_slot(op->def, TSR_STR("source_target_pairs"));
    const tsr_attr *pairs = slot >= 0 ? op->attrs[slot] : NULL;
    tsr_comm with;
    int64_t all = tsr_comm_of(op, &with) && with.channel > 0 ? s->ndevice : s->nreplica;
    bool same = tsr_attr_is(pairs, TSR_ATTR_DENSE) && tsr_attr_count(pairs) == 2 * all;
    for (size_t i = 0; same && i < (size_t)all; i++)
        same = tsr_attr_int_at(pairs, 2 * i) == tsr_attr_int_at(pairs, 2 * i + 1);
    return same;
}

/* In a manual computation collectives refer to its devices. Outside, a global program has one partition, so they go
 * along replicas only: each device communicates with its counterparts. JAX leaves collectives along axes of size 1
 * there. */
bool spmd_collective(tsr_spmd_op *o)
{
    tsr_spmd *s = o->s;
    bool sharded = false, same = o->op->nin == o->op->nout;
    for (uint32_t i = 0; same && i < o->op->nin; i++)
        same = o->op->in[i].value->type == o->op->out[i].type;
    if (!s->manual_mesh && same && is_alone(s, o->op))
        return spmd_identity(o);
    for (uint32_t i = 0; i < o->op->nin; i++)
        sharded |= o->in[i]->sharded;
    for (uint32_t i = 0; i < o->op->nout; i++)
        sharded |= o->want[i]->sharded;
    if (sharded) {
        tsr_spmd_choose(o);
        tsr_spmd_settle(o, false);
    }
    if (!tsr_spmd_parts(o))
        return false;
    tsr_op *op = o->made;
    int channel = tsr_opdef_slot(op->def, TSR_STR("channel_handle"));
    int flat = tsr_opdef_slot(op->def, TSR_STR("use_global_device_ids"));
    int groups = tsr_opdef_slot(op->def, TSR_STR("replica_groups"));
    tsr_spmd_note(s, op, NULL, NULL);
    if (s->manual_mesh && groups >= 0)
        list_groups(s, op, groups, channel, flat);
    tsr_spmd_widen_groups(s, op);
    if (!s->manual_mesh) {
        if (channel >= 0)
            op->attrs[channel] = NULL;
        if (flat >= 0)
            op->attrs[flat] = NULL;
    } else if (s->nreplica > 1 && flat >= 0 && op->attrs[flat] && groups >= 0 &&
               tsr_attr_is(op->attrs[groups], TSR_ATTR_DENSE) && op->attrs[groups]->type->n == 2) {
        op->attrs[groups] = of_all_replicas(s, op->attrs[groups]);
    }
    return true;
}
