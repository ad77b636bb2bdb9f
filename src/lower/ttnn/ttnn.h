/* SPDX-License-Identifier: Apache-2.0 */
/* ttnn.h - queries on functions for the passes from TTIR to TTNN. */
#ifndef TSR_LOWER_TTNN_TTNN_H
#define TSR_LOWER_TTNN_TTNN_H

#include "dialect/ttnn/build.h"
#include "lower/passes.h"

/* The role of a function: its attribute tt.function_type, or empty. */
tsr_str tsr_tt_function_type(const tsr_op *func);
/* Attribute name of argument i; NULL if it has none. */
tsr_attr *tsr_tt_argument_attr(const tsr_op *func, uint32_t i, tsr_str name);
/* Whether a function has one block, or none; false after a diagnostic. */
bool tsr_tt_one_block(const tsr_op *func);
/* Updates the type of a function to its arguments and returned values. */
void tsr_tt_retype_function(tsr_op *func);

/* The passes from TTIR to TTNN, according to the options of a pipeline (pipeline.c). */
void tsr_ttnn_pipeline(const tsr_pass *p, tsr_buf *out);

#endif
