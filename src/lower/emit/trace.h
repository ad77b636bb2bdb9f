/* SPDX-License-Identifier: Apache-2.0 */
/* trace.h - parts of the conversion to emitc that are also needed to record a trace. */
#ifndef TSR_LOWER_EMIT_TRACE_H
#define TSR_LOWER_EMIT_TRACE_H

#include "lower/emit/emit.h"

tsr_type *tsr_emitc_tensor(tsr_ctx *ctx);
tsr_type *tsr_emitc_type(tsr_type *t);
/* A call; type NULL: it returns nothing. */
tsr_op *tsr_emitc_call(tsr_build *b, tsr_str callee, tsr_value *const *in, size_t n,
                       tsr_type *type);
tsr_value *tsr_emitc_get(tsr_build *b, tsr_value *v, size_t i, tsr_type *type);
tsr_value *tsr_emitc_apply(tsr_build *b, const char *sign, tsr_value *v, tsr_type *type);
tsr_value *tsr_emitc_constant(tsr_build *b, tsr_attr *value, tsr_type *type);
tsr_value *tsr_emitc_global_place(tsr_build *b, tsr_str name, tsr_type *type);

/* capture_or_execute_trace: a function that records at its first call and replays the trace at later ones. */
void tsr_emitc_trace(tsr_build *b, tsr_op *op);

#endif
