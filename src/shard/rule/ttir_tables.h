/* ttir_tables.h - hooks of the column SPLIT, of the tables: make keeps its expansion (dialect/opcode.h). */
#define SPLIT(rule, join, local) shard_fn shard_##rule;
#include "dialect/ops.def"
