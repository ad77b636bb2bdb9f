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
    if (!def || !tsr_op_is(def, TSR_OP_SDY_MESH))
        return NULL;
    mesh = def->attrs[SDY_MESH_mesh];
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

bool tsr_sdy_is_replicated(const tsr_attr *sharding)
{
    const tsr_attr *dims = tsr_sdy_dims(sharding);
    for (uint32_t i = 0; i < dims->n; i++)
        if (tsr_sdy_dim_axes(sharding, i)->n)
            return false;
    return true;
}

static tsr_attr *make(tsr_ctx *ctx, tsr_attr *mesh, tsr_attr *dims, tsr_attr *replicated,
                      tsr_attr *unreduced, tsr_attr *reduction)
{
    return tsr_attr_struct(ctx, &tsr_def_SDY_SHARDING,
                           (tsr_attr *[]){mesh, dims, replicated, unreduced, reduction});
}

tsr_attr *tsr_sdy_replicated(tsr_ctx *ctx, tsr_attr *mesh, int64_t rank)
{
    tsr_attr *none = tsr_attr_array(ctx, NULL, 0);
    tsr_attr *dim = tsr_attr_struct(ctx, &tsr_def_SDY_DIMENSION_SHARDING,
                                    (tsr_attr *[]){none, tsr_attr_bool(ctx, true), NULL});
    TSR_VEC(tsr_attr *) dims = {0};
    for (int64_t i = 0; i < rank; i++)
        tsr_vec_push(&dims, dim);
    tsr_attr *all = tsr_attr_array(ctx, dims.data, dims.n);
    tsr_vec_free(&dims);
    return make(ctx, mesh, all, none, none, tsr_attr_i64(ctx, TSR_SDY_SUM));
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
    return make(ctx, sharding->attrs[SDY_SHARDING_mesh], all, replicated, unreduced,
                sharding->attrs[SDY_SHARDING_reduction]);
}

/* ---- Values ---- */

static tsr_op *owner_of(const tsr_value *v)
{
    return v->is_arg ? tsr_block_parent(v->block) : v->op;
}

tsr_loc tsr_value_loc(const tsr_value *v)
{
    return v->is_arg ? v->block->arg_locs[v->index] : v->op->loc;
}

bool tsr_sdy_is_data_flow(const tsr_op *op)
{
    switch (op->def->opcode) {
    case TSR_OP_SDY_MANUAL_COMPUTATION:
    case TSR_OP_SDY_NAMED_COMPUTATION:
    case TSR_OP_STABLEHLO_WHILE:
    case TSR_OP_STABLEHLO_CASE:
    case TSR_OP_STABLEHLO_OPTIMIZATION_BARRIER: return true;
    default: return false;
    }
}

/* The value that holds the sharding of what flows into v; NULL when there is no such place. */
static const tsr_value *edge_owner(const tsr_op *op, const tsr_value *v)
{
    if (!v->is_arg)
        return v;
    switch (op->def->opcode) {
    case TSR_OP_SDY_MANUAL_COMPUTATION:
    case TSR_OP_SDY_NAMED_COMPUTATION: return v;
    case TSR_OP_STABLEHLO_WHILE: return v->index < op->nout ? &op->out[v->index] : NULL;
    default: return NULL;
    }
}

static const tsr_value *shardable(const tsr_value *v)
{
    const tsr_op *op = owner_of(v);
    if (!op)
        return NULL;
    if (tsr_sdy_is_data_flow(op)) {
        const tsr_value *at = edge_owner(op, v);
        const tsr_use *use = at ? at->uses : NULL;
        if (use && !use->next && tsr_op_is(use->user, TSR_OP_SDY_DATA_FLOW_EDGE) && use->user->nout)
            return &use->user->out[0];
        return at;
    }
    if (!v->is_arg || tsr_op_has(op, TSR_TRAIT(FUNCTION)))
        return v;
    if (tsr_op_is(op, TSR_OP_STABLEHLO_ASYNC_START) && v->index < op->nin)
        return op->in[v->index].value;
    return NULL;
}

static tsr_attr *per_value_at(const tsr_attr *per_value, uint32_t i)
{
    if (!tsr_attr_is_struct(per_value, &tsr_def_SDY_SHARDING_PER_VALUE) ||
        i >= per_value->attrs[0]->n)
        return NULL;
    return per_value->attrs[0]->attrs[i];
}

static tsr_attr *arg_sharding(const tsr_op *func, uint32_t i)
{
    const tsr_attr *all = tsr_op_attr(func, TSR_STR("arg_attrs"));
    if (!tsr_attr_is(all, TSR_ATTR_ARRAY) || i >= all->n ||
        !tsr_attr_is(all->attrs[i], TSR_ATTR_DICT))
        return NULL;
    return tsr_dict_get(all->attrs[i], TSR_STR("sdy.sharding"));
}

static tsr_attr *written_for(const tsr_value *v)
{
    const tsr_op *op = owner_of(v);
    if (!op)
        return NULL;
    switch (op->def->opcode) {
    case TSR_OP_SDY_DATA_FLOW_EDGE: return op->attrs[SDY_DATA_FLOW_EDGE_sharding];
    case TSR_OP_SDY_SHARDING_CONSTRAINT: return op->attrs[SDY_SHARDING_CONSTRAINT_sharding];
    case TSR_OP_SDY_RESHARD: return op->attrs[SDY_RESHARD_sharding];
    case TSR_OP_SDY_ALL_GATHER: return op->attrs[SDY_ALL_GATHER_out_sharding];
    case TSR_OP_SDY_ALL_SLICE: return op->attrs[SDY_ALL_SLICE_out_sharding];
    case TSR_OP_SDY_ALL_TO_ALL: return op->attrs[SDY_ALL_TO_ALL_out_sharding];
    case TSR_OP_SDY_COLLECTIVE_PERMUTE: return op->attrs[SDY_COLLECTIVE_PERMUTE_out_sharding];
    case TSR_OP_SDY_ALL_REDUCE: return op->attrs[SDY_ALL_REDUCE_out_sharding];
    case TSR_OP_SDY_REDUCE_SCATTER: return op->attrs[SDY_REDUCE_SCATTER_out_sharding];
    case TSR_OP_SDY_SHARDED_TO_UNREDUCED: return op->attrs[SDY_SHARDED_TO_UNREDUCED_out_sharding];
    case TSR_OP_SDY_REPLICATED_TO_UNREDUCED:
        return op->attrs[SDY_REPLICATED_TO_UNREDUCED_out_sharding];
    case TSR_OP_SDY_NAMED_COMPUTATION:
        return per_value_at(op->attrs[v->is_arg ? SDY_NAMED_COMPUTATION_in_shardings
                                                : SDY_NAMED_COMPUTATION_out_shardings],
                            v->index);
    case TSR_OP_SDY_MANUAL_COMPUTATION: {
        const tsr_attr *manual = op->attrs[SDY_MANUAL_COMPUTATION_manual_axes];
        tsr_attr *s = per_value_at(op->attrs[v->is_arg ? SDY_MANUAL_COMPUTATION_in_shardings
                                                       : SDY_MANUAL_COMPUTATION_out_shardings],
                                   v->index);
        if (!s || !v->is_arg || !tsr_attr_is_struct(manual, &tsr_def_SDY_MANUAL_AXES))
            return s;
        return tsr_sdy_without_axes(op->module->ctx, s, manual->attrs[0]);
    }
    default: break;
    }
    if (v->is_arg)
        return tsr_op_has(op, TSR_TRAIT(FUNCTION)) ? arg_sharding(op, v->index) : NULL;
    return per_value_at(tsr_dict_get(op->extra, TSR_STR("sdy.sharding")), v->index);
}

tsr_attr *tsr_sdy_sharding_of(const tsr_value *v)
{
    v = shardable(v);
    tsr_attr *s = v ? written_for(v) : NULL;
    return tsr_sdy_is_sharding(s) ? s : NULL;
}
