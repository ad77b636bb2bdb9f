/* SPDX-License-Identifier: Apache-2.0 */
/* mesh.h - the engine that runs compiled programs, for eval/mesh.h: programs of a module, each compiled once. */
#ifndef TSR_EXEC_MESH_H
#define TSR_EXEC_MESH_H

#include "eval/mesh.h"
#include "exec/programs.h"

/* The module must not change while the engine exists. options may be NULL. */
tsr_stepper *tsr_compiled_new(tsr_module *m, const tsr_program_options *options);
/* The same for programs that outlive it. */
tsr_stepper *tsr_compiled_over(tsr_programs *programs);
void tsr_compiled_free(tsr_stepper *g);
/* The program of a function, compiled at the first request. Not thread-safe. */
tsr_program *tsr_compiled_program(tsr_stepper *g, const tsr_op *function);

/* From now on, adds up the times of one program's groups over all devices that run it. times: by group of p, or
 * NULL. */
void tsr_compiled_time(tsr_stepper *g, const tsr_program *p, double (*clock)(void),
                       tsr_group_time *times);
/* The same for a trace of one program, or NULL: events of all devices. */
void tsr_compiled_trace(tsr_stepper *g, struct tsr_trace *trace);

#endif
