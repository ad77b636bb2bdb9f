/* SPDX-License-Identifier: Apache-2.0 */
/* opcode.h - numbers of dialects, of ops and of their attribute slots, from the tables. */
#ifndef TSR_DIALECT_OPCODE_H
#define TSR_DIALECT_OPCODE_H

/* The tables take long to read. What a header needs from them is in a separate file, *_tables.h, without macros that
 * others need. make expands each once, in the build folder, where the expansion is found first. A change of other
 * columns does not change those files, and then only the files that read the tables are compiled again. */
#include "dialect/opcode_tables.h"

#endif
