/* SPDX-License-Identifier: Apache-2.0 */
/* devices.h - devices of plug-ins, by name: "cuda" is the first of tessera_cuda.so, "cuda:1" the second. */
#ifndef TSR_BASE_DEVICES_H
#define TSR_BASE_DEVICES_H

#include "base/device.h"
#include "base/str.h"

/* What a plug-in exports (base/device.h); parts and compile may be NULL. */
typedef struct {
    tsr_device_open_fn *open;
    tsr_device_count_fn *count;
    tsr_device_parts_fn *parts;
    tsr_device_compile_fn *compile;
} tsr_device_kind;

/* The plug-in of a kind, such as "cuda". False: status says why. */
bool tsr_device_kind_find(tsr_str kind, tsr_device_kind *out, tsr_status *status);
/* Whether a name is that of a device: of a kind, or kind:number. */
bool tsr_device_name_split(tsr_str name, tsr_str *kind, int *number);

/* Opens a device, which all of the process share that open it by this name, from any thread; each closes it, and it ends
 * when its memory has been released, too. NULL: status says why. Functions of it may be called from any thread, but
 * close, which only tsr_devices_close calls. */
tsr_device *tsr_devices_open(tsr_str name, tsr_status *status);
void tsr_devices_close(void *device); /* NULL is allowed; as a cleanup of a scope takes it */
/* Whether two open devices are of one kind, so that one copies from the other. */
bool tsr_devices_are_kin(const tsr_device *a, const tsr_device *b);
/* The kind of an open device. */
const char *tsr_devices_kind(const tsr_device *d);

#endif
