/* build_tables.h - hooks of the column EXEC, of the tables: make keeps its expansion (dialect/opcode.h). */
#define EXEC(hook) bool exec_##hook(tsr_xbuilder *b, tsr_op *op);
#include "dialect/ops.def"
