/* SPDX-License-Identifier: Apache-2.0 */
/* view.h - how the elements of a value are laid out in memory: affine views, and index spaces.
 *
 * A view gives the position of each element: offset + sum of index * stride, in elements. Broadcasts, transposes,
 * slices, reversals and most reshapes are views of a value in memory, and cost nothing by themselves. */
#ifndef TSR_EXEC_VIEW_H
#define TSR_EXEC_VIEW_H

#include "eval/tensor.h"

/* Values with more dimensions have no views: they are copied. */
enum { TSR_VIEW_RANK = 12 };

/* An index space, row major. Dimensions of size 1 are left out. */
typedef struct {
    uint8_t rank;
    int64_t dims[TSR_VIEW_RANK];
} tsr_xspace;

typedef struct {
    tsr_xspace space;
    int64_t offset;
    int64_t strides[TSR_VIEW_RANK];
} tsr_xview;

/* The number of elements; 1 for rank 0. */
int64_t tsr_xspace_size(const tsr_xspace *s);
/* The space of a shape; false: it has too many dimensions. */
bool tsr_xspace_of(tsr_xspace *s, const int64_t *dims, size_t rank);
/* The coarsest space that refines both: each of their dimensions is a run of its dimensions. Both have the same number
 * of elements. False: there is none. */
bool tsr_xspace_refine(tsr_xspace *out, const tsr_xspace *a, const tsr_xspace *b);

/* The view of a whole value, row major. */
tsr_xview tsr_xview_whole(const tsr_xspace *s);
bool tsr_xview_is_whole(const tsr_xview *v);
/* Whether it is one element in all places. */
bool tsr_xview_is_constant(const tsr_xview *v);
/* v over a finer space; false: fine does not refine v's space. */
bool tsr_xview_cut(tsr_xview *out, const tsr_xview *v, const tsr_xspace *fine);
/* v with adjacent dimensions merged where strides allow it. */
tsr_xview tsr_xview_join(const tsr_xview *v);

/* The position of element number i, in order. */
int64_t tsr_xview_at(const tsr_xview *v, int64_t i);
/* Whether two views are equal; NULL equals NULL. */
bool tsr_xview_same(const tsr_xview *a, const tsr_xview *b);

/* Views of shapes with all their dimensions, including those of size 1; rank at most TSR_VIEW_RANK. Strides are the
 * operand's. */
typedef struct {
    uint8_t rank;
    int64_t dims[TSR_VIEW_RANK], strides[TSR_VIEW_RANK];
    int64_t offset;
} tsr_xshape;

bool tsr_xshape_whole(tsr_xshape *v, const int64_t *dims, size_t rank);
/* The same elements in another shape; false: strides do not allow it. */
bool tsr_xshape_reshape(tsr_xshape *out, const tsr_xshape *v, const int64_t *dims, size_t rank);
tsr_xview tsr_xview_of(const tsr_xshape *v);

/* Whether v, with rows * inner elements, has one element per row of inner elements, in the order of rows. */
bool tsr_xview_is_by_row(const tsr_xview *v, int64_t inner);

#endif
