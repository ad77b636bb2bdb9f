/* host.h - the world around a run: where prints, probes and outfeeds go, where infeeds come from.
 *
 * What a program does to the world is an effect. Outside of a grid it happens at once; in a grid each process
 * keeps its own in order, and they happen process by process when the grid has ended, so that the same run gives
 * the same bytes. */
#ifndef TSR_EVAL_HOST_H
#define TSR_EVAL_HOST_H

#include "eval/eval.h"

typedef struct tsr_eval_host {
    void *user;
    /* Text of interpreter.print, whole lines. NULL: dropped. */
    void (*print)(void *user, tsr_str text);
    /* What stablehlo.outfeed gave; the tensors are borrowed. NULL: dropped. */
    void (*outfeed)(void *user, tsr_str config, tsr_tensor *const *tensors, size_t n);
    /* Directory of interpreter.probe; NULL or empty: there is none. */
    const char *probe_dir;
    /* Directory that debug.dump and debug.memory_snapshot write below; NULL: they write nothing. */
    const char *file_dir;
    /* debug.breakpoint: waits for somebody; false: the run is to end. NULL: nobody is there. */
    tsr_breakpoint_fn *pause;
    /* After each op that the evaluator has run: may put others in the place of results. Processes of a grid call it from their
     * threads. False: c's failure. NULL: nobody looks. */
    bool (*watch)(void *user, tsr_call *c);
    /* The same before each block, of a function or of a region; its arguments are in c->frame, c->op is the op that has it. */
    bool (*enter)(void *user, tsr_call *c, const tsr_block *block);
    void *watch_user;
    /* Custom calls of targets that nobody knows. NULL: they fail. */
    tsr_custom_call_fn *custom_call;
    void *custom_user;
    /* What stablehlo.infeed takes when the grid says nothing; one item per op: a tensor, or a tuple of several. */
    tsr_tensor *const *infeed;
    size_t ninfeed;
    /* Kept by the run: start with 0. */
    size_t infeed_next;
    uint32_t nprobe;
} tsr_eval_host;

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

/* Does an effect of c's process, now or when its grid ends. text and tensors are borrowed. */
bool tsr_effect_do(tsr_call *c, tsr_effect_kind kind, tsr_str text, tsr_tensor *const *tensors,
                   size_t n);
/* A NumPy file below the directory of the run, of this element type; NULL after a failure. */
tsr_tensor *tsr_host_read(tsr_call *c, tsr_str name, tsr_type *elem);
/* Does all of a process that has ended, on behalf of c; stops when one fails. Empties the list either way. */
bool tsr_effects_flush(tsr_call *c, tsr_effects *list);
/* Forgets all but the first n. */
void tsr_effects_drop(tsr_effects *list, size_t n);

/* The value of the probe's hit number iteration (from 0), as type has it: owned by the caller; NULL after a
 * failure. */
tsr_tensor *tsr_probe_read(tsr_call *c, tsr_str id, uint64_t iteration, const tsr_type *type);

#endif
