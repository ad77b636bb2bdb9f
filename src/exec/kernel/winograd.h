/* SPDX-License-Identifier: Apache-2.0 */
/* winograd.h - convolutions with 3x3 windows that move by one pixel, with 16 multiplications for 2x2 pixels of the
 * result instead of 36 (Winograd's minimal filtering F(2x2, 3x3)).
 *
 * Sums of neighbouring pixels are multiplied by sums of weights. Rounding errors of a pixel are therefore relative to its
 * neighbours, too: where some are much larger than the rest of the image, or not finite, the windows are multiplied as
 * usual. So they are in programs with strict rounding. */
#ifndef TSR_EXEC_KERNEL_WINOGRAD_H
#define TSR_EXEC_KERNEL_WINOGRAD_H

#include "exec/kernel/gemm.h"

/* Whether a product is such a convolution, and large enough: by its shapes alone. */
bool tsr_winograd_fits(const tsr_gemm *g);
/* False: nothing was computed, because of the numbers in the operands, or for lack of memory. The bits depend on shapes
 * and operands only. */
bool tsr_winograd_run(const tsr_gemm *g);

#endif
