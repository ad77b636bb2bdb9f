/* SPDX-License-Identifier: Apache-2.0 */
/* walk.c - program order over nested regions, forward and backward, without a stack: parent links lead back up. */
#include "ir/verify.h"

#include "base/scope.h"

/* The first op of the blocks from b on; NULL when they are empty. */
static tsr_op *first_from(tsr_block *b)
{
    for (; b; b = b->next)
        if (b->first)
            return b->first;
    return NULL;
}

static tsr_op *last_from(tsr_block *b)
{
    for (; b; b = b->prev)
        if (b->last)
            return b->last;
    return NULL;
}

/* The first op in the regions of op from number r on. */
static tsr_op *first_inside(tsr_op *op, uint32_t r)
{
    for (; r < op->nregion; r++) {
        tsr_op *first = first_from(op->regions[r].first);
        if (first)
            return first;
    }
    return NULL;
}

/* The last op in the regions of op below number r. */
static tsr_op *last_inside(tsr_op *op, uint32_t r)
{
    while (r-- > 0) {
        tsr_op *last = last_from(op->regions[r].last);
        if (last)
            return last;
    }
    return NULL;
}

static tsr_op *deepest_last(tsr_op *op)
{
    for (tsr_op *in; (in = last_inside(op, op->nregion)) != NULL;)
        op = in;
    return op;
}

/* The op after op within root; next is the first op inside it. */
static tsr_op *next_or_up(tsr_op *root, tsr_op *op, tsr_op *next)
{
    while (!next && op != root) {
        if (op->next)
            return tsr_op_onward(op);
        tsr_block *b = op->block;
        next = first_from(b->next);
        if (next)
            break;
        op = b->region->op;
        next = first_inside(op, (uint32_t)(b->region - op->regions) + 1);
    }
    return next;
}

tsr_op *tsr_walk_on(tsr_op *root, tsr_op *op)
{
    tsr_tick(); /* so that repeated walks can be cancelled */
    return next_or_up(root, op, first_inside(op, 0));
}

tsr_op *tsr_walk_past(tsr_op *root, tsr_op *op)
{
    tsr_tick();
    return next_or_up(root, op, NULL);
}

tsr_op *tsr_walk_nest(tsr_op *root, tsr_op *op)
{
    tsr_tick();
    bool enter = op == root || !tsr_op_has(op, TSR_TRAIT(ISOLATED));
    return next_or_up(root, op, enter ? first_inside(op, 0) : NULL);
}

tsr_op *tsr_walk_last(tsr_op *root)
{
    tsr_op *last = deepest_last(root);
    return last == root ? NULL : last;
}

tsr_op *tsr_walk_prev(tsr_op *root, tsr_op *op)
{
    tsr_tick();
    if (op->prev) {
        tsr_op_prefetch(op->prev, -TSR_OP_AHEAD);
        return deepest_last(op->prev);
    }
    tsr_block *b = op->block;
    tsr_op *parent = b->region->op;
    tsr_op *prev = last_from(b->prev);
    if (!prev)
        prev = last_inside(parent, (uint32_t)(b->region - parent->regions));
    if (prev)
        return deepest_last(prev);
    return parent == root ? NULL : parent;
}

bool tsr_op_walk(tsr_op *op, bool (*fn)(void *user, tsr_op *op), void *user)
{
    if (!op || !fn)
        return false;
    TSR_OPS (op, o)
        if (!fn(user, o))
            return false;
    return true;
}
