/* k_lapack.h - the LAPACK targets of custom_call that JAX emits for CPU. */
#ifndef TSR_EVAL_K_LAPACK_H
#define TSR_EVAL_K_LAPACK_H

#include "eval/eval.h"

/* The kernel of a custom_call with this target; NULL when the target is none of LAPACK's. */
eval_fn *tsr_lapack_find(tsr_str target);

#endif
