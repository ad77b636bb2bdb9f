/* SPDX-License-Identifier: Apache-2.0 */
/* cost.h - the bytes that a collective of StableHLO moves, with the algorithms of core/cost.h. */
#ifndef TSR_SHARD_SPMD_COST_H
#define TSR_SHARD_SPMD_COST_H

#include "ir/ir.h"

typedef struct {
    int64_t ndevice;       /* in a group; for a permute, all that take part */
    int64_t before, after; /* bytes per device of operands and results */
    int64_t moved;         /* bytes that each device receives */
} tsr_spmd_cost;

/* False: another op, or sizes are unknown. */
bool tsr_spmd_cost_of(const tsr_op *op, tsr_spmd_cost *out);

#endif
