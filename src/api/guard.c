/* SPDX-License-Identifier: Apache-2.0 */
/* guard.c - see guard.h. */
#include "api/guard.h"

#include "base/status.h"
#include "build/build.h"

/* Called before the frames are left, so that the diagnostic can show its source line. */
static void tell(tsr_scope *s)
{
    tsr_guard *g = s->user;
    if (g->ctx)
        tsr_emit_stop(g->ctx, s->limits->place, &s->limits->why);
}

static bool refuse(tsr_guard *g, const char *message)
{
    tsr_status_set(g->status, TSR_BAD_INPUT, "%s", message);
    return g->ctx && tsr_error(g->ctx, TSR_LOC_UNKNOWN, "%s", message);
}

bool tsr_guard_open(tsr_guard *g, bool has, tsr_ctx *ctx, tsr_module *m, tsr_guard_mode mode,
                    tsr_status *status)
{
    g->ctx = ctx;
    g->module = m;
    g->mode = mode;
    g->own.code = TSR_OK;
    g->own.message[0] = 0;
    g->status = status ? status : &g->own;
    bool outermost = !tsr_scope_now();
    if (ctx && outermost)
        ctx->has_error = false;
    if (!has) /* an earlier failure is kept: it is why there is no handle */
        return refuse(g, "a handle that is NULL was given");
    if (outermost)
        g->status->code = TSR_OK, g->status->message[0] = 0;
    if (m && m->broken)
        return refuse(g, "the module was left half changed when an earlier call was stopped: it "
                         "can only be freed");
    if (m && mode == TSR_EDITS)
        m->verified = false;
    tsr_scope_open(&g->scope, ctx ? &ctx->budget : NULL, ctx ? &ctx->cancelled : NULL);
    if (outermost) {
        g->scope.on_stop = tell;
        g->scope.user = g;
    }
    if (ctx) {
        g->quiet = ctx->quiet;
        g->source_file = ctx->source_file;
        g->source = ctx->source;
        g->source_line = ctx->source_line;
    }
    return true;
}

void tsr_guard_close(tsr_guard *g)
{
    if (g->ctx && !g->scope.outer && g->status->code != TSR_OK)
        tsr_keep_error(g->ctx, g->status);
    tsr_scope_close(&g->scope);
}

void tsr_guard_stopped(tsr_guard *g)
{
    tsr_ctx *ctx = g->ctx;
    if (ctx) {
        ctx->symcache = NULL;
        ctx->quiet = g->quiet;
        ctx->source_file = g->source_file;
        ctx->source = g->source;
        ctx->source_line = g->source_line;
        tsr_ctx_keep(ctx);
    }
    if (g->module) {
        tsr_module_keep(g->module);
        g->module->broken = g->mode == TSR_CHANGES || g->mode == TSR_EDITS;
    }
    tsr_status_set(g->status, g->scope.own.why.code, "%s", g->scope.own.why.message);
    tsr_scope_sweep(&g->scope);
}

bool tsr_guard_verify(tsr_guard *g)
{
    tsr_guard_mode mode = g->mode;
    g->mode = TSR_INSPECTS; /* a stop finds the module unchanged */
    bool ok = tsr_verify(g->module->op);
    g->mode = mode;
    if (!ok)
        tsr_guard_finish(g, false);
    return ok;
}

bool tsr_guard_copies(tsr_guard *g)
{
    if (g->module->verified)
        return true;
    TSR_OPS (g->module->op, op)
        for (uint32_t i = 0; i < op->nin; i++) {
            const tsr_value *v = op->in[i].value;
            const tsr_op *at = v->is_arg ? tsr_block_parent(v->block) : v->op;
            if (!at || !tsr_op_is_attached(at))
                return tsr_op_error(op, "operand #%u is not a value inside the module", i);
        }
    return true;
}

void tsr_guard_finish(tsr_guard *g, bool ok)
{
    if (!ok && g->status->code == TSR_OK && g->ctx && g->ctx->has_error)
        *g->status = g->ctx->last_error;
    tsr_guard_close(g);
}

tsr_str tsr_guard_finish_text(tsr_guard *g, bool ok, tsr_buf *text)
{
    if (ok)
        tsr_buf_char(text, 0);
    else
        tsr_buf_free(text);
    tsr_guard_finish(g, ok);
    return ok ? (tsr_str){text->data, text->len - 1} : TSR_NO_TEXT;
}
