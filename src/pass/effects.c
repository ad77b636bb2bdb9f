/* SPDX-License-Identifier: Apache-2.0 */
/* effects.c - effects of an op besides computing its results, according to its traits. */
#include "pass/pass.h"

bool tsr_op_says_effects(const tsr_op *op)
{
    if (!tsr_op_has(op, TSR_TRAIT(EFFECT_ATTR)))
        return tsr_op_has(op, TSR_TRAIT(HAS_EFFECT));
    int slot = tsr_opdef_slot(op->def, TSR_STR("has_side_effect"));
    return slot >= 0 && op->attrs[slot] && op->attrs[slot]->i;
}

/* The cached answer for op: 0 none, else 1 + whether it is effect free. */
static int look_up(const tsr_map *known, const tsr_op *op)
{
    TSR_MAP_EACH (known, tsr_hash_ptr(op), v)
        if (((uintptr_t)v & ~(uintptr_t)1) == (uintptr_t)op)
            return 1 + (int)((uintptr_t)v & 1);
    return 0;
}

static bool inside_effect_free(tsr_map *known, const tsr_op *op)
{
    for (uint32_t r = 0; r < op->nregion; r++)
        TSR_REGION_BLOCKS (&op->regions[r], b)
            TSR_BLOCK_OPS (b, inner)
                if (!tsr_op_effect_free_known(known, inner))
                    return false;
    return true;
}

/* An op has no effect if its row says so; with RECURSIVE_EFFECTS the ops inside must have none either. An op whose row
 * says neither (an unregistered op, a call) may do anything. The walk visits only ops inside an op with recursive
 * effects: the regions of others never count. */
bool tsr_op_effect_free_known(tsr_map *known, const tsr_op *op)
{
    if (!tsr_op_has(op, TSR_TRAIT(RECURSIVE_EFFECTS)))
        return tsr_op_has(op, TSR_TRAIT(EFFECT_ATTR)) ? !tsr_op_says_effects(op)
                                                      : tsr_op_has(op, TSR_TRAIT(NO_EFFECT));
    if (!known || !op->nregion)
        return inside_effect_free(known, op);
    int before = look_up(known, op);
    if (before)
        return before == 2;
    bool is_free = inside_effect_free(known, op);
    tsr_map_put(known, tsr_hash_ptr(op), (void *)((uintptr_t)op | is_free));
    return is_free;
}

bool tsr_op_effect_free(const tsr_op *op)
{
    return tsr_op_effect_free_known(NULL, op);
}

bool tsr_op_removable_known(tsr_map *known, const tsr_op *op)
{
    return !tsr_op_has(op, TSR_TRAIT(TERMINATOR) | TSR_TRAIT(SYMBOL)) &&
           (tsr_op_has(op, TSR_TRAIT(ALLOCATES)) || tsr_op_effect_free_known(known, op));
}

bool tsr_op_removable(const tsr_op *op)
{
    return tsr_op_removable_known(NULL, op);
}
