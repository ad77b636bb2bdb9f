/* SPDX-License-Identifier: Apache-2.0 */
/* shard.c - `tessera shard`: shards a module over a mesh and prints what that means for each device. */
#include "api/auto.h"
#include "api/eval.h"
#include "device.h"
#include "explore/graph.h"
#include "given.h"
#include "look.h"
#include "plan.h"
#include "text/text.h"

// clang-format off
/* FLAG(id, name, kind, arg, doc) */
#define FLAGS(FLAG) \
    GIVEN_FLAGS(FLAG) \
    FLAG(FUNCTION, "function", VALUE, "<name>", "Function to plan (default: main, or the module's only function)") \
    FLAG(WHY, "why", VALUE, "<%12|#0>", "Tell which steps sharded this value, as `tessera opt` names it (%arg0 is an argument, #0 a result), instead of the plan") \
    FLAG(JSON, "json", SWITCH, NULL, "Print the plan as JSON") \
    FLAG(PICTURE, "picture", SWITCH, NULL, "Draw the mesh and the cut of each argument and result, instead of the plan") \
    FLAG(OUT, "o", VALUE, "<file>", "Write the program that each device runs, with its collectives, to this file; with --auto or --apply-plan the program with its shardings; - is stdout, and then the plan goes to stderr") \
    AUTO_FLAGS(FLAG) \
    PLAN_FLAGS(FLAG) \
    FLAG(EXPLAIN, "explain", SWITCH, NULL, "With --auto: list all candidates and why they lost, and the costliest collectives that are left") \
    FLAG(SEARCH_ALONE, "search-alone", SWITCH, NULL, "With --auto: without the plans of experts, to see what the search finds by itself") \
    LOOK_FLAGS(FLAG)
// clang-format on

enum { FLAGS(FLAG_ID) };
static const flag table[] = {FLAGS(FLAG_ROW)};

typedef struct {
    const tool *t;
    const char *out;
    bool json, picture, look;
    tsr_device_file assumed; /* whose times the first look has */
    tsr_shard_request request;
    given_vec given;
    auto_flags search;
    plan_flags plan;
    bool explain;
} config;

static int apply(config *c, const flag_given *g)
{
    switch (g->id) {
    case FLAG_ID_MESH: c->request.mesh = tsr_cstr(g->value); break;
    case FLAG_ID_ARG: return given_flag(c->t, g, false, &c->given);
    case FLAG_ID_RESULT: return given_flag(c->t, g, true, &c->given);
    case FLAG_ID_FUNCTION: c->request.function = tsr_cstr(g->value); break;
    case FLAG_ID_WHY: c->request.why = tsr_cstr(g->value); break;
    case FLAG_ID_JSON: c->json = g->on; break;
    case FLAG_ID_PICTURE: c->picture = g->on; break;
    case FLAG_ID_OUT: c->out = g->value; break;
    case FLAG_ID_EXPLAIN: c->explain = g->on; break;
    case FLAG_ID_LOOK: c->look = g->on; break;
    case FLAG_ID_SEARCH_ALONE: c->search.alone = g->on; break;
    case FLAG_ID_PLAN:
    case FLAG_ID_CANDIDATE:
    case FLAG_ID_PINS:
    case FLAG_ID_EXPRESSIBLE:
    case FLAG_ID_APPLY_PLAN: return plan_flag(c->t, g, FLAG_ID_PLAN, &c->plan);
    default: return auto_flag(c->t, g, FLAG_ID_AUTO, &c->search);
    }
    return 0;
}

/* Whether something else than the report goes to stdout. */
static bool writes_stdout(const config *c)
{
    return (c->out && strcmp(c->out, "-") == 0) || (c->plan.out && strcmp(c->plan.out, "-") == 0);
}

/* --auto: the module gets shardings, and the report is that of the search. */
static int shard_auto(void *user, tsr_module *m)
{
    config *c = user;
    tsr_arena arena;
    tsr_auto_result r = {0};
    tsr_buf text = {0}, module = {0};
    tsr_arena_init(&arena);
    c->plan.request.device = tsr_cstr(c->search.device ? c->search.device : "");
    c->search.plan = &c->plan.request;
    int code = auto_module(c->t, &c->search, &arena, m, &c->request, &r);
    if (!code)
        (c->json ? tsr_auto_json(&text, &r) : tsr_auto_text(&text, &r, c->explain));
    if (!code && c->plan.out) {
        tsr_mesh_plan_json(&module, r.plan);
        code = write_output(c->t, c->plan.out, tsr_buf_text(&module));
        module.len = 0;
    }
    if (!code && c->out) {
        tsr_print_options print = print_for(c->t, c->out, m);
        tsr_print_module(&module, m, &print);
        code = write_output(c->t, c->out, tsr_buf_text(&module));
    }
    if (!code && writes_stdout(c))
        fwrite(text.data, 1, text.len, stderr);
    else if (!code)
        code = write_output(c->t, "-", tsr_buf_text(&text));
    tsr_buf_free(&module);
    tsr_buf_free(&text);
    tsr_auto_free(&r);
    tsr_arena_free(&arena);
    return code;
}

/* The plan with times of a device that is assumed. */
static void look_at(const config *c, tsr_arena *arena, tsr_module *m, tsr_shard_plan *plan,
                    tsr_buf *text)
{
    tsr_status none = {0};
    tsr_op *func = (tsr_op *)tsr_entry_find(m, c->request.function, &none);
    tsr_simulated s = {.sim.keep = arena, .plan = *plan};
    if (!func)
        return;
    tsr_simulate_local(arena, m, func, &c->assumed, 0, &s);
    put_look(text, arena, &s.report, true);
    *plan = s.plan;
    tsr_sim_free(&s.sim);
}

/* Everything is computed before anything is written. */
static int shard(void *user, tsr_module *m)
{
    config *c = user;
    tsr_arena arena;
    tsr_shard_plan plan = {0};
    tsr_buf reason = {0}, text = {0}, module = {0};
    tsr_status s = {0};
    tsr_arena_init(&arena);
    int code = EXIT_OK;
    uint32_t nerror = m->ctx->nerror;
    tsr_print_options print = print_for(c->t, c->out, m);
    c->request.program = c->out && !c->plan.apply ? &module : NULL;
    c->request.print = &print;
    if (c->plan.apply)
        code = plan_apply_file(c->t, &c->plan, m);
    if (!code && c->plan.apply && c->out)
        tsr_print_module(&module, m, &print);
    nerror = m->ctx->nerror;
    if (!code && !tsr_shard_module(&arena, m, &c->request, &plan, &reason, &s))
        code = status_exit(c->t, m->ctx, nerror, &s);
    if (!code && c->request.why.len)
        tsr_buf_str(&text, tsr_buf_text(&reason));
    else if (!code && c->picture)
        tsr_plan_picture(&text, &arena, m, &plan);
    else if (!code && c->json)
        tsr_shard_plan_json(&text, &plan);
    if (!code && look_wanted(c->look) && !c->request.why.len && !c->picture && !c->json && !c->out)
        look_at(c, &arena, m, &plan, &text);
    if (!code && !c->request.why.len && !c->picture && !c->json)
        tsr_shard_plan_text(&text, &plan);
    if (!code && c->out)
        code = write_output(c->t, c->out, tsr_buf_text(&module));
    /* A reader of the program on a pipe gets nothing else there. */
    if (!code && c->out && strcmp(c->out, "-") == 0)
        fwrite(text.data, 1, text.len, stderr);
    else if (!code)
        code = write_output(c->t, "-", tsr_buf_text(&text));
    tsr_shard_plan_free(&plan);
    tsr_buf_free(&reason);
    tsr_buf_free(&text);
    tsr_buf_free(&module);
    tsr_arena_free(&arena);
    return code;
}

static int run_shard(const tool *t, int argc, char **argv)
{
    flags f = {0};
    config c = {.t = t};
    tsr_arena arena;
    tsr_arena_init(&arena);
    int code = flags_parse(t, argc, argv, &f);
    if (!code && flags_about(t, &f))
        code = -1;
    for (size_t i = 0; !code && i < f.given.n; i++)
        code = apply(&c, &f.given.data[i]);
    if (!code)
        code = flags_one_file(t, &f);
    if (!code && c.request.why.len && (c.json || c.picture || c.out))
        code = flag_alone(t, "why",
                          c.json      ? "prints text: it cannot be used with --json"
                          : c.picture ? "prints text: it cannot be used with --picture"
                                      : "makes no plan: it cannot be used with -o");
    if (!code)
        code = plan_flags_check(t, &c.plan, c.search.on);
    if (!code && c.plan.apply && (c.request.mesh.len || c.given.n || c.request.function.len))
        code = flag_alone(t, "apply-plan",
                          "has a mesh, a function and shardings: it cannot be used with --mesh, "
                          "--function, --arg and --result");
    if (!code && c.search.on && (c.request.why.len || c.picture))
        code = flag_alone(t, c.picture ? "picture" : "why", "cannot be used with --auto");
    if (!code && c.explain && (!c.search.on || c.json))
        code = flag_alone(t, "explain",
                          c.json ? "prints text: it cannot be used with --json" : "needs --auto");
    if (!code && c.search.alone && !c.search.on)
        code = flag_alone(t, "search-alone", "needs --auto");
    if (!code)
        code = auto_check(t, &c.search, c.request.mesh);
    if (!code && c.picture && c.json)
        code = flag_alone(t, "picture", "draws: it cannot be used with --json");
    if (!code)
        code = device_flag(t, &arena, NULL, &c.assumed);
    if (!code) {
        c.request.given = c.given.data;
        c.request.ngiven = c.given.n;
        code = with_program(t, f.files.data[0], c.search.on ? shard_auto : shard, &c);
    }
    tsr_vec_free(&c.given);
    tsr_arena_free(&arena);
    return flags_end(t, &f, code);
}

static const char *const examples[] = {
    "What a plan costs on 8 devices", "tessera shard model.mlir --mesh=data=2,model=4 --arg=0:data",
    "Find the shardings", "tessera shard model.mlir --auto --devices=8 --device=h100", NULL};

const command command_shard = {
    .name = "shard",
    .doc = "shard a module over a mesh and print what each device holds and moves",
    .usage = "FILE [options]",
    .run = run_shard,
    .flags = table,
    .nflag = TSR_COUNT(table),
    .examples = examples,
};
