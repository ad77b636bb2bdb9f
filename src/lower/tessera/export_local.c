/* SPDX-License-Identifier: Apache-2.0 */
/* export_local.c - --tessera-export-local: converts collectives of a partitioned program to Graph IR's, on named groups
 * of a mesh, or to nccl_ ops on lists of devices.
 *
 * StableHLO's collectives list device numbers. A mesh tells which group they are: one of its own groups, an axis, all
 * devices, or axes in the order that the partitioner recorded. Referenced meshes stay, as tessera.mesh; others are
 * removed. Collectives that Graph IR has no op for stay. Needs nothing; breaks ids. */
#include <stdlib.h>

#include "dialect/reducer.h"
#include "dialect/sdy/axes.h"
#include "dialect/sdy/sharding.h"
#include "dialect/tessera/hlo.h"
#include "lower/passes.h"
#include "shard/spmd/spmd.h"

/* The name of a list of devices. */
typedef struct {
    const tsr_attr *devices, *noted; /* keys, compared by address */
    tsr_op *mesh;                    /* sdy.mesh; NULL: no mesh has such a group */
    tsr_attr *group;                 /* NULL: all devices of the mesh */
} named_group;

typedef struct {
    tsr_pass *p;
    bool nccl;
    TSR_VEC(tsr_op *) meshes;
    TSR_VEC(bool) named; /* by mesh: whether something refers to it */
    TSR_VEC(named_group) groups;
} exporting;

/* ---- Names of groups ---- */

/* Rows in a different order are the same groups. */
static int by_first(const void *a, const void *b)
{
    const int64_t *const *x = a, *const *y = b;
    return **x < **y ? -1 : **x > **y;
}

static const int64_t **sorted_rows(tsr_arena *arena, const int64_t *ids, size_t n, size_t size)
{
    const int64_t **rows = tsr_arena_alloc(arena, (n + 1) * sizeof *rows);
    for (size_t i = 0; i < n; i++)
        rows[i] = ids + i * size;
    qsort(rows, n, sizeof *rows, by_first);
    return rows;
}

/* Whether the group of the mesh (NULL: all of it) has these rows of devices. */
static bool group_is(exporting *e, tsr_op *mesh, tsr_attr *group, const int64_t *const *rows,
                     size_t n, size_t size)
{
    tsr_attr *symbol = tsr_attr_symbol(e->p->ctx, tsr_op_symbol(mesh), NULL, 0);
    tsr_coll c = {.mesh = symbol, .group = group};
    tsr_i64_vec ids = {0};
    size_t row = 0;
    bool same = tsr_coll_devices(mesh, &c, &ids, &row) && row == size && ids.n == n * size;
    if (same) {
        const int64_t **own = sorted_rows(e->p->scratch, ids.data, n, size);
        for (size_t i = 0; same && i < n; i++)
            same = memcmp(own[i], rows[i], size * sizeof **rows) == 0;
    }
    tsr_vec_free(&ids);
    return same;
}

/* The axes as a list of strings, such as "b:(1)2", or one string. */
static tsr_attr *noted_axes(tsr_ctx *ctx, const tsr_attr *axes)
{
    tsr_attr_vec list = {0};
    for (uint32_t i = 0; i < axes->n; i++) {
        tsr_buf text = {0};
        tsr_sdy_axis_print_plain(&text, axes->attrs[i]);
        tsr_vec_push(&list, tsr_attr_string(ctx, tsr_buf_text(&text)));
        tsr_buf_free(&text);
    }
    tsr_attr *group = list.n == 1 ? list.data[0] : tsr_attr_array(ctx, list.data, list.n);
    tsr_vec_free(&list);
    return group;
}

/* A name of the mesh's groups, an axis, all devices, or the recorded axes. */
static bool find_in_mesh(exporting *e, tsr_op *mesh, const tsr_attr *noted,
                         const int64_t *const *rows, size_t n, size_t size, tsr_attr **group)
{
    tsr_ctx *ctx = e->p->ctx;
    const tsr_attr *groups =
                       mesh->extra ? tsr_dict_get(mesh->extra, TSR_STR("tessera.groups")) : NULL,
                   *axes = mesh->attrs[SDY_MESH_mesh]->attrs[SDY_MESH_axes];
    for (uint32_t i = 0; tsr_attr_is(groups, TSR_ATTR_DICT) && i < groups->n; i++) {
        *group = tsr_attr_string(ctx, groups->named[i].name->str);
        if (group_is(e, mesh, *group, rows, n, size))
            return true;
    }
    for (uint32_t i = 0; i < axes->n; i++) {
        *group = axes->attrs[i]->attrs[SDY_MESH_AXIS_name];
        if (group_is(e, mesh, *group, rows, n, size))
            return true;
    }
    *group = NULL;
    if (group_is(e, mesh, NULL, rows, n, size))
        return true;
    if (!tsr_attr_is_struct(noted, &tsr_def_SDY_AXIS_REF_LIST) || !noted->attrs[0]->n)
        return false;
    *group = noted_axes(ctx, noted->attrs[0]);
    return group_is(e, mesh, *group, rows, n, size);
}

static named_group find_group(exporting *e, const tsr_attr *devices, const tsr_attr *noted)
{
    for (size_t i = 0; i < e->groups.n; i++)
        if (e->groups.data[i].devices == devices && e->groups.data[i].noted == noted)
            return e->groups.data[i];
    named_group g = {.devices = devices, .noted = noted};
    tsr_arena_mark mark = tsr_arena_save(e->p->scratch);
    size_t n = (size_t)devices->type->dims[0], size = (size_t)devices->type->dims[1];
    int64_t *ids = TSR_NEW_ARRAY(e->p->scratch, int64_t, n * size + 1);
    for (size_t i = 0; i < n * size; i++)
        ids[i] = tsr_attr_int_at(devices, i);
    const int64_t **rows = size ? sorted_rows(e->p->scratch, ids, n, size) : NULL;
    for (size_t i = 0; rows && !g.mesh && i < e->meshes.n; i++)
        if (find_in_mesh(e, e->meshes.data[i], noted, rows, n, size, &g.group)) {
            g.mesh = e->meshes.data[i];
            e->named.data[i] = true;
        }
    tsr_arena_rewind(e->p->scratch, mark);
    tsr_vec_push(&e->groups, g);
    return g;
}

/* ---- Collectives ---- */

/* The Graph IR counterpart of a StableHLO op; without its own op: tessera.collective. */
typedef struct {
    uint16_t opcode, plain, nccl;
    const char *kind; /* of tessera.collective */
    int8_t groups, channel, flat, dim, to_dim;
} form;

// clang-format off
static const form forms[] = {
    {TSR_OP_STABLEHLO_ALL_REDUCE, TSR_OP_TESSERA_ALLREDUCE, TSR_OP_TESSERA_NCCL_ALLREDUCE, "all_reduce",
     STABLEHLO_ALL_REDUCE_replica_groups, STABLEHLO_ALL_REDUCE_channel_handle,
     STABLEHLO_ALL_REDUCE_use_global_device_ids, -1, -1},
    {TSR_OP_STABLEHLO_ALL_GATHER, TSR_OP_TESSERA_ALL_GATHER, TSR_OP_TESSERA_NCCL_ALL_GATHER, "all_gather",
     STABLEHLO_ALL_GATHER_replica_groups, STABLEHLO_ALL_GATHER_channel_handle,
     STABLEHLO_ALL_GATHER_use_global_device_ids, STABLEHLO_ALL_GATHER_all_gather_dim, -1},
    {TSR_OP_STABLEHLO_REDUCE_SCATTER, TSR_OP_TESSERA_REDUCE_SCATTER, TSR_OP_TESSERA_NCCL_REDUCE_SCATTER,
     "reduce_scatter", STABLEHLO_REDUCE_SCATTER_replica_groups, STABLEHLO_REDUCE_SCATTER_channel_handle,
     STABLEHLO_REDUCE_SCATTER_use_global_device_ids, STABLEHLO_REDUCE_SCATTER_scatter_dimension, -1},
    {TSR_OP_STABLEHLO_ALL_TO_ALL, TSR_OP_TESSERA_COLLECTIVE, TSR_OP_TESSERA_NCCL_ALL_TO_ALL, "all_to_all",
     STABLEHLO_ALL_TO_ALL_replica_groups, STABLEHLO_ALL_TO_ALL_channel_handle, -1,
     STABLEHLO_ALL_TO_ALL_split_dimension, STABLEHLO_ALL_TO_ALL_concat_dimension},
    {TSR_OP_STABLEHLO_COLLECTIVE_BROADCAST, TSR_OP_TESSERA_COLLECTIVE, TSR_OP_TESSERA_COLLECTIVE, "broadcast",
     STABLEHLO_COLLECTIVE_BROADCAST_replica_groups, STABLEHLO_COLLECTIVE_BROADCAST_channel_handle, -1, -1, -1},
    {TSR_OP_STABLEHLO_COLLECTIVE_PERMUTE, TSR_OP_TESSERA_COLLECTIVE, TSR_OP_TESSERA_COLLECTIVE, "permute",
     STABLEHLO_COLLECTIVE_PERMUTE_source_target_pairs, STABLEHLO_COLLECTIVE_PERMUTE_channel_handle, -1, -1, -1},
};
// clang-format on

static const form *form_of(const tsr_op *op)
{
    for (size_t i = 0; i < TSR_COUNT(forms); i++)
        if (op->def->opcode == forms[i].opcode)
            return &forms[i];
    return NULL;
}

/* sum, max, min, prod; NULL: another body. */
static const char *reduction(const tsr_op *op)
{
    static const char *const words[TSR_REDUCE__COUNT] = {[TSR_REDUCE_SUM] = "sum",
                                                         [TSR_REDUCE_MAX] = "max",
                                                         [TSR_REDUCE_MIN] = "min",
                                                         [TSR_REDUCE_PRODUCT] = "prod"};
    return words[tsr_reducer_kind(&op->regions[0])];
}

/* Rows of partition numbers, each at most once. */
static bool says_devices(const tsr_op *op, const form *f)
{
    const tsr_attr *groups = op->attrs[f->groups], *channel = op->attrs[f->channel];
    if (!tsr_attr_is(groups, TSR_ATTR_DENSE) || groups->type->n != 2 ||
        !tsr_type_is_integer(groups->type->elem, 64) || !channel || channel->attrs[0]->i <= 0 ||
        (f->flat >= 0 && !op->attrs[f->flat]))
        return false;
    for (int64_t i = 0, n = tsr_attr_count(groups); i < n; i++)
        if (tsr_attr_int_at(groups, (size_t)i) < 0)
            return false;
    return true;
}

static void export_one(exporting *e, tsr_op *op, const form *f)
{
    tsr_ctx *ctx = e->p->ctx;
    const char *how = op->nregion ? reduction(op) : NULL;
    if (op->nin != 1 || op->nout != 1 || (op->nregion && !how) || !says_devices(op, f) ||
        !tsr_type_has_static_shape(op->out[0].type))
        return;
    tsr_attr *devices = op->attrs[f->groups];
    bool pairs = op->def->opcode == TSR_OP_STABLEHLO_COLLECTIVE_PERMUTE,
         lists = pairs || (e->nccl && f->nccl != f->plain);
    named_group g = {0};
    if (!lists)
        g = find_group(e, devices, op->extra ? tsr_dict_get(op->extra, TSR_NOTE_AXES) : NULL);
    uint16_t opcode = e->nccl && !pairs ? f->nccl : f->plain;
    if (!lists && !g.mesh) /* the generic op takes lists */
        opcode = TSR_OP_TESSERA_COLLECTIVE;
    tsr_value *x = op->in[0].value;
    tsr_op *made = tsr_op_new(op->module, tsr_opdef_of(ctx, opcode), op->loc, &x, 1,
                              &op->out[0].type, 1, 0, 0);
    bool any = opcode == TSR_OP_TESSERA_COLLECTIVE;
    if (any)
        tsr_tessera_set(made, "kind", tsr_attr_string(ctx, tsr_cstr(f->kind)));
    if (how && strcmp(how, "sum") != 0)
        tsr_tessera_set(made, any ? "reduction" : "kind", tsr_attr_string(ctx, tsr_cstr(how)));
    if (f->dim >= 0 && op->attrs[f->dim]->i)
        tsr_tessera_set(made, "dim", op->attrs[f->dim]);
    if (f->to_dim >= 0 && op->attrs[f->to_dim]->i)
        tsr_tessera_set(made, "to_dim", op->attrs[f->to_dim]);
    if (lists || !g.mesh) {
        tsr_tessera_set(made, "devices", devices);
    } else {
        tsr_tessera_set(made, "mesh", tsr_attr_symbol(ctx, tsr_op_symbol(g.mesh), NULL, 0));
        if (g.group)
            tsr_tessera_set(made, "group", g.group);
    }
    made->extra = op->extra;
    tsr_op_insert(made, op->block, op);
    tsr_value_replace(&op->out[0], &made->out[0]);
    tsr_op_erase(op);
}

/* ---- Collectives that the program has itself ---- */

void tsr_collective_to_nccl(tsr_op *op)
{
    static const uint16_t lists[] = {[TSR_COLL_ALL_REDUCE] = TSR_OP_TESSERA_NCCL_ALLREDUCE,
                                     [TSR_COLL_ALL_GATHER] = TSR_OP_TESSERA_NCCL_ALL_GATHER,
                                     [TSR_COLL_REDUCE_SCATTER] = TSR_OP_TESSERA_NCCL_REDUCE_SCATTER,
                                     [TSR_COLL_ALL_TO_ALL] = TSR_OP_TESSERA_NCCL_ALL_TO_ALL,
                                     [TSR_COLL_BROADCAST] = TSR_OP_TESSERA_COLLECTIVE};
    tsr_ctx *ctx = op->module->ctx;
    tsr_coll c;
    tsr_i64_vec devices = {0};
    size_t size = 1;
    if (!tsr_coll_of(op, &c) || c.devices || c.kind >= TSR_COLL_PERMUTE ||
        !tsr_coll_devices(op, &c, &devices, &size)) {
        tsr_vec_free(&devices);
        return;
    }
    tsr_op *made = tsr_op_like(op, tsr_opdef_of(ctx, lists[c.kind]));
    static const char *const words[] = {"sum", "mean", "max", "min", "prod"};
    if (tsr_opdef_slot(made->def, TSR_STR("dim")) >= 0 && c.dim)
        tsr_tessera_set(made, "dim", tsr_attr_i64(ctx, c.dim));
    if (tsr_opdef_slot(made->def, TSR_STR("to_dim")) >= 0 && c.to_dim)
        tsr_tessera_set(made, "to_dim", tsr_attr_i64(ctx, c.to_dim));
    if (c.kind == TSR_COLL_BROADCAST)
        tsr_tessera_set(made, "kind", tsr_attr_string(ctx, TSR_STR("broadcast")));
    else if (tsr_opdef_slot(made->def, TSR_STR("kind")) >= 0 && c.reduction != TSR_TESSERA_SUM)
        tsr_tessera_set(made, "kind", tsr_attr_string(ctx, tsr_cstr(words[c.reduction])));
    tsr_tessera_set(made, "devices", tsr_tessera_devices_attr(ctx, op->module, &devices, size));
    if (c.sharding)
        tsr_tessera_set(made, "out_sharding", c.sharding);
    made->extra = op->extra;
    tsr_op_replace(op, made);
    tsr_vec_free(&devices);
}

/* Keeps the mesh that an op names. */
static void keep_mesh(exporting *e, const tsr_op *op)
{
    tsr_coll c;
    bool some = tsr_coll_of(op, &c) && c.mesh && !c.devices;
    for (size_t i = 0; some && i < e->meshes.n; i++)
        if (tsr_str_eq(tsr_op_symbol(e->meshes.data[i]), c.mesh->s))
            e->named.data[i] = true;
}

/* ---- Meshes ---- */

static void mesh_to_tessera(tsr_op *op)
{
    tsr_ctx *ctx = op->module->ctx;
    tsr_op *made = tsr_op_new(op->module, tsr_opdef_of(ctx, TSR_OP_TESSERA_MESH), op->loc, NULL, 0,
                              NULL, 0, 0, 0);
    tsr_op_set_attr(made, TSR_STR("sym_name"), op->attrs[SDY_MESH_sym_name]);
    made->attrs[TESSERA_MESH_mesh] = op->attrs[SDY_MESH_mesh];
    tsr_attr *groups = op->extra ? tsr_dict_get(op->extra, TSR_STR("tessera.groups")) : NULL;
    if (tsr_attr_is(groups, TSR_ATTR_DICT))
        made->attrs[TESSERA_MESH_groups] = groups;
    tsr_op_insert(made, op->block, op);
}

static bool is_partitioned(const tsr_op *root)
{
    const tsr_attr *replicas = tsr_dict_get(root->extra, TSR_STR("mhlo.num_replicas"));
    return tsr_dict_get(root->extra, TSR_STR("tessera.partitioned")) &&
           (!tsr_attr_is(replicas, TSR_ATTR_INT) || replicas->i == 1);
}

bool pass_tessera_export_local(tsr_pass *p, tsr_op *root)
{
    exporting e = {.p = p, .nccl = tsr_pass_bool(p, "nccl")};
    tsr_op *after;
    for (tsr_op *op = tsr_walk_next(root, root); op && e.nccl; op = after) {
        after = tsr_walk_next(root, op);
        tsr_collective_to_nccl(op);
    }
    if (!is_partitioned(root) || !root->regions[0].first)
        return true;
    TSR_BLOCK_OPS (root->regions[0].first, op)
        if (tsr_op_is(op, TSR_OP_SDY_MESH)) {
            tsr_vec_push(&e.meshes, op);
            tsr_vec_push(&e.named, false);
        }
    bool others = false; /* whether a remaining collective may name a mesh */
    for (tsr_op *op = tsr_walk_next(root, root), *next; op; op = next) {
        next = tsr_walk_next(root, op);
        const form *f = form_of(op);
        keep_mesh(&e, op);
        if (!f)
            continue;
        if (op->nregion) /* its regions are erased with it */
            next = op->next ? op->next : tsr_walk_next(root, op->regions[0].first->last);
        others |= !tsr_attr_is(op->attrs[f->groups], TSR_ATTR_DENSE);
        tsr_value *x = op->nin ? op->in[0].value : NULL;
        tsr_op *before = op->prev;
        tsr_block *block = op->block;
        export_one(&e, op, f);
        tsr_op *now = before ? before->next : block->first;
        if (now && x && now->extra) {
            tsr_op_set_attr(now, TSR_NOTE_AXES, NULL);
            tsr_op_set_attr(now, TSR_NOTE_CAUSE, NULL);
        }
    }
    for (size_t i = 0; i < e.meshes.n && !others; i++) {
        if (e.named.data[i])
            mesh_to_tessera(e.meshes.data[i]);
        tsr_op_erase(e.meshes.data[i]);
    }
    tsr_vec_free(&e.meshes);
    tsr_vec_free(&e.named);
    tsr_vec_free(&e.groups);
    tsr_erase_dead_ops(root); /* ops that the partitioner created in advance */
    p->changed = true;
    return true;
}
