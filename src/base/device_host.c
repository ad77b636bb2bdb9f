/* SPDX-License-Identifier: Apache-2.0 */
/* device_host.c - see device_host.h. */
#include "base/device_host.h"

#include <pthread.h>
#include <stdio.h>

#include "base/compiler.h"
#include "base/memory.h"
#include "base/scope.h"

typedef struct {
    tsr_device device;    /* must be the first member */
    pthread_mutex_t lock; /* of what follows: threads of a mesh share the device */
    void **blocks;
    size_t nblock, room;
} host;

static host *of(tsr_device *d)
{
    return (host *)d;
}

/* The caller holds the lock. Does not stop the run: what it interrupted would keep the lock. */
static bool add_block(host *h, void *at)
{
    if (h->nblock == h->room) {
        size_t room = h->room ? 2 * h->room : 16;
        void **more = tsr_realloc(h->blocks, room * sizeof *more);
        if (!more)
            return false;
        tsr_keep(more);
        h->blocks = more;
        h->room = room;
    }
    h->blocks[h->nblock++] = at;
    return true;
}

static void *host_allocate(tsr_device *d, size_t bytes)
{
    host *h = of(d);
    void *at = tsr_malloc_aligned(bytes ? bytes : 1);
    pthread_mutex_lock(&h->lock);
    bool added = at && add_block(h, at);
    pthread_mutex_unlock(&h->lock);
    if (added) {
        tsr_keep(at);
        return at;
    }
    tsr_free(at);
    snprintf(d->error, sizeof d->error, "no memory for %zu bytes%s", bytes,
             tsr_memory_reason().text);
    return NULL;
}

static void host_release(tsr_device *d, void *at)
{
    host *h = of(d);
    size_t i = 0;
    pthread_mutex_lock(&h->lock);
    while (i < h->nblock && h->blocks[i] != at)
        i++;
    bool found = i < h->nblock;
    if (found)
        h->blocks[i] = h->blocks[--h->nblock];
    pthread_mutex_unlock(&h->lock);
    if (found)
        tsr_free(at);
}

static int64_t host_left(tsr_device *d)
{
    (void)d;
    return -1; /* others take and give it at any time */
}

static bool host_copy_in(tsr_device *d, void *to, const void *from, size_t n)
{
    (void)d;
    if (n)
        memcpy(to, from, n);
    return true;
}

static bool host_copy(tsr_device *d, void *to, tsr_device *other, const void *from, size_t n)
{
    (void)d, (void)other;
    if (n)
        memmove(to, from, n);
    return true;
}

static bool host_fill(tsr_device *d, void *to, uint8_t byte, size_t n)
{
    (void)d;
    memset(to, byte, n);
    return true;
}

/* A mark is the time when it was made. */
static bool host_mark(tsr_device *d, int lane, tsr_mark *out)
{
    (void)d, (void)lane;
    double now = tsr_seconds();
    memcpy(&out->word, &now, sizeof out->word);
    return true;
}

static bool host_wait(tsr_device *d, int lane, tsr_device *other, tsr_mark m)
{
    (void)d, (void)lane, (void)other, (void)m;
    return true;
}

static int host_reached(tsr_device *d, tsr_mark m)
{
    (void)d;
    return m.word ? 1 : -1;
}

static double host_between(tsr_device *d, tsr_mark from, tsr_mark to)
{
    (void)d;
    double a, b;
    memcpy(&a, &from.word, sizeof a);
    memcpy(&b, &to.word, sizeof b);
    return b - a;
}

static bool host_synchronize(tsr_device *d)
{
    (void)d;
    return true;
}

static void host_close(tsr_device *d)
{
    host *h = of(d);
    for (size_t i = 0; i < h->nblock; i++)
        tsr_free(h->blocks[i]);
    tsr_free(h->blocks);
    pthread_mutex_destroy(&h->lock);
    tsr_free(h);
}

tsr_device *tsr_device_host(int number)
{
    host *h = tsr_calloc(1, sizeof *h);
    if (!h)
        return NULL;
    tsr_keep(h);
    pthread_mutex_init(&h->lock, NULL);
    h->device = (tsr_device){.number = number,
                             .bytes = (uint64_t)tsr_memory_left(),
                             .units = 1,
                             .align = 64,
                             .allocate = host_allocate,
                             .release = host_release,
                             .left = host_left,
                             .copy_in = host_copy_in,
                             .copy_out = host_copy_in,
                             .copy = host_copy,
                             .fill = host_fill,
                             .mark = host_mark,
                             .wait = host_wait,
                             .reached = host_reached,
                             .between = host_between,
                             .synchronize = host_synchronize,
                             .close = host_close};
    snprintf(h->device.name, sizeof h->device.name, "host");
    return &h->device;
}
