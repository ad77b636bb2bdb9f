/* SPDX-License-Identifier: Apache-2.0 */
/* memory.c - every allocation of the library fails once, alone and with all after it: each call ends with a status that names the
 * cause, gives back all it held, and leaves its context fit for the next one. And what is NULL is refused. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <tessera/build.h>
#include <tessera/code.h>
#include <tessera/golden.h>

#include "../heap.h"
#include "check.h"

#define STR(s) ((tsr_str){(s), strlen(s)})

/* ---- The calls ---- */

/* A loop, a call of a computation, a collective, a fusion, sharding and places. */
static const char hlo_text[] =
    "HloModule m, num_partitions=2\n"
    "add {\n  a = f32[] parameter(0)\n  b = f32[] parameter(1)\n  ROOT c = f32[] add(a, b)\n}\n"
    "fused {\n  p = f32[4,8] parameter(0)\n  ROOT q = f32[4,8] tanh(p)\n}\n"
    "body {\n  s = (s32[], f32[4,8]) parameter(0)\n  i = s32[] get-tuple-element(s), index=0\n"
    "  x = f32[4,8] get-tuple-element(s), index=1\n  k = s32[] constant(1)\n  j = s32[] add(i, k)\n"
    "  r = f32[4,8] all-reduce(x), channel_id=1, replica_groups=[1,2]<=[2], "
    "use_global_device_ids=true, to_apply=add, metadata={source_file=\"m.py\" source_line=5}\n"
    "  t = f32[4,8] fusion(r), kind=kLoop, calls=fused\n  ROOT o = (s32[], f32[4,8]) tuple(j, "
    "t)\n}\n"
    "go {\n  s = (s32[], f32[4,8]) parameter(0)\n  i = s32[] get-tuple-element(s), index=0\n"
    "  n = s32[] constant(3)\n  ROOT l = pred[] compare(i, n), direction=LT\n}\n"
    "ENTRY main {\n  x = f32[4,8] parameter(0)\n  z = s32[] constant(0)\n"
    "  s = (s32[], f32[4,8]) tuple(z, x)\n  w = (s32[], f32[4,8]) while(s), condition=go, "
    "body=body\n"
    "  v = f32[4,8] get-tuple-element(w), index=1\n  y = f32[] constant(0)\n"
    "  ROOT e = f32[4] reduce(v, y), dimensions={1}, to_apply=add\n}\n";

static const char program[] =
    "sdy.mesh @mesh = <[\"x\"=2]>\n"
    "func.func @main(%a: tensor<4x2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {\"x\"}]>}, %b: "
    "tensor<2x3xf32>)\n"
    "    -> tensor<4x3xf32> {\n"
    "  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<4x2xf32>, "
    "tensor<2x3xf32>)\n"
    "      -> tensor<4x3xf32>\n"
    "  %1 = stablehlo.tanh %0 : tensor<4x3xf32>\n"
    "  %c = stablehlo.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf32>\n"
    "  %d = stablehlo.broadcast_in_dim %c, dims = [1] : (tensor<3xf32>) -> tensor<4x3xf32>\n"
    "  %2 = stablehlo.add %1, %d : tensor<4x3xf32>\n"
    "  %z = stablehlo.constant dense<0.0> : tensor<f32>\n"
    "  %r = stablehlo.reduce(%2 init: %z) applies stablehlo.add across dimensions = [0]\n"
    "      : (tensor<4x3xf32>, tensor<f32>) -> tensor<3xf32>\n"
    "  %e = stablehlo.broadcast_in_dim %r, dims = [1] : (tensor<3xf32>) -> tensor<4x3xf32>\n"
    "  %3 = stablehlo.multiply %e, %2 : tensor<4x3xf32>\n"
    "  return %3 : tensor<4x3xf32>\n"
    "}\n"
    "func.func @loop(%n: tensor<i32>) -> tensor<i32> {\n"
    "  %z = stablehlo.constant dense<0> : tensor<i32>\n"
    "  %one = stablehlo.constant dense<1> : tensor<i32>\n"
    "  %0 = stablehlo.while(%i = %z) : tensor<i32> cond {\n"
    "    %p = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>\n"
    "    stablehlo.return %p : tensor<i1>\n"
    "  } do {\n"
    "    %1 = stablehlo.add %i, %one : tensor<i32>\n"
    "    stablehlo.return %1 : tensor<i32>\n"
    "  }\n"
    "  return %0 : tensor<i32>\n"
    "}\n";

/* Movements whose runs take memory of their own: a sort, a transform in two steps, a convolution of each channel, a manual computation in another one. And a
 * chain of products. */
static const char moves[] =
    "sdy.mesh @mesh = <[\"a\"=2, \"b\"=2]>\n"
    "func.func @main() -> (tensor<64xi32>, tensor<64xf32>, tensor<1x3x3x4xf32>, tensor<4x4xf32>, "
    "tensor<16x4xf32>, tensor<16x4xf32>) {\n"
    "  %x = stablehlo.iota dim = 0 : tensor<64xf32>\n"
    "  %i = stablehlo.iota dim = 0 : tensor<64xi32>\n"
    "  %0:2 = \"stablehlo.sort\"(%x, %i) <{dimension = 0 : i64, is_stable = true}> ({\n"
    "  ^bb0(%a: tensor<f32>, %b: tensor<f32>, %p: tensor<i32>, %q: tensor<i32>):\n"
    "    %r = stablehlo.compare GT, %a, %b, TOTALORDER : (tensor<f32>, tensor<f32>) -> "
    "tensor<i1>\n"
    "    stablehlo.return %r : tensor<i1>\n"
    "  }) : (tensor<64xf32>, tensor<64xi32>) -> (tensor<64xf32>, tensor<64xi32>)\n"
    "  %z = stablehlo.complex %x, %x : tensor<64xcomplex<f32>>\n"
    "  %1 = stablehlo.fft %z, type = FFT, length = [64] : (tensor<64xcomplex<f32>>) -> "
    "tensor<64xcomplex<f32>>\n"
    "  %2 = stablehlo.abs %1 : (tensor<64xcomplex<f32>>) -> tensor<64xf32>\n"
    "  %s = stablehlo.slice %x [0:36] : (tensor<64xf32>) -> tensor<36xf32>\n"
    "  %c = stablehlo.reshape %s : (tensor<36xf32>) -> tensor<1x3x3x4xf32>\n"
    "  %k = stablehlo.reshape %s : (tensor<36xf32>) -> tensor<3x3x1x4xf32>\n"
    "  %3 = stablehlo.convolution(%c, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], "
    "window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 4 : "
    "i64} : (tensor<1x3x3x4xf32>, tensor<3x3x1x4xf32>) -> tensor<1x3x3x4xf32>\n"
    "  %t = stablehlo.slice %x [0:16] : (tensor<64xf32>) -> tensor<16xf32>\n"
    "  %m = stablehlo.reshape %t : (tensor<16xf32>) -> tensor<4x4xf32>\n"
    "  %4 = sdy.manual_computation(%m) in_shardings=[<@mesh, [{\"a\"}, {}]>] "
    "out_shardings=[<@mesh, [{\"a\"}, {}]>] manual_axes={\"a\"} (%y: tensor<2x4xf32>) {\n"
    "    %5 = sdy.manual_computation(%y) in_shardings=[<@mesh, [{}, {\"b\"}]>] "
    "out_shardings=[<@mesh, [{}, {\"b\"}]>] manual_axes={\"b\"} (%w: tensor<2x2xf32>) {\n"
    "      %6 = stablehlo.negate %w : tensor<2x2xf32>\n"
    "      sdy.return %6 : tensor<2x2xf32>\n"
    "    } : (tensor<2x4xf32>) -> tensor<2x4xf32>\n"
    "    sdy.return %5 : tensor<2x4xf32>\n"
    "  } : (tensor<4x4xf32>) -> tensor<4x4xf32>\n"
    "  %f = stablehlo.reshape %x : (tensor<64xf32>) -> tensor<16x4xf32>\n"
    "  %g = stablehlo.dot_general %f, %f, contracting_dims = [1] x [1] : (tensor<16x4xf32>, "
    "tensor<16x4xf32>) -> tensor<16x16xf32>\n"
    "  %h = stablehlo.tanh %g : tensor<16x16xf32>\n"
    "  %7 = stablehlo.dot_general %h, %f, contracting_dims = [1] x [0] : (tensor<16x16xf32>, "
    "tensor<16x4xf32>) -> tensor<16x4xf32>\n"
    "  %8 = stablehlo.dot_general %h, %f, contracting_dims = [0] x [0] : (tensor<16x16xf32>, "
    "tensor<16x4xf32>) -> tensor<16x4xf32>\n"
    "  return %0#1, %2, %3, %4, %7, %8 : tensor<64xi32>, tensor<64xf32>, tensor<1x3x3x4xf32>, "
    "tensor<4x4xf32>, tensor<16x4xf32>, tensor<16x4xf32>\n"
    "}\n";

static const char ttir[] =
    "func.func @main(%a: tensor<32x64xbf16>, %b: tensor<64x32xbf16> {ttcore.argument_type = "
    "#ttcore.argument_type<parameter>}) -> tensor<32x32xbf16> {\n"
    "  %0 = \"ttir.abs\"(%b) : (tensor<64x32xbf16>) -> tensor<64x32xbf16>\n"
    "  %1 = \"ttir.matmul\"(%a, %0) : (tensor<32x64xbf16>, tensor<64x32xbf16>) -> "
    "tensor<32x32xbf16>\n"
    "  %2 = \"ttir.tanh\"(%1) : (tensor<32x32xbf16>) -> tensor<32x32xbf16>\n"
    "  return %2 : tensor<32x32xbf16>\n"
    "}\n";

enum { IN = 2 };

/* What is there before memory fails. */
typedef struct {
    tsr_ctx *ctx;
    tsr_module *m, *parts, *moves, *ttir, *ttnn, *metal, *cpp, *python;
    tsr_tensor *in[IN], *n;
    tsr_str bytes, saved, artifact, binary, commands;
    tsr_executable *x, *loop;
    char dir[64], text[96], code[96], npy[96], npz[96], out[96];
    tsr_status status;
} world;

static tsr_str main_name(void)
{
    return STR("main");
}

/* Each does one thing; false: it failed. */
static bool do_context(world *w)
{
    (void)w;
    tsr_ctx *ctx = tsr_ctx_new();
    tsr_ctx_free(ctx);
    return ctx != NULL;
}

static bool drop_module(tsr_module *m)
{
    tsr_module_free(m);
    return m != NULL;
}

static bool drop_text(tsr_str s)
{
    tsr_free((void *)s.data);
    return s.data != NULL;
}

static bool drop_tensor(tsr_tensor *t)
{
    tsr_tensor_free(t);
    return t != NULL;
}

static bool do_parse(world *w)
{
    return drop_module(tsr_module_parse(w->ctx, STR(program), STR("m.mlir")));
}

static bool do_parse_file(world *w)
{
    return drop_module(tsr_module_parse_file(w->ctx, w->text));
}

static bool do_saved(world *w)
{
    tsr_saved *saved =
        tsr_saved_open(w->ctx, "tests/corpus/torch_xla_held/saved", STR(""), &w->status);
    bool ok = saved && drop_tensor(tsr_saved_load(saved, 0, w->ctx, NULL, &w->status));
    tsr_saved_free(saved);
    return ok;
}

/* Memory that is not in our form is copied. */
static bool do_view_small(world *w)
{
    static const unsigned char bytes[4] = {15, 8, 3, 255};
    const int64_t dims[] = {4};
    return drop_tensor(tsr_tensor_view(w->ctx, STR("i4"), dims, 1, bytes, &w->status));
}

/* Out as DLPack's struct, and in again. */
static bool do_dlpack(world *w)
{
    static const unsigned char bytes[4] = {1, 2, 3, 4};
    const int64_t dims[] = {4};
    tsr_tensor *t = tsr_tensor_create(w->ctx, STR("i4"), dims, 1, bytes, &w->status);
    void *managed = t ? tsr_tensor_to_dlpack(t, true, &w->status) : NULL;
    bool ok = managed && drop_tensor(tsr_tensor_from_dlpack(w->ctx, managed, true, &w->status));
    tsr_free(managed); /* what its deleter does */
    tsr_tensor_free(t);
    return ok;
}

static bool do_parse_bytecode(world *w)
{
    return drop_module(tsr_module_parse(w->ctx, w->bytes, STR("m.mlirbc")));
}

static bool do_parse_bytecode_file(world *w)
{
    return drop_module(tsr_module_parse_file(w->ctx, w->code));
}

static bool do_print(world *w)
{
    return drop_text(tsr_module_print(w->m, NULL));
}

static bool do_print_debug(world *w)
{
    return drop_text(
        tsr_module_print(w->m, &(tsr_print_options){.generic = true, .debug_info = true}));
}

static bool do_bytecode(world *w)
{
    return drop_text(tsr_module_bytecode(w->m, -1));
}

static bool do_serialize(world *w)
{
    return drop_text(tsr_module_serialize(w->m, STR("current"), true));
}

static bool do_deserialize(world *w)
{
    return drop_module(tsr_module_deserialize(w->ctx, w->artifact, STR("a.mlirbc")));
}

static bool do_clone(world *w)
{
    return drop_module(tsr_module_clone(w->m));
}

static bool do_verify(world *w)
{
    return tsr_module_verify(w->m);
}

static bool do_partition(world *w)
{
    return tsr_module_partition(w->m);
}

static bool do_gradient(world *w)
{
    return tsr_module_differentiate(w->m, main_name(), NULL);
}

static bool do_simplify(world *w)
{
    return tsr_module_simplify(w->m);
}

static bool do_fuse(world *w)
{
    return tsr_module_fuse(w->m);
}

static bool do_passes(world *w)
{
    return tsr_module_run(w->m,
                          STR("builtin.module(inline,cse,func.func(canonicalize),symbol-dce)"));
}

static bool do_call(world *w)
{
    tsr_tensor *out[1] = {NULL}, *in[1] = {w->in[0]};
    size_t n = 0;
    bool ok = tsr_call_emitted(w->ctx,
                               STR("{\"function\": \"ttnn.concat\", \"arguments\": [[{\"tensor\": "
                                   "0}, {\"tensor\": 0}], 0], \"mesh\": [1, 1]}"),
                               in, 1, 1, out, 1, &n, &w->status);
    tsr_tensor_free(ok ? out[0] : NULL);
    return ok;
}

static bool do_eval(world *w)
{
    tsr_tensor *out = NULL;
    bool ok = tsr_module_eval(w->m, main_name(), w->in, IN, &out, 1, &w->status);
    tsr_tensor_free(out);
    return ok;
}

static bool do_traced(world *w)
{
    tsr_tensor *out = NULL;
    tsr_str trace = {NULL, 0};
    tsr_eval_options options = {.trace = &trace};
    bool ok = tsr_module_eval_with(w->m, main_name(), w->in, IN, &out, 1, &options, &w->status);
    tsr_tensor_free(out);
    return drop_text(trace) && ok;
}

static bool do_loop(world *w)
{
    tsr_tensor *out = NULL;
    bool ok = tsr_module_eval(w->m, STR("loop"), &w->n, 1, &out, 1, &w->status);
    tsr_tensor_free(out);
    return ok;
}

static bool do_moves(world *w)
{
    enum { RESULTS = 6 };
    tsr_tensor *out[RESULTS] = {NULL};
    bool ok = tsr_module_eval(w->moves, main_name(), NULL, 0, out, RESULTS, &w->status);
    for (int i = 0; i < RESULTS; i++)
        tsr_tensor_free(out[i]);
    return ok;
}

static bool do_eval_spmd(world *w)
{
    tsr_tensor *out = NULL;
    bool ok = tsr_module_eval_spmd(w->parts, main_name(), w->in, IN, &out, 1, NULL, &w->status);
    tsr_tensor_free(out);
    return ok;
}

static bool do_compile(world *w)
{
    tsr_executable *x = tsr_module_compile(w->m, main_name(), NULL, &w->status);
    tsr_executable_free(x);
    return x != NULL;
}

static bool do_save_program(world *w)
{
    tsr_str saved = tsr_executable_save(w->x, &w->status);
    tsr_free((void *)saved.data);
    return saved.data != NULL;
}

static bool do_load_saved(world *w)
{
    tsr_executable *x = tsr_executable_load(w->ctx, w->saved, STR("p.tsrx"), &w->status);
    tsr_executable_free(x);
    return x != NULL;
}

static bool see(void *user, const tsr_group_run *group)
{
    *(size_t *)user += group->nvalues;
    return true;
}

static bool do_execute(world *w)
{
    tsr_tensor *out = NULL;
    size_t n = 0;
    bool ok = tsr_executable_run(w->x, w->in, IN, &out, 1,
                                 &(tsr_execute_options){.observe = see, .user = &n}, &w->status) &&
              n;
    tsr_tensor_free(out);
    return ok;
}

static bool do_execute_loop(world *w)
{
    int32_t n = 3, out = 0;
    return tsr_executable_run_buffers(w->loop, &(tsr_input_buffer){&n, sizeof n}, 1,
                                      &(tsr_output_buffer){&out, sizeof out}, 1, NULL,
                                      &w->status) &&
           out == 3;
}

static bool do_random(world *w)
{
    return drop_tensor(tsr_module_random_input(w->m, main_name(), 0, 1, &w->status));
}

static bool do_tensor(world *w)
{
    static const int64_t dims[2] = {2, 2};
    return drop_tensor(tsr_tensor_create(w->ctx, STR("complex<f64>"), dims, 2, NULL, &w->status));
}

static bool do_literal(world *w)
{
    return drop_tensor(tsr_tensor_parse(w->ctx, STR("2x2xbf16=1,2,3,4"), &w->status));
}

static bool do_tensor_text(world *w)
{
    return drop_text(tsr_tensor_text(w->in[0]));
}

static bool do_save(world *w)
{
    return tsr_tensor_save(w->in[0], w->out, &w->status);
}

static bool do_load(world *w)
{
    return drop_tensor(tsr_tensor_load(w->ctx, w->npy, NULL, &w->status));
}

static bool do_load_npz(world *w)
{
    return drop_tensor(tsr_tensor_load(w->ctx, w->npz, NULL, &w->status));
}

static bool do_type(world *w)
{
    tsr_type *t = tsr_type_parse(w->ctx, STR("tensor<7x?x!quant.uniform<i8:f32, 0.25>>"));
    return t && drop_text(tsr_type_print(t));
}

static bool do_attr(world *w)
{
    tsr_attr *a = tsr_attr_parse(
        w->ctx, STR("{a = dense<[1, 2]> : tensor<2xi9>, b = [#sdy.sharding<@m, [{\"q\"}]>]}"));
    return a && drop_text(tsr_attr_print(a));
}

static bool do_checkpoint(world *w)
{
    tsr_checkpoint *c = tsr_ctx_checkpoint(w->ctx);
    bool ok = c && tsr_type_parse(w->ctx, STR("tensor<77x78xf32>"));
    tsr_ctx_rewind(w->ctx, c);
    return ok || !c; /* without a mark there is no error to tell */
}

/* A function with a sum, which has a region; then it changes. */
static bool build(world *w, tsr_module *m)
{
    tsr_status *s = &w->status;
    tsr_type *x = tsr_type_parse(w->ctx, STR("tensor<3x5xf32>")),
             *scalar = tsr_type_parse(w->ctx, STR("tensor<f32>")), *in[] = {x, scalar};
    tsr_type *out =
        x ? tsr_create_tensor_type(tsr_type_element(x), (int64_t[]){3}, 1, NULL, s) : NULL;
    tsr_type *type = scalar && out ? tsr_create_function_type(w->ctx, in, 2, &out, 1, s) : NULL;
    tsr_attr *at = type ? tsr_create_file_location(w->ctx, STR("a.py"), 3, 1, s) : NULL;
    tsr_op *f = at ? tsr_create_function(m, NULL, STR("f"), type, at, s) : NULL;
    tsr_region *region = f ? tsr_create_region(m, s) : NULL;
    tsr_type *pair[] = {scalar, scalar};
    tsr_block *b = region ? tsr_create_block(region, pair, 2, NULL, s) : NULL;
    if (!b)
        return false;
    tsr_value *args[] = {tsr_block_arg(b, 0), tsr_block_arg(b, 1)};
    tsr_op_spec add = {.name = STR("stablehlo.add"), .operands = args, .noperand = 2};
    tsr_value *sum = tsr_op_result(tsr_create_op(b, NULL, &add, s), 0);
    tsr_op_spec end = {.name = STR("stablehlo.return"), .operands = &sum, .noperand = 1};
    if (!sum || !tsr_create_op(b, NULL, &end, s))
        return false;
    tsr_type *i64 = tsr_create_integer_type(w->ctx, 64, TSR_SIGNLESS, s);
    tsr_named_attr dims = {STR("dimensions"),
                           i64 ? tsr_create_int_array(i64, (int64_t[]){1}, 1, s) : NULL};
    if (!dims.value)
        return false;
    tsr_block *body = tsr_region_first_block(tsr_op_region(f, 0));
    tsr_value *both[] = {tsr_block_arg(body, 0), tsr_block_arg(body, 1)};
    tsr_op_spec reduce = {.name = STR("stablehlo.reduce"),
                          .operands = both,
                          .noperand = 2,
                          .attrs = &dims,
                          .nattr = 1,
                          .regions = &region,
                          .nregion = 1,
                          .location = at};
    tsr_op *made = tsr_create_op(body, NULL, &reduce, s);
    tsr_value *result = tsr_op_result(made, 0);
    end = (tsr_op_spec){.name = STR("func.return"), .operands = &result, .noperand = 1};
    if (!made || !tsr_create_op(body, NULL, &end, s) || !tsr_op_verify(f))
        return false;
    tsr_op *copy = tsr_create_copy(body, made, made, s);
    tsr_attr *note = copy ? tsr_create_string(w->ctx, STR("a note that is new"), s) : NULL;
    return note && tsr_edit_attr(copy, STR("note"), note, s) && tsr_edit_erase(copy, s) &&
           tsr_create_elements(m, w->in[0], s) && tsr_module_verify(m);
}

static bool do_build(world *w)
{
    tsr_module *m = tsr_create_module(w->ctx, STR("built"), &w->status);
    bool ok = m && build(w, m);
    tsr_module_free(m);
    return ok;
}

static bool do_rows(world *w)
{
    return drop_text(tsr_describe_ops(w->ctx, STR("stablehlo.")));
}

static bool do_shard(world *w)
{
    tsr_shard_given given = {.text = STR("x,_"), .name = STR("%arg0")};
    tsr_shard_options options = {.given = &given, .ngiven = 1, .function = main_name()};
    return tsr_module_shard(w->m, &options, &w->status);
}

static bool do_name(world *w)
{
    tsr_op *main = tsr_module_lookup(w->m, main_name());
    tsr_block *body = main ? tsr_region_first_block(tsr_op_region(main, 0)) : NULL;
    return drop_text(tsr_value_name(tsr_op_result(tsr_block_first_op(body), 0)));
}

static bool do_plan(world *w)
{
    tsr_shard_options options = {.function = main_name()};
    return drop_text(tsr_module_plan(w->m, &options, true, &w->status));
}

static bool do_why(world *w)
{
    tsr_shard_options options = {.function = main_name()};
    return drop_text(tsr_module_why(w->m, &options, STR("#0"), &w->status));
}

static bool do_page(world *w)
{
    tsr_shard_given given = {.text = STR("x,_")};
    tsr_shard_options options = {.given = &given, .ngiven = 1, .function = main_name()};
    static const char trace[] = "[{\"ph\": \"X\", \"ts\": 1, \"dur\": 2, \"pid\": 1, \"tid\": 0, "
                                "\"name\": \"add\"}]";
    return drop_text(tsr_module_page_of_run(w->m, &options, STR(trace), &w->status));
}

static bool do_simulate(world *w)
{
    tsr_shard_options options = {.function = main_name()};
    return drop_text(tsr_module_simulate(w->m, &options, STR("a100"), true, &w->status));
}

/* Reports of the program as it is, and on a mesh, where other shardings are tried. */
static bool do_explain(world *w)
{
    const tsr_shard_given given = {.text = {"x,_", 3}};
    const tsr_shard_options shard = {
        .mesh = STR("x=2"), .given = &given, .ngiven = 1, .function = main_name()};
    const tsr_explain_options options = {.shard = &shard, .json = true, .verify = true};
    return drop_text(tsr_module_explain(w->m, &options, &w->status));
}

static bool do_hlo(world *w)
{
    return drop_module(tsr_module_parse(w->ctx, STR(hlo_text), STR("dump.hlo")));
}

/* On two threads, which try candidates in contexts of their own. */
static bool do_auto(world *w)
{
    tsr_auto_options options = {.mesh = STR("x=2"), .function = main_name(), .device = STR("a100")};
    return drop_text(tsr_module_auto_shard(w->m, &options, false, &w->status));
}

/* The plan of do_auto's program, as JSON, in memory that is not the library's. */
static char plan_text[16384];

static tsr_mesh_plan *found_plan(world *w)
{
    const tsr_plan_options options = {.search = {.mesh = STR("x=2"), .function = main_name()}};
    return tsr_module_find_plan(w->m, &options, &w->status);
}

static bool do_find_plan(world *w)
{
    tsr_mesh_plan *p = found_plan(w);
    tsr_mesh_plan_free(p);
    return p != NULL;
}

static bool do_plan_file(world *w)
{
    tsr_mesh_plan *p = tsr_mesh_plan_from_json(STR(plan_text), STR("plan.json"), &w->status);
    bool ok = p && drop_text(tsr_mesh_plan_to_json(p, &w->status)) &&
              drop_text(tsr_mesh_plan_compare(p, p, true, &w->status));
    tsr_mesh_plan_free(p);
    return ok;
}

/* Read outside of the calls that are tested. */
static tsr_mesh_plan *kept_plan;

static bool do_apply_plan(world *w)
{
    return tsr_module_apply_plan(w->m, kept_plan, false, &w->status);
}

static bool do_check_plan(world *w)
{
    return drop_text(tsr_module_check_plan(w->m, kept_plan, NULL, false, NULL, &w->status));
}

static bool do_permute(world *w)
{
    size_t n = 0;
    int64_t bytes = 0;
    if (!tsr_module_permutations(w->m, 2, &n, &w->status))
        return false;
    tsr_module *p = tsr_module_permutation(w->m, 2, n - 1, &w->status);
    bool ok = p && tsr_module_collectives(p, &n, &bytes, &w->status);
    tsr_module_free(p);
    return ok;
}

/* Goldens, all of them but the last in a file; a check; one op alone. */
static bool do_goldens(world *w)
{
    tsr_golden_options options = {.max_bytes = 40, .folder = w->dir};
    tsr_goldens *g = tsr_goldens_new(w->m, main_name(), &options, &w->status), *own = NULL;
    tsr_golden_report report = {0};
    tsr_tensor *t = NULL;
    tsr_module *m = NULL;
    bool ok = g && tsr_goldens_set_input(g, 0, w->in[0], &w->status) &&
              (t = tsr_goldens_result(g, 1, 0, 0, &w->status)) != NULL &&
              tsr_goldens_check(g, NULL, &report, &w->status) &&
              (m = tsr_goldens_split(g, 1, &own, &w->status)) != NULL;
    tsr_tensor_free(t);
    tsr_free((void *)report.table.data);
    tsr_free((void *)report.json.data);
    tsr_goldens_free(own);
    tsr_module_free(m);
    tsr_goldens_free(g);
    return ok;
}

static bool do_profile(world *w)
{
    return drop_text(tsr_module_profile(w->m, main_name(), w->in, IN, 2, true, NULL, &w->status));
}

static bool check_goldens(world *w, tsr_module *m, tsr_str function)
{
    tsr_goldens *g = tsr_goldens_new(m, function, NULL, &w->status);
    tsr_golden_report report = {0};
    bool ok = g && tsr_goldens_check(g, NULL, &report, &w->status);
    tsr_free((void *)report.table.data);
    tsr_free((void *)report.json.data);
    tsr_goldens_free(g);
    return ok;
}

static bool do_goldens_spmd(world *w)
{
    return check_goldens(w, w->parts, main_name());
}

static bool do_goldens_loop(world *w)
{
    return check_goldens(w, w->m, STR("loop"));
}

static bool lower(tsr_module *m)
{
    return tsr_module_run(m, STR("builtin.module(ttir-to-ttnn-backend-pipeline)"));
}

static bool do_lower(world *w)
{
    return lower(w->ttir);
}

static bool do_binary(world *w)
{
    return drop_text(tsr_module_binary(w->ttnn));
}

static bool do_read_binary(world *w)
{
    return drop_module(tsr_module_of_binary(w->ctx, w->binary, STR("m.ttnn")));
}

static bool do_binary_json(world *w)
{
    return drop_text(tsr_binary_json(w->ctx, w->binary, STR("m.ttnn")));
}

static bool lower_to(tsr_module *m, const char *pipeline)
{
    return tsr_module_run(m, STR(pipeline));
}

static bool do_lower_metal(world *w)
{
    return lower_to(w->ttir, "ttir-to-ttmetal-host-pipeline");
}

static bool do_metal(world *w)
{
    return drop_text(tsr_module_binary_for(w->metal, STR("ttmetal")));
}

static bool do_read_metal(world *w)
{
    return drop_module(tsr_module_of_binary(w->ctx, w->commands, STR("m.ttm")));
}

static bool do_metal_json(world *w)
{
    return drop_text(tsr_binary_json(w->ctx, w->commands, STR("m.ttm")));
}

static bool do_lower_cpp(world *w)
{
    return lower_to(w->ttir, "ttir-to-emitc-pipeline");
}

static bool do_lower_python(world *w)
{
    return lower_to(w->ttir, "ttir-to-emitpy-pipeline");
}

static bool do_cpp(world *w)
{
    return drop_text(tsr_module_code(w->cpp, STR("cpp")));
}

static bool do_c(world *w)
{
    return drop_text(tsr_module_code(w->m, STR("c")));
}

static bool do_python(world *w)
{
    return drop_text(tsr_module_code(w->python, STR("python")));
}

static bool do_system(world *w)
{
    return drop_text(tsr_describe_system(w->ctx, STR("blackhole"), 2));
}

// clang-format off
static const struct {
    const char *name;
    bool (*run)(world *w);
    bool no_context; /* nothing to ask for the last error */
} calls[] = {
    {"context", do_context, true}, {"parse", do_parse, false}, {"parse a file", do_parse_file, false},
    {"open a folder", do_saved, false}, {"view small elements", do_view_small, false}, {"DLPack", do_dlpack, false},
    {"read bytecode", do_parse_bytecode, false}, {"read a bytecode file", do_parse_bytecode_file, false},
    {"print", do_print, false}, {"print all", do_print_debug, false}, {"write bytecode", do_bytecode, false},
    {"serialize", do_serialize, false}, {"deserialize", do_deserialize, false}, {"clone", do_clone, false},
    {"verify", do_verify, false}, {"partition", do_partition, false}, {"differentiate", do_gradient, false},
    {"simplify", do_simplify, false}, {"fuse", do_fuse, false}, {"passes", do_passes, false}, {"run", do_eval, false},
    {"call", do_call, false}, {"run, traced", do_traced, false}, {"run a loop", do_loop, false}, {"run movements", do_moves, false}, {"run on a mesh", do_eval_spmd, false},
    {"compile", do_compile, false}, {"save a program", do_save_program, false}, {"load a program", do_load_saved, false}, {"run a program", do_execute, true}, {"run a program's loop", do_execute_loop, true}, {"random input", do_random, false},
    {"tensor", do_tensor, false}, {"literal", do_literal, false}, {"tensor as text", do_tensor_text, false},
    {"save", do_save, false}, {"load npy", do_load, false}, {"load npz", do_load_npz, false}, {"type", do_type, false},
    {"attribute", do_attr, false}, {"checkpoint", do_checkpoint, false},
    {"build", do_build, false}, {"rows", do_rows, false}, {"shard", do_shard, false}, {"name", do_name, false}, {"plan", do_plan, false}, {"why", do_why, false}, {"page", do_page, false}, {"simulate", do_simulate, false}, {"find shardings", do_auto, false}, {"permute", do_permute, false},
    {"explain", do_explain, false}, {"read HLO", do_hlo, false}, {"find a plan", do_find_plan, false}, {"read and write a plan", do_plan_file, true}, {"apply a plan", do_apply_plan, false}, {"check a plan", do_check_plan, false},
    {"goldens", do_goldens, false}, {"goldens on a mesh", do_goldens_spmd, false}, {"goldens of a loop", do_goldens_loop, false}, {"profile", do_profile, false},
    {"lower to TTNN", do_lower, false}, {"write a binary", do_binary, false}, {"read a binary", do_read_binary, false},
    {"binary as JSON", do_binary_json, false}, {"describe a system", do_system, false},
    {"lower to TTMetal", do_lower_metal, false}, {"write commands", do_metal, false}, {"read commands", do_read_metal, false}, {"commands as JSON", do_metal_json, false},
    {"lower to C++", do_lower_cpp, false}, {"lower to Python", do_lower_python, false}, {"write C++", do_cpp, false}, {"write Python", do_python, false}, {"write C", do_c, false},
};
// clang-format on

/* ---- The world ---- */

static void write_file(const char *path, tsr_str data)
{
    FILE *f = fopen(path, "wb");
    CHECK(f && fwrite(data.data, 1, data.len, f) == data.len);
    if (f)
        fclose(f);
}

/* An archive of one array, x = [1, 2] as int8: a .npy that is stored as it is, and the directory. */
static void write_npz(const char *path)
{
    static const unsigned char bytes[] = {
        80,  75,  3,   4,   20,  0,   0,   0,   0,  0,   0,   0,   33,  0,   206, 37,  248,
        166, 130, 0,   0,   0,   130, 0,   0,   0,  5,   0,   0,   0,   120, 46,  110, 112,
        121, 147, 78,  85,  77,  80,  89,  1,   0,  118, 0,   123, 39,  100, 101, 115, 99,
        114, 39,  58,  32,  39,  124, 105, 49,  39, 44,  32,  39,  102, 111, 114, 116, 114,
        97,  110, 95,  111, 114, 100, 101, 114, 39, 58,  32,  70,  97,  108, 115, 101, 44,
        32,  39,  115, 104, 97,  112, 101, 39,  58, 32,  40,  50,  44,  41,  44,  32,  125,
        32,  32,  32,  32,  32,  32,  32,  32,  32, 32,  32,  32,  32,  32,  32,  32,  32,
        32,  32,  32,  32,  32,  32,  32,  32,  32, 32,  32,  32,  32,  32,  32,  32,  32,
        32,  32,  32,  32,  32,  32,  32,  32,  32, 32,  32,  32,  32,  32,  32,  32,  32,
        32,  32,  32,  32,  32,  32,  32,  32,  32, 10,  1,   2,   80,  75,  1,   2,   20,
        3,   20,  0,   0,   0,   0,   0,   0,   0,  33,  0,   206, 37,  248, 166, 130, 0,
        0,   0,   130, 0,   0,   0,   5,   0,   0,  0,   0,   0,   0,   0,   0,   0,   0,
        0,   128, 1,   0,   0,   0,   0,   120, 46, 110, 112, 121, 80,  75,  5,   6,   0,
        0,   0,   0,   1,   0,   1,   0,   51,  0,  0,   0,   165, 0,   0,   0,   0,   0,
    };
    write_file(path, (tsr_str){(const char *)bytes, sizeof bytes});
}

static void make_world(world *w)
{
    w->ctx = tsr_ctx_new();
    w->m = tsr_module_parse(w->ctx, STR(program), STR("m.mlir"));
    w->parts = tsr_module_clone(w->m);
    w->moves = tsr_module_parse(w->ctx, STR(moves), STR("moves.mlir"));
    CHECK(tsr_module_partition(w->parts));
    w->in[0] = tsr_tensor_parse(w->ctx, STR("4x2xf32=1,2,3,4,5,6,7,8"), &w->status);
    w->in[1] = tsr_tensor_parse(w->ctx, STR("2x3xf32=0.5"), &w->status);
    w->n = tsr_tensor_parse(w->ctx, STR("i32=3"), &w->status);
    w->bytes = tsr_module_bytecode(w->m, -1);
    w->artifact = tsr_module_serialize(w->m, STR("current"), true);
    w->x = tsr_module_compile(w->m, main_name(), NULL, &w->status);
    w->loop = tsr_module_compile(w->m, STR("loop"), NULL, &w->status);
    CHECK(w->x && w->loop);
    w->saved = tsr_executable_save(w->x, &w->status);
    w->status = (tsr_status){0};
    CHECK(w->ctx && w->m && w->parts && w->moves && w->in[0] && w->in[1] && w->n && w->bytes.data &&
          w->artifact.data);
}

/* What calls about TTNN find besides. */
static void add_ttnn(world *w)
{
    w->ttir = tsr_module_parse(w->ctx, STR(ttir), STR("t.mlir"));
    w->ttnn = tsr_module_clone(w->ttir);
    CHECK(lower(w->ttnn));
    w->binary = tsr_module_binary(w->ttnn);
    CHECK(w->binary.data != NULL);
}

static void add_metal(world *w)
{
    w->metal = tsr_module_parse(w->ctx, STR(ttir), STR("t.mlir"));
    CHECK(lower_to(w->metal, "ttir-to-ttmetal-host-pipeline"));
    w->commands = tsr_module_binary_for(w->metal, STR("ttmetal"));
    CHECK(w->commands.data != NULL);
}

static void add_ttir(world *w)
{
    w->ttir = tsr_module_parse(w->ctx, STR(ttir), STR("t.mlir"));
}

static void add_cpp(world *w)
{
    w->cpp = tsr_module_parse(w->ctx, STR(ttir), STR("t.mlir"));
    CHECK(lower_to(w->cpp, "ttir-to-emitc-pipeline"));
}

static void add_python(world *w)
{
    w->python = tsr_module_parse(w->ctx, STR(ttir), STR("t.mlir"));
    CHECK(lower_to(w->python, "ttir-to-emitpy-pipeline"));
}

/* What a call finds besides. */
static void add_for(world *w, bool (*run)(world *w))
{
    static const struct {
        bool (*run)(world *w);
        void (*add)(world *w);
    } rows[] = {
        {do_lower, add_ttnn},       {do_binary, add_ttnn},      {do_read_binary, add_ttnn},
        {do_binary_json, add_ttnn}, {do_metal, add_metal},      {do_read_metal, add_metal},
        {do_metal_json, add_metal}, {do_lower_metal, add_ttir}, {do_lower_cpp, add_ttir},
        {do_cpp, add_cpp},          {do_python, add_python},    {do_lower_python, add_ttir},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].run == run)
            rows[i].add(w);
}

static void free_world(world *w)
{
    tsr_free((void *)w->bytes.data);
    tsr_free((void *)w->saved.data);
    tsr_free((void *)w->artifact.data);
    tsr_free((void *)w->binary.data);
    tsr_free((void *)w->commands.data);
    tsr_module_free(w->metal);
    tsr_module_free(w->cpp);
    tsr_module_free(w->python);
    tsr_module_free(w->ttir);
    tsr_module_free(w->ttnn);
    for (int i = 0; i < IN; i++)
        tsr_tensor_free(w->in[i]);
    tsr_tensor_free(w->n);
    tsr_executable_free(w->x);
    tsr_executable_free(w->loop);
    tsr_module_free(w->moves);
    tsr_module_free(w->parts);
    tsr_module_free(w->m);
    tsr_ctx_free(w->ctx);
}

static int open_files(void)
{
    int n = 0;
    DIR *d = opendir("/proc/self/fd");
    while (d && readdir(d))
        n++;
    if (d)
        closedir(d);
    return n;
}

static int files_in(const char *dir)
{
    int n = 0;
    DIR *d = opendir(dir);
    while (d && readdir(d))
        n++;
    if (d)
        closedir(d);
    return n;
}

/* The context works as if nothing had been. */
static bool still_works(world *w)
{
    tsr_module *m = tsr_module_parse(w->ctx, STR(program), STR("again.mlir"));
    tsr_tensor *out = NULL;
    tsr_status s = {0};
    bool ok = m && tsr_module_verify(m) &&
              tsr_module_eval(m, main_name(), w->in, IN, &out, 1, &s) && tsr_module_partition(m) &&
              drop_tensor(out) &&
              tsr_module_eval_spmd(m, main_name(), w->in, IN, &out, 1, NULL, &s);
    tsr_tensor_free(ok ? out : NULL);
    tsr_module_free(m);
    out = NULL;
    ok = ok && tsr_executable_run(w->x, w->in, IN, &out, 1, NULL, &s);
    tsr_tensor_free(out);
    return ok;
}

/* ---- The sweep ---- */

static long points, refused;

static void complain(size_t call, long n, bool for_good, const char *what)
{
    failed++;
    printf("%s: allocation %ld fails%s: %s\n", calls[call].name, n, for_good ? " for good" : "",
           what);
}

/* One point; false: the call makes no n allocations. */
static bool point(const world *paths, size_t call, long n, bool for_good)
{
    world w = *paths;
    long before = heap.live;
    make_world(&w);
    add_for(&w, calls[call].run);
    int files = open_files();
    int kept = files_in(w.dir);
    fail_from(n, for_good);
    bool ok = calls[call].run(&w);
    bool reached = heap.calls >= n;
    fail_from(0, false);
    const tsr_status *last = tsr_ctx_last_error(w.ctx);
    points += reached;
    refused += reached && !ok;
    if (!ok && !reached)
        complain(call, n, for_good, "fails with all the memory it wants");
    if (!ok && w.status.code != TSR_OK &&
        (w.status.code != TSR_ENVIRONMENT || !strstr(w.status.message, "memory")))
        complain(call, n, for_good, w.status.message);
    if (!ok && !calls[call].no_context &&
        (last->code != TSR_ENVIRONMENT || !strstr(last->message, "memory")))
        complain(call, n, for_good, "its last error is another one");
    if (open_files() != files)
        complain(call, n, for_good, "a file is left open");
    if (calls[call].run != do_save && files_in(w.dir) != kept)
        complain(call, n, for_good, "a file is left behind");
    if (!ok && !still_works(&w))
        complain(call, n, for_good, "the context does not work any more");
    free_world(&w);
    if (heap.live != before)
        complain(call, n, for_good, "memory is lost");
    passed++;
    return reached;
}

/* Calls with many allocations try each of the first ones and then some. */
/* only: the name of one call; NULL: all. */
static void sweep(const world *paths, const char *only)
{
    for (size_t c = 0; c < sizeof calls / sizeof *calls; c++) {
        if (only && strcmp(calls[c].name, only) != 0)
            continue;
        long from = points;
        for (int for_good = 0; for_good < 2; for_good++)
            for (long n = 1; point(paths, c, n, for_good); n += n < 150 ? 1 : n / 50)
                continue;
        printf("  %-22s %5ld points\n", calls[c].name, points - from);
    }
}

/* ---- NULL ---- */

static void test_null(void)
{
    tsr_status s = {0};
    tsr_tensor *out = NULL;
    tsr_comparison c;
    size_t n;
    CHECK(tsr_cstr(NULL).len == 0 && tsr_cstr(NULL).data);
    tsr_ctx_free(NULL);
    tsr_module_free(NULL);
    tsr_tensor_free(NULL);
    tsr_free(NULL);
    tsr_ctx_on_diag(NULL, NULL, NULL);
    tsr_ctx_allow_unregistered(NULL, true);
    tsr_ctx_set_budget(NULL, NULL);
    tsr_ctx_cancel(NULL, true);
    CHECK(tsr_ctx_last_error(NULL)->code == TSR_ENVIRONMENT);
    CHECK(!tsr_ctx_checkpoint(NULL));
    tsr_ctx_rewind(NULL, NULL);
    CHECK(!tsr_module_parse(NULL, STR(program), STR("x")) && !tsr_module_parse_file(NULL, "x") &&
          !tsr_module_clone(NULL));
    CHECK(!tsr_module_verify(NULL) && !tsr_module_run(NULL, STR("cse")) &&
          !tsr_module_simplify(NULL) && !tsr_module_fuse(NULL));
    CHECK(!tsr_module_differentiate(NULL, STR("f"), NULL) && !tsr_module_partition(NULL));
    CHECK(!tsr_module_print(NULL, NULL).data && !tsr_module_bytecode(NULL, -1).data);
    CHECK(!tsr_module_serialize(NULL, STR("current"), false).data &&
          !tsr_module_deserialize(NULL, STR("x"), STR("y")));
    CHECK(!tsr_module_find_plan(NULL, NULL, &s) && !tsr_mesh_plan_to_json(NULL, &s).data &&
          !tsr_mesh_plan_from_json((tsr_str){NULL, 3}, STR("x"), &s) &&
          !tsr_mesh_plan_select(NULL, 0, &s) && !tsr_module_apply_plan(NULL, NULL, false, &s) &&
          !tsr_module_check_plan(NULL, kept_plan, NULL, true, NULL, &s).data &&
          !tsr_mesh_plan_compare(kept_plan, NULL, true, &s).data);
    CHECK(tsr_mesh_plan_num_candidates(NULL) == 0 && tsr_mesh_plan_chosen_candidate(NULL) == 0);
    tsr_mesh_plan_free(NULL);
    CHECK(!tsr_module_op(NULL) && !tsr_module_lookup(NULL, STR("f")) &&
          !tsr_op_walk(NULL, NULL, NULL));
    CHECK(!tsr_op_name(NULL).len && !tsr_op_num_operands(NULL) && !tsr_op_num_results(NULL) &&
          !tsr_op_num_regions(NULL));
    CHECK(!tsr_op_operand(NULL, 0) && !tsr_op_result(NULL, 0) && !tsr_op_region(NULL, 0) &&
          !tsr_op_attr(NULL, STR("a")));
    CHECK(!tsr_op_parent(NULL) && !tsr_op_next(NULL) && !tsr_region_first_block(NULL) &&
          !tsr_block_next(NULL));
    CHECK(!tsr_block_first_op(NULL) && !tsr_block_num_args(NULL) && !tsr_block_arg(NULL, 0));
    CHECK(!tsr_value_type(NULL) && !tsr_value_def(NULL) && !tsr_value_num_uses(NULL));
    CHECK(!tsr_type_parse(NULL, STR("f32")) && !tsr_attr_parse(NULL, STR("1")));
    CHECK(!tsr_type_print(NULL).data && !tsr_attr_print(NULL).data);
    CHECK(!tsr_type_is_tensor(NULL) && !tsr_type_is_ranked(NULL) && tsr_type_rank(NULL) == -1);
    CHECK(tsr_type_dim(NULL, 0) == TSR_DYNAMIC && !tsr_type_element(NULL));
    CHECK(!tsr_tensor_create(NULL, STR("f32"), NULL, 0, NULL, &s) && s.code == TSR_BAD_INPUT &&
          strstr(s.message, "NULL"));
    CHECK(!tsr_tensor_parse(NULL, STR("f32=1"), NULL) && !tsr_tensor_load(NULL, NULL, NULL, NULL));
    CHECK(!tsr_tensor_save(NULL, "x", NULL) && !tsr_tensor_text(NULL).data &&
          !tsr_tensor_data(NULL) && !tsr_tensor_size(NULL));
    CHECK(!tsr_tensor_rank(NULL) && !tsr_tensor_dim(NULL, 0) && !tsr_tensor_num_elements(NULL) &&
          !tsr_tensor_element(NULL));
    CHECK(tsr_tensor_get(NULL, 0) == 0 && !tsr_module_signature(NULL, STR("f"), &n, &n));
    CHECK(!tsr_module_input_type(NULL, STR("f"), 0) && !tsr_module_output_type(NULL, STR("f"), 0));
    CHECK(!tsr_module_eval(NULL, STR("f"), NULL, 0, &out, 1, NULL) &&
          !tsr_module_eval_spmd(NULL, STR("f"), NULL, 0, NULL, 0, NULL, NULL));
    CHECK(!tsr_module_random_input(NULL, STR("f"), 0, 0, NULL) &&
          tsr_default_tolerance(NULL).rtol == 0);
    CHECK(!tsr_tensor_compare(NULL, NULL, NULL, &c));
    tsr_goldens *own = NULL;
    tsr_golden_report report;
    tsr_golden_op op;
    tsr_goldens_free(NULL);
    CHECK(!tsr_module_profile(NULL, STR("f"), NULL, 0, 1, true, NULL, NULL).data &&
          !tsr_module_page(NULL, NULL, NULL).data);
    CHECK(!tsr_goldens_new(NULL, STR("f"), NULL, NULL) && !tsr_goldens_num_devices(NULL) &&
          !tsr_goldens_num_inputs(NULL) && !tsr_goldens_num_ops(NULL));
    CHECK(!tsr_goldens_set_input(NULL, 0, NULL, NULL) &&
          !tsr_goldens_set(NULL, NULL, 0, NULL, NULL) &&
          !tsr_goldens_bypass(NULL, NULL, true, NULL) && !tsr_goldens_get(NULL, NULL, 0, NULL));
    CHECK(!tsr_goldens_op(NULL, 0, &op) && !tsr_goldens_result(NULL, 0, 0, 0, NULL) &&
          !tsr_goldens_split(NULL, 0, &own, NULL) && !tsr_goldens_check(NULL, NULL, &report, NULL));
}

/* Without a handler the context keeps what a call said. */
static void test_last_error(void)
{
    tsr_ctx *ctx = tsr_ctx_new();
    tsr_status s = {0};
    CHECK(tsr_ctx_last_error(ctx)->code == TSR_OK);
    CHECK(!tsr_module_parse(ctx, STR("func.func @f() {\n  oops\n}"), STR("x.mlir")));
    CHECK(tsr_ctx_last_error(ctx)->code == TSR_BAD_INPUT &&
          strstr(tsr_ctx_last_error(ctx)->message, "x.mlir:2:3: "));
    tsr_module *m = tsr_module_parse(ctx, STR("func.func @f() { return }"), STR("y.mlir"));
    CHECK(m && strstr(tsr_ctx_last_error(ctx)->message, "x.mlir")); /* the last one that failed */
    CHECK(!tsr_module_run(m, STR("no-such-pass")) &&
          strstr(tsr_ctx_last_error(ctx)->message, "no-such-pass"));
    CHECK(!tsr_module_eval(m, STR("nothing"), NULL, 0, NULL, 0, NULL));
    CHECK(strstr(tsr_ctx_last_error(ctx)->message, "no function 'nothing'"));
    CHECK(!tsr_tensor_parse(ctx, STR("2xf32=oops"), &s) &&
          strcmp(s.message, tsr_ctx_last_error(ctx)->message) == 0);
    tsr_module_free(m);
    tsr_ctx_free(ctx);
}

/* capi_memory [CALL]: sweeps one call, or all. */
int main(int argc, char **argv)
{
    tsr_set_allocator(allocate, NULL);
    world w = {0};
    snprintf(w.dir, sizeof w.dir, "/tmp/tsr_memory.%ld", (long)getpid());
    char command[160];
    snprintf(command, sizeof command, "mkdir %s", w.dir);
    CHECK(system(command) == 0);
    snprintf(w.text, sizeof w.text, "%s/m.mlir", w.dir);
    snprintf(w.code, sizeof w.code, "%s/m.mlirbc", w.dir);
    snprintf(w.npy, sizeof w.npy, "%s/x.npy", w.dir);
    snprintf(w.npz, sizeof w.npz, "%s/x.npz", w.dir);
    snprintf(w.out, sizeof w.out, "%s/out.npy", w.dir);
    world first = w;
    make_world(&first);
    write_file(w.text, STR(program));
    write_file(w.code, first.bytes);
    write_npz(w.npz);
    CHECK(tsr_tensor_save(first.in[0], w.npy, NULL));
    /* What the library keeps between runs of programs, for speed, is there from now on. */
    CHECK(still_works(&first));
    kept_plan = found_plan(&first);
    tsr_str text = tsr_mesh_plan_to_json(kept_plan, NULL);
    CHECK(text.len && text.len < sizeof plan_text);
    if (text.len < sizeof plan_text)
        memcpy(plan_text, text.data, text.len);
    tsr_free((void *)text.data);
    free_world(&first);
    long kept = heap.live;
    CHECK(kept <= 4); /* the plan too */
    const char *only = argc > 1 ? argv[1] : NULL;
    sweep(&w, only);
    printf("  %ld points, %ld of them fail the call\n", points, refused);
    CHECK(points > (only ? 10 : 1600) && refused > points / 2);
    test_null();
    test_last_error();
    CHECK(heap.live == kept);
    tsr_mesh_plan_free(kept_plan);
    snprintf(command, sizeof command, "rm -r %s", w.dir);
    CHECK(system(command) == 0);
    printf("%d passed, %d failed\n", passed, failed);
    return failed != 0;
}
