/* SPDX-License-Identifier: Apache-2.0 */
/* opcode_tables.h - the enums of opcode.h, generated from the tables.
 *
 * A build with MINIMAL=1 leaves out tt-mlir's dialects. Shared code names a few of their ops: they keep names, with
 * numbers that nothing has. */
enum tsr_dialect {
    TSR_DIALECT_UNKNOWN, /* not registered */
#define DIALECT(id, name, open) TSR_DIALECT_##id,
#include "dialect/dialects.def"
#ifdef TSR_MINIMAL
#define TSR_ROWS_LEFT_OUT
#define DIALECT(id, name, open) TSR_DIALECT_##id,
#include "dialect/dialects.def"
#undef TSR_ROWS_LEFT_OUT
#endif
};

/* One list for both, because reading the tables dominates the compile time of a file. Opcodes count from 0, and so do
 * the slots of one op: STABLEHLO_IOTA_iota_dimension and the like. */
enum tsr_opcode {
    TSR_OP__BASE = __COUNTER__ + 1,
#define OP(id, name, traits) TSR_OP_##id = __COUNTER__ - TSR_OP__BASE, TSR_SLOT0_##id = -1,
#define ATTR(id, name, constraint, need) id##_##name,
#include "dialect/ops.def"
    TSR_OP__COUNT = __COUNTER__ - TSR_OP__BASE,
#ifdef TSR_MINIMAL
#define TSR_ROWS_LEFT_OUT
#define OP(id, name, traits) TSR_OP_##id = __COUNTER__ - TSR_OP__BASE, TSR_SLOT0_##id = -1,
#define ATTR(id, name, constraint, need) id##_##name,
#include "dialect/ops.def"
#undef TSR_ROWS_LEFT_OUT
#endif
};
