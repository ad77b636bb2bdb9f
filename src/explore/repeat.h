/* SPDX-License-Identifier: Apache-2.0 */
/* repeat.h - finds consecutive repetitions of a sequence of ops: the layers of a model. */
#ifndef TSR_EXPLORE_REPEAT_H
#define TSR_EXPLORE_REPEAT_H

#include "base/arena.h"
#include "base/vec.h"

/* times copies of period tokens each, from position first on. */
typedef struct {
    uint32_t first, period, times;
} tsr_repeat;
typedef TSR_VEC(tsr_repeat) tsr_repeats;

/* Shorter copies are not layers. */
enum { TSR_LAYER_LEAST = 8 };

/* Finds runs in a sequence, in order of position, without overlaps. The work is linear; steps counts it. */
void tsr_repeats_find(tsr_arena *arena, const uint64_t *tokens, uint32_t n, tsr_repeats *out,
                      uint64_t *steps);

#endif
