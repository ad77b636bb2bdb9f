/* SPDX-License-Identifier: Apache-2.0 */
/* big.h - natural numbers of up to 4096 bits, for exact decimals: more than the 53 + 2.33 * 1074 bits of the smallest
 * double. */
#ifndef TSR_BASE_BIG_H
#define TSR_BASE_BIG_H

#include "base/compiler.h"

enum { TSR_BIG_LIMBS = 130 };

typedef struct {
    uint32_t limb[TSR_BIG_LIMBS]; /* little endian */
    int n;                        /* without leading zeros */
} tsr_big;

void tsr_big_set(tsr_big *b, uint64_t v, int five, int two); /* v times 5^five times 2^two */
void tsr_big_mul(tsr_big *b, uint32_t x, uint32_t more);     /* times x, plus more */
void tsr_big_div(tsr_big *b, uint32_t x);
void tsr_big_shift(tsr_big *b, int left); /* times 2^left */
void tsr_big_halve(tsr_big *b);
int tsr_big_compare(const tsr_big *a, const tsr_big *b);
void tsr_big_subtract(tsr_big *a, const tsr_big *b); /* a is not smaller */
int tsr_big_bits(const tsr_big *b);

#endif
