/* SPDX-License-Identifier: Apache-2.0 */
/* taken.c [FILE...] - what a run takes is what is told before it: peak and workspace, beside what an allocator counts
 * that sees each block of the library. With files: a table of their programs, as in docs/ENGINE.md. */
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <tessera/tessera.h>

#include "../heap.h"
#include "check.h"

#define STR(s) ((tsr_str){(s), strlen(s)})

#define PRODUCT(a, b, to, dims)                                                          \
    "func.func @main(%a: tensor<" a ">, %b: tensor<" b ">) -> tensor<" to "> {\n"        \
    "  %0 = stablehlo.dot_general %a, %b, " dims " : (tensor<" a ">, tensor<" b ">) -> " \
    "tensor<" to ">\n"                                                                   \
    "  return %0 : tensor<" to ">\n"                                                     \
    "}\n"
#define ONE "contracting_dims = [1] x [0]"
#define CONVOLUTION(a, b, to, stride)                                                 \
    "func.func @main(%a: tensor<" a ">, %b: tensor<" b ">) -> tensor<" to "> {\n"     \
    "  %0 = stablehlo.convolution(%a, %b) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->"  \
    "[b, 0, 1, f], window = {stride = " stride ", pad = [[1, 1], [1, 1]]} "           \
    "{batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<" a ">, " \
    "tensor<" b ">) -> tensor<" to ">\n"                                              \
    "  return %0 : tensor<" to ">\n"                                                  \
    "}\n"

/* Of each way in which the engine takes memory one. */
static const struct {
    const char *name, *text;
} programs[] = {
    {"packed panels", PRODUCT("700x500xf32", "500x600xf32", "700x600xf32", ONE)},
    {"panels of bf16", PRODUCT("700x500xbf16", "500x600xbf16", "700x600xbf16", ONE)},
    {"a batch of small products",
     PRODUCT("64x40x40xf32", "64x40x40xf32", "64x40x40xf32",
             "batching_dims = [0] x [0], contracting_dims = [2] x [1]")},
    {"a tall product", PRODUCT("20000x8xf32", "8x4xf32", "20000x4xf32", ONE)},
    {"a row by a matrix", PRODUCT("1x4000xbf16", "4000x300xbf16", "1x300xbf16", ONE)},
    {"3x3 windows", CONVOLUTION("2x56x56x64xf32", "3x3x64x64xf32", "2x56x56x64xf32", "[1, 1]")},
    {"windows of a padded image",
     CONVOLUTION("2x56x56x32xf32", "3x3x32x64xf32", "2x28x28x64xf32", "[2, 2]")},
    {"a loop on blocks of a product",
     "func.func @main(%a: tensor<700x500xf32>, %b: tensor<500x600xf32>) -> tensor<700x600xf32> {\n"
     "  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<700x500xf32>, "
     "tensor<500x600xf32>) -> tensor<700x600xf32>\n"
     "  %1 = stablehlo.tanh %0 : tensor<700x600xf32>\n"
     "  return %1 : tensor<700x600xf32>\n"
     "}\n"},
    {"attention",
     "func.func @main(%q: tensor<4x512x64xf32>, %k: tensor<4x512x64xf32>, %v: "
     "tensor<4x512x64xf32>) "
     "-> tensor<4x512x64xf32> {\n"
     "  %z = stablehlo.constant dense<0.0> : tensor<f32>\n"
     "  %0 = stablehlo.dot_general %q, %k, batching_dims = [0] x [0], contracting_dims = [2] x [2] "
     ": "
     "(tensor<4x512x64xf32>, tensor<4x512x64xf32>) -> tensor<4x512x512xf32>\n"
     "  %1 = stablehlo.exponential %0 : tensor<4x512x512xf32>\n"
     "  %2 = stablehlo.reduce(%1 init: %z) applies stablehlo.add across dimensions = [2] : "
     "(tensor<4x512x512xf32>, tensor<f32>) -> tensor<4x512xf32>\n"
     "  %3 = stablehlo.broadcast_in_dim %2, dims = [0, 1] : (tensor<4x512xf32>) -> "
     "tensor<4x512x512xf32>\n"
     "  %4 = stablehlo.divide %1, %3 : tensor<4x512x512xf32>\n"
     "  %5 = stablehlo.dot_general %4, %v, batching_dims = [0] x [0], contracting_dims = [2] x [1] "
     ": "
     "(tensor<4x512x512xf32>, tensor<4x512x64xf32>) -> tensor<4x512x64xf32>\n"
     "  return %5 : tensor<4x512x64xf32>\n"
     "}\n"},
    {"parts of columns",
     "func.func @main(%a: tensor<3000x3000xf32>) -> tensor<3000xf32> {\n"
     "  %z = stablehlo.constant dense<0.0> : tensor<f32>\n"
     "  %0 = stablehlo.reduce(%a init: %z) applies stablehlo.add across dimensions = [0] : "
     "(tensor<3000x3000xf32>, tensor<f32>) -> tensor<3000xf32>\n"
     "  return %0 : tensor<3000xf32>\n"
     "}\n"},
    {"a sort", "func.func @main(%a: tensor<4x20000xf32>) -> tensor<4x20000xf32> {\n"
               "  %0 = \"stablehlo.sort\"(%a) <{dimension = 1 : i64, is_stable = true}> ({\n"
               "  ^bb0(%x: tensor<f32>, %y: tensor<f32>):\n"
               "    %c = stablehlo.compare LT, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>\n"
               "    stablehlo.return %c : tensor<i1>\n"
               "  }) : (tensor<4x20000xf32>) -> tensor<4x20000xf32>\n"
               "  return %0 : tensor<4x20000xf32>\n"
               "}\n"},
    {"a factorization", "func.func @main(%a: tensor<2x200x200xf32>) -> tensor<2x200x200xf32> {\n"
                        "  %0 = stablehlo.cholesky %a, lower = true : tensor<2x200x200xf32>\n"
                        "  return %0 : tensor<2x200x200xf32>\n"
                        "}\n"},
};

enum { MOST = 1024 };

typedef struct {
    double told, took;
} taken;

static tsr_tensor *zeros(tsr_ctx *ctx, tsr_type *type)
{
    int64_t dims[16];
    for (int64_t d = 0; d < tsr_type_rank(type); d++)
        dims[d] = tsr_type_dim(type, (size_t)d);
    tsr_str element = tsr_type_print(tsr_type_element(type));
    tsr_tensor *t = tsr_tensor_create(ctx, element, dims, (size_t)tsr_type_rank(type), NULL, NULL);
    tsr_free((void *)element.data);
    return t;
}

/* The first run of a process: no block is kept from another. False: it does not compile, or does not run. */
static bool measure(tsr_str text, tsr_str name, taken *out)
{
    tsr_tensor *in[MOST] = {NULL}, *results[MOST] = {NULL};
    tsr_memory_use use;
    tsr_ctx *ctx = tsr_ctx_new();
    tsr_module *m = tsr_module_parse(ctx, text, name);
    tsr_executable *x = m ? tsr_module_compile(m, STR("main"), NULL, NULL) : NULL;
    size_t devices = tsr_executable_num_devices(x), nin = tsr_executable_num_inputs(x) * devices,
           nout = tsr_executable_num_outputs(x) * devices;
    bool ok = nin <= MOST && nout <= MOST && tsr_executable_memory(x, &use);
    for (size_t i = 0; ok && i < nin; i++)
        ok = (in[i] = zeros(ctx, tsr_executable_input_type(x, i % (nin / devices)))) != NULL;
    long long before = heap.peak = heap.bytes;
    ok = ok && tsr_executable_run(x, in, nin, results, nout, NULL, NULL);
    *out = (taken){(double)(use.peak * devices + use.workspace),
                   (double)(heap.peak - before) + (double)(use.arguments * devices)};
    for (size_t i = 0; i < MOST; i++) {
        tsr_tensor_free(in[i]);
        tsr_tensor_free(results[i]);
    }
    tsr_executable_free(x);
    if (m)
        tsr_module_free(m);
    tsr_ctx_free(ctx);
    return ok;
}

typedef bool measure_fn(tsr_str text, tsr_str name, taken *out);

/* The same in a process of its own. */
static bool apart(measure_fn *measures, tsr_str text, tsr_str name, const char *threads, taken *out)
{
    int ends[2];
    if (pipe(ends) != 0)
        return false;
    pid_t child = fork();
    if (child == 0) {
        setenv("TESSERA_THREADS", threads, 1);
        fail_from(0, false); /* none */
        tsr_set_allocator(allocate, NULL);
        bool ok = measures(text, name, out) && heap.live <= 1; /* a kept block */
        _exit(!ok || write(ends[1], out, sizeof *out) != sizeof *out);
    }
    int status = 1;
    bool ok = child > 0 && waitpid(child, &status, 0) == child && status == 0 &&
              read(ends[0], out, sizeof *out) == sizeof *out;
    close(ends[0]);
    close(ends[1]);
    return ok;
}

/* The sizes are such that what is told nowhere, some kilobytes, is small beside the rest. */
static void test_programs(void)
{
    static const char *const threads[] = {"1", "3"};
    for (size_t i = 0; i < sizeof programs / sizeof *programs; i++)
        for (size_t k = 0; k < 2; k++) {
            taken t = {0};
            bool ok = apart(measure, STR(programs[i].text), STR(programs[i].name), threads[k], &t);
            bool near = t.told >= 0.95 * t.took && t.told <= 1.05 * t.took;
            if (!ok || !near)
                printf("%s, %s threads: %.0f bytes are told, and %.0f taken\n", programs[i].name,
                       threads[k], t.told, t.took);
            CHECK(ok && near);
        }
}

/* ---- Devices of one process share what they only read ---- */

/* Eight devices: %w is on each of them, or in halves on four each; %x is divided among all. */
static const char replicated[] =
    "sdy.mesh @mesh = <[\"x\"=4, \"y\"=2]>\n"
    "func.func @main(%x: tensor<64x1024xf32> {sdy.sharding = #sdy.sharding<@mesh, [{\"x\", "
    "\"y\"}, {}]>}, %w: tensor<1024x1024xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, "
    "{}]>}) -> tensor<64x1024xf32> {\n"
    "  %0 = stablehlo.slice %w [0:64, 0:1024] : (tensor<1024x1024xf32>) -> "
    "tensor<64x1024xf32>\n"
    "  %1 = stablehlo.add %x, %0 : tensor<64x1024xf32>\n"
    "  return %1 : tensor<64x1024xf32>\n"
    "}\n";
enum { ROWS = 64, COLS = 1024 };

static void fill(float *to, int64_t n, float step)
{
    for (int64_t i = 0; i < n; i++)
        to[i] = step * (float)(i % 1000);
}

static bool measure_shared(tsr_str text, tsr_str name, taken *out)
{
    static float x[ROWS * COLS], w[COLS * COLS];
    static const int64_t xs[] = {ROWS, COLS}, ws[] = {COLS, COLS};
    tsr_ctx *ctx = tsr_ctx_new();
    tsr_module *m = tsr_module_parse(ctx, text, name);
    fill(x, ROWS * COLS, 1);
    fill(w, COLS * COLS, 2);
    tsr_tensor *in[] = {tsr_tensor_view(ctx, STR("f32"), xs, 2, x, NULL),
                        tsr_tensor_view(ctx, STR("f32"), ws, 2, w, NULL)},
               *sum = NULL;
    bool ok = m && in[0] && in[1] && tsr_module_partition(m);
    long long before = heap.peak = heap.bytes;
    ok = ok && tsr_module_eval_spmd(m, STR("main"), in, 2, &sum, 1, NULL, NULL);
    out->took = (double)(heap.peak - before);
    const float *got = ok ? tsr_tensor_data(sum) : NULL;
    for (int64_t i = 0; ok && i < (int64_t)ROWS * COLS; i++)
        ok = got[i] == x[i] + w[i];
    tsr_tensor_free(in[0]);
    tsr_tensor_free(in[1]);
    tsr_tensor_free(sum);
    if (m)
        tsr_module_free(m);
    tsr_ctx_free(ctx);
    return ok;
}

static void test_shared(void)
{
    char halves[sizeof replicated + 8];
    const char *whole = strstr(replicated, "[{}, {}]");
    snprintf(halves, sizeof halves, "%.*s[{}, {\"y\"}]%s", (int)(whole - replicated), replicated,
             whole + strlen("[{}, {}]"));
    const char *const texts[] = {replicated, halves};
    for (size_t i = 0; i < 2; i++) {
        taken t = {0};
        bool ok = apart(measure_shared, STR(texts[i]), STR("m.mlir"), "1", &t);
        double bytes = 4.0 * COLS * COLS; /* of %w, which the caller has */
        if (!ok || t.took > (double)i * bytes + bytes / 2)
            printf("%s: %.0f bytes are taken\n", i ? "in halves" : "on each", t.took);
        CHECK(ok && t.took <= (double)i * bytes + bytes / 2);
    }
}

/* The program of a file, with as many threads as the environment says. */
static void print_file(const char *path)
{
    enum { MOST_TEXT = 1 << 26 };
    const char *threads = getenv("TESSERA_THREADS");
    FILE *f = fopen(path, "rb");
    char *text = malloc(MOST_TEXT);
    size_t n = f && text ? fread(text, 1, MOST_TEXT, f) : 0;
    taken t;
    if (n && apart(measure, (tsr_str){text, n}, STR(path), threads ? threads : "1", &t))
        printf("| %s | %.0f | %.0f | %.2f |\n", path, t.told, t.took, t.told / t.took);
    else
        printf("| %s | | | |\n", path);
    free(text);
    if (f)
        (void)fclose(f);
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        print_file(argv[i]);
        (void)fflush(stdout);
    }
    if (argc > 1)
        return 0;
    test_programs();
    test_shared();
    printf("%d passed, %d failed\n", passed, failed);
    return failed != 0;
}
