/* SPDX-License-Identifier: Apache-2.0 */
/* dominance.c - which values are available where.
 *
 * Regions with one block need no tree: the order in the block decides. For the others, immediate dominators are
 * computed by the method of Lengauer and Tarjan with path compression: near linear in blocks and edges for any graph.
 * Ops are numbered in program order once and blocks in preorder of the tree, so that a query costs at most the nesting
 * depth. */
#include "ir/ir.h"

struct tsr_dominance {
    uint32_t *order; /* by op id: position in program order + 1; 0 for ops outside */
    tsr_block *
        *idom; /* by block id; the entry's is itself; NULL: not reachable, or the only block */
    uint32_t *pre,
        *size; /* by block id: position in the tree's preorder; size of its subtree; only with an idom */
    tsr_bitset graph; /* by block id: uses may precede definitions */
    uint32_t op0, nop, block0,
        nblock; /* ids inside root: the arrays start there, so that a function costs its own size */
};

static uint32_t at(const tsr_dominance *d, const tsr_block *b)
{
    return b->id - d->block0;
}

/* ---- Trees ---- */

/* A depth-first search of one region. Blocks are identified by their number in it, from 1; 0 is none. */
typedef struct {
    tsr_region *region;
    uint32_t n;        /* reachable blocks */
    tsr_block **block; /* by number */
    uint32_t *parent;  /* in the tree of the search */
    uint32_t *semi;    /* semidominator */
    uint32_t *idom;    /* immediate dominator */
    uint32_t *ancestor,
        *label; /* the forest of finished blocks: a block's link, and the least semi on the path up */
    uint32_t *bucket, *in_bucket; /* blocks by semidominator: the first, and the next of each */
    uint32_t *first_pred,
        *preds; /* predecessors of i: preds[first_pred[i]] to preds[first_pred[i + 1] - 1] */
    uint32_t *stack;
} search;

static uint16_t nsucc(const tsr_block *b)
{
    return b->last ? b->last->nsucc : 0;
}

/* The number of successor i, or 0 if it is not in this region. During the search pre holds numbers. */
static uint32_t succ_at(const tsr_dominance *d, const search *s, const tsr_block *b, uint16_t i)
{
    const tsr_block *to = b->last->succ[i];
    return to && to->region == s->region ? d->pre[at(d, to)] : 0;
}

/* Numbers the blocks; next (initially all 0) is the successor to visit next, by block number. */
static void number_blocks(tsr_dominance *d, search *s, uint32_t *next)
{
    uint32_t depth = 0;
    s->block[s->n = 1] = s->region->first;
    d->pre[at(d, s->region->first)] = 1;
    s->stack[depth++] = 1;
    while (depth) {
        uint32_t v = s->stack[depth - 1];
        tsr_block *b = s->block[v];
        if (next[v] == nsucc(b)) {
            depth--;
            continue;
        }
        tsr_block *to = b->last->succ[next[v]++];
        if (!to || to->region != s->region || d->pre[at(d, to)])
            continue;
        d->pre[at(d, to)] = ++s->n;
        s->block[s->n] = to;
        s->parent[s->n] = v;
        s->stack[depth++] = s->n;
    }
}

static void find_preds(const tsr_dominance *d, tsr_arena *scratch, search *s)
{
    s->first_pred = TSR_NEW_ARRAY(scratch, uint32_t, s->n + 2);
    for (uint32_t v = 1; v <= s->n; v++)
        for (uint16_t i = 0; i < nsucc(s->block[v]); i++)
            s->first_pred[succ_at(d, s, s->block[v], i)]++;
    uint32_t sum = 0;
    for (uint32_t v = 0; v <= s->n + 1; v++)
        sum += s->first_pred[v],
            s->first_pred[v] = sum; /* ends; each stored predecessor moves one down */
    s->preds = TSR_NEW_ARRAY(scratch, uint32_t, sum + 1);
    for (uint32_t v = s->n; v > 0; v--)
        for (uint16_t i = nsucc(s->block[v]); i-- > 0;)
            s->preds[--s->first_pred[succ_at(d, s, s->block[v], i)]] = v;
}

/* The block with the least semidominator between v and the root of its tree in the forest; compresses the path. */
static uint32_t least(search *s, uint32_t v)
{
    if (!s->ancestor[v])
        return v;
    uint32_t depth = 0;
    for (uint32_t at = v; s->ancestor[s->ancestor[at]]; at = s->ancestor[at])
        s->stack[depth++] = at;
    while (depth) {
        uint32_t w = s->stack[--depth], up = s->ancestor[w];
        if (s->semi[s->label[up]] < s->semi[s->label[w]])
            s->label[w] = s->label[up];
        s->ancestor[w] = s->ancestor[up];
    }
    return s->label[v];
}

static void find_idoms(search *s)
{
    for (uint32_t v = 1; v <= s->n; v++)
        s->semi[v] = s->label[v] = v;
    for (uint32_t w = s->n; w > 1; w--) {
        for (uint32_t i = s->first_pred[w]; i < s->first_pred[w + 1]; i++) {
            uint32_t semi = s->semi[least(s, s->preds[i])];
            s->semi[w] = semi < s->semi[w] ? semi : s->semi[w];
        }
        s->in_bucket[w] = s->bucket[s->semi[w]];
        s->bucket[s->semi[w]] = w;
        uint32_t up = s->parent[w];
        s->ancestor[w] = up;
        for (uint32_t v = s->bucket[up]; v; v = s->in_bucket[v]) {
            uint32_t u = least(s, v);
            s->idom[v] = s->semi[u] < s->semi[v] ? u : up;
        }
        s->bucket[up] = 0;
    }
    for (uint32_t w = 2; w <= s->n; w++)
        if (s->idom[w] != s->semi[w])
            s->idom[w] = s->idom[s->idom[w]];
    s->idom[1] = 1;
}

/* Stores the tree, with the preorder. A block's number is above that of its dominator. */
static void keep_tree(tsr_dominance *d, search *s)
{
    uint32_t *size = s->semi, *next = s->label; /* not needed any more */
    for (uint32_t v = 1; v <= s->n; v++)
        size[v] = 1;
    for (uint32_t v = s->n; v > 1; v--)
        size[s->idom[v]] += size[v];
    for (uint32_t v = 1; v <= s->n; v++) {
        tsr_assert(v == 1 || (s->idom[v] && s->idom[v] < v),
                   "block %u of a search is dominated by block %u", v, s->idom[v]);
        uint32_t id = at(d, s->block[v]), up = s->idom[v], pre = v == 1 ? 0 : next[up];
        next[up] = v == 1 ? 0 : pre + size[v];
        next[v] = pre + 1;
        d->idom[id] = s->block[up];
        d->pre[id] = pre;
        d->size[id] = size[v];
    }
}

static void build_tree(tsr_dominance *d, tsr_arena *scratch, tsr_region *region)
{
    uint32_t n = 0;
    TSR_REGION_BLOCKS (region, b)
        n++;
    tsr_arena_mark mark = tsr_arena_save(scratch);
    search s = {.region = region, .block = TSR_NEW_ARRAY(scratch, tsr_block *, n + 1)};
    uint32_t **arrays[] = {&s.parent, &s.semi,   &s.idom,      &s.ancestor,
                           &s.label,  &s.bucket, &s.in_bucket, &s.stack};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        *arrays[i] = TSR_NEW_ARRAY(scratch, uint32_t, n + 1);
    number_blocks(d, &s, s.semi);
    tsr_assert(s.n <= n, "%u reachable blocks of %u", s.n, n);
    find_preds(d, scratch, &s);
    find_idoms(&s);
    keep_tree(d, &s);
    tsr_arena_rewind(scratch, mark);
}

/* ---- Construction ---- */

/* Regions where order does not matter: graph regions, and those of unknown ops, when they have one block. */
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
    d->pre = TSR_NEW_ARRAY(scratch, uint32_t, d->nblock);
    d->size = TSR_NEW_ARRAY(scratch, uint32_t, d->nblock);
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

/* ---- Queries ---- */

static bool block_dominates(const tsr_dominance *d, const tsr_block *a,
                            const tsr_block *b) /* of one region */
{
    if (a == b || at(d, a) >= d->nblock || at(d, b) >= d->nblock)
        return true; /* outside of root: not our question */
    if (!d->idom[at(d, b)])
        return true; /* everything dominates unreachable code */
    if (!d->idom[at(d, a)])
        return false;
    return d->pre[at(d, b)] - d->pre[at(d, a)] < d->size[at(d, a)];
}

bool tsr_dominates(const tsr_dominance *d, const tsr_value *v, const tsr_op *op)
{
    const tsr_block *def = v->is_arg ? v->block : v->op->block;
    if (!def || !def->region)
        return false;
    /* The ancestor of the use that is in the region of the definition. */
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
