/* SPDX-License-Identifier: Apache-2.0 */
/* explain.h - why a program communicates: its collectives by line of the user's program, what they are for, what they
 * cost, the memory at the peak by line, and which sharding to change.
 *
 * A program that is not partitioned is partitioned here, and advice is found by trying (explain_advice.c): each sharding
 * that the user wrote is changed in turn, and the program partitioned and simulated again. */
#ifndef TSR_API_EXPLAIN_H
#define TSR_API_EXPLAIN_H

#include "api/simulate.h"
#include "explore/look.h"

/* Collectives of one kind, for one op, at one place. */
typedef struct {
    tsr_str kind;         /* "all_reduce" */
    tsr_str place, name;  /* "/home/a/model.py:12:8", "jit(f)/dot_general"; may be empty */
    tsr_str cause, maker; /* op that it serves; what made the value that it moves */
    tsr_str why;          /* one sentence */
    tsr_str axes;         /* of the mesh, of our partitioner's collectives */
    const tsr_type *type; /* of the largest one */
    int64_t devices, turns;
    int64_t moved;   /* bytes that a device receives, in all turns */
    double seconds;  /* each alone, in all turns */
    uint32_t number; /* of collectives */
    bool
        sliced; /* an all_reduce of which each device reads a part: it counts as a reduce_scatter */
    bool in_loop, per_turn;
    const tsr_type *
        narrow; /* the element type that it counts with: XLA widened the values, and the program has this one;
                               NULL: its own */
} tsr_explain_row;

/* Values alive at the peak that were made at one place. */
typedef struct {
    tsr_str place, what;
    int64_t bytes;
    uint32_t number;
} tsr_explain_memory;

typedef TSR_VEC(tsr_explain_row) tsr_explain_rows;

/* What a run of the analysis finds. Text is in the arena. */
typedef struct {
    tsr_explain_rows rows; /* dearest first */
    TSR_VEC(tsr_explain_memory) memory;
    double step, talking, exposed;
    int64_t moved, peak, ncollective, devices;
} tsr_explain_found;

typedef enum {
    TSR_ADVISE_ARG,
    TSR_ADVISE_RESULT,
    TSR_ADVISE_CONSTRAINT,
    TSR_ADVISE_VALUE
} tsr_advice_kind;

/* A place where a sharding is, or could be, written, and what changing it brings. */
typedef struct {
    tsr_advice_kind kind;
    uint32_t at; /* number of the argument or result; of the op in program order */
    tsr_str place, name;
    tsr_str from;   /* what calls the function that writes it; empty: not known */
    tsr_str caller; /* the same, if others have the same place: a helper's */
    tsr_type *type;
    tsr_attr *before, *after; /* shardings; before NULL: none */
    double step, talking;     /* with it */
    int64_t moved, peak, ncollective;
    TSR_VEC(uint32_t) rows; /* numbers of the collectives that it removes or shrinks */
    bool elsewhere; /* others pay for it: it takes memory, or the caller gets other results */
} tsr_advice;

typedef struct {
    tsr_arena *arena;
    tsr_module *m; /* not changed */
    const tsr_shard_request *request;
    const tsr_device_file *device;
    tsr_explain_found base;
    TSR_VEC(tsr_advice) advice; /* what saves most first */
    TSR_VEC(tsr_str) missing;   /* ops of HLO without a counterpart */
    TSR_VEC(uint32_t) nmissing;
    bool local; /* partitioned by somebody else: nothing can be tried */
    uint32_t most, tried;
    uint32_t most_ops; /* that are partitioned in all trials together; 0: as many as is usual */
} tsr_explain;

/* ---- explain.c ---- */
/* Partitions, if need be, and simulates m, which is changed. */
bool tsr_explain_measure(const tsr_explain *x, tsr_module *m, tsr_explain_found *out,
                         tsr_status *status);
void tsr_explain_found_free(tsr_explain_found *f);
/* The collectives of a plan as rows of a first look, costliest first. device: NULL, by bytes. */
void tsr_explain_look(tsr_arena *arena, const tsr_device_file *device, const tsr_shard_plan *plan,
                      tsr_look *look);
/* Adds the advice of trials that partition so many ops together. m: has the shardings that are given, and no others. */
void tsr_explain_tries(tsr_arena *arena, tsr_module *m, tsr_str function,
                       const tsr_device_file *device, uint32_t most_ops, tsr_look *look);
tsr_str tsr_explain_keep(tsr_arena *arena, tsr_buf *text); /* in the arena; empties text */

/* ---- explain_cause.c ---- */
/* Fills in what the collective is for, as to its operand and result i. */
void tsr_explain_cause(tsr_arena *arena, const tsr_plan_step *step, uint32_t i,
                       tsr_explain_row *row);

/* ---- explain_advice.c ---- */
bool tsr_explain_advise(tsr_explain *x, tsr_status *status);
/* Changes m as the advice says. */
void tsr_explain_apply(tsr_module *m, const tsr_explain *x, const tsr_advice *a);

/* ---- explain_print.c ---- */
void tsr_explain_change(tsr_buf *out,
                        const tsr_advice *a); /* "in_shardings: w P() instead of P("x")" */
void tsr_explain_text(tsr_buf *out, const tsr_explain *x);
void tsr_explain_json(tsr_buf *out, const tsr_explain *x);

#endif
