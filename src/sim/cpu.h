/* SPDX-License-Identifier: Apache-2.0 */
/* cpu.h - writes a device file for this machine from measured rates: each device is one thread. */
#ifndef TSR_SIM_CPU_H
#define TSR_SIM_CPU_H

#include "exec/cpu/machine.h"

/* memory: bytes of memory of the machine. */
void tsr_cpu_device(tsr_buf *out, const tsr_machine *m, double memory);

#endif
