/* SPDX-License-Identifier: Apache-2.0 */
/* values.c - where the sharding of a value is stored, for reading and setting it.
 *
 * A sharding is in a slot of the op (sdy's own ops), in lists of a computation's arguments and results, in the
 * attributes of a function's arguments and results, or in the op's discardable sdy.sharding. Values that flow through
 * an op's regions share one place: the owner of the edge, or the sdy.data_flow_edge after it. */
#include "dialect/sdy/sharding.h"

static const tsr_str SHARDING = {"sdy.sharding", 12};

static tsr_op *owner_of(const tsr_value *v)
{
    return v->is_arg ? tsr_block_parent(v->block) : v->op;
}

tsr_value *tsr_sdy_edge_owner(const tsr_value *target)
{
    const tsr_op *op = owner_of(target);
    tsr_flow_kind flow = op ? tsr_sdy_flow_of(op) : TSR_FLOW_NONE;
    if (flow == TSR_FLOW_NONE)
        return NULL;
    if (!target->is_arg || flow == TSR_FLOW_BODY)
        return (tsr_value *)target;
    return flow == TSR_FLOW_LOOP && target->index < op->nout ? &op->out[target->index] : NULL;
}

tsr_op *tsr_sdy_edge_behind(const tsr_value *owner)
{
    const tsr_use *use = owner ? owner->uses : NULL;
    if (!use || use->next || !tsr_op_is(use->user, TSR_OP_SDY_DATA_FLOW_EDGE) || !use->user->nout)
        return NULL;
    return use->user;
}

tsr_value *tsr_sdy_shardable(const tsr_value *v)
{
    const tsr_op *op = owner_of(v);
    if (!op)
        return NULL;
    if (tsr_sdy_is_data_flow(op)) {
        tsr_value *owner = tsr_sdy_edge_owner(v);
        tsr_op *edge = tsr_sdy_edge_behind(owner);
        return edge ? &edge->out[0] : owner;
    }
    if (!v->is_arg || tsr_op_has(op, TSR_TRAIT(FUNCTION)))
        return (tsr_value *)v;
    if (tsr_op_is(op, TSR_OP_STABLEHLO_ASYNC_START) && v->index < op->nin)
        return op->in[v->index].value;
    return NULL;
}

/* The slot of ops with one sharding, that of their result; -1: other ops. */
static int own_slot(const tsr_op *op)
{
    return tsr_kinds_of(op).sharding - 1;
}

/* The slot of a computation's list of shardings of arguments or results; -1: other ops. */
static int list_slot(const tsr_op *op, bool args)
{
    switch (op->def->opcode) {
    case TSR_OP_SDY_MANUAL_COMPUTATION:
        return args ? SDY_MANUAL_COMPUTATION_in_shardings : SDY_MANUAL_COMPUTATION_out_shardings;
    case TSR_OP_SDY_NAMED_COMPUTATION:
        return args ? SDY_NAMED_COMPUTATION_in_shardings : SDY_NAMED_COMPUTATION_out_shardings;
    default: return -1;
    }
}

const tsr_attr *tsr_sdy_manual_axes(const tsr_op *op)
{
    if (!tsr_op_is(op, TSR_OP_SDY_MANUAL_COMPUTATION))
        return NULL;
    const tsr_attr *manual = op->attrs[SDY_MANUAL_COMPUTATION_manual_axes];
    return tsr_attr_is_struct(manual, &tsr_def_SDY_MANUAL_AXES) ? manual->attrs[0] : NULL;
}

static tsr_attr *per_value_at(const tsr_attr *per_value, uint32_t i)
{
    if (!tsr_attr_is_struct(per_value, &tsr_def_SDY_SHARDING_PER_VALUE) ||
        i >= per_value->attrs[0]->n)
        return NULL;
    return per_value->attrs[0]->attrs[i];
}

tsr_attr *tsr_sdy_shardings_of(const tsr_op *op)
{
    int slot = list_slot(op, false);
    tsr_attr *a = slot >= 0 ? op->attrs[slot] : tsr_dict_get(op->extra, SHARDING);
    return tsr_attr_is_struct(a, &tsr_def_SDY_SHARDING_PER_VALUE) ? a->attrs[0] : NULL;
}

tsr_attr *tsr_sdy_list_sharding(const tsr_op *op, bool args, uint32_t i)
{
    int slot = list_slot(op, args);
    return slot >= 0 ? per_value_at(op->attrs[slot], i) : NULL;
}

/* ---- Functions ---- */

static const tsr_attr *func_dicts(const tsr_op *func, bool args)
{
    const tsr_attr *all = tsr_op_attr(func, args ? TSR_STR("arg_attrs") : TSR_STR("res_attrs"));
    return tsr_attr_is(all, TSR_ATTR_ARRAY) ? all : NULL;
}

static tsr_attr *func_sharding(const tsr_op *func, bool args, uint32_t i)
{
    const tsr_attr *all = func_dicts(func, args);
    if (!all || i >= all->n || !tsr_attr_is(all->attrs[i], TSR_ATTR_DICT))
        return NULL;
    tsr_attr *s = tsr_dict_get(all->attrs[i], SHARDING);
    return tsr_sdy_is_sharding(s) ? s : NULL;
}

tsr_attr *tsr_sdy_arg_sharding(const tsr_op *func, uint32_t i)
{
    return func_sharding(func, true, i);
}

tsr_attr *tsr_sdy_result_sharding(const tsr_op *func, uint32_t i)
{
    return func_sharding(func, false, i);
}

static const tsr_type *func_type(const tsr_op *func)
{
    const tsr_attr *t = tsr_op_attr(func, TSR_STR("function_type"));
    return tsr_attr_is(t, TSR_ATTR_TYPE) && tsr_type_is(t->type, TSR_TYPE_FUNCTION) ? t->type
                                                                                    : NULL;
}

void tsr_sdy_set_func_attr(tsr_op *func, bool args, tsr_str name, tsr_attr *const *values)
{
    tsr_ctx *ctx = func->module->ctx;
    const tsr_type *type = func_type(func);
    if (!type)
        return;
    uint32_t n = args ? type->n : type->nout;
    const tsr_attr *all = func_dicts(func, args);
    const tsr_name *key = tsr_name_get(ctx, name);
    tsr_attr *none = tsr_attr_dict(ctx, NULL, 0);
    tsr_attr **dicts = tsr_xmalloc((n + 1) * sizeof *dicts);
    bool some = false;
    for (uint32_t i = 0; i < n; i++) {
        tsr_attr *dict = all && i < all->n ? all->attrs[i] : NULL;
        dict = tsr_dict_with(ctx, tsr_attr_is(dict, TSR_ATTR_DICT) ? dict : NULL, key, values[i]);
        some |= dict != NULL;
        dicts[i] = dict ? dict : none;
    }
    tsr_op_set_attr(func, args ? TSR_STR("arg_attrs") : TSR_STR("res_attrs"),
                    some ? tsr_attr_array(ctx, dicts, n) : NULL);
    tsr_free(dicts);
}

static void set_func_sharding(tsr_op *func, bool args, uint32_t at, tsr_attr *sharding)
{
    const tsr_type *type = func_type(func);
    uint32_t n = !type ? 0 : args ? type->n : type->nout;
    if (at >= n)
        return;
    tsr_attr **all = tsr_xmalloc(n * sizeof *all);
    for (uint32_t i = 0; i < n; i++)
        all[i] = i == at ? sharding : func_sharding(func, args, i);
    tsr_sdy_set_func_attr(func, args, SHARDING, all);
    tsr_free(all);
}

void tsr_sdy_set_result_sharding(tsr_op *func, uint32_t i, tsr_attr *sharding)
{
    set_func_sharding(func, false, i, sharding);
}

void tsr_sdy_set_arg_shardings(tsr_op *func, tsr_attr *const *shardings)
{
    tsr_sdy_set_func_attr(func, true, SHARDING, shardings);
}

void tsr_sdy_set_result_shardings(tsr_op *func, tsr_attr *const *shardings)
{
    tsr_sdy_set_func_attr(func, false, SHARDING, shardings);
}

/* ---- Reading ---- */

static tsr_attr *written_for(const tsr_value *v)
{
    const tsr_op *op = owner_of(v);
    if (!op)
        return NULL;
    int slot = own_slot(op);
    if (slot >= 0)
        return v->is_arg ? NULL : op->attrs[slot];
    slot = list_slot(op, v->is_arg);
    if (slot >= 0) {
        tsr_attr *s = per_value_at(op->attrs[slot], v->index);
        const tsr_attr *manual = s && v->is_arg ? tsr_sdy_manual_axes(op) : NULL;
        return manual ? tsr_sdy_without_axes(op->module->ctx, s, manual) : s;
    }
    if (v->is_arg)
        return tsr_op_has(op, TSR_TRAIT(FUNCTION)) ? func_sharding(op, true, v->index) : NULL;
    return per_value_at(tsr_dict_get(op->extra, SHARDING), v->index);
}

tsr_attr *tsr_sdy_sharding_of(const tsr_value *v)
{
    v = tsr_sdy_shardable(v);
    tsr_attr *s = v ? written_for(v) : NULL;
    return tsr_sdy_is_sharding(s) ? s : NULL;
}

int64_t tsr_sdy_rank(const tsr_type *t)
{
    return tsr_type_is_shaped(t) && t->kind != TSR_TYPE_UNRANKED_TENSOR &&
                   t->kind != TSR_TYPE_UNRANKED_MEMREF
               ? t->n
               : 0;
}

tsr_attr *tsr_sdy_sharding_or(const tsr_value *v, tsr_attr *mesh, bool closed)
{
    tsr_attr *s = tsr_sdy_sharding_of(v);
    if (s)
        return s;
    return (closed ? tsr_sdy_replicated : tsr_sdy_open)(v->type->ctx, mesh, tsr_sdy_rank(v->type));
}

/* ---- Setting ---- */

static void set_slot(tsr_op *op, int slot, tsr_attr *value)
{
    op->attrs[slot] = value;
    op->module->verified = false;
}

void tsr_sdy_set_shardings(tsr_op *op, tsr_attr *const *shardings, uint32_t n)
{
    tsr_sdy_set_list(op, shardings ? tsr_sdy_per_value(op->module->ctx, shardings, n) : NULL);
}

void tsr_sdy_set_list(tsr_op *op, tsr_attr *list)
{
    int slot = list_slot(op, false);
    if (slot >= 0)
        set_slot(op, slot, list);
    else
        tsr_op_set_attr(op, SHARDING, list);
}

bool tsr_sdy_has_list(const tsr_op *op)
{
    return own_slot(op) < 0;
}

void tsr_sdy_set_arg_list(tsr_op *op, tsr_attr *const *shardings, uint32_t n)
{
    int slot = list_slot(op, true);
    if (slot >= 0)
        set_slot(op, slot, tsr_sdy_per_value(op->module->ctx, shardings, n));
}

tsr_attr *tsr_sdy_with_free_axes(tsr_ctx *ctx, const tsr_attr *outer, tsr_attr *sharding,
                                 const tsr_attr *manual)
{
    const tsr_attr *dims = tsr_sdy_dims(sharding);
    tsr_attr **all = tsr_xmalloc((dims->n + 1) * sizeof *all);
    TSR_VEC(tsr_attr *) axes = {0};
    for (uint32_t i = 0; i < dims->n; i++) {
        tsr_attr *const *d = dims->attrs[i]->attrs;
        axes.n = 0;
        const tsr_attr *old = i < tsr_sdy_dims(outer)->n ? tsr_sdy_dim_axes(outer, i) : NULL;
        for (uint32_t k = 0; old && k < old->n; k++) {
            if (!tsr_sdy_has_name(manual, old->attrs[k]->attrs[SDY_AXIS_REF_name]))
                break;
            tsr_vec_push(&axes, old->attrs[k]);
        }
        const tsr_attr *more = d[SDY_DIMENSION_SHARDING_axes];
        for (uint32_t k = 0; k < more->n; k++)
            tsr_vec_push(&axes, more->attrs[k]);
        all[i] =
            tsr_sdy_dim(ctx, tsr_attr_array(ctx, axes.data, axes.n),
                        d[SDY_DIMENSION_SHARDING_is_closed], d[SDY_DIMENSION_SHARDING_priority]);
    }
    tsr_attr *result =
        tsr_sdy_make(ctx, sharding->attrs[SDY_SHARDING_mesh], tsr_attr_array(ctx, all, dims->n),
                     outer->attrs[SDY_SHARDING_replicated], outer->attrs[SDY_SHARDING_unreduced],
                     outer->attrs[SDY_SHARDING_reduction]);
    tsr_vec_free(&axes);
    tsr_free(all);
    return result;
}

/* Sets element at of n in list old (may be NULL): the others get open shardings of its mesh. */
static tsr_attr *list_with(tsr_ctx *ctx, const tsr_attr *old, uint32_t n, uint32_t at,
                           tsr_attr *sharding, tsr_value *(*value)(const tsr_op *op, uint32_t i),
                           const tsr_op *op)
{
    const tsr_attr *have =
        tsr_attr_is_struct(old, &tsr_def_SDY_SHARDING_PER_VALUE) ? old->attrs[0] : NULL;
    tsr_attr **all = tsr_xmalloc((n + 1) * sizeof *all);
    for (uint32_t i = 0; i < n; i++)
        all[i] = i == at               ? sharding
                 : have && i < have->n ? have->attrs[i]
                                       : tsr_sdy_open(ctx, sharding->attrs[SDY_SHARDING_mesh],
                                                      tsr_sdy_rank(value(op, i)->type));
    tsr_attr *list = tsr_sdy_per_value(ctx, all, n);
    tsr_free(all);
    return list;
}

static tsr_value *nth_result(const tsr_op *op, uint32_t i)
{
    return &op->out[i];
}

static tsr_value *nth_arg(const tsr_op *op, uint32_t i)
{
    return op->regions[0].first->args[i];
}

void tsr_sdy_set_sharding(tsr_value *v, tsr_attr *sharding)
{
    v = tsr_sdy_shardable(v);
    tsr_op *op = v ? owner_of(v) : NULL;
    if (!op)
        return;
    tsr_ctx *ctx = op->module->ctx;
    int slot = own_slot(op);
    if (slot >= 0) {
        set_slot(op, slot, sharding);
        return;
    }
    if (v->is_arg && tsr_op_has(op, TSR_TRAIT(FUNCTION))) {
        set_func_sharding(op, true, v->index, sharding);
        return;
    }
    slot = list_slot(op, v->is_arg);
    if (slot < 0 && v->is_arg)
        return;
    if (slot < 0 && op->nout == 1) { /* most ops */
        tsr_sdy_set_shardings(op, sharding ? &sharding : NULL, 1);
        return;
    }
    if (!sharding) { /* lists have no holes */
        if (slot >= 0)
            set_slot(op, slot, NULL);
        else
            tsr_op_set_attr(op, SHARDING, NULL);
        return;
    }
    tsr_attr *old = slot >= 0 ? op->attrs[slot] : tsr_dict_get(op->extra, SHARDING);
    const tsr_attr *manual = v->is_arg ? tsr_sdy_manual_axes(op) : NULL;
    tsr_attr *outer = manual ? per_value_at(old, v->index) : NULL;
    if (outer)
        sharding = tsr_sdy_with_free_axes(ctx, outer, sharding, manual);
    tsr_attr *all = list_with(ctx, old, v->is_arg ? v->block->nargs : op->nout, v->index, sharding,
                              v->is_arg ? nth_arg : nth_result, op);
    if (slot >= 0)
        set_slot(op, slot, all);
    else
        tsr_op_set_attr(op, SHARDING, all);
}
