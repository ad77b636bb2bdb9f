/* SPDX-License-Identifier: Apache-2.0 */
/* spare.h - large freed memory blocks, kept for reuse.
 *
 * The system unmaps the pages of large blocks at once, and a new block costs a page fault for each page: longer than
 * most programs take to fill it. The total is bounded, and released when memory is short or a context ends
 * (memory.c). */
#ifndef TSR_BASE_SPARE_H
#define TSR_BASE_SPARE_H

#include <stdbool.h>
#include <stddef.h>

/* A block of exactly this size; NULL if there is none. */
void *tsr_spare_take(size_t bytes);
/* Keeps a block. False if it is too large. The oldest blocks make room for it: release is called with each. */
bool tsr_spare_give(void *block, size_t bytes, size_t most, void (*release)(void *block));
/* Releases all. False if there were none. */
bool tsr_spare_drop(void (*release)(void *block));

#endif
