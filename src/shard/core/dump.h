/* dump.h - modules as files, for people who look at what passes do. */
#ifndef TSR_SHARD_CORE_DUMP_H
#define TSR_SHARD_CORE_DUMP_H

#include "ir/ir.h"

/* Writes dir/name.mlir; nothing when dir is empty, and a warning when it cannot (save_module.c). */
void tsr_save_module(tsr_op *module, tsr_str dir, tsr_str name);

#endif
