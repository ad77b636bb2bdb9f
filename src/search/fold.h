/* SPDX-License-Identifier: Apache-2.0 */
/* fold.h - folds repeated layers: builds a function with fewer layers, to evaluate plans on.
 *
 * A run is a sequence of ops in a function's block that occurs repeatedly; each occurrence is a piece. Pieces of
 * different runs that use each other's values (forward, backward, the optimiser's update) belong to one layer. Folding
 * removes most layers: a reader of a removed value reads the same value of the preceding piece. The folded function
 * computes something else, with the same ops, types and shardings. */
#ifndef TSR_SEARCH_FOLD_H
#define TSR_SEARCH_FOLD_H

#include "ir/ir.h"

typedef struct tsr_fold tsr_fold;

/* For a function with one block, in a module whose ids are in program order. NULL: fewer than least layers repeat. */
tsr_fold *tsr_fold_of(tsr_arena *arena, tsr_op *func, uint32_t least);
uint32_t tsr_fold_layers(const tsr_fold *f);

/* The folded function, and how its arguments and ops map to those of the whole function. */
typedef struct {
    tsr_op *func;
    const uint32_t *arg_from; /* by argument: its number in the whole function */
    const uint32_t *op_from;  /* by op id: its id in the whole function */
    const uint32_t *arg_to;   /* by argument of the whole function: the one that represents it */
    const uint32_t *op_to;    /* by op id of the whole function: the one that represents it */
    /* The number of layers that an op or an argument represents, and the id of the last op of its piece. */
    const double *op_times, *arg_times; /* by id; by argument */
    const uint32_t *until;              /* by id */
} tsr_folded;

/* Folds func, the same function in a copy of the module with the same ids, and renumbers it. keep: at least 2, and
 * fewer than the function's layers. False: values of different layers do not match; discard the copy. */
bool tsr_fold_apply(tsr_arena *arena, const tsr_fold *f, tsr_op *func, uint32_t keep,
                    tsr_folded *out);

#endif
