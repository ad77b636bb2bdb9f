/* SPDX-License-Identifier: Apache-2.0 */
/* grid.h - reads matrices whose lines and steps have several strides each (exec/grid.h). */
#ifndef TSR_EXEC_KERNEL_GRID_H
#define TSR_EXEC_KERNEL_GRID_H

#include "exec/grid.h"

/* The offset of element i, and how many elements from there on are one stride apart. */
int64_t tsr_grid_place(const tsr_xview *v, int64_t i, int64_t *run);

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
