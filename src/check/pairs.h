/* SPDX-License-Identifier: Apache-2.0 */
/* pairs.h - which values of two programs are the same: those of ops at the same location.
 *
 * A pass keeps locations and changes the rest: names of ops, element types, the number of ops at a location. Where
 * several values are at one location, those of the same name and type belong together, then those of the same shape,
 * the last ones first: what an op was lowered to ends with its result. */
#ifndef TSR_CHECK_PAIRS_H
#define TSR_CHECK_PAIRS_H

#include "check/ops.h"

/* The values of a program, in its order, and the file that it was read from. */
typedef struct {
    const tsr_origin *values;
    size_t n;
    tsr_str file;
} tsr_pairs_side;

/* pair (a.n elements): the value of b that value i of a is the same as, + 1; 0: none. unmatched: values that only one
 * of them has. A position in a file that one of the programs was read from is compared without its name. If both
 * programs have positions in their own files, and these say no more than that their texts differ, none are paired. */
void tsr_pairs_find(tsr_ctx *ctx, const tsr_pairs_side *a, const tsr_pairs_side *b, size_t *pair,
                    size_t unmatched[2]);

#endif
