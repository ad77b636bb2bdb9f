/* SPDX-License-Identifier: Apache-2.0 */
/* graph.c - see graph.h: nodes, groups and edges, and the row and column of each node. Every loop is over nodes or
 * edges, a fixed number of times. */
#include "explore/graph.h"

#include "text/text.h"

/* A row with more nodes than this is split into several: its nodes do not depend on each other. */
enum { ROW_MOST = 24 };

typedef struct {
    uint32_t from, to;
} edge;

typedef struct {
    tsr_graph *g;
    uint32_t *node_of;      /* by value id */
    TSR_VEC(int32_t) by_id; /* by id of a sharding: its index; -1: not yet listed */
    TSR_VEC(edge) edges, uses;
    tsr_op **caller; /* by id of a function's op: the op that shows its body; NULL: itself */
} maker;

/* ---- Nodes and groups ---- */

/* The axes that divide some dimension, one bit each; those beyond 63 share one. */
static uint64_t axes_of(const tsr_sharding *s)
{
    uint64_t axes = 0;
    for (uint32_t d = 0; d < s->rank; d++)
        for (uint32_t i = 0; i < s->dims[d].axes->n; i++) {
            uint32_t axis = s->dims[d].axes->data[i].axis;
            axes |= (uint64_t)1 << (axis < 63 ? axis : 63);
        }
    return axes;
}

/* Shardings by the same axes have one colour: 0 means undivided. */
static uint32_t colour_of(tsr_graph *g, const tsr_sharding *s)
{
    uint64_t axes = axes_of(s);
    for (uint32_t i = 0; axes && i < g->ncolour; i++)
        if (g->colour_axes[i] == axes)
            return i + 1;
    if (!axes || g->ncolour == TSR_COUNT(g->colour_axes))
        return axes ? g->ncolour : 0;
    g->colour_axes[g->ncolour] = axes;
    return ++g->ncolour;
}

static int32_t sharding_of(maker *k, const tsr_value *v)
{
    tsr_graph *g = k->g;
    const tsr_sharding *s = v ? tsr_sharding_decode(&g->table, tsr_sdy_sharding_of(v)) : NULL;
    if (!s)
        return -1;
    while (k->by_id.n <= s->id)
        tsr_vec_push(&k->by_id, -1);
    if (k->by_id.data[s->id] < 0) {
        k->by_id.data[s->id] = (int32_t)g->shardings.n;
        tsr_vec_push(&g->shardings, ((tsr_graph_sharding){s, colour_of(g, s)}));
    }
    return k->by_id.data[s->id];
}

static void add_node(maker *k, tsr_op *op, const tsr_value *value, uint32_t group)
{
    tsr_graph *g = k->g;
    uint32_t at = (uint32_t)g->nodes.n;
    tsr_graph_node n = {
        .op = op, .value = value, .group = group, .body = TSR_NO_NODE, .sharding = -1};
    if (!op)
        k->node_of[value->id] = at;
    for (uint32_t i = 0; op && i < op->nout; i++)
        k->node_of[op->out[i].id] = at;
    n.sharding = sharding_of(k, value);
    tsr_vec_push(&g->nodes, n);
}

static uint32_t begin_group(maker *k, uint32_t parent, tsr_graph_group *made)
{
    const tsr_graph *g = k->g;
    *made = (tsr_graph_group){.parent = parent, .first = (uint32_t)g->nodes.n};
    if (parent != TSR_NO_NODE)
        made->depth = g->groups.data[g->nodes.data[parent].group].depth + 1;
    return (uint32_t)g->groups.n;
}

static void end_group(maker *k, tsr_graph_group *made)
{
    made->n = (uint32_t)k->g->nodes.n - made->first;
    tsr_vec_push(&k->g->groups, *made);
}

static void add_items(maker *k, const tsr_item *items, uint32_t n, uint32_t group)
{
    for (uint32_t i = 0; i < n; i++) {
        tsr_op *op = items[i].op;
        if (items[i].box) {
            tsr_graph_node box = {
                .box = items[i].box, .group = group, .sharding = -1, .body = TSR_NO_NODE};
            tsr_vec_push(&k->g->nodes, box);
        } else {
            add_node(k, op, op ? (op->nout ? &op->out[0] : NULL) : items[i].arg, group);
        }
    }
}

static void add_block(maker *k, tsr_block *block, uint32_t parent)
{
    tsr_graph_group made;
    uint32_t group = begin_group(k, parent, &made), n;
    const tsr_item *items =
        tsr_scope_items(k->g->arena, block, parent != TSR_NO_NODE, &n, &k->g->nlayer, &k->g->steps);
    add_items(k, items, n, group);
    end_group(k, &made);
}

static void add_box(maker *k, const tsr_box *box, uint32_t parent)
{
    tsr_graph_group made;
    uint32_t group = begin_group(k, parent, &made);
    add_items(k, box->items, box->n, group);
    end_group(k, &made);
}

/* ---- Functions that are called ---- */

static tsr_op *callee_of(tsr_op *op)
{
    tsr_op *f = tsr_op_has(op, TSR_TRAIT(CALL))
                    ? tsr_symbol_resolve(op, tsr_op_attr(op, TSR_STR("callee")))
                    : NULL;
    return f && f->nregion && f->regions[0].first ? f : NULL;
}

static bool is_private(const tsr_op *f)
{
    const tsr_attr *how = tsr_op_attr(f, TSR_STR("sym_visibility"));
    return tsr_attr_is(how, TSR_ATTR_STRING) && tsr_str_is(how->s, "private");
}

/* The first op that calls each private function, by id of the function's op: calls are followed from the functions that
 * anybody may call. */
static void find_callers(maker *k)
{
    TSR_VEC(tsr_op *) open = {0};
    tsr_module *m = k->g->m;
    k->caller = TSR_NEW_ARRAY(k->g->arena, tsr_op *, (size_t)m->nop + 1);
    TSR_BLOCK_OPS (m->op->regions[0].first, op)
        if (!is_private(op))
            tsr_vec_push(&open, op);
    for (size_t i = 0; i < open.n; i++)
        TSR_OPS (open.data[i], op) {
            tsr_op *f = callee_of(op);
            if (!f || k->caller[f->id] || !is_private(f))
                continue;
            k->caller[f->id] = op;
            tsr_vec_push(&open, f);
        }
    tsr_vec_free(&open);
}

/* The op whose regions are shown in this one: itself, or what it calls first; NULL: they are shown elsewhere. */
static tsr_op *shown_in(maker *k, tsr_op *op)
{
    tsr_op *f = callee_of(op);
    if (f && k->caller[f->id] == op)
        return f;
    return k->caller[op->id] ? NULL : op;
}

/* Groups are added in breadth-first order, so that deep nesting needs no recursion. */
static void add_all(maker *k)
{
    tsr_graph *g = k->g;
    find_callers(k);
    TSR_REGION_BLOCKS (&g->m->op->regions[0], b)
        add_block(k, b, TSR_NO_NODE);
    for (uint32_t i = 0; i < g->nodes.n; i++) {
        tsr_op *op = g->nodes.data[i].op;
        uint32_t first = (uint32_t)g->groups.n;
        if (g->nodes.data[i].box)
            add_box(k, g->nodes.data[i].box, i);
        tsr_op *shown = op ? shown_in(k, op) : NULL;
        for (uint32_t r = 0; shown && r < shown->nregion; r++)
            TSR_REGION_BLOCKS (&shown->regions[r], b)
                add_block(k, b, i);
        g->nodes.data[i].inner = first;
        g->nodes.data[i].nin = (uint32_t)g->groups.n - first;
    }
}

/* For functions shown in a call of them, and for other calls: where that is. */
static void find_bodies(maker *k)
{
    tsr_graph *g = k->g;
    uint32_t *at = TSR_NEW_ARRAY(g->arena, uint32_t, (size_t)g->m->nop + 1);
    for (uint32_t i = 0; i < g->nodes.n; i++)
        if (g->nodes.data[i].op)
            at[g->nodes.data[i].op->id] = i;
    for (uint32_t i = 0; i < g->nodes.n; i++) {
        tsr_op *op = g->nodes.data[i].op, *f = op ? callee_of(op) : NULL;
        const tsr_op *caller = op ? k->caller[f ? f->id : op->id] : NULL;
        if (caller && caller != op)
            g->nodes.data[i].body = at[caller->id];
        else if (f && !caller)
            g->nodes.data[i].body = at[f->id];
    }
}

/* ---- Edges ---- */

/* The enclosing node. */
static uint32_t outer(tsr_graph *g, uint32_t node)
{
    g->steps++;
    return g->groups.data[g->nodes.data[node].group].parent;
}

static uint32_t depth(const tsr_graph *g, uint32_t node)
{
    return g->groups.data[g->nodes.data[node].group].depth;
}

/* An edge connects two siblings: its ends, or the groups that contain them. */
static void add_edge(maker *k, uint32_t from, uint32_t to)
{
    tsr_graph *g = k->g;
    tsr_vec_push(&k->uses, ((edge){from, to}));
    while (from != TSR_NO_NODE && to != TSR_NO_NODE &&
           g->nodes.data[from].group != g->nodes.data[to].group) {
        uint32_t a = depth(g, from), b = depth(g, to);
        from = a >= b ? outer(g, from) : from;
        to = b >= a ? outer(g, to) : to;
    }
    if (from != TSR_NO_NODE && to != TSR_NO_NODE && from != to)
        tsr_vec_push(&k->edges, ((edge){from, to}));
}

/* Sorts edges by the node that uses them, with one counting sort. */
static void sort_edges(tsr_graph *g, const edge *edges, size_t nedge, uint32_t **starts,
                       uint32_t **from)
{
    size_t n = g->nodes.n;
    *starts = TSR_NEW_ARRAY(g->arena, uint32_t, n + 2);
    *from = TSR_NEW_ARRAY(g->arena, uint32_t, nedge + 1);
    uint32_t *at = *starts + 1;
    for (size_t i = 0; i < nedge; i++)
        if (edges[i].to + 1 < n)
            at[edges[i].to + 1]++;
    for (size_t i = 1; i < n; i++)
        at[i] += at[i - 1];
    for (size_t i = 0; i < nedge; i++)
        (*from)[at[edges[i].to]++] = edges[i].from;
    g->steps += 2 * nedge + n;
}

static void add_edges(maker *k)
{
    tsr_graph *g = k->g;
    for (uint32_t i = 0; i < g->nodes.n; i++) {
        const tsr_op *op = g->nodes.data[i].op;
        for (uint32_t j = 0; op && j < op->nin; j++)
            add_edge(k, k->node_of[op->in[j].value->id], i);
    }
    g->nedge = (uint32_t)k->edges.n;
    g->nused = (uint32_t)k->uses.n;
    sort_edges(g, k->edges.data, k->edges.n, &g->starts, &g->from);
    sort_edges(g, k->uses.data, k->uses.n, &g->used_starts, &g->used);
}

static void hash_shape(tsr_graph *g)
{
    uint64_t h = tsr_hash_mix(g->nodes.n + 1, g->groups.n + 1);
    for (size_t i = 0; i < g->nodes.n; i++)
        h = tsr_hash_mix(h, g->nodes.data[i].op ? tsr_hash_ptr(g->nodes.data[i].op->def) : 1);
    for (size_t i = 0; i < g->groups.n; i++)
        h = tsr_hash_mix(h, (uint64_t)g->groups.data[i].parent << 32 | g->groups.data[i].n);
    for (size_t i = 0; i < g->nused; i++)
        h = tsr_hash_mix(h, g->used[i] + 1);
    g->shape = h;
}

/* ---- Rows ---- */

/* A node is below everything that it uses, and an op then moves as low as its first user allows. Arguments stay at the
 * top. */
static void find_rows(tsr_graph *g)
{
    size_t n = g->nodes.n;
    uint32_t *user = TSR_NEW_ARRAY(g->arena, uint32_t, n + 1); /* the first row of one; 0: none */
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t e = g->starts[i]; e < g->starts[i + 1]; e++) {
            uint32_t from = g->from[e], row = from < i ? g->nodes.data[from].row + 1 : 0;
            if (row > g->nodes.data[i].row)
                g->nodes.data[i].row = row;
        }
    for (uint32_t i = (uint32_t)n; i-- > 0;) {
        if (g->nodes.data[i].op && user[i])
            g->nodes.data[i].row = user[i] - 1;
        for (uint32_t e = g->starts[i]; e < g->starts[i + 1]; e++) {
            uint32_t from = g->from[e], row = g->nodes.data[i].row;
            if (from < i && (!user[from] || row < user[from]))
                user[from] = row;
        }
    }
    g->steps += 2 * ((uint64_t)n + g->nedge);
}

/* Nodes of a group by row, in program order; ends[row] is the end of a row in order. */
static void by_row(tsr_graph *g, tsr_graph_group *group, uint32_t *order, uint32_t *ends)
{
    const tsr_graph_node *nodes = TSR_FROM(g->nodes.data, group->first);
    memset(ends, 0, sizeof *ends * ((size_t)group->n + 1));
    for (uint32_t i = 0; i < group->n; i++) {
        ends[nodes[i].row + 1]++;
        if (nodes[i].row + 1 > group->nrow)
            group->nrow = nodes[i].row + 1;
    }
    for (uint32_t r = 1; r <= group->nrow; r++)
        ends[r] += ends[r - 1];
    for (uint32_t i = 0; i < group->n; i++)
        order[ends[nodes[i].row]++] = group->first + i;
    g->steps += 2 * (uint64_t)group->n + group->nrow;
}

typedef struct {
    double *place;           /* by node: 0 is the left end of its row, 1 the right */
    uint32_t *count, *order; /* room for one row */
} sorter;

/* The position in its row that a node prefers: the middle of the nodes that it uses. A node that uses none stays. */
static double wish(tsr_graph *g, const sorter *s, uint32_t node, uint32_t i, uint32_t n)
{
    double sum = 0;
    uint32_t used = 0;
    for (uint32_t e = g->starts[node]; e < g->starts[node + 1]; e++)
        if (g->from[e] < node) {
            sum += s->place[g->from[e]];
            used++;
        }
    g->steps += g->starts[node + 1] - g->starts[node] + 1;
    return used ? sum / used : (i + 0.5) / n;
}

/* Sorts one row with as many buckets as it has nodes. */
static void sort_row(tsr_graph *g, sorter *s, uint32_t *row, uint32_t n)
{
    memset(s->count, 0, sizeof *s->count * ((size_t)n + 1));
    for (uint32_t i = 0; i < n; i++) {
        double w = wish(g, s, row[i], i, n);
        uint32_t bucket = (uint32_t)(w * n);
        g->nodes.data[row[i]].col = bucket < n ? bucket : n - 1;
        s->count[g->nodes.data[row[i]].col + 1]++;
    }
    for (uint32_t i = 1; i <= n; i++)
        s->count[i] += s->count[i - 1];
    for (uint32_t i = 0; i < n; i++)
        s->order[s->count[g->nodes.data[row[i]].col]++] = row[i];
    for (uint32_t i = 0; i < n; i++) {
        row[i] = s->order[i];
        s->place[row[i]] = (i + 0.5) / n;
    }
    g->steps += 4 * (uint64_t)n;
}

static void sort_group(tsr_graph *g, sorter *s, tsr_graph_group *group, uint32_t *ends)
{
    uint32_t *order = g->order + group->first, at = 0, row = 0;
    by_row(g, group, order, ends);
    for (uint32_t r = 0, last = group->nrow; r < last; r++) {
        uint32_t n = ends[r] - at;
        sort_row(g, s, order + at, n);
        for (uint32_t i = 0; i < n; i++) {
            g->nodes.data[order[at + i]].row = row + i / ROW_MOST;
            g->nodes.data[order[at + i]].col = i % ROW_MOST;
        }
        row += (n + ROW_MOST - 1) / ROW_MOST;
        at += n;
    }
    group->nrow = row;
}

static void lay_out(tsr_graph *g)
{
    size_t n = g->nodes.n;
    sorter s = {.place = TSR_NEW_ARRAY(g->arena, double, n + 1),
                .count = TSR_NEW_ARRAY(g->arena, uint32_t, n + 2),
                .order = TSR_NEW_ARRAY(g->arena, uint32_t, n + 1)};
    uint32_t *ends = TSR_NEW_ARRAY(g->arena, uint32_t, n + 2);
    g->order = TSR_NEW_ARRAY(g->arena, uint32_t, n + 1);
    find_rows(g);
    for (size_t i = 0; i < g->groups.n; i++)
        sort_group(g, &s, &g->groups.data[i], ends);
}

void tsr_graph_make(tsr_arena *arena, tsr_module *m, tsr_graph *g)
{
    *g = (tsr_graph){.m = m, .arena = arena};
    tsr_module_renumber(m);
    g->names = tsr_value_names(arena, m);
    tsr_shardings_init(&g->table, arena, m->op);
    maker k = {.g = g, .node_of = TSR_NEW_ARRAY(arena, uint32_t, (size_t)m->nvalue + 1)};
    tsr_symcache symbols;
    tsr_symcache_start(m, &symbols);
    add_all(&k);
    find_bodies(&k);
    tsr_symcache_stop(&symbols);
    add_edges(&k);
    tsr_vec_free(&k.edges);
    tsr_vec_free(&k.uses);
    tsr_vec_free(&k.by_id);
    hash_shape(g);
    lay_out(g);
}

void tsr_graph_colour_like(tsr_graph *g, const tsr_graph *other)
{
    memcpy(g->colour_axes, other->colour_axes, sizeof g->colour_axes);
    g->ncolour = other->ncolour;
    for (size_t i = 0; i < g->shardings.n; i++)
        g->shardings.data[i].colour = colour_of(g, g->shardings.data[i].sharding);
}

void tsr_graph_free(tsr_graph *g)
{
    if (!g->m)
        return;
    tsr_shardings_free(&g->table);
    tsr_vec_free(&g->nodes);
    tsr_vec_free(&g->groups);
    tsr_vec_free(&g->shardings);
}
