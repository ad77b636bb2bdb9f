/* SPDX-License-Identifier: Apache-2.0 */
/* scalar_real.c - real scalar functions: libm where it is good enough, else series and asymptotic
 * expansions in long double. */
#include "eval/math/scalar.h"

#include <math.h>

#define PI 3.14159265358979323846264338327950288L
#define TWO_OVER_SQRT_PI 1.12837916709551257389615890312154517L

long double lgammal_r(long double x, int *sign); /* musl's header hides it */

/* ---- libm, rounded once from long double ---- */

#define WIDE(name, expr)          \
    double tsr_m_##name(double d) \
    {                             \
        long double x = d;        \
        return (double)(expr);    \
    }
WIDE(cbrt, cbrtl(x))
WIDE(expm1, expm1l(x))
WIDE(log1p, log1pl(x))
WIDE(tan, tanl(x))
WIDE(tanh, tanhl(x))
WIDE(sinh, sinhl(x))
WIDE(cosh, coshl(x))
WIDE(asin, asinl(x))
WIDE(acos, acosl(x))
WIDE(atan, atanl(x))
WIDE(asinh, asinhl(x))
WIDE(acosh, x < 1 ? NAN : acoshl(x)) /* musl's gives numbers below -2 */
WIDE(atanh, atanhl(x))
WIDE(erf, erfl(x))
WIDE(erfc, erfcl(x))
WIDE(lgamma, lgammal_r(x, &(int){0})) /* lgammal's sign is shared by all threads */
WIDE(logistic, 1 / (1 + expl(-x)))
WIDE(rsqrt, 1 / sqrtl(x))
#undef WIDE

double tsr_m_square(double x)
{
    return x * x;
}

double tsr_m_atan2(double y, double x)
{
    return (double)atan2l(y, x);
}

double tsr_m_pow(double x, double y)
{
    return pow(x, y);
}

/* ---- In double, for results of f32 and less ---- */

double tsr_s_logistic(double x)
{
    return 1 / (1 + exp(-x));
}

double tsr_s_rsqrt(double x)
{
    return 1 / sqrt(x);
}

/* By expm1, which is what libm does too, without its cases. */
double tsr_s_tanh(double x)
{
    double a = fabs(x);
    if (!(a < 20)) /* NaN, too */
        return x == x ? copysign(1, x) : x;
    if (a < 1e-8)
        return x;
    double e = expm1(2 * a);
    return copysign(e / (e + 2), x);
}

/* ---- Inverse error function ---- */

/* Within a few thousandths: Winitzki's formula; the series' first terms where that cancels. */
static double erf_inv_guess(double y)
{
    if (fabs(y) < 0.01)
        return y * (0.886226925452758 + 0.232013666534655 * y * y);
    const double a = 0.147;
    double l = log1p(-y * y), t = 2 / ((double)PI * a) + l / 2;
    return copysign(sqrt(sqrt(t * t - l / a) - t), y);
}

/* Halley's method; the error function's complement where the function itself is close to one. */
double tsr_s_erf_inv(double y)
{
    double a = fabs(y);
    if (!(a < 1))
        return a == 1 ? copysign(INFINITY, y) : NAN;
    if (a == 0)
        return y;
    double x = erf_inv_guess(a);
    for (int i = 0; i < 2; i++) {
        double f = a > 0.5 ? (1 - a) - erfc(x) : erf(x) - a;
        double u = f / ((double)TWO_OVER_SQRT_PI * exp(-x * x));
        x -= u / (1 + x * u);
    }
    return copysign(x, y);
}

double tsr_m_erf_inv(double y)
{
    double a = fabs(y);
    if (!(a < 1))
        return a == 1 ? copysign(INFINITY, y) : NAN;
    if (a == 0)
        return y;
    long double x = erf_inv_guess(a);
    for (int i = 0; i < 3; i++) {
        long double f = a > 0.5 ? (1 - (long double)a) - erfcl(x) : erfl(x) - a;
        long double u = f / (TWO_OVER_SQRT_PI * expl(-x * x));
        x -= u / (1 + x * u);
    }
    return copysign((double)x, y);
}

/* ---- Digamma ---- */

/* B(2k) / (2k) */
static const long double digamma_tail[] = {
    1.0L / 12,  -1.0L / 120,     1.0L / 252, -1.0L / 240,
    1.0L / 132, -691.0L / 32760, 1.0L / 12,  -3617.0L / 8160,
};

/* Powers of the distance to the positive zero, where the other ways cancel: derivatives there,
 * over factorials. */
static const long double digamma_zero[] = {
    0.967672245447621170427445L,    -0.442763168983592106092865L,
    0.258499760955651010624401L,    -0.163942705442406527504251L,
    0.107824050691262365757183L,    -0.0721995612564547109261218L,
    0.0488042881641431072250925L,   -0.0331611264748473592922584L,
    0.0225976482322181046596248L,   -0.0154247659049489591388003L,
    0.010538791616612175388124L,    -0.00720453438635686824097047L,
    0.00492678139572985344635427L,  -0.00336980165543932808279286L,
    0.00230512632673492783693838L,  -0.00157693677143019725927093L,
    0.00107882520191629658069192L,  -0.000738070938996005129566047L,
    0.000504953265834602035177398L, -0.000345468025106307699555568L,
    0.000236356015640270527923696L, -0.000161706220919748034493583L,
    0.000110633727687474109040872L, -0.0000756917958219506591923771L,
};

static long double digamma_positive(long double x)
{
    /* The zero, as a double and the rest. */
    const long double zero = 0x1.762d86356be3fp+0L, rest = 9.549995429965697715184199e-17L;
    long double d = (x - zero) - rest, sum = 0;
    if (fabsl(d) < 0.25L) {
        for (size_t k = TSR_COUNT(digamma_zero); k-- > 0;)
            sum = (sum + digamma_zero[k]) * d;
        return sum;
    }
    for (; x < 20; x += 1)
        sum -= 1 / x;
    long double inv = 1 / (x * x), tail = 0;
    for (size_t k = TSR_COUNT(digamma_tail); k-- > 0;)
        tail = (tail + digamma_tail[k]) * inv;
    return sum + logl(x) - 0.5L / x - tail;
}

static long double digamma(long double x)
{
    if (isnan(x) || (x <= 0 && x == floorl(x)))
        return NAN; /* poles have no sign */
    if (isinf(x))
        return x;
    if (x >= 0.5L)
        return digamma_positive(x);
    long double r = x - roundl(x); /* the tangent has period one here */
    return digamma_positive(1 - x) - PI / tanl(PI * r);
}

double tsr_m_digamma(double x)
{
    return (double)digamma(x);
}

/* ---- Bessel ---- */

/* exp(-|x|) I1(x): the series has only positive terms; far out the asymptotic expansion ends
 * below the last bit. */
double tsr_m_bessel_i1e(double d)
{
    long double x = fabsl((long double)d), sum = 1, term = 1;
    if (isnan(d))
        return d;
    if (isinf(d))
        return copysign(0, d);
    if (x < 32) {
        long double q = x * x / 4;
        for (int k = 1; term > sum * 1e-21L; k++) {
            term *= q / ((long double)k * (k + 1));
            sum += term;
        }
        sum *= x / 2 * expl(-x);
    } else {
        for (int k = 1; k < 60; k++) {
            long double odd = 2 * k - 1;
            term *= -(4 - odd * odd) / (8 * x * k);
            sum += term;
            if (fabsl(term) < 1e-21L)
                break;
        }
        sum /= sqrtl(2 * PI * x);
    }
    return copysign((double)sum, d);
}

/* ---- Hurwitz zeta ---- */

/* B(2k) / (2k)! */
static const long double zeta_tail[] = {
    0.0833333333333333333333333L,    -0.00138888888888888888888889L,
    0.0000330687830687830687830688L, -0.00000082671957671957671957672L,
    2.08767569878680989792101e-8L,   -5.28419013868749318484768e-10L,
    1.3382536530684678832827e-11L,   -3.3896802963225828668302e-13L,
    8.58606205627784456413591e-15L,  -2.17486869855806187304152e-16L,
    5.50900282836022951520265e-18L,  -1.39544646858125233407077e-19L,
    3.53470703962946747169323e-21L,
};

/* Euler and Maclaurin: the first terms one by one, the rest as an integral and corrections. */
static long double zeta(long double s, long double q)
{
    if (isnan(s) || isnan(q) || s < 1)
        return NAN;
    if (s == 1)
        return INFINITY;
    if (q <= 0 && q == floorl(q)) /* a pole: its sign is known where both sides agree */
        return fmodl(s, 2) == 0 ? INFINITY : NAN;
    if (q <= 0 && s != floorl(s))
        return NAN;
    if (isinf(q))
        return q > 0 ? 0 : NAN;
    if (isinf(s))
        return q > 1 ? 0 : q == 1 ? 1 : q > 0 ? INFINITY : NAN;
    if (q < -32) { /* what lies below 0, from both of its ends: s is whole */
        long double above = q - floorl(q), below = zeta(s, 1 - above) - zeta(s, 1 - q);
        return zeta(s, above) + (fmodl(s, 2) == 0 ? below : -below);
    }
    long double a = q, sum = 0, far = 20 + 1.5L * s;
    for (int64_t k = 0; a < far; k++, a = q + (long double)k) {
        long double term = powl(a, -s);
        sum += term;
        if (a > 1 && fabsl(term) <= fabsl(sum) * 1e-22L / (a + 1)) /* both may be 0 */
            return sum;
    }
    long double p = powl(a, -s), tail = p * a / (s - 1) + p / 2, f = p * s / a;
    for (size_t k = 0; k < TSR_COUNT(zeta_tail); k++) {
        tail += zeta_tail[k] * f;
        long double m = s + 2 * (long double)k + 1;
        f *= m * (m + 1) / (a * a);
    }
    return sum + tail;
}

double tsr_m_zeta(double s, double q)
{
    return (double)zeta(s, q);
}

double tsr_m_polygamma(double n, double x)
{
    if (n == 0)
        return tsr_m_digamma(x);
    if (!(n > 0) || n != floor(n))
        return NAN;
    long double v = tgammal((long double)n + 1) * zeta((long double)n + 1, x);
    return (double)(fmod(n, 2) == 0 ? -v : v);
}

/* ---- Neighbours ---- */

uint64_t tsr_math_next_after(tsr_float_kind kind, uint64_t x, uint64_t y)
{
    const tsr_float_format *f = &tsr_float_formats[kind];
    double from = tsr_float_to_double(kind, x), to = tsr_float_to_double(kind, y);
    if (isnan(from))
        return x;
    if (isnan(to))
        return y;
    if (from == to)
        return y;
    if (f->specials == TSR_FLOAT_E8M0)
        return from < to ? x + 1 : x - 1;
    uint64_t sign = (uint64_t)1 << (f->bits - 1);
    if (from == 0)
        return to < 0 ? sign | 1 : 1;
    bool grows = (from < to) == (from > 0);
    uint64_t next = grows ? x + 1 : x - 1;
    /* Formats without a negative zero keep NaN in its place. */
    if (f->specials == TSR_FLOAT_FNUZ && next == sign)
        return 0;
    return next;
}
