/* SPDX-License-Identifier: Apache-2.0 */
/* spread.h - in which round shardings propagate through an op: the column SPREAD of its row.
 *
 * Propagation runs in rounds; early rounds propagate only where it is nearly always right, later ones everywhere. */
#ifndef TSR_SHARD_RULE_SPREAD_H
#define TSR_SHARD_RULE_SPREAD_H

#include "dialect/sdy/sdy.h"

typedef enum {
    TSR_SPREAD_LATE, /* no column: along pass-through factors in round 2, along others in round 3 */
    TSR_SPREAD_PASS, /* in round 0 when no operand has other uses, in round 1 always */
    TSR_SPREAD_FORWARD,   /* the same, but until round 2 to the results only */
    TSR_SPREAD_BROADCAST, /* to the operands in round 2, to the results only in the last round */
    /* like PASS; elementwise ops by trait, and those of sdy that count as elementwise */
    TSR_SPREAD_ELEMENTWISE,
    TSR_SPREAD_SAME_SHAPE, /* ELEMENTWISE when operand and result have the same shape, else LATE */
    TSR_SPREAD_TRANSFER,   /* PASS for calls that only move data between memories, else LATE */
} tsr_spread;

enum { TSR_SPREAD_ROUNDS = 5, TSR_SPREAD_ANY = TSR_SPREAD_ROUNDS - 1 };

/* LATE, PASS, FORWARD, BROADCAST or ELEMENTWISE. */
tsr_spread tsr_spread_of(const tsr_op *op);

/* The directions in which shardings may propagate through an op in a round, along pass-through factors and along
 * others. */
typedef struct {
    uint8_t pass_through, other; /* tsr_sdy_direction */
} tsr_spread_directions;
tsr_spread_directions tsr_spread_in(const tsr_op *op, tsr_spread how, unsigned round);

#endif
