/* move.h - movements that have files of their own. */
#ifndef TSR_EXEC_MOVE_H
#define TSR_EXEC_MOVE_H

#include "exec/run.h"

void tsr_run_scan(const tsr_run *r, const tsr_node *n);

#endif
