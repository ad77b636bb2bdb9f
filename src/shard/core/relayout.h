/* SPDX-License-Identifier: Apache-2.0 */
/* relayout.h - plans how a tensor gets from one sharding to another: a sequence of collectives, as data.
 *
 * Independent of IR: meshes are sizes, axes are numbers. reshard-to-collectives turns the steps into ops, cost.c
 * computes their cost. */
#ifndef TSR_SHARD_CORE_RELAYOUT_H
#define TSR_SHARD_CORE_RELAYOUT_H

#include "shard/core/axis.h"

/* A growable list of axes in an arena. */
typedef struct {
    tsr_axis *data;
    uint32_t n, cap;
} tsr_axis_list;

void tsr_axis_list_insert(tsr_arena *arena, tsr_axis_list *list, uint32_t at, tsr_axis a);
static inline void tsr_axis_list_push(tsr_arena *arena, tsr_axis_list *list, tsr_axis a)
{
    tsr_axis_list_insert(arena, list, list->n, a);
}
/* Appends a, or extends the last axis. */
void tsr_axis_list_add(tsr_arena *arena, tsr_axis_list *list, tsr_axis a);
int64_t
tsr_axis_list_size(const tsr_axis_list *list); /* product of sizes; saturates at INT64_MAX */

typedef enum {
    TSR_STEP_SLICE,      /* axes: per dimension */
    TSR_STEP_PERMUTE,    /* no axes */
    TSR_STEP_ALL_TO_ALL, /* axes[0], from dimension src to tgt */
    TSR_STEP_GATHER,     /* axes: per dimension */
} tsr_step_kind;

typedef struct tsr_relayout_step {
    struct tsr_relayout_step *next;
    tsr_step_kind kind;
    uint32_t src, tgt;
    tsr_axis_list *axes;
    tsr_axis_list *sharding; /* axes of each dimension after the step */
    bool target_mesh;        /* the sharding after the step is on the target's mesh */
} tsr_relayout_step;

typedef struct {
    uint32_t rank;
    const int64_t *dims;                     /* of the global tensor */
    const tsr_axes *const *from, *const *to; /* axes of each dimension */
    bool same_mesh; /* false: the target's mesh has the same axes but a different device order */
} tsr_relayout;

/* The steps in order, in the arena; NULL if nothing has to be done. */
tsr_relayout_step *tsr_relayout_plan(tsr_arena *arena, const tsr_relayout *r);

#endif
