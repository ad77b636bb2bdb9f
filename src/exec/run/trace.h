/* SPDX-License-Identifier: Apache-2.0 */
/* trace.h - a timeline of a run: which group ran when, on which device and thread. Events are recorded without a lock
 * (watch.c). */
#ifndef TSR_EXEC_TRACE_H
#define TSR_EXEC_TRACE_H

#include <stdatomic.h>

#include "base/threads.h"
#include "exec/program.h"

typedef enum {
    TSR_TRACE_RUN,   /* a device ran the group */
    TSR_TRACE_STOPS, /* the group takes part in a collective and has to wait: it runs again */
    TSR_TRACE_HELP,  /* a thread ran a part of the group for a device */
} tsr_trace_kind;

typedef struct {
    double start, end; /* by tsr_seconds */
    tsr_xid group;
    uint32_t device;
    uint8_t kind;
} tsr_trace_event;

typedef struct tsr_trace {
    const tsr_program *p; /* the program of the groups */
    TSR_VEC(tsr_trace_event) by_worker[TSR_MOST_THREADS];
    uint64_t most;                      /* events that a thread keeps */
    uint64_t dropped[TSR_MOST_THREADS]; /* by thread: events beyond that */
    /* The group that all threads work on, and for which device; TSR_XNONE: each runs devices of its own. */
    _Atomic(tsr_xid) current;
    uint32_t device;
} tsr_trace;

tsr_trace *tsr_trace_new(const tsr_program *p);
void tsr_trace_free(tsr_trace *t);
/* From now on, threads of the pool record the work that they help with; NULL: stop. */
void tsr_trace_watch(tsr_trace *t);

static inline void tsr_trace_add(tsr_trace *t, int worker, tsr_trace_event e)
{
    if (t->by_worker[worker].n < t->most)
        tsr_vec_push(&t->by_worker[worker], e);
    else
        t->dropped[worker]++;
}

#endif
