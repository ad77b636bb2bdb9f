/* move.h - elements that only move: permuted dimensions and boxes of strided arrays, on the pool (base/threads.h). */
#ifndef TSR_EXEC_KERNEL_MOVE_H
#define TSR_EXEC_KERNEL_MOVE_H

#include "eval/tensor.h"

/* Copies an array of any rank from one set of strides (in elements of elem bytes: 1, 2, 4, 8 or 16; negative is
 * fine, 0 in src repeats) to another. dst and src point to element 0; the arrays do not overlap. Slices, reversals, pieces of concatenations and of pads, broadcasts and transposes
 * are all of this kind. */
void tsr_move_box(size_t elem, void *dst, const int64_t *dst_strides, const void *src,
                  const int64_t *src_strides, const int64_t *dims, size_t rank);
/* out, row major, has dimension i of in's perm[i]; dims: of in, which is row major. */
void tsr_transpose(size_t elem, void *out, const void *in, const int64_t *dims, const int64_t *perm,
                   size_t rank);
/* n elements of value in a strided box (the border of a pad). */
void tsr_fill_box(size_t elem, void *dst, const int64_t *dst_strides, const void *value,
                  const int64_t *dims, size_t rank);

#endif
