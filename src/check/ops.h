/* ops.h - two ways to compute a function, compared op by op.
 *
 * All values of a function's body become its results (tsr_expose), so that any engine can give them. Accumulated: each value of one
 * run against that of another. Isolated: each op alone, from the same inputs.
 *
 * Rounding differs from engine to engine, and an op may be sensitive to it: the difference of its results can be many times that of its
 * inputs. How much it grows is measured, not guessed: where an accumulated value is beyond the tolerance, the reference computes
 * the op once more, from the very inputs that the other run had. A value that is within the tolerance of this has a difference that was
 * there before and has grown. One that is not is the op's own error. */
#ifndef TSR_CHECK_OPS_H
#define TSR_CHECK_OPS_H

#include "eval/tensor.h"

/* Where a value comes from. */
typedef struct {
    const tsr_value *value;
    tsr_loc loc;
    tsr_str name; /* of the op */
    uint32_t index, nout;
} tsr_origin;
typedef TSR_VEC(tsr_origin) tsr_origin_vec;

/* All values of static shape that ops of the function's body make become results, in order, in the layouts that they have; the
 * function's own results stay last. out: where each result comes from. The function changes. */
void tsr_expose(tsr_op *func, tsr_origin_vec *out);

/* What a comparison of many values found. */
typedef struct {
    size_t compared, skipped; /* values */
    bool found;               /* one is off; of the first: */
    tsr_loc loc;
    tsr_buf text;  /* the op's name, and which of its results */
    tsr_buf table; /* a heading and one row */
    size_t grown;  /* values beyond the tolerance that are none of it from the inputs they had */
    tsr_loc grown_loc;  /* of the first: */
    tsr_str grown_name; /* its op */
} tsr_ops_verdict;
void tsr_ops_verdict_free(tsr_ops_verdict *v);
/* One more value. */
void tsr_verdict_add(tsr_ops_verdict *v, const tsr_origin *from, const tsr_tensor *actual,
                     const tsr_tensor *expected, const tsr_tolerance *tolerance);

/* Values that somebody knows. get: a reference of the caller's; NULL: it cannot be had. */
typedef struct {
    void *user;
    bool (*has)(void *user, const tsr_value *v);
    tsr_tensor *(*get)(void *user, const tsr_value *v);
} tsr_known;

/* A module of the op alone, of large data of its own: its function takes what the op and its regions use from outside (in), and gives its
 * results. NULL: a value is not known. */
tsr_module *tsr_op_alone(tsr_op *op, const tsr_known *known, tsr_value_vec *in);
/* The op as a compiled program of its own, on known values. False: it cannot be run alone. */
bool tsr_run_alone(tsr_op *op, const tsr_known *known, bool strict, tsr_tensor **out);

/* What one run has of an exposed function: of its arguments, and of its results, from as many origins. */
typedef struct {
    tsr_tensor *const *in, *const *values;
} tsr_ops_values;

/* Each op of the body as a compiled program of its own, on the reference's values. func was exposed. Ops with an effect, and what
 * cannot be run alone, are skipped. */
void tsr_check_isolated(tsr_op *func, const tsr_origin_vec *from, const tsr_ops_values *reference,
                        bool strict, const tsr_tolerance *tolerance, tsr_ops_verdict *out);
/* Each value of a run beside the reference's. alone: ops can be run alone, so that growth is measured. expected (as many as values, NULL at first): of
 * values that have grown, what the reference gives from the run's own inputs; the caller's. */
void tsr_check_accumulated(tsr_op *func, const tsr_origin_vec *from,
                           const tsr_ops_values *reference, const tsr_ops_values *run, bool alone,
                           const tsr_tolerance *tolerance, tsr_ops_verdict *out,
                           tsr_tensor **expected);

#endif
