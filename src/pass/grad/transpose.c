/* SPDX-License-Identifier: Apache-2.0 */
/* transpose.c - derives reverse mode from forward mode: a rule that computes tangents is linear in them, so its ops are
 * created for a placeholder tangent, run through in reverse, and erased with everything else that is unused. */
#include "pass/grad/lapack.h"

/* Marks ops after first that depend on a tangent. */
static void vary(tsr_grad *g, tsr_op *first, const tsr_op *end)
{
    for (tsr_op *op = first; op != end; op = op->next) {
        bool any = false;
        for (uint32_t i = 0; i < op->nin; i++)
            any |= tsr_grad_varied(g, tsr_grad_in(op, i));
        for (uint32_t i = 0; any && !tsr_grad_is_flat(op) && i < op->nout; i++)
            if (tsr_grad_is_smooth(op->out[i].type))
                tsr_grad_dual(g, &op->out[i])->varied = true;
    }
}

/* Sets whether the op's own operands and results count as varied: they are constants of the linear rule. */
static void set_varied(tsr_grad *g, tsr_op *op, const tsr_buf *varied)
{
    for (uint32_t i = 0; i < op->nin + op->nout; i++) {
        tsr_value *v = i < op->nin ? tsr_grad_in(op, i) : &op->out[i - op->nin];
        tsr_grad_dual(g, v)->varied = varied && varied->data[i];
    }
}

bool tsr_grad_transposed(tsr_grad *g, tsr_op *op, tsr_value *const *ct, tsr_grad_tangents *fn,
                         void *user)
{
    tsr_value_vec t = {0}, out = {0};
    tsr_buf want = {0}, varied = {0};
    for (uint32_t i = 0; i < op->nin + op->nout; i++)
        tsr_buf_char(&varied,
                     tsr_grad_varied(g, i < op->nin ? tsr_grad_in(op, i) : &op->out[i - op->nin]));
    tsr_op *mark = NULL; /* ops after it depend on tangents */
    for (uint32_t i = 0; i < op->nin; i++) {
        /* A new value of the operand's type, distinct from all others. */
        tsr_vec_push(&t, varied.data[i] ? f_neg(&g->b, tsr_grad_in(op, i)) : NULL);
        if (varied.data[i]) {
            tsr_grad_dual(g, t.data[i])->varied = true;
            mark = t.data[i]->op;
        }
    }
    for (uint32_t i = 0; i < op->nout; i++) {
        tsr_vec_push(&out, NULL);
        tsr_buf_char(&want, ct[i] != NULL);
    }
    set_varied(g, op, NULL);
    bool ok = fn(user, t.data, (const bool *)want.data, out.data) && !g->b.failed;
    tsr_op *last = g->b.at ? g->b.at->prev : g->b.block->last;
    if (ok && mark && last != mark) {
        vary(g, mark->next, g->b.at);
        for (uint32_t i = 0; i < op->nout; i++)
            if (out.data[i])
                tsr_grad_add(g, out.data[i], ct[i]);
        ok = tsr_grad_reverse_from(g, last, mark->next);
    }
    set_varied(g, op, &varied);
    for (uint32_t i = 0; ok && i < op->nin; i++)
        if (t.data[i])
            tsr_grad_add(g, tsr_grad_in(op, i), tsr_grad_of(g, t.data[i]));
    tsr_vec_free(&t);
    tsr_vec_free(&out);
    tsr_buf_free(&want);
    tsr_buf_free(&varied);
    return ok;
}
