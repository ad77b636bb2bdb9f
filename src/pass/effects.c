/* effects.c - what an op may do besides computing its results, asked from its traits. */
#include "pass/pass.h"

bool tsr_op_says_effects(const tsr_op *op)
{
    if (!tsr_op_has(op, TSR_TRAIT(EFFECT_ATTR)))
        return tsr_op_has(op, TSR_TRAIT(HAS_EFFECT));
    int slot = tsr_opdef_slot(op->def, TSR_STR("has_side_effect"));
    return slot >= 0 && op->attrs[slot] && op->attrs[slot]->i;
}

/* An op has no effect when its row says so; with RECURSIVE_EFFECTS the ops inside must have none either. An op whose
 * row says neither (an unregistered op, a call) may do anything. The walk visits the ops inside an op of recursive
 * effects only: the regions of others never count. */
bool tsr_op_effect_free(const tsr_op *op)
{
    if (tsr_op_has(op, TSR_TRAIT(RECURSIVE_EFFECTS))) {
        for (uint32_t r = 0; r < op->nregion; r++)
            TSR_REGION_BLOCKS (&op->regions[r], b)
                TSR_BLOCK_OPS (b, inner)
                    if (!tsr_op_effect_free(inner))
                        return false;
        return true;
    }
    return tsr_op_has(op, TSR_TRAIT(EFFECT_ATTR)) ? !tsr_op_says_effects(op)
                                                  : tsr_op_has(op, TSR_TRAIT(NO_EFFECT));
}

bool tsr_op_removable(const tsr_op *op)
{
    return !tsr_op_has(op, TSR_TRAIT(TERMINATOR) | TSR_TRAIT(SYMBOL)) &&
           (tsr_op_has(op, TSR_TRAIT(ALLOCATES)) || tsr_op_effect_free(op));
}
