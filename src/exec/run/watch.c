/* SPDX-License-Identifier: Apache-2.0 */
/* watch.c - calls the hooks of a run for each group: times, values, progress. */
#include "base/scope.h"
#include "exec/run/run.h"
#include "exec/run/trace.h"

/* Reports the values in memory that the group wrote, each once: nodes of one group have different values. */
static bool tell_values(tsr_run *r, tsr_xid group)
{
    const tsr_program *p = r->p;
    const tsr_xgroup *g = &p->groups.data[group];
    TSR_VEC(tsr_xid) values = {0};
    TSR_VEC(tsr_tensor *) tensors = {0};
    bool ok = true;
    for (size_t i = 0; ok && i < g->nodes.n; i++) {
        const tsr_node *n = &p->nodes.data[g->nodes.data[i]];
        for (uint32_t k = 0; ok && k < n->nout; k++) {
            uint8_t place = p->values.data[n->out[k]].place;
            if ((place != TSR_PLACE_ARENA && place != TSR_PLACE_TENSOR) ||
                p->values.data[n->out[k]].part)
                continue;
            tsr_tensor *t = tsr_run_tensor(r, n->out[k]);
            ok = t != NULL;
            if (ok) {
                tsr_vec_push(&values, n->out[k]);
                tsr_vec_push(&tensors, t);
            }
        }
    }
    tsr_call c = {.e = r->e, .op = p->nodes.data[g->nodes.data[0]].op};
    c.op = c.op ? c.op : p->function;
    if (!ok)
        tsr_fail_memory(&c, "what is told of it");
    ok = ok && (r->hooks->observe(r->hooks->user, p, group, values.data, tensors.data, values.n) ||
                tsr_fail(&c, "was the last to run: the caller ended the run"));
    for (size_t i = 0; i < tensors.n; i++)
        tsr_tensor_unref(tensors.data[i]);
    tsr_vec_free(&values);
    tsr_vec_free(&tensors);
    return ok;
}

bool tsr_run_told(tsr_run *r, tsr_xid group)
{
    const tsr_run_hooks *h = r->hooks;
    group = tsr_xgroup_find(r->p, group);
    if (h->observe)
        TSR_TRY(tell_values(r, group));
    if (!h->progress || h->progress(h->user, r->p, group))
        return true;
    tsr_call c = {.e = r->e, .op = r->p->nodes.data[r->p->groups.data[group].nodes.data[0]].op};
    c.op = c.op ? c.op : r->p->function;
    return tsr_fail(&c, "was the last to run: the caller ended the run");
}

/* Runs a group and records its time. Groups of control flow only begin here: the groups inside them are recorded. */
static bool run_traced(tsr_run *r, tsr_xid group, bool (*run)(tsr_run *r, const tsr_xgroup *g))
{
    const tsr_xgroup *g = &r->p->groups.data[group];
    tsr_trace *t = r->hooks->trace;
    tsr_trace_event e = {.start = tsr_seconds(), .group = group, .device = tsr_process_id(r->e)};
    bool alone = !tsr_pool_is_busy();
    if (alone) {
        t->device = e.device;
        atomic_store_explicit(&t->current, group, memory_order_relaxed);
    }
    bool ok =
        run(r, g) && (!r->device || r->device->synchronize(r->device) || tsr_run_lost(r, NULL));
    if (alone)
        atomic_store_explicit(&t->current, TSR_XNONE, memory_order_relaxed);
    e.end = tsr_seconds();
    e.kind = r->again ? TSR_TRACE_STOPS : TSR_TRACE_RUN;
    if (g->kind != TSR_NODE_WHILE && g->kind != TSR_NODE_CASE)
        tsr_trace_add(t, r->hooks->worker, e);
    return ok;
}

bool tsr_run_count(tsr_run *r)
{
    tsr_device *d = r->device;
    if (r->marks.n && !d->synchronize(d))
        return tsr_run_lost(r, NULL);
    for (size_t i = 0; i < r->marks.n; i++) {
        const tsr_run_mark *m = &r->marks.data[i];
        r->hooks->times[m->group].seconds += d->between(d, m->from, m->to);
    }
    r->marks.n = 0;
    return true;
}

/* Work on a device is done later: marks before and after it tell its time. */
static bool run_marked(tsr_run *r, tsr_xid group, bool (*run)(tsr_run *r, const tsr_xgroup *g))
{
    enum { MOST = 1024 };
    tsr_device *d = r->device;
    tsr_run_mark m = {.group = group};
    if (!d->mark(d, TSR_LANE_KERNELS, &m.from))
        return tsr_run_lost(r, NULL);
    TSR_TRY(run(r, &r->p->groups.data[group]));
    if (!d->mark(d, TSR_LANE_KERNELS, &m.to))
        return tsr_run_lost(r, NULL);
    r->hooks->times[group].runs++;
    tsr_vec_push(&r->marks, m);
    return r->marks.n < MOST || tsr_run_count(r);
}

bool tsr_run_watched(tsr_run *r, tsr_xid group, bool (*run)(tsr_run *r, const tsr_xgroup *g))
{
    const tsr_run_hooks *h = r->hooks;
    const tsr_xgroup *g = &r->p->groups.data[group];
    bool marked = h->times && r->device, traced = h->trace && h->trace->p == r->p;
    double start = h->times ? h->clock() : 0;
    TSR_TRY(marked ? run_marked(r, group, run) : traced ? run_traced(r, group, run) : run(r, g));
    if (h->times && !marked) {
        h->times[group].runs++;
        h->times[group].seconds += h->clock() - start;
    }
    bool goes_on = g->kind == TSR_NODE_WHILE || g->kind == TSR_NODE_CASE;
    return goes_on || tsr_run_told(r, group);
}
