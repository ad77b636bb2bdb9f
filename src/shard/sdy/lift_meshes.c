/* SPDX-License-Identifier: Apache-2.0 */
/* lift_meshes.c - turns meshes inlined in shardings into symbols; equal ones share one. Needs nothing; keeps everything
 * else; breaks nothing (meshes may be added and removed). */
#include "shard/core/calls.h"
#include "shard/core/each.h"
#include "shard/passes.h"

/* The replacement of a reference: of an inlined mesh, or of the name of a removed one. */
typedef struct {
    const tsr_attr *from;
    tsr_attr *to; /* a symbol */
} renamed;

typedef struct {
    tsr_pass *p;
    tsr_symbols symbols;
    tsr_map renames;
    tsr_op *before; /* new meshes go here; NULL: the end */
} lift;

static renamed *find(lift *l, const tsr_attr *ref)
{
    TSR_MAP_EACH (&l->renames, tsr_hash_ptr(ref), v)
        if (((renamed *)v)->from == ref)
            return v;
    return NULL;
}

static void rename_to(lift *l, const tsr_attr *ref, tsr_attr *to)
{
    renamed *r = TSR_NEW(l->p->scratch, renamed);
    *r = (renamed){ref, to};
    tsr_map_put(&l->renames, tsr_hash_ptr(ref), r);
}

static tsr_attr *symbol_of(lift *l, tsr_str name)
{
    return tsr_attr_symbol(l->p->ctx, name, NULL, 0);
}

/* Removes meshes that equal an earlier one. */
static void share(lift *l, tsr_op *root)
{
    tsr_op *last = NULL;
    tsr_block *body = root->regions[0].first;
    for (tsr_op *op = body->first, *next; op; op = next) {
        next = op->next;
        if (!tsr_op_is(op, TSR_OP_SDY_MESH))
            continue;
        const renamed *same = find(l, op->attrs[SDY_MESH_mesh]);
        if (same) {
            rename_to(l, symbol_of(l, tsr_op_symbol(op)), same->to);
            tsr_symbols_erase(&l->symbols, op);
            l->p->changed = true;
        } else {
            rename_to(l, op->attrs[SDY_MESH_mesh], symbol_of(l, tsr_op_symbol(op)));
            last = op;
        }
    }
    l->before = last ? last->next : body->first;
}

/* Creates a symbol for a mesh. */
static tsr_attr *lift_mesh(lift *l, tsr_loc loc, tsr_attr *mesh)
{
    tsr_ctx *ctx = l->p->ctx;
    tsr_buf name = {0};
    if (tsr_sdy_mesh_is_maximal(mesh))
        tsr_buf_printf(&name, "maximal_mesh_%lld",
                       (long long)tsr_attr_int_at(mesh->attrs[SDY_MESH_device_ids], 0));
    else
        tsr_buf_cstr(&name, tsr_sdy_mesh_is_empty(mesh) ? "empty_mesh" : "mesh");
    tsr_op *op =
        tsr_op_new(l->p->module, tsr_opdef_of(ctx, TSR_OP_SDY_MESH), loc, NULL, 0, NULL, 0, 0, 0);
    tsr_op_set_attr(op, TSR_STR("sym_name"), tsr_attr_string(ctx, tsr_buf_text(&name)));
    op->attrs[SDY_MESH_mesh] = mesh;
    tsr_op_insert(op, l->symbols.module->regions[0].first, l->before);
    tsr_symbols_insert(&l->symbols, op);
    tsr_buf_free(&name);
    l->p->changed = true;
    return symbol_of(l, tsr_op_symbol(op));
}

static tsr_attr *lifted(void *user, tsr_op *op, tsr_attr *sharding)
{
    (void)op;
    lift *l = user;
    tsr_attr *ref = sharding->attrs[SDY_SHARDING_mesh], *to;
    const renamed *known = find(l, ref);
    if (known)
        to = known->to;
    else if (tsr_attr_is_struct(ref, &tsr_def_SDY_MESH))
        rename_to(l, ref, to = lift_mesh(l, l->symbols.module->loc, ref));
    else
        return sharding;
    l->p->changed = true;
    tsr_attr *params[SDY_SHARDING_reduction + 1];
    memcpy(params, sharding->attrs, sizeof params);
    params[SDY_SHARDING_mesh] = to;
    return tsr_attr_struct(l->p->ctx, &tsr_def_SDY_SHARDING, params);
}

/* ---- Replica groups ---- */

enum { GROUP_MESH, GROUP_AXES };
enum { HLO_MESH_axes };
enum { HLO_MESH_AXIS_name, HLO_MESH_AXIS_size };

/* Converts StableHLO's mesh to sdy's, without device ids. */
static tsr_attr *from_stablehlo(tsr_ctx *ctx, const tsr_attr *mesh)
{
    const tsr_attr *from = mesh->attrs[HLO_MESH_axes];
    TSR_VEC(tsr_attr *) axes = {0};
    for (uint32_t i = 0; i < from->n; i++) {
        tsr_attr *const *axis = from->attrs[i]->attrs;
        tsr_attr *params[] = {axis[HLO_MESH_AXIS_name], axis[HLO_MESH_AXIS_size]};
        tsr_vec_push(&axes, tsr_attr_struct(ctx, &tsr_def_SDY_MESH_AXIS, params));
    }
    tsr_attr *all = tsr_sdy_mesh(ctx, tsr_attr_array(ctx, axes.data, axes.n), NULL);
    tsr_vec_free(&axes);
    return all;
}

static void lift_groups(lift *l, tsr_op *op, int slot)
{
    tsr_attr *groups = op->attrs[slot], *ref = groups->attrs[GROUP_MESH], *to;
    const renamed *known = find(l, ref);
    if (known)
        to = known->to;
    else if (tsr_attr_is_struct(ref, &tsr_def_SDY_MESH))
        rename_to(l, ref, to = lift_mesh(l, op->loc, ref));
    else if (tsr_attr_is_struct(ref, &tsr_def_STABLEHLO_MESH))
        rename_to(l, ref, to = lift_mesh(l, op->loc, from_stablehlo(l->p->ctx, ref)));
    else
        return;
    op->attrs[slot] = tsr_attr_struct(l->p->ctx, &tsr_def_STABLEHLO_REPLICA_GROUP_MESH_AXES,
                                      (tsr_attr *[]){to, groups->attrs[GROUP_AXES]});
    op->module->verified = false;
    l->p->changed = true;
}

static void lift_all_groups(lift *l, tsr_op *root)
{
    /* Visits one kind of op after the other: new meshes are named in this order. */
    static const uint16_t kinds[] = {
        TSR_OP_STABLEHLO_ALL_GATHER,           TSR_OP_STABLEHLO_ALL_REDUCE,
        TSR_OP_STABLEHLO_REDUCE_SCATTER,       TSR_OP_STABLEHLO_ALL_TO_ALL,
        TSR_OP_STABLEHLO_COLLECTIVE_BROADCAST,
    };
    typedef struct {
        tsr_op *op;
        int slot;
    } place;
    TSR_VEC(place) places = {0};
    TSR_OPS (root, op)
        for (int i = 0; i < op->def->nslot; i++)
            if (tsr_attr_is_struct(op->attrs[i], &tsr_def_STABLEHLO_REPLICA_GROUP_MESH_AXES))
                tsr_vec_push(&places, (place){op, i});
    for (size_t k = 0; places.n && k < TSR_COUNT(kinds); k++)
        for (size_t i = 0; i < places.n; i++)
            if (tsr_op_is(places.data[i].op, kinds[k]))
                lift_groups(l, places.data[i].op, places.data[i].slot);
    tsr_vec_free(&places);
}

/* ---- Meshes for StableHLO ---- */

static tsr_attr *dict_of(tsr_ctx *ctx, const char *const *names, tsr_attr *const *values, size_t n)
{
    tsr_named named[2];
    for (size_t i = 0; i < n; i++)
        named[i] =
            (tsr_named){tsr_name_get(ctx, tsr_str_of(names[i], strlen(names[i]))), values[i]};
    return tsr_attr_dict(ctx, named, n);
}

/* The mesh as a dictionary in StableHLO's terms. */
static tsr_attr *described(tsr_ctx *ctx, const tsr_attr *mesh)
{
    const tsr_attr *axes = mesh->attrs[SDY_MESH_axes], *ids = mesh->attrs[SDY_MESH_device_ids];
    TSR_VEC(tsr_attr *) all = {0};
    for (uint32_t i = 0; i < axes->n; i++) {
        tsr_attr *const *axis = axes->attrs[i]->attrs;
        tsr_attr *size = tsr_attr_i64(ctx, axis[SDY_MESH_AXIS_size]->i);
        tsr_vec_push(&all, dict_of(ctx, (const char *[]){"name", "size"},
                                   (tsr_attr *[]){axis[SDY_MESH_AXIS_name], size}, 2));
    }
    tsr_attr *values[2] = {tsr_attr_array(ctx, all.data, all.n), NULL};
    tsr_vec_free(&all);
    int64_t n = ids ? tsr_attr_count(ids) : 0;
    if (n) {
        int64_t *copy = tsr_xmalloc((size_t)n * sizeof *copy);
        bool splat = true;
        for (int64_t i = 0; i < n; i++) {
            copy[i] = tsr_attr_int_at(ids, (size_t)i);
            splat &= copy[i] == copy[0];
        }
        values[1] = tsr_attr_dense(ctx, NULL, tsr_type_tensor(ctx, &n, 1, ctx->i64, NULL), copy,
                                   splat ? sizeof *copy : (size_t)n * sizeof *copy, splat);
        tsr_free(copy);
    }
    return dict_of(ctx, (const char *[]){"axes", "device_ids"}, values, n ? 2 : 1);
}

bool pass_sdy_lift_inlined_meshes(tsr_pass *p, tsr_op *root)
{
    lift l = {.p = p};
    tsr_symbols_init(&l.symbols, root);
    share(&l, root);
    tsr_map_shardings(p->scratch, root, lifted, &l);
    lift_all_groups(&l, root);
    tsr_map_free(&l.renames);
    tsr_symbols_free(&l.symbols);

    tsr_str name = TSR_STR("stablehlo.mesh");
    TSR_BLOCK_OPS (root->regions[0].first, op)
        if (tsr_op_is(op, TSR_OP_SDY_MESH) && !tsr_op_attr(op, name)) {
            tsr_op_set_attr(op, name, described(p->ctx, op->attrs[SDY_MESH_mesh]));
            p->changed = true;
        }
    return true;
}
