/* SPDX-License-Identifier: Apache-2.0 */
/* advice.h - remarks on a sharding before it runs: padding, idle devices, nothing sharded. */
#ifndef TSR_SHARD_SPMD_ADVICE_H
#define TSR_SHARD_SPMD_ADVICE_H

#include "ir/ir.h"

/* Remarks on a module after propagation, before it is partitioned. */
void tsr_shard_advise(tsr_op *func);

#endif
