/* spare.h - large blocks of memory that were given back, kept for the next that asks.
 *
 * The system takes pages of large blocks away at once, and a new block costs a fault for each page: more than most programs take to fill it.
 * What is kept is bounded, and given up when memory is short or a context ends (memory.c). */
#ifndef TSR_BASE_SPARE_H
#define TSR_BASE_SPARE_H

#include <stdbool.h>
#include <stddef.h>

/* A block of just this size; NULL: there is none. */
void *tsr_spare_take(size_t bytes);
/* Keeps a block. False: it is too large. Those that have been there longest go for it: release is called with each. */
bool tsr_spare_give(void *block, size_t bytes, size_t most, void (*release)(void *block));
/* Gives up all. False: there was none. */
bool tsr_spare_drop(void (*release)(void *block));

#endif
