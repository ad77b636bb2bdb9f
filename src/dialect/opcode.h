/* opcode.h - numbers of dialects, of ops and of their attribute slots, from the tables. */
#ifndef TSR_DIALECT_OPCODE_H
#define TSR_DIALECT_OPCODE_H

enum tsr_dialect {
    TSR_DIALECT_UNKNOWN, /* not registered */
#define DIALECT(id, name, open) TSR_DIALECT_##id,
#include "dialect/dialects.def"
};

/* One list for both, because reading the tables is what a file pays most for. Opcodes count from 0, and so do the slots of
 * one op: STABLEHLO_IOTA_iota_dimension and the like. */
enum tsr_opcode {
    TSR_OP__BASE = __COUNTER__ + 1,
#define OP(id, name, traits) TSR_OP_##id = __COUNTER__ - TSR_OP__BASE, TSR_SLOT0_##id = -1,
#define ATTR(id, name, constraint, need) id##_##name,
#include "dialect/ops.def"
    TSR_OP__COUNT = __COUNTER__ - TSR_OP__BASE
};

#endif
