/* ttir_tables.h - hooks of the columns TTIR, TTIR_ANY and TTIR_FIRST, of the tables: make keeps its expansion (dialect/opcode.h). */
#define TTIR(hook) tsr_ttir_fn ttir_##hook;
#define TTIR_ANY(hook) tsr_ttir_fn ttir_##hook;
#define TTIR_FIRST(hook) tsr_ttir_fn ttir_##hook;
#include "dialect/ops.def"
