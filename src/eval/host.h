/* SPDX-License-Identifier: Apache-2.0 */
/* host.h - the environment of a run: where prints, probes and outfeeds go, where infeeds come from.
 *
 * Outside of a grid, a side effect of a program happens at once; in a grid each process queues its own in order, and
 * they happen process by process when the grid has ended, so that the same run gives the same bytes. */
#ifndef TSR_EVAL_HOST_H
#define TSR_EVAL_HOST_H

#include "eval/eval.h"

typedef struct tsr_eval_host {
    void *user;
    /* Text of interpreter.print, whole lines. NULL: dropped. */
    void (*print)(void *user, tsr_str text);
    /* Output of stablehlo.outfeed; the tensors are borrowed. NULL: dropped. */
    void (*outfeed)(void *user, tsr_str config, tsr_tensor *const *tensors, size_t n);
    /* Directory of interpreter.probe; NULL or empty: none. */
    const char *probe_dir;
    /* Directory below which debug.dump and debug.memory_snapshot write; NULL: they write nothing. */
    const char *file_dir;
    /* debug.breakpoint: waits for the user; false: the run must end. NULL: breakpoints do nothing. */
    tsr_breakpoint_fn *pause;
    /* Called after each op that the evaluator has run; may replace results. Processes of a grid call it from their
     * threads. False: c has failed. May be NULL. */
    bool (*watch)(void *user, tsr_call *c);
    /* The same before each block of a function or region; its arguments are in c->frame, c->op is the op that contains
     * it. */
    bool (*enter)(void *user, tsr_call *c, const tsr_block *block);
    void *watch_user;
    /* Custom calls with unknown targets. NULL: they fail. */
    tsr_custom_call_fn *custom_call;
    void *custom_user;
    /* Input of stablehlo.infeed unless the grid provides it; one item per op: a tensor, or a tuple of several. */
    tsr_tensor *const *infeed;
    size_t ninfeed;
    /* Maintained by the run: initially 0. */
    size_t infeed_next;
    uint32_t nprobe;
} tsr_eval_host;

/* Whether custom calls of this target need no host. */
bool tsr_custom_target_known(tsr_str name);

typedef enum {
    TSR_EFFECT_PRINT,
    TSR_EFFECT_PROBE,
    TSR_EFFECT_OUTFEED,
    TSR_EFFECT_DUMP,
    TSR_EFFECT_FILE
} tsr_effect_kind;

typedef struct {
    tsr_effect_kind kind;
    tsr_buf
        text; /* PRINT: the text; PROBE: its id; OUTFEED: its configuration; DUMP: a path; FILE: a path, 0, the text */
    tsr_tensor **tensors; /* PROBE, DUMP: one; OUTFEED: all; references */
    size_t n;
} tsr_effect;

typedef TSR_VEC(tsr_effect) tsr_effects;

/* Performs an effect of c's process, now or when its grid ends. text and tensors are borrowed. */
bool tsr_effect_do(tsr_call *c, tsr_effect_kind kind, tsr_str text, tsr_tensor *const *tensors,
                   size_t n);
/* A NumPy file below the run's directory, with this element type; NULL after a failure. */
tsr_tensor *tsr_host_read(tsr_call *c, tsr_str name, tsr_type *elem);
/* Performs all effects of a process that has ended, on behalf of c; stops when one fails. Empties the list either
 * way. */
bool tsr_effects_flush(tsr_call *c, tsr_effects *list);
/* Drops all but the first n. */
void tsr_effects_drop(tsr_effects *list, size_t n);

/* The value of the probe's hit number iteration (from 0), with this type: owned by the caller; NULL after a failure. */
tsr_tensor *tsr_probe_read(tsr_call *c, tsr_str id, uint64_t iteration, const tsr_type *type);

#endif
