/* SPDX-License-Identifier: Apache-2.0 */
/* calls.h - shared helpers of the hooks of calls.def. */
#ifndef TSR_LOWER_CALLS_H
#define TSR_LOWER_CALLS_H

#include "dialect/stablehlo/build.h"

/* Builds the ops that the call represents, and returns a value for each result in out. Returns NULL, or why it
 * cannot. */
typedef const char *tsr_call_fn(tsr_build *b, tsr_op *op, tsr_value **out);

#define UNARY(target, opcode)
#define BY_NAME(target, opcode)
#define CALL(target, hook) tsr_call_fn call_##hook;
#include "lower/calls.def"

#define TSR_CALL_FORM "has other operands or results than its target takes"

/* The configuration of a call, if it is a dictionary: XLA's own attribute, or that of older programs. */
const tsr_attr *tsr_call_config(const tsr_op *op);

#endif
