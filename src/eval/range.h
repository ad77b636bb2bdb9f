/* SPDX-License-Identifier: Apache-2.0 */
/* range.h - constraints on an integer value from its uses. */
#ifndef TSR_EVAL_RANGE_H
#define TSR_EVAL_RANGE_H

#include "dialect/dialect.h"
#include "eval/random.h"

/* Narrows the range of values that are operand i of op. */
void tsr_range_use(tsr_range *r, const tsr_op *op, uint32_t i);

#include "eval/range_tables.h"

#endif
