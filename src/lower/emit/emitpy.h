/* SPDX-License-Identifier: Apache-2.0 */
/* emitpy.h - shared by the passes that create emitpy. */
#ifndef TSR_LOWER_EMIT_EMITPY_H
#define TSR_LOWER_EMIT_EMITPY_H

#include <stdio.h>

#include "dialect/emitpy/emitpy.h"
#include "lower/emit/emit.h"

/* A call while its arguments are collected. */
typedef struct {
    tsr_value_vec in;
    tsr_attr_vec args, keys;
} tsr_emitpy_call;

tsr_type *tsr_emitpy_type(tsr_type *t);
void tsr_emitpy_add_text(tsr_ctx *ctx, tsr_emitpy_call *c, tsr_str key, tsr_str text);
void tsr_emitpy_add_value(tsr_ctx *ctx, tsr_emitpy_call *c, tsr_str key, tsr_value *v);
tsr_op *tsr_emitpy_end_call(tsr_build *b, tsr_emitpy_call *c, tsr_str callee,
                            tsr_type *const *types, size_t nout);
tsr_value *tsr_emitpy_list(tsr_build *b, tsr_value *const *in, size_t n);
tsr_value *tsr_emitpy_element(tsr_build *b, tsr_value *list, size_t i);

#endif
