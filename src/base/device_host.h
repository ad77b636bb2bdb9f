/* SPDX-License-Identifier: Apache-2.0 */
/* device_host.h - the host as a device: its memory, and work that is done when the call returns. It has no kernels. */
#ifndef TSR_BASE_DEVICE_HOST_H
#define TSR_BASE_DEVICE_HOST_H

#include "base/device.h"

/* NULL: no memory. The caller ends it with close. */
tsr_device *tsr_device_host(int number);

#endif
