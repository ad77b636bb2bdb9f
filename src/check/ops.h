/* SPDX-License-Identifier: Apache-2.0 */
/* ops.h - compares two ways to compute a function, op by op.
 *
 * All values of a function's body become its results (tsr_expose), so that any engine can return them. Accumulated:
 * each value of one run is compared with that of another. Isolated: each op runs alone, on the same inputs.
 *
 * Engines round differently, and an op may be sensitive to it: the difference of its results can be many times that of
 * its inputs. This growth is measured, not guessed: where an accumulated value is beyond the tolerance, the reference
 * computes the op again, from the inputs that the other run had. If the value is within the tolerance of that result,
 * the difference existed before and has grown. Otherwise it is the op's own error. */
#ifndef TSR_CHECK_OPS_H
#define TSR_CHECK_OPS_H

#include "exec/program.h"

/* The op that a value comes from. */
typedef struct {
    const tsr_value *value;
    tsr_loc loc;
    tsr_str name; /* name of the op */
    uint32_t index, nout;
} tsr_origin;
typedef TSR_VEC(tsr_origin) tsr_origin_vec;

/* Makes all values of static shape that ops of the function's body define results, in order, in the layouts that they
 * have; the function's own results stay last. out: the origin of each result. Changes the function. */
void tsr_expose(tsr_op *func, tsr_origin_vec *out);

/* The outcome of comparing many values. */
typedef struct {
    size_t compared, skipped; /* values */
    bool found;               /* a value differs; for the first one: */
    tsr_loc loc;
    tsr_buf text;  /* the op's name, and which of its results */
    tsr_buf table; /* a heading and one row */
    /* values beyond the tolerance that are within it when computed from the inputs that they had */
    size_t grown;
    tsr_loc grown_loc;  /* for the first of them: */
    tsr_str grown_name; /* its op */
} tsr_ops_verdict;
void tsr_ops_verdict_free(tsr_ops_verdict *v);
/* Adds one value. */
void tsr_verdict_add(tsr_ops_verdict *v, const tsr_origin *from, const tsr_tensor *actual,
                     const tsr_tensor *expected, const tsr_tolerance *tolerance);

/* Known values. get: returns a reference that the caller owns; NULL: the value is not available. */
typedef struct {
    void *user;
    bool (*has)(void *user, const tsr_value *v);
    tsr_tensor *(*get)(void *user, const tsr_value *v);
} tsr_known;

/* Builds a module with only this op, which owns its large data: its function takes the values from outside that the op
 * and its regions use (in), and returns the op's results. NULL: a value is not known. */
tsr_module *tsr_op_alone(tsr_op *op, const tsr_known *known, tsr_value_vec *in);
/* Runs the op as its own program, compiled so, on known values. False: it cannot run alone. */
bool tsr_run_alone(tsr_op *op, const tsr_known *known, const tsr_program_options *how,
                   tsr_tensor **out);

/* Computes the results of an op from known values, on the evaluator: the ops before it in its block that compute what
 * it needs and what is not known run with it. out: one per result, which the caller owns. False: some of them cannot
 * run alone. */
bool tsr_run_from_known(tsr_op *op, const tsr_known *known, tsr_tensor **out);

/* The values of one run of an exposed function: its arguments, and its results, one per origin. */
typedef struct {
    tsr_tensor *const *in, *const *values;
} tsr_ops_values;

/* Runs each op of the body as its own compiled program, on the reference's values. func was exposed. Ops with an
 * effect, and ops that cannot run alone, are skipped. */
void tsr_check_isolated(tsr_op *func, const tsr_origin_vec *from, const tsr_ops_values *reference,
                        const tsr_program_options *how, const tsr_tolerance *tolerance,
                        tsr_ops_verdict *out);
/* Compares each value of a run with the reference's. alone: ops can run alone, so that growth is measured. expected
 * (one per value, NULL at first): for values whose difference has grown, the reference's result on the run's own
 * inputs; the caller frees them. */
void tsr_check_accumulated(tsr_op *func, const tsr_origin_vec *from,
                           const tsr_ops_values *reference, const tsr_ops_values *run, bool alone,
                           const tsr_tolerance *tolerance, tsr_ops_verdict *out,
                           tsr_tensor **expected);

#endif
