/* SPDX-License-Identifier: Apache-2.0 */
/* mesh.h - meshes of devices while StableHLO and Shardy are lowered to TTIR: the axes that device groups correspond to,
 * and the ops between global tensors and their parts. */
#ifndef TSR_LOWER_TTIR_MESH_H
#define TSR_LOWER_TTIR_MESH_H

#include "dialect/sdy/axes.h"
#include "dialect/sdy/sharding.h"
#include "dialect/ttcore/ttcore.h"
#include "lower/ttir/ttir.h"

enum { TSR_TTIR_AXES = 16 }; /* maximum number of axes here */

/* Sizes of a mesh's axes; devices are numbered with the last axis fastest. */
typedef struct {
    int64_t sizes[TSR_TTIR_AXES];
    uint32_t n;
} tsr_ttir_grid;

/* The first mesh of the enclosing modules, from ttcore.meshes or sdy.mesh; false if there is none. */
bool tsr_ttir_grid_of(const tsr_op *op, tsr_ttir_grid *out);
static inline int64_t tsr_ttir_devices(const tsr_ttir_grid *grid)
{
    int64_t n = 1;
    for (uint32_t i = 0; i < grid->n; i++)
        n *= grid->sizes[i];
    return n;
}

/* The axes, outermost first, along which devices of a group (dense, one group per row) differ. For groups of one
 * device: an axis of size 1, or none. False if groups are not of this form, or not lists. Without a mesh, uses the
 * two-dimensional one whose rows or columns are the groups. */
bool tsr_ttir_axes_of(const tsr_op *op, const tsr_attr *groups, uint32_t axes[TSR_TTIR_AXES],
                      uint32_t *n);

/* ttir.mesh_shard: v cut, or joined. shape: the number of parts of each dimension; dims: the dimension that each axis
 * of the mesh cuts, -1 for none. A tensor that is not cut at all is replicated. */
tsr_value *tsr_ttir_mesh_shard(tsr_build *b, tsr_value *v, tsr_type *type, bool full_to_shard,
                               const int64_t *shape, uint32_t rank, const int64_t *dims,
                               uint32_t naxis);

/* The same for a sharding at op: the number of parts of each dimension, and the dimension that each axis cuts. False if
 * mesh_shard cannot express it: sub-axes. ordered: axes of a dimension are in the order of the mesh, which is that of
 * mesh_shard's parts. */
bool tsr_ttir_shard_of(const tsr_op *op, const tsr_attr *sharding, tsr_i64_vec *shape,
                       tsr_i64_vec *dims, bool *ordered);

/* Gives a presharded argument of a function its local type, if op is its only user. False: it stays. */
bool tsr_ttir_retype_argument(tsr_value *v, const tsr_op *op, tsr_type *part);
/* The same for results that return v: the function returns parts instead. */
bool tsr_ttir_retype_results(tsr_value *v, tsr_value *part);

/* Inlines manual computations, and makes meshes an attribute of the module. */
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
    tsr_ptr_set called, inside, outside; /* functions: called by others; and from where */
    tsr_ptr_set nested, unclear;
} tsr_ttir_nesting;
void tsr_ttir_nesting_find(tsr_op *module, tsr_ttir_nesting *n);
void tsr_ttir_nesting_free(tsr_ttir_nesting *n);
/* v cut along the axes of the sharding at op, or joined, among the devices that differ along these axes. */
tsr_value *tsr_ttir_part_along(tsr_build *b, const tsr_op *op, tsr_value *v,
                               const tsr_attr *sharding, bool join);

/* ---- ttir/gspmd.c ---- */

/* Lowers GSPMD's custom calls @Sharding and @SPMD* inside root to mesh_shard. */
void tsr_ttir_gspmd(tsr_op *root);

#endif
