/* SPDX-License-Identifier: Apache-2.0 */
/* scalar_complex.c - complex scalar functions, in long double.
 *
 * Its range is so much wider than double's that squares neither overflow nor underflow, and its eleven additional bits
 * absorb the intermediate roundings. Only where terms cancel are exact products summed with compensation. Branch cuts,
 * infinities and NaN are those of C99's Annex G, unless a function says otherwise. */
#include <complex.h>
#include <math.h>

#include "eval/math/scalar.h"

/* Functions whose definition in C is the one needed. */
#define AS_IN_C(name, fn)             \
    tsr_wide tsr_c_##name(tsr_wide z) \
    {                                 \
        return fn(z);                 \
    }
AS_IN_C(acos, cacosl)
AS_IN_C(acosh, cacoshl)
AS_IN_C(asin, casinl)
AS_IN_C(asinh, casinhl)
AS_IN_C(atan, catanl)
AS_IN_C(atanh, catanhl)
AS_IN_C(conj, conjl)
AS_IN_C(cos, ccosl)
AS_IN_C(cosh, ccoshl)
AS_IN_C(log, clogl)
AS_IN_C(sin, csinl)
AS_IN_C(sinh, csinhl)
AS_IN_C(sqrt, csqrtl)
AS_IN_C(tan, ctanl)
AS_IN_C(tanh, ctanhl)

tsr_wide tsr_c_abs(tsr_wide z)
{
    return hypotl(creall(z), cimagl(z));
}

tsr_wide tsr_c_sign(tsr_wide z)
{
    long double x = creall(z), y = cimagl(z);
    if (isnan(x) || isnan(y))
        return tsr_wide_of(NAN, NAN);
    if (x == 0 && y == 0)
        return 0;
    long double r = hypotl(x, y);
    return tsr_wide_of(x / r, y / r);
}

tsr_wide tsr_c_negate(tsr_wide z)
{
    return tsr_wide_of(-creall(z), -cimagl(z));
}

/* An undefined angle gives NaN, also where Annex G would give zero or infinity of an unspecified sign. */
tsr_wide tsr_c_exp(tsr_wide z)
{
    return isinf(cimagl(z)) ? tsr_wide_of(NAN, NAN) : cexpl(z);
}

/* exp(x) cos(y) - 1 = expm1(x) cos(y) - 2 sin(y/2)^2, which does not cancel for small z. */
tsr_wide tsr_c_expm1(tsr_wide z)
{
    long double x = creall(z), y = cimagl(z);
    if (!isfinite(x) || !isfinite(y) || x > 11000)
        return cexpl(z) - 1;
    long double s = sinl(y / 2);
    return tsr_wide_of(expm1l(x) * cosl(y) - 2 * s * s, y == 0 ? y : expl(x) * sinl(y));
}

/* a*a exactly, as a sum of two numbers. */
static long double square(long double a, long double *rest)
{
    long double p = a * a;
    *rest = fmal(a, a, -p);
    return p;
}

/* The sum of n numbers as if it were computed with twice the bits. */
static long double sum(const long double *v, int n)
{
    long double s = 0, e = 0;
    for (int i = 0; i < n; i++) {
        long double t = s + v[i], z = t - s;
        e += (s - (t - z)) + (v[i] - z);
        s = t;
    }
    return s + e;
}

/* |1 + z|^2 - 1 = 2x + x^2 + y^2, which can cancel, so its terms are summed exactly. */
tsr_wide tsr_c_log1p(tsr_wide z)
{
    long double x = creall(z), y = cimagl(z), xx, yy;
    if (!isfinite(x) || !isfinite(y) || fabsl(x) > 1e3L || fabsl(y) > 1e3L)
        return clogl(tsr_wide_of(x + 1, y));
    long double parts[5];
    parts[0] = 2 * x;
    parts[1] = square(x, &xx);
    parts[2] = square(y, &yy);
    parts[3] = xx;
    parts[4] = yy;
    long double t = sum(parts, 5), re;
    if (t > -0.5L)
        re = log1pl(t) / 2;
    else /* close to -1 + 0i, where 1 + x is exact */
        re = logl(hypotl(1 + x, y));
    return tsr_wide_of(re, atan2l(y, 1 + x));
}

tsr_wide tsr_c_rsqrt(tsr_wide z)
{
    long double x = creall(z), y = cimagl(z);
    if (isinf(x) || isinf(y))
        return x != x ? tsr_wide_of(0, 0) : tsr_wide_of(0, -copysignl(0, y));
    return 1 / csqrtl(z);
}

tsr_wide tsr_c_cbrt(tsr_wide z)
{
    long double x = creall(z), y = cimagl(z);
    if (x == 0 && y == 0)
        return z;
    long double r = cbrtl(hypotl(x, y)), t = atan2l(y, x) / 3;
    return tsr_wide_of(r * cosl(t), t == 0 ? t : r * sinl(t));
}

/* a*a - b*b as (a - b)(a + b): no cancellation beyond that in the factors, which are exact enough. */
tsr_wide tsr_c_square(tsr_wide z)
{
    long double x = creall(z), y = cimagl(z);
    long double re = isinf(x) && isinf(y) ? NAN : (x - y) * (x + y);
    if (isinf(x) && !isnan(y) && !isinf(y))
        re = INFINITY;
    else if (isinf(y) && !isnan(x) && !isinf(x))
        re = -INFINITY;
    return tsr_wide_of(re, 2 * x * y);
}

/* Far to the left exp(-z) overflows; the result is exp(z). */
tsr_wide tsr_c_logistic(tsr_wide z)
{
    return creall(z) < -200 ? cexpl(z) : 1 / (1 + cexpl(-z));
}

/* w with asin(z) = atan2(z.re, w.re) + i sign(z.im) w.im: w.re = Re sqrt(1 - z^2), w.im = |Im asin(z)|. Both terms of
 * the real part of sqrt(1 - z) sqrt(1 + z) are positive. */
tsr_wide tsr_c_asin_acos_kernel(tsr_wide z)
{
    tsr_wide a = csqrtl(tsr_wide_of(1 - creall(z), -cimagl(z))),
             b = csqrtl(tsr_wide_of(1 + creall(z), cimagl(z)));
    long double re = creall(a) * creall(b) - cimagl(a) * cimagl(b);
    return tsr_wide_of(re, fabsl(cimagl(casinl(z))));
}

/* ---- Two operands ---- */

tsr_wide tsr_c_mul(tsr_wide x, tsr_wide y)
{
    long double a = creall(x), b = cimagl(x), c = creall(y), d = cimagl(y);
    return tsr_wide_of(a * c - b * d, a * d + b * c);
}

tsr_wide tsr_c_div(tsr_wide x, tsr_wide y)
{
    return x / y;
}

tsr_wide tsr_c_pow(tsr_wide x, tsr_wide y)
{
    if (y == 0)
        return 1;
    if (x == 0)
        return creall(y) > 0 && cimagl(y) == 0 ? 0 : tsr_wide_of(NAN, NAN);
    if (y == 1)
        return x;
    return cpowl(x, y);
}

/* -i log((x + iy) / sqrt(x^2 + y^2)) */
tsr_wide tsr_c_atan2(tsr_wide y, tsr_wide x)
{
    tsr_wide r = csqrtl(tsr_c_mul(x, x) + tsr_c_mul(y, y));
    tsr_wide l = clogl(tsr_wide_of(creall(x) - cimagl(y), cimagl(x) + creall(y)) / r);
    return tsr_wide_of(cimagl(l), -creall(l));
}
