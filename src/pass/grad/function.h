/* SPDX-License-Identifier: Apache-2.0 */
/* function.h - builds the derivative of a function. */
#ifndef TSR_PASS_GRAD_FUNCTION_H
#define TSR_PASS_GRAD_FUNCTION_H

#include "pass/grad/grad.h"

typedef struct {
    tsr_str name;          /* of the new function */
    tsr_str args, results; /* which are of interest: '1' or '0' each */
    bool inner;            /* for calls: private */
    bool primal;           /* reverse mode: the results of the original come first */
} tsr_grad_request;

/* Adds a function after func: (arguments, cotangents of results of interest) -> gradients of arguments of interest,
 * or (arguments, tangents of arguments of interest) -> results, tangents of results of interest. NULL after a
 * diagnostic. */
tsr_op *tsr_grad_build(tsr_grad *g, tsr_op *func, const tsr_grad_request *r);

/* Lowers ops that have no rule in a copy that is to be differentiated: control flow on scalars, requested derivatives,
 * ops that other lowerings handle (ask.c). */
bool tsr_grad_lower(tsr_grad *g, tsr_op *func);
/* Replaces composites named after an op with a rule by that op (known.c). */
void tsr_grad_raise_composites(tsr_op *func);
/* Replaces expansions of functions that exist as ops by those ops (recognise.c). */
void tsr_grad_recognise(tsr_op *func);
/* Replaces ops inside root that request derivatives by calls of them. */
bool tsr_grad_lower_asked(tsr_grad *g, tsr_op *root);
/* Erases functions created for requested derivatives, and for calls on scalars, that are not called. */
void tsr_grad_erase_unused(tsr_grad *g);
/* Redirects calls on tensors of functions on scalars to copies on tensors. */
bool tsr_grad_fix_calls(tsr_grad *g, tsr_op *func);

/* Recomputes cheap values of the forward part (ops with ids below first) where the backward part needs them
 * (remat.c). */
void tsr_grad_rematerialise(tsr_grad *g, tsr_block *block, uint32_t first);

#endif
