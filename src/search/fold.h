/* fold.h - layers that repeat: a function with fewer of them, to judge plans on.
 *
 * Ops of a function's block that come in the same order again and again are a run; what a run repeats is a piece. Pieces of different runs that
 * work on each other's values (forward, backward, the optimiser's update) belong to one layer. A folded function has lost most layers: who read a value of
 * theirs reads the same value of the piece before. It computes something else, with the same ops, types and shardings. */
#ifndef TSR_SEARCH_FOLD_H
#define TSR_SEARCH_FOLD_H

#include "ir/ir.h"

typedef struct tsr_fold tsr_fold;

/* Of a function of one block, of a module whose ids are in program order. NULL: fewer than least layers repeat. */
tsr_fold *tsr_fold_of(tsr_arena *arena, tsr_op *func, uint32_t least);
uint32_t tsr_fold_layers(const tsr_fold *f);

/* The function with so many layers, and what of the whole it has. */
typedef struct {
    tsr_op *func;
    const uint32_t *arg_from; /* by argument: that of the whole */
    const uint32_t *op_from;  /* by id of an op: that of the whole */
    const uint32_t *arg_to;   /* by argument of the whole: the one that stands for it */
    const uint32_t *op_to;    /* by id of an op of the whole: the one that stands for it */
    /* How many layers an op or an argument stands for, and where its piece ends: the id of its last op. */
    const double *op_times, *arg_times; /* by id; by argument */
    const uint32_t *until;              /* by id */
} tsr_folded;

/* Folds func, the same function in a copy of the module with the same ids; they are numbered anew. keep: at least 2, and less than there are. False: values
 * of layers do not fit each other; the copy is of no use then. */
bool tsr_fold_apply(tsr_arena *arena, const tsr_fold *f, tsr_op *func, uint32_t keep,
                    tsr_folded *out);

#endif
