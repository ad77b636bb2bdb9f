/* SPDX-License-Identifier: Apache-2.0 */
/* golden.h - goldens: the expected value of each value of a program, and checks of how close a run comes to them.
 *
 * The evaluator computes all goldens when the first one is requested, from inputs that are given or random (by a seed).
 * Each of several devices has goldens of its own. The caller may set any golden, and the values that depend on it
 * follow. A check runs the program on an engine and compares all its values: in the whole program (accumulated), and
 * each op alone with goldens as operands (isolated). */
#ifndef TESSERA_GOLDEN_H
#define TESSERA_GOLDEN_H

#include <tessera/tessera.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tsr_goldens tsr_goldens;

/* All zero is the default. */
typedef struct {
    uint64_t seed;      /* of inputs that are not given */
    uint64_t max_bytes; /* of goldens in memory; the others are kept in a file; 0: no limit */
    const char *folder; /* for that file, which is unnamed; NULL: TMPDIR, or /tmp */
    tsr_progress_fn *progress; /* called after each op; false ends the call; may be NULL */
    void *user;
} tsr_golden_options;

/* Selects all devices, where a device number is expected. */
#define TSR_ALL_DEVICES ((size_t)-1)

/* Goldens of a function and of the functions that it calls. The function may be unfinished, without its return. The
 * module is copied, so it may be changed or freed. options may be NULL. The caller frees the result before the context.
 * NULL after a diagnostic. */
TSR_API tsr_goldens *tsr_goldens_new(tsr_module *m, tsr_str function,
                                     const tsr_golden_options *options, tsr_status *status);
/* Frees the goldens; NULL is allowed. */
TSR_API void tsr_goldens_free(tsr_goldens *g);
/* How many devices the function is for. */
TSR_API size_t tsr_goldens_num_devices(const tsr_goldens *g);
/* How many inputs it has. */
TSR_API size_t tsr_goldens_num_inputs(const tsr_goldens *g);
/* How many ops tsr_goldens_op tells of. */
TSR_API size_t tsr_goldens_num_ops(const tsr_goldens *g);

/* Sets the global value of input i. t is borrowed: the goldens take a reference of their own. All computed goldens are
 * dropped. */
TSR_API bool tsr_goldens_set_input(tsr_goldens *g, size_t i, tsr_tensor *t, tsr_status *status);
/* Sets the golden of a value of the module on a device; users of the value are computed from it. For an argument: the
 * device's local value. */
TSR_API bool tsr_goldens_set(tsr_goldens *g, const tsr_value *value, size_t device, tsr_tensor *t,
                             tsr_status *status);
/* In checks, the golden replaces the value once the value has been compared; on = false undoes this. */
TSR_API bool tsr_goldens_bypass(tsr_goldens *g, const tsr_value *value, bool on,
                                tsr_status *status);
/* The golden of a value. If its function is called, or its region run, more than once: that of the first time. In a
 * manual computation each device has its own. The caller owns it; NULL on failure. */
TSR_API tsr_tensor *tsr_goldens_get(tsr_goldens *g, const tsr_value *value, size_t device,
                                    tsr_status *status);

/* An op of the function's body or of a function that it calls, in program order. Texts live as long as the goldens. */
typedef struct {
    tsr_str name;     /* "stablehlo.add" */
    tsr_str function; /* that contains it */
    tsr_str file;     /* empty if the location is unknown */
    uint32_t line, col;
    size_t nresult;
} tsr_golden_op;
/* Op i; false if there is none. */
TSR_API bool tsr_goldens_op(const tsr_goldens *g, size_t i, tsr_golden_op *out);
/* The golden of result k of op i; owned as above. */
TSR_API tsr_tensor *tsr_goldens_result(tsr_goldens *g, size_t i, size_t k, size_t device,
                                       tsr_status *status);
/* A module with op i alone, and in *out its goldens, with the same values. The caller owns both. NULL if the op cannot
 * be separated. */
TSR_API tsr_module *tsr_goldens_split(tsr_goldens *g, size_t i, tsr_goldens **out,
                                      tsr_status *status);

typedef struct {
    tsr_eval_engine engine;
    bool strict_rounding;
    bool graph_only;                /* compare only the results of the function */
    bool accumulated_only;          /* run no op alone */
    bool partition;                 /* partition the program by its shardings before it runs */
    const tsr_tolerance *tolerance; /* NULL: the default of each type */
    double
        min_pcc; /* above 0: a value passes with at least this correlation, whatever the tolerance */
    tsr_progress_fn *progress; /* called after each op that was run alone; false ends the call */
    void *user;
} tsr_golden_check_options;

/* The result of a check. The caller frees both texts with tsr_free. */
typedef struct {
    bool pass;      /* all values pass, except bypassed ones */
    size_t values;  /* number of values compared */
    size_t skipped; /* ops that could not be run alone */
    tsr_str table;  /* a table for people to read */
    tsr_str
        json; /* {"function", "passed", "devices", "values", "skipped", "first", "ops"} (docs/API.md) */
} tsr_golden_report;
/* options may be NULL. False if the program could not be run; a check that finds a wrong value still returns true. */
TSR_API bool tsr_goldens_check(tsr_goldens *g, const tsr_golden_check_options *options,
                               tsr_golden_report *out, tsr_status *status);

#ifdef __cplusplus
}
#endif
#endif
