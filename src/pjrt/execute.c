/* SPDX-License-Identifier: Apache-2.0 */
/* execute.c - running a program: arguments are taken and results promised at once, the run itself is queued. */
#include <stdlib.h>
#include <string.h>

#include "pjrt/pjrt.h"

static const tsr_str main_name = {"main", 4};

/* The number of programs run in this process, for tests. */
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
    pj_joint_unref(r->joint);
    tsr_free(r);
}

/* ---- The run itself ---- */

static pj_error *wait_for_inputs(pj_run *r)
{
    pj_error *e = NULL;
    for (size_t i = 0; !e && i < r->ndevices * r->program->nin; i++)
        e = pj_event_wait(r->in[i]->ready);
    return e;
}

/* Result i of a device reuses the buffer of the donated argument that it is computed in, if nobody else uses it. */
static bool take_over(pj_run *r, size_t d, size_t i)
{
    const pj_compiled *p = r->program;
    size_t k = p->out[i].alias;
    if (k == PJ_NO_ALIAS || !r->donated[k])
        return false;
    pj_value *from = r->in[d * p->nin + k], *to = r->out[d * p->nout + i];
    return pj_value_take(to, from);
}

/* The place of a local device among those of the program. */
static size_t place_of(const pj_run *r, size_t d)
{
    return r->joint ? r->joint->places[d] : d;
}

/* Allocates each result; sets which arguments are donated. */
static pj_error *make_room(pj_run *r, bool *given_up)
{
    const pj_compiled *p = r->program;
    for (size_t d = 0; d < r->ndevices; d++)
        for (size_t i = 0; i < p->nout; i++) {
            if (take_over(r, d, i))
                given_up[place_of(r, d) * p->nin + p->out[i].alias] = true;
            else if (!pj_value_allocate(r->out[d * p->nout + i]))
                return pj_no_memory();
        }
    return NULL;
}

static tsr_joint_run joint_run(const pj_run *r)
{
    const pj_joint *j = r->joint;
    return (tsr_joint_run){.peers = r->client->peers,
                           .ranks = j->ranks,
                           .ndevices = j->ndevices,
                           .list = j->list,
                           .program = j->program,
                           .name = tsr_cstr(j->name)};
}

/* Buffers of one run on n devices, those of the program from first on. */
typedef struct {
    tsr_input_buffer *in;
    tsr_output_buffer *out;
    bool *given_up;
} run_buffers;

static pj_error *run_on(pj_run *r, const run_buffers *b, size_t first, size_t n)
{
    pj_compiled *p = r->program;
    tsr_status s = {0};
    tsr_joint_run joint;
    if (r->joint)
        joint = joint_run(r);
    const tsr_execute_options options = {.zero_division = TSR_ZERO_IGNORE,
                                         .custom_call = pj_custom_call,
                                         .given_up = b->given_up + first * p->nin,
                                         .joint = r->joint ? &joint : NULL};
    r->met = true;
    bool ok = tsr_executable_run_buffers(p->executable, b->in + first * p->nin, n * p->nin,
                                         b->out + first * p->nout, n * p->nout, &options, &s);
    return ok ? NULL : pj_fail_status(&s, PJ_INTERNAL);
}

/* The executable reads arguments and computes results in place: on all devices together, or on each separately. */
static pj_error *run_compiled(pj_run *r)
{
    pj_compiled *p = r->program;
    size_t all = r->joint ? r->joint->ndevices : r->ndevices;
    size_t nin = all * p->nin, nout = all * p->nout;
    size_t bytes = (nin + 1) * sizeof(tsr_input_buffer) + (nout + 1) * sizeof(tsr_output_buffer);
    run_buffers b = {.in = tsr_calloc(1, bytes + nin + 1)};
    if (!b.in)
        return pj_no_memory();
    b.out = (tsr_output_buffer *)(b.in + nin + 1);
    b.given_up = (bool *)(b.out + nout + 1);
    pj_error *e = make_room(r, b.given_up);
    for (size_t d = 0; !e && d < r->ndevices; d++) {
        for (size_t i = 0; i < p->nin; i++)
            if (p->in[i].type != PJ_TOKEN) {
                const pj_value *v = r->in[d * p->nin + i];
                b.in[place_of(r, d) * p->nin + i] = (tsr_input_buffer){v->data, v->bytes};
            }
        for (size_t i = 0; i < p->nout; i++)
            if (p->out[i].type != PJ_TOKEN) {
                const pj_value *v = r->out[d * p->nout + i];
                b.out[place_of(r, d) * p->nout + i] = (tsr_output_buffer){v->data, v->bytes};
            }
    }
    if (!e && p->spmd)
        e = run_on(r, &b, 0, all);
    for (size_t d = 0; !e && !p->spmd && d < r->ndevices; d++)
        e = run_on(r, &b, place_of(r, d), 1);
    tsr_free(b.in);
    return e;
}

/* ---- The same on the evaluator (TESSERA_ENGINE=reference) ---- */

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
        if (p->in[i % p->nin].type == PJ_TOKEN)
            continue;
        const char *name = pj_type_name(v->type);
        t->in[i] = tsr_tensor_view(p->ctx, tsr_cstr(name), v->dims, v->rank, v->data, &s);
        if (!t->in[i])
            return pj_fail(PJ_RESOURCE_EXHAUSTED, "%s", s.message);
    }
    return NULL;
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
    return ok ? NULL : pj_fail_status(&s, PJ_INTERNAL);
}

/* Each result has its own data, as programs that compare pointers expect. */
static pj_error *keep_result(pj_run *r, tensors *t, size_t i)
{
    pj_value *v = r->out[i];
    bool token = r->program->out[i % r->program->nout].type == PJ_TOKEN;
    if (!token && tsr_tensor_size(t->out[i]) != v->bytes)
        return pj_fail(PJ_INTERNAL, "result %zu has another size than was promised",
                       i % r->program->nout);
    if (!pj_value_allocate(v))
        return pj_no_memory();
    if (!token && v->bytes)
        memcpy(v->data, tsr_tensor_data(t->out[i]), v->bytes);
    return NULL;
}

static pj_error *run_reference(pj_run *r)
{
    size_t nin = r->ndevices * r->program->nin, nout = r->ndevices * r->program->nout;
    tensors t = {tsr_calloc(nin + 1, sizeof *t.in), tsr_calloc(nout + 1, sizeof *t.out),
                 tsr_calloc(r->ndevices, sizeof *t.in_rows),
                 tsr_calloc(r->ndevices, sizeof *t.out_rows)};
    pj_error *e = t.in && t.out && t.in_rows && t.out_rows ? NULL : pj_no_memory();
    if (!e)
        e = make_inputs(r, &t);
    if (!e)
        e = evaluate(r, &t);
    for (size_t i = 0; !e && i < nout; i++)
        e = keep_result(r, &t, i);
    for (size_t i = 0; t.in && i < nin; i++)
        tsr_tensor_free(t.in[i]);
    for (size_t i = 0; t.out && i < nout; i++)
        tsr_tensor_free(t.out[i]);
    tsr_free(t.in);
    tsr_free(t.out);
    tsr_free(t.in_rows);
    tsr_free(t.out_rows);
    return e;
}

/* Called with the program's lock held. */
static pj_error *run_now(pj_run *r)
{
    pj_error *e = wait_for_inputs(r);
    if (!e && r->joint && !r->program->executable)
        e = pj_fail(PJ_UNIMPLEMENTED,
                    "the evaluator (TESSERA_ENGINE=reference) does not run programs on devices of "
                    "several processes");
    if (!e)
        e = r->program->executable ? run_compiled(r) : run_reference(r);
    return e;
}

/* A run that did not begin here: the other processes must not wait for it. */
static void skip(const pj_run *r, const pj_error *e)
{
    if (!r->joint || r->met || !r->program->spmd)
        return;
    const tsr_joint_run joint = joint_run(r);
    tsr_joint_skip(&joint, tsr_cstr(e ? pj_error_text(e) : "it was ended"));
}

static pj_error *copy_of(const pj_error *e)
{
    return e ? pj_fail(pj_error_kind(e), "%s", pj_error_text(e)) : NULL;
}

/* Called with the program's lock held; releases it. */
static void run_locked(pj_run *r)
{
    pj_error *e = pj_run_end(r, pj_run_begin(r) ? run_now(r) : NULL);
    skip(r, e);
    pthread_mutex_unlock(&r->program->lock);
    free_arguments(r); /* so that whoever waits for the run finds their memory free */
    for (size_t i = 0; i < r->ndevices * r->program->nout; i++)
        pj_event_done(r->out[i]->ready, copy_of(e));
    for (size_t d = 0; r->done && d < r->ndevices; d++)
        pj_event_done(r->done[d], copy_of(e));
    if (r->finished)
        pj_event_done(r->finished, copy_of(e));
    pj_error_free(e);
    free_run(r);
}

static void run_task(pj_task *task)
{
    pj_run *r = (pj_run *)task;
    pthread_mutex_lock(&r->program->lock);
    run_locked(r);
}

/* A program that takes some microseconds and whose arguments are ready runs at once, on the calling thread: handing it
 * to another takes longer. */
static bool run_at_once(pj_run *r)
{
    if (!r->program->small || r->finished || r->joint)
        return false;
    for (size_t i = 0; i < r->ndevices * r->program->nin; i++)
        if (!pj_event_is_done(r->in[i]->ready))
            return false;
    if (pthread_mutex_trylock(&r->program->lock) != 0)
        return false;
    run_locked(r);
    return true;
}

/* ---- The synchronous part of Execute ---- */

typedef struct {
    const pj_buffer *buffer;
    size_t i;
} argument;

static int by_buffer(const void *a, const void *b)
{
    const argument *x = a, *y = b;
    return x->buffer != y->buffer ? (x->buffer > y->buffer ? 1 : -1)
                                  : (x->i > y->i) - (x->i < y->i);
}

/* A donated buffer cannot be another argument as well. */
static pj_error *check_donation(const pj_run *r, pj_buffer *const *buffers)
{
    size_t n = r->program->nin;
    if (n < 2 || !memchr(r->donated, true, n))
        return NULL;
    argument *all = tsr_malloc(n * sizeof *all);
    if (!all)
        return pj_no_memory();
    for (size_t i = 0; i < n; i++)
        all[i] = (argument){buffers[i], i};
    qsort(all, n, sizeof *all, by_buffer);
    pj_error *e = NULL;
    for (size_t i = 0, end; !e && i < n; i = end) {
        bool given = false;
        for (end = i; end < n && all[end].buffer == all[i].buffer; end++)
            given |= r->donated[all[end].i];
        if (given && all[i].buffer && end - i > 1)
            e = pj_fail(
                PJ_INVALID_ARGUMENT,
                "Attempt to donate the same buffer twice in Execute() (argument %zu and %zu)",
                all[i].i, all[i + 1].i);
    }
    tsr_free(all);
    return e;
}

/* An argument must be present, on the device, and of the parameter's type. */
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
        e = check_donation(r, args->argument_lists[d]);
        for (size_t i = 0; !e && i < p->nin; i++)
            e = take_argument(r, args->argument_lists[d][i], d, i, &r->in[d * p->nin + i]);
    }
    return e;
}

/* Donated buffers are deleted when nothing can fail any more. */
static void give_away(const pj_LoadedExecutable_Execute_args *args, const pj_run *r)
{
    for (size_t d = 0; d < r->ndevices; d++)
        for (size_t i = 0; i < r->program->nin; i++)
            if (r->donated[i])
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

/* Chooses the devices: the program's own, or the given one. */
static pj_error *choose_devices(const pj_LoadedExecutable_Execute_args *args,
                                pj_device *const **devices, size_t *n)
{
    const pj_loaded_executable *x = args->executable;
    *devices = args->execute_device ? &args->execute_device->self : x->local;
    *n = args->execute_device ? 1 : x->nlocal;
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
    if (x->joint && pj_in_callback())
        return pj_fail(PJ_FAILED_PRECONDITION,
                       "a callback cannot run a program on devices of several processes");
    if (*n && args->num_args != x->program->nin)
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

/* If a program calls the host, the call waits for it, so that exceptions of a callback are raised by the call. */
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
    if (!run_at_once(r))
        pj_client_do(args->executable->client, &r->task);
    pj_error *e = finished ? pj_event_wait(finished) : NULL;
    pj_event_unref(finished);
    if (e)
        take_back(args, ndevices, nout);
    return e;
}

/* One allocation: the run, then its lists. */
static pj_error *new_run(const pj_LoadedExecutable_Execute_args *args, pj_device *const *devices,
                         size_t n, pj_run **out)
{
    const pj_compiled *p = args->executable->program;
    bool wants_events = args->device_complete_events != NULL;
    size_t pointers = n + n * p->nin + n * p->nout + (wants_events ? n : 0);
    pj_run *r = *out = tsr_calloc(1, sizeof *r + pointers * sizeof(void *) + p->nin);
    if (!r)
        return pj_no_memory();
    r->task.run = run_task;
    r->client = args->executable->client;
    pj_client_ref(r->client);
    r->program = pj_compiled_ref(args->executable->program);
    r->launch = args->options && PJ_HAS(args->options, launch_id) ? args->options->launch_id : 0;
    r->ndevices = n;
    r->joint = pj_joint_ref(args->executable->joint);
    r->devices = (pj_device **)(r + 1);
    r->in = (pj_value **)(r->devices + n);
    r->out = r->in + n * p->nin;
    r->done = wants_events ? (pj_event **)(r->out + n * p->nout) : NULL;
    r->donated = (bool *)((void **)(r + 1) + pointers);
    for (size_t d = 0; d < n; d++)
        r->devices[d] = devices[d];
    for (size_t i = 0; i < p->nin; i++)
        r->donated[i] = p->in[i].donated;
    const pj_execute_options *o = args->options;
    size_t kept =
        o && PJ_HAS(o, num_non_donatable_input_indices) ? o->num_non_donatable_input_indices : 0;
    for (size_t k = 0; k < kept; k++) {
        int64_t i = o->non_donatable_input_indices[k];
        if (i >= 0 && (uint64_t)i < p->nin)
            r->donated[i] = false;
    }
    return NULL;
}

pj_error *pj_LoadedExecutable_Execute(pj_LoadedExecutable_Execute_args *args)
{
    pj_device *const *devices;
    size_t n, nout = args->executable->program->nout;
    pj_run *r = NULL;
    pj_error *e = choose_devices(args, &devices, &n);
    if (!e && !n) /* all its devices are of other processes */
        return NULL;
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

/* ---- Contexts have no contents yet ---- */

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
