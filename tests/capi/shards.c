/* shards.c - partitioned programs run on parts through the public API. */
#include <stdio.h>
#include <string.h>

#include <tessera/tessera.h>

#include "check.h"

static const char text[] =
    "module {\n"
    "  sdy.mesh @mesh = <[\"x\"=2, \"y\"=2]>\n"
    "  func.func @main(%a: tensor<4x6xi32> {sdy.sharding = #sdy.sharding<@mesh, [{\"x\"}, {\"y\"}]>}, %b: tensor<i32>)\n"
    "      -> (tensor<4xi32> {sdy.sharding = #sdy.sharding<@mesh, [{\"x\"}]>}, tensor<i32>) {\n"
    "    %init = stablehlo.constant dense<10> : tensor<i32>\n"
    "    %0 = stablehlo.reduce(%a init: %init) applies stablehlo.add across dimensions = [1] : (tensor<4x6xi32>, "
    "tensor<i32>) -> tensor<4xi32>\n"
    "    return %0, %b : tensor<4xi32>, tensor<i32>\n"
    "  }\n"
    "}\n";

static const tsr_str name = {"main", 4};
enum { DEVICES = 4 };

static void check_placement(tsr_module *m)
{
    tsr_placement p;
    int64_t part[2], parts[2];
    size_t replicas = 0, partitions = 0;
    CHECK(tsr_module_devices(m, &replicas, &partitions, NULL) && replicas == 1 && partitions == DEVICES);
    CHECK(tsr_module_input_placement(m, name, 0, &p) && p.sharding && tsr_type_dim(p.whole, 0) == 4);
    CHECK(tsr_placement_part(&p, 3, part, parts) && part[0] == 1 && part[1] == 1 && parts[0] == 2 && parts[1] == 2);
    CHECK(tsr_placement_part(&p, 1, part, parts) && part[0] == 0 && part[1] == 1);
    CHECK(tsr_module_output_placement(m, name, 0, &p) && tsr_type_dim(p.whole, 0) == 4);
    CHECK(tsr_placement_part(&p, 2, part, parts) && part[0] == 1 && parts[0] == 2);
    CHECK(tsr_module_output_placement(m, name, 1, &p) && tsr_type_rank(p.whole) == 0);
    CHECK(tsr_placement_part(&p, 2, part, parts));
    CHECK(!tsr_module_output_placement(m, name, 2, &p) && !tsr_module_input_placement(m, name, 2, &p));
    CHECK(!tsr_module_input_placement(NULL, name, 0, &p) && !tsr_placement_part(NULL, 0, part, parts));
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
        CHECK(out[d][1] && tsr_tensor_data(out[d][1]) == tsr_tensor_data(in[d][1])); /* handed through */
        tsr_tensor_free(out[d][0]);
        tsr_tensor_free(out[d][1]);
    }
    CHECK(!tsr_module_eval_shards(m, name, args, 2, 2, results, 2, NULL, &s) && s.code == TSR_BAD_INPUT && !out[0][0]);
    s = (tsr_status){0};
    CHECK(!tsr_module_eval_shards(m, name, args, DEVICES, 1, results, 2, NULL, &s) && s.code == TSR_BAD_INPUT);
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
        check_placement(m);
        check_run(ctx, m);
        tsr_module_free(m);
    }
    CHECK(!tsr_tensor_view(ctx, tsr_cstr("i32"), NULL, 0, NULL, NULL));
    tsr_ctx_free(ctx);
    printf("%d passed, %d failed\n", passed, failed);
    return failed != 0;
}
