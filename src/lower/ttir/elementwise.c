/* SPDX-License-Identifier: Apache-2.0 */
/* elementwise.c - lowers elementwise ops of StableHLO that do not correspond to one op of TTIR by name: the op depends
 * on the operands, or several are needed. */
#include <math.h>

#include "dialect/stablehlo/cases.h"
#include "lower/ttir/ttir.h"

/* ---- Logic: on booleans, or on bits ---- */

/* The booleans from which v was converted to numbers; NULL: it was not. */
static tsr_value *truth_of(const tsr_value *v)
{
    if (v->is_arg ||
        !(tsr_op_is(v->op, TSR_OP_TTIR_TYPECAST) || tsr_op_is(v->op, TSR_OP_STABLEHLO_CONVERT)))
        return NULL;
    tsr_value *x = v->op->in[0].value;
    return tsr_type_is_integer(x->type->elem, 1) && !tsr_type_is_integer(v->type->elem, 1) ? x
                                                                                           : NULL;
}

static bool logic(tsr_build *b, tsr_op *op, tsr_value **out, enum tsr_opcode logical,
                  enum tsr_opcode bitwise)
{
    tsr_type *type = op->out[0].type;
    tsr_value *x = op->in[0].value, *y = op->in[op->nin - 1].value;
    tsr_value *p = truth_of(x), *q = truth_of(y);
    if (op->nin == 2 && p && q) { /* bits of numbers that are 0 or 1 */
        tsr_value *both = tsr_ttir_binary(b, logical, p, q, tsr_hlo_with_element(type, b->ctx->i1));
        out[0] = tsr_ttir_typecast(b, both, type->elem);
        return true;
    }
    bool truth = tsr_type_is_integer(x->type->elem, 1);
    tsr_value *in[] = {x, y};
    out[0] = tsr_ttir_op(b, truth ? logical : bitwise, in, op->nin, type);
    return true;
}

bool ttir_and(tsr_build *b, tsr_op *op, tsr_value **out)
{
    return logic(b, op, out, TSR_OP_TTIR_LOGICAL_AND, TSR_OP_TTIR_BITWISE_AND);
}

bool ttir_or(tsr_build *b, tsr_op *op, tsr_value **out)
{
    return logic(b, op, out, TSR_OP_TTIR_LOGICAL_OR, TSR_OP_TTIR_BITWISE_OR);
}

bool ttir_xor(tsr_build *b, tsr_op *op, tsr_value **out)
{
    return logic(b, op, out, TSR_OP_TTIR_LOGICAL_XOR, TSR_OP_TTIR_BITWISE_XOR);
}

bool ttir_not(tsr_build *b, tsr_op *op, tsr_value **out)
{
    return logic(b, op, out, TSR_OP_TTIR_LOGICAL_NOT, TSR_OP_TTIR_BITWISE_NOT);
}

/* ---- Comparison ---- */

static const enum tsr_opcode comparisons[] = {
#define X(word) TSR_OP_TTIR_##word,
    TSR_COMPARE_CASES(X)
#undef X
};

/* The number of a narrower float type with which x compares as with c: c, or for an ordering the next number on the
 * side where no x is in between. False: there is none. */
static bool narrow_bound(tsr_float_kind kind, uint32_t width, double c, int direction,
                         uint64_t *bits)
{
    uint64_t r = tsr_float_from_double(kind, c), sign = (uint64_t)1 << (width - 1);
    double back = tsr_float_to_double(kind, r);
    if (isnan(c))
        return false;
    if (back != c) {
        if (direction == TSR_COMPARE_EQ || direction == TSR_COMPARE_NE)
            return false;
        bool up = direction == TSR_COMPARE_LT ||
                  direction == TSR_COMPARE_GE; /* x < c as x < the next number above c */
        if (up && back < c)
            r = r == sign ? 1 : r & sign ? r - 1 : r + 1;
        else if (!up && back > c)
            r = r == 0 ? sign + 1 : r & sign ? r + 1 : r - 1;
    }
    *bits = r;
    return true;
}

/* convert(x) compared with a constant is x compared with a constant of its own type. */
static bool narrowed(tsr_build *b, tsr_value **x, tsr_value **c, int direction)
{
    const tsr_value *wide = *x;
    const tsr_attr *dense = tsr_ttir_constant_of(*c, false);
    if (!dense || wide->is_arg || !tsr_op_is(wide->op, TSR_OP_TTIR_TYPECAST))
        return false;
    tsr_value *from = wide->op->in[0].value;
    const tsr_type *small = from->type->elem, *large = wide->type->elem;
    bool floats = small->kind == TSR_TYPE_FLOAT && large->kind == TSR_TYPE_FLOAT &&
                  small->width < large->width;
    if (!floats || (small->sub != TSR_F32 && small->sub != TSR_F16 && small->sub != TSR_BF16))
        return false;
    int64_t n = dense->sub ? 1 : tsr_type_num_elements(dense->type);
    TSR_VEC(uint8_t) bytes = {0};
    bool ok = n >= 0;
    for (int64_t i = 0; ok && i < n; i++) {
        uint64_t bits = 0;
        ok = narrow_bound((tsr_float_kind)small->sub, small->width,
                          tsr_ttir_number(dense, (size_t)i), direction, &bits);
        for (uint32_t k = 0; k < small->width / 8; k++)
            tsr_vec_push(&bytes, (uint8_t)(bits >> 8 * k));
    }
    if (ok) {
        *x = from;
        *c = tsr_ttir_constant(
            b, tsr_attr_dense(b->ctx, b->module, from->type, bytes.data, bytes.n, dense->sub));
    }
    tsr_vec_free(&bytes);
    return ok;
}

/* (boolean as a number) != 0 is the boolean. */
static tsr_value *unconverted(tsr_value *x, tsr_value *y, int direction)
{
    return direction == TSR_COMPARE_NE && tsr_ttir_starts(y, TSR_TTIR_ZERO) ? truth_of(x) : NULL;
}

bool ttir_compare(tsr_build *b, tsr_op *op, tsr_value **out)
{
    const tsr_attr *how = tsr_attr_of(op, STABLEHLO_COMPARE_compare_type);
    int direction = (int)tsr_attr_of(op, STABLEHLO_COMPARE_comparison_direction)->i;
    tsr_value *x = op->in[0].value, *y = op->in[1].value;
    if (how && how->i == TSR_COMPARE_TYPE_TOTALORDER && x->type->elem->kind == TSR_TYPE_FLOAT)
        return false; /* there -0 is below 0, and NaN is ordered */
    if ((out[0] = unconverted(x, y, direction)) || (out[0] = unconverted(y, x, direction)))
        return true;
    if (!narrowed(b, &x, &y, direction))
        narrowed(b, &y, &x, (int)tsr_compare_mirrored((tsr_compare)direction));
    out[0] = tsr_ttir_binary(b, comparisons[direction], x, y, op->out[0].type);
    return true;
}

/* ---- Rounding ---- */

/* The sign of x times the integer part of |x|, plus 1 if the rest, which is exact, is 1/2 or larger. The peer's form is
 * shorter and rounds |x| + 1/2, which is off by one just below 1/2 and for large odd numbers. */
bool ttir_round(tsr_build *b, tsr_op *op, tsr_value **out)
{
    tsr_value *x = op->in[0].value, *whole;
    if (x->type->elem->kind != TSR_TYPE_FLOAT || !tsr_ttir_static(op))
        return false;
    tsr_value *half = tsr_ttir_splat(b, x->type, 0.5);
    tsr_value *size = tsr_ttir_unary(b, TSR_OP_TTIR_ABS, x, NULL);
    if (b->ctx->as_peer) {
        whole = tsr_ttir_unary(b, TSR_OP_TTIR_FLOOR,
                               tsr_ttir_binary(b, TSR_OP_TTIR_ADD, size, half, NULL), NULL);
    } else {
        tsr_type *truth = tsr_hlo_with_element(x->type, b->ctx->i1);
        tsr_value *low = tsr_ttir_unary(b, TSR_OP_TTIR_FLOOR, size, NULL),
                  *one = tsr_ttir_splat(b, x->type, 1);
        tsr_value *rest = tsr_ttir_binary(b, TSR_OP_TTIR_SUBTRACT, size, low, NULL);
        tsr_value *more = tsr_ttir_binary(b, TSR_OP_TTIR_GE, rest, half, truth);
        whole = tsr_ttir_where(b, more, tsr_ttir_binary(b, TSR_OP_TTIR_ADD, low, one, NULL), low);
    }
    out[0] = tsr_ttir_binary(b, TSR_OP_TTIR_MULTIPLY, tsr_ttir_unary(b, TSR_OP_TTIR_SIGN, x, NULL),
                             whole, NULL);
    return true;
}

/* The nearest integer below or above, whichever is closer; of two equally close, the even one. Differences of
 * neighbours are exact. */
bool ttir_round_even(tsr_build *b, tsr_op *op, tsr_value **out)
{
    tsr_value *x = op->in[0].value;
    if (x->type->elem->kind != TSR_TYPE_FLOAT || !tsr_ttir_static(op))
        return false;
    tsr_type *truth = tsr_hlo_with_element(x->type, b->ctx->i1);
    tsr_value *low = tsr_ttir_unary(b, TSR_OP_TTIR_FLOOR, x, NULL),
              *high = tsr_ttir_unary(b, TSR_OP_TTIR_CEIL, x, NULL);
    tsr_value *above = tsr_ttir_binary(b, TSR_OP_TTIR_SUBTRACT, x, low, NULL);
    tsr_value *below = tsr_ttir_binary(b, TSR_OP_TTIR_SUBTRACT, high, x, NULL);
    tsr_value *half =
        tsr_ttir_binary(b, TSR_OP_TTIR_MULTIPLY, low, tsr_ttir_splat(b, x->type, 0.5), NULL);
    tsr_value *even = tsr_ttir_binary(b, TSR_OP_TTIR_EQ, half,
                                      tsr_ttir_unary(b, TSR_OP_TTIR_FLOOR, half, NULL), truth);
    tsr_value *tie = tsr_ttir_where(b, even, low, high);
    tsr_value *up = tsr_ttir_binary(b, TSR_OP_TTIR_GT, above, below, truth);
    tsr_value *down = tsr_ttir_binary(b, TSR_OP_TTIR_LT, above, below, truth);
    tsr_value *near = tsr_ttir_where(b, up, high, tsr_ttir_where(b, down, low, tie));
    /* Integers, infinities and NaN are preserved, and so is the sign of a result of 0. */
    tsr_value *whole = tsr_ttir_binary(b, TSR_OP_TTIR_EQ, low, high, truth);
    tsr_value *nan = tsr_ttir_binary(b, TSR_OP_TTIR_NE, x, x, truth);
    out[0] =
        tsr_ttir_where(b, tsr_ttir_binary(b, TSR_OP_TTIR_LOGICAL_OR, whole, nan, truth), x, near);
    return true;
}

/* ---- Quantization ---- */

bool ttir_uniform_quantize(tsr_build *b, tsr_op *op, tsr_value **out)
{
    tsr_value *x = op->in[0].value;
    if (!tsr_hlo_is_quantized(op->out[0].type) || !tsr_hlo_is_ranked(x->type) ||
        !tsr_hlo_is_ranked(op->out[0].type))
        return false;
    bool again = tsr_hlo_is_quantized(x->type);
    if (!again && x->type->elem->kind != TSR_TYPE_FLOAT)
        return false;
    out[0] = tsr_ttir_unary(b, again ? TSR_OP_TTIR_REQUANTIZE : TSR_OP_TTIR_QUANTIZE, x,
                            op->out[0].type);
    return true;
}

bool ttir_uniform_dequantize(tsr_build *b, tsr_op *op, tsr_value **out)
{
    if (!tsr_hlo_is_ranked(op->in[0].value->type) || !tsr_hlo_is_ranked(op->out[0].type))
        return false;
    out[0] = tsr_ttir_unary(b, TSR_OP_TTIR_DEQUANTIZE, op->in[0].value, op->out[0].type);
    return true;
}

/* ---- Others ---- */

bool ttir_clamp(tsr_build *b, tsr_op *op, tsr_value **out)
{
    tsr_value *in[] = {op->in[1].value, op->in[0].value, op->in[2].value};
    out[0] = tsr_ttir_op(b, TSR_OP_TTIR_CLAMP_TENSOR, in, 3, op->out[0].type);
    return true;
}
