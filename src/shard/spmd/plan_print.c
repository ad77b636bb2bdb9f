/* plan_print.c - prints a plan as a table for people, or as JSON for programs. Bytes are per device. */
#include "shard/spmd/plan.h"

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

/* "stablehlo.dot_general at f.mlir:12:8" */
static void cause_text(tsr_buf *out, const tsr_plan_step *step)
{
    tsr_str file;
    uint32_t line, col;
    if (!step->cause.len) {
        tsr_buf_cstr(out, "function boundary");
        return;
    }
    tsr_buf_str(out, step->cause);
    if (tsr_loc_position(step->op->module->ctx, step->cause_loc, &file, &line, &col))
        tsr_buf_printf(out, " at %u:%u", line, col);
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

static void table_print(tsr_buf *out, table *t)
{
    size_t widths[16] = {0}, start = 0;
    for (size_t i = 0; i < t->ends.n; i++) {
        size_t n = t->ends.data[i] - start;
        start = t->ends.data[i];
        widths[i % t->ncol] = n > widths[i % t->ncol] ? n : widths[i % t->ncol];
    }
    start = 0;
    for (size_t i = 0; i < t->ends.n; i++) {
        uint32_t col = (uint32_t)(i % t->ncol);
        size_t n = t->ends.data[i] - start, pad = widths[col] - n;
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
        cell_str(&t, values[i].name);
        type_text(&t.text, values[i].type);
        cell(&t);
        dims_text(&t.text, values[i].sharding);
        cell(&t);
        cell_str(&t, values[i].local);
        cell_bytes(&t, values[i].bytes);
    }
    table_print(out, &t);
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
    tsr_buf_printf(out, "\n%zu collective%s, ", (size_t)plan->steps.n,
                   plural((int64_t)plan->steps.n));
    tsr_buf_quantity(out, (double)plan->moved, "B");
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
        cell_bytes(&t, s->moved);
        cell_bytes(&t, s->bytes);
        cell_str(&t, s->in_loop ? TSR_STR("each turn") : TSR_STR(""));
        cause_text(&t.text, s);
        cell(&t);
    }
    table_print(out, &t);
    tsr_buf_cstr(out, "\npeak ");
    tsr_buf_quantity(out, (double)plan->peak, "B");
    tsr_buf_cstr(out, ", ");
    tsr_buf_quantity(out, plan->flops, "FLOP");
    tsr_buf_cstr(out, plan->meshes.n ? " on each device\n" : "\n");
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

static void step_json(tsr_buf *out, const tsr_plan_step *s, bool first)
{
    tsr_buf type = {0}, cause = {0};
    type_text(&type, s->type);
    cause_text(&cause, s);
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
    key(out, "cause");
    quoted_buf(out, &cause);
    tsr_buf_char(out, '}');
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
                  {"peak_bytes", plan->peak},
                  {"flops", plan->flops < 0 || plan->flops > 9e18 ? -1 : (int64_t)plan->flops}};
    for (size_t i = 0; i < TSR_COUNT(totals); i++) {
        tsr_buf_cstr(out, "  ");
        number_json(out, totals[i].name, totals[i].bytes);
        tsr_buf_cstr(out, i + 1 < TSR_COUNT(totals) ? ",\n" : "\n}\n");
    }
}
