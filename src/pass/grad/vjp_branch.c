/* SPDX-License-Identifier: Apache-2.0 */
/* vjp_branch.c - if and case: the same choice is made again, between branches that compute cotangents or tangents.
 *
 * A branch of the backward part recomputes the values it needs of the forward branch: nothing is kept for a branch that
 * was not taken. */
#include "pass/grad/nested.h"

/* A choice like op's, with empty regions. Not inserted yet. */
static tsr_op *same_choice(tsr_grad *g, tsr_op *op, size_t nout)
{
    tsr_value *on = tsr_grad_in(op, 0);
    return tsr_build_open(&g->b, (enum tsr_opcode)op->def->opcode, &on, 1, nout, op->nregion);
}

static bool backward_branch(tsr_grad *g, tsr_op *op, tsr_op *back, uint16_t r, tsr_value *const *ct,
                            const tsr_value_vec *captures)
{
    tsr_grad_scope s;
    tsr_value_vec out = {0};
    TSR_TRY(tsr_grad_enter(g, &s, &back->regions[r], NULL, 0, captures));
    bool ok = tsr_grad_block_vjp(g, &s, op->regions[r].first, NULL, ct);
    for (size_t i = 0; ok && i < captures->n; i++)
        tsr_vec_push(&out, tsr_grad_of_or_zero(g, captures->data[i]));
    if (ok)
        tsr_grad_return(g, &s, out.data, out.n);
    tsr_vec_free(&out);
    tsr_grad_leave(g, &s);
    return ok;
}

bool vjp_branches(tsr_grad *g, tsr_op *op, tsr_value *const *ct)
{
    tsr_value_vec captures = {0};
    tsr_type_vec types = {0};
    tsr_grad_captures(g, op, &captures);
    tsr_op *back = same_choice(g, op, captures.n);
    bool ok = true;
    for (size_t i = 0; i < captures.n; i++)
        tsr_vec_push(&types, captures.data[i]->type);
    for (uint16_t r = 0; ok && r < op->nregion; r++)
        ok = backward_branch(g, op, back, r, ct, &captures);
    tsr_build_close_as(&g->b, back, types.data);
    for (size_t i = 0; ok && i < captures.n; i++)
        tsr_grad_add(g, captures.data[i], &back->out[i]);
    tsr_vec_free(&captures);
    tsr_vec_free(&types);
    return ok;
}

static bool forward_branch(tsr_grad *g, tsr_op *op, tsr_op *more, uint16_t r, const bool *wanted,
                           const tsr_value_vec *captures)
{
    tsr_grad_scope s;
    tsr_value_vec out = {0};
    TSR_TRY(tsr_grad_enter(g, &s, &more->regions[r], NULL, 0, captures));
    bool ok = tsr_grad_block_jvp(g, &s, op->regions[r].first, NULL, wanted);
    for (uint32_t i = 0; ok && i < op->nout; i++)
        tsr_vec_push(&out, tsr_grad_in(s.end, i));
    for (uint32_t i = 0; ok && i < op->nout; i++)
        if (wanted[i])
            tsr_vec_push(&out, tsr_grad_of_or_zero(g, out.data[i]));
    if (ok)
        tsr_grad_return(g, &s, out.data, out.n);
    tsr_vec_free(&out);
    tsr_grad_leave(g, &s);
    return ok;
}

bool jvp_branches(tsr_grad *g, tsr_op *op)
{
    tsr_value_vec captures = {0};
    tsr_type_vec types = {0};
    TSR_VEC(bool) wanted = {0};
    tsr_grad_captures(g, op, &captures);
    for (uint32_t i = 0; i < op->nout; i++) {
        tsr_vec_push(&wanted, tsr_grad_wanted(g, &op->out[i]));
        tsr_vec_push(&types, op->out[i].type);
    }
    for (uint32_t i = 0; i < op->nout; i++)
        if (wanted.data[i])
            tsr_vec_push(&types, op->out[i].type);
    tsr_op *more = same_choice(g, op, types.n);
    bool ok = true;
    for (uint16_t r = 0; ok && r < op->nregion; r++)
        ok = forward_branch(g, op, more, r, wanted.data, &captures);
    tsr_build_close_as(&g->b, more, types.data);
    for (uint32_t i = 0, k = op->nout; ok && i < op->nout; i++) {
        if (wanted.data[i])
            tsr_grad_set(g, &op->out[i], &more->out[k++]);
        tsr_grad_replace(g, &op->out[i], &more->out[i]);
    }
    tsr_vec_free(&captures);
    tsr_vec_free(&types);
    tsr_vec_free(&wanted);
    return ok;
}
