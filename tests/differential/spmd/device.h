/* device.h - random programs on a device of a plug-in. */
#ifndef TSR_TEST_SPMD_DEVICE_H
#define TSR_TEST_SPMD_DEVICE_H

#include "tessera/tessera.h"

/* Runs @main on the first device of the plug-in at path, which stays open until device_end. */
bool device_run(const char *path, tsr_module *m, tsr_tensor *const *in, size_t nin,
                tsr_tensor **out, size_t nout, tsr_status *status);
void device_end(void);

#endif
