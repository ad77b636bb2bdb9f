/* older.h - spellings of Tenstorrent's dialects that are no longer written: read, and turned into today's. */
#ifndef TSR_DIALECT_OLDER_H
#define TSR_DIALECT_OLDER_H

#include "ir/ir.h"

/* Whether an op, as it was just read, may have an older form. */
bool tsr_op_may_be_older(const tsr_op *op);
/* Whether ops of this kind once had a property of this name, which is read and dropped. */
bool tsr_property_is_gone(const tsr_opdef *def, tsr_str name);
/* Turns every older form of a module into today's. What it cannot place stays for the verifier. */
void tsr_modernize(tsr_module *m);

#endif
