/* SPDX-License-Identifier: Apache-2.0 */
/* rounding.c - which narrow floats are rounded where they are computed, and which only where they are written.
 *
 * Loops compute narrow floats in f32. One value is one number: what one op reads in a register is what others read in
 * memory, or convert. A value is therefore rounded where it is computed, unless nobody can see a second number:
 *
 * - it is a bf16 or an f16 (of which numbers below the normal ones are rounded, so that 0 is 0 for all);
 * - one op alone reads it, once or as several operands, in the same loop, and that is no conversion;
 * - where that op is a sum, a difference or a comparison (CANCELS), it does not have a rounded operand, unless the
 *   program was given that one: x y - z is 0 where z is x y. Nor is the value that of a row, such as a mean, which meets
 *   all elements of the row.
 *
 * Copies of recompute.c, and what they read, are rounded. */
#include "exec/program.h"

static bool is_given(const tsr_xvalue *x)
{
    return x->argument || x->box || x->place == TSR_PLACE_SPLAT || x->place == TSR_PLACE_IOTA;
}

/* Whether n alone reads its operand k, in the loop that computes it. Values are marked with the number of reads. */
static bool reads_alone(const tsr_program *p, const tsr_node *n, uint32_t k, bool cancels)
{
    tsr_xid v = tsr_storage_of(p, n->in[k]);
    const tsr_xvalue *x = &p->values.data[v];
    uint32_t own = 0;
    for (uint32_t i = 0; i < n->nin; i++)
        own += tsr_storage_of(p, n->in[i]) == v;
    if ((x->dtype != TSR_D_BF16 && x->dtype != TSR_D_F16) || x->mark != own || x->node == TSR_XNONE)
        return false;
    const tsr_node *made = &p->nodes.data[x->node];
    bool of_row = made->by_row || made->kind == TSR_NODE_REDUCE;
    bool computes = (made->kind == TSR_NODE_TILE && made->tile < TSR_TILE__COUNT) ||
                    (made->kind == TSR_NODE_REDUCE && !made->late) ||
                    made->kind == TSR_NODE_CONTRACT;
    return computes && !(cancels && of_row && !n->by_row) && made->group != TSR_XNONE &&
           tsr_xgroup_find(p, made->group) == tsr_xgroup_find(p, n->group);
}

static void look_at(tsr_program *p, const tsr_node *n)
{
    bool ok = true, cancels = n->kind == TSR_NODE_TILE && tsr_tile_cancels((tsr_tile_op)n->tile);
    for (uint32_t k = 0; k < n->nin && cancels; k++)
        ok &= is_given(&p->values.data[tsr_storage_of(p, n->in[k])]) || reads_alone(p, n, k, true);
    for (uint32_t k = 0; k < n->nin && ok; k++)
        if (reads_alone(p, n, k, cancels))
            p->values.data[tsr_storage_of(p, n->in[k])].unrounded = true;
}

void tsr_values_round(tsr_program *p)
{
    tsr_values_mark_reads(p);
    for (size_t i = 0; i < p->nodes.n; i++) {
        const tsr_node *n = &p->nodes.data[i];
        bool loops =
            n->kind == TSR_NODE_REDUCE || (n->kind == TSR_NODE_TILE && n->tile < TSR_TILE__COUNT);
        if (loops && !n->dead && n->group != TSR_XNONE)
            look_at(p, n);
    }
    tsr_values_unmark(p);
}
