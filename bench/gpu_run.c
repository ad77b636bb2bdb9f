/* SPDX-License-Identifier: Apache-2.0 */
/* gpu_run.c - times on a device by its own marks, for bench/gpu.py.
 *
 *   gpu_run copy DEVICE BYTES
 *   gpu_run program DEVICE FILE [--inner=N] [--scale=S] [--input=FILE.npy]... [--output=FILE.npy] [--dump=FILE]
 *   gpu_run check DEVICE FILE [--scale=S] [--input=FILE.npy]...
 *   gpu_run first DEVICE FILE
 *   gpu_run text FILE
 *
 * Each prints a line of JSON. copy: the median seconds of a copy on the device. program: the program's arguments and
 * results stay on the device, the results in the same buffers; seconds of a run are the median of seven times N runs in a
 * row. Arguments without a file are numbers of a normal distribution, times S (integers: below 300). --output: result 0.
 * --dump: the program, the seconds of each group by marks around it (the least of several runs), and the texts of
 * kernels. check: the CPU engine gets the same arguments; elements, and those that differ beyond the tolerance of their
 * type. first: seconds from the start of the process until the first result is there, of which the arguments are zeros.
 * text: no device is needed; seconds of one core to write the kernels of a program, the least of seven. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "api/eval.h"
#include "base/devices.h"
#include "eval/file/npy.h"
#include "eval/host.h"
#include "exec/run/run.h"
#include "gpu/gpu.h"

enum { ROUNDS = 7, PIECE = 1 << 22 /* elements */, MOST_INPUTS = 1024 };

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void fail(const char *what, const char *why)
{
    fprintf(stderr, "gpu_run: error: %s: %s\n", what, why);
    exit(1);
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *times)
{
    qsort(times, ROUNDS, sizeof *times, by_size);
    return times[ROUNDS / 2];
}

static tsr_device *open_device(const char *name)
{
    tsr_status s = {0};
    tsr_device *d = tsr_devices_open(tsr_cstr(name), &s);
    if (!d)
        fail(name, s.message);
    return d;
}

/* ---- Copies ---- */

static int copy(const char *name, size_t bytes)
{
    enum { INNER = 3 };
    tsr_device *d = open_device(name);
    char *from = d->allocate(d, bytes), *to = d->allocate(d, bytes);
    double times[ROUNDS] = {0};
    bool ok = from && to && d->fill(d, from, 0x3c, bytes);
    for (int r = -1; ok && r < ROUNDS; r++) {
        tsr_mark begin, end;
        ok = d->mark(d, TSR_LANE_KERNELS, &begin);
        for (int i = 0; ok && i < INNER; i++)
            ok = d->copy(d, to, d, from, bytes);
        ok = ok && d->mark(d, TSR_LANE_KERNELS, &end) && d->synchronize(d);
        if (ok && r >= 0)
            times[r] = d->between(d, begin, end) / INNER;
    }
    if (!ok)
        fail("a copy", d->error);
    printf("{\"device\": \"%s\", \"bytes\": %zu, \"seconds\": %.9g}\n", d->name, bytes,
           median(times));
    d->release(d, from);
    d->release(d, to);
    tsr_devices_close(d);
    return 0;
}

/* ---- Programs ---- */

typedef struct {
    tsr_ctx *ctx;
    tsr_module *m;
    const tsr_op *function;
    tsr_device *d;
    tsr_program *p;
    size_t nin, nout;
    tsr_tensor *in[MOST_INPUTS], *out[MOST_INPUTS];
    double opened, parsed, compiled; /* seconds */
} job;

static void parse(job *j, const char *file)
{
    tsr_status s = {0};
    j->ctx = tsr_ctx_new();
    j->m = tsr_module_parse_file(j->ctx, file);
    if (!j->m || !tsr_make_runnable(j->m, false) ||
        !(j->function = tsr_entry_find(j->m, TSR_STR("main"), &s)))
        fail(file, s.message);
    j->nin = j->function->regions[0].first->nargs;
    j->nout = j->function->regions[0].first->last->nin;
    if (j->nin > MOST_INPUTS || j->nout > MOST_INPUTS)
        fail(file, "too many arguments");
}

static void prepare(job *j, const char *name, const char *file)
{
    double start = now();
    parse(j, file);
    j->parsed = now() - start;
    start = now();
    j->d = open_device(name);
    j->opened = now() - start;
    start = now();
    j->p = tsr_program_new(j->m, j->function,
                           &(tsr_program_options){.backend = &tsr_backend_gpu, .device = j->d});
    if (!j->p || j->p->unfit.message[0])
        fail(file, j->p ? j->p->unfit.message : "no memory");
    j->compiled = now() - start;
}

/* A piece of numbers that arguments repeat. */
static tsr_tensor *numbers(tsr_type *elem, int64_t n, double scale)
{
    tsr_tensor *t = tsr_tensor_new(elem, &n, 1);
    uint64_t state = 88172645463325252u;
    bool whole = !tsr_dtype_is_float((tsr_dtype)t->dtype);
    for (int64_t i = 0; i < n; i++) {
        double sum = -6;
        for (int k = 0; k < 12 && !whole; k++) {
            state = state * 6364136223846793005u + 1442695040888963407u;
            sum += (double)(state >> 40) * 0x1p-24;
        }
        state = state * 6364136223846793005u + 1442695040888963407u;
        if (whole)
            tsr_set_int(t, i, (int64_t)(state >> 33) % 300);
        else
            tsr_set_double(t, i, sum * scale);
    }
    return t;
}

static void fill(job *j, tsr_tensor *to, double scale)
{
    int64_t n = to->n < PIECE ? to->n : PIECE;
    tsr_tensor *piece = numbers(to->elem, n, scale);
    for (int64_t i = 0; i < to->n; i += n) {
        int64_t some = to->n - i < n ? to->n - i : n;
        size_t each = tsr_dtype_bytes((tsr_dtype)to->dtype);
        if (!j->d->copy_in(j->d, (char *)to->data + (size_t)i * each, piece->data,
                           (size_t)some * each))
            fail("an argument", j->d->error);
    }
    tsr_tensor_unref(piece);
}

/* files: of the first nfiles arguments. scale 0: zeros. */
static void make_inputs(job *j, const char *const *files, size_t nfiles, double scale)
{
    for (size_t i = 0; i < j->nin; i++) {
        tsr_status s = {0};
        const tsr_type *type = j->function->regions[0].first->args[i]->type;
        tsr_tensor *t = j->in[i] = tsr_tensor_on(j->d, type->elem, type->dims, type->n);
        if (!t)
            fail("an argument", j->d->error);
        if (i < nfiles) {
            tsr_tensor *host = tsr_npy_map(j->ctx, files[i], type->elem, TSR_NPY_EXACT, &s);
            if (!host || host->n != t->n ||
                !j->d->copy_in(j->d, t->data, host->data, tsr_tensor_bytes(t)))
                fail(files[i], host ? "is another argument" : s.message);
            tsr_tensor_unref(host);
        } else if (scale > 0) {
            fill(j, t, scale);
        } else if (!j->d->fill(j->d, t->data, 0, tsr_tensor_bytes(t))) {
            fail("an argument", j->d->error);
        }
    }
}

/* Results are computed in the buffers of the run before, where they are the device's. */
static void run_watched(job *j, tsr_run_hooks hooks)
{
    static tsr_tensor *before[MOST_INPUTS];
    tsr_eval e;
    hooks.into = before;
    for (size_t i = 0; i < j->nout; i++) {
        before[i] = j->out[i];
        if (!before[i] || !before[i]->where)
            hooks.into = NULL;
    }
    memset(j->out, 0, sizeof j->out);
    tsr_eval_init(&e, j->m, j->p->plan);
    tsr_rng_start(&e.rng, 0);
    if (!tsr_program_run(j->p, &e, j->in, j->nin, j->out, j->nout, &hooks))
        fail("a run", tsr_buf_text(&e.failure.message).data);
    tsr_eval_free(&e);
    tsr_tensors_drop(before, j->nout);
}

static void run(job *j)
{
    run_watched(j, (tsr_run_hooks){.stay = true});
}

static void wait(job *j)
{
    if (!j->d->synchronize(j->d))
        fail("a run", j->d->error);
}

static void finish(job *j)
{
    tsr_tensors_drop(j->out, j->nout);
    tsr_tensors_drop(j->in, j->nin);
    tsr_program_free(j->p);
    tsr_devices_close(j->d);
    tsr_module_free(j->m);
    tsr_ctx_free(j->ctx);
}

/* A reference to a tensor of the host with the same elements. */
static tsr_tensor *fetched(job *j, tsr_tensor *t)
{
    tsr_tensor *to = t->where ? tsr_tensor_new(t->elem, t->dims, t->rank) : tsr_tensor_ref(t);
    if (!to || (t->where && !j->d->copy_out(j->d, to->data, t->data, tsr_tensor_bytes(t))))
        fail("a value", to ? j->d->error : "no memory");
    return to;
}

static void save(job *j, const char *path)
{
    tsr_status s = {0};
    tsr_tensor *t = fetched(j, j->out[0]);
    if (!tsr_npy_save(t, path, &s))
        fail(path, s.message);
    tsr_tensor_unref(t);
}

/* ---- Groups ---- */

enum { MOST_GROUPS = 1 << 12 };

typedef struct {
    tsr_device *d;
    size_t n;
    tsr_xid groups[MOST_GROUPS];
    tsr_mark marks[MOST_GROUPS + 1];
} watch;

static bool mark_group(void *user, const tsr_program *p, tsr_xid group)
{
    watch *w = user;
    (void)p;
    if (w->n == MOST_GROUPS)
        return true;
    w->groups[w->n++] = group;
    return w->d->mark(w->d, TSR_LANE_KERNELS, &w->marks[w->n]);
}

/* The least seconds by group, which the caller frees. */
static double *seconds_of_groups(job *j)
{
    watch *w = malloc(sizeof *w);
    double *least = calloc(j->p->groups.n + 1, sizeof *least);
    tsr_run_hooks hooks = {.stay = true, .user = w, .progress = mark_group};
    if (!w || !least)
        fail("groups", "no memory");
    for (int r = 0; r < ROUNDS; r++) {
        *w = (watch){.d = j->d};
        if (!j->d->mark(j->d, TSR_LANE_KERNELS, &w->marks[0]))
            fail("a mark", j->d->error);
        run_watched(j, hooks);
        wait(j);
        for (size_t i = 0; i < w->n; i++) {
            double t = j->d->between(j->d, w->marks[i], w->marks[i + 1]),
                   *to = &least[w->groups[i]];
            *to = t >= 0 && (*to == 0 || t < *to) ? t : *to;
        }
    }
    free(w);
    return least;
}

static void put_groups(job *j, FILE *f)
{
    double *seconds = seconds_of_groups(j);
    for (tsr_xid g = 0; g < j->p->groups.n; g++) {
        tsr_buf name = {0};
        if (seconds[g] > 0)
            tsr_group_name(j->p, &j->p->groups.data[g], &name);
        if (seconds[g] > 0)
            fprintf(f, "%10.4f ms %s %.*s\n", seconds[g] * 1e3,
                    tsr_group_kind(&j->p->groups.data[g]), TSR_STR_ARG(tsr_buf_text(&name)));
        tsr_buf_free(&name);
    }
    free(seconds);
}

static void dump(job *j, const char *path)
{
    FILE *f = fopen(path, "w");
    tsr_buf text = {0};
    const tsr_gpu_program *code = j->p->code;
    if (!f)
        fail(path, "cannot be written");
    tsr_program_dump(j->p, &text);
    fprintf(f, "%.*s\n", TSR_STR_ARG(tsr_buf_text(&text)));
    put_groups(j, f);
    for (size_t i = 0; code && i < code->texts.n; i++)
        fprintf(f, "\n// ---- text %zu\n%.*s\n", i, TSR_STR_ARG(code->texts.data[i]));
    tsr_buf_free(&text);
    fclose(f);
}

/* What a program is timed with. */
typedef struct {
    int inner; /* runs in a row; 0: about 30 ms of them */
    double scale;
    const char *output, *dump;
    size_t nfiles;
    const char *files[MOST_INPUTS];
} setup;

static void read_options(int argc, char **argv, setup *o)
{
    for (int i = 0; i < argc; i++) {
        const char *v = strchr(argv[i], '=');
        if (v && strncmp(argv[i], "--inner=", 8) == 0)
            o->inner = atoi(v + 1);
        else if (v && strncmp(argv[i], "--scale=", 8) == 0)
            o->scale = atof(v + 1);
        else if (v && strncmp(argv[i], "--output=", 9) == 0)
            o->output = v + 1;
        else if (v && strncmp(argv[i], "--dump=", 7) == 0)
            o->dump = v + 1;
        else if (v && strncmp(argv[i], "--input=", 8) == 0 && o->nfiles < MOST_INPUTS)
            o->files[o->nfiles++] = v + 1;
        else
            fail(argv[i], "is no option");
    }
}

/* Seconds of one run, waited for. */
static double run_alone(job *j)
{
    double start = now();
    run(j);
    wait(j);
    return now() - start;
}

/* Seconds on the device of so many runs in a row; host: the seconds until they are all given to it. */
static double run_in_a_row(job *j, int inner, double *host)
{
    tsr_mark begin, end;
    bool ok = j->d->mark(j->d, TSR_LANE_KERNELS, &begin);
    double start = now();
    for (int i = 0; ok && i < inner; i++)
        run(j);
    *host = now() - start;
    if (!ok || !j->d->mark(j->d, TSR_LANE_KERNELS, &end) || !j->d->synchronize(j->d))
        fail("a run", j->d->error);
    return j->d->between(j->d, begin, end);
}

static int program(const char *name, const char *file, const setup *o)
{
    job j = {0};
    double times[ROUNDS], host = 0;
    prepare(&j, name, file);
    make_inputs(&j, o->files, o->nfiles, o->scale);
    wait(&j);
    double first = run_alone(&j);
    if (o->output)
        save(&j, o->output);
    double one = run_alone(&j);
    int inner = o->inner > 0 ? o->inner : one > 0.03 ? 1 : one < 0.0015 ? 20 : (int)(0.03 / one);
    for (int r = 0; r < ROUNDS; r++)
        times[r] = run_in_a_row(&j, inner, &host) / inner;
    printf("{\"device\": \"%s\", \"seconds\": %.9g, \"host_seconds\": %.9g, \"first_run\": %.6g, "
           "\"compile\": %.6g, \"inner\": %d, \"steps\": %u, \"on_host\": %u}\n",
           j.d->name, median(times), host / inner, first, j.compiled, inner, j.p->nsteps,
           tsr_program_others(j.p));
    if (o->dump)
        dump(&j, o->dump);
    finish(&j);
    return 0;
}

static int check(const char *name, const char *file, const setup *o)
{
    job j = {0};
    tsr_eval e;
    static tsr_tensor *in[MOST_INPUTS], *want[MOST_INPUTS];
    prepare(&j, name, file);
    make_inputs(&j, o->files, o->nfiles, o->scale);
    run(&j);
    wait(&j);
    for (size_t i = 0; i < j.nin; i++)
        in[i] = fetched(&j, j.in[i]);
    tsr_program *p = tsr_program_new(j.m, j.function, &(tsr_program_options){0});
    tsr_eval_init(&e, j.m, p->plan);
    tsr_rng_start(&e.rng, 0); /* as on the device */
    if (!tsr_program_run(p, &e, in, j.nin, want, j.nout, NULL))
        fail("the CPU's run", tsr_buf_text(&e.failure.message).data);
    long long elements = 0, bad = 0, first = -1;
    for (size_t i = 0; i < j.nout; i++) {
        tsr_comparison c;
        tsr_tensor *got = fetched(&j, j.out[i]);
        tsr_tensor_compare(got, want[i], NULL, &c);
        elements += want[i]->n;
        first = first < 0 && c.bad ? c.first_bad : first;
        bad += c.bad;
        tsr_tensor_unref(got);
    }
    printf("{\"device\": \"%s\", \"elements\": %lld, \"bad\": %lld, \"first\": %lld}\n", j.d->name,
           elements, bad, first);
    tsr_tensors_drop(in, j.nin);
    tsr_tensors_drop(want, j.nout);
    tsr_eval_free(&e);
    tsr_program_free(p);
    finish(&j);
    return bad != 0;
}

static int first(const char *name, const char *file, double start)
{
    job j = {0};
    char element[16];
    prepare(&j, name, file);
    make_inputs(&j, NULL, 0, 0);
    run(&j);
    tsr_tensor *t = j.out[0];
    if (t->where && !j.d->copy_out(j.d, element, t->data, tsr_dtype_bytes((tsr_dtype)t->dtype)))
        fail("a result", j.d->error);
    double end = now();
    printf("{\"device\": \"%s\", \"seconds\": %.6g, \"parse\": %.6g, \"open\": %.6g, \"compile\": "
           "%.6g, \"run\": %.6g}\n",
           j.d->name, end - start, j.parsed, j.opened, j.compiled,
           end - start - j.parsed - j.opened - j.compiled);
    finish(&j);
    return 0;
}

/* ---- Texts ---- */

static double processor_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static int text(const char *file)
{
    job j = {0};
    double least = 1e9;
    size_t texts = 0, bytes = 0;
    parse(&j, file);
    j.p = tsr_program_new(j.m, j.function, &(tsr_program_options){.backend = &tsr_backend_gpu});
    for (int r = 0; r < ROUNDS; r++) {
        tsr_status s = {0};
        void *code = NULL;
        double start = processor_seconds();
        if (!tsr_backend_gpu.prepare(j.p, NULL, &code, &s))
            fail(file, s.message);
        double t = processor_seconds() - start;
        const tsr_gpu_program *made = code;
        least = t < least ? t : least;
        texts = made->texts.n;
        bytes = 0;
        for (size_t i = 0; i < texts; i++)
            bytes += made->texts.data[i].len;
        tsr_backend_gpu.discard(code);
    }
    printf("{\"groups\": %zu, \"texts\": %zu, \"bytes\": %zu, \"seconds\": %.6f}\n", j.p->groups.n,
           texts, bytes, least);
    tsr_program_free(j.p);
    tsr_module_free(j.m);
    tsr_ctx_free(j.ctx);
    return 0;
}

int main(int argc, char **argv)
{
    double start = now();
    static setup o = {.scale = 1};
    if (argc == 4 && strcmp(argv[1], "copy") == 0)
        return copy(argv[2], strtoull(argv[3], NULL, 0));
    if (argc >= 4 && (strcmp(argv[1], "program") == 0 || strcmp(argv[1], "check") == 0)) {
        read_options(argc - 4, argv + 4, &o);
        return (strcmp(argv[1], "check") == 0 ? check : program)(argv[2], argv[3], &o);
    }
    if (argc == 4 && strcmp(argv[1], "first") == 0)
        return first(argv[2], argv[3], start);
    if (argc == 3 && strcmp(argv[1], "text") == 0)
        return text(argv[2]);
    fprintf(stderr, "usage: gpu_run copy|program|check|first DEVICE ... | gpu_run text FILE\n");
    return 2;
}
