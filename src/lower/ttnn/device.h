/* SPDX-License-Identifier: Apache-2.0 */
/* device.h - descriptions of systems and devices. */
#ifndef TSR_LOWER_TTNN_DEVICE_H
#define TSR_LOWER_TTNN_DEVICE_H

#include "pass/pass.h"

/* #ttcore.system_desc of n chips of an architecture, each linked to the next; NULL: unknown architecture. */
tsr_attr *tsr_ttcore_describe(tsr_ctx *ctx, tsr_str arch, int64_t n);
/* The module that a device runs: the one in a ttcore.device_module if there is one. */
tsr_op *tsr_ttcore_device_module(tsr_op *root);
/* Adds the device of a mesh of at most 8 dimensions (a single device: none) at the start of the module that it runs.
 * False after a diagnostic. */
bool tsr_ttcore_add_device(tsr_op *root, const tsr_attr *system, const int64_t *dims, size_t n);
/* The pass, without its option system-desc-path. */
bool tsr_ttcore_register_device(tsr_pass *p, tsr_op *root);

#endif
