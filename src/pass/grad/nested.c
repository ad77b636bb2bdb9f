/* SPDX-License-Identifier: Apache-2.0 */
/* nested.c - differentiates a copy of a block inside another op. */
#include "pass/grad/nested.h"

void tsr_grad_vary(tsr_grad *g, tsr_value *v, tsr_value *tangent)
{
    tsr_dual *d = tsr_grad_dual(g, v);
    d->varied = true;
    d->useful = true;
    d->d = tangent;
}

bool tsr_grad_enter(tsr_grad *g, tsr_grad_scope *s, tsr_region *region, tsr_type *const *args,
                    size_t nargs, const tsr_value_vec *captures)
{
    if (g->depth >= TSR_GRAD_DEPTH)
        return tsr_error(g->b.ctx, g->b.loc, "regions are too deep to be differentiated");
    g->depth++;
    *s = (tsr_grad_scope){.outer = g->b, .captures = captures};
    g->b = tsr_build_in(&s->outer, region, args, nargs);
    for (size_t i = 0; captures && i < captures->n; i++) {
        tsr_vec_push(&s->saved, tsr_grad_of(g, captures->data[i]));
        if (g->mode == TSR_GRAD_REVERSE)
            tsr_grad_set(g, captures->data[i], NULL);
    }
    return true;
}

void tsr_grad_return(tsr_grad *g, tsr_grad_scope *s, tsr_value *const *out, size_t n)
{
    if (s->end)
        tsr_op_set_operands(s->end, out, n);
    else
        tsr_build_return(&g->b, out, n);
    tsr_grad_erase_dead(g, g->b.block->last->prev);
}

void tsr_grad_leave(tsr_grad *g, tsr_grad_scope *s)
{
    for (size_t i = 0; i < s->saved.n; i++)
        tsr_grad_set(g, s->captures->data[i], s->saved.data[i]);
    tsr_vec_free(&s->saved);
    tsr_build_free(&g->b);
    g->b = s->outer;
    g->depth--;
}

/* Copies the body and determines which values in it vary. */
static bool copy(tsr_grad *g, tsr_grad_scope *s, tsr_block *body, tsr_value *const *args)
{
    tsr_mapping map = {0};
    for (uint32_t i = 0; i < body->nargs; i++)
        tsr_mapping_put(&map, body->args[i], args[i]);
    s->end = tsr_grad_copy_block(g, body, g->b.block, &map);
    tsr_mapping_free(&map);
    g->b.at = s->end;
    return tsr_grad_analyse(g, g->b.block);
}

bool tsr_grad_block_vjp(tsr_grad *g, tsr_grad_scope *s, tsr_block *body, tsr_value *const *args,
                        tsr_value *const *ct)
{
    TSR_TRY(copy(g, s, body, args));
    tsr_op *last = s->end->prev;
    for (uint32_t i = 0; i < s->end->nin; i++)
        tsr_grad_add(g, tsr_grad_in(s->end, i), ct[i]);
    return !last || tsr_grad_reverse(g, last);
}

bool tsr_grad_block_jvp(tsr_grad *g, tsr_grad_scope *s, tsr_block *body, tsr_value *const *args,
                        const bool *wanted)
{
    TSR_TRY(copy(g, s, body, args));
    tsr_value_vec marked = {0};
    for (uint32_t i = 0; i < s->end->nin; i++)
        if (wanted[i])
            tsr_vec_push(&marked, tsr_grad_in(s->end, i));
    tsr_grad_mark(g, g->b.block, marked.data, marked.n);
    tsr_vec_free(&marked);
    bool ok = tsr_grad_forward(g, g->b.block->first, s->end);
    g->b.at = s->end;
    return ok;
}

void tsr_grad_block_varies(tsr_grad *g, tsr_block *body, const bool *args, bool *out)
{
    tsr_value_vec touched = {0};
    for (uint32_t i = 0; i < body->nargs; i++)
        if (args[i]) {
            tsr_grad_dual(g, body->args[i])->varied = true;
            tsr_vec_push(&touched, body->args[i]);
        }
    TSR_BLOCK_OPS (body, op) {
        bool any = false;
        for (uint32_t i = 0; i < op->nin; i++)
            any |= tsr_grad_varied(g, tsr_grad_in(op, i));
        if (!any && op->nregion) {
            tsr_value_vec captures = {0};
            tsr_grad_captures(g, op, &captures);
            any = captures.n != 0;
            tsr_vec_free(&captures);
        }
        for (uint32_t i = 0; any && !tsr_grad_is_flat(op) && i < op->nout; i++)
            if (tsr_grad_is_smooth(op->out[i].type)) {
                tsr_grad_dual(g, &op->out[i])->varied = true;
                tsr_vec_push(&touched, &op->out[i]);
            }
    }
    for (uint32_t i = 0; i < body->last->nin; i++)
        out[i] = tsr_grad_varied(g, tsr_grad_in(body->last, i));
    for (size_t i = 0; i < touched.n; i++)
        tsr_grad_dual(g, touched.data[i])->varied = false;
    tsr_vec_free(&touched);
}
