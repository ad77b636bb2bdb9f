/* SPDX-License-Identifier: Apache-2.0 */
/* stop.c - how a tool ends when memory or a limit runs out or the user interrupts it: flags for the limits, Ctrl-C, and
 * exit code 3. */
#include "tools.h"

#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>

#include "base/decimal.h"
#include "base/scope.h"

/* The only state that the signal handler and the report of a stop use. */
static atomic_bool cancelled;
static tsr_ctx *current;
/* All live contexts: their pools outlast what is freed after a stop. */
static tsr_ctx *alive[8];

// clang-format off
/* LIMIT(name, field, scale, arg, doc) */
#define LIMITS(LIMIT) \
    LIMIT("max-steps", max_steps, false, "<n>", "Stop after this many ops were evaluated, on all devices together (default: no limit)") \
    LIMIT("max-seconds", max_seconds, false, "<s>", "Stop after this many seconds (default: no limit)") \
    LIMIT("max-bytes", max_bytes, true, "<n>[K|M|G]", "Stop when more memory is needed (default: what the machine and the control group have)") \
    LIMIT("max-devices", max_devices, false, "<n>", "Run on no more devices than this (default: 4096)") \
    LIMIT("max-ops", max_ops, false, "<n>", "Stop after this many ops were made, by reading and by all passes (default: 16777216)") \
    LIMIT("max-stack", max_stack, true, "<n>[K|M|G]", "Stop when nesting needs more stack (default: what the thread has)")
// clang-format on

const flag limit_flags[] = {{NULL, FLAG_GROUP, NULL, "LIMITS"},
#define LIMIT(name, field, scale, arg, doc) {name, FLAG_VALUE, arg, doc},
                            LIMITS(LIMIT)
#undef LIMIT
};
const size_t nlimit_flag = TSR_COUNT(limit_flags);

const flag *command_flag(const command *c, size_t i)
{
    if (i < c->nflag)
        return &c->flags[i];
    i -= c->nflag;
    return c->nflag && i < nlimit_flag ? &limit_flags[i] : NULL;
}

/* A number above zero, perhaps with a unit. */
static bool read_limit(const char *text, bool scale, double *out)
{
    static const char units[] = "KMG";
    size_t n = strlen(text);
    const char *unit = scale && n ? strchr(units, text[n - 1]) : NULL;
    if (!tsr_str_double(tsr_str_of(text, n - (unit != NULL)), out) || !(*out > 0))
        return false;
    for (int i = 0; unit && i <= unit - units; i++)
        *out *= 1024;
    return *out < 9e18;
}

bool set_limit(const char *name, const char *value)
{
    tsr_scope *s = tsr_scope_now();
    tsr_budget b = s->limits->budget;
    double number = 0;
#define LIMIT(flag_name, field, scale, arg, doc) \
    if (strcmp(name, flag_name) == 0) {          \
        if (!read_limit(value, scale, &number))  \
            return false;                        \
        b.field = number;                        \
        if (!(b.field > 0)) /* half an op */     \
            return false;                        \
    }
    LIMITS(LIMIT)
#undef LIMIT
    tsr_scope_set_budget(&b);
    return true;
}

/* A place in one context means nothing in another. */
static void set_current(tsr_ctx *ctx)
{
    current = ctx;
    if (tsr_scope_now())
        tsr_scope_now()->place = TSR_LOC_UNKNOWN;
}

tsr_ctx *new_ctx(void)
{
    set_current(tsr_ctx_new());
    for (size_t i = 0; i < TSR_COUNT(alive); i++)
        if (!alive[i]) {
            alive[i] = current;
            break;
        }
    return current;
}

void free_ctx(tsr_ctx *ctx)
{
    if (current == ctx)
        set_current(NULL);
    for (size_t i = 0; i < TSR_COUNT(alive); i++)
        if (alive[i] == ctx)
            alive[i] = NULL;
    tsr_ctx_free(ctx);
}

/* The first Ctrl-C ends the work and reports where it was; a later one ends the process. timeout(1), shells and other
 * wrappers send one to the process and one to its group: signals within half a second count as the same Ctrl-C. */
static void on_interrupt(int signal_number)
{
    static struct timespec first;
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    if (!atomic_exchange(&cancelled, true)) {
        first = now;
        return;
    }
    double since =
        (double)(now.tv_sec - first.tv_sec) + 1e-9 * (double)(now.tv_nsec - first.tv_nsec);
    if (since > 0.5) {
        signal(signal_number, SIG_DFL);
        raise(signal_number);
    }
}

static void catch_interrupt(void)
{
    struct sigaction a = {.sa_handler = on_interrupt}, was;
    sigemptyset(&a.sa_mask);
    /* A process started in the background should not be interrupted. */
    if (sigaction(SIGINT, NULL, &was) == 0 && was.sa_handler != SIG_IGN)
        sigaction(SIGINT, &a, NULL);
    signal(SIGXFSZ, SIG_IGN); /* a file that may not grow is reported like a full disk */
}

bool was_interrupted(void)
{
    return atomic_load(&cancelled);
}

static void tell(tsr_scope *s)
{
    const tool *t = s->user;
    tsr_str file;
    uint32_t line = 0, col;
    fflush(stdout);
    working_end();
    if (current && tsr_loc_position(current, s->limits->place, &file, &line, &col) && line)
        tsr_emit_stop(current, s->limits->place, &s->limits->why);
    else
        fprintf(stderr, "%s: error: %s\n", t->name, s->limits->why.message);
}

int run_tool(const command *c, const tool *t, int argc, char **argv)
{
    tsr_scope s;
    tsr_scope_open(&s, NULL, &cancelled);
    if (setjmp(s.out) != 0) {
        for (size_t i = 0; i < TSR_COUNT(alive); i++) {
            if (alive[i])
                tsr_pool_free(&alive[i]->pool);
            alive[i] = NULL;
        }
        current = NULL;
        tsr_scope_sweep(&s);
        return EXIT_ENVIRONMENT;
    }
    s.on_stop = tell;
    s.user = (void *)(uintptr_t)t;
    catch_interrupt();
    int code = c->run(t, argc, argv);
    tsr_scope_close(&s);
    return code;
}
