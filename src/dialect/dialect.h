/* SPDX-License-Identifier: Apache-2.0 */
/* dialect.h - the tables as objects: definitions of attributes and types, constraints, and their registration. */
#ifndef TSR_DIALECT_DIALECT_H
#define TSR_DIALECT_DIALECT_H

#include "asm/asm.h"
#include "dialect/opcode.h"

#include "dialect/def_tables.h"

/* Registers every dialect of the tables. */
void tsr_register_all_dialects(tsr_ctx *ctx);
/* The row of an opcode. */
static inline const tsr_opdef *tsr_opdef_of(const tsr_ctx *ctx, enum tsr_opcode opcode)
{
    return &ctx->rows[opcode];
}

#endif
