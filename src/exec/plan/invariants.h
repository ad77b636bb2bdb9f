/* SPDX-License-Identifier: Apache-2.0 */
/* invariants.h - what must hold of a finished program, whatever it was compiled from. For tsr_check: the answers cost
 * more than a comparison. */
#ifndef TSR_EXEC_PLAN_INVARIANTS_H
#define TSR_EXEC_PLAN_INVARIANTS_H

#include "exec/plan/place.h"

/* Whether each piece lies in the arena, aligned for its elements, and no two that are live at the same time overlap.
 * Near linear: pieces are visited by their first steps. */
bool tsr_pieces_sound(const tsr_program *p, const tsr_piece *all, size_t n, size_t arena_bytes);
/* Aborts unless groups run after those whose values they read, values live long enough, and instructions, places and
 * values that share buffers are consistent. */
void tsr_program_check_invariants(const tsr_program *p);

#endif
