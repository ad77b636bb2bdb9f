/* SPDX-License-Identifier: Apache-2.0 */
/* tidy.c - export passes that only rewrite or remove sharding attributes: they close shardings, remove sub-axes at the
 * boundary, rules, groups and debug information, and inline meshes. Each walks the module once. */
#include "shard/core/calls.h"
#include "shard/core/each.h"
#include "shard/passes.h"

/* ---- sdy-close-shardings ---- */

static tsr_attr *closed(void *user, tsr_op *op, tsr_attr *sharding)
{
    tsr_ctx *ctx = op->module->ctx;
    (void)user;
    const tsr_attr *old = tsr_sdy_dims(sharding);
    tsr_attr *yes = tsr_attr_bool(ctx, true);
    TSR_VEC(tsr_attr *) dims = {0};
    for (uint32_t i = 0; i < old->n; i++) {
        tsr_attr *params[3];
        memcpy(params, old->attrs[i]->attrs, sizeof params);
        params[SDY_DIMENSION_SHARDING_is_closed] = yes;
        tsr_vec_push(&dims, tsr_attr_struct(ctx, &tsr_def_SDY_DIMENSION_SHARDING, params));
    }
    tsr_attr *params[5];
    memcpy(params, sharding->attrs, sizeof params);
    params[SDY_SHARDING_dims] = tsr_attr_array(ctx, dims.data, dims.n);
    /* A closed dimension takes no more axes, so explicit replication is no longer needed. */
    params[SDY_SHARDING_replicated] = tsr_attr_array(ctx, NULL, 0);
    tsr_vec_free(&dims);
    return tsr_attr_struct(ctx, &tsr_def_SDY_SHARDING, params);
}

bool pass_sdy_close_shardings(tsr_pass *p, tsr_op *root)
{
    p->changed = tsr_map_shardings(p->scratch, root, closed, NULL);
    return true;
}

/* ---- sdy-remove-sub-axes-in-input-output-shardings ---- */

static tsr_attr *without_sub_axes(void *user, tsr_op *op, tsr_attr *sharding)
{
    tsr_ctx *ctx = op->module->ctx;
    (void)user;
    const tsr_attr *old = tsr_sdy_dims(sharding);
    TSR_VEC(tsr_attr *) dims = {0};
    for (uint32_t i = 0; i < old->n; i++) {
        tsr_attr *const *d = old->attrs[i]->attrs;
        tsr_attr *axes = d[SDY_DIMENSION_SHARDING_axes];
        uint32_t n = 0;
        while (n < axes->n && !axes->attrs[n]->attrs[SDY_AXIS_REF_sub])
            n++;
        bool keep = d[SDY_DIMENSION_SHARDING_is_closed]->i || n == axes->n;
        tsr_vec_push(&dims, keep ? axes : tsr_attr_array(ctx, axes->attrs, n));
    }
    tsr_attr *to = tsr_sharding_with_dims(ctx, sharding, dims.data);
    tsr_vec_free(&dims);
    return to;
}

bool pass_sdy_remove_sub_axes_in_input_output_shardings(tsr_pass *p, tsr_op *root)
{
    tsr_str name = tsr_pass_str(p, "entry-function");
    tsr_op *func = tsr_find_entry_func(root, name);
    if (!func)
        return tsr_op_error(root, "has several functions, and none of them is @%.*s",
                            TSR_STR_ARG(name));
    p->changed = tsr_func_each_sharding(func, without_sub_axes, NULL);
    return true;
}

/* ---- Attributes that later steps do not need ---- */

/* Rules that the user marked as custom are kept. */
bool pass_sdy_drop_sharding_rules(tsr_pass *p, tsr_op *root)
{
    const tsr_str name = TSR_STR("sdy.sharding_rule");
    TSR_OPS (root, op) {
        const tsr_attr *rule = op->extra ? tsr_dict_get(op->extra, name) : NULL;
        if (!tsr_attr_is_struct(rule, &tsr_def_SDY_OP_SHARDING_RULE) ||
            rule->attrs[SDY_OP_SHARDING_RULE_custom])
            continue;
        tsr_op_set_attr(op, name, NULL);
        p->changed = true;
    }
    return true;
}

bool pass_sdy_remove_propagation_debug_info(tsr_pass *p, tsr_op *root)
{
    p->changed = tsr_drop_debug_info(root);
    return true;
}

bool pass_sdy_remove_sharding_groups(tsr_pass *p, tsr_op *root)
{
    if (!tsr_module_may_have(p->module, TSR_OP_SDY_SHARDING_GROUP))
        return true;
    TSR_OPS_REVERSE (root, op) {
        if (!tsr_op_is(op, TSR_OP_SDY_SHARDING_GROUP))
            continue;
        tsr_op_erase(op);
        p->changed = true;
    }
    return true;
}

/* ---- sdy-inline-meshes ---- */

static tsr_attr *with_mesh(void *user, tsr_op *op, tsr_attr *sharding)
{
    (void)user;
    tsr_attr *mesh = tsr_sdy_mesh_of(op, sharding);
    if (!mesh || mesh == sharding->attrs[SDY_SHARDING_mesh])
        return sharding;
    tsr_attr *params[5];
    memcpy(params, sharding->attrs, sizeof params);
    params[SDY_SHARDING_mesh] = mesh;
    return tsr_attr_struct(op->module->ctx, &tsr_def_SDY_SHARDING, params);
}

/* The same mesh in StableHLO's form. */
static tsr_attr *hlo_mesh(tsr_ctx *ctx, const tsr_attr *mesh)
{
    TSR_VEC(tsr_attr *) axes = {0};
    const tsr_attr *old = mesh->attrs[SDY_MESH_axes], *ids = mesh->attrs[SDY_MESH_device_ids];
    for (uint32_t i = 0; i < old->n; i++)
        tsr_vec_push(&axes,
                     tsr_attr_struct(ctx, &tsr_def_STABLEHLO_MESH_AXIS, old->attrs[i]->attrs));
    tsr_attr *params[2] = {tsr_attr_array(ctx, axes.data, axes.n), NULL};
    tsr_vec_free(&axes);
    int64_t n = ids ? tsr_attr_count(ids) : 0;
    if (n)
        params[1] = tsr_attr_dense(ctx, NULL, tsr_type_tensor(ctx, &n, 1, ctx->i64, NULL),
                                   ids->s.data, ids->s.len, false);
    return tsr_attr_struct(ctx, &tsr_def_STABLEHLO_MESH, params);
}

/* replica_groups that refer to a mesh and axes of it. */
static bool inline_replica_groups(tsr_op *op)
{
    int slot = tsr_opdef_slot(op->def, TSR_STR("replica_groups"));
    const tsr_attr *groups = slot < 0 ? NULL : op->attrs[slot];
    if (!tsr_attr_is_struct(groups, &tsr_def_STABLEHLO_REPLICA_GROUP_MESH_AXES) ||
        !tsr_attr_is(groups->attrs[0], TSR_ATTR_SYMBOL))
        return false;
    const tsr_op *def = tsr_symbol_resolve(op, groups->attrs[0]);
    if (!def || !tsr_op_is(def, TSR_OP_SDY_MESH))
        return false;
    tsr_ctx *ctx = op->module->ctx;
    tsr_attr *params[] = {hlo_mesh(ctx, def->attrs[SDY_MESH_mesh]), groups->attrs[1]};
    op->attrs[slot] = tsr_attr_struct(ctx, &tsr_def_STABLEHLO_REPLICA_GROUP_MESH_AXES, params);
    op->module->verified = false;
    return true;
}

bool pass_sdy_inline_meshes(tsr_pass *p, tsr_op *root)
{
    p->changed = tsr_map_shardings(p->scratch, root, with_mesh, NULL);
    TSR_OPS (root, op)
        p->changed |= inline_replica_groups(op);
    for (tsr_op *op = root->regions[0].first->first, *next; op; op = next) {
        next = op->next;
        if (!tsr_op_is(op, TSR_OP_SDY_MESH))
            continue;
        tsr_op_erase(op);
        p->changed = true;
    }
    return true;
}
