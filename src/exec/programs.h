/* SPDX-License-Identifier: Apache-2.0 */
/* programs.h - programs of a module, each compiled once (compile/programs.c). */
#ifndef TSR_EXEC_PROGRAMS_H
#define TSR_EXEC_PROGRAMS_H

#include "exec/program.h"

typedef struct tsr_programs tsr_programs;

/* The module must not change while they exist. options may be NULL. */
tsr_programs *tsr_programs_new(tsr_module *m, const tsr_program_options *options);
void tsr_programs_free(tsr_programs *x);
/* The program of a function, compiled at the first request. Not thread-safe. */
tsr_program *tsr_programs_get(tsr_programs *x, const tsr_op *function);
/* The same if it has been compiled; NULL: it has not. */
tsr_program *tsr_programs_find(const tsr_programs *x, const tsr_op *function);

#endif
