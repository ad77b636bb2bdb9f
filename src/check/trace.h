/* trace.h - a recorded run as a file that chrome://tracing and Perfetto open, with numbers of each group. */
#ifndef TSR_CHECK_TRACE_H
#define TSR_CHECK_TRACE_H

#include "exec/run/machine.h"
#include "exec/run/trace.h"

/* Writes JSON in Chrome's trace format: a process whose rows are devices, one whose rows are threads. machine: what efficiency is measured
 * by; NULL: it is not. */
void tsr_trace_write(const tsr_trace *t, const tsr_machine *machine, tsr_buf *out);

#endif
