/* opcode.h - numbers of dialects, of ops and of their attribute slots, from the tables. */
#ifndef TSR_DIALECT_OPCODE_H
#define TSR_DIALECT_OPCODE_H

/* The tables take long to read, and all files need these numbers: make writes them once, from opcode_tables.h, in the build's folder.
 * A change of other columns leaves that file as it is, and then nothing but the tables' readers is compiled again. */
#if defined(TSR_GENERATED)
#include "opcode_generated.h"
#else
#include "dialect/opcode_tables.h"
#endif

#endif
