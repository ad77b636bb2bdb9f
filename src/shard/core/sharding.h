/* SPDX-License-Identifier: Apache-2.0 */
/* sharding.h - tensor shardings decoded into axis lists, interned: equal shardings have equal addresses.
 *
 * A table belongs to one module and one pass: it decodes each attribute once and creates an attribute for each sharding
 * at most once. Everything is allocated in the table's arena and freed with it. */
#ifndef TSR_SHARD_CORE_SHARDING_H
#define TSR_SHARD_CORE_SHARDING_H

#include "dialect/sdy/sharding.h"
#include "shard/core/axis.h"
#include "shard/core/mesh.h"

typedef struct {
    const tsr_axes *axes;
    int64_t priority; /* -1: not given, which counts as 0 */
    bool closed;
} tsr_dim_sharding;

typedef struct tsr_sharding {
    const tsr_mesh *mesh;
    const tsr_axes *replicated, *unreduced;
    tsr_sdy_reduction reduction;
    uint32_t rank;
    uint32_t id;    /* dense, in order of creation, from 1 */
    bool sharded;   /* some dimension has axes */
    tsr_attr *attr; /* NULL until requested */
    /* a sharding_per_value with only this sharding, as on ops with one result; NULL until requested */
    tsr_attr *list;
    tsr_dim_sharding dims[];
} tsr_sharding;

typedef struct {
    tsr_ctx *ctx;
    tsr_arena *arena;
    tsr_meshes meshes;
    tsr_axis_lists lists;
    tsr_map by_attr, by_content;
} tsr_shardings;

void tsr_shardings_init(tsr_shardings *table, tsr_arena *arena, tsr_op *module);
void tsr_shardings_init_lazy(tsr_shardings *table, tsr_arena *arena,
                             tsr_op *module); /* see mesh.h */
void tsr_shardings_free(tsr_shardings *table);

/* The sharding of an sdy.sharding attribute; NULL for NULL, and if its mesh or an axis does not exist. */
const tsr_sharding *tsr_sharding_decode(tsr_shardings *table, tsr_attr *attr);
/* Its attribute; NULL for NULL. */
tsr_attr *tsr_sharding_encode(tsr_shardings *table, const tsr_sharding *s);
/* A list as an array of axis_ref attributes, and back (NULL: an unknown axis). */
tsr_attr *tsr_axes_encode(tsr_shardings *table, const tsr_mesh *mesh, const tsr_axes *axes);
const tsr_axes *tsr_axes_decode(tsr_shardings *table, const tsr_mesh *mesh, const tsr_attr *list);
tsr_attr *tsr_axis_encode(tsr_ctx *ctx, const tsr_mesh *mesh, tsr_axis axis);

/* The interned sharding with this mesh, these dimensions and axes. */
const tsr_sharding *tsr_sharding_get(tsr_shardings *table, const tsr_mesh *mesh,
                                     const tsr_dim_sharding *dims, uint32_t rank,
                                     const tsr_axes *replicated, const tsr_axes *unreduced,
                                     tsr_sdy_reduction reduction);
/* s with different dimensions. */
static inline const tsr_sharding *tsr_sharding_with(tsr_shardings *table, const tsr_sharding *s,
                                                    const tsr_dim_sharding *dims)
{
    return tsr_sharding_get(table, s->mesh, dims, s->rank, s->replicated, s->unreduced,
                            s->reduction);
}
/* No axes at all, every dimension open or closed. */
const tsr_sharding *tsr_sharding_empty(tsr_shardings *table, const tsr_mesh *mesh, uint32_t rank,
                                       bool closed);

/* No dimension has axes, and none are explicitly replicated or unreduced. */
bool tsr_sharding_no_axes(const tsr_sharding *s);
/* No dimension has axes. */
static inline bool tsr_sharding_is_replicated(const tsr_sharding *s)
{
    return !s->sharded;
}

/* ---- Global and local sizes, for all partitioners ---- */

/* Elements of one shard of a dimension; the last shards may have padding. */
static inline int64_t tsr_local_size(int64_t global, int64_t parts)
{
    return global / parts + (global % parts != 0);
}
/* The total over all shards, with padding. */
static inline int64_t tsr_padded_size(int64_t global, int64_t parts)
{
    return tsr_local_size(global, parts) * parts;
}

typedef enum {
    TSR_UNEVEN_FAILS, /* axes must divide their dimension */
    TSR_UNEVEN_PADS,  /* local sizes are rounded up */
} tsr_uneven;

/* The local type of a tensor. Dynamic dimensions stay as they are. NULL: the axes of dimension *bad do not divide it;
 * bad may be NULL where nothing fails. */
tsr_type *tsr_sharding_local_type(const tsr_sharding *s, tsr_type *global, tsr_uneven uneven,
                                  uint32_t *bad);

/* The mesh that all shardings share, ignoring NULL ones and empty meshes: the first one; NULL if there is none or they
 * differ. With ignore_ids, device ids may differ, and a mesh without ids is preferred. */
const tsr_mesh *tsr_common_mesh(const tsr_sharding *const *shardings, size_t n, bool ignore_ids);

#endif
