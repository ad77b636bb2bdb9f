/* SPDX-License-Identifier: Apache-2.0 */
/* local.h - from global to local types: shared helpers of the patterns of sdy-convert-global-to-local.
 *
 * Before the first pattern runs, every value has its local type, and its sharding and global type are in a table by
 * value id. A pattern rewrites one op, whose operands are local; values that replace the op's results inherit their
 * table entries. */
#ifndef TSR_SHARD_LOCAL_LOCAL_H
#define TSR_SHARD_LOCAL_LOCAL_H

#include "dialect/reducer.h"
#include "pass/pass.h"
#include "shard/core/devices.h"
#include "shard/core/make.h"
#include "shard/core/sharding.h"

typedef struct {
    const tsr_sharding *sharding; /* NULL: none */
    tsr_type *global;
} tsr_local_value;

typedef struct {
    tsr_ctx *ctx;
    tsr_arena *arena; /* for the current op */
    tsr_shardings table;
    TSR_VEC(tsr_local_value) values; /* by id */
    bool gather_per_dim, scatter_combined, mesh_axes_groups, replicas;
    int64_t channel; /* next free channel id */
} tsr_local;

/* False after a diagnostic. */
typedef bool tsr_local_fn(tsr_local *s, tsr_op *op);

static inline const tsr_sharding *tsr_local_sharding(const tsr_local *s, const tsr_value *v)
{
    return v->id < s->values.n ? s->values.data[v->id].sharding : NULL;
}
static inline tsr_type *tsr_local_global(const tsr_local *s, const tsr_value *v)
{
    return v->id < s->values.n && s->values.data[v->id].global ? s->values.data[v->id].global
                                                               : v->type;
}
/* NULL counts as replicated. */
static inline bool tsr_local_replicated(const tsr_sharding *a)
{
    return !a || !a->sharded;
}
/* The axes of a dimension; none when there is no sharding. */
static inline const tsr_axes *tsr_local_axes(const tsr_local *s, const tsr_sharding *a, int64_t dim)
{
    return a && dim >= 0 && dim < a->rank ? a->dims[dim].axes : s->table.lists.none;
}
/* Replaces op's result by v, and erases op. */
void tsr_local_replace(tsr_local *s, tsr_op *op, tsr_value *v);

/* Copies the table entry of old to v. */
void tsr_local_note(tsr_local *s, const tsr_value *v, const tsr_value *old);
/* Makes the all-reduces of op's results combine parts as body does; a diagnostic if they cannot. */
bool tsr_local_join(tsr_local *s, tsr_op *op, tsr_reduce_kind by);

/* The global position of this device's part along axes, in parts of this size: tensor<i64>. */
tsr_value *tsr_local_offset(tsr_local *s, tsr_build *b, const tsr_mesh *mesh, const tsr_axes *axes,
                            int64_t size);
/* This device's part of v, sliced along axes[d] in each dimension. */
tsr_value *tsr_local_part(tsr_local *s, tsr_build *b, tsr_value *v, const tsr_mesh *mesh,
                          const tsr_axes *const *axes, tsr_type *type);
/* Whether op has one use, an sdy.all_reduce along these axes; a diagnostic if not. */
bool tsr_local_reduced(tsr_local *s, const tsr_op *op, const tsr_mesh *mesh,
                       const tsr_axis_vec *axes);
/* Reports "dimension 0 has mismatched sharding axes (...)"; always false. */
bool tsr_local_mismatch(tsr_local *s, const tsr_op *op, int64_t dim, const tsr_sharding *a,
                        const tsr_sharding *b);

/* Patterns. Collectives of sdy: local/collective.c. */
tsr_local_fn local_all_gather, local_all_reduce, local_all_slice, local_all_to_all,
    local_collective_permute, local_reduce_scatter;
/* Values that depend on the device's position: local/place.c. */
tsr_local_fn local_constant, local_iota, local_pad;
/* Ops that stay unchanged if certain conditions hold: local/check.c. */
tsr_local_fn local_concatenate, local_convolution, local_dot, local_dot_general, local_reduce,
    local_slice, local_window;
/* local/index.c. */
tsr_local_fn local_gather, local_scatter;

#endif
