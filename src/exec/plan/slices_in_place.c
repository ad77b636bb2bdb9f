/* SPDX-License-Identifier: Apache-2.0 */
/* slices_in_place.c - dynamic slices that are read in place.
 *
 * A contiguous dynamic slice, such as the weights of one layer among those of all layers, is not copied if the sliced
 * value does not change while the slice is read: it is an argument, a constant, or a value from outside the loop that
 * takes the slice. The slice's step computes its address (cpu/move.c). Loops, products and movements of the same block
 * read it there, behind a barrier too. The slice is copied for other readers, for results, and for products that would read it in short
 * pieces. */
#include "exec/program.h"
#include "exec/contract.h"
#include "exec/target.h"

/* Whether value s, in memory, does not change while the groups of a block run, of which node is one. */
static bool stays(const tsr_program *p, tsr_xid s, const tsr_block_program *home, size_t node)
{
    const tsr_xvalue *x = &p->values.data[s];
    if (x->box)
        return true;
    if (x->argument)
        return home != &p->main || !tsr_is_donated(p, x->argument - 1);
    if (x->node == TSR_XNONE || p->nodes.data[x->node].group == TSR_XNONE)
        return false;
    const tsr_node *n = &p->nodes.data[x->node];
    /* Inside a loop its carried values change; nodes of its regions have lower numbers than the loop. */
    bool inside = (n->kind == TSR_NODE_WHILE || n->kind == TSR_NODE_CASE) && node < x->node;
    return !inside && p->groups.data[tsr_xgroup_find(p, n->group)].home != home;
}

/* Whether a box with these dimensions is contiguous in all. */
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

static bool fits(const tsr_program *p, size_t node)
{
    const tsr_node *n = &p->nodes.data[node];
    if (n->dead || n->kind != TSR_NODE_MOVE || n->move != TSR_MOVE_DYNAMIC_SLICE ||
        n->group == TSR_XNONE)
        return false;
    const tsr_xvalue *x = &p->values.data[n->in[0]], *out = &p->values.data[n->out[0]];
    const tsr_xgroup *g = &p->groups.data[tsr_xgroup_find(p, n->group)];
    return g->kind == TSR_NODE_MOVE && out->n >= p->target->slice &&
           out->place == TSR_PLACE_ARENA && x->fence == TSR_XNONE &&
           tsr_is_whole(p, n->in[0], NULL) && is_one_piece(out, x) &&
           stays(p, tsr_storage_of(p, n->in[0]), g->home, node);
}

/* Whether a product reads operand k in short pieces: a contiguous copy in the caches costs less than it saves. */
static bool reads_pieces(const tsr_program *p, const tsr_node *n, uint32_t k)
{
    return n->kind == TSR_NODE_CONTRACT && k == 1 && !n->contract->side[1].grid &&
           p->target->reads_pieces(n->contract);
}

/* Reverts slices that anything but loops, products and movements of the same block reads. */
static void keep_plain(tsr_program *p, const tsr_block_program *b)
{
    for (uint32_t i = 0; i < b->nresults; i++)
        p->values.data[tsr_storage_of(p, b->results[i])].slice_of = 0;
}

static void look_at_readers(tsr_program *p, const tsr_node *n)
{
    for (uint32_t k = 0; k < n->nin; k++) {
        tsr_xvalue *x = &p->values.data[tsr_storage_of(p, n->in[k])];
        if (!x->slice_of)
            continue;
        const tsr_xgroup *from = &p->groups.data[tsr_xgroup_find(p, p->nodes.data[x->node].group)];
        const tsr_xgroup *own = &p->groups.data[tsr_xgroup_find(p, n->group)];
        if ((n->kind > TSR_NODE_MOVE && n->kind != TSR_NODE_BARRIER) || from->home != own->home ||
            reads_pieces(p, n, k))
            x->slice_of = 0;
    }
    for (uint32_t k = 0; k < n->nblock; k++)
        keep_plain(p, n->blocks[k]);
}

void tsr_slices_in_place(tsr_program *p)
{
    for (size_t i = 0; i < p->nodes.n; i++)
        if (fits(p, i))
            p->values.data[p->nodes.data[i].out[0]].slice_of =
                tsr_storage_of(p, p->nodes.data[i].in[0]) + 1;
    keep_plain(p, &p->main);
    for (size_t i = 0; i < p->nodes.n; i++)
        if (!p->nodes.data[i].dead && p->nodes.data[i].group != TSR_XNONE)
            look_at_readers(p, &p->nodes.data[i]);
}
