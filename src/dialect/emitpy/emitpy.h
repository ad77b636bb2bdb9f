/* SPDX-License-Identifier: Apache-2.0 */
/* emitpy.h - creating and querying types and attributes of emitpy. */
#ifndef TSR_DIALECT_EMITPY_EMITPY_H
#define TSR_DIALECT_EMITPY_EMITPY_H

#include "dialect/dialect.h"

/* #emitpy.opaque<"text">, !emitpy.opaque<"text">, !emitpy.dict, !emitpy.str. */
tsr_attr *tsr_emitpy_text(tsr_ctx *ctx, tsr_str text);
tsr_type *tsr_emitpy_opaque(tsr_ctx *ctx, tsr_str text);
tsr_type *tsr_emitpy_dict(tsr_ctx *ctx);
tsr_type *tsr_emitpy_str(tsr_ctx *ctx);
static inline bool tsr_emitpy_is(const tsr_type *t, const tsr_attrdef *def)
{
    return tsr_type_is(t, TSR_TYPE_DIALECT) && t->def == def;
}
/* Whether a word may be a variable name; why: what is wrong with it. */
bool tsr_python_identifier(tsr_str name, const char **why);

#endif
