/* SPDX-License-Identifier: Apache-2.0 */
/* heap.h - an allocator that fails when it is told to, and counts what is out; for tests that have every allocation fail once. */
#ifndef TSR_TESTS_HEAP_H
#define TSR_TESTS_HEAP_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

static struct {
    pthread_mutex_t lock;
    long live;             /* blocks that were not given back */
    long calls;            /* since counting began */
    long fail_at;          /* the call that fails; 0: none */
    bool for_good;         /* and all after it */
    long long bytes, peak; /* of what is out */
} heap = {.lock = PTHREAD_MUTEX_INITIALIZER};

enum { HEAP_HEAD = 64 };

/* As tsr_set_allocator takes it. Blocks have their size before them. */
static void *allocate(void *user, void *old, size_t bytes)
{
    (void)user;
    char *from = old ? (char *)old - HEAP_HEAD : NULL;
    pthread_mutex_lock(&heap.lock);
    size_t was = from ? *(size_t *)from : 0;
    heap.calls += bytes != 0;
    bool fails = bytes && heap.fail_at &&
                 (heap.for_good ? heap.calls >= heap.fail_at : heap.calls == heap.fail_at);
    char *p = NULL;
    if (!bytes)
        free(from);
    else if (!fails)
        p = realloc(from, bytes + HEAP_HEAD);
    if (p)
        *(size_t *)p = bytes;
    if (p || !bytes) {
        heap.live += (p != NULL) - (from != NULL);
        heap.bytes += (long long)bytes - (long long)was;
        heap.peak = heap.bytes > heap.peak ? heap.bytes : heap.peak;
    }
    pthread_mutex_unlock(&heap.lock);
    return p ? p + HEAP_HEAD : NULL;
}

static void fail_from(long n, bool for_good)
{
    pthread_mutex_lock(&heap.lock);
    heap.calls = 0;
    heap.fail_at = n;
    heap.for_good = for_good;
    pthread_mutex_unlock(&heap.lock);
}

#endif
