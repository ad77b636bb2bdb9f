/* SPDX-License-Identifier: Apache-2.0 */
/* plan_print.c - prints a plan as a table for people, or as JSON for programs. Bytes are per device. */
#include "shard/spmd/plan.h"

#include "dialect/sdy/axes.h"

static const char *plural(int64_t n)
{
    return n == 1 ? "" : "s";
}

/* [{"x"}, {}]: only the dimensions. */
static void dims_text(tsr_buf *out, const tsr_attr *sharding)
{
    if (!sharding) {
        tsr_buf_cstr(out, "replicated");
        return;
    }
    tsr_str text = tsr_attr_print(sharding); /* #sdy.sharding<@mesh, [...], ...> */
    const char *start = memchr(text.data, '[', text.len);
    /* An inlined mesh has brackets, too: the dimensions come after ">, ". */
    if (tsr_attr_is_struct(sharding->attrs[SDY_SHARDING_mesh], &tsr_def_SDY_MESH))
        for (const char *at = start; at + 4 < text.data + text.len; at++)
            if (memcmp(at, ">, [", 4) == 0) {
                start = at + 3;
                break;
            }
    if (start)
        tsr_buf_str(out, (tsr_str){start, (size_t)(text.data + text.len - 1 - start)});
    tsr_free((void *)text.data);
}

static void type_text(tsr_buf *out, const tsr_type *type)
{
    tsr_str text = tsr_type_print(type);
    tsr_buf_str(out, text);
    tsr_free((void *)text.data);
}

void tsr_plan_cause_text(tsr_buf *out, const tsr_plan_step *step)
{
    if (!step->cause.len) {
        tsr_buf_cstr(out, "function boundary");
        return;
    }
    tsr_buf_str(out, step->cause);
    if (tsr_loc_at_place(out, step->op->module->ctx, step->cause_loc, false))
        return;
    tsr_buf name = {0};
    if (tsr_loc_name(&name, step->cause_loc)) {
        tsr_buf_cstr(out, ", ");
        tsr_text_visible(out, tsr_buf_text(&name), TSR_VISIBLE_TEXT);
    }
    tsr_buf_free(&name);
}

/* ---- Text ---- */

/* Cells of a table: columns are as wide as their widest cell. */
typedef struct {
    tsr_buf text;
    TSR_VEC(size_t) ends; /* of each cell in text */
    uint32_t ncol;
    const bool *right; /* aligned right */
} table;

static void cell(table *t)
{
    tsr_vec_push(&t->ends, t->text.len);
}

static void cell_str(table *t, tsr_str s)
{
    tsr_buf_str(&t->text, s);
    cell(t);
}

static void cell_bytes(table *t, int64_t n)
{
    tsr_buf_quantity(&t->text, (double)n, "B");
    cell(t);
}

static void cell_int(table *t, int64_t n)
{
    if (n < 0)
        tsr_buf_char(&t->text, '?');
    else
        tsr_buf_int(&t->text, n);
    cell(t);
}

/* In characters: bytes that continue one do not count. */
static size_t width_of(const table *t, size_t start, size_t end)
{
    size_t n = 0;
    for (size_t i = start; i < end; i++)
        n += ((unsigned char)t->text.data[i] & 0xC0) != 0x80;
    return n;
}

static void table_print(tsr_buf *out, table *t)
{
    size_t widths[16] = {0}, start = 0;
    for (size_t i = 0; i < t->ends.n; i++) {
        size_t n = width_of(t, start, t->ends.data[i]);
        start = t->ends.data[i];
        widths[i % t->ncol] = n > widths[i % t->ncol] ? n : widths[i % t->ncol];
    }
    start = 0;
    for (size_t i = 0; i < t->ends.n; i++) {
        uint32_t col = (uint32_t)(i % t->ncol);
        size_t n = t->ends.data[i] - start, pad = widths[col] - width_of(t, start, start + n);
        tsr_buf_cstr(out, "  ");
        for (size_t k = 0; t->right[col] && k < pad; k++)
            tsr_buf_char(out, ' ');
        tsr_buf_str(out, (tsr_str){t->text.data + start, n});
        bool last = col + 1 == t->ncol;
        for (size_t k = 0; !t->right[col] && !last && k < pad; k++)
            tsr_buf_char(out, ' ');
        if (last)
            tsr_buf_char(out, '\n');
        start = t->ends.data[i];
    }
    tsr_buf_free(&t->text);
    tsr_vec_free(&t->ends);
}

static void values_text(tsr_buf *out, const char *title, const tsr_plan_value *values, size_t n,
                        int64_t bytes)
{
    static const bool right[] = {false, false, false, false, true};
    table t = {.ncol = 5, .right = right};
    tsr_buf_printf(out, "\n%zu %s%s, ", n, title, plural((int64_t)n));
    tsr_buf_quantity(out, (double)bytes, "B");
    tsr_buf_char(out, '\n');
    for (size_t i = 0; i < n; i++) {
        tsr_text_visible(&t.text, values[i].name, TSR_VISIBLE_TEXT);
        cell(&t);
        type_text(&t.text, values[i].type);
        cell(&t);
        dims_text(&t.text, values[i].sharding);
        cell(&t);
        cell_str(&t, values[i].local);
        cell_bytes(&t, values[i].bytes);
    }
    table_print(out, &t);
}

/* A total, and what it is with one turn of each loop. */
static void quantity_text(tsr_buf *out, const tsr_shard_plan *plan, double n, double once,
                          const char *unit)
{
    tsr_buf_quantity(out, n, unit);
    if (plan->nloop && n != once) {
        tsr_buf_cstr(out, " (");
        tsr_buf_quantity(out, once, unit);
        tsr_buf_cstr(out, " with one turn of each loop)");
    }
}

/* What a collective receives in all its turns (and in one). */
static void moved_text(tsr_buf *out, const tsr_plan_step *s)
{
    tsr_buf_quantity(out, (double)tsr_plan_step_moved(s), "B");
    if (s->turns != 1) {
        tsr_buf_cstr(out, " (");
        tsr_buf_quantity(out, (double)s->moved, "B");
        tsr_buf_char(out, ')');
    }
}

static void turns_text(tsr_buf *out, const tsr_plan_step *s)
{
    const char *gap = "";
    if (s->turns != 1 || (s->in_loop && !s->per_turn)) {
        tsr_buf_printf(out, "x%lld", (long long)s->turns);
        gap = " ";
    }
    if (s->per_turn) {
        tsr_buf_printf(out, "%sper turn", gap);
        gap = ", ";
    }
    if (s->other_branch)
        tsr_buf_printf(out, "%sother branch", gap);
}

int64_t tsr_plan_step_moved(const tsr_plan_step *s)
{
    return s->moved < 0 ? -1 : tsr_sdy_mul(s->moved, s->turns);
}

void tsr_shard_plan_notes(tsr_buf *out, const tsr_shard_plan *plan)
{
    if (plan->nunknown)
        tsr_buf_printf(out, "%u loop%s of unknown length: figures are per turn of %s\n",
                       plan->nunknown, plural(plan->nunknown), plan->nunknown == 1 ? "it" : "them");
    if (plan->nbranch)
        tsr_buf_printf(out, "%u op%s with branches: the dearest branch counts\n", plan->nbranch,
                       plural(plan->nbranch));
}

void tsr_shard_plan_text(tsr_buf *out, const tsr_shard_plan *plan)
{
    for (size_t i = 0; i < plan->meshes.n; i++) {
        const tsr_mesh *mesh = plan->meshes.data[i];
        tsr_buf_printf(out, "mesh @%.*s:", TSR_STR_ARG(mesh->ref->s));
        for (uint32_t k = 0; k < mesh->naxis; k++)
            tsr_buf_printf(out, "%s%.*s=%lld", k ? ", " : " ",
                           TSR_STR_ARG(tsr_mesh_axis_name(mesh, k)->s), (long long)mesh->sizes[k]);
        tsr_buf_printf(out, " (%lld device%s)\n", (long long)mesh->ndevice, plural(mesh->ndevice));
    }
    if (!plan->meshes.n)
        tsr_buf_cstr(out, "no mesh: one device\n");
    values_text(out, "argument", plan->args.data, plan->args.n, plan->arg_bytes);
    values_text(out, "result", plan->results.data, plan->results.n, plan->result_bytes);
    static const bool right[] = {false, false, true, false, true, true, false, false};
    table t = {.ncol = 8, .right = right};
    tsr_buf_printf(out, "\n%lld collective%s, ", (long long)plan->ncollective,
                   plural(plan->ncollective));
    quantity_text(out, plan, (double)plan->moved, (double)plan->moved_once, "B");
    tsr_buf_cstr(out, " received\n");
    for (size_t i = 0; i < plan->steps.n; i++) {
        const tsr_plan_step *s = &plan->steps.data[i];
        if (i == 0)
            for (size_t k = 0; k < t.ncol; k++)
                cell_str(&t, tsr_cstr((const char *const[]){"", "over", "devices", "of", "received",
                                                            "result", "", "because of"}[k]));
        cell_str(&t, s->kind);
        cell_str(&t, s->axes);
        cell_int(&t, s->devices);
        type_text(&t.text, s->type);
        if (s->ntensor > 1)
            tsr_buf_printf(&t.text, " and %u more", s->ntensor - 1);
        cell(&t);
        moved_text(&t.text, s);
        cell(&t);
        cell_bytes(&t, s->bytes);
        turns_text(&t.text, s);
        cell(&t);
        tsr_plan_cause_text(&t.text, s);
        cell(&t);
    }
    table_print(out, &t);
    tsr_buf_cstr(out, "\npeak memory ");
    tsr_buf_quantity(out, (double)plan->peak, "B");
    tsr_buf_cstr(out, ", ");
    quantity_text(out, plan, plan->flops, plan->flops_once, "FLOP");
    tsr_buf_cstr(out, plan->meshes.n ? " on each device\n" : "\n");
    tsr_shard_plan_notes(out, plan);
}

/* ---- JSON ---- */

static void key(tsr_buf *out, const char *name)
{
    tsr_buf_printf(out, "\"%s\": ", name);
}

/* Unknown numbers are null. */
static void number_json(tsr_buf *out, const char *name, int64_t n)
{
    key(out, name);
    if (n < 0)
        tsr_buf_cstr(out, "null");
    else
        tsr_buf_int(out, n);
}

static void quoted_buf(tsr_buf *out, tsr_buf *text)
{
    tsr_buf_json(out, tsr_buf_text(text));
    tsr_buf_free(text);
}

static void values_json(tsr_buf *out, const char *name, const tsr_plan_value *values, size_t n)
{
    tsr_buf_printf(out, "  \"%s\": [", name);
    for (size_t i = 0; i < n; i++) {
        tsr_buf type = {0}, sharding = {0};
        type_text(&type, values[i].type);
        dims_text(&sharding, values[i].sharding);
        tsr_buf_cstr(out, i ? ",\n    {" : "\n    {");
        key(out, "name");
        tsr_buf_json(out, values[i].name);
        tsr_buf_cstr(out, ", ");
        key(out, "type");
        quoted_buf(out, &type);
        tsr_buf_cstr(out, ", ");
        key(out, "sharding");
        quoted_buf(out, &sharding);
        tsr_buf_cstr(out, ", ");
        key(out, "local");
        tsr_buf_json(out, values[i].local);
        tsr_buf_cstr(out, ", ");
        number_json(out, "bytes", values[i].bytes);
        tsr_buf_char(out, '}');
    }
    tsr_buf_cstr(out, n ? "\n  ],\n" : "],\n");
}

static void mesh_json(tsr_buf *out, const tsr_mesh *mesh, bool first)
{
    tsr_buf_cstr(out, first ? "{" : ", {");
    key(out, "name");
    tsr_buf_json(out, mesh->ref->s);
    tsr_buf_cstr(out, ", \"axes\": [");
    for (uint32_t k = 0; k < mesh->naxis; k++) {
        tsr_buf_cstr(out, k ? ", [" : "[");
        tsr_buf_json(out, tsr_mesh_axis_name(mesh, k)->s);
        tsr_buf_printf(out, ", %lld]", (long long)mesh->sizes[k]);
    }
    tsr_buf_printf(out, "], \"devices\": %lld}", (long long)mesh->ndevice);
}

/* Where the op that it serves is in the user's program, and its stack of names. */
static void origin_json(tsr_buf *out, const tsr_plan_step *s)
{
    tsr_buf place = {0}, name = {0};
    if (tsr_loc_place(&place, s->op->module->ctx, s->cause_loc, true)) {
        tsr_buf_cstr(out, ", ");
        key(out, "location");
        tsr_buf_json(out, tsr_buf_text(&place));
    }
    if (tsr_loc_name(&name, s->cause_loc)) {
        tsr_buf_cstr(out, ", ");
        key(out, "name");
        tsr_buf_json(out, tsr_buf_text(&name));
    }
    tsr_buf_free(&place);
    tsr_buf_free(&name);
}

static void step_json(tsr_buf *out, const tsr_plan_step *s, bool first)
{
    tsr_buf type = {0}, cause = {0};
    type_text(&type, s->type);
    tsr_plan_cause_text(&cause, s);
    tsr_buf_cstr(out, first ? "\n    {" : ",\n    {");
    key(out, "kind");
    tsr_buf_json(out, s->kind);
    tsr_buf_cstr(out, ", ");
    key(out, "axes");
    tsr_buf_json(out, s->axes);
    tsr_buf_printf(out, ", \"devices\": %lld, ", (long long)s->devices);
    key(out, "type");
    quoted_buf(out, &type);
    tsr_buf_printf(out, ", \"tensors\": %u", s->ntensor);
    tsr_buf_cstr(out, ", ");
    number_json(out, "received", s->moved);
    tsr_buf_cstr(out, ", ");
    number_json(out, "bytes", s->bytes);
    tsr_buf_printf(out, ", \"in_loop\": %s, ", s->in_loop ? "true" : "false");
    number_json(out, "turns", s->per_turn ? -1 : s->turns);
    tsr_buf_cstr(out, ", ");
    number_json(out, "received_total", s->other_branch ? 0 : tsr_plan_step_moved(s));
    tsr_buf_printf(out, ", \"other_branch\": %s, ", s->other_branch ? "true" : "false");
    key(out, "cause");
    quoted_buf(out, &cause);
    origin_json(out, s);
    tsr_buf_char(out, '}');
}

static int64_t count_of(double n)
{
    return n < 0 || n > 9e18 ? -1 : (int64_t)n;
}

void tsr_shard_plan_json(tsr_buf *out, const tsr_shard_plan *plan)
{
    tsr_buf_cstr(out, "{\n  \"meshes\": [");
    for (size_t i = 0; i < plan->meshes.n; i++)
        mesh_json(out, plan->meshes.data[i], i == 0);
    tsr_buf_cstr(out, "],\n");
    values_json(out, "arguments", plan->args.data, plan->args.n);
    values_json(out, "results", plan->results.data, plan->results.n);
    tsr_buf_cstr(out, "  \"collectives\": [");
    for (size_t i = 0; i < plan->steps.n; i++)
        step_json(out, &plan->steps.data[i], i == 0);
    tsr_buf_printf(out, "%s],\n", plan->steps.n ? "\n  " : "");
    const struct {
        const char *name;
        int64_t bytes;
    } totals[] = {{"argument_bytes", plan->arg_bytes},
                  {"result_bytes", plan->result_bytes},
                  {"received_bytes", plan->moved},
                  {"received_bytes_once", plan->moved_once},
                  {"collective_count", plan->ncollective},
                  {"peak_bytes", plan->peak},
                  {"flops", count_of(plan->flops)},
                  {"flops_once", count_of(plan->flops_once)},
                  {"loops", plan->nloop},
                  {"loops_of_unknown_length", plan->nunknown},
                  {"branches", plan->nbranch}};
    for (size_t i = 0; i < TSR_COUNT(totals); i++) {
        tsr_buf_cstr(out, "  ");
        number_json(out, totals[i].name, totals[i].bytes);
        tsr_buf_cstr(out, i + 1 < TSR_COUNT(totals) ? ",\n" : "\n}\n");
    }
}
