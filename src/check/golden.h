/* SPDX-License-Identifier: Apache-2.0 */
/* golden.h - the expected value (golden) of each value of a function, and the comparison of a run with them.
 *
 * The function is flat: calls are inlined. Its arguments and the results of the ops in its body have consecutive slots,
 * followed by those of nested regions; each slot has one place in a store for each device that has the value. The
 * evaluator fills the store once; then any engine runs a copy of the function that returns all values. For a region
 * that runs more than once, the values of the first run are kept. */
#ifndef TSR_CHECK_GOLDEN_H
#define TSR_CHECK_GOLDEN_H

#include "check/ops.h"
#include "check/store.h"
#include "eval/eval.h"

/* An op of the flat function. */
typedef struct {
    tsr_op *op;
    tsr_str function; /* the function that it was in before inlining */
    uint32_t first;   /* slot of its first result */
    uint32_t order;   /* position in a walk of the function */
} tsr_golden_row;

typedef struct {
    tsr_module *m;
    tsr_op *func;
    tsr_golden_row *rows; /* nrow rows of the body, then those of regions */
    size_t nrow, nall, nslot, devices;
    uint32_t *row_of;     /* by op id: its row + 1; 0: none */
    uint32_t *slot_of;    /* by value id: its slot + 1 */
    tsr_value **value_of; /* by slot */
    uint32_t *place_of;   /* by slot, with a final sentinel: place of its first device */
} tsr_flat_ops;

/* Builds the rows of func, a function with one block in m; function_of: by op id, the name of the op's original
 * function. */
void tsr_flat_init(tsr_flat_ops *f, tsr_module *m, tsr_op *func, size_t devices,
                   const tsr_str *function_of);
void tsr_flat_free(tsr_flat_ops *f); /* does not free the module */
static inline size_t tsr_golden_place(const tsr_flat_ops *f, size_t slot, size_t device)
{
    return f->place_of[slot] + device;
}
/* The number of devices that have a value: those of the program, or of the manual computation around it. */
static inline size_t tsr_golden_devices(const tsr_flat_ops *f, size_t slot)
{
    return f->place_of[slot + 1] - f->place_of[slot];
}
static inline size_t tsr_golden_places(const tsr_flat_ops *f)
{
    return f->place_of[f->nslot];
}

/* Fills a store while the evaluator runs the flat function: a tsr_eval_host.watch. */
typedef struct {
    const tsr_flat_ops *flat;
    tsr_store *store;
    tsr_tensor *const *custom; /* by place: a value to use instead, or NULL */
    tsr_progress_fn *progress; /* reports ops of the first device; NULL: no reports */
    void *user;
    size_t done;
} tsr_golden_watch;
bool tsr_golden_see(void *watch, tsr_call *c);
/* The same, called before a block runs, when its arguments are in the frame: a tsr_eval_host.enter. */
bool tsr_golden_enter(void *watch, tsr_call *c, const tsr_block *block);

/* A copy of the flat function that returns all its values. Bypassed values are additional arguments, after the
 * function's own: their users use the argument instead. */
typedef struct {
    tsr_module *m;
    tsr_op *func;
    tsr_origin_vec from;
    /* by result: its slot; UINT32_MAX for the function's own results, which come last */
    uint32_t *slots;
    size_t nown;
    uint32_t *bypassed; /* by additional argument: its slot */
    size_t nbypassed;
} tsr_golden_copy;
void tsr_golden_expose(const tsr_flat_ops *f, const bool *bypass, bool graph_only,
                       tsr_golden_copy *out);
void tsr_golden_copy_free(tsr_golden_copy *c);

/* ---- Reports ---- */

/* One value on one device, as it was computed. */
typedef struct {
    const tsr_golden_row *row; /* NULL: a result of the function */
    uint32_t index;            /* of the result */
    uint32_t device;
    bool bypassed, was_accumulated, was_isolated, good_accumulated, good_isolated;
    tsr_comparison accumulated, isolated;
    tsr_buf type;
} tsr_golden_line;
typedef TSR_VEC(tsr_golden_line) tsr_golden_lines;

typedef struct {
    const tsr_flat_ops *flat;
    tsr_golden_lines lines;
    size_t skipped; /* values that could not be computed in isolation */
    const tsr_tolerance *tolerance;
    double min_pcc; /* above 0: a value passes if its correlation is at least this */
} tsr_golden_result;
/* Compares, and returns whether the value passes. */
bool tsr_golden_judge(const tsr_golden_result *r, const tsr_tensor *actual,
                      const tsr_tensor *expected, tsr_comparison *out);
/* The first line that fails and is not bypassed; NULL: all pass. */
const tsr_golden_line *tsr_golden_first(const tsr_golden_result *r);
/* Sorts lines in program order; results of the function come last. */
void tsr_golden_sort(tsr_golden_result *r);
void tsr_golden_table(const tsr_golden_result *r, tsr_buf *out);
void tsr_golden_json(const tsr_golden_result *r, tsr_buf *out);
void tsr_golden_result_free(tsr_golden_result *r);

#endif
