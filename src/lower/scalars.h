/* SPDX-License-Identifier: Apache-2.0 */
/* scalars.h - scalars as tensors of rank 0: types, and ops of arith and tensor on them. */
#ifndef TSR_LOWER_SCALARS_H
#define TSR_LOWER_SCALARS_H

#include "dialect/stablehlo/ops.h"

/* The type in StableHLO: a scalar becomes a tensor, index becomes i64; others stay. */
tsr_type *tsr_tensor_of_scalar(tsr_type *t);
/* Builds what op of arith or tensor computes; operands already have their new types. False: it is not such an op, or
 * has no form in StableHLO; without a diagnostic. */
bool tsr_scalar_rewrite(tsr_build *b, tsr_op *op, tsr_value **out);

#endif
