/* SPDX-License-Identifier: Apache-2.0 */
/* report.c - the report of a simulation as text, as JSON and as a trace. */
#include "sim/sim.h"

#include <math.h>

#include "base/decimal.h"
#include "text/text.h"

void tsr_buf_report(tsr_buf *out, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    for (const char *p = fmt; *p; p++) {
        const char *end = p + 1;
        int precision = 6;
        if (*p != '%') {
            tsr_buf_char(out, *p);
            continue;
        }
        if (*end == '.' && end[1] == '*') {
            precision = va_arg(args, int);
            end += 2;
        } else if (*end == '.') {
            precision = end[1] - '0';
            end += 2;
        }
        end += strspn(end, "l");
        switch (*end) {
        case 'f':
        case 'g': {
            tsr_spelling spelt = tsr_spell(*end, 0, precision, va_arg(args, double));
            tsr_buf_cstr(out, spelt.text);
            break;
        }
        case 'u': tsr_buf_uint(out, va_arg(args, unsigned)); break;
        case 'd': tsr_buf_int(out, va_arg(args, long long)); break; /* only as %lld */
        case 's': tsr_buf_cstr(out, va_arg(args, const char *)); break;
        default: tsr_buf_char(out, *end); break;
        }
        p = end;
    }
    va_end(args);
}

double tsr_sim_mfu(const tsr_sim_report *r)
{
    double all = r->peak * r->sim->seconds * (double)r->devices;
    return all > 0 ? r->work / all : 0;
}

void tsr_buf_seconds(tsr_buf *out, double seconds)
{
    const char *unit = seconds >= 0.9995 ? "s" : seconds >= 0.9995e-3 ? "ms" : "us";
    double n = seconds * (seconds >= 0.9995 ? 1 : seconds >= 0.9995e-3 ? 1e3 : 1e6);
    if (seconds < 0)
        tsr_buf_char(out, '?');
    else
        tsr_buf_report(out, "%.*f %s", n >= 99.95 ? 0 : n >= 9.995 ? 1 : 2, n, unit);
}

static void percent(tsr_buf *out, double share)
{
    tsr_buf_report(out, "%.1f %%", 100 * share);
}

/* The largest values live at the peak: at most n of them. */
static void alive_text(tsr_buf *out, const tsr_shard_plan *plan, uint32_t n)
{
    int64_t below = INT64_MAX;
    const tsr_value *last = NULL;
    for (uint32_t i = 0; i < n; i++) {
        const tsr_plan_alive *best = NULL;
        bool after = false;
        for (size_t j = 0; j < plan->alive.n; j++) {
            const tsr_plan_alive *a = &plan->alive.data[j];
            if ((a->bytes < below || (a->bytes == below && after)) &&
                (!best || a->bytes > best->bytes))
                best = a;
            after |= a->value == last;
        }
        if (!best || best->bytes <= 0)
            return;
        tsr_str type = tsr_type_print(best->value->type);
        tsr_buf_cstr(out, "  ");
        tsr_buf_quantity(out, (double)best->bytes, "B");
        tsr_buf_cstr(out, "  ");
        tsr_buf_str(out, type);
        tsr_buf_cstr(out, ", ");
        tsr_value_describe(out, best->value);
        tsr_buf_char(out, '\n');
        tsr_free((void *)type.data);
        below = best->bytes;
        last = best->value;
    }
}

void tsr_sim_text(tsr_buf *out, const tsr_sim_report *r)
{
    const tsr_sim *s = r->sim;
    if (r->mesh.len) {
        tsr_buf_cstr(out, "mesh ");
        tsr_buf_str(out, r->mesh);
        tsr_buf_cstr(out, "\nplan ");
        tsr_buf_str(out, r->plan_name);
        tsr_buf_cstr(out, "\n\n");
    }
    tsr_buf_report(out, "%lld device%s: ", (long long)r->devices, r->devices == 1 ? "" : "s");
    tsr_buf_str(out, r->device->about.len ? r->device->about : r->device->name);
    tsr_buf_cstr(out, "\n\nstep time              ");
    tsr_buf_seconds(out, s->seconds);
    tsr_buf_cstr(out, "\ncomputing              ");
    tsr_buf_seconds(out, s->computing);
    tsr_buf_cstr(out, "\nexposed communication  ");
    tsr_buf_seconds(out, s->exposed);
    if (s->later > 0) {
        tsr_buf_cstr(out, " (");
        tsr_buf_seconds(out, fmax(0, s->exposed - s->later));
        tsr_buf_cstr(out, " with one turn of each loop)");
    }
    tsr_buf_cstr(out, " of ");
    tsr_buf_seconds(out, s->talking);
    tsr_buf_report(out, ", %u collective%s\nreceived               ", s->ncollective,
                   s->ncollective == 1 ? "" : "s");
    tsr_buf_quantity(out, s->moved, "B");
    if (r->plan && r->plan->moved != r->plan->moved_once) {
        tsr_buf_cstr(out, " (");
        tsr_buf_quantity(out, (double)r->plan->moved_once, "B");
        tsr_buf_cstr(out, " with one turn of each loop)");
    }
    tsr_buf_cstr(out, " a device\nMFU                    ");
    percent(out, tsr_sim_mfu(r));
    tsr_buf_cstr(out, " of ");
    tsr_buf_quantity(out, r->peak, "FLOP/s");
    tsr_buf_cstr(out, "\npeak memory            ");
    tsr_buf_quantity(out, r->bytes, "B");
    tsr_buf_cstr(out, " of ");
    tsr_buf_quantity(out, r->device->memory, "B");
    tsr_buf_cstr(out, r->bytes > r->device->memory ? ": it does not fit\n" : "\n");
    if (r->plan) {
        tsr_shard_plan_notes(out, r->plan);
        tsr_buf_cstr(out, "\nlargest at the peak\n");
        alive_text(out, r->plan, 8);
    }
}

void tsr_sim_json(tsr_buf *out, const tsr_sim_report *r)
{
    const tsr_sim *s = r->sim;
    tsr_buf_cstr(out, "{\n  \"device\": ");
    tsr_buf_json(out, r->device->name);
    if (r->mesh.len) {
        tsr_buf_cstr(out, ",\n  \"mesh\": ");
        tsr_buf_json(out, r->mesh);
        tsr_buf_cstr(out, ",\n  \"plan\": ");
        tsr_buf_json(out, r->plan_name);
    }
    tsr_buf_report(out, ",\n  \"devices\": %lld,\n  \"step_seconds\": %.9g,\n",
                   (long long)r->devices, s->seconds);
    tsr_buf_report(out, "  \"computing_seconds\": %.9g,\n  \"exposed_seconds\": %.9g,\n",
                   s->computing, s->exposed);
    tsr_buf_report(out, "  \"collective_seconds\": %.9g,\n  \"collectives\": %u,\n", s->talking,
                   s->ncollective);
    tsr_buf_report(out, "  \"received_bytes\": %.0f,\n  \"flops\": %.9g,\n  \"mfu\": %.6g,\n",
                   s->moved, s->flops, tsr_sim_mfu(r));
    tsr_buf_report(out, "  \"flops_per_second\": %.9g,\n",
                   s->seconds > 0 ? r->work / s->seconds / (double)r->devices : 0);
    if (r->plan)
        tsr_buf_report(out,
                       "  \"received_bytes_once\": %lld,\n  \"exposed_seconds_once\": %.9g,\n"
                       "  \"loops\": %u,\n  \"loops_of_unknown_length\": %u,\n",
                       (long long)r->plan->moved_once, fmax(0, s->exposed - s->later),
                       r->plan->nloop, r->plan->nunknown);
    tsr_buf_report(out, "  \"peak_bytes\": %.0f,\n  \"memory_bytes\": %.0f\n}\n", r->bytes,
                   r->device->memory);
}

static void trace_name(tsr_buf *out, const tsr_sim_task *t)
{
    tsr_buf_json(out, t->op ? t->op->def->name : tsr_cstr(t->label));
}

/* The source location of the op, in the form that traces of runs have, and its stack of names. */
static void trace_place(tsr_buf *out, tsr_ctx *ctx, const tsr_sim_task *t)
{
    tsr_buf place = {0}, name = {0};
    bool placed = t->op && tsr_loc_place(&place, ctx, t->op->loc, true);
    bool named = t->op && tsr_loc_name(&name, t->op->loc);
    if (placed || named)
        tsr_buf_cstr(out, ", \"args\": {");
    if (placed) {
        tsr_buf_cstr(out, "\"location\": ");
        tsr_buf_json(out, tsr_buf_text(&place));
    }
    if (named) {
        tsr_buf_cstr(out, placed ? ", \"name\": " : "\"name\": ");
        tsr_buf_json(out, tsr_buf_text(&name));
    }
    tsr_buf_cstr(out, placed || named ? "}" : "");
    tsr_buf_free(&place);
    tsr_buf_free(&name);
}

void tsr_sim_trace(tsr_buf *out, const tsr_sim_report *r)
{
    tsr_buf_cstr(out, "{\"traceEvents\": [\n");
    tsr_buf_cstr(out, "{\"name\": \"thread_name\", \"ph\": \"M\", \"pid\": 0, \"tid\": 0, "
                      "\"args\": {\"name\": \"computing\"}}");
    for (uint32_t i = 0; i < r->device->nlink; i++) {
        tsr_buf_report(out,
                       ",\n{\"name\": \"thread_name\", \"ph\": \"M\", \"pid\": 0, \"tid\": %u, "
                       "\"args\": {\"name\": ",
                       i + 1);
        tsr_buf_json(out, r->device->links[i].name);
        tsr_buf_cstr(out, "}}");
    }
    for (size_t i = 0; i < r->sim->tasks.n; i++) {
        const tsr_sim_task *t = &r->sim->tasks.data[i];
        if (t->seconds <= 0)
            continue;
        tsr_buf_cstr(out, ",\n{\"name\": ");
        trace_name(out, t);
        tsr_buf_report(out, ", \"ph\": \"X\", \"pid\": 0, \"tid\": %u, \"ts\": %.3f, \"dur\": %.3f",
                       t->resource, t->start * 1e6, t->seconds * 1e6);
        trace_place(out, r->ctx, t);
        tsr_buf_char(out, '}');
    }
    tsr_buf_cstr(out, "\n], \"displayTimeUnit\": \"ms\"}\n");
}
