/* SPDX-License-Identifier: Apache-2.0 */
/* eval.c - evaluation through the public API: tensors made and read, functions run, results compared, what goes wrong. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include <tessera/tessera.h>

#include "check.h"

/* A call that fails and says why, in a status that is new: an old failure is not overwritten. */
#define FAILS(call, why) CHECK((memset(&s, 0, sizeof s), !(call)) && strstr(s.message, why))

static const char text[] =
    "func.func @main(%a: tensor<2x2xf32>, %b: tensor<?xi4>) -> (tensor<2x2xf32>, tensor<?xi4>) {\n"
    "  %0 = stablehlo.add %a, %a : tensor<2x2xf32>\n"
    "  %1 = stablehlo.negate %b : tensor<?xi4>\n"
    "  return %0, %1 : tensor<2x2xf32>, tensor<?xi4>\n"
    "}\n"
    "func.func @fails(%a: tensor<f32>) -> tensor<f32> {\n"
    "  %0 = stablehlo.custom_call @nobody(%a) : (tensor<f32>) -> tensor<f32>\n"
    "  return %0 : tensor<f32>\n"
    "}\n"
    "func.func @take(%a: tensor<5xf32>, %i: tensor<i32>) -> tensor<1xf32> {\n"
    "  %0 = stablehlo.dynamic_slice %a, %i, sizes = [1] : (tensor<5xf32>, tensor<i32>) -> "
    "tensor<1xf32>\n"
    "  return %0 : tensor<1xf32>\n"
    "}\n"
    "func.func @divide(%a: tensor<2xi32>, %b: tensor<2xi32>) -> tensor<2xi32> {\n"
    "  %0 = stablehlo.divide %a, %b : tensor<2xi32>\n"
    "  return %0 : tensor<2xi32>\n"
    "}\n"
    "func.func @draw() -> tensor<4xui32> {\n"
    "  %l = stablehlo.constant dense<0> : tensor<ui32>\n"
    "  %h = stablehlo.constant dense<4294967295> : tensor<ui32>\n"
    "  %s = stablehlo.constant dense<4> : tensor<1xi64>\n"
    "  %0 = stablehlo.rng %l, %h, %s, distribution = UNIFORM\n"
    "      : (tensor<ui32>, tensor<ui32>, tensor<1xi64>) -> tensor<4xui32>\n"
    "  return %0 : tensor<4xui32>\n"
    "}\n"
    "func.func private @outside(tensor<f32>) -> tensor<f32>\n";

/* The last diagnostic, kept. */
typedef struct {
    int n;
    unsigned line;
    char message[256];
} log_t;

static void keep(void *user, const tsr_diag *d)
{
    log_t *l = user;
    size_t n = d->message.len < sizeof l->message - 1 ? d->message.len : sizeof l->message - 1;
    l->n++;
    l->line = d->line;
    memcpy(l->message, d->message.data, n);
    l->message[n] = 0;
}

static void test_tensors(tsr_ctx *ctx)
{
    static const float values[6] = {1, 2, 3, 4, 5, 6};
    static const int64_t dims[2] = {2, 3}, negative[1] = {-1}, huge[2] = {INT64_MAX / 4, 8};
    tsr_status s = {0};
    tsr_tensor *t = tsr_tensor_create(ctx, tsr_cstr("f32"), dims, 2, values, &s);
    CHECK(t != NULL);
    CHECK(tsr_tensor_rank(t) == 2 && tsr_tensor_dim(t, 0) == 2 && tsr_tensor_dim(t, 1) == 3);
    CHECK(tsr_tensor_num_elements(t) == 6 && tsr_tensor_size(t) == sizeof values);
    CHECK(memcmp(tsr_tensor_data(t), values, sizeof values) == 0 && tsr_tensor_get(t, 4) == 5);
    tsr_str printed = tsr_tensor_text(t);
    CHECK(strstr(printed.data, "tensor<2x3xf32> {") == printed.data);
    tsr_free((void *)printed.data);

    tsr_tensor *p = tsr_tensor_parse(ctx, tsr_cstr("2x3xf32=1,2,3,4,5,6"), &s);
    tsr_comparison c;
    CHECK(p != NULL && tsr_tensor_compare(t, p, NULL, &c));
    tsr_tensor *q = tsr_tensor_parse(ctx, tsr_cstr("2x3xf32=1,2,3,4,5,7"), &s);
    tsr_tolerance wide = {.rtol = 0, .atol = 1};
    CHECK(q != NULL && !tsr_tensor_compare(t, q, NULL, &c));
    CHECK(c.max_abs == 1);
    CHECK(tsr_tensor_compare(t, q, &wide, &c));
    tsr_tensor_free(q);
    tsr_tensor_free(p);
    tsr_tensor_free(t);

    tsr_tensor *zero = tsr_tensor_create(ctx, tsr_cstr("complex<f64>"), NULL, 0, NULL, &s);
    CHECK(zero && tsr_tensor_size(zero) == 16 && tsr_tensor_get(zero, 0) == 0);
    tsr_tensor_free(zero);

    FAILS(tsr_tensor_create(ctx, tsr_cstr("q17"), dims, 2, values, &s), "q17");
    FAILS(tsr_tensor_create(ctx, tsr_cstr("f32"), negative, 1, NULL, &s),
          "dimension 0 of the tensor is negative");
    FAILS(tsr_tensor_create(ctx, tsr_cstr("f32"), huge, 2, NULL, &s), "no memory for the tensor");
    FAILS(tsr_tensor_parse(ctx, tsr_cstr("2xf32=1,2,3"), &s), "more than 2 values");
    CHECK(s.code == TSR_BAD_INPUT);
    FAILS(tsr_tensor_load(ctx, "no/such/file.npy", NULL, &s), "No such file or directory");
}

static void test_eval(tsr_ctx *ctx, tsr_module *m)
{
    tsr_status s = {0};
    size_t nin = 0, nout = 0;
    CHECK(tsr_module_signature(m, tsr_cstr("main"), &nin, &nout) && nin == 2 && nout == 2);
    CHECK(!tsr_module_signature(m, tsr_cstr("nope"), &nin, &nout));
    tsr_tensor *in[2] = {tsr_tensor_parse(ctx, tsr_cstr("2x2xf32=1,2,3,4"), &s),
                         tsr_tensor_parse(ctx, tsr_cstr("3xi4=1,-8,7"), &s)};
    tsr_tensor *out[2] = {NULL, NULL};
    CHECK(in[0] && in[1]);
    CHECK(tsr_module_eval(m, tsr_cstr("main"), in, 2, out, 2, &s));
    CHECK(tsr_tensor_get(out[0], 3) == 8 && tsr_tensor_num_elements(out[1]) == 3);
    CHECK(tsr_tensor_get(out[1], 0) == -1 && tsr_tensor_get(out[1], 1) == -8 &&
          tsr_tensor_get(out[1], 2) == -7);
    CHECK(tsr_tensor_get(in[0], 3) == 4); /* arguments stay as they were */
    tsr_tensor_free(out[0]);
    tsr_tensor_free(out[1]);

    FAILS(tsr_module_eval(m, tsr_cstr("main"), in, 1, out, 2, &s),
          "provided 1 inputs but function expected 2");
    FAILS(tsr_module_eval(m, tsr_cstr("main"), in, 2, out, 1, &s), "there is room for 1");
    tsr_tensor *swapped[2] = {in[1], in[0]};
    FAILS(tsr_module_eval(m, tsr_cstr("main"), swapped, 2, out, 2, &s),
          "invalid input argument type at index 0");
    FAILS(tsr_module_eval(m, tsr_cstr("nope"), in, 2, out, 2, &s), "no function 'nope'");
    FAILS(tsr_module_eval(m, tsr_cstr("outside"), in, 1, out, 1, &s),
          "no function 'outside' with a body");
    tsr_tensor_free(in[0]);
    tsr_tensor_free(in[1]);
}

static void test_failure(tsr_ctx *ctx, tsr_module *m, const log_t *log)
{
    tsr_status s = {0};
    tsr_tensor *in = tsr_tensor_parse(ctx, tsr_cstr("f32=1"), &s), *out = NULL;
    int before = log->n;
    FAILS(tsr_module_eval(m, tsr_cstr("fails"), &in, 1, &out, 1, &s), "nobody");
    CHECK(log->n == before + 1 && log->line == 7 &&
          strstr(log->message, "nobody")); /* and a diagnostic at the op */
    CHECK(out == NULL);
    tsr_tensor_free(in);
}

static void test_division(tsr_ctx *ctx, tsr_module *m, const log_t *log)
{
    tsr_status s = {0};
    tsr_tensor *in[2] = {tsr_tensor_parse(ctx, tsr_cstr("2xi32=6,7"), &s),
                         tsr_tensor_parse(ctx, tsr_cstr("2xi32=2,0"), &s)};
    tsr_tensor *out = NULL;
    tsr_eval_options options = {.zero_division = TSR_ZERO_ERROR};
    FAILS(tsr_module_eval_with(m, tsr_cstr("divide"), in, 2, &out, 1, &options, &s),
          "divides integers by zero (1 of 2 divisors)");
    CHECK(out == NULL && s.code == TSR_BAD_INPUT && log->line == 15);
    int before = log->n;
    memset(&s, 0, sizeof s);
    CHECK(tsr_module_eval(m, tsr_cstr("divide"), in, 2, &out, 1,
                          &s)); /* the default: XLA's value, and a warning */
    CHECK(log->line == 15 && tsr_tensor_get(out, 0) == 3 && tsr_tensor_get(out, 1) == -1);
    CHECK(log->n == before + 1 && strstr(log->message, "divides integers by zero"));
    tsr_tensor_free(out);
    options.zero_division = TSR_ZERO_IGNORE;
    CHECK(tsr_module_eval_with(m, tsr_cstr("divide"), in, 2, &out, 1, &options, &s) &&
          log->n == before + 1);
    tsr_tensor_free(out);
    tsr_tensor_free(in[0]);
    tsr_tensor_free(in[1]);
}

static void test_seed(tsr_module *m)
{
    tsr_status s = {0};
    tsr_eval_options seven = {.seed = 7};
    tsr_tensor *a, *b, *c;
    CHECK(tsr_module_eval(m, tsr_cstr("draw"), NULL, 0, &a, 1, &s));
    CHECK(tsr_module_eval_with(m, tsr_cstr("draw"), NULL, 0, &b, 1, NULL, &s));
    CHECK(tsr_module_eval_with(m, tsr_cstr("draw"), NULL, 0, &c, 1, &seven, &s));
    CHECK(memcmp(tsr_tensor_data(a), tsr_tensor_data(b), tsr_tensor_size(a)) == 0);
    CHECK(memcmp(tsr_tensor_data(a), tsr_tensor_data(c), tsr_tensor_size(a)) != 0);
    tsr_tensor_free(a);
    tsr_tensor_free(b);
    tsr_tensor_free(c);
}

static void test_random(tsr_module *m)
{
    tsr_status s = {0};
    for (uint64_t seed = 0; seed < 20;
         seed++) { /* a place in five elements, of which one is taken */
        tsr_tensor *i = tsr_module_random_input(m, tsr_cstr("take"), 1, seed, &s);
        CHECK(i && tsr_tensor_get(i, 0) >= 0 && tsr_tensor_get(i, 0) < 5);
        tsr_tensor_free(i);
    }
    tsr_tensor *a = tsr_module_random_input(m, tsr_cstr("take"), 0, 7, &s);
    tsr_tensor *b = tsr_module_random_input(m, tsr_cstr("take"), 0, 7, &s);
    tsr_tensor *c = tsr_module_random_input(m, tsr_cstr("take"), 0, 8, &s);
    CHECK(a && b && c && memcmp(tsr_tensor_data(a), tsr_tensor_data(b), tsr_tensor_size(a)) == 0);
    CHECK(memcmp(tsr_tensor_data(a), tsr_tensor_data(c), tsr_tensor_size(a)) != 0);
    tsr_tensor_free(a);
    tsr_tensor_free(b);
    tsr_tensor_free(c);
    FAILS(tsr_module_random_input(m, tsr_cstr("take"), 2, 0, &s), "input 2 is not a tensor");
}

static void test_files(tsr_ctx *ctx)
{
    tsr_status s = {0};
    const char *path = getenv("TMPDIR");
    char name[512];
    snprintf(name, sizeof name, "%s/tessera_capi_eval_%p.npy", path ? path : "/tmp", (void *)&s);
    tsr_tensor *t = tsr_tensor_parse(ctx, tsr_cstr("2x2xf64=1,2,3,4.5"), &s);
    CHECK(t && tsr_tensor_save(t, name, &s));
    tsr_tensor *u = tsr_tensor_load(ctx, name, NULL, &s);
    tsr_comparison c;
    CHECK(u && tsr_tensor_compare(u, t, NULL, &c));
    /* Where no file may grow, as on a full disk: the old one stays. */
    char bytes[8] = "";
    struct rlimit all, none;
    void (*was)(int) = signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &all);
    none = all;
    none.rlim_cur = 0;
    CHECK(tsr_file_write(name, tsr_cstr("old"), &s));
    setrlimit(RLIMIT_FSIZE, &none);
    FAILS(tsr_file_write(name, tsr_cstr("new"), &s), "File too large");
    FAILS(tsr_tensor_save(t, name, &s), "File too large");
    setrlimit(RLIMIT_FSIZE, &all);
    signal(SIGXFSZ, was);
    FILE *old = fopen(name, "r");
    CHECK(old && fread(bytes, 1, sizeof bytes - 1, old) == 3 && strcmp(bytes, "old") == 0);
    if (old)
        fclose(old);
    CHECK(!tsr_file_write(NULL, tsr_cstr("x"), NULL));
    CHECK(tsr_file_write("/dev/null", tsr_cstr("x"), NULL));
    remove(name);
    FAILS(tsr_tensor_save(t, "no/such/folder/x.npy", &s), "No such file or directory");
    CHECK(s.code == TSR_ENVIRONMENT);
    tsr_tensor_free(t);
    tsr_tensor_free(u);
    tsr_tensor_free(NULL);
}

/* ---- Debugging ---- */

typedef struct {
    int printed, stopped;
    bool go_on;
} watcher;

static void on_print(void *user, tsr_str source)
{
    watcher *w = user;
    w->printed += source.len > 0 && memchr(source.data, 'h', source.len) != NULL;
}

static bool on_breakpoint(void *user, const tsr_breakpoint *at)
{
    watcher *w = user;
    w->stopped += at->line == 3 && at->text.len > 0 && tsr_tensor_get(at->value, 0) == 5;
    return w->go_on;
}

static void test_debug(void)
{
    static const char source[] =
        "func.func @main(%x: tensor<1xf32>) -> tensor<1xf32> {\n"
        "  \"debug.print\"(%x) <{message = \"here\"}> : (tensor<1xf32>) -> ()\n"
        "  \"debug.breakpoint\"(%x) : (tensor<1xf32>) -> ()\n"
        "  return %x : tensor<1xf32>\n"
        "}\n";
    tsr_ctx *ctx = tsr_ctx_new();
    tsr_module *m = tsr_module_parse(ctx, tsr_cstr(source), tsr_cstr("debug.mlir"));
    tsr_status status = {TSR_OK, ""};
    tsr_tensor *in = tsr_tensor_create(ctx, tsr_cstr("f32"), (const int64_t[]){1}, 1,
                                       (const float[]){5}, &status);
    for (int engine = 0; engine < 2; engine++)
        for (int go_on = 0; go_on < 2; go_on++) {
            watcher w = {.go_on = go_on != 0};
            tsr_tensor *out = NULL;
            tsr_eval_options options = {.engine = (tsr_eval_engine)engine,
                                        .user = &w,
                                        .print = on_print,
                                        .breakpoint = on_breakpoint};
            tsr_status told = {TSR_OK, ""};
            bool ok = tsr_module_eval_with(m, tsr_cstr("main"), &in, 1, &out, 1, &options, &told);
            CHECK(ok == w.go_on && w.printed >= 1 && w.stopped == 1);
            CHECK(ok || strstr(told.message, "run was ended"));
            tsr_tensor_free(out);
        }
    tsr_str told = tsr_module_profile(m, tsr_cstr("main"), &in, 1, 2, true, NULL, &status);
    CHECK(told.data && strstr(told.data, "\"compile_seconds\"") && strstr(told.data, "\"memory\""));
    tsr_free((void *)told.data);
    tsr_tensor_free(in);
    tsr_module_free(m);
    tsr_ctx_free(ctx);
}

/* All shardings of two arguments over two devices; the best need no collective, the worst do. */
static void test_permutations(void)
{
    static const char source[] =
        "func.func @main(%x: tensor<8x4xf32>, %y: tensor<4x8xf32>) -> tensor<8x8xf32> {\n"
        "  %0 = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0]\n"
        "    : (tensor<8x4xf32>, tensor<4x8xf32>) -> tensor<8x8xf32>\n"
        "  return %0 : tensor<8x8xf32>\n"
        "}\n";
    tsr_ctx *ctx = tsr_ctx_new();
    tsr_module *m = tsr_module_parse(ctx, tsr_cstr(source), tsr_cstr("two.mlir"));
    tsr_status status = {TSR_OK, ""};
    size_t n = 0, fewest = 1000, most = 0, told = 0, different = 0;
    CHECK(tsr_module_permutations(m, 2, &n, &status) && n == 72); /* 2 meshes, 6 ways each */
    tsr_str before = {NULL, 0};
    for (size_t i = 0; i < n; i++) {
        tsr_module *p = tsr_module_permutation(m, 2, i, &status);
        size_t ncollective = 0;
        int64_t bytes = -1;
        tsr_str print = tsr_module_print(p, NULL);
        different += !before.data || strcmp(before.data, print.data) != 0;
        tsr_free((void *)before.data);
        before = print;
        told += tsr_module_collectives(p, &ncollective, &bytes, &status) &&
                (ncollective > 0) == (bytes > 0);
        fewest = ncollective < fewest ? ncollective : fewest;
        most = ncollective > most ? ncollective : most;
        tsr_module_free(p);
    }
    tsr_free((void *)before.data);
    CHECK(different == n && told == n && fewest == 0 && most > 0);
    CHECK(!tsr_module_permutation(m, 2, n, &status) && strstr(status.message, "there are 72"));
    status = (tsr_status){TSR_OK, ""};
    CHECK(!tsr_module_permutations(m, 0, &n, &status) && strstr(status.message, "0 devices"));
    CHECK(!tsr_module_permutation(NULL, 2, 0, NULL) &&
          !tsr_module_permutations(NULL, 2, &n, NULL) &&
          !tsr_module_collectives(NULL, &n, NULL, NULL));
    tsr_module_free(m);
    tsr_ctx_free(ctx);
}

/* What ran when. */
static void test_trace(void)
{
    tsr_ctx *ctx = tsr_ctx_new();
    tsr_status s = {0};
    tsr_module *m =
        tsr_module_parse(ctx,
                         tsr_cstr("func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {\n"
                                  "  %0 = stablehlo.add %x, %x : tensor<2xf32> loc(\"sum\")\n"
                                  "  return %0 : tensor<2xf32>\n}\n"),
                         tsr_cstr("trace.mlir"));
    tsr_tensor *x = tsr_tensor_parse(ctx, tsr_cstr("2xf32=1,2"), &s), *y = NULL;
    tsr_str trace = {NULL, 0};
    tsr_eval_options options = {.trace = &trace};
    CHECK(tsr_module_eval_with(m, tsr_cstr("main"), &x, 1, &y, 1, &options, &s));
    CHECK(y && tsr_tensor_get(y, 1) == 4);
    CHECK(trace.data && strstr(trace.data, "\"traceEvents\"") && strstr(trace.data, "\"add\""));
    CHECK(trace.data && strstr(trace.data, "\"location\": \"sum\"") &&
          strstr(trace.data, "\"start\": "));
    tsr_str page = tsr_module_page_of_run(m, NULL, trace, &s);
    CHECK(page.data && strstr(page.data, "<html"));
    tsr_free((void *)page.data);
    CHECK(!tsr_module_page_of_run(m, NULL, tsr_cstr("{"), &s).data && s.code == TSR_BAD_INPUT);
    CHECK(!tsr_module_page_of_run(NULL, NULL, trace, NULL).data);
    tsr_free((void *)trace.data);
    tsr_tensor_free(y);
    /* The evaluator has none; a run that fails has none. */
    options.engine = TSR_ENGINE_REFERENCE;
    y = NULL;
    CHECK(tsr_module_eval_with(m, tsr_cstr("main"), &x, 1, &y, 1, &options, &s) && !trace.len);
    tsr_tensor_free(y);
    tsr_free((void *)trace.data);
    options.engine = TSR_ENGINE_COMPILED;
    y = NULL;
    CHECK(!tsr_module_eval_with(m, tsr_cstr("main"), NULL, 0, &y, 1, &options, &s) && !trace.data);
    tsr_tensor_free(x);
    tsr_module_free(m);
    tsr_ctx_free(ctx);
}

int main(void)
{
    test_debug();
    test_trace();
    test_permutations();
    log_t log = {0};
    tsr_ctx *ctx = tsr_ctx_new();
    tsr_ctx_on_diag(ctx, keep, &log);
    tsr_module *m = tsr_module_parse(ctx, tsr_cstr(text), tsr_cstr("eval.mlir"));
    CHECK(m != NULL);
    test_tensors(ctx);
    if (m) {
        test_eval(ctx, m);
        test_failure(ctx, m, &log);
        test_division(ctx, m, &log);
        test_seed(m);
        test_random(m);
        tsr_module_free(m);
    }
    test_files(ctx);
    tsr_ctx_free(ctx);
    printf("%d passed, %d failed\n", passed, failed);
    return failed != 0;
}
