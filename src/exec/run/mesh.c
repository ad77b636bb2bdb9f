/* SPDX-License-Identifier: Apache-2.0 */
/* mesh.c - runs compiled programs on the devices of a mesh.
 *
 * A function is compiled once for all devices. Each device has a run of its own, with its values and its position in
 * the program. eval/lockstep.c decides which device continues; devices share the scratch memory of the threads that run
 * them. */
#include "exec/run/mesh.h"

#include <inttypes.h>

#include "base/scope.h"
#include "exec/run/run.h"
#include "exec/run/trace.h"

typedef struct {
    tsr_stepper engine;           /* must be the first member */
    tsr_programs *programs, *own; /* own: NULL: they are another's */
    const tsr_program *timed;     /* NULL: none */
    double (*clock)(void);
    tsr_group_time *times;
    tsr_trace *trace; /* of one program; NULL: none */
} compiled;

/* One grid. */
typedef struct {
    const compiled *compiled;
    bool same; /* all devices run one program */
    char *scratch;
    size_t scratch_bytes; /* per thread */
    tsr_run_hooks *timed; /* by thread, with times of its own; NULL: not measured */
    int threads;
} grid;

typedef struct {
    tsr_run run;
    const grid *grid;
    const tsr_job *job;
} device;

/* ---- Memory ---- */

/* An upper bound of one device's memory, apart from values with dynamic sizes. */
static uint64_t device_bytes(const tsr_program *p, tsr_memory_use *use)
{
    tsr_program_memory(p, use);
    return use->peak + p->flight_bytes + p->values.n * (sizeof(char *) + sizeof(tsr_tensor *)) +
           sizeof(device);
}

/* Refuses to run if memory is too small: a device that runs out of memory in the middle would end the run late. */
static bool check_memory(tsr_call *c, const tsr_program *p, const tsr_memory_use *use, uint32_t n,
                         uint64_t all)
{
    /* So little is not checked: the first allocation that fails reports it. */
    enum { LITTLE = 1 << 26 };
    const tsr_scope *scope = tsr_scope_now();
    uint64_t most = scope ? scope->limits->budget.max_bytes : 0;
    int64_t left = all <= LITTLE ? -1 : p->device ? p->device->left(p->device) : tsr_memory_left();
    left = left < 0 ? INT64_MAX : left; /* unknown */
    if (most && all > most)
        tsr_fail(c,
                 "needs %" PRIu64 " bytes on %u devices, which are more than it is allowed "
                 "(--max-bytes=%" PRIu64 ")",
                 all, n, most);
    else if (all > (uint64_t)left)
        tsr_fail(c,
                 "needs %" PRIu64 " bytes on %u devices, and %" PRId64
                 " are left: each has %" PRIu64 " bytes of arguments, %" PRIu64
                 " of results and %" PRIu64 " of values between",
                 all, n, left, use->arguments, use->results, use->arena + use->unplanned);
    else
        return true;
    c->e->failure.environment = true;
    return false;
}

/* ---- Times ---- */

/* Devices run concurrently: each thread counts for itself. */
static void open_times(grid *g)
{
    const compiled *x = g->compiled;
    if (!x->timed && !x->trace)
        return;
    size_t bytes = x->timed ? (x->timed->groups.n + 1) * sizeof *x->times : 0;
    g->threads = tsr_pool_size();
    g->timed = tsr_xmalloc((size_t)g->threads * sizeof *g->timed);
    for (int i = 0; i < g->threads; i++) {
        g->timed[i] = (tsr_run_hooks){.clock = x->clock, .trace = x->trace, .worker = i};
        if (x->timed) {
            g->timed[i].times = tsr_xmalloc(bytes);
            memset(g->timed[i].times, 0, bytes);
        }
    }
}

static void close_times(grid *g)
{
    const compiled *x = g->compiled;
    for (int i = 0; g->timed && i < g->threads; i++) {
        for (size_t k = 0; x->timed && k < x->timed->groups.n; k++) {
            x->times[k].runs += g->timed[i].times[k].runs;
            x->times[k].seconds += g->timed[i].times[k].seconds;
        }
        tsr_free(g->timed[i].times);
    }
    tsr_free(g->timed);
}

void tsr_compiled_time(tsr_stepper *g, const tsr_program *p, double (*clock)(void),
                       tsr_group_time *times)
{
    compiled *x = (compiled *)g;
    x->timed = times ? p : NULL;
    x->clock = clock;
    x->times = times;
}

void tsr_compiled_trace(tsr_stepper *g, tsr_trace *trace)
{
    ((compiled *)g)->trace = trace;
}

/* ---- The engine ---- */

static void close_grid(void *state)
{
    grid *g = state;
    close_times(g);
    tsr_free(g->scratch);
    tsr_free(g);
}

static void *open_grid(tsr_stepper *engine, tsr_call *c, const tsr_jobs *jobs, uint32_t n)
{
    grid *g = tsr_xmalloc(sizeof *g);
    *g = (grid){.compiled = (compiled *)engine};
    const tsr_op *last = NULL;
    tsr_program *p = NULL;
    uint64_t each = 0, all = 0;
    tsr_memory_use use;
    for (uint32_t i = 0; i < n; i++) {
        const tsr_op *function = jobs->function(jobs->user, i);
        g->same = !last || (g->same && function == last);
        if (function != last) {
            p = tsr_compiled_program(engine, function);
            each = device_bytes(p, &use);
            size_t scratch = tsr_program_scratch(p);
            g->scratch_bytes = scratch > g->scratch_bytes ? scratch : g->scratch_bytes;
            last = function;
        }
        all = all > UINT64_MAX - each ? UINT64_MAX : all + each;
    }
    bool ok = !p || check_memory(c, p, &use, n, all);
    if (ok) {
        g->scratch = tsr_malloc_aligned(g->scratch_bytes * (size_t)tsr_pool_size());
        ok = g->scratch || tsr_fail_memory(c, "its threads");
    }
    if (ok) {
        open_times(g);
        return g;
    }
    close_grid(g);
    return NULL;
}

static void end_device(void *run)
{
    device *d = run;
    tsr_run_close(&d->run);
    tsr_free(d);
}

static void *start_device(void *state, tsr_eval *e, const tsr_job *job)
{
    const grid *g = state;
    const tsr_program *p = tsr_programs_find(g->compiled->programs, job->func);
    device *d = tsr_xmalloc(sizeof *d);
    *d = (device){
        .run = {.p = p, .e = e, .into = job->into, .donated = job->donated, .overlaps = g->same},
        .grid = g,
        .job = job};
    e->plan = p->plan;
    tsr_call c = {.e = e, .op = p->function};
    bool ok = job->nin == p->main.nargs && job->nout == p->main.nresults;
    ok = ok ? tsr_run_open(&d->run, job->in, g->scratch)
            : tsr_fail(&c, "takes %u arguments and gives %u results; %zu and %zu are given",
                       p->main.nargs, p->main.nresults, job->nin, job->nout);
    if (ok)
        return d;
    end_device(d);
    return NULL;
}

static tsr_advance advance_device(void *run, int worker)
{
    device *d = run;
    d->run.scratch = d->grid->scratch + (size_t)worker * d->grid->scratch_bytes;
    const compiled *x = d->grid->compiled;
    if (d->grid->timed && d->run.p == (x->timed ? x->timed : x->trace->p))
        d->run.hooks = &d->grid->timed[worker];
    tsr_advance step = tsr_run_advance(&d->run);
    if (step == TSR_STEP_DONE && !tsr_run_give(&d->run, d->job->out, d->job->nout))
        step = TSR_STEP_FAILED;
    return step;
}

tsr_program *tsr_compiled_program(tsr_stepper *g, const tsr_op *function)
{
    return tsr_programs_get(((compiled *)g)->programs, function);
}

tsr_stepper *tsr_compiled_over(tsr_programs *programs)
{
    compiled *x = tsr_xmalloc(sizeof *x);
    *x = (compiled){.engine = {open_grid, close_grid, start_device, advance_device, end_device},
                    .programs = programs};
    return &x->engine;
}

tsr_stepper *tsr_compiled_new(tsr_module *m, const tsr_program_options *options)
{
    tsr_programs *own = tsr_programs_new(m, options);
    tsr_stepper *g = tsr_compiled_over(own);
    ((compiled *)g)->own = own;
    return g;
}

void tsr_compiled_free(tsr_stepper *g)
{
    if (g)
        tsr_programs_free(((compiled *)g)->own);
    tsr_free(g);
}
