/* golden.h - what each value of a program is to be, and how close a run comes to it.
 *
 * The evaluator computes the golden of every value when one is asked for the first time, from inputs that are random by a seed or given.
 * On several devices each has its own. Any golden may be given instead, and goes on from there. A check runs the program by an engine
 * and compares all its values: in the whole program (accumulated), and each op alone from goldens (isolated). */
#ifndef TESSERA_GOLDEN_H
#define TESSERA_GOLDEN_H

#include <tessera/tessera.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tsr_goldens tsr_goldens;

/* All zero is the default. */
typedef struct {
    uint64_t seed;             /* of inputs that are not given */
    uint64_t max_bytes;        /* of goldens in memory: others wait in a file; 0: no limit */
    const char *folder;        /* of that file, which has no name there; NULL: of TMPDIR, or /tmp */
    tsr_progress_fn *progress; /* after each op; false ends the call; NULL: nobody wants to know */
    void *user;
} tsr_golden_options;

/* All devices, where one is meant. */
#define TSR_ALL_DEVICES ((size_t)-1)

/* Goldens of a function and of those that it calls. The function may be unfinished, without its return. The module is copied: it may
 * change or go. options may be NULL. The caller frees the result before the context. NULL after a diagnostic. */
TSR_API tsr_goldens *tsr_goldens_new(tsr_module *m, tsr_str function,
                                     const tsr_golden_options *options, tsr_status *status);
TSR_API void tsr_goldens_free(tsr_goldens *g);
TSR_API size_t tsr_goldens_num_devices(const tsr_goldens *g);
TSR_API size_t tsr_goldens_num_inputs(const tsr_goldens *g);
TSR_API size_t tsr_goldens_num_ops(const tsr_goldens *g);

/* The whole of input i from now on; borrowed, with a reference of its own. What was computed is forgotten. */
TSR_API bool tsr_goldens_set_input(tsr_goldens *g, size_t i, tsr_tensor *t, tsr_status *status);
/* The golden of a value of the module on a device. What uses the value is computed from it. Of an argument: what the device has of it. */
TSR_API bool tsr_goldens_set(tsr_goldens *g, const tsr_value *value, size_t device, tsr_tensor *t,
                             tsr_status *status);
/* In checks, the golden takes the place of the value once this was compared; off: no longer. */
TSR_API bool tsr_goldens_bypass(tsr_goldens *g, const tsr_value *value, bool on,
                                tsr_status *status);
/* The golden of a value. Of functions that are called more than once, and of regions that run more than once: that of the first time. In
 * a manual computation each of its devices has its own. The caller owns it; NULL on failure. */
TSR_API tsr_tensor *tsr_goldens_get(tsr_goldens *g, const tsr_value *value, size_t device,
                                    tsr_status *status);

/* An op of the function's body, or of one that it calls, in the order of the program. Texts live as long as the goldens. */
typedef struct {
    tsr_str name;     /* "stablehlo.add" */
    tsr_str function; /* that it is in */
    tsr_str file;     /* empty when its place is not known */
    uint32_t line, col;
    size_t nresult;
} tsr_golden_op;
TSR_API bool tsr_goldens_op(const tsr_goldens *g, size_t i, tsr_golden_op *out);
/* Of result k of op i. */
TSR_API tsr_tensor *tsr_goldens_result(tsr_goldens *g, size_t i, size_t k, size_t device,
                                       tsr_status *status);
/* A module with op i alone, and in out its goldens: the same values. The caller owns both. NULL: the op cannot stand alone. */
TSR_API tsr_module *tsr_goldens_split(tsr_goldens *g, size_t i, tsr_goldens **out,
                                      tsr_status *status);

typedef struct {
    tsr_eval_engine engine;
    bool strict_rounding;
    bool graph_only;                /* results of the function alone are compared */
    bool accumulated_only;          /* no op is run alone */
    bool partition;                 /* the program is partitioned by its shardings, and runs so */
    const tsr_tolerance *tolerance; /* NULL: that of each type */
    double
        min_pcc; /* above 0: values are good when they correlate so well, whatever the tolerance */
    tsr_progress_fn *progress; /* after each op that has run alone; false ends the call */
    void *user;
} tsr_golden_check_options;

/* What a check found. The caller frees both texts with tsr_free. */
typedef struct {
    bool pass;      /* all values are good, but for those that are bypassed */
    size_t values;  /* compared */
    size_t skipped; /* ops that could not be run alone */
    tsr_str table;  /* for people */
    tsr_str
        json; /* {"function", "passed", "devices", "values", "skipped", "first", "ops"} (docs/API.md) */
} tsr_golden_report;
/* options may be NULL. False: it could not be run; a check that finds something off is true. */
TSR_API bool tsr_goldens_check(tsr_goldens *g, const tsr_golden_check_options *options,
                               tsr_golden_report *out, tsr_status *status);

#ifdef __cplusplus
}
#endif
#endif
