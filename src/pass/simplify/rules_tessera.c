/* SPDX-License-Identifier: Apache-2.0 */
/* rules_tessera.c - rules of Graph IR's ops, whose operands broadcast and are promoted. x, y: any values; c: a
 * constant. All are exact except those of the set U (rules.def).
 *
 * A value replaces a result only if it has the same type; if shape or elements differ, a cast and a broadcast are
 * inserted. Types less precise than what the operands imply stay. */
#include "dialect/tessera/tessera.h"
#include "pass/simplify/simplify.h"

static tsr_type *result(const tsr_op *op)
{
    return op->out[0].type;
}

/* Replaces op by v, converted to the elements and the shape of its result. */
static bool becomes(tsr_rewriter *r, tsr_op *op, tsr_value *v)
{
    tsr_type *to = result(op), *from = v->type;
    if (from == to)
        return tsr_rw_becomes(r, op, v);
    if (!tsr_rw_static(v) || !tsr_rw_static(&op->out[0]) || from->attr || to->attr)
        return false;
    if (from->elem != to->elem) {
        tsr_type *type = tsr_type_tensor(r->ctx, from->dims, from->n, to->elem, NULL);
        v = &tsr_rw_one(r, op, TSR_OP_TESSERA_CAST, &v, 1, type)->out[0];
    }
    if (v->type != to)
        v = &tsr_rw_one(r, op, TSR_OP_TESSERA_BROADCAST, &v, 1, to)->out[0];
    return tsr_rw_becomes(r, op, v);
}

static bool becomes_constant(tsr_rewriter *r, tsr_op *op, tsr_attr *value)
{
    if (!value || value->type != result(op))
        return false;
    tsr_op *made = tsr_rw_one(r, op, TSR_OP_TESSERA_CONSTANT, NULL, 0, value->type);
    made->attrs[TESSERA_CONSTANT_value] = value;
    tsr_rw_replace_one(r, op, &made->out[0]);
    return true;
}

static bool becomes_number(tsr_rewriter *r, tsr_op *op, int64_t number)
{
    return tsr_rw_static(&op->out[0]) &&
           becomes_constant(r, op, tsr_const_number(r, result(op), number));
}

/* ---- Neutral and absorbing elements ---- */

/* x + 0, 0 + x -> x, unless the sum of -0 and 0 matters */
bool rule_tessera_add_zero(tsr_rewriter *r, tsr_op *op)
{
    for (size_t i = 0; i < 2; i++) {
        const tsr_attr *c = tsr_const_of(tsr_rw_in(op, i));
        tsr_value *x = tsr_rw_in(op, 1 - i);
        if (!tsr_const_is(c, TSR_IS_ZERO))
            continue;
        if (r->o->exact && !tsr_elem_is_int(result(op)->elem) &&
            !(tsr_const_is(c, TSR_IS_MINUS_ZERO) || tsr_elem_is_int(x->type->elem) ||
              tsr_never_minus_zero(x)))
            continue;
        if (becomes(r, op, x))
            return true;
    }
    return false;
}

/* x - 0 -> x; also for an integer zero, which is promoted to +0 */
bool rule_tessera_sub_zero(tsr_rewriter *r, tsr_op *op)
{
    return tsr_const_is(tsr_const_of(tsr_rw_in(op, 1)),
                        r->o->exact ? TSR_IS_PLUS_ZERO : TSR_IS_ZERO) &&
           becomes(r, op, tsr_rw_in(op, 0));
}

/* x * 1, 1 * x -> x */
bool rule_tessera_mul_one(tsr_rewriter *r, tsr_op *op)
{
    for (size_t i = 0; i < 2; i++)
        if (tsr_const_is(tsr_const_of(tsr_rw_in(op, i)), TSR_IS_ONE) &&
            becomes(r, op, tsr_rw_in(op, 1 - i)))
            return true;
    return false;
}

/* x / 1, x ** 1 -> x */
bool rule_tessera_by_one(tsr_rewriter *r, tsr_op *op)
{
    return tsr_const_is(tsr_const_of(tsr_rw_in(op, 1)), TSR_IS_ONE) &&
           becomes(r, op, tsr_rw_in(op, 0));
}

static bool has_zero(const tsr_op *op)
{
    return tsr_const_is(tsr_const_of(tsr_rw_in(op, 0)), TSR_IS_ZERO) ||
           tsr_const_is(tsr_const_of(tsr_rw_in(op, 1)), TSR_IS_ZERO);
}

/* x * 0 -> 0, of integers: a float may be NaN or infinite */
bool rule_tessera_mul_zero(tsr_rewriter *r, tsr_op *op)
{
    return tsr_elem_is_int(result(op)->elem) && has_zero(op) && becomes_number(r, op, 0);
}
/* Fast: x * 0 -> 0 of floats, too */
bool rule_tessera_mul_float_zero(tsr_rewriter *r, tsr_op *op)
{
    return has_zero(op) && becomes_number(r, op, 0);
}

static bool both_same(const tsr_op *op)
{
    return tsr_rw_in(op, 0) == tsr_rw_in(op, 1);
}

/* x - x -> 0, of integers */
bool rule_tessera_sub_self(tsr_rewriter *r, tsr_op *op)
{
    return both_same(op) && tsr_elem_is_int(result(op)->elem) && becomes_number(r, op, 0);
}
/* Fast: x - x -> 0 of floats, too */
bool rule_tessera_sub_float_self(tsr_rewriter *r, tsr_op *op)
{
    return both_same(op) && becomes_number(r, op, 0);
}
/* Fast: x / x -> 1 of floats */
bool rule_tessera_div_self(tsr_rewriter *r, tsr_op *op)
{
    return both_same(op) && tsr_elem_is_float(result(op)->elem) && becomes_number(r, op, 1);
}
/* max(x, x), min(x, x) -> x */
bool rule_tessera_both_same(tsr_rewriter *r, tsr_op *op)
{
    return both_same(op) && becomes(r, op, tsr_rw_in(op, 0));
}

/* ---- Signs ---- */

/* The value that v negates, if it has the elements of the result; otherwise it is promoted in between. */
static tsr_value *negated(const tsr_op *op, const tsr_value *v)
{
    const tsr_op *inner = tsr_rw_def_is(v, TSR_OP_TESSERA_NEG);
    return inner && v->type->elem == result(op)->elem && tsr_rw_in(inner, 0)->type == v->type
               ? tsr_rw_in(inner, 0)
               : NULL;
}

static bool other_sum(tsr_rewriter *r, tsr_op *op, uint16_t opcode, tsr_value *x, tsr_value *y)
{
    tsr_value *in[] = {x, y};
    return tsr_rw_becomes(r, op, &tsr_rw_one(r, op, opcode, in, 2, result(op))->out[0]);
}

/* x + (-y), (-y) + x -> x - y */
bool rule_tessera_add_negative(tsr_rewriter *r, tsr_op *op)
{
    for (size_t i = 0; i < 2; i++) {
        tsr_value *y = negated(op, tsr_rw_in(op, 1 - i));
        if (y)
            return other_sum(r, op, TSR_OP_TESSERA_SUB, tsr_rw_in(op, i), y);
    }
    return false;
}

/* x - (-y) -> x + y */
bool rule_tessera_sub_negative(tsr_rewriter *r, tsr_op *op)
{
    tsr_value *y = negated(op, tsr_rw_in(op, 1));
    return y && other_sum(r, op, TSR_OP_TESSERA_ADD, tsr_rw_in(op, 0), y);
}

/* |-x| -> |x|; for unsigned types -x is a different number */
bool rule_tessera_abs_of_neg(tsr_rewriter *r, tsr_op *op)
{
    tsr_value *x = negated(op, tsr_rw_in(op, 0));
    if (!x || (tsr_elem_is_int(x->type->elem) &&
               (x->type->elem->sub == TSR_UNSIGNED || x->type->elem->width == 1)))
        return false;
    tsr_rw_set_operand(r, op, 0, x);
    return true;
}

/* ---- Elements ---- */

/* cast(x) -> x, when its type stays */
bool rule_tessera_cast_same(tsr_rewriter *r, tsr_op *op)
{
    return tsr_rw_becomes(r, op, tsr_rw_in(op, 0));
}

/* cast(cast(x)) -> cast(x), when the first one loses nothing */
bool rule_tessera_cast_of_cast(tsr_rewriter *r, tsr_op *op)
{
    const tsr_op *inner = tsr_rw_def_is(tsr_rw_in(op, 0), TSR_OP_TESSERA_CAST);
    if (!inner || !tsr_rw_static(tsr_rw_in(inner, 0)) ||
        !tsr_elem_widens(tsr_rw_in(inner, 0)->type->elem, tsr_rw_in(op, 0)->type->elem))
        return false;
    tsr_rw_set_operand(r, op, 0, tsr_rw_in(inner, 0));
    return true;
}

/* ---- Shapes ---- */

static size_t dynamic_sizes(const tsr_type *t)
{
    size_t n = 0;
    for (size_t i = 0; i < t->n; i++)
        n += t->dims[i] == TSR_DYNAMIC;
    return n;
}

/* reshape(x) -> x, if its type stays; with two dynamic sizes it is unknown which is which */
bool rule_tessera_reshape_same(tsr_rewriter *r, tsr_op *op)
{
    return tsr_type_is(result(op), TSR_TYPE_TENSOR) && dynamic_sizes(result(op)) < 2 &&
           tsr_rw_becomes(r, op, tsr_rw_in(op, 0));
}

/* reshape(reshape(x)) -> reshape(x); all sizes but one must be known without the inner one's names */
bool rule_tessera_reshape_of_reshape(tsr_rewriter *r, tsr_op *op)
{
    const tsr_op *inner = tsr_rw_def_is(tsr_rw_in(op, 0), TSR_OP_TESSERA_RESHAPE);
    if (!inner || !tsr_type_is(result(op), TSR_TYPE_TENSOR) || dynamic_sizes(result(op)) > 1)
        return false;
    tsr_rw_set_operand(r, op, 0, tsr_rw_in(inner, 0));
    return true;
}

/* broadcast(x) -> x, when nothing is repeated */
bool rule_tessera_broadcast_same(tsr_rewriter *r, tsr_op *op)
{
    return tsr_rw_static(&op->out[0]) && tsr_rw_becomes(r, op, tsr_rw_in(op, 0));
}

/* broadcast(broadcast(x)) -> broadcast(x) */
bool rule_tessera_broadcast_of_broadcast(tsr_rewriter *r, tsr_op *op)
{
    const tsr_op *inner = tsr_rw_def_is(tsr_rw_in(op, 0), TSR_OP_TESSERA_BROADCAST);
    if (!inner || !tsr_rw_static(&op->out[0]) || !tsr_rw_static(tsr_rw_in(op, 0)) ||
        !tsr_rw_static(tsr_rw_in(inner, 0)))
        return false;
    tsr_rw_set_operand(r, op, 0, tsr_rw_in(inner, 0));
    return true;
}

/* Whether a reshape of x to type only adds dimensions of 1 in front. */
static bool adds_leading(const tsr_type *x, const tsr_type *type)
{
    size_t more = type->n - x->n;
    if (x->n > type->n || !tsr_type_has_static_shape(x) || !tsr_type_has_static_shape(type))
        return false;
    for (size_t i = 0; i < type->n; i++)
        if (type->dims[i] != (i < more ? 1 : x->dims[i - more]))
            return false;
    return true;
}

/* The operand of a broadcast, or of a reshape that prepends dimensions of size 1: an op that broadcasts by itself may
 * use it directly. NULL: none. */
static tsr_value *before_broadcast(const tsr_value *v)
{
    const tsr_op *b = tsr_rw_def_is(v, TSR_OP_TESSERA_BROADCAST),
                 *s = tsr_rw_def_is(v, TSR_OP_TESSERA_RESHAPE);
    if (b && tsr_rw_static(v) && tsr_rw_static(tsr_rw_in(b, 0)))
        return tsr_rw_in(b, 0);
    return s && tsr_rw_static(v) && tsr_type_is(tsr_rw_in(s, 0)->type, TSR_TYPE_TENSOR) &&
                   adds_leading(tsr_rw_in(s, 0)->type, v->type)
               ? tsr_rw_in(s, 0)
               : NULL;
}

/* Whether the first na sizes of a and the first nb of b broadcast to the first n of out. */
static bool broadcast_to(const tsr_type *a, size_t na, const tsr_type *b, size_t nb,
                         const tsr_type *out, size_t n)
{
    if (na > n || nb > n || (na != n && nb != n))
        return false;
    for (size_t i = 0; i < n; i++) {
        int64_t x = i + na >= n ? a->dims[i + na - n] : 1,
                y = i + nb >= n ? b->dims[i + nb - n] : 1;
        if ((x != y && x != 1 && y != 1) || (x == 1 ? y : x) != out->dims[i])
            return false;
    }
    return true;
}

/* f(broadcast(x), y) -> f(x, y), if the result's shape stays the same */
bool rule_tessera_operand_of_broadcast(tsr_rewriter *r, tsr_op *op)
{
    const tsr_type *out = result(op);
    if (!tsr_rw_static(&op->out[0]))
        return false;
    for (size_t i = 0; i < 2; i++) {
        tsr_value *x = before_broadcast(tsr_rw_in(op, i));
        const tsr_value *y = tsr_rw_in(op, 1 - i);
        if (!x || !tsr_rw_static(y) ||
            !broadcast_to(x->type, x->type->n, y->type, y->type->n, out, out->n))
            continue;
        tsr_rw_set_operand(r, op, i, x);
        return true;
    }
    return false;
}

/* matmul(broadcast(x), y) -> matmul(x, y), and likewise for y: if only leading dimensions are repeated */
bool rule_tessera_matmul_of_broadcast(tsr_rewriter *r, tsr_op *op)
{
    const tsr_type *out = result(op);
    if (!tsr_rw_static(&op->out[0]))
        return false;
    for (size_t i = 0; i < 2; i++) {
        const tsr_value *wide = tsr_rw_in(op, i), *y = tsr_rw_in(op, 1 - i);
        tsr_value *x = before_broadcast(wide);
        if (!x || x->type->n < 2 || !tsr_rw_static(y) ||
            memcmp(x->type->dims + x->type->n - 2, wide->type->dims + wide->type->n - 2,
                   2 * sizeof *x->type->dims) != 0 ||
            !broadcast_to(x->type, x->type->n - 2, y->type, y->type->n - 2, out, out->n - 2))
            continue;
        tsr_rw_set_operand(r, op, i, x);
        return true;
    }
    return false;
}

/* ---- Transposes ---- */

static bool ranked(const tsr_value *v)
{
    return tsr_type_is(v->type, TSR_TYPE_TENSOR);
}

/* transpose(x) -> x, when no dimension moves */
bool rule_tessera_transpose_nothing(tsr_rewriter *r, tsr_op *op)
{
    const tsr_value *x = tsr_rw_in(op, 0);
    for (size_t i = 0; ranked(x) && i < x->type->n; i++)
        if (tsr_tessera_perm(op, x->type->n, i) != (int64_t)i)
            return false;
    return ranked(x) && tsr_rw_becomes(r, op, tsr_rw_in(op, 0));
}

/* transpose(transpose(x)) -> transpose(x), or x when they cancel */
bool rule_tessera_transpose_of_transpose(tsr_rewriter *r, tsr_op *op)
{
    const tsr_op *inner = tsr_rw_def_is(tsr_rw_in(op, 0), TSR_OP_TESSERA_TRANSPOSE);
    if (!inner || !ranked(tsr_rw_in(inner, 0)))
        return false;
    size_t n = tsr_rw_in(inner, 0)->type->n;
    int64_t *perm = tsr_rw_ints(r, n);
    bool moves = false;
    for (size_t i = 0; i < n; i++) {
        perm[i] = tsr_tessera_perm(inner, n, (size_t)tsr_tessera_perm(op, n, i));
        moves |= perm[i] != (int64_t)i;
    }
    if (!moves && tsr_rw_becomes(r, op, tsr_rw_in(inner, 0)))
        return true;
    op->attrs[TESSERA_TRANSPOSE_permutation] = tsr_rw_i64s(r, perm, n);
    tsr_rw_set_operand(r, op, 0, tsr_rw_in(inner, 0));
    return true;
}

/* transpose(x) -> reshape(x), when only dimensions of 1 move */
bool rule_tessera_transpose_is_reshape(tsr_rewriter *r, tsr_op *op)
{
    tsr_value *x = tsr_rw_in(op, 0);
    int64_t before = -1;
    bool moves = false;
    if (!tsr_rw_static(x) || !tsr_rw_static(&op->out[0]))
        return false;
    for (size_t i = 0; i < x->type->n; i++) {
        int64_t from = tsr_tessera_perm(op, x->type->n, i);
        moves |= from != (int64_t)i;
        if (x->type->dims[from] == 1)
            continue;
        if (from < before)
            return false;
        before = from;
    }
    return moves &&
           tsr_rw_becomes(r, op,
                          &tsr_rw_one(r, op, TSR_OP_TESSERA_RESHAPE, &x, 1, result(op))->out[0]);
}

/* matmul(x, transpose(y)) -> matmul(x, y) with rhs_transpose inverted, if only the last two dimensions are swapped */
bool rule_tessera_matmul_of_transpose(tsr_rewriter *r, tsr_op *op)
{
    const tsr_op *inner = tsr_rw_def_is(tsr_rw_in(op, 1), TSR_OP_TESSERA_TRANSPOSE);
    const tsr_type *y = inner ? tsr_rw_in(inner, 0)->type : NULL;
    if (!y || y->kind != TSR_TYPE_TENSOR || y->n < 2)
        return false;
    for (size_t i = 0; i < y->n; i++)
        if (tsr_tessera_perm(inner, y->n, i) != (int64_t)(i + 2 < y->n    ? i
                                                          : i + 2 == y->n ? i + 1
                                                                          : i - 1))
            return false;
    op->attrs[TESSERA_MATMUL_rhs_transpose] =
        tsr_tessera_flag(op, TESSERA_MATMUL_rhs_transpose) ? NULL : tsr_attr_bool(r->ctx, true);
    tsr_rw_set_operand(r, op, 1, tsr_rw_in(inner, 0));
    return true;
}

/* ---- Reductions ---- */

/* Whether a reduction of one element is that element: not for 0 + -0. */
static bool keeps_one(const tsr_rewriter *r, const tsr_op *op)
{
    tsr_tessera_kind kind = tsr_tessera_kind_of(tsr_attr_of(op, TESSERA_REDUCE_kind));
    return kind >= TSR_TESSERA_MAX || tsr_elem_is_int(result(op)->elem) || !r->o->exact;
}

/* reduce(x) -> x or reshape(x), if it reduces no dimension, or only ones of size 1 */
bool rule_tessera_reduce_nothing(tsr_rewriter *r, tsr_op *op)
{
    tsr_value *x = tsr_rw_in(op, 0);
    bool none = true;
    if (!tsr_rw_static(x) || !tsr_rw_static(&op->out[0]))
        return false;
    for (size_t i = 0; i < x->type->n; i++) {
        if (!tsr_tessera_reduces(op, x->type->n, i))
            continue;
        if (x->type->dims[i] != 1)
            return false;
        none = false;
    }
    if (!none && !keeps_one(r, op))
        return false;
    if (x->type == result(op))
        return tsr_rw_becomes(r, op, x);
    return tsr_rw_becomes(r, op,
                          &tsr_rw_one(r, op, TSR_OP_TESSERA_RESHAPE, &x, 1, result(op))->out[0]);
}

/* reduce(reduce(x)) -> reduce(x) over the dimensions of both: for maxima, minima, and sums and products of integers,
 * where order does not matter */
bool rule_tessera_reduce_of_reduce(tsr_rewriter *r, tsr_op *op)
{
    const tsr_op *inner = tsr_rw_def_is(tsr_rw_in(op, 0), TSR_OP_TESSERA_REDUCE);
    tsr_tessera_kind kind = tsr_tessera_kind_of(tsr_attr_of(op, TESSERA_REDUCE_kind));
    if (!inner || !tsr_rw_static(tsr_rw_in(inner, 0)) || !tsr_rw_static(&op->out[0]) ||
        inner->attrs[TESSERA_REDUCE_kind] != op->attrs[TESSERA_REDUCE_kind] ||
        tsr_tessera_flag(inner, TESSERA_REDUCE_keep_dims) !=
            tsr_tessera_flag(op, TESSERA_REDUCE_keep_dims))
        return false;
    if (kind == TSR_TESSERA_MEAN ||
        (kind != TSR_TESSERA_MAX && kind != TSR_TESSERA_MIN && !tsr_elem_is_int(result(op)->elem)))
        return false;
    const tsr_type *x = tsr_rw_in(inner, 0)->type;
    bool keep = tsr_tessera_flag(op, TESSERA_REDUCE_keep_dims);
    size_t n = 0, middle = 0, rank = inner->out[0].type->n;
    int64_t *axes = tsr_rw_ints(r, x->n);
    for (size_t i = 0; i < x->n; i++) {
        bool gone = tsr_tessera_reduces(inner, x->n, i);
        bool later = (!gone || keep) && tsr_tessera_reduces(op, rank, middle);
        middle += !gone || keep;
        if (gone || later)
            axes[n++] = (int64_t)i;
    }
    op->attrs[TESSERA_REDUCE_axes] = tsr_rw_i64s(r, axes, n);
    tsr_rw_set_operand(r, op, 0, tsr_rw_in(inner, 0));
    return true;
}

/* ---- Distribution ---- */

/* shard(shard(x)) -> shard(x), replicate(replicate(x)) -> replicate(x), of equal layouts */
bool rule_tessera_laid_out_again(tsr_rewriter *r, tsr_op *op)
{
    const tsr_op *inner = tsr_rw_def_is(tsr_rw_in(op, 0), op->def->opcode);
    return inner && inner->attrs[0] == op->attrs[0] && tsr_rw_becomes(r, op, tsr_rw_in(op, 0));
}

/* ---- Folding ---- */

static bool divides_by_zero(const tsr_op *op)
{
    const tsr_attr *by = tsr_const_of(tsr_rw_in(op, 1));
    if (!by || !tsr_elem_is_int(result(op)->elem))
        return false;
    int64_t n = by->sub ? 1 : tsr_attr_count(by);
    for (int64_t i = 0; i < n; i++)
        if (tsr_attr_int_at(by, (size_t)i) == 0)
            return true;
    return false;
}

/* Ops that are not pointwise read every element of their operands. */
static bool too_much(const tsr_rewriter *r, const tsr_op *op)
{
    for (uint32_t i = 0; i < op->nin; i++)
        if (!tsr_op_has(op, TSR_TRAIT(ELEMENTWISE) | TSR_TRAIT(BROADCASTING)) &&
            tsr_type_num_elements(tsr_rw_in(op, i)->type) > r->o->element_limit)
            return true;
    return false;
}

/* f(c, ...) -> constant, with the op's kernel; integer divisions by zero are not folded */
bool rule_tessera_fold(tsr_rewriter *r, tsr_op *op)
{
    if (!tsr_rw_static(&op->out[0]) || result(op)->attr || too_much(r, op) ||
        (tsr_op_has(op, TSR_TRAIT(DIVIDES)) && divides_by_zero(op)))
        return false;
    return becomes_constant(r, op, tsr_fold_by_kernel(r, op));
}

/* reshape, transpose, broadcast of a splat -> splat, however large */
bool rule_tessera_fold_splat(tsr_rewriter *r, tsr_op *op)
{
    tsr_attr *splat = tsr_const_splat(tsr_rw_in(op, 0));
    return splat && tsr_rw_static(&op->out[0]) && !result(op)->attr &&
           splat->type->elem == result(op)->elem &&
           becomes_constant(r, op, tsr_const_resized(r, splat, result(op)));
}
