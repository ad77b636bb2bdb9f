/* grid.h - matrices whose lines and steps lie in several strides: windows of a picture, as convolutions read them.
 *
 * Element (line, step) is at the place of the line plus the place of the step. Windows overlap, so that a picture is read as a matrix
 * that is much larger than it and is never made. */
#ifndef TSR_EXEC_KERNEL_GRID_H
#define TSR_EXEC_KERNEL_GRID_H

#include "exec/view.h"

/* A picture that lies in memory without the zeros around it: [outer dimensions][row]. */
enum { TSR_GRID_OUTER = 3 };
typedef struct {
    uint8_t rank; /* outer dimensions */
    int64_t dims[TSR_GRID_OUTER],
        low[TSR_GRID_OUTER]; /* with zeros; zeros before, or less than none: what is left out */
    int64_t sizes[TSR_GRID_OUTER], strides[TSR_GRID_OUTER]; /* in memory */
    int64_t row, before, skip,
        count; /* elements of a row: all, zeros before, left out in memory, that are there */
} tsr_grid_pad;

typedef struct tsr_grid {
    tsr_xview lines, steps; /* joined (tsr_xview_join), without offsets */
    const tsr_grid_pad
        *pad; /* places are those of the picture with its zeros; NULL: it is in memory so */
} tsr_grid;

/* The place of element i, and how many from it on lie one stride behind the other. */
int64_t tsr_grid_place(const tsr_xview *v, int64_t i, int64_t *run);
static inline int64_t tsr_grid_stride(const tsr_xview *v)
{
    return v->space.rank ? v->strides[v->space.rank - 1] : 0;
}

/* A part of such a matrix, from (line, step) on: elements of elem bytes. */
typedef struct {
    const tsr_grid *grid;
    const char *src;
    int64_t origin; /* the place that src is */
    int64_t line, lines, step, depth;
    uint32_t elem;
} tsr_grid_part;
/* As a panel [depth][width] for products; lines that are not there are zeros. */
void tsr_grid_pack(const tsr_grid_part *p, int64_t width, void *out);
/* As a matrix [lines][depth]. */
void tsr_grid_gather(const tsr_grid_part *p, void *out);
/* Rows of the picture with its zeros that lines read, from the row *first on; offset: of all places. */
int64_t tsr_grid_rows(const tsr_grid *g, int64_t line, int64_t lines, int64_t offset,
                      int64_t *first);
/* Writes these rows. src: the picture in memory, of elements of elem bytes. */
void tsr_grid_fill(const tsr_grid_pad *p, uint32_t elem, const char *src, int64_t first,
                   int64_t rows, char *out);

#endif
