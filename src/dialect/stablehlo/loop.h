/* SPDX-License-Identifier: Apache-2.0 */
/* loop.h - static analysis of a while op (loop.c): derivatives, simulation, search and reports ask here how often it
 * runs. */
#ifndef TSR_DIALECT_STABLEHLO_LOOP_H
#define TSR_DIALECT_STABLEHLO_LOOP_H

#include "ir/ir.h"

/* The maximum number of iterations of a loop that counts a carried value up or down to a known limit; -1 if it does
 * not, or not visibly. exact: it runs exactly this often. */
int64_t tsr_loop_bound(const tsr_op *op, bool *exact);
/* How often a loop runs that counts from a constant to a constant; -1: not known, or op is no such loop. */
int64_t tsr_loop_turns(const tsr_op *op);
/* Whether a dynamic_slice in the body takes other elements in each turn, visibly. */
bool tsr_loop_takes_apart(const tsr_op *op, const tsr_op *slice);
/* Whether the body returns carried value k unchanged. */
bool tsr_loop_keeps(const tsr_op *op, uint32_t k);

#endif
