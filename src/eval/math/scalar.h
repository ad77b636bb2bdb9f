/* SPDX-License-Identifier: Apache-2.0 */
/* scalar.h - scalar functions of the pointwise kernels.
 *
 * tsr_m_x: for f64, within about one unit in the last place: long double inside where libm's double is not accurate
 * enough. tsr_s_x: for results that are rounded to f32 or less: double inside. tsr_c_x: complex, in long double.
 * Functions of libm that are accurate enough have no wrapper. */
#ifndef TSR_EVAL_MATH_SCALAR_H
#define TSR_EVAL_MATH_SCALAR_H

#include "base/float.h"
#include "eval/math/wide.h"

/* clang-format off */
double tsr_m_cbrt(double x), tsr_m_expm1(double x), tsr_m_log1p(double x), tsr_m_tan(double x), tsr_m_tanh(double x);
double tsr_m_sinh(double x), tsr_m_cosh(double x), tsr_m_asinh(double x), tsr_m_acosh(double x), tsr_m_atanh(double x);
double tsr_m_asin(double x), tsr_m_acos(double x), tsr_m_atan(double x);
double tsr_m_logistic(double x), tsr_m_rsqrt(double x), tsr_m_erf(double x), tsr_m_erfc(double x);
double tsr_m_lgamma(double x);
double tsr_m_digamma(double x), tsr_m_erf_inv(double x), tsr_m_bessel_i1e(double x), tsr_m_square(double x);
double tsr_m_atan2(double y, double x), tsr_m_pow(double x, double y);
double tsr_m_zeta(double s, double q), tsr_m_polygamma(double n, double x);

double tsr_s_logistic(double x), tsr_s_rsqrt(double x), tsr_s_erf_inv(double x), tsr_s_tanh(double x);

tsr_wide tsr_c_abs(tsr_wide z), tsr_c_sign(tsr_wide z), tsr_c_negate(tsr_wide z), tsr_c_conj(tsr_wide z);
tsr_wide tsr_c_exp(tsr_wide z), tsr_c_expm1(tsr_wide z), tsr_c_log(tsr_wide z), tsr_c_log1p(tsr_wide z);
tsr_wide tsr_c_sqrt(tsr_wide z), tsr_c_rsqrt(tsr_wide z), tsr_c_cbrt(tsr_wide z), tsr_c_square(tsr_wide z);
tsr_wide tsr_c_sin(tsr_wide z), tsr_c_cos(tsr_wide z), tsr_c_tan(tsr_wide z), tsr_c_tanh(tsr_wide z);
tsr_wide tsr_c_sinh(tsr_wide z), tsr_c_cosh(tsr_wide z), tsr_c_logistic(tsr_wide z);
tsr_wide tsr_c_asin(tsr_wide z), tsr_c_acos(tsr_wide z), tsr_c_atan(tsr_wide z);
tsr_wide tsr_c_asinh(tsr_wide z), tsr_c_acosh(tsr_wide z), tsr_c_atanh(tsr_wide z), tsr_c_asin_acos_kernel(tsr_wide z);
tsr_wide tsr_c_div(tsr_wide x, tsr_wide y), tsr_c_mul(tsr_wide x, tsr_wide y);
tsr_wide tsr_c_pow(tsr_wide x, tsr_wide y), tsr_c_atan2(tsr_wide y, tsr_wide x);
/* clang-format on */

/* The neighbour of x in the direction of y; both are bit patterns of a float format. */
uint64_t tsr_math_next_after(tsr_float_kind kind, uint64_t x, uint64_t y);

#endif
