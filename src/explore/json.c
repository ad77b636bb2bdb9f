/* SPDX-License-Identifier: Apache-2.0 */
/* json.c - the contents of a page as JSON: one column of numbers per property of nodes, frequent texts only once, then
 * the plan as `tessera shard` prints it, and memory. */
#include "explore/graph.h"

#include "dialect/kinds.h"
#include "dialect/stablehlo/loop.h"
#include "text/text.h"

typedef struct {
    const tsr_page *page;
    const tsr_page_view *view;
    const tsr_graph *g;
    tsr_buf *out;
    tsr_arena arena;
    tsr_map map;            /* of texts: index + 1 */
    TSR_VEC(tsr_str) texts; /* without duplicates */
    TSR_VEC(size_t) lines;  /* where each line of the source begins */
    uint32_t *source;       /* by line: its number among those that nodes are on, from 1 */
    uint32_t nsource;
    tsr_buf sources; /* these lines */
    bool all;        /* also what the page does not show */
    bool first;
} writer;

static uint32_t text_index(writer *w, tsr_str s)
{
    uint64_t hash = tsr_hash_str(s);
    TSR_MAP_EACH (&w->map, hash, v)
        if (tsr_str_eq(w->texts.data[(uintptr_t)v - 1], s))
            return (uint32_t)(uintptr_t)v - 1;
    tsr_str kept = {tsr_arena_copy(&w->arena, s.data, s.len), s.len};
    tsr_vec_push(&w->texts, kept);
    tsr_map_put(&w->map, hash, (void *)(uintptr_t)w->texts.n);
    return (uint32_t)w->texts.n - 1;
}

static uint32_t buf_index(writer *w, tsr_buf *b)
{
    uint32_t at = text_index(w, tsr_buf_text(b));
    tsr_buf_free(b);
    return at;
}

static void begin(writer *w, const char *name)
{
    tsr_buf_printf(w->out, ",\n\"%s\":[", name);
    w->first = true;
}

static void number(writer *w, int64_t n)
{
    if (!w->first)
        tsr_buf_char(w->out, ',');
    w->first = false;
    tsr_buf_int(w->out, n);
}

static void end(writer *w)
{
    tsr_buf_char(w->out, ']');
}

/* One number per node. */
static void column(writer *w, const char *name, int64_t (*of)(writer *w, const tsr_graph_node *n))
{
    begin(w, name);
    for (size_t i = 0; i < w->g->nodes.n; i++)
        number(w, of(w, &w->g->nodes.data[i]));
    end(w);
}

static int64_t title_of(writer *w, const tsr_graph_node *n)
{
    tsr_buf text = {0};
    tsr_graph_title(&text, w->g, n);
    return buf_index(w, &text);
}

static int64_t box_of(writer *w, const tsr_graph_node *n)
{
    (void)w;
    return n->box ? (int64_t)n->box->kind : 0;
}

static int64_t holds_of(writer *w, const tsr_graph_node *n)
{
    (void)w;
    return n->box ? (int64_t)n->box->nop : 0;
}

static int64_t body_of(writer *w, const tsr_graph_node *n)
{
    (void)w;
    return n->body == TSR_NO_NODE ? -1 : (int64_t)n->body;
}

/* Turns of a loop: 0 for other ops, -1 if they are not known. */
static int64_t turns_of(writer *w, const tsr_graph_node *n)
{
    (void)w;
    return n->op && tsr_flow_of(n->op) == TSR_FLOW_LOOP ? tsr_loop_turns(n->op) : 0;
}

static int64_t row_of(writer *w, const tsr_graph_node *n)
{
    (void)w;
    return n->row;
}

static int64_t col_of(writer *w, const tsr_graph_node *n)
{
    (void)w;
    return n->col;
}

static int64_t type_of(writer *w, const tsr_graph_node *n)
{
    if (!n->value)
        return -1;
    tsr_str type = tsr_type_print(n->value->type);
    uint32_t at = text_index(w, type);
    tsr_free((void *)type.data);
    return at;
}

static int64_t sharding_of(writer *w, const tsr_graph_node *n)
{
    (void)w;
    return n->sharding;
}

/* Bytes of all results, on each device. */
static int64_t bytes_of(writer *w, const tsr_graph_node *n)
{
    int64_t sum = 0;
    for (uint32_t i = 0; i < (n->op ? n->op->nout : n->value != NULL); i++) {
        const tsr_value *v = n->op ? &n->op->out[i] : n->value;
        tsr_shardings *table = (tsr_shardings *)&w->g->table;
        int64_t bytes =
            tsr_local_bytes(v->type, tsr_sharding_decode(table, tsr_sdy_sharding_of(v)));
        sum = bytes < 0 || sum < 0 || sum > INT64_MAX - bytes ? -1 : sum + bytes;
    }
    return sum;
}

/* ---- Source locations ---- */

static tsr_loc loc_of(const tsr_graph_node *n)
{
    if (n->box)
        return TSR_LOC_UNKNOWN;
    return n->op ? n->op->loc : n->value->block->arg_locs[n->value->index];
}

/* "file:line:col", or a name, as in the location; without the file if it is the page's. */
static int64_t place_of(writer *w, const tsr_graph_node *n)
{
    tsr_str file;
    uint32_t line, col;
    tsr_ctx *ctx = w->g->m->ctx;
    tsr_loc loc = loc_of(n);
    tsr_buf text = {0};
    if (n->op || n->box ? tsr_loc_name(&text, loc) : tsr_value_given_name(&text, n->value))
        tsr_buf_char(&text, ' ');
    if (tsr_loc_position(ctx, loc, &file, &line, &col))
        tsr_buf_printf(&text, "%.*s:%u:%u",
                       TSR_STR_ARG(tsr_str_eq(file, w->page->file) ? (tsr_str){0} : file), line,
                       col);
    if (!text.len)
        return -1;
    return buf_index(w, &text);
}

/* The number of the node's source line among those of all nodes; at most 240 bytes of a line are kept. */
static int64_t source_of(writer *w, const tsr_graph_node *n)
{
    tsr_str file;
    uint32_t line, col;
    const tsr_page *page = w->page;
    if (!tsr_loc_position(w->g->m->ctx, loc_of(n), &file, &line, &col) ||
        !tsr_str_eq(file, page->file) || !line || line > w->lines.n)
        return -1;
    if (w->source[line - 1])
        return w->source[line - 1] - 1;
    const char *p = page->text.data + w->lines.data[line - 1];
    size_t len = 0, left = page->text.len - w->lines.data[line - 1];
    for (; left && (*p == ' ' || *p == '\t'); left--)
        p++;
    while (len < left && p[len] != '\n' && len < 240)
        len++;
    while (len == 240 && len && ((unsigned char)p[len - 1] & 0x80))
        len--; /* do not cut a character */
    if (w->nsource)
        tsr_buf_char(&w->sources, '\n');
    tsr_buf_str(&w->sources, (tsr_str){p, len});
    w->source[line - 1] = ++w->nsource;
    return w->nsource - 1;
}

static void find_lines(writer *w)
{
    tsr_str text = w->page->text;
    for (size_t i = 0; i < text.len; i++)
        if (!i || text.data[i - 1] == '\n')
            tsr_vec_push(&w->lines, i);
    w->source = tsr_arena_zalloc(&w->arena, (w->lines.n + 1) * sizeof *w->source);
}

/* ---- Parts ---- */

static void groups(writer *w)
{
    begin(w, "groups");
    for (size_t i = 0; i < w->g->groups.n; i++) {
        const tsr_graph_group *group = &w->g->groups.data[i];
        number(w, group->parent == TSR_NO_NODE ? -1 : (int64_t)group->parent);
        number(w, group->n);
        number(w, group->open);
    }
    end(w);
}

/* The number of values that each node uses, and the distance back to the definition of each. */
static void edges(writer *w)
{
    const tsr_graph *g = w->g;
    begin(w, "uses");
    for (size_t i = 0; i < g->nodes.n; i++)
        number(w, g->used_starts[i + 1] - g->used_starts[i]);
    end(w);
    begin(w, "from");
    for (size_t i = 0; i < g->nodes.n; i++)
        for (uint32_t e = g->used_starts[i]; e < g->used_starts[i + 1]; e++)
            number(w, (int64_t)i - g->used[e]);
    end(w);
}

static void names(writer *w)
{
    tsr_buf_cstr(w->out, ",\n\"names\":[");
    for (size_t i = 0; i < w->g->nodes.n; i++) {
        const tsr_value *v = w->g->nodes.data[i].value;
        tsr_buf_cstr(w->out, i ? "," : "");
        tsr_buf_json(w->out, v ? w->g->names[v->id] : (tsr_str){0});
    }
    end(w);
}

static void sharding_json(tsr_buf *out, const tsr_graph_sharding *s)
{
    tsr_buf text = {0};
    tsr_graph_cut(&text, s->sharding);
    tsr_buf_cstr(out, "{\"text\":");
    tsr_buf_json(out, tsr_buf_text(&text));
    tsr_buf_free(&text);
    tsr_buf_printf(out, ",\"colour\":%u,\"mesh\":", s->colour);
    const tsr_attr *ref = s->sharding->mesh->ref;
    tsr_buf_json(out, ref->kind == TSR_ATTR_SYMBOL ? ref->s : TSR_STR(""));
    tsr_buf_cstr(out, ",\"dims\":[");
    for (uint32_t d = 0; d < s->sharding->rank; d++) {
        const tsr_axes *axes = s->sharding->dims[d].axes;
        tsr_buf_cstr(out, d ? ",[" : "[");
        for (uint32_t i = 0; i < axes->n; i++)
            tsr_buf_printf(out, "%s[%u,%lld,%lld]", i ? "," : "", (unsigned)axes->data[i].axis,
                           (long long)axes->data[i].pre, (long long)axes->data[i].size);
        tsr_buf_char(out, ']');
    }
    tsr_buf_cstr(out, "],\"sizes\":[");
    for (uint32_t i = 0; i < s->sharding->mesh->naxis; i++)
        tsr_buf_printf(out, "%s%lld", i ? "," : "", (long long)s->sharding->mesh->sizes[i]);
    tsr_buf_cstr(out, "]}");
}

static void shardings(writer *w)
{
    tsr_buf_cstr(w->out, ",\n\"shardings\":[");
    for (size_t i = 0; i < w->g->shardings.n; i++) {
        tsr_buf_cstr(w->out, i ? ",\n" : "");
        sharding_json(w->out, &w->g->shardings.data[i]);
    }
    end(w);
}

static void texts(writer *w)
{
    tsr_buf_cstr(w->out, ",\n\"texts\":[");
    for (size_t i = 0; i < w->texts.n; i++) {
        tsr_buf_cstr(w->out, i ? "," : "");
        tsr_buf_json(w->out, w->texts.data[i]);
    }
    end(w);
}

/* ---- Memory ---- */

static void position(tsr_buf *out, tsr_ctx *ctx, tsr_loc loc)
{
    tsr_str file;
    uint32_t line, col;
    if (tsr_loc_position(ctx, loc, &file, &line, &col))
        tsr_buf_printf(out, ",%u,%u", line, col);
    else
        tsr_buf_cstr(out, ",0,0");
}

static void alive_json(tsr_buf *out, const tsr_plan_alive *a, const tsr_str *value_names,
                       tsr_ctx *ctx)
{
    const tsr_value *v = a->value;
    tsr_str type = tsr_type_print(v->type);
    tsr_buf name = {0};
    tsr_buf_char(out, '[');
    tsr_buf_json(out, tsr_value_given_name(&name, v) ? tsr_buf_text(&name) : value_names[v->id]);
    tsr_buf_free(&name);
    tsr_buf_char(out, ',');
    tsr_buf_json(out, v->is_arg ? TSR_STR("argument") : v->op->def->name);
    tsr_buf_char(out, ',');
    tsr_buf_json(out, type);
    tsr_buf_printf(out, ",%lld", (long long)a->bytes);
    position(out, ctx, v->is_arg ? v->block->arg_locs[v->index] : v->op->loc);
    tsr_buf_char(out, ']');
    tsr_free((void *)type.data);
}

/* For each op of the body, in program order: its name, bytes, line and column. */
static void memory(writer *w)
{
    const tsr_shard_plan *plan = w->view->plan;
    tsr_module *planned = plan->func->module;
    tsr_ctx *ctx = planned->ctx;
    const tsr_str *value_names = tsr_value_names(&w->arena, planned);
    tsr_buf_printf(w->out, ",\n\"memory\":{\"peak_at\":%zu,\"alive\":[", plan->peak_at);
    for (size_t i = 0; i < plan->alive.n; i++) {
        tsr_buf_cstr(w->out, i ? ",\n" : "");
        alive_json(w->out, &plan->alive.data[i], value_names, ctx);
    }
    tsr_buf_cstr(w->out, "],\"moments\":[");
    for (size_t i = 0; i < plan->moments.n; i++) {
        const tsr_plan_moment *moment = &plan->moments.data[i];
        tsr_buf_printf(w->out, "%s[%u,%lld", i ? "," : "", text_index(w, moment->op->def->name),
                       (long long)moment->live);
        position(w->out, ctx, moment->op->loc);
        tsr_buf_char(w->out, ']');
    }
    tsr_buf_cstr(w->out, "]}");
}

/* ---- Views ---- */

typedef struct {
    const char *name;
    int64_t (*of)(writer *w, const tsr_graph_node *n);
} columns;

static void put_columns(writer *w, const columns *list, size_t n)
{
    for (size_t i = 0; i < n; i++)
        column(w, list[i].name, list[i].of);
}

static void raw_member(writer *w, const char *name, tsr_str json)
{
    if (json.len)
        tsr_buf_printf(w->out, ",\n\"%s\":%.*s", name, TSR_STR_ARG(json));
}

/* The parts that depend on shardings, and the texts of the view. */
static void end_view(writer *w)
{
    static const columns by_sharding[] = {{"sharding", sharding_of}, {"bytes", bytes_of}};
    put_columns(w, by_sharding, TSR_COUNT(by_sharding));
    shardings(w);
    if (w->view->plan) {
        if (w->all)
            memory(w);
        tsr_buf_cstr(w->out, ",\n\"plan\":");
        tsr_shard_plan_json(w->out, w->view->plan);
    }
    raw_member(w, "whys", w->view->whys);
    if (w->all || !w->view->program.len) {
        raw_member(w, "program", w->view->program);
    } else { /* as a text, which the page reads when it is asked for times or memory */
        tsr_buf_cstr(w->out, ",\n\"program\":");
        tsr_buf_json(w->out, w->view->program);
    }
    raw_member(w, "figures", w->view->figures);
    raw_member(w, "step", w->view->step);
    texts(w);
    tsr_buf_char(w->out, '}');
}

static void diffs(writer *w)
{
    begin(w, "diff");
    for (size_t i = 0; i < w->g->nodes.n; i++)
        number(w, w->view->diff[i]);
    end(w);
}

static void whole_view(writer *w)
{
    static const columns fixed[] = {{"title", title_of}, {"row", row_of},     {"col", col_of},
                                    {"type", type_of},   {"place", place_of}, {"source", source_of},
                                    {"box", box_of},     {"holds", holds_of}, {"body", body_of},
                                    {"turns", turns_of}};
    const tsr_graph *g = w->g;
    tsr_buf_cstr(w->out, "{\"label\":");
    tsr_buf_json(w->out, tsr_cstr(w->view->label));
    tsr_buf_printf(w->out, ",\"node_count\":%zu,\"edge_count\":%u,\"layer_count\":%u",
                   (size_t)g->nodes.n, g->nused, g->nlayer);
    tsr_buf_printf(w->out, ",\"layout_steps\":%llu", (unsigned long long)g->steps);
    groups(w);
    put_columns(w, fixed, TSR_COUNT(fixed));
    tsr_buf_cstr(w->out,
                 ",\n\"sources\":"); /* one text: thousands of small ones take longer to read */
    tsr_buf_json(w->out, tsr_buf_text(&w->sources));
    names(w);
    edges(w);
    if (w->view->diff)
        diffs(w);
    end_view(w);
}

static void put_view(tsr_buf *out, const tsr_page *page, const tsr_page_view *view, bool whole,
                     bool all)
{
    writer w = {.page = page, .view = view, .g = view->graph, .out = out, .all = all};
    tsr_arena_init(&w.arena);
    find_lines(&w);
    if (whole) {
        whole_view(&w);
    } else {
        tsr_buf_cstr(out, "{\"same\":1");
        end_view(&w);
    }
    tsr_vec_free(&w.texts);
    tsr_vec_free(&w.lines);
    tsr_buf_free(&w.sources);
    tsr_map_free(&w.map);
    tsr_arena_free(&w.arena);
}

void tsr_page_json(tsr_buf *out, const tsr_page *page, bool all)
{
    tsr_buf raw = {0};
    tsr_buf_printf(&raw, "{\"version\":%d,\"file\":", page->version);
    tsr_buf_json(&raw, page->file);
    tsr_buf_printf(&raw, ",\"served\":%s", page->served ? "true" : "false");
    writer w = {.out = &raw};
    raw_member(&w, "given", page->given);
    raw_member(&w, "trace", page->trace);
    raw_member(&w, "goldens", page->goldens);
    tsr_buf_cstr(&raw, ",\n\"views\":[");
    for (size_t i = 0; i < page->nview; i++) {
        tsr_buf_cstr(&raw, i ? ",\n" : "");
        put_view(&raw, page, &page->views[i], true, all);
    }
    tsr_buf_cstr(&raw, "]}\n");
    tsr_text_visible(out, tsr_buf_text(&raw), TSR_VISIBLE_JSON);
    tsr_buf_free(&raw);
}

void tsr_page_answer(tsr_buf *out, const tsr_page *page, bool only_shardings)
{
    tsr_buf raw = {0};
    put_view(&raw, page, page->views, !only_shardings, false);
    if (page->views->look.len && raw.len) { /* before the brace at the end */
        raw.len--;
        tsr_buf_cstr(&raw, ",\n\"look\":");
        tsr_buf_json(&raw, page->views->look);
        tsr_buf_char(&raw, '}');
    }
    tsr_text_visible(out, tsr_buf_text(&raw), TSR_VISIBLE_JSON);
    tsr_buf_free(&raw);
}
