/* tactics.h - what experts do to a model, as data: a tactic cuts some classes of dimensions, or the state of a training step, along one axis.
 *
 * Dimensions that an op runs along together, and that data flows between, are one class: batch, sequence, features. Which class is which follows
 * from where it occurs, not from names. A plan is a tactic for each axis of the mesh. */
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
    X(TENSOR, "tensor parallel")            /* inner features, so that of two products in a row the second one sums (Megatron) */ \
    X(SERIES, "tensor + sequence parallel") /* the same, and the sequence of what these sums give */ \
    X(OUTER,  "outer features")             /* features that all layers share: with TENSOR on another axis it is 2-D */ \
    X(EXPERT, "expert parallel")            /* what products with parameters are batched along */ \
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

/* Of a function of a module whose ids are in program order. tie: by result, 1 + argument that it becomes in the next step; 0: none. */
tsr_classes *tsr_classes_of(tsr_arena *arena, tsr_op *func, const uint32_t *tie);
/* Whether the tactic changes anything in this function. */
bool tsr_tactic_applies(const tsr_classes *c, tsr_tactic t);

/* Layouts of arguments (by argument) and pins, for a tactic on each axis. False: nothing is cut along some axis that has a tactic. */
typedef struct {
    tsr_layout *args;
    tsr_layout_pin *pins;
    uint32_t npin;
} tsr_tactic_plan;
bool tsr_tactics_plan(tsr_arena *arena, const tsr_classes *c, const tsr_search_mesh *mesh,
                      const tsr_tactic *tactics, tsr_tactic_plan *out);
/* Cuts state of a training step along an axis, where the axis cuts nothing of it: that of the optimiser, or all of it. */
void tsr_classes_cut_state(const tsr_classes *c, const tsr_search_mesh *mesh, uint32_t axis,
                           bool all, tsr_layout *args);
/* The mesh as it is searched once more, where axes do not divide factors of products that do much of the work: with such an axis in two parts, one of which
 * does, and with padding. False: there is nothing of that kind. */
bool tsr_classes_refine(tsr_arena *arena, tsr_op *func, const tsr_search_mesh *mesh,
                        tsr_search_mesh *out);
/* By result: 1 + the argument of the same type that it becomes in the next step; 0: none. */
uint32_t *tsr_tied_results(tsr_arena *arena, const tsr_op *func);

#endif
