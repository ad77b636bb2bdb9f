/* SPDX-License-Identifier: Apache-2.0 */
/* verify.c - rules of shardings: axes against their mesh, a sharding against its value's type, and the dialect's
 * discardable attributes on any op. */
#include "dialect/sdy/verify.h"

#include "dialect/hooks.h"

bool sdy_error(const sdy_at *at, const char *fmt, ...)
{
    tsr_buf text = {0};
    va_list args;
    if (at->index == SDY_AT_ALL)
        tsr_buf_printf(&text, "%s ", at->what);
    else if (at->index == SDY_AT_ONLY)
        tsr_buf_printf(&text, "%s - ", at->what);
    else if (at->index >= 0)
        tsr_buf_printf(&text, "%s %lld - ", at->what, (long long)at->index);
    va_start(args, fmt);
    tsr_buf_vprintf(&text, fmt, args);
    va_end(args);
    tsr_op_error(at->op, "%.*s", TSR_STR_ARG(tsr_buf_text(&text)));
    tsr_buf_free(&text);
    return false;
}

/* before + axis (+ ", " + other) */
static bool axis_error(const sdy_at *at, const char *before, const tsr_attr *axis,
                       const tsr_attr *other)
{
    tsr_buf text = {0};
    tsr_buf_cstr(&text, before);
    tsr_sdy_axis_print(&text, axis);
    if (other) {
        tsr_buf_cstr(&text, ", ");
        tsr_sdy_axis_print(&text, other);
    }
    sdy_error(at, "%.*s", TSR_STR_ARG(tsr_buf_text(&text)));
    tsr_buf_free(&text);
    return false;
}

/* ---- Axes ---- */

void sdy_axis_check_init(sdy_axis_check *c, tsr_ctx *ctx, const tsr_attr *mesh)
{
    *c = (sdy_axis_check){.subs = {0}};
    tsr_sdy_mesh_axes_init(&c->mesh, ctx, mesh);
}

void sdy_axis_check_free(sdy_axis_check *c)
{
    tsr_sdy_mesh_axes_free(&c->mesh);
    tsr_ptr_set_free(&c->seen);
    tsr_vec_free(&c->subs);
}

bool sdy_check_axes(const sdy_at *at, sdy_axis_check *c, const tsr_attr *axes)
{
    const tsr_attr *last = NULL;
    for (uint32_t i = 0; i < axes->n; last = axes->attrs[i++]) {
        tsr_attr *axis = axes->attrs[i];
        const tsr_attr *name = tsr_sdy_axis_name(axis);
        if (tsr_sdy_axis_index(&c->mesh, name) == c->mesh.mesh->attrs[SDY_MESH_axes]->n)
            return sdy_error(at, "unknown axis name: \"%.*s\"", TSR_STR_ARG(name->s));
        if (!tsr_ptr_set_add(&c->seen, axis))
            return axis_error(at, "duplicate axis ref: ", axis, NULL);
        if (tsr_sdy_axis_is_full(axis))
            continue;
        tsr_vec_push(&c->subs, axis);
        if (last && tsr_sdy_axis_can_merge(last, axis))
            return axis_error(at, "two consecutive sub-axes can be merged: ", last, axis);
    }
    return true;
}

bool sdy_check_sorted_axes(const sdy_at *at, sdy_axis_check *c, const tsr_attr *axes,
                           const char *name)
{
    for (uint32_t i = 1; i < axes->n; i++)
        if (tsr_sdy_axis_less(&c->mesh, axes->attrs[i], axes->attrs[i - 1]))
            return sdy_error(at, "%s axes are not ordered w.r.t. mesh", name);
    return sdy_check_axes(at, c, axes);
}

/* One sub-axis; last: the previous one of the same axis, or NULL. */
static bool check_sub_axis(const sdy_at *at, sdy_axis_check *c, const tsr_attr *axis,
                           const tsr_attr *last)
{
    const tsr_attr *name = tsr_sdy_axis_name(axis);
    int64_t full = tsr_sdy_axis_full_size(&c->mesh, name), end = tsr_sdy_sub_axis_end(axis);
    int64_t size = tsr_sdy_axis_size(&c->mesh, axis);
    if (tsr_sdy_axis_pre(axis) < 1)
        return axis_error(at, "sub-axis pre-size must be at least 1: ", axis, NULL);
    if (size <= 1)
        return axis_error(at, "sub-axis sizes must be greater than 1: ", axis, NULL);
    if (full % end) {
        tsr_buf text = {0};
        tsr_buf_printf(
            &text, "sub-axis next pre-size %lld doesn't divide the size of the full axis %lld: ",
            (long long)end, (long long)full);
        tsr_buf_char(&text, 0);
        axis_error(at, text.data, axis, NULL);
        tsr_buf_free(&text);
        return false;
    }
    if (size == full)
        return axis_error(at, "sub-axis size is equal to the full axis size: ", axis, NULL);
    if (last && tsr_sdy_sub_axis_end(last) > tsr_sdy_axis_pre(axis))
        return axis_error(at, "overlapping sub-axes: ", last, axis);
    return true;
}

/* Checks that all sub-axes seen are valid parts of their axis and do not overlap. */
static bool check_sub_axes(const sdy_at *at, sdy_axis_check *c)
{
    tsr_sdy_axes_sort(&c->mesh, &c->subs);
    for (size_t i = 0; i < c->subs.n; i++) {
        const tsr_attr *axis = c->subs.data[i], *last = i ? c->subs.data[i - 1] : NULL;
        const tsr_attr *name = tsr_sdy_axis_name(axis);
        if (last && tsr_sdy_axis_name(last) != name)
            last = NULL;
        if (!last) {
            tsr_attr *params[] = {(tsr_attr *)name, NULL};
            if (tsr_ptr_set_has(&c->seen,
                                tsr_attr_struct(c->mesh.ctx, &tsr_def_SDY_AXIS_REF, params)))
                return sdy_error(at, "both sub-axis and full-axis are used for axis name: \"%.*s\"",
                                 TSR_STR_ARG(name->s));
        }
        TSR_TRY(check_sub_axis(at, c, axis, last));
    }
    return true;
}

/* ---- Manual axes ---- */

static const tsr_op *parent_manual(const tsr_op *op)
{
    op = tsr_block_parent(op->block);
    while (op && !tsr_op_is(op, TSR_OP_SDY_MANUAL_COMPUTATION))
        op = tsr_block_parent(op->block);
    return op;
}

const tsr_op *sdy_manual_owner(const tsr_op *op, const tsr_attr *name)
{
    const tsr_op *owner = NULL; /* the outermost one */
    for (const tsr_op *p = parent_manual(op); p; p = parent_manual(p)) {
        const tsr_attr *axes = p->attrs[SDY_MANUAL_COMPUTATION_manual_axes];
        if (!tsr_attr_is_struct(axes, &tsr_def_SDY_MANUAL_AXES))
            continue;
        for (uint32_t i = 0; i < axes->attrs[0]->n; i++)
            if (axes->attrs[0]->attrs[i] == name)
                owner = p;
    }
    return owner;
}

bool sdy_bound_error(const sdy_at *at, const tsr_attr *name, const tsr_op *owner)
{
    sdy_error(
        at,
        "operates on axis \"%.*s\" which is already bound by a parent sdy.manual_computation op",
        TSR_STR_ARG(name->s));
    tsr_note(owner->module->ctx, owner->loc, "parent bounding this axis as manual");
    return false;
}

static bool check_not_manual(const sdy_at *at, const tsr_attr *axes)
{
    for (uint32_t i = 0; i < axes->n; i++) {
        const tsr_attr *name = tsr_sdy_axis_name(axes->attrs[i]);
        const tsr_op *owner = sdy_manual_owner(at->op, name);
        if (owner)
            return sdy_bound_error(at, name, owner);
    }
    return true;
}

/* ---- Shardings ---- */

static bool has_axes_or_dims(const tsr_attr *sharding)
{
    return tsr_sdy_dims(sharding)->n || sharding->attrs[SDY_SHARDING_replicated]->n ||
           sharding->attrs[SDY_SHARDING_unreduced]->n;
}

static bool check_dimension(const sdy_at *at, sdy_axis_check *c, const tsr_attr *dim, uint32_t i)
{
    const tsr_attr *priority = dim->attrs[SDY_DIMENSION_SHARDING_priority];
    const tsr_attr *axes = dim->attrs[SDY_DIMENSION_SHARDING_axes];
    if (priority && priority->i < 0)
        return sdy_error(at, "dim %u has a negative priority", i);
    if (priority && dim->attrs[SDY_DIMENSION_SHARDING_is_closed]->i && !axes->n)
        return sdy_error(at, "dim %u is empty and closed but has a priority", i);
    return sdy_check_axes(at, c, axes);
}

/* All axes of a sharding whose rank is right. */
static bool check_all_axes(const sdy_at *at, sdy_axis_check *c, const tsr_attr *sharding)
{
    const tsr_attr *dims = tsr_sdy_dims(sharding);
    for (uint32_t i = 0; i < dims->n; i++)
        TSR_TRY(check_dimension(at, c, dims->attrs[i], i));
    TSR_TRY(sdy_check_sorted_axes(at, c, sharding->attrs[SDY_SHARDING_replicated], "replicated"));
    TSR_TRY(sdy_check_sorted_axes(at, c, sharding->attrs[SDY_SHARDING_unreduced], "unreduced"));
    TSR_TRY(check_sub_axes(at, c));
    if (!parent_manual(at->op))
        return true;
    for (uint32_t i = 0; i < dims->n; i++)
        TSR_TRY(check_not_manual(at, tsr_sdy_dim_axes(sharding, i)));
    return check_not_manual(at, sharding->attrs[SDY_SHARDING_replicated]) &&
           check_not_manual(at, sharding->attrs[SDY_SHARDING_unreduced]);
}

static bool type_error(const sdy_at *at, const char *message, const tsr_type *type)
{
    tsr_str text = tsr_type_print(type);
    sdy_error(at, "%s'%.*s'", message, TSR_STR_ARG(text));
    tsr_free((void *)text.data);
    return false;
}

bool sdy_rank_of(const tsr_type *type, uint32_t *rank, bool *fixed)
{
    bool stable = type->kind == TSR_TYPE_DIALECT && type->def == &tsr_def_VHLO_TENSOR_V1;
    *rank = stable ? (uint32_t)tsr_attr_count(type->params[0]) : type->n;
    *fixed = stable || (tsr_type_is_shaped(type) && tsr_type_has_static_shape(type));
    for (uint32_t i = 0; stable && i < *rank; i++)
        *fixed &= tsr_attr_int_at(type->params[0], i) != TSR_DYNAMIC;
    return stable || tsr_type_is_shaped(type);
}

static bool check_sharding(const sdy_at *at, const tsr_attr *sharding, const tsr_type *type)
{
    tsr_ctx *ctx = at->op->module->ctx;
    const tsr_attr *mesh = tsr_sdy_mesh_of(at->op, sharding);
    if (!mesh)
        return sdy_error(at, "unknown mesh: @%.*s",
                         TSR_STR_ARG(sharding->attrs[SDY_SHARDING_mesh]->s));
    if (tsr_sdy_mesh_is_maximal(mesh) || !type) {
        return !has_axes_or_dims(sharding) ||
               sdy_error(
                   at,
                   "a maximal sharding can only have a sharding with rank 0 and no replicated or "
                   "unreduced axes.");
    }
    if (type->kind == TSR_TYPE_TUPLE && type->n != 1)
        return type_error(at, "ops can only have a sharding for a tuple of size 1: ", type);
    const tsr_type *shaped = type->kind == TSR_TYPE_TUPLE ? type->types[0] : type;
    uint32_t rank;
    bool fixed;
    if (!sdy_rank_of(shaped, &rank, &fixed)) {
        if (!has_axes_or_dims(sharding))
            return true;
        tsr_buf text = {0};
        tsr_buf_cstr(&text,
                     "non-shaped tensors can only have a sharding with rank 0 and no replicated or "
                     "unreduced axes. type: '");
        if (ctx->print_type)
            ctx->print_type(&text, type);
        tsr_buf_cstr(&text, "', sharding: ");
        if (ctx->print_attr)
            ctx->print_attr(ctx, &text, sharding);
        sdy_error(at, "%.*s", TSR_STR_ARG(tsr_buf_text(&text)));
        tsr_buf_free(&text);
        return false;
    }
    if (shaped->kind == TSR_TYPE_UNRANKED_TENSOR || shaped->kind == TSR_TYPE_UNRANKED_MEMREF)
        return type_error(at, "only ranked tensors can have a sharding. type: ", type);
    if (tsr_sdy_dims(sharding)->n != rank)
        return sdy_error(at, "sharding doesn't match tensor rank: %u != %u",
                         tsr_sdy_dims(sharding)->n, rank);
    sdy_axis_check c;
    sdy_axis_check_init(&c, ctx, mesh);
    bool ok = check_all_axes(at, &c, sharding);
    sdy_axis_check_free(&c);
    return ok;
}

const tsr_type *sdy_operand_type(const tsr_op *op, uint32_t i)
{
    return op->in[i].value->type;
}

const tsr_type *sdy_result_type(const tsr_op *op, uint32_t i)
{
    return op->out[i].type;
}

bool sdy_check_sharding(const sdy_at *at, const tsr_attr *sharding, const tsr_type *type)
{
    tsr_symcache *cache = at->op->module->ctx->symcache;
    if (!cache || !cache->verifying)
        return check_sharding(at, sharding, type);
    const tsr_op *table = tsr_symbol_table_of(at->op);
    uint64_t hash = tsr_hash_mix(tsr_hash_ptr(sharding), tsr_hash_ptr(type));
    const void **fine = cache->fine[hash % TSR_COUNT(cache->fine)];
    if (fine[0] == sharding && fine[1] == type && fine[2] == table)
        return true;
    TSR_TRY(check_sharding(at, sharding, type));
    fine[0] = sharding, fine[1] = type, fine[2] = table;
    return true;
}

bool sdy_check_per_value(const tsr_op *op, const char *what, const tsr_attr *per_value, uint32_t n,
                         const tsr_type *(*type)(const tsr_op *op, uint32_t i))
{
    const tsr_attr *all = per_value->attrs[0];
    sdy_at at = {op, what, SDY_AT_ALL};
    if (!n && all->n == 1) {
        /* An op without results may still specify the device that it runs on. */
        const tsr_attr *mesh = tsr_sdy_mesh_of(op, all->attrs[0]);
        if ((mesh && tsr_sdy_mesh_is_maximal(mesh)) || tsr_sdy_is_replicated(all->attrs[0])) {
            at.index = 0;
            return sdy_check_sharding(&at, all->attrs[0], NULL);
        }
    }
    if (all->n != n)
        return sdy_error(&at, "shardings don't match number of values: %u shardings vs %u values",
                         all->n, n);
    for (uint32_t i = 0; i < n; i++) {
        at = sdy_at_value(op, what, n, i);
        TSR_TRY(sdy_check_sharding(&at, all->attrs[i], type(op, i)));
    }
    return true;
}

/* ---- Discardable attributes ---- */

static bool check_edge_lists(const tsr_op *op, const tsr_attr *a)
{
    bool ok = tsr_attr_is(a, TSR_ATTR_ARRAY);
    for (uint32_t i = 0; ok && i < a->n; i++)
        ok = tsr_attr_is_struct(a->attrs[i], &tsr_def_SDY_PROPAGATION_EDGES);
    return ok ||
           tsr_op_error(
               op,
               "should have a propagation edges attribute of type "
               "ArrayAttr<PropagationEdgesAttr> for attr named 'sdy.result_propagation_edges' or "
               "'sdy.block_arg_propagation_edges'");
}

static bool check_on_op(tsr_op *op, const tsr_named *attr)
{
    tsr_str name = attr->name->str;
    const tsr_attr *a = attr->value;
    if (tsr_str_is(name, "sdy.sharding"))
        return tsr_attr_is_struct(a, &tsr_def_SDY_SHARDING_PER_VALUE)
                   ? sdy_check_per_value(op, "result", a, op->nout, sdy_result_type)
                   : tsr_op_error(
                         op, "should have a sharding attribute of type TensorShardingPerValueAttr");
    if (tsr_str_is(name, "sdy.sharding_rule"))
        return tsr_attr_is_struct(a, &tsr_def_SDY_OP_SHARDING_RULE)
                   ? sdy_check_rule(op, a)
                   : tsr_op_error(op, "should have a sharding rule attribute of type "
                                      "OpShardingRuleAttr for attr "
                                      "named 'sdy.sharding_rule'");
    if (tsr_str_is(name, "sdy.propagation_edges"))
        return tsr_attr_is_struct(a, &tsr_def_SDY_PROPAGATION_EDGES)
                   ? sdy_check_edges(op, a)
                   : tsr_op_error(op, "should have a propagation edges attribute of type "
                                      "PropagationEdgesAttr for "
                                      "attr named 'sdy.propagation_edges'");
    if (tsr_str_is(name, "sdy.result_propagation_edges") ||
        tsr_str_is(name, "sdy.block_arg_propagation_edges"))
        return check_edge_lists(op, a);
    return true;
}

bool tsr_sdy_verify_attr(tsr_op *op, tsr_attr_site site, uint32_t index, const tsr_named *attr)
{
    if (site == TSR_SITE_OP)
        return check_on_op(op, attr);
    if (!tsr_op_is(op, TSR_OP_FUNC_FUNC) || !tsr_str_is(attr->name->str, "sdy.sharding"))
        return true;
    const tsr_type *type = op->attrs[FUNC_FUNC_function_type]->type;
    sdy_at at = {op, site == TSR_SITE_ARG ? "arg" : "result", (int64_t)index};
    if (!tsr_sdy_is_sharding(attr->value))
        return sdy_error(&at, "should have a sharding attribute of type TensorShardingAttr");
    return sdy_check_sharding(&at, attr->value,
                              type->types[site == TSR_SITE_ARG ? index : type->n + index]);
}
