/* SPDX-License-Identifier: Apache-2.0 */
/* look_html.c - the first look as HTML: an article that reads without scripts. Lengths of bars are shares of flex boxes;
 * names and texts are escaped. */
#include "explore/look.h"

#include <math.h>

#include "explore/scope.h"
#include "shard/core/mesh.h"
#include "text/text.h"

enum { CELLS_MOST = 64, ROWS_MOST = 5, VALUES_MOST = 14 };

static void text(tsr_buf *out, tsr_str s)
{
    tsr_text_visible(out, s, TSR_VISIBLE_XML);
}

static void quantity(tsr_buf *out, double n, const char *unit)
{
    tsr_buf_quantity(out, n, unit);
}

/* 1314095104 -> 1.31 B parameters */
static void count(tsr_buf *out, double n)
{
    if (n < 1e6)
        tsr_buf_report(out, "%.0f", n);
    else
        tsr_buf_report(out, "%.2f %s", n / (n < 1e9 ? 1e6 : 1e9), n < 1e9 ? "M" : "B");
}

/* ---- Bars ---- */

typedef struct {
    const char *kind, *name; /* kind: its class */
    double value;
} part;

static void bar(tsr_buf *out, const char *label, const part *parts, size_t n, double whole)
{
    double left = whole;
    tsr_buf_printf(out, "<div class=\"bar\" role=\"img\" aria-label=\"%s\">", label);
    for (size_t i = 0; i < n; i++) {
        left -= parts[i].value;
        if (parts[i].value > whole * 1e-4)
            tsr_buf_report(out, "<i class=\"%s\" style=\"flex:%.4f\" title=\"%s\"></i>",
                           parts[i].kind, 100 * parts[i].value / whole, parts[i].name);
    }
    if (left > whole * 1e-3)
        tsr_buf_report(out, "<i class=\"rest\" style=\"flex:%.4f\"></i>", 100 * left / whole);
    tsr_buf_cstr(out, "</div>\n");
}

static void legend(tsr_buf *out, const part *parts, size_t n, double whole, const char *unit)
{
    tsr_buf_cstr(out, "<table class=\"legend\">");
    for (size_t i = 0; i < n; i++) {
        if (parts[i].value <= whole * 1e-6)
            continue;
        tsr_buf_printf(out, "<tr><td><i class=\"key %s\"></i>%s</td><td class=\"n\">",
                       parts[i].kind, parts[i].name);
        if (unit)
            quantity(out, parts[i].value, unit);
        else
            tsr_buf_seconds(out, parts[i].value);
        tsr_buf_report(out, "</td><td class=\"n\">%.1f %%</td></tr>\n",
                       whole > 0 ? 100 * parts[i].value / whole : 0);
    }
    tsr_buf_cstr(out, "</table>\n");
}

static void step_card(tsr_buf *out, const tsr_look *look)
{
    if (look->step <= 0)
        return;
    part all[] = {{"products", "matrix products", look->products},
                  {"kernels", "other kernels", look->kernels},
                  {"exposed", "exposed communication", look->exposed}};
    part hidden[] = {{"hidden", "hidden communication", look->hidden}};
    tsr_buf_cstr(out,
                 "<section class=\"card\" id=\"look-step\"><h2>Step time</h2><p class=\"big\">");
    tsr_buf_seconds(out, look->step);
    tsr_buf_cstr(out, "</p><p class=\"soft\">");
    if (look->step_once > 0) {
        tsr_buf_seconds(out, look->step_once);
        tsr_buf_cstr(out, " with one turn of each loop &middot; ");
    }
    tsr_buf_report(out, "MFU&nbsp;%.1f&nbsp;%%</p>\n", 100 * look->mfu);
    bar(out, "Step time", all, TSR_COUNT(all), look->step);
    if (look->hidden > 0) {
        tsr_buf_cstr(out, "<div class=\"thin\">");
        bar(out, "Communication behind kernels", hidden, 1, look->step);
        tsr_buf_cstr(out, "</div>");
    }
    part four[] = {all[0], all[1], hidden[0], all[2]};
    legend(out, four, TSR_COUNT(four), look->step, NULL);
    tsr_buf_cstr(out, "</section>\n");
}

static void memory_card(tsr_buf *out, const tsr_look *look)
{
    static const char *const kinds[] = {"parameters", "optimiser", "inputs",
                                        "kept",       "gradients", "temporary"};
    part parts[TSR_HELD__COUNT];
    double limit = look->device ? look->device->memory : 0;
    for (int i = 0; i < TSR_HELD__COUNT; i++)
        parts[i] = (part){kinds[i], tsr_held_name((tsr_held)i), look->held[i]};
    tsr_buf_cstr(out,
                 "<section class=\"card\" id=\"look-memory\"><h2>Peak memory of a device</h2><p "
                 "class=\"big\">");
    quantity(out, look->peak, "B");
    tsr_buf_cstr(out, "</p><p class=\"soft\">");
    if (limit > 0) {
        tsr_buf_cstr(out, look->peak > limit ? "<b class=\"bad\">does not fit</b> in " : "of ");
        quantity(out, limit, "B");
        tsr_buf_report(out, ", %.1f %%", 100 * look->peak / limit);
    }
    tsr_buf_cstr(out, "</p>\n");
    if (look->peak > 0)
        bar(out, "Memory at the peak", parts, TSR_COUNT(parts), look->peak);
    if (limit > 0) {
        part used[] = {
            {look->peak > limit ? "over" : "used", "of the device's", fmin(limit, look->peak)}};
        tsr_buf_cstr(out, "<div class=\"limit\">");
        bar(out, "Memory at the peak, of the device's", used, 1, limit);
        tsr_buf_cstr(out, "</div>");
    }
    legend(out, parts, TSR_COUNT(parts), look->peak, "B");
    tsr_buf_cstr(out, "</section>\n");
}

/* ---- The mesh ---- */

/* The last axis goes across, the others down. */
static void mesh_grid(tsr_buf *out, const tsr_mesh *mesh)
{
    int64_t across = mesh->naxis ? mesh->sizes[mesh->naxis - 1] : 1;
    if (mesh->ndevice > CELLS_MOST || across > 16) {
        tsr_buf_report(out, "<p class=\"soft\">%lld devices: too many to draw</p>",
                       (long long)mesh->ndevice);
        return;
    }
    tsr_buf_report(out, "<div class=\"mesh\" style=\"grid-template-columns:repeat(%lld,1fr)\">",
                   (long long)across);
    for (int64_t i = 0; i < mesh->ndevice; i++)
        tsr_buf_report(out, "<i>%lld</i>", (long long)i);
    tsr_buf_cstr(out, "</div>\n");
}

static void mesh_card(tsr_buf *out, const tsr_look *look)
{
    const tsr_shard_plan *plan = look->plan;
    tsr_buf_cstr(out, "<section class=\"card\" id=\"look-mesh\"><h2>Mesh</h2>");
    if (!plan->meshes.n) {
        tsr_buf_report(
            out, "<p class=\"big\">%lld device%s</p><p class=\"soft\">no mesh</p></section>\n",
            (long long)look->devices, look->devices == 1 ? "" : "s");
        return;
    }
    for (size_t i = 0; i < plan->meshes.n && i < 2; i++) {
        const tsr_mesh *mesh = plan->meshes.data[i];
        tsr_buf_cstr(out, "<p class=\"big\">");
        for (uint32_t k = 0; k < mesh->naxis; k++) {
            tsr_buf_cstr(out, k ? " &times; " : "");
            text(out, tsr_mesh_axis_name(mesh, k)->s);
            tsr_buf_report(out, "=%lld", (long long)mesh->sizes[k]);
        }
        tsr_buf_report(out, "</p><p class=\"soft\">%lld device%s", (long long)mesh->ndevice,
                       mesh->ndevice == 1 ? "" : "s");
        if (mesh->naxis > 1) {
            tsr_buf_cstr(out, "; ");
            text(out, tsr_mesh_axis_name(mesh, mesh->naxis - 1)->s);
            tsr_buf_cstr(out, " across, the rest down");
        }
        tsr_buf_cstr(out, "</p>\n");
        mesh_grid(out, mesh);
    }
    tsr_buf_cstr(out, "</section>\n");
}

/* ---- Lists ---- */

static void advice_card(tsr_buf *out, const tsr_look *look)
{
    tsr_buf_cstr(out,
                 "<section class=\"card\" id=\"look-advice\"><h2>In three sentences</h2><ol>\n");
    for (int i = 0; i < 3; i++) {
        tsr_buf_cstr(out, "<li>");
        text(out, look->advice[i]);
        tsr_buf_cstr(out, "</li>\n");
    }
    tsr_buf_cstr(out, "</ol></section>\n");
    if (!look->ntry)
        return;
    tsr_buf_cstr(out, "<section class=\"card wide\" id=\"look-tries\"><h2>Worth trying</h2><table>"
                      "<thead><tr><th>sharding to change</th><th class=\"n\">step</th><th "
                      "class=\"n\">received</th></tr></thead><tbody>\n");
    for (uint32_t i = 0; i < look->ntry; i++) {
        const tsr_look_try *t = &look->tries[i];
        tsr_buf_cstr(out, "<tr><td><code>");
        text(out, t->text);
        tsr_buf_printf(out, "</code>%s</td><td class=\"n good\">",
                       t->elsewhere ? " <span class=\"soft\">takes memory, or changes what the "
                                      "caller gets</span>"
                                    : "");
        tsr_buf_report(out, "&minus;%.1f %%</td><td class=\"n good\">&minus;%.1f %%</td></tr>\n",
                       100 * t->saved_seconds, 100 * t->saved_bytes);
    }
    tsr_buf_cstr(out, "</tbody></table></section>\n");
}

static tsr_str short_place(tsr_str place)
{
    for (size_t i = place.len; i-- > 0;)
        if (place.data[i] == '/')
            return (tsr_str){place.data + i + 1, place.len - i - 1};
    return place;
}

static void collective_row(tsr_buf *out, const tsr_look_row *r, double most)
{
    double bytes = (double)r->moved;
    tsr_buf_cstr(out, "<tr data-place=\"");
    text(out, r->place);
    tsr_buf_cstr(out, "\"><td class=\"what\"><b>");
    text(out, r->kind);
    tsr_buf_cstr(out, "</b> over ");
    text(out, r->axes.len ? r->axes : TSR_STR("?"));
    if (r->number > 1)
        tsr_buf_report(out, ", %u of them", r->number);
    tsr_buf_cstr(out, "<br><code>");
    text(out, r->place.len ? short_place(r->place) : TSR_STR("function boundary"));
    tsr_buf_cstr(out, "</code>");
    tsr_buf scope = {0};
    if (tsr_scope_text(&scope, r->name)) {
        tsr_buf_cstr(out, " <span class=\"soft\">");
        text(out, tsr_buf_text(&scope));
        tsr_buf_cstr(out, "</span>");
    }
    tsr_buf_free(&scope);
    tsr_buf_cstr(out, "</td><td class=\"why\">");
    text(out, r->why);
    tsr_buf_cstr(out, "</td><td class=\"n\">");
    quantity(out, bytes, "B");
    if (r->turns > 1) {
        tsr_buf_cstr(out, "<br><span class=\"soft\">(");
        quantity(out, bytes / (double)r->turns, "B");
        tsr_buf_report(out, " &times; %lld)</span>", (long long)r->turns);
    } else if (r->per_turn) {
        tsr_buf_cstr(out, "<br><span class=\"soft\">per turn</span>");
    }
    tsr_buf_cstr(out, "</td><td class=\"n\">");
    if (r->seconds > 0)
        tsr_buf_seconds(out, r->seconds);
    tsr_buf_report(out, "</td><td class=\"share\"><i style=\"width:%.1f%%\"></i></td></tr>\n",
                   most > 0 ? 100 * bytes / most : 0);
}

static void collectives_card(tsr_buf *out, const tsr_look *look)
{
    double most = 0;
    if (!look->rows.n)
        return;
    tsr_buf_cstr(out, "<section class=\"card wide\" id=\"look-collectives\"><h2>Costliest "
                      "collectives</h2><table><thead><tr><th>what, and where in your "
                      "program</th><th>why</th><th class=\"n\">received</th><th "
                      "class=\"n\">time</th><th></th></tr></thead><tbody>\n");
    for (size_t i = 0; i < look->rows.n && i < ROWS_MOST; i++)
        most = fmax(most, (double)look->rows.data[i].moved);
    for (size_t i = 0; i < look->rows.n && i < ROWS_MOST; i++)
        collective_row(out, &look->rows.data[i], most);
    tsr_buf_report(out,
                   "</tbody></table><p class=\"soft\">%u collective%s in the program, %lld with "
                   "all turns of loops; each device receives ",
                   look->ncollective, look->ncollective == 1 ? "" : "s",
                   (long long)look->plan->ncollective);
    quantity(out, (double)look->plan->moved, "B");
    if (look->plan->moved_once != look->plan->moved) {
        tsr_buf_cstr(out, " (");
        quantity(out, (double)look->plan->moved_once, "B");
        tsr_buf_cstr(out, " with one turn of each loop)");
    }
    tsr_buf_cstr(out, ".</p></section>\n");
}

static void value_row(tsr_buf *out, const tsr_look_value *v)
{
    tsr_buf_cstr(out, "<tr data-value=\"");
    text(out, v->name);
    tsr_buf_printf(out, "\"><td class=\"name\"><code>%s", v->result ? "&rarr; " : "");
    text(out, v->name);
    tsr_buf_cstr(out, "</code>");
    if (v->number > 1)
        tsr_buf_report(out, " <span class=\"soft\">&times;%u</span>", v->number);
    tsr_str type = tsr_type_print(v->type);
    tsr_buf_cstr(out, "</td><td class=\"type\"><code>");
    text(out, type);
    tsr_free((void *)type.data);
    tsr_buf_cstr(out, "</code></td><td><code>");
    if (v->written.len)
        text(out, v->written);
    else
        tsr_buf_cstr(out, "<span class=\"soft\">nothing</span>");
    tsr_buf_printf(out, "</code></td><td><code%s>",
                   v->changed || !v->written.len ? " class=\"new\"" : "");
    text(out, v->planned);
    tsr_buf_cstr(out, "</code></td><td class=\"n\">");
    quantity(out, (double)v->bytes, "B");
    tsr_buf_cstr(out, "</td></tr>\n");
}

/* The largest arguments, then results. */
static void values_card(tsr_buf *out, const tsr_look *look)
{
    uint32_t shown = 0;
    uint8_t *done = tsr_xmalloc(look->values.n + 1);
    memset(done, 0, look->values.n + 1);
    tsr_buf_cstr(
        out, "<section class=\"card wide\" id=\"look-plan\"><h2>The plan beside your "
             "annotations</h2><table><thead><tr><th>value</th><th class=\"type\">type</th><th>you "
             "wrote</th><th>plan</th><th class=\"n\">on each device</th></tr></thead><tbody>\n");
    for (; shown < VALUES_MOST; shown++) {
        size_t best = look->values.n;
        for (size_t i = 0; i < look->values.n; i++)
            if (!done[i] && (best == look->values.n ||
                             (look->values.data[i].result == look->values.data[best].result
                                  ? look->values.data[i].bytes > look->values.data[best].bytes
                                  : !look->values.data[i].result)))
                best = i;
        if (best == look->values.n)
            break;
        done[best] = 1;
        value_row(out, &look->values.data[best]);
    }
    tsr_free(done);
    tsr_buf_report(
        out,
        "</tbody></table><p class=\"soft\">%u shardings written for arguments and results, "
        "%u constraints inside.",
        look->nwritten, look->nconstraint);
    if (shown < look->values.n)
        tsr_buf_report(out, " The %u largest of %lld are shown; Shardings has all.", shown,
                       (long long)look->values.n);
    tsr_buf_cstr(out, "</p></section>\n");
}

static void headline(tsr_buf *out, const tsr_look *look)
{
    tsr_buf_cstr(out, "<header><h1>");
    text(out, short_place(look->file));
    tsr_buf_cstr(out, "</h1><p class=\"facts\">");
    if (look->elements > 0) {
        tsr_buf_cstr(out, "<span><b>");
        count(out, look->elements);
        tsr_buf_cstr(out, "</b> parameters, ");
        quantity(out, look->parameter_bytes, "B");
        tsr_buf_cstr(out, "</span>");
    }
    if (look->work > 0) {
        tsr_buf_cstr(out, "<span><b>");
        quantity(out, look->work, "FLOP");
        tsr_buf_cstr(out, "</b> in products</span>");
    }
    tsr_buf_report(out, "<span><b>%u</b> ops</span>", look->nop);
    if (look->nloop)
        tsr_buf_report(out, "<span><b>%u</b> loop%s</span>", look->nloop,
                       look->nloop == 1 ? "" : "s");
    tsr_buf_report(out, "<span><b>%u</b> arguments</span>", look->narg);
    if (look->device) {
        tsr_buf_report(out, "<span><b>%lld &times; ", (long long)look->devices);
        text(out, look->device->about.len ? look->device->about : look->device->name);
        tsr_buf_printf(out, "</b>%s</span>", look->assumed ? " assumed; --device says which" : "");
    }
    tsr_buf_cstr(out, "</p></header>\n");
}

void tsr_look_html(tsr_buf *out, const tsr_look *look)
{
    tsr_buf_cstr(out, "<article class=\"look\">\n");
    headline(out, look);
    tsr_buf_cstr(out, "<div class=\"cards\">\n");
    step_card(out, look);
    memory_card(out, look);
    mesh_card(out, look);
    advice_card(out, look);
    collectives_card(out, look);
    values_card(out, look);
    tsr_buf_cstr(out, "</div></article>\n");
}
