/* scalars.h - scalars as tensors without dimensions: types, and ops of arith and tensor that work
 * on them. */
#ifndef TSR_LOWER_SCALARS_H
#define TSR_LOWER_SCALARS_H

#include "dialect/stablehlo/ops.h"

/* The type as StableHLO has it: a scalar becomes a tensor, index becomes i64; others stay. */
tsr_type *tsr_tensor_of_scalar(tsr_type *t);
/* What op of arith or tensor computes; operands have their new types already. False: it is no such
 * op, or has no form in StableHLO; without a diagnostic. */
bool tsr_scalar_rewrite(tsr_build *b, tsr_op *op, tsr_value **out);

#endif
