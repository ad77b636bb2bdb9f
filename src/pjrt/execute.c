/* execute.c - running a program: arguments are taken and results promised at once, the run itself comes in its turn. */
#include <stdlib.h>
#include <string.h>

#include "pjrt/pjrt.h"

static const tsr_str main_name = {"main", 4};

/* How many programs were run in this process: tests ask. */
__attribute__((visibility("default"))) unsigned long long TesseraExecutions(void);

static atomic_ullong executions;

unsigned long long TesseraExecutions(void)
{
    return atomic_load(&executions);
}

static void free_arguments(pj_run *r)
{
    for (size_t i = 0; r->in && i < r->ndevices * r->program->nin; i++)
        pj_value_unref(r->in[i]);
    tsr_free(r->in);
    r->in = NULL;
}

static void free_run(pj_run *r)
{
    if (!r)
        return;
    free_arguments(r);
    for (size_t i = 0; r->out && i < r->ndevices * r->program->nout; i++)
        pj_value_unref(r->out[i]);
    for (size_t d = 0; r->done && d < r->ndevices; d++)
        pj_event_unref(r->done[d]);
    pj_event_unref(r->finished);
    pj_compiled_unref(r->program);
    pj_client_unref(r->client);
    pj_error_free(r->poison);
    tsr_free(r->devices);
    tsr_free(r->out);
    tsr_free(r->done);
    tsr_free(r);
}

/* ---- The run itself, on the worker ---- */

typedef struct {
    tsr_tensor **in, **out;
    tsr_tensor *const **in_rows;
    tsr_tensor ***out_rows;
} tensors;

static pj_error *make_inputs(pj_run *r, tensors *t)
{
    pj_compiled *p = r->program;
    for (size_t i = 0; i < r->ndevices * p->nin; i++) {
        pj_value *v = r->in[i];
        tsr_status s = {0};
        pj_error *e = pj_event_wait(v->ready);
        if (e)
            return e;
        if (p->in[i % p->nin].type == PJ_TOKEN)
            continue;
        const char *name = pj_type_name(v->type);
        t->in[i] = tsr_tensor_view(p->ctx, tsr_cstr(name), v->dims, v->rank, v->data, &s);
        if (!t->in[i])
            return pj_fail(PJ_RESOURCE_EXHAUSTED, "%s", s.message);
    }
    return NULL;
}

static pj_error *run_failed(const tsr_status *s)
{
    return pj_fail(s->code == TSR_ENVIRONMENT ? PJ_RESOURCE_EXHAUSTED : PJ_INTERNAL, "%s",
                   s->message);
}

/* All devices together, or each by itself. */
static pj_error *run_compiled(pj_run *r, tensors *t)
{
    pj_compiled *p = r->program;
    tsr_status s = {0};
    const tsr_execute_options options = {.zero_division = TSR_ZERO_IGNORE,
                                         .custom_call = pj_custom_call};
    size_t n = p->spmd ? r->ndevices : 1;
    bool ok = true;
    for (size_t d = 0; ok && d < r->ndevices; d += n)
        ok = tsr_executable_run(p->executable, t->in + d * p->nin, n * p->nin, t->out + d * p->nout,
                                n * p->nout, &options, &s);
    return ok ? NULL : run_failed(&s);
}

static pj_error *evaluate(pj_run *r, tensors *t)
{
    pj_compiled *p = r->program;
    tsr_status s = {0};
    const tsr_eval_options options = {.zero_division = TSR_ZERO_IGNORE,
                                      .engine = TSR_ENGINE_REFERENCE,
                                      .custom_call = pj_custom_call};
    for (size_t d = 0; d < r->ndevices; d++) {
        t->in_rows[d] = t->in + d * p->nin;
        t->out_rows[d] = t->out + d * p->nout;
    }
    bool ok = true;
    if (p->spmd)
        ok = tsr_module_eval_shards(p->module, main_name, t->in_rows, r->ndevices, p->nin,
                                    t->out_rows, p->nout, &options, &s);
    for (size_t d = 0; !p->spmd && ok && d < r->ndevices; d++)
        ok = tsr_module_eval_with(p->module, main_name, t->in_rows[d], p->nin, t->out_rows[d],
                                  p->nout, &options, &s);
    return ok ? NULL : run_failed(&s);
}

/* Whether a tensor is an argument handed through, or an earlier result as well. */
static bool is_shared(const pj_run *r, const tensors *t, const tsr_tensor *result, size_t i)
{
    for (size_t k = 0; k < r->ndevices * r->program->nin; k++)
        if (t->in[k] == result)
            return true;
    for (size_t k = 0; k < i; k++)
        if (r->out[k]->tensor == result)
            return true;
    return false;
}

/* Each result has data of its own, as programs that look at pointers expect. */
static pj_error *keep_result(pj_run *r, tensors *t, size_t i)
{
    pj_value *v = r->out[i];
    tsr_tensor *result = t->out[i];
    bool token = r->program->out[i % r->program->nout].type == PJ_TOKEN;
    t->out[i] = NULL;
    pj_error *e = NULL;
    if (!token && tsr_tensor_size(result) != v->bytes)
        e = pj_fail(PJ_INTERNAL, "result %zu has another size than was promised",
                    i % r->program->nout);
    if (!e && !token && !is_shared(r, t, result, i)) {
        v->tensor = result;
        v->program = pj_compiled_ref(r->program);
        v->data = (void *)tsr_tensor_data(result);
        return NULL;
    }
    if (!e && !pj_value_allocate(v))
        e = pj_no_memory();
    if (!e && !token)
        memcpy(v->data, tsr_tensor_data(result), v->bytes);
    tsr_tensor_free(result);
    return e;
}

static pj_error *run_now(pj_run *r)
{
    size_t nin = r->ndevices * r->program->nin, nout = r->ndevices * r->program->nout;
    tensors t = {tsr_calloc(nin + 1, sizeof *t.in), tsr_calloc(nout + 1, sizeof *t.out),
                 tsr_calloc(r->ndevices, sizeof *t.in_rows),
                 tsr_calloc(r->ndevices, sizeof *t.out_rows)};
    pj_error *e = t.in && t.out && t.in_rows && t.out_rows ? NULL : pj_no_memory();
    pthread_mutex_lock(&r->program->lock);
    if (!e)
        e = make_inputs(r, &t);
    if (!e)
        e = r->program->executable ? run_compiled(r, &t) : evaluate(r, &t);
    for (size_t i = 0; !e && i < nout; i++)
        e = keep_result(r, &t, i);
    for (size_t i = 0; t.in && i < nin; i++)
        tsr_tensor_free(t.in[i]);
    for (size_t i = 0; t.out && i < nout; i++)
        tsr_tensor_free(t.out[i]);
    pthread_mutex_unlock(&r->program->lock);
    tsr_free(t.in);
    tsr_free(t.out);
    tsr_free(t.in_rows);
    tsr_free(t.out_rows);
    return e;
}

static pj_error *copy_of(const pj_error *e)
{
    return e ? pj_fail(pj_error_kind(e), "%s", pj_error_text(e)) : NULL;
}

static void run_task(pj_task *task)
{
    pj_run *r = (pj_run *)task;
    pj_error *e = pj_run_end(r, pj_run_begin(r) ? run_now(r) : NULL);
    free_arguments(r); /* who waits for the run finds their memory free */
    for (size_t i = 0; i < r->ndevices * r->program->nout; i++)
        pj_event_done(r->out[i]->ready, copy_of(e));
    for (size_t d = 0; r->done && d < r->ndevices; d++)
        pj_event_done(r->done[d], copy_of(e));
    if (r->finished)
        pj_event_done(r->finished, copy_of(e));
    pj_error_free(e);
    free_run(r);
}

/* ---- What Execute does at once ---- */

static bool may_donate(const pj_execute_options *o, size_t i)
{
    size_t n =
        o && PJ_HAS(o, num_non_donatable_input_indices) ? o->num_non_donatable_input_indices : 0;
    for (size_t k = 0; k < n; k++)
        if (o->non_donatable_input_indices[k] == (int64_t)i)
            return false;
    return true;
}

static bool is_donated(const pj_LoadedExecutable_Execute_args *args, size_t i)
{
    return args->executable->program->in[i].donated && may_donate(args->options, i);
}

/* A buffer that is given away cannot be another argument as well. */
static pj_error *check_donation(const pj_LoadedExecutable_Execute_args *args, size_t d)
{
    for (size_t i = 0; i < args->num_args; i++)
        for (size_t k = 0; is_donated(args, i) && k < args->num_args; k++)
            if (k != i && args->argument_lists[d][k] == args->argument_lists[d][i])
                return pj_fail(
                    PJ_INVALID_ARGUMENT,
                    "Attempt to donate the same buffer twice in Execute() (argument %zu and %zu)",
                    i, k);
    return NULL;
}

/* An argument must be there, on the device, and of the parameter's type. */
static pj_error *take_argument(const pj_run *r, pj_buffer *b, size_t d, size_t i, pj_value **out)
{
    const pj_port *port = &r->program->in[i];
    if (!b)
        return pj_fail(PJ_INVALID_ARGUMENT, "argument %zu of device %zu is NULL", i, d);
    pj_error *e = pj_buffer_value(b, out);
    if (e)
        return e;
    const pj_value *v = *out;
    if (b->memory->device != r->devices[d])
        return pj_fail(PJ_INVALID_ARGUMENT,
                       "argument %zu is a buffer of device %d; the program runs on device %d", i,
                       b->memory->device->id, r->devices[d]->id);
    if (port->type == PJ_TOKEN || (v->type == port->type && v->rank == port->rank &&
                                   !memcmp(v->dims, port->dims, port->rank * sizeof *port->dims)))
        return NULL;
    return pj_fail(PJ_INVALID_ARGUMENT, "argument %zu of device %zu is %s; the parameter is %s", i,
                   d, pj_shape(v->type, v->dims, v->rank).text,
                   pj_shape(port->type, port->dims, port->rank).text);
}

static pj_error *take_arguments(const pj_LoadedExecutable_Execute_args *args, pj_run *r)
{
    const pj_compiled *p = r->program;
    pj_error *e = NULL;
    for (size_t d = 0; !e && d < r->ndevices; d++) {
        e = check_donation(args, d);
        for (size_t i = 0; !e && i < p->nin; i++)
            e = take_argument(r, args->argument_lists[d][i], d, i, &r->in[d * p->nin + i]);
    }
    return e;
}

/* Donated buffers go when nothing can fail any more. */
static void give_away(const pj_LoadedExecutable_Execute_args *args, const pj_run *r)
{
    for (size_t d = 0; d < r->ndevices; d++)
        for (size_t i = 0; i < r->program->nin; i++)
            if (is_donated(args, i))
                pj_error_free(pj_buffer_drop(args->argument_lists[d][i], NULL));
}

static pj_error *promise_results(const pj_LoadedExecutable_Execute_args *args, pj_run *r,
                                 pj_device *const *devices)
{
    const pj_compiled *p = r->program;
    for (size_t k = 0; k < r->ndevices * p->nout; k++) {
        size_t d = k / p->nout, i = k % p->nout;
        const pj_port *port = &p->out[i];
        r->out[k] = pj_value_new(p->out_types[i], port->dims, port->rank, devices[d]);
        args->output_lists[d][i] =
            r->out[k] ? pj_buffer_new(devices[d]->client, devices[d]->memories[port->memory],
                                      pj_value_ref(r->out[k]))
                      : NULL;
        if (!args->output_lists[d][i])
            return pj_no_memory();
    }
    for (size_t d = 0; args->device_complete_events && d < r->ndevices; d++) {
        r->done[d] = pj_event_new();
        if (!r->done[d])
            return pj_no_memory();
        args->device_complete_events[d] = pj_event_ref(r->done[d]);
    }
    return NULL;
}

/* Which devices: its own, or the one that is told. */
static pj_error *choose_devices(const pj_LoadedExecutable_Execute_args *args,
                                pj_device *const **devices, size_t *n)
{
    const pj_loaded_executable *x = args->executable;
    *devices = args->execute_device ? &args->execute_device->self : x->devices;
    *n = args->execute_device ? 1 : x->ndevices;
    if (x->deleted)
        return pj_fail(PJ_INVALID_ARGUMENT, "Execute() called on an executable that was deleted");
    if (atomic_load(&x->client->closed))
        return pj_fail(PJ_FAILED_PRECONDITION, "the client was shut down");
    if (args->execute_device && x->ndevices != 1)
        return pj_fail(PJ_INVALID_ARGUMENT, "a program for %zu devices cannot be run on one",
                       x->ndevices);
    if (args->num_devices != *n)
        return pj_fail(PJ_INVALID_ARGUMENT, "the program is for %zu devices, not %zu", *n,
                       args->num_devices);
    if (args->num_args != x->program->nin)
        return pj_fail(PJ_INVALID_ARGUMENT, "the program has %zu arguments, %zu are given",
                       x->program->nin, args->num_args);
    return NULL;
}

static void take_back(const pj_LoadedExecutable_Execute_args *args, size_t ndevices, size_t nout)
{
    for (size_t k = 0; k < ndevices * nout; k++) {
        pj_buffer_free(args->output_lists[k / nout][k % nout]);
        args->output_lists[k / nout][k % nout] = NULL;
    }
    for (size_t d = 0; args->device_complete_events && d < ndevices; d++) {
        pj_event_unref(args->device_complete_events[d]);
        args->device_complete_events[d] = NULL;
    }
}

/* A program that calls the host is waited for, so that what a callback raises is raised by the call. */
static pj_error *start(const pj_LoadedExecutable_Execute_args *args, pj_run *r)
{
    size_t ndevices = r->ndevices, nout = r->program->nout;
    bool waits = r->program->calls_back;
    pj_event *finished = waits ? pj_event_new() : NULL;
    if (waits && !finished) {
        take_back(args, ndevices, nout);
        free_run(r);
        return pj_no_memory();
    }
    r->finished = finished ? pj_event_ref(finished) : NULL;
    atomic_fetch_add(&executions, 1);
    give_away(args, r);
    pj_run_enlist(r);
    pj_client_do(args->executable->client, &r->task);
    pj_error *e = finished ? pj_event_wait(finished) : NULL;
    pj_event_unref(finished);
    if (e)
        take_back(args, ndevices, nout);
    return e;
}

static pj_error *new_run(const pj_LoadedExecutable_Execute_args *args, pj_device *const *devices,
                         size_t n, pj_run **out)
{
    const pj_compiled *p = args->executable->program;
    pj_run *r = *out = tsr_calloc(1, sizeof *r);
    if (!r)
        return pj_no_memory();
    r->task.run = run_task;
    r->client = args->executable->client;
    pj_client_ref(r->client);
    r->program = pj_compiled_ref(args->executable->program);
    r->launch = args->options && PJ_HAS(args->options, launch_id) ? args->options->launch_id : 0;
    r->ndevices = n;
    r->devices = tsr_calloc(n, sizeof *r->devices);
    r->in = tsr_calloc(n * p->nin + 1, sizeof *r->in);
    r->out = tsr_calloc(n * p->nout + 1, sizeof *r->out);
    r->done = args->device_complete_events ? tsr_calloc(n, sizeof *r->done) : NULL;
    for (size_t d = 0; r->devices && d < n; d++)
        r->devices[d] = devices[d];
    return r->devices && r->in && r->out && (r->done || !args->device_complete_events)
               ? NULL
               : pj_no_memory();
}

pj_error *pj_LoadedExecutable_Execute(pj_LoadedExecutable_Execute_args *args)
{
    pj_device *const *devices;
    size_t n, nout = args->executable->program->nout;
    pj_run *r = NULL;
    pj_error *e = choose_devices(args, &devices, &n);
    if (!e)
        e = new_run(args, devices, n, &r);
    if (!e)
        e = take_arguments(args, r);
    if (!e) {
        for (size_t k = 0; k < n * nout; k++)
            args->output_lists[k / nout][k % nout] = NULL;
        for (size_t d = 0; args->device_complete_events && d < n; d++)
            args->device_complete_events[d] = NULL;
        e = promise_results(args, r, devices);
        if (e)
            take_back(args, n, nout);
    }
    if (!e)
        return start(args, r);
    free_run(r);
    return e;
}

/* ---- Contexts carry nothing yet ---- */

struct pj_execute_context {
    int nothing;
};

pj_error *pj_ExecuteContext_Create(pj_ExecuteContext_Create_args *args)
{
    args->context = tsr_calloc(1, sizeof *args->context);
    return args->context ? NULL : pj_no_memory();
}

pj_error *pj_ExecuteContext_Destroy(pj_ExecuteContext_Destroy_args *args)
{
    tsr_free(args->context);
    return NULL;
}
