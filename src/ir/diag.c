/* SPDX-License-Identifier: Apache-2.0 */
/* diag.c - messages with locations, delivered to the context's handler. */
#include "ir/ir.h"

#include <stdio.h>

#include "base/scope.h"

/* A line of the text being parsed, by number; empty if not available. */
static tsr_str source_line(const tsr_ctx *ctx, tsr_str file, uint32_t line)
{
    uint32_t at = ctx->source_line ? ctx->source_line : 1;
    if (!ctx->source_file || !tsr_str_eq(ctx->source_file->str, file) || line < at)
        return (tsr_str){"", 0};
    const char *p = ctx->source.data, *end = TSR_FROM(p, ctx->source.len);
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

/* tsr_ctx_last_error returns the first error of a call. */
static void remember(tsr_ctx *ctx, tsr_code code, const tsr_diag *d)
{
    if (ctx->has_error)
        return;
    ctx->has_error = true;
    ctx->last_error.code = code;
    int n = 0;
    if (d->file.len)
        n = snprintf(ctx->last_error.message, sizeof ctx->last_error.message,
                     "%.*s:%u:%u: ", TSR_STR_ARG(d->file), d->line, d->col);
    if (n >= 0 && (size_t)n < sizeof ctx->last_error.message)
        snprintf(ctx->last_error.message + n, sizeof ctx->last_error.message - (size_t)n, "%.*s",
                 TSR_STR_ARG(d->message));
}

/* Calls the user's handler, which may call the library again. */
static void hand_over(tsr_ctx *ctx, const tsr_diag *d)
{
    if (!ctx->on_diag)
        return;
    tsr_scope *s = tsr_scope_suspend();
    ctx->on_diag(ctx->diag_user, d);
    tsr_scope_resume(s);
}

static tsr_diag diag_at(tsr_ctx *ctx, tsr_severity severity, tsr_loc loc, tsr_str message)
{
    tsr_diag d = {.severity = severity,
                  .file = {"", 0},
                  .message = message,
                  .source = {"", 0},
                  .location = {"", 0}};
    if (tsr_loc_position(ctx, loc, &d.file, &d.line, &d.col))
        d.source = source_line(ctx, d.file, d.line);
    return d;
}

static void deliver(tsr_ctx *ctx, tsr_severity severity, tsr_loc loc, tsr_str message)
{
    if (severity == TSR_ERROR)
        ctx->nerror++;
    if (ctx->quiet)
        return;
    tsr_diag d = diag_at(ctx, severity, loc, message);
    tsr_buf where = {0};
    if (loc && !(loc & 1) && ctx->print_loc) {
        const tsr_attr *a = (const tsr_attr *)(uintptr_t)loc;
        if (a->sub != TSR_LOC_KIND_FILE || a->n != 2) {
            ctx->print_loc(ctx, &where, loc);
            d.location = tsr_buf_text(&where);
        }
    }
    if (severity == TSR_ERROR)
        remember(ctx, TSR_BAD_INPUT, &d);
    hand_over(ctx, &d);
    tsr_buf_free(&where);
}

void tsr_emit_stop(tsr_ctx *ctx, tsr_loc loc, const tsr_status *why)
{
    ctx->nerror++;
    tsr_diag d = diag_at(ctx, TSR_ERROR, loc, (tsr_str){why->message, strlen(why->message)});
    ctx->has_error = false; /* earlier errors of the call no longer matter */
    remember(ctx, why->code, &d);
    hand_over(ctx, &d);
}

void tsr_keep_error(tsr_ctx *ctx, const tsr_status *status)
{
    if (ctx->has_error)
        return;
    ctx->has_error = true;
    ctx->last_error = *status;
}

const tsr_status *tsr_ctx_last_error(const tsr_ctx *ctx)
{
    static const tsr_status none = {TSR_ENVIRONMENT, "there is no context"};
    return ctx ? &ctx->last_error : &none;
}

/* Nobody will see it. */
static bool silent(const tsr_ctx *ctx)
{
    return ctx->quiet || (!ctx->on_diag && ctx->has_error);
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

bool tsr_verror_in(tsr_ctx *ctx, const tsr_name *name, tsr_str text, size_t at, const char *fmt,
                   va_list args)
{
    const tsr_name *old_file = ctx->source_file;
    tsr_str old_source = ctx->source;
    uint32_t old_line = ctx->source_line;
    ctx->source_file = name;
    ctx->source = text;
    ctx->source_line = 1;
    tsr_vemit(ctx, TSR_ERROR, tsr_loc_file(ctx, name, 1, (uint32_t)at + 1), fmt, args);
    ctx->source_file = old_file;
    ctx->source = old_source;
    ctx->source_line = old_line;
    return false;
}

bool tsr_error_in(tsr_ctx *ctx, const char *name, tsr_str text, size_t at, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    tsr_verror_in(ctx, tsr_name_get(ctx, tsr_cstr(name)), text, at, fmt, args);
    va_end(args);
    return false;
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
