/* SPDX-License-Identifier: Apache-2.0 */
/* chain.c - finds products that form a chain with the loop between them: attention and its gradient.
 *
 * A loop that runs on blocks of rows of a product may be followed by products of its results: one that multiplies the
 * rows (then), and some that contract them with other rows (tails). A tail may also contract rows that are in memory,
 * if the loop reads them or the values that they are computed from: the loop can then recompute them (recompute.c). A
 * second product that the loop reads is computed by the chain, too. Values between the products are written to memory
 * only if other groups read them.
 *
 * The chain runs at the position of its last product: groups that read any of its results must come after that. Only a
 * few readers of each loop are examined, so the time is linear. */
#include "exec/plan/chain.h"

#include "exec/contract.h"
#include "exec/target.h"

enum {
    MOST_READERS = TSR_TAILS + 3, /* recorded for a group */
    MOST_KEYS = 8,                /* possible tails of a value that are examined */
};
enum { NONE = UINT32_MAX }; /* apart: some compilers make all constants of an enum unsigned */

/* The groups that read a group's results, the first ones to run; limit: all others run at this position or later. */
typedef struct {
    tsr_xid of[MOST_READERS];
    uint8_t n;
    uint32_t limit;
} readers;

/* A product that may be a tail; next: number + 1 of the next one for the same value. */
typedef struct {
    tsr_xid node;
    uint32_t next;
} key;

struct tsr_chains {
    tsr_program *p;
    readers *readers; /* by group */
    uint32_t *keys;   /* by value: number + 1 of the first key; 0: none */
    TSR_VEC(key) all;
};

static tsr_xgroup *group_of(const tsr_program *p, tsr_xid node)
{
    return &p->groups.data[tsr_xgroup_find(p, p->nodes.data[node].group)];
}

/* The group that computes v; NULL: none. */
static const tsr_xgroup *maker(const tsr_program *p, tsr_xid v)
{
    tsr_xid node = p->values.data[tsr_storage_of(p, v)].node;
    bool grouped = node != TSR_XNONE && p->nodes.data[node].group != TSR_XNONE;
    return grouped ? group_of(p, node) : NULL;
}

/* Emitted C adds up products in a different order and has no tails. Neither have programs with strict rounding, whose
 * bits it reproduces. */
static bool has_tails(const tsr_program *p)
{
    return p->target->chain_tails && !p->strict;
}

/* ---- Readers ---- */

static void add_reader(const tsr_program *p, readers *r, tsr_xid group)
{
    uint32_t level = p->groups.data[group].level;
    for (uint8_t i = 0; i < r->n; i++)
        if (r->of[i] == group)
            return;
    uint8_t at = r->n;
    while (at > 0 && p->groups.data[r->of[at - 1]].level > level)
        at--;
    if (r->n == MOST_READERS) {
        uint32_t last = p->groups.data[r->of[MOST_READERS - 1]].level;
        last = at == MOST_READERS ? level : last;
        r->limit = last < r->limit ? last : r->limit;
        if (at == MOST_READERS)
            return;
        r->n--;
    }
    memmove(r->of + at + 1, r->of + at, (size_t)(r->n - at) * sizeof *r->of);
    r->of[at] = group;
    r->n++;
}

/* Readers inside a loop or branch count as the group of that loop or branch, which has their operands among its own. */
static void find_readers(tsr_chains *c)
{
    const tsr_program *p = c->p;
    for (size_t i = 0; i < p->groups.n; i++)
        c->readers[i].limit = NONE;
    for (size_t i = 0; i < p->nodes.n; i++) {
        const tsr_node *n = &p->nodes.data[i];
        for (uint32_t k = 0; !n->dead && k < n->nin; k++) {
            const tsr_xgroup *from = maker(p, n->in[k]), *g = group_of(p, (tsr_xid)i);
            if (from && from != g && from->home == g->home)
                add_reader(p, &c->readers[from - p->groups.data], (tsr_xid)(g - p->groups.data));
        }
    }
}

/* ---- Shapes ---- */

static bool is_f32(const tsr_contract *c)
{
    return !c->direct && c->type == TSR_D_F32 && c->to == TSR_D_F32 && !c->side[0].grid &&
           !c->side[1].grid;
}

/* Whether a side of a product consists of matrices with contiguous rows of n elements. */
static bool has_contiguous_rows(const tsr_contract *c, int side, int64_t rows, int64_t n,
                                int64_t row_stride, int64_t stride)
{
    const tsr_contract_side *s = &c->side[side];
    return !s->grid && !s->offset && stride == 1 && row_stride == n &&
           tsr_contract_has_step(c, (tsr_gemm_of)side, s->batch_stride, rows * n);
}

/* Whether v is a result of the loop, with one element for each that the loop runs over. */
static bool is_made(const tsr_program *p, const tsr_xgroup *g, tsr_xid v)
{
    const tsr_xvalue *x = &p->values.data[tsr_storage_of(p, v)];
    const tsr_node *n = x->node != TSR_XNONE ? &p->nodes.data[x->node] : NULL;
    return maker(p, v) == g && n->kind == TSR_NODE_TILE && !n->by_row && x->n == g->n;
}

typedef struct {
    const tsr_chains *c;
    const tsr_contract *first;
    const tsr_xgroup *g;
    tsr_chain_ends *e;
    bool tails; /* are allowed */
} finding;

/* Whether a product multiplies the rows of the loop. */
static bool is_then(const finding *f, const tsr_node *n)
{
    const tsr_program *p = f->c->p;
    const tsr_contract_side *a = &f->first->side[0], *b = &f->first->side[1];
    for (int side = 0; side < 2; side++) {
        const tsr_contract_side *s = &n->contract->side[side];
        int64_t d = n->contract->side[1 - side].rest;
        if (maker(p, n->in[1 - side]) != f->g && is_made(p, f->g, n->in[side]) &&
            p->values.data[n->in[side]].fence == TSR_XNONE && s->batch == a->batch &&
            s->rest == a->rest && s->contract == b->rest &&
            has_contiguous_rows(n->contract, side, s->rest, s->contract, s->rest_stride,
                                s->contract_stride))
            return p->target->chain(
                &(tsr_chain_shape){a->batch, a->rest, b->rest, a->contract, d, f->tails});
    }
    return false;
}

/* Whether a product contracts rows of X, its operand `side`, and X has as many rows as the loop. */
static bool is_tail(const finding *f, const tsr_node *n, int side)
{
    const tsr_program *p = f->c->p;
    const tsr_contract_side *a = &f->first->side[0], *b = &f->first->side[1],
                            *s = &n->contract->side[side];
    const tsr_xvalue *x = &p->values.data[tsr_storage_of(p, n->in[side])];
    bool made = maker(p, n->in[side]) == f->g;
    return maker(p, n->in[1 - side]) != f->g && s->batch == a->batch && s->contract == a->rest &&
           s->rest == b->rest && p->values.data[n->in[side]].fence == TSR_XNONE &&
           has_contiguous_rows(n->contract, side, s->contract, s->rest, s->contract_stride,
                               s->rest_stride) &&
           (!made ||
            (is_made(p, f->g, n->in[side]) && p->nodes.data[x->node].tile < TSR_TILE__COUNT)) &&
           p->target->chain(&(tsr_chain_shape){a->batch, a->rest, b->rest, a->contract,
                                               n->contract->side[1 - side].rest, true});
}

/* ---- Positions ---- */

/* Whether all readers of a group's results run after a position, except those that belong to the chain (own). */
static bool read_behind(const tsr_chains *c, const tsr_xgroup *x, uint32_t place,
                        const tsr_chain_ends *own)
{
    const tsr_program *p = c->p;
    const readers *r = &c->readers[x - p->groups.data];
    for (uint8_t i = 0; i < r->n; i++) {
        tsr_xid group = tsr_xgroup_find(p, r->of[i]);
        bool is_own = own && group == own->loop;
        for (uint8_t k = 0; own && k < own->ntail; k++)
            is_own |= group == p->nodes.data[own->tails[k].node].group;
        is_own |= own && own->then != TSR_XNONE && group == p->nodes.data[own->then].group;
        if (!is_own && p->groups.data[group].level <= place)
            return false;
    }
    return r->limit > place;
}

/* Whether the chain can run at the position of its last product; sets that position. */
static bool set_place(const finding *f)
{
    const tsr_program *p = f->c->p;
    tsr_chain_ends *e = f->e;
    const tsr_chain_ends alone = {.loop = e->loop, .then = TSR_XNONE};
    uint32_t place = f->g->level;
    for (int i = -1; i < e->ntail; i++) {
        tsr_xid node = i < 0 ? e->then : e->tails[i].node;
        if (node != TSR_XNONE && group_of(p, node)->level > place)
            place = group_of(p, node)->level;
    }
    bool ok = read_behind(f->c, f->g, place, e) &&
              read_behind(f->c, group_of(p, e->first), place, &alone) &&
              (e->then == TSR_XNONE || read_behind(f->c, group_of(p, e->then), place, NULL));
    for (uint8_t i = 0; i < e->ntail && ok; i++)
        ok = read_behind(f->c, group_of(p, e->tails[i].node), place, NULL);
    e->place = ok ? place : e->place;
    return ok;
}

static bool is_known(const tsr_chain_ends *e, tsr_xid node)
{
    bool is = e->then == node;
    for (uint8_t i = 0; i < e->ntail; i++)
        is |= e->tails[i].node == node;
    return is;
}

/* Adds a product to the chain if its shape and position permit it. */
static void try_end(const finding *f, tsr_xid node)
{
    const tsr_program *p = f->c->p;
    const tsr_node *n = &p->nodes.data[node];
    const tsr_xgroup *own = group_of(p, node);
    tsr_chain_ends *e = f->e, before = *e;
    if (own->kind != TSR_NODE_CONTRACT || own->nodes.n != 1 || own->home != f->g->home ||
        !is_f32(n->contract) || is_known(e, node))
        return;
    int side = 0;
    if (e->then == TSR_XNONE && is_then(f, n))
        e->then = node;
    else if (f->tails && e->ntail < TSR_TAILS && (is_tail(f, n, side) || is_tail(f, n, side = 1)))
        e->tails[e->ntail++] = (tsr_tail){node, side == 1};
    else
        return;
    if (!set_place(f))
        *e = before;
}

/* Products of the loop's results. */
static void find_own(const finding *f)
{
    const tsr_program *p = f->c->p;
    const readers *r = &f->c->readers[f->e->loop];
    for (uint8_t i = 0; i < r->n; i++) {
        const tsr_xgroup *g = &p->groups.data[r->of[i]];
        if (g->kind == TSR_NODE_CONTRACT && g->nodes.n == 1)
            try_end(f, g->nodes.data[0]);
    }
}

/* Products that contract rows that the loop reads or can compute from its operands. */
static void find_others(const finding *f)
{
    const tsr_chains *c = f->c;
    for (size_t i = 0; i < f->g->nodes.n; i++) {
        const tsr_node *n = &c->p->nodes.data[f->g->nodes.data[i]];
        for (uint32_t k = 0; k < n->nin; k++) {
            uint32_t at = c->keys[tsr_storage_of(c->p, n->in[k])];
            for (int count = 0; at && count < MOST_KEYS; count++) {
                try_end(f, c->all.data[at - 1].node);
                at = c->all.data[at - 1].next;
            }
        }
    }
}

bool tsr_chain_ends_find(const tsr_chains *c, tsr_xid first, tsr_xid loop, tsr_chain_ends *out)
{
    const tsr_program *p = c->p;
    const tsr_chain_ends none = {
        .first = first, .loop = loop, .then = TSR_XNONE, .place = p->groups.data[loop].level};
    finding f = {.c = c,
                 .first = p->nodes.data[first].contract,
                 .g = &p->groups.data[loop],
                 .e = out,
                 .tails = has_tails(p)};
    *out = none;
    if (f.g->kind != TSR_NODE_TILE || !is_f32(f.first) || !tsr_contract_in_order(f.first) ||
        f.g->n != p->values.data[p->nodes.data[first].out[0]].n)
        return false;
    if (f.tails)
        find_own(&f);
    if (out->ntail) {
        find_others(&f);
        return true;
    }
    f.tails = false;
    *out = none;
    find_own(&f);
    return out->then != TSR_XNONE;
}

/* ---- Joining ---- */

static void take_end(tsr_program *p, tsr_xgroup *g, tsr_xid node)
{
    tsr_xgroup *own = &p->groups.data[p->nodes.data[node].group];
    own->into = g->into;
    own->nodes.n = 0;
    tsr_group_add(g, node);
}

void tsr_chain_join(tsr_program *p, const tsr_chain_ends *e)
{
    tsr_xgroup *g = &p->groups.data[e->loop];
    tsr_xid *order = g->home->groups.data, there = order[e->place];
    order[g->level] = there;
    order[e->place] = e->loop;
    p->groups.data[there].level = g->level;
    g->level = e->place;
    g->then = e->then;
    g->ntail = e->ntail;
    memcpy(g->tails, e->tails, sizeof g->tails);
    if (e->then != TSR_XNONE)
        take_end(p, g, e->then);
    for (uint8_t i = 0; i < e->ntail; i++)
        take_end(p, g, e->tails[i].node);
}

/* Whether a product after the loop reads v. */
static bool ends_read(const tsr_program *p, const tsr_xgroup *g, tsr_xid v)
{
    bool reads = false;
    for (size_t i = 0; i < g->nodes.n; i++) {
        const tsr_node *n = &p->nodes.data[g->nodes.data[i]];
        for (uint32_t k = 0; k < n->nin && tsr_is_end(g, g->nodes.data[i]); k++)
            reads |= tsr_storage_of(p, n->in[k]) == v;
    }
    return reads;
}

bool tsr_chain_takes(const tsr_chains *c, tsr_xid product, tsr_xid loop)
{
    const tsr_program *p = c->p;
    const tsr_xgroup *g = &p->groups.data[loop];
    const tsr_contract *own = p->nodes.data[product].contract;
    if (!has_tails(p) || !tsr_is_chain(g) || g->also != TSR_XNONE || !is_f32(own) ||
        !tsr_contract_in_order(own))
        return false;
    const tsr_contract_side *a = &p->nodes.data[g->product].contract->side[0], *b = a + 1;
    const tsr_chain_ends alone = {.loop = loop, .then = TSR_XNONE};
    return own->side[0].batch == a->batch && own->side[0].rest == a->rest &&
           own->side[1].rest == b->rest && !ends_read(p, g, p->nodes.data[product].out[0]) &&
           p->target->chain(
               &(tsr_chain_shape){a->batch, a->rest, b->rest, own->side[0].contract, 1, false}) &&
           read_behind(c, group_of(p, product), g->level, &alone);
}

/* ---- Products that may be tails ---- */

static void add_key(tsr_chains *c, tsr_xid v, tsr_xid node)
{
    tsr_vec_push(&c->all, ((key){node, c->keys[v]}));
    c->keys[v] = (uint32_t)c->all.n;
}

/* Records them by the value whose rows they contract, and by the values that it is computed from. */
static void find_keys(tsr_chains *c)
{
    const tsr_program *p = c->p;
    for (tsr_xid i = 0; i < p->nodes.n; i++) {
        const tsr_node *n = &p->nodes.data[i];
        if (n->dead || n->kind != TSR_NODE_CONTRACT || !is_f32(n->contract))
            continue;
        for (int side = 0; side < 2; side++) {
            const tsr_contract_side *s = &n->contract->side[side];
            if (!has_contiguous_rows(n->contract, side, s->contract, s->rest, s->contract_stride,
                                     s->rest_stride))
                continue;
            tsr_xid v = tsr_storage_of(p, n->in[side]), made = p->values.data[v].node;
            add_key(c, v, i);
            const tsr_node *from = made == TSR_XNONE ? NULL : &p->nodes.data[made];
            for (uint32_t k = 0; from && from->kind == TSR_NODE_TILE && k < from->nin; k++) {
                tsr_xid u = tsr_storage_of(p, from->in[k]);
                if (p->values.data[u].n == p->values.data[v].n && p->values.data[u].n > 1)
                    add_key(c, u, i);
            }
        }
    }
}

tsr_chains *tsr_chains_new(tsr_program *p)
{
    tsr_chains *c = tsr_xmalloc(sizeof *c);
    size_t bytes = (p->groups.n + 1) * sizeof *c->readers;
    *c = (tsr_chains){.p = p};
    c->readers = memset(tsr_xmalloc(bytes), 0, bytes);
    bytes = (p->values.n + 1) * sizeof *c->keys;
    c->keys = memset(tsr_xmalloc(bytes), 0, bytes);
    find_readers(c);
    if (has_tails(p))
        find_keys(c);
    return c;
}

void tsr_chains_free(tsr_chains *c)
{
    tsr_vec_free(&c->all);
    tsr_free(c->readers);
    tsr_free(c->keys);
    tsr_free(c);
}
