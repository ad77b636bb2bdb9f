/* SPDX-License-Identifier: Apache-2.0 */
/* place.c - computes coordinates of a graph and the text of its boxes. The page places its nodes in the same way
 * (page.html), because there groups open and close. */
#include "explore/graph.h"

enum { BOX_W = 168, BOX_H = 36, GAP_X = 14, GAP_Y = 30, PAD = 12 };

void tsr_graph_open(tsr_graph *g, const tsr_op *func, bool all)
{
    for (size_t i = 0; i < g->groups.n; i++) {
        tsr_graph_group *group = &g->groups.data[i];
        const tsr_op *parent =
            group->parent == TSR_NO_NODE ? NULL : g->nodes.data[group->parent].op;
        bool function = parent && group->depth == 1;
        group->open = all || !group->depth || (function && (!func || parent == func));
    }
}

/* A box is as large as its open groups, side by side. */
static void node_size(const tsr_graph *g, tsr_graph_node *n)
{
    int32_t w = PAD, h = 0;
    for (uint32_t i = 0; i < n->nin; i++) {
        const tsr_graph_group *group = &g->groups.data[n->inner + i];
        if (!group->open)
            continue;
        w += group->w + PAD;
        h = group->h + PAD > h ? group->h + PAD : h;
    }
    n->w = w > BOX_W ? w : BOX_W;
    n->h = BOX_H + h;
}

typedef struct {
    uint32_t begin, end; /* range in the group's order */
    int32_t w, h;
} row;

/* The row that begins at this position of the order. False: there are no more. */
static bool next_row(const tsr_graph *g, const tsr_graph_group *group, uint32_t begin, row *r)
{
    const uint32_t *order = g->order + group->first;
    *r = (row){.begin = begin, .end = begin, .w = -GAP_X};
    while (r->end < group->n &&
           g->nodes.data[order[r->end]].row == g->nodes.data[order[begin]].row) {
        const tsr_graph_node *n = &g->nodes.data[order[r->end++]];
        r->w += n->w + GAP_X;
        r->h = n->h > r->h ? n->h : r->h;
    }
    return r->end > begin;
}

static void group_size(tsr_graph *g, tsr_graph_group *group)
{
    row r;
    group->w = group->h = 0;
    for (uint32_t i = 0; i < group->n; i++)
        node_size(g, &g->nodes.data[group->first + i]);
    for (uint32_t at = 0; next_row(g, group, at, &r); at = r.end) {
        group->w = r.w > group->w ? r.w : group->w;
        group->h += r.h + (at ? GAP_Y : 0);
    }
}

/* Rows are centred in their group. */
static void place_group(tsr_graph *g, const tsr_graph_group *group, int32_t x, int32_t y)
{
    row r;
    for (uint32_t at = 0; next_row(g, group, at, &r); at = r.end) {
        int32_t left = x + (group->w - r.w) / 2;
        for (uint32_t i = r.begin; i < r.end; i++) {
            tsr_graph_node *n = &g->nodes.data[g->order[group->first + i]];
            n->x = left;
            n->y = y;
            left += n->w + GAP_X;
        }
        y += r.h + GAP_Y;
    }
}

static void hide_group(tsr_graph *g, const tsr_graph_group *group)
{
    for (uint32_t i = 0; i < group->n; i++)
        g->nodes.data[group->first + i].w = 0;
}

void tsr_graph_place(tsr_graph *g)
{
    for (size_t i = g->groups.n; i-- > 0;) /* inner groups come later in the list */
        group_size(g, &g->groups.data[i]);
    int32_t y = 0;
    for (size_t i = 0; i < g->groups.n; i++)
        if (g->groups.data[i].parent == TSR_NO_NODE) {
            place_group(g, &g->groups.data[i], 0, y);
            y += g->groups.data[i].h + GAP_Y;
        }
    for (size_t i = 0; i < g->nodes.n; i++) {
        const tsr_graph_node *n = &g->nodes.data[i];
        int32_t x = n->x + PAD;
        for (uint32_t k = 0; k < n->nin; k++) {
            tsr_graph_group *group = &g->groups.data[n->inner + k];
            if (!n->w || !group->open) {
                hide_group(g, group);
                continue;
            }
            place_group(g, group, x, n->y + BOX_H);
            x += group->w + PAD;
        }
    }
}

/* ---- Text of boxes ---- */

void tsr_graph_title(tsr_buf *out, const tsr_graph *g, const tsr_graph_node *n)
{
    if (n->box) {
        tsr_buf_str(out, n->box->label);
        if (n->box->kind == TSR_BOX_FOLD)
            tsr_buf_printf(out, " \u00d7%u", n->box->turns);
        if (n->box->kind != TSR_BOX_ARGS)
            tsr_buf_printf(out, ", %u ops", n->box->nop);
        return;
    }
    if (!n->op) {
        tsr_buf_str(out, g->names[n->value->id]);
        return;
    }
    tsr_buf_str(out, n->op->def->name);
    tsr_str symbol = tsr_op_symbol(n->op);
    const tsr_attr *callee =
        tsr_op_has(n->op, TSR_TRAIT(CALL)) ? tsr_op_attr(n->op, TSR_STR("callee")) : NULL;
    if (tsr_attr_is(callee, TSR_ATTR_SYMBOL))
        symbol = callee->s;
    if (symbol.len)
        tsr_buf_printf(out, " @%.*s", TSR_STR_ARG(symbol));
}

static void axes_text(tsr_buf *out, const tsr_mesh *mesh, const tsr_axes *axes)
{
    for (uint32_t i = 0; i < axes->n; i++) {
        tsr_axis a = axes->data[i];
        tsr_buf_cstr(out, i ? ", " : "");
        tsr_buf_json(out, tsr_mesh_axis_name(mesh, a.axis)->s);
        if (a.size != mesh->sizes[a.axis])
            tsr_buf_printf(out, ":(%lld)%lld", (long long)a.pre, (long long)a.size);
    }
}

void tsr_graph_cut(tsr_buf *out, const tsr_sharding *s)
{
    if (!s) {
        tsr_buf_cstr(out, "replicated");
        return;
    }
    tsr_buf_char(out, '[');
    for (uint32_t d = 0; d < s->rank; d++) {
        tsr_buf_cstr(out, d ? ", {" : "{");
        axes_text(out, s->mesh, s->dims[d].axes);
        tsr_buf_char(out, '}');
    }
    tsr_buf_char(out, ']');
    if (s->unreduced->n) {
        tsr_buf_cstr(out, ", unreduced={");
        axes_text(out, s->mesh, s->unreduced);
        tsr_buf_char(out, '}');
    }
}

uint32_t tsr_graph_colour(const tsr_graph *g, const tsr_graph_node *n)
{
    return n->sharding < 0 ? 0 : g->shardings.data[n->sharding].colour;
}
