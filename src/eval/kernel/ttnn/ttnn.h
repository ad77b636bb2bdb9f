/* SPDX-License-Identifier: Apache-2.0 */
/* ttnn.h - shared by the kernels of TTNN. */
#ifndef TSR_EVAL_KERNEL_TTNN_TTNN_H
#define TSR_EVAL_KERNEL_TTNN_TTNN_H

#include "dialect/ttnn/view.h"
#include "dialect/ttnn/ttnn.h"
#include "eval/kernel/ttir/ttir.h"
#include "eval/kernel/kernels.h"
#include "eval/math/strided.h"
#include "eval/plan.h"

/* The TTIR view of c's op; NULL after a failure: TTIR has no op with these attributes. */
const tsr_ttnn_view *tsr_ttnn_view_in(tsr_call *c);
/* Runs TTIR's kernel on these operands, in the order of the view; results are c's. */
bool tsr_ttnn_run(tsr_call *c, const tsr_op *view, tsr_tensor **in);
/* Changes operand i to t for all following ops. Takes ownership of the reference; NULL means a failure that was already
 * reported. */
bool tsr_ttnn_change(tsr_call *c, uint32_t i, tsr_tensor *t);
/* Sets result i to t in its element type, including block formats, with the dimensions of the result's type. Takes
 * ownership of the reference; NULL means a failure that was already reported. */
bool tsr_ttnn_give(tsr_call *c, size_t i, tsr_tensor *t);
/* Operand i as writable doubles, owned by the caller; NULL after a failure. */
tsr_tensor *tsr_ttnn_doubles(tsr_call *c, uint32_t i);
/* The same for the only operand of a group; NULL: it is absent, or after a failure (*ok). */
tsr_tensor *tsr_ttnn_group(tsr_call *c, size_t group, bool *ok);
/* An attribute by name; NULL if it is not set. */
const tsr_attr *tsr_ttnn_attr(const tsr_call *c, const char *name);
int64_t tsr_ttnn_int(const tsr_call *c, const char *name, int64_t otherwise);
double tsr_ttnn_double(const tsr_call *c, const char *name, double otherwise);
/* Applies the activation with this number (1 + ttnn.unary_op_type) to n doubles. False: not supported here. */
bool tsr_ttnn_activate(uint8_t activation, double *v, int64_t n);

#endif
