/* SPDX-License-Identifier: Apache-2.0 */
/* tt.c - see tt.h. */
#include "shard/tt/tt.h"

#include "shard/core/each.h"

/* ---- Modules ---- */

bool tsr_tt_is_public(const tsr_op *func)
{
    const tsr_attr *v = func->attrs[FUNC_FUNC_sym_visibility];
    return !tsr_attr_is(v, TSR_ATTR_STRING) || tsr_str_is(v->s, "public");
}

uint32_t tsr_tt_count_meshes(const tsr_op *module, tsr_op **first)
{
    uint32_t n = 0;
    *first = NULL;
    TSR_BLOCK_OPS (module->regions[0].first, op)
        if (tsr_op_is(op, TSR_OP_SDY_MESH) && n++ == 0)
            *first = op;
    return n;
}

tsr_op *tsr_tt_one_mesh(tsr_op *module)
{
    tsr_op *mesh;
    uint32_t n = tsr_tt_count_meshes(module, &mesh);
    if (n == 1)
        return mesh;
    if (n == 0)
        tsr_op_error(module, "pass requires a shardy mesh op to be present in the root module");
    else
        tsr_op_error(module, "pass supports a single shardy mesh op in the module, got %u", n);
    return NULL;
}

/* The name, or name_0, name_1, ... if it is taken. */
static tsr_attr *free_name(const tsr_op *module, tsr_str name)
{
    tsr_buf other = {0};
    for (unsigned i = 0; tsr_symbol_find(module, other.len ? tsr_buf_text(&other) : name); i++) {
        other.len = 0;
        tsr_buf_printf(&other, "%.*s_%u", TSR_STR_ARG(name), i);
    }
    tsr_attr *a = tsr_attr_string(module->module->ctx, other.len ? tsr_buf_text(&other) : name);
    tsr_buf_free(&other);
    return a;
}

tsr_op *tsr_tt_add_mesh(tsr_op *module, tsr_str name, const tsr_str *axes, const int64_t *sizes,
                        size_t n)
{
    tsr_ctx *ctx = module->module->ctx;
    tsr_attr_vec list = {0};
    for (size_t i = 0; i < n; i++)
        tsr_vec_push(&list, tsr_attr_struct(ctx, &tsr_def_SDY_MESH_AXIS,
                                            (tsr_attr *[]){tsr_attr_string(ctx, axes[i]),
                                                           tsr_attr_i64(ctx, sizes[i])}));
    tsr_op *op = tsr_op_new(module->module, tsr_opdef_of(ctx, TSR_OP_SDY_MESH), TSR_LOC_UNKNOWN,
                            NULL, 0, NULL, 0, 0, 0);
    tsr_op_set_attr(op, TSR_STR("sym_name"), free_name(module, name));
    op->attrs[SDY_MESH_mesh] = tsr_sdy_mesh(ctx, tsr_attr_array(ctx, list.data, list.n), NULL);
    tsr_op_insert(op, module->regions[0].first, module->regions[0].first->first);
    tsr_vec_free(&list);
    return op;
}

bool tsr_tt_is_solved(tsr_op *module)
{
    TSR_OPS (module, op) {
        const tsr_attr *manual = tsr_sdy_manual_axes(op);
        if (manual && manual->n)
            return true;
    }
    return false;
}

tsr_attr *tsr_tt_attr(const tsr_op *func, bool args, uint32_t i, tsr_str name)
{
    const tsr_attr *all = func->attrs[args ? FUNC_FUNC_arg_attrs : FUNC_FUNC_res_attrs];
    if (!tsr_attr_is(all, TSR_ATTR_ARRAY) || i >= all->n ||
        !tsr_attr_is(all->attrs[i], TSR_ATTR_DICT))
        return NULL;
    return tsr_dict_get(all->attrs[i], name);
}

static bool signature_has(const tsr_op *func, tsr_str name)
{
    for (int args = 0; args < 2; args++)
        for (uint32_t i = 0, n = tsr_func_count(func, args); i < n; i++)
            if (tsr_tt_attr(func, args, i, name))
                return true;
    return false;
}

bool tsr_tt_has_shardy(tsr_op *module)
{
    TSR_OPS (module, op) {
        if (tsr_op_is(op, TSR_OP_SDY_MESH) || tsr_dict_get(op->extra, TSR_TT_SHARDING))
            return true;
        if (tsr_op_is(op, TSR_OP_FUNC_FUNC) && signature_has(op, TSR_TT_SHARDING))
            return true;
    }
    return false;
}

tsr_str tsr_tt_target(const tsr_op *op)
{
    if (!tsr_op_is(op, TSR_OP_STABLEHLO_CUSTOM_CALL))
        return TSR_STR("");
    const tsr_attr *target = op->attrs[STABLEHLO_CUSTOM_CALL_call_target_name];
    return tsr_attr_is(target, TSR_ATTR_STRING) ? target->s : TSR_STR("");
}

bool tsr_tt_has_gspmd(tsr_op *module)
{
    TSR_OPS (module, op) {
        if (tsr_op_is(op, TSR_OP_FUNC_FUNC) && signature_has(op, TSR_TT_XLA_SHARDING))
            return true;
        tsr_str target = tsr_tt_target(op);
        if (tsr_str_is(target, "Sharding") || tsr_str_is(target, "SPMDFullToShardShape") ||
            tsr_str_is(target, "SPMDShardToFullShape"))
            return true;
    }
    return false;
}

bool tsr_tt_is_sharded(tsr_op *module)
{
    tsr_op *mesh;
    if (!tsr_tt_count_meshes(module, &mesh))
        return false;
    TSR_TT_FUNCS(module, func)
    for (int args = 0; args < 2; args++)
        for (uint32_t i = 0, n = tsr_func_count(func, args); i < n; i++) {
            const tsr_attr *s = tsr_tt_attr(func, args, i, TSR_TT_SHARDING);
            if (tsr_sdy_is_sharding(s) && !tsr_sdy_is_replicated(s))
                return true;
        }
    return false;
}

bool tsr_tt_strip(tsr_op *module)
{
    return tsr_drop_attrs(module, &TSR_TT_SHARDING, 1);
}

/* ---- Shardings ---- */

tsr_type *tsr_tt_local_type(tsr_shardings *table, tsr_type *type, tsr_attr *sharding)
{
    const tsr_sharding *s = tsr_sharding_decode(table, sharding);
    if (!s || !tsr_type_is(type, TSR_TYPE_TENSOR) || s->rank != type->n)
        return s && !tsr_type_is_shaped(type) ? type : NULL;
    for (uint32_t i = 0; i < type->n; i++)
        if (s->dims[i].axes->size != 1 && type->dims[i] == TSR_DYNAMIC)
            return NULL;
    return tsr_sharding_local_type(s, type, TSR_UNEVEN_FAILS, NULL);
}

tsr_attr *tsr_tt_sharding(const tsr_value *v)
{
    if (v->is_arg) {
        tsr_op *op = tsr_block_parent(v->block);
        if (op && tsr_op_is(op, TSR_OP_SDY_MANUAL_COMPUTATION))
            return tsr_sdy_list_sharding(op, true, v->index);
    }
    return tsr_sdy_sharding_of(v);
}

bool tsr_tt_replicated(tsr_shardings *table, tsr_attr *sharding)
{
    const tsr_sharding *s = tsr_sharding_decode(table, sharding);
    for (uint32_t i = 0; s && i < s->rank; i++)
        if (s->dims[i].axes->size > 1)
            return false;
    return s || !sharding || tsr_sdy_is_replicated(sharding);
}

/* ---- Rewriting ---- */

static bool unique_constants(tsr_pass *p, tsr_op *root)
{
    tsr_pipeline *pl = tsr_pipeline_parse_list(p->pipelines, root->def->name,
                                               TSR_STR("canonicalize{enable-patterns=none}"));
    bool changed = false;
    tsr_run_options quiet = {0};
    bool ok = pl && tsr_pipeline_run(p->pipelines, pl, root, &quiet, &changed);
    p->changed |= changed;
    return ok;
}

bool tsr_tt_greedy(tsr_pass *p, tsr_op *root, bool constants, tsr_tt_rewrite *fn, void *user)
{
    enum { MOST = 10 };
    if (constants && !unique_constants(p, root))
        return false;
    TSR_VEC(tsr_op *) todo = {0};
    bool again = true;
    for (int i = 0; again && i < MOST; i++) {
        again = false;
        todo.n = 0;
        TSR_OPS (root, op)
            if (op != root)
                tsr_vec_push(&todo, op);
        for (size_t k = 0; k < todo.n; k++)
            again |= todo.data[k]->block && fn(user, todo.data[k]);
        again |= tsr_erase_dead_ops(root);
        p->changed |= again;
    }
    tsr_vec_free(&todo);
    return true;
}

tsr_op *tsr_tt_outline(tsr_symbols *symbols, tsr_str base, tsr_value *const *captures,
                       size_t ncapture, tsr_value *const *escapes, size_t nescape,
                       tsr_op *const *ops, size_t n)
{
    static const tsr_str marks[] = {
        {"reoutline.group", 15},      {"reoutline.seed", 14},
        {"reoutline.orig_name", 19},  {"reoutline.comp_attrs", 20},
        {"reoutline.result_pos", 20}, {"reoutline.arg_operand_indices", 29}};
    tsr_module *m = symbols->module->module;
    tsr_ctx *ctx = m->ctx;
    tsr_loc loc = symbols->module->loc;
    tsr_type_vec in = {0}, out = {0};
    tsr_value_vec returned = {0};
    for (size_t i = 0; i < ncapture; i++)
        tsr_vec_push(&in, captures[i]->type);
    for (size_t i = 0; i < nescape; i++)
        tsr_vec_push(&out, escapes[i]->type);
    tsr_op *func = tsr_op_new(m, tsr_opdef_of(ctx, TSR_OP_FUNC_FUNC), loc, NULL, 0, NULL, 0, 1, 0);
    tsr_op_set_attr(func, TSR_STR("sym_name"), tsr_attr_string(ctx, base));
    func->attrs[FUNC_FUNC_sym_visibility] = tsr_attr_string(ctx, TSR_STR("private"));
    func->attrs[FUNC_FUNC_function_type] =
        tsr_attr_type(ctx, tsr_type_function(ctx, in.data, in.n, out.data, out.n));
    tsr_block *body = tsr_block_new(m);
    tsr_block_insert(body, &func->regions[0], NULL);
    tsr_mapping map = {0};
    for (size_t i = 0; i < ncapture; i++)
        tsr_mapping_put(&map, captures[i], tsr_block_add_arg(m, body, in.data[i], loc));
    for (size_t i = 0; i < n; i++) {
        tsr_op *copy = tsr_op_clone(m, ops[i], &map);
        for (size_t k = 0; k < TSR_COUNT(marks); k++)
            if (tsr_dict_get(copy->extra, marks[k]))
                tsr_op_set_attr(copy, marks[k], NULL);
        tsr_op_insert(copy, body, NULL);
    }
    for (size_t i = 0; i < nescape; i++)
        tsr_vec_push(&returned, tsr_mapping_get(&map, escapes[i]));
    tsr_op *end = tsr_op_new(m, tsr_opdef_of(ctx, TSR_OP_FUNC_RETURN), loc, returned.data,
                             returned.n, NULL, 0, 0, 0);
    tsr_op_insert(end, body, NULL);
    tsr_symbols_insert(symbols, func);
    tsr_mapping_free(&map);
    tsr_vec_free(&returned);
    tsr_vec_free(&in);
    tsr_vec_free(&out);
    return func;
}

tsr_op *tsr_tt_composite(tsr_op *callee, tsr_op *at, tsr_str name, tsr_attr *attributes,
                         tsr_value *const *in, size_t nin)
{
    tsr_ctx *ctx = at->module->ctx;
    const tsr_type *type = callee->attrs[FUNC_FUNC_function_type]->type;
    tsr_op *op = tsr_op_new(at->module, tsr_opdef_of(ctx, TSR_OP_STABLEHLO_COMPOSITE), at->loc, in,
                            nin, type->types + type->n, type->nout, 0, 0);
    op->attrs[STABLEHLO_COMPOSITE_name] = tsr_attr_string(ctx, name);
    op->attrs[STABLEHLO_COMPOSITE_composite_attributes] = attributes;
    op->attrs[STABLEHLO_COMPOSITE_decomposition] =
        tsr_attr_symbol(ctx, tsr_op_symbol(callee), NULL, 0);
    tsr_op_insert(op, at->block, at);
    return op;
}
