/* strided.h - moving elements between arrays of any strides, and indices that programs compute.
 *
 * Strides count bytes, so that an inner run can become one larger unit. A move is prepared once (loops of one turn
 * dropped, neighbours merged, a transposition recognised) and run as often as there are places to move between. */
#ifndef TSR_EVAL_MATH_STRIDED_H
#define TSR_EVAL_MATH_STRIDED_H

#include "eval/eval.h"

typedef struct {
    bool empty;  /* nothing to move */
    bool tiled;  /* the last two loops are a transposition: done in tiles */
    size_t rank; /* loops, outermost first */
    size_t size; /* bytes of the unit that the innermost loop moves */
    int64_t dims[TSR_MAX_RANK], to[TSR_MAX_RANK], from[TSR_MAX_RANK];
} tsr_move;

/* to, from: byte strides by dimension, 0 and negative ones too. The places written must be distinct. */
void tsr_move_init(tsr_move *m, const int64_t *dims, const int64_t *to, const int64_t *from,
                   size_t rank, size_t size);
void tsr_move_run(const tsr_move *m, char *to, const char *from);
/* Both at once. */
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

/* Sets all of t: element i of x is at low + i * step in each dimension, where that is inside; value everywhere
 * else. */
void tsr_pad_into(tsr_tensor *t, const tsr_tensor *x, const void *value, const int64_t *low,
                  const int64_t *step);

/* Simplifies nested loops in place: drops those of one turn and merges neighbours that go on where the inner one
 * ends. Returns how many are left; *some: whether there is any element at all. For moves and folds. */
size_t tsr_merge_loops(int64_t *dims, int64_t *to, int64_t *from, size_t rank, bool *some);

/* Element i as an index: what is too large for int64 is the largest one. */
int64_t tsr_get_index(const tsr_tensor *t, int64_t i);
/* The elements of a 1-dimensional tensor, at most max; how many there are. */
size_t tsr_index_list(const tsr_tensor *t, int64_t *out, size_t max);
static inline int64_t tsr_clamp(int64_t v, int64_t low, int64_t high)
{
    return v < low ? low : v > high ? high : v;
}

/* The tensor itself when it has this element type's storage already, else a converted copy: a reference that the caller
 * owns; NULL after a failure. */
tsr_tensor *tsr_converted(tsr_call *c, tsr_tensor *t, tsr_type *elem);
/* Whether each of n values is in [0, below) and none comes twice. */
bool tsr_distinct_below(const int64_t *values, size_t n, size_t below);

#endif
