/* SPDX-License-Identifier: Apache-2.0 */
/* math_f32.h - functions of f32 for tile kernels: without branches, so that compilers make vectors of them.
 *
 * Polynomials were fitted to the functions with least greatest error, weighted so that it is relative to the result. Products that are added
 * are fused where the machine can (F32_fma), so that all classes but the baseline give the same bits. The bounds in units in
 * the last place stand in tests/unit/test_math.c, which measures them. */
#ifndef TSR_EXEC_KERNEL_ISA_MATH_F32_H
#define TSR_EXEC_KERNEL_ISA_MATH_F32_H

#include <float.h>
#include <math.h>

#include "eval/math/scalar.h"

#ifndef MATH /* see math_f64.h */
#define MATH static inline
#endif

#define F32_most FLT_MAX
#define F32_least_ratio 0x1p-40f
#define F32_int int32_t
#define F32_int_of (int32_t) f32_bits
#define F32_fmod fmodf
#define F32_abs fabsf
#define F32_sqrt __builtin_sqrtf
#define F32_lgamma (float)f64_lgamma_of_f32   /* math_f64.h */
#define F32_acos (float)F64_acos              /* math_f64.h */
#define F32_acosh (float)F64_acosh            /* math_f64.h */
#define F32_asin (float)F64_asin              /* math_f64.h */
#define F32_asinh (float)F64_asinh            /* math_f64.h */
#define F32_atan (float)F64_atan              /* math_f64.h */
#define F32_atanh (float)F64_atanh            /* math_f64.h */
#define F32_cosh (float)F64_cosh              /* math_f64.h */
#define F32_sinh (float)F64_sinh              /* math_f64.h */
#define F32_digamma (float)f64_digamma_of_f32 /* math_f64.h */
#define F32_bessel_i1e (float)tsr_m_bessel_i1e
#define F32_floor __builtin_floorf
#define F32_ceil __builtin_ceilf
#define F32_rint __builtin_rintf
#define F32_round roundf

static inline uint32_t f32_bits(float x)
{
    uint32_t b;
    memcpy(&b, &x, sizeof b);
    return b;
}

static inline float f32_of(uint32_t b)
{
    float x;
    memcpy(&x, &b, sizeof x);
    return x;
}

/* NaN wins on either side. Equal numbers have equal bits, but for zeros: "and" and "or" keep the sign. */
static inline float F32_max(float x, float y)
{
    float t = x > y ? x : y, u = y > x ? y : x; /* the same but for zeros and NaN */
    t = f32_of(f32_bits(t) & f32_bits(u));
    return ((x != x) | (y != y)) ? x + y : t;
}

static inline float F32_min(float x, float y)
{
    float t = x < y ? x : y, u = y < x ? y : x;
    t = f32_of(f32_bits(t) | f32_bits(u));
    return ((x != x) | (y != y)) ? x + y : t;
}

/* The same with one number for all: what depends on it alone is computed once. The comparison gives x where it is NaN, or equal to the number. Of zeros
 * the sum gives the greater; of a number that is NaN it is NaN. */
static inline float F32_max_number(float x, float number)
{
    float more = ((number == 0) | (number != number)) ? number : -0.0f;
    return (number > x ? number : x) + more;
}

/* No negations: compilers may make differences of them, which have NaN's sign the other way. x that is +0 is above the
 * number below -0. */
static inline float F32_min_number(float x, float number)
{
    float bound = f32_bits(number) == 0x80000000 ? -0x1p-149f : number;
    float more = number != number ? number : -0.0f;
    return (bound < x ? number : x) + more;
}

static inline float F32_sign(float x) /* zeros and NaN stay */
{
    float t = x > 0 ? 1 : x;
    return x < 0 ? -1 : t;
}

static inline float F32_fma(float x, float y, float z)
{
#if defined(__FMA__) || defined(__aarch64__)
    return __builtin_fmaf(x, y, z);
#else
    return x * y + z;
#endif
}

/* Whether it is one operation, which rounds once: compilers know. */
static inline bool f32_fuses(void)
{
    return F32_fma(0x1.001p0f, 0x1.001p0f, -0x1.002p0f) != 0;
}

/* The magnitude of a with the sign of x. */
static inline float f32_signed(float a, float x)
{
    return f32_of((f32_bits(a) & 0x7FFFFFFF) | (f32_bits(x) & 0x80000000));
}

/* ---- exp and what is made of it ---- */

/* x + low = n ln 2 + r, |r| < 0.35; e^r = 1 + q. adds: there is a low. */
typedef struct {
    float q;
    int32_t n;
} f32_power;

static inline f32_power f32_exp_parts(float x, float low, bool adds)
{
    const float to_int =
        12582912.0f; /* 1.5 * 2^23: adding it rounds to an integer in the last bits */
    float t = F32_fma(x, 1.44269502f, to_int), n = t - to_int;
    float r =
        F32_fma(n, -0.693359375f, x); /* ln 2 in two parts; products with the first are exact */
    r = F32_fma(n, 2.12194440e-4f, r);
    if (adds)
        r += low;
    float p = F32_fma(r, 0.00138143184f, 0.00836885128f);
    p = F32_fma(r, p, 0.0416684011f);
    p = F32_fma(r, p, 0.166665195f);
    p = F32_fma(r, p, 0.499999934f);
    return (f32_power){F32_fma(r * r, p, r), (int32_t)(f32_bits(t) - 0x4B400000)};
}

static inline float f32_two_to(int32_t n) /* -126 <= n <= 127 */
{
    return f32_of((uint32_t)(n + 127) << 23);
}

/* Bounds of exp, of expm1, of tanh and of erfc. Compilers that know them make comparisons and selections of what is a maximum and a minimum otherwise. */
extern const float tsr_f32_exp_bounds[2], tsr_f32_expm1_bounds[2];
extern const float tsr_f32_tanh_bound[1], tsr_f32_erfc_bound[1];

/* Numbers outside [low, high] become the nearer of them; NaN stays. */
static inline float f32_within(float x, float low, float high)
{
    float t = x < low ? low : x;
    return t > high ? high : t;
}

/* In two steps, since 2^n may be no number where the result is one. What is less than all numbers is made 0 by a factor of 0: machines take long for results that are too small,
 * and masks make many. */
static inline float F32_exp(float x)
{
    f32_power e =
        f32_exp_parts(f32_within(x, tsr_f32_exp_bounds[0], tsr_f32_exp_bounds[1]), 0, false);
    int32_t half = e.n >> 1;
    float rest = x < -103.98f ? 0 : f32_two_to(e.n - half);
    return (e.q + 1) * f32_two_to(half) * rest;
}

MATH float F32_expm1(float x)
{
    f32_power e =
        f32_exp_parts(f32_within(x, tsr_f32_expm1_bounds[0], tsr_f32_expm1_bounds[1]), 0, false);
    float half = f32_two_to(e.n - 1), y = 2 * F32_fma(e.q, half, half - 0.5f);
    return x == 0 ? x : y;
}

static inline float F32_logistic(float x)
{
    float e = F32_exp(-fabsf(x));
    return (x < 0 ? e : 1) / (1 + e);
}

/* As exp_parts with 2 |x|, the 2 in the constants. n is small: where products are fused, the nearest number to ln 2 / 2 will do. */
static inline float F32_tanh(float x)
{
    const float to_int = 12582912.0f;
    float most = tsr_f32_tanh_bound[0], a = fabsf(x);
    a = a > most ? most : a;
    float s = F32_fma(a, 2.88539004f, to_int), n = s - to_int;
    float r = f32_fuses() ? F32_fma(n, -0.346573591f, a)
                          : F32_fma(n, 1.06097220e-4f, F32_fma(n, -0.3466796875f, a));
    float z = r * r, p = F32_fma(r, 0.267803252f, 0.666694403f);
    p = F32_fma(z, 0.0884116367f, p);
    p = F32_fma(z, p, F32_fma(r, 1.33332157f, 1.99999976f));
    float q = F32_fma(z, p, r + r), half = f32_two_to((int32_t)(f32_bits(s) - 0x4B400000) - 1);
    float t = F32_fma(q, half, half - 0.5f); /* (e^2|x| - 1) / 2 */
    return f32_of(f32_bits(t / (t + 1)) | (f32_bits(x) & 0x80000000));
}

/* ---- log ---- */

/* log of 2^e (1 + f), -0.3 < f < 0.42. */
static inline float f32_log_of(float f, float e)
{
    float p = F32_fma(f, -0.0763442991f, 0.127615504f), z = f * f;
    p = F32_fma(f, p, -0.131601951f);
    p = F32_fma(f, p, 0.142017625f);
    p = F32_fma(f, p, -0.166233565f);
    p = F32_fma(f, p, 0.200012267f);
    p = F32_fma(f, p, -0.250008211f);
    p = F32_fma(f, p, 0.333333317f);
    float y = F32_fma(e, -2.12194440e-4f, z * f * p);
    y = F32_fma(-0.5f, z, y);
    return F32_fma(e, 0.693359375f, f + y);
}

/* What is no positive number: log of infinity, of zero, of less, of NaN. */
static inline float f32_log_edges(float x, float y)
{
    y = x == 0 ? -INFINITY : y;
    y = x < 0 ? NAN : y;
    return x <= FLT_MAX ? y : x; /* infinity, NaN */
}

static inline float F32_log(float x)
{
    bool tiny = x < FLT_MIN;
    uint32_t b = f32_bits(tiny ? x * 0x1p23f : x);
    int32_t e = (int32_t)(b - 0x3F3504F3) >> 23; /* from the root of a half on */
    float f = f32_of(b - ((uint32_t)e << 23)) - 1;
    return f32_log_edges(x, f32_log_of(f, (float)e - (tiny ? 23.0f : 0.0f)));
}

MATH float F32_log1p(float x)
{
    float u = 1 + x, lost = x > 1 ? 1 - (u - x) : x - (u - 1);
    uint32_t b = f32_bits(u);
    int32_t e = (int32_t)(b - 0x3F3504F3) >> 23;
    float f = f32_of(b - ((uint32_t)e << 23)) - 1;
    float more = lost * f32_two_to(e > 126 ? 0 : -e);
    f = x > 0x1p60f ? f : f + more;
    float y = f32_log_edges(u, f32_log_of(f, (float)e));
    return x == 0 ? x : y;
}

/* ---- power, cbrt: in f64, which f32 needs for bounds of one unit ---- */

static inline double f32_wide_of(uint64_t b)
{
    double x;
    memcpy(&x, &b, sizeof x);
    return x;
}

/* log of a positive number, to 2^-43. */
static inline double f32_log_wide(float x)
{
    bool tiny = x < FLT_MIN;
    uint32_t b = f32_bits(tiny ? x * 0x1p24f : x);
    int32_t e = (int32_t)(b - 0x3F3504F3) >> 23;
    double f = (double)(f32_of(b - ((uint32_t)e << 23)) - 1), s = f / (f + 2), z = s * s;
    double p = 0.19584519001407916 * z + 0.2217616450433159;
    p = p * z + 0.2857210970267363;
    p = p * z + 0.39999995617058365;
    p = p * z + 0.6666666667581381;
    return ((double)e - (tiny ? 24.0 : 0.0)) * 0.6931471805599453 + (2 * s + s * z * p);
}

/* e^t of any number t, rounded to f32 once. */
static inline float f32_exp_wide(double t)
{
    const double to_int = 6755399441055744.0; /* 1.5 * 2^52 */
    t = t < -120 ? -120 : t;
    t = t > 95 ? 95 : t;
    double m = t * 1.4426950408889634 + to_int, n = m - to_int, r = t - n * 0.6931471805599453;
    uint64_t b;
    memcpy(&b, &m, sizeof b);
    double p = 0.00019916547537526203 * r + 0.0013946115326483389;
    p = p * r + 0.00833326786834061;
    p = p * r + 0.04166626914826781;
    p = p * r + 0.16666666844580905;
    p = p * r + 0.500000007825879;
    return (float)((1 + (r + r * r * p)) * f32_wide_of((b + 1023) << 52));
}

MATH float F32_pow(float x, float y)
{
    float a = fabsf(x), near = f32_within(y, -0x1p24f, 0x1p24f);
    float r = f32_exp_wide((double)y * f32_log_wide(a));
    bool whole = F32_rint(y) == y, odd = whole & ((int32_t)(y == y ? near : 0) & 1);
    r = a == 0 ? (y < 0 ? INFINITY : 0) : r;
    r = a > FLT_MAX ? (y < 0 ? 0 : INFINITY) : r;
    r = a == 1 ? 1 : r; /* of infinite y, too */
    r = ((x < 0) & !whole & (a <= FLT_MAX) & (fabsf(y) <= FLT_MAX)) ? NAN : r;
    r = f32_of(f32_bits(r) ^ (odd ? f32_bits(x) & 0x80000000 : 0));
    r = ((x != x) | (y != y)) ? x + y : r;
    return ((x == 1) | (y == 0)) ? 1 : r;
}

/* A third of the exponent, then twice the step that triples the digits. */
MATH float F32_cbrt(float x)
{
    float a = fabsf(x);
    bool tiny = a < FLT_MIN;
    a = tiny ? a * 0x1p24f : a;
    double v = (double)a, t = (double)f32_of(f32_bits(a) / 3 + 709958130), c = t * t * t;
    t = t * (v + v + c) / (v + c + c);
    c = t * t * t;
    t = t * (v + v + c) / (v + c + c);
    float y = f32_signed((float)(tiny ? t * 0x1p-8 : t), x);
    return ((x == 0) | !(fabsf(x) <= FLT_MAX)) ? x : y;
}

/* ---- atan2 ---- */

/* The angle of the nearer axis or diagonal, c quarters of pi, and what is beside it: atan of a quotient of at most 0.4143. */
MATH float F32_atan2(float y, float x)
{
    float ax = fabsf(x), ay = fabsf(y);
    float most = ax > ay ? ax : ay, least = ax > ay ? ay : ax;
    bool both = least > FLT_MAX, diagonal = both | (least > 0.414213568f * most);
    float scale = most > 1 ? 0.25f : 1; /* sums of the greatest numbers */
    float above = diagonal ? least * scale - most * scale : least;
    float below = diagonal ? least * scale + most * scale : most;
    float q = above / below;
    q = ((most == 0) | both) ? 0 : q;
    float z = q * q, p = F32_fma(z, -0.0608247630f, 0.105956338f);
    p = F32_fma(z, p, -0.142438024f);
    p = F32_fma(z, p, 0.199984878f);
    p = F32_fma(z, p, -0.333333164f);
    float a = F32_fma(q * z, p, q), c = diagonal ? 1 : 0;
    a = ay > ax ? -a : a;
    c = ay > ax ? 2 - c : c;
    bool left = f32_bits(x) >> 31;
    a = left ? -a : a;
    c = left ? 4 - c : c;
    float r = F32_fma(c, 0.785398185f, F32_fma(c, -2.18556941e-08f, a));
    r = f32_signed(r, y);
    return ((x != x) | (y != y)) ? x + y : r;
}

/* ---- sin, cos, tan: of numbers up to F32_bound; others are left to libm ---- */

#define F32_bound 65536.0f

/* x = n pi/2 + r. */
typedef struct {
    float r;
    uint32_t n;
} f32_angle;

static inline f32_angle f32_reduce(float x)
{
    const float to_int = 12582912.0f;
    float t = x * 0.636619747f + to_int, n = t - to_int;
    double r = (double)x - (double)n * 1.5707963267341256; /* 33 bits: exact */
    r -= (double)n * 6.0771005065061922e-11;
    return (f32_angle){(float)r, f32_bits(t)};
}

static inline float f32_sin_of(float r, float z)
{
    float p = F32_fma(z, -0.000195166547f, 0.00833217353f);
    return F32_fma(r * z, F32_fma(z, p, -0.166666549f), r);
}

static inline float f32_cos_of(float z)
{
    float p = F32_fma(z, 2.44324111e-05f, -0.00138873098f);
    return F32_fma(z * z, F32_fma(z, p, 0.0416666456f), F32_fma(-0.5f, z, 1));
}

static inline float f32_sin_quarter(f32_angle a, uint32_t n)
{
    float z = a.r * a.r, s = f32_sin_of(a.r, z), c = f32_cos_of(z);
    return f32_of(f32_bits(n & 1 ? c : s) ^ (n & 2) << 30);
}

static inline float f32_sin(float x)
{
    f32_angle a = f32_reduce(x);
    float y = f32_sin_quarter(a, a.n);
    return x == 0 ? x : y;
}

static inline float f32_cos(float x)
{
    f32_angle a = f32_reduce(x);
    return f32_sin_quarter(a, a.n + 1);
}

MATH float f32_tan(float x)
{
    f32_angle a = f32_reduce(x);
    float z = a.r * a.r, s = f32_sin_of(a.r, z), c = f32_cos_of(z);
    float y = (a.n & 1 ? -c : s) / (a.n & 1 ? s : c);
    return x == 0 ? x : y;
}

#define F32_near_sin f32_sin
#define F32_near_cos f32_cos
#define F32_near_tan f32_tan
#define F32_sin sinf
#define F32_cos cosf
#define F32_tan tanf

/* ---- erf ---- */

/* erfc of a >= 0: e^(-a^2) t G(t), t = 1 / (1 + a / 2). */
static inline float f32_erfc_of(float a)
{
    float t = 1 / F32_fma(0.5f, a, 1);
    float g = F32_fma(t, 0.0357094002f, -0.190687134f);
    g = F32_fma(t, g, 0.380507306f);
    g = F32_fma(t, g, -0.288204355f);
    g = F32_fma(t, g, -0.0233068011f);
    g = F32_fma(t, g, 0.0362753928f);
    g = F32_fma(t, g, 0.0545002769f);
    g = F32_fma(t, g, 0.185703714f);
    g = F32_fma(t, g, 0.245159309f);
    g = F32_fma(t, g, 0.282254469f);
    g = F32_fma(t, g, 0.282088427f);
    float most = tsr_f32_erfc_bound[0];
    a = a > most ? most : a;
    float high = f32_of(f32_bits(a) & 0xFFFFF000); /* its square is exact */
    float square = f32_fuses() ? a * a : high * high;
    float low = f32_fuses() ? -F32_fma(a, a, -square) : (high - a) * (high + a);
    f32_power e = f32_exp_parts(-square, low, true);
    int32_t half = e.n >> 1;
    g = t * g;
    return F32_fma(e.q, g, g) * f32_two_to(half) * f32_two_to(e.n - half);
}

/* erf of |x| < 1. */
static inline float f32_erf_near(float x)
{
    float z = x * x, p = F32_fma(z, 7.85385759e-05f, -0.000801019248f);
    p = F32_fma(z, p, 0.00518832756f);
    p = F32_fma(z, p, -0.0268538119f);
    p = F32_fma(z, p, 0.112835851f);
    p = F32_fma(z, p, -0.376126258f);
    p = F32_fma(z, p, 0.128379166f); /* and 1, which is added last */
    return F32_fma(x, p, x);
}

MATH float F32_erfc(float x)
{
    float a = fabsf(x), y = f32_erfc_of(a), near = 1 - f32_erf_near(x);
    y = x < 0 ? 2 - y : y;
    return a < 0.5f ? near : y;
}

MATH float F32_erf(float x)
{
    float a = fabsf(x), near = f32_erf_near(x);
    float far = f32_signed(1 - f32_erfc_of(a > 5 ? 5 : a), x);
    return a < 1 ? near : a != a ? x : far;
}

/* erf_inv(x) / x as polynomials of w = -log(1 - x^2), below 5, and of its root, interpolated at Chebyshev's points:
 * errors of 2^-27. An error of w counts little: where it is large, its root grows slowly, and elsewhere a larger constant
 * is added, which a float represents. */
MATH float F32_erf_inv(float x)
{
    uint32_t t = f32_bits((1 - x) * (1 + x));
    int32_t e = (int32_t)(t - 0x3F3504F3) >> 23;
    float w = -f32_log_of(f32_of(t - ((uint32_t)e << 23)) - 1, (float)e);
    float a = w - 1.00354004f, b = F32_sqrt(w > 5 ? w : 5) - 3.11803389f;
    float near = F32_fma(a, -8.73983098e-09f, 1.40995109e-07f);
    near = F32_fma(a, near, -5.17930744e-07f);
    near = F32_fma(a, near, -4.41849152e-06f);
    near = F32_fma(a, near, 3.81323121e-05f);
    near = F32_fma(a, near, 0.000100968031f);
    near = F32_fma(a, near, -0.00237501918f);
    near = F32_fma(a, near, 0.00422540485f);
    near = F32_fma(a, near, 0.247862897f);
    near = F32_fma(a, near, 1.12825179f);
    float far = F32_fma(b, 0.000127057218f, -0.000182179177f);
    far = F32_fma(b, far, -0.00030952743f);
    far = F32_fma(b, far, 0.00132673328f);
    far = F32_fma(b, far, -0.00257822137f);
    far = F32_fma(b, far, 0.00387014053f);
    far = F32_fma(b, far, -0.00540718544f);
    far = F32_fma(b, far, 0.00716098324f);
    far = F32_fma(b, far, 1.00361969f);
    far = F32_fma(b, far, 2.95132856f);
    float y = x * (w < 5 ? near : far);
    y = fabsf(x) == 1 ? f32_of(f32_bits(x) | 0x7F800000) : y;
    return fabsf(x) <= 1 ? y : NAN;
}

#endif
