/* SPDX-License-Identifier: Apache-2.0 */
/* contract.c - what docs/API.md promises of all calls: how a status ends, and what NULL gives. */
#include <string.h>

#include "check.h"
#include <tessera/build.h>
#include <tessera/golden.h>

static const char program[] = "func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {\n"
                              "  return %x : tensor<2xf32>\n"
                              "}\n";

/* A status tells how the last call with it ended. */
static void test_status(void)
{
    tsr_status status = {TSR_OK, ""};
    tsr_ctx *ctx = tsr_ctx_new();
    tsr_module *m = tsr_module_parse(ctx, tsr_cstr(program), tsr_cstr("a.mlir"));
    size_t replicas = 0, partitions = 0;
    CHECK(!tsr_tensor_parse(ctx, tsr_cstr("2xf32=1,2,3"), &status) && status.code == TSR_BAD_INPUT);
    CHECK(status.message[0] != 0);
    tsr_tensor *t = tsr_tensor_parse(ctx, tsr_cstr("2xf32=1,2"), &status);
    CHECK(t && status.code == TSR_OK && status.message[0] == 0);

    /* A later failure replaces an earlier one. */
    CHECK(!tsr_tensor_parse(ctx, tsr_cstr("2xf32=1,2,3"), &status));
    tsr_status first = status;
    CHECK(!tsr_module_compile(m, tsr_cstr("none"), NULL, &status));
    CHECK(status.code != TSR_OK && strcmp(first.message, status.message) != 0);

    /* The failure that left no handle is told, not that there is none. */
    tsr_executable *x = tsr_module_compile(m, tsr_cstr("none"), NULL, &status);
    first = status;
    tsr_tensor *out = NULL;
    CHECK(!tsr_executable_run(x, &t, 1, &out, 1, NULL, &status));
    CHECK(strcmp(first.message, status.message) == 0);
    status.code = TSR_OK;
    CHECK(!tsr_executable_run(x, &t, 1, &out, 1, NULL, &status) &&
          strstr(status.message, "NULL") != NULL);

    x = tsr_module_compile(m, tsr_cstr("main"), NULL, &status);
    CHECK(x && status.code == TSR_OK && status.message[0] == 0);
    CHECK(!tsr_executable_run(x, &t, 0, &out, 1, NULL, &status) && status.code == TSR_BAD_INPUT);
    CHECK(tsr_executable_run(x, &t, 1, &out, 1, NULL, &status) && status.code == TSR_OK);
    CHECK(!tsr_mesh_plan_from_json(tsr_cstr("{"), tsr_cstr("p.json"), &status) && status.code);
    CHECK(tsr_module_devices(m, &replicas, &partitions, &status) == (status.code == TSR_OK));
    tsr_tensor_free(out);
    tsr_tensor_free(t);
    tsr_executable_free(x);
    tsr_module_free(m);
    tsr_ctx_free(ctx);
}

static void test_null(void)
{
    tsr_ctx_free(NULL);
    tsr_module_free(NULL);
    tsr_tensor_free(NULL);
    tsr_executable_free(NULL);
    tsr_saved_free(NULL);
    tsr_mesh_plan_free(NULL);
    tsr_goldens_free(NULL);
    tsr_buffer_free(NULL);
    tsr_free(NULL);
    CHECK(!tsr_module_clone(NULL) && !tsr_module_verify(NULL) && !tsr_module_op(NULL));
    CHECK(!tsr_op_num_operands(NULL) && !tsr_op_result(NULL, 0) && !tsr_op_name(NULL).len);
    CHECK(!tsr_tensor_rank(NULL) && !tsr_tensor_dim(NULL, 0) && !tsr_tensor_data(NULL));
    CHECK(!tsr_type_member(NULL, 0) && !tsr_type_context(NULL) && !tsr_attr_item(NULL, 0));
    CHECK(!tsr_module_print(NULL, NULL).data && !tsr_module_bytecode(NULL, -1).data);
    CHECK(!tsr_module_context(NULL) && !tsr_op_module(NULL) && !tsr_op_block(NULL));
    CHECK(!tsr_region_op(NULL) && !tsr_block_region(NULL) && !tsr_value_block(NULL));
    CHECK(!tsr_executable_num_devices(NULL) && !tsr_executable_input_type(NULL, 0));
    CHECK(!tsr_goldens_num_ops(NULL) && !tsr_mesh_plan_num_candidates(NULL));
    CHECK(!tsr_saved_num_inputs(NULL) && !tsr_ctx_checkpoint(NULL));
}

int main(void)
{
    test_status();
    test_null();
    printf("%d passed, %d failed\n", passed, failed);
    return failed ? 1 : 0;
}
