/* SPDX-License-Identifier: Apache-2.0 */
/* complex_math.c - functions of complex numbers as loops over their parts.
 *
 * All are computed in f64: c64 results agree with the evaluator's up to the last bit, and parts of c128 results are
 * within a few units. Formulas are those of lower/chlo/complex.def; infinities and NaN are as in the evaluator's
 * functions (eval/math/scalar_complex.c). */
#include <float.h>
#include <math.h>

#include "exec/compile/value.h"

typedef tsr_xid number;
typedef struct {
    tsr_xbuilder *b;
    const tsr_op *op;
} maker;

#define UNARY(name, tile)                                     \
    static inline number f_##name(maker *m, number x)         \
    {                                                         \
        return tsr_x_apply1(m->b, m->op, TSR_TILE_##tile, x); \
    }
#define BINARY(name, tile)                                       \
    static inline number f_##name(maker *m, number x, number y)  \
    {                                                            \
        return tsr_x_apply2(m->b, m->op, TSR_TILE_##tile, x, y); \
    }
#define NUMBER(name, tile)                                         \
    static inline number f_##name##c(maker *m, number x, double c) \
    {                                                              \
        return tsr_x_with(m->b, m->op, TSR_TILE_##tile, x, c);     \
    }
#define COMPARE(name)                                                     \
    static inline number f_##name(maker *m, number x, number y)           \
    {                                                                     \
        return tsr_x_compare(m->b, m->op, TSR_TILE_compare_##name, x, y); \
    }
#define COMPARE_NUMBER(name)                                       \
    static inline number f_##name##c(maker *m, number x, double c) \
    {                                                              \
        return f_##name(m, x, f_const(m, x, c));                   \
    }

static inline number f_const(maker *m, number like, double c)
{
    (void)like;
    return tsr_x_number(m->b, m->op, TSR_D_F64, c);
}

UNARY(abs, abs)
UNARY(neg, negate)
UNARY(sqrt, sqrt)
UNARY(cbrt, cbrt)
UNARY(exp, exponential)
UNARY(expm1, exponential_minus_one)
UNARY(log, log)
UNARY(log1p, log_plus_one)
UNARY(sin, sine)
UNARY(cos, cosine)
UNARY(sinh, sinh)
UNARY(cosh, cosh)
UNARY(square, square)
BINARY(add, add)
BINARY(sub, subtract)
BINARY(mul, multiply)
BINARY(div, divide)
BINARY(max, maximum)
BINARY(min, minimum)
BINARY(atan2, atan2)
BINARY(and, and)
BINARY(or, or)
NUMBER(add, add)
NUMBER(sub, subtract)
NUMBER(mul, multiply)
COMPARE(eq)
COMPARE(ne)
COMPARE(lt)
COMPARE(gt)
COMPARE(ge)
COMPARE_NUMBER(eq)
COMPARE_NUMBER(lt)
COMPARE_NUMBER(gt)
COMPARE_NUMBER(ge)

static inline number f_select(maker *m, number p, number x, number y)
{
    return tsr_x_select(m->b, m->op, p, x, y);
}
static inline number f_selectc(maker *m, number p, double c, number y)
{
    return f_select(m, p, tsr_x_like(m->b, m->op, f_const(m, y, c), y), y);
}
static inline number f_rsubc(maker *m, double c, number x)
{
    return f_sub(m, f_const(m, x, c), x);
}
static inline number f_rdivc(maker *m, double c, number x)
{
    return f_div(m, f_const(m, x, c), x);
}
/* True for -0, too, whose reciprocal is -inf. */
static inline number f_signbit(maker *m, number x)
{
    return f_or(m, f_ltc(m, x, 0), f_ltc(m, f_rdivc(m, 1, x), 0));
}
static inline number f_signed(maker *m, number x, number y)
{
    return f_select(m, f_signbit(m, y), f_neg(m, x), x);
}
#define f_wide(x) true
#define f_largest(x) DBL_MAX
#define f_epsilon(x) DBL_EPSILON
#define f_big(x) 0x1p509

#define CALL(name) complex_##name
#define COMPLEX_FN(name, re, im) \
    static inline void complex_##name(maker *b, number re, number im, number out[2])
#include "lower/chlo/complex.def"

/* ---- Infinities and NaN, as in C's functions ---- */

static number is_nan(maker *b, number x)
{
    return f_ne(b, x, x);
}

static number is_finite(maker *b, number x)
{
    return f_ltc(b, f_abs(b, x), INFINITY);
}

static number no_angle(maker *b, number y)
{
    return f_or(b, is_nan(b, y), is_inf(b, f_abs(b, y)));
}

static number is_zero_beside(maker *b, number zero, number nan)
{
    return f_and(b, f_eqc(b, zero, 0), no_angle(b, nan));
}

/* Sets both parts of a function of an exponential where x = limit, if there is no angle; NAN: the part is not
 * changed. */
static void at_limit(maker *b, number x, number no_angle, double limit, double re, double im,
                     number out[2])
{
    number there = f_and(b, f_eqc(b, x, limit), no_angle);
    out[0] = re == re ? f_selectc(b, there, re, out[0]) : out[0];
    out[1] = im == im ? f_selectc(b, there, im, out[1]) : out[1];
}

static void at_infinity(maker *b, number x, number y, double limit, double re, double im,
                        number out[2])
{
    at_limit(b, x, no_angle(b, y), limit, re, im, out);
}

COMPLEX_FN(c_exp, x, y)
{
    complex_exp(b, x, y, out);
    at_infinity(b, x, y, INFINITY, INFINITY, NAN, out);
    at_infinity(b, x, y, -INFINITY, 0, 0, out);
}

/* The evaluator's function is NaN where the angle is infinite, as sine and cosine are. What is infinite in f64 is so in
 * f32, whatever it is multiplied by: sines and cosines of f32 are not that small. */
COMPLEX_FN(own_exp, x, y)
{
    if (tsr_xdtype_of(b->b, tsr_x_in(b->b, b->op, 0)) == TSR_D_C64) {
        number e = f_exp(b, x);
        out[0] = f_mul(b, e, f_cos(b, y));
        out[1] = f_select(b, f_eqc(b, y, 0), y, f_mul(b, e, f_sin(b, y)));
    } else {
        complex_exp(b, x, y, out);
    }
    number none = is_nan(b, y);
    at_limit(b, x, none, INFINITY, INFINITY, NAN, out);
    at_limit(b, x, none, -INFINITY, 0, 0, out);
}

COMPLEX_FN(c_expm1, x, y)
{
    complex_expm1(b, x, y, out);
    at_infinity(b, x, y, INFINITY, INFINITY, NAN, out);
    at_infinity(b, x, y, -INFINITY, -1, 0, out);
}

COMPLEX_FN(c_sinh, x, y)
{
    complex_sinh(b, x, y, out);
    out[0] = f_select(b, is_zero_beside(b, x, y), x, out[0]);
    at_infinity(b, f_abs(b, x), y, INFINITY, INFINITY, NAN, out);
}

COMPLEX_FN(c_cosh, x, y)
{
    complex_cosh(b, x, y, out);
    at_infinity(b, f_abs(b, x), y, INFINITY, INFINITY, NAN, out);
}

COMPLEX_FN(c_tanh, x, y)
{
    complex_tanh(b, x, y, out);
    number none = f_and(b, no_angle(b, y), is_finite(b, x));
    out[0] = f_selectc(b, f_and(b, none, f_ne(b, x, f_const(b, x, 0))), NAN, out[0]);
    out[0] = f_select(b, is_zero_beside(b, x, y), x, out[0]);
    at_infinity(b, x, y, INFINITY, 1, 0, out);
    at_infinity(b, x, y, -INFINITY, -1, 0, out);
}

COMPLEX_FN(c_tan, x, y)
{
    number t[2];
    CALL(c_tanh)(b, y, x, t);
    out[0] = t[1];
    out[1] = t[0];
}

COMPLEX_FN(c_asin, x, y)
{
    complex_asin(b, x, y, out);
    out[0] = f_select(b, f_and(b, f_eqc(b, x, 0), is_nan(b, y)), x, out[0]);
}

COMPLEX_FN(c_acos, x, y)
{
    complex_acos(b, x, y, out);
    out[0] = f_selectc(b, f_and(b, f_eqc(b, x, 0), is_nan(b, y)), acos(0), out[0]);
}

COMPLEX_FN(c_acosh, x, y)
{
    complex_acosh(b, x, y, out);
    out[1] = f_selectc(b, f_and(b, f_eqc(b, x, 0), is_nan(b, y)), acos(0), out[1]);
}

COMPLEX_FN(c_asinh, x, y)
{
    complex_asinh(b, x, y, out);
    out[1] = f_select(b, f_and(b, f_eqc(b, y, 0), is_nan(b, x)), y, out[1]);
}

COMPLEX_FN(c_atanh, x, y)
{
    complex_atanh(b, x, y, out);
    out[0] = f_select(b, f_and(b, f_eqc(b, x, 0), is_nan(b, y)), x, out[0]);
}

COMPLEX_FN(c_atan, x, y)
{
    complex_atan(b, x, y, out);
    out[1] = f_select(b, f_and(b, f_eqc(b, y, 0), is_nan(b, x)), y, out[1]);
}

/* ---- Functions that are ops of the IR ---- */

/* sin z = -i sinh(iz), cos z = cosh(iz) */
COMPLEX_FN(sin, x, y)
{
    number t[2];
    CALL(c_sinh)(b, y, x, t);
    out[0] = t[1];
    out[1] = t[0];
}

COMPLEX_FN(cos, x, y)
{
    CALL(c_cosh)(b, f_neg(b, y), x, out);
}

static number hypotenuse(maker *b, number x, number y)
{
    number a = f_abs(b, x), c = f_abs(b, y), m = f_max(b, a, c);
    number r = ratio(b, f_min(b, a, c), m);
    number h = f_mul(b, m, f_sqrt(b, f_addc(b, f_square(b, r), 1)));
    return f_selectc(b, f_or(b, is_inf(b, a), is_inf(b, c)), INFINITY, h);
}

COMPLEX_FN(abs, x, y)
{
    out[0] = hypotenuse(b, x, y);
}

COMPLEX_FN(sign, x, y)
{
    /* A power of two as scale, so that the length neither overflows nor underflows. */
    number m = f_max(b, f_abs(b, x), f_abs(b, y));
    number by = f_selectc(b, f_gtc(b, m, 0x1p1000), 0x1p-4, f_const(b, m, 1));
    by = f_selectc(b, f_ltc(b, m, 0x1p-900), 0x1p200, tsr_x_like(b->b, b->op, by, m));
    number sx = f_mul(b, x, by), sy = f_mul(b, y, by), r = hypotenuse(b, sx, sy);
    number none = f_eqc(b, m, 0), nan = f_or(b, is_nan(b, x), is_nan(b, y));
    out[0] = f_selectc(b, nan, NAN, f_selectc(b, none, 0, f_div(b, sx, r)));
    out[1] = f_selectc(b, nan, NAN, f_selectc(b, none, 0, f_div(b, sy, r)));
}

/* 1 with the sign of x where it is infinite, else 0. */
static number direction(maker *b, number x)
{
    number inf = is_inf(b, f_abs(b, x)), one = tsr_x_like(b->b, b->op, f_const(b, x, 1), x);
    return f_signed(b, f_select(b, inf, one, f_mulc(b, one, 0)), x);
}

/* (a + bi) / (c + di), with squares that neither overflow nor underflow. Infinities, as Annex G specifies them, are set
 * at the end. */
static void divide(maker *b, const number *x, const number *y, number out[2])
{
    number c = f_abs(b, y[0]), d = f_abs(b, y[1]), swapped = f_lt(b, c, d);
    number large = f_select(b, swapped, y[1], y[0]), small = f_select(b, swapped, y[0], y[1]);
    number r = f_div(b, small, large), under = f_add(b, large, f_mul(b, small, r));
    number s = f_select(b, swapped, x[1], x[0]), t = f_select(b, swapped, x[0], x[1]);
    number im = f_sub(b, t, f_mul(b, s, r));
    out[0] = f_div(b, f_add(b, s, f_mul(b, t, r)), under);
    out[1] = f_div(b, f_select(b, swapped, f_neg(b, im), im), under);
    /* By zero: infinite, unless both parts are NaN. */
    number zero = f_and(b, f_eqc(b, c, 0), f_eqc(b, d, 0));
    number inf = f_signed(b, tsr_x_like(b->b, b->op, f_const(b, c, INFINITY), c), y[0]);
    /* Where both parts are NaN: infinite by finite is infinite, finite by infinite is 0. */
    number both = f_and(b, f_ne(b, out[0], out[0]), f_ne(b, out[1], out[1]));
    number a_inf = f_or(b, is_inf(b, f_abs(b, x[0])), is_inf(b, f_abs(b, x[1])));
    number c_inf = f_or(b, is_inf(b, c), is_inf(b, d));
    number c_finite = f_and(b, is_finite(b, c), is_finite(b, d));
    number a_finite = f_and(b, is_finite(b, x[0]), is_finite(b, x[1]));
    number ax = direction(b, x[0]), ay = direction(b, x[1]);
    number cx = direction(b, y[0]), cy = direction(b, y[1]);
    number far[2] = {f_add(b, f_mul(b, ax, y[0]), f_mul(b, ay, y[1])),
                     f_sub(b, f_mul(b, ay, y[0]), f_mul(b, ax, y[1]))};
    number near[2] = {f_add(b, f_mul(b, x[0], cx), f_mul(b, x[1], cy)),
                      f_sub(b, f_mul(b, x[1], cx), f_mul(b, x[0], cy))};
    number is_far = f_and(b, both, f_and(b, a_inf, c_finite));
    number is_near = f_and(b, both, f_and(b, c_inf, a_finite));
    for (int i = 0; i < 2; i++) {
        out[i] = f_select(b, is_far, f_mulc(b, far[i], INFINITY), out[i]);
        out[i] = f_select(b, is_near, f_mulc(b, near[i], 0), out[i]);
        out[i] = f_select(b, zero, f_mul(b, inf, x[i]), out[i]);
    }
}

static void reciprocal(maker *b, const number *z, number out[2])
{
    number one = tsr_x_like(b->b, b->op, f_const(b, z[0], 1), z[0]);
    number unit[2] = {one, f_mulc(b, one, 0)};
    divide(b, unit, z, out);
}

COMPLEX_FN(rsqrt, x, y)
{
    number root[2];
    complex_sqrt(b, x, y, root);
    reciprocal(b, root, out);
    number inf = f_or(b, is_inf(b, f_abs(b, x)), is_inf(b, f_abs(b, y)));
    number none = f_mulc(b, tsr_x_like(b->b, b->op, f_const(b, x, 1), x), 0);
    number back = f_select(b, is_nan(b, x), none, f_neg(b, f_signed(b, none, y)));
    out[0] = f_selectc(b, inf, 0, out[0]);
    out[1] = f_select(b, inf, back, out[1]);
}

COMPLEX_FN(cbrt, x, y)
{
    number r = f_cbrt(b, hypotenuse(b, x, y)), t = f_div(b, f_atan2(b, y, x), f_const(b, x, 3));
    number none = f_and(b, f_eqc(b, x, 0), f_eqc(b, y, 0));
    out[0] = f_select(b, none, x, f_mul(b, r, f_cos(b, t)));
    out[1] = f_select(b, none, y, f_select(b, f_eqc(b, t, 0), t, f_mul(b, r, f_sin(b, t))));
}

COMPLEX_FN(logistic, x, y)
{
    number e[2], small[2];
    CALL(c_exp)(b, f_neg(b, x), f_neg(b, y), e);
    e[0] = f_addc(b, e[0], 1);
    reciprocal(b, e, out);
    CALL(c_exp)(b, x, y, small);
    number left = f_ltc(b, x, -200);
    out[0] = f_select(b, left, small[0], out[0]);
    out[1] = f_select(b, left, small[1], out[1]);
}

typedef void unary_fn(maker *b, number x, number y, number out[2]);
typedef void binary_fn(maker *b, const number *x, const number *y, number out[2]);

static const struct {
    uint8_t tile;
    unary_fn *unary;
    binary_fn *binary;
} functions[] = {
    {TSR_TILE_abs, complex_abs, NULL},
    {TSR_TILE_sign, complex_sign, NULL},
    {TSR_TILE_square, complex_square, NULL},
    {TSR_TILE_sqrt, complex_sqrt, NULL},
    {TSR_TILE_rsqrt, complex_rsqrt, NULL},
    {TSR_TILE_cbrt, complex_cbrt, NULL},
    {TSR_TILE_exponential, complex_own_exp, NULL},
    {TSR_TILE_exponential_minus_one, complex_c_expm1, NULL},
    {TSR_TILE_log, complex_log, NULL},
    {TSR_TILE_log_plus_one, complex_log1p, NULL},
    {TSR_TILE_logistic, complex_logistic, NULL},
    {TSR_TILE_sine, complex_sin, NULL},
    {TSR_TILE_cosine, complex_cos, NULL},
    {TSR_TILE_tan, complex_c_tan, NULL},
    {TSR_TILE_sinh, complex_c_sinh, NULL},
    {TSR_TILE_cosh, complex_c_cosh, NULL},
    {TSR_TILE_tanh, complex_c_tanh, NULL},
    {TSR_TILE_asin, complex_c_asin, NULL},
    {TSR_TILE_acos, complex_c_acos, NULL},
    {TSR_TILE_atan, complex_c_atan, NULL},
    {TSR_TILE_asinh, complex_c_asinh, NULL},
    {TSR_TILE_acosh, complex_c_acosh, NULL},
    {TSR_TILE_atanh, complex_c_atanh, NULL},
    {TSR_TILE_divide, NULL, divide},
};

bool tsr_x_complex_function(tsr_xbuilder *b, const tsr_op *op, uint8_t tile, tsr_xid (*parts)[2],
                            uint32_t nin, tsr_xid out[2])
{
    maker m = {b, op};
    number x[2][2];
    for (size_t i = 0; i < TSR_COUNT(functions); i++) {
        if (functions[i].tile != tile || nin != (functions[i].unary ? 1 : 2))
            continue;
        for (uint32_t k = 0; k < nin; k++)
            for (int part = 0; part < 2; part++)
                x[k][part] = tsr_x_as(b, op, parts[k][part], TSR_D_F64);
        if (functions[i].unary)
            functions[i].unary(&m, x[0][0], x[0][1], out);
        else
            functions[i].binary(&m, x[0], x[1], out);
        return true;
    }
    return false;
}
