/* SPDX-License-Identifier: Apache-2.0 */
/* tessera.h - shared by the kernels of Graph IR. */
#ifndef TSR_EVAL_KERNEL_TESSERA_TESSERA_H
#define TSR_EVAL_KERNEL_TESSERA_TESSERA_H

#include "dialect/tessera/tessera.h"
#include "eval/eval.h"

/* t broadcast to these sizes, aligned at the last dimension: a reference that the caller owns; NULL after a failure. */
tsr_tensor *tsr_spread_right(tsr_call *c, tsr_tensor *t, const int64_t *dims, size_t rank);
/* The shape that the first na sizes of a and the first nb of b broadcast to. */
bool tsr_spread_shape(tsr_call *c, const tsr_tensor *a, size_t na, const tsr_tensor *b, size_t nb,
                      int64_t *dims, size_t *rank);
/* Two integers combined, wrapping, and the result of an empty reduction. */
int64_t tsr_join_ints(tsr_tessera_kind kind, bool is_unsigned, int64_t a, int64_t b);
int64_t tsr_int_start(tsr_tessera_kind kind, tsr_dtype d);
/* Normalises n numbers, centred or not, to mean square 1; epsilon is added to the mean square. */
void tsr_norm_line(double *v, int64_t n, double epsilon, bool centred);

#endif
