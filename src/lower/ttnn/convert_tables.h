/* convert_tables.h - hooks of the column LOWERS, of the tables: make keeps its expansion (dialect/opcode.h). */
#define LOWERS(id, from, hook) tsr_ttnn_lower_fn lower_##hook;
#include "dialect/ops.def"
