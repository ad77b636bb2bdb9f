/* SPDX-License-Identifier: Apache-2.0 */
/* strided.h - copies between arrays of any strides, and indices that programs compute.
 *
 * Strides are in bytes, so that a contiguous inner run can become one larger unit. A move is prepared once (loops of
 * one iteration dropped, adjacent loops merged, a transposition recognised) and can run many times, between different
 * addresses. */
#ifndef TSR_EVAL_MATH_STRIDED_H
#define TSR_EVAL_MATH_STRIDED_H

#include "eval/eval.h"

typedef struct {
    bool empty;  /* nothing to move */
    bool tiled;  /* the last two loops are a transposition, done in tiles */
    size_t rank; /* loops, outermost first */
    size_t size; /* bytes of the unit that the innermost loop moves */
    int64_t dims[TSR_MAX_RANK], to[TSR_MAX_RANK], from[TSR_MAX_RANK];
} tsr_move;

/* to, from: byte strides by dimension, which may be 0 or negative. All destination elements must be distinct. */
void tsr_move_init(tsr_move *m, const int64_t *dims, const int64_t *to, const int64_t *from,
                   size_t rank, size_t size);
void tsr_move_run(const tsr_move *m, char *to, const char *from);
/* Prepares and runs a move. */
void tsr_move_once(char *to, const int64_t *to_strides, const char *from,
                   const int64_t *from_strides, const int64_t *dims, size_t rank, size_t size);

/* Row-major strides of a shape in bytes. */
void tsr_byte_strides(const int64_t *dims, size_t rank, size_t size, int64_t *out);
static inline size_t tsr_elem_size(const tsr_tensor *t)
{
    return tsr_dtype_bytes((tsr_dtype)t->dtype);
}
/* n copies of one element. */
void tsr_fill(void *to, const void *value, size_t size, int64_t n);

/* Writes all of t: element i of x is at low + i * step in each dimension, if that is inside; value everywhere else. */
void tsr_pad_into(tsr_tensor *t, const tsr_tensor *x, const void *value, const int64_t *low,
                  const int64_t *step);

/* Simplifies nested loops in place: drops those of one iteration and merges each with its neighbour if their strides
 * are contiguous. Returns the number of loops left; *some: whether there is any element at all. For moves and folds. */
size_t tsr_merge_loops(int64_t *dims, int64_t *to, int64_t *from, size_t rank, bool *some);

/* Element i as an index; values too large for int64 become INT64_MAX. */
int64_t tsr_get_index(const tsr_tensor *t, int64_t i);
/* Stores the elements of a 1-dimensional tensor, at most max; returns their number. */
size_t tsr_index_list(const tsr_tensor *t, int64_t *out, size_t max);
static inline int64_t tsr_clamp(int64_t v, int64_t low, int64_t high)
{
    return v < low ? low : v > high ? high : v;
}

/* The tensor itself if it already has this element type's storage, otherwise a converted copy: a reference that the
 * caller owns; NULL after a failure. */
tsr_tensor *tsr_converted(tsr_call *c, tsr_tensor *t, tsr_type *elem);
/* Whether each of n values is in [0, below) and none occurs twice. */
bool tsr_distinct_below(const int64_t *values, size_t n, size_t below);

#endif
