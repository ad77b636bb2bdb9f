/* SPDX-License-Identifier: Apache-2.0 */
/* test_looks.c - long work asks again and again whether it is to end: inside one kernel, and inside passes. The questions are
 * counted, not the time, so that a busy machine changes nothing. */
#include "unit.h"

#include "base/scope.h"

/* How often work asks while it runs in a scope of its own. */
typedef struct {
    tsr_ctx *ctx;
    tsr_module *m;
    uint64_t looks;
    bool ok;
} trial;

static void parse(trial *t, tsr_str text)
{
    t->m = tsr_module_parse(t->ctx, text, TSR_STR("looks.mlir"));
}

static uint64_t looks_now(void)
{
    return atomic_load(&tsr_scope_now()->limits->looks);
}

static void run_main(trial *t)
{
    tsr_tensor *out = NULL;
    tsr_status s = {0};
    uint64_t before = looks_now();
    tsr_eval_options options = {.engine = TSR_ENGINE_REFERENCE}; /* whose kernels these are */
    t->ok = t->m && tsr_module_eval_with(t->m, TSR_STR("main"), NULL, 0, &out, 1, &options, &s);
    t->looks = looks_now() - before;
    if (!t->ok)
        fprintf(stderr, "%s\n", s.message);
    tsr_tensor_free(out);
}

static void run_pipeline(trial *t, const char *pipeline)
{
    uint64_t before = looks_now();
    t->ok = t->m && tsr_module_run(t->m, tsr_cstr(pipeline));
    t->looks = looks_now() - before;
}

/* Nothing fits, so that the search for shardings tries as long as it may. */
static void run_search(trial *t)
{
    tsr_status s = {0};
    uint64_t before = looks_now();
    tsr_auto_options options = {.mesh = TSR_STR("x=4"), .memory = 1};
    tsr_str text = t->m ? tsr_module_auto_shard(t->m, &options, true, &s) : (tsr_str){0};
    t->ok = !text.data && strstr(s.message, "does not fit");
    t->looks = looks_now() - before;
    tsr_free((void *)(uintptr_t)text.data);
}

/* pipeline: NULL to run main, "search" to find shardings. */
static trial in_scope(tsr_str text, const char *pipeline)
{
    trial t = {.ctx = tsr_ctx_new()};
    tsr_scope s;
    tsr_scope_open(&s, NULL, NULL);
    if (setjmp(s.out) != 0) {
        tsr_scope_sweep(&s);
        return t;
    }
    parse(&t, text);
    if (pipeline && strcmp(pipeline, "search") == 0)
        run_search(&t);
    else if (pipeline)
        run_pipeline(&t, pipeline);
    else
        run_main(&t);
    if (t.m)
        tsr_module_free(t.m);
    tsr_scope_close(&s);
    tsr_ctx_free(t.ctx);
    return t;
}

/* ---- Kernels ---- */

#define ADDS                                                                                   \
    "({\n^bb0(%x: tensor<f32>, %y: tensor<f32>):\n  %s = stablehlo.add %x, %y : tensor<f32>\n" \
    "  stablehlo.return %s : tensor<f32>\n})"
#define SINES                                                                                      \
    "({\n^bb0(%x: tensor<f32>, %y: tensor<f32>):\n  %q = stablehlo.sine %x : tensor<f32>\n  %s = " \
    "stablehlo.add %q, %y : "                                                                      \
    "tensor<f32>\n  stablehlo.return %s : tensor<f32>\n})"
#define IOTA(type) "%a = stablehlo.iota dim = 0 : tensor<" type ">\n"
#define ZERO "%z = stablehlo.constant dense<0.0> : tensor<f32>\n"
#define SPD(n)                                                                             \
    IOTA(n "x" n "xf32")                                                                   \
    "%b = stablehlo.iota dim = 1 : tensor<" n "x" n                                        \
    "xf32>\n%p = stablehlo.compare EQ, %a, %b : (tensor<" n "x" n "xf32>, tensor<" n "x" n \
    "xf32>) -> tensor<" n "x" n "xi1>\n%c = stablehlo.convert %p : (tensor<" n "x" n       \
    "xi1>) -> tensor<" n "x" n "xf32>\n"

/* Each has one op that does nearly all the work: some ten million small steps. */
static const struct {
    const char *name, *body, *type;
    uint64_t least; /* questions */
} kernels[] = {
    {"dot",
     IOTA("300x300xf32") "%r = stablehlo.dot_general %a, %a, contracting_dims = [1] x [0] : "
                         "(tensor<300x300xf32>, tensor<300x300xf32>) -> "
                         "tensor<300x300xf32>",
     "300x300xf32", 3},
    {"dot of integers",
     IOTA("200x200xi32") "%r = stablehlo.dot_general %a, %a, contracting_dims = [1] x [0] : "
                         "(tensor<200x200xi32>, "
                         "tensor<200x200xi32>) -> tensor<200x200xi32>",
     "200x200xi32", 4},
    {"one long dot",
     IOTA("4000000xf32") "%r = stablehlo.dot_general %a, %a, contracting_dims = [0] x [0] : "
                         "(tensor<4000000xf32>, "
                         "tensor<4000000xf32>) -> tensor<f32>",
     "f32", 4},
    {"convolution",
     IOTA("1x64x64x16xf32") "%k = stablehlo.iota dim = 3 : tensor<5x5x16x16xf32>\n%r = "
                            "stablehlo.convolution(%a, %k) dim_numbers = "
                            "[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {pad = [[2, 2], [2, "
                            "2]]} {batch_group_count = 1 : i64, feature_group_count = 1 : "
                            "i64} : (tensor<1x64x64x16xf32>, tensor<5x5x16x16xf32>) -> "
                            "tensor<1x64x64x16xf32>",
     "1x64x64x16xf32", 10},
    {"sort",
     IOTA("1000000xf32") "%n = stablehlo.sine %a : tensor<1000000xf32>\n%r = "
                         "\"stablehlo.sort\"(%n) <{dimension = 0 : i64}> ({\n"
                         "^bb0(%x: tensor<f32>, %y: tensor<f32>):\n  %c = stablehlo.compare LT, "
                         "%x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>\n"
                         "  stablehlo.return %c : tensor<i1>\n}) : (tensor<1000000xf32>) -> "
                         "tensor<1000000xf32>",
     "1000000xf32", 60 + 4},
    {"sort by a body",
     IOTA("30000xf32") "%r = \"stablehlo.sort\"(%a) <{dimension = 0 : i64}> ({\n^bb0(%x: "
                       "tensor<f32>, %y: tensor<f32>):\n"
                       "  %q = stablehlo.sine %x : tensor<f32>\n  %c = stablehlo.compare LT, %q, "
                       "%y : (tensor<f32>, tensor<f32>) -> tensor<i1>\n"
                       "  stablehlo.return %c : tensor<i1>\n}) : (tensor<30000xf32>) -> "
                       "tensor<30000xf32>",
     "30000xf32", 4},
    {"reduce",
     IOTA("4000000xf32") ZERO
     "%r = \"stablehlo.reduce\"(%a, %z) <{dimensions = array<i64: 0>}> " ADDS
     " : (tensor<4000000xf32>, tensor<f32>) -> tensor<f32>",
     "f32", 1},
    {"reduce by a body",
     IOTA("1000000xf32") ZERO
     "%r = \"stablehlo.reduce\"(%a, %z) <{dimensions = array<i64: 0>}> " SINES
     " : (tensor<1000000xf32>, tensor<f32>) -> tensor<f32>",
     "f32", 10},
    {"reduce_window",
     IOTA("400x400xf32") ZERO
     "%r = \"stablehlo.reduce_window\"(%a, %z) <{window_dimensions = array<i64: 9, 9>}> " ADDS
     " : (tensor<400x400xf32>, tensor<f32>) -> tensor<392x392xf32>",
     "392x392xf32", 10},
    {"reduce_window by a body",
     IOTA("100x100xf32") ZERO
     "%r = \"stablehlo.reduce_window\"(%a, %z) <{window_dimensions = array<i64: 9, 9>}> " SINES
     " : (tensor<100x100xf32>, tensor<f32>) -> tensor<92x92xf32>",
     "92x92xf32", 2},
    {"elements", IOTA("1000000xf32") "%r = stablehlo.tanh %a : tensor<1000000xf32>", "1000000xf32",
     60},
    {"elements of two", IOTA("1000000xf32") "%r = stablehlo.power %a, %a : tensor<1000000xf32>",
     "1000000xf32", 60},
    {"convert",
     IOTA(
         "1000000xf32") "%r = stablehlo.convert %a : (tensor<1000000xf32>) -> tensor<1000000xbf16>",
     "1000000xbf16", 60},
    {"zeta",
     IOTA("100000xf32") "%r = chlo.zeta %a, %a : tensor<100000xf32>, tensor<100000xf32> -> "
                        "tensor<100000xf32>",
     "100000xf32", 6},
    {"transpose",
     IOTA("1500x1500xf32") "%r = stablehlo.transpose %a, dims = [1, 0] : (tensor<1500x1500xf32>) "
                           "-> tensor<1500x1500xf32>",
     "1500x1500xf32", 8},
    {"broadcast",
     IOTA("1xf32") "%r = stablehlo.broadcast_in_dim %a, dims = [0] : (tensor<1xf32>) -> "
                   "tensor<4000000xf32>",
     "4000000xf32", 10},
    {"gather",
     IOTA("1000000xf32") "%i = stablehlo.iota dim = 0 : tensor<1000000x1xi32>\n%r = "
                         "\"stablehlo.gather\"(%a, %i) <{dimension_numbers = "
                         "#stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], "
                         "index_vector_dim = 1>, slice_sizes = array<i64: 1>}> : "
                         "(tensor<1000000xf32>, tensor<1000000x1xi32>) -> tensor<1000000xf32>",
     "1000000xf32", 3},
    {"scatter",
     IOTA("1000000xf32") "%i = stablehlo.iota dim = 0 : tensor<1000000x1xi32>\n%r = "
                         "\"stablehlo.scatter\"(%a, %i, %a) "
                         "<{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = "
                         "[0], scatter_dims_to_operand_dims = [0], index_vector_dim = "
                         "1>}> " ADDS " : (tensor<1000000xf32>, tensor<1000000x1xi32>, "
                         "tensor<1000000xf32>) -> tensor<1000000xf32>",
     "1000000xf32", 3},
    {"cholesky", SPD("300") "%r = stablehlo.cholesky %c, lower = true : tensor<300x300xf32>",
     "300x300xf32", 15},
    {"triangular_solve",
     SPD("200") "%r = \"stablehlo.triangular_solve\"(%c, %a) <{left_side = true, lower = true, "
                "unit_diagonal = false, transpose_a "
                "= #stablehlo<transpose NO_TRANSPOSE>}> : (tensor<200x200xf32>, "
                "tensor<200x200xf32>) -> tensor<200x200xf32>",
     "200x200xf32", 10},
    {"random bits",
     "%k = stablehlo.constant dense<7> : tensor<2xui64>\n%o, %r = stablehlo.rng_bit_generator %k, "
     "algorithm = THREE_FRY : "
     "(tensor<2xui64>) -> (tensor<2xui64>, tensor<2000000xui32>)",
     "2000000xui32", 3},
    {"random numbers",
     ZERO "%o = stablehlo.constant dense<1.0> : tensor<f32>\n%n = stablehlo.constant "
          "dense<1000000> : tensor<1xi64>\n"
          "%r = stablehlo.rng %z, %o, %n, distribution = NORMAL : (tensor<f32>, tensor<f32>, "
          "tensor<1xi64>) -> tensor<1000000xf32>",
     "1000000xf32", 3},
    {"fft",
     IOTA("262144xf32") "%c = stablehlo.complex %a, %a : tensor<262144xcomplex<f32>>\n%r = "
                        "stablehlo.fft %c, type = FFT, length = [262144] : "
                        "(tensor<262144xcomplex<f32>>) -> tensor<262144xcomplex<f32>>",
     "262144xcomplex<f32>", 10},
};

static void test_kernels(unit *u)
{
    for (size_t i = 0; i < TSR_COUNT(kernels); i++) {
        tsr_buf text = {0};
        tsr_buf_printf(&text, "func.func @main() -> tensor<%s> {\n%s\nreturn %%r : tensor<%s>\n}\n",
                       kernels[i].type, kernels[i].body, kernels[i].type);
        trial t = in_scope(tsr_buf_text(&text), NULL);
        if (!t.ok || t.looks < kernels[i].least)
            fprintf(stderr, "%s: asked %llu times\n", kernels[i].name, (unsigned long long)t.looks);
        CHECK(u, t.ok && t.looks >= kernels[i].least);
        tsr_buf_free(&text);
    }
}

/* ---- Passes ---- */

/* A chain of ops on a mesh: what is known at its beginning goes through all of it, op by op. Functions call each other. */
static void write_chain(tsr_buf *out, int n)
{
    tsr_buf_cstr(out, "sdy.mesh @mesh = <[\"x\"=2, \"y\"=2]>\n"
                      "func.func @main(%0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, "
                      "[{\"x\"}, {}]>}) -> tensor<8x8xf32> {\n");
    for (int i = 0; i < n; i += 2)
        tsr_buf_printf(out,
                       "  %%%d = stablehlo.dot_general %%%d, %%%d, contracting_dims = [1] x [0] : "
                       "(tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>\n"
                       "  %%%d = stablehlo.sine %%%d : tensor<8x8xf32>\n",
                       i + 1, i, i, i + 2, i + 1);
    tsr_buf_printf(out, "  return %%%d : tensor<8x8xf32>\n}\n", n);
}

static const char *const pipelines[] = {
    "sdy-propagation-pipeline",
    "sdy-basic-propagate",
    "tessera-partition",
    "canonicalize",
    "cse",
    "tessera-simplify",
#ifndef TSR_MINIMAL
    "convert-stablehlo-to-ttir",
#endif
    "tessera-fuse",
};

/* With twice the ops there are about twice the questions, and one at least for a few ops. */
static void test_passes(unit *u)
{
    enum { FEW = 400, MANY = 800, OPS = 64 };
    tsr_buf few = {0}, many = {0};
    write_chain(&few, FEW);
    write_chain(&many, MANY);
    for (size_t i = 0; i < TSR_COUNT(pipelines); i++) {
        trial a = in_scope(tsr_buf_text(&few), pipelines[i]),
              b = in_scope(tsr_buf_text(&many), pipelines[i]);
        bool good = a.ok && b.ok && b.looks >= MANY / OPS && 2 * b.looks >= 3 * a.looks;
        if (!good)
            fprintf(stderr, "%s: %d and %d: asked %llu and %llu times\n", pipelines[i], a.ok, b.ok,
                    (unsigned long long)a.looks, (unsigned long long)b.looks);
        CHECK(u, good);
    }
    tsr_buf_free(&few);
    tsr_buf_free(&many);
}

static void test_find(unit *u)
{
    enum { OPS = 6, LEAST = 40000 };
    tsr_buf text = {0};
    write_chain(&text, OPS);
    trial t = in_scope(tsr_buf_text(&text), "search");
    if (!t.ok || t.looks < LEAST)
        fprintf(stderr, "search: asked %llu times\n", (unsigned long long)t.looks);
    CHECK(u, t.ok && t.looks >= LEAST);
    tsr_buf_free(&text);
}

void test_looks(unit *u)
{
    test_find(u);
    test_kernels(u);
    test_passes(u);
}
