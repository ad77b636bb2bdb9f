/* SPDX-License-Identifier: Apache-2.0 */
/* arena.c - the slow paths of the arena. Chunks double up to 1 MB, and in a large arena to an eighth of it, up to 8 MB,
 * which the system can map with huge pages; a large block gets a chunk of its own size. */
#include "base/arena.h"

#include <stdlib.h>

enum {
    FIRST_CHUNK = 4096,
    LARGE_CHUNK = 1 << 20,
    LARGEST_CHUNK = 1 << 23,
    POOLED_CHUNK = 1 << 15,
    LARGEST_POOL = 1 << 26
};

struct tsr_chunk {
    tsr_chunk *older;
    size_t size; /* bytes of data */
    size_t held; /* by it and older ones */
    _Alignas(16) char data[];
};

void tsr_arena_init(tsr_arena *a)
{
    *a = (tsr_arena){0};
}

void tsr_arena_init_pooled(tsr_arena *a, tsr_pool *pool)
{
    *a = (tsr_arena){.pool = pool};
}

static void drop_chunk(tsr_pool *pool, tsr_chunk *c)
{
    if (!pool || c->size < POOLED_CHUNK || pool->bytes + c->size > LARGEST_POOL) {
        tsr_free(c);
        return;
    }
    tsr_keep(c);
    c->older = pool->chunk;
    pool->chunk = c;
    pool->bytes += c->size;
}

/* A chunk of at least this size and not much larger: from the pool, else from the system. */
static tsr_chunk *take_chunk(tsr_pool *pool, size_t size)
{
    for (tsr_chunk **at = pool ? &pool->chunk : NULL; at && *at; at = &(*at)->older) {
        tsr_chunk *c = *at;
        if (c->size < size || c->size / 2 > size)
            continue;
        *at = c->older;
        pool->bytes -= c->size;
        tsr_adopt(c);
        return c;
    }
    tsr_chunk *c = tsr_xmalloc(sizeof(tsr_chunk) + size);
    c->size = size;
    return c;
}

void tsr_pool_free(tsr_pool *pool)
{
    while (pool->chunk) {
        tsr_chunk *c = pool->chunk;
        pool->chunk = c->older;
        tsr_free(c);
    }
    pool->bytes = 0;
}

void tsr_arena_free(tsr_arena *a)
{
    for (tsr_chunk *c = a->chunk; c;) {
        tsr_chunk *older = c->older;
        drop_chunk(a->pool, c);
        c = older;
    }
    tsr_arena_init_pooled(a, a->pool);
}

void *tsr_arena_slow(tsr_arena *a, size_t bytes)
{
    size_t size = a->chunk ? a->chunk->size * 2 : a->pool ? POOLED_CHUNK : FIRST_CHUNK;
    size_t held = a->chunk ? a->chunk->held : 0, most = held / 8;
    most = most < LARGE_CHUNK ? LARGE_CHUNK : most > LARGEST_CHUNK ? LARGEST_CHUNK : most;
    if (size > most)
        size = most;
    if (size < bytes)
        size = bytes;
    tsr_chunk *c = take_chunk(a->pool, size);
    c->older = a->chunk;
    c->held = held + c->size;
    a->chunk = c;
    a->cur = c->data + bytes;
    a->end = c->data + c->size;
    return c->data;
}

tsr_arena_mark tsr_arena_save(const tsr_arena *a)
{
    return (tsr_arena_mark){a->chunk, a->cur};
}

/* A mark of an empty arena keeps the oldest chunk: frequent rewinds would otherwise allocate and free one each time. */
void tsr_arena_rewind(tsr_arena *a, tsr_arena_mark mark)
{
    while (a->chunk != mark.chunk) {
        tsr_assert(a->chunk, "an arena is rewound to a mark of another one");
        tsr_chunk *older = a->chunk->older;
        if (!older) {
            tsr_assert(!mark.chunk, "an arena is rewound to a mark that is gone");
            mark = (tsr_arena_mark){a->chunk, a->chunk->data};
            break;
        }
        drop_chunk(a->pool, a->chunk);
        a->chunk = older;
    }
    a->cur = mark.cur;
    a->end = a->chunk ? a->chunk->data + a->chunk->size : NULL;
    tsr_assert(!a->chunk || (a->cur >= a->chunk->data && a->cur <= a->end),
               "a mark is outside of its chunk");
}

static void keep_chunks(const tsr_chunk *c)
{
    for (; c; c = c->older)
        tsr_keep(c);
}

void tsr_arena_keep(const tsr_arena *a)
{
    keep_chunks(a->chunk);
}

void tsr_pool_keep(const tsr_pool *pool)
{
    keep_chunks(pool->chunk);
}

size_t tsr_arena_size(const tsr_arena *a)
{
    size_t total = 0;
    for (const tsr_chunk *c = a->chunk; c; c = c->older)
        total += sizeof(tsr_chunk) + c->size;
    return total;
}
