/* needs.h - what devices' kernels ask of operands and results (needs.def). */
#ifndef TSR_PASS_TTNN_NEEDS_H
#define TSR_PASS_TTNN_NEEDS_H

#include "pass/ttnn/nn.h"

/* optimized: only what an optimizer would not see to. */
void tsr_nn_fit_needs(tsr_pass *p, tsr_op *root, bool optimized);

#endif
