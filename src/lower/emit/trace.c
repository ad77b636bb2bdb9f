/* SPDX-License-Identifier: Apache-2.0 */
/* trace.c - ttnn.capture_or_execute_trace in C++: globals hold the trace, its slots, and whether it exists.
 *
 *   std::tuple<Tensor...> capture_or_execute_NAME(inputs...) {
 *     if (is_first_call_NAME) {
 *       allocate the slots, keep them; record, keep the trace id
 *     } else {
 *       replay the trace
 *     }
 *     return the output slots;
 *   } */
#include "lower/emit/trace.h"

#include "dialect/emitc/emitc.h"

typedef struct {
    tsr_op *op;
    tsr_str name;       /* common suffix of the callees' names */
    tsr_op *at;         /* globals are inserted before it */
    uint32_t first, n;  /* range of inputs among its operands */
    tsr_value_vec args; /* of the function */
} trace;

static tsr_str global_name(tsr_buf *out, const trace *t, const char *what, int i)
{
    out->len = 0;
    tsr_buf_cstr(out, what);
    if (i >= 0)
        tsr_buf_printf(out, "_%d", i);
    tsr_buf_printf(out, "_%.*s", TSR_STR_ARG(t->name));
    return tsr_buf_text(out);
}

static void add_global(const trace *t, const char *what, int i, tsr_type *type, tsr_attr *value)
{
    tsr_module *m = t->op->module;
    tsr_buf name = {0};
    tsr_op *made = tsr_op_new(m, tsr_opdef_of(m->ctx, TSR_OP_EMITC_GLOBAL), t->op->loc, NULL, 0,
                              NULL, 0, 0, 0);
    made->attrs[EMITC_GLOBAL_sym_name] = tsr_attr_string(m->ctx, global_name(&name, t, what, i));
    made->attrs[EMITC_GLOBAL_type] = tsr_attr_type(m->ctx, type);
    made->attrs[EMITC_GLOBAL_initial_value] = value;
    tsr_op_insert(made, t->at->block, t->at);
    tsr_buf_free(&name);
}

static tsr_value *place(tsr_build *b, const trace *t, const char *what, int i, tsr_type *type)
{
    tsr_buf name = {0};
    tsr_value *v = tsr_emitc_global_place(b, global_name(&name, t, what, i), type);
    tsr_buf_free(&name);
    return v;
}

static tsr_value *load(tsr_build *b, tsr_value *from, tsr_type *type)
{
    return tsr_build_op(b, TSR_OP_EMITC_LOAD, &from, 1, type);
}

static void assign(tsr_build *b, tsr_value *to, tsr_value *v)
{
    tsr_value *in[] = {to, v};
    tsr_build_close_as(b, tsr_build_open(b, TSR_OP_EMITC_ASSIGN, in, 2, 0, 0), NULL);
}

static tsr_type *trace_id(tsr_ctx *ctx)
{
    return tsr_emitc_opaque(ctx, TSR_STR("ttnn::MeshTraceId"));
}

static void yield(tsr_build *b)
{
    tsr_build_close_as(b, tsr_build_open(b, TSR_OP_EMITC_YIELD, NULL, 0, 0, 0), NULL);
}

static tsr_value *slot_place(tsr_build *b, const trace *t, uint32_t i)
{
    bool in = i < t->n;
    return place(b, t, in ? "global_input" : "global_output", (int)(in ? i : i - t->n),
                 tsr_emitc_tensor(b->ctx));
}

/* The first call: allocates slots, then records. */
static void record(tsr_build *b, const trace *t, tsr_value *const *results)
{
    tsr_ctx *ctx = b->ctx;
    tsr_type *tensor = tsr_emitc_tensor(ctx);
    tsr_value_vec resident = {0}, given = {0};
    assign(b, place(b, t, "is_first_call", -1, ctx->i1),
           tsr_emitc_constant(b, tsr_attr_bool(ctx, false), ctx->i1));
    for (uint32_t i = 0; i < t->n; i++) {
        const tsr_type *type = t->op->in[t->first + i].value->type;
        if (tsr_ttnn_on_device(type))
            tsr_vec_push(&resident, t->args.data[i]);
        else
            tsr_vec_push(&given, t->args.data[i]);
    }
    tsr_value *slots =
        &tsr_emitc_call(b, t->op->attrs[TTNN_CAPTURE_OR_EXECUTE_TRACE_allocate_slots_callee]->s,
                        resident.data, resident.n, tsr_emitc_opaque(ctx, TSR_STR("auto")))
             ->out[0];
    for (uint32_t i = 0; i < t->n + t->op->nout; i++) {
        tsr_value *slot = tsr_emitc_get(b, slots, i, tensor);
        assign(b, slot_place(b, t, i), slot);
        if (i >= t->n)
            assign(b, results[i - t->n], slot);
    }
    for (uint32_t i = 0; i < t->n + t->op->nout; i++)
        tsr_vec_push(&given, load(b, slot_place(b, t, i), tensor));
    tsr_op *made = tsr_emitc_call(b, t->op->attrs[TTNN_CAPTURE_OR_EXECUTE_TRACE_capture_callee]->s,
                                  given.data, given.n, trace_id(ctx));
    assign(b, place(b, t, "trace_id", -1, trace_id(ctx)), &made->out[0]);
    yield(b);
    tsr_vec_free(&resident);
    tsr_vec_free(&given);
}

static void run(tsr_build *b, const trace *t, tsr_value *const *results)
{
    tsr_value *id = load(b, place(b, t, "trace_id", -1, trace_id(b->ctx)), trace_id(b->ctx));
    tsr_emitc_call(b, t->op->attrs[TTNN_CAPTURE_OR_EXECUTE_TRACE_execute_callee]->s, &id, 1, NULL);
    for (uint32_t i = 0; i < t->op->nout; i++)
        assign(b, results[i], load(b, slot_place(b, t, t->n + i), tsr_emitc_tensor(b->ctx)));
    yield(b);
}

static tsr_type *all_results(tsr_ctx *ctx, uint32_t n)
{
    tsr_buf t = {0};
    tsr_buf_cstr(&t, "::std::tuple<");
    for (uint32_t i = 0; i < n; i++)
        tsr_buf_printf(&t, "%s::ttnn::Tensor", i ? ", " : "");
    tsr_buf_cstr(&t, ">");
    tsr_type *type = tsr_emitc_opaque(ctx, tsr_buf_text(&t));
    tsr_buf_free(&t);
    return type;
}

static void fill(tsr_build *outer, trace *t, tsr_op *func, const tsr_type_vec *types, tsr_type *all)
{
    tsr_ctx *ctx = outer->ctx;
    tsr_type *tensor = tsr_emitc_tensor(ctx);
    tsr_value_vec results = {0}, loaded = {0};
    tsr_build b = tsr_build_in(outer, &func->regions[0], types->data, types->n);
    for (uint32_t i = 0; i < t->n; i++)
        tsr_vec_push(&t->args, b.block->args[i]);
    for (uint32_t i = 0; i < t->op->nout; i++) {
        tsr_op *made = tsr_build_open(&b, TSR_OP_EMITC_VARIABLE, NULL, 0, 1, 0);
        tsr_type *type = tsr_emitc_lvalue(tensor);
        made->attrs[EMITC_VARIABLE_value] = tsr_emitc_text(ctx, TSR_STR("::ttnn::Tensor()"));
        tsr_vec_push(&results, &tsr_build_close_as(&b, made, &type)->out[0]);
    }
    tsr_value *first = load(&b, place(&b, t, "is_first_call", -1, ctx->i1), ctx->i1);
    tsr_op *branch = tsr_build_open(&b, TSR_OP_EMITC_IF, &first, 1, 0, 2);
    tsr_build_close_as(&b, branch, NULL);
    tsr_build then = tsr_build_in(&b, &branch->regions[0], NULL, 0);
    record(&then, t, results.data);
    tsr_build otherwise = tsr_build_in(&b, &branch->regions[1], NULL, 0);
    run(&otherwise, t, results.data);
    for (uint32_t i = 0; i < t->op->nout; i++)
        tsr_vec_push(&loaded, load(&b, results.data[i], tensor));
    tsr_value *made =
        &tsr_emitc_call(&b, TSR_STR("::std::make_tuple"), loaded.data, loaded.n, all)->out[0];
    tsr_build_close_as(&b, tsr_build_open(&b, TSR_OP_EMITC_RETURN, &made, 1, 0, 0), NULL);
    tsr_build_free(&then);
    tsr_build_free(&otherwise);
    tsr_build_free(&b);
    tsr_vec_free(&results);
    tsr_vec_free(&loaded);
}

/* The part after run_and_capture_ in the name of the recording function. */
static tsr_str suffix(tsr_str callee)
{
    static const char prefix[] = "run_and_capture_";
    size_t n = sizeof prefix - 1;
    return tsr_str_starts(callee, prefix) ? (tsr_str){callee.data + n, callee.len - n} : callee;
}

static void add_globals(const trace *t)
{
    tsr_ctx *ctx = t->op->module->ctx;
    add_global(t, "is_first_call", -1, ctx->i1, tsr_attr_bool(ctx, true));
    add_global(t, "trace_id", -1, trace_id(ctx), NULL);
    for (uint32_t i = 0; i < t->n; i++)
        add_global(t, "global_input", (int)i, tsr_emitc_tensor(ctx), NULL);
    for (uint32_t i = 0; i < t->op->nout; i++)
        add_global(t, "global_output", (int)i, tsr_emitc_tensor(ctx), NULL);
}

void tsr_emitc_trace(tsr_build *b, tsr_op *op)
{
    tsr_ctx *ctx = b->ctx;
    trace t = {.op = op,
               .name = suffix(op->attrs[TTNN_CAPTURE_OR_EXECUTE_TRACE_capture_callee]->s)};
    tsr_op *parent = tsr_block_parent(op->block);
    tsr_type_vec types = {0};
    tsr_value_vec in = {0};
    tsr_buf name = {0};
    tsr_op_operand_group(op, 1, &t.first, &t.n);
    t.at = parent->block->first;
    add_globals(&t);
    for (uint32_t i = 0; i < t.n; i++) {
        tsr_vec_push(&types, tsr_emitc_tensor(ctx));
        tsr_vec_push(&in, op->in[t.first + i].value);
    }
    tsr_buf_printf(&name, "capture_or_execute_%.*s", TSR_STR_ARG(t.name));
    tsr_type *all = all_results(ctx, op->nout);
    tsr_op *func = tsr_op_new(b->module, tsr_opdef_of(ctx, TSR_OP_EMITC_FUNC), op->loc, NULL, 0,
                              NULL, 0, 1, 0);
    func->attrs[EMITC_FUNC_sym_name] = tsr_attr_string(ctx, tsr_buf_text(&name));
    func->attrs[EMITC_FUNC_function_type] =
        tsr_attr_type(ctx, tsr_type_function(ctx, types.data, types.n, &all, 1));
    tsr_op_insert(func, parent->block, parent);
    fill(b, &t, func, &types, all);
    tsr_value *got = &tsr_emitc_call(b, tsr_buf_text(&name), in.data, in.n, all)->out[0];
    for (uint32_t i = 0; i < op->nout; i++)
        tsr_value_replace(&op->out[i], tsr_emitc_get(b, got, i, tsr_emitc_tensor(ctx)));
    tsr_vec_free(&types);
    tsr_vec_free(&in);
    tsr_vec_free(&t.args);
    tsr_buf_free(&name);
}
