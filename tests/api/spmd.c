/* SPDX-License-Identifier: Apache-2.0 */
/* spmd.c - partitioning and running on virtual devices through the public API. */
#include <stdio.h>
#include <string.h>

#include <tessera/tessera.h>

#include "check.h"

static const char text[] = "module {\n"
                           "  sdy.mesh @mesh = <[\"x\"=2, \"y\"=2]>\n"
                           "  func.func @main(%a: tensor<3x5xi32> {sdy.sharding = "
                           "#sdy.sharding<@mesh, [{\"x\"}, {\"y\"}]>}) -> tensor<3xi32> {\n"
                           "    %init = stablehlo.constant dense<10> : tensor<i32>\n"
                           "    %0 = stablehlo.reduce(%a init: %init) applies stablehlo.add across "
                           "dimensions = [1] : (tensor<3x5xi32>, "
                           "tensor<i32>) -> tensor<3xi32>\n"
                           "    return %0 : tensor<3xi32>\n"
                           "  }\n"
                           "}\n";

static void drop_diag(void *user, const tsr_diag *d)
{
    (void)user;
    (void)d;
}

static const char ttir[] =
    "module attributes {ttcore.meshes = #ttcore.meshes<[<\"mesh\" = 1x2>]>} {\n"
    "  func.func @main(%a: tensor<3x2xi32>) -> tensor<2xi32> {\n"
    "    %0 = \"ttir.sum\"(%a) <{dim_arg = [0 : i32], keep_dim = false}> : (tensor<3x2xi32>) -> "
    "tensor<2xi32>\n"
    "    return %0 : tensor<2xi32>\n"
    "  }\n"
    "}\n";

/* A collective in a function that a manual computation calls. */
static const char manual[] = "module {\n"
                             "  sdy.mesh @mesh = <[\"d\"=2]>\n"
                             "  func.func @main(%a: tensor<2xi32>) -> tensor<2xi32> {\n"
                             "    %0 = sdy.manual_computation(%a) in_shardings=[<@mesh, "
                             "[{\"d\"}]>] out_shardings=[<@mesh, [{\"d\"}]>] "
                             "manual_axes={\"d\"} (%b: tensor<1xi32>) {\n"
                             "      %1 = func.call @turn(%b) : (tensor<1xi32>) -> tensor<1xi32>\n"
                             "      sdy.return %1 : tensor<1xi32>\n"
                             "    } : (tensor<2xi32>) -> tensor<2xi32>\n"
                             "    return %0 : tensor<2xi32>\n"
                             "  }\n"
                             "  func.func private @turn(%a: tensor<1xi32>) -> tensor<1xi32> {\n"
                             "    %0 = \"stablehlo.collective_permute\"(%a) <{channel_handle = "
                             "#stablehlo.channel_handle<handle = 1, type = 1>, "
                             "source_target_pairs = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>}> : "
                             "(tensor<1xi32>) -> tensor<1xi32>\n"
                             "    return %0 : tensor<1xi32>\n"
                             "  }\n"
                             "}\n";

/* A program of one argument and two numbers as its result, on two devices; partitioned before it runs, or not. */
static void check_program(tsr_ctx *ctx, const char *source, const char *input, double first,
                          double second)
{
    tsr_str name = {"main", 4};
    for (int partitioned = 0; partitioned < 2; partitioned++) {
        tsr_status s = {0};
        tsr_module *m = tsr_module_parse(ctx, (tsr_str){source, strlen(source)}, name);
        CHECK(m);
        if (partitioned)
            CHECK(tsr_module_partition(m) && tsr_module_partition(m));
        tsr_tensor *in = tsr_tensor_parse(ctx, (tsr_str){input, strlen(input)}, &s), *out = NULL;
        CHECK(in && tsr_module_eval_spmd(m, name, &in, 1, &out, 1, NULL, &s));
        CHECK(out && tsr_tensor_get(out, 0) == first && tsr_tensor_get(out, 1) == second);
        tsr_tensor_free(out);
        tsr_tensor_free(in);
        tsr_module_free(m);
    }
}

static const char gspmd[] = "func.func @main(%a: tensor<4xi32> {mhlo.sharding = "
                            "\"{devices=[2]<=[2]}\"}) -> tensor<4xi32> {\n"
                            "  %0 = stablehlo.custom_call @SPMDFullToShardShape(%a) {mhlo.sharding "
                            "= \"{manual}\"} : (tensor<4xi32>) -> "
                            "tensor<2xi32>\n"
                            "  %1 = stablehlo.reverse %0, dims = [0] : tensor<2xi32>\n"
                            "  %2 = stablehlo.custom_call @SPMDShardToFullShape(%1) {mhlo.sharding "
                            "= \"{devices=[2]<=[2]}\"} : (tensor<2xi32>) -> "
                            "tensor<4xi32>\n"
                            "  return %2 : tensor<4xi32>\n"
                            "}\n";

/* GSPMD's shardings: each device turns its half round, whether the program is divided or not. */
static void check_gspmd(tsr_ctx *ctx)
{
    tsr_str name = {"main", 4};
    tsr_status s = {0};
    tsr_module *m =
        tsr_module_parse(ctx, (tsr_str){gspmd, sizeof gspmd - 1}, (tsr_str){"gspmd", 5});
    tsr_tensor *in = tsr_tensor_parse(ctx, (tsr_str){"4xi32=1,2,3,4", 13}, &s), *out = NULL;
    CHECK(m && in && tsr_module_eval(m, name, &in, 1, &out, 1, &s));
    CHECK(out && tsr_tensor_get(out, 0) == 2 && tsr_tensor_get(out, 3) == 3);
    tsr_tensor_free(out);
    out = NULL;
    CHECK(m && tsr_module_partition(m));
    tsr_type *local = tsr_module_input_type(m, name, 0);
    CHECK(local && tsr_type_dim(local, 0) == 2);
    CHECK(in && tsr_module_eval_spmd(m, name, &in, 1, &out, 1, NULL, &s));
    CHECK(out && tsr_tensor_get(out, 0) == 2 && tsr_tensor_get(out, 3) == 3);
    tsr_tensor_free(out);
    tsr_tensor_free(in);
    tsr_module_free(m);
}

int main(void)
{
    tsr_ctx *ctx = tsr_ctx_new();
    tsr_ctx_on_diag(ctx, drop_diag, NULL);
    tsr_str source = {text, sizeof text - 1}, name = {"main", 4};
    tsr_module *m = tsr_module_parse(ctx, source, (tsr_str){"spmd", 4});
    CHECK(m && tsr_module_verify(m));
    CHECK(tsr_module_partition(m));
    CHECK(tsr_module_partition(m)); /* once is enough */
    tsr_type *local = tsr_module_input_type(m, name, 0);
    CHECK(local && tsr_type_dim(local, 0) == 2 && tsr_type_dim(local, 1) == 3);
    tsr_status s = {0};
    tsr_tensor *in = tsr_tensor_parse(
                   ctx, (tsr_str){"3x5xi32=1,2,3,4,5,6,7,8,9,10,11,12,13,14,15", 43}, &s),
               *out = NULL;
    CHECK(in && tsr_module_eval_spmd(m, name, &in, 1, &out, 1, NULL, &s));
    CHECK(out && tsr_tensor_rank(out) == 1 && tsr_tensor_dim(out, 0) == 3);
    CHECK(out && tsr_tensor_get(out, 0) == 25 && tsr_tensor_get(out, 1) == 50 &&
          tsr_tensor_get(out, 2) == 75);
    tsr_tensor_free(out);
    out = NULL;
    CHECK(tsr_module_eval(m, name, &in, 1, &out, 1, &s)); /* on its devices, too */
    CHECK(out && tsr_tensor_dim(out, 0) == 3 && tsr_tensor_get(out, 2) == 75);
    tsr_tensor_free(out);
    out = NULL;
    CHECK(!tsr_module_eval_spmd(m, (tsr_str){"other", 5}, &in, 1, &out, 1, NULL, &s) && !out);
    tsr_tensor_free(in);
    tsr_module_free(m);
    check_program(ctx, ttir, "3x2xi32=1,2,3,4,5,6", 9, 12); /* a batch of three */
    check_program(ctx, manual, "2xi32=7,8", 8, 7);
    check_gspmd(ctx);
    tsr_ctx_free(ctx);
    printf("%d passed, %d failed\n", passed, failed);
    return failed != 0;
}
