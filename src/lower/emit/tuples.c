/* SPDX-License-Identifier: Apache-2.0 */
/* tuples.c - signatures for emitted code: ttnn-tuplify-tensors, ttnn-split-forward-func-args-by-type,
 * ttnn-prepare-module-for-export.
 *
 * Needs TTNN; keeps values; breaks ids. */
#include <stdio.h>

#include "lower/emit/emit.h"

static const tsr_type *type_of(const tsr_op *func)
{
    return func->attrs[FUNC_FUNC_function_type]->type;
}

static bool is_private(const tsr_op *func)
{
    const tsr_attr *v = func->attrs[FUNC_FUNC_sym_visibility];
    return v && tsr_str_is(v->s, "private");
}

static bool is_forward(const tsr_op *func)
{
    return tsr_str_is(tsr_tt_function_type(func), "forward_device");
}

static bool all_tensors(tsr_type *const *types, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!tsr_type_is(types[i], TSR_TYPE_TENSOR))
            return false;
    return true;
}

/* main is the name of the function that runs everything. */
static void rename_main(tsr_pass *p, tsr_op *root)
{
    tsr_op *func = tsr_symbol_find(root, TSR_STR("main"));
    if (!func || !tsr_op_is(func, TSR_OP_FUNC_FUNC))
        return;
    tsr_op_set_attr(func, TSR_STR("sym_name"), tsr_attr_string(p->ctx, TSR_STR("_main")));
    TSR_OPS (root, op)
        for (uint16_t i = 0; i < op->def->nslot; i++)
            if (tsr_attr_is(op->attrs[i], TSR_ATTR_SYMBOL) && !op->attrs[i]->n &&
                tsr_str_is(op->attrs[i]->s, "main"))
                op->attrs[i] = tsr_attr_symbol(p->ctx, TSR_STR("_main"), NULL, 0);
}

/* ---- ttnn-tuplify-tensors ---- */

static tsr_value *get_element(tsr_build *b, tsr_value *tuple, uint32_t i, tsr_type *type)
{
    tsr_op *made = tsr_build_open(b, TSR_OP_TTCORE_GET_TUPLE_ELEMENT, &tuple, 1, 1, 0);
    made->attrs[TTCORE_GET_TUPLE_ELEMENT_index] = tsr_attr_i32(b->ctx, (int32_t)i);
    return &tsr_build_close_as(b, made, &type)->out[0];
}

static void tuplify_inputs(tsr_op *func)
{
    tsr_block *body = func->regions[0].first;
    tsr_module *m = func->module;
    uint32_t n = body->nargs;
    tsr_type_vec types = {0};
    for (uint32_t i = 0; i < n; i++)
        tsr_vec_push(&types, body->args[i]->type);
    tsr_value *tuple = tsr_block_add_arg(m, body, tsr_type_tuple(m->ctx, types.data, n), func->loc);
    tsr_build b = tsr_build_before(body->first);
    b.loc = func->loc;
    for (uint32_t i = 0; i < n; i++)
        tsr_value_replace(body->args[i], get_element(&b, tuple, i, types.data[i]));
    tsr_build_free(&b);
    for (uint32_t i = n; i-- > 0;)
        tsr_block_erase_arg(body, i);
    func->attrs[FUNC_FUNC_arg_attrs] = NULL;
    tsr_vec_free(&types);
}

static void tuplify_results(tsr_op *func)
{
    tsr_op *ret = func->regions[0].first->last;
    tsr_value_vec in = {0};
    tsr_type_vec types = {0};
    tsr_op_values(ret, &in, &types);
    types.n = 0;
    for (size_t i = 0; i < in.n; i++)
        tsr_vec_push(&types, in.data[i]->type);
    tsr_build b = tsr_build_before(ret);
    tsr_value *tuple = tsr_build_op(&b, TSR_OP_TTCORE_TUPLE, in.data, in.n,
                                    tsr_type_tuple(b.ctx, types.data, types.n));
    tsr_build_free(&b);
    tsr_op_set_operands(ret, &tuple, 1);
    func->attrs[FUNC_FUNC_res_attrs] = NULL;
    tsr_vec_free(&in);
    tsr_vec_free(&types);
}

bool pass_ttnn_tuplify_tensors(tsr_pass *p, tsr_op *root)
{
    tsr_emit_funcs funcs = {0};
    bool empty = tsr_pass_bool(p, "tuplify-input-if-empty");
    rename_main(p, root);
    tsr_emit_functions(root, &funcs);
    for (size_t i = 0; i < funcs.n; i++) {
        tsr_op *f = funcs.data[i];
        if (is_private(f) && !tsr_str_is(tsr_tt_function_type(f), "const_eval"))
            continue;
        const tsr_type *t = type_of(f);
        bool in = (t->n || (empty && is_forward(f))) && all_tensors(t->types, t->n);
        bool out = t->nout && all_tensors(t->types + t->n, t->nout);
        if (in)
            tuplify_inputs(f);
        if (out)
            tuplify_results(f);
        if (in || out)
            tsr_tt_retype_function(f);
    }
    tsr_vec_free(&funcs);
    p->changed = true;
    return true;
}

/* ---- ttnn-split-forward-func-args-by-type ---- */

typedef struct {
    tsr_op *func;
    tsr_attr_vec types;      /* argument_type of each */
    tsr_attr_vec names[2];   /* for activations, for weights */
    tsr_type_vec activation; /* types of activations */
} split;

static bool is_weight(const tsr_attr *type)
{
    return type->i == TSR_TT_PARAMETER || type->i == TSR_TT_CONSTANT;
}

static tsr_attr *name_of(const split *s, uint32_t i, bool weight, size_t *unnamed)
{
    tsr_ctx *ctx = s->func->module->ctx;
    tsr_attr *name = tsr_tt_argument_attr(s->func, i, TSR_STR("ttir.name"));
    char text[40];
    if (tsr_attr_is(name, TSR_ATTR_STRING))
        return tsr_attr_string(ctx, name->s);
    snprintf(text, sizeof text, "%s_%zu", weight ? "weight" : "activation", (*unnamed)++);
    return tsr_attr_string(ctx, tsr_cstr(text));
}

/* Whether all arguments are annotated with their role. */
static bool classify(split *s)
{
    const tsr_block *body = s->func->regions[0].first;
    size_t unnamed[2] = {0, 0};
    for (uint32_t i = 0; i < body->nargs; i++) {
        tsr_attr *type = tsr_tt_argument_attr(s->func, i, TSR_STR("ttcore.argument_type"));
        if (!tsr_attr_is_struct(type, &tsr_def_TTCORE_ARGUMENT_TYPE) || type->i == TSR_TT_DEFAULT)
            return false;
        bool w = is_weight(type);
        tsr_vec_push(&s->types, type);
        tsr_vec_push(&s->names[w], name_of(s, i, w, &unnamed[w]));
        if (!w)
            tsr_vec_push(&s->activation, body->args[i]->type);
    }
    return body->nargs > 0;
}

static tsr_value *get_weight(tsr_build *b, tsr_value *dict, tsr_attr *key, tsr_type *type)
{
    tsr_op *made = tsr_build_open(b, TSR_OP_TTCORE_GET_KEY_VALUE, &dict, 1, 1, 0);
    made->attrs[TTCORE_GET_KEY_VALUE_key] = key;
    return &tsr_build_close_as(b, made, &type)->out[0];
}

static tsr_attr *dict_of(tsr_ctx *ctx, const char *name, tsr_attr *value)
{
    return tsr_attr_dict(ctx, &(tsr_named){tsr_name_get(ctx, tsr_cstr(name)), value}, 1);
}

static void split_function(split *s)
{
    tsr_op *func = s->func;
    tsr_block *body = func->regions[0].first;
    tsr_module *m = func->module;
    tsr_ctx *ctx = m->ctx;
    uint32_t n = body->nargs, at[2] = {0, 0};
    tsr_attr_vec attrs = {0};
    tsr_value *new[2] = {NULL, NULL};
    if (s->names[0].n) {
        new[0] = tsr_block_add_arg(
            m, body, tsr_type_tuple(ctx, s->activation.data, s->activation.n), func->loc);
        tsr_vec_push(&attrs, dict_of(ctx, "ttcore.original_activation_names",
                                     tsr_attr_array(ctx, s->names[0].data, s->names[0].n)));
    }
    if (s->names[1].n) {
        new[1] = tsr_block_add_arg(m, body, tsr_type_dialect(ctx, &tsr_def_TTCORE_DICT, NULL),
                                   func->loc);
        tsr_vec_push(&attrs, dict_of(ctx, "ttcore.original_weight_names",
                                     tsr_attr_array(ctx, s->names[1].data, s->names[1].n)));
    }
    tsr_build b = tsr_build_before(body->first);
    b.loc = func->loc;
    for (uint32_t i = 0; i < n; i++) {
        bool w = is_weight(s->types.data[i]);
        tsr_attr *name = s->names[w].data[at[w]];
        tsr_type *type = body->args[i]->type;
        tsr_value *v =
            w ? get_weight(&b, new[1], name, type) : get_element(&b, new[0], at[0], type);
        if (!w)
            tsr_op_set_attr(v->op, TSR_STR("emitpy.name"), name);
        at[w]++;
        tsr_value_replace(body->args[i], v);
    }
    tsr_build_free(&b);
    for (uint32_t i = n; i-- > 0;)
        tsr_block_erase_arg(body, i);
    func->attrs[FUNC_FUNC_arg_attrs] = tsr_attr_array(ctx, attrs.data, attrs.n);
    tsr_op_set_attr(func, TSR_STR("ttcore.original_argument_types"),
                    tsr_attr_array(ctx, s->types.data, s->types.n));
    tsr_op_set_attr(func, TSR_STR("ttcore.split_forward_func_args_by_type"), tsr_attr_unit(ctx));
    tsr_tt_retype_function(func);
    tsr_vec_free(&attrs);
}

bool pass_ttnn_split_forward_func_args_by_type(tsr_pass *p, tsr_op *root)
{
    tsr_emit_funcs funcs = {0};
    tsr_emit_functions(root, &funcs);
    for (size_t i = 0; i < funcs.n; i++) {
        split s = {.func = funcs.data[i]};
        if (is_forward(s.func) && classify(&s)) {
            split_function(&s);
            p->changed = true;
        }
        tsr_vec_free(&s.types);
        tsr_vec_free(&s.names[0]);
        tsr_vec_free(&s.names[1]);
        tsr_vec_free(&s.activation);
    }
    tsr_vec_free(&funcs);
    return true;
}

/* ---- ttnn-prepare-module-for-export ---- */

void tsr_emit_name_argument(tsr_op *func, uint32_t i, const char *name)
{
    tsr_ctx *ctx = func->module->ctx;
    tsr_attr_vec dicts = {0};
    const tsr_attr *old = func->attrs[FUNC_FUNC_arg_attrs];
    for (uint32_t k = 0; k < func->regions[0].first->nargs; k++) {
        tsr_attr *d = old && k < old->n ? old->attrs[k] : tsr_attr_dict(ctx, NULL, 0);
        if (k == i)
            d = tsr_dict_with(ctx, d, tsr_name_get(ctx, TSR_STR("emitpy.name")),
                              tsr_attr_string(ctx, tsr_cstr(name)));
        tsr_vec_push(&dicts, d);
    }
    func->attrs[FUNC_FUNC_arg_attrs] = tsr_attr_array(ctx, dicts.data, dicts.n);
    tsr_vec_free(&dicts);
}

/* An element of the inputs comes from the host in row-major layout: it is laid out, then moved to the device. */
static tsr_type *stage(tsr_op *element, tsr_value *device)
{
    tsr_type *type = element->out[0].type;
    tsr_attr *layout = tsr_ttnn_layout_of(type);
    if (!layout || !tsr_ttnn_on_device(type))
        return type;
    tsr_ttnn_spec spec = tsr_ttnn_spec_of(layout), host = tsr_ttnn_host(spec.type);
    host.mesh = spec.mesh;
    tsr_type *rows = tsr_ttnn_type(type, host);
    host.tiled = spec.tiled;
    element->out[0].type = rows;
    tsr_build b = tsr_build_before(element->next);
    tsr_value *v = &element->out[0];
    tsr_value *in[] = {tsr_build_op(&b, TSR_OP_TTNN_TO_LAYOUT, &v, 1, tsr_ttnn_type(type, host)),
                       device};
    tsr_value *there = tsr_build_op(&b, TSR_OP_TTNN_TO_DEVICE, in, 2, type);
    tsr_build_free(&b);
    tsr_value_replace(v, there);
    tsr_op_set_operand(in[0]->op, 0, v);
    return rows;
}

static void stage_inputs(tsr_op *func, tsr_value *device)
{
    tsr_block *body = func->regions[0].first;
    tsr_value *input = body->args[0];
    tsr_type_vec types = {0};
    if (!tsr_type_is(input->type, TSR_TYPE_TUPLE))
        return;
    for (uint32_t i = 0; i < input->type->n; i++)
        tsr_vec_push(&types, input->type->types[i]);
    TSR_BLOCK_OPS (body, op)
        if (tsr_op_is(op, TSR_OP_TTCORE_GET_TUPLE_ELEMENT) && op->in[0].value == input)
            types.data[op->attrs[TTCORE_GET_TUPLE_ELEMENT_index]->i] = stage(op, device);
    input->type = tsr_type_tuple(func->module->ctx, types.data, types.n);
    tsr_vec_free(&types);
}

/* The first forward function is renamed to forward, and gets its device from the caller. */
bool pass_ttnn_prepare_module_for_export(tsr_pass *p, tsr_op *root)
{
    tsr_emit_funcs funcs = {0};
    tsr_op *func = NULL;
    tsr_emit_functions(root, &funcs);
    for (size_t i = 0; i < funcs.n && !func; i++)
        if (is_forward(funcs.data[i]))
            func = funcs.data[i];
    tsr_vec_free(&funcs);
    if (!func)
        return tsr_error(p->ctx, root->loc, "there is no forward function to export");
    tsr_op_set_attr(func, TSR_STR("sym_name"), tsr_attr_string(p->ctx, TSR_STR("forward")));
    tsr_block *body = func->regions[0].first;
    tsr_value *device = tsr_block_add_arg(
        root->module, body, tsr_type_dialect(p->ctx, &tsr_def_TTNN_DEVICE, NULL), func->loc);
    for (tsr_op *op = body->first, *next; op; op = next) {
        next = op->next;
        if (!tsr_op_is(op, TSR_OP_TTNN_GET_DEVICE))
            continue;
        tsr_value_replace(&op->out[0], device);
        tsr_op_erase(op);
    }
    stage_inputs(func, device);
    tsr_emit_name_argument(func, 0, "input");
    tsr_emit_name_argument(func, 1, "device");
    tsr_tt_retype_function(func);
    p->changed = true;
    return true;
}
