/* SPDX-License-Identifier: Apache-2.0 */
/* epilogue.c - computes products in the loop that reads them.
 *
 * A product whose elements a loop reads in order becomes part of that loop, which then runs on each block of the
 * product while the block is in the cache: bias, activation, residual; softmax where blocks have whole rows. The
 * product is written to memory only if other groups need it. The loop must be the first reader of the product in the
 * order in which groups run; the product moves to the loop's position, so that the order stays valid. A loop has at
 * most one product, unless it is part of a chain (chain.c). */
#include "exec/plan/chain.h"

#include "exec/contract.h"
#include "exec/target.h"

static bool is_product(const tsr_program *p, tsr_xid v)
{
    const tsr_xvalue *x = &p->values.data[v];
    return x->node != TSR_XNONE && p->nodes.data[x->node].kind == TSR_NODE_CONTRACT &&
           !p->nodes.data[x->node].dead;
}

/* ---- Loops on products ---- */

/* Sets levels to positions in the order in which groups run. */
static void set_places(tsr_program *p, const tsr_block_program *b)
{
    for (size_t i = 0; i < b->groups.n; i++) {
        tsr_xgroup *g = &p->groups.data[b->groups.data[i]];
        const tsr_node *n = &p->nodes.data[g->nodes.data[0]];
        g->level = (uint32_t)i;
        for (uint32_t k = 0; k < n->nblock; k++)
            set_places(p, n->blocks[k]);
    }
}

/* By node of a product: the first group that reads it. Readers inside a loop or branch count as the group of that loop
 * or branch, which has their operands among its own. */
static void find_readers(tsr_program *p, tsr_xid *first)
{
    for (size_t i = 0; i < p->nodes.n; i++) {
        const tsr_node *n = &p->nodes.data[i];
        for (uint32_t k = 0; !n->dead && k < n->nin; k++) {
            tsr_xid v = tsr_storage_of(p, n->in[k]);
            if (!is_product(p, v))
                continue;
            tsr_xid *best = &first[p->values.data[v].node];
            tsr_xid from = tsr_xgroup_find(p, p->nodes.data[p->values.data[v].node].group);
            tsr_xid group = tsr_xgroup_find(p, n->group);
            const tsr_xgroup *g = &p->groups.data[group];
            if (p->groups.data[from].home == g->home &&
                (*best == TSR_XNONE || g->level < p->groups.data[*best].level))
                *best = group;
        }
    }
}

/* Whether every node of g that reads v does so element by element, over the loop's whole index space. */
static bool reads_in_order(const tsr_program *p, const tsr_xgroup *g, tsr_xid v)
{
    for (size_t i = 0; i < g->nodes.n; i++) {
        const tsr_node *n = &p->nodes.data[g->nodes.data[i]];
        if (g->mode == TSR_LOOP_MAP && n->by_row)
            return false;
        for (uint32_t k = 0; k < n->nin; k++)
            if (tsr_storage_of(p, n->in[k]) == v &&
                (!tsr_is_whole(p, n->in[k], NULL) || tsr_is_table(n, k) ||
                 (n->kind == TSR_NODE_TILE && n->by_row)))
                return false;
    }
    return true;
}

static bool fits(const tsr_program *p, const tsr_node *product, const tsr_xgroup *g, bool chained)
{
    const tsr_contract *c = product->contract;
    tsr_xid v = product->out[0];
    if (g->kind != TSR_NODE_TILE || g->product != TSR_XNONE || g->n != p->values.data[v].n)
        return false;
    if (!p->target->loop_on_product(c))
        return false;
    bool rows =
        g->mode == TSR_LOOP_ROWS && g->inner == c->side[1].rest && tsr_contract_in_order(c) &&
        (chained || p->target->loop_on_rows(c->side[0].rest, c->side[1].rest, c->side[0].contract));
    return (g->mode == TSR_LOOP_MAP || rows) && reads_in_order(p, g, v);
}

/* ---- Joining ---- */

void tsr_group_add(tsr_xgroup *g, tsr_xid node)
{
    tsr_vec_push(&g->nodes, node);
    for (size_t i = g->nodes.n - 1; i > 0 && g->nodes.data[i - 1] > node; i--) {
        g->nodes.data[i] = g->nodes.data[i - 1];
        g->nodes.data[i - 1] = node;
    }
}

/* Removes groups without nodes, and groups that have become part of another. */
void tsr_groups_keep(tsr_program *p, tsr_block_program *b)
{
    size_t kept = 0;
    for (size_t i = 0; i < b->groups.n; i++) {
        const tsr_xgroup *g = &p->groups.data[b->groups.data[i]];
        if (!g->nodes.n || g->into != b->groups.data[i])
            continue;
        const tsr_node *n = &p->nodes.data[g->nodes.data[0]];
        for (uint32_t k = 0; k < n->nblock; k++)
            tsr_groups_keep(p, n->blocks[k]);
        b->groups.data[kept++] = b->groups.data[i];
    }
    b->groups.n = kept;
}

/* Makes a product part of the loop that reads it first, if possible: as the product that the loop runs on, or as the
 * second one of a chain. */
static void join_product(tsr_program *p, const tsr_chains *chains, tsr_xid node, tsr_xid loop)
{
    const tsr_node *n = &p->nodes.data[node];
    tsr_xgroup *own = &p->groups.data[n->group], *g = &p->groups.data[loop];
    tsr_chain_ends ends;
    bool another = g->product != TSR_XNONE;
    bool chained = !another && tsr_chain_ends_find(chains, node, loop, &ends);
    if (another ? !reads_in_order(p, g, n->out[0]) || !tsr_chain_takes(chains, node, loop)
                : !fits(p, n, g, chained))
        return;
    own->into = loop;
    own->nodes.n = 0;
    *(another ? &g->also : &g->product) = node;
    tsr_group_add(g, node);
    if (chained)
        tsr_chain_join(p, &ends);
}

void tsr_products_join(tsr_program *p)
{
    tsr_xid *first = tsr_xmalloc((p->nodes.n + 1) * sizeof *first);
    for (size_t i = 0; i < p->nodes.n; i++)
        first[i] = TSR_XNONE;
    tsr_products_turn(p);
    tsr_groups_keep(p, &p->main);
    set_places(p, &p->main);
    find_readers(p, first);
    tsr_chains *chains = tsr_chains_new(p);
    for (tsr_xid i = 0; i < p->nodes.n; i++) {
        const tsr_node *n = &p->nodes.data[i];
        if (n->kind == TSR_NODE_CONTRACT && !n->dead && first[i] != TSR_XNONE &&
            tsr_xgroup_find(p, n->group) == n->group)
            join_product(p, chains, i, first[i]);
    }
    tsr_chains_free(chains);
    tsr_groups_keep(p, &p->main);
    tsr_free(first);
}
