/* SPDX-License-Identifier: Apache-2.0 */
/* ops.h - comparing programs op by op: the compiled engine with the evaluator, and one module with another. */
#ifndef TSR_API_OPS_H
#define TSR_API_OPS_H

#include "api/eval.h"
#include "check/ops.h"

/* Runs a module (just read; it is changed) on the evaluator and compiled, with the values of all ops of its function as
 * results, and compares them: isolated, each op from the evaluator's values, and accumulated. results: the evaluator's
 * results of the function; grown: for results whose error has grown (check/ops.h), the evaluator's result from the
 * compiled run's inputs. Both arrays have one entry per result, initially NULL, which the caller then owns. */
bool tsr_ops_check(tsr_module *m, tsr_str function, tsr_tensor *const *in, size_t nin,
                   const tsr_tolerance *tolerance, tsr_entry_options *options, tsr_tensor **results,
                   tsr_tensor **grown, tsr_ops_verdict *isolated, tsr_ops_verdict *accumulated,
                   tsr_status *status);
/* t in the element type of a tensor type, if all its elements keep their values: a new reference; else NULL. */
tsr_tensor *tsr_same_numbers(tsr_tensor *t, const tsr_type *type);
/* The same if t is of another kind than like (booleans that became floats, integers of another sign) and can be; else t
 * itself. A new reference. */
tsr_tensor *tsr_as_kind_of(tsr_tensor *t, const tsr_tensor *like);

/* The outcome of comparing the values of two modules. */
typedef struct {
    size_t compared, differ; /* values of ops at the same location */
    size_t unmatched[2];     /* values that only one of them has */
    bool found;              /* a result differs; the op that is the reason: */
    tsr_loc loc;
    tsr_buf text;  /* what it does, in words */
    tsr_buf table; /* a heading and one row */
} tsr_against_report;
void tsr_against_report_free(tsr_against_report *r);
/* Runs two modules (they are changed) on the same inputs, each in its own types, and compares the values of ops at the
 * same location (check/pairs.h). If results differ, finds the first op that is wrong: one whose operands agree and whose
 * result does not; or, since differences within the tolerance can grow, whose result is not what the other module's ops
 * compute from the operands that it has. Values that reach the results only through values that agree do not count: a
 * pass may compute something else in between. */
bool tsr_ops_against(tsr_module *m, tsr_str file, tsr_module *other, tsr_str other_file,
                     tsr_str function, tsr_tensor *const *in, tsr_tensor *const *other_in,
                     size_t nin, const tsr_tolerance *tolerance, tsr_entry_options *options,
                     tsr_against_report *out, tsr_status *status);

#endif
