/* SPDX-License-Identifier: Apache-2.0 */
/* simulate.c - `tessera simulate`: how long a step of a module, or of a transformer given by its dimensions, takes on a
 * mesh of devices. */
#include "device.h"
#include "given.h"
#include "look.h"

// clang-format off
/* FLAG(id, name, kind, arg, doc) */
#define FLAGS(FLAG) \
    GIVEN_FLAGS(FLAG) \
    FLAG(FUNCTION, "function", VALUE, "<name>", "Function to simulate (default: main, or the module's only function)") \
    FLAG(DEVICES, "devices", COUNT, "<n>", "Instead of a mesh: how many devices there are. The plan that `tessera shard --auto --devices` finds is simulated") \
    FLAG(AXES, "axes", VALUE, "<dp,tp>", "With --devices: the names of the mesh's axes, and how many (default: up to three, called by what the plan does with them)") \
    FLAG(DEVICE, "device", VALUE, "<name|file>", "The device: a100, b200, galaxy, h100 (default), h200, n300, v5e, v5p, or a device file") \
    FLAG(TRANSFORMER, "transformer", VALUE, "<layers=48,...>", "Instead of a file: a training step of a transformer of these figures (docs/SEARCH.md)") \
    FLAG(JSON, "json", SWITCH, NULL, "Print the report as JSON") \
    FLAG(TRACE, "trace", VALUE, "<file>", "Write all kernels and collectives with their times to this file, for Perfetto and chrome://tracing") \
    LOOK_FLAGS(FLAG)
// clang-format on

enum { FLAGS(FLAG_ID) };
static const flag table[] = {FLAGS(FLAG_ROW)};

typedef struct {
    const tool *t;
    const char *device, *trace, *transformer, *only_file;
    bool json, look;
    tsr_device_file found;
    tsr_shard_request request;
    given_vec given;
    auto_flags search; /* of --devices */
} config;

static int apply(config *c, const flag_given *g)
{
    switch (g->id) {
    case FLAG_ID_MESH: c->request.mesh = tsr_cstr(g->value); break;
    case FLAG_ID_ARG: return given_flag(c->t, g, false, &c->given);
    case FLAG_ID_RESULT: return given_flag(c->t, g, true, &c->given);
    case FLAG_ID_FUNCTION: c->request.function = tsr_cstr(g->value); break;
    case FLAG_ID_DEVICES:
    case FLAG_ID_AXES:
        c->only_file = table[g->id].name;
        return auto_flag(c->t, g, FLAG_ID_DEVICES - 1, &c->search); /* in the order of AUTO_FLAGS */
    case FLAG_ID_DEVICE: c->device = g->value; return 0;
    case FLAG_ID_TRANSFORMER: c->transformer = g->value; return 0;
    case FLAG_ID_JSON: c->json = g->on; return 0;
    case FLAG_ID_LOOK: c->look = g->on; return 0;
    case FLAG_ID_TRACE: c->trace = g->value; break;
    default: break;
    }
    c->only_file = table[g->id].name;
    return 0;
}

static int write_report(const config *c, tsr_arena *arena, const tsr_sim_report *r)
{
    tsr_buf text = {0};
    int code = EXIT_OK;
    if (c->trace) {
        tsr_sim_trace(&text, r);
        code = write_output(c->t, c->trace, tsr_buf_text(&text));
        text.len = 0;
    }
    if (!code && !(c->trace && strcmp(c->trace, "-") == 0)) {
        if (!c->json && look_wanted(c->look))
            put_look(&text, arena, r, !c->device);
        (c->json ? tsr_sim_json : tsr_sim_text)(&text, r);
        code = write_output(c->t, "-", tsr_buf_text(&text));
    }
    tsr_buf_free(&text);
    return code;
}

static int simulate(void *user, tsr_module *m)
{
    config *c = user;
    tsr_arena arena;
    tsr_simulated s = {.sim.keep = look_wanted(c->look) ? &arena : NULL};
    tsr_status status = {0};
    tsr_arena_init(&arena);
    uint32_t nerror = m->ctx->nerror;
    int code = tsr_simulate(&arena, m, &c->request, &c->found, &s, &status)
                   ? write_report(c, &arena, &s.report)
                   : status_exit(c->t, m->ctx, nerror, &status);
    tsr_simulated_free(&s);
    tsr_arena_free(&arena);
    return code;
}

/* --devices: the winner of the search. */
static int simulate_found(void *user, tsr_module *m)
{
    config *c = user;
    tsr_arena arena;
    tsr_auto_result r = {0};
    tsr_buf mesh = {0};
    tsr_arena_init(&arena);
    int code = auto_module(c->t, &c->search, &arena, m, &c->request, &r);
    if (!code) {
        const tsr_auto_plan *best = &r.plans.data[r.best];
        const tsr_search_mesh named = tsr_auto_mesh_of(&r, best);
        tsr_search_mesh_text(&mesh, &named, ", ");
        r.simulated.report.mesh = tsr_buf_text(&mesh);
        r.simulated.report.plan_name = best->name;
        code = write_report(c, &arena, &r.simulated.report);
    }
    tsr_buf_free(&mesh);
    tsr_auto_free(&r);
    tsr_arena_free(&arena);
    return code;
}

static int by_figures(const config *c)
{
    tsr_transformer t;
    const char *error;
    size_t at;
    tsr_str text = tsr_cstr(c->transformer);
    if (!tsr_transformer_read(text, &t, &error, &at)) {
        fprintf(stderr, "%s: for the --transformer option: %s\n  %s\n  %*s^\n", c->t->name, error,
                c->transformer, (int)at, "");
        return usage_exit(c->t);
    }
    tsr_transformer_step step;
    tsr_buf out = {0};
    tsr_transformer_step_of(&t, &c->found, &step);
    (c->json ? tsr_transformer_json : tsr_transformer_text)(&out, &t, &c->found, &step);
    int code = write_output(c->t, "-", tsr_buf_text(&out));
    tsr_buf_free(&out);
    return code;
}

static int run_simulate(const tool *t, int argc, char **argv)
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
    if (!code && f.files.n != (c.transformer ? 0 : 1)) {
        fprintf(stderr, "%s: one file is needed, or --transformer; - is stdin.  Try: '%s --help'\n",
                t->name, t->name);
        code = usage_exit(t);
    }
    if (!code && c.transformer && c.only_file)
        code = flag_alone(t, c.only_file, "is for modules: it cannot be used with --transformer");
    if (!code && c.json && c.trace && strcmp(c.trace, "-") == 0)
        code = flag_alone(t, "json", "prints the report: it cannot be used with --trace=-");
    c.search.on = true;
    c.search.device = c.device;
    if (!code)
        code = auto_check(t, &c.search, c.request.mesh);
    if (!code)
        code = device_flag(t, &arena, c.device, &c.found);
    if (!code && c.transformer)
        code = by_figures(&c);
    else if (!code) {
        c.request.given = c.given.data;
        c.request.ngiven = c.given.n;
        code = with_program(t, f.files.data[0], c.search.devices ? simulate_found : simulate, &c);
    }
    tsr_vec_free(&c.given);
    tsr_arena_free(&arena);
    return flags_end(t, &f, code);
}

static const char *const examples[] = {
    "A step on 8 devices of the mesh in the file", "tessera simulate model.mlir --device=h100",
    "A trace for Perfetto",
    "tessera simulate model.mlir --mesh=data=8 --arg=0:data --trace=step.json", NULL};

const command command_simulate = {
    .name = "simulate",
    .doc = "tell how long a step takes on a mesh of devices, and what it waits for",
    .usage = "FILE|--transformer=... [options]",
    .run = run_simulate,
    .flags = table,
    .nflag = TSR_COUNT(table),
    .examples = examples,
};
