/* relayout.h - how a tensor gets from one sharding to another: a sequence of collectives, as data.
 *
 * Knows no IR: meshes are sizes, axes are numbers. reshard-to-collectives turns the steps into ops,
 * cost.c counts them. */
#ifndef TSR_SHARD_CORE_RELAYOUT_H
#define TSR_SHARD_CORE_RELAYOUT_H

#include "shard/core/axis.h"

/* A list of axes that grows in an arena. */
typedef struct {
    tsr_axis *data;
    uint32_t n, cap;
} tsr_axis_list;

void tsr_axis_list_insert(tsr_arena *arena, tsr_axis_list *list, uint32_t at, tsr_axis a);
static inline void tsr_axis_list_push(tsr_arena *arena, tsr_axis_list *list, tsr_axis a)
{
    tsr_axis_list_insert(arena, list, list->n, a);
}
/* Appends a, or makes the last one longer. */
void tsr_axis_list_add(tsr_arena *arena, tsr_axis_list *list, tsr_axis a);
int64_t
tsr_axis_list_size(const tsr_axis_list *list); /* product of sizes; stops at the end of int64_t */

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
    tsr_axis_list *sharding; /* axes of each dimension after it */
    bool target_mesh;        /* the sharding after it is of the target's mesh */
} tsr_relayout_step;

typedef struct {
    uint32_t rank;
    const int64_t *dims;                     /* of the whole tensor */
    const tsr_axes *const *from, *const *to; /* axes of each dimension */
    bool same_mesh; /* false: the target's mesh has the same axes and another order of devices */
} tsr_relayout;

/* The steps in order, in the arena; NULL when nothing has to be done. */
tsr_relayout_step *tsr_relayout_plan(tsr_arena *arena, const tsr_relayout *r);

#endif
