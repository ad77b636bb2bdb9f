/* c.h - a program of the engine as one file of C99 (docs/EMIT.md). */
#ifndef TSR_TARGET_C_C_H
#define TSR_TARGET_C_C_H

#include "exec/program.h"

typedef struct {
    bool apart;           /* large constants go to weights */
    tsr_str weights_file; /* how the text calls the file that weights go to; may be empty */
} tsr_c_options;

/* Writes a program, which has strict rounding, to out, and with apart its large constants to weights. False after a diagnostic at what has no
 * form in C. */
bool tsr_c_emit(const tsr_program *p, const tsr_c_options *options, tsr_buf *out, tsr_buf *weights);

#endif
