/* SPDX-License-Identifier: Apache-2.0 */
/* needs.h - requirements of devices' kernels on operands and results (needs.def). */
#ifndef TSR_PASS_TTNN_NEEDS_H
#define TSR_PASS_TTNN_NEEDS_H

#include "pass/ttnn/nn.h"

/* optimized: only requirements that an optimizer does not handle itself. */
void tsr_nn_fit_needs(tsr_pass *p, tsr_op *root, bool optimized);

#endif
