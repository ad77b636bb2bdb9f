/* SPDX-License-Identifier: Apache-2.0 */
/* c.h - emits a program of the engine as one file of C99 (docs/EMIT.md). */
#ifndef TSR_TARGET_C_C_H
#define TSR_TARGET_C_C_H

#include "exec/target.h"

typedef struct {
    bool apart;           /* store large constants in weights */
    tsr_str weights_file; /* name of the weights file in the text; may be empty */
} tsr_c_options;

/* Writes a program, which has strict rounding, to out; with apart, its large constants go to weights. False after a
 * diagnostic at an op that cannot be emitted. */
bool tsr_c_emit(const tsr_program *p, const tsr_c_options *options, tsr_buf *out, tsr_buf *weights);

/* The target of such programs. */
tsr_target tsr_c_target(void);

#endif
