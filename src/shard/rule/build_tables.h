/* build_tables.h - hooks of the columns SHARD and SHARD_EXTRA, of the tables: make keeps its expansion (dialect/opcode.h). */
#define SHARD(fn) shard_fn shard_##fn;
#define SHARD_EXTRA(fn) shard_fn shard_##fn;
#include "dialect/ops.def"
