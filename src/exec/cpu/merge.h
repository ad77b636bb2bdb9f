/* SPDX-License-Identifier: Apache-2.0 */
/* merge.h - a stable sort by any comparison (merge.c). */
#ifndef TSR_EXEC_MERGE_H
#define TSR_EXEC_MERGE_H

#include <stdbool.h>
#include <stdint.h>

/* Whether the element with index a comes before that with index b. */
typedef bool tsr_less_fn(const void *with, uint64_t a, uint64_t b);
/* The indices 0 to n - 1, sorted by less; returns the list that has them, order or spare (merge.c). */
uint64_t *tsr_sort_merge(uint64_t *order, uint64_t *spare, int64_t n, tsr_less_fn *less,
                         const void *with);

#endif
