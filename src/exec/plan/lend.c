/* lend.c - slices that are read where they lie.
 *
 * A dynamic slice that lies in one piece in memory, as the weights of one layer in those of all do, is not copied where what it is a part of does not change as long as
 * somebody reads it: an argument, a constant, or a value from outside of the loop that takes the slice. When the slice's step runs, its place is found (run/move.c). Loops, products and movements of the same
 * block read it there; others, results, and products that would read it in short pieces get a copy. */
#include "exec/program.h"
#include "exec/run/contract.h"

enum { LEAST = 1024 }; /* elements: smaller loops know all places before they run (run/short.c) */

/* Whether value s, in memory, stays as it is while the groups of a block run. */
static bool stays(const tsr_program *p, tsr_xid s, const tsr_block_program *home)
{
    const tsr_xvalue *x = &p->values.data[s];
    if (x->box)
        return true;
    if (x->argument)
        return home != &p->main || !tsr_is_donated(p, x->argument - 1);
    if (x->node == TSR_XNONE || p->nodes.data[x->node].group == TSR_XNONE)
        return false;
    const tsr_node *n = &p->nodes.data[x->node];
    return n->kind != TSR_NODE_WHILE && n->kind != TSR_NODE_CASE &&
           p->groups.data[tsr_xgroup_find(p, n->group)].home != home;
}

/* Whether a box of these dimensions lies in one piece in all. */
static bool is_one_piece(const tsr_xvalue *box, const tsr_xvalue *all)
{
    uint8_t d = 0;
    while (d < box->rank && box->dims[d] == 1)
        d++;
    for (d++; d < box->rank; d++)
        if (box->dims[d] != all->dims[d])
            return false;
    return true;
}

static bool fits(const tsr_program *p, const tsr_node *n)
{
    if (n->dead || n->kind != TSR_NODE_MOVE || n->move != TSR_MOVE_DYNAMIC_SLICE ||
        n->group == TSR_XNONE)
        return false;
    const tsr_xvalue *x = &p->values.data[n->in[0]], *out = &p->values.data[n->out[0]];
    const tsr_xgroup *g = &p->groups.data[tsr_xgroup_find(p, n->group)];
    return g->kind == TSR_NODE_MOVE && out->n >= LEAST && out->place == TSR_PLACE_ARENA &&
           x->fence == TSR_XNONE && tsr_is_whole(p, n->in[0], NULL) && is_one_piece(out, x) &&
           stays(p, tsr_storage_of(p, n->in[0]), g->home);
}

/* Whether a product reads operand k in short pieces: the copy brings it near, in one piece, and takes less time than it saves. */
static bool reads_pieces(const tsr_node *n, uint32_t k)
{
    if (n->kind != TSR_NODE_CONTRACT || k != 1 || n->contract->side[1].grid)
        return false;
    tsr_gemm g = tsr_contract_gemm(n->contract);
    return tsr_gemm_reads_pieces(&g);
}

/* Takes back what was lent to others than loops, products and movements of its block. */
static void keep_plain(tsr_program *p, const tsr_block_program *b)
{
    for (uint32_t i = 0; i < b->nresults; i++)
        p->values.data[tsr_storage_of(p, b->results[i])].lent = 0;
}

static void look_at_readers(tsr_program *p, const tsr_node *n)
{
    for (uint32_t k = 0; k < n->nin; k++) {
        tsr_xvalue *x = &p->values.data[tsr_storage_of(p, n->in[k])];
        if (!x->lent)
            continue;
        const tsr_xgroup *from = &p->groups.data[tsr_xgroup_find(p, p->nodes.data[x->node].group)];
        const tsr_xgroup *own = &p->groups.data[tsr_xgroup_find(p, n->group)];
        if (n->kind > TSR_NODE_MOVE || from->home != own->home || reads_pieces(n, k))
            x->lent = 0;
    }
    for (uint32_t k = 0; k < n->nblock; k++)
        keep_plain(p, n->blocks[k]);
}

void tsr_slices_lend(tsr_program *p)
{
    for (size_t i = 0; i < p->nodes.n; i++)
        if (fits(p, &p->nodes.data[i]))
            p->values.data[p->nodes.data[i].out[0]].lent =
                tsr_storage_of(p, p->nodes.data[i].in[0]) + 1;
    keep_plain(p, &p->main);
    for (size_t i = 0; i < p->nodes.n; i++)
        if (!p->nodes.data[i].dead && p->nodes.data[i].group != TSR_XNONE)
            look_at_readers(p, &p->nodes.data[i]);
}
