/* SPDX-License-Identifier: Apache-2.0 */
/* spans.h - the caller's memory: which inputs and outputs are the same, and whether others overlap. */
#ifndef TSR_API_SPANS_H
#define TSR_API_SPANS_H

#include "base/status.h"
#include "eval/tensor.h"

enum { TSR_NO_OUTPUT = -1 };

/* Tensors over the caller's memory, any of which may be NULL. No output may overlap another tensor, except that it may
 * be exactly the memory of a donated input: of[k] is that output of input k, or TSR_NO_OUTPUT. False after a status. */
bool tsr_spans_match(tsr_tensor *const *in, size_t nin, tsr_tensor *const *out, size_t nout,
                     const bool *given_up, int64_t *of, tsr_status *status);

#endif
