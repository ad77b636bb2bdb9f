/* SPDX-License-Identifier: Apache-2.0 */
/* rules_extra.c - rules that StableHLO's own passes do not have; tessera-simplify applies them. All are exact,
 * including NaN, infinities, -0 and overflow, except those of the set U (rules.def). */
#include "dialect/stablehlo/types.h"
#include "pass/simplify/simplify.h"

static bool same_type(const tsr_value *v, const tsr_op *op)
{
    return v->type == op->out[0].type;
}

/* ---- Arithmetic ---- */

/* -(-x), !(!x) -> x */
bool rule_twice(tsr_rewriter *r, tsr_op *op)
{
    const tsr_op *inner = tsr_rw_def_is(tsr_rw_in(op, 0), op->def->opcode);
    return inner && tsr_rw_becomes(r, op, tsr_rw_in(inner, 0));
}

/* |(|x|)| -> |x| */
bool rule_abs_of_abs(tsr_rewriter *r, tsr_op *op)
{
    return tsr_rw_def_is(tsr_rw_in(op, 0), TSR_OP_STABLEHLO_ABS) &&
           tsr_rw_becomes(r, op, tsr_rw_in(op, 0));
}

/* |-x| -> |x| */
bool rule_abs_of_negate(tsr_rewriter *r, tsr_op *op)
{
    const tsr_op *inner = tsr_rw_def_is(tsr_rw_in(op, 0), TSR_OP_STABLEHLO_NEGATE);
    if (!inner || tsr_rw_in(inner, 0)->type != tsr_rw_in(op, 0)->type)
        return false;
    tsr_rw_set_operand(r, op, 0, tsr_rw_in(inner, 0));
    return true;
}

/* f(x, x) -> x */
bool rule_both_same(tsr_rewriter *r, tsr_op *op)
{
    return tsr_rw_in(op, 0) == tsr_rw_in(op, 1) && tsr_rw_becomes(r, op, tsr_rw_in(op, 0));
}

/* x / 1, x ** 1 -> x */
bool rule_by_one(tsr_rewriter *r, tsr_op *op)
{
    return tsr_const_is(tsr_const_of(tsr_rw_in(op, 1)), TSR_IS_ONE) &&
           tsr_rw_becomes(r, op, tsr_rw_in(op, 0));
}

/* x << 0, x >> 0 -> x */
bool rule_shift_zero(tsr_rewriter *r, tsr_op *op)
{
    return tsr_const_is(tsr_const_of(tsr_rw_in(op, 1)), TSR_IS_ZERO) &&
           tsr_rw_becomes(r, op, tsr_rw_in(op, 0));
}

static bool other_sum(tsr_rewriter *r, tsr_op *op, uint16_t opcode, tsr_value *x, tsr_value *y)
{
    if (!same_type(x, op) || !same_type(y, op) || tsr_hlo_is_quantized(x->type))
        return false;
    tsr_value *in[] = {x, y};
    tsr_op *made = tsr_rw_one(r, op, opcode, in, 2, op->out[0].type);
    tsr_rw_merge_attrs(r, op, made);
    tsr_rw_replace_one(r, op, &made->out[0]);
    return true;
}

/* x + (-y), (-y) + x -> x - y */
bool rule_add_negative(tsr_rewriter *r, tsr_op *op)
{
    for (size_t i = 0; i < 2; i++) {
        const tsr_op *inner = tsr_rw_def_is(tsr_rw_in(op, 1 - i), TSR_OP_STABLEHLO_NEGATE);
        if (inner)
            return other_sum(r, op, TSR_OP_STABLEHLO_SUBTRACT, tsr_rw_in(op, i),
                             tsr_rw_in(inner, 0));
    }
    return false;
}

/* x - (-y) -> x + y */
bool rule_subtract_negative(tsr_rewriter *r, tsr_op *op)
{
    const tsr_op *inner = tsr_rw_def_is(tsr_rw_in(op, 1), TSR_OP_STABLEHLO_NEGATE);
    return inner && other_sum(r, op, TSR_OP_STABLEHLO_ADD, tsr_rw_in(op, 0), tsr_rw_in(inner, 0));
}

bool tsr_elem_widens(const tsr_type *from, const tsr_type *to)
{
    if (from->kind != to->kind)
        return false;
    if (from->kind == TSR_TYPE_INTEGER) {
        /* i1 counts as unsigned. */
        bool plus = from->sub == TSR_UNSIGNED || from->width == 1;
        return from->width < to->width && (plus || to->sub != TSR_UNSIGNED);
    }
    if (from->kind != TSR_TYPE_FLOAT)
        return false;
    const tsr_float_format *f = &tsr_float_formats[from->sub], *t = &tsr_float_formats[to->sub];
    return f->specials == TSR_FLOAT_IEEE && t->specials == TSR_FLOAT_IEEE && f->ebits <= t->ebits &&
           f->mbits <= t->mbits && f->bits < t->bits;
}

/* convert(convert(x)) -> convert(x), when the first one loses nothing */
bool rule_convert_of_convert(tsr_rewriter *r, tsr_op *op)
{
    const tsr_op *inner = tsr_rw_def_is(tsr_rw_in(op, 0), TSR_OP_STABLEHLO_CONVERT);
    if (!inner || !tsr_elem_widens(tsr_rw_in(inner, 0)->type->elem, tsr_rw_in(op, 0)->type->elem))
        return false;
    tsr_rw_set_operand(r, op, 0, tsr_rw_in(inner, 0));
    return true;
}

/* Fast: x * 0 -> 0 of floats, too */
bool rule_multiply_float_zero(tsr_rewriter *r, tsr_op *op)
{
    return tsr_const_is(tsr_const_of(tsr_rw_in(op, 1)), TSR_IS_ZERO) &&
           tsr_rw_becomes(r, op, tsr_rw_in(op, 1));
}

static bool becomes_number(tsr_rewriter *r, tsr_op *op, int64_t number)
{
    tsr_attr *value =
        tsr_rw_in(op, 0) == tsr_rw_in(op, 1) ? tsr_const_number(r, op->out[0].type, number) : NULL;
    if (!value)
        return false;
    tsr_rw_replace_one(r, op, tsr_rw_constant(r, op, value));
    return true;
}

/* Fast: x - x -> 0 of floats, too */
bool rule_subtract_float_self(tsr_rewriter *r, tsr_op *op)
{
    return becomes_number(r, op, 0);
}

/* Fast: x / x -> 1 of floats */
bool rule_divide_self(tsr_rewriter *r, tsr_op *op)
{
    return tsr_elem_is_float(op->out[0].type->elem) && becomes_number(r, op, 1);
}

/* ---- Data movement ---- */

/* The mapping of the dimensions of a reshape's operand, if it only adds and drops dimensions of size 1: map[i] is the
 * result's dimension for dimension i, -1 if that has size 1 and was dropped. */
static bool reshape_moves(const tsr_type *from, const tsr_type *to, int64_t *map)
{
    size_t k = 0;
    if (!tsr_type_has_static_shape(from) || !tsr_type_has_static_shape(to))
        return false;
    for (size_t i = 0; i < from->n; i++) {
        map[i] = -1;
        if (from->dims[i] == 1)
            continue;
        while (k < to->n && to->dims[k] == 1)
            k++;
        if (k == to->n || to->dims[k] != from->dims[i])
            return false;
        map[i] = (int64_t)k++;
    }
    while (k < to->n && to->dims[k] == 1)
        k++;
    return k == to->n;
}

static tsr_attr *broadcast_dims(const tsr_op *op)
{
    return op->attrs[STABLEHLO_BROADCAST_IN_DIM_broadcast_dimensions];
}

/* broadcast(reshape(x)) -> broadcast(x), when the reshape only adds dimensions of 1 */
bool rule_broadcast_of_reshape(tsr_rewriter *r, tsr_op *op)
{
    const tsr_op *inner = tsr_rw_def_is(tsr_rw_in(op, 0), TSR_OP_STABLEHLO_RESHAPE);
    if (!inner || !tsr_rw_static(&op->out[0]))
        return false;
    const tsr_type *from = tsr_rw_in(inner, 0)->type;
    int64_t *map = tsr_rw_ints(r, from->n);
    if (!reshape_moves(from, inner->out[0].type, map))
        return false;
    for (size_t i = 0; i < from->n; i++) {
        if (map[i] < 0)
            return false;
        map[i] = tsr_hlo_at(broadcast_dims(op), (size_t)map[i]);
    }
    op->attrs[STABLEHLO_BROADCAST_IN_DIM_broadcast_dimensions] = tsr_rw_i64s(r, map, from->n);
    tsr_rw_set_operand(r, op, 0, tsr_rw_in(inner, 0));
    return true;
}

/* transpose(broadcast(x)) -> broadcast(x), if the inner one has no other users */
bool rule_transpose_of_broadcast(tsr_rewriter *r, tsr_op *op)
{
    const tsr_op *inner = tsr_rw_def_is(tsr_rw_in(op, 0), TSR_OP_STABLEHLO_BROADCAST_IN_DIM);
    if (!inner || !tsr_rw_one_use(&inner->out[0]))
        return false;
    const tsr_attr *perm = op->attrs[STABLEHLO_TRANSPOSE_permutation],
                   *dims = broadcast_dims(inner);
    size_t rank = tsr_hlo_len(perm), n = tsr_hlo_len(dims);
    int64_t *goes = tsr_rw_ints(r, rank), *out = tsr_rw_ints(r, n);
    for (size_t i = 0; i < rank; i++)
        goes[tsr_hlo_at(perm, i)] = (int64_t)i;
    for (size_t i = 0; i < n; i++)
        out[i] = goes[tsr_hlo_at(dims, i)];
    tsr_value *x = tsr_rw_in(inner, 0);
    tsr_op *made = tsr_rw_one(r, op, TSR_OP_STABLEHLO_BROADCAST_IN_DIM, &x, 1, op->out[0].type);
    made->attrs[STABLEHLO_BROADCAST_IN_DIM_broadcast_dimensions] = tsr_rw_i64s(r, out, n);
    tsr_rw_merge_attrs(r, op, made);
    tsr_rw_replace_one(r, op, &made->out[0]);
    return true;
}

/* slice(slice(x)) -> slice(x) */
bool rule_slice_of_slice(tsr_rewriter *r, tsr_op *op)
{
    const tsr_op *inner = tsr_rw_def_is(tsr_rw_in(op, 0), TSR_OP_STABLEHLO_SLICE);
    if (!inner || !tsr_rw_static(&op->out[0]) || !tsr_rw_static(tsr_rw_in(inner, 0)))
        return false;
    tsr_slice first, second;
    tsr_slice_of(inner, &first);
    tsr_slice_of(op, &second);
    size_t n = op->out[0].type->n;
    int64_t *start = tsr_rw_ints(r, n), *limit = tsr_rw_ints(r, n), *stride = tsr_rw_ints(r, n);
    for (size_t i = 0; i < n; i++) {
        int64_t step = tsr_ints_at(first.strides, i), size = op->out[0].type->dims[i];
        start[i] = tsr_ints_at(first.start, i) + step * tsr_ints_at(second.start, i);
        stride[i] = step * tsr_ints_at(second.strides, i);
        limit[i] = size ? start[i] + (size - 1) * stride[i] + 1 : start[i];
    }
    op->attrs[STABLEHLO_SLICE_start_indices] = tsr_rw_i64s(r, start, n);
    op->attrs[STABLEHLO_SLICE_limit_indices] = tsr_rw_i64s(r, limit, n);
    op->attrs[STABLEHLO_SLICE_strides] = tsr_rw_i64s(r, stride, n);
    tsr_rw_set_operand(r, op, 0, tsr_rw_in(inner, 0));
    return true;
}

/* reverse(reverse(x)) -> x, along the same dimensions */
bool rule_reverse_of_reverse(tsr_rewriter *r, tsr_op *op)
{
    const tsr_op *inner = tsr_rw_def_is(tsr_rw_in(op, 0), TSR_OP_STABLEHLO_REVERSE);
    return inner &&
           inner->attrs[STABLEHLO_REVERSE_dimensions] == op->attrs[STABLEHLO_REVERSE_dimensions] &&
           tsr_rw_becomes(r, op, tsr_rw_in(inner, 0));
}

/* ---- Matrix products ---- */

static tsr_ints through(tsr_rewriter *r, tsr_ints dims, const tsr_attr *perm)
{
    int64_t *out = tsr_rw_ints(r, dims.n);
    for (uint32_t i = 0; i < dims.n; i++)
        out[i] = tsr_hlo_at(perm, (size_t)tsr_ints_at(dims, i));
    return tsr_ints_over(out, dims.n);
}

/* dot_general(transpose(x), y) -> dot_general(x, y) with other dimension numbers, and likewise for y: if the dimensions
 * that the result keeps stay in order */
bool rule_dot_of_transpose(tsr_rewriter *r, tsr_op *op)
{
    tsr_dot d;
    tsr_dot_of(op, &d);
    for (int side = 0; side < 2; side++) {
        const tsr_op *inner =
            tsr_rw_def_is(tsr_rw_in(op, (size_t)side), TSR_OP_STABLEHLO_TRANSPOSE);
        if (!inner || tsr_hlo_is_quantized(inner->out[0].type))
            continue;
        const tsr_attr *perm = inner->attrs[STABLEHLO_TRANSPOSE_permutation];
        int64_t before = -1;
        bool ordered = true;
        for (size_t i = 0; ordered && i < tsr_hlo_len(perm); i++) {
            if (!tsr_dot_is_free(&d, side, (int64_t)i))
                continue;
            ordered = tsr_hlo_at(perm, i) > before;
            before = tsr_hlo_at(perm, i);
        }
        if (!ordered)
            continue;
        d.batch[side] = through(r, d.batch[side], perm);
        d.contract[side] = through(r, d.contract[side], perm);
        op->attrs[STABLEHLO_DOT_GENERAL_dot_dimension_numbers] = tsr_dot_attr(r->ctx, &d);
        tsr_rw_set_operand(r, op, (size_t)side, tsr_rw_in(inner, 0));
        return true;
    }
    return false;
}

/* ---- Regions ---- */

/* if(c) -> the ops of its branch */
bool rule_if_known(tsr_rewriter *r, tsr_op *op)
{
    const tsr_attr *c = tsr_const_splat(tsr_rw_in(op, 0));
    if (!c || op->nregion != 2)
        return false;
    tsr_block *b = op->regions[tsr_const_is(c, TSR_IS_ZERO) ? 1 : 0].first;
    tsr_op *end = b && !b->next ? b->last : NULL;
    if (!end || !tsr_op_is(end, TSR_OP_STABLEHLO_RETURN) || end->nin != op->nout)
        return false;
    tsr_value **values = TSR_NEW_ARRAY(r->p->scratch, tsr_value *, op->nout);
    for (uint32_t i = 0; i < op->nout; i++) {
        values[i] = tsr_rw_in(end, i);
        if (values[i]->type != op->out[i].type)
            return false;
    }
    for (tsr_op *inner = b->first, *next; inner != end; inner = next) {
        next = inner->next;
        tsr_op_move_before(inner, op);
        tsr_rw_touch(r, inner);
    }
    tsr_rw_replace(r, op, values);
    return true;
}

/* Whether all uses of v lead to one operand of end: it only feeds itself. */
static bool feeds_only(const tsr_value *v, const tsr_op *end, uint32_t i)
{
    for (const tsr_use *u = v->uses; u; u = u->next) {
        if (u->user == end) {
            if (u != &end->in[i])
                return false;
            continue;
        }
        if (u->user->nregion || !tsr_op_effect_free(u->user) || u->user->block != end->block)
            return false;
        for (uint32_t k = 0; k < u->user->nout; k++)
            for (const tsr_use *w = u->user->out[k].uses; w; w = w->next)
                if (w != &end->in[i])
                    return false;
    }
    return true;
}

/* Removes loop-carried values that nothing uses. */
bool rule_while_unused(tsr_rewriter *r, tsr_op *op)
{
    tsr_block *cond = op->regions[0].first, *body = op->regions[1].first;
    tsr_op *end = body && !body->next ? body->last : NULL;
    if (!cond || !end || !tsr_op_is(end, TSR_OP_STABLEHLO_RETURN) || end->nin != op->nin ||
        cond->nargs != op->nin || body->nargs != op->nin || op->nout != op->nin)
        return false;
    bool *gone = TSR_NEW_ARRAY(r->p->scratch, bool, op->nin);
    uint32_t left = op->nin;
    for (uint32_t i = 0; i < op->nin; i++) {
        gone[i] = !op->out[i].uses && !cond->args[i]->uses && feeds_only(body->args[i], end, i);
        left -= gone[i];
    }
    if (left == op->nin || !left)
        return false;
    /* Users of a removed argument are dead now; they use the initial value until they are erased. */
    for (uint32_t i = 0; i < op->nin; i++)
        if (gone[i])
            tsr_rw_forward(r, body->args[i], tsr_rw_in(op, i));
    tsr_shrink_while(r, op, gone, left);
    return true;
}

/* ---- Folding ---- */

/* f(c, ...) -> constant, of any op that has a kernel */
bool rule_fold_any(tsr_rewriter *r, tsr_op *op)
{
    tsr_attr *value = tsr_fold_by_kernel(r, op);
    if (!value || value->type != op->out[0].type)
        return false;
    tsr_rw_replace_one(r, op, tsr_rw_constant(r, op, value));
    return true;
}
