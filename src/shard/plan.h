/* plan.h - what a sharded program costs on each device, for people and programs: local shapes, collectives, memory.
 *
 * The module must have been propagated and its reshards made collectives; types are still global. */
#ifndef TSR_SHARD_PLAN_H
#define TSR_SHARD_PLAN_H

#include "shard/cost.h"

/* An argument or a result of the function. */
typedef struct {
    tsr_str name;             /* "%arg0"; of a result "#0" */
    const tsr_type *type;     /* global */
    const tsr_attr *sharding; /* NULL: none, which is as replicated */
    tsr_str local;            /* "8x16xf32" */
    int64_t bytes;            /* on each device */
} tsr_plan_value;

/* A collective, or a reshard that stayed one. */
typedef struct {
    const tsr_op *op;
    tsr_str kind;           /* "all_reduce" */
    tsr_str axes;           /* "model", "data -> model" */
    const tsr_type *type;   /* of its result, global */
    int64_t devices;        /* that take part in each group */
    int64_t moved, bytes;   /* received by each device; of its result on each device */
    const tsr_op *cause;    /* the op whose operands or results it is for; NULL: the function's own boundary */
    bool in_loop;           /* happens once a turn */
} tsr_plan_step;

typedef struct {
    const tsr_op *func;
    TSR_VEC(const tsr_mesh *) meshes;
    TSR_VEC(tsr_plan_value) args, results;
    TSR_VEC(tsr_plan_step) steps;
    int64_t arg_bytes, result_bytes, moved, peak; /* on each device; moved: a loop counts once */
} tsr_shard_plan;

/* Fills in the plan of a function; all memory but the vectors' is the arena's. */
void tsr_shard_plan_make(tsr_arena *arena, tsr_op *func, tsr_shard_plan *plan);
void tsr_shard_plan_free(tsr_shard_plan *plan);

/* The plan as text for people, or as JSON. */
void tsr_shard_plan_text(tsr_buf *out, const tsr_shard_plan *plan);
void tsr_shard_plan_json(tsr_buf *out, const tsr_shard_plan *plan);

#endif
