/* SPDX-License-Identifier: Apache-2.0 */
/* look.h - the first look at a sharded program: what it is, how long a step takes and what for, what fills memory, which
 * collectives cost most and why, and what to do about it. One set of facts, written as HTML (look_html.c) and for a
 * terminal (look_text.c). */
#ifndef TSR_EXPLORE_LOOK_H
#define TSR_EXPLORE_LOOK_H

#include "shard/spmd/plan.h"
#include "sim/sim.h"

/* What memory is held for. */
typedef enum {
    TSR_HELD_PARAMETERS,
    TSR_HELD_OPTIMISER,
    TSR_HELD_INPUTS,    /* other arguments */
    TSR_HELD_KEPT,      /* computed in the forward part and read in the backward part */
    TSR_HELD_GRADIENTS, /* as large as a parameter, and computed in the backward part */
    TSR_HELD_TEMPORARY,
    TSR_HELD__COUNT
} tsr_held;

const char *tsr_held_name(tsr_held held);

/* What the values of a function are for, by attributes, names and types. */
typedef struct {
    const tsr_op *func;
    uint8_t *args; /* by number: a tsr_held */
    tsr_map types; /* of arguments */
} tsr_holds;
void tsr_holds_make(tsr_arena *arena, const tsr_op *func, tsr_holds *out);
void tsr_holds_free(tsr_holds *h);
tsr_held tsr_held_of(const tsr_holds *h, const tsr_value *v);

/* Collectives of one kind, at one place and for one op. */
typedef struct {
    tsr_str kind, place, name, why, axes; /* name: stack of names */
    const tsr_type *type;
    int64_t devices, turns, moved; /* bytes received in all turns */
    double seconds;                /* in all turns */
    uint32_t number;
    bool per_turn;
} tsr_look_row;

/* An argument or result: what the user wrote for it, and what it got. */
typedef struct {
    tsr_str name;
    tsr_str written, planned; /* as PartitionSpec; written empty: nothing */
    const tsr_type *type;
    int64_t bytes;               /* on each device */
    uint32_t number;             /* of layers that it stands for; the name has * for theirs */
    bool result, changed, whole; /* whole: on each device */
} tsr_look_value;

/* A sharding to change, and which parts of the step's time and of the bytes received that saves. */
typedef struct {
    tsr_str text;
    double saved_seconds, saved_bytes;
    bool elsewhere; /* others pay for it */
} tsr_look_try;

typedef struct {
    /* The program. */
    tsr_str file, function;
    int64_t devices;
    uint32_t nop, nloop, narg;
    double elements, parameter_bytes; /* of parameters, of the whole program */
    double work;                      /* operations of products in a step */
    const tsr_shard_plan *plan;
    TSR_VEC(tsr_look_value) values;
    uint32_t nwritten, nconstraint;
    /* Time; step below 0: not simulated. */
    const tsr_device_file *device;
    bool assumed; /* nobody asked for this device */
    double step, products, kernels, exposed, hidden, mfu;
    double step_once; /* with one turn of each loop */
    /* Memory on each device at the peak. */
    double held[TSR_HELD__COUNT], peak;
    /* Costliest first. */
    TSR_VEC(tsr_look_row) rows;
    uint32_t ncollective; /* in the program's text */
    tsr_str advice[3];
    tsr_look_try tries[3]; /* what saves most first */
    uint32_t ntry;
} tsr_look;

/* Fills in what follows from the plan, whose memory is known, and, unless it is NULL, the simulation. written:
 * shardings that arguments and then results had before propagation; rows come from the caller, costliest first. whole:
 * the undivided function. */
void tsr_look_make(tsr_arena *arena, tsr_look *look, const tsr_op *whole,
                   const tsr_shard_plan *plan, tsr_attr *const *written,
                   const tsr_sim_report *report);
void tsr_look_free(tsr_look *look);

/* P("data", None, ("x", "y")); P() where there is none. */
void tsr_look_spec(tsr_buf *out, const tsr_attr *sharding);
/* An article of HTML, readable without scripts. */
void tsr_look_html(tsr_buf *out, const tsr_look *look);
/* For a terminal of this many columns. */
void tsr_look_text(tsr_buf *out, const tsr_look *look, uint32_t columns, bool colour);
/* The figures alone, as JSON. */
void tsr_look_json(tsr_buf *out, const tsr_look *look);

#endif
