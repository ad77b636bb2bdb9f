/* SPDX-License-Identifier: Apache-2.0 */
/* solve.c - the search: prices for memory, exact steps on the remaining core, then local steps within the limit.
 *
 * With a price for memory at each point in time, the problem decomposes into costs of choices and of pairs. In each
 * round, prices change costs, elimination leaves a core, messages and forests solve the core, and the memory that its
 * choices use changes the prices (subgradient steps). Then trees around single variables improve the best choices that
 * fit, without exceeding the limit. */
#include <math.h>

#include "base/scope.h"
#include "search/steps.h"

enum { POOL = 8 };

typedef struct {
    uint32_t *x;
    double score, cost;
} near;

typedef struct {
    const tsr_search_options *o;
    tsr_search_model m;
    tsr_search_core core;
    tsr_search_messages messages;
    tsr_search_forest core_forest, forest;
    tsr_search_random random;
    double *price, *sum_price; /* by time; sum of all earlier prices */
    double *use;               /* by time: memory used by x */
    double *tree, *add;        /* maximum use in a range of times: a segment tree */
    uint32_t leaves;
    uint32_t *x, *core_x, *last, *best, *old;
    near pool[POOL]; /* choices that nearly fit, best first */
    int npool;
    double *good_price; /* prices at the best bound */
    double best_cost, bound, start;
    double work; /* in addition to that of the steps */
    int sweeps;  /* on the core, per round */
} solver;

/* ---- Time ---- */

/* Work done so far, in table cells: a clock that is the same on every machine. */
static double work_done(const solver *s)
{
    return s->work + s->core.work + s->messages.work + s->core_forest.work + s->forest.work;
}

/* Whether this share of the allowed work or time is used up. */
static bool is_over(const solver *s, double share)
{
    const tsr_search_options *o = s->o;
    if (o->work > 0 && work_done(s) >= share * o->work)
        return true;
    return o->seconds > 0 && o->clock() - s->start >= share * o->seconds;
}

/* ---- Memory ---- */

static double priced(const solver *s, const tsr_search_use *u)
{
    return s->sum_price[u->to] - s->sum_price[u->from];
}

/* Sets costs of choices, including the memory that they take at current prices times factor. */
static void set_costs(solver *s, double factor)
{
    tsr_search_model *m = &s->m;
    s->sum_price[0] = 0;
    for (uint32_t t = 0; t < m->ntime; t++)
        s->sum_price[t + 1] = s->sum_price[t] + factor * s->price[t];
    s->work += m->ntime + 8.0 * m->nuse;
    for (uint32_t v = 0; v < m->graph.nvar; v++) {
        tsr_search_var *x = &m->graph.vars[v];
        for (uint32_t i = 0; i < x->n; i++)
            x->cost[i] = x->own[i];
        for (uint32_t k = 0; k < x->nuse; k++) {
            const tsr_search_use *u = &m->uses[x->use + k];
            double p = priced(s, u);
            for (uint32_t i = 0; p > 0 && i < x->n; i++)
                x->cost[i] += p * u->bytes[i];
        }
    }
}

static void count_use(solver *s, const uint32_t *x)
{
    const tsr_search_model *m = &s->m;
    for (uint32_t t = 0; t <= m->ntime; t++)
        s->use[t] = 0;
    for (uint32_t v = 0; v < m->graph.nvar; v++) {
        const tsr_search_var *a = &m->graph.vars[v];
        for (uint32_t k = 0; k < a->nuse; k++) {
            const tsr_search_use *u = &m->uses[a->use + k];
            s->use[u->from] += u->bytes[x[v]];
            s->use[u->to] -= u->bytes[x[v]];
        }
    }
    double now = 0;
    for (uint32_t t = 0; t < m->ntime; t++) {
        now += s->use[t];
        s->use[t] = now + m->base[t];
    }
}

static double over(const solver *s)
{
    double most = -INFINITY;
    for (uint32_t t = 0; t < s->m.ntime; t++)
        most = fmax(most, s->use[t] - s->m.limit);
    return s->m.ntime ? most : -1;
}

/* Builds the segment tree of memory use: its root is the maximum. */
static void plant(solver *s)
{
    for (uint32_t i = 0; i < s->leaves; i++)
        s->tree[s->leaves + i] = i < s->m.ntime ? s->use[i] : -INFINITY;
    for (uint32_t i = s->leaves; i-- > 1;) {
        s->add[i] = 0;
        s->tree[i] = fmax(s->tree[2 * i], s->tree[2 * i + 1]);
    }
}

static void grow(solver *s, uint32_t node, uint32_t lo, uint32_t hi, uint32_t from, uint32_t to,
                 double bytes)
{
    if (from <= lo && hi <= to) {
        s->tree[node] += bytes;
        if (node < s->leaves)
            s->add[node] += bytes;
        return;
    }
    uint32_t mid = (lo + hi) / 2;
    if (from < mid)
        grow(s, 2 * node, lo, mid, from, to, bytes);
    if (to > mid)
        grow(s, 2 * node + 1, mid, hi, from, to, bytes);
    s->tree[node] = fmax(s->tree[2 * node], s->tree[2 * node + 1]) + s->add[node];
}

static void change_use(solver *s, uint32_t v, uint32_t before, uint32_t after)
{
    const tsr_search_var *a = &s->m.graph.vars[v];
    for (uint32_t k = 0; k < a->nuse; k++) {
        const tsr_search_use *u = &s->m.uses[a->use + k];
        double d = u->bytes[after] - u->bytes[before];
        if (d != 0)
            grow(s, 1, 0, s->leaves, u->from, u->to, d);
    }
}

/* ---- Costs ---- */

static double table_cost(const tsr_search_graph *g, const uint32_t *x)
{
    double sum = 0;
    for (uint32_t i = 0; i < g->nedge; i++) {
        const tsr_search_edge *e = &g->edges[i];
        sum += e->cost[(size_t)x[e->node[0]] * g->vars[e->node[1]].n + x[e->node[1]]];
    }
    return sum;
}

static double own_cost(const solver *s, const uint32_t *x)
{
    const tsr_search_graph *g = &s->m.graph;
    double sum = s->m.constant + table_cost(g, x);
    for (uint32_t v = 0; v < g->nvar; v++)
        sum += g->vars[v].own[x[v]];
    return sum;
}

static double priced_cost(const tsr_search_graph *g, const uint32_t *x)
{
    double sum = table_cost(g, x);
    for (uint32_t v = 0; v < g->nvar; v++)
        sum += g->vars[v].cost[x[v]];
    return sum;
}

static void keep(solver *s, const uint32_t *x, double cost)
{
    if (cost >= s->best_cost || cost >= s->m.never)
        return;
    for (uint32_t v = 0; v < s->m.graph.nvar; v++)
        tsr_assert(x[v] < s->m.graph.vars[v].n, "choice %u of %u", x[v], s->m.graph.vars[v].n);
    s->best_cost = cost;
    memcpy(s->best, x, sizeof *x * s->m.graph.nvar);
    if (s->o->progress)
        s->o->progress(s->o->user, s->o->clock() - s->start, cost, s->bound);
}

static bool is_best(const solver *s)
{
    return s->best_cost - s->bound < 1e-6 * fabs(s->best_cost);
}

/* ---- Rounds ---- */

/* Solves the core at current costs; writes choices of all variables to x. Returns a lower bound. */
static double solve_core(solver *s, int sweeps, int forests, bool warm)
{
    const tsr_search_graph *g = &s->core.core;
    tsr_search_core_refresh(&s->core);
    double bound = -INFINITY, last = 0;
    for (int i = 0; i < sweeps; i++) {
        last = bound;
        bound = tsr_search_messages_sweep(&s->messages);
        if (is_over(s, 1) || bound - last < 1e-7 * fabs(bound))
            break;
    }
    tsr_search_messages_decode(&s->messages, s->core_x);
    if (warm && priced_cost(g, s->last) < priced_cost(g, s->core_x))
        memcpy(s->core_x, s->last, sizeof *s->last * g->nvar);
    for (int i = 0; i < forests && !is_over(s, 1); i++)
        tsr_search_forest_cover(&s->core_forest, &s->random, s->core_x);
    memcpy(s->last, s->core_x, sizeof *s->last * g->nvar);
    tsr_search_core_expand(&s->core, s->core_x, s->x);
    bound += s->core.constant + s->m.constant;
    for (uint32_t t = 0; t < s->m.ntime; t++)
        bound += s->price[t] * (s->m.base[t] - s->m.limit);
    return bound;
}

/* Keeps choices from which a fit is likely: ranked by cost and by excess memory. */
static void keep_near(solver *s, double cost, double most)
{
    double score = cost / fabs(s->bound) + 5 * most / s->m.limit;
    int at = s->npool;
    for (int i = 0; i < s->npool; i++)
        if (s->pool[i].cost == cost)
            return; /* most likely a duplicate */
    while (at > 0 && s->pool[at - 1].score > score)
        at--;
    if (at == POOL)
        return;
    int last = s->npool < POOL ? s->npool++ : POOL - 1;
    uint32_t *x = s->pool[last].x;
    memmove(&s->pool[at + 1], &s->pool[at], sizeof *s->pool * (size_t)(last - at));
    s->pool[at] = (near){x, score, cost};
    memcpy(x, s->x, sizeof *x * s->m.graph.nvar);
}

/* A subgradient step of the prices for memory above the limit; target: the cost that the best choices may have. */
static void change_prices(solver *s, double factor, double target)
{
    double value = s->m.constant + priced_cost(&s->m.graph, s->x), square = 0;
    for (uint32_t t = 0; t < s->m.ntime; t++) {
        double g = s->use[t] - s->m.limit;
        value += s->price[t] * (s->m.base[t] - s->m.limit);
        if (g > 0 || s->price[t] > 0)
            square += g * g;
    }
    if (square <= 0)
        return;
    double gap = target - value;
    if (gap < 1e-3 * fabs(value))
        gap = 1e-3 * fabs(value);
    double step = factor * gap / square;
    for (uint32_t t = 0; t < s->m.ntime; t++)
        s->price[t] = fmax(0, s->price[t] + step * (s->use[t] - s->m.limit));
}

static void rounds(solver *s, double share)
{
    double factor = 1, last = -INFINITY;
    bool tight = false;
    for (int i = 0, idle = 0; !is_over(s, share) && factor > 1e-3; i++) {
        set_costs(s, 1);
        double bound = solve_core(s, i ? s->sweeps : 12 + s->sweeps, i ? s->sweeps : 4, i > 0);
        if (bound > s->bound) {
            s->bound = bound;
            memcpy(s->good_price, s->price, sizeof *s->price * s->m.ntime);
        }
        count_use(s, s->x);
        double most = over(s), cost = own_cost(s, s->x);
        if (most <= 0)
            keep(s, s->x, cost);
        else
            keep_near(s, cost, most);
        tight |= most > 0;
        if ((!tight && i >= 4) || is_best(s))
            break;
        idle = s->bound > last + 1e-4 * fabs(s->bound) ? 0 : idle + 1;
        last = s->bound;
        if (idle >= 8) { /* the steps were too long */
            idle = 0;
            factor *= 0.5;
            memcpy(s->price, s->good_price, sizeof *s->price * s->m.ntime);
            continue;
        }
        double target = s->best_cost;
        if (target == INFINITY)
            target = (1.05 + fmin(2, fmax(0, most / s->m.limit))) * fmax(s->bound, cost);
        change_prices(s, factor, target);
    }
}

/* ---- Local steps ---- */

/* The current cost of the variables of the ball, with all their edges. */
static double ball_cost(const tsr_search_forest *f, uint32_t n, const uint32_t *x)
{
    const tsr_search_graph *g = f->g;
    double sum = 0;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t v = f->order[i];
        const tsr_search_var *a = &g->vars[v];
        sum += a->own[x[v]];
        for (uint32_t k = 0; k < a->nlink; k++) {
            tsr_search_link l = g->links[a->link + k];
            double c = tsr_search_at(g->edges[l.edge].cost, l.rows, a->n, g->vars[l.other].n, x[v],
                                     x[l.other]);
            sum += f->mark[l.other] == f->now ? 0.5 * c : c;
        }
    }
    return sum;
}

typedef enum { FREE, ANY, CHEAPER, SMALLER } rule;

/* Re-solves one tree around a variable at current costs. The new choices are accepted if they fit; FREE: always;
 * CHEAPER: and if they cost less; SMALLER: if peak memory decreases, or stays equal and they cost less. True:
 * accepted. */
static bool small_step(solver *s, uint32_t center, uint32_t most, rule r)
{
    tsr_search_forest *f = &s->forest;
    uint32_t n = tsr_search_forest_ball(f, &s->random, center, most, s->x, s->old), changed = 0;
    for (uint32_t i = 0; i < n; i++)
        changed += s->x[f->order[i]] != s->old[i];
    if (!changed)
        return false;
    double used = s->tree[1], after = r <= ANY ? 0 : ball_cost(f, n, s->x);
    for (uint32_t i = 0; i < n; i++)
        change_use(s, f->order[i], s->old[i], s->x[f->order[i]]);
    double use = s->tree[1], tolerance = 1e-9 * s->m.limit;
    bool fits = s->m.ntime == 0 || use <= s->m.limit;
    for (uint32_t i = 0; i < n; i++) { /* swap back */
        uint32_t v = f->order[i], t = s->x[v];
        s->x[v] = s->old[i];
        s->old[i] = t;
    }
    bool take = fits || r == FREE || (r == SMALLER && use <= used + tolerance);
    if (take && r > ANY && !(r == SMALLER && used > s->m.limit && use < used - tolerance))
        take = after < ball_cost(f, n, s->x);
    if (take) {
        for (uint32_t i = 0; i < n; i++)
            s->x[f->order[i]] = s->old[i];
        return true;
    }
    for (uint32_t i = 0; i < n; i++)
        change_use(s, f->order[i], s->old[i], s->x[f->order[i]]);
    return false;
}

/* Whether the tree, which steps change, still has the largest use of x; it is counted again. */
static bool use_is_right(solver *s)
{
    double root = s->tree[1];
    count_use(s, s->x);
    double most = over(s) + s->m.limit;
    return !s->m.ntime || !isfinite(s->m.limit) || fabs(root - most) <= 1e-6 * (1 + fabs(most));
}

static void small_steps(solver *s, rule r, uint32_t steps)
{
    uint32_t n = s->m.graph.nvar;
    count_use(s, s->x);
    plant(s);
    for (uint32_t i = 0; i < steps && !is_over(s, 1); i++) {
        tsr_tick();
        small_step(s, tsr_search_below(&s->random, n), 2u << tsr_search_below(&s->random, 8), r);
    }
    tsr_check(use_is_right(s), "steps lost count of the memory that choices use");
}

/* Turns the choices in x, which nearly fit, into ones that do, by raising the price of memory where the limit is
 * exceeded. */
static bool repair(solver *s, int rounds)
{
    double value = fabs(s->bound), most = INFINITY;
    for (int i = 0; i < rounds && !is_over(s, 1); i++) {
        count_use(s, s->x);
        most = over(s);
        if (most <= 0)
            break;
        double square = 0;
        for (uint32_t t = 0; t < s->m.ntime; t++) {
            double g = s->use[t] - 0.98 * s->m.limit;
            square += g > 0 ? g * g : 0;
        }
        double step = 0.02 * (1 + i) * value / square;
        for (uint32_t t = 0; t < s->m.ntime; t++) {
            double g = s->use[t] - 0.98 * s->m.limit;
            s->price[t] = (i % 16 ? s->price[t] : s->good_price[t]) + (g > 0 ? step * g : 0);
        }
        set_costs(s, 1);
        small_steps(s, SMALLER, s->m.graph.nvar);
    }
    return most <= 0;
}

/* No choices fit yet. */
static void first_repair(solver *s)
{
    for (int i = 0; s->best_cost == INFINITY && s->npool && !is_over(s, 1); i++) {
        memcpy(s->x, s->pool[i % s->npool].x, sizeof *s->x * s->m.graph.nvar);
        if (repair(s, 16 << (i < 8 ? i : 8)))
            keep(s, s->x, own_cost(s, s->x));
    }
}

/* Finds other choices by perturbing the costs. */
static void shake(solver *s)
{
    tsr_search_graph *g = &s->m.graph;
    double scale = fabs(s->best_cost) / g->nvar * exp2((int)tsr_search_below(&s->random, 8) - 5);
    set_costs(s, tsr_search_below(&s->random, 1500) * 1e-3);
    for (uint32_t v = 0; v < g->nvar; v++)
        for (uint32_t i = 0; i < g->vars[v].n; i++)
            g->vars[v].cost[i] += scale * (1e-6 * tsr_search_below(&s->random, 1000000));
    solve_core(s, s->sweeps, s->sweeps, true);
}

static void polish(solver *s)
{
    const tsr_search_graph *g = &s->m.graph;
    if (!g->nvar)
        return;
    static const double factors[] = {0, 1, 0.3, 0, 1, 0.7, 0, 1.5};
    int idle = 0;
    for (int round = 0; !is_over(s, 1) && !is_best(s); round++) {
        if (s->o->patience && idle >= s->o->patience)
            break;
        double before = s->best_cost;
        memcpy(s->price, s->good_price, sizeof *s->price * s->m.ntime);
        memcpy(s->x, s->best, sizeof *s->x * g->nvar);
        if (idle > 8 && s->m.ntime) {
            if (idle % 3 == 0) {
                shake(s);
            } else if (s->npool && idle % 3 == 1) {
                memcpy(s->x, s->pool[tsr_search_below(&s->random, (uint32_t)s->npool)].x,
                       sizeof *s->x * g->nvar);
            } else {
                set_costs(s, tsr_search_below(&s->random, 1000) * 1e-3);
                small_steps(s, FREE, 1 + tsr_search_below(&s->random, 1 + g->nvar / 8));
            }
            if (!repair(s, 16)) {
                idle++;
                continue;
            }
        } else {
            set_costs(s, factors[round % 8]);
            small_steps(s, ANY, g->nvar);
        }
        set_costs(s, 0);
        small_steps(s, CHEAPER, g->nvar);
        double cost = own_cost(s, s->x);
        count_use(s, s->x);
        if (over(s) <= 0)
            keep(s, s->x, cost);
        idle = s->best_cost < before ? 0 : idle + 1;
    }
}

static void start(solver *s, const tsr_search_problem *p)
{
    tsr_search_model_init(&s->m, p, s->o->pool);
    if (s->m.hopeless)
        return;
    tsr_search_graph *g = &s->m.graph;
    tsr_arena *a = &s->m.arena;
    tsr_search_core_init(&s->core, g, a);
    tsr_search_messages_init(&s->messages, &s->core.core, a);
    tsr_search_forest_init(&s->core_forest, &s->core.core, a);
    tsr_search_forest_init(&s->forest, g, a);
    s->price = TSR_NEW_ARRAY(a, double, s->m.ntime + 1);
    s->good_price = TSR_NEW_ARRAY(a, double, s->m.ntime + 1);
    s->sum_price = TSR_NEW_ARRAY(a, double, s->m.ntime + 1);
    s->use = TSR_NEW_ARRAY(a, double, s->m.ntime + 1);
    for (s->leaves = 1; s->leaves < s->m.ntime;)
        s->leaves *= 2;
    s->tree = TSR_NEW_ARRAY(a, double, 2 * (size_t)s->leaves);
    s->add = TSR_NEW_ARRAY(a, double, 2 * (size_t)s->leaves);
    uint32_t **arrays[] = {&s->x, &s->core_x, &s->last, &s->best, &s->old};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        *arrays[i] = TSR_NEW_ARRAY(a, uint32_t, g->nvar + 1);
    for (int i = 0; i < POOL; i++)
        s->pool[i].x = TSR_NEW_ARRAY(a, uint32_t, g->nvar + 1);
    /* A small core may take as much time as the rest of the round. */
    double beside = s->m.ntime + 4.0 * s->m.nuse, cells = 1;
    for (uint32_t i = 0; i < g->nedge; i++)
        beside += (double)g->vars[g->edges[i].node[0]].n * g->vars[g->edges[i].node[1]].n;
    for (uint32_t i = 0; i < s->core.core.nedge; i++)
        cells += (double)s->core.core.vars[s->core.core.edges[i].node[0]].n *
                 s->core.core.vars[s->core.core.edges[i].node[1]].n;
    s->sweeps = (int)fmax(2, fmin(20, beside / (4 * cells)));
}

tsr_search_result tsr_search_solve(const tsr_search_problem *p, const tsr_search_options *options,
                                   uint32_t *choice)
{
    tsr_search_options o = *options;
    if (!(o.seconds > 0) && !(o.work > 0))
        o.work = 1e9;
    o.clock = o.clock ? o.clock : tsr_seconds;
    solver s = {.o = &o, .best_cost = INFINITY, .bound = -INFINITY, .start = o.clock()};
    s.random.state = o.seed;
    start(&s, p);
    tsr_search_result r = {.cost = INFINITY, .bound = INFINITY};
    if (!s.m.hopeless) {
        rounds(&s, 0.4);
        first_repair(&s);
        r.bound = s.bound;
    }
    if (s.best_cost < INFINITY) {
        polish(&s);
        tsr_search_expand(&s.m, s.best, choice);
        tsr_search_value v = tsr_search_evaluate(p, choice);
        tsr_assert(fabs(v.cost - s.best_cost) <= 1e-6 * (1 + fabs(v.cost)),
                   "choices cost %g, not %g as the search counted", v.cost, s.best_cost);
        r = (tsr_search_result){v.memory <= p->limit, v.cost, v.memory, fmin(s.bound, v.cost)};
    }
    tsr_search_model_free(&s.m);
    return r;
}
