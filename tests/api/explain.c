/* SPDX-License-Identifier: Apache-2.0 */
/* explain.c - what a program communicates for, and HLO text, through the public API. */
#include <stdio.h>
#include <string.h>

#include <tessera/tessera.h>

#include "check.h"

/* The constraint gathers what the product behind it needs divided. */
static const char planted[] =
    "module {\n"
    "  sdy.mesh @mesh = <[\"dp\"=2, \"tp\"=4]>\n"
    "  func.func @main(%x: tensor<2048x1024xf32> {sdy.sharding = #sdy.sharding<@mesh, [{\"dp\"}, "
    "{}]>}, %a: tensor<1024x4096xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {\"tp\"}]>}, "
    "%b: tensor<4096x1024xf32> {sdy.sharding = #sdy.sharding<@mesh, [{\"tp\"}, {}]>}) -> "
    "tensor<2048x1024xf32> {\n"
    "    %0 = stablehlo.dot_general %x, %a, contracting_dims = [1] x [0] : "
    "(tensor<2048x1024xf32>, tensor<1024x4096xf32>) -> tensor<2048x4096xf32>\n"
    "    %1 = sdy.sharding_constraint %0 <@mesh, [{\"dp\"}, {}]> : tensor<2048x4096xf32>\n"
    "    %2 = stablehlo.dot_general %1, %b, contracting_dims = [1] x [0] : "
    "(tensor<2048x4096xf32>, tensor<4096x1024xf32>) -> tensor<2048x1024xf32>\n"
    "    return %2 : tensor<2048x1024xf32>\n"
    "  }\n"
    "}\n";

static const char hlo[] = "HloModule m, num_partitions=4\n"
                          "\n"
                          "add {\n"
                          "  a = f32[] parameter(0)\n"
                          "  b = f32[] parameter(1)\n"
                          "  ROOT c = f32[] add(a, b)\n"
                          "}\n"
                          "\n"
                          "ENTRY main_spmd {\n"
                          "  x = f32[8] parameter(0)\n"
                          "  ROOT y = f32[8] all-reduce(x), channel_id=1, replica_groups={}, "
                          "to_apply=add, metadata={op_name=\"f/sum\" source_file=\"m.py\" "
                          "source_line=3 source_column=5}\n"
                          "}\n";

static bool has(tsr_str text, const char *what)
{
    size_t n = strlen(what);
    for (size_t i = 0; i + n <= text.len; i++)
        if (memcmp(text.data + i, what, n) == 0)
            return true;
    return false;
}

static void check_advice(tsr_ctx *ctx)
{
    tsr_status s = {0};
    tsr_module *m = tsr_module_parse(ctx, tsr_cstr(planted), tsr_cstr("planted.mlir"));
    tsr_explain_options options = {.json = true, .verify = true};
    tsr_str text = tsr_module_explain(m, &options, &s);
    CHECK(text.data && has(text, "\"what\": \"constraint\"") && has(text, "planted.mlir:5:10") &&
          has(text, "\"sharding\": \"P(\\\"dp\\\", \\\"tp\\\")\"") &&
          has(text, "\"instead_of\": \"P(\\\"dp\\\")\"") && has(text, "\"removes\": [0"));
    tsr_free((void *)text.data);
    /* With it there is one collective, and it is no gather. */
    options.apply = 1;
    text = tsr_module_explain(m, &options, &s);
    CHECK(text.data && has(text, "<@mesh, [{\"dp\"}, {\"tp\"}]>"));
    tsr_module *better = tsr_module_parse(ctx, text, tsr_cstr("better.mlir"));
    tsr_free((void *)text.data);
    options = (tsr_explain_options){.json = true};
    text = tsr_module_explain(better, &options, &s);
    CHECK(text.data && has(text, "\"number\": 1,") && !has(text, "all_gather") &&
          has(text, "\"advice\": [],"));
    tsr_free((void *)text.data);
    options.apply = 9;
    options.verify = true;
    CHECK(!tsr_module_explain(m, &options, &s).data && strstr(s.message, "there is no advice 9"));
    CHECK(tsr_module_verify(m)); /* it stays as it is */
    tsr_module_free(better);
    tsr_module_free(m);
}

static void check_hlo(tsr_ctx *ctx)
{
    tsr_status s = {0};
    tsr_module *m = tsr_module_parse(ctx, tsr_cstr(hlo), tsr_cstr("m.hlo"));
    tsr_str text = tsr_module_explain(m, NULL, &s);
    CHECK(text.data && has(text, "m.py:3:5: all_reduce among 4 devices, tensor<8xf32>: 48 B") &&
          has(text, "partitioned by the compiler") && has(text, "f/sum"));
    tsr_free((void *)text.data);
    CHECK(!tsr_module_explain(m, &(tsr_explain_options){.device = tsr_cstr("b")}, &s).data);
    tsr_module_free(m);
    CHECK(!tsr_module_parse(ctx, tsr_cstr("HloModule "), tsr_cstr("none.hlo")));
    CHECK(!tsr_module_explain(NULL, NULL, &s).data);
}

int main(void)
{
    tsr_ctx *ctx = tsr_ctx_new();
    check_advice(ctx);
    check_hlo(ctx);
    tsr_ctx_free(ctx);
    printf("%d passed, %d failed\n", passed, failed);
    return failed != 0;
}
