/* SPDX-License-Identifier: Apache-2.0 */
/* emitc.c - convert-ttnn-to-emitc: converts ops of TTNN to calls of ttnn's C++ functions.
 *
 * Each op becomes the call in its row of calls.def. Tuples are vectors; several result tensors are extracted from the
 * return value. Cached results are globals that a wrapper fills once. Names of functions become identifiers. Needs
 * decomposed layouts (no aggregate conversions are left); breaks ids. */
#include <stdio.h>

#include "dialect/emitc/emitc.h"
#include "lower/emit/emit.h"
#include "lower/emit/trace.h"

/* ---- Types ---- */

static tsr_type *opaque(tsr_ctx *ctx, const char *text)
{
    return tsr_emitc_opaque(ctx, tsr_cstr(text));
}

tsr_type *tsr_emitc_tensor(tsr_ctx *ctx)
{
    return opaque(ctx, "::ttnn::Tensor");
}

static tsr_type *tensors(tsr_ctx *ctx)
{
    return opaque(ctx, "::std::vector<::ttnn::Tensor>");
}

tsr_type *tsr_emitc_type(tsr_type *t)
{
    if (tsr_type_is(t, TSR_TYPE_TENSOR))
        return tsr_attr_is_struct(t->attr, &tsr_def_TTNN_TRACE_ID)
                   ? opaque(t->ctx, "ttnn::MeshTraceId")
                   : tsr_emitc_tensor(t->ctx);
    if (tsr_type_is(t, TSR_TYPE_TUPLE))
        return tensors(t->ctx);
    if (tsr_type_is(t, TSR_TYPE_DIALECT) && t->def == &tsr_def_TTNN_DEVICE)
        return tsr_emitc_ptr(opaque(t->ctx, "ttnn::distributed::MeshDevice"));
    if (tsr_type_is(t, TSR_TYPE_DIALECT) && t->def == &tsr_def_TTNN_GLOBAL_SEMAPHORE)
        return opaque(t->ctx, "::ttnn::GlobalSemaphore");
    return t;
}

/* ---- Ops ---- */

tsr_op *tsr_emitc_call(tsr_build *b, tsr_str callee, tsr_value *const *in, size_t n, tsr_type *type)
{
    tsr_op *made = tsr_build_open(b, TSR_OP_EMITC_CALL_OPAQUE, in, n, type != NULL, 0);
    made->attrs[EMITC_CALL_OPAQUE_callee] = tsr_attr_string(b->ctx, callee);
    return tsr_build_close_as(b, made, &type);
}

static tsr_value *literal(tsr_build *b, size_t i)
{
    char text[24];
    tsr_op *made = tsr_build_open(b, TSR_OP_EMITC_LITERAL, NULL, 0, 1, 0);
    snprintf(text, sizeof text, "%zu", i);
    made->attrs[EMITC_LITERAL_value] = tsr_attr_string(b->ctx, tsr_cstr(text));
    return &tsr_build_close_as(b, made, &b->ctx->index)->out[0];
}

static tsr_value *element(tsr_build *b, tsr_value *vector, size_t i, tsr_type *type)
{
    tsr_value *in[] = {vector, literal(b, i)};
    tsr_value *place = tsr_build_op(b, TSR_OP_EMITC_SUBSCRIPT, in, 2, tsr_emitc_lvalue(type));
    return tsr_build_op(b, TSR_OP_EMITC_LOAD, &place, 1, type);
}

/* ::std::get<i>(v) */
tsr_value *tsr_emitc_get(tsr_build *b, tsr_value *v, size_t i, tsr_type *type)
{
    tsr_op *made = tsr_emitc_call(b, TSR_STR("::std::get"), &v, 1, type);
    tsr_attr *number = tsr_attr_i32(b->ctx, (int32_t)i);
    made->attrs[EMITC_CALL_OPAQUE_template_args] = tsr_attr_array(b->ctx, &number, 1);
    return &made->out[0];
}

tsr_value *tsr_emitc_apply(tsr_build *b, const char *sign, tsr_value *v, tsr_type *type)
{
    tsr_op *made = tsr_build_open(b, TSR_OP_EMITC_APPLY, &v, 1, 1, 0);
    made->attrs[EMITC_APPLY_applicableOperator] = tsr_attr_string(b->ctx, tsr_cstr(sign));
    return &tsr_build_close_as(b, made, &type)->out[0];
}

tsr_value *tsr_emitc_constant(tsr_build *b, tsr_attr *value, tsr_type *type)
{
    tsr_op *made = tsr_build_open(b, TSR_OP_EMITC_CONSTANT, NULL, 0, 1, 0);
    made->attrs[EMITC_CONSTANT_value] = value;
    return &tsr_build_close_as(b, made, &type)->out[0];
}

tsr_value *tsr_emitc_global_place(tsr_build *b, tsr_str name, tsr_type *type)
{
    tsr_op *made = tsr_build_open(b, TSR_OP_EMITC_GET_GLOBAL, NULL, 0, 1, 0);
    tsr_type *place = tsr_emitc_lvalue(type);
    made->attrs[EMITC_GET_GLOBAL_name] = tsr_attr_symbol(b->ctx, name, NULL, 0);
    return &tsr_build_close_as(b, made, &place)->out[0];
}

static tsr_value *vector_of(tsr_build *b, tsr_value *const *in, size_t n)
{
    return &tsr_emitc_call(b, TSR_STR("util_create_vec"), in, n, tensors(b->ctx))->out[0];
}

/* ---- Calls of calls.def ---- */

typedef struct {
    tsr_build *b;
    tsr_op *op;
    tsr_value_vec in;
    tsr_attr_vec args;
} call;

static void add_value(call *c, tsr_value *v)
{
    tsr_vec_push(&c->args, tsr_attr_int(c->b->ctx, c->b->ctx->index, (int64_t)c->in.n));
    tsr_vec_push(&c->in, v);
}

/* create_mesh_mapper and create_mesh_composer take the device and a configuration. */
static tsr_value *through_mesh(call *c, const tsr_emit_arg *arg)
{
    tsr_build *b = c->b;
    bool maps = tsr_str_is(arg->as, "mapper");
    static const char *const config[] = {"::ttnn::distributed::MeshComposerConfig",
                                         "::ttnn::distributed::MeshMapperConfig"};
    static const char *const make[] = {"::ttnn::distributed::create_mesh_composer",
                                       "::ttnn::distributed::create_mesh_mapper"};
    static const char *const held[] = {"::std::unique_ptr<::ttnn::distributed::MeshToTensor>",
                                       "::std::unique_ptr<::ttnn::distributed::TensorToMesh>"};
    static const char *const given[] = {"::ttnn::distributed::MeshToTensor&",
                                        "::ttnn::distributed::TensorToMesh&"};
    tsr_value *in[2] = {
        tsr_emitc_apply(b, "*", tsr_ttnn_operand(c->op, "mesh_device"),
                        opaque(b->ctx, "::ttnn::distributed::MeshDevice&")),
        tsr_emitc_constant(b, tsr_emitc_text(b->ctx, arg->text), opaque(b->ctx, config[maps]))};
    tsr_value *made =
        &tsr_emitc_call(b, tsr_cstr(make[maps]), in, 2, opaque(b->ctx, held[maps]))->out[0];
    return tsr_emitc_apply(b, "*", made, opaque(b->ctx, given[maps]));
}

static tsr_value *operand_as(call *c, tsr_str as, tsr_value *v)
{
    tsr_build *b = c->b;
    if (tsr_str_is(as, "device"))
        return tsr_emitc_apply(b, "*", v,
                               opaque(b->ctx, "::std::optional<::std::reference_wrapper<::ttnn::"
                                              "distributed::MeshDevice>>"));
    if (tsr_str_is(as, "ref"))
        return tsr_emitc_apply(b, "*", v, opaque(b->ctx, "::ttnn::distributed::MeshDevice&"));
    if (tsr_str_is(as, "scalar"))
        return &tsr_emitc_call(b, TSR_STR("::ttnn::getScalarFromTensor"), &v, 1, b->ctx->i32)
                    ->out[0];
    return v;
}

static void add(call *c, const tsr_emit_arg *arg)
{
    if (tsr_str_is(arg->as, "mapper") || tsr_str_is(arg->as, "composer")) {
        add_value(c, through_mesh(c, arg));
    } else if (arg->n < 0) {
        tsr_vec_push(&c->args, tsr_emitc_text(c->b->ctx, arg->text));
    } else if (arg->list) {
        tsr_value_vec list = {0};
        for (int i = 0; i < arg->n; i++)
            tsr_vec_push(&list, c->op->in[arg->from + i].value);
        add_value(c, vector_of(c->b, list.data, list.n));
        tsr_vec_free(&list);
    } else {
        add_value(c, operand_as(c, arg->as, c->op->in[arg->from].value));
    }
}

/* The return type of a function with several results. */
static tsr_type *returned(const tsr_op *op, const tsr_emit_row *r)
{
    tsr_ctx *ctx = op->module->ctx;
    tsr_buf t = {0};
    switch (r->results) {
    case TSR_EMIT_VECTOR: return tensors(ctx);
    case TSR_EMIT_OPTIONALS: return opaque(ctx, "::std::vector<::std::optional<::ttnn::Tensor>>");
    case TSR_EMIT_VARIANT:
    case TSR_EMIT_VARIANT_1D: {
        const char *size =
            r->results == TSR_EMIT_VARIANT ? "::std::tuple<uint32_t, uint32_t>" : "uint32_t";
        static const char weights[] =
            "::std::tuple<::ttnn::Tensor, ::std::optional<::ttnn::Tensor>>";
        tsr_buf_printf(&t,
                       "::std::variant<::ttnn::Tensor, ::std::tuple<::ttnn::Tensor, %s>, "
                       "::std::tuple<::ttnn::Tensor, %s>, ::std::tuple<::ttnn::Tensor, %s, %s>>",
                       size, weights, size, weights);
        break;
    }
    case TSR_EMIT_TUPLE:
    case TSR_EMIT_ONE:
        tsr_buf_cstr(&t, "::std::tuple<");
        for (uint32_t i = 0; i < op->nout; i++)
            tsr_buf_printf(&t, "%s::ttnn::Tensor", i ? ", " : "");
        tsr_buf_cstr(&t, ">");
    }
    tsr_type *type = tsr_emitc_opaque(ctx, tsr_buf_text(&t));
    tsr_buf_free(&t);
    return type;
}

static tsr_value *result(tsr_build *b, const tsr_emit_row *r, tsr_value *all, uint32_t i)
{
    tsr_type *tensor = tsr_emitc_tensor(b->ctx);
    if (r->results == TSR_EMIT_VECTOR)
        return element(b, all, i, tensor);
    if (r->results == TSR_EMIT_OPTIONALS) {
        tsr_value *v = element(b, all, i, opaque(b->ctx, "::std::optional<::ttnn::Tensor>"));
        return &tsr_emitc_call(b, TSR_STR("util_get_optional_value"), &v, 1, tensor)->out[0];
    }
    return tsr_emitc_get(b, all, i, tensor);
}

static void put_call(call *c, const tsr_emit_row *r)
{
    tsr_op *op = c->op;
    bool whole = r->results == TSR_EMIT_ONE && op->nout <= 1;
    tsr_type *type = !op->nout ? NULL : whole ? tsr_emitc_type(op->out[0].type) : returned(op, r);
    tsr_op *made = tsr_emitc_call(c->b, tsr_cstr(r->name[TSR_EMIT_CPP]), c->in.data, c->in.n, type);
    made->attrs[EMITC_CALL_OPAQUE_args] = tsr_attr_array(c->b->ctx, c->args.data, c->args.n);
    for (uint32_t i = 0; i < op->nout; i++)
        tsr_value_replace(&op->out[i], whole ? &made->out[0] : result(c->b, r, &made->out[0], i));
}

static bool by_row(tsr_pass *p, tsr_build *b, tsr_op *op)
{
    const tsr_emit_row *r = tsr_emit_row_of(op);
    tsr_emit_args args = {0};
    call c = {.b = b, .op = op};
    bool ok = tsr_emit_arguments(p->scratch, TSR_EMIT_CPP, op, &args);
    for (size_t i = 0; ok && i < args.n; i++)
        add(&c, &args.data[i]);
    if (ok)
        put_call(&c, r);
    tsr_vec_free(&args);
    tsr_vec_free(&c.in);
    tsr_vec_free(&c.args);
    return ok;
}

/* ---- Other ops ---- */

static void add_global(tsr_build *b, tsr_op *func, tsr_str name, tsr_type *type)
{
    if (tsr_symbol_find(tsr_symbol_table_of(func), name))
        return;
    tsr_op *made = tsr_op_new(b->module, tsr_opdef_of(b->ctx, TSR_OP_EMITC_GLOBAL), b->loc, NULL, 0,
                              NULL, 0, 0, 0);
    made->attrs[EMITC_GLOBAL_sym_name] = tsr_attr_string(b->ctx, name);
    made->attrs[EMITC_GLOBAL_type] = tsr_attr_type(b->ctx, type);
    made->attrs[EMITC_GLOBAL_static_specifier] = tsr_attr_unit(b->ctx);
    tsr_op_insert(made, func->block, func);
}

static tsr_op *function_of(tsr_op *op)
{
    while (op && !tsr_op_is(op, TSR_OP_FUNC_FUNC))
        op = tsr_block_parent(op->block);
    return op;
}

/* The first call computes the results and keeps them in a global. */
static void load_cached(tsr_build *b, tsr_op *op)
{
    tsr_str callee = op->attrs[TTCORE_LOAD_CACHED_callee]->s;
    tsr_type *type = tensors(b->ctx);
    tsr_value_vec given = {0}, in = {0};
    tsr_buf name = {0}, address = {0};
    tsr_buf_printf(&name, "g_cached_result_%.*s", TSR_STR_ARG(callee));
    tsr_buf_printf(&address, "&%.*s", TSR_STR_ARG(callee));
    add_global(b, function_of(op), tsr_buf_text(&name), type);
    for (uint32_t i = 0; i < op->nin; i++)
        tsr_vec_push(&given, op->in[i].value);
    tsr_vec_push(&in, tsr_emitc_constant(
                          b, tsr_emitc_text(b->ctx, tsr_buf_text(&address)),
                          opaque(b->ctx, op->nin ? "::std::function<::std::vector<::ttnn::Tensor>("
                                                   "::std::vector<::ttnn::Tensor>)>"
                                                 : "::std::function<::std::vector<::ttnn::Tensor>("
                                                   ")>")));
    if (op->nin)
        tsr_vec_push(&in, vector_of(b, given.data, given.n));
    tsr_value *place = tsr_emitc_global_place(b, tsr_buf_text(&name), type);
    tsr_vec_push(&in, tsr_emitc_apply(b, "&", place, tsr_emitc_ptr(type)));
    tsr_emitc_call(b,
                   op->nin ? TSR_STR("ttnn::constEvalFuncWrapper")
                           : TSR_STR("ttnn::constEvalFuncWrapperZeroArg"),
                   in.data, in.n, NULL);
    tsr_value *all = tsr_build_op(b, TSR_OP_EMITC_LOAD, &place, 1, type);
    for (uint32_t i = 0; i < op->nout; i++)
        tsr_value_replace(&op->out[i], element(b, all, i, tsr_emitc_tensor(b->ctx)));
    tsr_vec_free(&given);
    tsr_vec_free(&in);
    tsr_buf_free(&name);
    tsr_buf_free(&address);
}

/* ::name, since ttnn may have a function with the same name. */
static void call_function(tsr_build *b, tsr_op *op)
{
    tsr_value_vec in = {0};
    tsr_type_vec types = {0};
    tsr_buf name = {0};
    tsr_buf_printf(&name, "::%.*s", TSR_STR_ARG(op->attrs[FUNC_CALL_callee]->s));
    for (uint32_t i = 0; i < op->nin; i++)
        tsr_vec_push(&in, op->in[i].value);
    for (uint32_t i = 0; i < op->nout; i++)
        tsr_vec_push(&types, tsr_emitc_type(op->out[i].type));
    tsr_op *made = tsr_build_open(b, TSR_OP_EMITC_CALL_OPAQUE, in.data, in.n, op->nout, 0);
    made->attrs[EMITC_CALL_OPAQUE_callee] = tsr_attr_string(b->ctx, tsr_buf_text(&name));
    tsr_build_close_as(b, made, types.data);
    for (uint32_t i = 0; i < op->nout; i++)
        tsr_value_replace(&op->out[i], &made->out[i]);
    tsr_vec_free(&in);
    tsr_vec_free(&types);
    tsr_buf_free(&name);
}

/* Converts op if it is not of TTNN but has a form here. */
static bool by_hand(tsr_build *b, tsr_op *op)
{
    switch (op->def->opcode) {
    case TSR_OP_TTCORE_TUPLE: tsr_emit_replace_tuple(b, op, vector_of); return true;
    case TSR_OP_TTCORE_GET_TUPLE_ELEMENT:
        tsr_value_replace(&op->out[0], element(b, op->in[0].value,
                                               (size_t)op->attrs[TTCORE_GET_TUPLE_ELEMENT_index]->i,
                                               tsr_emitc_tensor(b->ctx)));
        return true;
    case TSR_OP_TTCORE_LOAD_CACHED: load_cached(b, op); return true;
    case TSR_OP_FUNC_CALL: call_function(b, op); return true;
    case TSR_OP_ARITH_CONSTANT:
        tsr_value_replace(&op->out[0],
                          tsr_emitc_constant(b, op->attrs[ARITH_CONSTANT_value], op->out[0].type));
        return true;
    case TSR_OP_TTNN_CAPTURE_OR_EXECUTE_TRACE: tsr_emitc_trace(b, op); return true;
    default: return false;
    }
}

static bool convert_op(tsr_pass *p, tsr_build *b, tsr_op *op, bool *known)
{
    return tsr_emit_row_of(op) ? by_row(p, b, op) : (*known = by_hand(b, op));
}

static bool stays(const tsr_op *op)
{
    return tsr_op_in(op, TSR_DIALECT_EMITC) || tsr_op_is(op, TSR_OP_FUNC_RETURN);
}

static bool convert_function(tsr_pass *p, tsr_op *func)
{
    TSR_TRY(tsr_emit_body(p, func, stays, convert_op, tsr_emitc_type));
    tsr_tt_retype_function(func);
    func->attrs[FUNC_FUNC_arg_attrs] = func->attrs[FUNC_FUNC_res_attrs] = NULL;
    return true;
}

static void add_include(tsr_pass *p, tsr_op *root)
{
    tsr_block *body = root->regions[0].first;
    tsr_op *made = tsr_op_new(root->module, tsr_opdef_of(p->ctx, TSR_OP_EMITC_INCLUDE), root->loc,
                              NULL, 0, NULL, 0, 0, 0);
    made->attrs[EMITC_INCLUDE_include] = tsr_attr_string(p->ctx, TSR_STR("ttnn-precompiled.hpp"));
    tsr_op_insert(made, body, body->first);
}

/* C++ requires declarations before calls. */
static void declare_first(tsr_op *root)
{
    tsr_block *body = root->regions[0].first;
    for (tsr_op *op = body->first, *next; op; op = next) {
        next = op->next;
        if (!tsr_op_is(op, TSR_OP_FUNC_FUNC) || op->regions[0].first)
            continue;
        tsr_emit_retype_declaration(op, tsr_emitc_type);
        if (op != body->first)
            tsr_op_move_before(op, body->first);
    }
}

bool pass_convert_ttnn_to_emitc(tsr_pass *p, tsr_op *root)
{
    tsr_emit_funcs funcs = {0};
    bool ok = true;
    p->changed = true;
    tsr_emit_rename(p, root);
    tsr_emit_functions(root, &funcs);
    for (size_t i = 0; ok && i < funcs.n; i++)
        ok = convert_function(p, funcs.data[i]);
    tsr_vec_free(&funcs);
    if (!ok)
        return false;
    declare_first(root);
    tsr_emit_drop_devices(root);
    add_include(p, root);
    root->extra = NULL;
    return true;
}
