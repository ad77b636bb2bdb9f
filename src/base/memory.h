/* memory.h - the library's blocks of memory: each knows its size and the scope that it was made in (base/scope.h).
 *
 * tsr_x...: memory that is there, or a stop; for compiler data. The others give NULL, and their callers check: memory that
 * grows with tensors. All are given back with tsr_free. No other file calls the allocator of the system. */
#ifndef TSR_BASE_MEMORY_H
#define TSR_BASE_MEMORY_H

#include <stddef.h>

struct tsr_link;

void *tsr_xmalloc(size_t bytes);
void *tsr_xrealloc(void *old, size_t bytes);
void *tsr_malloc(size_t bytes);
void *tsr_calloc(size_t n, size_t bytes);
void *tsr_realloc(void *old, size_t bytes); /* NULL: old is as it was */
void *tsr_malloc_aligned(size_t bytes);     /* to 64 */

/* Large blocks that were freed are kept for the next ones (base/spare.h), unless the allocator is an embedder's; this gives them
 * back to the system. */
void tsr_memory_trim(void);

/* Why the last block could not be had, to be said after "no memory for ..."; empty when the machine has none. */
typedef struct {
    char text[112];
} tsr_reason;
tsr_reason tsr_memory_reason(void);

/* Takes a block out of its scope's list: it stays when the scope is left by a stop. NULL is fine. */
void tsr_keep(const void *block);
/* Puts it into the list of the scope that runs. */
void tsr_adopt(const void *block);
/* Of a whole list: all become blocks of no scope; all are freed. */
void tsr_release_blocks(struct tsr_link *list);
void tsr_free_blocks(struct tsr_link *list);

#endif
