/* SPDX-License-Identifier: Apache-2.0 */
/* wide.h - complex numbers of long doubles, in which functions of complex numbers are computed. */
#ifndef TSR_EVAL_MATH_WIDE_H
#define TSR_EVAL_MATH_WIDE_H

#include <string.h>

typedef long double _Complex tsr_wide;
static inline tsr_wide tsr_wide_of(long double re,
                                   long double im) /* CMPLXL, which not every compiler has */
{
    long double parts[2] = {re, im};
    tsr_wide z;
    memcpy(&z, parts, sizeof z);
    return z;
}

#endif
