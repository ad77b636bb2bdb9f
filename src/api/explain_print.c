/* SPDX-License-Identifier: Apache-2.0 */
/* explain_print.c - the report as text and as JSON. */
#include "api/explain.h"

#include "base/path.h"
#include "dialect/sdy/axes.h"
#include "dialect/sdy/sharding.h"

/* ---- Pieces ---- */

/* Without the folders of the file. */
static tsr_str short_place(tsr_str place)
{
    size_t at = place.len;
    while (at && place.data[at - 1] != '/')
        at--;
    return (tsr_str){place.data + at, place.len - at};
}

/* "model.py", 12 of "model.py:12:8"; 0: no line. */
static int64_t line_of(tsr_str place, tsr_str *file)
{
    size_t end = place.len;
    int64_t numbers[2] = {0, 0};
    int n = 0;
    for (; n < 2; n++) {
        size_t at = end, scale = 1;
        while (at && place.data[at - 1] >= '0' && place.data[at - 1] <= '9' && end - at < 10) {
            numbers[n] += (place.data[--at] - '0') * (int64_t)scale;
            scale *= 10;
        }
        if (at == end || !at || place.data[at - 1] != ':')
            break;
        end = at - 1;
    }
    *file = (tsr_str){place.data, end};
    return n == 2 ? numbers[1] : n == 1 ? numbers[0] : 0;
}

static void print_axis(tsr_buf *out, const tsr_attr *axis)
{
    tsr_buf name = {0};
    tsr_sdy_axis_print_plain(&name, axis);
    tsr_buf_printf(out, "\"%.*s\"", TSR_STR_ARG(tsr_buf_text(&name)));
    tsr_buf_free(&name);
}

/* P("dp", None, ("a", "b")) */
static void print_spec(tsr_buf *out, const tsr_attr *s)
{
    const tsr_attr *dims = s ? tsr_sdy_dims(s) : NULL;
    uint32_t n = dims ? dims->n : 0;
    while (n && !tsr_sdy_dim_axes(s, n - 1)->n)
        n--;
    tsr_buf_cstr(out, "P(");
    for (uint32_t d = 0; d < n; d++) {
        const tsr_attr *axes = tsr_sdy_dim_axes(s, d);
        tsr_buf_cstr(out, d ? ", " : "");
        if (!axes->n)
            tsr_buf_cstr(out, "None");
        tsr_buf_cstr(out, axes->n > 1 ? "(" : "");
        for (uint32_t k = 0; k < axes->n; k++) {
            tsr_buf_cstr(out, k ? ", " : "");
            print_axis(out, axes->attrs[k]);
        }
        tsr_buf_cstr(out, axes->n > 1 ? ")" : "");
    }
    tsr_buf_char(out, ')');
}

void tsr_explain_change(tsr_buf *out, const tsr_advice *a)
{
    switch (a->kind) {
    case TSR_ADVISE_ARG: tsr_buf_printf(out, "in_shardings: %.*s ", TSR_STR_ARG(a->name)); break;
    case TSR_ADVISE_RESULT:
        tsr_buf_printf(out, "out_shardings: %.*s ", TSR_STR_ARG(a->name));
        break;
    default:
        tsr_buf_str(out, short_place(a->place));
        if (a->caller.len)
            tsr_buf_printf(out, ", called at %.*s", TSR_STR_ARG(short_place(a->caller)));
        tsr_buf_cstr(out, ": with_sharding_constraint(x, ");
    }
    print_spec(out, a->after);
    tsr_buf_cstr(out, a->kind >= TSR_ADVISE_CONSTRAINT ? ")" : "");
    if (a->before) {
        tsr_buf_cstr(out, " instead of ");
        print_spec(out, a->before);
    } else if (a->kind == TSR_ADVISE_VALUE) {
        tsr_buf_cstr(out, " on its result");
    }
}

static void from_to(tsr_buf *out, const char *what, double a, double b, bool seconds)
{
    tsr_buf_cstr(out, what);
    if (seconds)
        tsr_buf_seconds(out, a);
    else
        tsr_buf_quantity(out, a, "B");
    tsr_buf_cstr(out, " -> ");
    if (seconds)
        tsr_buf_seconds(out, b);
    else
        tsr_buf_quantity(out, b, "B");
}

/* ---- Text ---- */

static void text_head(tsr_buf *out, const tsr_explain *x)
{
    const tsr_explain_found *f = &x->base;
    tsr_buf_printf(out, "%lld device%s of %.*s%s\n\nstep ", (long long)f->devices,
                   f->devices == 1 ? "" : "s",
                   TSR_STR_ARG(x->device->about.len ? x->device->about : x->device->name),
                   x->local ? ", partitioned by the compiler that wrote the program" : "");
    tsr_buf_seconds(out, f->step);
    tsr_buf_cstr(out, ", of which it waits for collectives ");
    tsr_buf_seconds(out, f->exposed);
    tsr_buf_printf(out, "; %lld collective%s receive%s ", (long long)f->ncollective,
                   f->ncollective == 1 ? "" : "s", f->ncollective == 1 ? "s" : "");
    tsr_buf_quantity(out, (double)f->moved, "B");
    tsr_buf_cstr(out, " a device; peak memory ");
    tsr_buf_quantity(out, (double)f->peak, "B");
    tsr_buf_char(out, '\n');
    for (size_t i = 0; i < x->missing.n; i++)
        tsr_buf_printf(out, "op without a counterpart: %.*s (%u)\n",
                       TSR_STR_ARG(x->missing.data[i]), x->nmissing.data[i]);
}

static void text_advice(tsr_buf *out, const tsr_explain *x)
{
    if (x->advice.n)
        tsr_buf_cstr(out, "\nwhat to change\n");
    for (size_t i = 0; i < x->advice.n && i < x->most; i++) {
        const tsr_advice *a = &x->advice.data[i];
        tsr_buf_printf(out, "%3zu  ", i + 1);
        tsr_explain_change(out, a);
        from_to(out, "\n     step ", x->base.step, a->step, true);
        from_to(out, ", received ", (double)x->base.moved, (double)a->moved, false);
        from_to(out, ", memory ", (double)x->base.peak, (double)a->peak, false);
        for (size_t k = 0; k < a->rows.n && k < 4; k++) {
            const tsr_explain_row *r = &x->base.rows.data[a->rows.data[k]];
            tsr_buf_printf(out, "%s%.*s %s %.*s", k ? ", " : "\n     removes or shrinks ",
                           TSR_STR_ARG(r->kind), r->place.len ? "at" : "for",
                           TSR_STR_ARG(r->place.len ? short_place(r->place) : r->cause));
        }
        tsr_buf_cstr(out, a->rows.n > 4 ? ", ...\n" : "\n");
    }
}

static void text_rows(tsr_buf *out, const tsr_explain *x)
{
    if (x->base.rows.n)
        tsr_buf_cstr(out, "\ncollectives, dearest first\n");
    for (size_t i = 0; i < x->base.rows.n && i < x->most; i++) {
        const tsr_explain_row *r = &x->base.rows.data[i];
        tsr_buf_printf(out, "%3zu  %.*s: %.*s", i + 1,
                       TSR_STR_ARG(r->place.len ? short_place(r->place) : r->cause),
                       TSR_STR_ARG(r->kind));
        if (r->number > 1)
            tsr_buf_printf(out, " (%u of them)", r->number);
        tsr_buf_printf(out, " among %lld devices", (long long)r->devices);
        if (r->axes.len)
            tsr_buf_printf(out, " (%.*s)", TSR_STR_ARG(r->axes));
        tsr_str type = tsr_type_print(r->type);
        tsr_buf_printf(out, ", %.*s", TSR_STR_ARG(type));
        tsr_free((void *)type.data);
        if (r->turns > 1)
            tsr_buf_printf(out, ", %lld times", (long long)r->turns);
        if (r->per_turn)
            tsr_buf_cstr(out, ", per turn of a loop");
        tsr_buf_cstr(out, ": ");
        tsr_buf_quantity(out, (double)r->moved, "B");
        tsr_buf_cstr(out, ", ");
        tsr_buf_seconds(out, r->seconds);
        tsr_buf_printf(out, "\n     %.*s\n", TSR_STR_ARG(r->why));
        if (r->name.len)
            tsr_buf_printf(out, "     %.*s\n", TSR_STR_ARG(r->name));
    }
    if (x->base.rows.n > x->most)
        tsr_buf_printf(out, "     and %zu more\n", x->base.rows.n - x->most);
}

void tsr_explain_text(tsr_buf *out, const tsr_explain *x)
{
    text_head(out, x);
    text_advice(out, x);
    text_rows(out, x);
    if (x->base.memory.n)
        tsr_buf_cstr(out, "\nmemory at the peak, by line\n");
    for (size_t i = 0; i < x->base.memory.n && i < x->most; i++) {
        const tsr_explain_memory *r = &x->base.memory.data[i];
        tsr_buf_cstr(out, "     ");
        tsr_buf_quantity(out, (double)r->bytes, "B");
        tsr_buf_printf(out, "  %.*s", TSR_STR_ARG(r->place.len ? short_place(r->place) : r->what));
        tsr_buf_cstr(out, r->number > 1 ? " (several values)\n" : "\n");
    }
}

/* ---- JSON ---- */

static void key(tsr_buf *out, const char *name, tsr_str value)
{
    tsr_buf_printf(out, "\"%s\": ", name);
    if (value.len)
        tsr_buf_json(out, value);
    else
        tsr_buf_cstr(out, "null");
    tsr_buf_cstr(out, ", ");
}

static void json_place(tsr_buf *out, tsr_str place)
{
    tsr_str file = {"", 0};
    int64_t line = line_of(place, &file);
    key(out, "location", place);
    key(out, "source", line ? file : (tsr_str){"", 0});
    tsr_buf_printf(out, line ? "\"line\": %lld, " : "\"line\": null, ", (long long)line);
}

static void json_number(tsr_buf *out, const char *name, double v, const char *after)
{
    tsr_buf_printf(out, "\"%s\": ", name);
    tsr_buf_report(out, "%.9g", v);
    tsr_buf_cstr(out, after);
}

static void json_rows(tsr_buf *out, const tsr_explain *x)
{
    tsr_buf_cstr(out, "  \"collectives\": [");
    for (size_t i = 0; i < x->base.rows.n; i++) {
        const tsr_explain_row *r = &x->base.rows.data[i];
        tsr_buf_cstr(out, i ? ",\n    {" : "\n    {");
        key(out, "kind", r->kind);
        json_place(out, r->place);
        key(out, "op_name", r->name);
        key(out, "cause", r->cause);
        key(out, "made_by", r->maker);
        key(out, "why", r->why);
        key(out, "axes", r->axes);
        tsr_str type = tsr_type_print(r->type);
        key(out, "type", type);
        tsr_free((void *)type.data);
        type = r->narrow ? tsr_type_print(r->narrow) : (tsr_str){"", 0};
        key(out, "counts_as", type);
        if (r->narrow)
            tsr_free((void *)type.data);
        tsr_buf_printf(out,
                       "\"number\": %u, \"devices\": %lld, \"turns\": %lld, \"per_turn\": %s, "
                       "\"as_reduce_scatter\": %s, \"received_bytes\": %lld, ",
                       r->number, (long long)r->devices, (long long)r->turns,
                       r->per_turn ? "true" : "false", r->sliced ? "true" : "false",
                       (long long)r->moved);
        json_number(out, "seconds", r->seconds, "}");
    }
    tsr_buf_cstr(out, x->base.rows.n ? "\n  ],\n" : "],\n");
}

static void json_spec(tsr_buf *out, const char *name, const tsr_attr *s)
{
    tsr_buf text = {0};
    if (s)
        print_spec(&text, s);
    key(out, name, tsr_buf_text(&text));
    tsr_buf_free(&text);
}

static void json_advice(tsr_buf *out, const tsr_explain *x)
{
    static const char *const kinds[] = {"in_shardings", "out_shardings", "constraint", "value"};
    tsr_buf_cstr(out, "  \"advice\": [");
    for (size_t i = 0; i < x->advice.n; i++) {
        const tsr_advice *a = &x->advice.data[i];
        tsr_buf text = {0};
        tsr_buf_printf(out, "%s\n    {\"what\": \"%s\", ", i ? "," : "", kinds[a->kind]);
        json_place(out, a->place);
        key(out, "name", a->name);
        key(out, "called_at", a->caller);
        json_spec(out, "sharding", a->after);
        json_spec(out, "instead_of", a->before);
        tsr_explain_change(&text, a);
        key(out, "text", tsr_buf_text(&text));
        tsr_buf_free(&text);
        json_number(out, "step_seconds", a->step, ", ");
        json_number(out, "saved_seconds", x->base.step - a->step, ", ");
        tsr_buf_printf(out,
                       "\"received_bytes\": %lld, \"saved_bytes\": %lld, \"peak_bytes\": %lld, "
                       "\"collectives\": %lld, \"removes\": [",
                       (long long)a->moved, (long long)(x->base.moved - a->moved),
                       (long long)a->peak, (long long)a->ncollective);
        for (size_t k = 0; k < a->rows.n; k++)
            tsr_buf_printf(out, "%s%u", k ? ", " : "", a->rows.data[k]);
        tsr_buf_cstr(out, "]}");
    }
    tsr_buf_cstr(out, x->advice.n ? "\n  ],\n" : "],\n");
}

static void json_memory(tsr_buf *out, const tsr_explain *x)
{
    tsr_buf_cstr(out, "  \"memory\": [");
    for (size_t i = 0; i < x->base.memory.n && i < x->most; i++) {
        const tsr_explain_memory *r = &x->base.memory.data[i];
        tsr_buf_cstr(out, i ? ",\n    {" : "\n    {");
        json_place(out, r->place);
        key(out, "what", r->what);
        tsr_buf_printf(out, "\"values\": %u, \"bytes\": %lld}", r->number, (long long)r->bytes);
    }
    tsr_buf_cstr(out, x->base.memory.n ? "\n  ],\n" : "],\n");
}

void tsr_explain_json(tsr_buf *out, const tsr_explain *x)
{
    const tsr_explain_found *f = &x->base;
    tsr_buf_printf(out, "{\n  \"devices\": %lld, \"partitioned\": %s, ", (long long)f->devices,
                   x->local ? "true" : "false");
    key(out, "device", x->device->name);
    json_number(out, "step_seconds", f->step, ", ");
    json_number(out, "exposed_seconds", f->exposed, ", ");
    json_number(out, "collective_seconds", f->talking, ", ");
    tsr_buf_printf(out, "\"received_bytes\": %lld, \"peak_bytes\": %lld, \"number\": %lld,\n",
                   (long long)f->moved, (long long)f->peak, (long long)f->ncollective);
    json_rows(out, x);
    json_advice(out, x);
    json_memory(out, x);
    tsr_buf_cstr(out, "  \"without_counterpart\": {");
    for (size_t i = 0; i < x->missing.n; i++) {
        tsr_buf_cstr(out, i ? ", " : "");
        tsr_buf_json(out, x->missing.data[i]);
        tsr_buf_printf(out, ": %u", x->nmissing.data[i]);
    }
    tsr_buf_cstr(out, "}\n}\n");
}
