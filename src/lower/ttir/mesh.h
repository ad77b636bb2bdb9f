/* mesh.h - meshes of devices while StableHLO and Shardy become TTIR: whose axes groups of
 * devices are, and the ops that are between whole tensors and their parts. */
#ifndef TSR_LOWER_TTIR_MESH_H
#define TSR_LOWER_TTIR_MESH_H

#include "dialect/sdy/axes.h"
#include "dialect/sdy/sharding.h"
#include "dialect/ttcore/ttcore.h"
#include "lower/ttir/ttir.h"

enum { TSR_TTIR_AXES = 16 }; /* no mesh here has more */

/* Sizes of a mesh's axes; devices are numbered with the last axis fastest. */
typedef struct {
    int64_t sizes[TSR_TTIR_AXES];
    uint32_t n;
} tsr_ttir_grid;

/* The first mesh of the modules around op, of ttcore.meshes or sdy.mesh; false when there is
 * none. */
bool tsr_ttir_grid_of(const tsr_op *op, tsr_ttir_grid *out);
static inline int64_t tsr_ttir_devices(const tsr_ttir_grid *grid)
{
    int64_t n = 1;
    for (uint32_t i = 0; i < grid->n; i++)
        n *= grid->sizes[i];
    return n;
}

/* The axes, outermost first, along which devices of one of the groups (dense, a group a row)
 * differ. Of groups of one device: an axis of size 1, or none. False when groups are not so, or
 * not lists. Without a mesh, that of two dimensions that the groups are rows or columns of is
 * taken. */
bool tsr_ttir_axes_of(const tsr_op *op, const tsr_attr *groups, uint32_t axes[TSR_TTIR_AXES],
                      uint32_t *n);

/* ttir.mesh_shard: v cut, or put together. shape: into how many parts each dimension is cut;
 * dims: the dimension that each axis of the mesh cuts, -1 for none. A tensor that is not cut at
 * all is replicated. */
tsr_value *tsr_ttir_mesh_shard(tsr_build *b, tsr_value *v, tsr_type *type, bool full_to_shard,
                               const int64_t *shape, uint32_t rank, const int64_t *dims,
                               uint32_t naxis);

/* The same of a sharding at op: into how many parts each dimension is cut, and which of them
 * each axis cuts. False when mesh_shard cannot say it: parts of axes. ordered: axes of a
 * dimension are in the order of the mesh, which is that of the parts that mesh_shard makes. */
bool tsr_ttir_shard_of(const tsr_op *op, const tsr_attr *sharding, tsr_i64_vec *shape,
                       tsr_i64_vec *dims, bool *ordered);

/* An argument of a function, given in parts: its type is that of the part, when it has no other
 * use than op. False: it stays as it is. */
bool tsr_ttir_retype_argument(tsr_value *v, const tsr_op *op, tsr_type *part);
/* The same of results that return v: the function returns parts instead. */
bool tsr_ttir_retype_results(tsr_value *v, tsr_value *part);

/* Manual computations become what is inside them, meshes an attribute of the module. */
void tsr_ttir_meshes(tsr_op *module);

/* ---- ttir/ccl.c ---- */

tsr_value *tsr_ttir_all_gather(tsr_build *b, tsr_value *v, int64_t dim, uint32_t axis,
                               int64_t parts);
tsr_value *tsr_ttir_mesh_partition(tsr_build *b, tsr_value *v, int64_t dim, uint32_t axis,
                                   int64_t parts);

/* ---- ttir/nested.c ---- */

/* Manual computations that run inside others; unclear: not always. */
typedef struct {
    bool many;
    tsr_ptr_set called, inside, outside; /* functions: by others; and from where */
    tsr_ptr_set nested, unclear;
} tsr_ttir_nesting;
void tsr_ttir_nesting_find(tsr_op *module, tsr_ttir_nesting *n);
void tsr_ttir_nesting_free(tsr_ttir_nesting *n);
/* v cut along the axes of the sharding at op, or put together, among the devices that these axes tell apart. */
tsr_value *tsr_ttir_part_along(tsr_build *b, const tsr_op *op, tsr_value *v,
                               const tsr_attr *sharding, bool join);

/* ---- ttir/gspmd.c ---- */

/* GSPMD's custom calls @Sharding and @SPMD* inside root become mesh_shard. */
void tsr_ttir_gspmd(tsr_op *root);

#endif
