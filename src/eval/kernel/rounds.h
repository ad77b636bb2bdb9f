/* SPDX-License-Identifier: Apache-2.0 */
/* rounds.h - runs bodies that combine updates with places, many at once.
 *
 * A row of updates for the body must not contain a place twice. So the k-th update of each place is in round k: each
 * place sees its updates in their order, and there are as many rounds as the busiest place has updates. */
#ifndef TSR_EVAL_KERNEL_ROUNDS_H
#define TSR_EVAL_KERNEL_ROUNDS_H

#include "eval/body.h"

typedef struct {
    int64_t to, from; /* element indices: of the place in the results, of its update */
} tsr_pair;

/* results[to] = body(results[to], updates[from]) for all pairs, which it reorders. The results are the n results of the
 * body's call, with the updates' element types. */
bool tsr_rounds_run(tsr_body *body, tsr_pair *pairs, int64_t npair, tsr_tensor *const *updates,
                    uint32_t n);

#endif
