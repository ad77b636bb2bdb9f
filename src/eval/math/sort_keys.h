/* sort_keys.h - comparators that say "less" by keys: read off the body, so that it need not run.
 *
 * A key is an operand, or a part of a complex one, with zeros and NaNs made equal where the body does so. Several
 * keys are compared in order, the next one where all before are equal: or(lt, and(eq, next)) and select(eq, next,
 * lt). */
#ifndef TSR_EVAL_MATH_SORT_KEYS_H
#define TSR_EVAL_MATH_SORT_KEYS_H

#include "eval/eval.h"

enum { TSR_MAX_SORT_KEYS = 32 };

typedef struct {
    uint32_t operand;
    uint8_t part;  /* 0: all of it, 1: the real part, 2: the imaginary one */
    bool one_zero; /* -0 counts as 0 */
    bool one_nan;  /* every NaN counts as the positive quiet one */
    bool descending;
    bool total; /* TOTALORDER; else a NaN is not less than anything, nor anything than it */
} tsr_sort_key;

/* The keys of a comparator with its arguments in pairs; how many; 0: it is not of this kind. */
size_t tsr_sort_keys(const tsr_region *region, tsr_sort_key *out);
/* Elements as unsigned numbers in the key's order. False: there is none (floats other than IEEE's, NaNs without an
 * order). */
bool tsr_sort_numbers(const tsr_sort_key *k, tsr_dtype d, const void *data, int64_t n,
                      uint64_t *out);
/* An element as a number in the order of all patterns: integers by value, floats by totalOrder. */
int64_t tsr_total_key(const tsr_tensor *t, int64_t i);

#endif
