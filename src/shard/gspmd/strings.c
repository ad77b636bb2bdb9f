/* SPDX-License-Identifier: Apache-2.0 */
/* strings.c - reads Shardy's shardings from strings, as XLA carries them through HLO and as jax.export wrote them for a
 * time: xla.sdy.* among the frontend attributes.
 *
 *   xla.sdy.meshes of the module, xla.sdy.sharding of arguments, @Sharding and other ops,
 *   xla.sdy.sharding_rule; @xla.sdy.FuncResultSharding; and for manual computations
 *   %l = @xla.sdy.GlobalToLocalShape(...), %r = call @body(%l) {xla.sdy.in_shardings,
 *   xla.sdy.out_shardings, xla.sdy.manual_axes}, @xla.sdy.LocalToGlobalShape(%r);
 *   @xla.sdy.PropagationBarrier {xla.sdy.allowed_direction = "2 : i32"} and
 *   @xla.sdy.ShardingGroup {xla.sdy.sharding_group_id = "21 : i64"}, with or without meshes. */
#include "shard/gspmd/import.h"
#include "shard/tt/xla.h"

static tsr_str string_at(const tsr_op *op, const char *name)
{
    const tsr_attr *all = op->extra ? tsr_dict_get(op->extra, TSR_GSPMD_FRONTEND) : NULL;
    const tsr_attr *s = tsr_attr_is(all, TSR_ATTR_DICT) ? tsr_dict_get(all, tsr_cstr(name)) : NULL;
    return tsr_attr_is(s, TSR_ATTR_STRING) ? s->s : (tsr_str){"", 0};
}

/* Removes a frontend attribute. */
static void drop(tsr_op *op, const char *name)
{
    tsr_ctx *ctx = op->module->ctx;
    tsr_attr *all = op->extra ? tsr_dict_get(op->extra, TSR_GSPMD_FRONTEND) : NULL;
    if (tsr_attr_is(all, TSR_ATTR_DICT) && tsr_dict_get(all, tsr_cstr(name)))
        tsr_op_set_attr(op, TSR_GSPMD_FRONTEND,
                        tsr_dict_with(ctx, all, tsr_name_get(ctx, tsr_cstr(name)), NULL));
}

/* Parses an attribute of this kind from a string of op; NULL after a diagnostic. */
static tsr_attr *read(tsr_op *op, const char *name, const tsr_attrdef *def)
{
    tsr_str text = string_at(op, name);
    tsr_attr *a = text.len ? tsr_attr_of_string(op, text) : NULL;
    if (tsr_attr_is_struct(a, def))
        return a;
    tsr_op_error(op, "has a string in %s that cannot be read: '%.*s'", name, TSR_STR_ARG(text));
    return NULL;
}

bool tsr_has_sdy_strings(tsr_op *root)
{
    return string_at(root, "xla.sdy.meshes").len > 0;
}

/* ---- Manual computations ---- */

/* The global value of a shard that is passed to a body. */
static tsr_value *whole_of(const tsr_value *v)
{
    bool cut = !v->is_arg && tsr_gspmd_is(v->op, "xla.sdy.GlobalToLocalShape");
    return cut && v->index < v->op->nin ? v->op->in[v->index].value : NULL;
}

/* The global value assembled from a result of a body; NULL: none. */
static tsr_value *put_together(const tsr_value *v)
{
    for (const tsr_use *u = v->uses; u; u = u->next) {
        size_t i = (size_t)(u - u->user->in);
        if (tsr_gspmd_is(u->user, "xla.sdy.LocalToGlobalShape") && i < u->user->nout)
            return &u->user->out[i];
    }
    return NULL;
}

/* Moves call into a body of op, on the shards that it was given. */
static tsr_block *put_inside(tsr_op *op, tsr_op *call)
{
    tsr_block *body = tsr_block_new(op->module);
    tsr_block_insert(body, &op->regions[0], NULL);
    tsr_op_remove(call);
    tsr_op_insert(call, body, NULL);
    for (uint32_t i = 0; i < call->nin; i++) {
        tsr_value *part = call->in[i].value;
        tsr_op_set_operand(call, i, tsr_block_add_arg(op->module, body, part->type, call->loc));
        if (!tsr_op_used(part->op))
            tsr_op_erase(part->op);
    }
    return body;
}

/* Sets a string of the call, unless it has one. */
static void add_string(tsr_op *call, const char *name, tsr_str text)
{
    tsr_ctx *ctx = call->module->ctx;
    tsr_attr *all = call->extra ? tsr_dict_get(call->extra, TSR_GSPMD_FRONTEND) : NULL;
    if (text.len && !string_at(call, name).len)
        tsr_op_set_attr(call, TSR_GSPMD_FRONTEND,
                        tsr_dict_with(ctx, tsr_attr_is(all, TSR_ATTR_DICT) ? all : NULL,
                                      tsr_name_get(ctx, tsr_cstr(name)),
                                      tsr_attr_string(ctx, text)));
}

/* Newer versions have the strings on the borders of a manual computation, not on the call between them. */
static void take_strings(tsr_op *call)
{
    static const tsr_str none = {"#sdy.sharding_per_value<[]>", 27};
    const tsr_op *before = call->nin && !call->in[0].value->is_arg ? call->in[0].value->op : NULL;
    const tsr_op *behind = call->nout && call->out[0].uses ? call->out[0].uses->user : NULL;
    if (before && !tsr_gspmd_is(before, "xla.sdy.GlobalToLocalShape"))
        before = NULL;
    if (behind && !tsr_gspmd_is(behind, "xla.sdy.LocalToGlobalShape"))
        behind = NULL;
    if (!before && !behind)
        return;
    add_string(call, "xla.sdy.manual_axes",
               string_at(before ? before : behind, "xla.sdy.manual_axes"));
    add_string(call, "xla.sdy.in_shardings",
               before ? string_at(before, "xla.sdy.in_shardings") : none);
    add_string(call, "xla.sdy.out_shardings",
               behind ? string_at(behind, "xla.sdy.out_shardings") : none);
}

static bool make_manual(tsr_pass *p, tsr_op *call)
{
    tsr_module *m = call->module;
    tsr_attr *in = read(call, "xla.sdy.in_shardings", &tsr_def_SDY_SHARDING_PER_VALUE);
    tsr_attr *out = read(call, "xla.sdy.out_shardings", &tsr_def_SDY_SHARDING_PER_VALUE);
    tsr_attr *axes = read(call, "xla.sdy.manual_axes", &tsr_def_SDY_MANUAL_AXES);
    tsr_value **values = TSR_NEW_ARRAY(p->scratch, tsr_value *, call->nin + call->nout + 1);
    tsr_type **types = TSR_NEW_ARRAY(p->scratch, tsr_type *, call->nout + 1);
    tsr_value **results = TSR_NEW_ARRAY(p->scratch, tsr_value *, call->nout + 1);
    if (!in || !out || !axes)
        return false;
    for (uint32_t i = 0; i < call->nin; i++) {
        values[i] = whole_of(call->in[i].value);
        if (!values[i])
            return tsr_op_error(call, "operand %u does not come out of @xla.sdy.GlobalToLocalShape",
                                i);
    }
    for (uint32_t i = 0; i < call->nout; i++) {
        results[i] = put_together(&call->out[i]);
        if (!results[i])
            return tsr_op_error(call, "result %u does not go into @xla.sdy.LocalToGlobalShape", i);
        types[i] = results[i]->type;
    }
    tsr_op *op = tsr_op_new(m, tsr_opdef_of(p->ctx, TSR_OP_SDY_MANUAL_COMPUTATION), call->loc,
                            values, call->nin, types, call->nout, 1, 0);
    op->attrs[SDY_MANUAL_COMPUTATION_in_shardings] = in;
    op->attrs[SDY_MANUAL_COMPUTATION_out_shardings] = out;
    op->attrs[SDY_MANUAL_COMPUTATION_manual_axes] = axes;
    tsr_op_insert(op, call->block, call);
    tsr_block *body = put_inside(op, call);
    for (uint32_t i = 0; i < call->nout; i++) {
        tsr_value_replace(results[i], &op->out[i]);
        values[i] = &call->out[i];
    }
    tsr_op *border = call->nout ? results[0]->op : NULL;
    if (border && !tsr_op_used(border))
        tsr_op_erase(border);
    tsr_op *end = tsr_op_new(m, tsr_opdef_of(p->ctx, TSR_OP_SDY_RETURN), call->loc, values,
                             call->nout, NULL, 0, 0, 0);
    tsr_op_insert(end, body, NULL);
    drop(call, "xla.sdy.in_shardings");
    drop(call, "xla.sdy.out_shardings");
    drop(call, "xla.sdy.manual_axes");
    return true;
}

/* ---- Ops ---- */

static bool import_op(tsr_pass *p, tsr_op *op)
{
    if (tsr_op_is(op, TSR_OP_FUNC_CALL) && string_at(op, "xla.sdy.manual_axes").len)
        return make_manual(p, op);
    if (string_at(op, "xla.sdy.sharding_rule").len) {
        tsr_attr *rule = read(op, "xla.sdy.sharding_rule", &tsr_def_SDY_OP_SHARDING_RULE);
        if (!rule)
            return false;
        tsr_op_set_attr(op, TSR_STR("sdy.sharding_rule"), rule);
        drop(op, "xla.sdy.sharding_rule");
    }
    if (!string_at(op, "xla.sdy.sharding").len)
        return true;
    tsr_attr *list = read(op, "xla.sdy.sharding", &tsr_def_SDY_SHARDING_PER_VALUE);
    if (!list)
        return false;
    tsr_sdy_set_list(op, list);
    drop(op, "xla.sdy.sharding");
    tsr_op_set_attr(op, TSR_GSPMD_SHARDING, NULL); /* it expresses the same */
    return true;
}

/* ---- Hints for propagation ---- */

static bool is_barrier(const tsr_op *op)
{
    return tsr_gspmd_is(op, "xla.sdy.PropagationBarrier");
}

bool tsr_is_sdy_hint(const tsr_op *op)
{
    return is_barrier(op) || tsr_gspmd_is(op, "xla.sdy.ShardingGroup");
}

/* The integer in a string of op, within bounds. */
static bool read_number(tsr_op *op, const char *name, int64_t most, int64_t *out)
{
    tsr_str text = string_at(op, name);
    const tsr_attr *a = text.len ? tsr_attr_of_string(op, text) : NULL;
    if (!tsr_attr_is(a, TSR_ATTR_INT) || a->i < 0 || a->i > most)
        return tsr_op_error(op, "has no number from 0 to %lld in %s: '%.*s'", (long long)most, name,
                            TSR_STR_ARG(text));
    *out = a->i;
    return true;
}

static bool import_hint(tsr_pass *p, tsr_op *op)
{
    bool barrier = is_barrier(op);
    int64_t number;
    tsr_value *in = op->nin ? op->in[0].value : NULL;
    bool fits = barrier ? op->nout == 1 && in && op->out[0].type == in->type
                        : op->nout <= 1 && !tsr_op_used(op);
    if (op->nin != 1 || !fits || in->type->kind != TSR_TYPE_TENSOR)
        return tsr_op_error(op, barrier ? "must have one tensor and give back the same"
                                        : "must have one tensor, and no results that are used");
    /* NONE, FORWARD and BACKWARD; BOTH would not be a barrier. */
    TSR_TRY(barrier ? read_number(op, "xla.sdy.allowed_direction", 2, &number)
                    : read_number(op, "xla.sdy.sharding_group_id", INT64_MAX, &number));
    enum tsr_opcode opcode = barrier ? TSR_OP_SDY_PROPAGATION_BARRIER : TSR_OP_SDY_SHARDING_GROUP;
    tsr_op *made = tsr_op_new(op->module, tsr_opdef_of(p->ctx, opcode), op->loc, &in, 1, &in->type,
                              barrier ? 1 : 0, 0, 0);
    if (barrier) {
        made->attrs[SDY_PROPAGATION_BARRIER_allowed_direction] =
            tsr_attr_int(p->ctx, p->ctx->i32, number);
        tsr_value_replace(&op->out[0], &made->out[0]);
    } else {
        made->attrs[SDY_SHARDING_GROUP_group_id] = tsr_attr_int(p->ctx, p->ctx->i64, number);
    }
    tsr_op_insert(made, op->block, op);
    tsr_op_erase(op);
    p->changed = true;
    return true;
}

bool tsr_import_sdy_hints(tsr_pass *p, tsr_op *root)
{
    for (tsr_op *op = root, *next; op; op = next) {
        next = tsr_walk_next(root, op);
        TSR_TRY(!tsr_is_sdy_hint(op) || import_hint(p, op));
    }
    return true;
}

bool tsr_import_sdy_strings(tsr_pass *p, tsr_op *root)
{
    TSR_TRY(tsr_import_sdy_hints(p, root));
    if (!tsr_has_sdy_strings(root))
        return true;
    TSR_TRY(tsr_tt_strings_to_shardings(p, root) && tsr_tt_calls_to_constraints(p, root));
    drop(root, "xla.sdy.meshes");
    for (tsr_op *op = root, *next; op; op = next) {
        next = tsr_walk_next(root, op);
        if (tsr_op_is(op, TSR_OP_FUNC_CALL))
            take_strings(op);
        bool border = next && tsr_gspmd_is(next, "xla.sdy.LocalToGlobalShape");
        tsr_op *behind = border ? tsr_walk_next(root, next) : next;
        bool manual = tsr_op_is(op, TSR_OP_FUNC_CALL) && string_at(op, "xla.sdy.manual_axes").len;
        TSR_TRY(import_op(p, op));
        if (manual && border)
            next = behind; /* it was moved with the call */
    }
    return true;
}
