/* SPDX-License-Identifier: Apache-2.0 */
/* special.c - error functions, gamma functions and their relatives for real numbers.
 *
 * A function is divided into pieces that one formula fits: a constant and a rational function (coefficients.def) of a
 * variable in which the piece is smooth, times a factor with its zeros, poles and tails. All pieces are computed
 * everywhere and selected at the end; arguments are clamped to a piece where it would otherwise overflow or give noise.
 *
 * Errors are within 3 units in the last place, with two exceptions: near the zeros of lgamma and digamma at negative
 * numbers the error is that of the terms that cancel, and zeta and polygamma of large orders are within 7, since powers
 * magnify the rounding of their bases. */
#include "lower/chlo/elementwise.h"

#define C(...)      \
    {               \
        __VA_ARGS__ \
    }
#define FIT(id, shift, base, p32, q32, p64, q64) \
    static const double id##_P32[] = p32, id##_Q32[] = q32, id##_P64[] = p64, id##_Q64[] = q64;
#include "lower/chlo/coefficients.def"

#define C(...) /* only the names here */
#define FIT(id, shift, base, p32, q32, p64, q64) FIT_##id,
enum {
#include "lower/chlo/coefficients.def"
    FIT__COUNT
};

typedef struct {
    const double *c;
    size_t n;
} poly;

#define POLY(a)         \
    {                   \
        a, TSR_COUNT(a) \
    }
#define C(...)
#define FIT(id, shift, base, p32, q32, p64, q64) \
    {shift, base, {{POLY(id##_P32), POLY(id##_Q32)}, {POLY(id##_P64), POLY(id##_Q64)}}},
static const struct {
    double shift, base;
    poly pq[2][2]; /* of f32, of f64: numerator and denominator */
} fits[] = {
#include "lower/chlo/coefficients.def"
};

static tsr_value *horner(tsr_build *b, tsr_value *x, poly p)
{
    tsr_value *sum = f_const(b, x, p.c[p.n - 1]);
    for (size_t i = p.n - 1; i-- > 0;)
        sum = f_addc(b, f_mul(b, sum, x), p.c[i]);
    return sum;
}

static tsr_value *fit(tsr_build *b, int id, tsr_value *x)
{
    const poly *pq = fits[id].pq[f_wide(x)];
    if (fits[id].shift != 0)
        x = f_subc(b, x, fits[id].shift);
    tsr_value *y = f_div(b, horner(b, x, pq[0]), horner(b, x, pq[1]));
    return fits[id].base != 0 ? f_addc(b, y, fits[id].base) : y;
}

static tsr_value *clamp(tsr_build *b, double low, tsr_value *x, double high)
{
    return f_minc(b, f_maxc(b, x, low), high);
}

static tsr_value *is_whole(tsr_build *b, tsr_value *x)
{
    return f_eq(b, x, f_floor(b, x));
}

/* ---- Error functions ---- */

/* erf x for |x| <= 1. */
static tsr_value *erf_near(tsr_build *b, tsr_value *x)
{
    tsr_value *near = clamp(b, -1, x, 1);
    return f_mul(b, near, fit(b, FIT_ERF, f_square(b, near)));
}

/* erfc a for a >= 1/2: exp(-a^2) times the remaining factor. The square of the upper half of a's bits is exact, and the
 * rest is applied as a factor near 1. */
static tsr_value *erfc_far(tsr_build *b, tsr_value *a)
{
    bool wide = f_wide(a);
    a = clamp(b, 0.5, a, wide ? 27.5 : 10.5);
    tsr_type *bits = tsr_type_integer(b->ctx, wide ? 64 : 32, TSR_SIGNLESS);
    tsr_value *whole = tsr_build_bitcast(b, a, bits);
    tsr_value *mask =
        tsr_build_like_int(b, whole, bits, wide ? -((int64_t)1 << 32) : -((int64_t)1 << 12));
    tsr_value *high = tsr_build_bitcast(b, f_and(b, whole, mask), tsr_elem(a));
    tsr_value *rest = f_mul(b, f_sub(b, high, a), f_add(b, high, a));
    tsr_value *tail = f_mul(b, f_exp(b, f_neg(b, f_square(b, high))), f_exp(b, rest));
    tsr_value *near = fit(b, FIT_ERFC_NEAR, f_minc(b, a, 2));
    tsr_value *large = f_maxc(b, a, 2),
              *far = fit(b, FIT_ERFC_FAR, f_rdivc(b, 1, f_square(b, large)));
    return f_mul(b, tail, f_select(b, f_ltc(b, a, 2), near, f_div(b, far, large)));
}

tsr_value *tsr_real_erf(tsr_build *b, tsr_value *x)
{
    tsr_value *a = f_abs(b, x), *far = f_signed(b, f_rsubc(b, 1, erfc_far(b, a)), x);
    tsr_value *y = f_select(b, f_ltc(b, a, 1), erf_near(b, x), far);
    return f_select(b, f_ne(b, x, x), x, y);
}

tsr_value *tsr_real_erfc(tsr_build *b, tsr_value *x)
{
    tsr_value *a = f_abs(b, x), *far = erfc_far(b, a);
    far = f_select(b, f_ltc(b, x, 0), f_rsubc(b, 2, far), far);
    tsr_value *y = f_select(b, f_ltc(b, a, 0.5), f_rsubc(b, 1, erf_near(b, x)), far);
    return f_select(b, f_ne(b, x, x), x, y);
}

/* x F(w) with w = -log(1 - x^2), for large w as a function of its root. */
tsr_value *tsr_real_erf_inv(tsr_build *b, tsr_value *x)
{
    tsr_value *a = f_abs(b, x);
    tsr_value *small = f_log1p(b, f_neg(b, f_square(b, x)));
    tsr_value *large = f_log(b, f_mul(b, f_rsubc(b, 1, a), f_addc(b, a, 1)));
    tsr_value *w = f_neg(b, f_select(b, f_ltc(b, a, 0.5), small, large));
    tsr_value *near = fit(b, FIT_ERF_INV_NEAR, f_minc(b, w, 5));
    tsr_value *root = clamp(b, 2.2, f_sqrt(b, w), f_wide(x) ? 6.1 : 4.1);
    tsr_value *far = f_mul(b, root, fit(b, FIT_ERF_INV_FAR, root));
    tsr_value *y = f_mul(b, x, f_select(b, f_ltc(b, w, 5), near, far));
    y = f_select(b, f_eqc(b, a, 1), f_mulc(b, x, INFINITY), y);
    return f_selectc(b, f_gtc(b, a, 1), NAN, y);
}

/* ---- Gamma functions ---- */

/* The distance of a >= 0 to the nearest integer, at most 1/2, and the side it is on. */
static tsr_value *to_whole(tsr_build *b, tsr_value *a, tsr_value **above)
{
    tsr_value *part = f_sub(b, a, f_floor(b, a));
    *above = f_gtc(b, part, 0.5);
    return f_select(b, *above, f_rsubc(b, 1, part), part);
}

/* log |Gamma(a)| for a >= 1/2, log |Gamma(1 + a)| below. */
static tsr_value *lgamma_core(tsr_build *b, tsr_value *a)
{
    tsr_value *low = f_ltc(b, a, 0.5);
    tsr_value *z =
        f_minc(b, f_select(b, low, a, f_subc(b, a, 1)), 2); /* the zeros are at 0 and 1 */
    tsr_value *left = fit(b, FIT_LGAMMA_NEAR, f_minc(b, z, 0.5)),
              *right = fit(b, FIT_LGAMMA_NEXT, f_maxc(b, z, 0.5));
    tsr_value *near = f_select(b, f_ltc(b, z, 0.5), left, right);
    near = f_mul(b, f_mul(b, z, f_subc(b, z, 1)), near);
    tsr_value *m = clamp(b, 3, a, 8), *mid = f_mul(b, f_subc(b, m, 2), fit(b, FIT_LGAMMA_MID, m));
    tsr_value *large = f_maxc(b, a, 8), *inverse = f_rdivc(b, 1, large);
    tsr_value *far = f_mul(b, f_subc(b, large, 0.5), f_subc(b, f_log(b, large), 1));
    tsr_value *rest = f_mul(b, inverse, fit(b, FIT_LGAMMA_FAR, f_square(b, inverse)));
    far = f_add(b, far, f_addc(b, rest, (log(2 * acos(-1)) - 1) / 2));
    return f_select(b, f_ltc(b, a, 3), near, f_select(b, f_ltc(b, a, 8), mid, far));
}

tsr_value *tsr_real_lgamma(tsr_build *b, tsr_value *x)
{
    const double pi = acos(-1);
    tsr_value *a = f_abs(b, x), *core = lgamma_core(b, a), *low = f_ltc(b, a, 0.5), *above;
    tsr_value *right = f_select(b, low, f_sub(b, core, f_log(b, a)), core);
    /* Gamma(-a) Gamma(1 + a) = -pi / sin(pi a) */
    tsr_value *sin = f_sin(b, f_mulc(b, to_whole(b, a, &above), pi));
    tsr_value *down = f_mul(b, sin, f_select(b, low, f_const(b, a, 1), a));
    tsr_value *left = f_sub(b, f_neg(b, f_log(b, f_mulc(b, down, 1 / pi))), core);
    tsr_value *y = f_select(b, f_ltc(b, x, 0), left, right);
    return f_selectc(b, f_eqc(b, a, INFINITY), INFINITY, y);
}

/* digamma of x >= 1; d: x minus the function's zero. */
static tsr_value *digamma_core(tsr_build *b, tsr_value *x, tsr_value *d)
{
    tsr_value *near = f_mul(b, d, fit(b, FIT_DIGAMMA_NEAR, f_minc(b, d, 1.54)));
    tsr_value *mid = fit(b, FIT_DIGAMMA_MID, clamp(b, 3, x, 10));
    tsr_value *large = f_maxc(b, x, 10), *inverse = f_rdivc(b, 1, large), *v = f_square(b, inverse);
    tsr_value *rest = f_add(b, f_mulc(b, inverse, 0.5), f_mul(b, v, fit(b, FIT_DIGAMMA_FAR, v)));
    tsr_value *far = f_sub(b, f_log(b, large), rest);
    return f_select(b, f_ltc(b, x, 3), near, f_select(b, f_ltc(b, x, 10), mid, far));
}

tsr_value *tsr_real_digamma(tsr_build *b, tsr_value *x)
{
    const double pi = acos(-1);
    /* The zero, in two parts. */
    double high = f_wide(x) ? 1.4616321449683622 : 1.4616321325302124;
    double low = f_wide(x) ? 9.5499954299656977e-17 : 1.243814993891891e-8;
    tsr_value *a = f_abs(b, x), *shift = f_ltc(b, x, 1), *above;
    tsr_value *d = f_select(b, shift, f_subc(b, a, high - 1), f_subc(b, a, high));
    d = f_subc(b, d, low);
    tsr_value *core = digamma_core(b, f_select(b, shift, f_addc(b, a, 1), a), d);
    /* Below 1, the value at 1 + x minus 1/x; below 0, the value at 1 - x plus pi / tan(pi a). */
    tsr_value *angle = f_mulc(b, to_whole(b, a, &above), pi);
    tsr_value *cot = f_mulc(b, f_div(b, f_cos(b, angle), f_sin(b, angle)), pi);
    cot = f_select(b, above, f_neg(b, cot), cot);
    tsr_value *left = f_add(b, core, cot), *right = f_sub(b, core, f_rdivc(b, 1, x));
    tsr_value *y = f_select(b, shift, f_select(b, f_ltc(b, x, 0), left, right), core);
    return f_selectc(b, f_and(b, f_lec(b, x, 0), is_whole(b, x)), NAN, y);
}

/* ---- Bessel function ---- */

tsr_value *tsr_real_bessel_i1e(tsr_build *b, tsr_value *x)
{
    /* A single selection: derivatives are taken of this expansion, also at 0 and where the pieces meet. */
    tsr_value *a = f_abs(b, x), *small = f_ltc(b, a, 8), *eight = f_const(b, a, 8);
    tsr_value *near = f_mul(b, x, fit(b, FIT_I1E_NEAR, f_select(b, small, a, eight)));
    tsr_value *large = f_select(b, small, eight, a);
    tsr_value *far = f_div(b, fit(b, FIT_I1E_FAR, f_rdivc(b, 1, large)), f_sqrt(b, large));
    return f_select(b, small, near, f_signed(b, far, x));
}

/* ---- Zeta and polygamma ---- */

/* The sum of (q + k)^-s over k >= 0: ten terms, and the Euler-Maclaurin formula for the rest. */
tsr_value *tsr_real_zeta(tsr_build *b, tsr_value *s, tsr_value *q)
{
    /* Bernoulli numbers B(2j) by (2j)! */
    static const double bernoulli[] = {1.0 / 12,
                                       -1.0 / 720,
                                       1.0 / 30240,
                                       -1.0 / 1209600,
                                       1.0 / 47900160,
                                       -5.2841901386874931848e-10,
                                       1.3382536530684678833e-11,
                                       -3.3896802963225828668e-13,
                                       8.5860620562778445641e-15,
                                       -2.174868698558061873e-16,
                                       5.5090028283602295153e-18,
                                       -1.3954464685812523341e-19};
    tsr_value *minus = f_neg(b, s), *a = q, *term = f_pow(b, q, minus), *sum = term;
    for (int k = 1; k < 10; k++) {
        a = f_addc(b, q, k);
        term = f_pow(b, a, minus);
        sum = f_add(b, sum, term);
    }
    sum =
        f_add(b, sum, f_sub(b, f_div(b, f_mul(b, term, a), f_subc(b, s, 1)), f_mulc(b, term, 0.5)));
    tsr_value *inverse = f_rdivc(b, 1, f_square(b, a)), *rest = NULL;
    tsr_value *t = f_mul(b, f_div(b, term, a), s);
    for (size_t j = 0; j < TSR_COUNT(bernoulli); j++) {
        tsr_value *part = f_mulc(b, t, bernoulli[j]);
        rest = rest ? f_add(b, rest, part) : part;
        double m = 2 * (double)j + 1;
        t = f_mul(b, f_mul(b, t, f_addc(b, s, m)), f_mul(b, f_addc(b, s, m + 1), inverse));
    }
    sum = f_add(b, sum, f_selectc(b, f_eqc(b, term, 0), 0, rest));
    /* Poles, and arguments without a value. */
    tsr_value *half = f_mulc(b, s, 0.5), *even = is_whole(b, half), *down = f_lec(b, q, 0);
    tsr_value *pole = f_selectc(b, even, INFINITY, f_const(b, s, NAN));
    sum = f_select(b, f_and(b, down, f_not(b, is_whole(b, s))), f_const(b, s, NAN), sum);
    sum = f_select(b, f_and(b, down, is_whole(b, q)), pole, sum);
    sum = f_selectc(b, f_ltc(b, s, 1), NAN, sum);
    return f_selectc(b, f_eqc(b, s, 1), INFINITY, sum);
}

/* (-1)^(n+1) n! zeta(n + 1, x); digamma for n = 0. */
tsr_value *tsr_real_polygamma(tsr_build *b, tsr_value *n, tsr_value *x)
{
    enum { LISTED = 34 }; /* f32 has no larger factorials */
    tsr_value *next = f_addc(b, n, 1), *factorial = f_const(b, n, 1);
    double product = 1;
    for (int k = 2; k <= LISTED; k++)
        factorial = f_selectc(b, f_gec(b, n, k), product *= k, factorial);
    factorial = f_select(b, f_gtc(b, n, LISTED), f_exp(b, tsr_real_lgamma(b, next)), factorial);
    tsr_value *size = f_mul(b, factorial, tsr_real_zeta(b, next, x));
    tsr_value *even = is_whole(b, f_mulc(b, n, 0.5)), *y = f_select(b, even, f_neg(b, size), size);
    y = f_select(b, f_eqc(b, n, 0), tsr_real_digamma(b, x), y);
    return f_selectc(b, f_or(b, f_ltc(b, n, 0), f_not(b, is_whole(b, n))), NAN, y);
}
