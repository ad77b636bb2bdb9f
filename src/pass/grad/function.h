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

/* A new function after func: (arguments, cotangents of results that count) -> gradients of arguments that count, or
 * (arguments, tangents of arguments that count) -> results, tangents of results that count. NULL after a diagnostic. */
tsr_op *tsr_grad_build(tsr_grad *g, tsr_op *func, const tsr_grad_request *r);

/* Computes cheap values of the forward part (ops with ids below first) again where the backward part needs them
 * (remat.c). */
void tsr_grad_rematerialise(tsr_grad *g, tsr_block *block, uint32_t first);

#endif
