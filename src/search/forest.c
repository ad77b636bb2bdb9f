/* SPDX-License-Identifier: Apache-2.0 */
/* forest.c - dynamic programming on a set of variables that form a forest; the other variables are fixed. */
#include "search/steps.h"

#include <math.h>

#include "base/scope.h"

uint64_t tsr_search_next(tsr_search_random *r)
{
    uint64_t z = r->state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

void tsr_search_forest_init(tsr_search_forest *f, const tsr_search_graph *g, tsr_arena *arena)
{
    *f = (tsr_search_forest){.g = g};
    f->order = TSR_NEW_ARRAY(arena, uint32_t, g->nvar + 1);
    f->parent = TSR_NEW_ARRAY(arena, uint32_t, g->nvar + 1);
    f->mark = TSR_NEW_ARRAY(arena, uint32_t, g->nvar + 1);
    f->root = TSR_NEW_ARRAY(arena, uint32_t, g->nvar + 1);
    f->shuffle = TSR_NEW_ARRAY(arena, uint32_t, g->nvar + 1);
    f->up = TSR_NEW_ARRAY(arena, tsr_search_link, g->nvar + 1);
    f->sum = TSR_NEW_ARRAY(arena, double *, g->nvar + 1);
    f->message = TSR_NEW_ARRAY(arena, double, (size_t)g->most + 1);
    size_t cells = 0;
    for (uint32_t v = 0; v < g->nvar; v++) {
        cells += g->vars[v].n;
        f->shuffle[v] = v;
    }
    f->sums = TSR_NEW_ARRAY(arena, double, cells + 1);
    cells = 0;
    for (uint32_t v = 0; v < g->nvar; v++) {
        f->sum[v] = f->sums + cells;
        cells += g->vars[v].n;
    }
}

static uint32_t find(uint32_t *root, uint32_t v)
{
    while (root[v] != v)
        v = root[v] = root[root[v]];
    return v;
}

/* The current set is marked with now; f->order lists its variables, parents before children; up links to the parent.
 * Improves x. */
static void solve(tsr_search_forest *f, uint32_t n, uint32_t *x)
{
    const tsr_search_graph *g = f->g;
    for (uint32_t i = n; i-- > 0;) {
        uint32_t v = f->order[i];
        const tsr_search_var *a = &g->vars[v];
        const tsr_search_link *l = &g->links[a->link];
        double *sum = f->sum[v];
        f->work += 20 + (double)a->n * (2 + a->nlink); /* 20: cost of a variable with few choices */
        for (uint32_t s = 0; s < a->n; s++)
            sum[s] = a->cost[s];
        for (uint32_t k = 0; k < a->nlink; k++) {
            uint32_t u = l[k].other;
            const double *table = g->edges[l[k].edge].cost;
            if (f->mark[u] != f->now) {
                tsr_search_add_fixed(sum, a->n, table, l[k].rows, g->vars[u].n, x[u]);
            } else if (f->parent[u] == v) {
                f->work += (double)a->n * g->vars[u].n;
                tsr_search_min_plus(f->sum[u], g->vars[u].n, table, !l[k].rows, a->n, f->message);
                for (uint32_t s = 0; s < a->n; s++)
                    sum[s] += f->message[s];
            }
        }
    }
    for (uint32_t i = 0; i < n; i++) {
        uint32_t v = f->order[i], p = f->parent[v], best = 0;
        const tsr_search_var *a = &g->vars[v];
        double *sum = f->sum[v];
        if (p != UINT32_MAX)
            tsr_search_add_fixed(sum, a->n, g->edges[f->up[v].edge].cost, f->up[v].rows,
                                 g->vars[p].n, x[p]);
        for (uint32_t s = 1; s < a->n; s++)
            if (sum[s] < sum[best])
                best = s;
        if (sum[best] < sum[x[v]])
            x[v] = best;
    }
}

/* Orders the marked set from its roots down. */
static uint32_t order_set(tsr_search_forest *f, const uint32_t *set, uint32_t n)
{
    const tsr_search_graph *g = f->g;
    uint32_t done = 0;
    for (uint32_t i = 0; i < n; i++)
        f->root[set[i]] = UINT32_MAX; /* not yet in order */
    for (uint32_t i = 0; i < n; i++) {
        if (f->root[set[i]] != UINT32_MAX)
            continue;
        uint32_t from = done;
        f->parent[set[i]] = UINT32_MAX;
        f->root[set[i]] = set[i];
        f->order[done++] = set[i];
        for (; from < done; from++) {
            uint32_t v = f->order[from];
            const tsr_search_var *a = &g->vars[v];
            for (uint32_t k = 0; k < a->nlink; k++) {
                tsr_search_link l = g->links[a->link + k];
                if (f->mark[l.other] != f->now || f->root[l.other] != UINT32_MAX)
                    continue;
                f->root[l.other] = set[i];
                f->parent[l.other] = v;
                f->up[l.other] = (tsr_search_link){l.edge, v, !l.rows};
                f->order[done++] = l.other;
            }
        }
    }
    return done;
}

/* Adds v to the marked set if that closes no cycle. */
static bool put_in(tsr_search_forest *f, uint32_t v)
{
    const tsr_search_var *a = &f->g->vars[v];
    const tsr_search_link *l = &f->g->links[a->link];
    uint32_t seen[64], n = 0;
    for (uint32_t k = 0; k < a->nlink; k++) {
        if (f->mark[l[k].other] != f->now)
            continue;
        uint32_t r = find(f->root, l[k].other);
        for (uint32_t i = 0; i < n; i++)
            if (seen[i] == r)
                return false;
        if (n == sizeof seen / sizeof *seen)
            return false;
        seen[n++] = r;
    }
    f->mark[v] = f->now;
    f->root[v] = v;
    for (uint32_t i = 0; i < n; i++)
        f->root[seen[i]] = v;
    return true;
}

void tsr_search_forest_cover(tsr_search_forest *f, tsr_search_random *r, uint32_t *x)
{
    uint32_t n = f->g->nvar, taken = 0;
    f->now++;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t k = i + tsr_search_below(r, n - i), v = f->shuffle[k];
        f->shuffle[k] = f->shuffle[i];
        f->shuffle[i] = v;
        if (put_in(f, v)) { /* members of the set come first */
            f->shuffle[i] = f->shuffle[taken];
            f->shuffle[taken++] = v;
        }
    }
    order_set(f, f->shuffle, taken);
    solve(f, taken, x);
    tsr_poll();
}

uint32_t tsr_search_forest_ball(tsr_search_forest *f, tsr_search_random *r, uint32_t center,
                                uint32_t most, uint32_t *x, uint32_t *old)
{
    const tsr_search_graph *g = f->g;
    uint32_t n = 0;
    f->now++;
    put_in(f, center);
    f->order[n++] = center;
    f->parent[center] = UINT32_MAX;
    for (uint32_t i = 0; i < n && n < most; i++) {
        const tsr_search_var *a = &g->vars[f->order[i]];
        uint32_t start = a->nlink ? tsr_search_below(r, a->nlink) : 0;
        for (uint32_t k = 0; k < a->nlink && k < 32 && n < most; k++) {
            tsr_search_link l = g->links[a->link + (k + start) % a->nlink];
            if (f->mark[l.other] == f->now || !put_in(f, l.other))
                continue;
            f->parent[l.other] = f->order[i];
            f->up[l.other] = (tsr_search_link){l.edge, f->order[i], !l.rows};
            f->order[n++] = l.other;
        }
    }
    for (uint32_t i = 0; i < n; i++)
        old[i] = x[f->order[i]];
    solve(f, n, x);
    return n;
}
