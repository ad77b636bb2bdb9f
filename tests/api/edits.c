/* SPDX-License-Identifier: Apache-2.0 */
/* edits.c - modules that random edits changed, given to every call that reads a module: each answers as it does for the
 * same module read again from its text, or fails where that text is invalid. Runs that succeed also agree with the
 * reference evaluator.
 *
 *     capi_edits [COUNT [SEED]]      SHOW=1: the diagnostics; SHOW=2: each edit and call too */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tessera/build.h>
#include <tessera/code.h>
#include <tessera/golden.h>

#include "check.h"

#define STR(s) ((tsr_str){(s), strlen(s)})
#define COUNT(a) (sizeof(a) / sizeof *(a))

static const char *const programs[] = {
    "func.func @main(%a: tensor<4x2xf32>, %b: tensor<4x2xf32>) -> (tensor<4x2xf32>, "
    "tensor<4x2xf32>) {\n"
    "  %0 = stablehlo.tanh %a : tensor<4x2xf32>\n"
    "  %1 = stablehlo.add %0, %b : tensor<4x2xf32>\n"
    "  %2 = stablehlo.multiply %1, %0 : tensor<4x2xf32>\n"
    "  %3 = stablehlo.negate %2 : tensor<4x2xf32>\n"
    "  %4 = stablehlo.subtract %3, %1 : tensor<4x2xf32>\n"
    "  return %4, %2 : tensor<4x2xf32>, tensor<4x2xf32>\n"
    "}\n",
    "func.func @main(%a: tensor<4x8xf32>, %w: tensor<8x6xf32>) -> tensor<4xf32> {\n"
    "  %z = stablehlo.constant dense<0.0> : tensor<f32>\n"
    "  %0 = stablehlo.dot_general %a, %w, contracting_dims = [1] x [0] : (tensor<4x8xf32>, "
    "tensor<8x6xf32>) -> tensor<4x6xf32>\n"
    "  %1 = stablehlo.exponential %0 : tensor<4x6xf32>\n"
    "  %2 = stablehlo.reduce(%1 init: %z) applies stablehlo.add across dimensions = [1] : "
    "(tensor<4x6xf32>, tensor<f32>) -> tensor<4xf32>\n"
    "  %3 = stablehlo.broadcast_in_dim %2, dims = [0] : (tensor<4xf32>) -> tensor<4x6xf32>\n"
    "  %4 = stablehlo.divide %1, %3 : tensor<4x6xf32>\n"
    "  %5 = stablehlo.reduce(%4 init: %z) applies stablehlo.maximum across dimensions = [1] : "
    "(tensor<4x6xf32>, tensor<f32>) -> tensor<4xf32>\n"
    "  return %5 : tensor<4xf32>\n"
    "}\n",
    "func.func @main(%a: tensor<4xf32>, %n: tensor<i32>) -> (tensor<4xf32>, tensor<i32>) {\n"
    "  %c = stablehlo.constant dense<1> : tensor<i32>\n"
    "  %five = stablehlo.constant dense<5> : tensor<i32>\n"
    "  %0:2 = stablehlo.while(%x = %a, %k = %c) : tensor<4xf32>, tensor<i32> cond {\n"
    "    %p = stablehlo.compare LT, %k, %five : (tensor<i32>, tensor<i32>) -> tensor<i1>\n"
    "    stablehlo.return %p : tensor<i1>\n"
    "  } do {\n"
    "    %s = stablehlo.sine %x : tensor<4xf32>\n"
    "    %t = stablehlo.add %s, %x : tensor<4xf32>\n"
    "    %u = stablehlo.add %k, %c : tensor<i32>\n"
    "    stablehlo.return %t, %u : tensor<4xf32>, tensor<i32>\n"
    "  }\n"
    "  %1 = stablehlo.add %0#1, %n : tensor<i32>\n"
    "  return %0#0, %1 : tensor<4xf32>, tensor<i32>\n"
    "}\n",
    "module @two {\n"
    "  sdy.mesh @mesh = <[\"x\"=2]>\n"
    "  func.func @main(%a: tensor<4x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{\"x\"}, {}]>}) "
    "-> "
    "tensor<4x4xf32> {\n"
    "    %0 = call @f(%a) : (tensor<4x4xf32>) -> tensor<4x4xf32>\n"
    "    %1 = stablehlo.transpose %0, dims = [1, 0] : (tensor<4x4xf32>) -> tensor<4x4xf32>\n"
    "    %2 = stablehlo.add %1, %0 : tensor<4x4xf32>\n"
    "    return %2 : tensor<4x4xf32>\n"
    "  }\n"
    "  func.func private @f(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {\n"
    "    %0 = stablehlo.cosine %x : tensor<4x4xf32>\n"
    "    %1 = stablehlo.abs %0 : tensor<4x4xf32>\n"
    "    return %1 : tensor<4x4xf32>\n"
    "  }\n"
    "}\n",
    "func.func @main(%p: tensor<i1>, %a: tensor<3xf32>) -> tensor<3xf32> {\n"
    "  %0 = \"stablehlo.if\"(%p) ({\n"
    "    %1 = stablehlo.negate %a : tensor<3xf32>\n"
    "    stablehlo.return %1 : tensor<3xf32>\n"
    "  }, {\n"
    "    %1 = stablehlo.sqrt %a : tensor<3xf32>\n"
    "    stablehlo.return %1 : tensor<3xf32>\n"
    "  }) : (tensor<i1>) -> tensor<3xf32>\n"
    "  %s = stablehlo.slice %0 [0:2] : (tensor<3xf32>) -> tensor<2xf32>\n"
    "  %c = stablehlo.concatenate %s, %s, dim = 0 : (tensor<2xf32>, tensor<2xf32>) -> "
    "tensor<4xf32>\n"
    "  %d = stablehlo.slice %c [1:4] : (tensor<4xf32>) -> tensor<3xf32>\n"
    "  return %d : tensor<3xf32>\n"
    "}\n",
    "func.func @main(%a: tensor<2x4xf32>, %b: tensor<2x4xf32>) -> tensor<2x4xf32> {\n"
    "  %0 = \"ttir.add\"(%a, %b) : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>\n"
    "  %1 = \"ttir.relu\"(%0) : (tensor<2x4xf32>) -> tensor<2x4xf32>\n"
    "  %2 = \"ttir.multiply\"(%1, %0) : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>\n"
    "  return %2 : tensor<2x4xf32>\n"
    "}\n",
};
static const char *const types[] = {
    "tensor<4x2xf32>",     "tensor<4xf32>", "tensor<3xf32>",    "tensor<f32>", "tensor<i32>",
    "tensor<4x?xf32>",     "tensor<*xf32>", "tensor<4x2xbf16>", "tensor<i1>",  "!stablehlo.token",
    "(tensor<f32>) -> ()", "i32",           "tuple<>",
};
static const char *const attrs[] = {
    "1 : i64",
    "unit",
    "\"text\"",
    "[]",
    "{}",
    "dense<1.0> : tensor<4x2xf32>",
    "dense<3> : tensor<i32>",
    "array<i64: 0>",
    "array<i64: 1, 0>",
    "array<i32: 1, 1>",
    "@f",
    "@main",
    "(tensor<4x2xf32>) -> tensor<4x2xf32>",
    "tensor<4x2xf32>",
    "#stablehlo.dot<lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0]>",
    "#stablehlo<comparison_direction GT>",
    "#sdy.sharding_per_value<[<@mesh, [{\"x\"}, {}]>]>",
    "#sdy.sharding<@mesh, [{\"x\"}, {}]>",
    "[{sdy.sharding = #sdy.sharding<@mesh, [{}, {\"x\"}]>}]",
    "[{tf.aliasing_output = 0 : i32}, {}]",
};
static const char *const keys[] = {
    "value",
    "dimensions",
    "function_type",
    "sym_name",
    "callee",
    "permutation",
    "start_indices",
    "strides",
    "sym_visibility",
    "arg_attrs",
    "res_attrs",
    "sdy.sharding",
    "dimension",
    "mesh",
    "anything",
    "comparison_direction",
    "tessera.x",
    "mhlo.num_partitions",
    "broadcast_dimensions",
    "dot_dimension_numbers",
};
static const char *const names[] = {
    "stablehlo.add",    "stablehlo.tanh",
    "stablehlo.negate", "stablehlo.return",
    "func.return",      "stablehlo.constant",
    "ttir.add",         "stablehlo.reduce",
    "stablehlo.while",  "func.call",
    "func.func",        "builtin.module",
    "stablehlo.select", "sdy.sharding_constraint",
    "stablehlo.tuple",
};

/* ---- Randomness, and what is shown ---- */

static uint64_t state;
static int show;

static size_t below(size_t n)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return n ? (size_t)((state * 0x2545F4914F6CDD1D) >> 33) % n : 0;
}

#define ANY(list) ((list)[below(COUNT(list))])

static void say(const char *format, ...)
{
    va_list args;
    if (show < 2)
        return;
    va_start(args, format);
    vfprintf(stderr, format, args);
    va_end(args);
    fputc('\n', stderr);
}

static void tell(void *user, const tsr_diag *d)
{
    (void)user;
    if (show)
        fprintf(stderr, "  %.*s\n", (int)d->message.len, d->message.data);
}

/* ---- Edits ---- */

enum { MOST = 256 };

/* Everything of the module that there is or was: handles of erased things stay. */
typedef struct {
    tsr_ctx *ctx;
    tsr_module *m;
    tsr_op *ops[MOST];
    tsr_value *values[MOST];
    tsr_block *blocks[MOST];
    tsr_region *regions[MOST];
    size_t nop, nvalue, nblock, nregion;
} edited;

#define ADD(e, list, n, x)                \
    do {                                  \
        if ((x) != NULL && (e)->n < MOST) \
            (e)->list[(e)->n++] = (x);    \
    } while (0)

static void add_block(edited *e, tsr_block *b)
{
    ADD(e, blocks, nblock, b);
    for (size_t i = 0; i < tsr_block_num_args(b); i++)
        ADD(e, values, nvalue, tsr_block_arg(b, i));
}

static bool add_op(void *user, tsr_op *op)
{
    edited *e = user;
    ADD(e, ops, nop, op);
    for (size_t i = 0; i < tsr_op_num_results(op); i++)
        ADD(e, values, nvalue, tsr_op_result(op, i));
    for (size_t i = 0; i < tsr_op_num_regions(op); i++)
        for (tsr_block *b = tsr_region_first_block(tsr_op_region(op, i)); b; b = tsr_block_next(b))
            add_block(e, b);
    return true;
}

static tsr_op *any_op(const edited *e)
{
    return e->ops[below(e->nop)];
}

static tsr_value *any_value(const edited *e)
{
    return e->values[below(e->nvalue)];
}

static tsr_type *any_type(const edited *e)
{
    return below(2) ? tsr_value_type(any_value(e)) : tsr_type_parse(e->ctx, tsr_cstr(ANY(types)));
}

static tsr_op *create(edited *e)
{
    tsr_value *in[3] = {any_value(e), any_value(e), any_value(e)};
    tsr_type *out[2] = {any_type(e), any_type(e)};
    tsr_region *regions[2] = {NULL, NULL};
    tsr_op *at = below(3) ? any_op(e) : NULL;
    tsr_block *block = at ? tsr_op_block(at) : e->blocks[below(e->nblock)];
    tsr_named_attr attr = {tsr_cstr(ANY(keys)), tsr_attr_parse(e->ctx, tsr_cstr(ANY(attrs)))};
    for (size_t i = 0; i < 2 && e->nregion && below(2); i++)
        regions[i] = e->regions[below(e->nregion)];
    tsr_op_spec spec = {.name = below(2) ? tsr_cstr(ANY(names)) : tsr_op_name(any_op(e)),
                        .operands = in,
                        .noperand = below(4),
                        .results = below(3) ? NULL : out,
                        .nresult = below(3),
                        .attrs = &attr,
                        .nattr = attr.value && below(2),
                        .regions = regions,
                        .nregion = below(3) ? 0 : 1 + below(2),
                        .unfinished = below(3) == 0};
    if (regions[0] == regions[1])
        spec.nregion = spec.nregion > 1 ? 1 : spec.nregion;
    say("create %.*s", (int)spec.name.len, spec.name.data);
    return tsr_create_op(block, at, &spec, NULL);
}

static void create_other(edited *e)
{
    tsr_op *at = any_op(e);
    tsr_type *two[] = {any_type(e), any_type(e)};
    switch (below(6)) {
    case 0: ADD(e, regions, nregion, tsr_create_region(e->m, NULL)); break;
    case 1: {
        tsr_region *r =
            e->nregion && below(2) ? e->regions[below(e->nregion)] : tsr_op_region(at, below(2));
        tsr_block *b = r ? tsr_create_block(r, two, below(3), NULL, NULL) : NULL;
        if (b)
            add_block(e, b);
        break;
    }
    case 2:
        ADD(e, values, nvalue,
            tsr_create_block_arg(e->blocks[below(e->nblock)], two[0], NULL, NULL));
        break;
    case 3: {
        tsr_op *copy = tsr_create_copy(tsr_op_block(at), below(2) ? at : NULL, any_op(e), NULL);
        if (copy)
            add_op(e, copy);
        break;
    }
    case 4: {
        tsr_type *f = tsr_create_function_type(e->ctx, two, 1, two + 1, 1, NULL);
        tsr_op *made = tsr_create_function(e->m, NULL, STR("g"), f, NULL, NULL);
        if (made)
            add_op(e, made);
        break;
    }
    default: {
        tsr_blob blob = {STR("key"), {"\1\2\3\4", 4}, 4};
        tsr_create_blob(e->m, &blob, NULL);
    }
    }
}

static void edit(edited *e)
{
    tsr_op *op = any_op(e), *other = any_op(e);
    tsr_value *v = any_value(e), *w = any_value(e);
    bool done = true;
    size_t kind = below(13);
    switch (kind) {
    case 0:
    case 1:
        if (tsr_op_block(other) && below(3)) /* within a block: what a user does */
            for (size_t i = 0; i < 20 && tsr_op_block(op) != tsr_op_block(other); i++)
                op = any_op(e);
        done = tsr_edit_move(op, tsr_op_block(other), below(4) ? other : NULL, NULL);
        break;
    case 2: done = tsr_edit_erase(op, NULL); break;
    case 3: done = tsr_edit_replace(v, w, NULL); break;
    case 4:
    case 5: done = tsr_edit_operand(op, below(3), v, NULL); break;
    case 6: {
        tsr_value *in[3] = {v, w, any_value(e)};
        done = tsr_edit_operands(op, in, below(4), NULL);
        break;
    }
    case 7: done = tsr_edit_type(v, any_type(e), NULL); break;
    case 8:
    case 9: {
        tsr_attr *a = below(4) ? tsr_attr_parse(e->ctx, tsr_cstr(ANY(attrs))) : NULL;
        tsr_named_attr has[16];
        size_t n = tsr_op_attrs(op, has, COUNT(has));
        done = tsr_edit_attr(op, n && below(2) ? has[below(n)].name : tsr_cstr(ANY(keys)), a, NULL);
        break;
    }
    case 10: done = tsr_edit_erase_arg(e->blocks[below(e->nblock)], below(3), NULL); break;
    case 11: {
        tsr_op *made = create(e);
        done = made != NULL;
        if (made)
            add_op(e, made);
        break;
    }
    default: create_other(e);
    }
    say("edit %zu %s", kind, done ? "" : "refused");
}

/* ---- Calls ---- */

enum { PORTS = 8 };

/* What a call on a module answers: whether it worked, numbers, and the module afterwards if the call changes it. */
typedef struct {
    bool ok;
    tsr_tensor *out[PORTS];
    size_t nout;
    tsr_str text; /* that does not depend on locations */
} answer;

typedef struct {
    tsr_module *m;
    tsr_tensor *in[PORTS];
    size_t nin;
    answer a;
    tsr_status s;
} asked;

static bool ports(asked *q)
{
    if (!tsr_module_signature(q->m, STR("main"), &q->nin, &q->a.nout) || q->nin > PORTS ||
        q->a.nout > PORTS) {
        q->nin = q->a.nout = 0;
        return false;
    }
    for (size_t i = 0; i < q->nin; i++)
        q->in[i] = tsr_module_random_input(q->m, STR("main"), i, 7 + i, NULL);
    for (size_t i = 0; i < q->nin; i++)
        if (!q->in[i])
            return false;
    return true;
}

static bool run(asked *q, tsr_eval_engine engine)
{
    tsr_eval_options how = {.engine = engine};
    bool has = ports(q);
    return tsr_module_eval_with(q->m, STR("main"), q->in, has ? q->nin : 0, q->a.out, q->a.nout,
                                &how, &q->s);
}

static bool compiled(asked *q)
{
    return run(q, TSR_ENGINE_COMPILED);
}
static bool reference(asked *q)
{
    return run(q, TSR_ENGINE_REFERENCE);
}

static bool spmd(asked *q)
{
    bool has = ports(q);
    return tsr_module_eval_spmd(q->m, STR("main"), q->in, has ? q->nin : 0, q->a.out, q->a.nout,
                                NULL, &q->s);
}

static bool executable(asked *q)
{
    tsr_executable *x = tsr_module_compile(q->m, STR("main"), NULL, &q->s);
    bool ok = x && ports(q) && tsr_executable_num_devices(x) == 1;
    ok = ok && tsr_executable_run(x, q->in, q->nin, q->a.out, q->a.nout, NULL, &q->s);
    tsr_executable_free(x);
    return ok;
}

static bool saved(asked *q)
{
    tsr_executable *x = tsr_module_compile(q->m, STR("main"), NULL, &q->s), *y = NULL;
    tsr_str data = x ? tsr_executable_save(x, &q->s) : (tsr_str){NULL, 0};
    if (data.data)
        y = tsr_executable_load(tsr_module_context(q->m), data, STR("saved"), &q->s);
    bool ok = y && ports(q) && tsr_executable_num_devices(y) == 1;
    ok = ok && tsr_executable_run(y, q->in, q->nin, q->a.out, q->a.nout, NULL, &q->s);
    tsr_free((void *)data.data);
    tsr_executable_free(x);
    tsr_executable_free(y);
    return ok;
}

static bool profile(asked *q)
{
    bool has = ports(q);
    tsr_str text =
        tsr_module_profile(q->m, STR("main"), q->in, has ? q->nin : 0, 1, false, NULL, &q->s);
    tsr_free((void *)text.data);
    return text.data != NULL;
}

static bool goldens(asked *q)
{
    tsr_goldens *g = tsr_goldens_new(q->m, STR("main"), NULL, &q->s);
    tsr_golden_report report = {0};
    bool ok = g && tsr_goldens_check(g, NULL, &report, &q->s);
    bool pass = ok && report.pass;
    tsr_free((void *)report.table.data);
    tsr_free((void *)report.json.data);
    tsr_goldens_free(g);
    return pass && tsr_module_verify(q->m); /* goldens of unfinished functions are allowed */
}

/* Calls that change the module. */
static bool changed(asked *q, bool ok)
{
    tsr_print_options generic = {.generic = true};
    if (ok)
        q->a.text = tsr_module_print(q->m, &generic);
    return ok;
}

static const tsr_shard_given first = {.index = 0, .text = {"x", 1}};
static const tsr_shard_options halves = {.mesh = {"x=2", 3}, .given = &first, .ngiven = 1};

static bool passes(asked *q)
{
    return changed(q, tsr_module_run(q->m, STR("canonicalize,cse")));
}
static bool nested(asked *q)
{
    return changed(q, tsr_module_run(q->m, STR("builtin.module(func.func(canonicalize,cse))")));
}
static bool lowered(asked *q)
{
    return changed(q, tsr_module_run(q->m, STR("stablehlo-to-ttir-pipeline")));
}
static bool simplified(asked *q)
{
    return changed(q, tsr_module_simplify(q->m));
}
static bool fused(asked *q)
{
    return changed(q, tsr_module_fuse(q->m));
}
static bool gradient(asked *q)
{
    return changed(q, tsr_module_differentiate(q->m, STR("main"), NULL));
}
static bool partitioned(asked *q)
{
    return changed(q, tsr_module_partition(q->m));
}
static bool sharded(asked *q)
{
    return changed(q, tsr_module_shard(q->m, below(2) ? &halves : NULL, &q->s));
}
static bool found(asked *q)
{
    tsr_auto_options two = {.devices = 2};
    tsr_str text = tsr_module_auto_shard(q->m, &two, false, &q->s);
    tsr_free((void *)text.data);
    return changed(q, text.data != NULL);
}

/* Calls that return a text with locations in it. */
static bool gave(tsr_str text)
{
    tsr_free((void *)text.data);
    return text.data != NULL;
}

static bool plan(asked *q)
{
    return gave(tsr_module_plan(q->m, &halves, below(2), &q->s));
}
static bool why(asked *q)
{
    return gave(tsr_module_why(q->m, &halves, STR("#0"), &q->s));
}
static bool page(asked *q)
{
    return gave(tsr_module_page(q->m, &halves, &q->s));
}
static bool simulated(asked *q)
{
    return gave(tsr_module_simulate(q->m, &halves, STR("h100"), below(2), &q->s));
}
static bool bytecode(asked *q)
{
    return gave(tsr_module_bytecode(q->m, -1));
}
static bool artifact(asked *q)
{
    return gave(tsr_module_serialize(q->m, STR("current"), below(2)));
}
static bool binary(asked *q)
{
    return gave(tsr_module_binary(q->m));
}
static bool as_c(asked *q)
{
    return gave(tsr_module_code(q->m, STR("c")));
}
static bool as_python(asked *q)
{
    return gave(tsr_module_code(q->m, STR("python")));
}
static bool as_cpp(asked *q)
{
    return gave(tsr_module_code(q->m, STR("cpp")));
}

static bool permuted(asked *q)
{
    size_t n = 0;
    bool ok = tsr_module_permutations(q->m, 2, &n, &q->s);
    tsr_module *copy = ok ? tsr_module_permutation(q->m, 2, n / 2, &q->s) : NULL;
    tsr_module_free(copy);
    return copy != NULL;
}

static bool counted(asked *q)
{
    size_t n;
    int64_t bytes;
    return tsr_module_collectives(q->m, &n, &bytes, &q->s);
}

static bool placed(asked *q)
{
    tsr_placement p;
    size_t replicas, partitions;
    return tsr_module_devices(q->m, &replicas, &partitions, &q->s) &&
           tsr_module_input_placement(q->m, STR("main"), 0, &p) &&
           tsr_module_output_placement(q->m, STR("main"), 0, &p);
}

static bool on_shards(asked *q)
{
    bool has = ports(q);
    tsr_tensor *const *in = q->in;
    tsr_tensor **out = q->a.out;
    return tsr_module_eval_shards(q->m, STR("main"), &in, 1, has ? q->nin : 0, &out, q->a.nout,
                                  NULL, &q->s);
}

static bool cloned(asked *q)
{
    tsr_module *copy = tsr_module_clone(q->m);
    bool ok = copy && tsr_module_verify(copy);
    tsr_module_free(copy);
    return ok;
}

static bool verified(asked *q)
{
    return tsr_module_verify(q->m);
}

static const struct call {
    const char *name;
    bool (*ask)(asked *q);
} calls[] = {
    {"compiled", compiled},
    {"reference", reference},
    {"spmd", spmd},
    {"executable", executable},
    {"saved", saved},
    {"profile", profile},
    {"goldens", goldens},
    {"passes", passes},
    {"nested", nested},
    {"lowered", lowered},
    {"simplified", simplified},
    {"fused", fused},
    {"gradient", gradient},
    {"partitioned", partitioned},
    {"sharded", sharded},
    {"found", found},
    {"plan", plan},
    {"why", why},
    {"page", page},
    {"simulated", simulated},
    {"bytecode", bytecode},
    {"artifact", artifact},
    {"binary", binary},
    {"as C", as_c},
    {"as Python", as_python},
    {"as C++", as_cpp},
    {"permuted", permuted},
    {"counted", counted},
    {"placed", placed},
    {"on shards", on_shards},
    {"cloned", cloned},
    {"verified", verified},
};

static void drop(asked *q)
{
    for (size_t i = 0; i < PORTS; i++) {
        tsr_tensor_free(q->in[i]);
        tsr_tensor_free(q->a.out[i]);
    }
    tsr_free((void *)q->a.text.data);
}

static bool same_text(tsr_str a, tsr_str b)
{
    return a.len == b.len && (!a.len || memcmp(a.data, b.data, a.len) == 0);
}

static bool same_tensor(const tsr_tensor *a, const tsr_tensor *b)
{
    size_t n = tsr_tensor_size(a);
    return n == tsr_tensor_size(b) &&
           (!n || memcmp(tsr_tensor_data(a), tsr_tensor_data(b), n) == 0);
}

/* A run agrees with the reference evaluator. */
static bool agrees(const answer *a, tsr_module *again)
{
    tsr_comparison c;
    asked r = {.m = again};
    bool ok = reference(&r);
    for (size_t i = 0; ok && i < a->nout; i++)
        ok = !tsr_tensor_element(a->out[i]) || tsr_tensor_compare(a->out[i], r.a.out[i], NULL, &c);
    drop(&r);
    return ok;
}

/* Asks both modules the same; again is NULL if the text is invalid. */
static const char *differ(tsr_module *m, tsr_module *again, const struct call *c)
{
    asked is = {.m = m}, should = {.m = again};
    const char *why = NULL;
    uint64_t seed = state;
    is.a.ok = c->ask(&is);
    if (!again) {
        why = is.a.ok ? "it works on an invalid module" : NULL;
    } else {
        tsr_module *before = tsr_module_clone(again);
        state = seed; /* the same options */
        should.a.ok = c->ask(&should);
        if (is.a.ok != should.a.ok)
            why = is.a.ok ? "it works only for the edited module" : "it works only when read again";
        else if (!same_text(is.a.text, should.a.text))
            why = "the module is another one";
        for (size_t i = 0; is.a.ok && !why && i < is.a.nout; i++)
            if (is.a.out[i] && !same_tensor(is.a.out[i], should.a.out[i]))
                why = "the numbers are others";
        if (is.a.ok && !why && is.a.nout && is.a.out[0] && !agrees(&is.a, before))
            why = "the numbers are not the evaluator's";
        tsr_module_free(before);
    }
    drop(&is);
    drop(&should);
    return why;
}

static tsr_module *read_again(tsr_ctx *ctx, tsr_str text)
{
    return text.data ? tsr_module_parse(ctx, text, STR("again")) : NULL;
}

static uint32_t valid, invalid;

static void trial(uint64_t seed)
{
    state = seed * 0x9E3779B97F4A7C15 + 0x1234567;
    tsr_ctx *ctx = tsr_ctx_new();
    tsr_ctx_on_diag(ctx, tell, NULL);
    tsr_budget limits = {.max_bytes = (size_t)1 << 30, .max_steps = 100000};
    tsr_ctx_set_budget(ctx, &limits);
    edited e = {.ctx = ctx};
    e.m = tsr_module_parse(ctx, tsr_cstr(ANY(programs)), STR("program"));
    CHECK(e.m != NULL);
    if (!e.m)
        return;
    tsr_op_walk(tsr_module_op(e.m), add_op, &e);
    for (size_t round = 1 + below(3); round-- > 0;) {
        for (size_t n = 1 + below(3); n-- > 0;)
            edit(&e);
        tsr_print_options generic = {.generic = true};
        tsr_str text = tsr_module_print(e.m, &generic);
        tsr_module *again = read_again(ctx, text);
        const struct call *c = &ANY(calls);
        valid += again != NULL;
        invalid += again == NULL;
        say("%s: %s\n%s", c->name, again ? "valid" : "invalid", text.data);
        const char *why = differ(e.m, again, c);
        if (why) {
            printf("seed %" PRIu64 ", %s: %s\n%s\n", seed, c->name, why, text.data);
            failed++;
        } else {
            passed++;
        }
        tsr_free((void *)text.data);
        tsr_module_free(again);
    }
    tsr_module_free(e.m);
    tsr_ctx_free(ctx);
}

int main(int argc, char **argv)
{
    uint64_t count = argc > 1 ? strtoull(argv[1], NULL, 10) : 2000;
    uint64_t first_seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
    const char *shown = getenv("SHOW");
    show = shown ? atoi(shown) : 0;
    for (uint64_t i = 0; i < count; i++)
        trial(first_seed + i);
    /* Neither half is what is tested alone. */
    CHECK(count < 100 || (valid > count / 4 && invalid > count / 4));
    printf("%u modules stayed valid, %u did not\n", valid, invalid);
    printf("%d passed, %d failed\n", passed, failed);
    return failed != 0;
}
