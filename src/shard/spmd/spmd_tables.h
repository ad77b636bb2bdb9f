/* spmd_tables.h - hooks of the columns SPMD and SPMD_FLOW, of the tables: make keeps its expansion (dialect/opcode.h). */
#define SPMD(hook) spmd_fn spmd_##hook;
#define SPMD_FLOW(hook) spmd_fn spmd_##hook;
#include "dialect/ops.def"
