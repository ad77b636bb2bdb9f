/* shard.c - `tessera shard`: shards a module over a mesh and prints what that means for each device. */
#include "tools.h"

#include "api/shard.h"
#include "text/text.h"

// clang-format off
/* FLAG(id, name, kind, arg, doc) */
#define FLAGS(FLAG) \
    FLAG(MESH, "mesh", VALUE, "<x=2,y=4>", "The mesh (default: the module's own)") \
    FLAG(ARG, "arg", VALUE, "<n:x,_>", "Sharding of argument n, one word a dimension: _ none, x by an axis, x+y by two, ? open") \
    FLAG(RESULT, "result", VALUE, "<n:x,_>", "Sharding of result n") \
    FLAG(FUNCTION, "function", VALUE, "<name>", "Function to plan (default: main, or the module's only function)") \
    FLAG(WHY, "why", VALUE, "<%12>", "Tell which steps sharded this value, as `tessera opt` names it, instead of the plan") \
    FLAG(JSON, "json", SWITCH, NULL, "Print the plan as JSON") \
    FLAG(OUT, "o", VALUE, "<file>", "Write the program that each device runs, with its collectives, to this file")
// clang-format on

enum { FLAGS(FLAG_ID) };
static const flag table[] = {FLAGS(FLAG_ROW)};

typedef struct {
    const tool *t;
    const char *out;
    bool json;
    tsr_shard_request request;
    TSR_VEC(tsr_shard_given) given;
} config;

/* "0:x,_" */
static int read_given(config *c, const flag_given *g)
{
    const char *colon = strchr(g->value, ':');
    size_t index = 0;
    bool ok = colon && colon > g->value && colon - g->value < 10;
    for (const char *p = g->value; ok && p < colon; p++) {
        ok = *p >= '0' && *p <= '9';
        index = index * 10 + (size_t)(*p - '0');
    }
    if (!ok) {
        fprintf(stderr, "%s: for the --%s option: '%s' value invalid: a number, a colon and a sharding are wanted\n",
                c->t->name, table[g->id].name, g->value);
        return usage_exit(c->t);
    }
    tsr_vec_push(&c->given, ((tsr_shard_given){index, tsr_cstr(colon + 1), g->id == FLAG_ID_RESULT}));
    return 0;
}

static int apply(config *c, const flag_given *g)
{
    switch (g->id) {
    case FLAG_ID_MESH: c->request.mesh = tsr_cstr(g->value); break;
    case FLAG_ID_ARG:
    case FLAG_ID_RESULT: return read_given(c, g);
    case FLAG_ID_FUNCTION: c->request.function = tsr_cstr(g->value); break;
    case FLAG_ID_WHY: c->request.why = tsr_cstr(g->value); break;
    case FLAG_ID_JSON: c->json = g->on; break;
    case FLAG_ID_OUT: c->out = g->value; break;
    default: break;
    }
    return 0;
}

/* Everything is computed before anything is written. */
static int shard(void *user, tsr_module *m)
{
    config *c = user;
    tsr_arena arena;
    tsr_shard_plan plan = {0};
    tsr_buf reason = {0}, text = {0};
    tsr_status s = {0};
    tsr_arena_init(&arena);
    int code = EXIT_OK;
    uint32_t nerror = m->ctx->nerror;
    if (!tsr_shard_module(&arena, m, &c->request, &plan, &reason, &s)) {
        if (m->ctx->nerror == nerror)
            fprintf(stderr, "%s: error: %s\n", c->t->name, s.message);
        code = EXIT_REJECTED;
    }
    if (!code && c->request.why.len)
        tsr_buf_str(&text, tsr_buf_text(&reason));
    else if (!code && c->json)
        tsr_shard_plan_json(&text, &plan);
    else if (!code)
        tsr_shard_plan_text(&text, &plan);
    if (!code && c->out) {
        tsr_buf module = {0};
        tsr_print_module(&module, m, NULL);
        code = write_output(c->t, c->out, tsr_buf_text(&module));
        tsr_buf_free(&module);
    }
    if (!code)
        code = write_output(c->t, "-", tsr_buf_text(&text));
    tsr_shard_plan_free(&plan);
    tsr_buf_free(&reason);
    tsr_buf_free(&text);
    tsr_arena_free(&arena);
    return code;
}

static int run_shard(const tool *t, int argc, char **argv)
{
    flags f = {0};
    config c = {.t = t};
    int code = flags_parse(t, argc, argv, &f);
    if (!code && flags_about(t, &f))
        code = -1;
    for (size_t i = 0; !code && i < f.given.n; i++)
        code = apply(&c, &f.given.data[i]);
    if (!code && f.files.n != 1) {
        fprintf(stderr, "%s: one file is needed; - is stdin.  Try: '%s --help'\n", t->name, t->name);
        code = usage_exit(t);
    }
    if (!code) {
        c.request.given = c.given.data;
        c.request.ngiven = c.given.n;
        code = with_program(t, f.files.data[0], shard, &c);
    } else if (code < 0) {
        code = write_output(t, "-", (tsr_str){"", 0});
    }
    tsr_vec_free(&c.given);
    flags_free(&f);
    return code;
}

const command command_shard = {
    .name = "shard",
    .doc = "shard a module over a mesh and print what each device holds and moves",
    .usage = "FILE [options]",
    .run = run_shard,
    .flags = table,
    .nflag = TSR_COUNT(table),
};
