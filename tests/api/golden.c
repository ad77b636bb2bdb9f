/* SPDX-License-Identifier: Apache-2.0 */
/* golden.c - goldens through the C API: values, what is given, checks, bypass, files, devices, one op alone. */
#include <string.h>

#include <tessera/build.h>
#include <tessera/golden.h>

#include "check.h"

#define STR(s) ((tsr_str){(s), strlen(s)})

static const char program[] =
    "func.func private @inner(%x: tensor<4xf32>) -> tensor<4xf32> {\n"
    "  %0 = stablehlo.negate %x : tensor<4xf32>\n"
    "  return %0 : tensor<4xf32>\n"
    "}\n"
    "func.func @main(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {\n"
    "  %0 = call @inner(%x) : (tensor<4xf32>) -> tensor<4xf32>\n"
    "  %1 = stablehlo.add %0, %y : tensor<4xf32>\n"
    "  %2 = stablehlo.multiply %1, %1 : tensor<4xf32>\n"
    "  return %2 : tensor<4xf32>\n"
    "}\n";

static const char meshed[] =
    "module attributes {mhlo.num_partitions = 2 : i32} {\n"
    "  func.func @main(%x: tensor<2xi32>) -> tensor<4xi32> {\n"
    "    %id = stablehlo.partition_id : tensor<ui32>\n"
    "    %i = stablehlo.convert %id : (tensor<ui32>) -> tensor<i32>\n"
    "    %b = stablehlo.broadcast_in_dim %i, dims = [] : (tensor<i32>) -> tensor<2xi32>\n"
    "    %0 = stablehlo.add %x, %b : tensor<2xi32>\n"
    "    %1 = \"stablehlo.all_gather\"(%0) <{all_gather_dim = 0 : i64, channel_handle = "
    "#stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1]]> : "
    "tensor<1x2xi64>, use_global_device_ids}> : (tensor<2xi32>) -> tensor<4xi32>\n"
    "    return %1 : tensor<4xi32>\n"
    "  }\n"
    "}\n";

typedef struct {
    tsr_ctx *ctx;
    tsr_module *m;
    tsr_goldens *g;
    tsr_status status;
} world;

static void open_world(world *w, const char *text, const tsr_golden_options *options)
{
    *w = (world){.ctx = tsr_ctx_new()};
    w->m = tsr_module_parse(w->ctx, STR(text), STR("test.mlir"));
    w->g = tsr_goldens_new(w->m, STR("main"), options, &w->status);
    CHECK(w->g != NULL);
}

static void close_world(world *w)
{
    tsr_goldens_free(w->g);
    tsr_module_free(w->m);
    tsr_ctx_free(w->ctx);
}

static tsr_tensor *tensor(world *w, const float *data)
{
    return tsr_tensor_create(w->ctx, STR("f32"), (const int64_t[]){4}, 1, data, &w->status);
}

/* Result of op number i of the function main of the first module. */
static tsr_value *value(world *w, size_t i)
{
    tsr_op *op = tsr_block_first_op(
        tsr_region_first_block(tsr_op_region(tsr_module_lookup(w->m, STR("main")), 0)));
    while (i--)
        op = tsr_op_next(op);
    return tsr_op_result(op, 0);
}

static bool is(tsr_tensor *t, const double *want, int64_t n)
{
    bool same = t && tsr_tensor_num_elements(t) == n;
    for (int64_t i = 0; same && i < n; i++)
        same = tsr_tensor_get(t, i) == want[i];
    tsr_tensor_free(t);
    return same;
}

static bool checks(world *w, const tsr_golden_check_options *options, const char *says)
{
    tsr_golden_report report;
    bool ok = tsr_goldens_check(w->g, options, &report, &w->status);
    CHECK(ok && strstr(report.table.data, says) && strstr(report.json.data, "\"ops\": ["));
    bool pass = ok && report.pass;
    tsr_free((void *)report.table.data);
    tsr_free((void *)report.json.data);
    return pass;
}

static void test_values(const tsr_golden_options *options)
{
    world w;
    open_world(&w, program, options);
    CHECK(tsr_goldens_num_devices(w.g) == 1 && tsr_goldens_num_inputs(w.g) == 2 &&
          tsr_goldens_num_ops(w.g) == 3);
    tsr_golden_op op;
    CHECK(tsr_goldens_op(w.g, 0, &op) && op.line == 2 && op.nresult == 1 &&
          !strncmp(op.name.data, "stablehlo.negate", op.name.len) &&
          !strncmp(op.function.data, "inner", op.function.len));
    CHECK(!tsr_goldens_op(w.g, 3, &op));
    tsr_tensor *x = tensor(&w, (const float[]){1, 2, 3, 4}),
               *y = tensor(&w, (const float[]){2, 2, 2, 2});
    CHECK(tsr_goldens_set_input(w.g, 0, x, &w.status) &&
          tsr_goldens_set_input(w.g, 1, y, &w.status));
    CHECK(is(tsr_goldens_result(w.g, 0, 0, 0, &w.status), (const double[]){-1, -2, -3, -4}, 4));
    CHECK(is(tsr_goldens_get(w.g, value(&w, 1), 0, &w.status), (const double[]){1, 0, -1, -2}, 4));
    CHECK(is(tsr_goldens_get(w.g, value(&w, 2), 0, &w.status), (const double[]){1, 0, 1, 4}, 4));
    CHECK(checks(&w, NULL, "all values are good"));
    CHECK(checks(&w, &(tsr_golden_check_options){.engine = TSR_ENGINE_REFERENCE}, "@inner"));
    CHECK(checks(&w, &(tsr_golden_check_options){.graph_only = true}, "result #0"));
    /* Another golden goes on from there, and is off; with a bypass the engine goes on from it, too. */
    CHECK(tsr_goldens_set(w.g, value(&w, 1), TSR_ALL_DEVICES, y, &w.status));
    CHECK(is(tsr_goldens_get(w.g, value(&w, 2), 0, &w.status), (const double[]){4, 4, 4, 4}, 4));
    CHECK(!checks(&w, NULL, "the first that is off: stablehlo.add at test.mlir:7:8"));
    CHECK(tsr_goldens_bypass(w.g, value(&w, 1), true, &w.status));
    CHECK(checks(&w, NULL, "FAIL, bypassed"));
    tsr_tensor_free(x);
    tsr_tensor_free(y);
    close_world(&w);
}

static void test_split(void)
{
    world w;
    open_world(&w, program, NULL);
    for (size_t i = 0; i < 3; i++) {
        world one = {.ctx = w.ctx};
        one.m = tsr_goldens_split(w.g, i, &one.g, &w.status);
        CHECK(one.m && tsr_module_verify(one.m) && tsr_goldens_num_ops(one.g) == 1);
        CHECK(checks(&one, NULL, "all values are good"));
        tsr_tensor *a = tsr_goldens_result(w.g, i, 0, 0, &w.status),
                   *b = tsr_goldens_result(one.g, 0, 0, 0, &w.status);
        tsr_comparison c;
        CHECK(tsr_tensor_compare(a, b, NULL, &c) && c.exact);
        tsr_tensor_free(a);
        tsr_tensor_free(b);
        tsr_goldens_free(one.g);
        tsr_module_free(one.m);
    }
    tsr_goldens *none;
    CHECK(!tsr_goldens_split(w.g, 3, &none, &w.status) && !none && w.status.code == TSR_BAD_INPUT);
    close_world(&w);
}

/* Edits and passes change numbers of ops and of arguments, not what a value's golden is. */
static void test_edited(void)
{
    static const char text[] =
        "func.func @main(%u: tensor<4xf32>, %x: tensor<4xf32>) -> tensor<4xf32> {\n"
        "  %0 = stablehlo.add %u, %u : tensor<4xf32>\n"
        "  %1 = stablehlo.add %x, %x : tensor<4xf32>\n"
        "  %2 = stablehlo.multiply %1, %x : tensor<4xf32>\n"
        "  return %2 : tensor<4xf32>\n"
        "}\n";
    static const float x[] = {1, 2, 3, 4};
    static const double sum[] = {2, 4, 6, 8}, product[] = {2, 8, 18, 32}, given[] = {1, 2, 3, 4};
    world w;
    open_world(&w, text, NULL);
    tsr_tensor *t = tensor(&w, x);
    CHECK(tsr_goldens_set_input(w.g, 1, t, &w.status));
    tsr_tensor_free(t);
    tsr_block *body = tsr_region_first_block(tsr_op_region(tsr_module_lookup(w.m, STR("main")), 0));
    tsr_op *dead = tsr_block_first_op(body), *add = tsr_op_next(dead), *mul = tsr_op_next(add);
    tsr_value *arg = tsr_block_arg(body, 1);
    CHECK(tsr_edit_erase(dead, &w.status) && tsr_edit_erase_arg(body, 0, &w.status));
    tsr_op_spec spec = {.name = STR("stablehlo.tanh"), .operands = &arg, .noperand = 1};
    tsr_op *made = tsr_create_op(body, add, &spec, &w.status);
    CHECK(made &&
          tsr_edit_attr(tsr_module_lookup(w.m, STR("main")), STR("function_type"),
                        tsr_attr_parse(w.ctx, STR("(tensor<4xf32>) -> tensor<4xf32>")), &w.status));
    CHECK(tsr_module_run(w.m, STR("sdy-propagation-pipeline")));
    CHECK(is(tsr_goldens_get(w.g, tsr_op_result(add, 0), 0, &w.status), sum, 4));
    CHECK(is(tsr_goldens_get(w.g, tsr_op_result(mul, 0), 0, &w.status), product, 4));
    CHECK(is(tsr_goldens_get(w.g, arg, 0, &w.status), given, 4));
    CHECK(!tsr_goldens_get(w.g, tsr_op_result(made, 0), 0, &w.status));
    close_world(&w);
}

static void test_devices(void)
{
    world w;
    open_world(&w, meshed, NULL);
    CHECK(tsr_goldens_num_devices(w.g) == 2);
    tsr_tensor *x = tsr_tensor_create(w.ctx, STR("i32"), (const int64_t[]){2}, 1,
                                      (const int32_t[]){5, 7}, &w.status);
    CHECK(tsr_goldens_set_input(w.g, 0, x, &w.status));
    CHECK(is(tsr_goldens_get(w.g, value(&w, 3), 0, &w.status), (const double[]){5, 7}, 2));
    CHECK(is(tsr_goldens_get(w.g, value(&w, 3), 1, &w.status), (const double[]){6, 8}, 2));
    CHECK(is(tsr_goldens_get(w.g, value(&w, 4), 1, &w.status), (const double[]){5, 7, 6, 8}, 4));
    CHECK(checks(&w, NULL, "stablehlo.all_gather @1"));
    CHECK(tsr_goldens_set(w.g, value(&w, 3), 1, x, &w.status));
    CHECK(is(tsr_goldens_get(w.g, value(&w, 4), 0, &w.status), (const double[]){5, 7, 5, 7}, 4));
    CHECK(!checks(&w, NULL, "the first that is off: stablehlo.add"));
    CHECK(!tsr_goldens_get(w.g, value(&w, 4), 2, &w.status));
    tsr_tensor_free(x);
    close_world(&w);
}

static bool count(void *user, size_t done, size_t all)
{
    size_t *seen = user;
    *seen += done <= all;
    return *seen < 5;
}

static void test_refusals(void)
{
    world w, other;
    size_t seen = 0;
    open_world(&w, program, &(tsr_golden_options){.progress = count, .user = &seen});
    open_world(&other, program, NULL);
    tsr_tensor *x = tsr_tensor_create(w.ctx, STR("f32"), (const int64_t[]){3}, 1, NULL, &w.status);
    CHECK(!tsr_goldens_set_input(w.g, 0, x, &w.status) &&
          strstr(w.status.message, "tensor<4xf32>"));
    CHECK(!tsr_goldens_set_input(w.g, 2, x, NULL) &&
          !tsr_goldens_set(w.g, value(&w, 1), 0, x, NULL));
    CHECK(!tsr_goldens_get(w.g, value(&other, 1), 0, NULL) && seen == 3);
    CHECK(!tsr_goldens_new(w.m, STR("none"), NULL, NULL));
    tsr_golden_report report;
    w.status.code = TSR_OK;
    CHECK(!tsr_goldens_check(w.g, &(tsr_golden_check_options){.progress = count, .user = &seen},
                             &report, &w.status) &&
          strstr(w.status.message, "ended") && !report.table.data);
    CHECK(tsr_goldens_check(w.g, NULL, &report, NULL) && report.pass);
    tsr_free((void *)report.table.data);
    tsr_free((void *)report.json.data);
    tsr_tensor_free(x);
    close_world(&other);
    close_world(&w);
}

int main(void)
{
    test_values(NULL);
    test_values(&(tsr_golden_options){.max_bytes = 20, .folder = "."});
    test_split();
    test_edited();
    test_devices();
    test_refusals();
    printf("%d passed, %d failed\n", passed, failed);
    return failed != 0;
}
