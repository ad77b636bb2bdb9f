/* compiler.c - the two ways in which we end on our own account: a broken invariant, and no memory for compiler data. */
#include "base/compiler.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

/* Set once at start-up by an embedder, before any context exists; the one exception to "no mutable globals". */
static void (*oom_handler)(size_t bytes);

void tsr_assert_failed(const char *file, int line, const char *cond, const char *fmt, ...)
{
    va_list args;
    fprintf(stderr, "%s:%d: broken invariant (%s): ", file, line, cond);
    va_start(args, fmt);
    vfprintf(stderr, fmt, args);
    va_end(args);
    fputc('\n', stderr);
    abort();
}

static void *or_die(void *p, size_t bytes)
{
    if (TSR_LIKELY(p != NULL))
        return p;
    if (oom_handler)
        oom_handler(bytes);
    fprintf(stderr, "tessera: out of memory (%zu bytes)\n", bytes);
    abort();
}

void *tsr_xmalloc(size_t bytes)
{
    return or_die(malloc(bytes ? bytes : 1), bytes);
}

void *tsr_xrealloc(void *old, size_t bytes)
{
    return or_die(realloc(old, bytes ? bytes : 1), bytes);
}

void tsr_set_oom_handler(void (*handler)(size_t bytes))
{
    oom_handler = handler;
}
