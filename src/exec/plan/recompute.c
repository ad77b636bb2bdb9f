/* SPDX-License-Identifier: Apache-2.0 */
/* recompute.c - values that are recomputed rather than kept.
 *
 * A loop often reads values of a loop that ran long before, as a backward pass reads those of the forward pass. Where
 * cheap ops can compute them from values that are in memory anyway, or from fewer bytes, the later loop recomputes
 * them: (1 + t)(1 - t) and 1 + t from t alone. This saves memory and adds no reads: each value that is read in addition
 * replaces at least one that is no longer read. Bits are the same except for narrow floats, which are not rounded
 * inside a loop.
 *
 * Groups are in order, and the level of each is its position. A value is replaced in the last loop that reads it. Each
 * search for a value's sources is short, so the time is linear. */
#include "exec/program.h"

enum {
    DEPTH = 4,        /* ops between a value and its sources */
    MOST_FROM = 8,    /* sources of a value */
    MOST_NODES = 128, /* of a loop */
};
enum { ENDLESS = UINT32_MAX }; /* apart: some compilers make all constants of an enum unsigned */

/* How a value that a loop reads can be recomputed. */
typedef struct {
    tsr_xid value;
    tsr_xid from[MOST_FROM]; /* sources that would have to be kept until then */
    uint32_t nfrom;
    uint32_t anew; /* sources in memory that the loop does not read yet */
    bool fits;
} plan;

typedef struct {
    tsr_program *p;
    /* By value: positions + 1 of the last group that reads it from memory, and of the last before that; 0: none. */
    TSR_VEC(uint32_t) last, before;
    TSR_VEC(uint32_t) reads; /* by value: how often it is read, anywhere */
    TSR_VEC(tsr_xid) copy;   /* by value: its copy in the current group; TSR_XNONE: none */
    TSR_VEC(uint64_t) gain;  /* by value: bytes of the values that could be recomputed from it */
    tsr_xid group;           /* the current group */
    uint32_t place;          /* its position + 1 */
    TSR_VEC(plan) plans;
    TSR_VEC(tsr_xid) copied, replaced;
} again;

static tsr_xgroup *group_of(const again *a, tsr_xid node)
{
    return &a->p->groups.data[tsr_xgroup_find(a->p, a->p->nodes.data[node].group)];
}

/* Makes room for all values. */
static void grow(again *a)
{
    while (a->last.n < a->p->values.n) {
        tsr_vec_push(&a->last, 0);
        tsr_vec_push(&a->before, 0);
        tsr_vec_push(&a->reads, 0);
        tsr_vec_push(&a->copy, TSR_XNONE);
        tsr_vec_push(&a->gain, 0);
    }
}

static tsr_xid add_value(again *a, tsr_xvalue made)
{
    tsr_vec_push(&a->p->values, made);
    grow(a);
    return (tsr_xid)a->p->values.n - 1;
}

/* ---- Readers ---- */

static void note(again *a, tsr_xid v, uint32_t place)
{
    if (place > a->last.data[v]) {
        a->before.data[v] = a->last.data[v];
        a->last.data[v] = place;
    } else if (place < a->last.data[v] && place > a->before.data[v]) {
        a->before.data[v] = place;
    }
}

static void note_results(again *a, const tsr_block_program *b)
{
    for (uint32_t i = 0; i < b->nresults; i++) {
        a->reads.data[tsr_storage_of(a->p, b->results[i])]++;
        note(a, tsr_storage_of(a->p, b->results[i]), ENDLESS);
    }
}

/* Values read inside a loop or branch are among its operands. */
static void note_reads(again *a)
{
    const tsr_program *p = a->p;
    note_results(a, &p->main);
    for (tsr_xid i = 0; i < p->nodes.n; i++) {
        const tsr_node *n = &p->nodes.data[i];
        if (n->dead || n->group == TSR_XNONE)
            continue;
        const tsr_xgroup *g = group_of(a, i);
        for (uint32_t k = 0; k < n->nin; k++) {
            tsr_xid s = tsr_storage_of(p, n->in[k]), made = p->values.data[s].node;
            a->reads.data[s]++;
            if (made == TSR_XNONE || p->nodes.data[made].group == TSR_XNONE)
                continue;
            const tsr_xgroup *from = group_of(a, made);
            if (from != g && from->home == g->home)
                note(a, s, g->level + 1);
        }
        for (uint32_t k = 0; k < n->nblock; k++)
            note_results(a, n->blocks[k]);
    }
}

/* ---- Sources of a value ---- */

/* Whether v, with n elements, is a whole value in order. */
static bool is_plain(const tsr_program *p, tsr_xid v, int64_t n)
{
    return p->values.data[v].n == n && p->values.data[v].fence == TSR_XNONE &&
           tsr_is_whole(p, v, NULL);
}

/* Whether a cheap op of an earlier loop with the same number of elements computes the value. */
static bool is_cheap(const again *a, tsr_xid s)
{
    const tsr_program *p = a->p;
    const tsr_xvalue *x = &p->values.data[s];
    if (x->node == TSR_XNONE || p->nodes.data[x->node].group == TSR_XNONE)
        return false;
    const tsr_node *n = &p->nodes.data[x->node];
    return n->kind == TSR_NODE_TILE && !n->by_row && !n->counts && !n->dead &&
           x->n == p->groups.data[a->group].n && tsr_is_cheap(n) &&
           group_of(a, x->node)->home == p->groups.data[a->group].home;
}

/* Whether s is in memory when the current group runs, even if the cheap values that this group is the last to read are
 * not kept. */
static bool is_there(const again *a, tsr_xid s)
{
    const tsr_xvalue *x = &a->p->values.data[s];
    if (x->place == TSR_PLACE_SPLAT || x->place == TSR_PLACE_IOTA || x->argument || x->box)
        return true;
    return a->last.data[s] > a->place || (a->last.data[s] == a->place && !is_cheap(a, s));
}

/* Whether the current group reads s from memory. */
static bool is_read(const again *a, tsr_xid s)
{
    const tsr_xgroup *g = &a->p->groups.data[a->group];
    for (size_t i = 0; i < g->nodes.n; i++) {
        const tsr_node *n = &a->p->nodes.data[g->nodes.data[i]];
        for (uint32_t k = 0; k < n->nin; k++)
            if (tsr_storage_of(a->p, n->in[k]) == s)
                return true;
    }
    return false;
}

static bool add_from(plan *x, tsr_xid s)
{
    for (uint32_t i = 0; i < x->nfrom; i++)
        if (x->from[i] == s)
            return true;
    if (x->nfrom == MOST_FROM)
        return false;
    x->from[x->nfrom++] = s;
    return true;
}

/* Finds the sources of the operands of the op that computes s. */
static bool walk(const again *a, plan *x, tsr_xid s, int depth)
{
    const tsr_program *p = a->p;
    const tsr_node *n = &p->nodes.data[p->values.data[s].node];
    for (uint32_t k = 0; k < n->nin; k++) {
        tsr_xid v = n->in[k], u = tsr_storage_of(p, v);
        const tsr_xvalue *y = &p->values.data[u];
        if (p->values.data[v].fence != TSR_XNONE)
            return false;
        if (is_there(a, u)) {
            x->anew += y->place != TSR_PLACE_SPLAT && y->place != TSR_PLACE_IOTA && !is_read(a, u);
            continue;
        }
        if (y->node == TSR_XNONE || p->nodes.data[y->node].group == TSR_XNONE || y->n < 0 ||
            group_of(a, y->node)->home != p->groups.data[a->group].home)
            return false;
        if (depth < DEPTH && is_cheap(a, u) && is_plain(p, v, y->n)) {
            if (!walk(a, x, u, depth + 1))
                return false;
        } else if (!add_from(x, u)) {
            return false;
        }
    }
    return true;
}

/* Whether node n of g contracts the rows of its operand k, which the loop could leave in a block. */
static bool contracts_rows(const tsr_program *p, const tsr_xgroup *g, const tsr_node *n, uint32_t k)
{
    for (uint8_t i = 0; i < g->ntail; i++)
        if (&p->nodes.data[g->tails[i].node] == n)
            return g->tails[i].right == k;
    return false;
}

/* Whether the current group reads s only in its loop, element by element, or in a product that contracts its rows. */
static bool reads_plainly(const again *a, tsr_xid s)
{
    const tsr_program *p = a->p;
    const tsr_xgroup *g = &p->groups.data[a->group];
    for (size_t i = 0; i < g->nodes.n; i++) {
        const tsr_node *n = &p->nodes.data[g->nodes.data[i]];
        for (uint32_t k = 0; k < n->nin; k++)
            if (tsr_storage_of(p, n->in[k]) == s &&
                ((n->kind > TSR_NODE_REDUCE && !contracts_rows(p, g, n, k)) ||
                 (n->kind == TSR_NODE_TILE && n->by_row) || tsr_is_table(n, k) ||
                 !is_plain(p, n->in[k], g->n)))
                return false;
    }
    return true;
}

static void find_plans(again *a)
{
    const tsr_program *p = a->p;
    const tsr_xgroup *g = &p->groups.data[a->group];
    a->plans.n = 0;
    for (size_t i = 0; i < g->nodes.n; i++) {
        const tsr_node *n = &p->nodes.data[g->nodes.data[i]];
        for (uint32_t k = 0; k < n->nin; k++) {
            plan x = {.value = tsr_storage_of(p, n->in[k])};
            bool known = a->last.data[x.value] != a->place || !is_cheap(a, x.value);
            for (size_t m = 0; m < a->plans.n && !known; m++)
                known = a->plans.data[m].value == x.value;
            if (known || group_of(a, p->values.data[x.value].node) == g ||
                !reads_plainly(a, x.value))
                continue;
            x.fits = walk(a, &x, x.value, 1);
            tsr_vec_push(&a->plans, x);
        }
    }
}

/* ---- Choosing values ---- */

static uint64_t bytes_from(const again *a, const plan *x)
{
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < x->nfrom; i++)
        bytes += a->last.data[x->from[i]] < a->place
                     ? tsr_xvalue_bytes(&a->p->values.data[x->from[i]])
                     : 0;
    return bytes;
}

/* Keeping a value for the sake of those recomputed from it pays if these have more bytes together. */
static void weigh(again *a)
{
    for (size_t i = 0; i < a->plans.n; i++) {
        const plan *x = &a->plans.data[i];
        for (uint32_t k = 0; k < x->nfrom; k++)
            a->gain.data[x->from[k]] = 0;
    }
    for (size_t i = 0; i < a->plans.n; i++) {
        const plan *x = &a->plans.data[i];
        if (x->fits && x->nfrom == 1 && !x->anew)
            a->gain.data[x->from[0]] += tsr_xvalue_bytes(&a->p->values.data[x->value]);
    }
    for (size_t i = 0; i < a->plans.n; i++) {
        plan *x = &a->plans.data[i];
        uint64_t own = tsr_xvalue_bytes(&a->p->values.data[x->value]), cost = bytes_from(a, x);
        bool alone = cost < own && x->anew + x->nfrom <= 1,
             together = x->nfrom == 1 && !x->anew && cost < a->gain.data[x->from[0]];
        x->fits = x->fits && (alone || together);
    }
}

/* ---- Copies ---- */

/* A new value of the same type, computed in the current group. */
static tsr_xid new_value(again *a, tsr_xid like, tsr_xid node)
{
    const tsr_xvalue *x = &a->p->values.data[like];
    tsr_xvalue made = {.type = x->type,
                       .dims = x->dims,
                       .n = x->n,
                       .place = TSR_PLACE_NOWHERE,
                       .dtype = x->dtype,
                       .rank = x->rank,
                       .part = true,
                       .node = node,
                       .fence = TSR_XNONE,
                       .shares = TSR_XNONE,
                       .op = x->op};
    return add_value(a, made);
}

/* v, a whole value or a view of one, with copy in its place. */
static tsr_xid as_copy(again *a, tsr_xid v, tsr_xid copy)
{
    if (a->p->values.data[v].place != TSR_PLACE_VIEW)
        return copy;
    tsr_xvalue view = a->p->values.data[v];
    view.base = copy;
    return add_value(a, view);
}

/* Moves a copy made for a later reader, and the copies that it reads, before node number at of the group. */
static void move_up(again *a, tsr_xid copy, size_t *at)
{
    tsr_xgroup *g = &a->p->groups.data[a->group];
    tsr_xid node = a->p->values.data[copy].node, *nodes = g->nodes.data;
    size_t i = *at;
    while (i < g->nodes.n && nodes[i] != node)
        i++;
    if (i == g->nodes.n) /* it is there already, or in another group */
        return;
    const tsr_node *n = &a->p->nodes.data[node];
    for (uint32_t k = 0; k < n->nin; k++)
        move_up(a, tsr_storage_of(a->p, n->in[k]), at);
    memmove(nodes + *at + 1, nodes + *at, (i - *at) * sizeof *nodes);
    nodes[(*at)++] = node;
}

/* Inserts a copy of the op that computes s, and of the ops that it needs, before node number at of the group; returns
 * the new value. */
static tsr_xid copy_value(again *a, tsr_xid s, size_t *at, int depth)
{
    tsr_program *p = a->p;
    if (a->copy.data[s] != TSR_XNONE) {
        move_up(a, a->copy.data[s], at);
        return a->copy.data[s];
    }
    tsr_node made = p->nodes.data[p->values.data[s].node];
    made.in = tsr_arena_copy(&p->arena, made.in, made.nin * sizeof *made.in);
    for (uint32_t k = 0; k < made.nin; k++) {
        tsr_xid v = made.in[k], u = tsr_storage_of(p, v);
        p->values.data[u].unrounded = false; /* two groups read it now */
        bool there = is_there(a, u);
        if (!there && depth < DEPTH && is_cheap(a, u) && is_plain(p, v, p->values.data[u].n))
            made.in[k] = as_copy(a, v, copy_value(a, u, at, depth + 1));
        else if (p->values.data[u].node != TSR_XNONE)
            note(a, u, a->place);
        a->reads.data[tsr_storage_of(p, made.in[k])]++;
    }
    tsr_xid node = (tsr_xid)p->nodes.n;
    made.group = a->group;
    made.out = TSR_NEW_ARRAY(&p->arena, tsr_xid, 1);
    made.out[0] = new_value(a, s, node);
    tsr_vec_push(&p->nodes, made);
    tsr_xgroup *g = &p->groups.data[a->group];
    tsr_vec_push(&g->nodes, node);
    for (size_t i = g->nodes.n - 1; i > *at; i--)
        g->nodes.data[i] = g->nodes.data[i - 1];
    g->nodes.data[(*at)++] = node;
    a->copy.data[s] = made.out[0];
    tsr_vec_push(&a->copied, s);
    return made.out[0];
}

/* The index of the first node that reads s. */
static size_t first_reader(const again *a, tsr_xid s)
{
    const tsr_xgroup *g = &a->p->groups.data[a->group];
    for (size_t i = 0; i < g->nodes.n; i++) {
        const tsr_node *n = &a->p->nodes.data[g->nodes.data[i]];
        for (uint32_t k = 0; k < n->nin; k++)
            if (tsr_storage_of(a->p, n->in[k]) == s)
                return i;
    }
    return g->nodes.n;
}

static void replace(again *a, tsr_xid s)
{
    tsr_program *p = a->p;
    size_t at = first_reader(a, s);
    tsr_xid made = copy_value(a, s, &at, 1);
    for (size_t i = at; i < p->groups.data[a->group].nodes.n; i++) {
        tsr_node *n = &p->nodes.data[p->groups.data[a->group].nodes.data[i]];
        for (uint32_t k = 0; k < n->nin; k++)
            if (tsr_storage_of(p, n->in[k]) == s) {
                n->in[k] = as_copy(a, n->in[k], made);
                a->reads.data[s]--;
                a->reads.data[made]++;
            }
    }
    a->last.data[s] = a->before.data[s];
    tsr_vec_push(&a->replaced, s);
}

/* Drops values that are no longer read, and those that only they read. */
static void drop(again *a)
{
    tsr_program *p = a->p;
    while (a->replaced.n) {
        tsr_xid s = a->replaced.data[--a->replaced.n], made = p->values.data[s].node;
        if (a->reads.data[s] || made == TSR_XNONE || p->nodes.data[made].dead)
            continue;
        tsr_node *n = &p->nodes.data[made];
        if (n->kind > TSR_NODE_REDUCE || n->counts)
            continue;
        n->dead = true;
        for (uint32_t k = 0; k < n->nin; k++) {
            a->reads.data[tsr_storage_of(p, n->in[k])]--;
            tsr_vec_push(&a->replaced, tsr_storage_of(p, n->in[k]));
        }
    }
}

static void look_at(again *a, tsr_xid group)
{
    const tsr_program *p = a->p;
    const tsr_xgroup *g = &p->groups.data[group];
    if (g->kind != TSR_NODE_TILE || g->nodes.n > MOST_NODES)
        return;
    a->group = group;
    a->place = g->level + 1;
    find_plans(a);
    weigh(a);
    for (size_t i = 0; i < a->plans.n; i++)
        if (a->plans.data[i].fits && p->groups.data[group].nodes.n <= MOST_NODES)
            replace(a, a->plans.data[i].value);
    for (size_t i = 0; i < a->copied.n; i++)
        a->copy.data[a->copied.data[i]] = TSR_XNONE;
    a->copied.n = 0;
}

static void look_through(again *a, const tsr_block_program *b)
{
    for (size_t i = 0; i < b->groups.n; i++) {
        tsr_xid g = b->groups.data[i];
        const tsr_node *n = &a->p->nodes.data[a->p->groups.data[g].nodes.data[0]];
        uint32_t nblock = n->nblock;
        struct tsr_block_program **blocks = n->blocks;
        look_at(a, g);
        for (uint32_t k = 0; k < nblock; k++)
            look_through(a, blocks[k]);
    }
}

void tsr_values_recompute(tsr_program *p)
{
    again a = {.p = p};
    grow(&a);
    note_reads(&a);
    look_through(&a, &p->main);
    drop(&a);
    tsr_vec_free(&a.last);
    tsr_vec_free(&a.before);
    tsr_vec_free(&a.copy);
    tsr_vec_free(&a.gain);
    tsr_vec_free(&a.plans);
    tsr_vec_free(&a.reads);
    tsr_vec_free(&a.copied);
    tsr_vec_free(&a.replaced);
}
