/* SPDX-License-Identifier: Apache-2.0 */
/* device_host.c - see device_host.h. */
#include "base/device_host.h"

#include <stdio.h>

#include "base/compiler.h"
#include "base/memory.h"
#include "base/scope.h"
#include "base/vec.h"

typedef struct {
    tsr_device device; /* must be the first member */
    TSR_VEC(void *) blocks;
    TSR_VEC(double) marks; /* when each was made */
} host;

static host *of(tsr_device *d)
{
    return (host *)d;
}

static void *host_allocate(tsr_device *d, size_t bytes)
{
    void *at = tsr_malloc_aligned(bytes ? bytes : 1);
    if (!at) {
        snprintf(d->error, sizeof d->error, "no memory for %zu bytes%s", bytes,
                 tsr_memory_reason().text);
        return NULL;
    }
    tsr_keep(at);
    tsr_vec_push(&of(d)->blocks, at);
    tsr_keep(of(d)->blocks.data);
    return at;
}

static void host_release(tsr_device *d, void *at)
{
    host *h = of(d);
    size_t i = 0;
    while (i < h->blocks.n && h->blocks.data[i] != at)
        i++;
    if (i == h->blocks.n)
        return;
    h->blocks.data[i] = h->blocks.data[--h->blocks.n];
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

static bool host_mark(tsr_device *d, int lane, tsr_mark *out)
{
    (void)lane;
    out->word = of(d)->marks.n;
    tsr_vec_push(&of(d)->marks, tsr_seconds());
    tsr_keep(of(d)->marks.data);
    return true;
}

static bool host_wait(tsr_device *d, int lane, tsr_device *other, tsr_mark m)
{
    (void)d, (void)lane, (void)other, (void)m;
    return true;
}

static int host_reached(tsr_device *d, tsr_mark m)
{
    return m.word < of(d)->marks.n ? 1 : -1;
}

static double host_between(tsr_device *d, tsr_mark from, tsr_mark to)
{
    return of(d)->marks.data[to.word] - of(d)->marks.data[from.word];
}

static bool host_synchronize(tsr_device *d)
{
    (void)d;
    return true;
}

static void host_close(tsr_device *d)
{
    host *h = of(d);
    for (size_t i = 0; i < h->blocks.n; i++)
        tsr_free(h->blocks.data[i]);
    tsr_vec_free(&h->blocks);
    tsr_vec_free(&h->marks);
    tsr_free(h);
}

tsr_device *tsr_device_host(int number)
{
    host *h = tsr_calloc(1, sizeof *h);
    if (!h)
        return NULL;
    tsr_keep(h);
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
