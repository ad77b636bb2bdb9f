/* SPDX-License-Identifier: Apache-2.0 */
/* program.c - compiled programs through the public API: compiled once, run by several threads on tensors and on the caller's memory,
 * watched, limited, cancelled; what is wrong is refused. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tessera/tessera.h>

#include "check.h"

#define STR(s) ((tsr_str){(s), strlen(s)})
/* A call that fails and says why, in a status that is new: an old failure is not overwritten. */
#define FAILS(call, why) CHECK((memset(&s, 0, sizeof s), !(call)) && strstr(s.message, why))

static const char text[] =
    "func.func @main(%a: tensor<64x32xf32>, %b: tensor<32x16xf32>) -> (tensor<64x16xf32>, "
    "tensor<64xf32>) {\n"
    "  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0]\n"
    "      : (tensor<64x32xf32>, tensor<32x16xf32>) -> tensor<64x16xf32>\n"
    "  %1 = stablehlo.tanh %0 : tensor<64x16xf32>\n"
    "  %z = stablehlo.constant dense<0.0> : tensor<f32>\n"
    "  %2 = stablehlo.reduce(%1 init: %z) applies stablehlo.add across dimensions = [1]\n"
    "      : (tensor<64x16xf32>, tensor<f32>) -> tensor<64xf32>\n"
    "  return %1, %2 : tensor<64x16xf32>, tensor<64xf32>\n"
    "}\n"
    "func.func @same(%a: tensor<4xi32>) -> (tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, "
    "tensor<4xi32>) {\n"
    "  %c = stablehlo.constant dense<[1, 2, 3, 4]> : tensor<4xi32>\n"
    "  %0 = stablehlo.add %a, %c : tensor<4xi32>\n"
    "  return %a, %c, %0, %0 : tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>\n"
    "}\n"
    "func.func @forever(%a: tensor<i32>) -> tensor<i32> {\n"
    "  %w = stablehlo.while(%x = %a) : tensor<i32> cond {\n"
    "    %t = stablehlo.constant dense<true> : tensor<i1>\n"
    "    stablehlo.return %t : tensor<i1>\n"
    "  } do {\n"
    "    %1 = stablehlo.add %x, %x : tensor<i32>\n"
    "    stablehlo.return %1 : tensor<i32>\n"
    "  }\n"
    "  return %w : tensor<i32>\n"
    "}\n"
    "func.func @dynamic(%a: tensor<?xf32>) -> tensor<?xf32> {\n"
    "  %0 = stablehlo.add %a, %a : tensor<?xf32>\n"
    "  return %0 : tensor<?xf32>\n"
    "}\n"
    "func.func @narrow(%a: tensor<1000xbf16>) -> tensor<1000xbf16> {\n"
    "  %0 = stablehlo.multiply %a, %a : tensor<1000xbf16>\n"
    "  %1 = stablehlo.add %0, %a : tensor<1000xbf16>\n"
    "  %2 = stablehlo.multiply %1, %0 : tensor<1000xbf16>\n"
    "  %3 = stablehlo.subtract %2, %a : tensor<1000xbf16>\n"
    "  return %3 : tensor<1000xbf16>\n"
    "}\n"
    "func.func @calls(%a: tensor<2xf32>) -> tensor<2xf32> {\n"
    "  %0 = stablehlo.custom_call @twice(%a) : (tensor<2xf32>) -> tensor<2xf32>\n"
    "  return %0 : tensor<2xf32>\n"
    "}\n"
    "func.func @divide(%a: tensor<2xi32>, %b: tensor<2xi32>) -> tensor<2xi32> {\n"
    "  %0 = stablehlo.divide %a, %b : tensor<2xi32>\n"
    "  return %0 : tensor<2xi32>\n"
    "}\n";

/* Changes an argument in place: the evaluator runs it. */
static const char cache[] =
    "func.func @main(%c: tensor<1x1x4x2xf32>, %x: tensor<1x1x1x2xf32>, %i: tensor<1xi32>)\n"
    "    -> tensor<1x1x4x2xf32> {\n"
    "  \"ttir.update_cache\"(%c, %x, %i) <{batch_offset = 0 : i32}>\n"
    "      : (tensor<1x1x4x2xf32>, tensor<1x1x1x2xf32>, tensor<1xi32>) -> ()\n"
    "  return %c : tensor<1x1x4x2xf32>\n"
    "}\n";
/* A function that is called changes its caller's value: the evaluator runs it. */
static const char called[] =
    "func.func @f(%c: tensor<1x1x4x2xf32>, %x: tensor<1x1x1x2xf32>, %i: tensor<1xi32>) {\n"
    "  \"ttir.update_cache\"(%c, %x, %i) <{batch_offset = 0 : i32}>\n"
    "      : (tensor<1x1x4x2xf32>, tensor<1x1x1x2xf32>, tensor<1xi32>) -> ()\n"
    "  return\n"
    "}\n"
    "func.func @main(%c: tensor<1x1x4x2xf32>, %x: tensor<1x1x1x2xf32>, %i: tensor<1xi32>)\n"
    "    -> tensor<1x1x4x2xf32> {\n"
    "  call @f(%c, %x, %i) : (tensor<1x1x4x2xf32>, tensor<1x1x1x2xf32>, tensor<1xi32>) -> ()\n"
    "  return %c : tensor<1x1x4x2xf32>\n"
    "}\n";

enum { NA = 64 * 32, NB = 32 * 16, N0 = 64 * 16, N1 = 64 };

typedef struct {
    tsr_ctx *ctx;
    tsr_module *m;
    tsr_tensor *in[2], *want[2];
} world;

static bool same_bits(const tsr_tensor *a, const void *data)
{
    return a && memcmp(tsr_tensor_data(a), data, tsr_tensor_size(a)) == 0;
}

static tsr_executable *compile(world *w, const char *function)
{
    tsr_status s = {0};
    tsr_executable *x = tsr_module_compile(w->m, STR(function), NULL, &s);
    CHECK(x != NULL);
    if (!x)
        printf("%s: %s\n", function, s.message);
    return x;
}

/* ---- Several threads ---- */

typedef struct {
    const tsr_executable *x;
    const world *w;
    int bad;
} worker;

static void *work(void *user)
{
    enum { RUNS = 40 };
    worker *t = user;
    float *o0 = malloc(sizeof(float) * N0), *o1 = malloc(sizeof(float) * N1);
    for (int i = 0; i < RUNS; i++) {
        tsr_tensor *out[2];
        tsr_status s = {0};
        if (!tsr_executable_run(t->x, t->w->in, 2, out, 2, NULL, &s) ||
            !same_bits(t->w->want[0], tsr_tensor_data(out[0])) ||
            !same_bits(t->w->want[1], tsr_tensor_data(out[1])))
            t->bad++;
        tsr_tensor_free(out[0]);
        tsr_tensor_free(out[1]);
        tsr_input_buffer in[2] = {{tsr_tensor_data(t->w->in[0]), NA * sizeof(float)},
                                  {tsr_tensor_data(t->w->in[1]), NB * sizeof(float)}};
        tsr_output_buffer to[2] = {{o0, N0 * sizeof(float)}, {o1, N1 * sizeof(float)}};
        memset(o0, 0xff, N0 * sizeof(float));
        memset(o1, 0xff, N1 * sizeof(float));
        if (!tsr_executable_run_buffers(t->x, in, 2, to, 2, NULL, &s) ||
            !same_bits(t->w->want[0], o0) || !same_bits(t->w->want[1], o1))
            t->bad++;
        /* What fails in one run is no other's business. */
        in[0].size--;
        if (tsr_executable_run_buffers(t->x, in, 2, to, 2, NULL, NULL))
            t->bad++;
    }
    free(o0);
    free(o1);
    return NULL;
}

static void test_threads(world *w)
{
    enum { THREADS = 4 };
    tsr_executable *x = compile(w, "main");
    CHECK(tsr_executable_run(x, w->in, 2, w->want, 2, NULL, NULL));
    tsr_tensor *reference[2];
    tsr_comparison c;
    CHECK(tsr_module_eval_with(w->m, STR("main"), w->in, 2, reference, 2,
                               &(tsr_eval_options){.engine = TSR_ENGINE_REFERENCE}, NULL));
    for (int i = 0; i < 2; i++) {
        CHECK(tsr_tensor_compare(w->want[i], reference[i], NULL, &c));
        tsr_tensor_free(reference[i]);
    }
    pthread_t threads[THREADS];
    worker all[THREADS];
    for (int i = 0; i < THREADS; i++) {
        all[i] = (worker){x, w, 0};
        CHECK(pthread_create(&threads[i], NULL, work, &all[i]) == 0);
    }
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
        CHECK(all[i].bad == 0);
    }
    tsr_executable_free(x);
    for (int i = 0; i < 2; i++)
        tsr_tensor_free(w->want[i]);
}

/* ---- What is refused ---- */

static void test_handle(world *w)
{
    tsr_status s = {0};
    tsr_executable *x = compile(w, "main");
    CHECK(tsr_executable_num_inputs(x) == 2 && tsr_executable_num_outputs(x) == 2);
    tsr_str t = tsr_type_print(tsr_executable_output_type(x, 1));
    CHECK(t.len && strncmp(t.data, "tensor<64xf32>", t.len) == 0);
    tsr_free((void *)t.data);
    t = tsr_type_print(tsr_executable_input_type(x, 1));
    CHECK(t.len && strncmp(t.data, "tensor<32x16xf32>", t.len) == 0);
    tsr_free((void *)t.data);
    CHECK(!tsr_executable_input_type(x, 2) && !tsr_executable_output_type(x, 2));
    tsr_memory_use use;
    CHECK(tsr_executable_memory(x, &use) && use.arguments == (NA + NB) * sizeof(float) &&
          use.results == (N0 + N1) * sizeof(float));
    CHECK(use.peak == use.arguments + use.results + use.arena + use.unplanned &&
          use.peak_least <= use.peak);
    tsr_executable_free(x);
    FAILS(tsr_module_compile(w->m, STR("nothing"), NULL, &s), "no function 'nothing'");
    CHECK(strstr(tsr_ctx_last_error(w->ctx)->message, "no function 'nothing'"));
    FAILS(tsr_module_compile(NULL, STR("main"), NULL, &s), "NULL");
    FAILS(tsr_executable_run(NULL, NULL, 0, NULL, 0, NULL, &s), "NULL");
    FAILS(tsr_executable_run_buffers(NULL, NULL, 0, NULL, 0, NULL, &s), "NULL");
    CHECK(!tsr_executable_num_inputs(NULL) && !tsr_executable_num_outputs(NULL) &&
          !tsr_executable_input_type(NULL, 0) && !tsr_executable_output_type(NULL, 0) &&
          !tsr_executable_memory(NULL, &use));
    tsr_executable_free(NULL);
}

/* Both devices get the sum of what they bring: as tensors, and in memory of the caller's. */
static void run_on_devices(world *w, const tsr_executable *x)
{
    static const float data[2][2] = {{1, 2}, {10, 20}};
    static const int64_t dims[] = {2};
    float sums[2][2] = {{0}};
    tsr_status s = {0};
    tsr_tensor *in[2], *out[2] = {0};
    for (int d = 0; d < 2; d++)
        in[d] = tsr_tensor_create(w->ctx, STR("f32"), dims, 1, data[d], &s);
    CHECK(tsr_executable_run(x, in, 2, out, 2, NULL, &s));
    for (int d = 0; d < 2; d++) {
        CHECK(out[d] && tsr_tensor_get(out[d], 0) == 11 && tsr_tensor_get(out[d], 1) == 22);
        tsr_tensor_free(out[d]);
    }
    FAILS(tsr_executable_run(x, in, 1, out, 2, NULL, &s), "2 devices take 2 inputs");
    FAILS(tsr_executable_run(x, in, 2, out, 1, NULL, &s), "there is room for 1");
    tsr_input_buffer from[] = {{data[0], sizeof data[0]}, {data[1], sizeof data[1]}};
    tsr_output_buffer to[] = {{sums[0], sizeof sums[0]}, {sums[1], sizeof sums[1]}};
    CHECK(tsr_executable_run_buffers(x, from, 2, to, 2, NULL, &s) && sums[0][0] == 11 &&
          sums[1][1] == 22);
    for (int d = 0; d < 2; d++)
        tsr_tensor_free(in[d]);
}

static void test_partitioned(world *w)
{
    static const char local[] =
        "module attributes {mhlo.num_partitions = 2 : i32} {\n"
        "func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> {\n"
        "  %0 = \"stablehlo.all_reduce\"(%a) ({\n"
        "  ^bb0(%x: tensor<f32>, %y: tensor<f32>):\n"
        "    %1 = stablehlo.add %x, %y : tensor<f32>\n"
        "    stablehlo.return %1 : tensor<f32>\n"
        "  }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<2xf32>) -> "
        "tensor<2xf32>\n"
        "  return %0 : tensor<2xf32>\n"
        "}}\n";
    tsr_status s = {0};
    tsr_module *m = tsr_module_parse(w->ctx, STR(local), STR("local.mlir"));
    tsr_executable *x = tsr_module_compile(m, STR("main"), NULL, &s);
    CHECK(x && tsr_executable_num_devices(x) == 2 && tsr_executable_num_inputs(x) == 1);
    tsr_module_free(m);
    run_on_devices(w, x);
    tsr_executable_free(x);
}

/* Nothing but the counts tells that it is for several devices: whoever compiles it knows. */
static void test_per_device(world *w)
{
    static const char text_of[] = "module attributes {mhlo.num_replicas = 2 : i32} {\n"
                                  "func.func @main() -> tensor<ui32> {\n"
                                  "  %0 = stablehlo.replica_id : tensor<ui32>\n"
                                  "  return %0 : tensor<ui32>\n"
                                  "}}\n";
    tsr_status s = {0};
    tsr_module *m = tsr_module_parse(w->ctx, STR(text_of), STR("replicas.mlir"));
    tsr_executable *alone = tsr_module_compile(m, STR("main"), NULL, &s);
    CHECK(alone && tsr_executable_num_devices(alone) == 1);
    tsr_executable *x =
        tsr_module_compile(m, STR("main"), &(tsr_compile_options){.per_device = true}, &s);
    CHECK(x && tsr_executable_num_devices(x) == 2);
    tsr_tensor *out[2] = {NULL, NULL};
    CHECK(tsr_executable_run(x, NULL, 0, out, 2, NULL, &s));
    for (uint32_t i = 0; i < 2; i++) {
        CHECK(out[i] && *(const uint32_t *)tsr_tensor_data(out[i]) == i);
        tsr_tensor_free(out[i]);
    }
    tsr_executable_free(alone);
    tsr_executable_free(x);
    tsr_module_free(m);
}

static void test_inputs(world *w)
{
    tsr_executable *x = compile(w, "main");
    tsr_status s = {0};
    tsr_tensor *out[3], *wrong[2] = {w->in[1], w->in[0]}, *none[2] = {w->in[0], NULL};
    FAILS(tsr_executable_run(x, w->in, 1, out, 2, NULL, &s), "provided 1 inputs");
    CHECK(s.code == TSR_BAD_INPUT && strstr(s.message, "m.mlir:1:1: ") && !out[0] && !out[1]);
    FAILS(tsr_executable_run(x, w->in, 2, out, 3, NULL, &s), "there is room for 3");
    FAILS(tsr_executable_run(x, wrong, 2, out, 2, NULL, &s), "invalid input argument type");
    FAILS(tsr_executable_run(x, none, 2, out, 2, NULL, &s), "not given");
    FAILS(tsr_executable_run(x, NULL, 2, out, 2, NULL, &s), "NULL");
    CHECK(tsr_ctx_last_error(w->ctx)->code == TSR_OK ||
          !strstr(tsr_ctx_last_error(w->ctx)->message, "not given"));
    tsr_executable_free(x);
}

static void test_buffers(world *w)
{
    tsr_executable *x = compile(w, "main"), *d = compile(w, "dynamic");
    tsr_status s = {0};
    static float data[2 * (NA + NB)];
    static double aligned[N0 + N1 + 1];
    float *o = (float *)aligned;
    tsr_input_buffer in[2] = {{data, NA * 4}, {data + NA, NB * 4}};
    tsr_output_buffer out[2] = {{o, N0 * 4}, {o + N0, N1 * 4}};
    CHECK(tsr_executable_run_buffers(x, in, 2, out, 2, NULL, &s));
    FAILS(tsr_executable_run_buffers(x, in, 1, out, 2, NULL, &s), "1 and 2 buffers are given");
    FAILS(tsr_executable_run_buffers(x, in, 2, out, 1, NULL, &s), "2 and 1 buffers are given");
    FAILS(tsr_executable_run_buffers(x, NULL, 2, out, 2, NULL, &s), "NULL");
    in[1].size = NB * 4 + 4;
    FAILS(tsr_executable_run_buffers(x, in, 2, out, 2, NULL, &s), "input 1 takes 2048 bytes");
    in[1] = (tsr_input_buffer){NULL, NB * 4};
    FAILS(tsr_executable_run_buffers(x, in, 2, out, 2, NULL, &s), "0 are given");
    in[1] = (tsr_input_buffer){(char *)data + NA * 4 + 2, NB * 4};
    FAILS(tsr_executable_run_buffers(x, in, 2, out, 2, NULL, &s), "input 1 is no multiple of 4");
    in[1] = (tsr_input_buffer){data + NA, NB * 4};
    out[1].size = 8;
    FAILS(tsr_executable_run_buffers(x, in, 2, out, 2, NULL, &s), "output 1 takes 256 bytes");
    out[1] = (tsr_output_buffer){o + N0 - 1, N1 * 4};
    FAILS(tsr_executable_run_buffers(x, in, 2, out, 2, NULL, &s), "output 1 overlaps output 0");
    out[1] = (tsr_output_buffer){data + 1, N1 * 4};
    FAILS(tsr_executable_run_buffers(x, in, 2, out, 2, NULL, &s), "output 1 overlaps input 0");
    out[1] = (tsr_output_buffer){o + N0, N1 * 4};
    CHECK((s = (tsr_status){0}, tsr_executable_run_buffers(x, in, 2, out, 2, NULL, &s)));
    in[0].size = 12;
    FAILS(tsr_executable_run_buffers(d, in, 1, out, 1, NULL, &s), "no size before the run");
    tsr_executable_free(x);
    tsr_executable_free(d);
}

/* Sizes that are known at the run only. */
static void test_dynamic(world *w)
{
    tsr_executable *x = compile(w, "dynamic");
    tsr_status s = {0};
    tsr_tensor *in = tsr_tensor_parse(w->ctx, STR("3xf32=1,2,3"), &s), *out = NULL;
    CHECK(tsr_executable_run(x, &in, 1, &out, 1, NULL, &s) && tsr_tensor_get(out, 2) == 6);
    tsr_tensor_free(in);
    tsr_tensor_free(out);
    tsr_executable_free(x);
}

/* Arguments and constants as results, one value twice; results outlive all but the context. */
static void test_results(world *w)
{
    tsr_executable *x = compile(w, "same");
    tsr_status s = {0};
    tsr_tensor *in = tsr_tensor_parse(w->ctx, STR("4xi32=10,20,30,40"), &s), *out[4];
    int32_t to[4][4] = {{0}}, from[4] = {10, 20, 30, 40};
    tsr_input_buffer give = {from, sizeof from};
    tsr_output_buffer take[4];
    for (int i = 0; i < 4; i++)
        take[i] = (tsr_output_buffer){to[i], sizeof to[i]};
    CHECK(tsr_executable_run(x, &in, 1, out, 4, NULL, &s));
    CHECK(tsr_executable_run_buffers(x, &give, 1, take, 4, NULL, &s));
    tsr_executable_free(x);
    tsr_tensor_free(in);
    for (int i = 0; i < 4; i++)
        CHECK(tsr_tensor_get(out[0], i) == 10 * (i + 1) && tsr_tensor_get(out[1], i) == i + 1 &&
              tsr_tensor_get(out[2], i) == 11 * (i + 1) &&
              tsr_tensor_get(out[3], i) == 11 * (i + 1));
    for (int i = 0; i < 4; i++) {
        CHECK(same_bits(out[i], to[i]));
        tsr_tensor_free(out[i]);
    }
}

static void test_in_place(world *w, const char *source, bool compiled)
{
    tsr_status s = {0};
    tsr_module *m = tsr_module_parse(w->ctx, tsr_cstr(source), STR("cache.mlir"));
    tsr_executable *x = tsr_module_compile(m, STR("main"), NULL, &s);
    tsr_module_free(m);
    CHECK(x != NULL);
    tsr_memory_use use;
    CHECK(tsr_executable_memory(x, &use) == compiled);
    float c[8] = {0}, v[2] = {5, 6}, o[8];
    int32_t at = 1;
    tsr_input_buffer in[3] = {{c, sizeof c}, {v, sizeof v}, {&at, sizeof at}};
    tsr_output_buffer out = {o, sizeof o};
    CHECK(tsr_executable_run_buffers(x, in, 3, &out, 1, NULL, &s));
    CHECK(o[0] == 0 && o[2] == 5 && o[3] == 6 && c[2] == 0);
    tsr_executable_free(x);
}

static void test_strict(world *w)
{
    tsr_status s = {0};
    tsr_executable *x = tsr_module_compile(w->m, STR("narrow"),
                                           &(tsr_compile_options){.strict_rounding = true}, &s);
    tsr_tensor *in = tsr_module_random_input(w->m, STR("narrow"), 0, 3, &s), *a = NULL, *b = NULL;
    CHECK(tsr_executable_run(x, &in, 1, &a, 1, NULL, &s));
    CHECK(tsr_module_eval_with(w->m, STR("narrow"), &in, 1, &b, 1,
                               &(tsr_eval_options){.engine = TSR_ENGINE_REFERENCE}, &s));
    CHECK(same_bits(b, tsr_tensor_data(a)));
    tsr_tensor_free(a);
    tsr_executable_free(x);
    x = compile(w, "narrow"); /* keeps more inside: the flag means something */
    CHECK(tsr_executable_run(x, &in, 1, &a, 1, NULL, &s));
    CHECK(!same_bits(b, tsr_tensor_data(a)));
    tsr_executable_free(x);
    tsr_tensor_free(a);
    tsr_tensor_free(b);
    tsr_tensor_free(in);
}

/* ---- Watching and ending ---- */

typedef struct {
    tsr_ctx *ctx;
    int groups, progress, named, until;
    size_t last, all;
    double sum;
} watched;

static bool observe(void *user, const tsr_group_run *g)
{
    watched *w = user;
    w->groups++;
    w->named += g->kind.len && g->name.len && g->line && g->step < g->nsteps &&
                strncmp(g->file.data, "m.mlir", g->file.len) == 0;
    for (size_t i = 0; i < g->nvalues; i++) {
        w->sum += tsr_tensor_get(g->values[i], 0);
        w->named += g->ops[i] && tsr_op_name(g->ops[i]).len;
        tsr_str t = tsr_tensor_text(g->values[i]); /* calls inside are calls of their own */
        w->named += t.len > 0;
        tsr_free((void *)t.data);
    }
    return w->groups != w->until;
}

static bool progress(void *user, size_t done, size_t all)
{
    watched *w = user;
    w->progress++;
    w->last = done;
    w->all = all;
    if (w->ctx && w->progress == 10)
        tsr_ctx_cancel(w->ctx, true);
    return w->progress != w->until;
}

static void test_watch(world *w)
{
    tsr_executable *x = compile(w, "main"), *f = compile(w, "forever");
    tsr_status s = {0};
    tsr_tensor *out[2], *n = tsr_tensor_parse(w->ctx, STR("i32=1"), &s);
    watched seen = {0};
    tsr_execute_options how = {.progress = progress, .observe = observe, .user = &seen};
    CHECK(tsr_executable_run(x, w->in, 2, out, 2, &how, &s));
    CHECK(seen.groups >= 1 && seen.progress == seen.groups && seen.named > 2 * seen.groups);
    CHECK(seen.last > 0 && seen.last <= seen.all);
    CHECK(seen.sum != 0);
    tsr_tensor_free(out[0]);
    tsr_tensor_free(out[1]);
    seen = (watched){.until = 1};
    FAILS(tsr_executable_run(x, w->in, 2, out, 2, &how, &s), "the caller ended the run");
    CHECK(s.code == TSR_BAD_INPUT && seen.groups == 1 && !out[0] && !out[1]);
    how.observe = NULL;
    seen = (watched){.until = 7};
    FAILS(tsr_executable_run(f, &n, 1, out, 1, &how, &s), "the caller ended the run");
    CHECK(seen.progress == 7 && strstr(s.message, "m.mlir:"));
    seen = (watched){.ctx = w->ctx};
    FAILS(tsr_executable_run(f, &n, 1, out, 1, &how, &s), "cancelled");
    CHECK(s.code == TSR_ENVIRONMENT && strstr(s.message, "m.mlir:"));
    FAILS(tsr_executable_run(f, &n, 1, out, 1, NULL, &s), "cancelled");
    tsr_ctx_cancel(w->ctx, false);
    tsr_executable_free(x);
    tsr_executable_free(f);
    tsr_tensor_free(n);
}

static void test_budget(world *w)
{
    tsr_executable *x = compile(w, "main"), *f = compile(w, "forever");
    tsr_status s = {0};
    tsr_tensor *out[2], *n = tsr_tensor_parse(w->ctx, STR("i32=1"), &s);
    tsr_budget steps = {.max_steps = 1000}, seconds = {.max_seconds = 0.05},
               bytes = {.max_bytes = 2000};
    FAILS(tsr_executable_run(f, &n, 1, out, 1, &(tsr_execute_options){.budget = &steps}, &s),
          "as many ops were evaluated");
    CHECK(s.code == TSR_ENVIRONMENT && strstr(s.message, "m.mlir:"));
    FAILS(tsr_executable_run(f, &n, 1, out, 1, &(tsr_execute_options){.budget = &seconds}, &s),
          "as many seconds");
    FAILS(tsr_executable_run(x, w->in, 2, out, 2, &(tsr_execute_options){.budget = &bytes}, &s),
          "memory");
    CHECK(s.code == TSR_ENVIRONMENT);
    tsr_ctx_set_budget(w->ctx, &steps); /* the context's holds where there is none */
    FAILS(tsr_executable_run(f, &n, 1, out, 1, NULL, &s), "as many ops were evaluated");
    tsr_ctx_set_budget(w->ctx, NULL);
    CHECK((s = (tsr_status){0}, tsr_executable_run(x, w->in, 2, out, 2, NULL, &s)));
    tsr_tensor_free(out[0]);
    tsr_tensor_free(out[1]);
    tsr_executable_free(x);
    tsr_executable_free(f);
    tsr_tensor_free(n);
}

static bool twice(void *user, const tsr_custom_call *call, tsr_status *status)
{
    (void)user, (void)status;
    for (int64_t i = 0; i < tsr_tensor_num_elements(call->in[0]); i++)
        ((float *)call->out_data[0])[i] = 2 * (float)tsr_tensor_get(call->in[0], i);
    return true;
}

static void test_calls(world *w)
{
    tsr_executable *x = compile(w, "calls"), *d = compile(w, "divide");
    tsr_status s = {0};
    tsr_tensor *in = tsr_tensor_parse(w->ctx, STR("2xf32=1.5,4"), &s), *out = NULL;
    CHECK(tsr_executable_run(x, &in, 1, &out, 1, &(tsr_execute_options){.custom_call = twice}, &s));
    CHECK(tsr_tensor_get(out, 0) == 3 && tsr_tensor_get(out, 1) == 8);
    tsr_tensor_free(out);
    FAILS(tsr_executable_run(x, &in, 1, &out, 1, NULL, &s), "twice");
    CHECK(strstr(s.message, "m.mlir:"));
    tsr_tensor_free(in);
    tsr_tensor *two[2] = {tsr_tensor_parse(w->ctx, STR("2xi32=6,7"), NULL),
                          tsr_tensor_parse(w->ctx, STR("2xi32=2,0"), NULL)};
    s = (tsr_status){0};
    CHECK(tsr_executable_run(d, two, 2, &out, 1, NULL, &s) && tsr_tensor_get(out, 1) == -1);
    tsr_tensor_free(out);
    FAILS(tsr_executable_run(d, two, 2, &out, 1,
                             &(tsr_execute_options){.zero_division = TSR_ZERO_ERROR}, &s),
          "zero");
    tsr_tensor_free(two[0]);
    tsr_tensor_free(two[1]);
    tsr_executable_free(x);
    tsr_executable_free(d);
}

int main(void)
{
    world w = {.ctx = tsr_ctx_new()};
    w.m = tsr_module_parse(w.ctx, STR(text), STR("m.mlir"));
    CHECK(w.m != NULL);
    for (size_t i = 0; i < 2; i++)
        w.in[i] = tsr_module_random_input(w.m, STR("main"), i, 7, NULL);
    test_threads(&w);
    test_handle(&w);
    test_partitioned(&w);
    test_per_device(&w);
    test_inputs(&w);
    test_buffers(&w);
    test_dynamic(&w);
    test_results(&w);
    test_in_place(&w, cache, true);
    test_in_place(&w, called, false);
    test_strict(&w);
    test_watch(&w);
    test_budget(&w);
    test_calls(&w);
    for (int i = 0; i < 2; i++)
        tsr_tensor_free(w.in[i]);
    tsr_module_free(w.m);
    tsr_ctx_free(w.ctx);
    printf("%d passed, %d failed\n", passed, failed);
    return failed != 0;
}
