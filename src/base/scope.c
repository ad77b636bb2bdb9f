/* SPDX-License-Identifier: Apache-2.0 */
/* scope.c - scopes, stops and limits. See scope.h. */
#define _GNU_SOURCE /* pthread_getattr_np */
#include "base/scope.h"

#include "base/decimal.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "base/memory.h"

/* Each thread, of the library or of a caller, has its own. */
static _Thread_local tsr_scope *now;

tsr_scope *tsr_scope_now(void)
{
    return now;
}

tsr_scope *tsr_scope_suspend(void)
{
    tsr_scope *s = now;
    now = NULL;
    return s;
}

void tsr_scope_resume(tsr_scope *s)
{
    now = s;
}

double tsr_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* ---- The stack ---- */

/* Stack that is kept free for the frames of one level and for the functions that it calls. */
enum { STACK_RESERVE = 96 << 10 };

/* The end of this thread's stack, queried from the system once per thread. NULL if unknown. */
static const char *stack_end(void)
{
    static _Thread_local const char *end;
    static _Thread_local bool asked;
    if (asked)
        return end;
    asked = true;
    pthread_attr_t attr;
    void *base;
    size_t size;
    if (pthread_getattr_np(pthread_self(), &attr) != 0)
        return NULL;
    if (pthread_attr_getstack(&attr, &base, &size) == 0)
        end = (const char *)base + (size / 4 < STACK_RESERVE ? size / 4 : STACK_RESERVE);
    pthread_attr_destroy(&attr);
    return end;
}

static void find_stack(tsr_scope *s, size_t most)
{
    const char *here = __builtin_frame_address(0);
    s->lowest = stack_end();
    if (most && (uintptr_t)here > most && (!s->lowest || here - most > s->lowest))
        s->lowest = here - most;
}

void tsr_check_stack(void)
{
    if (TSR_UNLIKELY(now && (const char *)__builtin_frame_address(0) < now->lowest))
        tsr_stop(TSR_ENVIRONMENT,
                 "stopped: nested too deeply for the stack of this thread (--max-stack)");
}

/* ---- Open and close ---- */

bool tsr_scope_open(tsr_scope *s, const tsr_budget *budget, const atomic_bool *cancel)
{
    s->outer = now;
    if (now)
        return false;
    s->limits = &s->own;
    memset(&s->own, 0, sizeof s->own);
    s->own.blocks = (tsr_link){&s->own.blocks, &s->own.blocks};
    s->own.cancel = cancel;
    pthread_mutex_init(&s->own.lock, NULL);
    s->place = 0;
    s->elsewhere = false;
    s->until_clock = 1;
    s->work = 0;
    s->on_stop = NULL;
    s->user = NULL;
    s->cleanups = NULL;
    s->nlock = 0;
    now = s;
    tsr_scope_set_budget(budget);
    return true;
}

void tsr_scope_set_budget(const tsr_budget *budget)
{
    tsr_limits *l = now->limits;
    l->budget = budget ? *budget : (tsr_budget){0};
    tsr_budget_defaults(&l->budget);
    l->deadline = l->budget.max_seconds > 0 ? tsr_seconds() + l->budget.max_seconds : 0;
    find_stack(now, l->budget.max_stack);
}

static void end(tsr_scope *s)
{
    pthread_mutex_destroy(&s->own.lock);
    now = NULL;
}

void tsr_scope_close(tsr_scope *s)
{
    if (s->outer)
        return;
    tsr_release_blocks(&s->own.blocks);
    end(s);
}

void tsr_scope_sweep(tsr_scope *s)
{
    tsr_free_blocks(&s->own.blocks);
    end(s);
}

/* ---- Stops ---- */

/* Runs the cleanups of this thread's frames, and jumps. */
static TSR_NORETURN void leave(tsr_scope *s)
{
    while (s->cleanups) {
        tsr_cleanup *c = s->cleanups;
        s->cleanups = c->next;
        c->fn(c->user);
    }
    while (s->nlock)
        pthread_mutex_unlock(s->locks[--s->nlock]);
    if (s->limits == &s->own && s->on_stop)
        s->on_stop(s);
    longjmp(s->out, 1);
}

void tsr_stop(tsr_code code, const char *fmt, ...)
{
    tsr_scope *s = now;
    va_list args;
    va_start(args, fmt);
    if (!s) {
        vfprintf(stderr, fmt, args);
        abort();
    }
    tsr_limits *l = s->limits;
    pthread_mutex_lock(&l->lock);
    if (!atomic_load(&l->stopped)) {
        l->why.code = code;
        vsnprintf(l->why.message, sizeof l->why.message, fmt, args);
        l->place = s->place;
        atomic_store(&l->stopped, true); /* last: a thread that sees it may read the cause */
    }
    pthread_mutex_unlock(&l->lock);
    va_end(args);
    leave(s);
}

void tsr_stop_again(void)
{
    tsr_assert(now && now->limits->why.code, "there was no stop");
    leave(now);
}

/* Runs fn with s as the recovery point. */
static bool run_in(tsr_scope *s, void (*fn)(void *user), void *user)
{
    tsr_scope *outer = now;
    now = s;
    bool ok = setjmp(s->out) == 0;
    if (ok)
        fn(user);
    now = outer;
    return ok;
}

bool tsr_try(void (*fn)(void *user), void *user)
{
    if (!now)
        return tsr_try_thread(NULL, fn, user);
    tsr_scope s = {.outer = now,
                   .limits = now->limits,
                   .place = now->place,
                   .lowest = now->lowest,
                   .elsewhere = now->elsewhere,
                   .until_clock = 1};
    return run_in(&s, fn, user);
}

bool tsr_try_thread(tsr_limits *limits, void (*fn)(void *user), void *user)
{
    if (!limits) {
        fn(user);
        return true;
    }
    tsr_scope s = {.outer = now, .limits = limits, .place = now ? now->place : 0, .until_clock = 1};
    find_stack(&s, limits->budget.max_stack);
    return run_in(&s, fn, user);
}

void tsr_lock(pthread_mutex_t *lock)
{
    pthread_mutex_lock(lock);
    if (!now)
        return;
    tsr_assert(now->nlock < TSR_MOST_LOCKS, "%zu locks in one thread", now->nlock);
    now->locks[now->nlock++] = lock;
}

void tsr_unlock(pthread_mutex_t *lock)
{
    if (now) {
        tsr_assert(now->nlock && now->locks[now->nlock - 1] == lock,
                   "locks are given back newest first");
        now->nlock--;
    }
    pthread_mutex_unlock(lock);
}

void tsr_cleanup_push(tsr_cleanup *c, void (*fn)(void *user), void *user)
{
    *c = (tsr_cleanup){now ? now->cleanups : NULL, fn, user};
    if (now)
        now->cleanups = c;
}

void tsr_cleanup_pop(tsr_cleanup *c)
{
    tsr_cleanup **at = now ? &now->cleanups : NULL;
    while (at && *at && *at != c)
        at = &(*at)->next;
    if (at && *at)
        *at = c->next;
}

/* ---- Limits ---- */

void tsr_budget_defaults(tsr_budget *b)
{
    enum { DEVICES = 4096, OPS = 1 << 24 };
    b->max_devices = b->max_devices ? b->max_devices : DEVICES;
    b->max_ops = b->max_ops ? b->max_ops : OPS;
}

static void check_clock(tsr_scope *s)
{
    enum { STEPS = 64 };
    tsr_limits *l = s->limits;
    s->until_clock = STEPS;
    s->work = 0;
    atomic_fetch_add_explicit(&l->looks, 1, memory_order_relaxed);
    if (l->cancel && atomic_load_explicit(l->cancel, memory_order_relaxed))
        tsr_stop(TSR_ENVIRONMENT, "stopped: cancelled");
    if (l->deadline > 0 && tsr_seconds() > l->deadline)
        tsr_stop(TSR_ENVIRONMENT, "stopped after as many seconds as are allowed (--max-seconds=%s)",
                 tsr_spell('g', 0, 6, l->budget.max_seconds).text);
    if (atomic_load_explicit(&l->stopped, memory_order_relaxed))
        tsr_stop(TSR_ENVIRONMENT, "stopped");
}

void tsr_poll(void)
{
    if (now)
        check_clock(now);
}

void tsr_tick(void)
{
    if (now && --now->until_clock == 0)
        check_clock(now);
}

void tsr_work(int64_t turns)
{
    enum { MANY = 1 << 18 };
    if (now && (now->work += (uint64_t)turns) >= MANY)
        check_clock(now);
}

/* Counts so many more; false if the limit is exceeded. */
static bool count(atomic_uint_least64_t *n, uint64_t more, uint64_t most)
{
    return !most || atomic_fetch_add_explicit(n, more, memory_order_relaxed) + more <= most;
}

void tsr_scope_elsewhere(bool elsewhere)
{
    if (now)
        now->elsewhere = elsewhere;
}

static void move_to(tsr_scope *s, uint64_t place)
{
    if (!s->elsewhere)
        s->place = place;
}

void tsr_count_step(uint64_t place)
{
    tsr_count_steps(place, 1);
}

void tsr_count_steps(uint64_t place, uint64_t n)
{
    tsr_scope *s = now;
    if (!s)
        return;
    move_to(s, place);
    if (!count(&s->limits->steps, n, s->limits->budget.max_steps))
        tsr_stop(TSR_ENVIRONMENT,
                 "stopped after as many ops were evaluated as are allowed (--max-steps=%llu)",
                 (unsigned long long)s->limits->budget.max_steps);
    s->until_clock = s->until_clock > n ? s->until_clock - (uint32_t)n : 0;
    if (s->until_clock == 0)
        check_clock(s);
}

void tsr_count_op(uint64_t place)
{
    tsr_scope *s = now;
    if (!s)
        return;
    move_to(s, place);
    if (!count(&s->limits->ops, 1, s->limits->budget.max_ops))
        tsr_stop(TSR_ENVIRONMENT,
                 "stopped after as many ops were made as are allowed (--max-ops=%llu)",
                 (unsigned long long)s->limits->budget.max_ops);
    if (--s->until_clock == 0)
        check_clock(s);
}
