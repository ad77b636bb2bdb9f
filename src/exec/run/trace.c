/* SPDX-License-Identifier: Apache-2.0 */
/* trace.c - see trace.h. */
#include "exec/run/trace.h"

#include "base/scope.h"

enum { MOST_EVENTS = 1 << 20 };

tsr_trace *tsr_trace_new(const tsr_program *p)
{
    tsr_trace *t = tsr_xmalloc(sizeof *t);
    memset(t, 0, sizeof *t);
    t->p = p;
    t->most = MOST_EVENTS;
    atomic_init(&t->current, TSR_XNONE);
    return t;
}

void tsr_trace_free(tsr_trace *t)
{
    for (int i = 0; t && i < TSR_MOST_THREADS; i++)
        tsr_vec_free(&t->by_worker[i]);
    tsr_free(t);
}

static void add_help(void *trace, int worker, double start, double end)
{
    tsr_trace *t = trace;
    tsr_xid group = atomic_load_explicit(&t->current, memory_order_relaxed);
    if (group != TSR_XNONE)
        tsr_trace_add(t, worker, (tsr_trace_event){start, end, group, t->device, TSR_TRACE_HELP});
}

void tsr_trace_watch(tsr_trace *t)
{
    tsr_pool_watch(t ? add_help : NULL, t);
}
