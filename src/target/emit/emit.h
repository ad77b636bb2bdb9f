/* emit.h - text of C++ and Python from the ops that represent its statements. */
#ifndef TSR_TARGET_EMIT_EMIT_H
#define TSR_TARGET_EMIT_EMIT_H

#include "dialect/dialect.h"

/* A module of emitc, func and what they hold, as C++; file: the emitc.file that is wanted, or nothing. False after a diagnostic. */
bool tsr_emit_cpp(const tsr_module *m, tsr_str file, tsr_buf *out);
/* A module of emitpy, func and what they hold, as Python; file: the emitpy.file that is wanted, or nothing. */
bool tsr_emit_python(const tsr_module *m, tsr_str file, tsr_buf *out);

#endif
