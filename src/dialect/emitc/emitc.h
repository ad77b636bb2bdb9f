/* SPDX-License-Identifier: Apache-2.0 */
/* emitc.h - creating and querying types and attributes of emitc. */
#ifndef TSR_DIALECT_EMITC_EMITC_H
#define TSR_DIALECT_EMITC_EMITC_H

#include "dialect/dialect.h"

/* #emitc.opaque<"text">, !emitc.opaque<"text">, !emitc.ptr<T>, !emitc.lvalue<T>. */
tsr_attr *tsr_emitc_text(tsr_ctx *ctx, tsr_str text);
tsr_type *tsr_emitc_opaque(tsr_ctx *ctx, tsr_str text);
tsr_type *tsr_emitc_ptr(tsr_type *to);
tsr_type *tsr_emitc_lvalue(tsr_type *of);
/* T of a type of this row, which is tsr_def_EMITC_PTR or tsr_def_EMITC_LVALUE; NULL for other types. */
tsr_type *tsr_emitc_inner(const tsr_type *t, const tsr_attrdef *def);

#endif
