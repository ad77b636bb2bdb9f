/* SPDX-License-Identifier: Apache-2.0 */
/* build_tables.h - prototypes of the hooks in column EXEC of the tables; make caches the expansion
 * (dialect/opcode.h). */
#define TSR_ROWS_ALL /* of MINIMAL builds, too: shared files define hooks for both */
#define EXEC(hook) bool exec_##hook(tsr_xbuilder *b, tsr_op *op);
#include "dialect/ops.def"
#undef TSR_ROWS_ALL
