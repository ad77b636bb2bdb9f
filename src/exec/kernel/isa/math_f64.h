/* math_f64.h - functions of f64 for tile kernels. */
#ifndef TSR_EXEC_KERNEL_ISA_MATH_F64_H
#define TSR_EXEC_KERNEL_ISA_MATH_F64_H

#include <float.h>
#include <math.h>

#include "eval/math/scalar.h"

#define F64_most DBL_MAX
#define F64_least_ratio 0x1p-400
#define F64_fmod fmod
#define F64_pow pow
#define F64_atan2 atan2
#define F64_abs fabs
#define F64_sqrt __builtin_sqrt
#define F64_cbrt cbrt
#define F64_exp exp
#define F64_expm1 expm1
#define F64_log log
#define F64_log1p log1p
#define F64_tanh tanh
#define F64_near_sin sin
#define F64_near_cos cos
#define F64_near_tan tan
#define F64_bound HUGE_VAL
#define F64_sin sin
#define F64_cos cos
#define F64_tan tan
#define F64_erf erf
#define F64_erfc erfc
#define F64_erf_inv tsr_m_erf_inv
#define F64_acos tsr_m_acos
#define F64_acosh tsr_m_acosh
#define F64_asin tsr_m_asin
#define F64_asinh tsr_m_asinh
#define F64_atan tsr_m_atan
#define F64_atanh tsr_m_atanh
#define F64_cosh tsr_m_cosh
#define F64_sinh tsr_m_sinh
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
    double less = ((number == 0) | (number != number)) ? -number : -0.0;
    return -(-(number < x ? number : x) + less);
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

static inline double F64_logistic(double x)
{
    double e = exp(-fabs(x));
    return (x < 0 ? e : 1) / (1 + e);
}

#endif
