/* SPDX-License-Identifier: Apache-2.0 */
/* trace.c - ttnn.capture_or_execute_trace: checks that the functions that it names are consistent. */
#include "dialect/ttnn/say.h"

typedef struct {
    const tsr_op *op;  /* the trace op */
    uint32_t first, n; /* its inputs among the operands: after the device, before semaphores */
    uint32_t semaphores;
    tsr_type_vec device,
        host; /* types of inputs that are already on the device, and of the others */
} trace;

static const tsr_op *function(const tsr_op *op, const tsr_attr *name)
{
    const tsr_op *f = tsr_symbol_resolve(op, name);
    return f && tsr_op_is(f, TSR_OP_FUNC_FUNC) ? f : NULL;
}

static const tsr_type *type_of(const tsr_op *f)
{
    return f->attrs[FUNC_FUNC_function_type]->type;
}

static bool no_function(const tsr_op *op, const tsr_attr *name)
{
    return tsr_op_error(op, "'%.*s' does not reference a function", TSR_STR_ARG(name->s));
}

static bool is_trace_id(const tsr_type *t)
{
    return tsr_type_is(t, TSR_TYPE_TENSOR) && t->n == 0 &&
           tsr_attr_is_struct(t->attr, &tsr_def_TTNN_TRACE_ID);
}

/* One slot for each input and each result. */
static bool check_slots(const trace *t, const tsr_attr *name, const tsr_type *f)
{
    const tsr_op *op = t->op;
    SAY(f->n == t->device.n,
        "Slot allocation function '%.*s' must take %zu arguments (the device-resident inputs), but "
        "has %u",
        TSR_STR_ARG(name->s), t->device.n, f->n);
    for (uint32_t i = 0; i < f->n; i++)
        SAY(f->types[i] == t->device.data[i],
            "Slot allocation function argument %u type mismatch: expected %s, but got %s", i,
            tt_show_type(op, t->device.data[i]), tt_show_type(op, f->types[i]));
    SAY(f->nout == t->n + op->nout,
        "Slot allocation function '%.*s' must return %u slots (%u input slots + %u output slots), "
        "but returns %u",
        TSR_STR_ARG(name->s), t->n + op->nout, t->n, op->nout, f->nout);
    for (uint32_t i = 0; i < op->nout; i++) {
        const tsr_type *slot = f->types[f->n + t->n + i];
        SAY(slot == op->out[i].type,
            "Slot allocation function output slot %u type mismatch: expected %s, but got %s", i,
            tt_show_type(op, op->out[i].type), tt_show_type(op, slot));
    }
    return true;
}

static bool same_type(const tsr_op *op, const char *what, uint32_t i, const tsr_type *want,
                      const char *from, const tsr_type *have)
{
    SAY(want == have, "%s %u type mismatch: expected %s%s, but got %s", what, i,
        tt_show_type(op, want), from, tt_show_type(op, have));
    return true;
}

static bool check_capture(const trace *t, const tsr_attr *name, const tsr_type *f,
                          const tsr_type *slots)
{
    const tsr_op *op = t->op;
    uint32_t host = (uint32_t)t->host.n, at = 0;
    SAY(f->n == host + slots->nout + t->semaphores,
        "Capture function '%.*s' must take %u arguments (%u host-staged inputs + %u slots + %u "
        "semaphores), but has %u",
        TSR_STR_ARG(name->s), host + slots->nout + t->semaphores, host, slots->nout, t->semaphores,
        f->n);
    for (uint32_t i = 0; i < host; i++, at++)
        TSR_TRY(same_type(op, "Capture function host-staged input argument", i, t->host.data[i], "",
                          f->types[at]));
    for (uint32_t i = 0; i < slots->nout; i++, at++)
        TSR_TRY(same_type(op, "Capture function slot argument", i, slots->types[slots->n + i],
                          " from slot allocation function", f->types[at]));
    for (uint32_t i = 0; i < t->semaphores; i++, at++)
        TSR_TRY(same_type(op, "Semaphore input argument", i, f->types[at], " from capture function",
                          IN(op, t->first + t->n + i)));
    SAY(f->nout == 1,
        "Capture function '%.*s' must return exactly one trace_id value, but returns %u",
        TSR_STR_ARG(name->s), f->nout);
    SAY(is_trace_id(f->types[f->n]),
        "Capture function '%.*s' must return a trace_id tensor (scalar ui32 with TraceIdAttr "
        "encoding)",
        TSR_STR_ARG(name->s));
    return true;
}

static const tsr_attr *first_callee(const tsr_op *f)
{
    for (tsr_op *o = (tsr_op *)f; o; o = tsr_walk_next((tsr_op *)f, o))
        if (tsr_op_is(o, TSR_OP_FUNC_CALL))
            return tsr_attr_of(o, FUNC_CALL_callee);
    return NULL;
}

static bool on_device(const tsr_type *t)
{
    return !tsr_type_is(t, TSR_TYPE_TENSOR) || tsr_ttnn_on_device(t);
}

/* Checks one op of the recorded function. */
static bool check_recorded(const tsr_op *op, const tsr_op *o)
{
    SAY(!tsr_op_is(o, TSR_OP_TTNN_CAPTURE_OR_EXECUTE_TRACE),
        "CaptureOrExecuteTraceOp op must not be nested within trace function");
    SAY(!tsr_op_is(o, TSR_OP_TTCORE_LOAD_CACHED),
        "LoadCached op must not be nested within trace function");
    if (tsr_op_is(o, TSR_OP_TTNN_GET_DEVICE)) {
        const tsr_value *d = op->in[0].value;
        bool same = !d->is_arg && tsr_op_is(d->op, TSR_OP_TTNN_GET_DEVICE);
        for (uint16_t i = 0; same && i < o->def->nslot; i++)
            same = o->attrs[i] == d->op->attrs[i];
        SAY(same, "Device configuration of get_device op in callee must match device configuration "
                  "of trace op");
        return true;
    }
    for (uint32_t i = 0; i < o->nin; i++)
        SAY(on_device(IN(o, i)), "All input tensors of trace function must be on device.");
    for (uint16_t i = 0; i < o->nout; i++)
        SAY(on_device(o->out[i].type), "All output tensors of trace function must be on device.");
    return true;
}

static bool check_trace(const tsr_op *op, const tsr_op *capture)
{
    const tsr_attr *name = first_callee(capture);
    SAY(name, "No trace function found in capture function");
    const tsr_op *f = function(op, name);
    if (!f)
        return no_function(op, name);
    const tsr_type *type = type_of(f);
    SAY(type->nout == 0,
        "Trace function '%.*s' must return no results; it stores its outputs into the output slot "
        "arguments",
        TSR_STR_ARG(name->s));
    for (uint32_t i = 0; i < type->n; i++) {
        SAY(tsr_type_is(type->types[i], TSR_TYPE_TENSOR) ||
                type->types[i]->def == &tsr_def_TTNN_GLOBAL_SEMAPHORE,
            "All input arguments of trace function must be ranked tensors or global semaphores");
        SAY(on_device(type->types[i]), "All input arguments of trace function must be on device.");
    }
    for (tsr_op *o = tsr_walk_next((tsr_op *)f, (tsr_op *)f); o; o = tsr_walk_next((tsr_op *)f, o))
        TSR_TRY(check_recorded(op, o));
    return true;
}

static bool check_execute(const tsr_op *op, const tsr_attr *name, const tsr_type *f)
{
    SAY(f->n == 1,
        "Execute function '%.*s' must take exactly one trace_id argument, but has %u arguments",
        TSR_STR_ARG(name->s), f->n);
    SAY(is_trace_id(f->types[0]),
        "Execute function '%.*s' argument must be a trace_id tensor (scalar ui32 with TraceIdAttr "
        "encoding)",
        TSR_STR_ARG(name->s));
    return true;
}

static bool check(const trace *t)
{
    const tsr_op *op = t->op;
    const tsr_attr *slots = op->attrs[TTNN_CAPTURE_OR_EXECUTE_TRACE_allocate_slots_callee],
                   *capture = op->attrs[TTNN_CAPTURE_OR_EXECUTE_TRACE_capture_callee],
                   *execute = op->attrs[TTNN_CAPTURE_OR_EXECUTE_TRACE_execute_callee];
    const tsr_op *makes = function(op, slots), *records = function(op, capture),
                 *runs = function(op, execute);
    if (!makes)
        return no_function(op, slots);
    TSR_TRY(check_slots(t, slots, type_of(makes)));
    if (!records)
        return no_function(op, capture);
    TSR_TRY(check_capture(t, capture, type_of(records), type_of(makes)) &&
            check_trace(op, records));
    return runs ? check_execute(op, execute, type_of(runs)) : no_function(op, execute);
}

bool uses_ttnn_trace(tsr_op *op)
{
    trace t = {.op = op};
    uint32_t start;
    if (!tsr_op_operand_group(op, 1, &t.first, &t.n) ||
        !tsr_op_operand_group(op, 2, &start, &t.semaphores))
        return true; /* reported by the rows' verification */
    for (uint32_t i = 0; i < t.n; i++) {
        tsr_type *type = IN(op, t.first + i);
        if (tsr_ttnn_on_device(type))
            tsr_vec_push(&t.device, type);
        else
            tsr_vec_push(&t.host, type);
    }
    bool ok = check(&t);
    tsr_vec_free(&t.device);
    tsr_vec_free(&t.host);
    return ok;
}
