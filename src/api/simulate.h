/* SPDX-License-Identifier: Apache-2.0 */
/* simulate.h - simulating a module by request: device files by name or path, and the resulting report. */
#ifndef TSR_API_SIMULATE_H
#define TSR_API_SIMULATE_H

#include "api/shard.h"
#include "sim/sim.h"
#include "sim/transformer.h"

/* The line, the column and the source line of byte `at` of a text. */
void tsr_text_position(tsr_str text, size_t at, tsr_diag *out);

/* A device by the name of a known one, or by the path of a device file; empty: h100. Memory comes from the arena. False
 * with a status, whose message has the location; *bad, which may be NULL, is the diagnostic of an invalid file; its
 * line is 0 if it is about no file. */
bool tsr_device_file_load(tsr_arena *arena, tsr_str name, tsr_device_file *out, tsr_diag *bad,
                          tsr_status *status);

typedef struct {
    tsr_sim sim;
    tsr_shard_plan plan;
    tsr_sim_report report;
} tsr_simulated;

/* The report of a partitioned module; work: of the undivided one (tsr_sim_work), or 0: what all devices do. Its memory is
 * an estimate, but with sim.keep. */
void tsr_simulate_local(tsr_arena *arena, tsr_module *m, tsr_op *func, const tsr_device_file *d,
                        double work, tsr_simulated *out);
/* Its memory as the engine plans it, where the engine compiles the program. */
void tsr_simulate_memory(tsr_simulated *s);
/* Partitions a module that is not partitioned, and simulates it. False after diagnostics, or with a status. */
bool tsr_simulate(tsr_arena *arena, tsr_module *m, const tsr_shard_request *request,
                  const tsr_device_file *d, tsr_simulated *out, tsr_status *status);
void tsr_simulated_free(tsr_simulated *s);

#endif
