/* SPDX-License-Identifier: Apache-2.0 */
/* shards.c - partitioned programs run on parts through the public API. */
#include <stdio.h>
#include <string.h>

#include <tessera/tessera.h>

#include "check.h"

static const char text[] =
    "module {\n"
    "  sdy.mesh @mesh = <[\"x\"=2, \"y\"=2]>\n"
    "  func.func @main(%a: tensor<4x6xi32> {sdy.sharding = #sdy.sharding<@mesh, [{\"x\"}, "
    "{\"y\"}]>}, %b: tensor<i32>)\n"
    "      -> (tensor<4xi32> {sdy.sharding = #sdy.sharding<@mesh, [{\"x\"}]>}, tensor<i32>) {\n"
    "    %init = stablehlo.constant dense<10> : tensor<i32>\n"
    "    %0 = stablehlo.reduce(%a init: %init) applies stablehlo.add across dimensions = [1] : "
    "(tensor<4x6xi32>, "
    "tensor<i32>) -> tensor<4xi32>\n"
    "    return %0, %b : tensor<4xi32>, tensor<i32>\n"
    "  }\n"
    "}\n";

static const tsr_str name = {"main", 4};
enum { DEVICES = 4 };

/* Of several functions and no main, all are for the same mesh. */
static void check_several(tsr_ctx *ctx)
{
    size_t replicas = 0, partitions = 0;
    tsr_module *m =
        tsr_module_parse(ctx,
                         tsr_cstr("module attributes {mhlo.num_partitions = 2 : i32} {\n"
                                  "  func.func @a() {\n    return\n  }\n"
                                  "  func.func @b() {\n    return\n  }\n}\n"),
                         tsr_cstr("several.mlir"));
    CHECK(m && tsr_module_devices(m, &replicas, &partitions, NULL) && replicas == 1 &&
          partitions == 2);
    tsr_module_free(m);
    m = tsr_module_parse(ctx, tsr_cstr("module {\n}\n"), tsr_cstr("none.mlir"));
    CHECK(m && !tsr_module_devices(m, &replicas, &partitions, NULL));
    tsr_module_free(m);
}

static void check_placement(tsr_module *m)
{
    tsr_placement p;
    int64_t part[2], parts[2];
    size_t replicas = 0, partitions = 0;
    CHECK(tsr_module_devices(m, &replicas, &partitions, NULL) && replicas == 1 &&
          partitions == DEVICES);
    CHECK(tsr_module_input_placement(m, name, 0, &p) && p.sharding &&
          tsr_type_dim(p.whole, 0) == 4);
    CHECK(tsr_placement_part(&p, 3, part, parts) && part[0] == 1 && part[1] == 1 && parts[0] == 2 &&
          parts[1] == 2);
    CHECK(tsr_placement_part(&p, 1, part, parts) && part[0] == 0 && part[1] == 1);
    CHECK(tsr_placement_partial(&p, 1, part, parts) && part[0] == 0 && parts[0] == 1);
    CHECK(tsr_module_output_placement(m, name, 0, &p) && tsr_type_dim(p.whole, 0) == 4);
    CHECK(tsr_placement_part(&p, 2, part, parts) && part[0] == 1 && parts[0] == 2);
    CHECK(tsr_module_output_placement(m, name, 1, &p) && tsr_type_rank(p.whole) == 0);
    CHECK(tsr_placement_part(&p, 2, part, parts));
    CHECK(!tsr_module_output_placement(m, name, 2, &p) &&
          !tsr_module_input_placement(m, name, 2, &p));
    CHECK(!tsr_module_input_placement(NULL, name, 0, &p) &&
          !tsr_placement_part(NULL, 0, part, parts));
}

/* Each device has a 2x3 part, filled with its number plus one. */
static void check_run(tsr_ctx *ctx, tsr_module *m)
{
    static const int64_t dims[] = {2, 3};
    int32_t data[DEVICES][6];
    tsr_status s = {0};
    tsr_tensor *in[DEVICES][2], *out[DEVICES][2];
    tsr_tensor *const *args[DEVICES];
    tsr_tensor **results[DEVICES];
    for (int d = 0; d < DEVICES; d++) {
        for (int i = 0; i < 6; i++)
            data[d][i] = d + 1;
        in[d][0] = tsr_tensor_view(ctx, tsr_cstr("i32"), dims, 2, data[d], &s);
        in[d][1] = tsr_tensor_parse(ctx, tsr_cstr("i32=7"), &s);
        CHECK(in[d][0] && tsr_tensor_data(in[d][0]) == data[d] && in[d][1]);
        args[d] = in[d];
        results[d] = out[d];
    }
    CHECK(tsr_module_eval_shards(m, name, args, DEVICES, 2, results, 2, NULL, &s));
    for (int d = 0; d < DEVICES; d++) {
        int row = d / 2; /* along x: 3 * (1 + 2) + 10, 3 * (3 + 4) + 10 */
        CHECK(out[d][0] && tsr_tensor_num_elements(out[d][0]) == 2);
        CHECK(out[d][0] && tsr_tensor_get(out[d][0], 1) == (row ? 31 : 19));
        CHECK(out[d][1] &&
              tsr_tensor_data(out[d][1]) == tsr_tensor_data(in[d][1])); /* handed through */
        tsr_tensor_free(out[d][0]);
        tsr_tensor_free(out[d][1]);
    }
    CHECK(!tsr_module_eval_shards(m, name, args, 2, 2, results, 2, NULL, &s) &&
          s.code == TSR_BAD_INPUT && !out[0][0]);
    s = (tsr_status){0};
    CHECK(!tsr_module_eval_shards(m, name, args, DEVICES, 1, results, 2, NULL, &s) &&
          s.code == TSR_BAD_INPUT);
    s = (tsr_status){0};
    tsr_tensor *other = tsr_tensor_parse(ctx, tsr_cstr("4x6xi32=1"), &s), *mine = in[2][0];
    in[2][0] = other; /* a whole value where a part should be */
    CHECK(other && !tsr_module_eval_shards(m, name, args, DEVICES, 2, results, 2, NULL, &s));
    CHECK(strstr(s.message, "device 2") != NULL);
    in[2][0] = mine;
    tsr_tensor_free(other);
    CHECK(!tsr_module_eval_shards(NULL, name, args, DEVICES, 2, results, 2, NULL, NULL));
    CHECK(!tsr_module_eval_shards(m, name, NULL, DEVICES, 2, results, 2, NULL, NULL));
    for (int d = 0; d < DEVICES; d++) {
        tsr_tensor_free(in[d][0]);
        tsr_tensor_free(in[d][1]);
    }
}

/* A program for one device on several: each runs it, on its own input, and stops at its breakpoint; all draw the same
 * random numbers. */
static const char single[] =
    "func.func @main(%a: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {\n"
    "  %0 = stablehlo.add %a, %a : tensor<2xf32>\n"
    "  \"debug.breakpoint\"(%0) : (tensor<2xf32>) -> ()\n"
    "  %lo = stablehlo.constant dense<0.0> : tensor<f32>\n"
    "  %hi = stablehlo.constant dense<1.0> : tensor<f32>\n"
    "  %shape = stablehlo.constant dense<2> : tensor<1xi64>\n"
    "  %r = stablehlo.rng %lo, %hi, %shape, distribution = UNIFORM : (tensor<f32>, tensor<f32>, "
    "tensor<1xi64>) -> tensor<2xf32>\n"
    "  return %0, %r : tensor<2xf32>, tensor<2xf32>\n"
    "}\n";

typedef struct {
    size_t stops, seen; /* how often, and by which devices, a bit each */
    bool on;
} watcher;

static bool count_stop(void *user, const tsr_breakpoint *at)
{
    watcher *w = user;
    w->stops++;
    w->seen |= (size_t)1 << at->device;
    CHECK(tsr_tensor_get(at->value, 0) == 2 * (double)(at->device + 1));
    return w->on;
}

static void check_single(tsr_ctx *ctx)
{
    enum { MOST = 8 };
    static const size_t counts[] = {1, 2, 8};
    tsr_module *m = tsr_module_parse(ctx, tsr_cstr(single), tsr_cstr("single.mlir"));
    tsr_tensor *in[MOST], *out[MOST][2];
    tsr_tensor *const *args[MOST];
    tsr_tensor **results[MOST];
    tsr_status s = {0};
    for (size_t d = 0; d < MOST; d++) {
        const float data[] = {(float)d + 1, 5};
        in[d] = tsr_tensor_create(ctx, tsr_cstr("f32"), (const int64_t[]){2}, 1, data, &s);
        args[d] = &in[d];
        results[d] = out[d];
    }
    for (size_t k = 0; k < 4 * 3; k++) {
        size_t n = counts[k % 3];
        watcher w = {.on = k < 6};
        tsr_eval_options options = {.engine = k % 2 ? TSR_ENGINE_REFERENCE : TSR_ENGINE_COMPILED,
                                    .user = &w,
                                    .breakpoint = count_stop};
        bool ok = tsr_module_eval_shards(m, name, args, n, 1, results, 2, &options, &s);
        CHECK(ok == w.on && w.stops == (w.on ? n : 1)); /* one that ends the run ends it for all */
        CHECK(!ok || w.seen == ((size_t)1 << n) - 1);
        for (size_t d = 0; ok && d < n; d++) {
            CHECK(tsr_tensor_get(out[d][0], 0) == 2 * (double)(d + 1));
            CHECK(tsr_tensor_get(out[d][1], 1) == tsr_tensor_get(out[0][1], 1));
        }
        for (size_t d = 0; ok && d < n; d++) {
            tsr_tensor_free(out[d][0]);
            tsr_tensor_free(out[d][1]);
        }
    }
    for (size_t d = 0; d < MOST; d++)
        tsr_tensor_free(in[d]);
    tsr_module_free(m);
}

/* Programs that say how they are divided run on no other number of devices. */
static void check_refused(tsr_ctx *ctx)
{
    static const struct {
        const char *text, *why;
    } cases[] = {
        {"module attributes {mhlo.num_replicas = 4 : i32} {\n  func.func @main(%a: "
         "tensor<2xf32>) -> tensor<2xf32> {\n    return %a : tensor<2xf32>\n  }\n}\n",
         "the program is for 4 devices, not for 2"},
        {"module {\n  sdy.mesh @mesh = <[\"x\"=2]>\n  func.func @main(%a: tensor<2xf32> "
         "{sdy.sharding = #sdy.sharding<@mesh, [{\"x\"}]>}) -> tensor<2xf32> {\n    return %a : "
         "tensor<2xf32>\n  }\n}\n",
         "says how it is divided among devices: 2 of them"},
        {"module {\n  func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> {\n"
         "    %0 = \"stablehlo.all_reduce\"(%a) <{replica_groups = dense<[[0]]> : "
         "tensor<1x1xi64>}> ({\n    ^bb0(%x: tensor<f32>, %y: tensor<f32>):\n"
         "      %s = stablehlo.add %x, %y : tensor<f32>\n      stablehlo.return %s : "
         "tensor<f32>\n    }) : (tensor<2xf32>) -> tensor<2xf32>\n"
         "    return %0 : tensor<2xf32>\n  }\n}\n",
         "says how it is divided among devices: 2 of them"},
        {"module attributes {ttcore.meshes = #ttcore.meshes<[<\"mesh\" = 1x4>]>} {\n"
         "  func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> {\n    %0 = \"ttir.abs\"(%a) : "
         "(tensor<2xf32>) -> tensor<2xf32>\n    return %0 : tensor<2xf32>\n  }\n}\n",
         "says how it is divided among devices: 2 of them"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        tsr_module *m = tsr_module_parse(ctx, tsr_cstr(cases[i].text), tsr_cstr("refused.mlir"));
        tsr_status s = {0};
        tsr_tensor *in = tsr_tensor_parse(ctx, tsr_cstr("2xf32=1"), &s), *out[2] = {0};
        tsr_tensor *const *args[2] = {&in, &in};
        tsr_tensor **results[2] = {&out[0], &out[1]};
        CHECK(m && in && !tsr_module_eval_shards(m, name, args, 2, 1, results, 1, NULL, &s));
        CHECK(s.code == TSR_BAD_INPUT && strstr(s.message, cases[i].why));
        tsr_tensor_free(in);
        tsr_module_free(m);
    }
}

static const char partial[] =
    "module {\n"
    "  sdy.mesh @mesh = <[\"x\"=2, \"y\"=2]>\n"
    "  func.func @main(%a: tensor<4xi32> {sdy.sharding = #sdy.sharding<@mesh, [{}], "
    "unreduced={\"y\"}>})\n"
    "      -> (tensor<4xi32> {sdy.sharding = #sdy.sharding<@mesh, [{}], unreduced={\"y\"}>}) {\n"
    "    return %a : tensor<4xi32>\n"
    "  }\n"
    "}\n";

static void check_partial(tsr_ctx *ctx)
{
    tsr_placement p;
    int64_t part, parts;
    tsr_module *m = tsr_module_parse(ctx, tsr_cstr(partial), tsr_cstr("partial"));
    CHECK(m && tsr_module_partition(m) && tsr_module_output_placement(m, name, 0, &p));
    CHECK(m && tsr_placement_partial(&p, 3, &part, &parts) && part == 1 && parts == 2);
    CHECK(m && tsr_placement_partial(&p, 2, &part, &parts) && part == 0);
    if (m)
        tsr_module_free(m);
}

/* A target of the caller's: adds the number of its configuration. */
static const char custom[] = "func.func @main(%a: tensor<2xi32>) -> tensor<2xi32> {\n"
                             "  %0 = stablehlo.custom_call @mine(%a) {mhlo.backend_config = {id = "
                             "5 : i64}, api_version = 4 : i32} : (tensor<2xi32>) -> "
                             "tensor<2xi32>\n"
                             "  return %0 : tensor<2xi32>\n"
                             "}\n";

static bool mine(void *user, const tsr_custom_call *call, tsr_status *status)
{
    tsr_str config = tsr_attr_print(call->config);
    bool known =
        call->target.len == 4 && call->nin == 1 && call->nout == 1 && strstr(config.data, "id = 5");
    tsr_free((void *)config.data);
    if (!known || !*(int *)user) {
        status->code = TSR_BAD_INPUT;
        strcpy(status->message, "not today");
        return false;
    }
    const int32_t *in = tsr_tensor_data(call->in[0]);
    int32_t *out = call->out_data[0];
    for (int i = 0; i < 2; i++)
        out[i] = in[i] + 5;
    return true;
}

static void check_custom_call(tsr_ctx *ctx)
{
    int willing = 1;
    tsr_status s = {0};
    tsr_eval_options options = {.custom_call = mine, .user = &willing};
    tsr_module *m = tsr_module_parse(ctx, tsr_cstr(custom), tsr_cstr("custom"));
    tsr_tensor *in = tsr_tensor_parse(ctx, tsr_cstr("2xi32=1,2"), &s), *out = NULL;
    CHECK(m && in && tsr_module_eval_with(m, name, &in, 1, &out, 1, &options, &s));
    CHECK(out && tsr_tensor_get(out, 0) == 6 && tsr_tensor_get(out, 1) == 7);
    tsr_tensor_free(out);
    willing = 0;
    CHECK(!tsr_module_eval_with(m, name, &in, 1, &out, 1, &options, &s) &&
          strstr(s.message, "not today"));
    s = (tsr_status){0};
    CHECK(!tsr_module_eval(m, name, &in, 1, &out, 1, &s) && strstr(s.message, "@mine"));
    tsr_tensor_free(in);
    if (m)
        tsr_module_free(m);
}

static void drop_diag(void *user, const tsr_diag *d)
{
    (void)user;
    (void)d;
}

int main(void)
{
    tsr_ctx *ctx = tsr_ctx_new();
    tsr_ctx_on_diag(ctx, drop_diag, NULL);
    tsr_module *m = tsr_module_parse(ctx, tsr_cstr(text), tsr_cstr("shards"));
    CHECK(m && tsr_module_partition(m));
    if (m) {
        check_several(ctx);
        check_placement(m);
        check_run(ctx, m);
        tsr_module_free(m);
    }
    check_partial(ctx);
    check_single(ctx);
    check_refused(ctx);
    check_custom_call(ctx);
    CHECK(!tsr_tensor_view(ctx, tsr_cstr("i32"), NULL, 0, NULL, NULL));
    tsr_ctx_free(ctx);
    printf("%d passed, %d failed\n", passed, failed);
    return failed != 0;
}
