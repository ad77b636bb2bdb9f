/* code.h - instructions of loops. */
#ifndef TSR_EXEC_CODE_H
#define TSR_EXEC_CODE_H

#include "exec/program.h"

/* Makes the instructions of a LOOP group, registers and blocks included. registers: scratch, one for each value of the program. */
void tsr_code_group(tsr_program *p, tsr_xid group, uint16_t *registers);
/* fuse.c: the same with fewer instructions; their number. */
size_t tsr_code_fuse(tsr_instr *code, size_t n, uint16_t registers, const tsr_xgroup *g);

#endif
