/* SPDX-License-Identifier: Apache-2.0 */
/* sort_keys.h - comparators that compare keys: recognised in the body, so that it need not run.
 *
 * A key is an operand, or a part of a complex one, with zeros and NaNs made equal if the body does so. Several keys are
 * compared in order, each one if all before it are equal: or(lt, and(eq, next)) and select(eq, next, lt). */
#ifndef TSR_EVAL_MATH_SORT_KEYS_H
#define TSR_EVAL_MATH_SORT_KEYS_H

#include "eval/eval.h"

enum { TSR_MAX_SORT_KEYS = 32 };

typedef struct {
    uint32_t operand;
    uint8_t part;  /* 0: the whole operand, 1: the real part, 2: the imaginary part */
    bool one_zero; /* -0 is treated as 0 */
    bool one_nan;  /* every NaN is treated as the positive quiet one */
    bool descending;
    /* TOTALORDER; otherwise NaN is unordered: nothing is less than NaN, nor NaN than anything. */
    bool total;
} tsr_sort_key;

/* Stores the keys of a comparator whose arguments are in pairs; returns their number, 0 if it does not compare keys. */
size_t tsr_sort_keys(const tsr_region *region, tsr_sort_key *out);
/* Converts elements to unsigned numbers in the key's order. False: not possible (floats other than IEEE's, unordered
 * NaNs). */
bool tsr_sort_numbers(const tsr_sort_key *k, tsr_dtype d, const void *data, int64_t n,
                      uint64_t *out);
/* Converts an element to a number in the order of all patterns: integers by value, floats by totalOrder. */
int64_t tsr_total_key(const tsr_tensor *t, int64_t i);

#endif
