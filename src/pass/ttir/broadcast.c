/* SPDX-License-Identifier: Apache-2.0 */
/* broadcast.c - makes implicit broadcasts explicit and explicit ones implicit: TTIR's elementwise ops broadcast their
 * operands. */
#include "pass/ttir/tt.h"

static bool stretches(const tsr_op *op)
{
    if (!tsr_op_has(op, TSR_TRAIT(TT_BROADCAST)) || op->nout != 1 || !tsr_ttr_tensor(&op->out[0]))
        return false;
    for (uint32_t i = 0; i < op->nin; i++)
        if (!tsr_ttr_tensor(op->in[i].value))
            return false;
    return op->nin > 0;
}

/* The common shape of the operands after broadcasting. */
static bool common_shape(const tsr_op *op, int64_t *dims, size_t *n)
{
    tt_shape all = {0}, one, both;
    for (uint32_t i = 0; i < op->nin; i++) {
        const tsr_type *t = op->in[i].value->type;
        one.n = t->n;
        memcpy(one.d, t->dims, t->n * sizeof *one.d);
        if (i == 0)
            both = one;
        else if (!tt_broadcast(&all, &one, &both))
            return false;
        all = both;
    }
    *n = all.n;
    memcpy(dims, all.d, all.n * sizeof *dims);
    return true;
}

/* If the operands no longer give the result's shape, the result gets their shape, and a broadcast after it restores the
 * old one. */
static bool broadcast_result(tsr_rewriter *r, tsr_op *op)
{
    int64_t dims[TSR_TTIR_RANK];
    size_t n;
    tsr_type *old = op->out[0].type;
    tsr_op *behind = tsr_ttr_behind(op);
    if (!common_shape(op, dims, &n) || n != old->n || tsr_ttir_shape_is(&op->out[0], dims, n) ||
        !behind)
        return false;
    op->out[0].type = tsr_ttir_shaped(old, dims, n);
    tsr_value *v = tsr_ttr_broadcast(r, behind, &op->out[0], old->dims);
    v->op->loc = op->loc;
    tsr_rw_forward(r, &op->out[0], v);
    tsr_op_set_operand(v->op, 0, &op->out[0]);
    return true;
}

/* Whether op's result would keep its shape, or get it back with one broadcast. */
static bool rank_stays(const tsr_op *op, const tsr_value *without, const tsr_value *with)
{
    return without->type->n == with->type->n && without->type->n <= op->out[0].type->n;
}

/* f(broadcast(x), y) -> f(x, y) */
bool rule_tt_implicit_broadcast(tsr_rewriter *r, tsr_op *op)
{
    bool changed = false;
    if (!stretches(op))
        return false;
    for (uint32_t i = 0; i < op->nin; i++) {
        tsr_op *b = tsr_ttr_def(tsr_rw_in(op, i), TSR_OP_TTIR_BROADCAST);
        if (!b || !tsr_ttr_implicit(b) || !rank_stays(op, tsr_rw_in(b, 0), &b->out[0]))
            continue;
        tsr_rw_set_operand(r, op, i, tsr_rw_in(b, 0));
        changed = true;
    }
    return broadcast_result(r, op) || changed;
}

/* full, zeros, ones used only by elementwise ops -> with one element */
bool rule_tt_full_scalar(tsr_rewriter *r, tsr_op *op)
{
    tsr_value *v = &op->out[0];
    int64_t dims[TSR_TTIR_RANK];
    int slot = tsr_opdef_slot(op->def, TSR_STR("shape"));
    if (!tsr_ttr_tensor(v) || tsr_ttr_elements(v) == 1 || !v->uses || slot < 0)
        return false;
    for (tsr_use *u = v->uses; u; u = u->next)
        if (!stretches(u->user) || !tsr_ttr_behind(u->user))
            return false;
    for (size_t i = 0; i < v->type->n; i++)
        dims[i] = 1;
    op->out[0].type = tsr_ttir_shaped(v->type, dims, v->type->n);
    op->attrs[slot] = tsr_ttir_i32_array(r->ctx, dims, v->type->n);
    for (tsr_use *u = v->uses; u; u = u->next)
        broadcast_result(r, u->user);
    r->p->changed = true;
    return true;
}

/* Gives operands of elementwise ops the same rank with reshapes, then the same shape with broadcasts. */
bool rule_tt_explicit_broadcast(tsr_rewriter *r, tsr_op *op)
{
    int64_t dims[TSR_TTIR_RANK];
    size_t n;
    bool changed = false;
    if (!stretches(op) || op->nin < 2 || !common_shape(op, dims, &n))
        return false;
    for (uint32_t i = 0; i < op->nin; i++) {
        tsr_value *v = tsr_rw_in(op, i);
        int64_t wide[TSR_TTIR_RANK];
        if (v->type->n == n)
            continue;
        size_t more = n - v->type->n;
        for (size_t k = 0; k < n; k++)
            wide[k] = k < more ? 1 : v->type->dims[k - more];
        tsr_rw_set_operand(r, op, i, tsr_ttr_reshape(r, op, v, wide, n));
        changed = true;
    }
    for (uint32_t i = 0; i < op->nin; i++) {
        tsr_value *v = tsr_rw_in(op, i), *wide = tsr_ttr_broadcast(r, op, v, dims);
        if (wide == v)
            continue;
        tsr_rw_set_operand(r, op, i, wide);
        changed = true;
    }
    return changed;
}

/* f(reshape(x), c) -> reshape(f(x, reshape(c))), for constants c: the reshape of a constant is folded later */
bool rule_tt_reshape_to_constant(tsr_rewriter *r, tsr_op *op)
{
    if (!stretches(op) || op->nin != 2)
        return false;
    for (uint32_t i = 0; i < 2; i++) {
        tsr_op *reshape = tsr_ttr_single(tsr_rw_in(op, i), TSR_OP_TTIR_RESHAPE);
        tsr_value *constant = tsr_rw_in(op, 1 - i), *from[2] = {tsr_rw_in(op, i), constant};
        bool is_constant[2];
        for (int k = 0; k < 2; k++) {
            while (tsr_ttr_def(from[k], TSR_OP_TTIR_RESHAPE) ||
                   tsr_ttr_def(from[k], TSR_OP_TTIR_BROADCAST))
                from[k] = tsr_rw_in(from[k]->op, 0);
            is_constant[k] = tsr_ttr_def(from[k], TSR_OP_TTIR_CONSTANT) != NULL;
        }
        if (!reshape || is_constant[0] || !is_constant[1] ||
            !tt_same_shape(constant->type, reshape->out[0].type) ||
            !tsr_ttr_tensor(tsr_rw_in(reshape, 0)))
            continue;
        const tsr_type *in = tsr_rw_in(reshape, 0)->type, *out = op->out[0].type;
        tsr_value *operands[2];
        operands[i] = tsr_rw_in(reshape, 0);
        operands[1 - i] = tsr_ttr_reshape(r, op, constant, in->dims, in->n);
        tsr_op *copy = tsr_ttr_copy(r, op, op, operands, 2, tsr_ttir_shaped(out, in->dims, in->n));
        tsr_rw_replace_one(r, op, tsr_ttr_reshape(r, op, &copy->out[0], out->dims, out->n));
        return true;
    }
    return false;
}

/* Reductions that drop dimensions -> that keep them, and a reshape */
bool rule_tt_keep_dim(tsr_rewriter *r, tsr_op *op)
{
    tsr_value *v = tsr_rw_in(op, 0);
    const tsr_type *type = op->out[0].type;
    int64_t dims[TSR_TTIR_RANK], shape[TSR_TTIR_RANK];
    size_t n;
    if (tsr_ttr_keeps_dims(op) || !tsr_ttr_tensor(v) || !tsr_ttr_tensor(&op->out[0]) ||
        !tsr_ttr_reduced(op, dims, &n))
        return false;
    memcpy(shape, v->type->dims, v->type->n * sizeof *shape);
    for (size_t i = 0; i < n; i++)
        shape[dims[i]] = 1;
    tsr_op *copy = tsr_ttr_copy(r, op, op, &v, 1, tsr_ttir_shaped(type, shape, v->type->n));
    copy->attrs[TTIR_SUM_keep_dim] = tsr_attr_bool(r->ctx, true);
    tsr_rw_replace_one(r, op, tsr_ttr_reshape(r, op, &copy->out[0], type->dims, type->n));
    return true;
}
