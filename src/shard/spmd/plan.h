/* plan.h - what a sharded program costs on each device, for people and programs: local shapes, collectives, memory.
 *
 * Of a partitioned module (spmd.h): collectives are those of StableHLO that each device runs, and types are those of its
 * parts. */
#ifndef TSR_SHARD_SPMD_PLAN_H
#define TSR_SHARD_SPMD_PLAN_H

#include "shard/core/cost.h"

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
    tsr_str kind;         /* "all_reduce" */
    tsr_str axes;         /* "model", "data -> model" */
    const tsr_type *type; /* of its first result */
    uint32_t ntensor;     /* how many values it moves at once */
    int64_t devices;      /* that take part in each group */
    int64_t moved, bytes; /* received by each device; of its result on each device */
    tsr_str
        cause; /* the name of the op whose operands or results it is for; empty: the function's own boundary */
    tsr_loc cause_loc;
    bool in_loop; /* happens once a turn */
} tsr_plan_step;

/* An op of the function's body, and the bytes that are held while it runs: arguments, values that are still used, its results, and
 * what the functions and regions it runs hold. Sizes that are not known count nothing. */
typedef struct {
    const tsr_op *op;
    int64_t live;
} tsr_plan_moment;

/* A value that is held while the op with the most bytes runs. */
typedef struct {
    const tsr_value *value;
    int64_t bytes;
} tsr_plan_alive;

typedef struct {
    const tsr_op *func;
    TSR_VEC(const tsr_mesh *) meshes;
    TSR_VEC(tsr_plan_value) args, results;
    TSR_VEC(tsr_plan_step) steps;
    TSR_VEC(tsr_plan_moment) moments;
    TSR_VEC(tsr_plan_alive) alive; /* arguments first */
    size_t peak_at;                /* which moment it is */
    /* On each device; of a loop one turn counts. Below 0: sizes are not known. */
    int64_t arg_bytes, result_bytes, moved, peak;
    double flops;
} tsr_shard_plan;

/* The meshes of a module, before it is partitioned: then they are gone. */
void tsr_shard_plan_meshes(tsr_arena *arena, tsr_module *m, tsr_shard_plan *plan);
/* Fills in the rest of the plan of a function; all memory but the vectors' is the arena's. */
void tsr_shard_plan_make(tsr_arena *arena, tsr_op *func, tsr_shard_plan *plan);
void tsr_shard_plan_free(tsr_shard_plan *plan);

/* The plan as text for people, or as JSON. */
void tsr_shard_plan_text(tsr_buf *out, const tsr_shard_plan *plan);
void tsr_shard_plan_json(tsr_buf *out, const tsr_shard_plan *plan);

#endif
