/* eval.h - running functions, for the tools: what the public API has, and the world around a run. */
#ifndef TSR_API_EVAL_H
#define TSR_API_EVAL_H

#include "base/status.h"
#include "eval/eval.h"

/* The function of this name. An empty name, or "main" where there is none: the module's only function. NULL: a status. */
const tsr_op *tsr_entry_find(tsr_module *m, tsr_str name, tsr_status *status);
/* The same for passes to come: from now on it is the only public function, so that none drops it or
 * takes another for the program. */
tsr_op *tsr_entry_keep(tsr_module *m, tsr_str name, tsr_status *status);
const tsr_type *tsr_entry_type(const tsr_op *func); /* its function type */
typedef struct {
    tsr_eval_options run;
    void *user;
    void (*print)(void *user, tsr_str text); /* lines of interpreter.print; NULL: dropped */
    const char
        *probe_dir; /* of interpreter.probe; NULL: there is none. Its index.csv starts anew */
    const char
        *file_dir; /* where debug.dump and debug.memory_snapshot write below; NULL: nowhere */
    tsr_breakpoint_fn *pause;               /* debug.breakpoint; NULL: it does nothing */
    bool (*watch)(void *user, tsr_call *c); /* TSR_ENGINE_REFERENCE: see eval/host.h */
    bool (*enter)(void *user, tsr_call *c, const tsr_block *block);
    void *watch_user;
    struct tsr_parts_run
        *parts;            /* on a grid, func being the program of a device; NULL: undivided */
    double (*clock)(void); /* NULL: nobody wants to know */
    uint32_t repeat;       /* TSR_ENGINE_COMPILED: runs, of which the fastest is timed; 0 is 1 */
    /* TSR_ENGINE_COMPILED: get the program, its memory, and times of its groups, as text or JSON; NULL: nobody wants it. On
     * several devices, times are those of all of them, added up. */
    tsr_buf *program, *memory, *times;
    bool json;
    const struct tsr_machine *machine; /* TSR_ENGINE_COMPILED, with trace */
    tsr_buf *trace;               /* gets what ran when (check/trace.h); NULL: nobody wants it */
    const struct tsr_tsrx *saved; /* TSR_ENGINE_COMPILED: the program must be this one; NULL: any */
    bool strict;                  /* TSR_ENGINE_COMPILED: narrow floats are rounded after each op */
    void (*progress)(void *user, size_t done, size_t all); /* steps; NULL: nobody wants to know */
    /* After each run: whether there is another, with inputs that it may change; both are the run's, nin and nout of them, of each device with parts->local. step
     * counts from 0. A stop at a failure: status. NULL: one run. */
    bool (*again)(void *user, uint64_t step, tsr_tensor **in, tsr_tensor **out, tsr_status *status);
    uint64_t
        first_step; /* what step begins with: random numbers are those of the seed and the step */
    struct tsr_remote
        *remote;            /* ranks that run the other devices; parts->local is set. NULL: none */
    double compile_seconds; /* set: how long the program took to compile */
    double seconds;         /* set: how long the evaluation took, planning included */
    bool zero_divisors;     /* set: some integer divisors were 0 */
    const char *const
        *in_names; /* what each input was read from, for messages; may be NULL, as may each */
} tsr_entry_options;

/* Evaluates func. A token may be NULL in in. options may be NULL. Wrong inputs are diagnostics at func, what an op did
 * wrong at the op; status has the text too. */
bool tsr_entry_run(tsr_module *m, const tsr_op *func, tsr_tensor *const *in, size_t nin,
                   tsr_tensor **out, size_t nout, tsr_entry_options *options, tsr_status *status);

/* Whether the inputs are what a function of this type takes; text says why not. */
bool tsr_entry_takes(const tsr_module *m, const tsr_type *type, tsr_tensor *const *in, size_t nin,
                     const tsr_entry_options *options, tsr_buf *text);
/* The tensor as the argument's type has it: borrowed, a token that was left out, or storage under its quantized type.
 * NULL: no memory. */
tsr_tensor *tsr_entry_admit(const tsr_type *type, tsr_tensor *t);
/* Of inputs that were admitted, the callers' tensors that are wanted and that nobody else has, else NULL. NULL: none at all. */
tsr_tensor **tsr_entry_given_up(const bool *wanted, tsr_tensor *const *in, size_t n);

/* Whether there is memory for a compiled run of func, its arguments included, which are not there yet. False after a diagnostic that
 * lists what is alive at the peak. Small programs are not asked. */
bool tsr_entry_fits(tsr_module *m, const tsr_op *func, tsr_status *status);

/* All of out is NULL then. */
void tsr_no_results(tsr_tensor **out, size_t n);

/* Whether the evaluator knows all kinds of ops; else the module must be made so, which changes it (runnable.c). partition:
 * so that the partitioner knows them, too. False after a diagnostic. */
bool tsr_is_runnable(tsr_module *m);
bool tsr_make_runnable(tsr_module *m, bool partition);

#endif
