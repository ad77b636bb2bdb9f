/* kernels_tables.h - kernels of the column EVAL, of the tables: make keeps its expansion (dialect/opcode.h). */
#define EVAL(fn) eval_fn eval_##fn;
#include "dialect/ops.def"
