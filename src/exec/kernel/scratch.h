/* SPDX-License-Identifier: Apache-2.0 */
/* scratch.h - memory that a kernel needs while it runs. One block is kept between calls: page faults on fresh memory cost
 * more than small products. */
#ifndef TSR_EXEC_KERNEL_SCRATCH_H
#define TSR_EXEC_KERNEL_SCRATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Whether a kernel's caller only asks how many bytes it works in, for which there is room: the most of all calls with it.
 * NULL: the kernel works. */
static inline bool tsr_scratch_asked(int64_t *room, int64_t bytes)
{
    if (room && *room < bytes)
        *room = bytes;
    return room != NULL;
}

/* Aligned to cache lines; NULL: out of memory, or asked. */
void *tsr_scratch_get(int64_t *room, int64_t bytes);
void tsr_scratch_put(void *block);
/* The same for a block that is not kept: tsr_free ends it. */
void *tsr_scratch_new(int64_t *room, int64_t bytes);

#endif
