/* SPDX-License-Identifier: Apache-2.0 */
/* plan.h - the cost of a sharded program on each device, for people and programs: local shapes, collectives, memory.
 *
 * For a partitioned module (spmd.h): collectives are those of StableHLO that each device runs, and types are local. */
#ifndef TSR_SHARD_SPMD_PLAN_H
#define TSR_SHARD_SPMD_PLAN_H

#include "shard/core/cost.h"

/* An argument or a result of the function. */
typedef struct {
    tsr_str name;             /* the user's (text/value_name.c); else "%arg0", "#0" */
    const tsr_type *type;     /* global */
    const tsr_attr *sharding; /* NULL: none, which means replicated */
    tsr_str local;            /* "8x16xf32" */
    int64_t bytes;            /* on each device */
} tsr_plan_value;

/* A collective, or a reshard that was not lowered. */
typedef struct {
    const tsr_op *op;
    tsr_str kind;         /* "all_reduce" */
    tsr_str axes;         /* "model", "data -> model" */
    const tsr_type *type; /* of its first result */
    uint32_t ntensor;     /* number of values it moves at once */
    int64_t devices;      /* in each group */
    int64_t moved, bytes; /* received by each device; of its result on each device */
    /* name of the op whose operands or results it serves; empty: the function's boundary */
    tsr_str cause;
    tsr_loc cause_loc;
    bool in_loop;      /* of a loop */
    bool per_turn;     /* of a loop that runs nobody knows how often: it counts for one turn */
    bool other_branch; /* of a branch that receives less than another one: it does not count */
    int64_t turns; /* how often it runs: turns of all loops around it, of those that are known */
} tsr_plan_step;

/* An op of the function's body, and the bytes live while it runs: arguments, values still in use, its results, and
 * those of functions and regions that it runs. Unknown sizes count as 0. */
typedef struct {
    const tsr_op *op;
    int64_t live;
} tsr_plan_moment;

/* A value that is live at the peak. */
typedef struct {
    const tsr_value *value;
    int64_t bytes;
} tsr_plan_alive;

typedef struct {
    const tsr_op *func;
    tsr_module *
        flat; /* a copy without calls, which the ops below are of; NULL: the module itself has none */
    TSR_VEC(const tsr_mesh *) meshes;
    TSR_VEC(tsr_plan_value) args, results;
    TSR_VEC(tsr_plan_step) steps;
    TSR_VEC(tsr_plan_moment) moments;
    TSR_VEC(tsr_plan_alive) alive; /* arguments first */
    size_t peak_at;                /* index of that moment */
    bool
        compiled; /* memory is what the engine plans (sim/compiled.c); simulation leaves it as it is */
    /* Per device; loops count with all their turns, branches with the one that has the most. Below 0: unknown. The peak is
     * found by simulation (sim/sim.h). */
    int64_t arg_bytes, result_bytes, moved, peak;
    double flops;
    int64_t ncollective;
    /* The same with one turn of each loop. */
    int64_t moved_once;
    double flops_once;
    uint32_t nloop, nunknown; /* loops; those of an unknown number of turns, which count for one */
    uint32_t nbranch;         /* ops with branches that cost something */
} tsr_shard_plan;

/* Records the meshes of a module before it is partitioned, as that removes them. */
void tsr_shard_plan_meshes(tsr_arena *arena, tsr_module *m, tsr_shard_plan *plan);
/* Fills in the rest of the plan of a function, but for its memory; all memory except the vectors is allocated in the
 * arena. */
void tsr_shard_plan_make(tsr_arena *arena, tsr_op *func, tsr_shard_plan *plan);
void tsr_shard_plan_free(tsr_shard_plan *plan);

/* Bytes that a collective moves in all its turns. */
int64_t tsr_plan_step_moved(const tsr_plan_step *s);
/* Lines that say which loops and branches the totals count how. */
void tsr_shard_plan_notes(tsr_buf *out, const tsr_shard_plan *plan);
/* The op that a collective serves: "stablehlo.dot_general at model.py:12:8", "function boundary". */
void tsr_plan_cause_text(tsr_buf *out, const tsr_plan_step *step);
/* The plan as text for people, or as JSON. */
void tsr_shard_plan_text(tsr_buf *out, const tsr_shard_plan *plan);
void tsr_shard_plan_json(tsr_buf *out, const tsr_shard_plan *plan);

#endif
