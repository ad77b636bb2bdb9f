/* SPDX-License-Identifier: Apache-2.0 */
/* test_dominance.c - the tree against the definition: a dominates b when b cannot be reached around a. */
#include "unit.h"

enum { BLOCKS = 12 };

typedef struct {
    tsr_ctx *ctx;
    tsr_module *m;
    tsr_op *root;
    tsr_block *blocks[BLOCKS];
} graph;

static uint32_t next_random(uint32_t *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return *seed >> 16;
}

/* Each block defines a value and branches to up to three others. */
static graph random_graph(tsr_ctx *ctx, uint32_t seed)
{
    graph g = {.ctx = ctx, .m = tsr_module_new(ctx)};
    const tsr_opdef *def = tsr_opdef_get(ctx, TSR_STR("t.op"));
    g.root = tsr_op_new(g.m, def, TSR_LOC_UNKNOWN, NULL, 0, NULL, 0, 1, 0);
    for (int i = 0; i < BLOCKS; i++) {
        g.blocks[i] = tsr_block_new(g.m);
        tsr_block_insert(g.blocks[i], &g.root->regions[0], NULL);
    }
    for (int i = 0; i < BLOCKS; i++) {
        tsr_op_insert(tsr_op_new(g.m, def, TSR_LOC_UNKNOWN, NULL, 0, &ctx->i32, 1, 0, 0),
                      g.blocks[i], NULL);
        size_t n = next_random(&seed) % 4;
        tsr_op *br = tsr_op_new(g.m, def, TSR_LOC_UNKNOWN, NULL, 0, NULL, 0, 0, n);
        for (size_t s = 0; s < n; s++)
            br->succ[s] = g.blocks[1 + next_random(&seed) % (BLOCKS - 1)];
        tsr_op_insert(br, g.blocks[i], NULL);
    }
    return g;
}

static bool reaches(const graph *g, int from, int to, int without, bool *seen)
{
    if (from == without || seen[from])
        return false;
    if (from == to)
        return true;
    seen[from] = true;
    const tsr_op *br = g->blocks[from]->last;
    for (uint16_t s = 0; s < br->nsucc; s++)
        for (int i = 0; i < BLOCKS; i++)
            if (g->blocks[i] == br->succ[s] && reaches(g, i, to, without, seen))
                return true;
    return false;
}

static bool dominates(const graph *g, int a, int b)
{
    bool seen[BLOCKS] = {0}, again[BLOCKS] = {0};
    if (!reaches(g, 0, b, -1, seen))
        return true;
    return a == b || !reaches(g, 0, b, a, again);
}

static void test_nesting(unit *u, tsr_ctx *ctx)
{
    static const tsr_opdef plain = {.name = {"t.plain", 7}, .opcode = 0};
    tsr_module *m = tsr_module_new(ctx);
    tsr_op *root = tsr_op_new(m, &plain, TSR_LOC_UNKNOWN, NULL, 0, NULL, 0, 1, 0);
    tsr_op *holder = tsr_op_new(m, tsr_opdef_get(ctx, TSR_STR("t.graph")), TSR_LOC_UNKNOWN, NULL, 0,
                                &ctx->i32, 1, 1, 0);
    tsr_op *before = tsr_op_new(m, &plain, TSR_LOC_UNKNOWN, NULL, 0, &ctx->i32, 1, 0, 0);
    tsr_op *after = tsr_op_new(m, &plain, TSR_LOC_UNKNOWN, NULL, 0, &ctx->i32, 1, 0, 0);
    tsr_op *x = tsr_op_new(m, &plain, TSR_LOC_UNKNOWN, NULL, 0, &ctx->i32, 1, 0, 0);
    tsr_op *y = tsr_op_new(m, &plain, TSR_LOC_UNKNOWN, NULL, 0, &ctx->i32, 1, 0, 0);
    tsr_block *top = tsr_block_new(m), *in = tsr_block_new(m);
    tsr_block_insert(top, &root->regions[0], NULL);
    tsr_block_insert(in, &holder->regions[0], NULL);
    tsr_op_insert(before, top, NULL);
    tsr_op_insert(holder, top, NULL);
    tsr_op_insert(after, top, NULL);
    tsr_op_insert(x, in, NULL);
    tsr_op_insert(y, in, NULL);
    tsr_value *arg = tsr_block_add_arg(m, in, ctx->i32, TSR_LOC_UNKNOWN);
    tsr_arena scratch;
    tsr_arena_init(&scratch);
    tsr_dominance *d = tsr_dominance_new(&scratch, root);
    CHECK(u, tsr_dominates(d, &before->out[0], x) && !tsr_dominates(d, &after->out[0], x));
    CHECK(u, !tsr_dominates(d, &holder->out[0], x) && tsr_dominates(d, &holder->out[0], after));
    CHECK(u, !tsr_dominates(d, &x->out[0], after) && !tsr_dominates(d, &before->out[0], before));
    CHECK(u, tsr_dominates(d, arg, x) && !tsr_dominates(d, arg, after));
    CHECK(u, tsr_dominates(d, &y->out[0], x)); /* an unknown op's single block may be a graph */
    tsr_arena_free(&scratch);
    tsr_module_free(m);
}

void test_dominance(unit *u)
{
    tsr_ctx *ctx = tsr_ctx_new_empty();
    int bad = 0;
    for (uint32_t seed = 1; seed <= 300; seed++) {
        graph g = random_graph(ctx, seed);
        tsr_arena scratch;
        tsr_arena_init(&scratch);
        tsr_dominance *d = tsr_dominance_new(&scratch, g.root);
        for (int a = 0; a < BLOCKS; a++)
            for (int b = 0; b < BLOCKS; b++)
                bad += tsr_dominates(d, &g.blocks[a]->first->out[0], g.blocks[b]->last) !=
                       dominates(&g, a, b);
        tsr_arena_free(&scratch);
        tsr_module_free(g.m);
    }
    CHECK(u, bad == 0);
    test_nesting(u, ctx);
    tsr_ctx_free(ctx);
}
