/* k_tessera.h - what kernels of Graph IR share. */
#ifndef TSR_EVAL_K_TESSERA_H
#define TSR_EVAL_K_TESSERA_H

#include "eval/eval.h"

/* t repeated to these sizes, aligned at the last one: a reference that the caller owns; NULL after
 * a failure. */
tsr_tensor *tsr_spread_right(tsr_call *c, tsr_tensor *t, const int64_t *dims, size_t rank);
/* The shape that the first na sizes of a and the first nb of b broadcast to. */
bool tsr_spread_shape(tsr_call *c, const tsr_tensor *a, size_t na, const tsr_tensor *b, size_t nb,
                      int64_t *dims, size_t *rank);

#endif
