/* SPDX-License-Identifier: Apache-2.0 */
/* arena.h - chunked bump allocation: addresses never move, nothing is freed individually, a mark rewinds. */
#ifndef TSR_BASE_ARENA_H
#define TSR_BASE_ARENA_H

#include "base/compiler.h"

typedef struct tsr_chunk tsr_chunk;

/* Chunks that arenas released, kept for reuse: memory that the system has mapped already. */
typedef struct {
    tsr_chunk *chunk;
    size_t bytes;
} tsr_pool;

typedef struct {
    char *cur, *end;  /* free part of the newest chunk */
    tsr_chunk *chunk; /* newest first */
    tsr_pool *pool;   /* where chunks come from and go to; NULL: the system */
} tsr_arena;

typedef struct {
    tsr_chunk *chunk;
    char *cur;
} tsr_arena_mark;

void tsr_arena_init(tsr_arena *a);
void tsr_arena_init_pooled(tsr_arena *a, tsr_pool *pool); /* the pool outlives the arena */
void tsr_pool_free(tsr_pool *pool);
void tsr_arena_free(tsr_arena *a);
tsr_arena_mark tsr_arena_save(const tsr_arena *a);
void tsr_arena_rewind(tsr_arena *a, tsr_arena_mark mark);
void tsr_arena_keep(const tsr_arena *a); /* its chunks survive when a stop leaves the scope */
void tsr_pool_keep(const tsr_pool *pool);
/* Bytes obtained from the system. */
size_t tsr_arena_size(const tsr_arena *a);
void *tsr_arena_slow(tsr_arena *a, size_t bytes);

/* Memory aligned to 8, not cleared. */
static inline void *tsr_arena_alloc(tsr_arena *a, size_t bytes)
{
    bytes = (bytes + 7) & ~(size_t)7;
    if (TSR_UNLIKELY((size_t)(a->end - a->cur) <= bytes)) /* also when there is no chunk yet */
        return tsr_arena_slow(a, bytes);
    void *p = a->cur;
    a->cur += bytes;
    return p;
}

static inline void *tsr_arena_zalloc(tsr_arena *a, size_t bytes)
{
    return memset(tsr_arena_alloc(a, bytes), 0, bytes);
}

static inline void *tsr_arena_copy(tsr_arena *a, const void *data, size_t bytes)
{
    void *p = tsr_arena_alloc(a, bytes);
    if (bytes)
        memcpy(p, data, bytes);
    return p;
}

#define TSR_NEW(arena, type) ((type *)tsr_arena_zalloc((arena), sizeof(type)))
#define TSR_NEW_ARRAY(arena, type, n) \
    ((type *)tsr_arena_zalloc((arena), sizeof(type) * (size_t)(n)))

#endif
