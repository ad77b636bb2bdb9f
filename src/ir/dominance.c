/* dominance.c - which values are available where.
 *
 * Regions of one block need no tree: order in the block decides. For the others, immediate dominators by the iterative
 * method of Cooper, Harvey and Kennedy over the reverse postorder. Ops are numbered in program order once, so that a
 * question costs the nesting depth at most. */
#include "ir/ir.h"

struct tsr_dominance {
    uint32_t *order; /* by op id: place in program order + 1; 0 for ops outside */
    tsr_block *
        *idom;      /* by block id; the entry's is itself; NULL: not reachable, or the only block */
    uint32_t *post; /* by block id: postorder number, only of blocks with an idom */
    tsr_bitset graph; /* by block id: uses may stand before definitions */
    uint32_t op0, nop, block0, nblock; /* ids inside root: the arrays start there, so that a function costs its own size */
};

static uint32_t at(const tsr_dominance *d, const tsr_block *b)
{
    return b->id - d->block0;
}

/* ---- Trees ---- */

typedef struct {
    tsr_block *block;
    uint16_t next; /* successor to visit */
} frame;

static uint16_t nsucc(const tsr_block *b)
{
    return b->last ? b->last->nsucc : 0;
}

static tsr_block *meet(const tsr_dominance *d, tsr_block *a, tsr_block *b)
{
    while (a != b) {
        while (d->post[at(d, a)] < d->post[at(d, b)])
            a = d->idom[at(d, a)];
        while (d->post[at(d, b)] < d->post[at(d, a)])
            b = d->idom[at(d, b)];
    }
    return a;
}

/* Blocks in postorder into out; returns how many are reachable. */
static uint32_t postorder(tsr_dominance *d, tsr_region *region, frame *stack, tsr_block **out)
{
    uint32_t depth = 0, n = 0;
    stack[depth++] = (frame){region->first, 0};
    d->idom[at(d, region->first)] = region->first; /* marks a block as seen */
    while (depth) {
        frame *f = &stack[depth - 1];
        if (f->next == nsucc(f->block)) {
            d->post[at(d, f->block)] = n;
            out[n++] = f->block;
            depth--;
            continue;
        }
        tsr_block *to = f->block->last->succ[f->next++];
        if (to && to->region == region && !d->idom[at(d, to)]) {
            d->idom[at(d, to)] = to;
            stack[depth++] = (frame){to, 0};
        }
    }
    return n;
}

static void build_tree(tsr_dominance *d, tsr_arena *scratch, tsr_region *region)
{
    size_t nblock = 0;
    TSR_REGION_BLOCKS (region, b)
        nblock++;
    frame *stack = TSR_NEW_ARRAY(scratch, frame, nblock);
    tsr_block **blocks = TSR_NEW_ARRAY(scratch, tsr_block *, nblock);
    uint32_t n = postorder(d, region, stack, blocks);
    for (uint32_t i = 0; i + 1 < n; i++)
        d->idom[at(d, blocks[i])] = NULL;
    /* A block's dominator is the meet of its predecessors. They are met from the other side: each block tells its
     * successors, in reverse postorder, until nothing changes. */
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t i = n; i-- > 0;) {
            tsr_block *b = blocks[i];
            for (uint16_t s = 0; d->idom[at(d, b)] && s < nsucc(b); s++) {
                tsr_block *to = b->last->succ[s];
                if (!to || to->region != region || to == region->first)
                    continue;
                tsr_block *old = d->idom[at(d, to)], *dom = old ? meet(d, old, b) : b;
                if (dom != old) {
                    d->idom[at(d, to)] = dom;
                    changed = true;
                }
            }
        }
    }
}

/* ---- Making ---- */

/* Regions where order does not count: graph regions, and those of unknown ops, when they have one block. */
static bool is_graph(const tsr_op *op, const tsr_region *region)
{
    return region->first && region->first == region->last &&
           (op->def->opcode == TSR_UNREGISTERED || tsr_op_has(op, TSR_TRAIT(GRAPH_REGION)));
}

static void find_ids(tsr_dominance *d, tsr_op *root)
{
    uint32_t op1 = root->id, block1 = 0;
    d->op0 = root->id;
    d->block0 = UINT32_MAX;
    TSR_OPS (root, op) {
        d->op0 = op->id < d->op0 ? op->id : d->op0;
        op1 = op->id > op1 ? op->id : op1;
        for (uint16_t r = 0; r < op->nregion; r++)
            TSR_REGION_BLOCKS (&op->regions[r], b) {
                d->block0 = b->id < d->block0 ? b->id : d->block0;
                block1 = b->id > block1 ? b->id : block1;
            }
    }
    d->nop = op1 - d->op0 + 1;
    d->nblock = d->block0 == UINT32_MAX ? 0 : block1 - d->block0 + 1;
}

tsr_dominance *tsr_dominance_new(tsr_arena *scratch, tsr_op *root)
{
    tsr_dominance *d = TSR_NEW(scratch, tsr_dominance);
    find_ids(d, root);
    d->order = TSR_NEW_ARRAY(scratch, uint32_t, d->nop);
    d->idom = TSR_NEW_ARRAY(scratch, tsr_block *, d->nblock);
    d->post = TSR_NEW_ARRAY(scratch, uint32_t, d->nblock);
    d->graph = tsr_bitset_new(scratch, d->nblock);
    uint32_t n = 0;
    TSR_OPS (root, op) {
        d->order[op->id - d->op0] = ++n;
        for (uint16_t r = 0; r < op->nregion; r++) {
            tsr_region *region = &op->regions[r];
            if (is_graph(op, region))
                tsr_bitset_add(&d->graph, at(d, region->first));
            else if (region->first && region->first != region->last)
                build_tree(d, scratch, region);
        }
    }
    return d;
}

/* ---- Questions ---- */

static bool block_dominates(const tsr_dominance *d, const tsr_block *a,
                            const tsr_block *b) /* of one region */
{
    if (a == b || at(d, a) >= d->nblock || at(d, b) >= d->nblock)
        return true; /* outside of root: not asked of us */
    if (!d->idom[at(d, b)])
        return true; /* everything dominates what cannot be reached */
    if (!d->idom[at(d, a)])
        return false;
    while (d->post[at(d, b)] < d->post[at(d, a)])
        b = d->idom[at(d, b)];
    return a == b;
}

bool tsr_dominates(const tsr_dominance *d, const tsr_value *v, const tsr_op *op)
{
    const tsr_block *def = v->is_arg ? v->block : v->op->block;
    if (!def || !def->region)
        return false;
    /* The use, seen from the region of the definition. */
    while (op && op->block && op->block->region != def->region)
        op = tsr_block_parent(op->block);
    if (!op || !op->block)
        return false;
    if (op->block != def)
        return block_dominates(d, def, op->block);
    if (v->is_arg || tsr_bitset_has(&d->graph, at(d, def)))
        return true;
    uint32_t from = v->op->id - d->op0, to = op->id - d->op0;
    return from < d->nop && to < d->nop ? d->order[from] < d->order[to] : tsr_op_before(v->op, op);
}

tsr_block *tsr_dominance_idom(const tsr_dominance *d, const tsr_block *b)
{
    return at(d, b) >= d->nblock || d->idom[at(d, b)] == b ? NULL : d->idom[at(d, b)];
}
