/* SPDX-License-Identifier: Apache-2.0 */
/* test_code.c - instructions of loops mean what exec/program.h says: a reader that knows nothing else computes the bits of the
 * CPU's code. It runs each instruction on all elements before the next one. */
#include "api/eval.h"
#include "eval/plan.h"
#include "exec/backend.h"
#include "exec/kernel/tile.h"
#include "exec/run/run.h"
#include "tessera/tessera.h"
#include "unit.h"

static const char *const files[] = {
    "tests/corpus/lstm_scan/module.mlir",         "tests/corpus/gpt_forward_dp_tp/module.mlir",
    "tests/corpus/mlp_train_step_dp/module.mlir", "tests/corpus/bf16_mixed_precision/module.mlir",
    "tests/corpus/moe_topk_dispatch/module.mlir",
};

/* Long rows and columns, of narrow floats, too; results in the place of operands; rows with numbers of their own. */
static const char text[] =
    "func.func @main(%a: tensor<3x40000xf32>, %b: tensor<700x48xf32>, %c: tensor<64x33xbf16>, %d: "
    "tensor<64x33xf16>) -> (tensor<3xf32>, tensor<48xf32>, tensor<64x33xbf16>, tensor<64x33xf16>, "
    "tensor<700x48xf32>, tensor<33x64xf32>) {\n"
    "  %z = stablehlo.constant dense<0.0> : tensor<f32>\n"
    "  %zh = stablehlo.constant dense<0.0> : tensor<bf16>\n"
    "  %m = stablehlo.constant dense<0xFF800000> : tensor<f32>\n"
    "  %0 = stablehlo.multiply %a, %a : tensor<3x40000xf32>\n"
    "  %1 = stablehlo.reduce(%0 init: %z) applies stablehlo.add across dimensions = [1] : "
    "(tensor<3x40000xf32>, tensor<f32>) -> tensor<3xf32>\n"
    "  %2 = stablehlo.tanh %b : tensor<700x48xf32>\n"
    "  %3 = stablehlo.reduce(%2 init: %z) applies stablehlo.add across dimensions = [0] : "
    "(tensor<700x48xf32>, tensor<f32>) -> tensor<48xf32>\n"
    "  %4 = stablehlo.reduce(%c init: %zh) applies stablehlo.add across dimensions = [1] : "
    "(tensor<64x33xbf16>, tensor<bf16>) -> tensor<64xbf16>\n"
    "  %5 = stablehlo.broadcast_in_dim %4, dims = [0] : (tensor<64xbf16>) -> tensor<64x33xbf16>\n"
    "  %6 = stablehlo.subtract %c, %5 : tensor<64x33xbf16>\n"
    "  %7 = stablehlo.exponential %6 : tensor<64x33xbf16>\n"
    "  %8 = stablehlo.multiply %d, %d : tensor<64x33xf16>\n"
    "  %9 = stablehlo.negate %8 : tensor<64x33xf16>\n"
    "  %10 = stablehlo.add %9, %d : tensor<64x33xf16>\n"
    "  %11 = stablehlo.reduce(%b init: %m) applies stablehlo.maximum across dimensions = [1] : "
    "(tensor<700x48xf32>, tensor<f32>) -> tensor<700xf32>\n"
    "  %12 = stablehlo.broadcast_in_dim %11, dims = [0] : (tensor<700xf32>) -> tensor<700x48xf32>\n"
    "  %13 = stablehlo.subtract %b, %12 : tensor<700x48xf32>\n"
    "  %14 = stablehlo.exponential %13 : tensor<700x48xf32>\n"
    "  %15 = stablehlo.reduce(%14 init: %z) applies stablehlo.add across dimensions = [1] : "
    "(tensor<700x48xf32>, tensor<f32>) -> tensor<700xf32>\n"
    "  %16 = stablehlo.broadcast_in_dim %15, dims = [0] : (tensor<700xf32>) -> tensor<700x48xf32>\n"
    "  %17 = stablehlo.divide %14, %16 : tensor<700x48xf32>\n"
    "  %18 = stablehlo.iota dim = 1 : tensor<33x64xf32>\n"
    "  %19 = stablehlo.convert %7 : (tensor<64x33xbf16>) -> tensor<64x33xf32>\n"
    "  %20 = stablehlo.transpose %19, dims = [1, 0] : (tensor<64x33xf32>) -> tensor<33x64xf32>\n"
    "  %21 = stablehlo.add %18, %20 : tensor<33x64xf32>\n"
    "  return %1, %3, %7, %10, %17, %21 : tensor<3xf32>, tensor<48xf32>, tensor<64x33xbf16>, "
    "tensor<64x33xf16>, tensor<700x48xf32>, tensor<33x64xf32>\n}\n";

/* ---- The reader ---- */

typedef struct {
    const tsr_run *run;
    const tsr_xgroup *g;
    char **at;     /* by register: its elements, or one per row */
    uint32_t seen; /* kinds and modes that it has met */
} reader;

static uint32_t seen; /* kinds and modes that the reader has met */

static int64_t place_of(const tsr_instr *o, int64_t i)
{
    return o->view ? tsr_xview_at(o->view, i) : i;
}

static void load(const reader *x, const tsr_instr *o, char *to, int64_t n)
{
    size_t bytes = tsr_dtype_bytes((tsr_dtype)o->dtype);
    for (int64_t i = 0; i < n; i++) {
        int64_t place = place_of(o, i % (o->view ? tsr_xspace_size(&o->view->space) : n));
        if (o->kind == TSR_I_IOTA)
            tsr_convert((tsr_dtype)o->dtype, to + i * bytes, TSR_D_I64, &place, 1);
        else
            memcpy(to + i * bytes, x->run->at[o->value] + place * bytes, bytes);
    }
}

static void join(const tsr_instr *o, char *to, const char *with, size_t n)
{
    const void *both[2] = {to, with};
    tsr_tile_find((tsr_tile_op)o->op, (tsr_dtype)o->dtype)(to, both, n);
}

/* A row in parts, which are joined in order. */
static void fold_long(const tsr_instr *o, const char *in, int64_t n, char *out)
{
    size_t bytes = tsr_dtype_bytes((tsr_dtype)o->dtype);
    for (int64_t i = 0; i < n; i += TSR_PART_OF_ROW) {
        uint64_t part = 0;
        tsr_fold f;
        tsr_fold_start(&f, (tsr_fold_op)o->fold, (tsr_dtype)o->dtype);
        tsr_fold_add(&f, in + i * bytes,
                     (size_t)(n - i < TSR_PART_OF_ROW ? n - i : TSR_PART_OF_ROW));
        tsr_fold_end(&f, i ? (char *)&part : out);
        if (i)
            join(o, out, (char *)&part, 1);
    }
}

static void fold_columns(const tsr_xgroup *g, const tsr_instr *o, const char *in, char *out)
{
    size_t width = (size_t)g->inner, row = width * tsr_dtype_bytes((tsr_dtype)o->dtype);
    int64_t each = tsr_rows_of_part(g->inner);
    char *part = tsr_xmalloc(row);
    uint64_t neutral = 0;
    tsr_fold f;
    tsr_fold_start(&f, (tsr_fold_op)o->fold, (tsr_dtype)o->dtype);
    tsr_fold_end(&f, &neutral);
    for (int64_t i = 0; i < g->reduced; i += each) {
        char *to = i ? part : out;
        tsr_tile_splat((tsr_dtype)o->dtype, to, &neutral, width);
        for (int64_t k = i; k < i + each && k < g->reduced; k++)
            join(o, to, in + (size_t)k * row, width);
        if (i)
            join(o, out, part, width);
    }
    tsr_free(part);
}

/* Reductions; late ones go to memory. */
static void fold(const reader *x, const tsr_instr *o)
{
    const tsr_xgroup *g = x->g;
    bool columns = g->mode == TSR_LOOP_COLUMNS;
    tsr_dtype type = (tsr_dtype)o->dtype, to = (tsr_dtype)x->run->p->values.data[o->value].dtype;
    int64_t each = columns ? g->inner * g->reduced : g->inner, results = columns ? g->inner : 1;
    size_t bytes = tsr_dtype_bytes(type);
    for (int64_t i = 0; i < g->n / each; i++) {
        const char *in = x->at[o->in[0]] + (size_t)(i * each) * bytes;
        char *out = x->at[o->out] + (size_t)(i * results) * bytes;
        if (columns)
            fold_columns(g, o, in, out);
        else if (g->mode == TSR_LOOP_LONG)
            fold_long(o, in, each, out);
        else
            tsr_fold_rows((tsr_fold_op)o->fold, type, out, in, 1, (size_t)each);
    }
    if (g->mode == TSR_LOOP_LONG || columns)
        tsr_convert(to, x->run->at[o->value], type, x->at[o->out], g->n / each * results);
}

/* What is loose keeps its f32: it is rounded where it would be below the normal numbers. */
static void convert(const tsr_instr *o, char *out, const void *const *in, int64_t n)
{
    if (!o->loose)
        tsr_convert((tsr_dtype)o->dtype, out, (tsr_dtype)o->from, in[0], n);
    else if (o->from == TSR_D_F32)
        tsr_tile_nearest(TSR_NEAREST_SMALL_F16)(out, in, (size_t)n);
    else
        memcpy(out, in[0], (size_t)n * sizeof(float));
}

static void step(const reader *x, const tsr_instr *o)
{
    int64_t n = o->by_row ? x->g->n / x->g->inner : x->g->n;
    size_t bytes = tsr_dtype_bytes((tsr_dtype)o->dtype);
    const void *in[TSR_TILE_OPERANDS];
    for (uint8_t k = 0; k < o->nin; k++)
        in[k] = x->at[o->in[k]];
    char *out = o->kind == TSR_I_STORE ? x->run->at[o->value] : x->at[o->out];
    seen |= 1u << o->kind | 1u << (16 + x->g->mode) | (uint32_t)o->by_row << 24 |
            (uint32_t)o->over << 25;
    switch ((tsr_instr_kind)o->kind) {
    case TSR_I_LOAD:
    case TSR_I_IOTA: load(x, o, out, n); break;
    case TSR_I_SPLAT: tsr_tile_splat((tsr_dtype)o->dtype, out, &o->bits, (size_t)n); break;
    case TSR_I_TILE:
        tsr_tile_find((tsr_tile_op)o->op, (tsr_dtype)o->from)(out, in, (size_t)n);
        break;
    case TSR_I_CONVERT: convert(o, out, in, n); break;
    case TSR_I_SPREAD:
        for (int64_t i = 0; i < n; i++)
            memcpy(out + i * bytes, x->at[o->in[0]] + i / x->g->inner * bytes, bytes);
        break;
    case TSR_I_FOLD:
    case TSR_I_COLUMN: fold(x, o); break;
    case TSR_I_STORE: memcpy(out, in[0], (size_t)n * bytes); break;
    case TSR_I_PRODUCT:
    case TSR_I_PART:
    case TSR_I_LOOKUP: tsr_assert(false, "the target has no such instructions"); break;
    }
}

/* Stores over operands come after all else. */
static bool run(tsr_run *r, const tsr_xgroup *g)
{
    if (g->kind != TSR_NODE_TILE)
        return tsr_backend_cpu.run(r, g);
    reader x = {.run = r, .g = g, .at = tsr_xmalloc((g->nregister + 1) * sizeof *x.at)};
    for (uint32_t i = 0; i < g->nregister; i++)
        x.at[i] = tsr_xmalloc((size_t)g->n * sizeof(uint64_t));
    for (int over = 0; over < 2; over++)
        for (uint32_t i = 0; i < g->ncode; i++)
            if (g->code[i].over == over)
                step(&x, &g->code[i]);
    for (uint32_t i = 0; i < g->nregister; i++)
        tsr_free(x.at[i]);
    tsr_free(x.at);
    return true;
}

/* ---- Tests ---- */

static bool no_contract(const tsr_contract *c)
{
    (void)c;
    return false;
}

static bool no_sizes(int64_t rows, int64_t cols, int64_t depth)
{
    (void)rows, (void)cols, (void)depth;
    return false;
}

static bool no_chain(const tsr_chain_shape *s)
{
    (void)s;
    return false;
}

enum { MOST = 64 };

static void test_module(unit *u, tsr_module *m, bool strict, const tsr_backend *const both[2])
{
    tsr_status status = {0};
    const tsr_op *func =
        m && tsr_make_runnable(m, false) ? tsr_entry_find(m, TSR_STR("main"), &status) : NULL;
    tsr_tensor *in[MOST] = {0}, *out[2][MOST] = {0};
    CHECK(u, func);
    if (!func)
        return;
    size_t nin = func->regions[0].first->nargs, nout = func->regions[0].first->last->nin;
    bool ok = nin <= MOST && nout <= MOST;
    for (size_t i = 0; i < nin && ok; i++)
        ok = (in[i] = tsr_module_random_input(m, TSR_STR("main"), i, 3 + i, NULL)) != NULL;
    for (int k = 0; k < 2 && ok; k++) {
        tsr_program *p =
            tsr_program_new(m, func, &(tsr_program_options){.strict = strict, .backend = both[k]});
        tsr_eval e;
        tsr_eval_init(&e, m, p->plan);
        ok = tsr_program_run(p, &e, in, nin, out[k], nout, NULL);
        tsr_eval_free(&e);
        tsr_program_free(p);
    }
    CHECK(u, ok);
    for (size_t i = 0; i < nout && ok; i++)
        CHECK(u, tsr_tensor_size(out[0][i]) == tsr_tensor_size(out[1][i]) &&
                     !memcmp(tsr_tensor_data(out[0][i]), tsr_tensor_data(out[1][i]),
                             tsr_tensor_size(out[0][i])));
    for (size_t i = 0; i < MOST; i++) {
        tsr_tensor_free(in[i]);
        tsr_tensor_free(out[0][i]);
        tsr_tensor_free(out[1][i]);
    }
    tsr_module_free(m);
}

void test_code(unit *u)
{
    tsr_ctx *ctx = tsr_ctx_new();
    tsr_target target = tsr_target_cpu;
    target.loop_on_product = no_contract;
    target.loop_on_rows = no_sizes;
    target.computed_factor = NULL;
    target.chain = no_chain;
    target.chain_tails = target.lookups_in_loops = target.moves_in_loops = false;
    tsr_backend cpu = tsr_backend_cpu, plain = tsr_backend_cpu;
    cpu.target = plain.target = &target;
    plain.run = run;
    plain.loop = NULL;
    plain.several = NULL;
    const tsr_backend *const both[2] = {&cpu, &plain};
    for (int strict = 0; strict < 2; strict++) {
        for (size_t i = 0; i < TSR_COUNT(files); i++)
            test_module(u, tsr_module_parse_file(ctx, files[i]), strict, both);
        test_module(u, tsr_module_parse(ctx, TSR_STR(text), TSR_STR("code.mlir")), strict, both);
    }
    /* All kinds but those that the target refuses, all modes, numbers of rows, and stores over operands. */
    uint32_t refused = 1u << TSR_I_PRODUCT | 1u << TSR_I_PART | 1u << TSR_I_LOOKUP;
    CHECK(u, (seen & 0xffff) == (((2u << TSR_I_STORE) - 1) & ~refused));
    CHECK(u, seen >> 16 == 0x30f);
    tsr_ctx_free(ctx);
}
