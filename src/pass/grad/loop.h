/* loop.h - what can be said about a while op before it runs (loop.c). */
#ifndef TSR_PASS_GRAD_LOOP_H
#define TSR_PASS_GRAD_LOOP_H

#include "pass/grad/grad.h"

/* The most iterations of a loop that counts a carried value up or down to a known limit; -1 when
 * it does not, or not visibly. exact: it makes this number of them. */
int64_t tsr_loop_bound(const tsr_op *op, bool *exact);
/* Whether the body returns carried value k as it is. */
bool tsr_loop_keeps(const tsr_op *op, uint32_t k);

#endif
