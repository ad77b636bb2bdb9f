/* SPDX-License-Identifier: Apache-2.0 */
/* older.h - older spellings of Tenstorrent's dialects: they are read, and converted to the current ones. */
#ifndef TSR_DIALECT_OLDER_H
#define TSR_DIALECT_OLDER_H

#include "ir/ir.h"

/* Whether an op, as just read, may have an older form. */
bool tsr_op_may_be_older(const tsr_op *op);
/* Whether ops of this kind once had a property of this name, which is read and dropped. */
bool tsr_property_is_gone(const tsr_opdef *def, tsr_str name);
/* Converts every older form in a module to the current one. What it cannot convert is left to the verifier. */
void tsr_modernize(tsr_module *m);

#endif
