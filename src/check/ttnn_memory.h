/* ttnn_memory.h - the memory of a device against the tensors of a function. */
#ifndef TSR_CHECK_TTNN_MEMORY_H
#define TSR_CHECK_TTNN_MEMORY_H

#include "check/ttnn.h"

/* False: they do not fit, or, strict, some are never given back: an error at the op. */
bool tsr_ttnn_fits(const tsr_op *func, bool strict, tsr_device_memory *out);

#endif
