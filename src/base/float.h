/* SPDX-License-Identifier: Apache-2.0 */
/* float.h - every floating-point format as a bit pattern: to and from double, and as MLIR writes it. */
#ifndef TSR_BASE_FLOAT_H
#define TSR_BASE_FLOAT_H

#include "base/str.h"

/* FLOAT(id, name, bits, exponent bits, mantissa bits, bias, specials) of every float type: base/float.def */
typedef enum {
#define FLOAT(id, name, ...) TSR_##id,
#include "base/float.def"
    TSR_FLOAT__COUNT
} tsr_float_kind;

/* What the patterns with the largest exponent mean; see float.def. */
typedef enum {
    TSR_FLOAT_IEEE,
    TSR_FLOAT_FN,
    TSR_FLOAT_FNUZ,
    TSR_FLOAT_NONE,
    TSR_FLOAT_E8M0
} tsr_float_specials;

typedef struct {
    const char *name; /* "f8E4M3FN" */
    uint16_t bits, ebits, mbits;
    int32_t bias;
    tsr_float_specials specials;
} tsr_float_format;

extern const tsr_float_format tsr_float_formats[];

/* Formats of up to 64 bits; for wider ones only the names are known. */
double tsr_float_to_double(tsr_float_kind kind, uint64_t bits);
/* Rounds to nearest, ties to even. A value that is too large becomes infinity, or NaN if there is no infinity, or the
 * largest number if there is neither. */
uint64_t tsr_float_from_double(tsr_float_kind kind, double value);
/* Whether the pattern is neither infinity nor NaN. */
bool tsr_float_is_finite(tsr_float_kind kind, uint64_t bits);
/* Whether six digits after the point are enough; tsr_buf_float then writes d.dddddde+xx. */
bool tsr_float_is_short(tsr_float_kind kind, uint64_t bits);
/* The same form with as many digits as any number of the kind needs, so that columns of numbers line up. */
void tsr_buf_float_long(tsr_buf *b, tsr_float_kind kind, uint64_t bits);
/* As MLIR's printer writes it: 1.000000e+00, 3.1415926535, or 0x7FC00000 for values without a decimal form. */
void tsr_buf_float(tsr_buf *b, tsr_float_kind kind, uint64_t bits);

#endif
