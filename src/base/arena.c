/* arena.c - the slow paths of the arena. Chunks double up to 1 MB; a large block gets a chunk of its own size. */
#include "base/arena.h"

#include <stdlib.h>

enum { FIRST_CHUNK = 4096, LARGEST_CHUNK = 1 << 20 };

struct tsr_chunk {
    tsr_chunk *older;
    size_t size; /* of data */
    _Alignas(16) char data[];
};

void tsr_arena_init(tsr_arena *a)
{
    *a = (tsr_arena){0};
}

void tsr_arena_free(tsr_arena *a)
{
    for (tsr_chunk *c = a->chunk; c;) {
        tsr_chunk *older = c->older;
        free(c);
        c = older;
    }
    tsr_arena_init(a);
}

void *tsr_arena_slow(tsr_arena *a, size_t bytes)
{
    size_t size = a->chunk ? a->chunk->size * 2 : FIRST_CHUNK;
    if (size > LARGEST_CHUNK)
        size = LARGEST_CHUNK;
    if (size < bytes)
        size = bytes;
    tsr_chunk *c = tsr_xmalloc(sizeof(tsr_chunk) + size);
    c->older = a->chunk;
    c->size = size;
    a->chunk = c;
    a->cur = c->data + bytes;
    a->end = c->data + size;
    return c->data;
}

tsr_arena_mark tsr_arena_save(const tsr_arena *a)
{
    return (tsr_arena_mark){a->chunk, a->cur};
}

void tsr_arena_rewind(tsr_arena *a, tsr_arena_mark mark)
{
    while (a->chunk != mark.chunk) {
        tsr_chunk *older = a->chunk->older;
        free(a->chunk);
        a->chunk = older;
    }
    a->cur = mark.cur;
    a->end = a->chunk ? a->chunk->data + a->chunk->size : NULL;
}

size_t tsr_arena_size(const tsr_arena *a)
{
    size_t total = 0;
    for (const tsr_chunk *c = a->chunk; c; c = c->older)
        total += sizeof(tsr_chunk) + c->size;
    return total;
}
