/* SPDX-License-Identifier: Apache-2.0 */
/* move.h - copies without arithmetic: permuted dimensions and boxes of strided arrays, on the pool (base/threads.h). */
#ifndef TSR_EXEC_KERNEL_MOVE_H
#define TSR_EXEC_KERNEL_MOVE_H

#include "eval/tensor.h"

/* Copies an array of any rank from one set of strides to another. Strides are in elements of elem bytes (1, 2, 4, 8 or
 * 16), and may be negative; 0 in src repeats. dst and src point to element 0; the arrays do not overlap. Slices,
 * reversals, pieces of concatenations and pads, broadcasts and transposes are all such copies. */
void tsr_move_box(size_t elem, void *dst, const int64_t *dst_strides, const void *src,
                  const int64_t *src_strides, const int64_t *dims, size_t rank);
/* Dimension i of out is dimension perm[i] of in; both are row major. dims: of in. */
void tsr_transpose(size_t elem, void *out, const void *in, const int64_t *dims, const int64_t *perm,
                   size_t rank);
/* Fills a strided box with value (the border of a pad). */
/* Copies the first of each two elements, n of them; what follows the last one is not read. elem: 4 or 8. */
void tsr_copy_firsts(size_t elem, void *dst, const void *src, int64_t n);
/* Copies rows of n elements, row elements apart, one behind the other; repeats: n times the first element of each. For
 * short rows: the ends of most are copied with what follows them in memory, which the next row takes the place of. row
 * is positive, and elem 1, 2, 4 or 8. */
void tsr_copy_short_rows(size_t elem, void *dst, const void *src, int64_t rows, int64_t n,
                         int64_t row, bool repeats);
/* The inverse of copying firsts: n elements of each of two arrays, in turns. */
void tsr_weave(size_t elem, void *dst, const void *first, const void *second, int64_t n);
void tsr_fill_box(size_t elem, void *dst, const int64_t *dst_strides, const void *value,
                  const int64_t *dims, size_t rank);

#endif
