/* SPDX-License-Identifier: Apache-2.0 */
/* emitpy.c - convert-ttnn-to-emitpy: converts ops of TTNN to calls of ttnn's Python functions.
 *
 * Each op becomes the call in its row of calls.def. Tuples are lists. A function that fills a cache does so once. Needs
 * decomposed layouts; breaks ids. */
#include "lower/emit/emitpy.h"

static tsr_type *opaque(tsr_ctx *ctx, const char *text)
{
    return tsr_emitpy_opaque(ctx, tsr_cstr(text));
}

static tsr_type *tensors(tsr_ctx *ctx)
{
    return opaque(ctx, "[ttnn.Tensor]");
}

tsr_type *tsr_emitpy_type(tsr_type *t)
{
    if (tsr_type_is(t, TSR_TYPE_TENSOR))
        return opaque(t->ctx, tsr_attr_is_struct(t->attr, &tsr_def_TTNN_TRACE_ID)
                                  ? "ttnn.MeshTraceId"
                                  : "ttnn.Tensor");
    if (tsr_type_is(t, TSR_TYPE_TUPLE))
        return tensors(t->ctx);
    if (!tsr_type_is(t, TSR_TYPE_DIALECT))
        return t;
    return t->def == &tsr_def_TTNN_DEVICE             ? opaque(t->ctx, "ttnn.Device")
           : t->def == &tsr_def_TTNN_GLOBAL_SEMAPHORE ? opaque(t->ctx, "ttnn.GlobalSemaphore")
           : t->def == &tsr_def_TTCORE_DICT           ? tsr_emitpy_dict(t->ctx)
                                                      : t;
}

/* ---- Ops ---- */

void tsr_emitpy_add_text(tsr_ctx *ctx, tsr_emitpy_call *c, tsr_str key, tsr_str text)
{
    tsr_vec_push(&c->args, tsr_emitpy_text(ctx, text));
    tsr_vec_push(&c->keys, tsr_attr_string(ctx, key));
}

void tsr_emitpy_add_value(tsr_ctx *ctx, tsr_emitpy_call *c, tsr_str key, tsr_value *v)
{
    tsr_vec_push(&c->args, tsr_attr_int(ctx, ctx->index, (int64_t)c->in.n));
    tsr_vec_push(&c->keys, tsr_attr_string(ctx, key));
    tsr_vec_push(&c->in, v);
}

tsr_op *tsr_emitpy_end_call(tsr_build *b, tsr_emitpy_call *c, tsr_str callee,
                            tsr_type *const *types, size_t nout)
{
    tsr_op *made = tsr_build_open(b, TSR_OP_EMITPY_CALL_OPAQUE, c->in.data, c->in.n, nout, 0);
    made->attrs[EMITPY_CALL_OPAQUE_callee] = tsr_attr_string(b->ctx, callee);
    made->attrs[EMITPY_CALL_OPAQUE_args] = tsr_attr_array(b->ctx, c->args.data, c->args.n);
    made->attrs[EMITPY_CALL_OPAQUE_keyword_args] = tsr_attr_array(b->ctx, c->keys.data, c->keys.n);
    tsr_build_close_as(b, made, types);
    tsr_vec_free(&c->in);
    tsr_vec_free(&c->args);
    tsr_vec_free(&c->keys);
    return made;
}

static tsr_op *plain_call(tsr_build *b, tsr_str callee, tsr_value *const *in, size_t n,
                          tsr_type *type)
{
    tsr_op *made = tsr_build_open(b, TSR_OP_EMITPY_CALL_OPAQUE, in, n, type != NULL, 0);
    made->attrs[EMITPY_CALL_OPAQUE_callee] = tsr_attr_string(b->ctx, callee);
    return tsr_build_close_as(b, made, &type);
}

tsr_value *tsr_emitpy_list(tsr_build *b, tsr_value *const *in, size_t n)
{
    return &plain_call(b, TSR_STR("util_create_list"), in, n, tensors(b->ctx))->out[0];
}

static tsr_value *literal(tsr_build *b, tsr_str text, tsr_type *type)
{
    tsr_op *made = tsr_build_open(b, TSR_OP_EMITPY_LITERAL, NULL, 0, 1, 0);
    made->attrs[EMITPY_LITERAL_value] = tsr_attr_string(b->ctx, text);
    return &tsr_build_close_as(b, made, &type)->out[0];
}

/* A key of a dictionary: a string or a number. */
static tsr_value *key_literal(tsr_build *b, const tsr_attr *key)
{
    tsr_buf text = {0};
    bool string = key->kind == TSR_ATTR_STRING;
    if (string)
        tsr_emit_string(&text, key->s);
    else
        tsr_buf_int(&text, key->i);
    tsr_value *v = literal(b, tsr_buf_text(&text), string ? tsr_emitpy_str(b->ctx) : b->ctx->index);
    tsr_buf_free(&text);
    return v;
}

static tsr_value *subscript(tsr_build *b, tsr_value *of, tsr_value *index, tsr_type *type)
{
    tsr_value *in[] = {of, index};
    return tsr_build_op(b, TSR_OP_EMITPY_SUBSCRIPT, in, 2, type);
}

tsr_value *tsr_emitpy_element(tsr_build *b, tsr_value *list, size_t i)
{
    char text[24];
    snprintf(text, sizeof text, "%zu", i);
    return subscript(b, list, literal(b, tsr_cstr(text), b->ctx->index),
                     opaque(b->ctx, "ttnn.Tensor"));
}

/* ---- Calls of calls.def ---- */

typedef struct {
    tsr_build *b;
    tsr_op *op;
    tsr_emitpy_call c;
} call;

/* create_mesh_mapper and create_mesh_composer take the device and a configuration. */
static tsr_value *through_mesh(const call *c, const tsr_emit_arg *arg)
{
    tsr_emitpy_call inner = {0};
    bool maps = tsr_str_is(arg->as, "mapper");
    tsr_type *type = opaque(c->b->ctx, maps ? "ttnn.TensorToMesh" : "ttnn.MeshToTensor");
    tsr_emitpy_add_value(c->b->ctx, &inner, TSR_STR(""), tsr_ttnn_operand(c->op, "mesh_device"));
    tsr_emitpy_add_text(c->b->ctx, &inner, TSR_STR(""), arg->text);
    return &tsr_emitpy_end_call(c->b, &inner,
                                maps ? TSR_STR("ttnn.create_mesh_mapper")
                                     : TSR_STR("ttnn.create_mesh_composer"),
                                &type, 1)
                ->out[0];
}

static void add(call *c, const tsr_emit_arg *arg)
{
    tsr_ctx *ctx = c->b->ctx;
    tsr_str key = arg->keyword;
    if (tsr_str_is(arg->as, "mapper") || tsr_str_is(arg->as, "composer")) {
        tsr_emitpy_add_value(ctx, &c->c, arg->as, through_mesh(c, arg));
    } else if (arg->n < 0) {
        tsr_emitpy_add_text(ctx, &c->c, key, arg->text);
    } else if (arg->list) {
        tsr_value_vec list = {0};
        for (int i = 0; i < arg->n; i++)
            tsr_vec_push(&list, c->op->in[arg->from + i].value);
        tsr_emitpy_add_value(ctx, &c->c, key, tsr_emitpy_list(c->b, list.data, list.n));
        tsr_vec_free(&list);
    } else if (tsr_str_is(arg->as, "scalar")) {
        tsr_value *v = c->op->in[arg->from].value;
        tsr_emitpy_add_value(
            ctx, &c->c, key,
            &plain_call(c->b, TSR_STR("utils.get_scalar_from_tensor"), &v, 1, opaque(ctx, "int"))
                 ->out[0]);
    } else {
        tsr_emitpy_add_value(ctx, &c->c, key, c->op->in[arg->from].value);
    }
}

/* How the devices of a mesh are linked: a ring along any axis makes it a ring. */
static tsr_str fabric(tsr_op *op)
{
    const tsr_op *device = tsr_tt_device_op(op);
    const tsr_attr *a = device ? device->attrs[TTCORE_DEVICE_device_attr] : NULL;
    const tsr_attr *mesh = a ? a->attrs[4] : NULL, *links = a ? a->attrs[6] : NULL;
    int64_t n = 1;
    for (int64_t i = 0; mesh && i < tsr_attr_count(mesh); i++)
        n *= tsr_attr_int_at(mesh, (size_t)i);
    if (n <= 1)
        return TSR_STR("ttnn.FabricConfig.DISABLED");
    if (links && links->kind == TSR_ATTR_STRUCT)
        links = links->attrs[0];
    for (uint32_t i = 0; links && links->kind == TSR_ATTR_ARRAY && i < links->n; i++)
        if (links->attrs[i]->i == 0)
            return TSR_STR("ttnn.FabricConfig.FABRIC_1D_RING");
    return TSR_STR("ttnn.FabricConfig.FABRIC_1D");
}

static bool by_row(tsr_pass *p, tsr_build *b, tsr_op *op, const tsr_emit_row *r)
{
    tsr_emit_args args = {0};
    tsr_type_vec types = {0};
    call c = {.b = b, .op = op};
    bool ok = tsr_emit_arguments(p->scratch, TSR_EMIT_PYTHON, op, &args);
    for (size_t i = 0; ok && i < args.n; i++)
        add(&c, &args.data[i]);
    if (ok && tsr_op_is(op, TSR_OP_TTNN_GET_DEVICE))
        tsr_emitpy_add_text(b->ctx, &c.c, TSR_STR("fabric_config"), fabric(op));
    for (uint32_t i = 0; i < op->nout; i++)
        tsr_vec_push(&types, tsr_emitpy_type(op->out[i].type));
    tsr_op *made =
        tsr_emitpy_end_call(b, &c.c, tsr_cstr(r->name[TSR_EMIT_PYTHON]), types.data, op->nout);
    for (uint32_t i = 0; i < op->nout; i++)
        tsr_value_replace(&op->out[i], &made->out[i]);
    tsr_vec_free(&args);
    tsr_vec_free(&types);
    return ok;
}

/* ---- Other ops ---- */

static void get_element(tsr_build *b, tsr_op *op)
{
    tsr_attr *name = tsr_dict_get(op->extra, TSR_STR("emitpy.name"));
    tsr_value *v = tsr_emitpy_element(b, op->in[0].value,
                                      (size_t)op->attrs[TTCORE_GET_TUPLE_ELEMENT_index]->i);
    if (name)
        tsr_op_set_attr(v->op, TSR_STR("emitpy.name"), name);
    tsr_value_replace(&op->out[0], v);
}

/* A single result is the value of the key, several are its elements. */
static void get_key_value(tsr_build *b, tsr_op *op)
{
    const tsr_attr *key = op->attrs[TTCORE_GET_KEY_VALUE_key];
    const tsr_op *from = op->in[0].value->is_arg ? NULL : op->in[0].value->op;
    bool cached = from && tsr_op_is(from, TSR_OP_FUNC_CALL);
    tsr_type *one = cached ? tensors(b->ctx) : opaque(b->ctx, "ttnn.Tensor");
    tsr_value *all = subscript(b, op->in[0].value, key_literal(b, key), one);
    if (key->kind == TSR_ATTR_STRING)
        tsr_op_set_attr(all->op, TSR_STR("emitpy.name"), tsr_attr_string(b->ctx, key->s));
    for (uint32_t i = 0; i < op->nout; i++)
        tsr_value_replace(&op->out[i], cached ? tsr_emitpy_element(b, all, i) : all);
}

/* dict[key], as the target of an assignment. */
static tsr_value *key_place(tsr_build *b, tsr_value *dict, const tsr_attr *key, tsr_type *type)
{
    tsr_type *dt = tsr_emitpy_dict(b->ctx), *kt = tsr_emitpy_str(b->ctx);
    tsr_value *in[] = {dict, key_literal(b, key)};
    if (key->kind != TSR_ATTR_STRING)
        kt = b->ctx->index;
    tsr_op *e = tsr_build_open(b, TSR_OP_EMITPY_EXPRESSION, in, 2, 1, 1);
    tsr_build_close_as(b, e, &type);
    tsr_build inner = tsr_build_in(b, &e->regions[0], (tsr_type *[]){dt, kt}, 2);
    tsr_value *v = subscript(&inner, inner.block->args[0], inner.block->args[1], type);
    tsr_build_close_as(&inner, tsr_build_open(&inner, TSR_OP_EMITPY_YIELD, &v, 1, 0, 0), NULL);
    tsr_build_free(&inner);
    return &e->out[0];
}

static tsr_value *load_cached(tsr_op *op);

static void set_key_value(tsr_build *b, tsr_op *op)
{
    const tsr_op *from = op->nin > 1 && !op->in[1].value->is_arg ? op->in[1].value->op : NULL;
    tsr_value *v = op->nin > 1 ? op->in[1].value : NULL;
    if (from && tsr_op_is(from, TSR_OP_TTCORE_LOAD_CACHED)) {
        v = load_cached(op->in[1].value->op);
    } else if (op->nin != 2) {
        tsr_value_vec list = {0};
        for (uint32_t i = 1; i < op->nin; i++)
            tsr_vec_push(&list, op->in[i].value);
        v = tsr_emitpy_list(b, list.data, list.n);
        tsr_vec_free(&list);
    }
    bool several = v->type == tensors(b->ctx);
    tsr_value *in[] = {key_place(b, op->in[0].value, op->attrs[TTCORE_SET_KEY_VALUE_key],
                                 several ? tensors(b->ctx) : opaque(b->ctx, "ttnn.Tensor")),
                       v};
    tsr_build_close_as(b, tsr_build_open(b, TSR_OP_EMITPY_ASSIGN, in, 2, 0, 0), NULL);
}

/* The device argument of a function. */
static tsr_value *device_argument(const tsr_op *op)
{
    const tsr_block *body = op->block;
    for (uint32_t i = 0; i < body->nargs; i++)
        if (tsr_type_is(body->args[i]->type, TSR_TYPE_DIALECT) &&
            body->args[i]->type->def == &tsr_def_TTNN_DEVICE)
            return body->args[i];
    return NULL;
}

/* callee([inputs]): a list of results; the op's own results are extracted from it where something else uses them. */
static tsr_value *load_cached(tsr_op *op)
{
    tsr_value_vec in = {0}, given = {0};
    tsr_build b = tsr_build_before(op);
    tsr_value *device = device_argument(op);
    for (uint32_t i = 0; i < op->nin; i++)
        tsr_vec_push(&in, op->in[i].value);
    if (in.n)
        tsr_vec_push(&given, tsr_emitpy_list(&b, in.data, in.n));
    if (device)
        tsr_vec_push(&given, device);
    tsr_value *list = &plain_call(&b, op->attrs[TTCORE_LOAD_CACHED_callee]->s, given.data, given.n,
                                  tensors(b.ctx))
                           ->out[0];
    tsr_build_free(&b);
    tsr_vec_free(&in);
    tsr_vec_free(&given);
    return list;
}

static void load_all(tsr_build *b, tsr_op *op)
{
    tsr_value *list = tsr_op_used(op) ? load_cached(op) : NULL;
    for (uint32_t i = 0; list && i < op->nout; i++)
        if (op->out[i].uses)
            tsr_value_replace(&op->out[i], tsr_emitpy_element(b, list, i));
}

static void get_global(tsr_build *b, tsr_op *op)
{
    tsr_op *made = tsr_build_open(b, TSR_OP_EMITPY_GLOBAL_STATEMENT, NULL, 0, 1, 0);
    tsr_type *type = tsr_emitpy_type(op->out[0].type);
    made->attrs[EMITPY_GLOBAL_STATEMENT_name] =
        tsr_attr_symbol(b->ctx, op->attrs[TTCORE_GET_GLOBAL_sym_name]->s, NULL, 0);
    tsr_value_replace(&op->out[0], &tsr_build_close_as(b, made, &type)->out[0]);
}

static void constant(tsr_build *b, tsr_op *op)
{
    tsr_op *made = tsr_build_open(b, TSR_OP_EMITPY_CONSTANT, NULL, 0, 1, 0);
    tsr_type *type = op->out[0].type;
    made->attrs[EMITPY_CONSTANT_value] = op->attrs[ARITH_CONSTANT_value];
    tsr_value_replace(&op->out[0], &tsr_build_close_as(b, made, &type)->out[0]);
}

static bool by_hand(tsr_build *b, tsr_op *op)
{
    switch (op->def->opcode) {
    case TSR_OP_TTCORE_TUPLE: tsr_emit_replace_tuple(b, op, tsr_emitpy_list); return true;
    case TSR_OP_TTCORE_GET_TUPLE_ELEMENT: get_element(b, op); return true;
    case TSR_OP_TTCORE_GET_KEY_VALUE: get_key_value(b, op); return true;
    case TSR_OP_TTCORE_SET_KEY_VALUE: set_key_value(b, op); return true;
    case TSR_OP_TTCORE_GET_GLOBAL: get_global(b, op); return true;
    case TSR_OP_TTCORE_LOAD_CACHED: load_all(b, op); return true;
    case TSR_OP_ARITH_CONSTANT: constant(b, op); return true;
    default: return false;
    }
}

static bool convert_op(tsr_pass *p, tsr_build *b, tsr_op *op, bool *known)
{
    const tsr_emit_row *r = tsr_emit_row_of(op);
    if (r && r->name[TSR_EMIT_PYTHON])
        return by_row(p, b, op, r);
    return *known = !r && by_hand(b, op);
}

/* ---- Functions ---- */

static bool is_kind(const tsr_op *func, const char *kind)
{
    return tsr_str_is(tsr_tt_function_type(func), kind);
}

/* Const-eval functions of a module whose device comes from the caller also take it as an argument. */
static void take_device(tsr_op *func)
{
    tsr_block *body = func->regions[0].first;
    tsr_ctx *ctx = func->module->ctx;
    tsr_value *device = tsr_block_add_arg(
        func->module, body, tsr_type_dialect(ctx, &tsr_def_TTNN_DEVICE, NULL), func->loc);
    tsr_emit_name_argument(func, body->nargs - 1, "device");
    for (tsr_op *op = body->first, *next; op; op = next) {
        next = op->next;
        if (tsr_op_is(op, TSR_OP_TTNN_GET_DEVICE)) {
            tsr_value_replace(&op->out[0], device);
            tsr_op_erase(op);
        }
    }
}

/* A cache is filled only if it is empty. */
static void guard(tsr_op *func)
{
    tsr_block *body = func->regions[0].first;
    tsr_op *ret = body->last, *next;
    if (body->first == ret)
        return;
    tsr_build b = tsr_build_before(ret);
    b.loc = func->loc;
    tsr_op *branch = tsr_build_open(&b, TSR_OP_EMITPY_IF, &body->args[0], 1, 0, 2);
    branch->attrs[EMITPY_IF_condition] = tsr_attr_string(b.ctx, TSR_STR("not {}"));
    tsr_build_close_as(&b, branch, NULL);
    tsr_build inside = tsr_build_in(&b, &branch->regions[0], NULL, 0);
    for (tsr_op *op = body->first; op != branch; op = next) {
        next = op->next;
        tsr_op_remove(op);
        tsr_op_insert(op, inside.block, NULL);
    }
    tsr_build_free(&inside);
    tsr_build_free(&b);
}

static void retype_calls(tsr_op *op)
{
    for (uint32_t i = 0; i < op->nout; i++)
        op->out[i].type = tsr_emitpy_type(op->out[i].type);
}

static bool stays(const tsr_op *op)
{
    return tsr_op_in(op, TSR_DIALECT_EMITPY) || tsr_op_is(op, TSR_OP_FUNC_RETURN) ||
           tsr_op_is(op, TSR_OP_FUNC_CALL);
}

static bool convert_function(tsr_pass *p, tsr_op *func)
{
    tsr_block *body = func->regions[0].first;
    TSR_TRY(tsr_emit_body(p, func, stays, convert_op, tsr_emitpy_type));
    TSR_BLOCK_OPS (body, op)
        if (tsr_op_is(op, TSR_OP_FUNC_CALL))
            retype_calls(op);
    if (is_kind(func, "const_eval_wrapper"))
        guard(func);
    tsr_tt_retype_function(func);
    func->attrs[FUNC_FUNC_res_attrs] = NULL;
    return true;
}

static void convert_globals(tsr_op *root)
{
    for (tsr_op *op = root->regions[0].first->first, *next; op; op = next) {
        next = op->next;
        if (tsr_op_is(op, TSR_OP_FUNC_FUNC) && !op->regions[0].first)
            tsr_emit_retype_declaration(op, tsr_emitpy_type);
        if (!tsr_op_is(op, TSR_OP_TTCORE_GLOBAL))
            continue;
        tsr_ctx *ctx = root->module->ctx;
        tsr_op *made = tsr_op_new(root->module, tsr_opdef_of(ctx, TSR_OP_EMITPY_GLOBAL), op->loc,
                                  NULL, 0, NULL, 0, 0, 0);
        made->attrs[EMITPY_GLOBAL_sym_name] = op->attrs[TTCORE_GLOBAL_sym_name];
        made->attrs[EMITPY_GLOBAL_initial_value] = tsr_emitpy_text(ctx, TSR_STR("{}"));
        tsr_op_insert(made, op->block, op);
        tsr_op_erase(op);
    }
}

/* Keeps the sizes of a mesh of several devices, which calls of host functions need. */
static void keep_mesh(tsr_op *root)
{
    TSR_BLOCK_OPS (root->regions[0].first, op) {
        if (!tsr_op_is(op, TSR_OP_TTCORE_DEVICE))
            continue;
        tsr_attr *mesh = op->attrs[TTCORE_DEVICE_device_attr]->attrs[4];
        int64_t n = 1;
        for (int64_t i = 0; mesh && i < tsr_attr_count(mesh); i++)
            n *= tsr_attr_int_at(mesh, (size_t)i);
        if (n > 1)
            tsr_op_set_attr(root, TSR_STR("emitpy.mesh_shape"), mesh);
    }
}

bool pass_convert_ttnn_to_emitpy(tsr_pass *p, tsr_op *root)
{
    tsr_emit_funcs funcs = {0};
    bool ok = true, given = tsr_pass_bool(p, "target-module");
    p->changed = true;
    tsr_emit_rename(p, root);
    tsr_emit_functions(root, &funcs);
    for (size_t i = 0; given && i < funcs.n; i++)
        if (is_kind(funcs.data[i], "const_eval"))
            take_device(funcs.data[i]);
    for (size_t i = 0; ok && i < funcs.n; i++)
        ok = convert_function(p, funcs.data[i]);
    tsr_vec_free(&funcs);
    if (!ok)
        return false;
    convert_globals(root);
    keep_mesh(root);
    tsr_emit_drop_devices(root);
    return true;
}
