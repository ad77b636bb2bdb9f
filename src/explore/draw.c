/* SPDX-License-Identifier: Apache-2.0 */
/* draw.c - writes a graph for other tools: in Graphviz's language, and as SVG. */
#include "explore/graph.h"

#include "text/text.h"

/* Colours that can be told apart with any kind of colour vision; grey is undivided. */
static const char *const colours[] = {"#d9d9d9", "#e69f00", "#56b4e9", "#009e73",
                                      "#f0e442", "#0072b2", "#d55e00", "#cc79a7"};

static const char *colour_of(const tsr_graph *g, const tsr_graph_node *n)
{
    uint32_t c = tsr_graph_colour(g, n);
    return colours[c ? 1 + (c - 1) % (TSR_COUNT(colours) - 1) : 0];
}

/* The type of a node's value and how it is divided; empty without a value. */
static void about(tsr_buf *out, const tsr_graph *g, const tsr_graph_node *n)
{
    if (!n->value)
        return;
    tsr_str type = tsr_type_print(n->value->type);
    tsr_buf_str(out, type);
    tsr_free((void *)type.data);
    if (n->sharding >= 0) {
        tsr_buf_char(out, ' ');
        tsr_graph_cut(out, g->shardings.data[n->sharding].sharding);
    }
}

/* At most this many bytes of a text, cut between characters and escaped. */
static void short_text(tsr_buf *out, tsr_buf *text, size_t most, tsr_visible where)
{
    size_t n = text->len;
    if (n > most)
        for (n = most; n && ((unsigned char)text->data[n] & 0xC0) == 0x80;)
            n--;
    tsr_text_visible(out, (tsr_str){text->data ? text->data : "", n}, where);
    if (n < text->len)
        tsr_buf_cstr(out, "...");
    tsr_buf_free(text);
}

static void title_text(tsr_buf *out, const tsr_graph *g, const tsr_graph_node *n, size_t most,
                       tsr_visible where)
{
    tsr_buf text = {0};
    if (n->op || n->box || !tsr_value_given_name(&text, n->value))
        tsr_graph_title(&text, g, n);
    short_text(out, &text, most, where);
}

static void about_text(tsr_buf *out, const tsr_graph *g, const tsr_graph_node *n, size_t most,
                       tsr_visible where)
{
    tsr_buf text = {0};
    about(&text, g, n);
    short_text(out, &text, most, where);
}

/* ---- Graphviz ---- */

static void dot_node(tsr_buf *out, const tsr_graph *g, uint32_t i)
{
    const tsr_graph_node *n = &g->nodes.data[i];
    tsr_buf_printf(out, "  n%u [label=\"", i);
    title_text(out, g, n, 60, TSR_VISIBLE_DOT);
    if (n->value) {
        tsr_buf_cstr(out, "\\n");
        about_text(out, g, n, 80, TSR_VISIBLE_DOT);
    }
    tsr_buf_printf(out, "\", fillcolor=\"%s\"];\n", colour_of(g, n));
}

/* Each open group is a cluster beside the others, with a dotted edge to it from the op that contains it. */
static void dot_group(tsr_buf *out, const tsr_graph *g, uint32_t i)
{
    const tsr_graph_group *group = &g->groups.data[i];
    bool cluster = group->parent != TSR_NO_NODE;
    if (cluster) {
        tsr_buf_printf(out, "  subgraph cluster%u {\n  label=\"", i);
        title_text(out, g, &g->nodes.data[group->parent], 60, TSR_VISIBLE_DOT);
        tsr_buf_cstr(out, "\";\n");
    }
    for (uint32_t k = 0; k < group->n; k++)
        if (g->nodes.data[group->first + k].w)
            dot_node(out, g, group->first + k);
    if (cluster)
        tsr_buf_cstr(out, "  }\n");
}

void tsr_graph_dot(tsr_buf *out, const tsr_graph *g)
{
    tsr_buf_cstr(out, "digraph tessera {\n  node [shape=box, style=\"filled,rounded\", "
                      "fontname=\"sans-serif\", fontsize=10];\n");
    for (uint32_t i = 0; i < g->groups.n; i++)
        if (g->groups.data[i].n && g->nodes.data[g->groups.data[i].first].w)
            dot_group(out, g, i);
    for (uint32_t i = 0; i < g->nodes.n; i++) {
        const tsr_graph_node *n = &g->nodes.data[i];
        for (uint32_t e = g->starts[i]; n->w && e < g->starts[i + 1]; e++)
            tsr_buf_printf(out, "  n%u -> n%u;\n", g->from[e], i);
        const tsr_graph_group *group = &g->groups.data[n->group]; /* the node that contains it */
        if (n->w && group->parent != TSR_NO_NODE && i == group->first)
            tsr_buf_printf(out, "  n%u -> n%u [style=dotted, arrowhead=none];\n", group->parent, i);
    }
    tsr_buf_cstr(out, "}\n");
}

/* ---- SVG ---- */

static void svg_edge(tsr_buf *out, const tsr_graph_node *a, const tsr_graph_node *b)
{
    int32_t x = a->x + a->w / 2, y = a->y + a->h, x2 = b->x + b->w / 2, y2 = b->y,
            mid = (y + y2) / 2;
    tsr_buf_printf(out, "<path d=\"M%d %dC%d %d %d %d %d %d\"/>\n", x, y, x, mid, x2, mid, x2, y2);
}

static void svg_node(tsr_buf *out, const tsr_graph *g, const tsr_graph_node *n)
{
    bool open = n->nin && g->groups.data[n->inner].open;
    tsr_buf_cstr(out, "<g><title>");
    title_text(out, g, n, 400, TSR_VISIBLE_XML);
    tsr_buf_char(out, ' ');
    about_text(out, g, n, 400, TSR_VISIBLE_XML);
    tsr_buf_printf(
        out, "</title><rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" rx=\"4\" fill=\"%s\"/>",
        n->x, n->y, n->w, n->h, open ? "#ffffff" : colour_of(g, n));
    tsr_buf_printf(out, "<text stroke=\"none\" x=\"%d\" y=\"%d\">", n->x + 6, n->y + 14);
    title_text(out, g, n, 26, TSR_VISIBLE_XML);
    tsr_buf_printf(out, "</text><text stroke=\"none\" x=\"%d\" y=\"%d\">", n->x + 6, n->y + 28);
    about_text(out, g, n, 26, TSR_VISIBLE_XML);
    tsr_buf_cstr(out, "</text></g>\n");
}

void tsr_graph_svg(tsr_buf *out, const tsr_graph *g)
{
    int32_t w = 0, h = 0;
    for (size_t i = 0; i < g->nodes.n; i++) {
        const tsr_graph_node *n = &g->nodes.data[i];
        w = n->w && n->x + n->w > w ? n->x + n->w : w;
        h = n->w && n->y + n->h > h ? n->y + n->h : h;
    }
    tsr_buf_printf(out,
                   "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"-10 -10 %d %d\" "
                   "font-family=\"sans-serif\" font-size=\"11\">\n",
                   w + 20, h + 20);
    tsr_buf_cstr(out,
                 "<rect x=\"-10\" y=\"-10\" width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n"
                 "<g stroke=\"#555555\" stroke-width=\"0.5\">\n");
    for (size_t i = 0; i < g->nodes.n; i++)
        if (g->nodes.data[i].w)
            svg_node(out, g, &g->nodes.data[i]);
    tsr_buf_cstr(out, "</g>\n<g fill=\"none\" stroke=\"#555555\" stroke-opacity=\"0.6\">\n");
    for (uint32_t i = 0; i < g->nodes.n; i++)
        for (uint32_t e = g->starts[i]; g->nodes.data[i].w && e < g->starts[i + 1]; e++)
            svg_edge(out, &g->nodes.data[g->from[e]], &g->nodes.data[i]);
    tsr_buf_cstr(out, "</g>\n</svg>\n");
}
