/* function.h - making the derivative of a function. */
#ifndef TSR_PASS_GRAD_FUNCTION_H
#define TSR_PASS_GRAD_FUNCTION_H

#include "pass/grad/grad.h"

typedef struct {
    tsr_str name;          /* of the new function */
    tsr_str args, results; /* which count: '1' or '0' each */
    bool inner;            /* for calls: private */
    bool primal;           /* reverse mode: the results of the original come first */
} tsr_grad_request;

/* A new function after func: (arguments, cotangents of results that count) -> gradients of
 * arguments that count, or (arguments, tangents of arguments that count) -> results, tangents of
 * results that count. NULL after a diagnostic. */
tsr_op *tsr_grad_build(tsr_grad *g, tsr_op *func, const tsr_grad_request *r);

/* Lowers what has no rule by itself in a copy that is to be differentiated: control flow on scalars,
 * derivatives that are asked for, ops that other lowerings know (ask.c). */
bool tsr_grad_lower(tsr_grad *g, tsr_op *func);
/* Composites that are named after an op with a rule become that op (known.c). */
void tsr_grad_raise_composites(tsr_op *func);
/* Expansions of functions that have ops become those (recognise.c). */
void tsr_grad_recognise(tsr_op *func);
/* Ops inside root that ask for derivatives become calls of them. */
bool tsr_grad_lower_asked(tsr_grad *g, tsr_op *root);
/* Erases functions that were made for ops that asked, and for calls on scalars, and that nobody calls. */
void tsr_grad_erase_unused(tsr_grad *g);
/* Calls on tensors of functions on scalars go to copies on tensors. */
bool tsr_grad_fix_calls(tsr_grad *g, tsr_op *func);

/* Computes cheap values of the forward part (ops with ids below first) again where the backward
 * part needs them (remat.c). */
void tsr_grad_rematerialise(tsr_grad *g, tsr_block *block, uint32_t first);

#endif
