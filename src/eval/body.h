/* SPDX-License-Identifier: Apache-2.0 */
/* body.h - region bodies of reduce, sort, scatter, map and the like: prepared once, run on many elements at once.
 *
 * A body of pointwise ops on scalars can run with a row of n elements in place of each scalar: its kernels run once per
 * op and batch instead of once per element. Other bodies run element by element. */
#ifndef TSR_EVAL_BODY_H
#define TSR_EVAL_BODY_H

#include "dialect/reducer.h"
#include "eval/eval.h"

typedef struct {
    tsr_call *c;
    const tsr_region *region;
    bool liftable; /* pointwise ops and constants only */
    tsr_reduce_kind
        reducer; /* what the body computes, if it is one op on its two arguments and a return */
} tsr_body;

bool tsr_body_init(tsr_body *b, tsr_call *c, const tsr_region *region);
/* args: rank-1 tensors of n elements each (borrowed), one per block argument; out: nout rank-1 tensors of n elements,
 * which the caller owns. */
bool tsr_body_run(tsr_body *b, tsr_tensor *const *args, size_t nargs, int64_t n, tsr_tensor **out,
                  size_t nout);

#endif
