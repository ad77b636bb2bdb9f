/* SPDX-License-Identifier: Apache-2.0 */
/* rules_arith.c - rules of arithmetic, comparison and selection. x: any value; c: a constant.
 *
 * Floats: with exact, NaN, infinities and -0 are preserved. x + 0 is then x only for the zero that preserves -0, or
 * where x is never -0. */
#include "dialect/stablehlo/cases.h"
#include "pass/simplify/simplify.h"

/* ---- Constants go to the right ---- */

/* f(c, x) -> f(x, c) */
bool rule_constant_right(tsr_rewriter *r, tsr_op *op)
{
    if (!tsr_const_hlo(tsr_rw_in(op, 0)) ||
        tsr_rw_def_is(tsr_rw_in(op, 1), TSR_OP_STABLEHLO_CONSTANT))
        return false;
    tsr_value *in[] = {tsr_rw_in(op, 1), tsr_rw_in(op, 0)};
    tsr_rw_set_operands(r, op, in, 2);
    return true;
}

/* ---- Neutral and absorbing elements ---- */

/* Whether no element of v can be -0: examines only a few ops. */
static bool never_minus_zero(const tsr_value *v, int depth)
{
    const tsr_attr *c = tsr_const_of(v);
    if (c)
        return c->sub && !tsr_const_is(c, TSR_IS_MINUS_ZERO);
    const tsr_op *op = tsr_rw_def(v);
    if (!op || depth > 4)
        return false;
    switch (op->def->opcode) {
    case TSR_OP_STABLEHLO_ABS:
    case TSR_OP_STABLEHLO_EXPONENTIAL:
    case TSR_OP_STABLEHLO_LOGISTIC:
    case TSR_OP_STABLEHLO_IOTA:
    case TSR_OP_TESSERA_ABS:
    case TSR_OP_TESSERA_EXP:
    case TSR_OP_TESSERA_SIGMOID:
    case TSR_OP_TESSERA_SOFTMAX: return true;
    case TSR_OP_TESSERA_CAST:
    case TSR_OP_STABLEHLO_CONVERT: return tsr_elem_is_int(op->in[0].value->type->elem);
    case TSR_OP_STABLEHLO_MULTIPLY: return op->in[0].value == op->in[1].value;
    case TSR_OP_STABLEHLO_ADD:
        return never_minus_zero(op->in[1].value, depth + 1) ||
               never_minus_zero(op->in[0].value, depth + 1);
    case TSR_OP_STABLEHLO_BROADCAST_IN_DIM:
    case TSR_OP_STABLEHLO_RESHAPE:
    case TSR_OP_STABLEHLO_TRANSPOSE:
    case TSR_OP_TESSERA_BROADCAST:
    case TSR_OP_TESSERA_RESHAPE:
    case TSR_OP_TESSERA_TRANSPOSE: return never_minus_zero(op->in[0].value, depth + 1);
    default: return false;
    }
}

bool tsr_never_minus_zero(const tsr_value *v)
{
    return never_minus_zero(v, 0);
}

/* x + 0 -> x */
bool rule_add_zero(tsr_rewriter *r, tsr_op *op)
{
    const tsr_attr *c = tsr_const_of(tsr_rw_in(op, 1));
    if (!tsr_const_is(c, TSR_IS_ZERO))
        return false;
    if (r->o->exact && !tsr_elem_is_int(c->type->elem) && !tsr_const_is(c, TSR_IS_MINUS_ZERO) &&
        !never_minus_zero(tsr_rw_in(op, 0), 0))
        return false;
    return tsr_rw_becomes(r, op, tsr_rw_in(op, 0));
}

static bool keeps_left(tsr_rewriter *r, tsr_op *op, tsr_number n)
{
    return tsr_const_is(tsr_const_of(tsr_rw_in(op, 1)), n) &&
           tsr_rw_becomes(r, op, tsr_rw_in(op, 0));
}

static bool int_constant_is(const tsr_value *v, tsr_number n)
{
    const tsr_attr *c = tsr_const_of(v);
    return c && tsr_elem_is_int(c->type->elem) && tsr_const_is(c, n);
}

static bool becomes_right(tsr_rewriter *r, tsr_op *op, tsr_number n)
{
    return int_constant_is(tsr_rw_in(op, 1), n) && tsr_rw_becomes(r, op, tsr_rw_in(op, 1));
}

/* x & 0 -> 0 */
bool rule_and_zero(tsr_rewriter *r, tsr_op *op)
{
    return becomes_right(r, op, TSR_IS_ZERO);
}
/* x & ~0 -> x */
bool rule_and_ones(tsr_rewriter *r, tsr_op *op)
{
    return keeps_left(r, op, TSR_IS_ALL_ONES);
}
/* x | 0 -> x */
bool rule_or_zero(tsr_rewriter *r, tsr_op *op)
{
    return keeps_left(r, op, TSR_IS_ZERO);
}
/* x | ~0 -> ~0 */
bool rule_or_ones(tsr_rewriter *r, tsr_op *op)
{
    return becomes_right(r, op, TSR_IS_ALL_ONES);
}
/* x ^ 0 -> x */
bool rule_xor_zero(tsr_rewriter *r, tsr_op *op)
{
    return keeps_left(r, op, TSR_IS_ZERO);
}

/* x * 0 -> 0, of integers: a float may be NaN or infinite */
bool rule_multiply_zero(tsr_rewriter *r, tsr_op *op)
{
    return becomes_right(r, op, TSR_IS_ZERO);
}
/* x * 1 -> x */
bool rule_multiply_one(tsr_rewriter *r, tsr_op *op)
{
    return keeps_left(r, op, TSR_IS_ONE);
}

/* x - 0 -> x; x - (-0) is +0 where x is -0 */
bool rule_subtract_zero(tsr_rewriter *r, tsr_op *op)
{
    return keeps_left(r, op, r->o->exact ? TSR_IS_PLUS_ZERO : TSR_IS_ZERO);
}

static bool becomes_zero(tsr_rewriter *r, tsr_op *op)
{
    tsr_attr *zero =
        tsr_rw_in(op, 0) == tsr_rw_in(op, 1) ? tsr_const_number(r, op->out[0].type, 0) : NULL;
    if (!zero)
        return false;
    tsr_rw_replace_one(r, op, tsr_rw_constant(r, op, zero));
    return true;
}

/* x - x -> 0, of integers */
bool rule_subtract_self(tsr_rewriter *r, tsr_op *op)
{
    return tsr_elem_is_int(op->out[0].type->elem) && becomes_zero(r, op);
}
/* x ^ x -> 0 */
bool rule_xor_self(tsr_rewriter *r, tsr_op *op)
{
    return becomes_zero(r, op);
}

/* convert(x) -> x, when its type stays */
bool rule_convert_same(tsr_rewriter *r, tsr_op *op)
{
    return tsr_rw_becomes(r, op, tsr_rw_in(op, 0));
}

/* ---- Complex numbers ---- */

/* complex(real(x), imag(x)) -> x */
bool rule_complex_of_parts(tsr_rewriter *r, tsr_op *op)
{
    const tsr_op *re = tsr_rw_def_is(tsr_rw_in(op, 0), TSR_OP_STABLEHLO_REAL);
    const tsr_op *im = tsr_rw_def_is(tsr_rw_in(op, 1), TSR_OP_STABLEHLO_IMAG);
    if (!re || !im || tsr_rw_in(re, 0) != tsr_rw_in(im, 0) ||
        tsr_rw_in(re, 0)->type != op->out[0].type)
        return false;
    tsr_rw_replace_one(r, op, tsr_rw_in(re, 0));
    return true;
}

/* real(complex(x, y)) -> x, imag(complex(x, y)) -> y */
bool rule_part_of_complex(tsr_rewriter *r, tsr_op *op)
{
    const tsr_op *c = tsr_rw_def_is(tsr_rw_in(op, 0), TSR_OP_STABLEHLO_COMPLEX);
    tsr_value *part = c ? tsr_rw_in(c, op->def->opcode == TSR_OP_STABLEHLO_IMAG) : NULL;
    if (!part || part->type != op->out[0].type)
        return false;
    tsr_rw_replace_one(r, op, part);
    return true;
}

/* ---- Comparison ---- */

static int64_t direction_of(const tsr_op *op)
{
    return op->attrs[STABLEHLO_COMPARE_comparison_direction]->i;
}

static bool compares_as_integers(const tsr_op *op)
{
    const tsr_attr *a = op->attrs[STABLEHLO_COMPARE_compare_type];
    return a && (a->i == TSR_COMPARE_TYPE_SIGNED || a->i == TSR_COMPARE_TYPE_UNSIGNED);
}

/* x != false -> x, x == true -> x, of booleans */
bool rule_compare_bool(tsr_rewriter *r, tsr_op *op)
{
    const tsr_attr *c = tsr_const_hlo(tsr_rw_in(op, 1));
    if (!c || !tsr_type_is_integer(c->type->elem, 1))
        return false;
    int64_t d = direction_of(op);
    if (!(d == TSR_COMPARE_NE && tsr_const_is(c, TSR_IS_ZERO)) &&
        !(d == TSR_COMPARE_EQ && tsr_const_is(c, TSR_IS_ONE)))
        return false;
    if (tsr_rw_in(op, 0)->type != op->out[0].type)
        return false;
    tsr_rw_replace_one(r, op, tsr_rw_in(op, 0));
    return true;
}

/* x == x, x >= x, x <= x -> true; x != x, x > x, x < x -> false; of integers */
bool rule_compare_self(tsr_rewriter *r, tsr_op *op)
{
    if (tsr_rw_in(op, 0) != tsr_rw_in(op, 1) || !compares_as_integers(op))
        return false;
    int64_t d = direction_of(op);
    tsr_attr *known = tsr_const_number(
        r, op->out[0].type, d == TSR_COMPARE_EQ || d == TSR_COMPARE_GE || d == TSR_COMPARE_LE);
    if (!known)
        return false;
    tsr_rw_replace_one(r, op, tsr_rw_constant(r, op, known));
    return true;
}

/* c < x -> x > c, and so on; of integers */
bool rule_compare_constant_right(tsr_rewriter *r, tsr_op *op)
{
    if (!compares_as_integers(op) || !tsr_const_of(tsr_rw_in(op, 0)) ||
        tsr_const_of(tsr_rw_in(op, 1)))
        return false;
    const tsr_attr *d = op->attrs[STABLEHLO_COMPARE_comparison_direction];
    op->attrs[STABLEHLO_COMPARE_comparison_direction] =
        tsr_attr_enum(r->ctx, d->def, tsr_compare_mirrored((tsr_compare)d->i));
    tsr_value *in[] = {tsr_rw_in(op, 1), tsr_rw_in(op, 0)};
    tsr_rw_set_operands(r, op, in, 2);
    return true;
}

/* ---- Selection ---- */

/* select(p, x, x) -> x; select(true, x, y) -> x; select(false, x, y) -> y; select(c, d, e) ->
 * constant */
bool rule_select_known(tsr_rewriter *r, tsr_op *op)
{
    tsr_value *yes = tsr_rw_in(op, 1), *no = tsr_rw_in(op, 2), *taken = NULL;
    const tsr_attr *pred = tsr_const_of(tsr_rw_in(op, 0));
    if (yes == no)
        taken = yes;
    else if (pred && pred->sub)
        taken = tsr_const_is(pred, TSR_IS_ZERO) ? no : yes;
    if (taken) {
        if (taken->type != op->out[0].type)
            return false;
        tsr_rw_replace_one(r, op, taken);
        return true;
    }
    if (!pred || tsr_type_num_elements(pred->type) > r->o->element_limit)
        return false;
    tsr_attr *value = tsr_fold_by_kernel(r, op);
    if (!value)
        return false;
    tsr_rw_replace_one(r, op, tsr_rw_constant(r, op, value));
    return true;
}

/* select(!p, x, y) -> select(p, y, x) */
bool rule_select_of_not(tsr_rewriter *r, tsr_op *op)
{
    const tsr_op *not = tsr_rw_def_is(tsr_rw_in(op, 0), TSR_OP_STABLEHLO_NOT);
    if (!not )
        return false;
    tsr_value *in[] = {tsr_rw_in(not, 0), tsr_rw_in(op, 2), tsr_rw_in(op, 1)};
    tsr_rw_set_operands(r, op, in, 3);
    return true;
}

/* select(broadcast(!p), x, y) -> select(broadcast(p), y, x), if the broadcast has no other users */
bool rule_select_of_broadcast_not(tsr_rewriter *r, tsr_op *op)
{
    tsr_op *b = tsr_rw_def_is(tsr_rw_in(op, 0), TSR_OP_STABLEHLO_BROADCAST_IN_DIM);
    const tsr_op *not = b ? tsr_rw_def_is(tsr_rw_in(b, 0), TSR_OP_STABLEHLO_NOT) : NULL;
    if (!not || !tsr_rw_one_use(&b->out[0]))
        return false;
    tsr_rw_set_operand(r, b, 0, tsr_rw_in(not, 0));
    tsr_value *in[] = {&b->out[0], tsr_rw_in(op, 2), tsr_rw_in(op, 1)};
    tsr_rw_set_operands(r, op, in, 3);
    return true;
}
