/* SPDX-License-Identifier: Apache-2.0 */
/* caching.c - ttnn-prepare-const-eval-caching: stores results that are computed once in a dictionary, in a separate
 * function.
 *
 * For each function f that loads cached results there is a global dictionary ce_cache_f, and a function
 * consteval_f(dictionary, arguments) that fills it; f calls it and takes results from the dictionary. Needs functions
 * of tuples; breaks ids. */
#include "lower/emit/emit.h"

typedef TSR_VEC(tsr_op *) op_vec;

static tsr_type *dict_type(tsr_ctx *ctx)
{
    return tsr_type_dialect(ctx, &tsr_def_TTCORE_DICT, NULL);
}

static bool contains(const op_vec *v, const tsr_op *op)
{
    for (size_t i = 0; i < v->n; i++)
        if (v->data[i] == op)
            return true;
    return false;
}

/* The ops that compute loads and their operands, in block order. */
static void chain_of(const op_vec *loads, tsr_block *body, op_vec *out)
{
    op_vec found = {0};
    for (size_t i = 0; i < loads->n; i++)
        tsr_vec_push(&found, loads->data[i]);
    for (size_t i = 0; i < found.n; i++)
        for (uint32_t k = 0; k < found.data[i]->nin; k++) {
            const tsr_value *v = found.data[i]->in[k].value;
            if (!v->is_arg && v->op->block == body && !contains(&found, v->op))
                tsr_vec_push(&found, v->op);
        }
    TSR_BLOCK_OPS (body, op)
        if (contains(&found, op))
            tsr_vec_push(out, op);
    tsr_vec_free(&found);
}

/* The arguments passed to the function besides the dictionary: only weights if they are separate, else all. */
static bool is_passed(const tsr_op *func, uint32_t i)
{
    bool parted = tsr_dict_get(func->extra, TSR_STR("ttcore.original_argument_types")) != NULL;
    const tsr_type *t = func->regions[0].first->args[i]->type;
    return !parted || (tsr_type_is(t, TSR_TYPE_DIALECT) && t->def == &tsr_def_TTCORE_DICT);
}

/* Stores the results of a load in the dictionary, under the name of its callee. */
static void store(tsr_build *b, const tsr_op *load)
{
    tsr_value_vec in = {0};
    tsr_vec_push(&in, b->block->args[0]);
    for (uint32_t k = 0; k < load->nout; k++)
        tsr_vec_push(&in, &load->out[k]);
    tsr_op *set = tsr_build_open(b, TSR_OP_TTCORE_SET_KEY_VALUE, in.data, in.n, 0, 0);
    set->attrs[TTCORE_SET_KEY_VALUE_key] =
        tsr_attr_string(b->ctx, load->attrs[TTCORE_LOAD_CACHED_callee]->s);
    tsr_build_close_as(b, set, NULL);
    tsr_vec_free(&in);
}

static tsr_op *make_wrapper(tsr_op *func, const op_vec *chain, tsr_str name)
{
    tsr_module *m = func->module;
    tsr_ctx *ctx = m->ctx;
    tsr_block *body = func->regions[0].first;
    tsr_mapping map = {0};
    tsr_attr_vec dicts = {0};
    tsr_op *made =
        tsr_op_new(m, tsr_opdef_of(ctx, TSR_OP_FUNC_FUNC), func->loc, NULL, 0, NULL, 0, 1, 0);
    made->attrs[FUNC_FUNC_sym_name] = tsr_attr_string(ctx, name);
    tsr_op_set_attr(made, TSR_STR("tt.function_type"),
                    tsr_attr_string(ctx, TSR_STR("const_eval_wrapper")));
    tsr_op_insert(made, func->block, func->next);
    tsr_build outer = {.ctx = ctx, .module = m, .loc = func->loc};
    tsr_type *dict = dict_type(ctx);
    tsr_build b = tsr_build_in(&outer, &made->regions[0], &dict, 1);
    tsr_vec_push(&dicts, tsr_attr_dict(ctx, NULL, 0));
    for (uint32_t i = 0; i < body->nargs; i++) {
        if (!is_passed(func, i))
            continue;
        const tsr_attr *old = func->attrs[FUNC_FUNC_arg_attrs];
        tsr_mapping_put(&map, body->args[i],
                        tsr_block_add_arg(m, b.block, body->args[i]->type, func->loc));
        tsr_vec_push(&dicts, old && i < old->n ? old->attrs[i] : tsr_attr_dict(ctx, NULL, 0));
    }
    for (size_t i = 0; i < chain->n; i++) {
        tsr_op *copy = tsr_op_clone(m, chain->data[i], &map);
        tsr_op_insert(copy, b.block, NULL);
        if (tsr_op_is(copy, TSR_OP_TTCORE_LOAD_CACHED))
            store(&b, copy);
    }
    tsr_build_close_as(&b, tsr_build_open(&b, TSR_OP_FUNC_RETURN, &b.block->args[0], 1, 0, 0),
                       NULL);
    made->attrs[FUNC_FUNC_arg_attrs] = tsr_attr_array(ctx, dicts.data, dicts.n);
    made->attrs[FUNC_FUNC_function_type] =
        tsr_attr_type(ctx, tsr_type_function(ctx, NULL, 0, NULL, 0));
    tsr_tt_retype_function(made);
    tsr_build_free(&b);
    tsr_mapping_free(&map);
    tsr_vec_free(&dicts);
    return made;
}

/* Inserts a call at the start of the function that returns the filled dictionary. */
static tsr_value *call_wrapper(tsr_op *func, tsr_str cache, const tsr_op *wrapper)
{
    tsr_ctx *ctx = func->module->ctx;
    tsr_block *body = func->regions[0].first;
    tsr_type *type = dict_type(ctx);
    tsr_value_vec in = {0};
    tsr_build b = tsr_build_before(body->first);
    b.loc = func->loc;
    tsr_op *get = tsr_build_open(&b, TSR_OP_TTCORE_GET_GLOBAL, NULL, 0, 1, 0);
    get->attrs[TTCORE_GET_GLOBAL_sym_name] = tsr_attr_string(ctx, cache);
    tsr_vec_push(&in, &tsr_build_close_as(&b, get, &type)->out[0]);
    for (uint32_t i = 0; i < body->nargs; i++)
        if (is_passed(func, i))
            tsr_vec_push(&in, body->args[i]);
    tsr_op *call = tsr_build_open(&b, TSR_OP_FUNC_CALL, in.data, in.n, 1, 0);
    call->attrs[FUNC_CALL_callee] = tsr_attr_symbol(ctx, tsr_op_symbol(wrapper), NULL, 0);
    tsr_build_close_as(&b, call, &type);
    tsr_op_set_attr(call, TSR_STR("emitpy.name"), tsr_attr_string(ctx, cache));
    tsr_build_free(&b);
    tsr_vec_free(&in);
    return &call->out[0];
}

static void look_up(tsr_op *load, tsr_value *dict)
{
    tsr_value_vec in = {0};
    tsr_type_vec types = {0};
    tsr_build b = tsr_build_before(load);
    tsr_op_values(load, &in, &types);
    tsr_op *get = tsr_build_open(&b, TSR_OP_TTCORE_GET_KEY_VALUE, &dict, 1, load->nout, 0);
    get->attrs[TTCORE_GET_KEY_VALUE_key] =
        tsr_attr_string(b.ctx, load->attrs[TTCORE_LOAD_CACHED_callee]->s);
    tsr_build_close_as(&b, get, types.data);
    for (uint32_t i = 0; i < load->nout; i++)
        tsr_value_replace(&load->out[i], &get->out[i]);
    tsr_build_free(&b);
    tsr_vec_free(&in);
    tsr_vec_free(&types);
}

static void cache_function(tsr_pass *p, tsr_op *func, const op_vec *loads)
{
    op_vec chain = {0};
    tsr_buf cache = {0}, name = {0};
    tsr_str own = tsr_op_symbol(func);
    tsr_buf_printf(&cache, "ce_cache_%.*s", TSR_STR_ARG(own));
    tsr_buf_printf(&name, "consteval_%.*s", TSR_STR_ARG(own));
    chain_of(loads, func->regions[0].first, &chain);
    tsr_op *global = tsr_op_new(func->module, tsr_opdef_of(p->ctx, TSR_OP_TTCORE_GLOBAL), func->loc,
                                NULL, 0, NULL, 0, 0, 0);
    global->attrs[TTCORE_GLOBAL_sym_name] = tsr_attr_string(p->ctx, tsr_buf_text(&cache));
    global->attrs[TTCORE_GLOBAL_type] = tsr_attr_type(p->ctx, dict_type(p->ctx));
    tsr_op_insert(global, func->block, func);
    tsr_op *wrapper = make_wrapper(func, &chain, tsr_buf_text(&name));
    tsr_value *dict = call_wrapper(func, tsr_buf_text(&cache), wrapper);
    for (size_t i = 0; i < loads->n; i++)
        look_up(loads->data[i], dict);
    for (size_t i = chain.n; i-- > 0;)
        if (!tsr_op_used(chain.data[i]))
            tsr_op_erase(chain.data[i]);
    tsr_vec_free(&chain);
    tsr_buf_free(&cache);
    tsr_buf_free(&name);
    p->changed = true;
}

bool pass_ttnn_prepare_const_eval_caching(tsr_pass *p, tsr_op *root)
{
    tsr_emit_funcs funcs = {0};
    tsr_emit_functions(root, &funcs);
    for (size_t i = 0; i < funcs.n; i++) {
        op_vec loads = {0};
        TSR_BLOCK_OPS (funcs.data[i]->regions[0].first, op)
            if (tsr_op_is(op, TSR_OP_TTCORE_LOAD_CACHED))
                tsr_vec_push(&loads, op);
        if (loads.n)
            cache_function(p, funcs.data[i], &loads);
        tsr_vec_free(&loads);
    }
    tsr_vec_free(&funcs);
    return true;
}
