/* SPDX-License-Identifier: Apache-2.0 */
/* auto_stage.c - the modules that plans are tried on, and helpers that try plans concurrently: each has the program in
 * a context of its own. The result does not depend on the number of helpers. */
#include "api/auto_try.h"

#include <stdatomic.h>

#include "api/eval.h"
#include "base/scope.h"
#include "base/threads.h"
#include "dialect/dialect.h"
#include "shard/core/given.h"
#include "text/bytecode/bytecode.h"

enum {
    FEW_LAYERS = 3, /* and one more: numbers of layers that plans are tried with if layers repeat */
    MOST_HELPERS = 7,
    WORTH_HELPERS = 8 /* minimum number of ops for helpers */
};

typedef struct {
    tsr_ctx *ctx; /* NULL: it has not started */
    tsr_arena arena;
    tsr_status status;
    tsr_chooser c;
    bool useless; /* it cannot read the program */
} helper;

struct tsr_auto_crew {
    tsr_buf program; /* bytecode */
    tsr_cleanup cleanup;
    helper helpers[MOST_HELPERS];
};

/* ---- Stages ---- */

/* The shardings that the user gives to arguments, by argument. */
static void find_given(tsr_chooser *c)
{
    uint32_t n = c->whole.func->regions[0].first->nargs;
    c->given = TSR_NEW_ARRAY(c->arena, tsr_attr *, n + 1);
    for (uint32_t i = 0; i < n; i++)
        c->given[i] = tsr_sdy_arg_sharding(c->whole.func, i);
}

static void close_small(tsr_chooser *c)
{
    for (uint32_t i = 0; i < TSR_AUTO_SMALL; i++)
        if (c->small[i].module)
            tsr_module_free(c->small[i].module);
    memset(c->small, 0, sizeof c->small);
    c->nsmall = 0;
}

static void close_stages(tsr_chooser *c)
{
    close_small(c);
    tsr_module_free(c->copy);
    c->copy = NULL;
    c->whole = (tsr_auto_stage){0};
    if (c->moves.mesh)
        tsr_moves_free(&c->moves);
    c->moves = (tsr_moves){0};
}

bool tsr_auto_open_on(tsr_chooser *c, tsr_module *m, uint32_t at)
{
    tsr_buf text = {0};
    close_stages(c);
    if (c->at != at)
        tsr_map_free(&c->spelt);
    c->at = at;
    c->mesh = &c->out->meshes.data[at];
    c->folds = false;
    c->whole = (tsr_auto_stage){.module = m};
    tsr_search_mesh_text(&text, c->mesh, ",");
    tsr_shard_request give = c->request->shard;
    give.mesh = c->own ? (tsr_str){0} : tsr_buf_text(&text);
    bool ok = tsr_shard_give(m, &give, c->status);
    tsr_buf_free(&text);
    tsr_module_renumber(m);
    c->whole.func = ok ? (tsr_op *)tsr_entry_find(m, c->request->shard.function, c->status) : NULL;
    if (!c->whole.func)
        return false;
    find_given(c);
    c->whole.tie = tsr_tied_results(c->arena, c->whole.func);
    return true;
}

/* The function with fewer layers; false: it cannot be made, or arguments that represent each other are given different
 * shardings. */
static bool open_small(tsr_chooser *c, const tsr_fold *fold, uint32_t keep, tsr_auto_stage *out)
{
    *out = (tsr_auto_stage){.module = tsr_module_copy_borrowed(c->whole.module), .layers = keep};
    tsr_module_renumber(out->module);
    out->func = (tsr_op *)tsr_entry_find(out->module, c->request->shard.function, NULL);
    bool ok = out->func && tsr_fold_apply(c->arena, fold, out->func, keep, &out->folded);
    for (uint32_t i = 0; ok && i < c->whole.func->regions[0].first->nargs; i++)
        ok = c->given[i] == c->given[out->folded.arg_from[out->folded.arg_to[i]]];
    if (ok)
        out->tie = tsr_tied_results(c->arena, out->func);
    return ok;
}

/* If enough layers repeat, plans are tried with few of them. */
static void fold_layers(tsr_chooser *c)
{
    const tsr_fold *fold = c->fixed ? NULL : tsr_fold_of(c->arena, c->whole.func, FEW_LAYERS + 3);
    c->folds = true;
    if (!fold)
        return;
    c->nlayer = tsr_fold_layers(fold);
    bool ok = true;
    for (uint32_t i = 0; i < TSR_AUTO_SMALL && ok; i++)
        ok = open_small(c, fold, FEW_LAYERS + i, &c->small[i]);
    if (ok)
        c->nsmall = TSR_AUTO_SMALL;
    else
        close_small(c);
}

bool tsr_auto_open(tsr_chooser *c, uint32_t at, bool fold)
{
    c->mesh = &c->out->meshes.data[at];
    if (!c->whole.func || c->at != at) {
        tsr_module *copy = tsr_module_copy_borrowed(c->base);
        bool ok = tsr_auto_open_on(c, copy, at);
        c->copy = copy;
        TSR_TRY(ok);
    }
    if (fold && !c->folds)
        fold_layers(c);
    return true;
}

static int64_t count_ops(const tsr_op *func)
{
    int64_t n = 0;
    TSR_OPS ((tsr_op *)func, op)
        n += op->nout > 0;
    return n;
}

int64_t tsr_auto_ops_of_a_try(const tsr_chooser *c)
{
    int64_t n = c->nsmall ? 0 : count_ops(c->whole.func);
    for (uint32_t i = 0; i < c->nsmall; i++)
        n += count_ops(c->small[i].func);
    return n;
}

/* ---- Helpers ---- */

static void begin_helper(const tsr_chooser *c, helper *h)
{
    h->ctx = tsr_ctx_new_empty();
    tsr_register_all_dialects(h->ctx);
    h->ctx->quiet = true;
    h->ctx->allow_unregistered = c->base->ctx->allow_unregistered;
    tsr_arena_init(&h->arena);
    h->c = (tsr_chooser){.request = c->request,
                         .out = c->out,
                         .arena = &h->arena,
                         .own = c->own,
                         .fixed = c->fixed,
                         .until = c->until,
                         .status = &h->status};
    h->c.base = tsr_bytecode_read(h->ctx, tsr_buf_text(&c->crew->program), (tsr_str){0}, true);
    h->useless = !h->c.base;
}

static void end_helper(helper *h)
{
    if (!h->ctx)
        return;
    close_stages(&h->c);
    tsr_map_free(&h->c.spelt);
    tsr_module_free(h->c.base);
    tsr_arena_free(&h->arena);
    tsr_ctx_free(h->ctx);
}

/* When the call is stopped: memory pooled by contexts is in no list of the call. */
static void drop_pools(void *user)
{
    tsr_auto_crew *crew = user;
    for (size_t i = 0; i < TSR_COUNT(crew->helpers); i++)
        if (crew->helpers[i].ctx)
            tsr_pool_free(&crew->helpers[i].ctx->pool);
}

void tsr_auto_begin(tsr_chooser *c, tsr_module *m)
{
    tsr_ctx *ctx = m->ctx;
    c->base = m;
    if (tsr_pool_size() == 1 || count_ops(m->op) < WORTH_HELPERS)
        return;
    bool quiet = ctx->quiet, has_error = ctx->has_error;
    uint32_t nerror = ctx->nerror;
    c->crew = TSR_NEW(c->arena, tsr_auto_crew);
    ctx->quiet = true; /* a program that cannot be written has no helpers */
    if (!tsr_bytecode_write(&c->crew->program, m->op,
                            &(tsr_bytecode_options){.version = TSR_BC_VERSION})) {
        tsr_buf_free(&c->crew->program);
        c->crew = NULL;
    }
    ctx->quiet = quiet;
    ctx->has_error = has_error;
    ctx->nerror = nerror;
    if (c->crew)
        tsr_cleanup_push(&c->crew->cleanup, drop_pools, c->crew);
}

void tsr_auto_end(tsr_chooser *c)
{
    close_stages(c);
    tsr_map_free(&c->spelt);
    if (!c->crew)
        return;
    tsr_cleanup_pop(&c->crew->cleanup);
    for (size_t i = 0; i < TSR_COUNT(c->crew->helpers); i++)
        end_helper(&c->crew->helpers[i]);
    tsr_buf_free(&c->crew->program);
}

typedef struct {
    tsr_chooser *c;
    int64_t n;
    tsr_auto_body *body;
    void *user;
    bool *done; /* by number; false: the helper could not do it */
    atomic_int_least64_t next;
} work;

static void work_on(work *w, helper *h)
{
    if (h && !h->ctx && atomic_load(&w->next) < w->n)
        begin_helper(w->c, h);
    if (h && (!h->ctx || h->useless))
        return;
    for (int64_t i; (i = atomic_fetch_add(&w->next, 1)) < w->n;) {
        w->done[i] = w->body(h ? &h->c : w->c, i, w->user);
        if (!h)
            tsr_auto_tell(w->c);
        if (h && !w->done[i]) {
            h->useless = true;
            return;
        }
    }
}

/* Lane 0 is the chooser's own, the others are its helpers'. */
static void run_lane(void *user, int64_t lane, int worker)
{
    work *w = user;
    (void)worker;
    tsr_scope_elsewhere(lane > 0); /* locations of a helper are of its context */
    work_on(w, lane ? &w->c->crew->helpers[lane - 1] : NULL);
    tsr_scope_elsewhere(false);
}

void tsr_auto_each(tsr_chooser *c, int64_t n, tsr_auto_body *body, void *user)
{
    work w = {.c = c, .n = n, .body = body, .user = user};
    w.done = TSR_NEW_ARRAY(c->arena, bool, n + 1);
    int64_t lanes = c->crew ? tsr_pool_size() : 1;
    lanes = lanes > 1 + MOST_HELPERS ? 1 + MOST_HELPERS : lanes;
    tsr_pool_for(lanes < n ? lanes : n, run_lane, &w);
    for (int64_t i = 0; i < n; i++) /* what the helpers could not do */
        if (!w.done[i])
            body(c, i, user);
}
