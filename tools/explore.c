/* SPDX-License-Identifier: Apache-2.0 */
/* explore.c - `tessera explore`: a module as a page for a browser, or as an image. */
#include "api/explore.h"
#include "device.h"
#include "given.h"
#include "what_if.h"

// clang-format off
/* FLAG(id, name, kind, arg, doc) */
#define FLAGS(FLAG) \
    GIVEN_FLAGS(FLAG) \
    FLAG(VERSUS, "versus", SWITCH, NULL, "What follows is for a second plan, shown beside the first: --mesh, --arg, --result") \
    FLAG(FUNCTION, "function", VALUE, "<name>", "Function to plan, and to show open (default: main, or the module's only function)") \
    FLAG(AFTER, "after", VALUE, "<pipeline>", "Show the module before and after these passes, e.g. 'canonicalize,cse'; pictures have it after them") \
    FLAG(TRACE, "trace", VALUE, "<file>", "Show this trace: of `tessera run --profile`, another in Chrome's format, or what `tessera run --timing --json` prints") \
    FLAG(DEVICE, "device", VALUE, "<name|file>", "The device whose times and memory are shown: a100, b200, galaxy, h100 (default), h200, n300, v5e, v5p, or a device file") \
    FLAG(ADVICE, "advice", SWITCH, NULL, "Try which shardings to change, as `tessera explain` does, also in a large program; small ones have that anyway") \
    FLAG(GOLDENS, "goldens", VALUE, "<file>", "Show this report of goldens, as JSON") \
    FLAG(EXPAND, "expand", SWITCH, NULL, "Show every function, region and layer open") \
    FLAG(DOT, "dot", SWITCH, NULL, "Write the graph in Graphviz's language, not a page") \
    FLAG(SVG, "svg", SWITCH, NULL, "Write the graph as SVG, not a page") \
    FLAG(JSON, "json", SWITCH, NULL, "Write what the page shows as JSON, not a page") \
    FLAG(SERVE, "serve", OPTIONAL, "<port>", "Serve the page on 127.0.0.1, where other shardings can be tried (default: a port that is free)") \
    FLAG(OUT, "o", VALUE, "<file>", "Output file; - is stdout. Written only when all went well")
// clang-format on

/* Ops that trials for advice may partition in all. */
enum { FEW_OPS = 30000, OPS_OF_ADVICE = 400000 };

enum { FLAGS(FLAG_ID) };
static const flag table[] = {FLAGS(FLAG_ROW)};

typedef struct {
    const tool *t;
    const char *out, *after, *trace, *goldens, *device;
    tsr_device_file found; /* when there is a device */
    tsr_str file;
    bool expand, dot, svg, json, versus, serve, advice;
    unsigned port;
    tsr_str function, mesh[2];
    given_vec given[2]; /* the second: for --versus */
} config;

static int apply(config *c, const flag_given *g)
{
    given_vec *given = &c->given[c->versus];
    switch (g->id) {
    case FLAG_ID_MESH: c->mesh[c->versus] = tsr_cstr(g->value); break;
    case FLAG_ID_ARG: return given_flag(c->t, g, false, given);
    case FLAG_ID_RESULT: return given_flag(c->t, g, true, given);
    case FLAG_ID_VERSUS: c->versus = g->on; break;
    case FLAG_ID_FUNCTION: c->function = tsr_cstr(g->value); break;
    case FLAG_ID_AFTER: c->after = g->value; break;
    case FLAG_ID_TRACE: c->trace = g->value; break;
    case FLAG_ID_DEVICE: c->device = g->value; break;
    case FLAG_ID_ADVICE: c->advice = g->on; break;
    case FLAG_ID_GOLDENS: c->goldens = g->value; break;
    case FLAG_ID_EXPAND: c->expand = g->on; break;
    case FLAG_ID_DOT: c->dot = g->on; break;
    case FLAG_ID_SVG: c->svg = g->on; break;
    case FLAG_ID_JSON: c->json = g->on; break;
    case FLAG_ID_SERVE: c->serve = true; return g->value ? read_port(c->t, g->value, &c->port) : 0;
    case FLAG_ID_OUT: c->out = g->value; break;
    default: break;
    }
    return 0;
}

/* The state of one run. */
typedef struct {
    config *c;
    tsr_module *m;
    tsr_view views[2];
    const char *labels[2];
    size_t nview;
    tsr_buf trace, goldens, given;
    tsr_status status;
} show;

static tsr_view_request request_of(const config *c, size_t i)
{
    tsr_str mesh = c->mesh[i].len ? c->mesh[i] : c->mesh[0];
    return (tsr_view_request){.shard = {.mesh = mesh,
                                        .given = c->given[i].data,
                                        .ngiven = c->given[i].n,
                                        .function = c->function},
                              .device = c->dot || c->svg ? NULL : &c->found,
                              .assumed = !c->device,
                              .file = c->file,
                              .expand = c->expand,
                              .whys = !c->dot && !c->svg,
                              .most_ops = c->dot || c->svg ? 0
                                          : c->advice      ? OPS_OF_ADVICE
                                                           : FEW_OPS};
}

static bool add_view(show *s, tsr_module *m, const char *label, size_t request)
{
    tsr_view_request r = request_of(s->c, request);
    r.like = s->nview ? &s->views[0].graph : NULL;
    s->labels[s->nview] = label;
    return tsr_view_make(&s->views[s->nview++], m, m != s->m, &r, &s->status);
}

/* The second view: the module before passes, or under the first plan. */
static bool make_views(show *s, tsr_module *before)
{
    const config *c = s->c;
    if (before && !add_view(s, before, "before", 0))
        return false;
    if (c->versus)
        return add_view(s, tsr_module_copy_borrowed(s->m), "first plan", 0) &&
               add_view(s, s->m, "second plan", 1);
    return add_view(s, s->m, before ? "after" : "", 0);
}

static bool read_report(show *s, const char *path, tsr_buf *out,
                        bool (*read)(tsr_arena *, tsr_str, tsr_str, tsr_buf *, tsr_status *))
{
    tsr_file in;
    tsr_arena arena;
    const char *error = NULL;
    if (!path)
        return true;
    if (!tsr_file_open(path, &in, &error))
        return tsr_status_set(&s->status, TSR_ENVIRONMENT, "cannot open input file '%s': %s", path,
                              error);
    tsr_arena_init(&arena);
    bool ok = read(&arena, tsr_cstr(path), in.data, out, &s->status);
    tsr_arena_free(&arena);
    tsr_file_close(&in);
    return ok;
}

static void put_page(show *s, const source *src, tsr_buf *text)
{
    const config *c = s->c;
    tsr_str bytecode;
    tsr_page_view views[2];
    uint8_t *diffs[2] = {NULL, NULL};
    if (s->nview > 1)
        tsr_graph_diff(&s->views[0].graph, &s->views[1].graph, &diffs[0], &diffs[1]);
    for (size_t i = 0; i < s->nview; i++) {
        views[i] = tsr_view_on_page(&s->views[i], s->labels[i]);
        views[i].diff = diffs[i];
    }
    tsr_view_request request = request_of(c, 0);
    tsr_view_given(&s->given, &request.shard);
    tsr_page page = {.views = views,
                     .nview = s->nview,
                     .file = src->file,
                     .version = tsr_version(),
                     .trace = tsr_buf_text(&s->trace),
                     .goldens = tsr_buf_text(&s->goldens),
                     .given = tsr_buf_text(&s->given),
                     .served = c->serve};
    if (!tsr_find_bytecode(src->text, &bytecode))
        page.text = src->text;
    if (c->json)
        tsr_page_json(text, &page, true);
    else
        tsr_page_html(text, &page);
}

static void draw(show *s, tsr_buf *text)
{
    tsr_graph *g = &s->views[s->nview - 1].graph;
    if (!s->c->dot && !s->c->svg) {
        put_page(s, program_source(s->m), text);
        return;
    }
    tsr_graph_place(g);
    (s->c->dot ? tsr_graph_dot : tsr_graph_svg)(text, g);
}

static int tell_failure(const show *s, uint32_t nerror)
{
    if (s->m->ctx->nerror == nerror && strstr(s->status.message, ": error: "))
        fprintf(stderr, "%s\n", s->status.message);
    else if (s->m->ctx->nerror == nerror)
        fprintf(stderr, "%s: error: %s\n", s->c->t->name, s->status.message);
    return s->status.code == TSR_ENVIRONMENT ? EXIT_ENVIRONMENT : EXIT_REJECTED;
}

static int finish(show *s, tsr_module *base)
{
    const config *c = s->c;
    tsr_buf text = {0};
    int code;
    draw(s, &text);
    if (c->serve) {
        tsr_view_request request = request_of(c, 0);
        request.like = &s->views[0].graph;
        what_if w = {.t = c->t,
                     .port = c->port,
                     .base = base,
                     .request = &request,
                     .shape = s->views[0].graph.shape,
                     .html = tsr_buf_text(&text)};
        code = serve_page(&w);
    } else {
        code = write_output(c->t, c->out, tsr_buf_text(&text));
    }
    tsr_buf_free(&text);
    return code;
}

static int explore(void *user, tsr_module *m)
{
    config *c = user;
    show s = {.c = c, .m = m};
    uint32_t nerror = m->ctx->nerror;
    c->file = program_source(m)->file;
    bool pair = c->after && !c->versus && !c->serve && !c->dot && !c->svg;
    tsr_module *before = pair ? tsr_module_copy_borrowed(m) : NULL, *base = NULL;
    if (c->after && !tsr_module_run(m, tsr_cstr(c->after))) {
        if (before)
            tsr_module_free(before);
        return EXIT_REJECTED;
    }
    if (c->serve)
        base = tsr_module_copy_borrowed(m);
    int code = make_views(&s, before) && read_report(&s, c->trace, &s.trace, tsr_page_trace) &&
                       read_report(&s, c->goldens, &s.goldens, tsr_page_goldens)
                   ? finish(&s, base)
                   : tell_failure(&s, nerror);
    for (size_t i = 0; i < s.nview; i++)
        tsr_view_free(&s.views[i]);
    if (base)
        tsr_module_free(base);
    tsr_buf_free(&s.trace);
    tsr_buf_free(&s.goldens);
    tsr_buf_free(&s.given);
    return code;
}

/* Flags that cannot be combined. */
static int check_together(const config *c)
{
    const char *picture = c->dot ? "dot" : "svg", *alone = c->serve ? "serve" : picture;
    bool pictures = c->dot || c->svg;
    if (c->dot + c->svg + c->json > 1)
        return flag_alone(c->t, picture,
                          c->json ? "writes no JSON: it cannot be used with --json"
                                  : "writes no SVG: it cannot be used with --svg");
    if (c->serve && (pictures || c->json || strcmp(c->out, "-") != 0))
        return flag_alone(c->t, "serve",
                          "writes no file: it cannot be used with -o, --dot, --svg "
                          "or --json");
    if ((pictures || c->serve) && c->versus)
        return flag_alone(c->t, alone, "has one plan: it cannot be used with --versus");
    if (pictures && (c->trace || c->goldens || c->device))
        return flag_alone(c->t, alone,
                          "has no place for reports: it cannot be used with --trace, "
                          "--device or --goldens");
    return 0;
}

static int check(const config *c, const flags *f)
{
    int code = flags_one_file(c->t, f);
    return code ? code : check_together(c);
}

static int run_explore(const tool *t, int argc, char **argv)
{
    flags f = {0};
    config c = {.t = t, .out = "-"};
    tsr_arena arena;
    tsr_arena_init(&arena);
    int code = flags_parse(t, argc, argv, &f);
    if (!code && flags_about(t, &f))
        code = -1;
    for (size_t i = 0; !code && i < f.given.n; i++)
        code = apply(&c, &f.given.data[i]);
    if (!code)
        code = check(&c, &f);
    if (!code)
        code = device_flag(t, &arena, c.device, &c.found);
    if (!code)
        code = with_program(t, f.files.data[0], explore, &c);
    tsr_vec_free(&c.given[0]);
    tsr_vec_free(&c.given[1]);
    tsr_arena_free(&arena);
    return flags_end(t, &f, code);
}

static const char *const examples[] = {
    "A page of a module and its plan",
    "tessera explore model.mlir -o model.html",
    "Other shardings can be tried on it",
    "tessera explore model.mlir --mesh=x=2,y=4 --arg=0:x --serve",
    "Two plans side by side",
    "tessera explore model.mlir --arg=0:x --versus --arg=0:_,y -o both.html",
    NULL};

const command command_explore = {
    .name = "explore",
    .doc = "make a page that shows a module's graph, shardings, collectives, memory and time",
    .usage = "FILE [options]",
    .run = run_explore,
    .flags = table,
    .nflag = TSR_COUNT(table),
    .examples = examples,
};
