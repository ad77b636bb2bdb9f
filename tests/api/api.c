/* SPDX-License-Identifier: Apache-2.0 */
/* api.c - the public API as users call it: parse, print, run, walk, look up, diagnostics, checkpoints, errors.
 * Compiled as C and as C++. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tessera/code.h>
#include <tessera/tessera.h>

#include "check.h"

/* ---- Diagnostics, kept ---- */

typedef struct {
    int n;
    tsr_severity severity;
    unsigned line, col;
    char message[256], source[256], file[64];
} log_t;

static void copy(char *to, size_t size, tsr_str s)
{
    size_t n = s.len < size - 1 ? s.len : size - 1;
    if (n)
        memcpy(to, s.data, n);
    to[n] = 0;
}

static void keep(void *user, const tsr_diag *d)
{
    log_t *l = (log_t *)user;
    if (l->n++ > 0)
        return; /* the first one is looked at */
    l->severity = d->severity;
    l->line = d->line;
    l->col = d->col;
    copy(l->message, sizeof l->message, d->message);
    copy(l->source, sizeof l->source, d->source);
    copy(l->file, sizeof l->file, d->file);
}

static bool prints_as(tsr_module *m, const tsr_print_options *options, const char *want)
{
    tsr_str text = tsr_module_print(m, options);
    bool same = text.len == strlen(want) && memcmp(text.data, want, text.len) == 0;
    if (!same)
        printf("printed:\n%.*swanted:\n%s", (int)text.len, text.data, want);
    tsr_free((void *)text.data);
    return same;
}

static bool is(tsr_str s, const char *want)
{
    return s.len == strlen(want) && memcmp(s.data, want, s.len) == 0;
}

static const char add_text[] =
    "module @m {\n"
    "  func.func @main(%arg0: tensor<2x?xf32>, %arg1: tensor<2x?xf32>) -> tensor<2x?xf32> {\n"
    "    %0 = stablehlo.add %arg0, %arg1 : tensor<2x?xf32>\n"
    "    %1 = stablehlo.add %arg0, %arg1 : tensor<2x?xf32>\n"
    "    %2 = stablehlo.multiply %0, %1 : tensor<2x?xf32>\n"
    "    return %2 : tensor<2x?xf32>\n"
    "  }\n"
    "}\n";

static const char cse_text[] =
    "module @m {\n"
    "  func.func @main(%arg0: tensor<2x?xf32>, %arg1: tensor<2x?xf32>) -> tensor<2x?xf32> {\n"
    "    %0 = stablehlo.add %arg0, %arg1 : tensor<2x?xf32>\n"
    "    %1 = stablehlo.multiply %0, %0 : tensor<2x?xf32>\n"
    "    return %1 : tensor<2x?xf32>\n"
    "  }\n"
    "}\n";

static void test_parse_print_run(void)
{
    tsr_ctx *ctx = tsr_ctx_new();
    log_t log;
    memset(&log, 0, sizeof log);
    tsr_ctx_on_diag(ctx, keep, &log);
    tsr_module *m = tsr_module_parse(ctx, tsr_cstr(add_text), tsr_cstr("add.mlir"));
    CHECK(m != NULL);
    CHECK(log.n == 0);
    CHECK(prints_as(m, NULL, add_text));
    CHECK(tsr_module_verify(m));
    tsr_module *copy_of = tsr_module_clone(m);
    CHECK(tsr_module_run(m, tsr_cstr("cse")));
    CHECK(prints_as(m, NULL, cse_text));
    CHECK(prints_as(copy_of, NULL, add_text));
    CHECK(tsr_module_run(
        copy_of,
        tsr_cstr("builtin.module(func.func(cse,canonicalize{max-iterations=2}),symbol-dce)")));
    CHECK(prints_as(copy_of, NULL, cse_text));
    CHECK(tsr_module_run(copy_of, tsr_cstr("")));
    tsr_print_options options;
    memset(&options, 0, sizeof options);
    options.generic = true;
    tsr_str generic = tsr_module_print(m, &options);
    CHECK(generic.len > 16 && memcmp(generic.data, "\"builtin.module\"", 16) == 0);
    tsr_free((void *)generic.data);
    tsr_module_free(copy_of);
    tsr_module_free(m);
    tsr_ctx_free(ctx);
}

static bool count(void *user, tsr_op *op)
{
    (void)op;
    return ++*(int *)user < 4; /* stops at the fourth */
}

static void test_walk(void)
{
    tsr_ctx *ctx = tsr_ctx_new();
    tsr_module *m = tsr_module_parse(ctx, tsr_cstr(add_text), tsr_cstr("add.mlir"));
    CHECK(m != NULL);
    tsr_op *module = tsr_module_op(m);
    CHECK(is(tsr_op_name(module), "builtin.module"));
    tsr_op *f = tsr_module_lookup(m, tsr_cstr("main"));
    CHECK(f != NULL);
    CHECK(tsr_module_lookup(m, tsr_cstr("other")) == NULL);
    CHECK(tsr_op_parent(f) == module);
    CHECK(tsr_op_num_regions(f) == 1);
    tsr_block *entry = tsr_region_first_block(tsr_op_region(f, 0));
    CHECK(tsr_block_num_args(entry) == 2);
    CHECK(tsr_block_next(entry) == NULL);
    tsr_op *add = tsr_block_first_op(entry);
    CHECK(is(tsr_op_name(add), "stablehlo.add"));
    CHECK(tsr_op_num_operands(add) == 2 && tsr_op_num_results(add) == 1);
    CHECK(tsr_op_operand(add, 1) == tsr_block_arg(entry, 1));
    CHECK(tsr_value_def(tsr_op_operand(add, 0)) == NULL);
    CHECK(tsr_value_def(tsr_op_result(add, 0)) == add);
    CHECK(tsr_value_num_uses(tsr_block_arg(entry, 0)) == 2);
    CHECK(is(tsr_op_name(tsr_op_next(add)), "stablehlo.add"));
    tsr_attr *name = tsr_op_attr(f, tsr_cstr("sym_name"));
    tsr_str text = tsr_attr_print(name);
    CHECK(is(text, "\"main\""));
    tsr_free((void *)text.data);
    CHECK(tsr_op_attr(f, tsr_cstr("nothing")) == NULL);
    int n = 0;
    CHECK(!tsr_op_walk(module, count, &n));
    CHECK(n == 4);
    tsr_module_free(m);
    tsr_ctx_free(ctx);
}

static void test_types(void)
{
    tsr_ctx *ctx = tsr_ctx_new();
    tsr_type *t = tsr_type_parse(ctx, tsr_cstr("tensor<2x?xf32>"));
    CHECK(t != NULL);
    CHECK(t == tsr_type_parse(ctx, tsr_cstr("tensor<2 x ? x f32>")) ||
          t == tsr_type_parse(ctx, tsr_cstr("tensor<2x?xf32>")));
    CHECK(tsr_type_is_tensor(t) && tsr_type_is_ranked(t) && tsr_type_rank(t) == 2);
    CHECK(tsr_type_dim(t, 0) == 2 && tsr_type_dim(t, 1) == TSR_DYNAMIC);
    CHECK(tsr_type_element(t) == tsr_type_parse(ctx, tsr_cstr("f32")));
    tsr_str text = tsr_type_print(t);
    CHECK(is(text, "tensor<2x?xf32>"));
    tsr_free((void *)text.data);
    CHECK(tsr_type_rank(tsr_type_parse(ctx, tsr_cstr("tensor<*xf32>"))) == -1);
    tsr_attr *a = tsr_attr_parse(ctx, tsr_cstr("[1 : i32, \"x\"]"));
    CHECK(a != NULL);
    text = tsr_attr_print(a);
    CHECK(is(text, "[1 : i32, \"x\"]"));
    tsr_free((void *)text.data);

    log_t log;
    memset(&log, 0, sizeof log);
    tsr_ctx_on_diag(ctx, keep, &log);
    CHECK(tsr_type_parse(ctx, tsr_cstr("tensor<2xf32> tail")) == NULL);
    CHECK(tsr_type_parse(ctx, tsr_cstr("tensor<2x")) == NULL);
    CHECK(tsr_attr_parse(ctx, tsr_cstr("[1,")) == NULL);
    CHECK(log.n >= 3);
    tsr_ctx_free(ctx);
}

static void test_errors(void)
{
    tsr_ctx *ctx = tsr_ctx_new();
    log_t log;
    memset(&log, 0, sizeof log);
    tsr_ctx_on_diag(ctx, keep, &log);
    CHECK(tsr_module_parse(
              ctx,
              tsr_cstr("func.func @f() {\n  %0 = stablehlo.add %x, %x : tensor<f32>\n  return\n}"),
              tsr_cstr("bad.mlir")) == NULL);
    CHECK(log.n >= 1 && log.severity == TSR_ERROR);
    CHECK(strcmp(log.file, "bad.mlir") == 0 && log.line == 2 && log.col == 22);
    CHECK(strcmp(log.message, "use of undeclared SSA value name") == 0);
    CHECK(strcmp(log.source, "  %0 = stablehlo.add %x, %x : tensor<f32>") == 0);

    memset(&log, 0, sizeof log);
    CHECK(tsr_module_parse(ctx, tsr_cstr("func.func @f() -> i32 {\n  return\n}"),
                           tsr_cstr("ret.mlir")) == NULL);
    CHECK(log.n >= 1 && log.line == 2);
    CHECK(strcmp(log.source, "  return") == 0); /* verification shows lines, too */

    memset(&log, 0, sizeof log);
    CHECK(tsr_module_parse_file(ctx, "no/such/file.mlir") == NULL);
    CHECK(strcmp(log.message,
                 "cannot open input file 'no/such/file.mlir': No such file or directory") == 0);

    memset(&log, 0, sizeof log);
    CHECK(tsr_module_parse(ctx, tsr_cstr("\"foo.bar\"() : () -> ()"), tsr_cstr("foo.mlir")) ==
          NULL);
    CHECK(log.n >= 1);
    tsr_ctx_allow_unregistered(ctx, true);
    tsr_module *m =
        tsr_module_parse(ctx, tsr_cstr("\"foo.bar\"() : () -> ()"), tsr_cstr("foo.mlir"));
    CHECK(m != NULL);

    memset(&log, 0, sizeof log);
    CHECK(!tsr_module_run(m, tsr_cstr("cse,nonsense")));
    CHECK(strcmp(log.message, "'nonsense' does not refer to a registered pass or pass pipeline") ==
          0);
    CHECK(log.col == 5 && strcmp(log.source, "cse,nonsense") == 0);
    memset(&log, 0, sizeof log);
    CHECK(!tsr_module_run(m, tsr_cstr("canonicalize{max-iterations=many}")));
    CHECK(log.n >= 1);
    CHECK(!tsr_module_run(m, tsr_cstr("builtin.module(func.func(cse)")));
    CHECK(prints_as(m, NULL, "module {\n  \"foo.bar\"() : () -> ()\n}\n")); /* still whole */
    tsr_module_free(m);
    tsr_ctx_free(ctx);
}

static void test_checkpoint(void)
{
    tsr_ctx *ctx = tsr_ctx_new();
    tsr_type *before = tsr_type_parse(ctx, tsr_cstr("tensor<3xf32>"));
    for (int i = 0; i < 3; i++) {
        tsr_checkpoint *mark = tsr_ctx_checkpoint(ctx);
        tsr_module *m = tsr_module_parse(ctx, tsr_cstr(add_text), tsr_cstr("add.mlir"));
        CHECK(m != NULL);
        CHECK(tsr_module_run(m, tsr_cstr("builtin.module(func.func(cse))")));
        CHECK(prints_as(m, NULL, cse_text));
        tsr_module_free(m);
        tsr_ctx_rewind(ctx, mark);
    }
    CHECK(tsr_type_parse(ctx, tsr_cstr("tensor<3xf32>")) == before);
    tsr_ctx_free(ctx);
}

/* Written, read, written again: the same bytes, and the same text in between. */
static void test_bytecode(void)
{
    log_t log = {0};
    tsr_ctx *ctx = tsr_ctx_new();
    tsr_ctx_on_diag(ctx, keep, &log);
    tsr_module *m = tsr_module_parse(ctx, tsr_cstr(add_text), tsr_cstr("add.mlir"));
    tsr_str text = tsr_module_print(m, NULL);
    for (int version = -1; version <= 6; version++) {
        tsr_str data = tsr_module_bytecode(m, version);
        CHECK(data.len > 4 && memcmp(data.data, "ML\xEFR", 4) == 0);
        tsr_module *again = tsr_module_parse(ctx, data, tsr_cstr("add.bc"));
        CHECK(again && prints_as(again, NULL, text.data));
        tsr_str twice = tsr_module_bytecode(again, version);
        CHECK(twice.len == data.len && memcmp(twice.data, data.data, data.len) == 0);
        tsr_module_free(again);
        tsr_free((void *)data.data);
        tsr_free((void *)twice.data);
    }
    CHECK(tsr_module_bytecode(m, 7).data == NULL);
    CHECK(strcmp(log.message, "unsupported version requested 7, must be in range [0, 6]") == 0);

    const char *targets[] = {"current", "minimum", "1.0.0", "0.14.0"};
    for (int i = 0; i < 4; i++) {
        tsr_str data = tsr_module_serialize(m, tsr_cstr(targets[i]), false);
        CHECK(data.len > 4);
        tsr_module *again = tsr_module_deserialize(ctx, data, tsr_cstr("add.bc"));
        CHECK(again && prints_as(again, NULL, text.data));
        tsr_module_free(again);
        tsr_free((void *)data.data);
    }
    CHECK(prints_as(m, NULL, text.data)); /* still StableHLO */
    CHECK(tsr_module_serialize(m, tsr_cstr("99.0.0"), false).data == NULL);
    log.n = 0;
    CHECK(tsr_module_deserialize(ctx, tsr_cstr("ML\xEFRubbish"), tsr_cstr("bad.bc")) == NULL);
    CHECK(log.n >= 1);
    tsr_free((void *)text.data);
    tsr_module_free(m);
    tsr_ctx_free(ctx);
}

/* Commands of TTMetal for the host. */
static void test_metal(void)
{
    log_t log = {0};
    tsr_ctx *ctx = tsr_ctx_new();
    tsr_status s = {0};
    tsr_ctx_on_diag(ctx, keep, &log);
    tsr_str name = tsr_cstr("x.ttm"),
            text = tsr_cstr("func.func @main(%x: tensor<2xf64>) -> tensor<2xf64> {\n"
                            "  %0 = \"ttir.abs\"(%x) : (tensor<2xf64>) -> tensor<2xf64>\n"
                            "  return %0 : tensor<2xf64>\n}\n");
    tsr_module *m = tsr_module_parse(ctx, text, name);
    CHECK(m && !tsr_module_binary_for(m, tsr_cstr("ttmetal")).data);
    CHECK(tsr_module_run(m, tsr_cstr("ttir-to-ttmetal-host-pipeline")));
    CHECK(!tsr_module_binary_for(m, tsr_cstr("metal")).data);
    CHECK(!tsr_module_binary_for(NULL, tsr_cstr("ttmetal")).data);
    tsr_str data = tsr_module_binary_for(m, tsr_cstr("ttmetal"));
    CHECK(data.data && !memcmp(data.data + 8, "TTM0", 4));
    tsr_module *again = tsr_module_of_binary(ctx, data, name);
    tsr_tensor *x = tsr_tensor_parse(ctx, tsr_cstr("2xf64=-3,4"), &s), *y = NULL;
    CHECK(again && tsr_module_eval(again, tsr_cstr("main"), &x, 1, &y, 1, &s) && y);
    CHECK(y && tsr_tensor_get(y, 0) == 3 && tsr_tensor_get(y, 1) == 4);
    tsr_tensor_free(x);
    tsr_tensor_free(y);
    tsr_free((void *)data.data);
    tsr_module_free(again);
    tsr_module_free(m);
    tsr_ctx_free(ctx);
}

static void test_binary(void)
{
    log_t log = {0};
    tsr_ctx *ctx = tsr_ctx_new();
    tsr_ctx_on_diag(ctx, keep, &log);
    tsr_str name = tsr_cstr("x.ttnn");
    tsr_module *m =
        tsr_module_parse(ctx,
                         tsr_cstr("func.func @main(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {\n"
                                  "  %0 = \"ttir.abs\"(%x) : (tensor<4x4xf32>) -> tensor<4x4xf32>\n"
                                  "  return %0 : tensor<4x4xf32>\n}\n"),
                         name);
    CHECK(m && tsr_module_run(m, tsr_cstr("ttir-to-ttnn-runtime-pipeline")));
    tsr_str data = tsr_module_binary(m);
    CHECK(data.data != NULL);
    tsr_module *again = tsr_module_of_binary(ctx, data, name);
    CHECK(again && tsr_module_verify(again));
    tsr_str json = tsr_binary_json(ctx, data, name);
    CHECK(json.data && strstr(json.data, "\"EltwiseUnaryOp\""));
    tsr_free((void *)json.data);
    CHECK(!tsr_module_of_binary(ctx, (tsr_str){data.data, data.len / 2}, name));
    CHECK(!tsr_binary_json(ctx, (tsr_str){data.data, data.len / 2}, name).data);
    CHECK(!tsr_binary_json(ctx, tsr_cstr("none"), name).data);
    tsr_free((void *)data.data);
    CHECK(!tsr_module_code(m, tsr_cstr("python")).data &&
          !tsr_module_code(m, tsr_cstr("c++")).data);
    CHECK(tsr_module_run(m, tsr_cstr("ttnn-common-to-emitc-pipeline")));
    tsr_str code = tsr_module_code(m, tsr_cstr("cpp"));
    CHECK(code.data && strstr(code.data, "ttnn::abs("));
    tsr_free((void *)code.data);
    CHECK(!tsr_module_code(NULL, tsr_cstr("cpp")).data);
    CHECK(!tsr_module_code(m, tsr_cstr("c")).data); /* ops of emitc do not run */
    tsr_module_free(m);
    m = tsr_module_parse(ctx,
                         tsr_cstr("func.func @f(%x: tensor<2xf32>) -> tensor<2xf32> {\n"
                                  "  %0 = stablehlo.exponential %x : tensor<2xf32>\n"
                                  "  return %0 : tensor<2xf32>\n}"),
                         name);
    code = tsr_module_code(m, tsr_cstr("c"));
    CHECK(code.data && strstr(code.data, "int model_f(const void *const *in"));
    tsr_free((void *)code.data);
    tsr_str system = tsr_describe_system(ctx, tsr_cstr("wormhole_b0"), 2);
    CHECK(system.data != NULL);
    json = tsr_binary_json(ctx, system, tsr_cstr("x.ttsys"));
    CHECK(json.data && strstr(json.data, "chip_descs"));
    tsr_free((void *)json.data);
    tsr_free((void *)system.data);
    CHECK(!tsr_describe_system(ctx, tsr_cstr("wormhole_b0"), 0).data);
    CHECK(!tsr_describe_system(ctx, tsr_cstr("no chip"), 1).data);
    CHECK(!tsr_module_binary(NULL).data && !tsr_module_of_binary(NULL, name, name));
    CHECK(!tsr_binary_json(NULL, name, name).data && !tsr_describe_system(NULL, name, 1).data);
    tsr_module_free(again);
    tsr_module_free(m);
    tsr_ctx_free(ctx);
}

/* Whether the text, which is freed, is this one. */
static bool is_text(tsr_str text, const char *want)
{
    bool same = text.data && text.len == strlen(want) && memcmp(text.data, want, text.len) == 0;
    tsr_free((void *)text.data);
    return same;
}

static void test_names(void)
{
    static const char text[] =
        "func.func @main(%a: tensor<2xf32> loc(\"p['w']\"), %b: tensor<2xf32> {jax.arg_info = "
        "\"x.y\"} loc(\"z\"), %c: tensor<2xf32>) -> (tensor<2xf32> {jax.result_info = "
        "\"result[0]\"}, tensor<2xf32>) {\n"
        "  %0 = stablehlo.add %a, %b : tensor<2xf32> loc(\"jit(f)/add\"(\"model.py\":3:4))\n"
        "  %1 = stablehlo.add %0, %c : tensor<2xf32> loc(callsite(\"mul\" at \"jit(f)/g\"))\n"
        "  %2 = stablehlo.add %1, %c : tensor<2xf32> loc(callsite(\"f/g/h\" at \"f/g\"))\n"
        "  %3 = stablehlo.add %2, %c : tensor<2xf32> loc(fused[\"model.py\":1:1, \"second\"])\n"
        "  %4 = stablehlo.add %3, %c : tensor<2xf32>\n"
        "  %5:2 = stablehlo.optimization_barrier %3, %4 : tensor<2xf32>, tensor<2xf32> "
        "loc(\"two\")\n"
        "  return %4, %5#1 : tensor<2xf32>, tensor<2xf32>\n"
        "}\n";
    static const char *const values[] = {"jit(f)/add", "jit(f)/g/mul", "f/g/h", "second", "%4"};
    static const char *const args[] = {"p['w']", "x.y", "%arg2"};
    tsr_ctx *ctx = tsr_ctx_new();
    tsr_module *m = tsr_module_parse(ctx, tsr_cstr(text), tsr_cstr("names.mlir"));
    tsr_op *main = tsr_module_lookup(m, tsr_cstr("main"));
    tsr_block *body = tsr_region_first_block(tsr_op_region(main, 0));
    for (size_t i = 0; i < 3; i++)
        CHECK(is_text(tsr_value_name(tsr_block_arg(body, i)), args[i]));
    tsr_op *op = tsr_block_first_op(body);
    for (size_t i = 0; i < 5; i++, op = tsr_op_next(op))
        CHECK(is_text(tsr_value_name(tsr_op_result(op, 0)), values[i]));
    CHECK(is_text(tsr_value_name(tsr_op_result(op, 1)), "two#1"));
    CHECK(is_text(tsr_function_result_name(main, 0), "result[0]"));
    CHECK(is_text(tsr_function_result_name(main, 1), "#1"));
    CHECK(!tsr_function_result_name(main, 2).data);
    CHECK(!tsr_function_result_name(op, 0).data);
    CHECK(!tsr_function_result_name(NULL, 0).data);
    CHECK(!tsr_value_name(NULL).data);
    tsr_module_free(m);
    tsr_ctx_free(ctx);
}

typedef struct {
    size_t calls, meshes, candidates, most;
    bool best, rises;
} searched;

static bool note_search(void *user, const tsr_search_progress *p)
{
    searched *s = user;
    s->rises = (!s->calls || (p->meshes >= s->meshes && p->candidates >= s->candidates)) &&
               p->meshes <= p->all_meshes && p->mesh.len > 0;
    s->calls++;
    s->meshes = p->meshes;
    s->candidates = p->candidates;
    s->best = p->best_seconds > 0;
    return s->rises && s->calls < s->most;
}

/* A search tells how far it is, and tries no more candidates when it is told so, but has a result. */
static void test_search(void)
{
    static const char text[] = "func.func @main(%x: tensor<64x64xf32>, %y: tensor<64x64xf32>) -> "
                               "tensor<64x64xf32> {\n"
                               "  %0 = stablehlo.dot %x, %y : (tensor<64x64xf32>, "
                               "tensor<64x64xf32>) -> tensor<64x64xf32>\n"
                               "  return %0 : tensor<64x64xf32>\n"
                               "}\n";
    tsr_ctx *ctx = tsr_ctx_new();
    size_t candidates = 0;
    for (int stops = 0; stops < 2; stops++) {
        searched seen = {.most = stops ? 3 : SIZE_MAX};
        tsr_status s = {0};
        tsr_auto_options options = {.devices = 8, .progress = note_search, .user = &seen};
        tsr_module *m = tsr_module_parse(ctx, tsr_cstr(text), tsr_cstr("dot.mlir"));
        tsr_str found = tsr_module_auto_shard(m, &options, true, &s);
        CHECK(found.data && seen.rises == true);
        CHECK(stops ? seen.calls == 3 && seen.candidates < candidates
                    : seen.calls > 3 && seen.meshes > 0 && seen.best);
        candidates = seen.candidates;
        tsr_free((void *)found.data);
        tsr_module_free(m);
    }
    tsr_ctx_free(ctx);
}

int main(void)
{
    CHECK(tsr_version() == TSR_VERSION);
    test_parse_print_run();
    test_walk();
    test_names();
    test_types();
    test_errors();
    test_checkpoint();
    test_bytecode();
    test_binary();
    test_metal();
    test_search();
    printf("%d passed, %d failed\n", passed, failed);
    return failed ? 1 : 0;
}
