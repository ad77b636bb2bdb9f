/* SPDX-License-Identifier: Apache-2.0 */
/* reports.c - converts reports of other commands for pages: traces and goldens. The files may come from anywhere:
 * everything is checked, unknown fields are left out, and numbers and texts are written anew. */
#include <math.h>

#include "base/decimal.h"
#include "base/json.h"
#include "explore/graph.h"

typedef struct {
    tsr_str file, text;
    tsr_status *status;
    tsr_buf *out;
} reader;

/* Reports an error at this byte, in the form of diagnostics. */
static bool fail(const reader *r, size_t at, const char *reason)
{
    uint32_t line = 1, col = 1;
    for (size_t i = 0; i < at && i < r->text.len; i++) {
        col = r->text.data[i] == '\n' ? 1 : col + 1;
        line += r->text.data[i] == '\n';
    }
    return tsr_status_set(r->status, TSR_BAD_INPUT, "%.*s:%u:%u: error: %s", TSR_STR_ARG(r->file),
                          line, col, reason);
}

static const tsr_json *read_json(const reader *r, tsr_arena *arena)
{
    tsr_json_error error;
    const tsr_json *v = tsr_json_read(arena, r->text, &error);
    if (!v)
        fail(r, error.at, error.reason);
    return v;
}

static bool number_of(const tsr_json *v, double *out)
{
    if (v && v->kind == TSR_JSON_INT) {
        *out = (double)v->i;
        return true;
    }
    return v && v->kind == TSR_JSON_NUMBER && tsr_str_double(v->s, out) && isfinite(*out);
}

static const tsr_json *any_member(const tsr_json *object, const char *key)
{
    for (size_t i = 0; object && object->kind == TSR_JSON_OBJECT && i < object->n; i++)
        if (tsr_str_is(object->keys[i], key))
            return object->items[i];
    return NULL;
}

static bool number_in(const tsr_json *object, const char *key, double *out)
{
    return number_of(any_member(object, key), out);
}

static tsr_str string_in(const tsr_json *object, const char *key)
{
    const tsr_json *v = tsr_json_get(object, key, TSR_JSON_STRING);
    return v ? v->s : (tsr_str){0};
}

static void put_number(tsr_buf *out, double x)
{
    tsr_buf_cstr(out, isfinite(x) ? tsr_spell('g', 0, 9, x).text : "null");
}

/* ---- Traces ---- */

/* More than anybody looks at; each event is looked up among them linearly. */
enum { TRACKS_MOST = 4096 };

/* Tracks, one for each process and thread, with the names of both. */
typedef struct {
    int64_t pid, tid;
    tsr_str name;
} track;
typedef TSR_VEC(track) track_vec;

typedef struct {
    const reader *r;
    track_vec tracks, processes, threads;
    size_t events;
} tracer;

static size_t find_track(const track_vec *v, int64_t pid, int64_t tid)
{
    size_t i = v->n;
    while (i-- > 0 && (v->data[i].pid != pid || v->data[i].tid != tid))
        continue;
    return i;
}

static size_t track_of(track_vec *v, int64_t pid, int64_t tid)
{
    size_t at = find_track(v, pid, tid);
    if (at != SIZE_MAX || v->n == TRACKS_MOST)
        return at;
    tsr_vec_push(v, ((track){pid, tid, {0}}));
    return v->n - 1;
}

/* Names of processes and threads. */
static void take_name(tracer *t, const tsr_json *event, int64_t pid, int64_t tid)
{
    tsr_str what = string_in(event, "name");
    bool thread = tsr_str_is(what, "thread_name");
    if (!thread && !tsr_str_is(what, "process_name"))
        return;
    track_vec *names = thread ? &t->threads : &t->processes;
    size_t at = track_of(names, pid, thread ? tid : 0);
    if (at != SIZE_MAX)
        names->data[at].name = string_in(tsr_json_get(event, "args", TSR_JSON_OBJECT), "name");
}

static int64_t id_in(const tsr_json *event, const char *key)
{
    const tsr_json *v = tsr_json_get(event, key, TSR_JSON_INT);
    return v ? v->i : 0;
}

/* The source location that an event gives for its op. */
static tsr_str place_in(const tsr_json *event)
{
    static const char *const keys[] = {"location", "loc", "at"};
    const tsr_json *args = tsr_json_get(event, "args", TSR_JSON_OBJECT);
    for (size_t i = 0; i < TSR_COUNT(keys); i++)
        if (string_in(args, keys[i]).len)
            return string_in(args, keys[i]);
    return (tsr_str){0};
}

static void put_event(tracer *t, size_t at, tsr_str name, double start, double length,
                      tsr_str place)
{
    tsr_buf *out = t->r->out;
    tsr_buf_printf(out, "%s[%zu,", t->events++ ? ",\n" : "", at);
    put_number(out, start);
    tsr_buf_char(out, ',');
    put_number(out, length);
    tsr_buf_char(out, ',');
    tsr_buf_json(out, name);
    tsr_buf_char(out, ',');
    tsr_buf_json(out, place);
    tsr_buf_char(out, ']');
}

static bool take_event(tracer *t, const tsr_json *event)
{
    double start = 0, length = 0;
    int64_t pid = id_in(event, "pid"), tid = id_in(event, "tid");
    tsr_str kind = string_in(event, "ph");
    if (event->kind != TSR_JSON_OBJECT || !kind.len)
        return fail(t->r, event->at, "an event of a trace is an object with a kind, \"ph\"");
    if (tsr_str_is(kind, "M")) {
        take_name(t, event, pid, tid);
        return true;
    }
    if (!tsr_str_is(kind, "X")) /* counters, flows and marks are not shown */
        return true;
    if (!number_in(event, "ts", &start) || !number_in(event, "dur", &length) || length < 0)
        return fail(t->r, event->at, "an event of kind X has numbers \"ts\" and \"dur\"");
    size_t at = track_of(&t->tracks, pid, tid);
    if (at == SIZE_MAX)
        return fail(t->r, event->at, "a trace of more than 4096 threads is not shown");
    put_event(t, at, string_in(event, "name"), start, length, place_in(event));
    return true;
}

static bool take_events(tracer *t, const tsr_json *events)
{
    for (size_t i = 0; i < events->n; i++)
        TSR_TRY(take_event(t, events->items[i]));
    return true;
}

/* Groups of a compiled program, placed one after the other: the report says how long each took, but not when. */
static bool take_groups(tracer *t, const tsr_json *groups)
{
    double now = 0;
    size_t at = track_of(&t->tracks, 0, 0);
    tsr_vec_push(&t->threads, ((track){0, 0, TSR_STR("each group, slowest first")}));
    tsr_vec_push(&t->processes, ((track){0, 0, TSR_STR("compiled program")}));
    for (size_t i = 0; i < groups->n; i++) {
        double seconds;
        const tsr_json *g = groups->items[i];
        if (!number_in(g, "seconds", &seconds) || seconds < 0)
            return fail(t->r, g->at, "a group of a report has a number \"seconds\"");
        put_event(t, at, string_in(g, "name"), now, seconds * 1e6, string_in(g, "at"));
        now += seconds * 1e6;
    }
    return true;
}

static void put_name(tsr_buf *out, const track_vec *names, int64_t pid, int64_t tid,
                     const char *what, int64_t id)
{
    size_t at = find_track(names, pid, tid);
    if (at != SIZE_MAX && names->data[at].name.len)
        tsr_buf_str(out, names->data[at].name);
    else
        tsr_buf_printf(out, "%s %lld", what, (long long)id);
}

static void put_tracks(tracer *t)
{
    tsr_buf *out = t->r->out;
    tsr_buf_cstr(out, "],\"tracks\":[");
    for (size_t i = 0; i < t->tracks.n; i++) {
        const track *k = &t->tracks.data[i];
        tsr_buf name = {0};
        put_name(&name, &t->processes, k->pid, 0, "device", k->pid);
        tsr_buf_cstr(&name, ", ");
        put_name(&name, &t->threads, k->pid, k->tid, "thread", k->tid);
        tsr_buf_cstr(out, i ? "," : "");
        tsr_buf_json(out, tsr_buf_text(&name));
        tsr_buf_free(&name);
    }
    tsr_buf_cstr(out, "]}");
    tsr_vec_free(&t->tracks);
    tsr_vec_free(&t->processes);
    tsr_vec_free(&t->threads);
}

bool tsr_page_trace(tsr_arena *arena, tsr_str file, tsr_str text, tsr_buf *out, tsr_status *status)
{
    reader r = {file, text, status, out};
    const tsr_json *v = read_json(&r, arena);
    if (!v)
        return false;
    tracer t = {.r = &r};
    const tsr_json *events = v->kind == TSR_JSON_ARRAY
                                 ? v
                                 : tsr_json_get(v, "traceEvents", TSR_JSON_ARRAY),
                   *times = tsr_json_get(v, "groups", TSR_JSON_ARRAY);
    tsr_buf_cstr(out, "{\"events\":[");
    bool ok = events  ? take_events(&t, events)
              : times ? take_groups(&t, times)
                      : fail(&r, v->at,
                             "no trace: \"traceEvents\", or \"groups\" of `tessera run --timing "
                             "--json`, is wanted");
    put_tracks(&t);
    return ok;
}

/* ---- Goldens ---- */

/* passed, the greatest difference, the correlation; null if not compared. */
static void put_comparison(tsr_buf *out, const tsr_json *c)
{
    double difference = NAN, pcc = NAN;
    if (!c) {
        tsr_buf_cstr(out, ",null");
        return;
    }
    const tsr_json *passed = tsr_json_get(c, "passed", TSR_JSON_BOOL);
    number_in(c, "max_abs", &difference);
    number_in(c, "pcc", &pcc);
    tsr_buf_printf(out, ",[%d,", passed && passed->i);
    put_number(out, difference);
    tsr_buf_char(out, ',');
    put_number(out, pcc);
    tsr_buf_char(out, ']');
}

static bool put_golden(const reader *r, const tsr_json *op)
{
    static const char *const texts[] = {"op", "function", "type", "location"};
    tsr_buf *out = r->out;
    if (op->kind != TSR_JSON_OBJECT || !tsr_json_get(op, "op", TSR_JSON_STRING))
        return fail(r, op->at, "an op of a report of goldens is an object with a name, \"op\"");
    tsr_buf_printf(out, "[%lld,%lld", (long long)id_in(op, "device"),
                   (long long)id_in(op, "result"));
    for (size_t i = 0; i < TSR_COUNT(texts); i++) {
        tsr_buf_char(out, ',');
        tsr_buf_json(out, string_in(op, texts[i]));
    }
    const tsr_json *bypassed = tsr_json_get(op, "bypassed", TSR_JSON_BOOL);
    tsr_buf_printf(out, ",%d", bypassed && bypassed->i);
    put_comparison(out, tsr_json_get(op, "isolated", TSR_JSON_OBJECT));
    put_comparison(out, tsr_json_get(op, "accumulated", TSR_JSON_OBJECT));
    tsr_buf_char(out, ']');
    return true;
}

bool tsr_page_goldens(tsr_arena *arena, tsr_str file, tsr_str text, tsr_buf *out,
                      tsr_status *status)
{
    reader r = {file, text, status, out};
    const tsr_json *v = read_json(&r, arena);
    if (!v)
        return false;
    const tsr_json *ops = tsr_json_get(v, "ops", TSR_JSON_ARRAY),
                   *passed = tsr_json_get(v, "passed", TSR_JSON_BOOL);
    if (!ops || !passed)
        return fail(&r, v->at, "no report of goldens: \"passed\" and \"ops\" are wanted");
    tsr_buf_printf(out, "{\"passed\":%s,\"ops\":[", passed->i ? "true" : "false");
    for (size_t i = 0; i < ops->n; i++) {
        tsr_buf_cstr(out, i ? ",\n" : "");
        TSR_TRY(put_golden(&r, ops->items[i]));
    }
    tsr_buf_cstr(out, "]}");
    return true;
}
