/* SPDX-License-Identifier: Apache-2.0 */
/* device.h - random programs on a device. */
#ifndef TSR_TEST_SPMD_DEVICE_H
#define TSR_TEST_SPMD_DEVICE_H

#include "tessera/tessera.h"

/* Runs @main on a device, by its name (base/devices.h), which stays open until device_end. */
bool device_run(const char *name, tsr_module *m, tsr_tensor *const *in, size_t nin,
                tsr_tensor **out, size_t nout, tsr_status *status);
void device_end(void);

#endif
