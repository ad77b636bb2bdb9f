/* SPDX-License-Identifier: Apache-2.0 */
/* test_target.c - programs for other machines: one that has nothing leaves all ops to the evaluator, with its bits, and emitted
 * C's has no more than its source text can say. */
#include "api/eval.h"
#include "api/guard.h"
#include "eval/plan.h"
#include "exec/backend.h"
#include "tessera/tessera.h"
#include "target/c/c.h"
#include "unit.h"

static const char *const files[] = {
    "tests/corpus/lstm_scan/module.mlir",         "tests/corpus/sort_cumsum_gather/module.mlir",
    "tests/corpus/resnet_forward_dp/module.mlir", "tests/corpus/random_dropout/module.mlir",
    "tests/corpus/moe_topk_dispatch/module.mlir",
};

static const tsr_op *main_of(tsr_module *m)
{
    tsr_status status = {0};
    return tsr_make_runnable(m, false) ? tsr_entry_find(m, TSR_STR("main"), &status) : NULL;
}

/* Whether the groups of a program are copies, control flow and the evaluator's kernels. */
static bool has_nothing(const tsr_program *p)
{
    bool ok = true;
    for (size_t i = 0; i < p->groups.n; i++)
        for (size_t k = 0; k < p->groups.data[i].nodes.n; k++) {
            const tsr_node *n = &p->nodes.data[p->groups.data[i].nodes.data[k]];
            ok &= n->dead || tsr_target_has(&tsr_target_null, p, n);
        }
    return ok;
}

static bool is_same(tsr_tensor *const *a, tsr_tensor *const *b, size_t n)
{
    bool ok = true;
    for (size_t i = 0; i < n; i++)
        ok = ok && a[i] && b[i] && tsr_tensor_size(a[i]) == tsr_tensor_size(b[i]) &&
             !memcmp(tsr_tensor_data(a[i]), tsr_tensor_data(b[i]), tsr_tensor_size(a[i]));
    return ok;
}

enum { MOST = 64 };

static void test_file(unit *u, tsr_ctx *ctx, const char *path)
{
    tsr_module *m = tsr_module_parse_file(ctx, path);
    const tsr_op *func = m ? main_of(m) : NULL;
    tsr_tensor *in[MOST] = {0}, *out[MOST] = {0}, *want[MOST] = {0};
    CHECK(u, func);
    if (!func)
        return;
    size_t nin = func->regions[0].first->nargs, nout = func->regions[0].first->last->nin;
    bool ok = nin <= MOST && nout <= MOST;
    for (size_t i = 0; i < nin && ok; i++)
        ok = (in[i] = tsr_module_random_input(m, TSR_STR("main"), i, 3 + i, NULL)) != NULL;
    tsr_program *p = tsr_program_new(m, func, &(tsr_program_options){.backend = &tsr_backend_null});
    CHECK(u, ok && has_nothing(p) && tsr_program_others(p) > 0 && p->plan->slot);
    tsr_eval e;
    tsr_eval_init(&e, m, p->plan);
    CHECK(u, tsr_eval_function(&e, func, in, nin, want));
    CHECK(u, tsr_program_run(p, &e, in, nin, out, nout, NULL) && is_same(out, want, nout));
    tsr_eval_free(&e);
    tsr_program_free(p);
    for (size_t i = 0; i < MOST; i++) {
        tsr_tensor_free(in[i]);
        tsr_tensor_free(out[i]);
        tsr_tensor_free(want[i]);
    }
    tsr_module_free(m);
}

/* Ops that are made of loops of others are taken back, too. */
static void test_bodies(unit *u, tsr_ctx *ctx)
{
    tsr_module *m = tsr_module_parse_file(ctx, "tests/exec/by_body.mlir");
    size_t n = 0;
    CHECK(u, m);
    if (!m)
        return;
    TSR_BLOCK_OPS (m->op->regions[0].first, f) {
        if (f->def->opcode != TSR_OP_FUNC_FUNC)
            continue;
        tsr_program *p =
            tsr_program_new(m, f, &(tsr_program_options){.backend = &tsr_backend_null});
        CHECK(u, p && has_nothing(p) && tsr_program_others(p) > 0);
        n++;
        tsr_program_free(p);
    }
    CHECK(u, n > 5);
    tsr_module_free(m);
}

/* What a target answers holds of every node of its programs. */
static void test_nodes(unit *u, tsr_ctx *ctx, const char *path, const tsr_target *t)
{
    tsr_module *m = tsr_module_parse_file(ctx, path);
    const tsr_op *func = m ? main_of(m) : NULL;
    CHECK(u, func);
    tsr_program *p =
        func ? tsr_program_new(m, func, &(tsr_program_options){.strict = true, .target = t}) : NULL;
    size_t lacks = 0, loops = 0;
    for (size_t i = 0; p && i < p->nodes.n; i++) {
        const tsr_node *n = &p->nodes.data[i];
        lacks += !n->dead && !tsr_target_has(t, p, n);
        loops += !n->dead && n->kind == TSR_NODE_TILE;
    }
    CHECK(u, !lacks && loops);
    if (p)
        tsr_program_free(p);
    tsr_module_free(m);
}

/* Each interval is longer than the one before. */
static double now, step;
static double told_time(void)
{
    return now += ++step;
}

/* Compiles to see whether it fits, and runs; returns whether the run used what was compiled, and without slots. */
static bool run_made(tsr_module *m, bool strict, tsr_entry_made *made)
{
    tsr_status status = {0};
    now = step = 0;
    TSR_GUARD_MODULE(g, m, TSR_READS, &status, false)
    const tsr_op *func = tsr_entry_find(m, TSR_STR("main"), g.status);
    tsr_tensor *in = tsr_module_random_input(m, TSR_STR("main"), 0, 1, NULL), *out = NULL;
    tsr_entry_options options = {.clock = told_time, .made = made, .strict = strict};
    bool ok = tsr_entry_fits(m, func, false, told_time, made, g.status) && made->programs &&
              tsr_entry_run(m, func, &in, 1, &out, 1, &options, g.status);
    bool kept = ok && !strict && !made->plan->slot;
    tsr_tensor_free(in);
    tsr_tensor_free(out);
    tsr_entry_forget(made);
    tsr_guard_finish(&g, ok);
    return kept &&
           options.compile_seconds == 2 + 4; /* the first two intervals that are asked for */
}

static void test_made(unit *u, tsr_ctx *ctx)
{
    tsr_module *m =
        tsr_module_parse(ctx,
                         TSR_STR("func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {\n"
                                 "  %0 = stablehlo.tanh %a : tensor<4xf32>\n"
                                 "  return %0 : tensor<4xf32>\n}\n"),
                         TSR_STR("made.mlir"));
    tsr_entry_made made = {0};
    tsr_ctx_set_budget(ctx, &(tsr_budget){.max_bytes = 64 << 20});
    CHECK(u, m && run_made(m, false, &made));
    CHECK(u, m && !run_made(m, true, &made));
    tsr_ctx_set_budget(ctx, &(tsr_budget){0});
    tsr_module_free(m);
}

void test_target(unit *u)
{
    tsr_ctx *ctx = tsr_ctx_new();
    tsr_target c = tsr_c_target();
    for (size_t i = 0; i < TSR_COUNT(files); i++) {
        test_file(u, ctx, files[i]);
        test_nodes(u, ctx, files[i], &c);
        test_nodes(u, ctx, files[i], &tsr_target_cpu);
    }
    CHECK(u,
          !c.move(TSR_MOVE_RANDOM, TSR_D_U32) && tsr_target_cpu.move(TSR_MOVE_RANDOM, TSR_D_U32));
    test_bodies(u, ctx);
    test_made(u, ctx);
    tsr_ctx_free(ctx);
}
