/* SPDX-License-Identifier: Apache-2.0 */
/* budget.c - limits of a call, and its cancelling from other threads and from a signal handler: it ends soon, says where, and all else
 * goes on working. */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>

#include <tessera/code.h>
#include <tessera/golden.h>
#include <tessera/tessera.h>

#include "check.h"

#define STR(s) ((tsr_str){(s), strlen(s)})

static const char program[] =
    "func.func @forever(%a: tensor<i32>) -> tensor<i32> {\n"
    "  %w = stablehlo.while(%x = %a) : tensor<i32> cond {\n"
    "    %t = stablehlo.constant dense<true> : tensor<i1>\n"
    "    stablehlo.return %t : tensor<i1>\n"
    "  } do {\n"
    "    stablehlo.return %x : tensor<i32>\n"
    "  }\n"
    "  return %w : tensor<i32>\n"
    "}\n"
    "func.func @spins(%a: tensor<i32>) -> tensor<i32> {\n"
    "  %0:2 = \"interpreter.run_parallel\"(%a, %a) {programs = [[@one, @one]]}\n"
    "      : (tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>)\n"
    "  return %0#0 : tensor<i32>\n"
    "}\n"
    "func.func @one(%a: tensor<i32>) -> tensor<i32> {\n"
    "  %id = stablehlo.partition_id : tensor<ui32>\n"
    "  %z = stablehlo.constant dense<0> : tensor<ui32>\n"
    "  %p = stablehlo.compare EQ, %id, %z : (tensor<ui32>, tensor<ui32>) -> tensor<i1>\n"
    "  %r = \"stablehlo.if\"(%p) ({\n"
    "    %0 = \"stablehlo.collective_permute\"(%a) {source_target_pairs = dense<[[0, 1], [1, 0]]> "
    ": tensor<2x2xi64>}\n"
    "        : (tensor<i32>) -> tensor<i32>\n"
    "    stablehlo.return %0 : tensor<i32>\n"
    "  }, {\n"
    "    %1 = func.call @forever(%a) : (tensor<i32>) -> tensor<i32>\n"
    "    stablehlo.return %1 : tensor<i32>\n"
    "  }) : (tensor<i1>) -> tensor<i32>\n"
    "  return %r : tensor<i32>\n"
    "}\n"
    "func.func @deep(%a: tensor<i32>) -> tensor<i32> {\n"
    "  %r = func.call @deep(%a) : (tensor<i32>) -> tensor<i32>\n"
    "  return %r : tensor<i32>\n"
    "}\n"
    "func.func @windows(%a: tensor<1xf32>) -> tensor<1xf32> {\n"
    "  %z = stablehlo.constant dense<0.0> : tensor<f32>\n"
    "  %0 = \"stablehlo.reduce_window\"(%a, %z) ({\n"
    "  ^bb0(%x: tensor<f32>, %y: tensor<f32>):\n"
    "    %1 = func.call @windows(%a) : (tensor<1xf32>) -> tensor<1xf32>\n"
    "    %2 = stablehlo.reshape %1 : (tensor<1xf32>) -> tensor<f32>\n"
    "    stablehlo.return %2 : tensor<f32>\n"
    "  }) {window_dimensions = array<i64: 1>} : (tensor<1xf32>, tensor<f32>) -> tensor<1xf32>\n"
    "  return %0 : tensor<1xf32>\n"
    "}\n"
    "func.func @large(%a: tensor<i32>) -> tensor<1000000xi32> {\n"
    "  %0 = stablehlo.broadcast_in_dim %a, dims = [] : (tensor<i32>) -> tensor<1000000xi32>\n"
    "  return %0 : tensor<1000000xi32>\n"
    "}\n"
    "func.func @good(%a: tensor<i32>) -> tensor<i32> {\n"
    "  %0 = stablehlo.add %a, %a : tensor<i32>\n"
    "  return %0 : tensor<i32>\n"
    "}\n"
    "func.func private @b0(%a: tensor<i32>) -> tensor<i32> {\n"
    "  %0 = stablehlo.add %a, %a : tensor<i32>\n"
    "  return %0 : tensor<i32>\n"
    "}\n"
#define BOMB(n, of)                                                  \
    "func.func private @b" n "(%a: tensor<i32>) -> tensor<i32> {\n"  \
    "  %0 = func.call @b" of "(%a) : (tensor<i32>) -> tensor<i32>\n" \
    "  %1 = func.call @b" of "(%0) : (tensor<i32>) -> tensor<i32>\n" \
    "  return %1 : tensor<i32>\n"                                    \
    "}\n"
    BOMB("1", "0") BOMB("2", "1") BOMB("3", "2") BOMB("4", "3") BOMB("5", "4") BOMB("6", "5")
        BOMB("7", "6") BOMB("8", "7") BOMB("9", "8") BOMB("10", "9") BOMB("11", "10")
            BOMB("12", "11") BOMB("13", "12") BOMB("14", "13") BOMB("15", "14") BOMB("16", "15")
                BOMB("17", "16") BOMB("18", "17") BOMB("19", "18") BOMB("20", "19") BOMB("21", "20")
                    BOMB("22", "21") "func.func @bomb(%a: tensor<i32>) -> tensor<i32> {\n"
                                     "  %0 = func.call @b22(%a) : (tensor<i32>) -> tensor<i32>\n"
                                     "  return %0 : tensor<i32>\n"
                                     "}\n";

typedef struct {
    tsr_ctx *ctx;
    tsr_module *m;
    tsr_tensor *in;
    tsr_status s;
    unsigned line; /* of the last diagnostic */
} world;

static void keep_line(void *user, const tsr_diag *d)
{
    ((world *)user)->line = d->line;
}

static bool run(world *w, const char *function, tsr_tensor *in)
{
    tsr_tensor *out = NULL;
    w->line = 0;
    memset(&w->s, 0, sizeof w->s);
    bool ok = tsr_module_eval(w->m, STR(function), &in, 1, &out, 1, &w->s);
    tsr_tensor_free(out);
    return ok;
}

/* Whether the run is stopped for this reason, at this line (0: anywhere), and the next one works. */
static bool stops(world *w, const char *function, const char *why, unsigned line)
{
    bool stopped = !run(w, function, w->in) && w->s.code == TSR_ENVIRONMENT &&
                   strstr(w->s.message, why) &&
                   tsr_ctx_last_error(w->ctx)->code == TSR_ENVIRONMENT &&
                   strstr(tsr_ctx_last_error(w->ctx)->message, why);
    if (!stopped || (line && w->line != line))
        printf("%s: line %u: %s\n", function, w->line, w->s.message);
    bool placed = !line || w->line == line;
    tsr_ctx_set_budget(w->ctx, NULL);
    return stopped && placed && run(w, "good", w->in);
}

static void test_limits(world *w)
{
    tsr_ctx_set_budget(w->ctx, &(tsr_budget){.max_steps = 1000});
    CHECK(stops(w, "forever", "ops were evaluated as are allowed (--max-steps=1000)", 2));
    tsr_ctx_set_budget(w->ctx, &(tsr_budget){.max_seconds = 0.05});
    CHECK(stops(w, "forever", "--max-seconds=0.05", 0));
    tsr_ctx_set_budget(w->ctx, &(tsr_budget){.max_steps = 10000});
    CHECK(stops(w, "spins", "--max-steps=10000", 0));
    tsr_ctx_set_budget(w->ctx, &(tsr_budget){.max_seconds = 0.05});
    CHECK(stops(w, "spins", "--max-seconds=0.05", 0));
    tsr_ctx_set_budget(w->ctx, &(tsr_budget){.max_bytes = 1 << 20});
    CHECK(stops(w, "large",
                "bytes at its peak, which are more than it is allowed (--max-bytes=1048576)", 0));
    tsr_ctx_set_budget(w->ctx, &(tsr_budget){.max_devices = 1});
    CHECK(stops(w, "spins", "asks for 2 devices, which are more than are allowed (--max-devices=1)",
                11));
    CHECK(stops(w, "deep", "nested too deeply", 0));
    tsr_ctx_set_budget(w->ctx, &(tsr_budget){.max_stack = 100000});
    CHECK(stops(w, "deep", "nested too deeply", 0));
    tsr_ctx_set_budget(w->ctx, &(tsr_budget){.max_steps = 1});
    CHECK(run(w, "good", w->in));
    tsr_ctx_set_budget(w->ctx, NULL);
}

/* The budget of bytes counts the compiler's memory; that of ops those that passes make. */
static void test_compiler(world *w)
{
    tsr_ctx_set_budget(w->ctx, &(tsr_budget){.max_bytes = 20000});
    CHECK(!tsr_module_parse(w->ctx, STR(program), STR("large.mlir")));
    CHECK(strstr(tsr_ctx_last_error(w->ctx)->message, "--max-bytes=20000"));
    tsr_ctx_set_budget(w->ctx, &(tsr_budget){.max_ops = 10});
    CHECK(!tsr_module_parse(w->ctx, STR(program), STR("large.mlir")));
    CHECK(strstr(tsr_ctx_last_error(w->ctx)->message, "large.mlir:") &&
          strstr(tsr_ctx_last_error(w->ctx)->message, "--max-ops=10"));
    tsr_ctx_set_budget(w->ctx, NULL);
    tsr_module *m = tsr_module_clone(w->m);
    static const tsr_budget small[] = {
        {.max_ops = 5000}, {.max_seconds = 0.02}, {.max_bytes = 1 << 20}};
    for (size_t i = 0; i < sizeof small / sizeof *small; i++) {
        tsr_ctx_set_budget(w->ctx, &small[i]);
        CHECK(!tsr_module_run(m, STR("inline")) &&
              tsr_ctx_last_error(w->ctx)->code == TSR_ENVIRONMENT);
        tsr_ctx_set_budget(w->ctx, NULL);
        /* Half changed: it is refused, whoever asks. */
        CHECK(!tsr_module_verify(m) && !tsr_module_print(m, NULL).data && !tsr_module_op(m) &&
              !tsr_module_clone(m));
        CHECK(strstr(tsr_ctx_last_error(w->ctx)->message, "only be freed"));
        tsr_module_free(m);
        m = tsr_module_clone(w->m);
        CHECK(m && tsr_module_verify(m));
    }
    tsr_module_free(m);
}

/* ---- Stacks ---- */

typedef struct {
    world *w;
    const char *function;
    tsr_tensor *in;
    bool ok;
} job;

static void *run_job(void *user)
{
    job *j = user;
    j->ok = run(j->w, j->function, j->in);
    return NULL;
}

/* A thread with a stack of so many bytes survives: a level of some ops takes ten thousand. */
static void test_stacks(world *w)
{
    tsr_tensor *window = tsr_tensor_parse(w->ctx, STR("1xf32=1"), &w->s);
    const size_t sizes[] = {256 << 10, 1 << 20, 2 << 20};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (int k = 0; k < 2; k++) {
            job j = {w, k ? "windows" : "deep", k ? window : w->in, true};
            pthread_attr_t attr;
            pthread_t t;
            pthread_attr_init(&attr);
            pthread_attr_setstacksize(&attr, sizes[i]);
            CHECK(pthread_create(&t, &attr, run_job, &j) == 0);
            pthread_join(t, NULL);
            pthread_attr_destroy(&attr);
            CHECK(!j.ok && strstr(w->s.message, "nested too deeply"));
        }
    tsr_tensor_free(window);
}

/* ---- Cancelling ---- */

static void wait_a_little(void)
{
    nanosleep(&(struct timespec){.tv_nsec = 20 * 1000 * 1000}, NULL);
}

static void test_cancel(world *w)
{
    static const char *const functions[] = {"forever", "spins"};
    for (int i = 0; i < 2; i++) {
        job j = {w, functions[i], w->in, true};
        pthread_t t;
        CHECK(pthread_create(&t, NULL, run_job, &j) == 0);
        wait_a_little();
        tsr_ctx_cancel(w->ctx, true);
        pthread_join(t, NULL);
        CHECK(!j.ok && w->s.code == TSR_ENVIRONMENT && strstr(w->s.message, "cancelled"));
        CHECK(!run(w, "good", w->in) && strstr(w->s.message, "cancelled"));
        CHECK(!tsr_module_parse(w->ctx, STR(program), STR("x")));
        tsr_ctx_cancel(w->ctx, false);
        CHECK(run(w, "good", w->in));
    }
}

static tsr_ctx *to_cancel;

static void on_alarm(int signal_number)
{
    (void)signal_number;
    tsr_ctx_cancel(to_cancel, true);
}

static void test_signal(world *w)
{
    to_cancel = w->ctx;
    signal(SIGALRM, on_alarm);
    setitimer(ITIMER_REAL, &(struct itimerval){.it_value = {.tv_usec = 20000}}, NULL);
    CHECK(!run(w, "forever", w->in) && strstr(w->s.message, "cancelled"));
    tsr_ctx_cancel(w->ctx, false);
}

/* ---- Inside one op ---- */

/* %t from %i, of type T, by many ops of one loop. */
#define TANH(out, in, T) "%" out " = stablehlo.tanh %" in " : " T " "
#define SLOW(T)         \
    TANH("a1", "i", T)  \
    TANH("a2", "a1", T) \
    TANH("a3", "a2", T) \
    TANH("a4", "a3", T) \
    TANH("a5", "a4", T) TANH("a6", "a5", T) TANH("a7", "a6", T) TANH("t", "a7", T)

/* Each function is one op, on its third line with the constants before it, that takes seconds. */
static const struct {
    const char *name, *input, *text;
} kernels[] = {
    {"dot", "5000x5000xf32=1",
     "func.func @dot(%a: tensor<5000x5000xf32>) -> tensor<5000x5000xf32> {\n"
     "  %r = stablehlo.dot_general %a, %a, contracting_dims = [1] x [0] : (tensor<5000x5000xf32>, "
     "tensor<5000x5000xf32>) -> tensor<5000x5000xf32>\n"
     "  return %r : tensor<5000x5000xf32>\n}\n"},
    {"sort", "3000000xf32=1",
     "func.func @sort(%a: tensor<3000000xf32>) -> tensor<3000000xf32> {\n"
     "  %r = \"stablehlo.sort\"(%a) <{dimension = 0 : i64}> ({ ^bb0(%x: tensor<f32>, %y: "
     "tensor<f32>): %q = stablehlo.sine %x : tensor<f32> "
     "%c = stablehlo.compare LT, %q, %y : (tensor<f32>, tensor<f32>) -> tensor<i1> "
     "stablehlo.return %c : tensor<i1> }) : (tensor<3000000xf32>) -> "
     "tensor<3000000xf32>\n"
     "  return %r : tensor<3000000xf32>\n}\n"},
    {"window", "2000x2000xf32=1",
     "func.func @window(%a: tensor<2000x2000xf32>) -> tensor<1980x1980xf32> {\n"
     "  %r = \"stablehlo.reduce_window\"(%a, %z) <{window_dimensions = array<i64: 21, 21>}> ({ "
     "^bb0(%x: tensor<f32>, %y: tensor<f32>): %q = stablehlo.sine %y : tensor<f32> "
     "%s = stablehlo.add %x, %q : tensor<f32> stablehlo.return %s : tensor<f32> }) : "
     "(tensor<2000x2000xf32>, tensor<f32>) -> tensor<1980x1980xf32>\n"
     "  return %r : tensor<1980x1980xf32>\n}\n"},
    {"convolution", "1x2000x2000x1xf32=1",
     "func.func @convolution(%a: tensor<1x2000x2000x1xf32>) -> tensor<1x1500x1500x1xf32> {\n"
     "  %r = stablehlo.convolution(%a, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], "
     "window = {} "
     "{batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x2000x2000x1xf32>, "
     "tensor<501x501x1x1xf32>) -> tensor<1x1500x1500x1xf32>\n"
     "  return %r : tensor<1x1500x1500x1xf32>\n}\n"},
    /* Loops on all threads, over more elements than memory could hold. */
    {"long_row", "f32=1",
     "func.func @long_row(%a: tensor<f32>) -> tensor<f32> {\n"
     "  %i = stablehlo.iota dim = 0 : tensor<10000000000xf32> " SLOW(
         "tensor<10000000000xf32>") "%r = stablehlo.reduce(%t init: %z) applies stablehlo.add "
                                    "across "
                                    "dimensions = [0] : (tensor<10000000000xf32>, tensor<f32>) -> "
                                    "tensor<f32>\n"
                                    "  return %r : tensor<f32>\n}\n"},
    {"rows", "f32=1",
     "func.func @rows(%a: tensor<f32>) -> tensor<900000xf32> {\n"
     "  %i = stablehlo.iota dim = 1 : tensor<900000x10000xf32> " SLOW(
         "tensor<900000x10000xf32>") "%r = stablehlo.reduce(%t init: %z) applies stablehlo.add "
                                     "across "
                                     "dimensions = [1] : (tensor<900000x10000xf32>, tensor<f32>) "
                                     "-> tensor<900000xf32>\n"
                                     "  return %r : tensor<900000xf32>\n}\n"},
    {"columns", "f32=1",
     "func.func @columns(%a: tensor<f32>) -> tensor<100xf32> {\n"
     "  %i = stablehlo.iota dim = 0 : tensor<100000000x100xf32> " SLOW(
         "tensor<100000000x100xf32>") "%r = stablehlo.reduce(%t init: %z) applies stablehlo.add "
                                      "across "
                                      "dimensions = [0] : (tensor<100000000x100xf32>, tensor<f32>) "
                                      "-> tensor<100xf32>\n"
                                      "  return %r : tensor<100xf32>\n}\n"},
};

/* The op that is stopped is the one that takes so long, not the one after it; and it can be cancelled. */
static void test_kernels(world *w)
{
    tsr_module *before = w->m;
    for (size_t i = 0; i < sizeof kernels / sizeof *kernels; i++) {
        char text[2048];
        const char *eol = strchr(kernels[i].text, '\n') + 1;
        snprintf(text, sizeof text,
                 "%.*s%%z = stablehlo.constant dense<0.0> : tensor<f32> %%k = stablehlo.constant "
                 "dense<1.0> : tensor<501x501x1x1xf32>\n%s",
                 (int)(eol - kernels[i].text), kernels[i].text, eol);
        w->m = tsr_module_parse(w->ctx, STR(text), STR("kernel.mlir"));
        tsr_tensor *in = tsr_tensor_parse(w->ctx, STR(kernels[i].input), &w->s);
        CHECK(w->m && in);
        w->line = 0;
        /* A busy machine may let the time pass before the op begins: once more, then. */
        bool stopped = true;
        for (int tries = 0; stopped && w->line != 3 && tries < 100; tries++) {
            tsr_ctx_set_budget(w->ctx, &(tsr_budget){.max_seconds = 0.02});
            stopped = !run(w, kernels[i].name, in) && strstr(w->s.message, "--max-seconds=0.02");
        }
        CHECK(stopped && w->line == 3);
        tsr_ctx_set_budget(w->ctx, NULL);
        job j = {w, kernels[i].name, in, true};
        pthread_t t;
        CHECK(pthread_create(&t, NULL, run_job, &j) == 0);
        wait_a_little();
        tsr_ctx_cancel(w->ctx, true);
        pthread_join(t, NULL);
        CHECK(!j.ok && strstr(w->s.message, "cancelled"));
        tsr_ctx_cancel(w->ctx, false);
        tsr_tensor_free(in);
        tsr_module_free(w->m);
    }
    w->m = before;
}

/* ---- Other calls ---- */

#define MESHED(n)                                                                                  \
    "module { sdy.mesh @m = <[\"x\"=" n "]> func.func @main(%a: tensor<" n                         \
    "x4xf32> {sdy.sharding = #sdy.sharding<@m, [{\"x\"}, {}]>}) -> "                               \
    "tensor<f32> {\n  %z = stablehlo.constant dense<0.0> : tensor<f32>\n  %t = stablehlo.tanh %a " \
    ": tensor<" n "x4xf32>\n"                                                                      \
    "  %r = stablehlo.reduce(%t init: %z) applies stablehlo.add across dimensions = [0, 1] : "     \
    "(tensor<" n "x4xf32>, tensor<f32>) -> tensor<f32>\n"                                          \
    "  return %r : tensor<f32>\n} }"

/* Many devices of a mesh share one budget, and each call of the API keeps its own. */
static void test_calls(world *w)
{
    tsr_module *before = w->m;
    w->m = tsr_module_parse(w->ctx, STR(MESHED("64")), STR("mesh.mlir"));
    CHECK(w->m && tsr_module_partition(w->m));
    tsr_tensor *in = tsr_tensor_parse(w->ctx, STR("64x4xf32=1"), &w->s), *out = NULL;
    static const struct {
        tsr_budget budget;
        const char *why;
    } small[] = {{{.max_steps = 100}, "--max-steps=100"},
                 {{.max_devices = 63}, "asks for 64 devices"},
                 {{.max_seconds = 1e-6}, "--max-seconds"},
                 {{.max_bytes = 4000}, "--max-bytes=4000"},
                 {{.max_stack = 1000}, "--max-stack"}};
    for (size_t i = 0; i < sizeof small / sizeof *small; i++) {
        tsr_status s = {0};
        tsr_ctx_set_budget(w->ctx, &small[i].budget);
        bool ok = tsr_module_eval_spmd(w->m, STR("main"), &in, 1, &out, 1, NULL, &s);
        if (ok || s.code != TSR_ENVIRONMENT || !strstr(s.message, small[i].why))
            printf("%s: %d: %s\n", small[i].why, ok, s.message);
        CHECK(!ok && s.code == TSR_ENVIRONMENT && strstr(s.message, small[i].why));
        tsr_ctx_set_budget(w->ctx, NULL);
        memset(&s, 0, sizeof s);
        CHECK(tsr_module_eval_spmd(w->m, STR("main"), &in, 1, &out, 1, NULL, &s));
        tsr_tensor_free(out);
        out = NULL;
    }
    tsr_tensor_free(in);
    tsr_module_free(w->m);
    w->m = before;
}

/* Writing and reading of bytecode and artifacts, derivatives, partitioning, passes: each stops under each kind of limit that it can
 * reach, and works again without. */
static bool call(world *w, int which, tsr_str bytes, const tsr_budget *budget)
{
    tsr_module *m = NULL, *copy = NULL;
    tsr_str data = {NULL, 0};
    bool ok = false;
    tsr_ctx_set_budget(w->ctx, budget);
    switch (which) {
    case 0: ok = (m = tsr_module_parse(w->ctx, STR(MESHED("2")), STR("mesh.mlir"))) != NULL; break;
    case 1: ok = (m = tsr_module_parse(w->ctx, bytes, STR("mesh.mlirbc"))) != NULL; break;
    case 2: ok = (data = tsr_module_bytecode(w->m, -1)).data != NULL; break;
    case 8: {
        tsr_status status = {TSR_OK, ""};
        tsr_golden_report report = {0};
        tsr_ctx_set_budget(w->ctx, NULL);
        tsr_goldens *g = tsr_goldens_new(w->m, STR("main"), NULL, &status);
        tsr_ctx_set_budget(w->ctx, budget);
        ok = tsr_goldens_check(g, NULL, &report, &status);
        tsr_free((void *)report.table.data);
        tsr_free((void *)report.json.data);
        tsr_goldens_free(g);
        break;
    }
    case 3: ok = (data = tsr_module_serialize(w->m, STR("current"), true)).data != NULL; break;
    default:
        /* The copy is not what is measured. */
        tsr_ctx_set_budget(w->ctx, NULL);
        copy = tsr_module_clone(w->m);
        tsr_ctx_set_budget(w->ctx, budget);
        ok = which == 4   ? tsr_module_differentiate(copy, STR("main"), NULL)
             : which == 5 ? tsr_module_partition(copy)
             : which == 6 ? tsr_module_simplify(copy)
                          : tsr_module_run(copy, STR("sdy-propagation-pipeline"));
    }
    tsr_free((void *)data.data);
    tsr_module_free(m);
    tsr_module_free(copy);
    return ok;
}

static void test_all_calls(world *w)
{
    tsr_module *before = w->m;
    w->m = tsr_module_parse(w->ctx, STR(MESHED("2")), STR("mesh.mlir"));
    tsr_str bytes = tsr_module_bytecode(w->m, -1);
    static const tsr_budget small[] = {{.max_seconds = 1e-9}, {.max_bytes = 300}};
    for (int which = 0; which < 9; which++) {
        CHECK(call(w, which, bytes, NULL));
        for (size_t i = 0; i < sizeof small / sizeof *small; i++) {
            bool ok = call(w, which, bytes, &small[i]);
            const tsr_status *s = tsr_ctx_last_error(w->ctx);
            if (ok || s->code != TSR_ENVIRONMENT)
                printf("call %d, limit %zu: %d: %s\n", which, i, ok, s->message);
            CHECK(!ok && s->code == TSR_ENVIRONMENT &&
                  strstr(s->message, i ? "--max-bytes=300" : "--max-seconds"));
            tsr_ctx_set_budget(w->ctx, NULL);
        }
    }
    tsr_free((void *)bytes.data);
    tsr_module_free(w->m);
    w->m = before;
}

/* Programs as text of other languages and as binaries: limits and cancelling end each, and it works again without. */
enum { CPP, PYTHON, COMMANDS, PLAIN_C, READ, JSON, NTRANSLATION };

static bool translate(world *w, int which, tsr_module *const *modules, tsr_str binary)
{
    tsr_module *m = NULL;
    tsr_str data = {NULL, 0};
    switch (which) {
    case CPP: data = tsr_module_code(modules[CPP], STR("cpp")); break;
    case PYTHON: data = tsr_module_code(modules[PYTHON], STR("python")); break;
    case COMMANDS: data = tsr_module_binary_for(modules[COMMANDS], STR("ttmetal")); break;
    case PLAIN_C: data = tsr_module_code(modules[PLAIN_C], STR("c")); break;
    case READ: m = tsr_module_of_binary(w->ctx, binary, STR("x.ttm")); break;
    default: data = tsr_binary_json(w->ctx, binary, STR("x.ttm")); break;
    }
    bool ok = m || data.data;
    tsr_free((void *)data.data);
    tsr_module_free(m);
    return ok;
}

static bool stopped(const world *w, const char *why)
{
    const tsr_status *s = tsr_ctx_last_error(w->ctx);
    if (s->code == TSR_ENVIRONMENT && strstr(s->message, why))
        return true;
    printf("expected %s, found %s\n", why, s->message);
    return false;
}

static void test_translations(world *w)
{
    static const char text[] =
        "func.func @main(%x: tensor<4x4xf32>, %y: tensor<4x4xf32>) -> tensor<4x4xf32> {\n"
        "  %0 = \"ttir.add\"(%x, %y) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>\n"
        "  return %0 : tensor<4x4xf32>\n}\n";
    static const char *const pipelines[] = {"ttir-to-emitc-pipeline", "ttir-to-emitpy-pipeline",
                                            "ttir-to-ttmetal-host-pipeline", "canonicalize"};
    static const tsr_budget small[] = {{.max_seconds = 1e-9}, {.max_bytes = 300}};
    tsr_module *modules[PLAIN_C + 1];
    for (int i = 0; i <= PLAIN_C; i++) {
        modules[i] = tsr_module_parse(w->ctx, STR(text), STR("t.mlir"));
        CHECK(modules[i] && tsr_module_run(modules[i], STR(pipelines[i])));
    }
    tsr_str binary = tsr_module_binary_for(modules[COMMANDS], STR("ttmetal"));
    for (int which = 0; which < NTRANSLATION; which++) {
        CHECK(translate(w, which, modules, binary));
        for (size_t i = 0; i < sizeof small / sizeof *small; i++) {
            tsr_ctx_set_budget(w->ctx, &small[i]);
            CHECK(!translate(w, which, modules, binary) &&
                  stopped(w, i ? "--max-bytes=300" : "--max-seconds"));
            tsr_ctx_set_budget(w->ctx, NULL);
        }
        tsr_ctx_cancel(w->ctx, true);
        CHECK(!translate(w, which, modules, binary) && stopped(w, "cancelled"));
        tsr_ctx_cancel(w->ctx, false);
        CHECK(translate(w, which, modules, binary));
    }
    tsr_free((void *)binary.data);
    for (int i = 0; i <= PLAIN_C; i++)
        tsr_module_free(modules[i]);
}

/* Finding shardings, which tries candidates on several threads: the same. */
static bool find_shardings(world *w, const tsr_module *of)
{
    tsr_module *m = tsr_module_clone((tsr_module *)of);
    tsr_auto_options options = {.mesh = STR("x=2,y=2"), .function = STR("main")};
    bool ok = false;
    if (m) {
        tsr_str text = tsr_module_auto_shard(m, &options, false, &w->s);
        ok = text.data != NULL;
        tsr_free((void *)text.data);
    }
    tsr_module_free(m);
    return ok;
}

/* The same for a plan, which is also checked. */
static bool find_plan(world *w, tsr_module *m)
{
    tsr_plan_options options = {.search = {.mesh = STR("x=2,y=2"), .function = STR("main")}};
    tsr_mesh_plan *p = tsr_module_find_plan(m, &options, &w->s);
    tsr_str text = {NULL, 0};
    if (p)
        text = tsr_module_check_plan(m, p, NULL, false, NULL, &w->s);
    bool ok = text.data != NULL;
    tsr_free((void *)text.data);
    tsr_mesh_plan_free(p);
    return ok;
}

/* Plans, pages, estimates, programs as files and as C: a call of each kind that shards or compiles. */
static bool plan(world *w, int which, const tsr_module *of)
{
    static const tsr_shard_given given = {.text = {"x,y", 3}, .name = {"%arg?", 5}};
    static const tsr_shard_options options = {.mesh = {"x=2,y=2", 7}, .given = &given, .ngiven = 1};
    tsr_module *m = (tsr_module *)of;
    tsr_executable *x = NULL;
    tsr_str data = {NULL, 0};
    w->s = (tsr_status){0};
    switch (which) {
    case 0: return find_shardings(w, of);
    case 1: data = tsr_module_plan(m, &options, true, &w->s); break;
    case 2: data = tsr_module_why(m, &options, STR("#0"), &w->s); break;
    case 3: data = tsr_module_page(m, &options, &w->s); break;
    case 4: data = tsr_module_simulate(m, &options, STR("a100"), false, &w->s); break;
    case 5:
        x = tsr_module_compile(m, STR("main"), NULL, &w->s);
        data = x ? tsr_executable_save(x, &w->s) : data;
        break;
    case 6: data = tsr_module_code(m, STR("c")); break;
    case 7:
        data =
            tsr_module_explain(m, &(tsr_explain_options){.shard = &options, .verify = true}, &w->s);
        break;
    default: return find_plan(w, m);
    }
    tsr_executable_free(x);
    tsr_free((void *)data.data);
    return data.data != NULL;
}

static uint32_t draw(uint32_t n)
{
    static uint32_t state = 1;
    state = state * 1664525u + 1013904223u;
    return (state >> 8) % n;
}

/* Limits of all orders of magnitude. What is stopped says so, at a line of the program or at none. */
static void limit_at_random(world *w, const tsr_module *m, unsigned lines)
{
    enum { TRIES = 200, NPLAN = 9 };
    int stops = 0;
    for (int i = 0; i < TRIES; i++) {
        uint64_t n = (1 + (uint64_t)draw(1000)) << draw(12);
        tsr_budget limits[] = {{.max_seconds = (double)n * 1e-7},
                               {.max_bytes = (int64_t)n * 10},
                               {.max_ops = n / 100 + 1},
                               {.max_stack = (size_t)n / 20 + 500}};
        tsr_ctx_set_budget(w->ctx, &limits[draw(4)]);
        w->line = 0;
        bool ok = plan(w, i % NPLAN, m);
        CHECK(ok || (stopped(w, "(--max-") && w->line <= lines));
        stops += !ok;
        tsr_ctx_set_budget(w->ctx, NULL);
    }
    CHECK(stops > TRIES / 4 && stops < TRIES);
    for (int which = 0; which < NPLAN; which++)
        CHECK(plan(w, which, m));
}

static void test_search(world *w)
{
    static const char text[] =
        "func.func @main(%x: tensor<64x64xf32>, %a: tensor<64x64xf32>, %b: tensor<64x64xf32>)\n"
        "    -> tensor<64x64xf32> {\n"
        "  %0 = stablehlo.dot_general %x, %a, contracting_dims = [1] x [0]\n"
        "      : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>\n"
        "  %1 = stablehlo.tanh %0 : tensor<64x64xf32>\n"
        "  %2 = stablehlo.dot_general %1, %b, contracting_dims = [1] x [0]\n"
        "      : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>\n"
        "  %3 = stablehlo.tanh %2 : tensor<64x64xf32>\n"
        "  %4 = stablehlo.dot_general %3, %a, contracting_dims = [1] x [0]\n"
        "      : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>\n"
        "  %5 = stablehlo.dot_general %4, %b, contracting_dims = [1] x [0]\n"
        "      : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>\n"
        "  %6 = stablehlo.add %5, %x : tensor<64x64xf32>\n"
        "  %7 = stablehlo.tanh %6 : tensor<64x64xf32>\n"
        "  return %7 : tensor<64x64xf32>\n}\n";
    static const struct {
        tsr_budget budget;
        const char *why;
    } small[] = {{{.max_seconds = 1e-3}, "--max-seconds"},
                 {{.max_bytes = 1 << 19}, "--max-bytes"},
                 {{.max_ops = 200}, "--max-ops"}};
    tsr_module *m = tsr_module_parse(w->ctx, STR(text), STR("search.mlir"));
    CHECK(m && find_shardings(w, m));
    for (size_t i = 0; i < sizeof small / sizeof *small; i++) {
        tsr_ctx_set_budget(w->ctx, &small[i].budget);
        CHECK(!find_shardings(w, m) && stopped(w, small[i].why));
        tsr_ctx_set_budget(w->ctx, NULL);
        CHECK(find_shardings(w, m));
    }
    tsr_ctx_cancel(w->ctx, true);
    CHECK(!find_shardings(w, m) && stopped(w, "cancelled"));
    tsr_ctx_cancel(w->ctx, false);
    CHECK(find_shardings(w, m));
    limit_at_random(w, m, 17);
    tsr_module_free(m);
}

int main(void)
{
    world w = {0};
    setenv("TESSERA_THREADS", "2", 1); /* on many cores an op would end before it is stopped */
    w.ctx = tsr_ctx_new();
    tsr_ctx_on_diag(w.ctx, keep_line, &w);
    w.m = tsr_module_parse(w.ctx, STR(program), STR("budget.mlir"));
    w.in = tsr_tensor_parse(w.ctx, STR("i32=1"), &w.s);
    CHECK(w.m && w.in && run(&w, "good", w.in));
    test_limits(&w);
    test_compiler(&w);
    test_stacks(&w);
    test_cancel(&w);
    test_signal(&w);
    test_kernels(&w);
    test_calls(&w);
    test_all_calls(&w);
    test_translations(&w);
    test_search(&w);
    tsr_tensor_free(w.in);
    tsr_module_free(w.m);
    tsr_ctx_free(w.ctx);
    printf("%d passed, %d failed\n", passed, failed);
    return failed != 0;
}
