/* range_tables.h - hooks of the column RANGE, of the tables: make keeps its expansion (dialect/opcode.h). */
#define RANGE(hook) void range_##hook(tsr_range *r, const tsr_op *op, uint32_t i);
#include "dialect/ops.def"
