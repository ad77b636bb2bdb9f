/* SPDX-License-Identifier: Apache-2.0 */
/* elementwise.c - inverse trigonometric and hyperbolic functions of real numbers.
 *
 * Each formula keeps its relative accuracy near zeros of the function, and does not overflow where the function does
 * not. */
#include "lower/chlo/elementwise.h"

/* asin x = 2 atan(x / (1 + sqrt(1 - x^2))) */
tsr_value *tsr_real_asin(tsr_build *b, tsr_value *x)
{
    tsr_value *root = f_sqrt(b, f_mul(b, f_rsubc(b, 1, x), f_addc(b, x, 1)));
    return f_mulc(b, f_atan2(b, x, f_addc(b, root, 1)), 2);
}

/* acos x = 2 atan(sqrt(1 - x) / sqrt(1 + x)) */
tsr_value *tsr_real_acos(tsr_build *b, tsr_value *x)
{
    return f_mulc(b, f_atan2(b, f_sqrt(b, f_rsubc(b, 1, x)), f_sqrt(b, f_addc(b, x, 1))), 2);
}

tsr_value *tsr_real_atan(tsr_build *b, tsr_value *x)
{
    return f_atan2(b, x, f_const(b, x, 1));
}

/* acosh x = log(x + sqrt(x^2 - 1)), with x - 1 factored out. */
tsr_value *tsr_real_acosh(tsr_build *b, tsr_value *x)
{
    tsr_value *less = f_sqrt(b, f_subc(b, x, 1)), *more = f_sqrt(b, f_addc(b, x, 1));
    tsr_value *near = f_log1p(b, f_mul(b, less, f_add(b, more, less)));
    tsr_value *far = f_addc(b, f_log(b, x), log(2));
    return f_select(b, f_gec(b, x, f_largest(x) / 2), far, near);
}

/* asinh x = log(x + sqrt(x^2 + 1)), with 1 factored out. */
tsr_value *tsr_real_asinh(tsr_build *b, tsr_value *x)
{
    tsr_value *a = f_abs(b, x), *square = f_square(b, a);
    tsr_value *root = f_sqrt(b, f_addc(b, square, 1));
    tsr_value *near = f_log1p(b, f_add(b, a, f_div(b, square, f_addc(b, root, 1))));
    tsr_value *far = f_addc(b, f_log(b, a), log(2));
    return f_signed(b, f_select(b, f_gec(b, a, f_big(x)), far, near), x);
}

/* atanh x = log((1 + x) / (1 - x)) / 2 */
tsr_value *tsr_real_atanh(tsr_build *b, tsr_value *x)
{
    return f_mulc(b, f_sub(b, f_log1p(b, x), f_log1p(b, f_neg(b, x))), 0.5);
}

/* exp(a) / 2, if exp(a) itself would overflow. */
static tsr_value *half_exp(tsr_build *b, tsr_value *a)
{
    tsr_value *root = f_exp(b, f_mulc(b, a, 0.5));
    return f_mul(b, f_mulc(b, root, 0.5), root);
}

/* sinh a = (e + e / (e + 1)) / 2 with e = exp(a) - 1 */
tsr_value *tsr_real_sinh(tsr_build *b, tsr_value *x)
{
    tsr_value *a = f_abs(b, x), *e = f_expm1(b, a);
    tsr_value *near = f_mulc(b, f_add(b, e, f_div(b, e, f_addc(b, e, 1))), 0.5);
    return f_signed(b, f_select(b, f_gec(b, e, f_largest(x) / 2), half_exp(b, a), near), x);
}

tsr_value *tsr_real_cosh(tsr_build *b, tsr_value *x)
{
    tsr_value *a = f_abs(b, x), *e = f_exp(b, a);
    tsr_value *near = f_add(b, f_mulc(b, e, 0.5), f_rdivc(b, 0.5, e));
    return f_select(b, f_gec(b, e, f_largest(x)), half_exp(b, a), near);
}
