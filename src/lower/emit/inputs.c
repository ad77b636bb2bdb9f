/* SPDX-License-Identifier: Apache-2.0 */
/* inputs.c - adds functions next to the program's: ttnn-create-input-gens and ttnn-load-input-tensors,
 * ttnn-force-final-deallocs.
 *
 * For each public forward function there is one that creates its inputs, and main calls them all. Needs functions of
 * tuples; breaks ids. */
#include "lower/emit/emit.h"

typedef struct {
    tsr_pass *p;
    tsr_op *root;
    bool loads; /* from files, instead of ones */
} state;

typedef struct {
    tsr_op *forward, *made[2];
    size_t n;
} entry;

/* Adds a function without arguments at the end of the module; b builds in its block. */
static tsr_op *open_function(const state *s, tsr_loc loc, tsr_str name, tsr_type *result,
                             const char *kind, tsr_build *b)
{
    tsr_ctx *ctx = s->p->ctx;
    tsr_op *func = tsr_op_new(s->root->module, tsr_opdef_of(ctx, TSR_OP_FUNC_FUNC), loc, NULL, 0,
                              NULL, 0, 1, 0);
    func->attrs[FUNC_FUNC_sym_name] = tsr_attr_string(ctx, name);
    func->attrs[FUNC_FUNC_function_type] =
        tsr_attr_type(ctx, tsr_type_function(ctx, NULL, 0, &result, 1));
    tsr_op_set_attr(func, TSR_STR("tt.function_type"), tsr_attr_string(ctx, tsr_cstr(kind)));
    tsr_op_insert(func, s->root->regions[0].first, NULL);
    tsr_build outer = {.ctx = ctx, .module = s->root->module, .loc = loc};
    *b = tsr_build_in(&outer, &func->regions[0], NULL, 0);
    return func;
}

static void close_function(tsr_build *b, tsr_value *result)
{
    tsr_build_close_as(b, tsr_build_open(b, TSR_OP_FUNC_RETURN, &result, 1, 0, 0), NULL);
    tsr_build_free(b);
}

/* ---- Tensors ---- */

/* The device of the block, created at its start if it has none. */
static tsr_value *device(const state *s, tsr_build *b)
{
    if (b->block->first)
        return tsr_ttnn_device(b, b->block->first);
    /* A temporary op, used only for the lookup. */
    tsr_op *mark =
        tsr_build_close_as(b, tsr_build_open(b, TSR_OP_FUNC_RETURN, NULL, 0, 0, 0), NULL);
    tsr_value *v = tsr_ttnn_device(b, mark);
    tsr_op_erase(mark);
    (void)s;
    return v;
}

static tsr_value *make_tensor(const state *s, tsr_build *b, tsr_type *type, size_t index)
{
    tsr_value *d = tsr_ttnn_on_device(type) ? device(s, b) : NULL;
    tsr_op *made = tsr_build_open(b, s->loads ? TSR_OP_TTNN_LOAD_TENSOR : TSR_OP_TTNN_ONES, &d,
                                  d != NULL, 1, 0);
    if (s->loads) {
        tsr_buf path = {0};
        tsr_str folder = tsr_pass_str(s->p, "tensor-load-directory"),
                prefix = tsr_pass_str(s->p, "tensor-load-file-prefix");
        if (folder.len)
            tsr_buf_printf(&path, "%.*s/", TSR_STR_ARG(folder));
        tsr_buf_printf(&path, "%.*s%zu.tensorbin", TSR_STR_ARG(prefix), index);
        made->attrs[TTNN_LOAD_TENSOR_file_path] = tsr_attr_string(b->ctx, tsr_buf_text(&path));
        tsr_buf_free(&path);
    } else {
        made->attrs[TTNN_ONES_shape] = tsr_ttnn_shape_attr(b->ctx, type->dims, type->n);
    }
    return &tsr_build_close_as(b, made, &type)->out[0];
}

/* ---- Generators ---- */

static tsr_str generator_name(tsr_buf *out, const state *s, const char *what, const tsr_op *func)
{
    tsr_buf_printf(out, "%s%s_for_%.*s", s->loads ? "load_" : "create_", what,
                   TSR_STR_ARG(tsr_op_symbol(func)));
    return tsr_buf_text(out);
}

/* Original indices of the arguments, before they were split, that are weights or not. */
static size_t original_index(const tsr_op *func, bool weights, size_t i)
{
    const tsr_attr *types = tsr_dict_get(func->extra, TSR_STR("ttcore.original_argument_types"));
    for (uint32_t k = 0; types && k < types->n; k++)
        if ((types->attrs[k]->i != TSR_TT_INPUT) == weights && i-- == 0)
            return k;
    return i;
}

static tsr_op *make_tuple(const state *s, tsr_op *func, const char *what, tsr_type *tuple)
{
    tsr_buf name = {0};
    tsr_build b;
    tsr_value_vec tensors = {0};
    bool parted = tsr_dict_get(func->extra, TSR_STR("ttcore.original_argument_types")) != NULL;
    tsr_op *made = open_function(s, func->loc, generator_name(&name, s, what, func), tuple,
                                 "input_generator", &b);
    for (uint32_t i = 0; i < tuple->n; i++)
        tsr_vec_push(&tensors, make_tensor(s, &b, tuple->types[i],
                                           parted ? original_index(func, false, i) : i));
    close_function(&b, tsr_build_op(&b, TSR_OP_TTCORE_TUPLE, tensors.data, tensors.n, tuple));
    tsr_vec_free(&tensors);
    tsr_buf_free(&name);
    return made;
}

static void add_global(const state *s, tsr_loc loc, tsr_str name, tsr_type *type)
{
    tsr_op *made = tsr_op_new(s->root->module, tsr_opdef_of(s->p->ctx, TSR_OP_TTCORE_GLOBAL), loc,
                              NULL, 0, NULL, 0, 0, 0);
    made->attrs[TTCORE_GLOBAL_sym_name] = tsr_attr_string(s->p->ctx, name);
    made->attrs[TTCORE_GLOBAL_type] = tsr_attr_type(s->p->ctx, type);
    tsr_op_insert(made, s->root->regions[0].first, NULL);
}

static tsr_op *make_dict(const state *s, tsr_op *func, tsr_type *type)
{
    tsr_ctx *ctx = s->p->ctx;
    tsr_buf name = {0}, dict_name = {0};
    tsr_build b;
    size_t i = 0;
    tsr_buf_printf(&dict_name, "%.*s_weights", TSR_STR_ARG(tsr_op_symbol(func)));
    add_global(s, func->loc, tsr_buf_text(&dict_name), type);
    tsr_op *made = open_function(s, func->loc, generator_name(&name, s, "weights", func), type,
                                 "input_generator", &b);
    tsr_op *get = tsr_build_open(&b, TSR_OP_TTCORE_GET_GLOBAL, NULL, 0, 1, 0);
    get->attrs[TTCORE_GET_GLOBAL_sym_name] = tsr_attr_string(ctx, tsr_buf_text(&dict_name));
    tsr_value *dict = &tsr_build_close_as(&b, get, &type)->out[0];
    TSR_BLOCK_OPS (func->regions[0].first, op) {
        if (!tsr_op_is(op, TSR_OP_TTCORE_GET_KEY_VALUE))
            continue;
        tsr_value *in[] = {dict,
                           make_tensor(s, &b, op->out[0].type, original_index(func, true, i++))};
        tsr_op *set = tsr_build_open(&b, TSR_OP_TTCORE_SET_KEY_VALUE, in, 2, 0, 0);
        set->attrs[TTCORE_SET_KEY_VALUE_key] = op->attrs[TTCORE_GET_KEY_VALUE_key];
        tsr_build_close_as(&b, set, NULL);
    }
    close_function(&b, dict);
    tsr_buf_free(&name);
    tsr_buf_free(&dict_name);
    return made;
}

static void make_generators(const state *s, entry *e)
{
    const tsr_block *body = e->forward->regions[0].first;
    bool parted =
        tsr_dict_get(e->forward->extra, TSR_STR("ttcore.original_argument_types")) != NULL;
    for (uint32_t i = 0; i < body->nargs && e->n < 2; i++) {
        tsr_type *t = body->args[i]->type;
        if (tsr_type_is(t, TSR_TYPE_TUPLE))
            e->made[e->n++] = make_tuple(s, e->forward, parted ? "activations" : "inputs", t);
        else if (tsr_type_is(t, TSR_TYPE_DIALECT) && t->def == &tsr_def_TTCORE_DICT)
            e->made[e->n++] = make_dict(s, e->forward, t);
    }
}

/* ---- main ---- */

static tsr_op *call(tsr_build *b, const tsr_op *callee, tsr_value *const *in, size_t n)
{
    tsr_type *result = callee->attrs[FUNC_FUNC_function_type]->type->nout
                           ? callee->attrs[FUNC_FUNC_function_type]
                                 ->type->types[callee->attrs[FUNC_FUNC_function_type]->type->n]
                           : NULL;
    tsr_op *made = tsr_build_open(b, TSR_OP_FUNC_CALL, in, n, result != NULL, 0);
    made->attrs[FUNC_CALL_callee] = tsr_attr_symbol(b->ctx, tsr_op_symbol(callee), NULL, 0);
    return tsr_build_close_as(b, made, &result);
}

static void make_main(const state *s, const entry *entries, size_t n)
{
    tsr_ctx *ctx = s->p->ctx;
    tsr_build b;
    open_function(s, s->root->loc, TSR_STR("main"), ctx->i32, "main", &b);
    for (size_t i = 0; i < n; i++) {
        tsr_value *in[2];
        for (size_t k = 0; k < entries[i].n; k++)
            in[k] = &call(&b, entries[i].made[k], NULL, 0)->out[0];
        call(&b, entries[i].forward, in, entries[i].n);
    }
    tsr_op *zero = tsr_build_open(&b, TSR_OP_ARITH_CONSTANT, NULL, 0, 1, 0);
    zero->attrs[ARITH_CONSTANT_value] = tsr_attr_i32(ctx, 0);
    close_function(&b, &tsr_build_close_as(&b, zero, &ctx->i32)->out[0]);
}

static bool wants_inputs(const tsr_op *func)
{
    const tsr_attr *v = func->attrs[FUNC_FUNC_sym_visibility];
    return tsr_str_is(tsr_tt_function_type(func), "forward_device") &&
           !(v && tsr_str_is(v->s, "private")) && func->regions[0].first->nargs;
}

static bool add_inputs(tsr_pass *p, tsr_op *root, bool loads)
{
    state s = {p, root, loads};
    tsr_emit_funcs funcs = {0};
    TSR_VEC(entry) entries = {0};
    tsr_emit_functions(root, &funcs);
    for (size_t i = 0; i < funcs.n; i++)
        if (wants_inputs(funcs.data[i]))
            tsr_vec_push(&entries, (entry){.forward = funcs.data[i]});
    for (size_t i = 0; i < entries.n; i++)
        make_generators(&s, &entries.data[i]);
    make_main(&s, entries.data, entries.n);
    tsr_vec_free(&funcs);
    tsr_vec_free(&entries);
    p->changed = true;
    return true;
}

bool pass_ttnn_create_input_gens(tsr_pass *p, tsr_op *root)
{
    return add_inputs(p, root, false);
}

bool pass_ttnn_load_input_tensors(tsr_pass *p, tsr_op *root)
{
    return add_inputs(p, root, true);
}

/* ---- ttnn-force-final-deallocs ---- */

/* The value whose buffer this one shares: a reshape that only changes sizes before the last two dimensions is a
 * view. */
static tsr_value *root_of(tsr_value *v)
{
    while (!v->is_arg && tsr_op_is(v->op, TSR_OP_TTNN_RESHAPE)) {
        const tsr_type *to = v->type, *from = v->op->in[0].value->type;
        if (!to->n || !from->n || to->dims[to->n - 1] != from->dims[from->n - 1])
            break;
        int64_t rows[2] = {to->n > 1 ? to->dims[to->n - 2] : 1,
                           from->n > 1 ? from->dims[from->n - 2] : 1};
        if (rows[0] != rows[1] && (rows[0] % TSR_TTNN_TILE || rows[1] % TSR_TTNN_TILE))
            break;
        v = v->op->in[0].value;
    }
    return v;
}

static bool is_returned(const tsr_op *func, const tsr_value *root)
{
    const tsr_op *ret = func->regions[0].first->last;
    for (uint32_t i = 0; i < ret->nin; i++)
        if (root_of(ret->in[i].value) == root)
            return true;
    return false;
}

/* Of several tensors that share a buffer the last one is deallocated with force; returned values are kept. */
static bool force_function(tsr_pass *p, tsr_op *func)
{
    tsr_map seen = {0};
    tsr_op *before;
    for (tsr_op *op = func->regions[0].first->last; op; op = before) {
        before = op->prev;
        if (!tsr_op_is(op, TSR_OP_TTNN_DEALLOCATE))
            continue;
        tsr_value *root = root_of(op->in[0].value);
        tsr_op *last = NULL;
        TSR_MAP_EACH (&seen, tsr_hash_ptr(root), found)
            if (root_of(((tsr_op *)found)->in[0].value) == root)
                last = found;
        if (last)
            last->attrs[TTNN_DEALLOCATE_force] = tsr_attr_bool(p->ctx, true);
        else if (!is_returned(func, root))
            tsr_map_put(&seen, tsr_hash_ptr(root), op);
        if (last || is_returned(func, root)) {
            tsr_op_erase(op);
            p->changed = true;
        }
    }
    tsr_map_free(&seen);
    return true;
}

bool pass_ttnn_force_final_deallocs(tsr_pass *p, tsr_op *root)
{
    tsr_emit_funcs funcs = {0};
    tsr_emit_functions(root, &funcs);
    for (size_t i = 0; i < funcs.n; i++)
        force_function(p, funcs.data[i]);
    tsr_vec_free(&funcs);
    return true;
}
