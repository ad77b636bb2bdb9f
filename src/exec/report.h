/* SPDX-License-Identifier: Apache-2.0 */
/* report.h - reports on programs: cost of groups, memory and values live at the peak, times; as text and as JSON. */
#ifndef TSR_EXEC_REPORT_H
#define TSR_EXEC_REPORT_H

#include "exec/contract.h"
#include "exec/program.h"

typedef TSR_VEC(tsr_xid) tsr_xid_vec;

/* Cost of one run of a group. Elementwise ops and reductions count one flop per element, a product two. */
typedef struct {
    uint64_t read, written, flops;
} tsr_group_cost;
tsr_group_cost tsr_group_cost_of(const tsr_program *p, const tsr_xgroup *g);
/* Values in memory that a group reads, or writes, each once. */
void tsr_group_values(const tsr_program *p, const tsr_xgroup *g, bool writes, tsr_xid_vec *out);

/* A value in memory at the peak, largest first: arguments, results, results of the evaluator's kernels, planned
 * values. */
typedef struct {
    tsr_xid value;
    uint64_t bytes;
    const char *role;
    const tsr_op *op; /* may be NULL */
} tsr_alive;
typedef TSR_VEC(tsr_alive) tsr_alive_vec;
void tsr_program_alive(const tsr_program *p, tsr_alive_vec *out);

void tsr_report_type(tsr_buf *out, const tsr_xvalue *x); /* "4x8xf32" */
void tsr_report_place(const tsr_program *p, tsr_loc loc, tsr_buf *out);
void tsr_report_memory(const tsr_program *p, tsr_buf *out);
void tsr_report_memory_json(const tsr_program *p, tsr_buf *out);
void tsr_report_program_json(const tsr_program *p, tsr_buf *out);
/* times: by group, summed over `repeat` runs. */
void tsr_report_times(const tsr_program *p, const tsr_group_time *times, uint32_t repeat,
                      tsr_buf *out);
void tsr_report_times_json(const tsr_program *p, const tsr_group_time *times, uint32_t repeat,
                           tsr_buf *out);

#endif
