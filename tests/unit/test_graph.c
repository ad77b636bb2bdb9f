/* SPDX-License-Identifier: Apache-2.0 */
/* test_graph.c - the two tests of the Graph IR document: types follow, and a gradient is made. */
#include "unit.h"

#include "dialect/dialect.h"

static tsr_op *function(tsr_module *m, const char *name)
{
    tsr_op *f = tsr_symbol_find(m->op, tsr_cstr(name));
    return f && tsr_op_is(f, TSR_OP_FUNC_FUNC) ? f : NULL;
}

/* Parses, runs one pass and verifies; NULL when something fails. */
static tsr_module *after(tsr_ctx *ctx, const char *text, const char *pipeline)
{
    tsr_module *m = tsr_module_parse(ctx, tsr_cstr(text), TSR_STR("t.mlir"));
    if (m && (!tsr_verify(m->op) || !tsr_module_run(m, tsr_cstr(pipeline)) || !tsr_verify(m->op))) {
        tsr_module_free(m);
        m = NULL;
    }
    return m;
}

static void type_inference(unit *u)
{
    tsr_ctx *ctx = tsr_ctx_new();
    tsr_module *m = after(
        ctx,
        "func @test(%arg0: tensor<?x?xf32>, %arg1: tensor<?x?xf32>) -> tensor<*xf32> {\n"
        "  %0 = tessera.matmul %arg0, %arg1 : tensor<?x?xf32>, tensor<?x?xf32> -> tensor<*xf32>\n"
        "  return %0 : tensor<*xf32>\n"
        "}\n",
        "tessera-infer-types");
    CHECK(u, m != NULL);
    tsr_op *f = m ? function(m, "test") : NULL;
    CHECK(u, f != NULL);
    if (f) {
        const tsr_op *matmul = f->regions[0].first->first;
        CHECK(u, tsr_op_is(matmul, TSR_OP_TESSERA_MATMUL));
        const tsr_type *t = matmul->out[0].type, *type = f->attrs[FUNC_FUNC_function_type]->type;
        CHECK(u, t->kind == TSR_TYPE_TENSOR && t->n == 2 && t->dims[0] == TSR_DYNAMIC &&
                     t->dims[1] == TSR_DYNAMIC);
        CHECK(u, type->nout == 1 && type->types[2] == t);
    }
    if (m)
        tsr_module_free(m);
    tsr_ctx_free(ctx);
}

static void autodiff_generation(unit *u)
{
    tsr_ctx *ctx = tsr_ctx_new();
    tsr_module *m = after(ctx,
                          "func @forward(%x: tensor<32x128xf32>, %w: tensor<128x64xf32>) -> "
                          "tensor<32x64xf32> attributes "
                          "{tessera.autodiff} {\n"
                          "  %0 = tessera.matmul %x, %w : tensor<32x128xf32>, tensor<128x64xf32> "
                          "-> tensor<32x64xf32>\n"
                          "  return %0 : tensor<32x64xf32>\n"
                          "}\n",
                          "tessera-autodiff{mode=reverse}");
    CHECK(u, m != NULL);
    tsr_op *f = m ? function(m, "forward") : NULL, *g = m ? function(m, "forward_grad") : NULL;
    CHECK(u, f && g);
    if (f && g) {
        const tsr_type *ft = f->attrs[FUNC_FUNC_function_type]->type,
                       *gt = g->attrs[FUNC_FUNC_function_type]->type;
        CHECK(u, gt->n == 3 && gt->nout == 2);
        CHECK(u, gt->types[0] == ft->types[0] && gt->types[1] == ft->types[1] &&
                     gt->types[2] == ft->types[2]);
        CHECK(u, gt->types[3] == ft->types[0] && gt->types[4] == ft->types[1]);
    }
    if (m)
        tsr_module_free(m);
    tsr_ctx_free(ctx);
}

void test_graph(unit *u)
{
    type_inference(u);
    autodiff_generation(u);
}
