/* SPDX-License-Identifier: Apache-2.0 */
/* manual.c - partitions manual computations: their bodies are local along the axes that they bind, and global along all
 * others, which are free.
 *
 * Unreduced axes of a computation's shardings apply if it binds them: its devices see partial values of the reduction.
 * Along free axes values are whole, whatever remains to be reduced elsewhere. */
#include "shard/spmd/spmd.h"

#include "eval/groups.h"

/* ---- Context of the current op ---- */

void tsr_spmd_enter_manual(tsr_spmd *s, const tsr_mesh *mesh, tsr_attr *const *names, uint32_t n)
{
    const tsr_mesh *all = mesh ? tsr_spmd_mesh(s, mesh) : NULL;
    tsr_axis *axes = tsr_arena_alloc(s->r.arena, (n + 1) * sizeof *axes);
    uint32_t found = 0;
    for (uint32_t i = 0; all && i < n; i++) {
        uint32_t a = tsr_mesh_axis(all, names[i]);
        if (a < all->naxis && all->sizes[a] > 1)
            axes[found++] = (tsr_axis){a, 1, all->sizes[a]};
    }
    tsr_axis_lists *lists = &s->r.table.lists;
    const tsr_axes *own = tsr_axes_get(lists, axes, found);
    s->manual = s->manual_mesh ? tsr_axes_join(lists, s->manual, own) : own;
    if (!s->manual_mesh || found) {
        s->manual_mesh = all ? all : s->mesh;
        s->manual_devices = all ? mesh->ndevice : s->ndevice;
    }
}

/* ---- Layouts ---- */

/* Removes the free axes of a dimension (those in inner) if shards of the local value are not shards of the global one:
 * 16 elements in 2 times 3 parts are 3, 3, 2, 3, 3, 2 of the former and 3, 3, 3, 3, 3, 1 of the latter. */
static void drop_uneven(tsr_spmd *s, const tsr_type *local, const tsr_sharding **outer,
                        const tsr_sharding **inner)
{
    const tsr_axes *none = s->r.table.lists.none;
    for (uint32_t d = 0; d < (*inner)->rank; d++) {
        const tsr_axes *free = (*inner)->dims[d].axes, *all = (*outer)->dims[d].axes;
        if (!free->n || free == all || local->dims[d] % free->size == 0 || TSR_BUG(19))
            continue;
        *outer = tsr_spmd_with_dim(s, *outer, d, tsr_axes_minus(&s->r.table.lists, all, free));
        *inner = tsr_spmd_with_dim(s, *inner, d, none);
    }
}

/* The layouts of an operand or a result outside and inside (local: its type in the body). */
static bool layouts_of(tsr_spmd *s, const tsr_op *op, tsr_attr *a, tsr_type *global,
                       tsr_type *local, const tsr_sharding **outer, const tsr_sharding **inner)
{
    *outer = tsr_spmd_decode(s, a, global);
    *inner = tsr_spmd_decode(s, a ? tsr_sdy_without_axes(s->ctx, a, tsr_sdy_manual_axes(op)) : NULL,
                             local);
    if (*inner && (*outer)->rank == (*inner)->rank && tsr_spmd_may_part(local))
        drop_uneven(s, local, outer, inner);
    return tsr_spmd_type(s, global, *outer) == tsr_spmd_type(s, local, *inner) ||
           tsr_op_error(op, "has parts of axes in its shardings that are no coordinates of devices "
                            "together");
}

/* The unreduced axes that the computation binds. */
static const tsr_axes *partial_axes(tsr_spmd *s, const tsr_op *op, const tsr_sharding *a)
{
    const tsr_attr *names = tsr_sdy_manual_axes(op);
    tsr_axis *axes = tsr_arena_alloc(s->r.arena, (a->unreduced->n + 1) * sizeof *axes);
    uint32_t n = 0;
    for (uint32_t i = 0; i < a->unreduced->n; i++)
        if (tsr_sdy_has_name(names, tsr_mesh_axis_name(a->mesh, a->unreduced->data[i].axis)) ||
            TSR_BUG(18))
            axes[n++] = a->unreduced->data[i];
    return tsr_axes_get(&s->r.table.lists, axes, n);
}

/* A value on its way in (or out) becomes partial (or whole) along unreduced axes that are bound here. */
static tsr_value *across(tsr_spmd *s, const tsr_op *op, tsr_attr *attr, tsr_value *v, bool in)
{
    const tsr_sharding *a = tsr_sharding_decode(&s->r.table, attr);
    const tsr_mesh *mesh = a ? tsr_spmd_mesh(s, a->mesh) : NULL;
    const tsr_axes *axes = mesh ? partial_axes(s, op, a) : NULL;
    if (!axes || !axes->n)
        return v;
    return in ? tsr_spmd_partial(s, v, mesh, axes, a->reduction)
              : tsr_spmd_reduced(s, v, mesh, axes, a->reduction);
}

/* ---- The op ---- */

/* The mesh of the first sharding that has axes; NULL: there is none. */
static const tsr_mesh *mesh_of_manual(tsr_spmd *s, const tsr_op *op)
{
    for (uint32_t k = 0; k < 2; k++)
        for (uint32_t i = 0; i < (k ? op->nout : op->nin); i++) {
            const tsr_sharding *a =
                tsr_sharding_decode(&s->r.table, tsr_sdy_list_sharding(op, !k, i));
            if (a && a->mesh->naxis)
                return a->mesh;
        }
    return NULL;
}

static bool fits_devices(tsr_spmd *s, const tsr_op *op, const tsr_mesh *mesh)
{
    return !mesh || !tsr_sdy_manual_axes(op)->n || tsr_spmd_mesh(s, mesh) ||
           tsr_op_error(op,
                        "is on a mesh of %lld devices, and the program, whose largest mesh has "
                        "%lld, cannot be divided among them",
                        (long long)mesh->ndevice, (long long)s->ndevice);
}

bool spmd_manual_computation(tsr_spmd_op *o)
{
    tsr_spmd *s = o->s;
    tsr_op *op = o->op;
    const tsr_attr *names = tsr_sdy_manual_axes(op);
    tsr_block *body = op->regions[0].first;
    const tsr_mesh *mesh = mesh_of_manual(s, op);
    const tsr_sharding **outer = tsr_arena_alloc(s->r.arena, (op->nout + 1) * sizeof *outer);
    const tsr_sharding **returned = tsr_arena_alloc(s->r.arena, (op->nout + 1) * sizeof *returned);
    tsr_value **out = tsr_arena_alloc(s->r.arena, (op->nout + 1) * sizeof *out);
    TSR_TRY(fits_devices(s, op, mesh));
    for (uint32_t i = 0; i < op->nin; i++) {
        tsr_attr *a = tsr_sdy_list_sharding(op, true, i);
        const tsr_sharding *from, *to;
        TSR_TRY(layouts_of(s, op, a, op->in[i].value->type, body->args[i]->type, &from, &to));
        tsr_spmd_set(s, body->args[i], across(s, op, a, tsr_spmd_in(o, i, from), true), to);
    }
    for (uint32_t i = 0; i < op->nout; i++)
        TSR_TRY(layouts_of(s, op, tsr_sdy_list_sharding(op, false, i), op->out[i].type,
                           body->last->in[i].value->type, &outer[i], &returned[i]));
    const tsr_mesh *around = s->manual_mesh;
    const tsr_axes *bound = s->manual;
    int64_t devices = s->manual_devices;
    tsr_spmd_enter_manual(s, mesh, names->attrs, names->n);
    bool ok = tsr_spmd_body(o, returned, out);
    s->manual_mesh = around;
    s->manual = bound;
    s->manual_devices = devices;
    for (uint32_t i = 0; ok && i < op->nout; i++)
        tsr_spmd_out(o, i, across(s, op, tsr_sdy_list_sharding(op, false, i), out[i], false),
                     outer[i]);
    return ok;
}

/* ---- Which device this is ---- */

/* Outside of a manual computation the program has one partition, however it is divided. */
bool spmd_partition_id(tsr_spmd_op *o)
{
    tsr_spmd *s = o->s;
    tsr_type *type = o->op->out[0].type;
    if (s->manual_mesh && (s->manual_devices == s->ndevice || TSR_BUG(21)))
        return tsr_spmd_whole(o);
    tsr_value *id = tsr_spmd_zero(s, type->elem);
    if (s->manual_mesh) {
        tsr_value *in[] = {tsr_build_op(&s->b, TSR_OP_STABLEHLO_PARTITION_ID, NULL, 0, type),
                           tsr_build_int(&s->b, type->elem, s->manual_devices)};
        id = tsr_build_op(&s->b, TSR_OP_STABLEHLO_REMAINDER, in, 2, type);
    }
    tsr_spmd_out(o, 0, id, tsr_spmd_replicated(s, 0));
    return true;
}

/* ---- Collectives on a mesh with fewer devices than the program ---- */

/* Rows of the mesh's devices, and the same rows for all its copies. */
static tsr_attr *of_all_copies(tsr_spmd *s, const int64_t *rows, int64_t n, int64_t size)
{
    int64_t copies = s->ndevice / s->manual_devices, dims[] = {n * copies, size};
    int64_t *ids = tsr_arena_alloc(s->r.arena, (size_t)(n * size * copies + 1) * sizeof *ids);
    for (int64_t c = 0; c < copies; c++)
        for (int64_t i = 0; i < n * size; i++)
            ids[c * n * size + i] = rows[i] < 0 ? rows[i] : rows[i] + c * s->manual_devices;
    tsr_type *type = tsr_static_type(s->ctx, dims, 2, s->ctx->i64);
    return tsr_attr_dense(s->ctx, s->module, type, ids, (size_t)(dims[0] * size) * sizeof *ids,
                          dims[0] * size == 1);
}

void tsr_spmd_widen_groups(tsr_spmd *s, tsr_op *op)
{
    int channel = tsr_opdef_slot(op->def, TSR_STR("channel_handle"));
    int flat = tsr_opdef_slot(op->def, TSR_STR("use_global_device_ids"));
    int groups = tsr_opdef_slot(op->def, TSR_STR("replica_groups"));
    groups = groups < 0 ? tsr_opdef_slot(op->def, TSR_STR("source_target_pairs")) : groups;
    const tsr_attr *rows = groups < 0 ? NULL : op->attrs[groups];
    bool by_device = channel >= 0 && tsr_channel_of(op->attrs[channel]) > 0;
    bool listed = flat < 0 || op->attrs[flat];
    if (!s->manual_mesh || s->manual_devices == s->ndevice || !by_device || TSR_BUG(20) ||
        !tsr_attr_is(rows, TSR_ATTR_DENSE) || rows->type->n != 2)
        return;
    int64_t n = rows->type->dims[0], size = rows->type->dims[1];
    /* An empty or missing list of device numbers means all devices. */
    bool all = !listed || !n;
    n = all ? 1 : n;
    size = all ? s->manual_devices : size;
    int64_t *ids = tsr_arena_alloc(s->r.arena, (size_t)(n * size + 1) * sizeof *ids);
    for (int64_t i = 0; i < n * size; i++)
        ids[i] = all ? i : tsr_attr_int_at(rows, (size_t)i);
    op->attrs[groups] = of_all_copies(s, ids, n, size);
    if (flat >= 0)
        op->attrs[flat] = tsr_attr_unit(s->ctx);
}
