/* SPDX-License-Identifier: Apache-2.0 */
/* grid.h - matrices whose lines and steps have several strides each: windows of an image, as convolutions read them.
 *
 * Element (line, step) is at the offset of the line plus the offset of the step. Windows overlap, so that an image is
 * read as a much larger matrix that is never materialized. */
#ifndef TSR_EXEC_GRID_H
#define TSR_EXEC_GRID_H

#include "exec/view.h"

/* An image that is in memory without its zero padding: [outer dimensions][row]. */
enum { TSR_GRID_OUTER = 3 };
typedef struct {
    uint8_t rank; /* outer dimensions */
    /* Sizes with padding; zeros before, or if negative: elements that are left out. */
    int64_t dims[TSR_GRID_OUTER], low[TSR_GRID_OUTER];
    int64_t sizes[TSR_GRID_OUTER], strides[TSR_GRID_OUTER]; /* in memory */
    /* Elements of a row: all with padding, zeros before, left out at the start, read from memory. */
    int64_t row, before, skip, count;
} tsr_grid_pad;

typedef struct tsr_grid {
    tsr_xview lines, steps; /* dimensions are joined (tsr_xview_join); no offsets */
    /* Offsets refer to the padded image; NULL: memory has the image as it is read. */
    const tsr_grid_pad *pad;
} tsr_grid;

static inline int64_t tsr_grid_stride(const tsr_xview *v)
{
    return v->space.rank ? v->strides[v->space.rank - 1] : 0;
}

#endif
