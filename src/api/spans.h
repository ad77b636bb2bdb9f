/* spans.h - memory of a caller's: which inputs and outputs are one, and whether others overlap. */
#ifndef TSR_API_SPANS_H
#define TSR_API_SPANS_H

#include "base/status.h"
#include "eval/tensor.h"

enum { TSR_NO_OUTPUT = -1 };

/* Tensors over the caller's memory, each of which may be NULL. No output may overlap another tensor, but for inputs that are given
 * up, whose memory it may be: of[k] is that output of input k, or TSR_NO_OUTPUT. False after a status. */
bool tsr_spans_match(tsr_tensor *const *in, size_t nin, tsr_tensor *const *out, size_t nout,
                     const bool *given_up, int64_t *of, tsr_status *status);

#endif
