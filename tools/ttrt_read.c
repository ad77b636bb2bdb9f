/* SPDX-License-Identifier: Apache-2.0 */
/* ttrt_read.c - `ttrt read`, `ttrt check` and `ttrt query`: sections of a file, systems. */
#include <stdlib.h>

#include "lower/ttnn/device.h"
#include "ttrt.h"

/* ---- read ---- */

/* How often each case of a union occurs in the tables of a list. */
static void count_cases(const tsr_fb_table *owner, const char *field, size_t *counts)
{
    const tsr_fb_value *list = tsr_fb_get(owner, field);
    for (size_t i = 0; list->set && i < list->n; i++)
        counts[tsr_fb_get(list->items[i].table, "type")->tag]++;
}

/* For TTMetal: commands of all queues. */
static void count_commands(const tsr_fb_table *program, size_t *counts)
{
    const tsr_fb_value *devices = tsr_fb_get(program, "device_programs");
    for (size_t i = 0; devices->set && i < devices->n; i++) {
        const tsr_fb_value *queues = tsr_fb_get(devices->items[i].table, "command_queues");
        for (size_t k = 0; queues->set && k < queues->n; k++)
            count_cases(queues->items[k].table, "commands", counts);
    }
}

static void count_ops(const tsr_fb_table *root, tsr_buf *out)
{
    size_t counts[256] = {0};
    const tsr_fb_value *programs = tsr_fb_get(root, "programs");
    bool any = false, metal = root->type == &tsr_fb_TTMetalBinary;
    const tsr_fb_type *cases = metal ? &tsr_fb_CommandType : &tsr_fb_OpType;
    for (size_t i = 0; programs->set && i < programs->n; i++)
        if (metal)
            count_commands(programs->items[i].table, counts);
        else
            count_cases(programs->items[i].table, "operations", counts);
    tsr_buf_char(out, '{');
    for (size_t i = 1; i < TSR_COUNT(counts); i++)
        if (counts[i]) {
            tsr_buf_printf(out, "%s\n  \"%s\": %zu", any ? "," : "", cases->fields[i - 1].name,
                           counts[i]);
            any = true;
        }
    tsr_buf_cstr(out, "\n}\n");
}

/* A field of each program. */
static void of_programs(const tsr_fb_table *root, const char *name, tsr_buf *out)
{
    const tsr_fb_value *programs = tsr_fb_get(root, "programs");
    tsr_buf_char(out, '[');
    for (size_t i = 0; programs->set && i < programs->n; i++) {
        const tsr_fb_table *p = programs->items[i].table;
        const tsr_fb_value *v = tsr_fb_get(p, name);
        tsr_buf_printf(out, "%s\n  {\n    \"program\": ", i ? "," : "");
        tsr_buf_json(out, tsr_fb_text(p, "name"));
        tsr_buf_printf(out, ",\n    \"%s\": ", name);
        if (v->set)
            tsr_fb_json_value(out, &p->type->fields[v - p->fields], v, 4);
        else
            tsr_buf_cstr(out, "[]");
        tsr_buf_cstr(out, "\n  }");
    }
    tsr_buf_cstr(out, "\n]\n");
}

static bool show_field(const tsr_fb_table *root, const char *name, tsr_buf *out)
{
    int i = tsr_fb_find(root->type, tsr_cstr(name));
    if (i < 0)
        return false;
    if (root->fields[i].set)
        tsr_fb_json_value(out, &root->type->fields[i], &root->fields[i], 0);
    else
        tsr_buf_cstr(out, "null");
    tsr_buf_char(out, '\n');
    return true;
}

static int show_version(const tsr_fb_table *root, tsr_buf *out)
{
    tsr_buf_cstr(out, "{\n  \"version\": ");
    tsr_fb_json_value(out, &root->type->fields[0], &root->fields[0], 2);
    tsr_buf_cstr(out, ",\n  \"ttmlir_git_hash\": ");
    tsr_buf_json(out, tsr_fb_text(root, "ttmlir_git_hash"));
    tsr_buf_cstr(out, ",\n  \"schema_hash\": ");
    tsr_buf_json(out, tsr_fb_text(root, "schema_hash"));
    tsr_buf_cstr(out, "\n}\n");
    return EXIT_OK;
}

/* Explains what a reader of a .ttm might not expect. */
static void tell_host(const ttrt *r, const binary *b)
{
    size_t counts[256] = {0};
    const tsr_fb_value *programs = tsr_fb_get(b->root, "programs");
    int kernels = 1 + tsr_fb_find(&tsr_fb_CommandType, TSR_STR("EnqueueProgramCommand"));
    for (size_t i = 0; programs->set && i < programs->n; i++)
        count_commands(programs->items[i].table, counts);
    fprintf(stderr, "%s: '%s' has %s\n", r->t->name, b->path,
            counts[kernels] ? "kernels of a device, which are not run here"
                            : "commands for the host alone: no kernel runs on a device");
}

int ttrt_read(ttrt *r, binary *b)
{
    const char *s = r->section;
    bool programs = tsr_fb_has_programs(b->kind), known = true;
    bool metal = b->kind == &tsr_fb_files[TSR_FB_TTM];
    tsr_buf out = {0};
    if (strcmp(s, "all") == 0) {
        tsr_fb_json(&out, b->root, 0);
        tsr_buf_char(&out, '\n');
    } else if (strcmp(s, "version") == 0 && b->root->fields[0].set)
        show_version(b->root, &out);
    else if (programs && strcmp(s, "op_stats") == 0)
        count_ops(b->root, &out);
    else if (programs && (strcmp(s, "inputs") == 0 || strcmp(s, "outputs") == 0 ||
                          strcmp(s, "debug_info") == 0 || (!metal && strcmp(s, "dylibs") == 0)))
        of_programs(b->root, s, &out);
    else if (strcmp(s, "system_desc") == 0 || strcmp(s, "mlir") == 0 ||
             (metal && strcmp(s, "dylibs") == 0))
        known = show_field(b->root, s, &out);
    else
        known = false;
    if (known && metal)
        tell_host(r, b);
    if (!known)
        fprintf(stderr, "%s: error: '%s' has no section '%s'\n", r->t->name, b->path, s);
    if (known) {
        say(r, tsr_buf_text(&out));
        tsr_buf_printf(&r->sections, "%s%.*s", r->sections.len ? ",\n" : "", (int)out.len,
                       out.data);
    }
    int code = !known ? EXIT_REJECTED : r->save ? save_binary(r, b) : EXIT_OK;
    tsr_buf_free(&out);
    return code;
}

/* ---- check ---- */

/* Whether the binary is for the system described in a file. */
static int check_system(ttrt *r, const binary *b, tsr_buf *why)
{
    binary other = {0};
    int code = binary_open(r, r->system, &other);
    if (!code) {
        tsr_buf want = {0}, has = {0};
        show_field(other.root, "system_desc", &want);
        show_field(b->root, "system_desc", &has);
        if (!tsr_str_eq(tsr_buf_text(&want), tsr_buf_text(&has))) {
            tsr_buf_printf(why, "'%s' is for another system than '%s'", b->path, r->system);
            fprintf(stderr, "%s: error: %.*s\n", r->t->name, (int)why->len, why->data);
            code = EXIT_REJECTED;
        }
        tsr_buf_free(&want);
        tsr_buf_free(&has);
    } else {
        tsr_buf_printf(why, "'%s' cannot be read", r->system);
    }
    binary_close(&other);
    return code;
}

int ttrt_check(ttrt *r, binary *b)
{
    bool programs = tsr_fb_has_programs(b->kind);
    tsr_module *m = programs ? tsr_fb_module_of(b->ctx, b->root, b->src.file) : NULL;
    int code = !programs || (m && tsr_verify(m->op)) ? EXIT_OK : EXIT_REJECTED;
    tsr_buf why = {0}, more = {0};
    if (m)
        tsr_module_free(m);
    if (code)
        tsr_buf_cstr(&why, "the binary is no program");
    else if (r->system)
        code = check_system(r, b, &why);
    if (!code && r->save)
        code = save_binary(r, b);
    tsr_buf_cstr(&more, ",\n    \"system_desc\": ");
    tsr_buf_json(&more, tsr_cstr(r->system ? r->system : "that of the binary"));
    tsr_buf_char(&more, 0);
    tsr_buf_char(&why, 0);
    add_result(r, b->path, code ? "error" : "pass", why.data, more.data);
    tsr_buf_free(&why);
    tsr_buf_free(&more);
    return code;
}

/* ---- query ---- */

/* In the form of `ttrt read`. */
static int show_system(ttrt *r, tsr_ctx *ctx, tsr_str data)
{
    tsr_arena arena;
    tsr_buf text = {0};
    tsr_arena_init(&arena);
    tsr_fb_table *root = tsr_fb_load_file(ctx, &arena, TSR_LOC_UNKNOWN, &tsr_fb_files[TSR_FB_TTSY],
                                          data, TSR_STR("system description"));
    if (root)
        show_field(root, "system_desc", &text);
    say(r, tsr_buf_text(&text));
    tsr_buf_free(&text);
    tsr_arena_free(&arena);
    return root ? EXIT_OK : EXIT_REJECTED;
}

int ttrt_query(ttrt *r)
{
    char *end = NULL;
    long n = strtol(r->chips, &end, 10);
    tsr_ctx *ctx = new_ctx();
    tsr_attr *system = n > 0 && n <= 4096 && !*end
                           ? tsr_ttcore_describe(ctx, tsr_cstr(r->arch), (int64_t)n)
                           : NULL;
    tsr_buf out = {0}, path = {0};
    int code = EXIT_REJECTED;
    if (!system)
        fprintf(stderr, "%s: error: no system of %s chips of '%s' is described\n", r->t->name,
                r->chips, r->arch);
    else if (tsr_fb_write_system(ctx, &out, system)) {
        code = r->system ? EXIT_OK : make_folders(r, r->artifacts);
        tsr_buf_printf(&path, r->system ? "%s" : "%s/system_desc.ttsys",
                       r->system ? r->system : r->artifacts);
        tsr_buf_char(&path, 0);
        if (!code)
            code = write_output(r->t, path.data, tsr_buf_text(&out));
        if (!code && !r->quiet)
            code = show_system(r, ctx, tsr_buf_text(&out));
    }
    add_result(r, system ? path.data : r->arch, code ? "error" : "pass",
               system ? "" : "no such system is described", "");
    tsr_buf_free(&out);
    tsr_buf_free(&path);
    free_ctx(ctx);
    return code;
}
