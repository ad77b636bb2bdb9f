/* SPDX-License-Identifier: Apache-2.0 */
/* emit.h - C++ and Python text from the ops that represent its statements. */
#ifndef TSR_TARGET_EMIT_EMIT_H
#define TSR_TARGET_EMIT_EMIT_H

#include "dialect/dialect.h"

/* A module of emitc, func and nested ops as C++; file: the wanted emitc.file, or empty. False after a diagnostic. */
bool tsr_emit_cpp(const tsr_module *m, tsr_str file, tsr_buf *out);
/* A module of emitpy, func and nested ops as Python; file: the wanted emitpy.file, or empty. */
bool tsr_emit_python(const tsr_module *m, tsr_str file, tsr_buf *out);

/* Two spaces for each level. */
static inline void tsr_emit_indent(tsr_buf *out, unsigned depth)
{
    for (unsigned i = 0; i < depth; i++)
        tsr_buf_cstr(out, "  ");
}

#endif
