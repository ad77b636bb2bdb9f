/* SPDX-License-Identifier: Apache-2.0 */
/* fold.h - reducers that need no body: add, multiply, minimum, maximum, and, or, xor on the element's own type.
 *
 * A fold combines elements of one strided array into those of another: to[i] = op(to[i], from[i]). A loop whose stride
 * in "to" is 0 is a reduction; such loops run in row-major order, so that each result receives its elements in the
 * order of the source and is rounded to its type after each. */
#ifndef TSR_EVAL_MATH_FOLD_H
#define TSR_EVAL_MATH_FOLD_H

#include "dialect/reducer.h"
#include "eval/math/strided.h"

typedef struct tsr_fold {
    tsr_reduce_kind op;
    tsr_dtype dtype;
    size_t size;
    bool wide; /* faster across results than along a reduction */
    /* n elements along one line. */
    void (*line)(const struct tsr_fold *f, char *to, int64_t ts, const char *from, int64_t fs,
                 int64_t n);
    /* TSR_FOLD_ROWS interleaved reductions of n elements each, which hides latency; NULL: there is no latency to
     * hide. */
    void (*rows)(char *to, int64_t ts, const char *from, int64_t rs, int64_t fs, int64_t n);
} tsr_fold;

enum { TSR_FOLD_ROWS = 4 };

/* Finds the fold of a kind on elements of a type; false: there is none, and the body must run. */
bool tsr_fold_find(tsr_fold *f, tsr_reduce_kind kind, const tsr_type *elem);
/* Whether op(x, value) == x for all x. */
bool tsr_fold_is_neutral(const tsr_fold *f, const void *value);

/* Prepared loops. */
typedef struct {
    bool empty, by_rows;
    size_t rank; /* loops; the last one is the line, and with by_rows the one before it the rows */
    /* > 0: the line is divided into pieces of this many elements, which stay in the cache over all loops. */
    int64_t block;
    int64_t dims[TSR_MAX_RANK], to[TSR_MAX_RANK], from[TSR_MAX_RANK];
} tsr_fold_loops;

void tsr_fold_init(tsr_fold_loops *l, const tsr_fold *f, const int64_t *dims, const int64_t *to,
                   const int64_t *from, size_t rank);
void tsr_fold_run(const tsr_fold_loops *l, const tsr_fold *f, char *to, const char *from);

#endif
