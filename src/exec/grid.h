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

/* The offset of element i, and how many elements from there on are one stride apart. */
int64_t tsr_grid_place(const tsr_xview *v, int64_t i, int64_t *run);
static inline int64_t tsr_grid_stride(const tsr_xview *v)
{
    return v->space.rank ? v->strides[v->space.rank - 1] : 0;
}

/* A part of such a matrix, from (line, step) on; elem: bytes of an element. */
typedef struct {
    const tsr_grid *grid;
    const char *src;
    int64_t origin; /* the offset that src points to */
    int64_t line, lines, step, depth;
    uint32_t elem;
} tsr_grid_part;
/* Packs the part as panels [depth][width] for products, which start apart bytes from one another; missing lines of the
 * last are zeros. */
void tsr_grid_pack(const tsr_grid_part *p, int64_t width, int64_t apart, void *out);
/* Copies the part to a matrix [lines][depth]. */
void tsr_grid_gather(const tsr_grid_part *p, void *out);
/* Number of rows of the padded image that these lines read, starting at row *first; offset is added to all offsets. */
int64_t tsr_grid_rows(const tsr_grid *g, int64_t line, int64_t lines, int64_t offset,
                      int64_t *first);
/* Writes these rows. src: the image in memory, with elements of elem bytes. */
void tsr_grid_fill(const tsr_grid_pad *p, uint32_t elem, const char *src, int64_t first,
                   int64_t rows, char *out);

#endif
