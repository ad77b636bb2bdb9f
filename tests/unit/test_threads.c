/* SPDX-License-Identifier: Apache-2.0 */
/* test_threads.c - the pool: every chunk once, nested and competing loops, stops, forks, machines with fewer cores. */
#include <pthread.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/scope.h"
#include "base/threads.h"
#include "unit.h"

enum { CHUNKS = 1000 };

typedef struct {
    atomic_int seen[CHUNKS];
    atomic_int in_use[TSR_MOST_THREADS]; /* by worker */
    atomic_int clashes, most_worker;
    bool nested;
} count;

static void inner(void *ctx, int64_t chunk, int worker)
{
    count *c = ctx;
    (void)chunk;
    if (worker != 0)
        atomic_fetch_add(&c->clashes, 1);
}

static void add_one(void *ctx, int64_t chunk, int worker)
{
    count *c = ctx;
    if (atomic_fetch_add(&c->in_use[worker], 1))
        atomic_fetch_add(&c->clashes, 1);
    atomic_fetch_add(&c->seen[chunk], 1);
    int most = atomic_load(&c->most_worker);
    while (worker > most && !atomic_compare_exchange_weak(&c->most_worker, &most, worker))
        ;
    if (c->nested)
        tsr_pool_for(3, inner, c);
    atomic_fetch_sub(&c->in_use[worker], 1);
}

/* Whether a loop of n chunks does each once, and no two at a time as one worker. */
static bool does_all(int64_t n, bool nested)
{
    static count c;
    memset(&c, 0, sizeof c);
    c.nested = nested;
    tsr_pool_for(n, add_one, &c);
    for (int64_t i = 0; i < CHUNKS; i++)
        if (atomic_load(&c.seen[i]) != (i < n))
            return false;
    return !atomic_load(&c.clashes) && atomic_load(&c.most_worker) < tsr_pool_size();
}

static void test_loops(unit *u)
{
    static const int sizes[] = {1, 2, 3, 7, 0};
    for (size_t s = 0; s < TSR_COUNT(sizes); s++) {
        tsr_pool_limit(sizes[s]);
        CHECK(u, sizes[s] ? tsr_pool_size() == sizes[s] : tsr_pool_size() >= 1);
        bool ok = does_all(0, false) && does_all(-1, false);
        for (int64_t n = 1; n <= 40; n++)
            ok &= does_all(n, false);
        for (int i = 0; i < 20; i++)
            ok &= does_all(CHUNKS, i & 1);
        CHECK(u, ok);
    }
    tsr_pool_limit(100000);
    CHECK(u, tsr_pool_size() == TSR_MOST_THREADS);
}

/* ---- Several callers ---- */

static void add_index(void *ctx, int64_t chunk, int worker)
{
    (void)worker;
    atomic_fetch_add((atomic_int *)ctx, (int)chunk);
}

static void *call_often(void *ok)
{
    for (int i = 0; i < 200; i++) {
        atomic_int sum = 0;
        tsr_pool_for(20, add_index, &sum);
        if (atomic_load(&sum) != 190)
            *(bool *)ok = false;
    }
    return NULL;
}

static void test_callers(unit *u)
{
    tsr_pool_limit(3);
    pthread_t threads[4];
    bool ok[4] = {true, true, true, true}, made[4];
    for (int i = 0; i < 4; i++)
        made[i] = pthread_create(&threads[i], NULL, call_often, &ok[i]) == 0;
    for (int i = 0; i < 4; i++)
        if (made[i])
            pthread_join(threads[i], NULL);
    CHECK(u, ok[0] && ok[1] && ok[2] && ok[3]);
}

/* ---- Stops ---- */

static void stop_at_seven(void *ctx, int64_t chunk, int worker)
{
    (void)worker;
    void *block = tsr_malloc(100); /* the call's: freed with it when another chunk stops */
    if (chunk == 7)
        tsr_stop(TSR_ENVIRONMENT, "stopped at seven");
    tsr_free(block);
    atomic_fetch_add((atomic_int *)ctx, 1);
}

/* Whether the stop of one chunk ends the call, with its message. */
static bool stops(tsr_scope *s, atomic_int *done)
{
    if (setjmp(s->out) == 0) {
        tsr_pool_for(50, stop_at_seven, done);
        return false;
    }
    return strcmp(s->own.why.message, "stopped at seven") == 0;
}

static void test_stop(unit *u)
{
    for (int threads = 1; threads <= 4; threads++) {
        tsr_pool_limit(threads);
        atomic_int done = 0;
        tsr_scope s;
        tsr_scope_open(&s, NULL, NULL);
        CHECK(u, stops(&s, &done) && atomic_load(&done) < 50);
        tsr_scope_sweep(&s);
        CHECK(u, does_all(100, false)); /* the pool is as good as before */
    }
}

/* ---- Forks and cores ---- */

/* ThreadSanitizer makes no threads in a child of a process that has some. */
#if defined(__SANITIZE_THREAD__)
#define HAS_TSAN true
#elif defined(__has_feature)
#define HAS_TSAN __has_feature(thread_sanitizer)
#else
#define HAS_TSAN false
#endif

static void test_fork(unit *u)
{
    tsr_pool_limit(3);
    CHECK(u, does_all(100, false));
    if (HAS_TSAN)
        return;
    fflush(NULL);
    pid_t child = fork();
    if (child == 0)
        _exit(does_all(100, false) && does_all(1000, true) ? 0 : 1);
    int status = -1;
    CHECK(u, child > 0 && waitpid(child, &status, 0) == child && status == 0);
    CHECK(u, does_all(100, false));
}

static void write_file(const char *root, const char *path, const char *text)
{
    char full[256];
    snprintf(full, sizeof full, "%s%s", root, path);
    for (char *p = full + strlen(root) + 1; (p = strchr(p, '/')); *p++ = '/') {
        *p = 0;
        mkdir(full, 0700);
        *p = '/';
    }
    FILE *f = fopen(full, "w");
    if (!f)
        return;
    fputs(text, f);
    fclose(f);
}

static void test_cores(unit *u)
{
    char root[] = "/tmp/tessera-cores-XXXXXX", command[64];
    CHECK(u, tsr_cores_in("") >= 1);
    if (!mkdtemp(root))
        return;
    int all = tsr_cores_in(root);
    write_file(root, "/proc/self/cgroup", "0::/a/b\n");
    write_file(root, "/sys/fs/cgroup/a/b/cpu.max", "max 100000\n");
    CHECK(u, tsr_cores_in(root) == all);
    write_file(root, "/sys/fs/cgroup/a/cpu.max", "50000 100000\n");
    CHECK(u, tsr_cores_in(root) == 1);
    write_file(root, "/proc/self/cgroup", "4:cpu,cpuacct:/c\n");
    write_file(root, "/sys/fs/cgroup/cpu/c/cpu.cfs_quota_us", "-1\n");
    CHECK(u, tsr_cores_in(root) == all);
    write_file(root, "/sys/fs/cgroup/cpu/c/cpu.cfs_quota_us", "100000\n");
    write_file(root, "/sys/fs/cgroup/cpu/c/cpu.cfs_period_us", "100000\n");
    CHECK(u, tsr_cores_in(root) == 1);
    snprintf(command, sizeof command, "rm -rf %s", root);
    CHECK(u, system(command) == 0);
}

void test_threads(unit *u)
{
    test_loops(u);
    test_callers(u);
    test_stop(u);
    test_fork(u);
    test_cores(u);
    tsr_pool_limit(0);
}
