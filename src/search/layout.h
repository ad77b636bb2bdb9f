/* layout.h - how a tensor lies on a mesh, as the search sees it: each axis, or each part of one, cuts one dimension or none. */
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
    bool more[TSR_SEARCH_AXES]; /* a part of the same axis of the mesh as the one before it */
    bool
        pads; /* dimensions that axes do not divide may be cut as well, but not those of arguments */
} tsr_search_mesh;

/* Whether a dimension of an op can be cut into so many parts. */
bool tsr_search_mesh_cuts(const tsr_search_mesh *mesh, int64_t size, int64_t parts);

/* The mesh with an axis in two parts, the first of this size, which divides it; false: there are too many. */
bool tsr_search_mesh_split(const tsr_search_mesh *mesh, uint32_t axis, int64_t first,
                           tsr_search_mesh *out);
/* Axes of the mesh, with all their parts: "x=2<between>y=4". */
void tsr_search_mesh_text(tsr_buf *out, const tsr_search_mesh *mesh, const char *between);
/* The name of an axis or part: "x", "x:(1)2". */
void tsr_search_axis_text(tsr_buf *out, const tsr_search_mesh *mesh, uint32_t axis);
/* Whether the part lies in the part of an axis of the mesh that begins after pre devices and has this size. */
bool tsr_search_axis_in(const tsr_search_mesh *mesh, uint32_t axis, tsr_axis whole);

/* The layout that the result of an op is to have, or that an operand is brought to. */
typedef struct {
    uint32_t op;      /* its id */
    uint32_t operand; /* 1 + its number; 0: the result */
    tsr_layout layout;
} tsr_layout_pin;

static inline bool tsr_layout_eq(tsr_layout a, tsr_layout b)
{
    return memcmp(&a, &b, sizeof a) == 0;
}
/* Devices along which a tensor in this layout is cut; of one dimension. */
double tsr_layout_parts(const tsr_search_mesh *mesh, tsr_layout l);
int64_t tsr_layout_parts_of(const tsr_search_mesh *mesh, tsr_layout l, uint32_t dim);
/* Bytes of a part; 0 for what has no known size. */
double tsr_layout_bytes(const tsr_search_mesh *mesh, const tsr_type *type, tsr_layout l);
/* As words of a command line: "dp,_,tp" (shard/core/given.h). */
void tsr_layout_text(tsr_buf *out, const tsr_search_mesh *mesh, const tsr_type *type, tsr_layout l);
/* The stride between neighbours along an axis. */
int64_t tsr_search_stride(const tsr_search_mesh *mesh, uint32_t axis);

/* What it takes to get from one layout to another, by the planner of reshards. */
typedef struct {
    tsr_arena *arena;
    const tsr_search_mesh *mesh;
    const tsr_device *device;
    tsr_axis_lists lists;
    tsr_map known;
} tsr_moves;

void tsr_moves_init(tsr_moves *m, tsr_arena *arena, const tsr_search_mesh *mesh,
                    const tsr_device *device);
void tsr_moves_free(tsr_moves *m);
double tsr_moves_seconds(tsr_moves *m, const tsr_type *type, tsr_layout from, tsr_layout to);

#endif
