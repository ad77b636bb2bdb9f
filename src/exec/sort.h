/* SPDX-License-Identifier: Apache-2.0 */
/* sort.h - the plan of a sort. */
#ifndef TSR_EXEC_SORT_H
#define TSR_EXEC_SORT_H

#include "eval/math/sort_keys.h"

enum { TSR_SORT_MOST = 16, TSR_SORT_PLACES = UINT8_MAX };

typedef struct tsr_sort_plan {
    tsr_sort_key keys[TSR_MAX_SORT_KEYS];
    size_t nkey;
    uint32_t unordered;   /* bit mask of keys whose NaNs have no order */
    int64_t slices, n, k; /* k: number of results per slice */
    /* By result: the operand, or TSR_SORT_PLACES: the indices of the elements. */
    uint8_t from[TSR_SORT_MOST];
} tsr_sort_plan;

#endif
