/* SPDX-License-Identifier: Apache-2.0 */
/* strip_debuginfo.c - makes every location unknown. Needs nothing; keeps everything else; breaks nothing. */
#include "pass/pass.h"

bool pass_strip_debuginfo(tsr_pass *p, tsr_op *root)
{
    TSR_OPS (root, op) {
        op->loc = TSR_LOC_UNKNOWN;
        for (uint32_t r = 0; r < op->nregion; r++)
            TSR_REGION_BLOCKS (&op->regions[r], b)
                for (uint32_t i = 0; i < b->nargs; i++)
                    b->arg_locs[i] = TSR_LOC_UNKNOWN;
    }
    p->changed = true;
    return true;
}
