/* SPDX-License-Identifier: Apache-2.0 */
/* devices.h - devices of plug-ins, for what compiles programs for them. */
#ifndef TSR_API_DEVICES_H
#define TSR_API_DEVICES_H

#include "base/device.h"
#include "exec/program.h"

struct tsr_backend;

/* What runs programs on such a device: kernels from text, if it has them. NULL: this processor, for none. */
const struct tsr_backend *tsr_backend_of(const tsr_device *d);
/* Whether the program has code for its device, and fits into its memory: all of it (empty), or what is left now. A status
 * with the largest values if not. */
bool tsr_device_takes(const tsr_program *p, bool empty, tsr_status *status);
/* Writes the texts of a program's kernels to files of this folder, which is there: kernel0.cu and so on. */
bool tsr_device_write_kernels(const tsr_program *p, const char *folder, tsr_status *status);

#endif
