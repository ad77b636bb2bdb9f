/* cpu.h - the device file of this machine, from what was measured: each device is one of its threads. */
#ifndef TSR_SIM_CPU_H
#define TSR_SIM_CPU_H

#include "exec/run/machine.h"

/* memory: bytes of the machine. */
void tsr_cpu_device(tsr_buf *out, const tsr_machine *m, double memory);

#endif
