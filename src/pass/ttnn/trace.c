/* SPDX-License-Identifier: Apache-2.0 */
/* trace.c - ttnn-trace-hoist-transform: moves what a forward function computes into a function that a device records
 * once and replays from the recorded trace.
 *
 * Tensors that it reads and writes have slots on the device at fixed addresses: trace_N_f computes from slots into
 * slots, allocate_slots_.. creates them, run_and_capture_.. fills, runs and records, execute_.. replays the trace; f
 * itself keeps one capture_or_execute_trace. Needs TTNN; keeps values; breaks ids. */
#include "pass/ttnn/nn.h"

typedef TSR_VEC(tsr_op *) op_vec;
typedef TSR_VEC(tsr_attr *) attr_vec;

typedef struct {
    tsr_pass *p;
    tsr_op *func;
    tsr_str name; /* of the function, after trace_N_ */
    op_vec ops;
    tsr_value_vec in, out; /* tensors: those that stay on the device first; then semaphores */
    size_t ntensor, nstay;
    attr_vec dicts; /* of in */
} trace;

static bool has_kind(const tsr_op *func, const char *name)
{
    const tsr_attr *kind = tsr_dict_get(func->extra, TSR_STR("tt.function_type"));
    return tsr_attr_is(kind, TSR_ATTR_STRING) && tsr_str_is(kind->s, name);
}

static bool is_semaphore(const tsr_value *v)
{
    return v->type->def == &tsr_def_TTNN_GLOBAL_SEMAPHORE;
}

static bool creates(const tsr_op *op)
{
    return tsr_op_has(op, TSR_TRAIT(TT_CREATES)) || tsr_op_is(op, TSR_OP_TTNN_ALLOC) ||
           tsr_op_is(op, TSR_OP_TTNN_CREATE_GLOBAL_SEMAPHORE) ||
           tsr_op_is(op, TSR_OP_TTNN_ALLOCATE_MOE_COMPUTE_SEMAPHORE);
}

static bool is_recorded(const tsr_op *op)
{
    return !tsr_op_has(op, TSR_TRAIT(TERMINATOR)) && !tsr_op_is(op, TSR_OP_TTCORE_LOAD_CACHED) &&
           !tsr_op_is(op, TSR_OP_TTNN_CAPTURE_OR_EXECUTE_TRACE) &&
           !tsr_op_is(op, TSR_OP_TTNN_GET_DEVICE) && !creates(op);
}

/* ---- Inputs and outputs ---- */

static tsr_attr *argument_dict(const tsr_value *arg)
{
    const tsr_op *func = tsr_block_parent(arg->block);
    const tsr_attr *dicts =
        func && tsr_op_is(func, TSR_OP_FUNC_FUNC) ? func->attrs[FUNC_FUNC_arg_attrs] : NULL;
    return dicts && arg->index < dicts->n ? dicts->attrs[arg->index] : NULL;
}

static bool is_constant(const tsr_value *v)
{
    return tsr_op_is(v->op, TSR_OP_TTCORE_LOAD_CACHED) || tsr_op_is(v->op, TSR_OP_TTNN_EMPTY) ||
           tsr_op_is(v->op, TSR_OP_TTNN_ALLOC);
}

/* Parameters, constants and caches stay on the device between runs. */
static bool stays(const tsr_value *v)
{
    if (!v->is_arg)
        return is_constant(v);
    const tsr_attr *dict = argument_dict(v),
                   *kind = dict ? tsr_dict_get(dict, TSR_STR("ttcore.argument_type")) : NULL;
    return (tsr_attr_is(kind, TSR_ATTR_ENUM) &&
            (kind->i == TSR_TT_PARAMETER || kind->i == TSR_TT_CONSTANT)) ||
           (dict && tsr_dict_get(dict, TSR_STR("ttcore.kv_cache")));
}

static bool inside(const trace *t, const tsr_op *op)
{
    return op->block == t->ops.data[0]->block && is_recorded(op);
}

/* Arguments by number, then results in program order. */
static bool comes_before(const tsr_value *a, const tsr_value *b)
{
    if (a->is_arg || b->is_arg)
        return a->is_arg && (!b->is_arg || a->index < b->index);
    return a->op == b->op ? a->index < b->index : tsr_op_before(a->op, b->op);
}

static void insert(tsr_value_vec *list, size_t from, tsr_value *v)
{
    for (size_t i = from; i < list->n; i++)
        if (list->data[i] == v)
            return;
    tsr_vec_push(list, v);
    size_t i = list->n - 1;
    for (; i > from && comes_before(v, list->data[i - 1]); i--)
        list->data[i] = list->data[i - 1];
    list->data[i] = v;
}

static void add_dict(trace *t, const tsr_value *v)
{
    tsr_ctx *ctx = t->p->ctx;
    tsr_attr *dict = v->is_arg ? argument_dict(v) : NULL;
    if (!v->is_arg && is_constant(v))
        dict = tsr_dict_with(ctx, NULL, tsr_name_get(ctx, TSR_STR("ttcore.argument_type")),
                             tsr_attr_enum(ctx, &tsr_def_TTCORE_ARGUMENT_TYPE, TSR_TT_CONSTANT));
    tsr_vec_push(&t->dicts, dict ? dict : tsr_attr_dict(ctx, NULL, 0));
}

static void boundary(trace *t)
{
    tsr_value_vec kept = {0}, staged = {0}, semaphores = {0};
    for (size_t i = 0; i < t->ops.n; i++) {
        const tsr_op *op = t->ops.data[i];
        for (uint32_t k = 0; k < op->nin; k++) {
            tsr_value *v = op->in[k].value;
            bool tensor = tsr_type_is(v->type, TSR_TYPE_TENSOR);
            if ((!tensor && !is_semaphore(v)) || (!v->is_arg && inside(t, v->op)))
                continue;
            insert(!tensor ? &semaphores : stays(v) ? &kept : &staged, 0, v);
        }
    }
    t->nstay = kept.n;
    t->ntensor = kept.n + staged.n;
    const tsr_value_vec *lists[] = {&kept, &staged, &semaphores};
    for (size_t l = 0; l < 3; l++)
        for (size_t i = 0; i < lists[l]->n; i++) {
            tsr_vec_push(&t->in, lists[l]->data[i]);
            add_dict(t, lists[l]->data[i]);
        }
    for (size_t i = 0; i < t->ops.n; i++)
        for (uint32_t k = 0; k < t->ops.data[i]->nout; k++) {
            tsr_value *v = &t->ops.data[i]->out[k];
            bool outside = false;
            for (const tsr_use *u = v->uses; u; u = u->next)
                outside |= !inside(t, u->user);
            if (outside)
                tsr_vec_push(&t->out, v);
        }
    tsr_vec_free(&kept);
    tsr_vec_free(&staged);
    tsr_vec_free(&semaphores);
}

/* A slot has the tensor's placement, so each input and output must have a layout. */
static bool are_placed(const trace *t)
{
    bool ok = true;
    for (size_t i = 0; ok && i < t->ntensor; i++)
        ok = tsr_ttnn_layout_of(t->in.data[i]->type) != NULL;
    for (size_t i = 0; ok && i < t->out.n; i++)
        ok = !tsr_type_is(t->out.data[i]->type, TSR_TYPE_TENSOR) ||
             tsr_ttnn_layout_of(t->out.data[i]->type);
    return ok || tsr_op_error(t->func, "has tensors without a TTNN layout, which no trace holds");
}

/* ---- Functions ---- */

static tsr_type *in_buffer(const tsr_type *t, tsr_ttnn_buffer_type buffer)
{
    tsr_ttnn_spec spec = tsr_ttnn_spec_of(tsr_ttnn_layout_of(t));
    if (buffer != TSR_TTNN_SYSTEM_MEMORY && spec.memory == TSR_TTNN_NO_MEMORY_LAYOUT)
        spec.memory = TSR_TTNN_INTERLEAVED;
    spec.buffer = buffer;
    return tsr_type_tensor(t->ctx, t->dims, t->n, t->elem,
                           tsr_ttnn_layout(t->ctx, t->dims, t->n, spec));
}

static tsr_type *slot_type(const trace *t, size_t i)
{
    return i < t->nstay ? t->in.data[i]->type : in_buffer(t->in.data[i]->type, TSR_TTNN_DRAM);
}

static tsr_attr *symbol(const trace *t, const char *prefix)
{
    tsr_buf name = {0};
    tsr_buf_printf(&name, "%s%.*s", prefix, TSR_STR_ARG(t->name));
    tsr_attr *a = tsr_attr_symbol(t->p->ctx, tsr_buf_text(&name), NULL, 0);
    tsr_buf_free(&name);
    return a;
}

/* Creates a private function before the traced one, with arguments and no ops. */
static tsr_op *function(const trace *t, const char *prefix, const char *kind,
                        const tsr_type_vec *in, const attr_vec *dicts, const tsr_type_vec *out)
{
    tsr_ctx *ctx = t->p->ctx;
    tsr_op *f = tsr_op_new(t->p->module, t->func->def, t->func->loc, NULL, 0, NULL, 0, 1, 0);
    f->attrs[FUNC_FUNC_function_type] =
        tsr_attr_type(ctx, tsr_type_function(ctx, in->data, in->n, out->data, out->n));
    f->attrs[FUNC_FUNC_sym_visibility] = tsr_attr_string(ctx, TSR_STR("private"));
    bool any = false;
    for (size_t i = 0; i < dicts->n; i++)
        any |= dicts->data[i]->n != 0;
    if (any)
        f->attrs[FUNC_FUNC_arg_attrs] = tsr_attr_array(ctx, dicts->data, dicts->n);
    f->extra = tsr_dict_with(ctx, NULL, tsr_name_get(ctx, TSR_STR("tt.function_type")),
                             tsr_attr_string(ctx, (tsr_str){kind, strlen(kind)}));
    tsr_op_set_attr(f, TSR_STR("sym_name"), tsr_attr_string(ctx, symbol(t, prefix)->s));
    tsr_op_insert(f, t->func->block, t->func);
    tsr_block *body = tsr_block_new(t->p->module);
    tsr_block_insert(body, &f->regions[0], NULL);
    for (size_t i = 0; i < in->n; i++)
        tsr_block_add_arg(t->p->module, body, in->data[i], f->loc);
    return f;
}

/* Ends the body with a return of these values; ops are inserted before it. */
static tsr_build ended(tsr_op *f, tsr_value *const *values, size_t n)
{
    tsr_op *ret = tsr_op_new(f->module, tsr_opdef_of(f->module->ctx, TSR_OP_FUNC_RETURN), f->loc,
                             values, n, NULL, 0, 0, 0);
    tsr_op_insert(ret, f->regions[0].first, NULL);
    return tsr_build_before(ret);
}

static tsr_op *effect(tsr_build *b, enum tsr_opcode opcode, tsr_value *const *in, size_t n)
{
    return tsr_build_close_as(b, tsr_ttir_open(b, opcode, in, n, 0), NULL);
}

static tsr_attr *nothing(const trace *t)
{
    return tsr_attr_dict(t->p->ctx, NULL, 0);
}

/* trace_N_f(slots of inputs, slots of outputs, semaphores) */
static void make_main(trace *t)
{
    tsr_type_vec in = {0}, none = {0};
    attr_vec dicts = {0};
    for (size_t i = 0; i < t->in.n + t->out.n; i++) {
        bool out = i >= t->ntensor && i < t->ntensor + t->out.n;
        size_t k = i < t->ntensor ? i : i - t->out.n;
        tsr_vec_push(&in, out              ? t->out.data[i - t->ntensor]->type
                          : k < t->ntensor ? slot_type(t, k)
                                           : t->in.data[k]->type);
        tsr_vec_push(&dicts, out ? nothing(t) : t->dicts.data[k]);
    }
    tsr_op *f = function(t, "", "trace_main", &in, &dicts, &none);
    tsr_block *body = f->regions[0].first;
    tsr_mapping map = {0};
    for (size_t i = 0; i < t->in.n; i++)
        tsr_mapping_put(&map, t->in.data[i], body->args[i < t->ntensor ? i : i + t->out.n]);
    tsr_build b = ended(f, NULL, 0);
    for (size_t i = 0; i < t->ops.n; i++) {
        tsr_op *made = tsr_op_clone(t->p->module, t->ops.data[i], &map);
        tsr_op_insert(made, body, b.at);
        for (uint32_t k = 0; k < made->nin; k++)
            if (made->in[k].value->type->def == &tsr_def_TTNN_DEVICE)
                tsr_op_set_operand(made, k, tsr_ttnn_device(&b, made));
    }
    for (size_t i = 0; i < t->out.n; i++) {
        tsr_value *both[] = {tsr_mapping_get(&map, t->out.data[i]), body->args[t->ntensor + i]};
        effect(&b, TSR_OP_TTNN_COPY, both, 2);
    }
    tsr_mapping_free(&map);
    tsr_build_free(&b);
    tsr_vec_free(&in);
    tsr_vec_free(&dicts);
}

/* allocate_slots_..(tensors that stay) -> all slots */
static void make_slots(trace *t)
{
    tsr_type_vec in = {0}, out = {0};
    attr_vec dicts = {0};
    tsr_value_vec slots = {0};
    for (size_t i = 0; i < t->nstay; i++) {
        tsr_vec_push(&in, t->in.data[i]->type);
        tsr_vec_push(&dicts, t->dicts.data[i]);
    }
    for (size_t i = 0; i < t->ntensor; i++)
        tsr_vec_push(&out, slot_type(t, i));
    for (size_t i = 0; i < t->out.n; i++)
        tsr_vec_push(&out, t->out.data[i]->type);
    tsr_op *f = function(t, "allocate_slots_", "trace_allocate_slots", &in, &dicts, &out);
    tsr_build b = ended(f, NULL, 0);
    tsr_op *ret = b.at;
    for (size_t i = 0; i < out.n; i++)
        tsr_vec_push(&slots, i < t->nstay
                                 ? f->regions[0].first->args[i]
                                 : tsr_nn_created(&b, ret, TSR_OP_TTNN_EMPTY, out.data[i]));
    tsr_op_set_operands(ret, slots.data, slots.n);
    tsr_build_free(&b);
    tsr_vec_free(&in);
    tsr_vec_free(&out);
    tsr_vec_free(&dicts);
    tsr_vec_free(&slots);
}

static tsr_type *trace_id(tsr_ctx *ctx)
{
    return tsr_type_tensor(ctx, NULL, 0, tsr_type_integer(ctx, 32, TSR_UNSIGNED),
                           tsr_attr_struct(ctx, &tsr_def_TTNN_TRACE_ID, NULL));
}

static void call(const trace *t, tsr_build *b, tsr_value *const *in, size_t n)
{
    tsr_op *made = effect(b, TSR_OP_FUNC_CALL, in, n);
    made->attrs[FUNC_CALL_callee] = symbol(t, "");
}

/* run_and_capture_..(tensors of the host, all slots, semaphores) -> the trace */
static void make_capture(trace *t)
{
    tsr_type_vec in = {0}, out = {0};
    attr_vec dicts = {0};
    size_t nhost = t->ntensor - t->nstay;
    for (size_t i = t->nstay; i < t->ntensor; i++) {
        tsr_vec_push(&in, in_buffer(t->in.data[i]->type, TSR_TTNN_SYSTEM_MEMORY));
        tsr_vec_push(&dicts, t->dicts.data[i]);
    }
    for (size_t i = 0; i < t->ntensor; i++) {
        tsr_vec_push(&in, slot_type(t, i));
        tsr_vec_push(&dicts, i < t->nstay ? t->dicts.data[i] : nothing(t));
    }
    for (size_t i = 0; i < t->out.n + t->in.n - t->ntensor; i++) {
        tsr_vec_push(&in, i < t->out.n ? t->out.data[i]->type
                                       : t->in.data[i - t->out.n + t->ntensor]->type);
        tsr_vec_push(&dicts, nothing(t));
    }
    tsr_vec_push(&out, trace_id(t->p->ctx));
    tsr_op *f = function(t, "run_and_capture_", "trace_run_and_capture", &in, &dicts, &out);
    tsr_value **args = f->regions[0].first->args;
    tsr_build b = ended(f, NULL, 0);
    tsr_op *ret = b.at;
    tsr_value *device = tsr_ttnn_device(&b, ret);
    for (size_t i = 0; i < nhost; i++) {
        tsr_value *both[] = {args[i], args[nhost + t->nstay + i]};
        effect(&b, TSR_OP_TTNN_WRITE_TENSOR, both, 2);
    }
    call(t, &b, args + nhost, in.n - nhost);
    tsr_value *id = tsr_ttir_op(&b, TSR_OP_TTNN_BEGIN_TRACE_CAPTURE, &device, 1, out.data[0]),
              *both[] = {device, id};
    call(t, &b, args + nhost, in.n - nhost);
    effect(&b, TSR_OP_TTNN_END_TRACE_CAPTURE, both, 2);
    effect(&b, TSR_OP_TTNN_EXECUTE_TRACE, both, 2);
    tsr_op_set_operands(ret, &id, 1);
    tsr_build_free(&b);
    tsr_vec_free(&in);
    tsr_vec_free(&out);
    tsr_vec_free(&dicts);
}

static void make_execute(trace *t)
{
    tsr_type_vec in = {0}, none = {0};
    attr_vec dicts = {0};
    tsr_vec_push(&in, trace_id(t->p->ctx));
    tsr_op *f = function(t, "execute_", "trace_execute", &in, &dicts, &none);
    tsr_build b = ended(f, NULL, 0);
    tsr_value *both[] = {tsr_ttnn_device(&b, b.at), f->regions[0].first->args[0]};
    effect(&b, TSR_OP_TTNN_EXECUTE_TRACE, both, 2);
    tsr_build_free(&b);
    tsr_vec_free(&in);
}

/* ---- The function itself ---- */

static bool make_call(trace *t)
{
    tsr_op *first = t->ops.data[0];
    tsr_build b = tsr_build_before(first);
    tsr_value_vec in = {0};
    tsr_type_vec out = {0};
    bool ok = true;
    tsr_vec_push(&in, tsr_ttnn_device(&b, first));
    for (size_t i = 0; i < t->in.n; i++) {
        tsr_value *v = t->in.data[i];
        bool device = i < t->ntensor && tsr_ttnn_on_device(v->type);
        if (i < t->nstay && !device)
            ok = tsr_op_error(t->func,
                              "Device-resident input must be on device, but found on system "
                              "memory");
        if (i >= t->nstay && device)
            v = tsr_nn_unary(&b, TSR_OP_TTNN_TO_TENSOR_SPEC, v,
                             in_buffer(v->type, TSR_TTNN_SYSTEM_MEMORY));
        tsr_vec_push(&in, v);
    }
    for (size_t i = 0; i < t->out.n; i++)
        tsr_vec_push(&out, t->out.data[i]->type);
    const int32_t sizes[] = {1, (int32_t)t->ntensor, (int32_t)(t->in.n - t->ntensor)};
    tsr_op *made = tsr_ttir_open(&b, TSR_OP_TTNN_CAPTURE_OR_EXECUTE_TRACE, in.data, in.n, t->out.n);
    made->attrs[TTNN_CAPTURE_OR_EXECUTE_TRACE_allocate_slots_callee] = symbol(t, "allocate_slots_");
    made->attrs[TTNN_CAPTURE_OR_EXECUTE_TRACE_capture_callee] = symbol(t, "run_and_capture_");
    made->attrs[TTNN_CAPTURE_OR_EXECUTE_TRACE_execute_callee] = symbol(t, "execute_");
    made->attrs[TTNN_CAPTURE_OR_EXECUTE_TRACE_operandSegmentSizes] =
        tsr_attr_dense_array(b.ctx, b.ctx->i32, sizes, 3);
    tsr_build_close_as(&b, made, out.data);
    for (size_t i = 0; i < t->out.n; i++)
        tsr_value_replace(t->out.data[i], &made->out[i]);
    for (size_t i = t->ops.n; i-- > 0;)
        tsr_op_erase(t->ops.data[i]);
    tsr_build_free(&b);
    tsr_vec_free(&in);
    tsr_vec_free(&out);
    return ok;
}

/* Arguments whose only use changes their layout get that layout. */
static bool merge_arguments(tsr_op *func)
{
    tsr_block *body = func->regions[0].first;
    const tsr_type *f = func->attrs[FUNC_FUNC_function_type]->type;
    tsr_type_vec types = {0};
    bool ok = true;
    for (uint32_t i = 0; i < body->nargs; i++) {
        tsr_value *arg = body->args[i];
        tsr_op *user = tsr_rw_one_use(arg) ? arg->uses->user : NULL;
        if (user && tsr_op_is(user, TSR_OP_TTNN_TO_TENSOR_SPEC)) {
            ok = ok && (tsr_ttnn_data_type(arg->type) == tsr_ttnn_data_type(user->out[0].type) ||
                        tsr_op_error(func,
                                     "ToTensorSpecOp changed data type for argument %u, "
                                     "expected only buffer type change",
                                     i));
            arg->type = user->out[0].type;
            tsr_value_replace(&user->out[0], arg);
            tsr_op_erase(user);
        }
        tsr_vec_push(&types, arg->type);
    }
    func->attrs[FUNC_FUNC_function_type] = tsr_attr_type(
        f->ctx, tsr_type_function(f->ctx, types.data, types.n, f->types + f->n, f->nout));
    tsr_vec_free(&types);
    return ok;
}

/* Collects ops from the first recorded to the last; creation ops between them are moved before. */
static bool collect(trace *t)
{
    tsr_op *first = NULL, *last = NULL;
    op_vec created = {0};
    bool ok = true;
    TSR_BLOCK_OPS (t->func->regions[0].first, op)
        if (is_recorded(op)) {
            first = first ? first : op;
            last = op;
        }
    for (tsr_op *op = first; ok && op; op = op == last ? NULL : op->next) {
        if (is_recorded(op))
            tsr_vec_push(&t->ops, op);
        else if (creates(op))
            tsr_vec_push(&created, op);
        else if (!tsr_op_is(op, TSR_OP_TTNN_GET_DEVICE))
            ok = tsr_error(t->p->ctx, op->loc,
                           "Non-hoistable op found in the middle of hoistable ops");
    }
    for (size_t i = 0; ok && i < created.n; i++)
        tsr_op_move_before(created.data[i], first);
    tsr_vec_free(&created);
    return ok;
}

static bool hoist(tsr_pass *p, tsr_op *func, unsigned number)
{
    trace t = {.p = p, .func = func};
    tsr_buf name = {0};
    tsr_buf_printf(&name, "trace_%u_%.*s", number, TSR_STR_ARG(tsr_op_symbol(func)));
    t.name = tsr_buf_text(&name);
    bool ok = collect(&t);
    if (ok && t.ops.n) {
        boundary(&t);
        ok = are_placed(&t);
    }
    if (ok && t.ops.n) {
        make_main(&t);
        make_slots(&t);
        make_capture(&t);
        make_execute(&t);
        ok = make_call(&t) && merge_arguments(func);
        p->changed = true;
    }
    tsr_vec_free(&t.ops);
    tsr_vec_free(&t.in);
    tsr_vec_free(&t.out);
    tsr_vec_free(&t.dicts);
    tsr_buf_free(&name);
    return ok;
}

bool pass_ttnn_trace_hoist_transform(tsr_pass *p, tsr_op *root)
{
    op_vec funcs = {0};
    bool ok = true;
    TSR_OPS (root, op)
        if (tsr_op_is(op, TSR_OP_FUNC_FUNC) && op->regions[0].first &&
            !op->regions[0].first->next && has_kind(op, "forward_device"))
            tsr_vec_push(&funcs, op);
    for (size_t i = 0; ok && i < funcs.n; i++)
        ok = hoist(p, funcs.data[i], (unsigned)i);
    tsr_vec_free(&funcs);
    return ok;
}
