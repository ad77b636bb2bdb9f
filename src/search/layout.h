/* SPDX-License-Identifier: Apache-2.0 */
/* layout.h - how a tensor is laid out on a mesh, as the search sees it: each axis, or each part of one, cuts one
 * dimension or none. */
#ifndef TSR_SEARCH_LAYOUT_H
#define TSR_SEARCH_LAYOUT_H

#include "base/map.h"
#include "ir/ir.h"
#include "shard/core/axis.h"
#include "sim/device.h"

enum { TSR_SEARCH_AXES = 4 };

typedef struct {
    uint8_t at[TSR_SEARCH_AXES]; /* by axis of the mesh: 1 + dimension; 0: none */
} tsr_layout;

typedef struct {
    uint32_t n;
    int64_t sizes[TSR_SEARCH_AXES];
    tsr_str names[TSR_SEARCH_AXES];
    bool more[TSR_SEARCH_AXES]; /* a part of the same mesh axis as the entry before it */
    bool pads;                  /* sizes that axes do not divide may be cut, except in arguments */
} tsr_search_mesh;

/* Whether a dimension of an op can be cut into this many parts. */
bool tsr_search_mesh_cuts(const tsr_search_mesh *mesh, int64_t size, int64_t parts);

/* Splits an axis in two, the first part of size first, which divides the axis; false: there are too many axes. */
bool tsr_search_mesh_split(const tsr_search_mesh *mesh, uint32_t axis, int64_t first,
                           tsr_search_mesh *out);
/* Prints the axes of the mesh, with all their parts: "x=2<between>y=4". */
void tsr_search_mesh_text(tsr_buf *out, const tsr_search_mesh *mesh, const char *between);
/* The name of an axis or part: "x", "x:(1)2". */
void tsr_search_axis_text(tsr_buf *out, const tsr_search_mesh *mesh, uint32_t axis);
/* Whether the axis or part is within whole, a part of a mesh axis. */
bool tsr_search_axis_in(const tsr_search_mesh *mesh, uint32_t axis, tsr_axis whole);

/* A fixed layout for the result of an op, or for an operand at its use. */
typedef struct {
    uint32_t op;      /* its id */
    uint32_t operand; /* 1 + its number; 0: the result */
    tsr_layout layout;
} tsr_layout_pin;

static inline bool tsr_layout_eq(tsr_layout a, tsr_layout b)
{
    uint32_t x, y; /* compilers make calls of memcmp where they optimize little */
    memcpy(&x, &a, sizeof x);
    memcpy(&y, &b, sizeof y);
    return x == y;
}
/* The number of parts into which the layout cuts a tensor; or one dimension of it. */
double tsr_layout_parts(const tsr_search_mesh *mesh, tsr_layout l);
int64_t tsr_layout_parts_of(const tsr_search_mesh *mesh, tsr_layout l, uint32_t dim);
/* Bytes of a part; 0 if the size is unknown. */
double tsr_layout_bytes(const tsr_search_mesh *mesh, const tsr_type *type, tsr_layout l);
/* Prints it as on the command line: "dp,_,tp" (shard/core/given.h). */
void tsr_layout_text(tsr_buf *out, const tsr_search_mesh *mesh, const tsr_type *type, tsr_layout l);
/* The stride between neighbours along an axis. */
int64_t tsr_search_stride(const tsr_search_mesh *mesh, uint32_t axis);

/* The cost of changing one layout to another, from the planner of reshards. Its steps depend on which parts divide which
 * dimensions, and the time of each grows linearly with its bytes: tensors of different sizes share most costs. */
typedef struct {
    tsr_arena arena;
    const tsr_search_mesh *mesh;
    const tsr_device_file *device;
    tsr_axis_lists lists;
    tsr_map shapes, known;
} tsr_moves;

void tsr_moves_init(tsr_moves *m, const tsr_search_mesh *mesh, const tsr_device_file *device);
void tsr_moves_free(tsr_moves *m);
/* What moves of a type's tensors have in common with those of other types. */
typedef struct tsr_moves_shape tsr_moves_shape;
const tsr_moves_shape *tsr_moves_shape_of(tsr_moves *m, const tsr_type *type);
/* bytes: of a part of the tensor in the layout from. */
double tsr_moves_seconds(tsr_moves *m, const tsr_moves_shape *shape, tsr_layout from, tsr_layout to,
                         double bytes);

#endif
