/* SPDX-License-Identifier: Apache-2.0 */
/* math_f64.h - functions of f64 for tile kernels: without branches, tables and conversions of integers, so that compilers make vectors of them.
 *
 * Polynomials have the least greatest error (Remez's exchange in 45 digits, weighted so that it is relative to the result; the errors that the text states count
 * coefficients as they are rounded). Even and odd powers are summed apart. See math_f32.h for what is fused. tests/unit/test_math.c measures the bounds. */
#ifndef TSR_EXEC_KERNEL_ISA_MATH_F64_H
#define TSR_EXEC_KERNEL_ISA_MATH_F64_H

#include <float.h>
#include <math.h>

#include "eval/math/scalar.h"

/* Functions are part of the loops that call them. A source that calls each in many places says otherwise. */
#ifndef MATH
#define MATH static inline
#endif

#define F64_most DBL_MAX
#define F64_least_ratio 0x1p-400
#define F64_int int64_t
#define F64_int_of (int64_t) f64_bits
#define F64_fmod fmod
#define F64_abs fabs
#define F64_sqrt __builtin_sqrt
#define F64_sin sin
#define F64_cos cos
#define F64_tan tan
#define F64_erf_inv tsr_m_erf_inv
#define F64_lgamma tsr_m_lgamma
#define F64_digamma tsr_m_digamma
#define F64_bessel_i1e tsr_m_bessel_i1e
#define F64_floor __builtin_floor
#define F64_ceil __builtin_ceil
#define F64_rint __builtin_rint
#define F64_round round

static inline uint64_t f64_bits(double x)
{
    uint64_t b;
    memcpy(&b, &x, sizeof b);
    return b;
}

static inline double f64_of(uint64_t b)
{
    double x;
    memcpy(&x, &b, sizeof x);
    return x;
}

/* NaN wins on either side. Equal numbers have equal bits, but for zeros: "and" and "or" keep the sign. */
static inline double F64_max(double x, double y)
{
    double t = x > y ? x : y, u = y > x ? y : x; /* the same but for zeros and NaN */
    t = f64_of(f64_bits(t) & f64_bits(u));
    t = y != y ? y : t;
    return x != x ? x : t;
}

static inline double F64_min(double x, double y)
{
    double t = x < y ? x : y, u = y < x ? y : x;
    t = f64_of(f64_bits(t) | f64_bits(u));
    t = y != y ? y : t;
    return x != x ? x : t;
}

/* With one number for all: see F32_max_number. */
static inline double F64_max_number(double x, double number)
{
    double more = ((number == 0) | (number != number)) ? number : -0.0;
    return (number > x ? number : x) + more;
}

static inline double F64_min_number(double x, double number)
{
    double bound = f64_bits(number) == 0x8000000000000000u ? -0x1p-1074 : number;
    double more = number != number ? number : -0.0;
    return (bound < x ? number : x) + more;
}

static inline double F64_sign(double x) /* zeros and NaN stay */
{
    double t = x > 0 ? 1 : x;
    return x < 0 ? -1 : t;
}

static inline double F64_fma(double x, double y, double z)
{
#if defined(__FMA__) || defined(__aarch64__)
    return __builtin_fma(x, y, z);
#else
    return x * y + z;
#endif
}

/* Whether it is one operation, which rounds once: compilers know. */
static inline bool f64_fuses(void)
{
    return F64_fma(0x1.0000001p0, 0x1.0000001p0, -0x1.0000002p0) != 0;
}

/* x y - p, where p is the product as it was rounded: exact. Without a fused operation by halves of the digits. */
static inline double f64_lost(double x, double y, double p)
{
    double s = 134217729 * x, t = 134217729 * y, a = s - (s - x), b = t - (t - y);
    double halves = ((a * b - p) + a * (y - b) + (x - a) * b) + (x - a) * (y - b);
    return f64_fuses() ? F64_fma(x, y, -p) : halves;
}

/* z - x y, rounded once where the difference is as small as it gets. */
static inline double f64_minus(double z, double x, double y)
{
    double p = x * y;
    return f64_fuses() ? F64_fma(-x, y, z) : (z - p) - f64_lost(x, y, p);
}

/* The magnitude of a with the sign of x. */
static inline double f64_signed(double a, double x)
{
    return f64_of((f64_bits(a) & 0x7FFFFFFFFFFFFFFF) | (f64_bits(x) & 0x8000000000000000));
}

/* Numbers outside [low, high] become the nearer of them; NaN stays. */
static inline double f64_within(double x, double low, double high)
{
    double t = x < low ? low : x;
    return t > high ? high : t;
}

/* Adding it rounds to an integer in the last bits: 1.5 * 2^52. */
#define F64_TO_INT 6755399441055744.0

/* ---- exp and what is made of it ---- */

/* x + low = n ln 2 + r + lost, |r| < 0.347; e^(r + lost) = 1 + r + rest. m: n + 2046, which no shift makes negative. */
typedef struct {
    double r, rest;
    uint64_t m;
} f64_power;

/* (e^r - 1 - r) / r^2 by a polynomial of degree 9: the error of e^r is 2^-56 of it. */
static inline double f64_exp_rest(double r, double z)
{
    double p = F64_fma(z, 2.7630305412137614e-07, 2.4801492951958667e-05);
    double o = F64_fma(z, 2.5000013108889745e-08, 2.7557586824842095e-06);
    p = F64_fma(z, p, 0.0013888888943757694);
    o = F64_fma(z, o, 0.00019841269505745346);
    p = F64_fma(z, p, 0.041666666666529739);
    o = F64_fma(z, o, 0.0083333333334949938);
    p = F64_fma(z, p, 0.50000000000000111);
    o = F64_fma(z, o, 0.1666666666666641);
    return F64_fma(r, o, p);
}

#define F64_LN2 0.69314718055989033 /* products with small integers are exact */
#define F64_LN2_REST 5.4979230187083712e-14

static inline f64_power f64_exp_parts(double x, double low)
{
    double t = F64_fma(x, 1.4426950408889634, F64_TO_INT), n = t - F64_TO_INT;
    double high = F64_fma(n, -F64_LN2, x);
    low = F64_fma(n, -F64_LN2_REST, low);
    double r = high + low, z = r * r;
    return (f64_power){r, F64_fma(z, f64_exp_rest(r, z), (high - r) + low),
                       f64_bits(t) - (0x4338000000000000 - 2046)};
}

/* e^r. */
static inline double f64_exp_near(f64_power e)
{
    return 1 + (e.r + e.rest);
}

/* (e^x - 1) part, where s is 2^n part, a power of two. */
static inline double f64_exp_less(f64_power e, double s, double part)
{
    double high = s - part, sum = F64_fma(e.r, s, high);
    return sum + F64_fma(e.rest, s, F64_fma(e.r, s, high - sum));
}

/* y 2^n in two steps, since 2^n may be no number where the result is one. none: 0. */
static inline double f64_scaled(double y, uint64_t m, bool none)
{
    uint64_t half = m >> 1;
    double rest = none ? 0 : f64_of((m - half) << 52);
    return y * f64_of(half << 52) * rest;
}

/* Machines take long for results that are too small: what is less than all numbers is made 0 by a factor. */
MATH double F64_exp(double x)
{
    f64_power e = f64_exp_parts(f64_within(x, -746, 710), 0);
    return f64_scaled(f64_exp_near(e), e.m, x < -745.14);
}

/* (e^x - 1) / 2, -40 <= x <= 710. */
static inline double f64_half_expm1(double x)
{
    f64_power e = f64_exp_parts(x, 0);
    double half = f64_of((e.m - 1024) << 52);
    return f64_exp_less(e, half, 0.5);
}

MATH double F64_expm1(double x)
{
    double y = 2 * f64_half_expm1(f64_within(x, -40, 710));
    return fabs(x) < 0x1p-60 ? x : y;
}

/* What the sum 1 + e lost is made good in the quotient: 1 / (1 + e) is known from it. */
MATH double F64_logistic(double x)
{
    double e = F64_exp(-fabs(x)), below = 1 + e;
    double y = (x < 0 ? e : 1) / below, by = x < 0 ? 1 - y : y;
    return F64_fma(-y * by, e - (below - 1), y);
}

/* t / (t + 1) with t = (e^2|x| - 1) / 2, in which errors of t count less than in e^x: it is found by fewer steps. */
MATH double F64_tanh(double x)
{
    double a = 2 * fabs(x), v = F64_fma(a > 38.2 ? 38.2 : a, 1.4426950408889634, F64_TO_INT);
    double n = v - F64_TO_INT, r = F64_fma(n, -F64_LN2, a > 38.2 ? 38.2 : a);
    r = F64_fma(n, -F64_LN2_REST, r);
    double half = f64_of((f64_bits(v) - (0x4338000000000000 - 1022)) << 52), z = r * r;
    double t = F64_fma(F64_fma(z, f64_exp_rest(r, z), r), half, half - 0.5);
    return f64_signed(t / (t + 1), x);
}

/* e^|x| / 4, less a quarter for sinh: nothing is too large on the way. */
static inline f64_power f64_exp_abs(double x, double *s)
{
    double a = fabs(x);
    f64_power e = f64_exp_parts(a > 710.6 ? 710.6 : a, 0);
    *s = f64_of((e.m - 1025) << 52);
    return e;
}

MATH double F64_sinh(double x)
{
    double s;
    f64_power e = f64_exp_abs(x, &s);
    double u = f64_exp_less(e, s, 0.25);
    double y = f64_signed(2 * (u + u / F64_fma(4, u, 1)), x);
    return fabs(x) < 0x1p-28 ? x : y;
}

MATH double F64_cosh(double x)
{
    double s;
    f64_power e = f64_exp_abs(x, &s);
    double u = f64_exp_near(e) * s;
    return F64_fma(2, u, 0.125 / u);
}

/* ---- log ---- */

/* x = 2^e (1 + f), from the root of a half on; k: e + 1024. Of positive numbers that are not denormal. */
typedef struct {
    double f, e;
    uint64_t k;
} f64_split;

static inline f64_split f64_split_of(double x)
{
    uint64_t b = f64_bits(x), one = 0x4000000000000000; /* one: 1024, of exponents */
    uint64_t k = (b + (one - 0x3FE6A09E667F3BCD)) >> 52;
    double e = f64_of(k | 0x4330000000000000) - (0x1p52 + 1024);
    return (f64_split){f64_of(b - (k << 52) + one) - 1, e, k};
}

/* log(1 + f) = 2 s + s z L(z), s = f / (2 + f), z = s^2: L of degree 6, an error of 2^-59 of the logarithm; 2 s = f - s f. */
static inline double f64_log_of(double f, double e)
{
    double s = f / (2 + f), z = s * s, h = 0.5 * f * f, zz = z * z;
    double p = F64_fma(zz, 0.14796073708223029, 0.1818356475338623);
    double o = F64_fma(zz, 0.1531403887760571, 0.2222219856554509);
    p = F64_fma(zz, p, 0.2857142874245614);
    o = F64_fma(zz, o, 0.39999999999414398);
    p = F64_fma(zz, p, 0.6666666666666734);
    p = F64_fma(z, o, p);
    double y = F64_fma(s, F64_fma(z, p, h), e * 5.4979230187083712e-14);
    return F64_fma(e, 0.69314718055989033, f - (h - y));
}

/* What is no positive number: log of infinity, of zero, of less, of NaN. */
static inline double f64_log_edges(double x, double y)
{
    y = x == 0 ? -INFINITY : y;
    y = x < 0 ? NAN : y;
    return x <= DBL_MAX ? y : x; /* infinity, NaN */
}

MATH double F64_log(double x)
{
    bool tiny = x < DBL_MIN;
    f64_split v = f64_split_of(tiny ? x * 0x1p54 : x);
    return f64_log_edges(x, f64_log_of(v.f, v.e - (tiny ? 54.0 : 0.0)));
}

MATH double F64_log1p(double x)
{
    double u = 1 + x, lost = x > 1 ? 1 - (u - x) : x - (u - 1);
    f64_split v = f64_split_of(u);
    double more = lost * f64_of((2047 - v.k) << 52);
    double y = f64_log_edges(u, f64_log_of(x > 0x1p60 ? v.f : v.f + more, v.e));
    return x == 0 ? x : y;
}

/* Beyond 2^60 the square root is x. */
static inline double f64_log_sum(double more, double a)
{
    bool far = a > 0x1p60;
    return F64_log1p(far ? a : more) + (far ? 0.69314718055994529 : 0);
}

MATH double F64_asinh(double x)
{
    double a = fabs(x), y = f64_log_sum(a + a * (a / (1 + F64_sqrt(F64_fma(a, a, 1)))), a);
    return x == 0 ? x : f64_signed(y, x);
}

MATH double F64_acosh(double x)
{
    double t = x - 1, y = f64_log_sum(t + F64_sqrt(t * (t + 2)), x);
    return x < 1 ? NAN : y;
}

MATH double F64_atanh(double x)
{
    double a = fabs(x), y = 0.5 * F64_log1p(2 * a / (1 - a));
    return f64_signed(y, x);
}

/* ---- power, cbrt ---- */

typedef struct {
    double high, low;
} f64_two;

/* log of a positive number, to 2^-65 of it: as f64_log_of, with L(z) = 2/3 + z Q(z), Q of degree 7; what is not small against the result has two parts. */
static inline f64_two f64_log_two(double x)
{
    bool tiny = x < DBL_MIN;
    f64_split v = f64_split_of(tiny ? x * 0x1p54 : x);
    double e = v.e - (tiny ? 54.0 : 0.0), below = v.f + 2, by = 1 / below, s = v.f * by;
    double s_low = (f64_minus(v.f, s, below) - s * (v.f - (below - 2))) * by;
    double z = s * s, z_low = F64_fma(s + s, s_low, f64_lost(s, s, z)), zz = z * z;
    double p = F64_fma(zz, 0.11674824892893075, 0.1538455688140172);
    double o = F64_fma(zz, 0.11988965759698067, 0.1333631706480716);
    p = F64_fma(zz, p, 0.22222222217538068);
    o = F64_fma(zz, o, 0.18181818870141742);
    p = F64_fma(zz, p, 0.3999999999999998);
    o = F64_fma(zz, o, 0.28571428571445107);
    double q = z * F64_fma(z, o, p), l = 0.66666666666666663 + q;
    double l_low = (0.66666666666666663 - l) + q + F64_fma(z_low, 0.4, 3.7007434154171883e-17);
    double w = z * l, w_low = f64_lost(z, l, w) + F64_fma(z, l_low, z_low * l);
    double t = s * w, t_low = f64_lost(s, w, t) + F64_fma(s, w_low, s_low * w);
    double near = 2 * s + t, near_low = (2 * s - near) + t;
    double far = e * 0.69314718055989033, high = far + near;
    double low = F64_fma(e, 5.4979230187083712e-14, F64_fma(2, s_low, t_low));
    return (f64_two){high, ((far - high) + near) + (near_low + low)};
}

/* What no logarithm says of x^y: r is that of |x|. */
static inline double f64_pow_edges(double x, double y, double r)
{
    double a = fabs(x), half = 0.5 * y;
    bool whole = F64_rint(y) == y, odd = whole & (F64_rint(half) != half);
    r = a == 0 ? (y < 0 ? INFINITY : 0) : r;
    r = a > DBL_MAX ? (y < 0 ? 0 : INFINITY) : r;
    r = a == 1 ? 1 : r; /* of infinite y, too */
    r = ((x < 0) & !whole & (a <= DBL_MAX) & (fabs(y) <= DBL_MAX)) ? NAN : r;
    r = f64_of(f64_bits(r) ^ (odd ? f64_bits(x) & 0x8000000000000000 : 0));
    r = ((x != x) | (y != y)) ? x + y : r;
    return ((x == 1) | (y == 0)) ? 1 : r;
}

MATH double F64_pow(double x, double y)
{
    f64_two l = f64_log_two(fabs(x));
    double by = f64_within(y, -0x1p66, 0x1p66), t = by * l.high;
    double low = F64_fma(by, l.low, f64_lost(by, l.high, t)), near = f64_within(t, -746, 710);
    f64_power e = f64_exp_parts(near, near == t ? low : 0);
    return f64_pow_edges(x, y, f64_scaled(f64_exp_near(e), e.m, t < -745.14));
}

/* v = 2^(e - 3 n) m, 0.5 <= v < 4: the inverse root of m by a polynomial of degree 4, to 2^-14, that of v by one step of the fourth order, then the root by one of Newton's in two parts. */
MATH double F64_cbrt(double x)
{
    double a = fabs(x);
    bool tiny = a < DBL_MIN;
    uint64_t b = f64_bits(tiny ? a * 0x1p54 : a);
    double e = f64_of(b >> 52 | 0x4330000000000000) - (tiny ? 0x1p52 + 1077 : 0x1p52 + 1023);
    double m = f64_of((b & 0x000FFFFFFFFFFFFF) | 0x3FF0000000000000);
    double t = F64_fma(e, 0.33333333333333331, F64_TO_INT), rest = F64_fma(t - F64_TO_INT, -3, e);
    double y = F64_fma(m, 0.028590337017146489, -0.22123357652497863);
    y = F64_fma(m, y, 0.69547286926987006);
    y = F64_fma(m, y, -1.1728705164455091);
    y = F64_fma(m, y, 1.6700032062130339);
    double v = rest > 0 ? m + m : m, root = rest > 0 ? 0.79370052598409979 : 1;
    v = rest < 0 ? 0.5 * m : v;
    root = rest < 0 ? 1.2599210498948732 : root;
    y = y * root;
    double d = f64_minus(1, v * y, y * y);
    double step =
        F64_fma(d, F64_fma(d, 0.1728395061728395, 0.22222222222222221), 0.33333333333333331);
    y = F64_fma(y * d, step, y);
    double yy = y * y, r = v * yy, rr = r * r;
    d = F64_fma(f64_lost(r, r, rr), r, -f64_minus(v, rr, r));
    r = F64_fma(d * yy, -0.33333333333333331, r);
    double c = f64_signed(r * f64_of((f64_bits(t) + 1023) << 52), x);
    return ((x == 0) | !(a <= DBL_MAX)) ? x : c;
}

/* ---- atan2 and angles made of it ---- */

/* The angle of the nearer axis or diagonal, c quarters of pi, and what is beside it: atan q = q + q z A(z), z = q^2, of a quotient of at most 0.4143. A is of degree
 * 10, with an error of 2^-59 of the angle. */
static inline double f64_atan_of(double q)
{
    double z = q * q, zz = z * z;
    double p = F64_fma(zz, -0.017920741671393566, -0.050397923634771982);
    double o = F64_fma(zz, 0.038076942763121117, 0.058479973865190819);
    p = F64_fma(zz, p, -0.066631188398758992);
    o = F64_fma(zz, o, 0.076920615053398797);
    p = F64_fma(zz, p, -0.090908978293081574);
    o = F64_fma(zz, o, 0.1111111078590085);
    p = F64_fma(zz, p, -0.14285714280244061);
    o = F64_fma(zz, o, 0.19999999999954041);
    p = F64_fma(zz, p, -0.33333333333333198);
    return F64_fma(q * z, F64_fma(z, o, p), q);
}

static inline double f64_add_quarters(double a, double c)
{
    return F64_fma(c, 0.78539816339744828, F64_fma(c, 3.061616997868383e-17, a));
}

MATH double F64_atan2(double y, double x)
{
    double ax = fabs(x), ay = fabs(y);
    double most = ax > ay ? ax : ay, least = ax > ay ? ay : ax;
    bool both = least > DBL_MAX, diagonal = both | (least > 0.41421356237309503 * most);
    double scale = most > 1 ? 0.25 : 1; /* sums of the greatest numbers */
    double above = diagonal ? least * scale - most * scale : least;
    double below = diagonal ? least * scale + most * scale : most;
    double q = above / below;
    q = ((most == 0) | both) ? 0 : q;
    double a = f64_atan_of(q), c = diagonal ? 1 : 0;
    a = ay > ax ? -a : a;
    c = ay > ax ? 2 - c : c;
    bool left = f64_bits(x) >> 63;
    a = left ? -a : a;
    c = left ? 4 - c : c;
    double r = f64_signed(f64_add_quarters(a, c), y);
    return ((x != x) | (y != y)) ? x + y : r;
}

MATH double F64_atan(double x)
{
    double a = fabs(x);
    bool far = a > 2.4142135623730949, diagonal = a > 0.41421356237309503;
    double above = diagonal ? a - 1 : a, below = diagonal ? a + 1 : 1, c = diagonal ? 1 : 0;
    above = far ? -1 : above;
    below = far ? a : below;
    return f64_signed(f64_add_quarters(f64_atan_of(above / below), far ? 2 : c), x);
}

MATH double F64_asin(double x)
{
    return F64_atan2(x, F64_sqrt((1 - x) * (1 + x)));
}

MATH double F64_acos(double x)
{
    return F64_atan2(F64_sqrt((1 - x) * (1 + x)), x);
}

/* ---- sin, cos, tan: of numbers up to F64_bound; others are left to libm ---- */

#define F64_bound 0x1p40

/* x = n pi/2 + r + low. */
typedef struct {
    double r, low;
    uint64_t n;
} f64_angle;

/* With pi/2 in three parts of 53 bits. The difference to the first product is a number: it has no more than 53 bits, since x and that part are multiples of 2^-53. */
static inline f64_angle f64_reduce(double x)
{
    double t = F64_fma(x, 0.63661977236758138, F64_TO_INT), n = t - F64_TO_INT;
    double near = f64_minus(x, n, 1.5707963267948966), w = n * 6.123233995736766e-17;
    double r = near - w, back = r - near, lost = (near - (r - back)) - (w + back);
    double low = lost - f64_lost(n, 6.123233995736766e-17, w);
    low = F64_fma(n, 1.4973849048591698e-33, low);
    double sum = r + low;
    return (f64_angle){sum, low - (sum - r), f64_bits(t)};
}

/* r + r z S(z), z = r^2 up to (pi/4)^2: S of degree 5, an error of 2^-57 of the sine. */
static inline double f64_sin_of(f64_angle a, double z)
{
    double p = F64_fma(z, 1.5896813415660635e-10, -2.5050758413404018e-08);
    p = F64_fma(z, p, 2.7557313693766462e-06);
    p = F64_fma(z, p, -0.00019841269829812958);
    p = F64_fma(z, p, 0.0083333333333224201);
    p = F64_fma(z, p, -0.16666666666666632);
    return a.r + F64_fma(a.r * z, p, F64_fma(-0.5 * z, a.low, a.low));
}

/* 1 - z/2 + z^2 C(z): C of degree 5, an error of 2^-60. */
static inline double f64_cos_of(f64_angle a, double z)
{
    double p = F64_fma(z, -1.1359660657210675e-11, 2.0875723514578425e-09);
    p = F64_fma(z, p, -2.7557314354057007e-07);
    p = F64_fma(z, p, 2.4801587289487981e-05);
    p = F64_fma(z, p, -0.0013888888888874133);
    p = F64_fma(z, p, 0.041666666666666602);
    double h = 0.5 * z, w = 1 - h;
    return w + (((1 - w) - h) + F64_fma(z * z, p, -a.r * a.low));
}

static inline double f64_sin_quarter(f64_angle a, uint64_t n)
{
    double z = a.r * a.r, s = f64_sin_of(a, z), c = f64_cos_of(a, z);
    return f64_of(f64_bits(n & 1 ? c : s) ^ (n & 2) << 62);
}

MATH double F64_near_sin(double x)
{
    f64_angle a = f64_reduce(x);
    double y = f64_sin_quarter(a, a.n);
    return x == 0 ? x : y;
}

MATH double F64_near_cos(double x)
{
    f64_angle a = f64_reduce(x);
    return f64_sin_quarter(a, a.n + 1);
}

MATH double F64_near_tan(double x)
{
    f64_angle a = f64_reduce(x);
    double z = a.r * a.r, s = f64_sin_of(a, z), c = f64_cos_of(a, z);
    double y = (a.n & 1 ? -c : s) / (a.n & 1 ? s : c);
    return x == 0 ? x : y;
}

/* ---- erf ---- */

/* erfc of a >= 0.99: e^(-a^2) t G(u), t = 1 / (a + 3) in two parts, u = 3 t - 0.203125, where the first coefficient is nearly a number. G is of degree 19, with an error of
 * 2^-55 up to 27.3. */
static inline double f64_erfc_of(double x)
{
    double a = x > 27.3 ? 27.3 : x, below = a + 3, t = 1 / below;
    double low = t * (f64_minus(1, below, t) - (a - (below - 3)) * t);
    double u = F64_fma(3, t, -0.203125) + 3 * low, z = u * u;
    double g = F64_fma(z, 0.0083458718092035249, 0.14144888754006801);
    double o = F64_fma(z, 0.0040213118563015649, -0.07676561782772022);
    g = F64_fma(z, g, -0.014779257739764786);
    o = F64_fma(z, o, -0.084393026462978762);
    g = F64_fma(z, g, 0.044679833259695323);
    o = F64_fma(z, o, -0.011541679977511226);
    g = F64_fma(z, g, -0.017560420509376642);
    o = F64_fma(z, o, 0.046786230265591033);
    g = F64_fma(z, g, -0.096733116351936654);
    o = F64_fma(z, o, -0.09416312011169467);
    g = F64_fma(z, g, 0.26836952103658884);
    o = F64_fma(z, o, 0.028825136777667803);
    g = F64_fma(z, g, 0.79137636277710277);
    o = F64_fma(z, o, 0.55120997522801352);
    g = F64_fma(z, g, 0.94190320386201332);
    o = F64_fma(z, o, 0.92762503915984695);
    g = F64_fma(z, g, 0.70547411024303563);
    o = F64_fma(z, o, 0.85438881905354369);
    g = F64_fma(u, o, g);
    g = F64_fma(t, g, low * g);
    double square = a * a;
    f64_power e = f64_exp_parts(-square, -f64_lost(a, a, square));
    return f64_scaled(F64_fma(e.r + e.rest, g, g), e.m, a > 27.25);
}

/* erf of 0.99 <= a <= 6: as above with u = 3 t - 0.5, and G of degree 11, since the error counts against 1 and not against erfc: 2^-56. */
static inline double f64_erf_far(double a)
{
    double t = 1 / (a + 3), u = F64_fma(3, t, -0.5), z = u * u;
    double g = F64_fma(z, 0.11130906996173986, -0.14251335062477663);
    double o = F64_fma(z, -0.0951359962579158, 0.14634229396178502);
    g = F64_fma(z, g, -0.077666846417599814);
    o = F64_fma(z, o, -0.38785577286379336);
    g = F64_fma(z, g, 1.9124438418799885);
    o = F64_fma(z, o, 0.85847795589750919);
    g = F64_fma(z, g, 2.3609134284627276);
    o = F64_fma(z, o, 2.4837381033991752);
    g = F64_fma(z, g, 1.0740069070884064);
    o = F64_fma(z, o, 1.7667889063338378);
    g = t * F64_fma(u, o, g);
    f64_power e = f64_exp_parts(-a * a, 0);
    return 1 - F64_fma(e.r + e.rest, g, g) * f64_of((e.m - 1023) << 52);
}

/* erf of |x| < 1 is x + x P(z), z = x^2. P is of degree 12, with an error of 2^-56 of the result. */
static inline double f64_erf_rest(double x)
{
    double z = x * x, zz = z * z;
    double p = F64_fma(zz, 5.9606480838610309e-11, 1.4660322504189007e-08);
    double o = F64_fma(zz, -1.1374932719130314e-09, -1.6350395258390387e-07);
    p = F64_fma(zz, p, 1.6461008383036737e-06);
    o = F64_fma(zz, o, -1.4925595766039868e-05);
    p = F64_fma(zz, p, 0.00012055331132690938);
    o = F64_fma(zz, o, -0.00085483269814180471);
    p = F64_fma(zz, p, 0.005223977624828297);
    o = F64_fma(zz, o, -0.026866170645077861);
    p = F64_fma(zz, p, 0.11283791670954885);
    o = F64_fma(zz, o, -0.37612638903183748);
    p = F64_fma(zz, p, 0.12837916709551259);
    return F64_fma(z, o, p);
}

MATH double F64_erfc(double x)
{
    double a = fabs(x), y = f64_erfc_of(a), near = F64_fma(-x, f64_erf_rest(x), 1 - x);
    y = x < 0 ? 2 - y : y;
    return a < 1 ? near : y;
}

MATH double F64_erf(double x)
{
    double a = fabs(x), near = F64_fma(x, f64_erf_rest(x), x);
    double far = f64_signed(f64_erf_far(a > 6 ? 6 : a), x);
    return a < 1 ? near : a != a ? x : far;
}

/* ---- Functions of f32 that need more digits on the way ---- */

/* x (x + 1) ... (x + 7), and its derivative: by q = x (x + 7), q (q + 6) (q + 10) (q + 12). */
static inline double f64_eight(double x, double *slope)
{
    double q = x * (x + 7);
    *slope = (2 * x + 7) * F64_fma(q, F64_fma(q, F64_fma(4, q, 84), 504), 720);
    return q * (q + 6) * ((q + 10) * (q + 12));
}

/* Stirling's series of an f32 that is at least 8, which others become by the product above, and numbers below 1/2 by reflection. */
MATH double f64_lgamma_of_f32(double x)
{
    bool reflected = x < 0.5, low;
    double y = reflected ? 1 - x : x, slope, eight = f64_eight(y, &slope);
    low = y < 8;
    double z = low ? y + 8 : y, i = 1 / z, i2 = i * i;
    double t = F64_fma(i2, 1.0 / 156, -691.0 / 360360);
    t = F64_fma(i2, t, 1.0 / 1188);
    t = F64_fma(i2, t, -1.0 / 1680);
    t = F64_fma(i2, t, 1.0 / 1260);
    t = F64_fma(i2, t, -1.0 / 360);
    t = F64_fma(i2, t, 1.0 / 12);
    double sum = F64_fma(i, t, F64_fma(z - 0.5, F64_log(z), 0.91893853320467274 - z));
    double r = x - F64_rint(x), sine = fabs(F64_near_sin(3.1415926535897931 * r));
    double rest = F64_log((low ? eight : 1) * (reflected ? 3.1415926535897931 / sine : 1));
    double v = reflected ? rest - sum : sum - rest;
    v = ((x == 1) | (x == 2)) ? 0 : v; /* next to them an f32 has 25 digits of the difference */
    return fabs(x) > FLT_MAX || (reflected && r == 0) ? INFINITY : v;
}

MATH double f64_digamma_of_f32(double x)
{
    bool reflected = x < 0.5, low;
    double y = reflected ? 1 - x : x, slope, eight = f64_eight(y, &slope);
    low = y < 8;
    double z = low ? y + 8 : y, i = 1 / z, i2 = i * i;
    double t = F64_fma(i2, 1.0 / 12, -691.0 / 32760);
    t = F64_fma(i2, t, 1.0 / 132);
    t = F64_fma(i2, t, -1.0 / 240);
    t = F64_fma(i2, t, 1.0 / 252);
    t = F64_fma(i2, t, -1.0 / 120);
    t = F64_fma(i2, t, 1.0 / 12);
    double v = F64_log(z) - F64_fma(i2, t, i / 2) - (low ? slope / eight : 0);
    double r = 3.1415926535897931 * (x - F64_rint(x));
    double other = 3.1415926535897931 * F64_near_cos(r) / F64_near_sin(r);
    v = reflected ? v - other : v;
    return reflected && r == 0 ? NAN : v;
}

#endif
