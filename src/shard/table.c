/* SPDX-License-Identifier: Apache-2.0 */
/* table.c - the table of sharding passes. */
#include "shard/passes.h"

#define TABLE "shard/pass.def"
#define TABLE_NAME tsr_shard_passes
#include "pass/table.def"
