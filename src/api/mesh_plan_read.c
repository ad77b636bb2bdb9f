/* SPDX-License-Identifier: Apache-2.0 */
/* mesh_plan_read.c - reads a plan from JSON, and checks all of it: see docs/SEARCH.md, "Plans". The first mistake is
 * reported with its place and the path to it: "plan.json:12:5: candidates[0].pins[3].number: ...". */
#include <stdio.h>

#include "api/mesh_plan.h"
#include "base/decimal.h"
#include "base/status.h"
#include "shard/core/devices.h"

typedef struct {
    tsr_mesh_plan *plan;
    tsr_buf path; /* of the value that is read: "candidates[0].mesh" */
    tsr_buf reason;
    size_t at;
    bool failed;
} reader;

/* Always returns false; the first failure is kept. */
TSR_PRINTF(3, 4) static bool fail(reader *r, const tsr_json *at, const char *fmt, ...)
{
    if (r->failed)
        return false;
    r->failed = true;
    r->at = at->at;
    if (r->path.len) {
        tsr_text_visible(&r->reason, tsr_buf_text(&r->path), TSR_VISIBLE_TEXT);
        tsr_buf_cstr(&r->reason, ": ");
    }
    va_list args;
    va_start(args, fmt);
    tsr_buf_vprintf(&r->reason, fmt, args);
    va_end(args);
    return false;
}

/* ---- Members ---- */

static const char *kind_name(tsr_json_kind kind)
{
    static const char *const names[] = {"null",     "true or false", "a whole number", "a number",
                                        "a string", "a list",        "an object"};
    return names[kind];
}

static size_t enter(reader *r, const char *key)
{
    size_t before = r->path.len;
    tsr_buf_cstr(&r->path, before ? "." : "");
    tsr_buf_cstr(&r->path, key);
    return before;
}

static size_t enter_item(reader *r, const char *key, size_t i)
{
    size_t before = enter(r, key);
    tsr_buf_printf(&r->path, "[%zu]", i);
    return before;
}

/* A member of this kind; NULL after a failure. */
static const tsr_json *need(reader *r, const tsr_json *object, const char *key, tsr_json_kind kind)
{
    for (size_t i = 0; !r->failed && i < object->n; i++)
        if (tsr_str_is(object->keys[i], key)) {
            const tsr_json *v = object->items[i];
            if (v->kind == kind)
                return v;
            size_t before = enter(r, key);
            fail(r, v, "%s is wanted", kind_name(kind));
            r->path.len = before;
            return NULL;
        }
    fail(r, object, "'%s' is missing", key);
    return NULL;
}

/* Keys that a reader does not know are mistakes: nothing in a plan is ignored. */
static bool only(reader *r, const tsr_json *object, const char *const *known)
{
    if (object->kind != TSR_JSON_OBJECT)
        return fail(r, object, "an object is wanted");
    for (size_t i = 0; i < object->n; i++) {
        bool found = false;
        for (size_t k = 0; known[k] && !found; k++)
            found = tsr_str_is(object->keys[i], known[k]);
        if (!found)
            return fail(r, object->items[i], "'%.*s' is no field here",
                        (int)(object->keys[i].len > 60 ? 60 : object->keys[i].len),
                        object->keys[i].data);
    }
    return true;
}

static tsr_str keep(reader *r, tsr_str s)
{
    return (tsr_str){tsr_arena_copy(&r->plan->arena, s.data ? s.data : "", s.len), s.len};
}

static tsr_str text_of(reader *r, const tsr_json *object, const char *key)
{
    const tsr_json *v = need(r, object, key, TSR_JSON_STRING);
    return v ? keep(r, v->s) : (tsr_str){"", 0};
}

static bool bool_of(reader *r, const tsr_json *object, const char *key)
{
    const tsr_json *v = need(r, object, key, TSR_JSON_BOOL);
    return v && v->i;
}

static uint32_t count_of(reader *r, const tsr_json *object, const char *key, int64_t most)
{
    const tsr_json *v = need(r, object, key, TSR_JSON_INT);
    if (v && (v->i < 0 || v->i > most)) {
        size_t before = enter(r, key);
        fail(r, v, "%lld is not between 0 and %lld", (long long)v->i, (long long)most);
        r->path.len = before;
    }
    return v && !r->failed ? (uint32_t)v->i : 0;
}

/* A quantity of seconds or bytes: not negative, and finite. */
static double quantity_of(reader *r, const tsr_json *object, const char *key)
{
    const tsr_json *v = NULL;
    double x = 0;
    for (size_t i = 0; i < object->n; i++)
        if (tsr_str_is(object->keys[i], key))
            v = object->items[i];
    if (!v || v->kind == TSR_JSON_INT) {
        v = need(r, object, key, TSR_JSON_INT);
        x = v ? (double)v->i : 0;
    } else if (v->kind != TSR_JSON_NUMBER || !tsr_str_double(v->s, &x)) {
        x = -1;
    }
    if (v && !(x >= 0 && x <= 1e30)) {
        size_t before = enter(r, key);
        fail(r, v, "a number is wanted that is not negative or too large");
        r->path.len = before;
    }
    return x;
}

/* ---- Meshes and shardings ---- */

static bool is_axis_name(tsr_str name)
{
    bool ok = name.len && !tsr_str_is(name, "_");
    for (size_t i = 0; ok && i < name.len; i++)
        ok = (unsigned char)name.data[i] > ' ' && !strchr("=:?+(),", name.data[i]);
    return ok;
}

static void read_mesh(reader *r, const tsr_json *object, tsr_search_mesh *out)
{
    static const char *const known[] = {"name", "size", NULL};
    const tsr_json *v = need(r, object, "mesh", TSR_JSON_ARRAY);
    int64_t devices = 1;
    *out = (tsr_search_mesh){0};
    if (!v)
        return;
    if (!v->n || v->n > TSR_SEARCH_AXES)
        fail(r, v, "a mesh has 1 to %d axes", TSR_SEARCH_AXES);
    for (size_t i = 0; !r->failed && i < v->n; i++) {
        size_t before = enter_item(r, "mesh", i);
        const tsr_json *axis = v->items[i];
        if (!only(r, axis, known))
            return;
        tsr_str name = text_of(r, axis, "name");
        int64_t size = count_of(r, axis, "size", TSR_MAX_DEVICES);
        bool twice = false;
        for (uint32_t k = 0; k < out->n; k++)
            twice |= tsr_str_eq(out->names[k], name);
        devices *= size > 0 ? size : 1;
        if (!is_axis_name(name) || twice)
            fail(r, axis, twice ? "the axis is there twice" : "that is no name of an axis");
        else if (size < 1 || devices > TSR_MAX_DEVICES)
            fail(r, axis, "the mesh has too many devices, or none");
        out->names[out->n] = name;
        out->sizes[out->n++] = size;
        if (!r->failed)
            r->path.len = before;
    }
}

/* The numbers of "(1)2" behind an axis; false: it is something else. */
static bool read_part(tsr_str text, int64_t *pre, int64_t *size)
{
    char end = 0, small[48];
    long long a, b;
    if (text.len >= sizeof small)
        return false;
    memcpy(small, text.data, text.len);
    small[text.len] = 0;
    if (sscanf(small, "(%9lld)%9lld%c", &a, &b, &end) != 2 || a < 1 || b < 2)
        return false;
    *pre = a;
    *size = b;
    return true;
}

/* What shardings use of an axis so far, as ranges of its parts. */
typedef struct {
    uint32_t axis;
    int64_t pre, end;
} used_part;

enum { MOST_PARTS = 64 };

typedef struct {
    used_part parts[MOST_PARTS];
    uint32_t n;
} used_parts;

/* One axis of a dimension: known, within its axis, and not used before. */
static bool read_axis(reader *r, const tsr_search_mesh *mesh, const tsr_json *v, used_parts *used)
{
    if (v->kind != TSR_JSON_STRING)
        return fail(r, v, "the name of an axis is wanted");
    tsr_str name = v->s, part = {0};
    for (size_t i = 0; i < name.len; i++)
        if (name.data[i] == ':') {
            part = tsr_str_of(name.data + i + 1, name.len - i - 1);
            name.len = i;
        }
    uint32_t a = 0;
    while (a < mesh->n && !tsr_str_eq(mesh->names[a], name))
        a++;
    int shown = (int)(v->s.len > 60 ? 60 : v->s.len);
    if (a == mesh->n)
        return fail(r, v, "the mesh has no axis '%.*s'", shown, v->s.data);
    used_part p = {a, 1, mesh->sizes[a]};
    int64_t pre, size;
    if (name.len < v->s.len) {
        if (!read_part(part, &pre, &size) || mesh->sizes[a] % (pre * size))
            return fail(r, v, "'%.*s' is no part of an axis of %lld devices, such as %.*s:(1)2",
                        shown, v->s.data, (long long)mesh->sizes[a], TSR_STR_ARG(name));
        p.pre = pre;
        p.end = pre * size;
    }
    for (uint32_t i = 0; i < used->n; i++)
        if (used->parts[i].axis == a && used->parts[i].pre < p.end && p.pre < used->parts[i].end)
            return fail(r, v, "'%.*s' cuts this value twice", shown, v->s.data);
    if (used->n == MOST_PARTS)
        return fail(r, v, "there are too many axes");
    used->parts[used->n++] = p;
    return true;
}

/* The rank of a type as it is printed: of "tensor<4x?xf32>" 2; of what is no tensor 0. */
static size_t rank_of(tsr_str type)
{
    size_t n = 0, i = strlen("tensor<");
    if (!tsr_str_starts(type, "tensor<"))
        return 0;
    for (size_t start = i; i < type.len; i++) {
        char c = type.data[i];
        if (c == 'x' && i > start) {
            n++;
            start = i + 1;
        } else if (c != '?' && (c < '0' || c > '9')) {
            break;
        }
    }
    return n;
}

/* The sharding of an object with a type, as a text. */
static tsr_str read_sharding(reader *r, const tsr_search_mesh *mesh, const tsr_json *object,
                             tsr_str type)
{
    const tsr_json *v = need(r, object, "sharding", TSR_JSON_ARRAY), *open = NULL;
    used_parts used = {.n = 0};
    tsr_buf text = {0};
    for (size_t i = 0; i < object->n; i++)
        open = tsr_str_is(object->keys[i], "open") ? object->items[i] : open;
    if (v && v->n != rank_of(type))
        fail(r, v, "the sharding has %zu dimensions, and %.*s has %zu", v->n,
             (int)(type.len > 100 ? 100 : type.len), type.data, rank_of(type));
    if (v && open && (open->kind != TSR_JSON_ARRAY || open->n != v->n))
        fail(r, open, "'open' must say true or false for each dimension");
    for (size_t d = 0; v && !r->failed && d < v->n; d++) {
        const tsr_json *dim = v->items[d];
        tsr_buf_cstr(&text, d ? "," : "");
        if (dim->kind != TSR_JSON_ARRAY)
            fail(r, dim, "a list of axes is wanted");
        for (size_t i = 0; !r->failed && i < dim->n; i++)
            if (read_axis(r, mesh, dim->items[i], &used)) {
                tsr_buf_cstr(&text, i ? "+" : "");
                tsr_buf_str(&text, dim->items[i]->s);
            }
        if (!r->failed && open && open->items[d]->kind != TSR_JSON_BOOL)
            fail(r, open->items[d], "'open' must say true or false for each dimension");
        bool is_open = !r->failed && open && open->items[d]->i;
        tsr_buf_cstr(&text, is_open ? "?" : r->failed || dim->n ? "" : "_");
    }
    tsr_str kept = keep(r, tsr_buf_text(&text));
    tsr_buf_free(&text);
    return kept;
}

/* ---- Candidates ---- */

static tsr_mesh_plan_port *read_ports(reader *r, const tsr_json *object, const char *name,
                                      const tsr_search_mesh *mesh, uint32_t *n)
{
    static const char *const known[] = {"index",    "name", "type", "location",
                                        "sharding", "open", NULL};
    const tsr_json *v = need(r, object, name, TSR_JSON_ARRAY);
    tsr_mesh_plan_port *out =
        TSR_NEW_ARRAY(&r->plan->arena, tsr_mesh_plan_port, (v ? v->n : 0) + 1);
    *n = v ? (uint32_t)v->n : 0;
    for (uint32_t i = 0; v && !r->failed && i < *n; i++) {
        size_t before = enter_item(r, name, i);
        const tsr_json *item = v->items[i];
        if (!only(r, item, known))
            break;
        if (count_of(r, item, "index", INT32_MAX) != i)
            fail(r, item, "the index must be %u: they are all here, in order", i);
        out[i].name = text_of(r, item, "name");
        out[i].type = text_of(r, item, "type");
        out[i].location = text_of(r, item, "location");
        out[i].sharding = read_sharding(r, mesh, item, out[i].type);
        if (!r->failed)
            r->path.len = before;
    }
    return out;
}

static void read_without(reader *r, const tsr_json *pin, tsr_mesh_plan_pin *out)
{
    static const char *const known[] = {"step_seconds", "peak_bytes", NULL};
    out->without_seconds = out->without_peak = -1;
    for (size_t i = 0; i < pin->n; i++)
        if (tsr_str_is(pin->keys[i], "without")) {
            const tsr_json *v = need(r, pin, "without", TSR_JSON_OBJECT);
            if (!v || !only(r, v, known))
                return;
            out->without_seconds = quantity_of(r, v, "step_seconds");
            out->without_peak = quantity_of(r, v, "peak_bytes");
        }
}

static void read_pin(reader *r, const tsr_json *v, const tsr_search_mesh *mesh,
                     tsr_mesh_plan_pin *out)
{
    static const char *const known[] = {"op",   "number",  "result",   "operand", "group",
                                        "name", "type",    "location", "source",  "sharding",
                                        "open", "without", NULL};
    if (!only(r, v, known))
        return;
    out->op = text_of(r, v, "op");
    out->number = count_of(r, v, "number", r->plan->program.nop);
    if (!r->failed && !out->number)
        fail(r, v, "'number' counts ops from 1");
    if (count_of(r, v, "result", INT32_MAX) != 0)
        fail(r, v, "only ops with one result have pins: 'result' must be 0");
    const tsr_json *operand = NULL;
    for (size_t i = 0; i < v->n; i++)
        operand = tsr_str_is(v->keys[i], "operand") ? v->items[i] : operand;
    if (!operand || operand->kind != TSR_JSON_NULL)
        out->operand = 1 + count_of(r, v, "operand", INT32_MAX - 1);
    out->group = count_of(r, v, "group", INT32_MAX);
    out->name = text_of(r, v, "name");
    out->type = text_of(r, v, "type");
    out->location = text_of(r, v, "location");
    out->source = text_of(r, v, "source");
    out->sharding = read_sharding(r, mesh, v, out->type);
    read_without(r, v, out);
}

static void read_pins(reader *r, const tsr_json *object, tsr_mesh_plan_candidate *out)
{
    const tsr_json *v = need(r, object, "pins", TSR_JSON_ARRAY);
    out->npin = v ? (uint32_t)v->n : 0;
    out->pins = TSR_NEW_ARRAY(&r->plan->arena, tsr_mesh_plan_pin, out->npin + 1);
    for (uint32_t i = 0; v && !r->failed && i < out->npin; i++) {
        size_t before = enter_item(r, "pins", i);
        read_pin(r, v->items[i], &out->mesh, &out->pins[i]);
        if (!r->failed && i && out->pins[i].number < out->pins[i - 1].number)
            fail(r, v->items[i], "pins are in the order of their numbers");
        for (uint32_t k = i; !r->failed && k-- > 0 && out->pins[k].number == out->pins[i].number;)
            if (out->pins[k].operand == out->pins[i].operand)
                fail(r, v->items[i], "the value is pinned twice");
        if (!r->failed)
            r->path.len = before;
    }
}

static void read_candidate(reader *r, const tsr_json *v, tsr_mesh_plan_candidate *out)
{
    static const char *const known[] = {"name",        "mesh",           "step_seconds",
                                        "peak_bytes",  "received_bytes", "exposed_seconds",
                                        "collectives", "fits",           "estimated",
                                        "minimised",   "pins_before",    "arguments",
                                        "results",     "pins",           NULL};
    if (!only(r, v, known))
        return;
    out->name = text_of(r, v, "name");
    read_mesh(r, v, &out->mesh);
    out->seconds = quantity_of(r, v, "step_seconds");
    out->peak = quantity_of(r, v, "peak_bytes");
    out->moved = quantity_of(r, v, "received_bytes");
    out->exposed = quantity_of(r, v, "exposed_seconds");
    out->ncollective = count_of(r, v, "collectives", UINT32_MAX);
    out->fits = bool_of(r, v, "fits");
    out->estimated = bool_of(r, v, "estimated");
    out->minimised = bool_of(r, v, "minimised");
    out->pins_before = count_of(r, v, "pins_before", UINT32_MAX);
    if (!r->failed)
        out->args = read_ports(r, v, "arguments", &out->mesh, &out->narg);
    if (!r->failed)
        out->results = read_ports(r, v, "results", &out->mesh, &out->nresult);
    if (!r->failed)
        read_pins(r, v, out);
}

/* All candidates are of one program. */
static bool same_ports(const tsr_mesh_plan_port *a, const tsr_mesh_plan_port *b, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        if (!tsr_str_eq(a[i].type, b[i].type) || !tsr_str_eq(a[i].name, b[i].name))
            return false;
    return true;
}

static void read_candidates(reader *r, const tsr_json *root)
{
    tsr_mesh_plan *p = r->plan;
    const tsr_json *v = need(r, root, "candidates", TSR_JSON_ARRAY);
    if (v && !v->n)
        fail(r, v, "a plan has at least one candidate");
    p->n = v ? (uint32_t)v->n : 0;
    p->candidates = TSR_NEW_ARRAY(&p->arena, tsr_mesh_plan_candidate, p->n + 1);
    for (uint32_t i = 0; v && !r->failed && i < p->n; i++) {
        size_t before = enter_item(r, "candidates", i);
        tsr_mesh_plan_candidate *c = &p->candidates[i], *first = &p->candidates[0];
        read_candidate(r, v->items[i], c);
        if (!r->failed && (c->narg != first->narg || c->nresult != first->nresult ||
                           !same_ports(c->args, first->args, c->narg) ||
                           !same_ports(c->results, first->results, c->nresult)))
            fail(r, v->items[i], "its arguments or results are not those of candidate 0");
        if (!r->failed)
            r->path.len = before;
    }
}

/* ---- The plan ---- */

static void read_fingerprint(reader *r, const tsr_json *program)
{
    const tsr_json *v = need(r, program, "fingerprint", TSR_JSON_STRING);
    uint64_t x = 0;
    bool ok = v && v->s.len == 16;
    for (size_t i = 0; ok && i < 16; i++) {
        const char *digits = "0123456789abcdef", *at = strchr(digits, v->s.data[i]);
        ok = at && *at;
        x = x * 16 + (ok ? (uint64_t)(at - digits) : 0);
    }
    if (v && !ok)
        fail(r, v, "program.fingerprint: 16 hexadecimal digits are wanted");
    r->plan->program.fingerprint = x;
}

static void read_pins_mode(reader *r, const tsr_json *root)
{
    const tsr_json *v = need(r, root, "pins", TSR_JSON_STRING);
    for (int i = TSR_PINS_FEW; v && i <= TSR_PINS_ALL; i++)
        if (tsr_str_is(v->s, tsr_pins_name((tsr_pins)i))) {
            r->plan->pins = (tsr_pins)i;
            return;
        }
    if (v)
        fail(r, v, "pins: few, none or all is wanted");
}

static bool same_mesh(const tsr_search_mesh *a, const tsr_search_mesh *b)
{
    bool same = a->n == b->n;
    for (uint32_t i = 0; same && i < a->n; i++)
        same = a->sizes[i] == b->sizes[i] && tsr_str_eq(a->names[i], b->names[i]);
    return same;
}

static void read_plan(reader *r, const tsr_json *root)
{
    static const char *const known[] = {
        "format", "version", "program", "device", "memory_limit_bytes", "expressible",
        "keep",   "pins",    "mesh",    "chosen", "candidates",         NULL};
    static const char *const of_program[] = {"function", "fingerprint", "ops", NULL};
    tsr_mesh_plan *p = r->plan;
    tsr_search_mesh mesh;
    if (root->kind != TSR_JSON_OBJECT) {
        fail(r, root, "a plan is an object");
        return;
    }
    tsr_str format = text_of(r, root, "format");
    if (!r->failed && !tsr_str_is(format, "tessera-plan"))
        fail(r, root, "'format' must be tessera-plan: this is another kind of file");
    uint32_t version = count_of(r, root, "version", INT32_MAX);
    if (!r->failed && version != TSR_MESH_PLAN_VERSION)
        fail(r, root, "plans of version %u cannot be read: this library reads version %d", version,
             TSR_MESH_PLAN_VERSION);
    const tsr_json *program = r->failed ? NULL : need(r, root, "program", TSR_JSON_OBJECT);
    if (!program || !only(r, root, known) || !only(r, program, of_program))
        return;
    p->program.function = text_of(r, program, "function");
    read_fingerprint(r, program);
    p->program.nop = count_of(r, program, "ops", INT32_MAX);
    p->device = text_of(r, root, "device");
    p->memory = quantity_of(r, root, "memory_limit_bytes");
    p->expressible = bool_of(r, root, "expressible");
    p->keep = bool_of(r, root, "keep");
    read_pins_mode(r, root);
    read_mesh(r, root, &mesh);
    p->chosen = count_of(r, root, "chosen", INT32_MAX);
    if (!r->failed)
        read_candidates(r, root);
    if (!r->failed && p->chosen >= p->n)
        fail(r, root, "there is no candidate %u, which is chosen: there are %u", p->chosen, p->n);
    if (!r->failed && !same_mesh(&mesh, &tsr_mesh_plan_chosen(p)->mesh))
        fail(r, root, "'mesh' must be that of the chosen candidate");
}

tsr_mesh_plan *tsr_mesh_plan_read(tsr_str text, tsr_str name, tsr_diag *bad, tsr_status *status)
{
    tsr_arena arena;
    tsr_json_error error = {0};
    tsr_diag diag = {.severity = TSR_ERROR};
    tsr_arena_init(&arena);
    reader r = {.plan = tsr_mesh_plan_new()};
    const tsr_json *root = tsr_json_read(&arena, text, &error);
    if (root) {
        read_plan(&r, root);
    } else {
        r.failed = true;
        r.at = error.at;
        tsr_buf_cstr(&r.reason, error.reason);
    }
    if (r.failed) {
        tsr_buf where = {0};
        tsr_text_position(text, r.at, &diag);
        tsr_buf_printf(&where, "%.*s:%u:%u: ", (int)(name.len > 200 ? 200 : name.len), name.data,
                       diag.line, diag.col);
        tsr_status_set(status, TSR_BAD_INPUT, "%.*s%.*s", (int)where.len, where.data,
                       (int)r.reason.len, r.reason.data);
        diag.file = name;
        if (status && strlen(status->message) > where.len)
            diag.message = tsr_cstr(status->message + where.len);
        if (bad)
            *bad = diag;
        tsr_buf_free(&where);
        tsr_mesh_plan_free(r.plan);
    }
    tsr_buf_free(&r.path);
    tsr_buf_free(&r.reason);
    tsr_arena_free(&arena);
    return r.failed ? NULL : r.plan;
}
