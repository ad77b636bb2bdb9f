/* SPDX-License-Identifier: Apache-2.0 */
/* what_if.c - see what_if.h. Each question is a separate call, with its own memory and limits: one that cannot be
 * answered leaves nothing behind. */
#include "what_if.h"

#include <errno.h>

#include "base/scope.h"
#include "explore/http.h"

/* Of a question, without --max-seconds: a plan that takes longer is not worth waiting for. */
static const double seconds_most = 30;

int read_port(const tool *t, const char *text, unsigned *port)
{
    *port = 0;
    bool ok = *text && strlen(text) < 6;
    for (const char *p = text; ok && *p; p++) {
        ok = *p >= '0' && *p <= '9';
        *port = *port * 10 + (unsigned)(*p - '0');
    }
    if (ok && *port < 65536)
        return 0;
    fprintf(stderr, "%s: for the --serve option: '%s' value invalid: a port is wanted\n", t->name,
            text);
    return usage_exit(t);
}

static void silent(void *user, const tsr_diag *d)
{
    (void)user;
    (void)d;
}

/* Outside of the tool's own scope. The caller owns the text. */
static tsr_str ask(what_if *w, tsr_str question, tsr_status *status)
{
    tsr_ctx *ctx = w->base->ctx;
    tsr_scope *scope = tsr_scope_suspend();
    tsr_checkpoint *mark = tsr_ctx_checkpoint(ctx);
    tsr_diag_fn *on_diag = ctx->on_diag;
    void *user = ctx->diag_user;
    tsr_ctx_on_diag(ctx, silent, NULL); /* they go to the client */
    tsr_str text = tsr_view_answer(w->base, w->request, w->shape, question, status);
    tsr_ctx_on_diag(ctx, on_diag, user);
    tsr_ctx_rewind(ctx, mark);
    tsr_scope_resume(scope);
    return text;
}

static void answer_question(what_if *w, const tsr_http_request *request, tsr_buf *out)
{
    tsr_status status = {0};
    tsr_str text = ask(w, request->body, &status);
    if (text.data) {
        tsr_http_answer(out, 200, "application/json", text);
        tsr_free((void *)(uintptr_t)text.data);
        return;
    }
    tsr_buf raw = {0}, json = {0};
    tsr_buf_cstr(&raw, "{\"error\":");
    tsr_buf_json(&raw, tsr_cstr(status.message));
    tsr_buf_char(&raw, '}');
    tsr_text_visible(&json, tsr_buf_text(&raw), TSR_VISIBLE_JSON);
    tsr_http_answer(out, 422, "application/json", tsr_buf_text(&json));
    tsr_buf_free(&raw);
    tsr_buf_free(&json);
}

static void answer(void *user, const tsr_http_request *request, tsr_buf *out)
{
    what_if *w = user;
    bool get = tsr_str_is(request->method, "GET");
    if (get && tsr_str_is(request->path, "/"))
        tsr_http_answer(out, 200, "text/html; charset=utf-8", w->html);
    else if (!get && tsr_str_is(request->path, "/plan"))
        answer_question(w, request, out);
    else
        tsr_http_answer(out, 404, NULL, (tsr_str){0});
}

/* Ctrl-C ends the server normally; a limit, except of seconds, ends it as in any command. */
static bool stopped(void *user)
{
    (void)user;
    if (was_interrupted())
        return true;
    tsr_poll();
    return false;
}

int serve_page(what_if *w)
{
    tsr_server server = {.port = w->port, .answer = answer, .user = w, .stopped = stopped};
    working_end(); /* it waits for questions */
    tsr_budget own = tsr_scope_now()->limits->budget, budget = own;
    if (!(budget.max_seconds > 0))
        budget.max_seconds = seconds_most;
    own.max_seconds = 0; /* they are the questions' */
    if (!tsr_server_open(&server)) {
        fprintf(stderr, "%s: error: cannot listen on port %u: %s\n", w->t->name, w->port,
                strerror(errno));
        return EXIT_ENVIRONMENT;
    }
    tsr_ctx_set_budget(w->base->ctx, &budget);
    tsr_scope_set_budget(&own);
    printf("http://127.0.0.1:%u/ shows it until Ctrl-C\n", server.port);
    fflush(stdout);
    if (tsr_server_run(&server))
        return EXIT_OK;
    fprintf(stderr, "%s: error: cannot serve: %s\n", w->t->name, strerror(errno));
    return EXIT_ENVIRONMENT;
}
