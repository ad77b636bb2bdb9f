/* SPDX-License-Identifier: Apache-2.0 */
/* kernels_tables.h - the kernels in the EVAL column of the tables; make caches its expansion (dialect/opcode.h). */
#define EVAL(fn) eval_fn eval_##fn;
#include "dialect/ops.def"
