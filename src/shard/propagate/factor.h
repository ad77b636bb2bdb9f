/* SPDX-License-Identifier: Apache-2.0 */
/* factor.h - one step of propagation: the axes that shard a factor on some tensors of an op spread to the others. */
#ifndef TSR_SHARD_PROPAGATE_FACTOR_H
#define TSR_SHARD_PROPAGATE_FACTOR_H

#include "shard/propagate/projection.h"

typedef enum {
    TSR_BASIC, /* only axes that every tensor of the op can take; stops at conflicts */
    /* each tensor takes the axes it can; heuristics decide between conflicting factors */
    TSR_AGGRESSIVE,
} tsr_strategy;

typedef struct {
    tsr_strategy strategy;
    const tsr_mesh *mesh;
    const uint8_t *directions; /* tsr_sdy_direction of each factor */
    bool conservative;         /* no parts of axes */
    /* aggressive: prefer factors with more axes; operands get nothing that results don't */
    bool elementwise;
    tsr_arena *scratch;
} tsr_factor_step;

/* Spreads axes in p; sets changed[tensor] (initially false) for tensors that changed. Returns whether any did. */
bool tsr_factor_propagate(const tsr_factor_step *step, tsr_projection *p, bool *changed);

/* The axes that all tensors agree on, longest first: the common prefix of old and new and, with *expand, the rest of
 * the longer one. *expand becomes false if they disagree. */
const tsr_axes *tsr_axes_agree(tsr_axis_lists *lists, const tsr_axes *old, const tsr_axes *new,
                               bool *expand);

#endif
