/* opcode.h - numbers of dialects, of ops and of their attribute slots, from the tables. */
#ifndef TSR_DIALECT_OPCODE_H
#define TSR_DIALECT_OPCODE_H

/* The tables take long to read. What a header takes from them is in a file of its own, *_tables.h, without macros that others need.
 * make writes the expansion of each once, in the build's folder, where it is found first. A change of other columns leaves those
 * files as they are, and then nothing but the tables' readers is compiled again. */
#include "dialect/opcode_tables.h"

#endif
