/* SPDX-License-Identifier: Apache-2.0 */
/* race.c - times of whole programs on the engine. Reads lines from stdin and answers each with one; bench/race.py asks, and times XLA in
 * between. The number of threads is the argument.
 *
 *   open FILE        a module: seconds to read, verify and compile it, bytes of arguments, results and arena, groups by the evaluator's kernels
 *   input FILE       the next argument, a .npy file
 *   run N            the least seconds of N runs, each with new results, which are given back at once
 *   chain N I:K ...  the same where result I is argument K of the next run, whose memory may be used
 *   save I FILE      result I of one run
 *   close            the module */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "api/api.h"
#include "api/eval.h"
#include "api/guard.h"
#include "base/threads.h"
#include "eval/file/npy.h"
#include "eval/plan.h"
#include "exec/program.h"

static bool by_processor; /* with one thread: what else the machine does counts less */

static double seconds(void)
{
    struct timespec t;
    clock_gettime(by_processor ? CLOCK_PROCESS_CPUTIME_ID : CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

enum { MOST = 4096 };

typedef struct {
    tsr_ctx *ctx;
    tsr_module *m;
    const tsr_op *function;
    tsr_program *p;
    tsr_eval e;
    char *text;
    tsr_tensor *in[MOST], *out[MOST];
    size_t nin, nout;
    int after[MOST]; /* by argument: the result that follows it; -1: none */
} race;

static _Noreturn void die(const char *what, const char *which)
{
    fprintf(stderr, "race: %s %s\n", what, which);
    exit(2);
}

static tsr_str read_file(race *r, const char *path)
{
    FILE *f = fopen(path, "rb");
    if (!f)
        die("cannot read", path);
    fseek(f, 0, SEEK_END);
    long n = ftell(f);
    rewind(f);
    r->text = malloc((size_t)n + 1);
    if (!r->text || fread(r->text, 1, (size_t)n, f) != (size_t)n)
        die("cannot read", path);
    r->text[n] = 0;
    fclose(f);
    return (tsr_str){r->text, (size_t)n};
}

static void on_diag(void *user, const tsr_diag *d)
{
    (void)user;
    fprintf(stderr, "race: %.*s\n", (int)d->message.len, d->message.data);
}

static int64_t bytes_of(const tsr_program *p, const tsr_xid *values, uint32_t n)
{
    int64_t sum = 0;
    for (uint32_t i = 0; i < n; i++) {
        const tsr_xvalue *x = &p->values.data[values[i]];
        sum += x->n * (int64_t)tsr_dtype_bytes((tsr_dtype)x->dtype);
    }
    return sum;
}

static void open_module(race *r, const char *path)
{
    memset(r, 0, sizeof *r);
    tsr_status s = {0};
    tsr_str text = read_file(r, path);
    r->ctx = tsr_ctx_new();
    tsr_ctx_on_diag(r->ctx, on_diag, NULL);
    double start = seconds();
    r->m = tsr_load_program(r->ctx, text, tsr_cstr(path), 1, true);
    if (!r->m || !tsr_make_runnable(r->m, false))
        die("cannot load", path);
    r->function = tsr_entry_find(r->m, TSR_STR("main"), &s);
    if (!r->function || !(r->p = tsr_program_new(r->m, r->function, NULL)))
        die("cannot compile", path);
    double took = seconds() - start;
    tsr_eval_init(&r->e, r->m, r->p->plan);
    r->nout = r->p->main.nresults;
    if (r->p->main.nargs > MOST || r->nout > MOST)
        die("too many arguments:", path);
    int64_t lent = 0; /* by arguments that results take over */
    for (uint32_t i = 0; i < r->p->main.nargs; i++)
        if (tsr_program_donor(r->p, i) != TSR_XNONE)
            lent += bytes_of(r->p, &r->p->main.args[i], 1);
    printf("%.9f %lld %lld %zu %u\n", took,
           (long long)bytes_of(r->p, r->p->main.args, r->p->main.nargs),
           (long long)(bytes_of(r->p, r->p->main.results, (uint32_t)r->nout) - lent),
           r->p->arena_bytes, tsr_program_others(r->p));
}

static void read_input(race *r, const char *path)
{
    tsr_status s = {0};
    const tsr_type *type = tsr_entry_type(r->function);
    r->in[r->nin] = tsr_npy_load(r->ctx, path, type->types[r->nin]->elem, TSR_NPY_EXACT, &s);
    if (!r->in[r->nin])
        die("cannot read", path);
    r->after[r->nin++] = -1;
    printf("ok\n");
}

static void give_back(race *r)
{
    for (size_t i = 0; i < r->nout; i++) {
        tsr_tensor_unref(r->out[i]);
        r->out[i] = NULL;
    }
}

static double run_once(race *r, bool chained)
{
    double start = seconds();
    tsr_tensor *donated[MOST];
    for (size_t i = 0; i < r->nin; i++)
        donated[i] = chained && r->after[i] >= 0 ? r->in[i] : NULL;
    tsr_run_hooks hooks = {.donated = donated};
    if (!tsr_program_run(r->p, &r->e, r->in, r->nin, r->out, r->nout, &hooks)) {
        fprintf(stderr, "%.*s\n", (int)r->e.failure.message.len, r->e.failure.message.data);
        die("cannot run", "the program");
    }
    for (size_t i = 0; chained && i < r->nin; i++)
        if (r->after[i] >= 0) {
            tsr_tensor_unref(r->in[i]);
            r->in[i] = r->out[r->after[i]];
            r->out[r->after[i]] = NULL;
        }
    give_back(r);
    return seconds() - start;
}

static void run_times(race *r, const char *line)
{
    bool chained = strncmp(line, "chain", 5) == 0;
    int n = atoi(strchr(line, ' ')), result, argument;
    for (const char *at = strchr(line, ':'); at; at = strchr(at + 1, ':')) {
        const char *from = at;
        while (from[-1] != ' ')
            from--;
        if (sscanf(from, "%d:%d", &result, &argument) == 2)
            r->after[argument] = result;
    }
    double best = 1e9;
    for (int i = 0; i < n; i++) {
        double t = run_once(r, chained);
        best = t < best ? t : best;
    }
    printf("%.9f\n", best);
}

static void save_result(race *r, int i, const char *path)
{
    tsr_status s = {0};
    if (!tsr_program_run(r->p, &r->e, r->in, r->nin, r->out, r->nout, NULL) ||
        !tsr_npy_save(r->out[i], path, &s))
        die("cannot write", path);
    give_back(r);
    printf("ok\n");
}

static void close_module(race *r)
{
    for (size_t i = 0; i < r->nin; i++)
        tsr_tensor_unref(r->in[i]);
    tsr_eval_free(&r->e);
    tsr_program_free(r->p);
    tsr_module_free(r->m);
    tsr_ctx_free(r->ctx);
    free(r->text);
    printf("ok\n");
}

int main(int argc, char **argv)
{
    static race r;
    int threads = argc > 1 ? atoi(argv[1]) : 1;
    by_processor = threads == 1;
    tsr_pool_limit(threads);
    char line[65536];
    while (fgets(line, sizeof line, stdin)) {
        line[strcspn(line, "\n")] = 0;
        char *second = strrchr(line, ' ');
        if (strncmp(line, "open ", 5) == 0)
            open_module(&r, line + 5);
        else if (strncmp(line, "input ", 6) == 0)
            read_input(&r, line + 6);
        else if (strncmp(line, "run ", 4) == 0 || strncmp(line, "chain ", 6) == 0)
            run_times(&r, line);
        else if (strncmp(line, "save ", 5) == 0)
            save_result(&r, atoi(line + 5), second + 1);
        else if (strcmp(line, "close") == 0)
            close_module(&r);
        else
            die("does not know", line);
        fflush(stdout);
    }
    return 0;
}
