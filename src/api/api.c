/* SPDX-License-Identifier: Apache-2.0 */
/* api.c - the implementation of the public API, except walking (walk.c) and files (load.c). */
#include "api/api.h"

#include "api/guard.h"
#include "asm/reader.h"
#include "asm/writer.h"
#include "dialect/dialect.h"

int tsr_version(void)
{
    return TSR_VERSION;
}

tsr_ctx *tsr_ctx_new(void)
{
    TSR_GUARD_IF(g, true, NULL, NULL, TSR_READS, NULL, NULL)
    tsr_ctx *ctx = tsr_ctx_new_empty();
    tsr_register_all_dialects(ctx);
    tsr_guard_close(&g);
    return ctx;
}

const tsr_opdef *tsr_all_ops(const tsr_ctx *ctx, size_t *n)
{
    *n = TSR_OP__COUNT;
    return ctx->rows;
}

/* While it is set, diagnostics show lines of this text. */
typedef struct {
    const tsr_name *file;
    tsr_str text;
    uint32_t line;
} source;

static source set_source(tsr_ctx *ctx, source s)
{
    source old = {ctx->source_file, ctx->source, ctx->source_line};
    ctx->source_file = s.file;
    ctx->source = s.text;
    ctx->source_line = s.line;
    return old;
}

static tsr_module *parse(tsr_ctx *ctx, tsr_str text, tsr_str filename)
{
    tsr_module *m = tsr_load_program(ctx, text, filename, 1, false);
    if (!m)
        return NULL;
    source old = set_source(ctx, (source){tsr_name_get(ctx, filename), text, 1});
    bool ok = tsr_verify(m->op);
    set_source(ctx, old);
    if (ok)
        return m;
    tsr_module_free(m);
    return NULL;
}

tsr_module *tsr_module_parse(tsr_ctx *ctx, tsr_str text, tsr_str filename)
{
    TSR_GUARD_CTX(g, ctx, NULL, NULL)
    tsr_module *m = parse(ctx, text, filename);
    tsr_guard_close(&g);
    return m;
}

tsr_module *tsr_module_clone(tsr_module *m)
{
    TSR_GUARD_MODULE(g, m, TSR_INSPECTS, NULL, NULL)
    tsr_module *copy = tsr_guard_copies(&g) ? tsr_module_copy(m) : NULL;
    tsr_guard_close(&g);
    return copy;
}

bool tsr_module_verify(tsr_module *m)
{
    TSR_GUARD_MODULE(g, m, TSR_INSPECTS, NULL, false)
    bool ok = tsr_verify(m->op);
    tsr_guard_close(&g);
    return ok;
}

/* Runs one pass, or the pipeline in text if there is no name. */
static bool run(tsr_module *m, tsr_str text, const char *name, const tsr_pass_arg *args, size_t n,
                bool verify)
{
    tsr_pipelines ps;
    tsr_run_options options = {.verify_each = verify};
    tsr_pipelines_init(&ps, m->ctx, tsr_all_passes());
    tsr_pipeline *pl = name ? tsr_pipeline_new(&ps, TSR_STR("builtin.module"))
                            : tsr_pipeline_parse(&ps, text, false);
    if (name)
        tsr_pipeline_add_pass(&ps, pl, name, args, n);
    bool ok = pl && tsr_pipeline_run(&ps, pl, m->op, &options, NULL);
    tsr_pipelines_free(&ps);
    return ok;
}

bool tsr_run_pass(tsr_module *m, const char *name, const tsr_pass_arg *args, size_t n)
{
    TSR_GUARD_MODULE(g, m, TSR_CHANGES, NULL, false)
    bool ok = run(m, (tsr_str){0}, name, args, n, true);
    tsr_guard_close(&g);
    return ok;
}

bool tsr_try_pass(tsr_module *m, const char *name, const tsr_pass_arg *args, size_t n)
{
    TSR_GUARD_MODULE(g, m, TSR_CHANGES, NULL, false)
    bool ok = run(m, (tsr_str){0}, name, args, n, false);
    tsr_guard_close(&g);
    return ok;
}

bool tsr_module_run(tsr_module *m, tsr_str pipeline)
{
    TSR_GUARD_MODULE(g, m, TSR_CHANGES, NULL, false)
    bool ok = run(m, pipeline, NULL, NULL, 0, true);
    tsr_guard_close(&g);
    return ok;
}

bool tsr_module_simplify(tsr_module *m)
{
    return tsr_run_pass(m, "tessera-simplify", NULL, 0);
}

bool tsr_module_fuse(tsr_module *m)
{
    return tsr_run_pass(m, "tessera-fuse", NULL, 0);
}

/* The text of a buffer, NUL-terminated for callers who need that; the caller frees it. */
static tsr_str give(tsr_buf *b)
{
    tsr_buf_char(b, 0);
    return (tsr_str){b->data, b->len - 1};
}

tsr_str tsr_module_print(tsr_module *m, const tsr_print_options *options)
{
    TSR_GUARD_MODULE(g, m, TSR_INSPECTS, NULL, TSR_NO_TEXT)
    tsr_buf out = {0};
    tsr_print_module(&out, m, options);
    tsr_str text = give(&out);
    tsr_guard_close(&g);
    return text;
}

/* ---- Types and attributes as text ---- */

/* Starts reading a text that contains exactly one type or attribute. */
static void start_reading(tsr_reader *r, tsr_ctx *ctx, tsr_str text)
{
    tsr_reader_init(r, ctx, NULL, text, TSR_STR("<text>"), 1);
}

static bool ends_here(tsr_reader *r)
{
    return tsr_read_is(r, TOK_EOF) || tsr_read_error(r, "found trailing characters");
}

tsr_type *tsr_type_parse(tsr_ctx *ctx, tsr_str text)
{
    TSR_GUARD_CTX(g, ctx, NULL, NULL)
    tsr_reader r;
    start_reading(&r, ctx, text);
    tsr_type *t = tsr_read_type(&r);
    if (t && !ends_here(&r))
        t = NULL;
    tsr_reader_free(&r);
    tsr_guard_close(&g);
    return t;
}

tsr_attr *tsr_attr_parse(tsr_ctx *ctx, tsr_str text)
{
    TSR_GUARD_CTX(g, ctx, NULL, NULL)
    tsr_reader r;
    start_reading(&r, ctx, text);
    tsr_attr *a = tsr_read_attr(&r, NULL);
    if (a && !ends_here(&r))
        a = NULL;
    tsr_reader_free(&r);
    tsr_guard_close(&g);
    return a;
}

tsr_str tsr_type_print(const tsr_type *t)
{
    TSR_GUARD_CTX(g, t ? t->ctx : NULL, NULL, TSR_NO_TEXT)
    tsr_buf out = {0};
    tsr_writer w = {.out = &out, .ctx = t->ctx};
    tsr_write_type(&w, t);
    tsr_str text = give(&out);
    tsr_guard_close(&g);
    return text;
}

/* An attribute does not know its context, but types do; an attribute without any type inside is written without a
 * context. */
static tsr_ctx *ctx_of(const tsr_attr *a)
{
    tsr_ctx *ctx = NULL;
    if (!a)
        return NULL;
    if (a->type)
        return a->type->ctx;
    for (uint32_t i = 0; !ctx && i < a->n; i++) {
        switch (a->kind) {
        case TSR_ATTR_ARRAY:
        case TSR_ATTR_SPARSE:
        case TSR_ATTR_DENSE_STRING:
        case TSR_ATTR_STRUCT:
        case TSR_ATTR_DISTINCT: ctx = ctx_of(a->attrs[i]); break;
        case TSR_ATTR_DICT: ctx = ctx_of(a->named[i].value); break;
        case TSR_ATTR_OPAQUE:
            ctx = a->parts[i].type ? a->parts[i].type->ctx : ctx_of(a->parts[i].attr);
            break;
        default: return NULL;
        }
    }
    return ctx;
}

tsr_str tsr_attr_print(const tsr_attr *a)
{
    TSR_GUARD_IF(g, a != NULL, ctx_of(a), NULL, TSR_READS, NULL, TSR_NO_TEXT)
    tsr_buf out = {0};
    tsr_writer w = {.out = &out, .ctx = ctx_of(a)};
    tsr_write_attr(&w, a);
    tsr_str text = give(&out);
    tsr_guard_close(&g);
    return text;
}
