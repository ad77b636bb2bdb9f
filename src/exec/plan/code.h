/* code.h - instructions of loops. */
#ifndef TSR_EXEC_CODE_H
#define TSR_EXEC_CODE_H

#include "exec/program.h"

/* Generates the instructions of a LOOP group, and sets its registers and block size. registers: scratch, one per value
 * of the program. */
void tsr_code_group(tsr_program *p, tsr_xid group, uint16_t *registers);
/* fuse.c: replaces instructions by fewer or cheaper ones; returns their number. products: sums may have two operands. */
size_t tsr_code_fuse(tsr_instr *code, size_t n, uint16_t registers, const tsr_xgroup *g,
                     bool products);

#endif
