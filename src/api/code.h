/* SPDX-License-Identifier: Apache-2.0 */
/* code.h - a function as C, for the tools and the public API. */
#ifndef TSR_API_CODE_H
#define TSR_API_CODE_H

#include "target/c/c.h"

/* A function of a runnable module as one C99 file (docs/EMIT.md). False after a diagnostic. */
bool tsr_code_c(tsr_module *m, const tsr_op *func, const tsr_c_options *options, tsr_buf *out,
                tsr_buf *weights);

#endif
