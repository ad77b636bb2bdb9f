/* SPDX-License-Identifier: Apache-2.0 */
/* convert.h - hooks of the column LOWERS: lower an op of TTIR to ops of TTNN. */
#ifndef TSR_LOWER_TTNN_CONVERT_H
#define TSR_LOWER_TTNN_CONVERT_H

#include "lower/ttnn/ttnn.h"

typedef struct {
    tsr_build b; /* new ops are inserted before op */
    tsr_op *op;
    enum tsr_opcode to; /* the op of the row that has the column */
} tsr_ttnn_lower;

/* A hook replaces op's results by values (tsr_ttnn_replace) and returns true, or reports why it cannot. */
typedef bool tsr_ttnn_lower_fn(tsr_ttnn_lower *l);
#include "lower/ttnn/convert_tables.h"

/* An op of TTNN with op's operands and results, and its attributes by name; the device is the last operand if
 * requested. */
tsr_op *tsr_ttnn_like(tsr_ttnn_lower *l, enum tsr_opcode to, bool device);
/* An op of TTNN with one result. */
tsr_op *tsr_ttnn_open(tsr_ttnn_lower *l, enum tsr_opcode to, tsr_value *const *in, size_t n);
/* Replaces op's first result by v, and erases op. */
bool tsr_ttnn_replace(tsr_ttnn_lower *l, tsr_value *v);
/* Inserts made with op's result types, and replaces op by it. */
bool tsr_ttnn_done(tsr_ttnn_lower *l, tsr_op *made);

#endif
