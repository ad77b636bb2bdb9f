/* SPDX-License-Identifier: Apache-2.0 */
/* gemm_real.h - tsr_gemm (gemm.h) of real floats. */
#ifndef TSR_EVAL_MATH_GEMM_REAL_H
#define TSR_EVAL_MATH_GEMM_REAL_H

#include "eval/math/gemm.h"

bool tsr_gemm_real(tsr_call *c, const tsr_matrix *a, const tsr_matrix *b, const tsr_target *out);

#endif
