/* SPDX-License-Identifier: Apache-2.0 */
/* test_scope.c - scopes and blocks of base/: what a stop undoes, and how much memory the machine says it has left. */
#include "unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/scope.h"
#include "base/spare.h"

static void count(void *user)
{
    ++*(int *)user;
}

typedef struct {
    pthread_mutex_t lock;
    int cleaned;
    tsr_arena arena;
} frame;

static void stop_inside(void *user)
{
    frame *f = user;
    tsr_cleanup c, gone;
    tsr_cleanup_push(&c, count, &f->cleaned);
    tsr_cleanup_push(&gone, count, &f->cleaned);
    tsr_cleanup_pop(&gone);
    tsr_lock(&f->lock);
    tsr_arena_init(&f->arena);
    tsr_arena_alloc(&f->arena, 100000);
    tsr_stop(TSR_ENVIRONMENT, "enough of %d", 7);
}

/* Locks, cleanups and memory of frames that a stop left. */
static void test_stop(unit *u)
{
    frame f = {.lock = PTHREAD_MUTEX_INITIALIZER};
    tsr_scope s;
    CHECK(u, tsr_scope_open(&s, NULL, NULL));
    if (setjmp(s.out) == 0) {
        CHECK(u, !tsr_try(stop_inside, &f) && f.cleaned == 1);
        CHECK(u, pthread_mutex_trylock(&f.lock) == 0);
        CHECK(u, s.limits->bytes > 100000);
        tsr_stop_again();
    }
    CHECK(u, s.limits->why.code == TSR_ENVIRONMENT &&
                 strcmp(s.limits->why.message, "enough of 7") == 0);
    tsr_scope_sweep(&s);
    CHECK(u, !tsr_scope_now());
}

/* Blocks that are kept outlive a stop; those of a call that ends well are its results. */
static void test_blocks(unit *u)
{
    tsr_scope s;
    char *volatile kept = NULL;
    tsr_scope_open(&s, NULL, NULL);
    if (setjmp(s.out) == 0) {
        kept = tsr_xmalloc(10);
        tsr_xmalloc(20);
        kept = tsr_xrealloc(kept, 5000);
        tsr_keep(kept);
        CHECK(u, s.limits->bytes == 20);
        tsr_adopt(kept);
        CHECK(u, s.limits->bytes == 5020);
        tsr_keep(kept);
        tsr_stop(TSR_ENVIRONMENT, "over");
    }
    tsr_scope_sweep(&s);
    kept[4999] = 1;
    tsr_free(kept);
    tsr_scope_open(&s, NULL, NULL);
    char *result = tsr_malloc_aligned(3);
    CHECK(u, (uintptr_t)result % 64 == 0);
    tsr_scope_close(&s);
    result[2] = 1;
    tsr_free(result);
}

static void put(const char *root, const char *path, const char *text)
{
    char full[512];
    snprintf(full, sizeof full, "%s/%s", root, path);
    for (char *p = full + strlen(root) + 1; *p; p++) {
        if (*p != '/')
            continue;
        *p = 0;
        mkdir(full, 0777);
        *p = '/';
    }
    FILE *f = fopen(full, "w");
    if (f) {
        fputs(text, f);
        fclose(f);
    }
}

/* The least of what the machine, the group and the groups around it have left. Pages of files do not count as used. */
static void test_memory_left(unit *u)
{
    char root[] = "/tmp/tsr_unit.XXXXXX", command[64];
    CHECK(u, mkdtemp(root));
    CHECK(u, tsr_memory_left_in(root) == INT64_MAX);
    put(root, "proc/meminfo", "MemTotal: 9000 kB\nMemAvailable:    5000 kB\n");
    CHECK(u, tsr_memory_left_in(root) == 5000 * 1024);
    put(root, "proc/self/cgroup", "0::/a/b\n");
    put(root, "sys/fs/cgroup/a/b/memory.max", "max\n");
    put(root, "sys/fs/cgroup/a/b/memory.current", "700\n");
    CHECK(u, tsr_memory_left_in(root) == 5000 * 1024);
    put(root, "sys/fs/cgroup/a/memory.max", "3000\n");
    put(root, "sys/fs/cgroup/a/memory.current", "1000\n");
    CHECK(u, tsr_memory_left_in(root) == 2000);
    put(root, "sys/fs/cgroup/a/memory.stat",
        "anon 5\nfile 400\ninactive_file 300\nactive_file 100\n");
    CHECK(u, tsr_memory_left_in(root) == 2400);
    put(root, "sys/fs/cgroup/a/b/memory.max", "600\n");
    CHECK(u, tsr_memory_left_in(root) == 0);
    put(root, "proc/self/cgroup", "5:cpu,cpuacct:/x\n4:memory:/docker/q\n0::/\n");
    put(root, "sys/fs/cgroup/memory/memory.limit_in_bytes",
        "4096\n"); /* in a container the group's own files stand at the root */
    put(root, "sys/fs/cgroup/memory/memory.usage_in_bytes", "96\n");
    CHECK(u, tsr_memory_left_in(root) == 4000);
    CHECK(u, tsr_memory_left() > 0);
    snprintf(command, sizeof command, "rm -r %s", root);
    CHECK(u, system(command) == 0);
}

static void *released[4];
static size_t nreleased;

static void note_release(void *block)
{
    released[nreleased++ % 4] = block;
}

/* Blocks that are kept: by size, the oldest go first, and a large one is not kept at all. */
static void test_spare(unit *u)
{
    static char blocks[4][64];
    tsr_memory_trim();
    CHECK(u, !tsr_spare_take(64));
    CHECK(u, tsr_spare_give(blocks[0], 64, 150, note_release));
    CHECK(u, tsr_spare_give(blocks[1], 48, 150, note_release));
    CHECK(u, nreleased == 0 && !tsr_spare_take(47));
    CHECK(u, tsr_spare_give(blocks[2], 64, 150, note_release));
    CHECK(u, nreleased == 1 && released[0] == blocks[0]);
    CHECK(u, tsr_spare_take(64) == blocks[2] && !tsr_spare_take(64));
    CHECK(u, !tsr_spare_give(blocks[3], 64, 63, note_release));
    CHECK(u, tsr_spare_drop(note_release) && released[1] == blocks[1] && nreleased == 2);
    CHECK(u, !tsr_spare_drop(note_release));
}

/* A large block is used again, counts in the call's list each time, and the budget is asked each time. */
static void test_large_blocks(unit *u)
{
    enum { BYTES = 3 << 20 };
    tsr_scope s;
    CHECK(u, tsr_scope_open(&s, NULL, NULL));
    char *p = tsr_malloc_aligned(BYTES);
    CHECK(u, p && (uintptr_t)p % 64 == 0);
    memset(p, 1, BYTES);
    int64_t with = s.limits->bytes;
    tsr_free(p);
    CHECK(u, s.limits->bytes == with - BYTES);
    char *again = tsr_malloc_aligned(BYTES - 100);
    CHECK(u, again && s.limits->bytes == with - 100);
    memset(again, 2, BYTES - 100);
    tsr_free(again);
    s.limits->budget.max_bytes = BYTES / 2;
    CHECK(u, !tsr_malloc_aligned(BYTES) && s.limits->refused);
    tsr_scope_close(&s);
    tsr_memory_trim();
}

void test_scope(unit *u)
{
    test_stop(u);
    test_spare(u);
    test_large_blocks(u);
    test_blocks(u);
    test_memory_left(u);
}
