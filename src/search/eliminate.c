/* SPDX-License-Identifier: Apache-2.0 */
/* eliminate.c - eliminates variables with at most two neighbours from the graph, exactly; the order is found once. */
#include "search/steps.h"

#include <math.h>

#include "base/scope.h"
#include "base/vec.h"

enum { MOST_CELLS = 1 << 14, MOST_WORK = 1 << 18 };

typedef TSR_VEC(tsr_search_link) links;

typedef struct {
    tsr_search_core *c;
    links *of;
    bool *gone;
    TSR_VEC(uint32_t) queue;
    TSR_VEC(tsr_search_edge) edges;
    TSR_VEC(tsr_search_gone) steps;
    tsr_arena *arena;
} plan;

static void cut(links *l, uint32_t edge)
{
    for (size_t i = 0; i < l->n; i++)
        if (l->data[i].edge == edge) {
            l->data[i] = l->data[--l->n];
            return;
        }
}

static bool is_small(const plan *p, uint32_t v)
{
    const links *l = &p->of[v];
    const tsr_search_var *vars = p->c->from->vars;
    if (l->n < 2)
        return true;
    uint64_t cells = (uint64_t)vars[l->data[0].other].n * vars[l->data[1].other].n;
    return l->n == 2 && cells <= MOST_CELLS && cells * vars[v].n <= MOST_WORK;
}

static void eliminate(plan *p, uint32_t v)
{
    links *l = &p->of[v];
    tsr_search_gone step = {v, (uint32_t)l->n, {{0}}, UINT32_MAX, UINT32_MAX};
    for (size_t i = 0; i < l->n; i++) {
        step.link[i] = l->data[i];
        cut(&p->of[l->data[i].other], l->data[i].edge);
        tsr_vec_push(&p->queue, l->data[i].other);
    }
    if (l->n == 2) {
        uint32_t a = l->data[0].other, b = l->data[1].other;
        for (size_t i = 0; i < p->of[a].n; i++)
            if (p->of[a].data[i].other == b)
                step.before = p->of[a].data[i].edge;
        if (step.before != UINT32_MAX) {
            cut(&p->of[a], step.before);
            cut(&p->of[b], step.before);
        }
        step.made = (uint32_t)p->edges.n;
        const tsr_search_var *vars = p->c->from->vars;
        double *cost = tsr_arena_alloc(p->arena, sizeof *cost * vars[a].n * vars[b].n);
        tsr_vec_push(&p->edges, ((tsr_search_edge){{a, b}, cost}));
        tsr_vec_push(&p->of[a], ((tsr_search_link){step.made, b, true}));
        tsr_vec_push(&p->of[b], ((tsr_search_link){step.made, a, false}));
    }
    p->gone[v] = true;
    l->n = 0;
    tsr_vec_push(&p->steps, step);
}

static void make_core(plan *p)
{
    tsr_search_core *c = p->c;
    const tsr_search_graph *g = c->from;
    uint32_t *at = TSR_NEW_ARRAY(p->arena, uint32_t, g->nvar);
    c->of = TSR_NEW_ARRAY(p->arena, uint32_t, g->nvar);
    for (uint32_t v = 0; v < g->nvar; v++)
        if (!p->gone[v]) {
            at[v] = c->core.nvar;
            c->of[c->core.nvar++] = v;
        }
    c->core.vars = TSR_NEW_ARRAY(p->arena, tsr_search_var, c->core.nvar);
    for (uint32_t i = 0; i < c->core.nvar; i++)
        c->core.vars[i] = (tsr_search_var){.n = g->vars[c->of[i]].n, .cost = c->cost[c->of[i]]};
    c->core.edges = TSR_NEW_ARRAY(p->arena, tsr_search_edge, p->edges.n);
    for (uint32_t i = 0; i < c->core.nvar; i++)
        for (size_t k = 0; k < p->of[c->of[i]].n; k++) {
            tsr_search_link l = p->of[c->of[i]].data[k];
            if (l.rows)
                c->core.edges[c->core.nedge++] =
                    (tsr_search_edge){{i, at[l.other]}, p->edges.data[l.edge].cost};
        }
    tsr_search_link_up(&c->core, p->arena);
}

void tsr_search_core_init(tsr_search_core *c, const tsr_search_graph *g, tsr_arena *arena)
{
    *c = (tsr_search_core){.from = g};
    plan p = {.c = c, .arena = arena};
    p.of = TSR_NEW_ARRAY(arena, links, g->nvar);
    p.gone = TSR_NEW_ARRAY(arena, bool, g->nvar);
    c->cost = TSR_NEW_ARRAY(arena, double *, g->nvar);
    for (uint32_t v = 0; v < g->nvar; v++) {
        c->cost[v] = TSR_NEW_ARRAY(arena, double, g->vars[v].n);
        for (uint32_t k = 0; k < g->vars[v].nlink; k++)
            tsr_vec_push(&p.of[v], g->links[g->vars[v].link + k]);
    }
    for (uint32_t i = 0; i < g->nedge; i++)
        tsr_vec_push(&p.edges, g->edges[i]);
    for (uint32_t v = 0; v < g->nvar; v++)
        tsr_vec_push(&p.queue, v);
    for (size_t i = 0; i < p.queue.n; i++) {
        uint32_t v = p.queue.data[i];
        if (!p.gone[v] && is_small(&p, v))
            eliminate(&p, v);
        tsr_tick();
    }
    c->gone = tsr_arena_copy(arena, p.steps.data, p.steps.n * sizeof *c->gone);
    c->ngone = (uint32_t)p.steps.n;
    c->edges = tsr_arena_copy(arena, p.edges.data, p.edges.n * sizeof *c->edges);
    c->scratch = TSR_NEW_ARRAY(arena, double, 2 * ((size_t)g->most + 1));
    make_core(&p);
    for (uint32_t v = 0; v < g->nvar; v++)
        tsr_vec_free(&p.of[v]);
    tsr_vec_free(&p.queue);
    tsr_vec_free(&p.edges);
    tsr_vec_free(&p.steps);
}

/* The cost of choice s of v together with choice j of the other end of a link. */
static double at(const tsr_search_core *c, uint32_t v, tsr_search_link l, uint32_t s, uint32_t j)
{
    return tsr_search_at(c->edges[l.edge].cost, l.rows, c->from->vars[v].n,
                         c->from->vars[l.other].n, s, j);
}

/* Builds the table between the two neighbours of v that replaces v. */
static void join(tsr_search_core *c, const tsr_search_gone *g)
{
    const tsr_search_var *vars = c->from->vars;
    tsr_search_link la = g->link[0], lb = g->link[1];
    uint32_t nv = vars[g->var].n, na = vars[la.other].n, nb = vars[lb.other].n;
    double *out = c->edges[g->made].cost, *h = c->scratch;
    c->work += (double)na * nb * nv;
    const double *theta = c->cost[g->var];
    for (uint32_t i = 0; i < na; i++) {
        for (uint32_t s = 0; s < nv; s++)
            h[s] = theta[s];
        tsr_search_add_fixed(h, nv, c->edges[la.edge].cost, la.rows, na, i);
        tsr_search_min_plus(h, nv, c->edges[lb.edge].cost, lb.rows, nb, out + (size_t)i * nb);
    }
    if (g->before == UINT32_MAX)
        return;
    const tsr_search_edge *e = &c->edges[g->before];
    bool same = e->node[0] == la.other;
    for (uint32_t i = 0; i < na; i++)
        for (uint32_t j = 0; j < nb; j++)
            out[(size_t)i * nb + j] += e->cost[same ? (size_t)i * nb + j : (size_t)j * na + i];
}

void tsr_search_core_refresh(tsr_search_core *c)
{
    const tsr_search_graph *g = c->from;
    c->constant = 0;
    for (uint32_t v = 0; v < g->nvar; v++)
        for (uint32_t s = 0; s < g->vars[v].n; s++)
            c->cost[v][s] = g->vars[v].cost[s];
    for (uint32_t i = 0; i < c->ngone; i++) {
        const tsr_search_gone *x = &c->gone[i];
        if (x->nlink == 2) {
            join(c, x);
        } else if (x->nlink == 1) {
            tsr_search_link l = x->link[0];
            uint32_t n = g->vars[l.other].n;
            c->work += (double)n * g->vars[x->var].n;
            tsr_search_min_plus(c->cost[x->var], g->vars[x->var].n, c->edges[l.edge].cost, l.rows,
                                n, c->scratch);
            for (uint32_t j = 0; j < n; j++)
                c->cost[l.other][j] += c->scratch[j];
        } else {
            double least = INFINITY;
            for (uint32_t s = 0; s < g->vars[x->var].n; s++)
                least = fmin(least, c->cost[x->var][s]);
            c->constant += least;
        }
        tsr_tick();
    }
}

void tsr_search_core_expand(const tsr_search_core *c, const uint32_t *core, uint32_t *x)
{
    for (uint32_t i = 0; i < c->core.nvar; i++)
        x[c->of[i]] = core[i];
    for (uint32_t i = c->ngone; i-- > 0;) {
        const tsr_search_gone *g = &c->gone[i];
        double least = INFINITY;
        for (uint32_t s = 0; s < c->from->vars[g->var].n; s++) {
            double v = c->cost[g->var][s];
            for (uint32_t k = 0; k < g->nlink; k++)
                v += at(c, g->var, g->link[k], s, x[g->link[k].other]);
            if (v < least) {
                least = v;
                x[g->var] = s;
            }
        }
    }
}
