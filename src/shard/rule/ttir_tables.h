/* SPDX-License-Identifier: Apache-2.0 */
/* ttir_tables.h - the hooks of the column SPLIT, from the op tables; make caches the expansion (dialect/opcode.h). */
#define SPLIT(rule, join, local) shard_fn shard_##rule;
#include "dialect/ops.def"
