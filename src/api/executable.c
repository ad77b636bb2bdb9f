/* SPDX-License-Identifier: Apache-2.0 */
/* executable.c - compiled programs in the public API: compiled once, run on several threads at once. */
#include "api/devices.h"
#include "api/eval.h"
#include "api/guard.h"
#include "api/peers.h"
#include "api/spans.h"
#include "api/spmd.h"
#include "api/tsrx.h"
#include "base/device_block.h"
#include "base/devices.h"
#include "check/ttnn.h"
#include "eval/host.h"
#include "eval/parts.h"
#include "eval/plan.h"
#include "exec/run/mesh.h"

struct tsr_executable {
    tsr_module *m;
    const tsr_op *func;
    const tsr_type *type;
    tsr_stepper *compiled; /* NULL: its ops need the evaluator */
    tsr_program *program;  /* of compiled */
    tsr_plan *plan;
    tsr_parts_run parts;         /* the devices that run it together; one: it runs alone */
    tsr_compile_options options; /* device: empty */
    tsr_device *device;          /* NULL: this processor */
    tsr_device_block *there;     /* stands for memory of the device that callers own */
    tsr_str held;                /* bytes that hold constants of the module, for a loaded program */
};

static size_t devices_of(const tsr_executable *x)
{
    return tsr_parts_devices(&x->parts);
}

/* ---- Compiling ---- */

static bool count_devices(tsr_executable *x, tsr_status *status)
{
    tsr_arena arena;
    tsr_arena_init(&arena);
    tsr_parts_run run;
    bool ok = tsr_spmd_entry(&arena, x->m, x->func, &run, status);
    if (ok) {
        x->parts.replicas = run.replicas;
        x->parts.partitions = run.partitions;
    }
    tsr_arena_free(&arena);
    return ok;
}

/* x has its module and options. */
static bool compile(tsr_executable *x, tsr_str function, tsr_status *status)
{
    x->parts = (tsr_parts_run){.replicas = 1, .partitions = 1, .local = true};
    if (!tsr_is_runnable(x->m) && !tsr_make_runnable(x->m, false))
        return tsr_status_set(status, TSR_BAD_INPUT,
                              "the module cannot be brought into a form that runs");
    x->func = tsr_entry_find(x->m, function, status);
    x->type = x->func ? tsr_entry_type(x->func) : NULL;
    bool local = tsr_spmd_is_local(x->m) || x->options.per_device;
    if (!x->type || (local && !count_devices(x, status)))
        return false;
    if (!tsr_ttnn_check(x->m, x->func, false, NULL))
        return tsr_status_set(status, TSR_BAD_INPUT, "the program does not fit its device");
    x->plan = tsr_plan_facts(x->m);
    if (!x->plan)
        return tsr_status_set(status, TSR_ENVIRONMENT, "the module cannot be prepared for a run");
    if (x->plan->mesh.used && (x->plan->bad_mesh || x->plan->mesh.devices > 1))
        return tsr_status_set(
            status, TSR_BAD_INPUT,
            "the program is for a mesh of several devices: tsr_module_eval runs it");
    tsr_program_options how = {.strict = x->options.strict_rounding,
                               .backend = tsr_backend_of(x->device),
                               .device = x->device,
                               .plan = x->plan};
    if (tsr_plan_needs_evaluator(x->plan)) {
        tsr_plan_frames(x->plan, x->m);
        return !x->device ||
               tsr_status_set(status, TSR_BAD_INPUT,
                              "an op needs the evaluator, which runs on this processor alone");
    }
    x->compiled = tsr_compiled_new(x->m, &how);
    x->program = tsr_compiled_program(x->compiled, x->func);
    if (x->device && !(x->there = tsr_device_block_over(x->device)))
        return tsr_status_set(status, TSR_ENVIRONMENT, "no memory for the program%s",
                              tsr_memory_reason().text);
    return !x->device || tsr_device_takes(x->program, true, status);
}

tsr_executable *tsr_module_compile(tsr_module *m, tsr_str function,
                                   const tsr_compile_options *options, tsr_status *status)
{
    TSR_GUARD_MODULE(g, m, TSR_READS, status, NULL)
    tsr_executable *x = tsr_xmalloc(sizeof *x);
    *x = (tsr_executable){.m = options && options->lends ? tsr_module_copy_borrowed(m)
                                                         : tsr_module_copy(m)};
    tsr_str device = options ? options->device : (tsr_str){0};
    if (options)
        x->options = *options;
    x->options.device = (tsr_str){0};
    if (device.len)
        x->device = tsr_devices_open(device, g.status);
    tsr_cleanup opened;
    tsr_cleanup_push(&opened, tsr_devices_close, x->device);
    bool ok = (!device.len || x->device) && compile(x, function, g.status);
    tsr_cleanup_pop(&opened);
    if (!ok)
        tsr_executable_free(x);
    tsr_guard_close(&g);
    return ok ? x : NULL;
}

tsr_str tsr_executable_save(const tsr_executable *x, tsr_status *status)
{
    TSR_GUARD_IF(g, x != NULL, x ? x->m->ctx : NULL, x ? x->m : NULL, TSR_READS, status,
                 TSR_NO_TEXT)
    tsr_buf out = {0};
    uint64_t flags = (x->options.strict_rounding ? TSR_TSRX_STRICT : 0) |
                     (x->options.per_device ? TSR_TSRX_PER_DEVICE : 0) |
                     (devices_of(x) > 1 ? TSR_TSRX_SPMD : 0);
    bool ok = tsr_tsrx_write(&out, x->m, x->func, flags);
    if (!ok)
        tsr_buf_free(&out);
    tsr_guard_finish(&g, ok);
    return (tsr_str){out.data, out.len};
}

static bool load(tsr_executable *x, tsr_ctx *ctx, tsr_str name, tsr_status *status)
{
    tsr_tsrx saved;
    if (!tsr_tsrx_is(x->held)) {
        tsr_error(ctx, TSR_LOC_UNKNOWN, "'%.*s' is no saved program", TSR_STR_ARG(name));
        return false;
    }
    x->m = tsr_tsrx_read(ctx, x->held, name, true, &saved);
    if (!x->m)
        return false;
    x->options = (tsr_compile_options){.strict_rounding = saved.flags & TSR_TSRX_STRICT,
                                       .per_device = saved.flags & TSR_TSRX_PER_DEVICE};
    if (!compile(x, saved.function, status))
        return false;
    bool compiled = saved.flags & TSR_TSRX_COMPILED;
    if (compiled != (x->program != NULL))
        return tsr_error(ctx, x->func->loc,
                         "this saved program cannot be run: %s: compile it again",
                         compiled ? "it was compiled, and now the evaluator runs it"
                                  : "the evaluator ran it, and now it is compiled");
    return !compiled || tsr_tsrx_check(x->program, &saved);
}

tsr_executable *tsr_executable_load(tsr_ctx *ctx, tsr_str data, tsr_str name, tsr_status *status)
{
    TSR_GUARD_IF(g, ctx && (data.data || !data.len), ctx, NULL, TSR_READS, status, NULL)
    tsr_executable *x = tsr_xmalloc(sizeof *x);
    char *own = tsr_xmalloc(data.len + 1);
    *x = (tsr_executable){.held = {own, data.len}};
    if (data.len)
        memcpy(own, data.data, data.len);
    uint32_t nerror = ctx->nerror;
    bool ok = load(x, ctx, name, g.status);
    if (!ok && ctx->nerror == nerror)
        tsr_error(ctx, TSR_LOC_UNKNOWN, "%s", g.status->message);
    if (!ok)
        tsr_executable_free(x);
    tsr_guard_finish(&g, ok);
    return ok ? x : NULL;
}

tsr_module *tsr_executable_module(const tsr_executable *x)
{
    TSR_GUARD_IF(g, x != NULL, x ? x->m->ctx : NULL, x ? x->m : NULL, TSR_READS, NULL, NULL)
    tsr_module *m = tsr_module_copy(x->m);
    tsr_guard_close(&g);
    return m;
}

void tsr_executable_free(tsr_executable *x)
{
    if (!x)
        return;
    tsr_compiled_free(x->compiled);
    if (x->plan)
        tsr_plan_free(x->plan);
    if (x->m)
        tsr_module_free(x->m);
    tsr_free(x->there);
    tsr_devices_close(x->device);
    tsr_free((void *)x->held.data);
    tsr_free(x);
}

tsr_device *tsr_executable_device(const tsr_executable *x)
{
    return x ? x->device : NULL;
}

size_t tsr_executable_num_inputs(const tsr_executable *x)
{
    return x ? x->type->n : 0;
}

size_t tsr_executable_num_outputs(const tsr_executable *x)
{
    return x ? x->type->nout : 0;
}

size_t tsr_executable_num_devices(const tsr_executable *x)
{
    return x ? devices_of(x) : 0;
}

tsr_type *tsr_executable_input_type(const tsr_executable *x, size_t i)
{
    return x && i < x->type->n ? x->type->types[i] : NULL;
}

tsr_type *tsr_executable_output_type(const tsr_executable *x, size_t i)
{
    return x && i < x->type->nout ? x->type->types[x->type->n + i] : NULL;
}

bool tsr_executable_alias(const tsr_executable *x, size_t i, size_t *result)
{
    uint32_t k =
        x && x->program && i < x->type->n ? tsr_program_donor(x->program, (uint32_t)i) : TSR_XNONE;
    *result = k;
    return k != TSR_XNONE;
}

double tsr_executable_work(const tsr_executable *x)
{
    return x && x->program ? tsr_program_work(x->program) * (double)devices_of(x) : -1;
}

bool tsr_executable_memory(const tsr_executable *x, tsr_memory_use *out)
{
    *out = (tsr_memory_use){0};
    if (!x || !x->program)
        return false;
    tsr_program_memory(x->program, out);
    out->workspace = tsr_program_workspace(x->program);
    return true;
}

/* ---- Callbacks of a run ---- */

typedef struct {
    const tsr_execute_options *options;
    tsr_ctx *ctx;
} watcher;

static bool tell_group(void *user, const tsr_program *p, tsr_xid group, const tsr_xid *values,
                       tsr_tensor *const *tensors, size_t n)
{
    const watcher *w = user;
    const tsr_xgroup *g = &p->groups.data[group];
    tsr_buf name = {0};
    const tsr_op **ops = tsr_xmalloc((n + 1) * sizeof *ops);
    for (size_t i = 0; i < n; i++)
        ops[i] = p->values.data[values[i]].op;
    tsr_group_name(p, g, &name);
    tsr_group_run run = {.step = g->step,
                         .nsteps = p->nsteps,
                         .kind = tsr_cstr(tsr_group_kind(g)),
                         .name = tsr_buf_text(&name),
                         .file = {"", 0},
                         .nvalues = n,
                         .values = tensors,
                         .ops = ops};
    tsr_loc_position(w->ctx, tsr_group_loc(p, g), &run.file, &run.line, &run.col);
    tsr_scope *scope = tsr_scope_suspend();
    bool ok = w->options->observe(w->options->user, &run);
    tsr_scope_resume(scope);
    tsr_free(ops);
    tsr_buf_free(&name);
    return ok;
}

static bool tell_progress(void *user, const tsr_program *p, tsr_xid group)
{
    const watcher *w = user;
    tsr_scope *scope = tsr_scope_suspend();
    bool ok = w->options->progress(w->options->user, (size_t)p->groups.data[group].end + 1,
                                   (size_t)p->nsteps);
    tsr_scope_resume(scope);
    return ok;
}

/* ---- Running ---- */

/* With its location in the program, as there is no diagnostic. */
static bool fail_at(const tsr_executable *x, tsr_loc loc, tsr_code code, tsr_str message,
                    tsr_status *status)
{
    tsr_str file;
    uint32_t line, col;
    if (!tsr_loc_position(x->m->ctx, loc, &file, &line, &col))
        return tsr_status_set(status, code, "%.*s", TSR_STR_ARG(message));
    return tsr_status_set(status, code, "%.*s:%u:%u: %.*s", TSR_STR_ARG(file), line, col,
                          TSR_STR_ARG(message));
}

/* One run: admitted inputs, where results go, and which inputs are donated. */
typedef struct {
    tsr_tensor *const *in, *const *into;
    tsr_tensor **out, **donated;
    const tsr_execute_options *options;
} one_run;

static bool run_admitted(const tsr_executable *x, const one_run *r, tsr_status *status)
{
    const tsr_execute_options *options = r->options;
    tsr_eval_host host = {.custom_call = options->custom_call, .custom_user = options->user};
    watcher w = {options, x->m->ctx};
    tsr_run_hooks hooks = {.user = &w,
                           .observe = options->observe ? tell_group : NULL,
                           .progress = options->progress ? tell_progress : NULL,
                           .into = r->into,
                           .donated = r->donated,
                           .stay = options->stay};
    tsr_eval e;
    tsr_eval_init(&e, x->m, x->plan);
    e.host = &host;
    e.zero_division = options->zero_division;
    tsr_rng_start(&e.rng, options->seed);
    tsr_parts_run parts = x->parts;
    parts.donated = x->compiled ? r->donated : NULL;
    parts.into = x->compiled ? r->into : NULL;
    e.engine = devices_of(x) > 1 ? x->compiled : NULL;
    e.remote = tsr_joint_remote(options->joint);
    bool ok = devices_of(x) > 1
                  ? tsr_eval_parts(&e, x->func, &parts, r->in, x->type->n, r->out, x->type->nout)
              : x->program ? tsr_program_run(x->program, &e, r->in, x->type->n, r->out,
                                             x->type->nout, &hooks)
                           : tsr_eval_function(&e, x->func, r->in, x->type->n, r->out);
    if (!ok)
        fail_at(x, e.failure.loc, e.failure.environment ? TSR_ENVIRONMENT : TSR_BAD_INPUT,
                e.failure.message.len ? tsr_buf_text(&e.failure.message)
                                      : TSR_STR("the evaluation failed"),
                status);
    tsr_eval_free(&e);
    return ok;
}

static bool has_counts(const tsr_executable *x, size_t nin, size_t nout, tsr_status *status)
{
    size_t devices = devices_of(x);
    if (nout != x->type->nout * devices)
        return tsr_status_set(status, TSR_BAD_INPUT,
                              "the function gives %zu results; there is room for %zu",
                              x->type->nout * devices, nout);
    if (devices > 1 && nin != x->type->n * devices)
        return tsr_status_set(status, TSR_BAD_INPUT,
                              "%zu devices take %zu inputs, device by device; %zu are given",
                              devices, x->type->n * devices, nin);
    return true;
}

static bool run(const tsr_executable *x, tsr_tensor *const *in, size_t nin, tsr_tensor *const *into,
                tsr_tensor **out, size_t nout, const tsr_execute_options *options,
                tsr_status *status)
{
    static const tsr_execute_options none;
    tsr_buf text = {0};
    size_t devices = devices_of(x);
    tsr_parts_run parts = x->parts;
    TSR_TRY(!options || tsr_entry_check(TSR_ENGINE_COMPILED, options->zero_division, status));
    TSR_TRY(has_counts(x, nin, nout, status));
    if (devices > 1 && options && (options->observe || options->progress))
        return tsr_status_set(status, TSR_BAD_INPUT,
                              "runs of several devices have no progress and no values to tell");
    if (!tsr_entry_takes(x->func, x->type, in, devices > 1 ? x->type->n : nin,
                         &(tsr_entry_options){.parts = devices > 1 ? &parts : NULL,
                                              .device = x->device,
                                              .joint = options ? options->joint : NULL},
                         &text)) {
        fail_at(x, x->func->loc, TSR_BAD_INPUT, tsr_buf_text(&text), status);
        tsr_buf_free(&text);
        return false;
    }
    tsr_tensor **args = tsr_xmalloc((nin + 1) * sizeof *args);
    bool ok = true;
    for (size_t i = 0; i < nin; i++)
        ok &= (args[i] = tsr_entry_admit(x->type->types[i % x->type->n], in[i])) != NULL;
    options = options ? options : &none;
    tsr_tensor **given = ok ? tsr_entry_donated(options->given_up, args, nin) : NULL;
    ok = ok ? run_admitted(x, &(one_run){args, into, out, given, options}, status)
            : tsr_status_set(status, TSR_ENVIRONMENT, "no memory for the inputs%s",
                             tsr_memory_reason().text);
    for (size_t i = 0; i < nout; i++) {
        if (ok && out[i])
            out[i] = tsr_tensor_owned(out[i]);
        else
            tsr_tensor_unref(out[i]);
    }
    if (!ok)
        tsr_no_results(out, nout);
    for (size_t i = 0; i < nin; i++)
        tsr_tensor_unref(args[i]);
    tsr_free(args);
    tsr_free(given);
    return ok;
}

/* The guard of a run: that of a public call that uses only the limits of the context. False: invalid handles. */
static bool open_run(tsr_guard *g, const tsr_executable *x, bool has,
                     const tsr_execute_options *options, tsr_status *status)
{
    if (!tsr_guard_open(g, x && has, NULL, NULL, TSR_READS, status))
        return false;
    if (!g->scope.outer) {
        g->scope.own.cancel = &x->m->ctx->cancelled;
        tsr_scope_set_budget(options && options->budget ? options->budget : &x->m->ctx->budget);
    }
    return true;
}

/* A limit ended the run: the status says where. */
static bool stopped(tsr_guard *g, const tsr_executable *x)
{
    tsr_status why = g->scope.own.why;
    tsr_loc place = g->scope.own.place;
    tsr_status *status = g->status;
    fail_at(x, place, why.code, tsr_cstr(why.message), status);
    tsr_guard_stopped(g);
    return false;
}

bool tsr_executable_run(const tsr_executable *x, tsr_tensor *const *in, size_t nin,
                        tsr_tensor **out, size_t nout, const tsr_execute_options *options,
                        tsr_status *status)
{
    tsr_guard g;
    tsr_no_results(out, nout);
    if (!open_run(&g, x, (in || !nin) && (out || !nout), options, status))
        return false;
    if (setjmp(g.scope.out) != 0)
        return tsr_no_results(out, nout), stopped(&g, x);
    bool ok = run(x, in, nin, NULL, out, nout, options, g.status);
    tsr_guard_close(&g);
    return ok;
}

/* ---- Buffers ---- */

/* A tensor over the caller's memory, if that matches the type. */
static tsr_tensor *tensor_over(const tsr_executable *x, const char *what, size_t i,
                               const tsr_type *type, const void *data, size_t size,
                               tsr_status *status)
{
    if (!tsr_type_has_static_shape(type)) {
        tsr_status_set(status, TSR_BAD_INPUT,
                       "%s %zu has no size before the run: tsr_executable_run takes tensors", what,
                       i);
        return NULL;
    }
    uint32_t bytes = tsr_dtype_bytes(tsr_dtype_of(type->elem)), align = bytes < 8 ? bytes : 8;
    uint64_t want = (uint64_t)tsr_type_num_elements(type) * bytes;
    if (want != size || (!data && size)) {
        tsr_status_set(status, TSR_BAD_INPUT, "%s %zu takes %llu bytes; %zu are given", what, i,
                       (unsigned long long)want, data ? size : 0);
        return NULL;
    }
    if ((uintptr_t)data % align) {
        tsr_status_set(status, TSR_BAD_INPUT, "the address of %s %zu is no multiple of %u", what, i,
                       align);
        return NULL;
    }
    tsr_tensor *t = tsr_tensor_over(type->elem, type->dims, type->n, (void *)data);
    if (!t)
        tsr_status_set(status, TSR_ENVIRONMENT, "no memory for the buffers%s",
                       tsr_memory_reason().text);
    else
        t->where = x->there;
    return t;
}

/* Copies bytes of buffers, which are in the memory of the executable's device. */
static bool copy_bytes(const tsr_executable *x, void *to, const void *from, size_t n,
                       tsr_status *status)
{
    if (!x->device)
        memcpy(to, from, n);
    return !n || !x->device || x->device->copy(x->device, to, x->device, from, n) ||
           tsr_status_set(status, TSR_ENVIRONMENT, "%s: %s", x->device->name, x->device->error);
}

/* Which inputs lend their memory to results: those that equal the output of the result that is computed there, and
 * share it with no other. Other outputs that equal inputs become new tensors, which are copied at the end. */
static void find_lent(const tsr_executable *x, const int64_t *of, size_t nin, tsr_tensor **into,
                      size_t nout, bool *lent)
{
    size_t takes = x->type->n, gives = x->type->nout;
    uint8_t *met = tsr_xmalloc(nout + 1);
    memset(met, 0, nout + 1);
    for (size_t k = 0; k < nin; k++)
        if (of[k] != TSR_NO_OUTPUT)
            met[of[k]] += met[of[k]] < 2;
    for (size_t k = 0; k < nin; k++) {
        size_t result;
        lent[k] = of[k] != TSR_NO_OUTPUT && met[of[k]] == 1 &&
                  tsr_executable_alias(x, k % takes, &result) &&
                  result + k / takes * gives == (size_t)of[k];
        if (lent[k])
            met[of[k]] = 0;
    }
    for (size_t i = 0; i < nout; i++)
        if (met[i]) {
            tsr_tensor_unref(into[i]);
            into[i] = NULL;
        }
    tsr_free(met);
}

/* If a result is an input passed through, writing an output there would overwrite it: it is copied first. */
static bool save_inputs(const tsr_executable *x, tsr_tensor *const *in, tsr_tensor **results,
                        size_t nout, tsr_status *status)
{
    size_t takes = x->type->n, gives = x->type->nout;
    for (size_t i = 0; i < nout; i++)
        for (size_t k = i / gives * takes; results[i] && k < (i / gives + 1) * takes; k++) {
            tsr_tensor *t = results[i];
            if (!in[k] || t->kind != TSR_TENSOR || t->data != in[k]->data)
                continue;
            results[i] = x->device ? tsr_tensor_on(x->device, t->elem, t->dims, t->rank)
                                   : tsr_tensor_like(t, t->elem);
            bool ok =
                results[i] && copy_bytes(x, results[i]->data, t->data, tsr_tensor_bytes(t), status);
            tsr_tensor_unref(t);
            if (!ok)
                return tsr_status_set(status, TSR_ENVIRONMENT, "no memory for the results%s",
                                      tsr_memory_reason().text);
            break;
        }
    return true;
}

/* Tensors over the caller's memory; a token has no buffer. */
static bool wrap(const tsr_executable *x, const tsr_input_buffer *in, size_t nin,
                 const tsr_output_buffer *out, size_t nout, tsr_tensor **args, tsr_tensor **into,
                 const tsr_joint_run *joint, tsr_status *status)
{
    size_t takes = x->type->n, gives = x->type->nout;
    for (size_t i = 0; i < nin; i++) {
        const tsr_type *type = x->type->types[i % takes];
        if ((!tsr_type_is_shaped(type) && !in[i].size) || !tsr_joint_has(joint, i / takes))
            continue;
        TSR_TRY((args[i] = tensor_over(x, "input", i, type, in[i].data, in[i].size, status)) !=
                NULL);
    }
    for (size_t i = 0; i < nout; i++) {
        const tsr_type *type = x->type->types[takes + i % gives];
        if ((!tsr_type_is_shaped(type) && !out[i].size) || !tsr_joint_has(joint, i / gives))
            continue;
        TSR_TRY((into[i] = tensor_over(x, "output", i, type, out[i].data, out[i].size, status)) !=
                NULL);
    }
    return true;
}

/* Elements of fewer than eight bits may have anything above their bits. Memory that an output takes over is tidied in
 * place. */
static bool tidy_inputs(tsr_tensor **args, size_t nin, const int64_t *of, tsr_status *status)
{
    for (size_t i = 0; i < nin; i++) {
        if (args[i] && args[i]->where)
            continue;
        if (args[i] && of[i] != TSR_NO_OUTPUT)
            tsr_tensor_tidy(args[i]);
        else if (args[i] && !(args[i] = tsr_tensor_tidied(args[i])))
            return tsr_status_set(status, TSR_ENVIRONMENT, "no memory for the inputs%s",
                                  tsr_memory_reason().text);
    }
    return true;
}

/* Copies results to the caller's outputs, except those that were computed there. */
static bool copy_out(const tsr_executable *x, tsr_tensor *const *args, tsr_tensor *const *into,
                     tsr_tensor **results, const tsr_output_buffer *out, size_t nout, bool gives_up,
                     bool stay, tsr_status *status)
{
    for (size_t i = 0; into && i < nout; i++)
        if (into[i]) {
            tsr_tensor_unref(results[i]);
            results[i] = NULL;
        }
    if (gives_up)
        TSR_TRY(save_inputs(x, args, results, nout, status));
    for (size_t i = 0; i < nout; i++)
        if (out[i].size && results[i])
            TSR_TRY(copy_bytes(x, out[i].data, results[i]->data, out[i].size, status));
    return !x->device || stay || x->device->synchronize(x->device) ||
           tsr_status_set(status, TSR_ENVIRONMENT, "%s: %s", x->device->name, x->device->error);
}

static bool run_buffers(const tsr_executable *x, const tsr_input_buffer *in, size_t nin,
                        const tsr_output_buffer *out, size_t nout,
                        const tsr_execute_options *options, tsr_status *status)
{
    size_t devices = devices_of(x), takes = x->type->n, gives = x->type->nout;
    if (nin != takes * devices || nout != gives * devices)
        return tsr_status_set(status, TSR_BAD_INPUT,
                              "the function takes %zu inputs and gives %zu results; %zu and %zu "
                              "buffers are given",
                              takes * devices, gives * devices, nin, nout);
    bool in_place = x->program != NULL;
    tsr_execute_options how = options ? *options : (tsr_execute_options){0};
    bool gives_up = how.given_up != NULL;
    size_t n = nin + 2 * nout + 1;
    tsr_tensor **args = tsr_xmalloc(n * sizeof *args), **into = args + nin, **results = into + nout;
    memset(args, 0, n * sizeof *args);
    int64_t *of = tsr_xmalloc((nin + 1) * sizeof *of);
    bool ok = wrap(x, in, nin, out, nout, args, into, how.joint, status) &&
              tsr_spans_match(args, nin, into, nout, how.given_up, of, status) &&
              tidy_inputs(args, nin, of, status);
    bool *lent = ok && in_place && gives_up ? tsr_xmalloc(nin + 1) : NULL;
    if (lent)
        find_lent(x, of, nin, into, nout, lent);
    how.given_up = lent;
    how.stay = x->device != NULL;
    tsr_tensor *const *to = in_place ? into : NULL;
    ok = ok && run(x, args, nin, to, results, nout, &how, status) &&
         copy_out(x, args, to, results, out, nout, gives_up, options && options->stay, status);
    tsr_free(of);
    tsr_free(lent);
    for (size_t i = 0; i < n - 1; i++)
        tsr_tensor_unref(args[i]);
    tsr_free(args);
    return ok;
}

void *tsr_buffer_new(size_t bytes)
{
    return bytes ? tsr_malloc_aligned(bytes) : NULL;
}

void tsr_buffer_free(void *data)
{
    tsr_free(data);
}

bool tsr_executable_run_buffers(const tsr_executable *x, const tsr_input_buffer *in, size_t nin,
                                const tsr_output_buffer *out, size_t nout,
                                const tsr_execute_options *options, tsr_status *status)
{
    tsr_guard g;
    const tsr_joint_run *joint = options ? options->joint : NULL;
    if (!open_run(&g, x, (in || !nin) && (out || !nout), options, status))
        return false;
    if (setjmp(g.scope.out) != 0) {
        stopped(&g, x);
        return tsr_joint_end(joint, false, g.status);
    }
    bool ok = tsr_joint_begin(joint, devices_of(x), x->program != NULL, g.status) &&
              run_buffers(x, in, nin, out, nout, options, g.status);
    ok = tsr_joint_end(joint, ok, g.status);
    tsr_guard_close(&g);
    return ok;
}
