/* SPDX-License-Identifier: Apache-2.0 */
/* target.c - what emitted C has: loops on whole values in memory, with the bits of the engine's kernels. */
#include "target/c/c.h"

static bool moves(tsr_move_kind kind, tsr_dtype type)
{
    (void)type;
    return kind != TSR_MOVE_BYTES && kind != TSR_MOVE_ELEMENTS && kind != TSR_MOVE_RANDOM;
}

static bool any_product(const tsr_contract *c)
{
    (void)c;
    return true;
}

tsr_target tsr_c_target(void)
{
    tsr_target t = tsr_target_cpu;
    t.name = "c";
    t.move = moves;
    t.loop_on_product = any_product;
    t.computed_factor = NULL;
    t.any_strides = t.chain_tails = t.bits_in_loops = t.lookups_in_loops = false;
    t.moves_in_loops = t.slices_in_place = t.columns_in_place = t.interleaves = false;
    t.unordered_keys = false;
    return t;
}
