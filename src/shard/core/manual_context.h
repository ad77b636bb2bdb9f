/* SPDX-License-Identifier: Apache-2.0 */
/* manual_context.h - which axes are manual in a function, depending on its callers.
 *
 * The body of a manual computation is written for one device, and so is every function called there, directly or
 * indirectly. The function itself does not show this, and one function may be called in several computations and
 * outside of all. Here each function gets one context: it is copied for every further one. */
#ifndef TSR_SHARD_CORE_MANUAL_CONTEXT_H
#define TSR_SHARD_CORE_MANUAL_CONTEXT_H

#include "dialect/sdy/sharding.h"

typedef struct {
    tsr_arena *arena;
    tsr_map by_func, by_key;
    bool copied; /* whether some function was copied */
} tsr_manual_contexts;

/* The slot of the symbol that a call or composite names; -1: op is neither. */
int tsr_callee_slot(const tsr_op *op);

/* Copies functions and redirects calls until all calls of a function have one context. False after a diagnostic: there
 * are too many copies, or an axis is bound twice. */
bool tsr_manual_contexts_make(tsr_manual_contexts *c, tsr_arena *arena, tsr_op *module);
void tsr_manual_contexts_free(tsr_manual_contexts *c);
/* The context of a function: NULL if it is in no manual computation; else an array of a mesh (as in shardings; a unit
 * if there is none) and of axis names. */
const tsr_attr *tsr_manual_context_of(const tsr_manual_contexts *c, const tsr_op *func);

#endif
