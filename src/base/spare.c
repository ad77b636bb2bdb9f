/* SPDX-License-Identifier: Apache-2.0 */
/* spare.c - a short list of blocks, oldest first. See spare.h. */
#include "base/spare.h"

#include <pthread.h>
#include <string.h>

/* A kept block belongs to nobody: reading it is reported as an error. */
#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#define HIDE(block, bytes) ASAN_POISON_MEMORY_REGION(block, bytes)
#define SHOW(block, bytes) ASAN_UNPOISON_MEMORY_REGION(block, bytes)
#else
#define HIDE(block, bytes) (void)0
#define SHOW(block, bytes) (void)0
#endif

enum { MOST = 128 };

typedef struct {
    void *block;
    size_t bytes;
} spare;

/* Shared by all contexts, as the system's allocator is. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static spare kept[MOST];
static size_t count, total;

/* With the lock. */
static spare remove_at(size_t i)
{
    spare s = kept[i];
    memmove(&kept[i], &kept[i + 1], (count - i - 1) * sizeof *kept);
    count--;
    total -= s.bytes;
    SHOW(s.block, s.bytes);
    return s;
}

void *tsr_spare_take(size_t bytes)
{
    void *found = NULL;
    pthread_mutex_lock(&lock);
    for (size_t i = count; i-- > 0 && !found;)
        if (kept[i].bytes == bytes)
            found = remove_at(i).block;
    pthread_mutex_unlock(&lock);
    return found;
}

bool tsr_spare_give(void *block, size_t bytes, size_t most, void (*release)(void *block))
{
    void *old[MOST];
    size_t nold = 0;
    if (bytes > most)
        return false;
    pthread_mutex_lock(&lock);
    while (count && (count == MOST || total + bytes > most))
        old[nold++] = remove_at(0).block;
    kept[count++] = (spare){block, bytes};
    total += bytes;
    HIDE(block, bytes);
    pthread_mutex_unlock(&lock);
    for (size_t i = 0; i < nold; i++)
        release(old[i]);
    return true;
}

bool tsr_spare_drop(void (*release)(void *block))
{
    void *old[MOST];
    size_t nold = 0;
    pthread_mutex_lock(&lock);
    while (count)
        old[nold++] = remove_at(count - 1).block;
    pthread_mutex_unlock(&lock);
    for (size_t i = 0; i < nold; i++)
        release(old[i]);
    return nold > 0;
}
