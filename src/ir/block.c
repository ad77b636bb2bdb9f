/* SPDX-License-Identifier: Apache-2.0 */
/* block.c - blocks, their arguments, and moving code between regions. */
#include "ir/ir.h"

tsr_block *tsr_block_new(tsr_module *m)
{
    tsr_block *b = TSR_NEW(&m->arena, tsr_block);
    b->id = m->nblock++;
    return b;
}

void tsr_block_insert(tsr_block *block, tsr_region *region, tsr_block *before)
{
    tsr_assert(!block->region, "block is in a region already");
    tsr_assert(!before || before->region == region, "the place is in another region");
    block->region = region;
    TSR_LIST_INSERT(region, block, before);
    tsr_symcache_saw_block(block);
}

void tsr_block_remove(tsr_block *block)
{
    if (!block->region)
        return;
    tsr_assert(block->prev ? block->prev->next == block : block->region->first == block,
               "a region that does not know its block");
    tsr_assert(block->next ? block->next->prev == block : block->region->last == block,
               "a region that does not know its block");
    TSR_LIST_REMOVE(block->region, block);
    block->region = NULL;
}

void tsr_block_erase(tsr_block *block)
{
    while (block->last)
        tsr_op_erase(block->last);
    for (uint32_t i = 0; i < block->nargs; i++)
        tsr_assert(!block->args[i]->uses, "a block is erased, but its argument %u is used", i);
    tsr_block_remove(block);
}

tsr_value *tsr_block_add_arg(tsr_module *m, tsr_block *block, tsr_type *type, tsr_loc loc)
{
    if (block->nargs == block->cap_args) {
        uint32_t cap = block->cap_args ? block->cap_args * 2 : 4;
        tsr_value **args = tsr_arena_alloc(&m->arena, cap * sizeof *args);
        tsr_loc *locs = tsr_arena_alloc(&m->arena, cap * sizeof *locs);
        if (block->nargs) {
            memcpy(args, block->args, block->nargs * sizeof *args);
            memcpy(locs, block->arg_locs, block->nargs * sizeof *locs);
        }
        block->args = args;
        block->arg_locs = locs;
        block->cap_args = cap;
    }
    tsr_assert(type, "argument %u of a block has no type", block->nargs);
    tsr_assert(block->nargs < INT32_MAX, "%u arguments of a block", block->nargs);
    tsr_value *v = TSR_NEW(&m->arena, tsr_value);
    v->type = type;
    v->block = block;
    v->id = m->nvalue++;
    v->index = block->nargs & 0x7FFFFFFF;
    v->is_arg = 1;
    block->arg_locs[block->nargs] = loc;
    block->args[block->nargs++] = v;
    return v;
}

void tsr_block_erase_arg(tsr_block *block, size_t i)
{
    tsr_assert(i < block->nargs, "argument %zu of %u", i, block->nargs);
    tsr_assert(!block->args[i]->uses, "argument %zu is erased, but used", i);
    for (; i + 1 < block->nargs; i++) {
        block->args[i] = block->args[i + 1];
        block->arg_locs[i] = block->arg_locs[i + 1];
        block->args[i]->index = i & 0x7FFFFFFF;
    }
    block->nargs--;
}

void tsr_block_erase_args(tsr_block *block, const bool *gone)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < block->nargs; i++) {
        tsr_assert(!gone[i] || !block->args[i]->uses, "argument %u is erased, but used", i);
        if (gone[i])
            continue;
        block->args[n] = block->args[i];
        block->arg_locs[n] = block->arg_locs[i];
        block->args[n]->index = n & 0x7FFFFFFF;
        n++;
    }
    block->nargs = n;
}

void tsr_region_take(tsr_region *to, tsr_region *from)
{
    if (!from->first || to == from)
        return;
    tsr_assert(!from->first->prev && !from->last->next, "blocks of two regions are one list");
    tsr_check(!tsr_op_is_ancestor(from->op, to->op) || from->op == to->op,
              "'%.*s' is moved into itself", TSR_STR_ARG(from->op->def->name));
    TSR_REGION_BLOCKS (from, b) {
        b->region = to;
        tsr_symcache_saw_block(b);
    }
    from->first->prev = to->last;
    if (to->last)
        to->last->next = from->first;
    else
        to->first = from->first;
    to->last = from->last;
    from->first = from->last = NULL;
}

void tsr_block_splice(tsr_block *to, tsr_op *at, tsr_block *from)
{
    if (!from->first || to == from)
        return;
    tsr_assert(!at || at->block == to, "the place is in another block");
    tsr_assert(!from->first->prev && !from->last->next, "ops of two blocks are one list");
    tsr_assert(!to->first || to->first->module == from->first->module,
               "ops are moved to a block of another module");
    TSR_BLOCK_OPS (from, op) {
        op->block = to;
        if (op->module->ctx->symcache)
            tsr_symcache_saw(op);
    }
    tsr_op *before = at ? at->prev : to->last;
    from->first->prev = before;
    from->last->next = at;
    if (before)
        before->next = from->first;
    else
        to->first = from->first;
    if (at)
        at->prev = from->last;
    else
        to->last = from->last;
    from->first = from->last = NULL;
}
