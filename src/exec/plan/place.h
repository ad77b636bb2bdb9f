/* SPDX-License-Identifier: Apache-2.0 */
/* place.h - offsets of values in one arena. */
#ifndef TSR_EXEC_PLACE_H
#define TSR_EXEC_PLACE_H

#include "exec/program.h"

enum { TSR_PLACE_LEAST = 8 }; /* the alignment in a small arena: enough for any element type */

/* The memory of a value that is live from step first to step last. */
typedef struct {
    size_t bytes, offset; /* bytes: a multiple of the alignment */
    uint32_t first, last;
    tsr_xid value;
} tsr_piece;

/* The most live bytes at any step, which is the lower bound of the arena's size; when: that step. */
size_t tsr_place_least(const tsr_piece *all, size_t n, uint32_t nsteps, uint32_t *when);
/* Sets offsets so that no two pieces that are live at the same time overlap; returns the size of the arena. least,
 * peak: from tsr_place_least. */
size_t tsr_place_all(tsr_piece *all, size_t n, uint32_t nsteps, size_t least, uint32_t peak);

/* reuse_results.c: stores pieces in the buffers of results that are computed later, and removes them from the list; returns how
 * many are left. */
size_t tsr_reuse_results(tsr_program *p, tsr_piece *all, size_t n);

#endif
