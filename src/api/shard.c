/* SPDX-License-Identifier: Apache-2.0 */
/* shard.c - see shard.h, and the public calls of sharding. */
#include "api/shard.h"

#include "api/guard.h"

#include "api/eval.h"
#include "shard/spmd/advice.h"
#include "shard/core/given.h"
#include "sim/sim.h"
#include "text/text.h"

/* The shardings that a function's arguments and results have or get: they are written together, once. */
typedef struct {
    tsr_attr **args, **results;
} signature;

/* Adds to the reason what it is about: the user's name of the value. */
static bool named_status(const tsr_op *func, const tsr_shard_given *g, tsr_status *status)
{
    if (!status || status->code == TSR_OK)
        return false;
    tsr_buf name = {0};
    const tsr_block *body = func->regions[0].first;
    if (g->result ? tsr_result_given_name(&name, func, (uint32_t)g->index)
                  : body && tsr_value_given_name(&name, body->args[g->index])) {
        tsr_buf text = {0};
        tsr_text_visible(&text, tsr_buf_text(&name), TSR_VISIBLE_TEXT);
        tsr_buf_printf(&text, ": %s", status->message);
        status->code = TSR_OK; /* this message replaces the other */
        tsr_status_set(status, TSR_BAD_INPUT, "%.*s", TSR_STR_ARG(tsr_buf_text(&text)));
        tsr_buf_free(&text);
    }
    tsr_buf_free(&name);
    return false;
}

static bool set_given(tsr_module *m, const tsr_op *func, const tsr_shard_given *g, signature *out,
                      tsr_status *status)
{
    const tsr_type *type = tsr_entry_type(func);
    size_t n = g->result ? type->nout : type->n;
    const char *what = g->result ? "result" : "argument";
    if (g->index >= n)
        return tsr_status_set(status, TSR_BAD_INPUT, "there is no %s %zu: the function has %zu",
                              what, g->index, n);
    tsr_attr *s = tsr_given_sharding(m, type->types[g->result ? type->n + g->index : g->index],
                                     g->text, status);
    if (!s)
        return named_status(func, g, status);
    (g->result ? out->results : out->args)[g->index] = s;
    return true;
}

static bool set_all_given(tsr_module *m, tsr_op *func, const tsr_shard_request *request,
                          tsr_status *status)
{
    const tsr_type *type = tsr_entry_type(func);
    signature all = {tsr_xmalloc((type->n + 1) * sizeof *all.args),
                     tsr_xmalloc((type->nout + 1) * sizeof *all.results)};
    for (uint32_t i = 0; i < type->n; i++)
        all.args[i] = tsr_sdy_arg_sharding(func, i);
    for (uint32_t i = 0; i < type->nout; i++)
        all.results[i] = tsr_sdy_result_sharding(func, i);
    bool ok = true, args = false, results = false;
    for (size_t i = 0; i < request->ngiven && ok; i++) {
        ok = set_given(m, func, &request->given[i], &all, status);
        args |= !request->given[i].result;
        results |= request->given[i].result;
    }
    if (ok && args)
        tsr_sdy_set_arg_shardings(func, all.args);
    if (ok && results)
        tsr_sdy_set_result_shardings(func, all.results);
    tsr_free(all.args);
    tsr_free(all.results);
    return ok;
}

bool tsr_shard_give(tsr_module *m, const tsr_shard_request *request, tsr_status *status)
{
    tsr_op *func = tsr_entry_keep(m, request->function, status);
    if (!func || (request->mesh.len && !tsr_given_mesh(m, request->mesh, status)))
        return false;
    tsr_arena arena;
    tsr_shard_request by_number = *request;
    tsr_arena_init_pooled(&arena, &m->ctx->pool);
    bool ok = tsr_given_resolve(&arena, func, &by_number) &&
              set_all_given(m, func, &by_number, status) &&
              ((m->verified && !by_number.ngiven && !by_number.mesh.len) || tsr_verify(m->op));
    tsr_arena_free(&arena);
    return ok;
}

bool tsr_shard_module(tsr_arena *arena, tsr_module *m, const tsr_shard_request *request,
                      tsr_shard_plan *plan, tsr_buf *reason, tsr_status *status)
{
    TSR_TRY(tsr_make_runnable(m, true)); /* meshes and shardings of Graph IR become Shardy's */
    TSR_TRY(tsr_shard_give(m, request, status));
    tsr_op *func = (tsr_op *)tsr_entry_find(m, request->function, status);
    if (request->why.len)
        return tsr_shard_why(arena, m, func, request->why, reason, status);
    TSR_TRY(tsr_shard_propagate(m, request->function, status));
    TSR_TRY(tsr_shard_partition(arena, m, request, plan, status));
    tsr_shard_plan_memory(plan);
    return true;
}

static bool has_calls(tsr_op *func)
{
    TSR_OPS (func, op)
        if (tsr_op_has(op, TSR_TRAIT(CALL)))
            return true;
    return false;
}

void tsr_shard_plan_of(tsr_arena *arena, tsr_op *func, bool keep, tsr_shard_plan *plan)
{
    const tsr_pass_arg args[] = {TSR_ARG_STR("default-pipeline", TSR_STR("")),
                                 TSR_ARG_BOOL("callers-first", true)};
    if (has_calls(func)) {
        tsr_str name = tsr_op_symbol(func);
        plan->flat = keep ? tsr_module_copy_borrowed(func->module) : NULL;
        tsr_module *m = keep ? plan->flat : func->module;
        tsr_try_pass(m, "inline", args, TSR_COUNT(args));
        func = (tsr_op *)tsr_entry_find(m, name, NULL);
    }
    tsr_module_renumber(func->module);
    tsr_shard_plan_make(arena, func, plan);
}

void tsr_shard_plan_memory(tsr_shard_plan *plan)
{
    if (tsr_sim_compiled(plan, NULL, NULL))
        return;
    tsr_sim sim = {0};
    tsr_sim_function(&sim, NULL, plan);
    tsr_sim_free(&sim);
}

bool tsr_shard_partition(tsr_arena *arena, tsr_module *m, const tsr_shard_request *request,
                         tsr_shard_plan *plan, tsr_status *status)
{
    tsr_shard_plan_meshes(arena, m, plan);
    TSR_TRY(TSR_RUN_PASS(m, "tessera-partition", TSR_ARG_BOOL("propagate", false),
                         TSR_ARG_BOOL("remarks", false), TSR_ARG_BOOL("notes", true)));
    tsr_op *func = (tsr_op *)tsr_entry_find(m, request->function, status);
    if (!func)
        return false;
    if (request->program)
        tsr_print_module(request->program, m, request->print);
    tsr_shard_plan_of(arena, func, false, plan);
    return true;
}

bool tsr_shard_propagate(tsr_module *m, tsr_str function, tsr_status *status)
{
    const tsr_pass_arg args[] = {TSR_ARG_BOOL("only-propagate", true)};
    TSR_TRY(tsr_try_pass(m, "tessera-partition", args, TSR_COUNT(args)));
    tsr_op *func = (tsr_op *)tsr_entry_find(m, function, status);
    if (func)
        tsr_shard_advise(func);
    return func != NULL;
}

/* ---- The public calls ---- */

tsr_shard_request tsr_shard_request_of(const tsr_shard_options *options, tsr_str why)
{
    tsr_shard_request request = {.why = why};
    if (options) {
        request.mesh = options->mesh;
        request.function = options->function;
        request.given = options->given;
        request.ngiven = options->ngiven;
    }
    return request;
}

bool tsr_module_shard(tsr_module *m, const tsr_shard_options *options, tsr_status *status)
{
    TSR_GUARD_MODULE(g, m, TSR_CHANGES, status, false)
    tsr_shard_request request = tsr_shard_request_of(options, (tsr_str){0});
    tsr_module *before = tsr_module_copy_borrowed(m);
    bool ok = tsr_make_runnable(m, true) && tsr_shard_give(m, &request, g.status) &&
              tsr_shard_propagate(m, request.function, g.status) && tsr_verify(m->op);
    if (!ok)
        tsr_module_restore(m, before);
    tsr_module_free(before);
    tsr_guard_finish(&g, ok);
    return ok;
}

/* The plan, or why a value is sharded as it is, computed on a copy. */
static bool tell(tsr_module *m, const tsr_shard_options *options, bool json, tsr_str value,
                 tsr_buf *out, tsr_status *status)
{
    tsr_arena arena;
    tsr_shard_plan plan = {0};
    tsr_shard_request request = tsr_shard_request_of(options, value);
    tsr_arena_init_pooled(&arena, &m->ctx->pool);
    tsr_module *copy = tsr_module_copy_borrowed(m);
    bool ok = tsr_shard_module(&arena, copy, &request, &plan, out, status);
    if (ok && !value.len)
        (json ? tsr_shard_plan_json : tsr_shard_plan_text)(out, &plan);
    tsr_shard_plan_free(&plan);
    tsr_module_free(copy);
    tsr_arena_free(&arena);
    return ok;
}

static tsr_str told(tsr_module *m, const tsr_shard_options *options, bool json, tsr_str value,
                    tsr_status *status)
{
    TSR_GUARD_MODULE(g, m, TSR_READS, status, TSR_NO_TEXT)
    tsr_buf out = {0};
    bool ok = tell(m, options, json, value, &out, g.status);
    return tsr_guard_finish_text(&g, ok, &out);
}

tsr_str tsr_module_plan(tsr_module *m, const tsr_shard_options *options, bool json,
                        tsr_status *status)
{
    return told(m, options, json, (tsr_str){0}, status);
}

tsr_str tsr_module_why(tsr_module *m, const tsr_shard_options *options, tsr_str value,
                       tsr_status *status)
{
    return told(m, options, false, value.len ? value : TSR_STR("#0"), status);
}
