/* SPDX-License-Identifier: Apache-2.0 */
/* model.c - reduces a problem before it is solved.
 *
 * Impossible choices are removed. A node whose choice follows from a neighbour's is merged with it, so hard ties
 * between nodes need no price. A node with one choice becomes a cost of its neighbours. Of all points in time, only
 * those remain at which the limit can be exceeded and that no other point covers. */
#include "search/model.h"

#include <math.h>
#include <stdlib.h>

#include "base/map.h"
#include "base/scope.h"
#include "base/vec.h"

typedef TSR_VEC(uint32_t) numbers;

/* A node during reduction: choices are numbered as in the problem until the end. */
typedef struct {
    uint32_t n, alive;
    bool *dead;
    double *cost;
    numbers edges;
    bool gone;
} work_node;

typedef struct {
    uint32_t end[2];
    uint32_t at[2]; /* its position among the edges of each end */
    double *cost;
    bool gone, queued;
} work_edge;

/* Node v takes map[s] when its leader takes s. */
typedef struct {
    uint32_t leader;
    uint16_t *map;
} follower;

typedef struct {
    tsr_search_model *m;
    work_node *nodes;
    TSR_VEC(work_edge) edges;
    tsr_map between; /* edges, looked up by their ends */
    follower *follows;
    numbers queue; /* edges to be examined */
    uint16_t *map; /* scratch */
} work;

static double cap(const work *w, double v)
{
    return v >= TSR_SEARCH_NEVER || v > w->m->never ? w->m->never : v;
}

static bool is_never(const work *w, double v)
{
    return v >= w->m->never;
}

static void enqueue(work *w, uint32_t e)
{
    if (w->edges.data[e].queued || w->edges.data[e].gone)
        return;
    w->edges.data[e].queued = true;
    tsr_vec_push(&w->queue, e);
}

static uint64_t hash_ends(uint32_t a, uint32_t b)
{
    uint64_t h = (a < b ? (uint64_t)a << 32 | b : (uint64_t)b << 32 | a) * 0x9E3779B97F4A7C15u;
    return h ^ h >> 29;
}

/* The edge between two nodes; UINT32_MAX: none. */
static uint32_t edge_between(const work *w, uint32_t a, uint32_t b)
{
    uint32_t found = UINT32_MAX;
    TSR_MAP_EACH (&w->between, hash_ends(a, b), v) {
        uint32_t i = (uint32_t)((uintptr_t)v - 1);
        const work_edge *e = &w->edges.data[i];
        if (!e->gone && ((e->end[0] == a && e->end[1] == b) || (e->end[0] == b && e->end[1] == a)))
            found = i;
    }
    return found;
}

static void drop_edge(work *w, uint32_t e)
{
    work_edge *x = &w->edges.data[e];
    x->gone = true;
    for (int d = 0; d < 2; d++) {
        numbers *of = &w->nodes[x->end[d]].edges;
        uint32_t last = of->data[--of->n];
        of->data[x->at[d]] = last;
        work_edge *y = &w->edges.data[last];
        y->at[y->end[0] == x->end[d] ? 0 : 1] = x->at[d];
    }
}

static void add_edge(work *w, uint32_t a, uint32_t b, double *cost)
{
    uint32_t e = (uint32_t)w->edges.n;
    work_edge x = {
        {a, b}, {(uint32_t)w->nodes[a].edges.n, (uint32_t)w->nodes[b].edges.n}, cost, false, false};
    tsr_vec_push(&w->edges, x);
    tsr_vec_push(&w->nodes[a].edges, e);
    tsr_vec_push(&w->nodes[b].edges, e);
    tsr_map_put(&w->between, hash_ends(a, b), (void *)(uintptr_t)(e + 1));
    enqueue(w, e);
}

/* The cell of an edge's table for choice s of v and choice t of its other end. */
static double *cell(const work *w, const work_edge *e, uint32_t v, uint32_t s, uint32_t t)
{
    size_t n = w->nodes[e->end[1]].n;
    return &e->cost[e->end[0] == v ? s * n + t : t * n + s];
}

static void kill(work *w, uint32_t v, uint32_t s)
{
    work_node *n = &w->nodes[v];
    if (n->dead[s])
        return;
    n->dead[s] = true;
    n->alive--;
    w->m->hopeless |= !n->alive;
    for (size_t i = 0; i < n->edges.n; i++)
        enqueue(w, n->edges.data[i]);
}

/* ---- Ties ---- */

/* Whether each choice of u allows only one choice of v, which w->map then gives; removes choices that allow none. */
static bool decides(work *w, const work_edge *e, uint32_t u, uint32_t v)
{
    work_node *a = &w->nodes[u];
    const work_node *b = &w->nodes[v];
    bool one = true;
    for (uint32_t s = 0; s < a->n; s++) {
        if (a->dead[s])
            continue;
        uint32_t found = 0;
        for (uint32_t t = 0; t < b->n && found < 2; t++)
            if (!b->dead[t] && !is_never(w, *cell(w, e, u, s, t))) {
                w->map[s] = (uint16_t)t;
                found++;
            }
        if (!found)
            kill(w, u, s);
        one &= found < 2;
    }
    return one;
}

/* Moves an edge from v to its leader u. */
static void move_edge(work *w, uint32_t moved, uint32_t u, uint32_t v)
{
    const work_edge e = w->edges.data[moved];
    const work_node *a = &w->nodes[u];
    uint32_t other = e.end[e.end[0] == v], same = edge_between(w, u, other), n = w->nodes[other].n;
    drop_edge(w, moved);
    if (same == UINT32_MAX) {
        double *cost = tsr_arena_alloc(&w->m->arena, sizeof *cost * a->n * n);
        for (uint32_t s = 0; s < a->n; s++)
            for (uint32_t t = 0; t < n; t++)
                cost[(size_t)s * n + t] = a->dead[s] ? w->m->never : *cell(w, &e, v, w->map[s], t);
        add_edge(w, u, other, cost);
        return;
    }
    const work_edge f = w->edges.data[same];
    for (uint32_t s = 0; s < a->n; s++)
        for (uint32_t t = 0; !a->dead[s] && t < n; t++) {
            double *to = cell(w, &f, u, s, t);
            *to = cap(w, *to + *cell(w, &e, v, w->map[s], t));
        }
    enqueue(w, same);
}

/* Makes v follow u. */
static void follow(work *w, uint32_t u, uint32_t v, uint32_t tie)
{
    work_node *a = &w->nodes[u], *b = &w->nodes[v];
    const work_edge e = w->edges.data[tie];
    for (uint32_t s = 0; s < a->n; s++)
        if (!a->dead[s])
            a->cost[s] = cap(w, a->cost[s] + b->cost[w->map[s]] + *cell(w, &e, u, s, w->map[s]));
    drop_edge(w, tie);
    while (b->edges.n)
        move_edge(w, b->edges.data[b->edges.n - 1], u, v);
    b->gone = true;
    w->follows[v] = (follower){u, tsr_arena_copy(&w->m->arena, w->map, sizeof *w->map * a->n)};
}

/* A node with one choice: its edges become costs of the neighbours. */
static void fold_single(work *w, uint32_t v)
{
    work_node *a = &w->nodes[v];
    uint32_t s = 0;
    while (s + 1 < a->n && a->dead[s])
        s++;
    while (a->edges.n) {
        uint32_t i = a->edges.data[a->edges.n - 1];
        const work_edge e = w->edges.data[i];
        uint32_t other = e.end[e.end[0] == v];
        work_node *b = &w->nodes[other];
        for (uint32_t t = 0; t < b->n; t++)
            b->cost[t] = cap(w, b->cost[t] + *cell(w, &e, v, s, t));
        drop_edge(w, i);
        for (uint32_t t = 0; t < b->n; t++)
            if (is_never(w, b->cost[t]))
                kill(w, other, t);
    }
}

static void visit(work *w, uint32_t i)
{
    const work_edge e = w->edges.data[i];
    if (e.gone)
        return;
    /* If each decides the other, the one with more edges leads: fewer tables move. */
    int first = w->nodes[e.end[1]].edges.n > w->nodes[e.end[0]].edges.n;
    for (int k = 0; k < 2; k++) {
        uint32_t u = e.end[first ^ k], v = e.end[first ^ k ^ 1];
        const work_node *a = &w->nodes[u], *b = &w->nodes[v];
        if (!a->alive || !b->alive)
            return;
        if (a->alive == 1 || b->alive == 1) {
            fold_single(w, a->alive == 1 ? u : v);
            return;
        }
        /* A leader with many more choices would make all tables of the follower large. */
        if (decides(w, &e, u, v) && a->alive && (a->alive <= 2 * b->alive || b->edges.n <= 2)) {
            follow(w, u, v, i);
            return;
        }
    }
}

/* ---- From the problem ---- */

static int by_ends(const void *x, const void *y)
{
    const work_edge *a = x, *b = y;
    if (a->end[0] != b->end[0])
        return a->end[0] < b->end[0] ? -1 : 1;
    return (a->end[1] > b->end[1]) - (a->end[1] < b->end[1]);
}

static void load_edges(work *w, const tsr_search_problem *p)
{
    work_edge *all = tsr_arena_alloc(&w->m->arena, sizeof *all * ((size_t)p->nedge + 1));
    size_t n = 0;
    for (uint32_t i = 0; i < p->nedge; i++) {
        const tsr_search_edge *e = &p->edges[i];
        uint32_t na = p->nodes[e->node[0]].n, nb = p->nodes[e->node[1]].n;
        if (e->node[0] == e->node[1]) {
            for (uint32_t s = 0; s < na; s++)
                w->nodes[e->node[0]].cost[s] =
                    cap(w, w->nodes[e->node[0]].cost[s] + e->cost[(size_t)s * na + s]);
            continue;
        }
        bool turn = e->node[0] > e->node[1];
        double *cost = tsr_arena_alloc(&w->m->arena, sizeof *cost * na * nb);
        for (uint32_t s = 0; s < na; s++)
            for (uint32_t t = 0; t < nb; t++)
                cost[turn ? (size_t)t * na + s : (size_t)s * nb + t] =
                    cap(w, e->cost[(size_t)s * nb + t]);
        all[n++] = (work_edge){.end = {e->node[turn], e->node[!turn]}, .cost = cost};
    }
    if (n)
        qsort(all, n, sizeof *all, by_ends);
    for (size_t i = 0; i < n; i++) {
        if (i && !by_ends(&all[i - 1], &all[i])) { /* parallel */
            double *to = w->edges.data[w->edges.n - 1].cost;
            size_t cells = (size_t)w->nodes[all[i].end[0]].n * w->nodes[all[i].end[1]].n;
            for (size_t k = 0; k < cells; k++)
                to[k] = cap(w, to[k] + all[i].cost[k]);
            continue;
        }
        add_edge(w, all[i].end[0], all[i].end[1], all[i].cost);
    }
}

static void load(work *w, const tsr_search_problem *p)
{
    double most = 1;
    for (uint32_t i = 0; i < p->nnode; i++)
        for (uint32_t s = 0; s < p->nodes[i].n; s++)
            if (p->nodes[i].cost[s] < TSR_SEARCH_NEVER)
                most = fmax(most, p->nodes[i].cost[s]);
    for (uint32_t i = 0; i < p->nedge; i++) {
        size_t n = (size_t)p->nodes[p->edges[i].node[0]].n * p->nodes[p->edges[i].node[1]].n;
        for (size_t k = 0; k < n; k++)
            if (p->edges[i].cost[k] < TSR_SEARCH_NEVER)
                most = fmax(most, p->edges[i].cost[k]);
    }
    w->m->never = 1000 * most;
    for (uint32_t i = 0; i < p->nnode; i++) {
        const tsr_search_node *n = &p->nodes[i];
        work_node *to = &w->nodes[i];
        to->n = to->alive = n->n;
        to->dead = tsr_arena_zalloc(&w->m->arena, n->n);
        to->cost = tsr_arena_alloc(&w->m->arena, sizeof *to->cost * n->n);
        for (uint32_t s = 0; s < n->n; s++)
            to->cost[s] = cap(w, n->cost[s]);
    }
    load_edges(w, p);
    for (uint32_t i = 0; i < p->nnode; i++)
        for (uint32_t s = 0; s < p->nodes[i].n; s++)
            if (is_never(w, w->nodes[i].cost[s]))
                kill(w, i, s);
}

/* ---- To the model ---- */

/* Numbers the remaining choices; maps of followers lead directly to variables. */
static void number_vars(work *w, const tsr_search_problem *p)
{
    tsr_search_model *m = w->m;
    uint32_t most = 0, *at = tsr_arena_alloc(&m->arena, sizeof *at * p->nnode);
    for (uint32_t i = 0; i < p->nnode; i++) {
        at[i] = w->nodes[i].gone || w->nodes[i].alive < 2 ? UINT32_MAX : m->graph.nvar++;
        most = w->nodes[i].n > most ? w->nodes[i].n : most;
    }
    m->graph.vars = TSR_NEW_ARRAY(&m->arena, tsr_search_var, m->graph.nvar);
    m->var_of = tsr_arena_alloc(&m->arena, sizeof *m->var_of * p->nnode);
    m->map = tsr_arena_alloc(&m->arena, sizeof *m->map * p->nnode);
    for (uint32_t i = 0; i < p->nnode; i++) {
        uint32_t root = i;
        while (w->nodes[root].gone)
            root = w->follows[root].leader;
        const work_node *r = &w->nodes[root];
        uint16_t *map = tsr_arena_alloc(&m->arena, sizeof *map * (r->alive ? r->alive : 1));
        uint32_t n = 0;
        for (uint32_t s = 0; s < r->n; s++)
            if (!r->dead[s])
                map[n++] = (uint16_t)s;
        m->var_of[i] = at[root];
        m->map[i] = map;
        if (at[root] != UINT32_MAX && root == i) {
            tsr_search_var *v = &m->graph.vars[at[i]];
            v->n = n;
            v->cost = tsr_arena_alloc(&m->arena, sizeof *v->cost * n);
            v->own = tsr_arena_alloc(&m->arena, sizeof *v->own * n);
            for (uint32_t s = 0; s < n; s++)
                v->cost[s] = v->own[s] = r->cost[map[s]];
        } else if (root == i && n) {
            m->constant += r->cost[map[0]];
        }
        /* The path from the leader down to i. */
        TSR_VEC(uint32_t) path = {0};
        for (uint32_t k = i; k != root; k = w->follows[k].leader)
            tsr_vec_push(&path, k);
        for (size_t k = path.n; k-- > 0;)
            for (uint32_t s = 0; s < n; s++)
                map[s] = w->follows[path.data[k]].map[map[s]];
        tsr_vec_free(&path);
    }
}

static void make_edges(work *w)
{
    tsr_search_model *m = w->m;
    for (size_t i = 0; i < w->edges.n; i++)
        m->graph.nedge += !w->edges.data[i].gone;
    m->graph.edges = TSR_NEW_ARRAY(&m->arena, tsr_search_edge, m->graph.nedge);
    uint32_t k = 0;
    for (size_t i = 0; i < w->edges.n; i++) {
        const work_edge *e = &w->edges.data[i];
        if (e->gone)
            continue;
        const work_node *a = &w->nodes[e->end[0]], *b = &w->nodes[e->end[1]];
        double *cost = tsr_arena_alloc(&m->arena, sizeof *cost * a->alive * b->alive), *to = cost;
        for (uint32_t s = 0; s < a->n; s++)
            for (uint32_t t = 0; !a->dead[s] && t < b->n; t++)
                if (!b->dead[t])
                    *to++ = e->cost[(size_t)s * b->n + t];
        m->graph.edges[k++] = (tsr_search_edge){{m->var_of[e->end[0]], m->var_of[e->end[1]]}, cost};
    }
    tsr_search_link_up(&m->graph, &m->arena);
}

/* ---- Times ---- */

typedef struct {
    int64_t at;
    double bytes;
    bool begins;
} event;

static int by_time(const void *a, const void *b)
{
    const event *x = a, *y = b;
    if (x->at != y->at)
        return x->at < y->at ? -1 : 1;
    return (int)x->begins - (int)y->begins;
}

static double greatest(const double *v, uint32_t n)
{
    double most = v[0];
    for (uint32_t i = 1; i < n; i++)
        most = fmax(most, v[i]);
    return most;
}

/* The points in time that matter, in order: where something begins just before something else ends. */
static int64_t *peaks(tsr_search_model *m, const tsr_search_problem *p)
{
    size_t n = 0;
    event *events = tsr_arena_alloc(&m->arena, sizeof *events * 2 * p->nnode);
    for (uint32_t i = 0; i < p->nnode; i++) {
        const tsr_search_node *x = &p->nodes[i];
        if (x->first >= x->last)
            continue;
        double most = greatest(x->memory, x->n);
        events[n++] = (event){x->first, most, true};
        events[n++] = (event){x->last, -most, false};
    }
    if (n)
        qsort(events, n, sizeof *events, by_time);
    int64_t *times = tsr_arena_alloc(&m->arena, sizeof *times * (n + 1));
    double now = 0;
    for (size_t i = 0; i < n; i++) {
        now += events[i].bytes;
        if (events[i].begins && (i + 1 == n || !events[i + 1].begins) && now > m->limit)
            times[m->ntime++] = events[i].at;
    }
    return times;
}

static uint32_t time_from(const int64_t *times, uint32_t n, int64_t t)
{
    uint32_t lo = 0, hi = n;
    while (lo < hi) {
        uint32_t mid = (lo + hi) / 2;
        if (times[mid] < t)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

static int by_var(const void *a, const void *b)
{
    const uint64_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

static void make_uses(tsr_search_model *m, const tsr_search_problem *p)
{
    int64_t *times = peaks(m, p);
    m->base = TSR_NEW_ARRAY(&m->arena, double, (size_t)m->ntime + 1);
    m->uses = TSR_NEW_ARRAY(&m->arena, tsr_search_use, p->nnode);
    uint64_t *order = tsr_arena_alloc(&m->arena, sizeof *order * p->nnode);
    for (uint32_t i = 0; i < p->nnode; i++)
        order[i] = (uint64_t)m->var_of[i] << 32 | i;
    qsort(order, p->nnode, sizeof *order, by_var);
    for (uint32_t k = 0; k < p->nnode; k++) {
        uint32_t i = (uint32_t)order[k];
        const tsr_search_node *x = &p->nodes[i];
        uint32_t from = time_from(times, m->ntime, x->first),
                 to = time_from(times, m->ntime, x->last), v = m->var_of[i];
        if (from >= to)
            continue;
        uint32_t n = v == UINT32_MAX ? 1 : m->graph.vars[v].n;
        double *bytes = tsr_arena_alloc(&m->arena, sizeof *bytes * n), least = INFINITY;
        for (uint32_t s = 0; s < n; s++) {
            bytes[s] = x->memory[m->map[i][s]];
            least = fmin(least, bytes[s]);
        }
        /* Memory that every choice takes is independent of the choice. */
        bool same = true;
        for (uint32_t s = 0; s < n; s++)
            same &= (bytes[s] -= least) == 0;
        for (uint32_t t = from; t < to; t++)
            m->base[t] += least;
        if (same)
            continue;
        if (!m->graph.vars[v].nuse)
            m->graph.vars[v].use = m->nuse;
        m->graph.vars[v].nuse++;
        m->uses[m->nuse++] = (tsr_search_use){from, to, bytes};
    }
}

void tsr_search_model_init(tsr_search_model *m, const tsr_search_problem *p, tsr_pool *pool)
{
    *m = (tsr_search_model){.problem = p, .limit = p->limit};
    tsr_arena_init_pooled(&m->arena, pool);
    work w = {.m = m};
    w.nodes = TSR_NEW_ARRAY(&m->arena, work_node, p->nnode);
    w.follows = TSR_NEW_ARRAY(&m->arena, follower, p->nnode);
    w.map = TSR_NEW_ARRAY(&m->arena, uint16_t, UINT16_MAX + 1);
    load(&w, p);
    for (size_t i = 0; i < w.queue.n && !m->hopeless; i++) {
        w.edges.data[w.queue.data[i]].queued = false;
        visit(&w, w.queue.data[i]);
        tsr_tick();
    }
    if (!m->hopeless) {
        number_vars(&w, p);
        make_edges(&w);
        make_uses(m, p);
    }
    for (uint32_t i = 0; i < p->nnode; i++)
        tsr_vec_free(&w.nodes[i].edges);
    tsr_vec_free(&w.edges);
    tsr_vec_free(&w.queue);
    tsr_map_free(&w.between);
}

void tsr_search_model_free(tsr_search_model *m)
{
    tsr_arena_free(&m->arena);
}

void tsr_search_expand(const tsr_search_model *m, const uint32_t *x, uint32_t *choice)
{
    for (uint32_t i = 0; i < m->problem->nnode; i++)
        choice[i] = m->map[i][m->var_of[i] == UINT32_MAX ? 0 : x[m->var_of[i]]];
}

/* ---- Tables ---- */

void tsr_search_link_up(tsr_search_graph *g, tsr_arena *arena)
{
    uint32_t *next = TSR_NEW_ARRAY(arena, uint32_t, g->nvar + 1);
    for (uint32_t i = 0; i < g->nvar; i++)
        g->vars[i].nlink = 0;
    for (uint32_t i = 0; i < g->nedge; i++)
        for (int d = 0; d < 2; d++)
            g->vars[g->edges[i].node[d]].nlink++;
    for (uint32_t i = 0; i < g->nvar; i++) {
        g->vars[i].link = next[i];
        next[i + 1] = next[i] + g->vars[i].nlink;
        g->most = g->vars[i].n > g->most ? g->vars[i].n : g->most;
    }
    g->links = TSR_NEW_ARRAY(arena, tsr_search_link, 2 * (size_t)g->nedge);
    for (uint32_t i = 0; i < g->nedge; i++)
        for (int d = 0; d < 2; d++)
            g->links[next[g->edges[i].node[d]]++] =
                (tsr_search_link){i, g->edges[i].node[!d], d == 0};
}
