/* SPDX-License-Identifier: Apache-2.0 */
/* mesh_plan_check.c - a plan's promise beside what the program takes now, and how two plans differ. */
#include <math.h>

#include "api/eval.h"
#include "api/mesh_plan.h"
#include "text/text.h"

/* ---- Checking ---- */

typedef struct {
    const char *name, *key;
    double promised, now;
    enum { SECONDS, BYTES, COUNTED } unit;
    bool kept; /* it must not be worse */
} figure;

enum { FIGURES = 5 };

static void figure_text(tsr_buf *out, const figure *f, double x)
{
    if (f->unit == SECONDS)
        tsr_buf_seconds(out, x);
    else if (f->unit == BYTES)
        tsr_buf_quantity(out, x, "B");
    else
        tsr_buf_uint(out, (uint64_t)x);
}

static bool is_worse(const figure *f, double tolerance)
{
    return f->kept && !(f->now <= f->promised * (1 + tolerance));
}

static void pad_to(tsr_buf *out, size_t from, size_t width)
{
    do
        tsr_buf_char(out, ' ');
    while (out->len - from < width);
}

static void change_text(tsr_buf *out, double before, double now)
{
    double share = before > 0 ? 100 * (now / before - 1) : now > before ? INFINITY : 0;
    if (isfinite(share))
        tsr_buf_report(out, "%s%.1f %%", share < -0.05 ? "-" : "+", fabs(share));
    else
        tsr_buf_cstr(out, "new");
}

static void row_text(tsr_buf *out, const figure *f)
{
    size_t at = out->len;
    tsr_buf_cstr(out, f->name);
    pad_to(out, at, 23);
    figure_text(out, f, f->promised);
    pad_to(out, at, 34);
    figure_text(out, f, f->now);
    pad_to(out, at, 45);
    change_text(out, f->promised, f->now);
}

static void figures_text(tsr_buf *out, const figure *all, double tolerance)
{
    tsr_buf_cstr(out, "                       promised   now        change\n");
    for (int i = 0; i < FIGURES; i++) {
        row_text(out, &all[i]);
        tsr_buf_cstr(out, is_worse(&all[i], tolerance) ? ": worse\n" : "\n");
    }
}

static void figures_json(tsr_buf *out, const figure *all, bool keeps, bool fits, double memory,
                         double tolerance)
{
    tsr_buf_report(out, "{\n  \"keeps\": %s, \"fits\": %s, \"tolerance\": %.6g,\n",
                   keeps ? "true" : "false", fits ? "true" : "false", tolerance);
    tsr_buf_report(out, "  \"memory_limit_bytes\": %.0f", memory);
    for (int i = 0; i < FIGURES; i++)
        tsr_buf_report(out, ",\n  \"%s\": {\"promised\": %.9g, \"now\": %.9g}", all[i].key,
                       all[i].promised, all[i].now);
    tsr_buf_cstr(out, "\n}\n");
}

/* Of the module with the plan, which it then is partitioned by. */
static bool simulate(tsr_arena *arena, tsr_module *m, const tsr_mesh_plan *p,
                     const tsr_device_file *device, figure *out, tsr_status *status)
{
    const tsr_mesh_plan_candidate *c = tsr_mesh_plan_chosen(p);
    tsr_shard_request request = {.function = p->program.function};
    tsr_simulated s = {0};
    bool ok = tsr_simulate(arena, m, &request, device, &s, status);
    if (ok) {
        const figure all[FIGURES] = {
            {"step time", "step_seconds", c->seconds, s.sim.seconds, SECONDS, true},
            {"peak memory", "peak_bytes", c->peak, fmax(s.report.bytes, 0), BYTES, true},
            {"received", "received_bytes", c->moved, fmax(s.sim.moved, 0), BYTES, false},
            {"exposed communication", "exposed_seconds", c->exposed, s.sim.exposed, SECONDS, false},
            {"collectives", "collectives", c->ncollective, s.sim.ncollective, COUNTED, false}};
        memcpy(out, all, sizeof all);
    }
    tsr_simulated_free(&s);
    return ok;
}

static void check_text(tsr_buf *out, const tsr_mesh_plan *p, const figure *all, double memory,
                       double tolerance, bool fits)
{
    tsr_buf_cstr(out, "plan ");
    tsr_text_visible(out, tsr_mesh_plan_chosen(p)->name, TSR_VISIBLE_TEXT);
    tsr_buf_cstr(out, ", mesh ");
    tsr_search_mesh_text(out, &tsr_mesh_plan_chosen(p)->mesh, ", ");
    tsr_buf_cstr(out, "\n\n");
    figures_text(out, all, tolerance);
    tsr_buf_char(out, '\n');
    if (!fits) {
        tsr_buf_cstr(out, "it does not fit: a device has ");
        tsr_buf_quantity(out, memory, "B");
        tsr_buf_char(out, '\n');
    }
    bool worse = is_worse(&all[0], tolerance) || is_worse(&all[1], tolerance);
    if (worse || fits)
        tsr_buf_report(out,
                       worse ? "worse than promised by more than %.3g %%\n"
                             : "as promised, within %.3g %%\n",
                       100 * tolerance);
}

bool tsr_mesh_plan_check(tsr_module *m, const tsr_mesh_plan *p,
                         const tsr_mesh_plan_check_request *request, bool json, tsr_buf *out,
                         bool *keeps, tsr_status *status)
{
    tsr_arena arena;
    tsr_device_file own;
    figure all[FIGURES];
    double memory = request->memory > 0 ? request->memory : p->memory;
    tsr_arena_init_pooled(&arena, &m->ctx->pool);
    tsr_module *copy = tsr_module_copy_borrowed(m);
    const tsr_device_file *device = request->device;
    bool ok = device || tsr_device_file_load(&arena, p->device, &own, NULL, status);
    device = device ? device : &own;
    if (ok && memory > device->memory)
        memory = device->memory;
    ok = ok && tsr_mesh_plan_apply(copy, p, !request->no_pins, status) &&
         simulate(&arena, copy, p, device, all, status);
    if (ok) {
        bool fits = all[1].now <= memory;
        *keeps = fits && !is_worse(&all[0], request->tolerance) &&
                 !is_worse(&all[1], request->tolerance);
        if (json)
            figures_json(out, all, *keeps, fits, memory, request->tolerance);
        else
            check_text(out, p, all, memory, request->tolerance, fits);
    }
    tsr_module_free(copy);
    tsr_arena_free(&arena);
    return ok;
}

/* ---- Comparing ---- */

typedef struct {
    tsr_buf *out;
    bool json, some; /* some: differences were written */
} differences;

/* One thing that differs; before or after may be empty: it is not there. */
static void differ(differences *d, const char *kind, tsr_str what, tsr_str before, tsr_str after)
{
    tsr_buf *out = d->out;
    if (d->json) {
        tsr_buf_cstr(out, d->some ? ",\n    {\"what\": " : "\n    {\"what\": ");
        tsr_buf_json(out, what);
        tsr_buf_report(out, ", \"kind\": \"%s\", \"before\": ", kind);
        tsr_buf_json(out, before);
        tsr_buf_cstr(out, ", \"after\": ");
        tsr_buf_json(out, after);
        tsr_buf_char(out, '}');
    } else {
        tsr_buf_report(out, "  %s ", kind);
        tsr_text_visible(out, what, TSR_VISIBLE_TEXT);
        tsr_buf_cstr(out, ": ");
        tsr_text_visible(out, before.len ? before : TSR_STR("not there"), TSR_VISIBLE_TEXT);
        tsr_buf_cstr(out, " -> ");
        tsr_text_visible(out, after.len ? after : TSR_STR("not there"), TSR_VISIBLE_TEXT);
        tsr_buf_char(out, '\n');
    }
    d->some = true;
}

static void compare_ports(differences *d, const char *kind, const tsr_mesh_plan_port *a,
                          uint32_t na, const tsr_mesh_plan_port *b, uint32_t nb)
{
    tsr_buf what = {0}, sides[2] = {{0}, {0}};
    for (uint32_t i = 0; i < na || i < nb; i++) {
        const tsr_mesh_plan_port *both[] = {i < na ? &a[i] : NULL, i < nb ? &b[i] : NULL};
        what.len = 0;
        tsr_buf_printf(&what, "%u", i);
        const tsr_mesh_plan_port *some = both[0] ? both[0] : both[1];
        tsr_buf_cstr(&what, some->name.len ? " " : "");
        tsr_buf_str(&what, some->name);
        for (int k = 0; k < 2; k++) {
            sides[k].len = 0;
            if (both[k]) {
                tsr_buf_str(&sides[k], both[k]->type);
                tsr_buf_char(&sides[k], ' ');
                tsr_buf_str(&sides[k], both[k]->sharding);
            }
        }
        if (!tsr_str_eq(tsr_buf_text(&sides[0]), tsr_buf_text(&sides[1])))
            differ(d, kind, tsr_buf_text(&what), tsr_buf_text(&sides[0]), tsr_buf_text(&sides[1]));
    }
    tsr_buf_free(&what);
    tsr_buf_free(&sides[0]);
    tsr_buf_free(&sides[1]);
}

static void pin_name(tsr_buf *out, const tsr_mesh_plan_pin *p)
{
    out->len = 0;
    tsr_buf_printf(out, "op %u ", p->number);
    tsr_buf_str(out, p->op);
    if (p->operand)
        tsr_buf_printf(out, ", operand %u", p->operand - 1);
    if (p->source.len) {
        tsr_buf_cstr(out, " at ");
        tsr_buf_str(out, p->source);
    }
}

static bool pin_before(const tsr_mesh_plan_pin *a, const tsr_mesh_plan_pin *b)
{
    return a->number != b->number ? a->number < b->number : a->operand < b->operand;
}

/* Both are in program order; pins of one op are in any. */
static const tsr_mesh_plan_pin *same_pin(const tsr_mesh_plan_candidate *c,
                                         const tsr_mesh_plan_pin *p)
{
    for (uint32_t i = 0; i < c->npin; i++)
        if (!pin_before(&c->pins[i], p) && !pin_before(p, &c->pins[i]) &&
            tsr_str_eq(c->pins[i].op, p->op))
            return &c->pins[i];
    return NULL;
}

static void compare_pins(differences *d, const tsr_mesh_plan_candidate *a,
                         const tsr_mesh_plan_candidate *b)
{
    tsr_buf name = {0};
    for (uint32_t i = 0; i < a->npin; i++) {
        const tsr_mesh_plan_pin *other = same_pin(b, &a->pins[i]);
        pin_name(&name, &a->pins[i]);
        if (!other || !tsr_str_eq(other->sharding, a->pins[i].sharding))
            differ(d, "pin", tsr_buf_text(&name), a->pins[i].sharding,
                   other ? other->sharding : (tsr_str){"", 0});
    }
    for (uint32_t i = 0; i < b->npin; i++)
        if (!same_pin(a, &b->pins[i])) {
            pin_name(&name, &b->pins[i]);
            differ(d, "pin", tsr_buf_text(&name), (tsr_str){"", 0}, b->pins[i].sharding);
        }
    tsr_buf_free(&name);
}

static void compare_figures(tsr_buf *out, const tsr_mesh_plan_candidate *a,
                            const tsr_mesh_plan_candidate *b, bool json)
{
    const figure all[FIGURES] = {
        {"step time", "step_seconds", a->seconds, b->seconds, SECONDS, false},
        {"peak memory", "peak_bytes", a->peak, b->peak, BYTES, false},
        {"received", "received_bytes", a->moved, b->moved, BYTES, false},
        {"exposed communication", "exposed_seconds", a->exposed, b->exposed, SECONDS, false},
        {"pins", "pins", a->npin, b->npin, COUNTED, false}};
    for (int i = 0; i < FIGURES; i++) {
        if (json) {
            tsr_buf_report(out, "  \"%s\": {\"before\": %.9g, \"after\": %.9g},\n", all[i].key,
                           all[i].promised, all[i].now);
        } else {
            row_text(out, &all[i]);
            tsr_buf_char(out, '\n');
        }
    }
}

void tsr_mesh_plan_differences(tsr_buf *out, const tsr_mesh_plan *a, const tsr_mesh_plan *b,
                               bool json)
{
    const tsr_mesh_plan_candidate *x = tsr_mesh_plan_chosen(a), *y = tsr_mesh_plan_chosen(b);
    differences d = {.out = out, .json = json};
    tsr_buf mesh[2] = {{0}, {0}};
    tsr_search_mesh_text(&mesh[0], &x->mesh, ", ");
    tsr_search_mesh_text(&mesh[1], &y->mesh, ", ");
    tsr_buf_cstr(out, json ? "{\n" : "                       before     after      change\n");
    compare_figures(out, x, y, json);
    tsr_buf_cstr(out, json ? "  \"differences\": [" : "\n");
    if (a->program.fingerprint != b->program.fingerprint)
        differ(&d, "program", a->program.function, TSR_STR("one version"), TSR_STR("another"));
    if (!tsr_str_eq(tsr_buf_text(&mesh[0]), tsr_buf_text(&mesh[1])))
        differ(&d, "mesh", TSR_STR("of the plan"), tsr_buf_text(&mesh[0]), tsr_buf_text(&mesh[1]));
    if (!tsr_str_eq(a->device, b->device))
        differ(&d, "device", TSR_STR("of the plan"), a->device, b->device);
    compare_ports(&d, "argument", x->args, x->narg, y->args, y->narg);
    compare_ports(&d, "result", x->results, x->nresult, y->results, y->nresult);
    compare_pins(&d, x, y);
    if (json)
        tsr_buf_cstr(out, d.some ? "\n  ]\n}\n" : "]\n}\n");
    else if (!d.some)
        tsr_buf_cstr(out, "the same shardings\n");
    tsr_buf_free(&mesh[0]);
    tsr_buf_free(&mesh[1]);
}
