/* SPDX-License-Identifier: Apache-2.0 */
/* elementwise.h - functions of real and complex numbers, as StableHLO ops.
 *
 * Real functions take f32 or f64 values. Complex ones take the real and the imaginary part and return both. */
#ifndef TSR_LOWER_CHLO_ELEMENTWISE_H
#define TSR_LOWER_CHLO_ELEMENTWISE_H

#include "dialect/stablehlo/ops.h"

typedef tsr_value *tsr_real_fn(tsr_build *b, tsr_value *x);
typedef tsr_value *tsr_real2_fn(tsr_build *b, tsr_value *x, tsr_value *y);
typedef void tsr_complex_fn(tsr_build *b, tsr_value *x, tsr_value *y, tsr_value *out[2]);

/* ---- elementwise.c ---- */
tsr_real_fn tsr_real_acos, tsr_real_acosh, tsr_real_asin, tsr_real_asinh, tsr_real_atan,
    tsr_real_atanh, tsr_real_cosh, tsr_real_sinh;

/* ---- complex.c ---- */
tsr_complex_fn tsr_complex_acos, tsr_complex_acosh, tsr_complex_asin, tsr_complex_asinh,
    tsr_complex_atan, tsr_complex_atanh, tsr_complex_cosh, tsr_complex_sinh, tsr_complex_tan,
    tsr_complex_tanh, tsr_complex_conj, tsr_complex_square, tsr_complex_kernel;
tsr_complex_fn tsr_complex_exp, tsr_complex_expm1, tsr_complex_log, tsr_complex_log1p,
    tsr_complex_sqrt;

/* ---- special.c ---- */
tsr_real_fn tsr_real_erf, tsr_real_erfc, tsr_real_erf_inv, tsr_real_lgamma, tsr_real_digamma,
    tsr_real_bessel_i1e;
tsr_real2_fn tsr_real_zeta, tsr_real_polygamma;

#endif
