/* diag.c - a message with its place, delivered to the context's handler. */
#include "ir/ir.h"

/* Line number line of the text being parsed; empty when it is not there. */
static tsr_str source_line(const tsr_ctx *ctx, tsr_str file, uint32_t line)
{
    uint32_t at = ctx->source_line ? ctx->source_line : 1;
    if (!ctx->source_file || !tsr_str_eq(ctx->source_file->str, file) || line < at)
        return (tsr_str){"", 0};
    const char *p = ctx->source.data, *end = p + ctx->source.len;
    for (; at < line && p < end; at++) {
        const char *nl = memchr(p, '\n', (size_t)(end - p));
        p = nl ? nl + 1 : end;
    }
    if (p >= end)
        return (tsr_str){"", 0};
    const char *nl = memchr(p, '\n', (size_t)(end - p));
    size_t len = (size_t)((nl ? nl : end) - p);
    if (len && p[len - 1] == '\r')
        len--;
    return tsr_str_of(p, len);
}

static void deliver(tsr_ctx *ctx, tsr_severity severity, tsr_loc loc, tsr_str message)
{
    if (severity == TSR_ERROR)
        ctx->nerror++;
    if (ctx->quiet || !ctx->on_diag)
        return;
    tsr_diag d = {.severity = severity,
                  .file = {"", 0},
                  .message = message,
                  .source = {"", 0},
                  .location = {"", 0}};
    tsr_buf where = {0};
    if (tsr_loc_position(ctx, loc, &d.file, &d.line, &d.col))
        d.source = source_line(ctx, d.file, d.line);
    if (loc && !(loc & 1) && ctx->print_loc) {
        const tsr_attr *a = (const tsr_attr *)(uintptr_t)loc;
        if (a->sub != TSR_LOC_KIND_FILE || a->n != 2) {
            ctx->print_loc(ctx, &where, loc);
            d.location = tsr_buf_text(&where);
        }
    }
    ctx->on_diag(ctx->diag_user, &d);
    tsr_buf_free(&where);
}

static bool silent(const tsr_ctx *ctx)
{
    return ctx->quiet || !ctx->on_diag;
}

void tsr_vemit(tsr_ctx *ctx, tsr_severity severity, tsr_loc loc, const char *fmt, va_list args)
{
    tsr_buf text = {0};
    if (!silent(ctx))
        tsr_buf_vprintf(&text, fmt, args);
    deliver(ctx, severity, loc, tsr_buf_text(&text));
    tsr_buf_free(&text);
}

void tsr_emit(tsr_ctx *ctx, tsr_severity severity, tsr_loc loc, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    tsr_vemit(ctx, severity, loc, fmt, args);
    va_end(args);
}

bool tsr_error(tsr_ctx *ctx, tsr_loc loc, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    tsr_vemit(ctx, TSR_ERROR, loc, fmt, args);
    va_end(args);
    return false;
}

void tsr_note(tsr_ctx *ctx, tsr_loc loc, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    tsr_vemit(ctx, TSR_NOTE, loc, fmt, args);
    va_end(args);
}

bool tsr_op_error(const tsr_op *op, const char *fmt, ...)
{
    tsr_ctx *ctx = op->module->ctx;
    tsr_buf text = {0};
    if (!silent(ctx)) {
        va_list args;
        va_start(args, fmt);
        tsr_buf_char(&text, '\'');
        tsr_buf_str(&text, op->def->name);
        tsr_buf_cstr(&text, "' op ");
        tsr_buf_vprintf(&text, fmt, args);
        va_end(args);
    }
    deliver(ctx, TSR_ERROR, op->loc, tsr_buf_text(&text));
    if (ctx->shows_ops && !silent(ctx) && ctx->print_op) {
        text.len = 0;
        tsr_buf_cstr(&text, "see current operation: ");
        ctx->print_op(&text, op);
        deliver(ctx, TSR_NOTE, op->loc, tsr_buf_text(&text));
    }
    tsr_buf_free(&text);
    return false;
}
