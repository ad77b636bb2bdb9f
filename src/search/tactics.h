/* SPDX-License-Identifier: Apache-2.0 */
/* tactics.h - what experts do to a model, as data: a tactic cuts some classes of dimensions, or the state of a training
 * step, along one axis.
 *
 * Dimensions that belong to one factor of an op, or between which data flows, form a class: batch, sequence, features.
 * A class is identified by where it occurs, not by names. A plan is a tactic for each axis of the mesh. */
#ifndef TSR_SEARCH_TACTICS_H
#define TSR_SEARCH_TACTICS_H

#include "search/layout.h"

// clang-format off
/* X(id, name): by axis. */
#define TSR_TACTICS(X) \
    X(NONE,   "nothing") \
    X(DATA,   "data parallel")              /* the batch */ \
    X(ZERO1,  "ZeRO-1")                     /* the batch, and state of the optimiser */ \
    X(ZERO3,  "ZeRO-3")                     /* the batch, and all parameters and state: FSDP */ \
    X(TENSOR, "tensor parallel")            /* inner features: the second of two products sums (Megatron) */ \
    X(SERIES, "tensor + sequence parallel") /* the same, and the sequence dimension of the results of these sums */ \
    X(OUTER,  "outer features")             /* features that all layers share; 2-D with TENSOR on another axis */ \
    X(EXPERT, "expert parallel")            /* the batch dimension of products with parameters */ \
    X(CONTEXT, "context parallel")          /* the sequence */
// clang-format on

typedef enum {
#define X(id, name) TSR_TACTIC_##id,
    TSR_TACTICS(X)
#undef X
        TSR_NTACTIC
} tsr_tactic;

const char *tsr_tactic_name(tsr_tactic t);

typedef struct tsr_classes tsr_classes;

/* For a function in a module whose ids are in program order. tie: by result, 1 + the argument that it becomes in the
 * next step; 0: none. */
tsr_classes *tsr_classes_of(tsr_arena *arena, tsr_op *func, const uint32_t *tie);
/* Whether the tactic changes anything in this function. */
bool tsr_tactic_applies(const tsr_classes *c, tsr_tactic t);

/* Layouts by argument and pins, for a tactic on each axis. False: some axis with a tactic cuts nothing. */
typedef struct {
    tsr_layout *args;
    tsr_layout_pin *pins;
    uint32_t npin;
} tsr_tactic_plan;
bool tsr_tactics_plan(tsr_arena *arena, const tsr_classes *c, const tsr_search_mesh *mesh,
                      const tsr_tactic *tactics, tsr_tactic_plan *out);
/* Cuts the state of a training step along an axis where the axis does not cut it yet: that of the optimiser, or all
 * state. */
void tsr_classes_cut_state(const tsr_classes *c, const tsr_search_mesh *mesh, uint32_t axis,
                           bool all, tsr_layout *args);
/* What a person would call an axis that cuts arguments so: fsdp (the batch and parameters), dp (the batch), ep (experts),
 * tp (parameters), sp (the sequence). NULL: unclear. */
const char *tsr_classes_axis_name(const tsr_classes *c, uint32_t axis, const tsr_layout *args);
/* Refines the mesh for a second search if axes do not divide factors of products that do much of the work: splits such
 * an axis so that one part divides, and allows padding. False: there is nothing to refine. */
bool tsr_classes_refine(tsr_arena *arena, tsr_op *func, const tsr_search_mesh *mesh,
                        tsr_search_mesh *out);
/* By result: 1 + the argument of the same type that it becomes in the next step; 0: none. */
uint32_t *tsr_tied_results(tsr_arena *arena, const tsr_op *func);

#endif
