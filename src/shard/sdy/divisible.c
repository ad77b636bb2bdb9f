/* SPDX-License-Identifier: Apache-2.0 */
/* divisible.c - sdy-update-non-divisible-input-output-shardings: values that cross a boundary (arguments and results of
 * functions, calls and manual computations) are sharded evenly, so that they need no padding. Of a dimension's axes,
 * the longest prefix that divides the dimension is kept. */
#include "dialect/sdy/axes.h"
#include "shard/core/each.h"
#include "shard/passes.h"

static int64_t gcd(int64_t a, int64_t b)
{
    while (b) {
        int64_t t = a % b;
        a = b;
        b = t;
    }
    return a;
}

static tsr_attr *even_axes(tsr_ctx *ctx, const tsr_sdy_mesh_axes *mesh, const tsr_attr *axes,
                           int64_t size)
{
    TSR_VEC(tsr_attr *) kept = {0};
    for (uint32_t i = 0; i < axes->n; i++) {
        tsr_attr *axis = axes->attrs[i];
        int64_t whole = tsr_sdy_axis_size(mesh, axis), part = gcd(whole, size);
        if (part == 1)
            break;
        if (part == whole) {
            tsr_vec_push(&kept, axis);
            size /= part;
            continue;
        }
        tsr_attr *sub = tsr_attr_struct(
            ctx, &tsr_def_SDY_SUB_AXIS_INFO,
            (tsr_attr *[]){tsr_attr_i64(ctx, tsr_sdy_axis_pre(axis)), tsr_attr_i64(ctx, part)});
        tsr_attr *params[] = {axis->attrs[SDY_AXIS_REF_name], sub};
        tsr_vec_push(&kept, tsr_attr_struct(ctx, &tsr_def_SDY_AXIS_REF, params));
        break; /* an axis after a cut one would make shards strided */
    }
    tsr_attr *list = tsr_attr_array(ctx, kept.data, kept.n);
    tsr_vec_free(&kept);
    return list;
}

static tsr_attr *even(tsr_op *op, tsr_attr *sharding, const tsr_type *type)
{
    tsr_ctx *ctx = op->module->ctx;
    const tsr_attr *old = tsr_sdy_dims(sharding), *mesh = tsr_sdy_mesh_of(op, sharding);
    if (!mesh || !tsr_type_is(type, TSR_TYPE_TENSOR) || !tsr_type_has_static_shape(type) ||
        type->n != old->n)
        return sharding;
    tsr_sdy_mesh_axes axes;
    tsr_sdy_mesh_axes_init(&axes, ctx, mesh);
    TSR_VEC(tsr_attr *) dims = {0};
    bool changed = false;
    for (uint32_t i = 0; i < old->n; i++) {
        tsr_attr *dim = old->attrs[i], *list = dim->attrs[SDY_DIMENSION_SHARDING_axes];
        int64_t parts = tsr_sdy_sharded_size(&axes, list);
        if (parts && type->dims[i] % parts) {
            tsr_attr *params[] = {even_axes(ctx, &axes, list, type->dims[i]),
                                  dim->attrs[SDY_DIMENSION_SHARDING_is_closed], NULL};
            dim = tsr_attr_struct(ctx, &tsr_def_SDY_DIMENSION_SHARDING, params);
            changed = true;
        }
        tsr_vec_push(&dims, dim);
    }
    if (changed) {
        tsr_attr *params[5];
        memcpy(params, sharding->attrs, sizeof params);
        params[SDY_SHARDING_dims] = tsr_attr_array(ctx, dims.data, dims.n);
        sharding = tsr_attr_struct(ctx, &tsr_def_SDY_SHARDING, params);
    }
    tsr_vec_free(&dims);
    tsr_sdy_mesh_axes_free(&axes);
    return sharding;
}

static tsr_attr *even_function(tsr_op *func, tsr_str slot, tsr_type *const *types, uint32_t n)
{
    tsr_ctx *ctx = func->module->ctx;
    tsr_attr *old = tsr_op_attr(func, slot);
    if (!tsr_attr_is(old, TSR_ATTR_ARRAY))
        return old;
    const tsr_name *name = tsr_name_get(ctx, TSR_STR("sdy.sharding"));
    TSR_VEC(tsr_attr *) dicts = {0};
    for (uint32_t i = 0; i < old->n; i++) {
        tsr_attr *dict = old->attrs[i];
        tsr_attr *s = tsr_attr_is(dict, TSR_ATTR_DICT) ? tsr_dict_get(dict, name->str) : NULL;
        tsr_attr *to = tsr_sdy_is_sharding(s) && i < n ? even(func, s, types[i]) : s;
        tsr_vec_push(&dicts, to == s ? dict : tsr_dict_with(ctx, dict, name, to));
    }
    tsr_attr *new = tsr_attr_array(ctx, dicts.data, dicts.n);
    tsr_vec_free(&dicts);
    return new;
}

/* For the operands (in) or results of op. */
static tsr_attr *even_values(tsr_op *op, tsr_attr *per_value, bool in)
{
    if (!tsr_attr_is_struct(per_value, &tsr_def_SDY_SHARDING_PER_VALUE))
        return per_value;
    tsr_ctx *ctx = op->module->ctx;
    const tsr_attr *old = per_value->attrs[0];
    TSR_VEC(tsr_attr *) new = {0};
    for (uint32_t i = 0; i < old->n; i++) {
        const tsr_value *v =
            i < (in ? op->nin : op->nout) ? (in ? op->in[i].value : &op->out[i]) : NULL;
        tsr_vec_push(&new, v ? even(op, old->attrs[i], v->type) : old->attrs[i]);
    }
    tsr_attr *array = tsr_attr_array(ctx, new.data, new.n);
    tsr_vec_free(&new);
    return tsr_attr_struct(ctx, &tsr_def_SDY_SHARDING_PER_VALUE, &array);
}

/* Manual axes come first and divide, so they are kept. */
static bool even_manual(tsr_op *op)
{
    tsr_attr **in = &op->attrs[SDY_MANUAL_COMPUTATION_in_shardings];
    tsr_attr **out = &op->attrs[SDY_MANUAL_COMPUTATION_out_shardings];
    const tsr_attr *old_in = *in, *old_out = *out;
    *in = even_values(op, *in, true);
    *out = even_values(op, *out, false);
    return *in != old_in || *out != old_out;
}

bool pass_sdy_update_non_divisible_input_output_shardings(tsr_pass *p, tsr_op *root)
{
    TSR_BLOCK_OPS (root->regions[0].first, func) {
        const tsr_attr *type = tsr_op_has(func, TSR_TRAIT(FUNCTION))
                                   ? tsr_op_attr(func, TSR_STR("function_type"))
                                   : NULL;
        if (!tsr_attr_is(type, TSR_ATTR_TYPE) || type->type->kind != TSR_TYPE_FUNCTION)
            continue;
        tsr_type *const *types = type->type->types;
        const tsr_str slots[] = {TSR_STR("arg_attrs"), TSR_STR("res_attrs")};
        for (int i = 0; i < 2; i++) {
            tsr_attr *new = even_function(func, slots[i], types + (i ? type->type->n : 0),
                                          i ? type->type->nout : type->type->n);
            if (new == tsr_op_attr(func, slots[i]))
                continue;
            tsr_op_set_attr(func, slots[i], new);
            p->changed = true;
        }
    }
    TSR_OPS (root, op) {
        if (tsr_op_is(op, TSR_OP_SDY_MANUAL_COMPUTATION))
            p->changed |= even_manual(op);
        tsr_attr *all = tsr_op_has(op, TSR_TRAIT(CALL))
                            ? tsr_dict_get(op->extra, TSR_STR("sdy.sharding"))
                            : NULL;
        tsr_attr *new = all ? even_values(op, all, false) : NULL;
        if (new == all)
            continue;
        tsr_op_set_attr(op, TSR_STR("sdy.sharding"), new);
        p->changed = true;
    }
    return true;
}
