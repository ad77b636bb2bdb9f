/* SPDX-License-Identifier: Apache-2.0 */
/* join.h - the kernel that combines two elements in scans, scatters and windows. */
#ifndef TSR_EXEC_KERNEL_JOIN_H
#define TSR_EXEC_KERNEL_JOIN_H

#include "exec/kernel/tile.h"

/* Narrow floats are rounded after each call. */
typedef struct {
    tsr_tile_fn *fn, *widen, *narrow;
    int64_t bytes;
} tsr_join;
tsr_join tsr_join_of(tsr_tile_op tile, tsr_dtype type);
void tsr_join_narrow(const tsr_join *j, char *to, const char *a, const char *b, int64_t n);
/* to = a combined with b, n elements; to may be a or b. */
static inline void tsr_join_run(const tsr_join *j, char *to, const char *a, const char *b,
                                int64_t n)
{
    const void *both[2] = {a, b};
    if (j->widen)
        tsr_join_narrow(j, to, a, b, n);
    else
        j->fn(to, both, (size_t)n);
}

#endif
