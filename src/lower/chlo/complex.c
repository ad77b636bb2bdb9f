/* SPDX-License-Identifier: Apache-2.0 */
/* complex.c - functions of complex numbers as StableHLO ops (complex.def). */
#include "lower/chlo/elementwise.h"

typedef tsr_value *number;
typedef tsr_build maker;
#define CALL(name) tsr_complex_##name
#define COMPLEX_FN(name, re, im) \
    void tsr_complex_##name(tsr_build *b, tsr_value *re, tsr_value *im, tsr_value *out[2])
#define f_sinh tsr_real_sinh
#define f_cosh tsr_real_cosh
#include "lower/chlo/complex.def"
