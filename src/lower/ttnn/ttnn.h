/* ttnn.h - what passes from TTIR to TTNN ask of functions. */
#ifndef TSR_LOWER_TTNN_TTNN_H
#define TSR_LOWER_TTNN_TTNN_H

#include "dialect/ttnn/build.h"
#include "lower/passes.h"

/* What a function is for: its attribute tt.function_type, or nothing. */
tsr_str tsr_tt_function_type(const tsr_op *func);
/* Attribute name of argument i; NULL when it has none. */
tsr_attr *tsr_tt_argument_attr(const tsr_op *func, uint32_t i, tsr_str name);
/* Whether a function has one block, or none; false after a diagnostic. */
bool tsr_tt_one_block(const tsr_op *func);
/* Makes the type of a function fit its arguments and what it returns. */
void tsr_tt_retype_function(tsr_op *func);

/* The passes from TTIR to TTNN, as the options of a pipeline say (pipeline.c). */
void tsr_ttnn_pipeline(const tsr_pass *p, tsr_buf *out);

#endif
