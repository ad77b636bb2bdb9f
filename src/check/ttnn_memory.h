/* SPDX-License-Identifier: Apache-2.0 */
/* ttnn_memory.h - compares the memory of a device with the live tensors of a function. */
#ifndef TSR_CHECK_TTNN_MEMORY_H
#define TSR_CHECK_TTNN_MEMORY_H

#include "check/ttnn.h"

/* False: they do not fit, or, with strict, some are never deallocated: reports an error at the op. */
bool tsr_ttnn_fits(const tsr_op *func, bool strict, tsr_device_memory *out);

#endif
