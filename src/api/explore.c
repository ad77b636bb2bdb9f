/* SPDX-License-Identifier: Apache-2.0 */
/* explore.c - see explore.h, and the public call that creates a page. */
#include "api/explore.h"

#include "api/eval.h"
#include "api/explain.h"
#include "api/guard.h"
#include "base/json.h"
#include "dialect/sdy/sharding.h"
#include "shard/core/given.h"
#include "text/text.h"

/* ---- Views ---- */

static bool has_mesh(const tsr_module *m)
{
    TSR_BLOCK_OPS (m->op->regions[0].first, op)
        if (tsr_has_role(op, TSR_ROLE_MESH))
            return true;
    return false;
}

static tsr_value *value_named(tsr_op *func, const tsr_str *names, tsr_str name)
{
    TSR_OPS (func, op)
        for (uint32_t i = 0; i < op->nout; i++)
            if (tsr_str_eq(names[op->out[i].id], name))
                return &op->out[i];
    return NULL;
}

/* Applies shardings of inner values, which propagation then starts from. */
static bool give_values(tsr_view *v, const tsr_view_request *request, tsr_status *status)
{
    if (!request->nvalue)
        return true;
    tsr_op *func = (tsr_op *)tsr_entry_find(v->m, request->shard.function, status);
    tsr_module_renumber(v->m);
    const tsr_str *names = tsr_value_names(&v->arena, v->m);
    for (size_t i = 0; func && i < request->nvalue; i++) {
        const tsr_value_given *g = &request->values[i];
        tsr_value *value = value_named(func, names, g->name);
        if (!value)
            return tsr_status_set(status, TSR_BAD_INPUT, "there is no value '%.*s'",
                                  TSR_STR_ARG(g->name));
        tsr_attr *sharding = tsr_given_sharding(v->m, value->type, g->text, status);
        if (!sharding)
            return false;
        tsr_sdy_set_sharding(value, sharding);
    }
    return func && tsr_verify(v->m->op);
}

/* The collectives that move the most bytes are explained: as many as a person will read. */
enum { CAUSES_MOST = 20, VALUES_MOST = 4, WHY_MOST = 4000 };

typedef struct {
    const tsr_plan_step *step;
    tsr_value *values[VALUES_MOST];
    tsr_buf why[VALUES_MOST];
    size_t n;
} cause;

static bool is_there(const cause *causes, size_t n, const tsr_plan_step *s)
{
    for (size_t i = 0; i < n; i++)
        if (causes[i].step->cause_loc == s->cause_loc &&
            tsr_str_eq(causes[i].step->cause, s->cause))
            return true;
    return false;
}

/* The causes of the collectives that move the most bytes, each once. */
static size_t most_moved(const tsr_shard_plan *plan, cause *out)
{
    size_t n = 0;
    for (; n < CAUSES_MOST; n++) {
        const tsr_plan_step *best = NULL;
        for (size_t i = 0; i < plan->steps.n; i++) {
            const tsr_plan_step *s = &plan->steps.data[i];
            if (s->cause.len && (!best || tsr_plan_step_moved(s) > tsr_plan_step_moved(best)) &&
                !is_there(out, n, s))
                best = s;
        }
        if (!best)
            break;
        out[n] = (cause){.step = best};
    }
    return n;
}

static void add_value(cause *c, tsr_value *v)
{
    if (c->n < VALUES_MOST && tsr_type_is(v->type, TSR_TYPE_TENSOR))
        c->values[c->n++] = v;
}

/* The values that a cause computes and reads, in another copy of the module. */
static void find_values(tsr_module *m, cause *causes, size_t n)
{
    TSR_OPS (m->op, op)
        for (size_t i = 0; i < n; i++)
            if (!causes[i].n && op->loc == causes[i].step->cause_loc &&
                tsr_str_eq(op->def->name, causes[i].step->cause)) {
                if (op->nout)
                    add_value(&causes[i], &op->out[0]);
                for (uint32_t k = 0; k < op->nin; k++)
                    add_value(&causes[i], op->in[k].value);
            }
}

static void put_whys(tsr_buf *out, cause *causes, size_t n)
{
    tsr_buf_char(out, '{');
    bool any = false;
    for (size_t i = 0; i < n; i++) {
        tsr_buf key = {0}, text = {0};
        tsr_plan_cause_text(&key, causes[i].step); /* as in the plan's JSON */
        for (size_t k = 0; k < causes[i].n; k++) {
            size_t len = causes[i].why[k].len;
            tsr_buf_str(&text, tsr_str_of(causes[i].why[k].data, len < WHY_MOST ? len : WHY_MOST));
            tsr_buf_cstr(&text, len > WHY_MOST ? "...\n" : "");
            tsr_buf_free(&causes[i].why[k]);
        }
        if (text.len) {
            tsr_buf_cstr(out, any ? ",\n" : "");
            tsr_buf_json(out, tsr_buf_text(&key));
            tsr_buf_char(out, ':');
            tsr_buf_json(out, tsr_buf_text(&text));
            any = true;
        }
        tsr_buf_free(&key);
        tsr_buf_free(&text);
    }
    tsr_buf_char(out, '}');
}

/* given: a copy of the module before propagation. */
static void tell_whys(tsr_view *v, tsr_module *given, tsr_str function)
{
    cause causes[CAUSES_MOST];
    size_t n = most_moved(&v->plan, causes), at = 0;
    tsr_value *values[CAUSES_MOST * VALUES_MOST];
    tsr_buf texts[CAUSES_MOST * VALUES_MOST] = {{0}};
    tsr_status none = {0};
    const tsr_op *func = tsr_entry_find(given, function, &none);
    find_values(given, causes, n);
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < causes[i].n; k++)
            values[at++] = causes[i].values[k];
    bool told = at && func && tsr_shard_whys(&v->arena, given, func, values, at, texts);
    at = 0;
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < causes[i].n; k++)
            causes[i].why[k] = texts[at++];
    if (told)
        put_whys(&v->whys, causes, n);
    else
        for (size_t i = 0; i < at; i++)
            tsr_buf_free(&texts[i]);
}

/* What the user wrote, before propagation fills in the rest. */
static void note_written(tsr_view *v, const tsr_view_request *request)
{
    tsr_status none = {0};
    const tsr_op *func = tsr_entry_find(v->m, request->shard.function, &none);
    const tsr_type *type = func ? tsr_entry_type(func) : NULL;
    if (!type || !func->nregion || !func->regions[0].first)
        return;
    v->written = TSR_NEW_ARRAY(&v->arena, tsr_attr *, (size_t)type->n + type->nout + 1);
    for (uint32_t i = 0; i < type->n; i++)
        v->written[i] = tsr_sdy_arg_sharding(func, i);
    for (uint32_t i = 0; i < type->nout; i++)
        v->written[type->n + i] = tsr_sdy_result_sharding(func, i);
}

/* Propagates in the displayed module, and plans with a copy: the graph is that of the global program. */
static bool plan_on_mesh(tsr_view *v, const tsr_view_request *request, tsr_status *status)
{
    const tsr_shard_request *shard = &request->shard;
    TSR_TRY(tsr_make_runnable(v->m, true));
    TSR_TRY(tsr_shard_give(v->m, shard, status));
    TSR_TRY(give_values(v, request, status));
    note_written(v, request);
    tsr_module *given = request->whys ? tsr_module_copy_borrowed(v->m) : NULL;
    bool ok = tsr_shard_propagate(v->m, shard->function, status);
    if (ok) {
        v->planned = tsr_module_copy_borrowed(v->m);
        ok = tsr_shard_partition(&v->arena, v->planned, shard, &v->plan, status);
    }
    if (ok && given && request->most_ops && request->device && v->plan.steps.n) {
        tsr_look found = {0};
        tsr_explain_tries(&v->arena, given, shard->function, request->device, request->most_ops,
                          &found);
        memcpy(v->tries, found.tries, sizeof v->tries);
        v->ntry = found.ntry;
    }
    if (ok && given)
        tell_whys(v, given, shard->function);
    if (given)
        tsr_module_free(given);
    return ok;
}

/* A copy in which custom calls that stand for ops are those ops, as where the module runs; the module itself if it has
 * none. */
static tsr_module *runnable(tsr_module *m)
{
    if (tsr_is_runnable(m))
        return m;
    tsr_module *copy = tsr_module_copy_borrowed(m);
    tsr_ctx *ctx = m->ctx;
    bool quiet = ctx->quiet, has_error = ctx->has_error;
    uint32_t nerror = ctx->nerror;
    ctx->quiet = true; /* what cannot run is shown as it is */
    bool ok = tsr_make_runnable(copy, false);
    ctx->quiet = quiet;
    ctx->has_error = has_error;
    ctx->nerror = nerror;
    if (ok)
        return copy;
    tsr_module_free(copy);
    return m;
}

static bool make_plan(tsr_view *v, const tsr_view_request *request, tsr_status *status)
{
    const tsr_shard_request *shard = &request->shard;
    if (shard->mesh.len || shard->ngiven || request->nvalue || has_mesh(v->m))
        return plan_on_mesh(v, request, status);
    /* Any module can be shown; one without a runnable function has no plan. */
    const tsr_op *func = tsr_entry_find(v->m, shard->function, status);
    if (!func || !func->nregion || !func->regions[0].first)
        return !shard->function.len || func;
    v->planned = runnable(v->m);
    func = tsr_entry_find(v->planned, shard->function, status);
    TSR_TRY(func != NULL);
    tsr_shard_plan_of(&v->arena, (tsr_op *)func, v->planned == v->m, &v->plan);
    return true;
}

/* The first look, and the tasks and values of a step: of a simulation, or, without a device, of memory alone. */
static void look_at(tsr_view *v, const tsr_view_request *request)
{
    tsr_status none = {0};
    tsr_op *func = (tsr_op *)tsr_entry_find(v->planned, request->shard.function, &none),
           *whole = (tsr_op *)tsr_entry_find(v->m, request->shard.function, &none);
    tsr_simulated s = {.sim.keep = &v->arena, .plan = v->plan}; /* which the view keeps */
    if (!func || !whole || !whole->nregion || !whole->regions[0].first)
        return;
    if (request->device) {
        tsr_simulate_local(&v->arena, v->planned, func, request->device, tsr_sim_work(whole), &s);
        tsr_sim_json(&v->step, &s.report);
    } else {
        tsr_sim_compiled(&s.plan, &v->arena, &s.sim.engine);
        tsr_sim_function(&s.sim, NULL, &s.plan);
    }
    v->plan = s.plan;
    v->look = (tsr_look){.file = request->file, .assumed = request->assumed, .ntry = v->ntry};
    memcpy(v->look.tries, v->tries, sizeof v->tries);
    tsr_explain_look(&v->arena, request->device, &v->plan, &v->look);
    tsr_look_make(&v->arena, &v->look, whole, &v->plan, v->written,
                  request->device ? &s.report : NULL);
    v->looked = true;
    tsr_look_json(&v->figures, &v->look);
    tsr_look_html(&v->html, &v->look);
    tsr_page_program(&v->program, &s.sim, request->device, &v->plan, v->planned->ctx);
    tsr_sim_free(&s.sim);
}

bool tsr_view_make(tsr_view *v, tsr_module *m, bool owned, const tsr_view_request *request,
                   tsr_status *status)
{
    *v = (tsr_view){.m = m, .owned = owned};
    tsr_arena_init(&v->arena);
    TSR_TRY(make_plan(v, request, status));
    if (v->planned)
        look_at(v, request);
    tsr_status none = {0};
    tsr_graph_make(&v->arena, m, &v->graph);
    if (request->like)
        tsr_graph_colour_like(&v->graph, request->like);
    tsr_graph_open(&v->graph, tsr_entry_find(m, request->shard.function, &none), request->expand);
    return true;
}

void tsr_view_free(tsr_view *v)
{
    if (!v->m)
        return;
    tsr_graph_free(&v->graph);
    tsr_shard_plan_free(&v->plan);
    tsr_buf_free(&v->whys);
    tsr_look_free(&v->look);
    tsr_buf_free(&v->step);
    tsr_buf_free(&v->program);
    tsr_buf_free(&v->figures);
    tsr_buf_free(&v->html);
    if (v->planned && v->planned != v->m)
        tsr_module_free(v->planned);
    if (v->owned)
        tsr_module_free(v->m);
    tsr_arena_free(&v->arena);
}

tsr_page_view tsr_view_on_page(const tsr_view *v, const char *label)
{
    return (tsr_page_view){.label = label,
                           .graph = &v->graph,
                           .plan = v->planned ? &v->plan : NULL,
                           .whys = tsr_buf_text(&v->whys),
                           .program = tsr_buf_text(&v->program),
                           .figures = tsr_buf_text(&v->figures),
                           .look = tsr_buf_text(&v->html),
                           .step = tsr_buf_text(&v->step)};
}

/* ---- What-if ---- */

void tsr_view_given(tsr_buf *out, const tsr_shard_request *request)
{
    tsr_buf_cstr(out, "{\"mesh\":");
    tsr_buf_json(out, request->mesh);
    tsr_buf_cstr(out, ",\"given\":[");
    for (size_t i = 0; i < request->ngiven; i++) {
        const tsr_shard_given *g = &request->given[i];
        tsr_buf_printf(out, "%s[\"%s\",", i ? "," : "", g->result ? "result" : "argument");
        if (g->name.len)
            tsr_buf_json(out, g->name);
        else
            tsr_buf_printf(out, "%zu", g->index);
        tsr_buf_char(out, ',');
        tsr_buf_json(out, g->text);
        tsr_buf_char(out, ']');
    }
    tsr_buf_cstr(out, "]}");
}

typedef struct {
    tsr_view_request request;
    TSR_VEC(tsr_shard_given) given;
    TSR_VEC(tsr_value_given) values;
} question;

static bool bad(tsr_status *status, const char *what)
{
    return tsr_status_set(status, TSR_BAD_INPUT, "%s", what);
}

static bool take_given(question *q, const tsr_json *g, tsr_status *status)
{
    if (g->kind != TSR_JSON_ARRAY || g->n != 3 || g->items[0]->kind != TSR_JSON_STRING ||
        g->items[2]->kind != TSR_JSON_STRING)
        return bad(status, "what is given has the form [\"argument\", 0, \"x,_\"]");
    tsr_str kind = g->items[0]->s, text = g->items[2]->s;
    const tsr_json *which = g->items[1];
    bool result = tsr_str_is(kind, "result"), named = which->kind == TSR_JSON_STRING;
    if ((result || tsr_str_is(kind, "argument")) &&
        (named ? which->s.len > 0 : which->kind == TSR_JSON_INT && which->i >= 0))
        tsr_vec_push(&q->given, ((tsr_shard_given){.index = named ? 0 : (size_t)which->i,
                                                   .text = text,
                                                   .result = result,
                                                   .name = named ? which->s : (tsr_str){0}}));
    else if (tsr_str_is(kind, "value") && which->kind == TSR_JSON_STRING)
        tsr_vec_push(&q->values, ((tsr_value_given){which->s, text}));
    else
        return bad(status, "what is given is an argument or a result with a number or a name, or "
                           "a value with a name");
    return true;
}

static bool take_member(question *q, tsr_str key, const tsr_json *v, tsr_status *status)
{
    bool text = v->kind == TSR_JSON_STRING;
    if (tsr_str_is(key, "mesh") && text)
        q->request.shard.mesh = v->s;
    else if (tsr_str_is(key, "why") && text)
        q->request.shard.why = v->s;
    else if (tsr_str_is(key, "given") && v->kind == TSR_JSON_ARRAY)
        for (size_t i = 0; i < v->n; i++)
            TSR_TRY(take_given(q, v->items[i], status));
    else
        return bad(status, "a question has \"mesh\", \"given\" and \"why\", and nothing else");
    return true;
}

static bool read_question(question *q, tsr_arena *arena, tsr_str text, tsr_status *status)
{
    tsr_json_error error;
    const tsr_json *v = tsr_json_read(arena, text, &error);
    if (!v)
        return tsr_status_set(status, TSR_BAD_INPUT, "the question is no JSON: %s at byte %zu",
                              error.reason, error.at);
    if (v->kind != TSR_JSON_OBJECT)
        return bad(status, "a question is an object");
    for (size_t i = 0; i < v->n; i++)
        TSR_TRY(take_member(q, v->keys[i], v->items[i], status));
    q->request.shard.given = q->given.data;
    q->request.shard.ngiven = q->given.n;
    q->request.values = q->values.data;
    q->request.nvalue = q->values.n;
    return true;
}

/* Why a value is sharded as it is, computed on a copy. */
static bool answer_why(tsr_module *base, const question *q, tsr_buf *out, tsr_status *status)
{
    const tsr_shard_request *shard = &q->request.shard;
    tsr_view v = {.m = tsr_module_copy_borrowed(base), .owned = true};
    tsr_buf why = {0}, raw = {0};
    tsr_arena_init(&v.arena);
    bool ok = tsr_make_runnable(v.m, true) && tsr_shard_give(v.m, shard, status) &&
              give_values(&v, &q->request, status);
    tsr_op *func = ok ? (tsr_op *)tsr_entry_find(v.m, shard->function, status) : NULL;
    ok = func && tsr_shard_why(&v.arena, v.m, func, shard->why, &why, status);
    tsr_buf_cstr(&raw, "{\"why\":");
    tsr_buf_json(&raw, tsr_buf_text(&why));
    tsr_buf_char(&raw, '}');
    tsr_text_visible(out, tsr_buf_text(&raw), TSR_VISIBLE_JSON);
    tsr_buf_free(&why);
    tsr_buf_free(&raw);
    tsr_view_free(&v);
    return ok;
}

static bool answer(tsr_arena *arena, tsr_module *base, const tsr_view_request *on_page,
                   uint64_t shape, tsr_str text, tsr_buf *out, tsr_status *status)
{
    question q = {.request = *on_page};
    q.request.shard.mesh = (tsr_str){0};
    q.request.shard.why = (tsr_str){0};
    q.request.whys = false; /* a separate question asks for them */
    q.request.most_ops = 0;
    bool ok = read_question(&q, arena, text, status);
    if (ok && q.request.shard.why.len) {
        ok = answer_why(base, &q, out, status);
    } else if (ok) {
        tsr_view v = {0};
        ok = tsr_view_make(&v, tsr_module_copy_borrowed(base), true, &q.request, status);
        tsr_page_view view = tsr_view_on_page(&v, "what if");
        tsr_page page = {.views = &view, .nview = 1};
        if (ok)
            tsr_page_answer(out, &page, v.graph.shape == shape);
        tsr_view_free(&v);
    }
    tsr_vec_free(&q.given);
    tsr_vec_free(&q.values);
    return ok;
}

tsr_str tsr_view_answer(tsr_module *base, const tsr_view_request *on_page, uint64_t shape,
                        tsr_str text, tsr_status *status)
{
    TSR_GUARD_MODULE(g, base, TSR_READS, status, TSR_NO_TEXT)
    tsr_arena arena;
    tsr_buf out = {0};
    tsr_arena_init_pooled(&arena, &base->ctx->pool);
    bool ok = answer(&arena, base, on_page, shape, text, &out, g.status);
    tsr_arena_free(&arena);
    if (!ok)
        tsr_buf_free(&out);
    tsr_guard_finish(&g, ok);
    return ok ? tsr_buf_text(&out) : TSR_NO_TEXT;
}

/* ---- The public call ---- */

tsr_str tsr_module_page(tsr_module *m, const tsr_shard_options *options, tsr_status *status)
{
    return tsr_module_page_of_run(m, options, (tsr_str){"", 0}, status);
}

/* The page of a module and, unless it is empty, of a trace of its run. */
static bool page_of_run(tsr_module *m, const tsr_shard_options *options, tsr_str trace,
                        tsr_buf *out, tsr_status *s)
{
    tsr_view_request request = {.whys = true};
    if (options)
        request.shard = (tsr_shard_request){.mesh = options->mesh,
                                            .function = options->function,
                                            .given = options->given,
                                            .ngiven = options->ngiven};
    tsr_view v = {0};
    tsr_buf times = {0};
    tsr_arena arena;
    tsr_device_file assumed;
    tsr_arena_init(&arena);
    request.file = TSR_STR("module");
    request.assumed = true;
    request.device = &assumed;
    bool ok = tsr_device_file_load(&arena, (tsr_str){0}, &assumed, NULL, s) &&
              tsr_view_make(&v, tsr_module_copy_borrowed(m), true, &request, s) &&
              (!trace.len || tsr_page_trace(&arena, TSR_STR("trace"), trace, &times, s));
    tsr_page_view view = tsr_view_on_page(&v, "");
    tsr_page page = {.views = &view,
                     .nview = 1,
                     .file = TSR_STR("module"),
                     .version = tsr_version(),
                     .trace = tsr_buf_text(&times)};
    if (ok)
        tsr_page_html(out, &page);
    tsr_view_free(&v);
    tsr_arena_free(&arena);
    tsr_buf_free(&times);
    return ok;
}

tsr_str tsr_module_page_of_run(tsr_module *m, const tsr_shard_options *options, tsr_str trace,
                               tsr_status *status)
{
    TSR_GUARD_MODULE(g, m, TSR_READS, status, TSR_NO_TEXT)
    tsr_buf out = {0};
    bool ok = page_of_run(m, options, trace, &out, g.status);
    return tsr_guard_finish_text(&g, ok, &out);
}
