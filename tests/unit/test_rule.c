/* SPDX-License-Identifier: Apache-2.0 */
/* test_rule.c - sharding rules: kept by op, shared by type, and the same after a way through attributes. */
#include "unit.h"

#include "shard/rule/rule.h"

static const char text[] =
    "func.func @f(%a: tensor<8x4xf32>, %b: tensor<4x6xf32>) -> tensor<8x6xf32> {\n"
    "  %0 = stablehlo.add %a, %a : tensor<8x4xf32>\n"
    "  %1 = stablehlo.multiply %0, %a : tensor<8x4xf32>\n"
    "  %2 = stablehlo.dot %1, %b : (tensor<8x4xf32>, tensor<4x6xf32>) -> tensor<8x6xf32>\n"
    "  %3 = stablehlo.reshape %2 : (tensor<8x6xf32>) -> tensor<4x2x6xf32>\n"
    "  %4 = stablehlo.custom_call @mine(%3) {sdy.sharding_rule = #sdy.op_sharding_rule<([i, j, "
    "k])->([k]) "
    "{i=4, j=2, k=6} need_replication={j} permutation={i} blocked_propagation={j, k}, custom>} : "
    "(tensor<4x2x6xf32>) -> tensor<6xf32>\n"
    "  %5 = stablehlo.iota dim = 0 : tensor<6xf32>\n"
    "  return %2 : tensor<8x6xf32>\n"
    "}\n";

enum { ADD, MULTIPLY, DOT, RESHAPE, CALL, IOTA, NOPS };

static bool same(const tsr_rule *a, const tsr_rule *b)
{
    uint32_t n = tsr_rule_tensors(a);
    if (a->nfactor != b->nfactor || a->noperand != b->noperand || a->nresult != b->nresult ||
        a->custom != b->custom || memcmp(a->dims, b->dims, (n + 1) * sizeof *a->dims) != 0)
        return false;
    uint32_t ndim = a->dims[n];
    return !memcmp(a->first, b->first, (ndim + 1) * sizeof *a->first) &&
           !memcmp(a->factors, b->factors, a->first[ndim] * sizeof *a->factors) &&
           !memcmp(a->sizes, b->sizes, a->nfactor * sizeof *a->sizes) &&
           !memcmp(a->kinds, b->kinds, a->nfactor) && !memcmp(a->blocked, b->blocked, a->nfactor);
}

void test_rule(unit *u)
{
    tsr_ctx *ctx = tsr_ctx_new();
    tsr_module *m = tsr_module_parse(ctx, TSR_STR(text), TSR_STR("t.mlir"));
    CHECK(u, m != NULL);
    if (!m) {
        tsr_ctx_free(ctx);
        return;
    }
    tsr_op *ops[NOPS], *op = m->op->regions[0].first->first->regions[0].first->first;
    for (int i = 0; i < NOPS; i++, op = op->next)
        ops[i] = op;
    tsr_arena arena;
    tsr_arena_init(&arena);
    tsr_rules rules;
    tsr_rules_init(&rules, &arena, m, (tsr_rule_options){0});

    /* Rules are shared through a table that forgets, by addresses: nothing may come between. */
    const tsr_rule *add = tsr_rules_get(&rules, ops[ADD]);
    CHECK(u, add && add->nfactor == 2 && add->sizes[0] == 8 && add->sizes[1] == 4);
    CHECK(u, tsr_rules_get(&rules, ops[MULTIPLY]) == add);
    const tsr_rule *dot = tsr_rules_get(&rules, ops[DOT]);
    CHECK(u, dot && dot->nfactor == 3 && dot->kinds[2] == TSR_FACTOR_REDUCTION &&
                 tsr_rules_get(&rules, ops[DOT]) == dot);
    CHECK(u, !tsr_rules_get(&rules, ops[IOTA]) && !tsr_rules_get(&rules, ops[IOTA]));
    CHECK(u, !tsr_rules_get(&rules, m->op));
    const tsr_rule *split = tsr_rules_get(&rules, ops[RESHAPE]);
    CHECK(u, split && split->first[1] - split->first[0] == 2 && split->sizes[0] == 4 &&
                 split->sizes[1] == 2);

    const tsr_rule *mine = tsr_rules_get(&rules, ops[CALL]);
    CHECK(u, mine && mine->custom && mine->kinds[0] == TSR_FACTOR_PERMUTATION &&
                 mine->kinds[1] == TSR_FACTOR_NEED_REPLICATION && !mine->blocked[0] &&
                 mine->blocked[2]);
    CHECK(u, tsr_rule_encode(ctx, mine) == tsr_rule_given(ops[CALL]));
    for (int i = 0; i <= CALL; i++) {
        const tsr_rule *r = tsr_rules_get(&rules, ops[i]);
        const tsr_rule *back = tsr_rule_decode(&arena, tsr_rule_encode(ctx, r));
        CHECK(u, back && same(r, back));
    }

    /* Ops that come later have ids behind all others. */
    tsr_value *in[] = {ops[ADD]->in[0].value, ops[ADD]->in[0].value};
    tsr_op *late = tsr_op_new(m, ops[ADD]->def, TSR_LOC_UNKNOWN, in, 2, &in[0]->type, 1, 0, 0);
    tsr_op_insert(late, ops[ADD]->block, ops[ADD]);
    /* Whether the rule itself is shared depends on addresses. */
    CHECK(u, late->id >= rules.n);
    const tsr_rule *again = tsr_rules_get(&rules, late);
    CHECK(u, again && same(again, add));

    const tsr_rule *identity = tsr_rule_identity(&arena, in[0]->type, 2);
    CHECK(u, same(identity, add));
    CHECK(u, !tsr_rule_decode(&arena, tsr_attr_unit(ctx)));
    tsr_arena_free(&arena);
    tsr_module_free(m);
    tsr_ctx_free(ctx);
}
