/* complex.c - functions of complex numbers, by operations on their parts.
 *
 * Parts are accurate each for itself, whatever the other one is. Signs of zeros choose the side of a branch cut, as in
 * C's Annex G. Absolute values are taken first, by symmetry; large arguments have formulas of their own, since squares
 * of them overflow; squares that underflow are either negligible or not taken. */
#include "lower/chlo/elementwise.h"

static tsr_value *is_inf(tsr_build *b, tsr_value *a) /* of an absolute value */
{
    return f_eqc(b, a, INFINITY);
}

/* The smaller one by the larger one of two absolute values; 0 when both are. */
static tsr_value *ratio(tsr_build *b, tsr_value *small, tsr_value *large)
{
    return f_selectc(b, f_eqc(b, large, 0), 0, f_div(b, small, large));
}

/* ---- Products and sums of twice the precision ---- */

typedef struct {
    tsr_value *high, *low;
} pair;

/* a + b, whatever is larger. */
static pair two_sum(tsr_build *b, tsr_value *x, tsr_value *y)
{
    tsr_value *sum = f_add(b, x, y), *part = f_sub(b, sum, x);
    tsr_value *rest = f_add(b, f_sub(b, x, f_sub(b, sum, part)), f_sub(b, y, part));
    return (pair){sum, rest};
}

/* x * x, by cutting x in halves. */
static pair two_square(tsr_build *b, tsr_value *x)
{
    tsr_value *scaled = f_mulc(b, x, f_wide(x) ? 0x1p27 + 1 : 0x1p12 + 1);
    tsr_value *high = f_sub(b, scaled, f_sub(b, scaled, x)), *low = f_sub(b, x, high),
              *square = f_square(b, x);
    tsr_value *rest = f_sub(b, f_square(b, high), square);
    rest = f_add(b, rest, f_mulc(b, f_mul(b, high, low), 2));
    return (pair){square, f_add(b, rest, f_square(b, low))};
}

/* linear + x^2 + y^2, where they may cancel. */
static tsr_value *sum_of_squares(tsr_build *b, tsr_value *linear, tsr_value *x, tsr_value *y)
{
    pair xx = two_square(b, x), yy = two_square(b, y);
    pair s = two_sum(b, linear, xx.high);
    pair t = two_sum(b, s.high, yy.high);
    return f_add(b, t.high, f_add(b, f_add(b, s.low, t.low), f_add(b, xx.low, yy.low)));
}

/* ---- Logarithms and the square root ---- */

/* log |x + iy| of absolute values, far from 1. */
static tsr_value *log_hypot(tsr_build *b, tsr_value *x, tsr_value *y)
{
    tsr_value *m = f_max(b, x, y), *r = ratio(b, f_min(b, x, y), m);
    tsr_value *sum = f_add(b, f_log(b, m), f_mulc(b, f_log1p(b, f_square(b, r)), 0.5));
    return f_selectc(b, f_or(b, is_inf(b, x), is_inf(b, y)), INFINITY, sum);
}

/* Where |x + iy|^2 is between 1/2 and 2. */
static tsr_value *near_one(tsr_build *b, tsr_value *x, tsr_value *y)
{
    tsr_value *norm = f_add(b, f_square(b, x), f_square(b, y));
    return f_and(b, f_gtc(b, norm, 0.5), f_ltc(b, norm, 2));
}

void tsr_complex_log(tsr_build *b, tsr_value *x, tsr_value *y, tsr_value *out[2])
{
    tsr_value *a = f_abs(b, x), *c = f_abs(b, y);
    tsr_value *m = f_max(b, a, c), *n = f_min(b, a, c);
    tsr_value *near = f_mulc(b, f_log1p(b, sum_of_squares(b, f_const(b, m, -1), m, n)), 0.5);
    out[0] = f_select(b, near_one(b, a, c), near, log_hypot(b, a, c));
    out[1] = f_atan2(b, y, x);
}

void tsr_complex_log1p(tsr_build *b, tsr_value *x, tsr_value *y, tsr_value *out[2])
{
    tsr_value *one = f_addc(b, x, 1), *a = f_abs(b, one), *c = f_abs(b, y);
    tsr_value *near = f_mulc(b, f_log1p(b, sum_of_squares(b, f_mulc(b, x, 2), x, y)), 0.5);
    out[0] = f_select(b, near_one(b, a, c), near, log_hypot(b, a, c));
    out[1] = f_atan2(b, y, one);
}

void tsr_complex_sqrt(tsr_build *b, tsr_value *x, tsr_value *y, tsr_value *out[2])
{
    tsr_value *a = f_abs(b, x), *c = f_abs(b, y), *m = f_max(b, a, c);
    bool wide = f_wide(x);
    /* Powers of 4 that bring both parts where sums neither overflow nor lose bits, and their roots back. */
    tsr_value *huge = f_gtc(b, m, f_largest(x) / 8), *tiny = f_ltc(b, m, wide ? 0x1p-900 : 0x1p-80);
    tsr_value *up = f_const(b, m, wide ? 0x1p200 : 0x1p60),
              *down = f_const(b, m, wide ? 0x1p-100 : 0x1p-30);
    tsr_value *by =
        f_select(b, huge, f_const(b, m, 0x1p-4), f_select(b, tiny, up, f_const(b, m, 1)));
    tsr_value *back =
        f_select(b, huge, f_const(b, m, 0x1p2), f_select(b, tiny, down, f_const(b, m, 1)));
    tsr_value *sa = f_mul(b, a, by), *sc = f_mul(b, c, by), *sm = f_mul(b, m, by);
    tsr_value *r = ratio(b, f_min(b, sa, sc), sm);
    tsr_value *h = f_mul(b, sm, f_sqrt(b, f_addc(b, f_square(b, r), 1)));
    tsr_value *t = f_sqrt(b, f_mulc(b, f_add(b, h, sa), 0.5));
    tsr_value *u = ratio(b, sc, f_mulc(b, t, 2));
    t = f_mul(b, t, back);
    u = f_mul(b, u, back);
    /* t + iu for a + ic; the other half plane swaps them. */
    tsr_value *left = f_signbit(b, x);
    tsr_value *re = f_select(b, left, u, t), *im = f_select(b, left, t, u);
    tsr_value *inf = f_const(b, a, INFINITY);
    tsr_value *flat = f_mulc(b, c, 0); /* 0, or NaN with c */
    tsr_value *a_inf = is_inf(b, a), *c_inf = is_inf(b, c);
    re = f_select(b, a_inf, f_select(b, left, flat, inf), re);
    im = f_select(b, a_inf, f_select(b, left, inf, flat), im);
    re = f_select(b, c_inf, inf, re);
    im = f_select(b, c_inf, inf, im);
    out[0] = re;
    out[1] = f_signed(b, im, y);
}

/* ---- The exponential function and what follows from it ---- */

void tsr_complex_exp(tsr_build *b, tsr_value *x, tsr_value *y, tsr_value *out[2])
{
    tsr_value *e = f_exp(b, x), *root = f_exp(b, f_mulc(b, x, 0.5));
    tsr_value *large = is_inf(b, e), *cos = f_cos(b, y), *sin = f_sin(b, y);
    tsr_value *re = f_select(b, large, f_mul(b, f_mul(b, root, cos), root), f_mul(b, e, cos));
    tsr_value *im = f_select(b, large, f_mul(b, f_mul(b, root, sin), root), f_mul(b, e, sin));
    out[0] = re;
    out[1] = f_select(b, f_eqc(b, y, 0), y, im);
}

/* exp(x + iy) - 1 = (exp(x) - 1) cos y - 2 sin(y/2)^2 + i exp(x) sin y */
void tsr_complex_expm1(tsr_build *b, tsr_value *x, tsr_value *y, tsr_value *out[2])
{
    tsr_value *half = f_sin(b, f_mulc(b, y, 0.5));
    tsr_value *e[2];
    tsr_complex_exp(b, x, y, e);
    tsr_value *re = f_sub(b, f_mul(b, f_expm1(b, x), f_cos(b, y)), f_mulc(b, f_square(b, half), 2));
    out[0] = f_select(b, f_ltc(b, x, 1), re, f_subc(b, e[0], 1));
    out[0] = f_selectc(b, f_eqc(b, x, -INFINITY), -1, out[0]);
    out[1] = e[1];
}

/* f * g, where f may be infinite and g is 0 with the sign of a zero argument. */
static tsr_value *scaled(tsr_build *b, tsr_value *f, tsr_value *g)
{
    return f_select(b, f_eqc(b, g, 0), g, f_mul(b, f, g));
}

void tsr_complex_sinh(tsr_build *b, tsr_value *x, tsr_value *y, tsr_value *out[2])
{
    out[0] = f_mul(b, tsr_real_sinh(b, x), f_cos(b, y));
    out[1] = scaled(b, tsr_real_cosh(b, x), f_sin(b, y));
}

void tsr_complex_cosh(tsr_build *b, tsr_value *x, tsr_value *y, tsr_value *out[2])
{
    tsr_value *sin = f_sin(b, y), *sinh = tsr_real_sinh(b, x);
    out[0] = f_mul(b, tsr_real_cosh(b, x), f_cos(b, y));
    tsr_value *none = f_or(b, f_eqc(b, sin, 0), f_eqc(b, sinh, 0));
    out[1] = f_selectc(b, none, 0, f_mul(b, sinh, sin));
}

/* tanh(x + iy) = (t (1 + s^2), s (1 - t^2)) / (1 + (ts)^2) with t = tanh x and s = tan y; by sinh and cos, since s has
 * poles: (sinh x cosh x, sin y cos y) / (sinh(x)^2 + cos(y)^2). */
void tsr_complex_tanh(tsr_build *b, tsr_value *x, tsr_value *y, tsr_value *out[2])
{
    tsr_value *a = f_abs(b, x), *sinh = tsr_real_sinh(b, a), *cosh = tsr_real_cosh(b, a);
    tsr_value *sin = f_sin(b, y), *cos = f_cos(b, y);
    tsr_value *norm = f_add(b, f_square(b, sinh), f_square(b, cos));
    tsr_value *re = f_div(b, f_mul(b, sinh, cosh), norm), *im = f_div(b, f_mul(b, sin, cos), norm);
    /* Beyond this the real part is 1, and the imaginary part 4 sin y cos y exp(-2 a). */
    tsr_value *far = f_gtc(b, a, f_wide(x) ? 22 : 11);
    tsr_value *e = f_mulc(b, f_exp(b, f_neg(b, a)), 2);
    out[0] = f_signed(b, f_selectc(b, far, 1, re), x);
    out[1] = f_select(b, f_eqc(b, y, 0), y,
                      f_select(b, far, f_mul(b, f_mul(b, f_mul(b, sin, cos), e), e), im));
}

/* tan z = -i tanh(iz) */
void tsr_complex_tan(tsr_build *b, tsr_value *x, tsr_value *y, tsr_value *out[2])
{
    tsr_value *t[2];
    tsr_complex_tanh(b, y, x, t);
    out[0] = t[1];
    out[1] = t[0];
}

void tsr_complex_conj(tsr_build *b, tsr_value *x, tsr_value *y, tsr_value *out[2])
{
    out[0] = x;
    out[1] = f_neg(b, y);
}

/* (x - y)(x + y) keeps what x^2 - y^2 would cancel; both are infinite only when the product is. */
void tsr_complex_square(tsr_build *b, tsr_value *x, tsr_value *y, tsr_value *out[2])
{
    tsr_value *same = f_eq(b, f_abs(b, x), f_abs(b, y)),
              *re = f_mul(b, f_sub(b, x, y), f_add(b, x, y));
    tsr_value *finite = f_ltc(b, f_abs(b, x), INFINITY);
    out[0] = f_select(b, f_and(b, same, finite), f_const(b, x, 0), re);
    out[1] = f_mulc(b, f_mul(b, x, y), 2);
}

/* ---- asin and its relatives ---- */

/* With a the half sum of the distances of |x| + i|y| to -1 and 1 (Hull, Fairgrieve and Tang): root = sqrt(a^2 - x^2)
 * and imag = acosh a. Then asin = atan(x / root), acos = atan(root / x), and imag is the other part of both. */
static void arc_kernel(tsr_build *b, tsr_value *re, tsr_value *im, tsr_value **root,
                       tsr_value **imag)
{
    tsr_value *x = f_abs(b, re), *y = f_abs(b, im), *yy = f_square(b, y);
    tsr_value *plus = f_addc(b, x, 1), *minus = f_subc(b, x, 1), *gap = f_abs(b, minus);
    tsr_value *r = f_sqrt(b, f_add(b, f_square(b, plus), yy));
    tsr_value *s = f_select(b, f_eqc(b, minus, 0), y, f_sqrt(b, f_add(b, f_square(b, minus), yy)));
    tsr_value *a = f_mulc(b, f_add(b, r, s), 0.5);
    tsr_value *rp = f_add(b, r, plus), *sg = f_add(b, s, gap);
    tsr_value *inside = f_ltc(b, x, 1), *outside = f_gtc(b, x, 1);
    /* Of a - 1 and a - x, one has y^2 in both terms, which is taken out of the root, and the other one does not. */
    tsr_value *both = f_mulc(b, f_add(b, f_rdivc(b, 1, rp), f_rdivc(b, 1, sg)), 0.5);
    tsr_value *one = f_mulc(b, f_add(b, f_div(b, yy, rp), sg), 0.5);
    tsr_value *a1 = f_select(b, inside, f_mul(b, yy, both), one), *more = f_addc(b, a, 1),
              *ax = f_add(b, a, x);
    tsr_value *part = f_sqrt(b, f_mul(b, f_select(b, inside, both, one), more));
    tsr_value *near = f_log1p(b, f_add(b, a1, f_select(b, inside, f_mul(b, y, part), part)));
    tsr_value *rest = f_sqrt(b, f_mul(b, f_select(b, outside, both, one), ax));
    tsr_value *low = f_select(b, outside, f_mul(b, y, rest), rest);
    /* Far away a is |z|. */
    tsr_value *far = f_gec(b, f_max(b, x, y), f_big(x));
    tsr_value *inf = f_or(b, is_inf(b, x), is_inf(b, y));
    *root = f_select(b, f_or(b, far, inf), y, low);
    tsr_value *wide = f_addc(b, log_hypot(b, x, y), log(2));
    *imag = f_select(b, f_or(b, far, inf), wide, near);
}

void tsr_complex_kernel(tsr_build *b, tsr_value *x, tsr_value *y, tsr_value *out[2])
{
    arc_kernel(b, x, y, &out[0], &out[1]);
}

void tsr_complex_asin(tsr_build *b, tsr_value *x, tsr_value *y, tsr_value *out[2])
{
    tsr_value *root, *imag;
    arc_kernel(b, x, y, &root, &imag);
    out[0] = f_atan2(b, x, root);
    out[1] = f_signed(b, imag, y);
}

void tsr_complex_acos(tsr_build *b, tsr_value *x, tsr_value *y, tsr_value *out[2])
{
    tsr_value *root, *imag;
    arc_kernel(b, x, y, &root, &imag);
    out[0] = f_atan2(b, root, x);
    out[1] = f_select(b, f_signbit(b, y), imag, f_neg(b, imag));
}

/* asinh z = -i asin(iz) */
void tsr_complex_asinh(tsr_build *b, tsr_value *x, tsr_value *y, tsr_value *out[2])
{
    tsr_value *root, *imag;
    arc_kernel(b, y, x, &root, &imag);
    out[0] = f_signed(b, imag, x);
    out[1] = f_atan2(b, y, root);
}

void tsr_complex_acosh(tsr_build *b, tsr_value *x, tsr_value *y, tsr_value *out[2])
{
    tsr_value *root, *imag;
    arc_kernel(b, x, y, &root, &imag);
    out[0] = imag;
    out[1] = f_signed(b, f_atan2(b, root, x), y);
}

/* ---- atanh and atan ---- */

/* Of |x| + i|y|: log1p(4x / ((1 - x)^2 + y^2)) / 4 and atan2(2y, (1 - x)(1 + x) - y^2) / 2. */
void tsr_complex_atanh(tsr_build *b, tsr_value *re, tsr_value *im, tsr_value *out[2])
{
    tsr_value *x = f_abs(b, re), *y = f_abs(b, im), *yy = f_square(b, y);
    tsr_value *minus = f_rsubc(b, 1, x), *at_one = f_eqc(b, minus, 0);
    tsr_value *norm = f_add(b, f_square(b, minus), yy);
    tsr_value *near = f_mulc(b, f_log1p(b, f_div(b, f_mulc(b, x, 4), norm)), 0.25);
    /* At x = 1 the norm underflows long before the logarithm notices. */
    tsr_value *pole = f_mulc(b, f_rsubc(b, log(2), f_log(b, y)), 0.5);
    near = f_select(b, f_and(b, at_one, f_ltc(b, y, f_epsilon(x))), pole, near);
    tsr_value *angle = f_sub(b, f_mul(b, minus, f_addc(b, x, 1)), yy);
    tsr_value *arc = f_mulc(b, f_atan2(b, f_mulc(b, y, 2), angle), 0.5);
    /* Far away: x / (x^2 + y^2) and half a turn. */
    tsr_value *m = f_max(b, x, y), *far = f_gec(b, m, f_big(x));
    tsr_value *r = f_div(b, f_min(b, x, y), m), *down = f_addc(b, f_square(b, r), 1);
    tsr_value *top = f_select(b, f_ge(b, x, y), f_const(b, x, 1), r);
    tsr_value *tail = f_div(b, f_div(b, top, m), down);
    tsr_value *inf = f_or(b, is_inf(b, x), is_inf(b, y));
    out[0] = f_selectc(b, inf, 0, f_select(b, far, tail, near));
    out[1] = f_selectc(b, f_or(b, far, inf), acos(-1) / 2, arc);
    /* What is NaN stays so, but for the real part of infinities. */
    out[1] = f_select(b, f_ne(b, y, y), y, out[1]);
    out[0] = f_signed(b, out[0], re);
    out[1] = f_signed(b, out[1], im);
}

/* atan z = -i atanh(iz) */
void tsr_complex_atan(tsr_build *b, tsr_value *x, tsr_value *y, tsr_value *out[2])
{
    tsr_value *t[2];
    tsr_complex_atanh(b, y, x, t);
    out[0] = t[1];
    out[1] = t[0];
}
