/* SPDX-License-Identifier: Apache-2.0 */
/* count.c - counting instructions, by the processor or by valgrind, and bytes, by an allocator that knows them. */
#include "growth.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <tessera/tessera.h>
#include <time.h>
#include <unistd.h>

#ifdef __has_include
#if __has_include(<linux/perf_event.h>) /* the kernel's headers: musl-gcc has none */
#include <linux/perf_event.h>
#endif
#if __has_include(<valgrind/callgrind.h>)
#include <valgrind/callgrind.h>
#endif
#endif

static int perf_fd = -1;
static uint64_t started;

bool perf_open(void)
{
#ifdef PERF_ATTR_SIZE_VER0
    struct perf_event_attr attr;
    memset(&attr, 0, sizeof attr);
    attr.size = sizeof attr;
    attr.type = PERF_TYPE_HARDWARE;
    attr.config = PERF_COUNT_HW_INSTRUCTIONS;
    attr.inherit = 1; /* devices of a mesh are threads */
    attr.exclude_kernel = 1;
    attr.exclude_hv = 1;
    perf_fd = (int)syscall(SYS_perf_event_open, &attr, 0, -1, -1, 0);
#endif
    return perf_fd >= 0;
}

bool sanitized(void)
{
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    return true;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || \
    __has_feature(memory_sanitizer)
    return true;
#else
    return false;
#endif
#else
    return false;
#endif
}

bool valgrind_known(void)
{
#ifdef CALLGRIND_ZERO_STATS
    return true;
#else
    return false;
#endif
}

static _Atomic uint64_t held, most; /* bytes; devices of a mesh are threads */

/* Behind a header with the size, which keeps the alignment. */
static void *counted_alloc(void *user, void *old, size_t bytes)
{
    enum { HEADER = 16 };
    (void)user;
    size_t before = old ? *(size_t *)(void *)((char *)old - HEADER) : 0;
    char *base = old ? (char *)old - HEADER : NULL;
    if (!bytes) {
        held -= before;
        free(base);
        return NULL;
    }
    char *block = realloc(base, bytes + HEADER);
    if (!block)
        return NULL;
    *(size_t *)(void *)block = bytes;
    uint64_t now_held = atomic_fetch_add(&held, bytes - before) + bytes - before;
    for (uint64_t m = most; m < now_held && !atomic_compare_exchange_weak(&most, &m, now_held);)
        ;
    return block + HEADER;
}

void count_bytes(void)
{
    tsr_set_allocator(counted_alloc, NULL);
    most = held;
}

static uint64_t now(counter by)
{
    uint64_t n = 0;
    struct timespec t;
    if (by == BY_PERF)
        return read(perf_fd, &n, sizeof n) == sizeof n ? n : 0;
    if (by == BY_BYTES)
        return most;
    if (by == BY_TIME && !clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t))
        return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
    return 0;
}

void count_start(counter by)
{
#ifdef CALLGRIND_ZERO_STATS
    if (by == BY_VALGRIND)
        CALLGRIND_ZERO_STATS;
#endif
    started = by == BY_BYTES ? 0 : now(by);
}

uint64_t count_stop(counter by, const char *label)
{
    uint64_t ended = now(by);
    (void)label;
#ifdef CALLGRIND_ZERO_STATS
    if (by == BY_VALGRIND)
        CALLGRIND_DUMP_STATS_AT(label);
#endif
    return ended - started;
}
