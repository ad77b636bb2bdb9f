/* ttnn.h - what kernels of TTNN share. */
#ifndef TSR_EVAL_KERNEL_TTNN_TTNN_H
#define TSR_EVAL_KERNEL_TTNN_TTNN_H

#include "dialect/ttnn/view.h"
#include "dialect/ttnn/ttnn.h"
#include "eval/kernel/ttir/ttir.h"
#include "eval/kernel/kernels.h"
#include "eval/math/strided.h"
#include "eval/plan.h"

/* What c's op is in TTIR; NULL after a failure: TTIR has no op with these attributes. */
const tsr_ttnn_view *tsr_ttnn_view_in(tsr_call *c);
/* Runs TTIR's kernel on these operands, in the order of the view's; results are c's. */
bool tsr_ttnn_run(tsr_call *c, const tsr_op *view, tsr_tensor **in);
/* Operand i is t from here on, for all ops that follow. Takes over the reference; NULL counts as a failure that was told. */
bool tsr_ttnn_change(tsr_call *c, uint32_t i, tsr_tensor *t);
/* Result i is t in its element type, formats of blocks included, under the dimensions of the result's type. Takes over the reference;
 * NULL counts as a failure that was told. */
bool tsr_ttnn_give(tsr_call *c, size_t i, tsr_tensor *t);
/* Operand i as doubles that may be written, as the caller's own; NULL after a failure. */
tsr_tensor *tsr_ttnn_doubles(tsr_call *c, uint32_t i);
/* The one operand of a group in the same way; NULL: it is not there, or after a failure (*ok). */
tsr_tensor *tsr_ttnn_group(tsr_call *c, size_t group, bool *ok);
/* An attribute by name; NULL: it is not set. */
const tsr_attr *tsr_ttnn_attr(const tsr_call *c, const char *name);
int64_t tsr_ttnn_int(const tsr_call *c, const char *name, int64_t otherwise);
double tsr_ttnn_double(const tsr_call *c, const char *name, double otherwise);
/* The function of an activation's number (1 + ttnn.unary_op_type), on n doubles. False: there is none here. */
bool tsr_ttnn_activate(uint8_t activation, double *v, int64_t n);

#endif
