/* view_tables.h - hooks of the column VIEW, of the tables: make keeps its expansion (dialect/opcode.h). */
#define VIEW(hook) tsr_ttnn_view_fn view_##hook;
#include "dialect/ops.def"
