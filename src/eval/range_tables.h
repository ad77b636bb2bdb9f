/* SPDX-License-Identifier: Apache-2.0 */
/* range_tables.h - the hooks in the RANGE column of the tables; make caches its expansion (dialect/opcode.h). */
#define RANGE(hook) void range_##hook(tsr_range *r, const tsr_op *op, uint32_t i);
#include "dialect/ops.def"
