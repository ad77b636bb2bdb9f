/* SPDX-License-Identifier: Apache-2.0 */
/* view_op_graph.c - writes the ops inside as a graph for Graphviz, through the run's report hook: ops are nodes, values
 * edges, regions clusters. Needs nothing; keeps everything; breaks nothing. */
#include "pass/pass.h"

typedef struct {
    tsr_buf *out;
    const tsr_pass *p;
    bool types, attrs, edges;
    size_t longest;
} graph;

/* A label: at most this many bytes, with characters special to Graphviz escaped. */
static void label(const graph *g, tsr_str text)
{
    size_t n = text.len < g->longest ? text.len : g->longest;
    while (n < text.len && n && ((unsigned char)text.data[n] & 0xC0) == 0x80)
        n--;
    for (size_t i = 0; i < n; i++) {
        char c = text.data[i];
        if (c == '"' || c == '\\')
            tsr_buf_char(g->out, '\\');
        if (c == '\n')
            tsr_buf_cstr(g->out, "\\n");
        else if ((unsigned char)c >= 0x20)
            tsr_buf_char(g->out, c);
    }
    if (n < text.len)
        tsr_buf_cstr(g->out, "...");
}

static void label_type(const graph *g, const tsr_type *type)
{
    tsr_buf text = {0};
    if (g->p->ctx->print_type)
        g->p->ctx->print_type(&text, type);
    tsr_buf_cstr(g->out, "\\n");
    label(g, tsr_buf_text(&text));
    tsr_buf_free(&text);
}

static void label_attr(const graph *g, tsr_str name, const tsr_attr *attr)
{
    tsr_buf text = {0};
    if (!attr)
        return;
    tsr_buf_str(&text, name);
    tsr_buf_cstr(&text, ": ");
    if (g->p->ctx->print_attr)
        g->p->ctx->print_attr(g->p->ctx, &text, attr);
    tsr_buf_cstr(g->out, "\\n");
    label(g, tsr_buf_text(&text));
    tsr_buf_free(&text);
}

static void put_region(const graph *g, tsr_region *region, int depth);

static void indent(const graph *g, int depth)
{
    tsr_buf_printf(g->out, "%*s", 2 * depth, "");
}

static void put_op(const graph *g, tsr_op *op, int depth)
{
    indent(g, depth);
    tsr_buf_printf(g->out, "op%u [shape = box, label = \"", op->id);
    label(g, op->def->name);
    tsr_str symbol = tsr_op_symbol(op);
    if (symbol.len) {
        tsr_buf_cstr(g->out, " @");
        label(g, symbol);
    }
    for (uint32_t i = 0; g->attrs && i < op->def->nslot; i++)
        label_attr(g, tsr_cstr(op->def->slots[i].name), op->attrs[i]);
    for (uint32_t i = 0; g->types && i < op->nout; i++)
        label_type(g, op->out[i].type);
    tsr_buf_cstr(g->out, "\"];\n");
    for (uint32_t i = 0; i < op->nregion; i++)
        put_region(g, &op->regions[i], depth);
}

static void put_region(const graph *g, tsr_region *region, int depth)
{
    if (!region->first)
        return;
    indent(g, depth);
    tsr_buf_printf(g->out, "subgraph cluster_%u {\n", region->first->id);
    TSR_REGION_BLOCKS (region, b) {
        for (uint32_t i = 0; i < b->nargs; i++) {
            indent(g, depth + 1);
            tsr_buf_printf(g->out, "arg%u [shape = ellipse, label = \"arg %u", b->args[i]->id, i);
            if (g->types)
                label_type(g, b->args[i]->type);
            tsr_buf_cstr(g->out, "\"];\n");
        }
        TSR_BLOCK_OPS (b, op)
            put_op(g, op, depth + 1);
    }
    indent(g, depth);
    tsr_buf_cstr(g->out, "}\n");
}

static void put_edges(const graph *g, tsr_op *root)
{
    TSR_OPS (root, op)
        for (uint32_t i = 0; i < op->nin; i++) {
            const tsr_value *v = op->in[i].value;
            tsr_buf_printf(g->out, "  %s%u -> op%u", v->is_arg ? "arg" : "op",
                           v->is_arg ? v->id : v->op->id, op->id);
            if (op->nin > 1)
                tsr_buf_printf(g->out, " [label = \"%u\"]", i);
            tsr_buf_cstr(g->out, ";\n");
        }
}

bool pass_view_op_graph(tsr_pass *p, tsr_op *root)
{
    tsr_buf out = {0};
    int64_t longest = tsr_pass_int(p, "max-label-len");
    graph g = {.out = &out,
               .p = p,
               .types = tsr_pass_bool(p, "print-result-types"),
               .attrs = tsr_pass_bool(p, "print-attrs"),
               .edges = tsr_pass_bool(p, "print-data-flow-edges"),
               .longest = longest < 0 ? SIZE_MAX : (size_t)longest};
    tsr_buf_cstr(&out, "digraph G {\n  compound = true;\n");
    put_op(&g, root, 1);
    if (g.edges)
        put_edges(&g, root);
    tsr_buf_cstr(&out, "}\n");
    if (p->options->report)
        p->options->report(p->options->user, tsr_buf_text(&out));
    tsr_buf_free(&out);
    return true;
}
