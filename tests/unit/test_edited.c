/* SPDX-License-Identifier: Apache-2.0 */
/* test_edited.c - which calls of the public API leave a module to be verified, and which find it verified: every call
 * that edits, whether or not the verifier would find something, and no call that reads. */
#include <tessera/code.h>
#include <tessera/golden.h>

#include "ir/ir.h"
#include "unit.h"

static const char text[] = "func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {\n"
                           "  %0 = stablehlo.tanh %a : tensor<4xf32>\n"
                           "  %1 = stablehlo.negate %0 : tensor<4xf32>\n"
                           "  %2 = stablehlo.add %0, %0 : tensor<4xf32>\n"
                           "  return %1 : tensor<4xf32>\n"
                           "}\n";

typedef struct {
    tsr_module *m;
    tsr_op *func, *first, *second, *unused;
    tsr_block *body;
} parts;

/* Every call of tessera/build.h that takes a part of a module that it may change. */
static void edit(const parts *p, int which)
{
    tsr_value *a = tsr_block_arg(p->body, 0), *v = tsr_op_result(p->first, 0);
    tsr_type *type = tsr_value_type(a);
    tsr_op_spec spec = {.name = TSR_STR("stablehlo.sine"), .operands = &a, .noperand = 1};
    tsr_type *f = tsr_create_function_type(p->m->ctx, NULL, 0, NULL, 0, NULL);
    tsr_type *inferred;
    tsr_blob blob = {TSR_STR("key"), {"1234", 4}, 4};
    size_t n;
    switch (which) {
    case 0: tsr_edit_move(p->unused, p->body, p->first, NULL); break;
    case 1: tsr_edit_erase(p->unused, NULL); break;
    case 2: tsr_edit_replace(v, a, NULL); break;
    case 3: tsr_edit_operand(p->second, 0, a, NULL); break;
    case 4: tsr_edit_operands(p->second, &a, 1, NULL); break;
    case 5: tsr_edit_attr(p->first, TSR_STR("note"), NULL, NULL); break;
    case 6: tsr_edit_type(v, type, NULL); break;
    case 7: tsr_edit_location(p->first, NULL, NULL); break;
    case 8: tsr_edit_erase_arg(p->body, 7, NULL); break;
    case 9: tsr_create_op(p->body, p->first, &spec, NULL); break;
    case 10: tsr_create_copy(p->body, p->second, p->first, NULL); break;
    case 11: tsr_create_function(p->m, NULL, TSR_STR("g"), f, NULL, NULL); break;
    case 12: tsr_create_block(tsr_create_region(p->m, NULL), NULL, 0, NULL, NULL); break;
    case 13: tsr_create_block_arg(p->body, type, NULL, NULL); break;
    case 14: tsr_create_blob(p->m, &blob, NULL); break;
    default: tsr_infer_results(p->m, &spec, &inferred, 1, &n, NULL); break;
    }
}

static parts parse(tsr_ctx *ctx)
{
    tsr_module *m = tsr_module_parse(ctx, TSR_STR(text), TSR_STR("text"));
    parts p = {.m = m, .func = tsr_module_lookup(m, TSR_STR("main"))};
    p.body = p.func->regions[0].first;
    p.first = p.body->first;
    p.second = p.first->next;
    p.unused = p.second->next;
    return p;
}

/* Calls that read leave a module verified. */
static void test_readers(unit *u, tsr_ctx *ctx)
{
    tsr_module *m = parse(ctx).m;
    tsr_str main = TSR_STR("main"),
            given[] = {tsr_module_print(m, NULL), tsr_module_bytecode(m, -1),
                       tsr_module_code(m, TSR_STR("c")), tsr_module_plan(m, NULL, false, NULL),
                       tsr_module_page(m, NULL, NULL)};
    for (size_t i = 0; i < TSR_COUNT(given); i++)
        tsr_free((void *)given[i].data);
    tsr_tensor *in = tsr_module_random_input(m, main, 0, 1, NULL), *out = NULL;
    CHECK(u, tsr_module_eval(m, main, &in, 1, &out, 1, NULL));
    tsr_tensor_free(in);
    tsr_tensor_free(out);
    tsr_executable_free(tsr_module_compile(m, main, NULL, NULL));
    tsr_goldens_free(tsr_goldens_new(m, main, NULL, NULL));
    tsr_module *copy = tsr_module_clone(m);
    CHECK(u, m->verified && copy->verified);
    CHECK(u, tsr_module_simplify(copy) && copy->verified); /* passes verify what they change */
    tsr_module_free(copy);
    tsr_module_free(m);
}

void test_edited(unit *u)
{
    enum { EDITS = 16 };
    tsr_ctx *ctx = tsr_ctx_new();
    for (int i = 0; i < EDITS; i++) {
        parts p = parse(ctx);
        CHECK(u, p.m->verified);
        edit(&p, i);
        CHECK(u, !p.m->verified);
        tsr_module *copy = tsr_module_clone(p.m);
        CHECK(u, !copy->verified);
        tsr_executable *x = tsr_module_compile(copy, TSR_STR("main"), NULL, NULL);
        CHECK(u, (x != NULL) == copy->verified);
        tsr_executable_free(x);
        tsr_module_free(copy);
        tsr_module_free(p.m);
    }
    test_readers(u, ctx);
    tsr_ctx_free(ctx);
}
