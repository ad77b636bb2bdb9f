/* golden.h - what each value of a function is to be, and what a run of it made of them.
 *
 * The function is flat: calls are inlined. Its arguments and the results of the ops of its body have slots, one after the other, then
 * those of regions in it; and for each device that has the value a place in a store. The evaluator fills them once; then any engine runs
 * a copy of the function whose values are all results. Of a region that runs more than once, the values of the first time are kept. */
#ifndef TSR_CHECK_GOLDEN_H
#define TSR_CHECK_GOLDEN_H

#include "check/ops.h"
#include "check/store.h"
#include "eval/eval.h"

/* An op of the flat function. */
typedef struct {
    tsr_op *op;
    tsr_str function; /* that it was in */
    uint32_t first;   /* slot of its first result */
    uint32_t order;   /* in a walk of the function */
} tsr_golden_row;

typedef struct {
    tsr_module *m;
    tsr_op *func;
    tsr_golden_row *rows; /* nrow of the body, then those of regions */
    size_t nrow, nall, nslot, devices;
    uint32_t *row_of;     /* by op id: its row + 1; 0: it has none */
    uint32_t *slot_of;    /* by value id: its slot + 1 */
    tsr_value **value_of; /* by slot */
    uint32_t *place_of;   /* by slot, and one more: that of its first device */
} tsr_flat_ops;

/* The rows of func, a function of one block in m; function_of: the name that each op's function had, by op id. */
void tsr_flat_init(tsr_flat_ops *f, tsr_module *m, tsr_op *func, size_t devices,
                   const tsr_str *function_of);
void tsr_flat_free(tsr_flat_ops *f); /* without the module */
static inline size_t tsr_golden_place(const tsr_flat_ops *f, size_t slot, size_t device)
{
    return f->place_of[slot] + device;
}
/* How many devices have a value: those of the program, or of the manual computation that it is in. */
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
    tsr_tensor *const *custom; /* by place: what it is to be instead, or NULL */
    tsr_progress_fn *progress; /* ops of the first device; NULL: nobody wants to know */
    void *user;
    size_t done;
} tsr_golden_watch;
bool tsr_golden_see(void *watch, tsr_call *c);
/* The same before a block is run, whose arguments are in the frame: a tsr_eval_host.enter. */
bool tsr_golden_enter(void *watch, tsr_call *c, const tsr_block *block);

/* A copy of the flat function whose values are all results. Those that are bypassed are arguments, too, after its own: whoever used
 * such a value uses the argument. */
typedef struct {
    tsr_module *m;
    tsr_op *func;
    tsr_origin_vec from;
    uint32_t *slots; /* by result: its slot, UINT32_MAX of the function's own, which come last */
    size_t nown;
    uint32_t *bypassed; /* slots, by additional argument */
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
    size_t skipped; /* values that could not be computed alone */
    const tsr_tolerance *tolerance;
    double min_pcc; /* above 0: a value is good when it correlates so well */
} tsr_golden_result;
/* Compares, and says whether it is good. */
bool tsr_golden_judge(const tsr_golden_result *r, const tsr_tensor *actual,
                      const tsr_tensor *expected, tsr_comparison *out);
/* The first line that is off and not bypassed; NULL: all are good. */
const tsr_golden_line *tsr_golden_first(const tsr_golden_result *r);
/* Lines in the order of the program; results of the function come last. */
void tsr_golden_sort(tsr_golden_result *r);
void tsr_golden_table(const tsr_golden_result *r, tsr_buf *out);
void tsr_golden_json(const tsr_golden_result *r, tsr_buf *out);
void tsr_golden_result_free(tsr_golden_result *r);

#endif
