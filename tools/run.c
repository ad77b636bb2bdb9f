/* SPDX-License-Identifier: Apache-2.0 */
/* run.c - `tessera run`: runs a function of a module on given or random inputs, on one device or on those of a mesh. */
#include "run.h"

#include "base/threads.h"
#include "check/ttnn.h"
#include "eval/file/print.h"

int run_report(const run_job *c, const tsr_status *s)
{
    fprintf(stderr, "%s: error: %s\n", c->t->name, s->message);
    return s->code == TSR_ENVIRONMENT ? EXIT_ENVIRONMENT : EXIT_REJECTED;
}

static void show_progress(void *user, size_t done, size_t all)
{
    run_job *c = user;
    if (progress_is_due(&c->line))
        progress_show(&c->line, "running: %zu of %zu steps, %.0f s", done, all,
                      wall_seconds() - c->start);
}

static void print_text(void *user, tsr_str text)
{
    (void)user;
    fwrite(text.data, 1, text.len, stdout);
}

int run_failed(const run_job *c, uint32_t nerror, const tsr_entry_options *options,
               const tsr_status *s)
{
    if (c->ctx->nerror == nerror)
        return run_report(c, s);
    if (options && options->zero_divisors && c->zero_division == TSR_ZERO_ERROR)
        fprintf(stderr,
                "%s: where a program drops such values later, --division-by-zero=warn (the "
                "default) or =ignore runs it\n",
                c->t->name);
    return s->code == TSR_ENVIRONMENT ? EXIT_ENVIRONMENT : EXIT_REJECTED;
}

/* The function's type with global inputs and results. */
static const tsr_type *whole_type(run_job *c, const tsr_parts_run *parts)
{
    tsr_type_vec types = {0};
    for (uint32_t i = 0; i < c->type->n + c->type->nout; i++) {
        const tsr_part_of *of = i < c->type->n ? &parts->in[i] : &parts->out[i - c->type->n];
        tsr_vec_push(&types, of->global ? (tsr_type *)of->global : c->type->types[i]);
    }
    const tsr_type *t = tsr_type_function(c->ctx, types.data, c->type->n,
                                          TSR_FROM(types.data, c->type->n), c->type->nout);
    tsr_vec_free(&types);
    return t;
}

bool run_give(const run_job *c, tsr_module *m, tsr_status *s)
{
    if (!c->search.on)
        return give_shardings(m, &c->request, &c->given, c->function, s);
    tsr_shard_request request = c->request;
    request.given = c->given.data;
    request.ngiven = c->given.n;
    request.function = tsr_cstr(c->function);
    tsr_arena arena;
    tsr_auto_result found = {0};
    tsr_arena_init(&arena);
    bool ok = auto_give(&c->search, &arena, m, &request, &found, s);
    tsr_auto_free(&found);
    tsr_arena_free(&arena);
    return ok;
}

/* The program of each device: the module itself, if it is one already. */
static bool prepare_spmd(run_job *c, tsr_arena *arena, tsr_parts_run *parts, tsr_status *s)
{
    double t0 = wall_seconds();
    if (c->search.on || tsr_spmd_needed(c->m) || c->request.mesh.len || c->given.n) {
        c->local = tsr_module_copy_borrowed(c->m);
        /* Between ranks, larger combined collectives gain nothing, and overlap less with computation. */
        int64_t together = c->ranks ? 1 << 20 : 0;
        TSR_TRY(run_give(c, c->local, s) &&
                tsr_spmd_partition(c->local, tsr_cstr(c->function), together, s));
    }
    tsr_module *m = c->local ? c->local : c->m;
    const tsr_op *func = tsr_entry_find(m, tsr_cstr(c->function), s);
    if (!func || !tsr_spmd_entry(arena, m, func, parts, s))
        return false;
    if (!c->local)
        c->type = whole_type(c, parts);
    if (!c->local && parts->replicas * parts->partitions <= 1)
        tell_no_mesh(c->ctx, func);
    c->partition = wall_seconds() - t0;
    return true;
}

static int finish(run_job *c, tsr_entry_options *options)
{
    tsr_status s = {0};
    double t1 = wall_seconds();
    if (c->output && !c->shards && !run_save(c, &s))
        return run_report(c, &s);
    if (c->profile && c->trace_text.len) {
        int wrote = write_output(c->t, c->profile, tsr_buf_text(&c->trace_text));
        if (wrote)
            return wrote;
    }
    tsr_buf text = {0};
    for (size_t i = 0; c->print && i < c->out.n; i++) {
        tsr_tensor_print_summary(&text, c->out.data[i], c->full);
        tsr_buf_char(&text, '\n');
    }
    bool pass = !c->expects.n || run_judge(c, &c->expected, NULL, &text);
    int code = c->against ? run_compare_against(c, options, &text, &pass) : EXIT_OK;
    code = c->check && !code ? run_check_whole(c, options, &text, &pass) : code;
    c->judge = wall_seconds() - t1;
    int wrote = EXIT_OK;
    if (c->json) /* stdout is for the reports */
        fwrite(text.data ? text.data : "", 1, text.len, stderr);
    else
        wrote = write_output(c->t, "-", tsr_buf_text(&text));
    tsr_buf_free(&text);
    return code ? code : wrote ? wrote : pass ? EXIT_OK : EXIT_REJECTED;
}

/* Checks that a TTNN program fits its device. */
static bool check_device(run_job *c)
{
    tsr_device_memory memory;
    TSR_TRY(tsr_ttnn_check(c->m, c->func, c->device_memory, &memory));
    if (!c->device_memory)
        return true;
    tsr_buf text = {0};
    tsr_device_memory_print(&memory, &text);
    fwrite(text.data, 1, text.len, stderr);
    tsr_buf_free(&text);
    return true;
}

/* Finds the peaks that efficiency is relative to. */
static bool find_peaks(run_job *c, tsr_status *s)
{
    const double moment = 0.1;
    tsr_file in;
    const char *error = NULL;
    if (!c->profile)
        return true;
    if (!c->machine)
        return tsr_machine_measure(&c->peaks, moment) ||
               tsr_status_set(s, TSR_ENVIRONMENT, "no memory to measure the machine's peaks with%s",
                              tsr_memory_reason().text);
    if (!tsr_file_open(c->machine, &in, &error))
        return tsr_status_set(s, TSR_ENVIRONMENT, "cannot open input file '%s': %s", c->machine,
                              error);
    tsr_status why = {0};
    bool ok = tsr_machine_read(&c->peaks, in.data, &why) ||
              tsr_status_set(s, TSR_BAD_INPUT, "'%s', %s", c->machine, why.message);
    tsr_file_close(&in);
    return ok;
}

/* ---- Devices with shards ---- */

static bool next_step(void *user, uint64_t step, tsr_tensor **in, tsr_tensor **out, tsr_status *s)
{
    return steps_next(&((run_job *)user)->steps, step, in, out, s);
}

/* Shards the inputs, for the devices that this rank runs. */
static bool spread(run_job *c, tsr_module *m, const tsr_op *func, tsr_parts_run *parts,
                   tsr_status *s)
{
    size_t n = tsr_parts_devices(parts), nin = c->in.n;
    int size = c->ranks ? ranks_size(c->ranks) : 1;
    tsr_here_init(&c->here, m, func, parts, c->ranks ? ranks_remote(c->ranks) : NULL);
    if ((size_t)size > n)
        return tsr_status_set(
            s, TSR_BAD_INPUT,
            "the program is for %zu devices, and there are %d ranks: each runs one "
            "at least",
            n, size);
    TSR_TRY(tsr_here_takes(&c->here, c->in.data, nin, c->in_names.data, s));
    tsr_vec_reserve(&c->parts_in, n * nin + 1);
    tsr_vec_reserve(&c->parts_out, n * c->type->nout + 1);
    memset(c->parts_in.data, 0, (n * nin + 1) * sizeof *c->parts_in.data);
    memset(c->parts_out.data, 0, (n * c->type->nout + 1) * sizeof *c->parts_out.data);
    c->parts_in.n = n * nin;
    for (size_t i = 0; i < nin; i++)
        TSR_TRY(tsr_here_cut(&c->here, &parts->in[i], c->in.data[i], c->parts_in.data + i, nin, s));
    parts->local = true;
    return true;
}

/* Assembles results from the shards of all ranks, on the first one. */
static bool collect(run_job *c, tsr_status *s)
{
    size_t nout = c->type->nout;
    bool lead = !c->ranks || ranks_rank(c->ranks) == 0;
    if (c->shards && !c->print && !c->expects.n && !c->check)
        return true;
    TSR_TRY(tsr_here_gather(&c->here, c->parts_out.data, nout, 0, s));
    TSR_TRY(!lead || tsr_here_join(&c->here, c->parts_out.data, nout, c->out.data, s));
    c->out.n = lead ? nout : 0;
    return true;
}

/* Runs the program as often as requested, on one rank or on several; results are in c->out, on the first. */
static int run_ranks(run_job *c, tsr_module *m, const tsr_op *func, tsr_entry_options *options,
                     uint32_t nerror)
{
    tsr_status s = {0};
    bool parted = c->spmd && (c->ranks || c->steps.loop || c->shards);
    bool ok = !c->steps.loop || steps_read(&c->steps, c->type, &s);
    ok = ok && (!parted || spread(c, m, func, options->parts, &s));
    int code = ranks_agree(c->ranks, ok ? EXIT_OK : run_failed(c, nerror, options, &s));
    if (code)
        return code;
    run_tensors *in = parted ? &c->parts_in : &c->in, *out = parted ? &c->parts_out : &c->out;
    ok = !c->ranks || tsr_here_agree(&c->here, in->data, c->in.n, c->in_names.data, &s);
    if (c->steps.loop) {
        tsr_here whole = {.m = m, .run = &(tsr_parts_run){.replicas = 1, .partitions = 1}};
        c->steps.local = parted ? &c->here : NULL;
        c->steps.program = tsr_here_program(parted ? &c->here : &whole);
        ok = ok && steps_resume(&c->steps, c->ctx, tsr_entry_type(func), in->data, out->data, &s);
        options->first_step = c->steps.first;
        options->again = next_step;
    }
    options->remote = parted ? c->here.remote : NULL;
    ok = ok && (steps_done(&c->steps) ||
                tsr_entry_run(m, func, in->data, c->in.n, out->data, c->type->nout, options, &s));
    if (!ok && options->remote)
        tsr_remote_fail(options->remote); /* the others may be in their grids */
    out->n = ok ? c->type->nout * (parted ? tsr_parts_devices(options->parts) : 1) : 0;
    progress_end(&c->line);
    code = ranks_agree(c->ranks, ok ? EXIT_OK : run_failed(c, nerror, options, &s));
    if (code || !parted)
        return code;
    ok = (!c->shards || run_save_shards(c, &s)) && collect(c, &s);
    return ranks_agree(c->ranks, ok ? EXIT_OK : run_failed(c, nerror, options, &s));
}

/* Files and the module are read before anything runs, and everything is computed before anything is written. */
static int run_function(run_job *c, tsr_arena *arena)
{
    tsr_status s = {0};
    tsr_parts_run parts = {.differs = -1};
    c->func = tsr_entry_find(c->m, tsr_cstr(c->function), &s);
    c->type = c->func ? tsr_entry_type(c->func) : NULL;
    uint32_t nerror = c->ctx->nerror;
    if (c->type && c->spmd && !prepare_spmd(c, arena, &parts, &s))
        return run_failed(c, nerror, NULL, &s);
    if (c->ranks && !c->spmd)
        return flag_alone(c->t, "transport", "is for the devices of a mesh: it needs --spmd");
    if (c->shards && !c->spmd)
        return flag_alone(c->t, "output-shards", "is for the devices of a mesh: it needs --spmd");
    if (c->type && !check_device(c))
        return EXIT_REJECTED;
    bool compiled = c->engine == TSR_ENGINE_COMPILED;
    if (c->threads)
        tsr_pool_limit((int)(c->threads < TSR_MOST_THREADS ? c->threads : TSR_MOST_THREADS));
    if (c->type && compiled && !c->spmd && !c->device &&
        !tsr_entry_fits(c->m, c->func, c->strict, wall_seconds, &c->made, &s))
        return run_failed(c, nerror, NULL, &s);
    double t0 = wall_seconds();
    if (!c->type || !run_load_inputs(c, &s) || !run_load_expected(c, &s))
        return run_report(c, &s);
    c->load = wall_seconds() - t0;
    tsr_vec_reserve(&c->out, c->type->nout + 1);
    progress_begin(&c->line);
    tsr_entry_options options = {
        .run = {.zero_division = c->zero_division, .engine = c->engine, .seed = c->seed},
        .repeat = (uint32_t)c->repeat,
        .user = c,
        .program = c->dump_program ? &c->program_text : NULL,
        .memory = c->memory ? &c->memory_text : NULL,
        .times = c->timing ? &c->times_text : NULL,
        .json = c->json,
        .trace = c->profile ? &c->trace_text : NULL,
        .machine = &c->peaks,
        .strict = c->strict,
        .made = &c->made,
        .device = c->device,
        .kernels = c->kernels,
        .saved = c->is_compiled && c->compiled.flags & TSR_TSRX_COMPILED ? &c->compiled : NULL,
        .progress = compiled && c->line.on ? show_progress : NULL,
        .clock = wall_seconds,
        .print = print_text,
        .file_dir = c->files ? c->files : ".",
        .pause = user_at_terminal(),
        .in_names = c->in_names.data};
    if (c->spmd)
        options.parts = &parts;
    if (!find_peaks(c, &s))
        return run_report(c, &s);
    tsr_module *m = c->local ? c->local : c->m;
    const tsr_op *func = tsr_entry_find(m, tsr_cstr(c->function), &s);
    if (!func)
        return run_report(c, &s);
    int code = run_ranks(c, m, func, &options, nerror);
    if (code)
        return code;
    if (c->ranks && ranks_rank(c->ranks) > 0)
        return EXIT_OK;
    c->compile = options.compile_seconds;
    c->eval = options.seconds;
    if (parts.differs >= 0)
        fprintf(stderr,
                "%s: warning: result %lld is not the same on all devices; that of the first one is "
                "taken\n",
                c->t->name, (long long)parts.differs);
    return finish(c, &options);
}

/* For a model saved in a folder: its program, and the kinds of the program's arguments. */
static bool open_saved(run_job *c, tsr_arena *arena, int *code)
{
    tsr_status s = {0};
    tsr_file meta;
    const char *error = NULL;
    *code = EXIT_REJECTED;
    if (!tsr_saved_find(arena, c->file, tsr_cstr(c->named ? c->named : ""), &c->saved, &s))
        return *code = run_report(c, &s), false;
    if (!tsr_file_open(c->saved.meta, &meta, &error))
        return cannot_open(c->t, c->saved.meta, error), false;
    source src = {tsr_cstr(c->saved.meta), meta.data, NULL};
    tsr_ctx_on_diag(c->ctx, diag_to_stderr, &src);
    bool ok = tsr_saved_read(c->ctx, arena, c->file, src.text, &c->saved);
    tsr_file_close(&meta);
    c->file = c->saved.program;
    c->function = "main";
    return ok;
}

/* A flag that affects compilation, and comes too late; NULL: none was given. */
static const char *late_flag(const run_job *c)
{
    return c->named              ? "function"
           : c->strict           ? "strict-rounding"
           : c->where            ? "device"
           : c->mesh             ? "mesh-shape"
           : c->given.n          ? "arg"
           : c->request.mesh.len ? "mesh"
           : c->whole || c->spmd ? "spmd"
                                 : NULL;
}

/* A program that `tessera compile` saved: its module, and how it runs. */
static bool open_compiled(run_job *c, tsr_arena *arena, const source *src)
{
    c->m = tsr_tsrx_read(c->ctx, src->text, src->file, true, &c->compiled);
    if (!c->m)
        return false;
    tsr_str name = c->compiled.function;
    tsr_buf text = {0};
    tsr_buf_str(&text, name);
    tsr_buf_char(&text, 0);
    c->function = tsr_arena_copy(arena, text.data, text.len);
    tsr_buf_free(&text);
    c->strict = c->compiled.flags & TSR_TSRX_STRICT;
    c->spmd = c->compiled.flags & TSR_TSRX_SPMD;
    return true;
}

static int run_program(run_job *c, tsr_arena *arena)
{
    tsr_file in;
    const char *error = NULL;
    if (!tsr_file_open(c->file, &in, &error))
        return cannot_open(c->t, c->file, error);
    source_mark last = {0};
    source src = {tsr_cstr(strcmp(c->file, "-") == 0 ? "<stdin>" : c->file), in.data, &last};
    tsr_ctx_on_diag(c->ctx, diag_to_stderr, &src);
    double t0 = wall_seconds();
    c->is_compiled = tsr_tsrx_is(src.text);
    const char *late = c->is_compiled ? late_flag(c) : NULL;
    if (late) {
        tsr_file_close(&in);
        return flag_alone(c->t, late, "says how a program is compiled, and this one is already");
    }
    if (c->is_compiled)
        open_compiled(c, arena, &src);
    else
        c->m = tsr_load_program(c->ctx, src.text, src.file, 1, true);
    if (c->m && c->is_saved)
        tsr_saved_name(c->m, &c->saved);
    double t1 = wall_seconds();
    c->spmd |= c->m && tsr_spmd_is_local(c->m); /* a single device cannot run it */
    bool ok = c->m && (c->is_compiled || make_ready(c->m, c->spmd, c->mesh));
    c->parse = t1 - t0;
    c->verify = wall_seconds() - t1;
    int code = ok ? run_function(c, arena) : EXIT_REJECTED;
    code = run_print_reports(c, code);
    tsr_entry_forget(&c->made);
    if (c->local)
        tsr_module_free(c->local);
    if (c->m)
        tsr_module_free(c->m);
    tsr_file_close(&in);
    return code;
}

int run_file(run_job *c)
{
    int code = EXIT_OK;
    tsr_arena arena;
    tsr_arena_init(&arena);
    c->ctx = new_ctx();
    c->is_saved = tsr_is_folder(c->file);
    if (!c->is_saved || open_saved(c, &arena, &code))
        code = run_program(c, &arena);
    run_free_tensors(&c->in);
    run_free_tensors(&c->out);
    run_free_tensors(&c->expected);
    run_free_tensors(&c->parts_in);
    run_free_tensors(&c->parts_out);
    steps_free(&c->steps);
    tsr_vec_free(&c->wanted);
    tsr_vec_free(&c->types);
    free_ctx(c->ctx);
    tsr_arena_free(&arena);
    return code;
}
