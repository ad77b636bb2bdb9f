/* SPDX-License-Identifier: Apache-2.0 */
/* reverse.c - finds which values of a block vary, and runs reverse mode through it. */
#include "pass/grad/grad.h"

#include "dialect/sdy/sharding.h"

/* ---- What varies ---- */

static bool reads_varied(tsr_grad *g, tsr_op *op)
{
    for (uint32_t i = 0; i < op->nin; i++)
        if (tsr_grad_varied(g, tsr_grad_in(op, i)))
            return true;
    if (!op->nregion)
        return false;
    tsr_value_vec captures = {0};
    tsr_grad_captures(g, op, &captures);
    bool any = captures.n != 0;
    tsr_vec_free(&captures);
    return any;
}

/* Replaces op by simpler ones. next: the first of them, or the op after it. */
static bool unfold(tsr_grad *g, tsr_op *op, unfold_fn *fn, tsr_op **next)
{
    tsr_build b = tsr_build_before(op);
    tsr_op *before = op->prev;
    tsr_block *block = op->block;
    tsr_value_vec out = {0};
    for (uint32_t i = 0; i < op->nout; i++)
        tsr_vec_push(&out, NULL);
    tsr_unfolded done = fn(g, op, &b, out.data);
    bool ok = done != TSR_UNFOLD_FAILED && !b.failed;
    if (ok && done == TSR_UNFOLD_DONE) {
        for (uint32_t i = 0; i < op->nout; i++)
            tsr_value_replace(&op->out[i], out.data[i]);
        tsr_op_erase(op);
        *next = before ? before->next : block->first;
    }
    tsr_vec_free(&out);
    tsr_build_free(&b);
    return ok;
}

/* Values with floats may vary: they are unfolded, or are an error if they are on the path. */
static bool may_vary(const tsr_type *t)
{
    return tsr_grad_is_smooth(t) || tsr_hlo_is_quantized(t) || tsr_type_is(t, TSR_TYPE_TUPLE) ||
           (tsr_type_is(t, TSR_TYPE_DIALECT) && t->def == &tsr_def_STABLEHLO_FUTURE);
}

bool tsr_grad_analyse(tsr_grad *g, tsr_block *block)
{
    for (tsr_op *op = block->first, *next; op; op = next) {
        next = op->next;
        if (!op->nout || !reads_varied(g, op))
            continue;
        unfold_fn *fn = tsr_grad_unfold(op);
        tsr_op *after = next;
        if (fn) {
            TSR_TRY(unfold(g, op, fn, &next));
            if (next != after)
                continue;
        }
        bool flat = tsr_grad_is_flat(op);
        for (uint32_t i = 0; i < op->nout; i++) {
            const tsr_type *t = op->out[i].type;
            if (!flat && may_vary(t))
                tsr_grad_dual(g, &op->out[i])->varied = true;
        }
    }
    return true;
}

/* ---- Backwards ---- */

/* The cotangent of a sharded value has the same sharding. */
static void shard_like(tsr_value *ct, const tsr_op *op, uint32_t i)
{
    if (!op->extra || ct->is_arg || ct->type != op->out[i].type || ct->op->extra)
        return;
    tsr_attr *s = tsr_sdy_sharding_of(&op->out[i]);
    if (s && ct->op->nout == 1 && !tsr_value_is_constant(ct))
        tsr_sdy_set_sharding(ct, s);
}

bool tsr_grad_reverse(tsr_grad *g, tsr_op *last)
{
    return tsr_grad_reverse_from(g, last, NULL);
}

bool tsr_grad_reverse_from(tsr_grad *g, tsr_op *last, const tsr_op *first)
{
    tsr_value_vec ct = {0};
    bool ok = true;
    for (tsr_op *op = last, *prev; ok && op; op = prev) {
        prev = op == first ? NULL : op->prev;
        bool any = false;
        ct.n = 0;
        for (uint32_t i = 0; i < op->nout; i++) {
            tsr_value *c = tsr_grad_of(g, &op->out[i]);
            tsr_vec_push(&ct, c);
            any |= c != NULL;
            if (c)
                shard_like(c, op, i);
        }
        if (!any)
            continue;
        g->b.loc = op->loc;
        ok = tsr_grad_vjp(g, op, ct.data) && !g->b.failed;
    }
    tsr_vec_free(&ct);
    return ok;
}

/* ---- Cleanup ---- */

static bool erasable(tsr_grad *g, const tsr_op *op, unsigned depth);

static bool all_erasable(tsr_grad *g, const tsr_op *op, unsigned depth)
{
    for (uint32_t r = 0; r < op->nregion; r++)
        TSR_REGION_BLOCKS (&op->regions[r], b)
            TSR_BLOCK_OPS (b, inner)
                if (!tsr_op_has(inner, TSR_TRAIT(TERMINATOR)) && !erasable(g, inner, depth))
                    return false;
    return true;
}

/* An op with a rule only computes its results, whatever else its row says: collectives, constraints. */
static bool erasable(tsr_grad *g, const tsr_op *op, unsigned depth)
{
    if (tsr_op_has(op, TSR_TRAIT(TERMINATOR) | TSR_TRAIT(SYMBOL)))
        return false;
    if (tsr_op_effect_free(op))
        return true;
    if (!tsr_grad_has_rule(op) || tsr_grad_is_flat(op) || depth > TSR_GRAD_DEPTH)
        return false;
    int effect = tsr_opdef_slot(op->def, TSR_STR("has_side_effect"));
    if (effect >= 0 && op->attrs[effect] && op->attrs[effect]->i)
        return false;
    for (uint16_t i = 0; i < op->def->nslot; i++)
        if (tsr_attr_is(op->attrs[i], TSR_ATTR_SYMBOL)) {
            const tsr_op *callee = tsr_symtab_find(&g->symbols, op->attrs[i]->s);
            if (!callee || !all_erasable(g, callee, depth + 1))
                return false;
        }
    return all_erasable(g, op, depth + 1);
}

void tsr_grad_erase_dead(tsr_grad *g, tsr_op *last)
{
    for (tsr_op *op = last, *prev; op; op = prev) {
        prev = op->prev;
        if (op->nout && !tsr_op_used(op) && erasable(g, op, 0))
            tsr_op_erase(op);
    }
}
