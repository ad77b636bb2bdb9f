/* SPDX-License-Identifier: Apache-2.0 */
/* test_search.c - problems of choices: read, solved, compared with all choices tried; what experts cut. */
#include <math.h>

#include "ir/ir.h"
#include "search/problem.h"
#include "search/tactics.h"
#include "unit.h"

static uint64_t state;

static uint32_t below(uint32_t n)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)((state >> 33) % n);
}

/* A random problem of a few nodes: tables with what must not be, memory, sometimes a limit. */
static void make(tsr_search_problem *p, uint64_t seed)
{
    state = seed * 77 + 5;
    *p = (tsr_search_problem){.limit = INFINITY};
    tsr_arena_init(&p->arena);
    p->nnode = 1 + below(8);
    p->nodes = TSR_NEW_ARRAY(&p->arena, tsr_search_node, p->nnode);
    double least = 0;
    for (uint32_t i = 0; i < p->nnode; i++) {
        tsr_search_node *n = &p->nodes[i];
        n->n = 1 + below(4);
        n->first = below(6);
        n->last = n->first + below(5);
        n->cost = TSR_NEW_ARRAY(&p->arena, double, n->n);
        n->memory = TSR_NEW_ARRAY(&p->arena, double, n->n);
        for (uint32_t s = 0; s < n->n; s++) {
            n->cost[s] = below(12) ? below(100) : 1e18;
            n->memory[s] = below(50);
        }
        least += 12;
    }
    p->edges = TSR_NEW_ARRAY(&p->arena, tsr_search_edge, 2 * p->nnode);
    p->nedge = below(2 * p->nnode);
    uint32_t never = 1 + below(8); /* one cell in so many */
    for (uint32_t i = 0; i < p->nedge; i++) {
        tsr_search_edge *e = &p->edges[i];
        e->node[0] = below(p->nnode);
        e->node[1] = below(p->nnode);
        uint32_t na = p->nodes[e->node[0]].n, nb = p->nodes[e->node[1]].n;
        e->cost = TSR_NEW_ARRAY(&p->arena, double, na *nb);
        bool tie = below(4) == 0; /* one choice of the second for each of the first */
        for (uint32_t s = 0; s < na; s++)
            for (uint32_t t = 0; t < nb; t++)
                e->cost[s * nb + t] = tie            ? (s % nb == t ? below(9) : 1e18)
                                      : below(never) ? below(100)
                                                     : 1e18;
    }
    if (below(3))
        p->limit = least * (0.7 + 0.1 * below(12));
}

/* The least cost of all choices that fit; INFINITY: none do. */
static double try_all(const tsr_search_problem *p)
{
    uint32_t x[8] = {0};
    double best = INFINITY;
    for (;;) {
        tsr_search_value v = tsr_search_evaluate(p, x);
        if (v.memory <= p->limit && v.cost < 1e17 && v.cost < best)
            best = v.cost;
        uint32_t i = 0;
        while (i < p->nnode && ++x[i] == p->nodes[i].n)
            x[i++] = 0;
        if (i == p->nnode)
            return best;
    }
}

static void test_random(unit *u)
{
    int solved = 0, best = 0, impossible = 0;
    for (uint64_t seed = 0; seed < 400; seed++) {
        tsr_search_problem p;
        make(&p, seed);
        uint32_t x[8] = {0}, again[8] = {0};
        tsr_search_options o = {.work = 30000, .seed = seed};
        tsr_search_result r = tsr_search_solve(&p, &o, x);
        double least = try_all(&p);
        CHECK(u, r.bound <= least + 1e-6 * (1 + fabs(least)));
        impossible += least == INFINITY;
        if (least == INFINITY)
            CHECK(u, !r.feasible);
        if (r.feasible) {
            tsr_search_value v = tsr_search_evaluate(&p, x);
            CHECK(u, v.cost == r.cost && v.memory == r.memory && v.memory <= p.limit);
            CHECK(u, r.cost >= least);
            solved++;
            best += r.cost == least;
        } else {
            best += least == INFINITY;
            solved += least == INFINITY;
        }
        /* The same seed and work: the same choices. */
        tsr_search_solve(&p, &o, again);
        CHECK(u, !memcmp(x, again, sizeof x));
        tsr_search_free(&p);
    }
    CHECK(u, solved == 400 && best == 400);
    CHECK(u, impossible > 50 && impossible < 350);
}

static bool refused(const char *text, const char *why)
{
    tsr_search_problem p;
    const char *error = NULL;
    size_t at = 0;
    if (tsr_search_read(&p, (tsr_str){text, strlen(text)}, &error, &at)) {
        tsr_search_free(&p);
        return false;
    }
    if (strcmp(error, why) != 0)
        printf("at %zu: %s\n", at, error);
    return !strcmp(error, why) && at <= strlen(text);
}

static void test_read(unit *u)
{
    static const char text[] =
        "{\"problem\": {\"name\": \"two\", \"nodes\": {\"intervals\": [[0, 2], [1, 3]],\n"
        "\"costs\": [[1, 2], [3]], \"usages\": [[4, 5], [6]]},\n"
        "\"edges\": {\"nodes\": [[0, 1]], \"costs\": [[7, 8]]}, \"usage_limit\": 10}}\n";
    tsr_search_problem p;
    const char *error = NULL;
    size_t at = 0;
    CHECK(u, tsr_search_read(&p, TSR_STR(text), &error, &at));
    CHECK(u, tsr_str_is(p.name, "two") && p.nnode == 2 && p.nedge == 1 && p.limit == 10);
    CHECK(u, p.nodes[0].n == 2 && p.nodes[1].memory[0] == 6 && p.edges[0].cost[1] == 8);
    uint32_t x[2];
    tsr_search_result r = tsr_search_solve(&p, &(tsr_search_options){.seed = 1}, x);
    CHECK(u, r.feasible && r.cost == 11 && r.memory == 10 && r.bound == 11 && !x[0]);
    tsr_search_free(&p);
    CHECK(u, refused("", "expected an object"));
    CHECK(u, refused("{\"problem\": {}}", "expected a string"));
    CHECK(u, refused("{\"problem\": {\"x\": 1}}", "unknown key"));
    CHECK(u, refused("{\"problem\": {\"name\": \"a\"}} 1", "something follows"));
    CHECK(u, refused("{\"problem\": {\"name\": \"a\"}}", "there are no nodes"));
    CHECK(u, refused("{\"problem\": {\"nodes\": {\"costs\": [[1], []]}}}",
                     "a node has from 1 to 65535 choices"));
    CHECK(u, refused("{\"problem\": {\"nodes\": {\"costs\": [[1]], \"usages\": [[1], [2]]}}}",
                     "another number of nodes than before"));
    CHECK(u, refused("{\"problem\": {\"nodes\": {\"costs\": [[1]], \"usages\": [[1, 2]]}}}",
                     "another number of choices than before"));
    CHECK(u, refused("{\"problem\": {\"nodes\": {\"intervals\": [[1]]}}}",
                     "an interval is a list of two points of time"));
    CHECK(u, refused("{\"problem\": {\"nodes\": {\"costs\": [[1]]}}}",
                     "nodes need intervals, costs and usages"));
    CHECK(u, refused("{\"problem\": {\"nodes\": {\"intervals\": [[0, 1]], \"costs\": [[1]], "
                     "\"usages\": [[1]]}, \"edges\": {\"nodes\": [[0, 1]], \"costs\": [[1]]}}}",
                     "an edge has no such node"));
    CHECK(u, refused("{\"problem\": {\"nodes\": {\"intervals\": [[0, 1]], \"costs\": [[1]], "
                     "\"usages\": [[1]]}, \"edges\": {\"nodes\": [[0, 0]], \"costs\": [[1, 2]]}}}",
                     "an edge has a cost for each pair of choices"));
}

/* Of parameters that heads, the size of a head, and queries, keys and values share, tensor parallel cuts the heads. */
static void test_tactics(unit *u)
{
    static const char text[] =
        "func.func @main(%x: tensor<8x4x16xf32>, %w: tensor<16x3x4x8xf32>, %o: tensor<4x8x16xf32>) "
        "-> tensor<8x4x16xf32> {\n"
        "  %p = stablehlo.dot_general %x, %w, contracting_dims = [2] x [0] : (tensor<8x4x16xf32>, "
        "tensor<16x3x4x8xf32>) -> tensor<8x4x3x4x8xf32>\n"
        "  %0 = stablehlo.slice %p [0:8, 0:4, 0:1, 0:4, 0:8] : (tensor<8x4x3x4x8xf32>) -> "
        "tensor<8x4x1x4x8xf32>\n"
        "  %1 = stablehlo.slice %p [0:8, 0:4, 1:2, 0:4, 0:8] : (tensor<8x4x3x4x8xf32>) -> "
        "tensor<8x4x1x4x8xf32>\n"
        "  %2 = stablehlo.slice %p [0:8, 0:4, 2:3, 0:4, 0:8] : (tensor<8x4x3x4x8xf32>) -> "
        "tensor<8x4x1x4x8xf32>\n"
        "  %q = stablehlo.reshape %0 : (tensor<8x4x1x4x8xf32>) -> tensor<8x4x4x8xf32>\n"
        "  %k = stablehlo.reshape %1 : (tensor<8x4x1x4x8xf32>) -> tensor<8x4x4x8xf32>\n"
        "  %v = stablehlo.reshape %2 : (tensor<8x4x1x4x8xf32>) -> tensor<8x4x4x8xf32>\n"
        "  %s = stablehlo.dot_general %q, %k, batching_dims = [0, 2] x [0, 2], contracting_dims = "
        "[3] x [3] : (tensor<8x4x4x8xf32>, tensor<8x4x4x8xf32>) -> tensor<8x4x4x4xf32>\n"
        "  %a = stablehlo.dot_general %s, %v, batching_dims = [0, 1] x [0, 2], contracting_dims = "
        "[3] x [1] : (tensor<8x4x4x4xf32>, tensor<8x4x4x8xf32>) -> tensor<8x4x4x8xf32>\n"
        "  %y = stablehlo.dot_general %a, %o, contracting_dims = [1, 3] x [0, 1] : "
        "(tensor<8x4x4x8xf32>, tensor<4x8x16xf32>) -> tensor<8x4x16xf32>\n"
        "  return %y : tensor<8x4x16xf32>\n"
        "}\n";
    tsr_ctx *ctx = tsr_ctx_new();
    tsr_module *m = tsr_module_parse(ctx, TSR_STR(text), TSR_STR("tactics.mlir"));
    tsr_arena arena;
    tsr_arena_init(&arena);
    CHECK(u, m != NULL);
    if (m) {
        tsr_search_mesh mesh = {.n = 1, .sizes = {2}};
        tsr_tactic tensor = TSR_TACTIC_TENSOR;
        tsr_tactic_plan plan;
        tsr_module_renumber(m);
        tsr_op *func = m->op->regions[0].first->first;
        tsr_classes *c = tsr_classes_of(&arena, func, NULL);
        CHECK(u, tsr_tactics_plan(&arena, c, &mesh, &tensor, &plan));
        CHECK(u, plan.args[0].at[0] == 0 && plan.args[1].at[0] == 3 && plan.args[2].at[0] == 1);
        tsr_module_free(m);
    }
    tsr_arena_free(&arena);
    tsr_ctx_free(ctx);
}

void test_search(unit *u)
{
    test_tactics(u);
    test_read(u);
    test_random(u);
}
