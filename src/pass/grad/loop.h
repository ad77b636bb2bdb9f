/* loop.h - static analysis of a while op (loop.c). */
#ifndef TSR_PASS_GRAD_LOOP_H
#define TSR_PASS_GRAD_LOOP_H

#include "pass/grad/grad.h"

/* The maximum number of iterations of a loop that counts a carried value up or down to a known limit; -1 if it does
 * not, or not visibly. exact: it runs exactly this often. */
int64_t tsr_loop_bound(const tsr_op *op, bool *exact);
/* Whether the body returns carried value k unchanged. */
bool tsr_loop_keeps(const tsr_op *op, uint32_t k);

#endif
