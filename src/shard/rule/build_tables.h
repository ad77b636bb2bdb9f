/* SPDX-License-Identifier: Apache-2.0 */
/* build_tables.h - the hooks of the columns SHARD and SHARD_EXTRA, from the op tables; make caches the expansion
 * (dialect/opcode.h). */
#define SHARD(fn) shard_fn shard_##fn;
#define SHARD_EXTRA(fn) shard_fn shard_##fn;
#include "dialect/ops.def"
