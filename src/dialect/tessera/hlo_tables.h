/* hlo_tables.h - hooks of the column HLO, of the tables: make keeps its expansion (dialect/opcode.h). */
#define HLO(hook) tsr_hlo_fn hlo_##hook;
#include "dialect/ops.def"
