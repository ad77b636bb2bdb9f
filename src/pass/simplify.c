/* simplify.c - region simplification: blocks that cannot be reached, dead ops, block arguments that nobody uses, and,
 * when asked for, equal blocks. Linear in the ops inside. */
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

/* Gives up all uses inside, so that blocks which use each other's values can go in any order. */
static void drop_operands(tsr_op *root)
{
    TSR_OPS (root, op) {
        for (uint32_t i = 0; i < op->nsucc; i++)
            op->nsuccin[i] = 0;
        tsr_op_set_operands(op, NULL, 0);
    }
}

/* block->order: 1 when it was reached, 0 before. */
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

/* The operand of a terminator that becomes argument arg of its successor s; -1 when the op does not say. */
static int64_t successor_operand(const tsr_op *end, uint32_t s, uint32_t arg)
{
    if (end->nsuccin[s] <= arg)
        return -1;
    int64_t first = end->nin;
    for (uint32_t i = s; i < end->nsucc; i++)
        first -= end->nsuccin[i];
    return first + arg;
}

static void drop_argument(tsr_region *region, tsr_block *b, uint32_t arg)
{
    TSR_REGION_BLOCKS (region, pred) {
        tsr_op *end = pred->last;
        for (uint32_t s = 0; end && s < end->nsucc; s++) {
            int64_t operand = end->succ[s] == b ? successor_operand(end, s, arg) : -1;
            if (operand < 0)
                continue;
            tsr_op_erase_operand(end, (size_t)operand);
        }
    }
    tsr_block_erase_arg(b, arg);
}

/* block->order: 0 when its arguments stay, since an op that branches to it counts them among its own operands. */
static void find_counted(tsr_region *region)
{
    TSR_REGION_BLOCKS (region, b)
        b->order = 1;
    TSR_REGION_BLOCKS (region, pred)
        for (uint32_t s = 0; pred->last && s < pred->last->nsucc; s++)
            if (pred->last->def->opcode != TSR_UNREGISTERED &&
                pred->last->nsuccin[s] < pred->last->succ[s]->nargs)
                pred->last->succ[s]->order = 0;
}

/* Of all blocks but the entry, whose arguments belong to the op. */
static bool drop_unused_arguments(tsr_region *region)
{
    bool changed = false;
    find_counted(region);
    for (tsr_block *b = region->first->next; b; b = b->next) {
        for (uint32_t i = b->nargs; i > 0; i--) {
            if (b->args[i - 1]->uses || !b->order)
                continue;
            drop_argument(region, b, i - 1);
            changed = true;
        }
    }
    return changed;
}

/* Whether something outside b uses what b defines. */
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

static void redirect(tsr_region *region, const tsr_block *from, tsr_block *to)
{
    TSR_REGION_BLOCKS (region, pred)
        for (uint32_t s = 0; pred->last && s < pred->last->nsucc; s++)
            if (pred->last->succ[s] == from)
                tsr_op_set_successor(pred->last, s, to);
}

/* The first block of several equal ones stays. */
static bool merge_equal(tsr_region *region)
{
    bool changed = false;
    tsr_map seen = {0};
    for (tsr_block *b = region->first->next, *next; b; b = next) {
        next = b->next;
        uint64_t hash = tsr_block_equivalence_hash(b);
        tsr_block *leader = NULL;
        TSR_MAP_EACH (&seen, hash, other)
            if (!leader && tsr_block_equivalent(other, b))
                leader = other;
        if (leader && !used_outside(b) && !used_outside(leader)) {
            redirect(region, b, leader);
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
            changed |= drop_unused_arguments(&op->regions[r]);
            changed |= merge && merge_equal(&op->regions[r]);
        }
    }
    return changed;
}
