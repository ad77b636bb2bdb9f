/* ttnn.h - what passes from TTIR to TTNN share: the device of a block, ops of TTNN made one after the other. */
#ifndef TSR_LOWER_TTNN_TTNN_H
#define TSR_LOWER_TTNN_TTNN_H

#include "dialect/ttcore/ttcore.h"
#include "dialect/ttir/build.h"
#include "dialect/ttnn/ttnn.h"
#include "lower/passes.h"

/* The ttcore.device of the module around op; NULL when none is registered. */
tsr_op *tsr_tt_device_op(tsr_op *op);
/* The first ttnn.get_device of op's block, or a new one at its start. */
tsr_value *tsr_ttnn_device(tsr_build *b, tsr_op *op);
/* What a function is for: its attribute tt.function_type, or nothing. */
tsr_str tsr_tt_function_type(const tsr_op *func);
/* Attribute name of argument i; NULL when it has none. */
tsr_attr *tsr_tt_argument_attr(const tsr_op *func, uint32_t i, tsr_str name);
/* Makes the type of a function fit its arguments and what it returns. */
void tsr_tt_retype_function(tsr_op *func);
/* The location of a new op: a name with this behind it, where loc is a name. */
tsr_loc tsr_loc_suffixed(tsr_ctx *ctx, tsr_loc loc, const char *suffix);

#endif
