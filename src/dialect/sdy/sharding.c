/* SPDX-License-Identifier: Apache-2.0 */
/* sharding.c - see sharding.h. */
#include "dialect/sdy/sharding.h"

#include "dialect/sdy/axes.h"

/* ---- Meshes ---- */

tsr_attr *tsr_sdy_mesh_of(const tsr_op *op, const tsr_attr *sharding)
{
    tsr_attr *mesh = sharding->attrs[SDY_SHARDING_mesh];
    if (tsr_attr_is_struct(mesh, &tsr_def_SDY_MESH))
        return mesh;
    const tsr_op *module = tsr_block_parent(op->block);
    while (module && !tsr_op_is(module, TSR_OP_BUILTIN_MODULE))
        module = tsr_block_parent(module->block);
    if (!module || !tsr_attr_is(mesh, TSR_ATTR_SYMBOL))
        return NULL;
    const tsr_op *def = tsr_symbol_find(module, mesh->s);
    if (!def || !(tsr_op_is(def, TSR_OP_SDY_MESH) || tsr_op_is(def, TSR_OP_TESSERA_MESH)))
        return NULL;
    mesh =
        def->attrs[tsr_op_is(def, TSR_OP_SDY_MESH) ? (int)SDY_MESH_mesh : (int)TESSERA_MESH_mesh];
    return tsr_attr_is_struct(mesh, &tsr_def_SDY_MESH) ? mesh : NULL;
}

static int64_t ndevice_ids(const tsr_attr *mesh)
{
    return mesh->attrs[SDY_MESH_device_ids] ? tsr_attr_count(mesh->attrs[SDY_MESH_device_ids]) : 0;
}

bool tsr_sdy_mesh_is_maximal(const tsr_attr *mesh)
{
    return mesh->attrs[SDY_MESH_axes]->n == 0 && ndevice_ids(mesh) == 1;
}

bool tsr_sdy_mesh_is_empty(const tsr_attr *mesh)
{
    return mesh->attrs[SDY_MESH_axes]->n == 0 && ndevice_ids(mesh) == 0;
}

tsr_attr *tsr_sdy_common_mesh(const tsr_op *op, const tsr_attr *const *lists, size_t n)
{
    tsr_attr *mesh = NULL;
    for (size_t i = 0; i < n; i++)
        for (uint32_t k = 0; lists[i] && k < lists[i]->n; k++) {
            tsr_attr *other = tsr_sdy_mesh_of(op, lists[i]->attrs[k]);
            if (!mesh || tsr_sdy_mesh_is_empty(mesh))
                mesh = other;
            else if (other && !tsr_sdy_mesh_is_empty(other) && other != mesh)
                return NULL;
        }
    return mesh;
}

/* ---- Shardings ---- */

bool tsr_sdy_same_axes(const tsr_attr *a, const tsr_attr *b)
{
    if (a->attrs[SDY_SHARDING_mesh] != b->attrs[SDY_SHARDING_mesh] ||
        tsr_sdy_dims(a)->n != tsr_sdy_dims(b)->n)
        return false;
    for (uint32_t i = 0; i < tsr_sdy_dims(a)->n; i++)
        if (tsr_sdy_dim_axes(a, i) != tsr_sdy_dim_axes(b, i))
            return false;
    return true;
}

bool tsr_sdy_is_replicated(const tsr_attr *sharding)
{
    const tsr_attr *dims = tsr_sdy_dims(sharding);
    for (uint32_t i = 0; i < dims->n; i++)
        if (tsr_sdy_dim_axes(sharding, i)->n)
            return false;
    return true;
}

tsr_attr *tsr_sdy_make(tsr_ctx *ctx, tsr_attr *mesh, tsr_attr *dims, tsr_attr *replicated,
                       tsr_attr *unreduced, tsr_attr *reduction)
{
    if (!reduction || !unreduced->n)
        reduction = tsr_attr_i64(ctx, TSR_SDY_SUM);
    return tsr_attr_struct(ctx, &tsr_def_SDY_SHARDING,
                           (tsr_attr *[]){mesh, dims, replicated, unreduced, reduction});
}

tsr_attr *tsr_sdy_dim(tsr_ctx *ctx, tsr_attr *axes, tsr_attr *closed, tsr_attr *priority)
{
    return tsr_attr_struct(ctx, &tsr_def_SDY_DIMENSION_SHARDING,
                           (tsr_attr *[]){axes, closed, priority});
}

static tsr_attr *without_any_axes(tsr_ctx *ctx, tsr_attr *mesh, int64_t rank, bool closed)
{
    tsr_attr *none = tsr_attr_array(ctx, NULL, 0);
    tsr_attr *dim = tsr_sdy_dim(ctx, none, tsr_attr_bool(ctx, closed), NULL);
    TSR_VEC(tsr_attr *) dims = {0};
    for (int64_t i = 0; i < rank; i++)
        tsr_vec_push(&dims, dim);
    tsr_attr *all = tsr_attr_array(ctx, dims.data, dims.n);
    tsr_vec_free(&dims);
    return tsr_sdy_make(ctx, mesh, all, none, none, NULL);
}

tsr_attr *tsr_sdy_replicated(tsr_ctx *ctx, tsr_attr *mesh, int64_t rank)
{
    return without_any_axes(ctx, mesh, rank, true);
}

tsr_attr *tsr_sdy_open(tsr_ctx *ctx, tsr_attr *mesh, int64_t rank)
{
    return without_any_axes(ctx, mesh, rank, false);
}

tsr_attr *tsr_sdy_per_value(tsr_ctx *ctx, tsr_attr *const *shardings, size_t n)
{
    return tsr_attr_struct(ctx, &tsr_def_SDY_SHARDING_PER_VALUE,
                           (tsr_attr *[]){tsr_attr_array(ctx, shardings, n)});
}

bool tsr_sdy_has_name(const tsr_attr *names, const tsr_attr *name)
{
    for (uint32_t i = 0; i < names->n; i++)
        if (names->attrs[i] == name)
            return true;
    return false;
}

static tsr_attr *list_without(tsr_ctx *ctx, const tsr_attr *axes, const tsr_ptr_set *names)
{
    TSR_VEC(tsr_attr *) left = {0};
    for (uint32_t i = 0; i < axes->n; i++)
        if (!tsr_ptr_set_has(names, tsr_sdy_axis_name(axes->attrs[i])))
            tsr_vec_push(&left, axes->attrs[i]);
    tsr_attr *list = tsr_attr_array(ctx, left.data, left.n);
    tsr_vec_free(&left);
    return list;
}

tsr_attr *tsr_sdy_without_axes(tsr_ctx *ctx, tsr_attr *sharding, const tsr_attr *manual)
{
    if (!manual->n)
        return sharding;
    const tsr_attr *old = tsr_sdy_dims(sharding);
    tsr_ptr_set names = {.n = 0};
    for (uint32_t i = 0; i < manual->n; i++)
        tsr_ptr_set_add(&names, manual->attrs[i]);
    TSR_VEC(tsr_attr *) dims = {0};
    for (uint32_t i = 0; i < old->n; i++) {
        tsr_attr *const *d = old->attrs[i]->attrs;
        tsr_attr *left = list_without(ctx, d[SDY_DIMENSION_SHARDING_axes], &names);
        tsr_attr *params[] = {left, d[SDY_DIMENSION_SHARDING_is_closed],
                              d[SDY_DIMENSION_SHARDING_priority]};
        tsr_vec_push(&dims, tsr_attr_struct(ctx, &tsr_def_SDY_DIMENSION_SHARDING, params));
    }
    tsr_attr *all = tsr_attr_array(ctx, dims.data, dims.n);
    tsr_vec_free(&dims);
    tsr_attr *replicated = list_without(ctx, sharding->attrs[SDY_SHARDING_replicated], &names);
    tsr_attr *unreduced = list_without(ctx, sharding->attrs[SDY_SHARDING_unreduced], &names);
    tsr_ptr_set_free(&names);
    return tsr_sdy_make(ctx, sharding->attrs[SDY_SHARDING_mesh], all, replicated, unreduced,
                        sharding->attrs[SDY_SHARDING_reduction]);
}
