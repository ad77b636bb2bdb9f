/* SPDX-License-Identifier: Apache-2.0 */
/* convert_tables.h - the hooks of the column LOWERS, from the op tables; make caches the expansion
 * (dialect/opcode.h). */
#define LOWERS(id, from, hook) tsr_ttnn_lower_fn lower_##hook;
#include "dialect/ops.def"
