/* SPDX-License-Identifier: Apache-2.0 */
/* bits.c - CHLO's ops on the bits of numbers, on infinities and constants. */
#include "lower/lower.h"

/* ---- Neighbours ---- */

/* Floats of one sign are ordered like their bits, so the neighbour is one more or one less. */
tsr_value *tsr_lower_next_after(tsr_build *b, tsr_value *x, tsr_value *y)
{
    uint32_t width = tsr_elem(x)->width;
    if (tsr_elem(x)->kind != TSR_TYPE_FLOAT || (width & (width - 1)) != 0 || width < 4)
        return NULL;
    tsr_type *bits = tsr_type_integer(b->ctx, width, TSR_SIGNLESS);
    b->anchor = x;
    tsr_value *xb = tsr_build_bitcast(b, x, bits), *yb = tsr_build_bitcast(b, y, bits);
    tsr_value *zero = f_const(b, x, 0), *one = tsr_build_like_int(b, xb, bits, 1);
    /* Away from zero: x and the direction to y have the same sign. */
    tsr_value *grows = f_eq(b, f_lt(b, x, y), f_gt(b, x, zero));
    tsr_value *next = f_select(b, grows, f_add(b, xb, one), f_sub(b, xb, one));
    /* From either zero to the smallest number on y's side. */
    tsr_value *sign = tsr_build_like_int(b, xb, bits, (int64_t)((uint64_t)1 << (width - 1)));
    next = f_select(b, f_eq(b, x, zero), f_or(b, f_and(b, yb, sign), one), next);
    next = f_select(b, f_eq(b, x, y), yb, next);
    tsr_value *nan = f_or(b, f_ne(b, x, x), f_ne(b, y, y));
    return f_select(b, nan, f_add(b, x, y), tsr_build_bitcast(b, next, tsr_elem(x)));
}

bool tsr_chlo_next_after(tsr_build *b, tsr_op *op, tsr_value **out)
{
    return (out[0] = tsr_lower_next_after(b, op->in[0].value, op->in[1].value)) != NULL;
}

/* ---- The upper half of a product ---- */

/* 64 bits: four products of halves; a signed product differs from the unsigned one by the operands themselves. */
static tsr_value *mulhi64(tsr_build *b, tsr_value *x, tsr_value *y)
{
    tsr_type *elem = tsr_elem(x);
    tsr_value *half = tsr_build_like_int(b, x, elem, 32),
              *mask = tsr_build_like_int(b, x, elem, 0xFFFFFFFF);
    tsr_value *xh = f_shr(b, x, half), *xl = f_and(b, x, mask), *yh = f_shr(b, y, half),
              *yl = f_and(b, y, mask);
    tsr_value *hl = f_mul(b, xh, yl), *lh = f_mul(b, xl, yh);
    tsr_value *carry = f_add(b, f_shr(b, f_mul(b, xl, yl), half),
                             f_add(b, f_and(b, hl, mask), f_and(b, lh, mask)));
    tsr_value *high = f_add(b, f_mul(b, xh, yh), f_add(b, f_shr(b, hl, half), f_shr(b, lh, half)));
    high = f_add(b, high, f_shr(b, carry, half));
    if (elem->sub == TSR_UNSIGNED)
        return high;
    tsr_value *zero = tsr_build_like_int(b, x, elem, 0);
    tsr_value *less =
        f_add(b, f_select(b, f_lt(b, x, zero), y, zero), f_select(b, f_lt(b, y, zero), x, zero));
    return f_sub(b, high, less);
}

bool tsr_chlo_mulhi(tsr_build *b, tsr_op *op, tsr_value **out)
{
    tsr_value *x = op->in[0].value, *y = op->in[1].value;
    tsr_type *elem = tsr_elem(x);
    if (elem->kind != TSR_TYPE_INTEGER || elem->width > 64)
        return false;
    b->anchor = x;
    if (elem->width == 64) {
        out[0] = mulhi64(b, x, y);
        return true;
    }
    tsr_type *wide = tsr_type_integer(b->ctx, 64, (tsr_signedness)elem->sub);
    tsr_value *product = f_mul(b, tsr_build_convert(b, x, wide), tsr_build_convert(b, y, wide));
    tsr_value *by = tsr_build_like_int(b, product, wide, elem->width);
    product = elem->sub == TSR_UNSIGNED ? f_shr(b, product, by) : f_sar(b, product, by);
    out[0] = tsr_build_convert(b, product, elem);
    return true;
}

/* ---- Infinities ---- */

/* Floats of less than 16 bits may have no infinity to compare with. */
static tsr_value *wide_enough(tsr_build *b, tsr_value *x)
{
    return tsr_elem(x)->width < 16 ? tsr_build_convert(b, x, tsr_type_float(b->ctx, TSR_F32)) : x;
}

static bool equals(tsr_build *b, tsr_value *x, double infinity, tsr_value **out)
{
    out[0] = f_eqc(b, x, infinity);
    return true;
}

bool tsr_chlo_is_inf(tsr_build *b, tsr_op *op, tsr_value **out)
{
    return equals(b, f_abs(b, wide_enough(b, op->in[0].value)), INFINITY, out);
}

bool tsr_chlo_is_pos_inf(tsr_build *b, tsr_op *op, tsr_value **out)
{
    return equals(b, wide_enough(b, op->in[0].value), INFINITY, out);
}

bool tsr_chlo_is_neg_inf(tsr_build *b, tsr_op *op, tsr_value **out)
{
    return equals(b, wide_enough(b, op->in[0].value), -INFINITY, out);
}

/* ---- Functions that need no extra precision ---- */

bool tsr_chlo_square(tsr_build *b, tsr_op *op, tsr_value **out)
{
    tsr_value *x = op->in[0].value;
    bool complex = tsr_elem(x)->kind == TSR_TYPE_COMPLEX;
    return (out[0] = complex ? tsr_apply(b, x, NULL, tsr_complex_square) : f_square(b, x)) != NULL;
}

bool tsr_chlo_conj(tsr_build *b, tsr_op *op, tsr_value **out)
{
    tsr_value *x = op->in[0].value;
    out[0] = tsr_elem(x)->kind == TSR_TYPE_COMPLEX ? tsr_apply(b, x, NULL, tsr_complex_conj) : x;
    return out[0] != NULL;
}

/* ---- Constants ---- */

bool tsr_chlo_constant(tsr_build *b, tsr_op *op, tsr_value **out)
{
    tsr_op *made = tsr_build_open(b, TSR_OP_STABLEHLO_CONSTANT, NULL, 0, 1, 0);
    made->attrs[STABLEHLO_CONSTANT_value] = tsr_attr_of(op, CHLO_CONSTANT_value);
    out[0] = &tsr_build_close_as(b, made, &op->out[0].type)->out[0];
    return true;
}

bool tsr_chlo_constant_like(tsr_build *b, tsr_op *op, tsr_value **out)
{
    tsr_type *elem = op->out[0].type->elem;
    return (out[0] = tsr_build_like_attr(b, op->in[0].value, elem,
                                         tsr_attr_of(op, CHLO_CONSTANT_LIKE_value))) != NULL;
}
