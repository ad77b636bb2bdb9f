/* SPDX-License-Identifier: Apache-2.0 */
/* trace.h - writes a recorded run as a file for chrome://tracing and Perfetto, with figures for each group. */
#ifndef TSR_CHECK_TRACE_H
#define TSR_CHECK_TRACE_H

#include "exec/cpu/machine.h"
#include "exec/run/trace.h"

/* Writes JSON in Chrome's trace format: a process whose rows are devices, one whose rows are threads. machine: the
 * rates against which efficiency is measured; NULL: it is not. */
void tsr_trace_write(const tsr_trace *t, const tsr_machine *machine, tsr_buf *out);

#endif
