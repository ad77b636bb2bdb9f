/* SPDX-License-Identifier: Apache-2.0 */
/* hoist.h - the modules of the device and of the host, for passes that move ops between them. */
#ifndef TSR_PASS_TTIR_HOIST_H
#define TSR_PASS_TTIR_HOIST_H

#include "pass/ttir/tt.h"

/* The module inside ttcore.device_module or ttcore.cpu_module; NULL: none. */
tsr_op *tsr_hoist_module(const tsr_op *root, uint16_t opcode);
/* Creates one for the host, at the end of root. */
tsr_op *tsr_hoist_new_module(tsr_op *root);

#endif
