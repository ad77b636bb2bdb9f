/* SPDX-License-Identifier: Apache-2.0 */
/* forward.c - forward mode through a block. */
#include "pass/grad/grad.h"

/* Marks the values that op reads. */
static void mark_reads(tsr_grad *g, tsr_op *op)
{
    for (uint32_t i = 0; i < op->nin; i++)
        if (tsr_grad_varied(g, tsr_grad_in(op, i)))
            tsr_grad_dual(g, tsr_grad_in(op, i))->useful = true;
    if (!op->nregion)
        return;
    tsr_value_vec captures = {0};
    tsr_grad_captures(g, op, &captures);
    for (size_t i = 0; i < captures.n; i++)
        tsr_grad_dual(g, captures.data[i])->useful = true;
    tsr_vec_free(&captures);
}

void tsr_grad_mark(tsr_grad *g, tsr_block *block, tsr_value *const *values, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (tsr_grad_varied(g, values[i]))
            tsr_grad_dual(g, values[i])->useful = true;
    for (tsr_op *op = block->last; op; op = op->prev)
        for (uint32_t i = 0; i < op->nout; i++)
            if (tsr_grad_wanted(g, &op->out[i])) {
                mark_reads(g, op);
                break;
            }
}

static bool has_tangent(tsr_grad *g, tsr_op *op)
{
    for (uint32_t i = 0; i < op->nin; i++)
        if (tsr_grad_of(g, tsr_grad_in(op, i)))
            return true;
    if (!op->nregion)
        return false;
    tsr_value_vec captures = {0};
    bool any = false;
    tsr_grad_captures(g, op, &captures);
    for (size_t i = 0; i < captures.n; i++)
        any |= tsr_grad_of(g, captures.data[i]) != NULL;
    tsr_vec_free(&captures);
    return any;
}

bool tsr_grad_forward(tsr_grad *g, tsr_op *first, tsr_op *last)
{
    for (tsr_op *op = first, *next; op; op = next) {
        next = op->next;
        bool wanted = false;
        for (uint32_t i = 0; i < op->nout; i++)
            wanted |= tsr_grad_wanted(g, &op->out[i]);
        if (wanted && has_tangent(g, op)) {
            g->b.at = next;
            g->b.loc = op->loc;
            bool end = op == last;
            TSR_TRY(tsr_grad_jvp(g, op) && !g->b.failed);
            if (end)
                break;
        } else if (op == last) {
            break;
        }
    }
    return true;
}
