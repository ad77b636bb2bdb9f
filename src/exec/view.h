/* view.h - how the elements of a value lie in memory: affine views, and index spaces.
 *
 * A view says for each index of some dimensions where the element is: offset + sum of index * stride, in elements. Broadcasts,
 * transposes, slices, reversals and most reshapes are views of a value that is in memory, and cost nothing by themselves. */
#ifndef TSR_EXEC_VIEW_H
#define TSR_EXEC_VIEW_H

#include "eval/tensor.h"

/* Views of more dimensions are not made: such values are copied. */
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

/* How many elements it has; of rank 0: one. */
int64_t tsr_xspace_size(const tsr_xspace *s);
/* The space of a shape; false: it has too many dimensions. */
bool tsr_xspace_of(tsr_xspace *s, const int64_t *dims, size_t rank);
/* The coarsest space that both cut into: dims of each are runs of its dims. Both have as many elements. False: there is none. */
bool tsr_xspace_refine(tsr_xspace *out, const tsr_xspace *a, const tsr_xspace *b);

/* The view of a whole value, row major. */
tsr_xview tsr_xview_whole(const tsr_xspace *s);
bool tsr_xview_is_whole(const tsr_xview *v);
/* v over a finer space; false when fine does not refine v's. */
bool tsr_xview_cut(tsr_xview *out, const tsr_xview *v, const tsr_xspace *fine);
/* v with neighbouring dimensions joined where they lie one behind the other. */
tsr_xview tsr_xview_join(const tsr_xview *v);

/* Whether both say the same; NULL is the same as NULL. */
bool tsr_xview_same(const tsr_xview *a, const tsr_xview *b);

/* Views of shapes with all their dimensions, those of size 1 too; rank at most TSR_VIEW_RANK. strides are of the operand. */
typedef struct {
    uint8_t rank;
    int64_t dims[TSR_VIEW_RANK], strides[TSR_VIEW_RANK];
    int64_t offset;
} tsr_xshape;

bool tsr_xshape_whole(tsr_xshape *v, const int64_t *dims, size_t rank);
/* The same elements under another shape; false: they do not lie so. */
bool tsr_xshape_reshape(tsr_xshape *out, const tsr_xshape *v, const int64_t *dims, size_t rank);
tsr_xview tsr_xview_of(const tsr_xshape *v);

/* Whether rows of inner elements each have one element in v, the row's number in order: v is of rows * inner elements. */
bool tsr_xview_is_by_row(const tsr_xview *v, int64_t inner);

#endif
