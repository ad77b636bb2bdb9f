/* SPDX-License-Identifier: Apache-2.0 */
/* eval.h - running functions, for the tools: the public API's options, and the environment of a run. */
#ifndef TSR_API_EVAL_H
#define TSR_API_EVAL_H

#include "base/status.h"
#include "eval/eval.h"
#include "exec/programs.h"

/* The function of this name. An empty name, or "main" if there is none: the module's only function. NULL with a
 * status. */
const tsr_op *tsr_entry_find(tsr_module *m, tsr_str name, tsr_status *status);
/* The same for later passes: makes it the only public function, so that no pass drops it or takes another for the
 * program. */
tsr_op *tsr_entry_keep(tsr_module *m, tsr_str name, tsr_status *status);
const tsr_type *tsr_entry_type(const tsr_op *func); /* its function type */
/* What was compiled before a run. */
typedef struct {
    tsr_module *m;
    tsr_plan *plan;
    tsr_programs *programs; /* NULL: none */
    bool strict;
    double seconds; /* that it took */
} tsr_entry_made;
typedef struct {
    tsr_eval_options run;
    void *user;
    void (*print)(void *user, tsr_str text); /* lines of interpreter.print; NULL: dropped */
    const char *probe_dir; /* of interpreter.probe; NULL: none. Its index.csv starts anew */
    const char *file_dir; /* folder for files of debug.dump and debug.memory_snapshot; NULL: none */
    tsr_breakpoint_fn *pause;               /* debug.breakpoint; NULL: it does nothing */
    bool (*watch)(void *user, tsr_call *c); /* TSR_ENGINE_REFERENCE: see eval/host.h */
    bool (*enter)(void *user, tsr_call *c, const tsr_block *block);
    void *watch_user;
    struct tsr_parts_run
        *parts;            /* on a grid, func being the program of a device; NULL: undivided */
    double (*clock)(void); /* may be NULL */
    uint32_t repeat;       /* TSR_ENGINE_COMPILED: runs, the fastest counts; 0 means 1 */
    /* TSR_ENGINE_COMPILED: receive the program, its memory, and times of its groups, as text or JSON; may be NULL. With
     * several devices, times are sums over all of them. */
    tsr_buf *program, *memory, *times;
    bool json;
    const struct tsr_machine *machine; /* TSR_ENGINE_COMPILED, with trace */
    tsr_buf *trace;                    /* receives a trace (check/trace.h); may be NULL */
    const struct tsr_tsrx *saved; /* TSR_ENGINE_COMPILED: the program must be this one; NULL: any */
    tsr_entry_made *made;         /* by tsr_entry_fits: not compiled again; may be NULL */
    bool strict;                  /* TSR_ENGINE_COMPILED: narrow floats are rounded after each op */
    void (*progress)(void *user, size_t done, size_t all); /* steps; may be NULL */
    /* Called after each run: returns whether there is another, whose inputs it may change; both arrays belong to the
     * run, nin and nout of them, for each device with parts->local. step counts from 0. To stop with a failure, set
     * status. NULL: one run. */
    bool (*again)(void *user, uint64_t step, tsr_tensor **in, tsr_tensor **out, tsr_status *status);
    uint64_t first_step; /* initial value of step: random numbers depend on the seed and the step */
    struct tsr_remote
        *remote; /* ranks that run the other devices; parts->local is set. NULL: none */
    const tsr_joint_run *joint;  /* the same, for devices in any order (api/peers.h) */
    tsr_device *device;          /* TSR_ENGINE_COMPILED: runs the program; NULL: this processor */
    const char *kernels;         /* with device: folder for the texts of its kernels; NULL: none */
    double compile_seconds;      /* set: compile time of the program */
    double seconds;              /* set: evaluation time, including planning */
    bool zero_divisors;          /* set: some integer divisors were 0 */
    const char *const *in_names; /* source of each input, for messages; both may be NULL */
} tsr_entry_options;

/* Options of a caller, which may be NULL, for a run on the shards of parts, which may be NULL too. */
static inline tsr_entry_options tsr_entry_with(const tsr_eval_options *run,
                                               struct tsr_parts_run *parts)
{
    return (tsr_entry_options){.run = run ? *run : (tsr_eval_options){0}, .parts = parts};
}

/* Whether these are values of their enumerations; a status if not. */
bool tsr_entry_check(tsr_eval_engine engine, tsr_zero_division zero, tsr_status *status);
/* Runs func. A token may be NULL in in. options may be NULL. Wrong inputs give diagnostics at func, failures of an op
 * at the op; the status has the text too. */
bool tsr_entry_run(tsr_module *m, const tsr_op *func, tsr_tensor *const *in, size_t nin,
                   tsr_tensor **out, size_t nout, tsr_entry_options *options, tsr_status *status);

/* Whether the inputs match a function of this type; text says why not. */
bool tsr_entry_takes(const tsr_op *func, const tsr_type *type, tsr_tensor *const *in, size_t nin,
                     const tsr_entry_options *options, tsr_buf *text);
/* The tensor with the argument's type: borrowed, an omitted token, or storage with its quantized type. NULL: no
 * memory. */
tsr_tensor *tsr_entry_admit(const tsr_type *type, tsr_tensor *t);
/* Of the admitted inputs, the callers' tensors that are wanted and that nobody else references, else NULL. NULL: none
 * at all. */
tsr_tensor **tsr_entry_donated(const bool *wanted, tsr_tensor *const *in, size_t n);

/* Whether there is memory for a compiled run of func, including its arguments, which are not allocated yet. False after
 * a diagnostic that lists what is live at the peak. Small programs are not checked. made: what was compiled, for the
 * run; the caller ends it, in any case, before the module. */
bool tsr_entry_fits(tsr_module *m, const tsr_op *func, bool strict, double (*clock)(void),
                    tsr_entry_made *made, tsr_status *status);
void tsr_entry_forget(tsr_entry_made *made);

/* Sets all of out to NULL. */
void tsr_no_results(tsr_tensor **out, size_t n);

/* Whether the evaluator knows all kinds of ops in the module; if not, the other call lowers them, which changes it
 * (runnable.c). partition: also to ops that the partitioner knows. False after a diagnostic. */
bool tsr_is_runnable(tsr_module *m);
bool tsr_make_runnable(tsr_module *m, bool partition);

#endif
