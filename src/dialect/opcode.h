/* opcode.h - numbers of ops and of their attribute slots, from the tables. */
#ifndef TSR_DIALECT_OPCODE_H
#define TSR_DIALECT_OPCODE_H

enum tsr_opcode {
#define OP(id, name, traits) TSR_OP_##id,
#include "dialect/ops.def"
    TSR_OP__COUNT
};

/* STABLEHLO_IOTA_iota_dimension and the like: slots of one op, from 0. */
enum tsr_slot {
#define OP(id, name, traits) TSR_SLOT0_##id = -1,
#define ATTR(id, name, constraint, need) id##_##name,
#include "dialect/ops.def"
    TSR_SLOT__END
};

#endif
