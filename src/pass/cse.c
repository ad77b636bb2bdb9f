/* SPDX-License-Identifier: Apache-2.0 */
/* cse.c - common subexpression elimination: replaces an op by an earlier one that computes the same. Ops with effects
 * stay, and so do ops whose regions have several blocks, and ops that read a value which some op changes in place,
 * since they may read different contents. Needs uses; keeps shardings, dominance; breaks ids.
 *
 * One table of available ops; leaving a block or a region removes its entries. Regions of an isolated op start with an
 * empty table. */
#include "pass/pass.h"

#include "base/scope.h"
#include "eval/plan.h"

typedef struct {
    tsr_pass *p;
    tsr_dominance *dominance; /* created for the first region with several blocks */
    tsr_op *root;
    tsr_map written; /* values that some op changes in place */
    tsr_map effects; /* for ops with regions */
    /* erased at the end: uses by dead ops count as long as the pass runs */
    TSR_VEC(tsr_op *) dead;
} cse;

static void visit_region(cse *c, tsr_map *known, tsr_region *region);

static bool single_blocks(const tsr_op *op)
{
    for (uint32_t r = 0; r < op->nregion; r++)
        if (op->regions[r].first != op->regions[r].last)
            return false;
    return true;
}

static uint64_t hash_of(const tsr_value *v)
{
    return ((uint64_t)(uintptr_t)v >> 4) * 0x9E3779B97F4A7C15u;
}

static bool is_written(const cse *c, const tsr_value *value)
{
    if (!c->written.n)
        return false;
    TSR_MAP_EACH (&c->written, hash_of(value), v)
        if (v == value)
            return true;
    return false;
}

/* As in MLIR, an op without effects reads nothing but its operands, which do not change. */
static void find_written(cse *c)
{
    if (c->root->module->ctx->as_peer)
        return;
    TSR_OPS (c->root, op) {
        uint32_t written = tsr_written_operands(op);
        for (uint32_t i = 0; written >> i && i < op->nin; i++)
            if ((written >> i & 1) && !is_written(c, op->in[i].value))
                tsr_map_put(&c->written, hash_of(op->in[i].value), op->in[i].value);
    }
}

static bool reads_written(const cse *c, const tsr_op *op)
{
    for (uint32_t i = 0; c->written.n && i < op->nin; i++)
        if (is_written(c, op->in[i].value))
            return true;
    return false;
}

static void visit_op(cse *c, tsr_map *known, tsr_op *op)
{
    if (tsr_op_has(op, TSR_TRAIT(TERMINATOR)))
        return;
    if (!tsr_op_used(op) && tsr_op_removable_known(&c->effects, op)) {
        tsr_vec_push(&c->dead, op);
        c->p->changed = true;
        return;
    }
    if (!single_blocks(op) || op->nout == 0 || reads_written(c, op) ||
        !tsr_op_effect_free_known(&c->effects, op))
        return;
    uint64_t hash = tsr_op_equivalence_hash(op);
    TSR_MAP_EACH (known, hash, x) {
        tsr_op *first = x;
        if (!tsr_op_equivalent(first, op))
            continue;
        for (uint32_t i = 0; i < op->nout; i++)
            tsr_value_replace(&op->out[i], &first->out[i]);
        if (first->loc == TSR_LOC_UNKNOWN)
            first->loc = op->loc;
        tsr_vec_push(&c->dead, op);
        c->p->changed = true;
        return;
    }
    tsr_map_put(known, hash, op);
}

static void visit_block(cse *c, tsr_map *known, tsr_block *b)
{
    TSR_BLOCK_OPS (b, op) {
        tsr_tick();
        if (op->nregion && tsr_op_maybe_isolated(op)) {
            tsr_map inside = {0};
            for (uint32_t r = 0; r < op->nregion; r++)
                visit_region(c, &inside, &op->regions[r]);
            tsr_map_free(&inside);
        } else {
            for (uint32_t r = 0; r < op->nregion; r++)
                visit_region(c, known, &op->regions[r]);
        }
        visit_op(c, known, op);
    }
}

/* The dominator tree as lists of children, by a block's index in its region (block->order). */
typedef struct {
    tsr_block *block, *child, *sibling;
} node;

static void visit_tree(cse *c, tsr_map *known, tsr_region *region)
{
    if (!c->dominance)
        c->dominance = tsr_dominance_new(c->p->scratch, c->root);
    uint32_t n = 0;
    TSR_REGION_BLOCKS (region, b)
        b->order = n++;
    node *nodes = TSR_NEW_ARRAY(c->p->scratch, node, n);
    struct {
        tsr_block *block;
        uint32_t known; /* number of entries before it */
    } *stack = tsr_arena_alloc(c->p->scratch, n * sizeof *stack);
    for (tsr_block *b = region->last; b; b = b->prev) {
        tsr_block *up = tsr_dominance_idom(c->dominance, b);
        if (!up)
            continue;
        nodes[b->order].sibling = nodes[up->order].child;
        nodes[up->order].child = b;
    }
    /* Depth first; a block's entries are removed when its subtree is done. */
    uint32_t depth = 0;
    for (tsr_block *b = region->first; b;) {
        stack[depth].block = b;
        stack[depth++].known = known->n;
        visit_block(c, known, b);
        tsr_block *next = nodes[b->order].child;
        while (!next && depth) {
            depth--;
            tsr_map_truncate(known, stack[depth].known);
            next = nodes[stack[depth].block->order].sibling;
        }
        b = next;
    }
}

static void visit_region(cse *c, tsr_map *known, tsr_region *region)
{
    if (!region->first)
        return;
    uint32_t before = known->n;
    if (region->first == region->last)
        visit_block(c, known, region->first);
    else
        visit_tree(c, known, region);
    tsr_map_truncate(known, before);
}

bool pass_cse(tsr_pass *p, tsr_op *root)
{
    cse c = {.p = p, .root = root};
    tsr_map known = {0};
    find_written(&c);
    for (uint32_t r = 0; r < root->nregion; r++)
        visit_region(&c, &known, &root->regions[r]);
    tsr_map_free(&known);
    tsr_map_free(&c.written);
    tsr_map_free(&c.effects);
    /* Last first, except that ops in regions come before the enclosing op. */
    for (size_t i = c.dead.n; i > 0; i--)
        if (!tsr_op_used(c.dead.data[i - 1]))
            tsr_op_erase(c.dead.data[i - 1]);
    tsr_vec_free(&c.dead);
    return true;
}
