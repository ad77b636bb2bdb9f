/* SPDX-License-Identifier: Apache-2.0 */
/* memory.h - the library's memory blocks: each knows its size and the scope that allocated it (base/scope.h).
 *
 * tsr_x... functions return memory or stop the call; they are for compiler data. The others return NULL on failure, and
 * their callers check; they are for memory that grows with tensors. All blocks are freed with tsr_free. No other file
 * calls the system's allocator. */
#ifndef TSR_BASE_MEMORY_H
#define TSR_BASE_MEMORY_H

#include <stddef.h>

struct tsr_link;

void *tsr_xmalloc(size_t bytes);
void *tsr_xrealloc(void *old, size_t bytes);
void *tsr_malloc(size_t bytes);
void *tsr_calloc(size_t n, size_t bytes);
void *tsr_realloc(void *old, size_t bytes); /* NULL: old is unchanged */
void *tsr_malloc_aligned(size_t bytes);     /* aligned to 64 */
/* A block that holds something else, such as memory of a device: end is called before it is freed, also by a stop. It
 * must not use memory of the library. */
void *tsr_malloc_ended(size_t bytes, void (*end)(void *data));

/* Large freed blocks are kept for reuse (base/spare.h), unless an embedder set the allocator; this returns them to the
 * system. */
void tsr_memory_trim(void);

/* Why the last allocation failed, to be printed after "no memory for ..."; empty if the machine has none left. */
typedef struct {
    char text[112];
} tsr_reason;
tsr_reason tsr_memory_reason(void);

/* Removes a block from its scope's list: it survives when a stop leaves the scope. NULL is allowed. */
void tsr_keep(const void *block);
/* Adds a block to the list of the current scope. */
void tsr_adopt(const void *block);
/* For a whole list: remove all blocks from their scope; free all blocks. */
void tsr_release_blocks(struct tsr_link *list);
void tsr_free_blocks(struct tsr_link *list);

#endif
