/* explore.c - `tessera explore`: a module as a page for a browser, or as a picture. */
#include "api/eval.h"
#include "explore/graph.h"
#include "given.h"

// clang-format off
/* FLAG(id, name, kind, arg, doc) */
#define FLAGS(FLAG) \
    GIVEN_FLAGS(FLAG) \
    FLAG(FUNCTION, "function", VALUE, "<name>", "Function to plan, and to show open (default: main, or the module's only function)") \
    FLAG(AFTER, "after", VALUE, "<pipeline>", "Show the module after these passes, e.g. 'canonicalize,cse'") \
    FLAG(EXPAND, "expand", SWITCH, NULL, "Show every function and region open") \
    FLAG(DOT, "dot", SWITCH, NULL, "Write the graph in Graphviz's language, not a page") \
    FLAG(SVG, "svg", SWITCH, NULL, "Write the graph as SVG, not a page") \
    FLAG(JSON, "json", SWITCH, NULL, "Write what the page shows as JSON, not a page") \
    FLAG(OUT, "o", VALUE, "<file>", "Output file; - is stdout. Written only when all went well")
// clang-format on

enum { FLAGS(FLAG_ID) };
static const flag table[] = {FLAGS(FLAG_ROW)};

typedef struct {
    const tool *t;
    const char *out, *after;
    bool expand, dot, svg, json;
    tsr_shard_request request;
    given_vec given;
} config;

static int apply(config *c, const flag_given *g)
{
    switch (g->id) {
    case FLAG_ID_MESH: c->request.mesh = tsr_cstr(g->value); break;
    case FLAG_ID_ARG: return given_flag(c->t, g, false, &c->given);
    case FLAG_ID_RESULT: return given_flag(c->t, g, true, &c->given);
    case FLAG_ID_FUNCTION: c->request.function = tsr_cstr(g->value); break;
    case FLAG_ID_AFTER: c->after = g->value; break;
    case FLAG_ID_EXPAND: c->expand = g->on; break;
    case FLAG_ID_DOT: c->dot = g->on; break;
    case FLAG_ID_SVG: c->svg = g->on; break;
    case FLAG_ID_JSON: c->json = g->on; break;
    case FLAG_ID_OUT: c->out = g->value; break;
    default: break;
    }
    return 0;
}

/* What one run holds. */
typedef struct {
    config *c;
    tsr_module *m, *planned; /* planned: NULL, m, or a copy that was partitioned */
    tsr_arena arena;
    tsr_shard_plan plan;
    tsr_graph graph;
    tsr_status status;
} show;

static bool has_mesh(const tsr_module *m)
{
    TSR_BLOCK_OPS (m->op->regions[0].first, op)
        if (tsr_has_role(op, TSR_ROLE_MESH))
            return true;
    return false;
}

/* Propagates in the module that is shown, and plans with a copy: the graph is that of the whole program. */
static bool make_plan(show *s)
{
    const tsr_shard_request *request = &s->c->request;
    if (request->mesh.len || request->ngiven || has_mesh(s->m)) {
        if (!tsr_make_runnable(s->m, true) || !tsr_shard_give(s->m, request, &s->status) ||
            !tsr_shard_propagate(s->m, request->function, &s->status))
            return false;
        s->planned = tsr_module_copy_borrowed(s->m);
        return tsr_shard_partition(&s->arena, s->planned, request->function, &s->plan, &s->status);
    }
    /* Any module can be shown; one without a function that runs has no plan. */
    const tsr_op *func = tsr_entry_find(s->m, request->function, &s->status);
    if (!func || !func->nregion || !func->regions[0].first)
        return !request->function.len || func;
    tsr_module_renumber(s->m);
    s->planned = s->m;
    tsr_shard_plan_make(&s->arena, (tsr_op *)func, &s->plan);
    return true;
}

static void draw(show *s, tsr_buf *text)
{
    const config *c = s->c;
    const source *src = program_source(s->m);
    tsr_str bytecode;
    tsr_graph_make(&s->arena, s->m, &s->graph);
    tsr_status none = {0};
    tsr_graph_open(&s->graph, tsr_entry_find(s->m, c->request.function, &none), c->expand);
    tsr_graph_place(&s->graph);
    tsr_page page = {.graph = &s->graph,
                     .plan = s->planned ? &s->plan : NULL,
                     .planned = s->planned,
                     .file = src->file,
                     .version = tsr_version()};
    if (!tsr_find_bytecode(src->text, &bytecode))
        page.text = src->text;
    if (c->dot)
        tsr_graph_dot(text, &s->graph);
    else if (c->svg)
        tsr_graph_svg(text, &s->graph);
    else if (c->json)
        tsr_page_json(text, &page);
    else
        tsr_page_html(text, &page);
}

static int explore(void *user, tsr_module *m)
{
    config *c = user;
    show s = {.c = c, .m = m};
    uint32_t nerror = m->ctx->nerror;
    tsr_buf text = {0};
    int code = EXIT_OK;
    if (c->after && !tsr_module_run(m, tsr_cstr(c->after)))
        return EXIT_REJECTED;
    tsr_arena_init(&s.arena);
    if (!make_plan(&s)) {
        if (m->ctx->nerror == nerror)
            fprintf(stderr, "%s: error: %s\n", c->t->name, s.status.message);
        code = s.status.code == TSR_ENVIRONMENT ? EXIT_ENVIRONMENT : EXIT_REJECTED;
    } else {
        draw(&s, &text);
        code = write_output(c->t, c->out, tsr_buf_text(&text));
    }
    tsr_graph_free(&s.graph);
    tsr_shard_plan_free(&s.plan);
    if (s.planned && s.planned != m)
        tsr_module_free(s.planned);
    tsr_buf_free(&text);
    tsr_arena_free(&s.arena);
    return code;
}

static int check(const config *c, const flags *f)
{
    if (f->files.n != 1) {
        fprintf(stderr, "%s: one file is needed; - is stdin.  Try: '%s --help'\n", c->t->name,
                c->t->name);
        return usage_exit(c->t);
    }
    if (c->dot + c->svg + c->json > 1)
        return flag_alone(c->t, c->dot ? "dot" : "svg",
                          c->json ? "writes no JSON: it cannot be used with --json"
                                  : "writes no SVG: it cannot be used with --svg");
    return 0;
}

static int run_explore(const tool *t, int argc, char **argv)
{
    flags f = {0};
    config c = {.t = t, .out = "-"};
    int code = flags_parse(t, argc, argv, &f);
    if (!code && flags_about(t, &f))
        code = -1;
    for (size_t i = 0; !code && i < f.given.n; i++)
        code = apply(&c, &f.given.data[i]);
    if (!code)
        code = check(&c, &f);
    if (!code) {
        c.request.given = c.given.data;
        c.request.ngiven = c.given.n;
        code = with_program(t, f.files.data[0], explore, &c);
    }
    tsr_vec_free(&c.given);
    return flags_end(t, &f, code);
}

const command command_explore = {
    .name = "explore",
    .doc = "make a page that shows a module's graph, shardings, collectives and memory",
    .usage = "FILE [options]",
    .run = run_explore,
    .flags = table,
    .nflag = TSR_COUNT(table),
};
