/* SPDX-License-Identifier: Apache-2.0 */
/* messages.c - sequential tree-reweighted message passing (Kolmogorov 2006): finds choices and a lower bound. */
#include "search/steps.h"

#include <math.h>

#include "base/scope.h"

void tsr_search_messages_init(tsr_search_messages *t, const tsr_search_graph *g, tsr_arena *arena)
{
    *t = (tsr_search_messages){.g = g};
    for (int d = 0; d < 2; d++) {
        t->to[d] = TSR_NEW_ARRAY(arena, double *, g->nedge);
        for (uint32_t i = 0; i < g->nedge; i++)
            t->to[d][i] = TSR_NEW_ARRAY(arena, double, g->vars[g->edges[i].node[d]].n);
    }
    t->scratch = TSR_NEW_ARRAY(arena, double, 2 * ((size_t)g->most + 1));
}

/* Variables are visited by number. Whether a link leads to a variable not yet visited in this direction. */
static bool goes_on(uint32_t v, const tsr_search_link *l, bool back)
{
    return back ? l->other < v : l->other > v;
}

/* One variable sends messages to all that follow it in this direction; returns the sum subtracted from messages. */
static double send(tsr_search_messages *t, uint32_t v, bool back)
{
    const tsr_search_graph *g = t->g;
    const tsr_search_var *x = &g->vars[v];
    const tsr_search_link *l = &g->links[x->link];
    double *sum = t->scratch, *h = sum + g->most + 1, bound = 0;
    uint32_t on = 0;
    for (uint32_t s = 0; s < x->n; s++)
        sum[s] = x->cost[s];
    for (uint32_t k = 0; k < x->nlink; k++) {
        const double *in = t->to[!l[k].rows][l[k].edge];
        on += goes_on(v, &l[k], back);
        for (uint32_t s = 0; s < x->n; s++)
            sum[s] += in[s];
    }
    double least = INFINITY;
    for (uint32_t s = 0; s < x->n; s++)
        least = sum[s] < least ? sum[s] : least;
    for (uint32_t s = 0; s < x->n; s++)
        sum[s] -= least;
    bound += least;
    uint32_t most = on > x->nlink - on ? on : x->nlink - on;
    double share = most ? 1.0 / most : 1;
    for (uint32_t k = 0; k < x->nlink; k++) {
        if (!goes_on(v, &l[k], back))
            continue;
        const double *in = t->to[!l[k].rows][l[k].edge];
        double *out = t->to[l[k].rows][l[k].edge];
        uint32_t n = g->vars[l[k].other].n;
        t->work += (double)n * x->n;
        for (uint32_t s = 0; s < x->n; s++)
            h[s] = share * sum[s] - in[s];
        tsr_search_min_plus(h, x->n, g->edges[l[k].edge].cost, l[k].rows, n, out);
        double low = INFINITY;
        for (uint32_t j = 0; j < n; j++)
            low = out[j] < low ? out[j] : low;
        for (uint32_t j = 0; j < n; j++)
            out[j] -= low;
        bound += low;
    }
    return bound;
}

double tsr_search_messages_sweep(tsr_search_messages *t)
{
    double bound = 0;
    for (uint32_t v = 0; v < t->g->nvar; v++) {
        send(t, v, false);
        tsr_tick();
    }
    for (uint32_t v = t->g->nvar; v-- > 0;) {
        bound += send(t, v, true);
        tsr_tick();
    }
    return bound;
}

void tsr_search_messages_decode(const tsr_search_messages *t, uint32_t *x)
{
    const tsr_search_graph *g = t->g;
    double *sum = t->scratch;
    for (uint32_t v = 0; v < g->nvar; v++) {
        const tsr_search_var *a = &g->vars[v];
        const tsr_search_link *l = &g->links[a->link];
        for (uint32_t s = 0; s < a->n; s++)
            sum[s] = a->cost[s];
        for (uint32_t k = 0; k < a->nlink; k++) {
            if (l[k].other < v) {
                tsr_search_add_fixed(sum, a->n, g->edges[l[k].edge].cost, l[k].rows,
                                     g->vars[l[k].other].n, x[l[k].other]);
                continue;
            }
            const double *in = t->to[!l[k].rows][l[k].edge];
            for (uint32_t s = 0; s < a->n; s++)
                sum[s] += in[s];
        }
        x[v] = 0;
        for (uint32_t s = 1; s < a->n; s++)
            if (sum[s] < sum[x[v]])
                x[v] = s;
    }
}
