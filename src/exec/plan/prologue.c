/* SPDX-License-Identifier: Apache-2.0 */
/* prologue.c - maps whose result is a factor of one product.
 *
 * A loop with one result that only a product reads becomes part of the product's group: the elements are computed while
 * the factor is packed (tsr_gemm_fill), box by box, and the factor is never in memory. Examples are relu(x) w, and
 * weights that are scaled or converted before they are multiplied.
 *
 * Elements that are packed more than once are also computed more than once: this is allowed a few times for cheap ops,
 * and never for others. The loop's operands have to live until the product has run. Where that would take more memory
 * than the factor, or prevent a result from reusing an argument's buffer, the loop stays a group of its own. */
#include "exec/program.h"
#include "exec/contract.h"
#include "exec/target.h"

enum { MOST_TIMES = 3 }; /* how often cheap elements may be computed */

typedef struct {
    tsr_program *p;
    uint32_t *reads;   /* by value: how often it is read, results of blocks included */
    uint32_t *outside; /* by value: the same, by other groups */
    uint32_t *last;    /* by value: position + 1 of the last group of its block that reads it */
} prologues;

static tsr_xgroup *group_at(const prologues *x, tsr_xid group)
{
    return &x->p->groups.data[group];
}

/* The group that computes a value in memory; TSR_XNONE: none. */
static tsr_xid maker_of(const tsr_program *p, tsr_xid v)
{
    tsr_xid node = p->values.data[v].node;
    return node == TSR_XNONE || p->nodes.data[node].group == TSR_XNONE
               ? TSR_XNONE
               : tsr_xgroup_find(p, p->nodes.data[node].group);
}

/* ---- Readers ---- */

static void note_results(prologues *x, const tsr_block_program *b)
{
    for (uint32_t i = 0; i < b->nresults; i++) {
        tsr_xid s = tsr_storage_of(x->p, b->results[i]);
        x->reads[s]++;
        x->outside[s]++;
        x->last[s] = UINT32_MAX;
    }
}

/* Values read inside a loop or branch are among its operands. */
static void note_reads(prologues *x)
{
    const tsr_program *p = x->p;
    note_results(x, &p->main);
    for (size_t i = 0; i < p->nodes.n; i++) {
        const tsr_node *n = &p->nodes.data[i];
        if (n->dead || n->group == TSR_XNONE)
            continue;
        tsr_xid group = tsr_xgroup_find(p, n->group);
        const tsr_xgroup *g = group_at(x, group);
        for (uint32_t k = 0; k < n->nin; k++) {
            tsr_xid s = tsr_storage_of(p, n->in[k]), from = maker_of(p, s);
            const tsr_block_program *home = from == TSR_XNONE ? &p->main : group_at(x, from)->home;
            x->reads[s]++;
            x->outside[s] += from != group;
            if (home == g->home && x->last[s] < g->level + 1)
                x->last[s] = g->level + 1;
        }
        for (uint32_t k = 0; k < n->nblock; k++)
            note_results(x, n->blocks[k]);
    }
}

/* ---- Choosing loops ---- */

/* Whether v is the loop's only result that is visible outside. */
static bool gives_only(const prologues *x, const tsr_xgroup *g, tsr_xid v)
{
    const tsr_program *p = x->p;
    if (g->kind != TSR_NODE_TILE || g->mode != TSR_LOOP_MAP || g->product != TSR_XNONE ||
        g->n != p->values.data[v].n || p->values.data[v].is_result || x->reads[v] != 1)
        return false;
    for (size_t i = 0; i < g->nodes.n; i++) {
        const tsr_node *n = &p->nodes.data[g->nodes.data[i]];
        if (n->counts || n->effect || n->by_row || (n->out[0] != v && x->outside[n->out[0]]))
            return false;
    }
    return true;
}

static bool is_cheap(const tsr_program *p, const tsr_xgroup *g)
{
    for (size_t i = 0; i < g->nodes.n; i++) {
        const tsr_node *n = &p->nodes.data[g->nodes.data[i]];
        if (n->kind != TSR_NODE_TILE || !tsr_is_cheap(n))
            return false;
    }
    return true;
}

/* Whether each box of the side consists of contiguous rows, with each element in only one box. */
static bool has_rows(const tsr_contract *c, int side)
{
    const tsr_contract_side *s = &c->side[side];
    bool once = s->batch == 1 || s->batch_stride > 0;
    for (int k = 0; c->outer && k < c->outer->rank; k++)
        once = once && c->outer->stride[k][side] > 0;
    bool along = s->contract_stride == 1;
    int64_t inner = along ? s->contract : s->rest;
    int64_t line = along ? s->rest_stride : s->contract_stride;
    return !s->grid && (along || s->rest_stride == 1) && line >= inner && once;
}

/* Whether value s in memory may be read at the product's position instead; adds to bytes if it has no later reader. */
static bool may_wait(const prologues *x, const tsr_xgroup *g, tsr_xid s, uint32_t place,
                     uint64_t *bytes)
{
    const tsr_program *p = x->p;
    const tsr_xvalue *v = &p->values.data[s];
    tsr_xid from = maker_of(p, s);
    if (v->place == TSR_PLACE_SPLAT || v->place == TSR_PLACE_IOTA || v->box || v->slice_of)
        return true;
    if (v->argument)
        return g->home != &p->main || x->last[s] > place + 1 || !tsr_is_donated(p, v->argument - 1);
    if (from == TSR_XNONE)
        return false;
    if (group_at(x, from)->home != g->home) /* loop-carried values are computed in place */
        return p->nodes.data[v->node].kind < TSR_NODE_OTHER;
    *bytes += x->last[s] > place + 1 ? 0 : tsr_xvalue_bytes(v);
    return true;
}

/* Whether keeping the loop's operands until the product has run takes no more memory than the factor. */
static bool takes_no_more(const prologues *x, tsr_xid loop, tsr_xid v, uint32_t place)
{
    tsr_program *p = x->p;
    const tsr_xgroup *g = group_at(x, loop);
    uint64_t bytes = 0;
    bool ok = true;
    TSR_VEC(tsr_xid) seen = {0};
    for (size_t i = 0; i < g->nodes.n; i++) {
        const tsr_node *n = &p->nodes.data[g->nodes.data[i]];
        for (uint32_t k = 0; k < n->nin; k++) {
            tsr_xid s = tsr_storage_of(p, n->in[k]);
            if (maker_of(p, s) == loop || p->values.data[s].mark)
                continue;
            p->values.data[s].mark = 1;
            tsr_vec_push(&seen, s);
            ok = ok && may_wait(x, g, s, place, &bytes);
        }
    }
    for (size_t i = 0; i < seen.n; i++)
        p->values.data[seen.data[i]].mark = 0;
    tsr_vec_free(&seen);
    return ok && bytes <= tsr_xvalue_bytes(&p->values.data[v]);
}

/* Whether the loop that computes a factor may run while it is packed. */
static bool fits(const prologues *x, const tsr_node *product, const tsr_xgroup *own, int side,
                 tsr_xid loop)
{
    const tsr_program *p = x->p;
    const tsr_contract *c = product->contract;
    tsr_xid in = product->in[side], v = tsr_storage_of(p, in);
    if (group_at(x, loop)->home != own->home || p->values.data[in].fence != TSR_XNONE ||
        p->values.data[v].dtype != c->type || !has_rows(c, side) ||
        !gives_only(x, group_at(x, loop), v))
        return false;
    int64_t times = p->target->computed_factor(
        &(tsr_product_of){c, own->mode == TSR_LOOP_ROWS, p->strict}, side);
    return times >= 1 && (times == 1 || (times <= MOST_TIMES && is_cheap(p, group_at(x, loop)))) &&
           takes_no_more(x, loop, v, own->level);
}

/* Makes the loop part of the product's group. It keeps its nodes, which have code of their own. */
static void join(prologues *x, tsr_xid node, tsr_xid own, int side, tsr_xid loop)
{
    tsr_program *p = x->p;
    tsr_xgroup *g = group_at(x, own), *from = group_at(x, loop);
    const tsr_contract_side *s = &p->nodes.data[node].contract->side[side];
    size_t n = from->nodes.n, had = g->nodes.n;
    for (size_t i = 0; i < n; i++) {
        tsr_vec_push(&g->nodes, from->nodes.data[i]);
        p->nodes.data[from->nodes.data[i]].group = loop;
    }
    memmove(g->nodes.data + n, g->nodes.data, had * sizeof *g->nodes.data);
    memcpy(g->nodes.data, from->nodes.data, n * sizeof *g->nodes.data);
    g->before[side] = loop + 1;
    g->product = node;
    from->gives = tsr_storage_of(p, p->nodes.data[node].in[side]) + 1;
    from->inner = s->contract_stride == 1 ? s->rest_stride : s->contract_stride;
    from->into = own;
}

/* Joins the loops that compute factors of a group's product, if it has one. */
static void look_at(prologues *x, tsr_xid own)
{
    const tsr_program *p = x->p;
    const tsr_xgroup *g = group_at(x, own);
    bool alone = g->kind == TSR_NODE_CONTRACT;
    if (!alone && (g->product == TSR_XNONE || tsr_is_chain(g)))
        return;
    tsr_xid node = alone ? g->nodes.data[0] : g->product;
    const tsr_node *n = &p->nodes.data[node];
    if (n->contract->direct || n->contract->side[0].grid || n->contract->side[1].grid)
        return;
    for (int side = 0; side < 2; side++) {
        tsr_xid loop = maker_of(p, tsr_storage_of(p, n->in[side]));
        if (loop != TSR_XNONE && fits(x, n, group_at(x, own), side, loop))
            join(x, node, own, side, loop);
    }
}

void tsr_prologues_join(tsr_program *p)
{
    prologues x = {.p = p};
    size_t n = p->values.n + 1;
    x.reads = tsr_xmalloc(3 * n * sizeof *x.reads);
    memset(x.reads, 0, 3 * n * sizeof *x.reads);
    x.outside = x.reads + n;
    x.last = x.outside + n;
    note_reads(&x);
    for (tsr_xid i = 0; i < p->groups.n; i++)
        if (group_at(&x, i)->into == i && group_at(&x, i)->nodes.n)
            look_at(&x, i);
    tsr_groups_keep(p, &p->main);
    tsr_free(x.reads);
}
