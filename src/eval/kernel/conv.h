/* SPDX-License-Identifier: Apache-2.0 */
/* conv.h - convolutions of any layout, stride, dilation and grouping, for all ops that compute one. */
#ifndef TSR_EVAL_KERNEL_CONV_H
#define TSR_EVAL_KERNEL_CONV_H

#include "eval/eval.h"

enum { TSR_CONV_SPATIAL = TSR_MAX_RANK - 2 };

typedef struct {
    tsr_call *c;
    const tsr_tensor *in, *k;
    tsr_type *elem; /* of the result */
    tsr_tensor *out;
    size_t n;                                                          /* spatial dimensions */
    int64_t in_batch, in_feature, k_in, k_out, out_batch, out_feature; /* dimensions */
    int64_t in_sp[TSR_CONV_SPATIAL], k_sp[TSR_CONV_SPATIAL], out_sp[TSR_CONV_SPATIAL];
    int64_t stride[TSR_CONV_SPATIAL], low[TSR_CONV_SPATIAL], high[TSR_CONV_SPATIAL];
    int64_t in_dil[TSR_CONV_SPATIAL], k_dil[TSR_CONV_SPATIAL];
    bool reverse[TSR_CONV_SPATIAL];
    int64_t feature_groups, batch_groups;
    int64_t window, positions; /* products of kernel and output spatial dims; set by tsr_convolve */
} tsr_conv_run;

/* The parameters of an op's window and dimensions; n is above TSR_CONV_SPATIAL if a list is too long. */
tsr_conv_run tsr_conv_numbers(const tsr_op *op);
/* Sets v->out, which the caller owns, on success. */
bool tsr_convolve(tsr_conv_run *v);

#endif
