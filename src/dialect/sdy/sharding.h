/* sharding.h - questions about shardings: which mesh, which value has which, which axes are manual here.
 * Answers hold for ops that were not verified yet: what has not the right form counts as absent. */
#ifndef TSR_DIALECT_SDY_SHARDING_H
#define TSR_DIALECT_SDY_SHARDING_H

#include "dialect/sdy/sdy.h"

static inline bool tsr_sdy_is_sharding(const tsr_attr *a)
{
    return tsr_attr_is_struct(a, &tsr_def_SDY_SHARDING);
}
static inline const tsr_attr *tsr_sdy_dims(const tsr_attr *sharding)
{
    return sharding->attrs[SDY_SHARDING_dims];
}
static inline const tsr_attr *tsr_sdy_dim_axes(const tsr_attr *sharding, uint32_t dim)
{
    return tsr_sdy_dims(sharding)->attrs[dim]->attrs[SDY_DIMENSION_SHARDING_axes];
}

/* The mesh that a sharding at op is about, by name in the nearest module or written out; NULL when there is none. */
tsr_attr *tsr_sdy_mesh_of(const tsr_op *op, const tsr_attr *sharding);
bool tsr_sdy_mesh_is_maximal(const tsr_attr *mesh);
bool tsr_sdy_mesh_is_empty(const tsr_attr *mesh);
/* The one mesh of all shardings in lists (arrays of shardings; a list may be NULL), empty meshes apart. */
tsr_attr *tsr_sdy_common_mesh(const tsr_op *op, const tsr_attr *const *lists, size_t n);

/* No dimension has axes. */
bool tsr_sdy_is_replicated(const tsr_attr *sharding);
/* Closed, of this rank, no axes. */
tsr_attr *tsr_sdy_replicated(tsr_ctx *ctx, tsr_attr *mesh, int64_t rank);
/* The sharding without the axes that are named in manual (string[]). */
tsr_attr *tsr_sdy_without_axes(tsr_ctx *ctx, tsr_attr *sharding, const tsr_attr *manual);

/* Whether values flow through the op's regions or results as edges (while, case, computations, ...). */
bool tsr_sdy_is_data_flow(const tsr_op *op);
/* The value's sharding, wherever it is written; NULL when it has none. */
tsr_attr *tsr_sdy_sharding_of(const tsr_value *v);
tsr_loc tsr_value_loc(const tsr_value *v);

#endif
