/* SPDX-License-Identifier: Apache-2.0 */
/* code.h - instructions of loops. */
#ifndef TSR_EXEC_CODE_H
#define TSR_EXEC_CODE_H

#include "exec/program.h"

/* Generates the instructions of a LOOP group. registers: scratch, one per value of the program. */
void tsr_code_group(tsr_program *p, tsr_xid group, uint16_t *registers);

#endif
