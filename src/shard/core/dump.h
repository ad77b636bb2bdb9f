/* SPDX-License-Identifier: Apache-2.0 */
/* dump.h - saves modules to files, to inspect the effect of passes. */
#ifndef TSR_SHARD_CORE_DUMP_H
#define TSR_SHARD_CORE_DUMP_H

#include "ir/ir.h"

/* Writes dir/name.mlir; does nothing if dir is empty, and warns on failure (save_module.c). */
void tsr_save_module(tsr_op *module, tsr_str dir, tsr_str name);

#endif
