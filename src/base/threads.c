/* SPDX-License-Identifier: Apache-2.0 */
/* threads.c - the pool. See threads.h.
 *
 * One word, the gate, holds all state that threads must agree on: the number of the loop, whether it is open to
 * helpers, and how many are inside. A helper enters by adding one to an open gate; the owner closes it when no chunk is
 * left and waits until all helpers have left. A helper that wakes up late finds the gate closed and delays nobody. */
#define _GNU_SOURCE /* sched_getaffinity */
#include "base/threads.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/scope.h"

/* Bits of the gate. */
#define INSIDE ((uint64_t)0x7FFF)
#define OPEN ((uint64_t)0x8000)
#define NEXT ((uint64_t)0x10000) /* the loop number is counted in units of this */

/* The chunks of a loop that one worker runs first. Adjacent chunks belong to one worker: caches would pass lines at
 * their borders, and what the hardware prefetches behind them, from core to core. */
typedef struct {
    _Alignas(64) atomic_int_least64_t next;
    int64_t end;
} range;

typedef struct {
    void (*body)(void *ctx, int64_t chunk, int worker);
    void *ctx;
    int helpers; /* at most */
    tsr_limits *limits;
    uint64_t place; /* position in the program, for the message of a stop in a helper */
    _Alignas(64) atomic_int entered; /* helpers */
    atomic_bool stopped;             /* a stop left a body */
    range ranges[TSR_MOST_THREADS];  /* by worker */
} loop;

/* One per process; this and the allocator are the exceptions to "no mutable globals". */
static struct {
    _Alignas(64) atomic_uint_least64_t gate;
    loop loop; /* written by the owner while the gate is closed and nobody is inside */
    atomic_flag taken;
    atomic_int limit;     /* 0: not set yet */
    int threads;          /* number created; used by the owner only */
    bool cannot;          /* the system refused to create a thread */
    pthread_mutex_t lock; /* number of sleeping helpers */
    pthread_cond_t wake, done;
    atomic_int asleep;
    atomic_bool owner_asleep;
    pthread_once_t once;
    void (*watch)(void *user, int worker, double start, double end); /* NULL: none */
    void *watch_user;
} pool = {.taken = ATOMIC_FLAG_INIT,
          .lock = PTHREAD_MUTEX_INITIALIZER,
          .wake = PTHREAD_COND_INITIALIZER,
          .done = PTHREAD_COND_INITIALIZER,
          .once = PTHREAD_ONCE_INIT};

/* This thread is in a body: nested loops run on it alone. */
static _Thread_local bool busy;

/* ---- Number of threads ---- */

static bool read_numbers(const char *path, const char *format, long long *a, long long *b)
{
    FILE *f = fopen(path, "r");
    if (!f)
        return false;
    bool ok = fscanf(f, format, a, b) >= 1;
    fclose(f);
    return ok;
}

/* CPU time that a control group may use, in cores, rounded up; most if it has no limit. */
static int group_cores(const char *root, const char *group, int most)
{
    char path[512];
    long long quota = 0, period = 100000;
    snprintf(path, sizeof path, "%s/sys/fs/cgroup%s/cpu.max", root, group);
    if (!read_numbers(path, "%lld %lld", &quota, &period)) {
        snprintf(path, sizeof path, "%s/sys/fs/cgroup/cpu%s/cpu.cfs_quota_us", root, group);
        if (!read_numbers(path, "%lld", &quota, &period) || quota <= 0)
            return most;
        long long unused = 0;
        snprintf(path, sizeof path, "%s/sys/fs/cgroup/cpu%s/cpu.cfs_period_us", root, group);
        read_numbers(path, "%lld", &period, &unused);
    }
    if (quota <= 0 || period <= 0)
        return most;
    long long cores = (quota + period - 1) / period;
    return cores < most ? (int)cores : most;
}

/* The minimum over all groups from the process's own up to the root. */
static int allowed_by_groups(const char *root, int most)
{
    char path[512], line[256];
    snprintf(path, sizeof path, "%s/proc/self/cgroup", root);
    FILE *f = fopen(path, "r");
    if (!f)
        return most;
    while (fgets(line, sizeof line, f)) {
        char *group = strchr(line, ':');
        group = group ? strchr(group + 1, ':') : NULL;
        if (!group)
            continue;
        group++;
        group[strcspn(group, "\n")] = 0;
        for (char *end = group + strlen(group);; end = strrchr(group, '/')) {
            if (end)
                *end = 0;
            most = group_cores(root, group, most);
            if (!end || end == group)
                break;
        }
    }
    fclose(f);
    return most < 1 ? 1 : most;
}

int tsr_cores_in(const char *root)
{
    int cores = 0;
#if defined(__linux__)
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0)
        cores = CPU_COUNT(&set);
#endif
    if (cores < 1)
        cores = TSR_MOST_THREADS; /* more CPUs than a set holds, or not Linux */
    if (cores > TSR_MOST_THREADS)
        cores = TSR_MOST_THREADS;
    return allowed_by_groups(root, cores);
}

static int limited(long threads)
{
    if (threads < 1)
        return tsr_cores_in("");
    return threads > TSR_MOST_THREADS ? TSR_MOST_THREADS : (int)threads;
}

int tsr_pool_size(void)
{
    int size = atomic_load_explicit(&pool.limit, memory_order_relaxed);
    if (size)
        return size;
    const char *text = getenv("TESSERA_THREADS");
    int first = limited(text ? strtol(text, NULL, 10) : 0), none = 0;
    atomic_compare_exchange_strong(&pool.limit, &none, first);
    return atomic_load_explicit(&pool.limit, memory_order_relaxed);
}

void tsr_pool_limit(int threads)
{
    atomic_store_explicit(&pool.limit, limited(threads), memory_order_relaxed);
}

void tsr_pool_watch(void (*watch)(void *user, int worker, double start, double end), void *user)
{
    pool.watch = watch;
    pool.watch_user = user;
}

bool tsr_pool_is_busy(void)
{
    return busy;
}

/* ---- Waiting ---- */

static void relax(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

/* Non-temporal stores become visible to others before this thread reports that it is done. */
static void drain_stores(void)
{
#if defined(__x86_64__) && defined(__SSE2__)
    __builtin_ia32_sfence();
#endif
}

static const double SPIN_SECONDS = 30e-6;

static bool is_for(uint64_t gate, uint64_t last)
{
    return (gate & OPEN) && gate / NEXT != last;
}

/* Whether iteration i of a spinning loop should be its last. The clock is read at every 32nd iteration. */
static bool has_spun(int i, double *end)
{
    if (i % 32 != 31)
        return false;
    double now = tsr_seconds();
    *end = *end > 0 ? *end : now + SPIN_SECONDS;
    return now > *end;
}

/* Waits for the next loop: spins for a moment, then sleeps. */
static uint64_t wait_for_loop(uint64_t last)
{
    double end = 0;
    for (int i = 0;; i++) {
        uint64_t gate = atomic_load(&pool.gate);
        if (is_for(gate, last))
            return gate;
        relax();
        if (has_spun(i, &end))
            break;
    }
    pthread_mutex_lock(&pool.lock);
    atomic_fetch_add(&pool.asleep, 1); /* before the gate is read: see wake_helpers */
    uint64_t gate;
    while (gate = atomic_load(&pool.gate), !is_for(gate, last))
        pthread_cond_wait(&pool.wake, &pool.lock);
    atomic_fetch_sub(&pool.asleep, 1);
    pthread_mutex_unlock(&pool.lock);
    return gate;
}

/* After the gate was opened: a thread that is about to sleep sees it open, or is counted here. */
static void wake_helpers(int most)
{
    if (!atomic_load(&pool.asleep))
        return;
    pthread_mutex_lock(&pool.lock);
    for (int i = 0, n = atomic_load(&pool.asleep); i < most && i < n; i++)
        pthread_cond_signal(&pool.wake);
    pthread_mutex_unlock(&pool.lock);
}

static void wait_for_helpers(void)
{
    double end = 0;
    for (int i = 0; atomic_load(&pool.gate) & INSIDE; i++) {
        relax();
        if (has_spun(i, &end))
            break;
    }
    if (!(atomic_load(&pool.gate) & INSIDE))
        return;
    pthread_mutex_lock(&pool.lock);
    atomic_store(&pool.owner_asleep, true); /* as with asleep */
    while (atomic_load(&pool.gate) & INSIDE)
        pthread_cond_wait(&pool.done, &pool.lock);
    atomic_store(&pool.owner_asleep, false);
    pthread_mutex_unlock(&pool.lock);
}

/* ---- Working ---- */

typedef struct {
    loop *loop;
    int worker;
} share;

static void divide(loop *l, int64_t chunks, int workers)
{
    int64_t each = chunks / workers, more = chunks % workers, at = 0;
    for (int i = 0; i < workers; i++) {
        atomic_store_explicit(&l->ranges[i].next, at, memory_order_relaxed);
        at += each + (i < more);
        l->ranges[i].end = at;
    }
}

/* The next chunk for a worker: of its own range, then of the others'. tried: how many ranges are used up. */
static bool take_chunk(share *s, int *tried, int64_t *chunk)
{
    loop *l = s->loop;
    for (int workers = l->helpers + 1; *tried < workers; (*tried)++) {
        range *r = &l->ranges[(s->worker + *tried) % workers];
        *chunk = atomic_fetch_add_explicit(&r->next, 1, memory_order_relaxed);
        if (*chunk < r->end)
            return true;
    }
    return false;
}

static void take_chunks(void *user)
{
    share *s = user;
    loop *l = s->loop;
    int tried = 0;
    int64_t i;
    tsr_scope *scope = tsr_scope_now();
    if (scope && s->worker)
        scope->place = l->place;
    double start = s->worker && pool.watch ? tsr_seconds() : 0;
    while (!atomic_load_explicit(&l->stopped, memory_order_relaxed) && take_chunk(s, &tried, &i)) {
        tsr_tick(); /* a loop may take long */
        l->body(l->ctx, i, s->worker);
    }
    if (s->worker && pool.watch)
        pool.watch(pool.watch_user, s->worker, start, tsr_seconds());
}

static void help(loop *l)
{
    int worker = atomic_fetch_add_explicit(&l->entered, 1, memory_order_relaxed) + 1;
    if (worker > l->helpers)
        return;
    share s = {l, worker};
    if (!tsr_try_thread(l->limits, take_chunks, &s))
        atomic_store(&l->stopped, true);
    drain_stores();
}

static void *run_helper(void *unused)
{
    (void)unused;
    busy = true;
    for (uint64_t last = 0;;) {
        uint64_t gate = wait_for_loop(last);
        if (!atomic_compare_exchange_strong(&pool.gate, &gate, gate + 1))
            continue;
        last = gate / NEXT;
        help(&pool.loop);
        uint64_t left = atomic_fetch_sub(&pool.gate, 1) - 1;
        if (!(left & (INSIDE | OPEN)) && atomic_load(&pool.owner_asleep)) {
            pthread_mutex_lock(&pool.lock);
            pthread_cond_signal(&pool.done);
            pthread_mutex_unlock(&pool.lock);
        }
    }
    return NULL;
}

/* A child process has no helpers yet. */
static void begin_child(void)
{
    atomic_store(&pool.gate, 0);
    atomic_flag_clear(&pool.taken);
    pool.threads = 0;
    pool.cannot = false;
    pthread_mutex_init(&pool.lock, NULL);
    pthread_cond_init(&pool.wake, NULL);
    pthread_cond_init(&pool.done, NULL);
    atomic_store(&pool.asleep, 0);
    atomic_store(&pool.owner_asleep, false);
}

static void watch_forks(void)
{
    pthread_atfork(NULL, NULL, begin_child);
}

/* Creates as many helpers as needed, or as the system allows. They live as long as the process. */
static void make_helpers(int wanted)
{
    pthread_once(&pool.once, watch_forks);
    while (pool.threads < wanted && !pool.cannot) {
        pthread_t thread;
        pool.cannot = pthread_create(&thread, NULL, run_helper, NULL) != 0;
        if (pool.cannot)
            break;
        pthread_detach(thread);
        pool.threads++;
    }
}

static void run_alone(int64_t chunks, void (*body)(void *ctx, int64_t chunk, int worker), void *ctx)
{
    for (int64_t i = 0; i < chunks; i++) {
        tsr_tick();
        body(ctx, i, 0);
    }
    drain_stores();
}

/* The owner's part, between opening and closing the gate. */
static bool run_loop(int helpers)
{
    loop *l = &pool.loop;
    uint64_t gate = atomic_load(&pool.gate);
    atomic_store(&pool.gate, (gate / NEXT + 1) * NEXT | OPEN);
    wake_helpers(helpers);
    share s = {l, 0};
    busy = true;
    if (!tsr_try(take_chunks, &s))
        atomic_store(&l->stopped, true);
    busy = false;
    drain_stores();
    atomic_fetch_and(&pool.gate, ~OPEN);
    wait_for_helpers();
    return !atomic_load(&l->stopped);
}

void tsr_pool_for(int64_t chunks, void (*body)(void *ctx, int64_t chunk, int worker), void *ctx)
{
    int helpers = chunks > 1 && !busy ? tsr_pool_size() - 1 : 0;
    if (helpers > chunks - 1)
        helpers = (int)(chunks - 1);
    if (helpers <= 0 || atomic_flag_test_and_set(&pool.taken)) {
        run_alone(chunks, body, ctx);
        return;
    }
    make_helpers(helpers);
    tsr_scope *scope = tsr_scope_now();
    tsr_limits *limits = scope ? scope->limits : NULL;
    bool first = limits && !limits->threaded;
    if (first)
        limits->threaded = true;
    loop *l = &pool.loop;
    l->body = body;
    l->ctx = ctx;
    l->helpers = helpers;
    l->limits = limits;
    l->place = scope ? scope->place : 0;
    divide(l, chunks, helpers + 1);
    atomic_store(&l->entered, 0);
    atomic_store(&l->stopped, false);
    bool ok = run_loop(helpers);
    if (first)
        limits->threaded = false;
    atomic_flag_clear(&pool.taken);
    if (!ok)
        tsr_stop_again();
}
