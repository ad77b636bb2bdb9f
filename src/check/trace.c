/* SPDX-License-Identifier: Apache-2.0 */
/* trace.c - see trace.h.
 *
 * Events are complete ones ("X"), by device and by thread. A collective also has an asynchronous pair ("b", "e"): from
 * when a device contributed its part until it had the result. Times are microseconds since the first event; "start" is
 * the time of that event on the monotonic clock. */
#include "check/trace.h"

#include <stdlib.h>

#include "base/decimal.h"
#include "eval/groups.h"
#include "eval/mesh.h"
#include "exec/report.h"

enum { DEVICES = 1, THREADS = 2 }; /* process ids */

/* Facts that all events of a group share. */
typedef struct {
    tsr_buf name, args;
    tsr_group_cost cost;
    tsr_dtype type; /* element type of its products; TSR_D_NONE: it has none */
    bool meets, starts;
    tsr_xid done; /* for a start: the group that ends it; else itself */
} facts;

/* A collective that a device waits for. */
typedef struct {
    tsr_xid group;
    double start;
} span;

typedef struct {
    const tsr_trace *t;
    const tsr_machine *machine;
    facts *facts; /* by group */
    double zero;
    tsr_buf *out;
    bool any;
    /* Sums, in seconds. */
    double busy, collective, spans, hidden;
    uint64_t nevent, nspan;
} writer;

/* ---- Groups ---- */

static void find_facts(const tsr_program *p, tsr_xid group, facts *f)
{
    const tsr_xgroup *g = &p->groups.data[group];
    const tsr_node *first = &p->nodes.data[g->nodes.data[0]];
    tsr_buf place = {0};
    tsr_group_name(p, g, &f->name);
    tsr_report_place(p, tsr_group_loc(p, g), &place);
    f->cost = tsr_group_cost_of(p, g);
    f->type = TSR_D_NONE;
    for (size_t i = 0; i < g->nodes.n; i++)
        if (p->nodes.data[g->nodes.data[i]].kind == TSR_NODE_CONTRACT)
            f->type = (tsr_dtype)p->nodes.data[g->nodes.data[i]].contract->type;
    f->meets = (tsr_is_kernel(g->kind) || g->kind == TSR_NODE_START) && first->op &&
               tsr_op_meets(first->op);
    if (g->kind == TSR_NODE_START || first->started)
        tsr_buf_cstr(&f->name, first->started ? " done" : " start");
    f->done = g->kind == TSR_NODE_START ? p->nodes.data[first->done].group : group;
    f->starts = g->kind == TSR_NODE_START;
    unsigned long long bytes = f->cost.read + f->cost.written;
    tsr_buf_printf(&f->args, "\"group\": %u, \"kind\": \"%s\", \"bytes\": %llu, \"flops\": %llu",
                   g->step, tsr_group_kind(g), bytes, (unsigned long long)f->cost.flops);
    tsr_buf_cstr(&f->args, ", \"location\": ");
    tsr_buf_json(&f->args, tsr_buf_text(&place));
    tsr_buf_free(&place);
}

/* The least time that the group could take on this machine, limited by its bytes or by its FLOPs. */
static double least_seconds(const writer *w, const facts *f, bool all)
{
    const tsr_machine *m = w->machine;
    double bytes =
        (double)(f->cost.read + f->cost.written) / (all ? m->bandwidth.all : m->bandwidth.one);
    tsr_dtype type = f->type == TSR_D_NONE ? TSR_D_F32 : f->type;
    double flops = (double)f->cost.flops / tsr_machine_flops(m, type, all);
    return bytes > flops ? bytes : flops;
}

/* ---- Events ---- */

static void put_number(tsr_buf *out, const char *name, double v)
{
    tsr_buf_printf(out, ", \"%s\": %s", name, tsr_spell('f', 0, 3, v).text);
}

static void begin(writer *w, const char *phase, int process, uint64_t row, double at)
{
    tsr_buf_printf(w->out, "%s{\"ph\": \"%s\", \"pid\": %d, \"tid\": %llu", w->any ? ",\n" : "",
                   phase, process, (unsigned long long)row);
    put_number(w->out, "ts", (at - w->zero) * 1e6);
    w->any = true;
}

static void put_name(writer *w, const facts *f, const char *suffix)
{
    tsr_buf name = {0};
    tsr_buf_str(&name, tsr_buf_text(&f->name));
    tsr_buf_cstr(&name, suffix);
    tsr_buf_cstr(w->out, ", \"name\": ");
    tsr_buf_json(w->out, tsr_buf_text(&name));
    tsr_buf_free(&name);
}

/* all: the group used all threads. */
static void put_event(writer *w, const tsr_trace_event *e, int process, uint64_t row, bool all)
{
    const facts *f = &w->facts[e->group];
    double seconds = e->end - e->start;
    begin(w, "X", process, row, e->start);
    put_number(w->out, "dur", seconds * 1e6);
    put_name(w, f, e->kind == TSR_TRACE_STOPS ? " (waits)" : "");
    tsr_buf_printf(w->out, ", \"cat\": \"%s\", \"args\": {%.*s, \"device\": %u",
                   f->meets ? "collective" : "compute", TSR_STR_ARG(tsr_buf_text(&f->args)),
                   e->device);
    if (e->kind == TSR_TRACE_RUN && seconds > 0) {
        put_number(w->out, "GB/s", (double)(f->cost.read + f->cost.written) / seconds * 1e-9);
        put_number(w->out, "GFLOP/s", (double)f->cost.flops / seconds * 1e-9);
        if (w->machine)
            put_number(w->out, "efficiency", least_seconds(w, f, all) / seconds);
    }
    tsr_buf_cstr(w->out, "}}");
    w->nevent++;
}

static void put_span(writer *w, const char *phase, const facts *f, uint32_t device, double at)
{
    begin(w, phase, DEVICES, device, at);
    put_name(w, f, "");
    tsr_buf_printf(w->out, ", \"cat\": \"in flight\", \"id\": \"%llu\"}",
                   (unsigned long long)w->nspan);
}

static void put_row(writer *w, int process, uint64_t row, const char *what)
{
    tsr_buf_printf(w->out,
                   "%s{\"ph\": \"M\", \"pid\": %d, \"tid\": %llu, \"name\": \"thread_name\", "
                   "\"args\": {\"name\": \"%s %llu\"}}",
                   w->any ? ",\n" : "", process, (unsigned long long)row, what,
                   (unsigned long long)row);
    w->any = true;
}

static void put_process(writer *w, int process, const char *name)
{
    tsr_buf_printf(
        w->out,
        "%s{\"ph\": \"M\", \"pid\": %d, \"tid\": 0, \"name\": \"process_name\", \"args\": "
        "{\"name\": \"%s\"}}",
        w->any ? ",\n" : "", process, name);
    w->any = true;
}

/* ---- Devices ---- */

typedef struct {
    tsr_trace_event event;
    int worker;
} placed;

static int by_device_and_time(const void *a, const void *b)
{
    const placed *x = a, *y = b;
    if (x->event.device != y->event.device)
        return x->event.device < y->event.device ? -1 : 1;
    return (x->event.start > y->event.start) - (x->event.start < y->event.start);
}

/* Pairs of events of one device, which are in order: from the first time that a group had to wait until it ran to its
 * end. The device may have computed other groups in between: that time is hidden. */
static void put_spans(writer *w, const placed *list, size_t n)
{
    TSR_VEC(span) open = {0};
    for (size_t i = 0; i < n; i++) {
        const tsr_trace_event *e = &list[i].event;
        const facts *f = &w->facts[e->group];
        size_t k = 0;
        while (k < open.n && open.data[k].group != f->done)
            k++;
        w->busy += e->end - e->start;
        if (f->meets)
            w->collective += e->end - e->start;
        else if (open.n)
            w->hidden += e->end - e->start;
        if ((f->starts || e->kind == TSR_TRACE_STOPS) && k == open.n)
            tsr_vec_push(&open, ((span){f->done, e->start}));
        if (f->starts || e->kind != TSR_TRACE_RUN || k == open.n)
            continue;
        put_span(w, "b", f, e->device, open.data[k].start);
        put_span(w, "e", f, e->device, e->end);
        w->spans += e->end - open.data[k].start;
        w->nspan++;
        open.data[k] = open.data[--open.n];
    }
    tsr_vec_free(&open);
}

static void put_all(writer *w)
{
    TSR_VEC(placed) all = {0};
    const tsr_trace *t = w->t;
    for (int i = 0; i < TSR_MOST_THREADS; i++)
        for (size_t k = 0; k < t->by_worker[i].n; k++)
            tsr_vec_push(&all, ((placed){t->by_worker[i].data[k], i}));
    if (all.n)
        qsort(all.data, all.n, sizeof *all.data, by_device_and_time);
    w->zero = all.n ? all.data[0].event.start : 0;
    bool alone = all.n && all.data[0].event.device == all.data[all.n - 1].event.device;
    for (size_t i = 0; i < all.n; i++) {
        const tsr_trace_event *e = &all.data[i].event;
        w->zero = e->start < w->zero ? e->start : w->zero;
        if (!w->facts[e->group].name.len)
            find_facts(t->p, e->group, &w->facts[e->group]);
    }
    for (size_t i = 0, end; i < all.n; i = end) {
        TSR_VEC(placed) own = {0};
        for (end = i; end < all.n && all.data[end].event.device == all.data[i].event.device;
             end++) {
            const placed *x = &all.data[end];
            put_event(w, &x->event, THREADS, (uint64_t)x->worker, alone);
            if (x->event.kind == TSR_TRACE_HELP)
                continue;
            put_event(w, &x->event, DEVICES, x->event.device, alone);
            tsr_vec_push(&own, *x);
        }
        put_row(w, DEVICES, all.data[i].event.device, "device");
        put_spans(w, own.data, own.n);
        tsr_vec_free(&own);
    }
    tsr_vec_free(&all);
}

static void put_sums(const writer *w)
{
    uint64_t dropped = 0;
    for (int i = 0; i < TSR_MOST_THREADS; i++)
        dropped += w->t->dropped[i];
    tsr_buf_printf(w->out,
                   "\n], \"displayTimeUnit\": \"ms\", \"otherData\": {\"events\": %llu, "
                   "\"dropped\": %llu, \"collectives\": %llu",
                   (unsigned long long)w->nevent, (unsigned long long)dropped,
                   (unsigned long long)w->nspan);
    put_number(w->out, "busy_ms", w->busy * 1e3);
    put_number(w->out, "collective_ms", w->collective * 1e3);
    put_number(w->out, "in_flight_ms", w->spans * 1e3);
    put_number(w->out, "overlap_ms", w->hidden * 1e3);
    tsr_buf_printf(w->out, ", \"start\": %s", tsr_spell('f', 0, 9, w->zero).text);
    if (w->machine) {
        put_number(w->out, "peak_GB/s", w->machine->bandwidth.all * 1e-9);
        put_number(w->out, "peak_GFLOP/s_f32",
                   tsr_machine_flops(w->machine, TSR_D_F32, true) * 1e-9);
        tsr_buf_cstr(w->out, ", \"machine\": ");
        tsr_buf_json(w->out, tsr_cstr(w->machine->name));
    }
    tsr_buf_cstr(w->out, "}}\n");
}

void tsr_trace_write(const tsr_trace *t, const tsr_machine *machine, tsr_buf *out)
{
    size_t n = t->p->groups.n + 1;
    writer w = {.t = t, .machine = machine, .facts = tsr_xmalloc(n * sizeof *w.facts), .out = out};
    memset(w.facts, 0, n * sizeof *w.facts);
    tsr_buf_cstr(out, "{\"traceEvents\": [\n");
    put_process(&w, DEVICES, "devices");
    put_process(&w, THREADS, "threads");
    for (int i = 0; i < TSR_MOST_THREADS; i++)
        if (t->by_worker[i].n)
            put_row(&w, THREADS, (uint64_t)i, "thread");
    put_all(&w);
    put_sums(&w);
    for (size_t i = 0; i < n; i++) {
        tsr_buf_free(&w.facts[i].name);
        tsr_buf_free(&w.facts[i].args);
    }
    tsr_free(w.facts);
}
