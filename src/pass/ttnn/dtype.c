/* SPDX-License-Identifier: Apache-2.0 */
/* dtype.c - passes that narrow tensors on devices: weights of products, caches, and activations that devices exchange.
 * Needs TTNN; keeps values within the precision of the narrower types; breaks ids. */
#include "pass/ttnn/nn.h"

/* bfp_bf8, bfp_bf4; nothing for none. */
static tsr_tt_data_type target(const tsr_pass *p)
{
    tsr_str s = tsr_pass_str(p, "target-dtype");
    return tsr_str_is(s, "bfp_bf8")   ? TSR_TT_BFP_BF8
           : tsr_str_is(s, "bfp_bf4") ? TSR_TT_BFP_BF4
                                      : TSR_TT_NO_DATA_TYPE;
}

static bool is_wide_float(tsr_tt_data_type t)
{
    return t == TSR_TT_BF16 || t == TSR_TT_F32;
}

/* ---- Weights ---- */

static bool constant_argument(const tsr_value *arg)
{
    const tsr_op *func = tsr_block_parent(arg->block);
    if (!func || !tsr_op_is(func, TSR_OP_FUNC_FUNC))
        return false;
    const tsr_attr *dicts = func->attrs[FUNC_FUNC_arg_attrs];
    const tsr_attr *kind =
        dicts && arg->index < dicts->n
            ? tsr_dict_get(dicts->attrs[arg->index], TSR_STR("ttcore.argument_type"))
            : NULL;
    return tsr_attr_is(kind, TSR_ATTR_ENUM) &&
           (kind->i == TSR_TT_PARAMETER || kind->i == TSR_TT_CONSTANT);
}

/* Whether v is derived only from parameters and constants. */
static bool is_constant(const tsr_value *v)
{
    TSR_VEC(const tsr_value *) todo = {0};
    tsr_map seen = {0};
    bool constant = true;
    tsr_vec_push(&todo, v);
    while (constant && todo.n) {
        v = todo.data[--todo.n];
        if (v->is_arg) {
            constant = constant_argument(v);
            continue;
        }
        bool known = false;
        TSR_MAP_EACH (&seen, tsr_hash_ptr(v->op), x)
            known |= x == v->op;
        if (known)
            continue;
        tsr_map_put(&seen, tsr_hash_ptr(v->op), v->op);
        for (uint32_t i = 0; i < v->op->nin; i++)
            tsr_vec_push(&todo, v->op->in[i].value);
    }
    tsr_vec_free(&todo);
    tsr_map_free(&seen);
    return constant;
}

/* The type annotated on the op, or the pass's default. */
static tsr_tt_data_type weight_type(tsr_pass *p, const tsr_op *op, tsr_tt_data_type all)
{
    static const struct {
        const char *name;
        tsr_tt_data_type type;
    } legal[] = {{"bfp_bf8", TSR_TT_BFP_BF8}, {"bfp_bf4", TSR_TT_BFP_BF4}, {"bf16", TSR_TT_BF16}};
    const tsr_attr *own = tsr_dict_get(op->extra, TSR_STR("ttcore.weight_dtype"));
    if (!tsr_attr_is(own, TSR_ATTR_STRING))
        return all;
    for (size_t i = 0; i < TSR_COUNT(legal); i++)
        if (tsr_str_is(own->s, legal[i].name))
            return legal[i].type;
    tsr_emit(p->ctx, TSR_WARNING, op->loc,
             "'%.*s' op ignoring invalid ttcore.weight_dtype \"%.*s\"; legal values are: bfp_bf8, "
             "bfp_bf4, bf16",
             TSR_STR_ARG(op->def->name), TSR_STR_ARG(own->s));
    return all;
}

/* Types of four bits per number: only hosts can convert to them. */
static tsr_value *cast_on_host(tsr_build *b, tsr_op *op, tsr_value *v, tsr_tt_data_type type)
{
    tsr_ttnn_spec spec = tsr_ttnn_spec_of(tsr_ttnn_layout_of(v->type));
    tsr_type *back = tsr_ttnn_retyped(v->type, type);
    spec.buffer = TSR_TTNN_SYSTEM_MEMORY;
    v = tsr_nn_unary(b, TSR_OP_TTNN_FROM_DEVICE, v, tsr_ttnn_type(v->type, spec));
    v = tsr_nn_typecast(b, v, type);
    return tsr_nn_binary(b, TSR_OP_TTNN_TO_DEVICE, v, tsr_ttnn_device(b, op), back);
}

static void narrow_weight(tsr_pass *p, tsr_op *op, tsr_tt_data_type all)
{
    tsr_value *weight = op->in[1].value;
    if (!tsr_ttnn_layout_of(weight->type) || !is_constant(weight))
        return;
    tsr_tt_data_type type = weight_type(p, op, all), now = tsr_tt_data_type_of(weight->type->elem);
    if (type == TSR_TT_NO_DATA_TYPE || now == type || !is_wide_float(now))
        return;
    tsr_build b = tsr_build_before(op);
    tsr_op_set_operand(op, 1,
                       type == TSR_TT_BFP_BF4 && tsr_ttnn_on_device(weight->type)
                           ? cast_on_host(&b, op, weight, type)
                           : tsr_nn_typecast(&b, weight, type));
    tsr_build_free(&b);
    p->changed = true;
}

bool pass_ttnn_weight_dtype_conversion(tsr_pass *p, tsr_op *root)
{
    tsr_tt_data_type all = target(p);
    TSR_OPS (root, op)
        if (tsr_op_is(op, TSR_OP_TTNN_MATMUL) || tsr_op_is(op, TSR_OP_TTNN_LINEAR) ||
            tsr_op_is(op, TSR_OP_TTNN_SPARSE_MATMUL))
            narrow_weight(p, op, all);
    return true;
}

/* ---- Caches ---- */

static bool writes_cache(const tsr_op *op)
{
    return tsr_op_is(op, TSR_OP_TTNN_FILL_CACHE) || tsr_op_is(op, TSR_OP_TTNN_UPDATE_CACHE) ||
           tsr_op_is(op, TSR_OP_TTNN_PAGED_FILL_CACHE) ||
           tsr_op_is(op, TSR_OP_TTNN_PAGED_UPDATE_CACHE);
}

static tsr_attr *argument_dict(const tsr_attr *dicts, uint32_t i)
{
    return dicts && i < dicts->n ? dicts->attrs[i] : NULL;
}

static bool is_cache(const tsr_op *func, const tsr_value *arg)
{
    return arg->is_arg && arg->block == func->regions[0].first &&
           tsr_dict_get(argument_dict(func->attrs[FUNC_FUNC_arg_attrs], arg->index),
                        TSR_STR("ttcore.kv_cache"));
}

/* Updates #ttcore<local_shape ..> of argument or result i to the new element type. */
static void narrow_local_shape(tsr_op *func, int slot, uint32_t i, tsr_tt_data_type type)
{
    tsr_ctx *ctx = func->module->ctx;
    tsr_attr *dict = argument_dict(func->attrs[slot], i);
    const tsr_attr *local = dict ? tsr_dict_get(dict, TSR_STR("ttcore.local_shape")) : NULL;
    if (!tsr_attr_is_struct(local, &tsr_def_TTCORE_LOCAL_SHAPE))
        return;
    const tsr_type *t = local->attrs[TTCORE_LOCAL_SHAPE_type]->type;
    tsr_attr *as =
        tsr_attr_type(ctx, tsr_type_tensor(ctx, t->dims, t->n, tsr_tt_element(ctx, type), t->attr));
    tsr_attr *made = tsr_attr_struct(ctx, &tsr_def_TTCORE_LOCAL_SHAPE, &as);
    const tsr_attr *old = func->attrs[slot];
    TSR_VEC(tsr_attr *) dicts = {0};
    for (uint32_t k = 0; k < old->n; k++)
        tsr_vec_push(&dicts,
                     k == i ? tsr_dict_with(ctx, dict,
                                            tsr_name_get(ctx, TSR_STR("ttcore.local_shape")), made)
                            : old->attrs[k]);
    func->attrs[slot] = tsr_attr_array(ctx, dicts.data, dicts.n);
    tsr_vec_free(&dicts);
}

static void narrow_caches(tsr_op *func, tsr_tt_data_type type)
{
    tsr_block *body = func->regions[0].first;
    tsr_ctx *ctx = func->module->ctx;
    tsr_type_vec types = {0};
    for (uint32_t i = 0; i < body->nargs; i++) {
        if (is_cache(func, body->args[i])) {
            body->args[i]->type = tsr_ttnn_retyped(body->args[i]->type, type);
            narrow_local_shape(func, FUNC_FUNC_arg_attrs, i, type);
        }
        tsr_vec_push(&types, body->args[i]->type);
    }
    const tsr_op *ret = body->last;
    for (uint32_t i = 0; i < ret->nin; i++) {
        if (is_cache(func, ret->in[i].value) && func->attrs[FUNC_FUNC_res_attrs])
            narrow_local_shape(func, FUNC_FUNC_res_attrs, i, type);
        tsr_vec_push(&types, ret->in[i].value->type);
    }
    func->attrs[FUNC_FUNC_function_type] =
        tsr_attr_type(ctx, tsr_type_function(ctx, types.data, body->nargs,
                                             TSR_FROM(types.data, body->nargs), ret->nin));
    tsr_vec_free(&types);
}

static void convert_caches(tsr_pass *p, tsr_op *func, tsr_tt_data_type type)
{
    const tsr_attr *kind = tsr_dict_get(func->extra, TSR_STR("tt.function_type"));
    if (!tsr_attr_is(kind, TSR_ATTR_STRING) || !tsr_str_is(kind->s, "forward_device"))
        return;
    TSR_OPS (func, op)
        if (writes_cache(op) && !is_cache(func, op->in[0].value))
            return;
    narrow_caches(func, type);
    TSR_OPS (func, op) {
        if (!writes_cache(op) || tsr_op_is(op, TSR_OP_TTNN_PAGED_UPDATE_CACHE) ||
            tsr_tt_data_type_of(op->in[1].value->type->elem) == type)
            continue;
        tsr_build b = tsr_build_before(op);
        tsr_op_set_operand(op, 1, tsr_nn_typecast(&b, op->in[1].value, type));
        tsr_build_free(&b);
    }
    p->changed = true;
}

bool pass_ttnn_kv_cache_dtype_conversion(tsr_pass *p, tsr_op *root)
{
    tsr_tt_data_type type = target(p);
    if (type == TSR_TT_NO_DATA_TYPE)
        return true;
    TSR_OPS (root, op)
        if (tsr_op_is(op, TSR_OP_FUNC_FUNC) && op->regions[0].first && op->regions[0].first->last)
            convert_caches(p, op, type);
    return true;
}

/* ---- Activations ---- */

static bool is_exchange(const tsr_op *op)
{
    return tsr_op_is(op, TSR_OP_TTNN_ALL_GATHER) || tsr_op_is(op, TSR_OP_TTNN_REDUCE_SCATTER) ||
           tsr_op_is(op, TSR_OP_TTNN_ALL_REDUCE);
}

static bool is_view(const tsr_op *op)
{
    return tsr_op_is(op, TSR_OP_TTNN_RESHAPE) || tsr_op_is(op, TSR_OP_TTNN_SLICE_STATIC) ||
           tsr_op_is(op, TSR_OP_TTNN_TO_MEMORY_CONFIG);
}

typedef struct {
    TSR_VEC(tsr_op *) ops;
    tsr_op *end;    /* the first op after it */
    tsr_value *out; /* its final value */
    bool exchanges;
} flow;

/* The ops that a product passes through, each used once: views, exchanges, and silu if allowed. */
static bool flow_of(tsr_op *matmul, bool silu, flow *f)
{
    tsr_value *v = &matmul->out[0];
    f->ops.n = 0;
    f->exchanges = false;
    if (!is_wide_float(tsr_ttnn_data_type(v->type)))
        return false;
    for (;;) {
        if (!tsr_rw_one_use(v))
            return false;
        tsr_op *user = v->uses->user;
        f->end = user;
        f->out = v;
        if (!(is_view(user) || is_exchange(user) || (silu && tsr_op_is(user, TSR_OP_TTNN_SILU))) ||
            user->nout != 1)
            return f->exchanges;
        f->exchanges |= is_exchange(user);
        tsr_vec_push(&f->ops, user);
        v = &user->out[0];
    }
}

/* Whether it ends in a sum with a wide value. */
static bool reaches_sum(tsr_op *matmul, flow *f)
{
    if (!flow_of(matmul, false, f) || !tsr_op_is(f->end, TSR_OP_TTNN_ADD))
        return false;
    const tsr_value *other =
        f->end->in[0].value == f->out ? f->end->in[1].value : f->end->in[0].value;
    return is_wide_float(tsr_ttnn_data_type(other->type));
}

static void narrow(tsr_pass *p, tsr_op *op)
{
    if (op->nout == 1 && is_wide_float(tsr_ttnn_data_type(op->out[0].type))) {
        op->out[0].type = tsr_ttnn_retyped(op->out[0].type, TSR_TT_BFP_BF8);
        p->changed = true;
    }
}

static void narrow_flow(tsr_pass *p, tsr_op *matmul, const flow *f)
{
    narrow(p, matmul);
    for (size_t i = 0; i < f->ops.n; i++)
        narrow(p, f->ops.data[i]);
}

static void lower_activation(tsr_pass *p, tsr_op *matmul)
{
    flow f = {0}, after = {0};
    if (reaches_sum(matmul, &f)) {
        narrow_flow(p, matmul, &f);
    } else if (flow_of(matmul, true, &f) && tsr_op_is(f.end, TSR_OP_TTNN_MULTIPLY)) {
        tsr_op *gate = f.end;
        tsr_op *next = tsr_rw_one_use(&gate->out[0]) ? gate->out[0].uses->user : NULL;
        if (next && tsr_op_is(next, TSR_OP_TTNN_MATMUL) && reaches_sum(next, &after)) {
            narrow_flow(p, matmul, &f);
            narrow(p, gate);
        }
    }
    tsr_vec_free(&f.ops);
    tsr_vec_free(&after.ops);
}

bool pass_ttnn_ccl_activation_dtype_lowering(tsr_pass *p, tsr_op *root)
{
    TSR_OPS (root, op)
        if (tsr_op_is(op, TSR_OP_TTNN_MATMUL) && tsr_ttnn_layout_of(op->out[0].type))
            lower_activation(p, op);
    return true;
}
