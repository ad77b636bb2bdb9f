/* SPDX-License-Identifier: Apache-2.0 */
/* simplify.c - region simplification: removes unreachable blocks, dead ops, unused block arguments, and, if requested,
 * duplicate blocks. Linear in the ops inside. */
#include "pass/pass.h"

bool tsr_erase_dead_ops(tsr_op *root)
{
    bool changed = false;
    TSR_OPS_REVERSE (root, op) {
        if (tsr_op_used(op) || !tsr_op_removable(op))
            continue;
        tsr_op_erase(op);
        changed = true;
    }
    return changed;
}

static bool has_many_blocks(const tsr_region *region)
{
    return region->first != region->last;
}

/* Drops all uses inside, so that blocks that use each other's values can be erased in any order. */
static void drop_operands(tsr_op *root)
{
    TSR_OPS (root, op) {
        for (uint32_t i = 0; i < op->nsucc; i++)
            op->nsuccin[i] = 0;
        tsr_op_set_operands(op, NULL, 0);
    }
}

/* block->order: 1 if reached, else 0. */
static bool erase_unreachable(tsr_pass *p, tsr_region *region)
{
    uint32_t n = 0, depth = 0;
    TSR_REGION_BLOCKS (region, b) {
        b->order = 0;
        n++;
    }
    tsr_block **stack = TSR_NEW_ARRAY(p->scratch, tsr_block *, n);
    stack[depth++] = region->first;
    region->first->order = 1;
    while (depth) {
        const tsr_op *end = stack[--depth]->last;
        for (uint32_t i = 0; end && i < end->nsucc; i++) {
            tsr_block *to = end->succ[i];
            if (to->order)
                continue;
            to->order = 1;
            stack[depth++] = to;
        }
    }
    bool changed = false;
    TSR_REGION_BLOCKS (region, b)
        if (!b->order)
            TSR_BLOCK_OPS (b, op)
                drop_operands(op);
    for (tsr_block *b = region->first, *next; b; b = next) {
        next = b->next;
        if (b->order)
            continue;
        tsr_block_erase(b);
        changed = true;
    }
    return changed;
}

/* ---- Edges between blocks ---- */

typedef struct edge {
    tsr_op *end; /* a terminator and its successor succ */
    uint32_t succ;
    uint32_t first, n; /* operands that become arguments: none if the op does not say */
    struct edge *next; /* to the same block */
} edge;

/* The blocks of a region by block->order, and the edges between them. */
typedef struct {
    tsr_region *region;
    uint32_t n;
    edge **in;      /* edges that lead to a block, as a list */
    edge **out;     /* edges of its terminator, by successor */
    uint32_t *arg0; /* number of a block's first argument, among those of all blocks */
    tsr_bitset live_args;
    tsr_map live_ops;
    tsr_value_vec args;    /* live arguments whose incoming values are not yet marked */
    TSR_VEC(tsr_op *) ops; /* live ops whose operands are not yet marked */
} flow;

/* The operands of successors are the last groups of a row, one for each. */
static void add_edges(flow *f, tsr_arena *scratch, const tsr_block *b)
{
    tsr_op *end = b->last;
    const tsr_opdef *def = end->def;
    bool says =
        def->opcode != TSR_UNREGISTERED && def->nsucc == end->nsucc && def->narg >= def->nsucc;
    edge *e = f->out[b->order] = TSR_NEW_ARRAY(scratch, edge, end->nsucc);
    for (uint32_t s = 0; s < end->nsucc; s++, e++) {
        edge **at = &f->in[end->succ[s]->order];
        *e = (edge){.end = end, .succ = s, .next = *at};
        if (says && !tsr_op_operand_group(end, def->narg - def->nsucc + s, &e->first, &e->n))
            e->n = 0;
        *at = e;
    }
}

static flow flow_new(tsr_pass *p, tsr_region *region)
{
    flow f = {.region = region};
    uint32_t nargs = 0;
    TSR_REGION_BLOCKS (region, b)
        b->order = f.n++;
    f.in = TSR_NEW_ARRAY(p->scratch, edge *, f.n);
    f.out = TSR_NEW_ARRAY(p->scratch, edge *, f.n);
    f.arg0 = TSR_NEW_ARRAY(p->scratch, uint32_t, f.n);
    TSR_REGION_BLOCKS (region, b) {
        f.arg0[b->order] = nargs;
        nargs += b->nargs;
        if (b->last && b->last->nsucc)
            add_edges(&f, p->scratch, b);
    }
    f.live_args = tsr_bitset_new(p->scratch, nargs);
    return f;
}

/* ---- Block arguments ---- */

static bool is_live_op(const flow *f, const tsr_op *op)
{
    TSR_MAP_EACH (&f->live_ops, tsr_hash_ptr(op), x)
        if (x == op)
            return true;
    return false;
}

static void add_live_op(flow *f, tsr_op *op)
{
    if (op->block->region != f->region || is_live_op(f, op))
        return;
    tsr_map_put(&f->live_ops, tsr_hash_ptr(op), op);
    tsr_vec_push(&f->ops, op);
}

static void add_live(flow *f, tsr_value *v)
{
    if (!v->is_arg) {
        add_live_op(f, v->op);
        return;
    }
    if (v->block->region != f->region)
        return;
    uint32_t i = f->arg0[v->block->order] + v->index;
    if (tsr_bitset_has(&f->live_args, i))
        return;
    tsr_bitset_add(&f->live_args, i);
    tsr_vec_push(&f->args, v);
}

/* The number of operands that op itself uses, rather than passing them to a block. */
static uint32_t own_operands(const flow *f, const tsr_op *op)
{
    uint32_t n = op->nin;
    for (uint32_t s = 0; s < op->nsucc; s++)
        n -= f->out[op->block->order][s].n;
    return n;
}

/* Operands of a live op are live. */
static void need_operands(flow *f, tsr_op *root)
{
    TSR_OPS (root, op) {
        uint32_t n = op == root ? own_operands(f, op) : op->nin;
        for (uint32_t i = 0; i < n; i++)
            add_live(f, op->in[i].value);
    }
}

/* A live argument needs the value from each edge. */
static void need_given(flow *f, const tsr_value *arg)
{
    for (const edge *e = f->in [arg->block->order]; e; e = e->next)
        if (arg->index < e->n)
            add_live(f, e->end->in[e->first + arg->index].value);
}

/* Whether the arguments of a block must stay, because a registered op that branches to it does not say which operands
 * it passes. */
static bool must_stay(const flow *f, const tsr_block *b)
{
    for (const edge *e = f->in [b->order]; e; e = e->next)
        if (e->end->def->opcode != TSR_UNREGISTERED && e->n < b->nargs)
            return true;
    return b == f->region->first;
}

static void find_live(flow *f)
{
    TSR_REGION_BLOCKS (f->region, b) {
        for (uint32_t i = 0, n = must_stay(f, b) ? b->nargs : 0; i < n; i++)
            add_live(f, b->args[i]);
        TSR_BLOCK_OPS (b, op)
            if (!tsr_op_removable(op))
                add_live_op(f, op);
    }
    while (f->ops.n || f->args.n)
        if (f->ops.n)
            need_operands(f, f->ops.data[--f->ops.n]);
        else
            need_given(f, f->args.data[--f->args.n]);
}

static bool is_live_arg(const flow *f, const tsr_block *b, uint32_t i)
{
    return tsr_bitset_has(&f->live_args, f->arg0[b->order] + i);
}

/* Removes the operands passed to removed arguments. */
static void drop_given(flow *f, tsr_arena *scratch, tsr_op *end)
{
    const edge *out = f->out[end->block->order];
    uint32_t ngroup = end->def->narg, own = own_operands(f, end), n = 0;
    if (own == end->nin)
        return;
    int32_t *sizes = TSR_NEW_ARRAY(scratch, int32_t, ngroup);
    tsr_value **keep = TSR_NEW_ARRAY(scratch, tsr_value *, end->nin);
    for (uint32_t g = 0, start, size; g < ngroup - end->nsucc; g++)
        if (tsr_op_operand_group(end, g, &start, &size))
            sizes[g] = (int32_t)size;
    while (n < own) {
        keep[n] = end->in[n].value;
        n++;
    }
    for (uint32_t s = 0; s < end->nsucc; s++) {
        uint32_t before = n;
        for (uint32_t i = 0; i < out[s].n; i++)
            if (is_live_arg(f, end->succ[s], i))
                keep[n++] = end->in[out[s].first + i].value;
        sizes[ngroup - end->nsucc + s] = (int32_t)(n - before);
    }
    if (n == end->nin)
        return;
    tsr_op_set_operands(end, keep, n);
    if (tsr_op_has(end, TSR_TRAIT(SEGMENTED_OPERANDS)))
        tsr_op_set_attr(
            end, TSR_STR("operandSegmentSizes"),
            tsr_attr_dense_array(end->module->ctx, end->module->ctx->i32, sizes, ngroup));
}

static void keep_arguments(const flow *f, tsr_block *b)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < b->nargs; i++) {
        if (!is_live_arg(f, b, i))
            continue;
        b->args[n] = b->args[i];
        b->arg_locs[n] = b->arg_locs[i];
        b->args[n]->index = n & 0x7FFFFFFF;
        n++;
    }
    b->nargs = n;
}

static bool erase_dead(flow *f, tsr_arena *scratch)
{
    bool changed = false;
    TSR_REGION_BLOCKS (f->region, b)
        TSR_BLOCK_OPS (b, op) {
            if (op->nsucc)
                drop_given(f, scratch, op);
            if (!is_live_op(f, op))
                drop_operands(op);
        }
    TSR_REGION_BLOCKS (f->region, b) {
        for (tsr_op *op = b->first, *next; op; op = next) {
            next = op->next;
            if (is_live_op(f, op))
                continue;
            tsr_op_erase(op);
            changed = true;
        }
        bool some = false;
        for (uint32_t i = 0; i < b->nargs; i++)
            some |= !is_live_arg(f, b, i);
        if (some)
            keep_arguments(f, b);
        changed |= some;
    }
    return changed;
}

/* Removes arguments of blocks, except the entry, that are only passed on and never used, and the ops that only they
 * need. */
static bool drop_unused_arguments(tsr_pass *p, tsr_region *region)
{
    flow f = flow_new(p, region);
    find_live(&f);
    bool changed = erase_dead(&f, p->scratch);
    tsr_map_free(&f.live_ops);
    tsr_vec_free(&f.args);
    tsr_vec_free(&f.ops);
    return changed;
}

/* ---- Equal blocks ---- */

/* Whether something outside b uses a value defined in b. */
static bool used_outside(const tsr_block *b)
{
    TSR_BLOCK_OPS (b, op) {
        for (uint32_t i = 0; i < op->nout; i++) {
            for (const tsr_use *u = op->out[i].uses; u; u = u->next) {
                const tsr_block *at = u->user->block;
                while (at && at != b && at->region != b->region)
                    at = at->region->op->block;
                if (at != b)
                    return true;
            }
        }
    }
    return false;
}

/* Redirects edges from one block to another. Edges of erased blocks are included, which is harmless. */
static void redirect(flow *f, const tsr_block *from, tsr_block *to)
{
    for (edge *e = f->in [from->order], *next; e; e = next) {
        next = e->next;
        tsr_op_set_successor(e->end, e->succ, to);
        e->next = f->in[to->order];
        f->in[to->order] = e;
    }
    f->in[from->order] = NULL;
}

/* Keeps the first of several equal blocks. */
static bool merge_equal(tsr_pass *p, tsr_region *region)
{
    bool changed = false;
    tsr_map seen = {0};
    flow f = flow_new(p, region);
    for (tsr_block *b = region->first->next, *next; b; b = next) {
        next = b->next;
        uint64_t hash = tsr_block_equivalence_hash(b);
        tsr_block *leader = NULL;
        TSR_MAP_EACH (&seen, hash, other)
            if (!leader && tsr_block_equivalent(other, b))
                leader = other;
        if (leader && !used_outside(b) && !used_outside(leader)) {
            redirect(&f, b, leader);
            TSR_BLOCK_OPS (b, op)
                drop_operands(op);
            tsr_block_erase(b);
            changed = true;
        } else if (!leader) {
            tsr_map_put(&seen, hash, b);
        }
    }
    tsr_map_free(&seen);
    return changed;
}

bool tsr_simplify_regions(tsr_pass *p, tsr_op *root, bool merge)
{
    bool changed = false;
    TSR_OPS (root, op)
        for (uint32_t r = 0; r < op->nregion; r++)
            if (has_many_blocks(&op->regions[r]))
                changed |= erase_unreachable(p, &op->regions[r]);
    changed |= tsr_erase_dead_ops(root);
    TSR_OPS (root, op) {
        for (uint32_t r = 0; r < op->nregion; r++) {
            if (!has_many_blocks(&op->regions[r]))
                continue;
            changed |= drop_unused_arguments(p, &op->regions[r]);
            changed |= merge && merge_equal(p, &op->regions[r]);
        }
    }
    return changed;
}
