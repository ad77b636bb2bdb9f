/* SPDX-License-Identifier: Apache-2.0 */
/* problem.c - reads a problem, and computes the cost of choices. */
#include "search/problem.h"

#include <math.h>

#include "base/char.h"
#include "base/scope.h"
#include "base/vec.h"

/* ---- Reading ----
 *
 * base/json.h would build a tree; these files have millions of numbers, which are read straight into arrays here. */

typedef struct {
    const char *text, *p, *end;
    const char *error;
    tsr_search_problem *to;
    TSR_VEC(double) numbers;
    TSR_VEC(uint32_t) lengths; /* lengths of the inner lists of a list */
    const uint32_t *costs;     /* by edge: number of costs */
} reader;

static bool fail(reader *r, const char *why)
{
    if (!r->error)
        r->error = why;
    return false;
}

static void space(reader *r)
{
    while (r->p < r->end && (*r->p == ' ' || *r->p == '\n' || *r->p == '\t' || *r->p == '\r'))
        r->p++;
}

static bool take(reader *r, char c)
{
    space(r);
    if (r->p >= r->end || *r->p != c)
        return false;
    r->p++;
    return true;
}

static bool number(reader *r, double *out)
{
    space(r);
    const char *start = r->p;
    bool minus = r->p < r->end && *r->p == '-';
    r->p += minus;
    double v = 0;
    const char *digits = r->p;
    for (; r->p < r->end && tsr_is_digit(*r->p); r->p++)
        v = v * 10 + (*r->p - '0');
    if (r->p == digits || r->p - digits > 300) {
        r->p = start;
        return fail(r, "expected an integer");
    }
    *out = minus ? -v : v;
    return true;
}

static bool name(reader *r, tsr_str *out)
{
    if (!take(r, '"'))
        return fail(r, "expected a string");
    const char *start = r->p;
    while (r->p < r->end && *r->p != '"' && *r->p != '\\' && (unsigned char)*r->p >= ' ')
        r->p++;
    if (r->p >= r->end || *r->p != '"')
        return fail(r, "expected a string without escapes");
    *out = (tsr_str){start, (size_t)(r->p++ - start)};
    return true;
}

/* [[1, 2], [3]]: numbers and lengths. */
static bool lists(reader *r)
{
    r->numbers.n = r->lengths.n = 0;
    if (!take(r, '['))
        return fail(r, "expected a list of lists");
    if (take(r, ']'))
        return true;
    do {
        size_t before = r->numbers.n;
        if (!take(r, '['))
            return fail(r, "expected a list");
        if (!take(r, ']')) {
            do {
                double v;
                if (!number(r, &v))
                    return false;
                tsr_vec_push(&r->numbers, v);
            } while (take(r, ','));
            if (!take(r, ']'))
                return fail(r, "expected ',' or ']'");
        }
        tsr_vec_push(&r->lengths, (uint32_t)(r->numbers.n - before));
        tsr_tick();
    } while (take(r, ','));
    return take(r, ']') || fail(r, "expected ',' or ']'");
}

static bool is_index(double v, double below)
{
    return v >= 0 && v < below && v == floor(v);
}

static bool nodes_of(reader *r)
{
    tsr_search_problem *p = r->to;
    if (p->nodes && p->nnode != r->lengths.n)
        return fail(r, "another number of nodes than before");
    if (!p->nodes) {
        p->nnode = (uint32_t)r->lengths.n;
        p->nodes = TSR_NEW_ARRAY(&p->arena, tsr_search_node, p->nnode);
    }
    return true;
}

static bool intervals(reader *r)
{
    if (!nodes_of(r))
        return false;
    for (size_t i = 0; i < r->lengths.n; i++) {
        const double *v = TSR_FROM(r->numbers.data, 2 * i);
        if (r->lengths.data[i] != 2 || !is_index(v[0], 1e15) || !is_index(v[1], 1e15))
            return fail(r, "an interval is a list of two points of time");
        r->to->nodes[i].first = (int64_t)v[0];
        r->to->nodes[i].last = (int64_t)v[1];
    }
    return true;
}

/* costs and usages: one number per choice. */
static bool by_choice(reader *r, bool memory)
{
    if (!nodes_of(r))
        return false;
    double *v = tsr_arena_copy(&r->to->arena, r->numbers.data, r->numbers.n * sizeof *v);
    for (size_t i = 0; i < r->lengths.n; i++) {
        tsr_search_node *n = &r->to->nodes[i];
        if (!r->lengths.data[i] || r->lengths.data[i] > UINT16_MAX)
            return fail(r, "a node has from 1 to 65535 choices");
        if (n->n && n->n != r->lengths.data[i])
            return fail(r, "another number of choices than before");
        n->n = r->lengths.data[i];
        *(memory ? &n->memory : &n->cost) = v;
        v += n->n;
    }
    return true;
}

static bool edges_of(reader *r)
{
    tsr_search_problem *p = r->to;
    if (p->edges && p->nedge != r->lengths.n)
        return fail(r, "another number of edges than before");
    if (!p->edges) {
        p->nedge = (uint32_t)r->lengths.n;
        p->edges = TSR_NEW_ARRAY(&p->arena, tsr_search_edge, p->nedge);
    }
    return true;
}

static bool edge_nodes(reader *r)
{
    if (!edges_of(r))
        return false;
    for (uint32_t i = 0; i < r->to->nedge; i++) {
        if (r->lengths.data[i] != 2)
            return fail(r, "an edge has two nodes");
        for (uint32_t k = 0; k < 2; k++) {
            double v = r->numbers.data[2 * i + k];
            if (!is_index(v, UINT32_MAX))
                return fail(r, "no such node");
            r->to->edges[i].node[k] = (uint32_t)v;
        }
    }
    return true;
}

/* Keys come in any order, so the number of costs that an edge must have is checked at the end. */
static bool edge_costs(reader *r)
{
    if (!edges_of(r))
        return false;
    tsr_arena *arena = &r->to->arena;
    double *v = tsr_arena_copy(arena, r->numbers.data, r->numbers.n * sizeof *v);
    r->costs = tsr_arena_copy(arena, r->lengths.data, r->lengths.n * sizeof *r->costs);
    for (uint32_t i = 0; i < r->to->nedge; i++) {
        r->to->edges[i].cost = v;
        v += r->lengths.data[i];
    }
    return true;
}

static bool edges_fit(reader *r)
{
    const tsr_search_problem *p = r->to;
    for (uint32_t i = 0; i < p->nedge; i++) {
        const uint32_t *ends = p->edges[i].node;
        if (ends[0] >= p->nnode || ends[1] >= p->nnode)
            return fail(r, "an edge has no such node");
        if (!p->edges[i].cost || (uint64_t)p->nodes[ends[0]].n * p->nodes[ends[1]].n != r->costs[i])
            return fail(r, "an edge has a cost for each pair of choices");
    }
    return true;
}

/* { "key": value, ... }, each value read by member. */
static bool object(reader *r, bool (*member)(reader *r, tsr_str key))
{
    if (!take(r, '{'))
        return fail(r, "expected an object");
    do {
        tsr_str key;
        if (!name(r, &key))
            return false;
        if (!take(r, ':'))
            return fail(r, "expected ':'");
        if (!member(r, key))
            return fail(r, "unknown key");
    } while (take(r, ','));
    return take(r, '}') || fail(r, "expected ',' or '}'");
}

static bool node_member(reader *r, tsr_str key)
{
    if (tsr_str_eq(key, TSR_STR("intervals")))
        return lists(r) && intervals(r);
    if (tsr_str_eq(key, TSR_STR("costs")))
        return lists(r) && by_choice(r, false);
    if (tsr_str_eq(key, TSR_STR("usages")))
        return lists(r) && by_choice(r, true);
    return false;
}

static bool edge_member(reader *r, tsr_str key)
{
    if (tsr_str_eq(key, TSR_STR("nodes")))
        return lists(r) && edge_nodes(r);
    if (tsr_str_eq(key, TSR_STR("costs")))
        return lists(r) && edge_costs(r);
    return false;
}

static bool problem_member(reader *r, tsr_str key)
{
    if (tsr_str_eq(key, TSR_STR("name")))
        return name(r, &r->to->name);
    if (tsr_str_eq(key, TSR_STR("nodes")))
        return object(r, node_member);
    if (tsr_str_eq(key, TSR_STR("edges")))
        return object(r, edge_member);
    if (tsr_str_eq(key, TSR_STR("usage_limit")))
        return number(r, &r->to->limit);
    return false;
}

static bool top_member(reader *r, tsr_str key)
{
    return tsr_str_eq(key, TSR_STR("problem")) && object(r, problem_member);
}

static bool whole(reader *r)
{
    tsr_search_problem *p = r->to;
    if (!object(r, top_member))
        return false;
    space(r);
    if (r->p != r->end)
        return fail(r, "something follows");
    for (uint32_t i = 0; i < p->nnode; i++)
        if (!p->nodes[i].cost || !p->nodes[i].memory)
            return fail(r, "nodes need intervals, costs and usages");
    return p->nnode ? edges_fit(r) : fail(r, "there are no nodes");
}

bool tsr_search_read(tsr_search_problem *p, tsr_str text, const char **error, size_t *at)
{
    *p = (tsr_search_problem){.limit = INFINITY};
    tsr_arena_init(&p->arena);
    reader r = {.text = text.data, .p = text.data, .end = TSR_FROM(text.data, text.len), .to = p};
    bool ok = whole(&r);
    *error = r.error;
    *at = (size_t)(r.p - r.text);
    tsr_vec_free(&r.numbers);
    tsr_vec_free(&r.lengths);
    if (ok) {
        p->name.data = tsr_arena_copy(&p->arena, p->name.data, p->name.len);
        return true;
    }
    tsr_search_free(p);
    return false;
}

void tsr_search_free(tsr_search_problem *p)
{
    tsr_arena_free(&p->arena);
    *p = (tsr_search_problem){0};
}

/* ---- Cost of choices ---- */

typedef struct {
    int64_t at;
    double bytes;
} change;

static int by_time(const void *a, const void *b)
{
    const change *x = a, *y = b;
    if (x->at != y->at)
        return x->at < y->at ? -1 : 1;
    return (x->bytes > y->bytes) - (x->bytes < y->bytes);
}

tsr_search_value tsr_search_evaluate(const tsr_search_problem *p, const uint32_t *choice)
{
    tsr_search_value v = {0, 0};
    TSR_VEC(change) changes = {0};
    for (uint32_t i = 0; i < p->nnode; i++) {
        const tsr_search_node *n = &p->nodes[i];
        v.cost += n->cost[choice[i]];
        if (n->first < n->last) {
            tsr_vec_push(&changes, ((change){n->first, n->memory[choice[i]]}));
            tsr_vec_push(&changes, ((change){n->last, -n->memory[choice[i]]}));
        }
    }
    for (uint32_t i = 0; i < p->nedge; i++) {
        const tsr_search_edge *e = &p->edges[i];
        v.cost += e->cost[(size_t)choice[e->node[0]] * p->nodes[e->node[1]].n + choice[e->node[1]]];
    }
    if (changes.n)
        qsort(changes.data, changes.n, sizeof *changes.data, by_time);
    double now = 0;
    for (size_t i = 0; i < changes.n; i++) {
        now += changes.data[i].bytes;
        if (now > v.memory)
            v.memory = now;
    }
    tsr_vec_free(&changes);
    return v;
}
