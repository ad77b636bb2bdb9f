/* factor.h - one step of propagation: the axes that shard a factor on some tensors of an op spread to the others. */
#ifndef TSR_SHARD_PROPAGATE_FACTOR_H
#define TSR_SHARD_PROPAGATE_FACTOR_H

#include "shard/propagate/projection.h"

typedef enum {
    TSR_BASIC, /* only axes that every tensor of the op can take; conflicts stop them */
    TSR_AGGRESSIVE, /* each tensor takes what it can; heuristics say which of two conflicting factors wins */
} tsr_strategy;

typedef struct {
    tsr_strategy strategy;
    const tsr_mesh *mesh;
    const uint8_t *directions; /* tsr_sdy_direction of each factor */
    bool conservative;         /* no parts of axes */
    bool
        elementwise; /* aggressive: prefer factors with more axes; operands get nothing that results don't */
    tsr_arena *scratch;
} tsr_factor_step;

/* Spreads axes in p; changed[tensor] (set to false before) says where something came. Whether anywhere. */
bool tsr_factor_propagate(const tsr_factor_step *step, tsr_projection *p, bool *changed);

/* The axes that all tensors agree on, longest first: what old and new have in common, and, with *expand, what one of
 * them has beyond. *expand becomes false when they disagree. */
const tsr_axes *tsr_axes_agree(tsr_axis_lists *lists, const tsr_axes *old, const tsr_axes *new,
                               bool *expand);

#endif
