/* calls.h - what the hooks of calls.def share. */
#ifndef TSR_LOWER_CALLS_H
#define TSR_LOWER_CALLS_H

#include "dialect/stablehlo/build.h"

/* Builds what the call stands for, and gives a value for each of its results. NULL, or why it cannot. */
typedef const char *tsr_call_fn(tsr_build *b, tsr_op *op, tsr_value **out);

#define UNARY(target, opcode)
#define BY_NAME(target, opcode)
#define CALL(target, hook) tsr_call_fn call_##hook;
#include "lower/calls.def"

#define TSR_CALL_FORM "has other operands or results than its target takes"

/* The configuration of a call, where it is a dictionary: XLA's own attribute, or the one that older programs have. */
const tsr_attr *tsr_call_config(const tsr_op *op);

#endif
