/* SPDX-License-Identifier: Apache-2.0 */
/* loops.c - kernels of loops on the mock: in every order of its work results have the same bits; they are the CPU's, maps with
 * strict rounding to the bit, sums within the tolerances of `tessera run --check`.
 *
 *   gpu_loops                       all tests
 *   gpu_loops FILE [FUNCTION]       one program, with its kernels' texts
 *   gpu_loops --text FILE [FUNCTION]    the texts alone
 *   gpu_loops --texts FOLDER FILE   those of main, as files
 *   gpu_loops --time FILE           how long the texts of main take
 *   gpu_loops --check FILE...       main of each */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "../device/mock.h"
#include "../device/suite.h"
#include "api/eval.h"
#include "eval/plan.h"
#include "gpu/gpu.h"
#include "tessera/golden.h"
#include "tessera/tessera.h"

int tests_passed, tests_failed;
const char *test_name = "loops";

enum { MOST = 64 };

typedef struct {
    tsr_module *m;
    const tsr_op *func;
    size_t nin, nout;
    tsr_tensor *in[MOST], *want[MOST];
} job;

static tsr_ctx *ctx;
static bool shows;

static void drop(tsr_tensor **t)
{
    for (int i = 0; i < MOST; i++)
        tsr_tensor_free(t[i]);
}

/* What the CPU gives. */
static bool compute(job *j, bool strict)
{
    tsr_program *p = tsr_program_new(j->m, j->func, &(tsr_program_options){.strict = strict});
    tsr_eval e;
    tsr_eval_init(&e, j->m, p->plan);
    bool ok = tsr_program_run(p, &e, j->in, j->nin, j->want, j->nout, NULL);
    CHECK(ok, "%.*s", TSR_STR_ARG(tsr_buf_text(&e.failure.message)));
    tsr_eval_free(&e);
    tsr_program_free(p);
    return ok;
}

static bool begin_job(job *j, tsr_module *m, const char *function, bool strict)
{
    tsr_status status = {0};
    *j = (job){.m = m};
    bool ok = m && tsr_make_runnable(m, false) &&
              (j->func = tsr_entry_find(m, tsr_cstr(function), &status));
    CHECK(ok, "%s cannot run: %s", function, status.message);
    if (!ok)
        return false;
    j->nin = j->func->regions[0].first->nargs;
    j->nout = j->func->regions[0].first->last->nin;
    for (size_t i = 0; i < j->nin; i++)
        j->in[i] = tsr_module_random_input(m, tsr_cstr(function), i, 3 + i, NULL);
    return compute(j, strict);
}

static void end_job(job *j)
{
    drop(j->in);
    drop(j->want);
    tsr_module_free(j->m);
}

static bool is_same(const tsr_tensor *a, const tsr_tensor *b)
{
    return tsr_tensor_size(a) == tsr_tensor_size(b) &&
           !memcmp(tsr_tensor_data(a), tsr_tensor_data(b), tsr_tensor_size(a));
}

static void show(const tsr_program *p)
{
    const tsr_gpu_program *code = p->code;
    tsr_buf dump = {0};
    tsr_program_dump(p, &dump);
    printf("%.*s", TSR_STR_ARG(tsr_buf_text(&dump)));
    tsr_buf_free(&dump);
    for (size_t i = 0; code && i < code->texts.n; i++)
        printf("---- text %zu\n%.*s", i, TSR_STR_ARG(code->texts.data[i]));
}

static bool run(const job *j, tsr_mock_options o, bool strict, tsr_tensor **out)
{
    char error[256] = "";
    tsr_device *d = tsr_mock_open(0, &o, error, sizeof error);
    CHECK(d, "%s", error);
    tsr_program *p = tsr_program_new(
        j->m, j->func,
        &(tsr_program_options){.backend = &tsr_backend_gpu, .device = d, .strict = strict});
    if (shows)
        show(p);
    shows = false;
    tsr_eval e;
    tsr_eval_init(&e, j->m, p->plan);
    bool ok = tsr_program_run(p, &e, j->in, j->nin, out, j->nout, NULL);
    CHECK(ok, "%.*s", TSR_STR_ARG(tsr_buf_text(&e.failure.message)));
    tsr_eval_free(&e);
    tsr_program_free(p);
    tsr_mock_live live = tsr_mock_count(d);
    CHECK(!live.blocks && !live.codes, "%d blocks are left", live.blocks);
    d->close(d);
    return ok;
}

static const tsr_mock_options orders[] = {
    {.when = TSR_MOCK_EAGER},
    {.when = TSR_MOCK_LATE, .reversed = true},
    {.when = TSR_MOCK_RANDOM, .seed = 7},
};

/* exact: results have the CPU's bits, but for NaNs. */
static void run_job(const job *j, bool strict, bool exact)
{
    tsr_tensor *first[MOST] = {0};
    for (size_t k = 0; k < TSR_COUNT(orders); k++) {
        tsr_tensor *out[MOST] = {0};
        if (!run(j, orders[k], strict, out))
            break;
        for (size_t i = 0; i < j->nout && !k; i++) {
            tsr_tolerance exactly = {0};
            tsr_comparison c;
            bool ok = tsr_tensor_compare(out[i], j->want[i], exact ? &exactly : NULL, &c);
            CHECK(ok, "result %zu is another: %lld elements, the first is %lld", i,
                  (long long)c.bad, (long long)c.first_bad);
        }
        for (size_t i = 0; i < j->nout && k; i++)
            CHECK(is_same(out[i], first[i]), "result %zu depends on the order of work", i);
        memcpy(k ? out : first, out, sizeof out);
        if (k)
            drop(out);
    }
    drop(first);
}

static void run_function(const char *path, const char *function, bool strict)
{
    job j;
    test_name = strcmp(function, "main") == 0 ? path : function;
    bool exact = strict && strncmp(function, "map_", 4) == 0;
    if (begin_job(&j, tsr_module_parse_file(ctx, path), function, strict))
        run_job(&j, strict, exact);
    end_job(&j);
}

/* All functions of a file. */
static void run_file(const char *path)
{
    tsr_module *m = tsr_module_parse_file(ctx, path);
    CHECK(m, "%s", path);
    for (const tsr_op *op = m ? m->op->regions[0].first->first : NULL; op; op = op->next)
        for (int strict = 0; strict < 2; strict++) {
            tsr_str name = tsr_op_symbol(op);
            char text[128];
            snprintf(text, sizeof text, "%.*s", TSR_STR_ARG(name));
            run_function(path, text, strict);
        }
    tsr_module_free(m);
}

/* ---- Bounds of faster functions ---- */

static double logistic(double x)
{
    return 1 / (1 + exp(-x));
}

static const struct {
    const char *name;
    double (*exact)(double x);
    float low, high;
    double ulp; /* beside the machine's own approximations, which the mock does not have */
} functions[] = {
    {"exponential", exp, -87, 88, 2},
    {"tanh", tanh, -12, 12, 4},
    {"logistic", logistic, -80, 80, 3},
};

/* The greatest error in units of the last place over numbers that are spread evenly. */
static void test_bounds(void)
{
    enum { COUNT = 20000 };
    for (size_t f = 0; f < TSR_COUNT(functions); f++) {
        char text[512];
        job j = {0};
        double worst = 0;
        test_name = functions[f].name;
        snprintf(
            text, sizeof text,
            "func.func @main(%%a: tensor<%dxf32>) -> tensor<%dxf32> {\n  %%0 = stablehlo.%s %%a : "
            "tensor<%dxf32>\n  return %%0 : tensor<%dxf32>\n}\n",
            COUNT, COUNT, functions[f].name, COUNT, COUNT);
        if (begin_job(&j, tsr_module_parse(ctx, tsr_cstr(text), TSR_STR("bounds.mlir")), "main",
                      false)) {
            float *in = j.in[0]->data;
            for (int i = 0; i < COUNT; i++)
                in[i] = functions[f].low +
                        (functions[f].high - functions[f].low) * (float)i / (float)COUNT;
            tsr_tensor *out[MOST] = {0};
            bool ok = run(&j, orders[0], false, out);
            const float *got = ok ? tsr_tensor_data(out[0]) : in;
            for (int i = 0; i < COUNT; i++) {
                double want = functions[f].exact(in[i]);
                double unit = ldexp(1, ilogb(want) < -126 ? -149 : ilogb(want) - 23);
                double error = want ? fabs(got[i] - want) / unit : fabs((double)got[i]);
                worst = error > worst ? error : worst;
            }
            CHECK(worst <= functions[f].ulp, "%.2f ulp", worst);
            drop(out);
        }
        end_job(&j);
    }
}

/* ---- Texts ---- */

/* Seconds until the texts of a program are there, the least of several. */
static double seconds_of(const tsr_program *p)
{
    double least = 1e9;
    for (int k = 0; k < 5; k++) {
        struct timespec from, to;
        void *code;
        tsr_status status = {0};
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &from);
        CHECK(p->backend->prepare(p, NULL, &code, &status), "%s", status.message);
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &to);
        p->backend->discard(code);
        double s = (double)(to.tv_sec - from.tv_sec) + 1e-9 * (double)(to.tv_nsec - from.tv_nsec);
        least = s < least ? s : least;
    }
    return least;
}

static void write_texts(const tsr_gpu_program *code, const char *folder)
{
    for (size_t i = 0; i < code->texts.n; i++) {
        char path[512];
        snprintf(path, sizeof path, "%s/%zu.txt", folder, i);
        FILE *f = fopen(path, "w");
        CHECK(f && fwrite(code->texts.data[i].data, 1, code->texts.data[i].len, f), "%s", path);
        if (f)
            fclose(f);
    }
}

static void show_texts(const char *path, const char *function, bool times, const char *folder)
{
    tsr_status status = {0};
    tsr_module *m = tsr_module_parse_file(ctx, path);
    const tsr_op *func =
        m && tsr_make_runnable(m, false) ? tsr_entry_find(m, tsr_cstr(function), &status) : NULL;
    CHECK(func, "%s", status.message);
    tsr_program *p = tsr_program_new(m, func, &(tsr_program_options){.backend = &tsr_backend_gpu});
    CHECK(!p->unfit.code, "%s", p->unfit.message);
    const tsr_gpu_program *code = p->code;
    if (folder)
        write_texts(code, folder);
    else if (times)
        printf("%.1f ms: %zu texts, %zu recipes\n", 1e3 * seconds_of(p), code->texts.n,
               code->recipes.n);
    else
        show(p);
    tsr_program_free(p);
    tsr_module_free(m);
}

int main(int argc, char **argv)
{
    ctx = tsr_ctx_new();
    bool times = argc > 2 && strcmp(argv[1], "--time") == 0;
    if (argc > 2 && (times || strcmp(argv[1], "--text") == 0)) {
        show_texts(argv[2], argc > 3 ? argv[3] : "main", times, NULL);
    } else if (argc > 3 && strcmp(argv[1], "--texts") == 0) {
        show_texts(argv[3], "main", false, argv[2]);
    } else if (argc > 2 && strcmp(argv[1], "--check") == 0) {
        for (int i = 2; i < argc; i++)
            run_function(argv[i], "main", false);
    } else if (argc > 1) {
        shows = true;
        run_function(argv[1], argc > 2 ? argv[2] : "main", false);
    } else {
        test_bounds();
        run_file("tests/gpu/Inputs/loops.mlir");
    }
    tsr_ctx_free(ctx);
    printf("%d passed, %d failed\n", tests_passed, tests_failed);
    return tests_failed != 0;
}
