/* sort.h - what a sort does (sort.c). */
#ifndef TSR_EXEC_SORT_H
#define TSR_EXEC_SORT_H

#include "eval/math/sort_keys.h"

typedef struct tsr_sort_plan {
    tsr_sort_key keys[TSR_MAX_SORT_KEYS];
    size_t nkey;
    int64_t slices, n, k; /* k: results of a slice */
    bool places;          /* the second result has the numbers of elements */
} tsr_sort_plan;

#endif
