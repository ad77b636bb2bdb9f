/* dialect.h - the tables as objects: definitions of attributes and types, constraints, and their registration. */
#ifndef TSR_DIALECT_DIALECT_H
#define TSR_DIALECT_DIALECT_H

#include "asm/asm.h"
#include "dialect/opcode.h"

#define STRUCT(id, name, nparam, flags) extern const tsr_attrdef tsr_def_##id;
#define ENUM(id, name, flags, ...) extern const tsr_attrdef tsr_def_##id;
#define TYPE(id, name, nparam) extern const tsr_attrdef tsr_def_##id;
#define PLAIN_TYPE(id, name) extern const tsr_attrdef tsr_def_##id;
#include "dialect/attrs.def"

#define TYPE_IS(id, summary, alone, shapes, elems) extern const tsr_constraint tsr_is_##id;
#define ATTR_IS(id, summary, form, def, test) extern const tsr_constraint tsr_is_##id;
#define REGION_IS(id, summary) extern const tsr_constraint tsr_is_##id;
#include "dialect/constraints.def"

/* Registers every dialect of the tables. */
void tsr_register_all_dialects(tsr_ctx *ctx);
/* The row of an opcode. */
static inline const tsr_opdef *tsr_opdef_of(const tsr_ctx *ctx, enum tsr_opcode opcode)
{
    return &ctx->rows[opcode];
}

#endif
