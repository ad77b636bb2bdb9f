/* SPDX-License-Identifier: Apache-2.0 */
/* ops.h - StableHLO ops as functions of values, so that formulas are readable. c at the end of a name: the second
 * operand is a number. */
#ifndef TSR_DIALECT_STABLEHLO_OPS_H
#define TSR_DIALECT_STABLEHLO_OPS_H

#include "dialect/stablehlo/build.h"

#include <float.h>
#include <math.h>

#define UNARY_OP(name, opcode)                                          \
    static inline tsr_value *f_##name(tsr_build *b, tsr_value *x)       \
    {                                                                   \
        return tsr_build_op(b, TSR_OP_STABLEHLO_##opcode, &x, 1, NULL); \
    }
#define BINARY_OP(name, opcode)                                                 \
    static inline tsr_value *f_##name(tsr_build *b, tsr_value *x, tsr_value *y) \
    {                                                                           \
        tsr_value *in[] = {x, y};                                               \
        return tsr_build_op(b, TSR_OP_STABLEHLO_##opcode, in, 2, NULL);         \
    }                                                                           \
    static inline tsr_value *f_##name##c(tsr_build *b, tsr_value *x, double c)  \
    {                                                                           \
        return f_##name(b, x, tsr_build_like(b, x, tsr_elem(x), c));            \
    }
#define COMPARE_OP(name, direction)                                             \
    static inline tsr_value *f_##name(tsr_build *b, tsr_value *x, tsr_value *y) \
    {                                                                           \
        return tsr_build_compare(b, direction, NULL, x, y);                     \
    }                                                                           \
    static inline tsr_value *f_##name##c(tsr_build *b, tsr_value *x, double c)  \
    {                                                                           \
        return f_##name(b, x, tsr_build_like(b, x, tsr_elem(x), c));            \
    }

UNARY_OP(abs, ABS)
UNARY_OP(neg, NEGATE)
UNARY_OP(not, NOT)
UNARY_OP(sqrt, SQRT)
UNARY_OP(exp, EXPONENTIAL)
UNARY_OP(expm1, EXPONENTIAL_MINUS_ONE)
UNARY_OP(log, LOG)
UNARY_OP(log1p, LOG_PLUS_ONE)
UNARY_OP(sin, SINE)
UNARY_OP(cos, COSINE)
UNARY_OP(tan, TAN)
UNARY_OP(floor, FLOOR)
UNARY_OP(real, REAL)
UNARY_OP(imag, IMAG)
BINARY_OP(add, ADD)
BINARY_OP(sub, SUBTRACT)
BINARY_OP(mul, MULTIPLY)
BINARY_OP(div, DIVIDE)
BINARY_OP(max, MAXIMUM)
BINARY_OP(min, MINIMUM)
BINARY_OP(pow, POWER)
BINARY_OP(atan2, ATAN2)
BINARY_OP(and, AND)
BINARY_OP(or, OR)
BINARY_OP(xor, XOR)
BINARY_OP(shr, SHIFT_RIGHT_LOGICAL)
BINARY_OP(sar, SHIFT_RIGHT_ARITHMETIC)
BINARY_OP(shl, SHIFT_LEFT)
COMPARE_OP(eq, "EQ")
COMPARE_OP(ne, "NE")
COMPARE_OP(lt, "LT")
COMPARE_OP(le, "LE")
COMPARE_OP(gt, "GT")
COMPARE_OP(ge, "GE")

#undef UNARY_OP
#undef BINARY_OP
#undef COMPARE_OP

static inline tsr_value *f_const(tsr_build *b, tsr_value *like, double c)
{
    return tsr_build_like(b, like, tsr_elem(like), c);
}
static inline tsr_value *f_select(tsr_build *b, tsr_value *p, tsr_value *x, tsr_value *y)
{
    tsr_value *in[] = {p, x, y};
    return tsr_build_op(b, TSR_OP_STABLEHLO_SELECT, in, 3, NULL);
}
static inline tsr_value *f_selectc(tsr_build *b, tsr_value *p, double c, tsr_value *y)
{
    return f_select(b, p, f_const(b, y, c), y);
}
static inline tsr_value *f_complex(tsr_build *b, tsr_value *re, tsr_value *im)
{
    tsr_value *in[] = {re, im};
    return tsr_build_op(b, TSR_OP_STABLEHLO_COMPLEX, in, 2, NULL);
}
static inline tsr_value *f_square(tsr_build *b, tsr_value *x)
{
    return f_mul(b, x, x);
}
/* Number minus value. */
static inline tsr_value *f_rsubc(tsr_build *b, double c, tsr_value *x)
{
    return f_sub(b, f_const(b, x, c), x);
}
static inline tsr_value *f_rdivc(tsr_build *b, double c, tsr_value *x)
{
    return f_div(b, f_const(b, x, c), x);
}

/* ---- Numbers that depend on the element type: f32 or f64 ---- */

static inline bool f_wide(const tsr_value *x)
{
    return tsr_elem(x)->width == 64;
}
static inline double f_largest(const tsr_value *x)
{
    return f_wide(x) ? DBL_MAX : FLT_MAX;
}
static inline double f_epsilon(const tsr_value *x)
{
    return f_wide(x) ? DBL_EPSILON : FLT_EPSILON;
}
/* Squares of numbers below this, and sums of a few of them, are finite. */
static inline double f_big(const tsr_value *x)
{
    return f_wide(x) ? 0x1p509 : 0x1p61;
}

/* ---- Signs ---- */

/* Whether the sign bit is set: -0 counts, unlike in x < 0. */
static inline tsr_value *f_signbit(tsr_build *b, tsr_value *x)
{
    tsr_type *bits = tsr_type_integer(b->ctx, tsr_elem(x)->width, TSR_SIGNLESS);
    return f_ltc(b, tsr_build_bitcast(b, x, bits), 0);
}
/* x, which is not negative, with the sign of y. */
static inline tsr_value *f_signed(tsr_build *b, tsr_value *x, tsr_value *y)
{
    return f_select(b, f_signbit(b, y), f_neg(b, x), x);
}

#endif
