/* SPDX-License-Identifier: Apache-2.0 */
/* move.h - movements that are implemented in files of their own. */
#ifndef TSR_EXEC_MOVE_H
#define TSR_EXEC_MOVE_H

#include "exec/kernel/join.h"
#include "exec/cpu/cpu.h"

/* Index i into a table of rows, clamped to the first or last row. Floats are truncated. */
int64_t tsr_row_at(tsr_dtype type, const char *places, int64_t i, int64_t rows);

void tsr_run_elements(const tsr_run *r, const tsr_node *n);
void tsr_run_random(const tsr_run *r, const tsr_node *n);
void tsr_run_places(const tsr_run *r, const tsr_node *n);
/* A scatter of rows of a table (rows.c); false: n is none. */
bool tsr_run_rows(const tsr_run *r, const tsr_node *n);
/* False: no memory. */
bool tsr_run_sort(const tsr_run *r, const tsr_node *n);
bool tsr_run_matrices(const tsr_run *r, const tsr_node *n);
void tsr_run_fft(const tsr_run *r, const tsr_node *n);
void tsr_run_scan(const tsr_run *r, const tsr_node *n);
void tsr_run_window(const tsr_run *r, const tsr_node *n);
void tsr_run_pick(const tsr_run *r, const tsr_node *n);

#endif
