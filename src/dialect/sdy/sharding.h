/* SPDX-License-Identifier: Apache-2.0 */
/* sharding.h - queries about shardings: which mesh, which value has which sharding, which axes are manual here. The
 * answers are safe for ops that were not verified yet: anything malformed counts as absent. */
#ifndef TSR_DIALECT_SDY_SHARDING_H
#define TSR_DIALECT_SDY_SHARDING_H

#include "dialect/kinds.h"
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

/* The mesh of a sharding at op, by name in the nearest module or written out; NULL if there is none. */
tsr_attr *tsr_sdy_mesh_of(const tsr_op *op, const tsr_attr *sharding);
bool tsr_sdy_mesh_is_maximal(const tsr_attr *mesh);
bool tsr_sdy_mesh_is_empty(const tsr_attr *mesh);
/* The common mesh of all shardings in lists (arrays of shardings; a list may be NULL), ignoring empty meshes. */
tsr_attr *tsr_sdy_common_mesh(const tsr_op *op, const tsr_attr *const *lists, size_t n);

/* No dimension has axes. */
bool tsr_sdy_is_replicated(const tsr_attr *sharding);
/* Whether both have the same axes in each dimension, on the same mesh. */
bool tsr_sdy_same_axes(const tsr_attr *a, const tsr_attr *b);
/* Without axes, of this rank; closed and open. mesh: a symbol or a mesh. */
tsr_attr *tsr_sdy_replicated(tsr_ctx *ctx, tsr_attr *mesh, int64_t rank);
tsr_attr *tsr_sdy_open(tsr_ctx *ctx, tsr_attr *mesh, int64_t rank);
int64_t tsr_sdy_rank(const tsr_type *t); /* of a sharding; 0 for types without a shape */
/* From parts. closed: an i1; priority, reduction: may be NULL. */
tsr_attr *tsr_sdy_dim(tsr_ctx *ctx, tsr_attr *axes, tsr_attr *closed, tsr_attr *priority);
tsr_attr *tsr_sdy_make(tsr_ctx *ctx, tsr_attr *mesh, tsr_attr *dims, tsr_attr *replicated,
                       tsr_attr *unreduced, tsr_attr *reduction);
tsr_attr *tsr_sdy_per_value(tsr_ctx *ctx, tsr_attr *const *shardings, size_t n);
bool tsr_sdy_has_name(const tsr_attr *names, const tsr_attr *name); /* string[] */
/* The sharding without the axes that are named in manual (string[]). */
tsr_attr *tsr_sdy_without_axes(tsr_ctx *ctx, tsr_attr *sharding, const tsr_attr *manual);
/* The inverse: sharding, after the manual axes that each dimension of outer starts with. */
tsr_attr *tsr_sdy_with_free_axes(tsr_ctx *ctx, const tsr_attr *outer, tsr_attr *sharding,
                                 const tsr_attr *manual);

/* ---- Values (values.c) ---- */

/* How values flow through an op as edges, for Shardy: BODY also for a manual computation, NONE for a CHOICE. See
 * shard/core/flow.h for edges. */
static inline tsr_flow_kind tsr_sdy_flow_of(const tsr_op *op)
{
    tsr_flow_kind kind = tsr_flow_of(op);
    return kind == TSR_FLOW_MANUAL ? TSR_FLOW_BODY : kind == TSR_FLOW_CHOICE ? TSR_FLOW_NONE : kind;
}
static inline bool tsr_sdy_is_data_flow(const tsr_op *op)
{
    return tsr_sdy_flow_of(op) != TSR_FLOW_NONE;
}
/* The attribute that is the sharding of the only result; NULL: the op has no such slot, or it is empty. */
static inline tsr_attr *tsr_sdy_own_sharding(const tsr_op *op)
{
    int slot = tsr_kinds_of(op).sharding - 1;
    return slot >= 0 ? op->attrs[slot] : NULL;
}
/* The target that owns the edge into this target; NULL if there is no edge. */
tsr_value *tsr_sdy_edge_owner(const tsr_value *target);
/* The sdy.data_flow_edge that is the only use of an owner (may be NULL); NULL if there is none. */
tsr_op *tsr_sdy_edge_behind(const tsr_value *owner);
/* Names of the axes (string[]) that a manual computation binds; NULL: another op. */
const tsr_attr *tsr_sdy_manual_axes(const tsr_op *op);

/* The value that holds the sharding of v: v itself, or the value that represents its edge; NULL if there is none. */
tsr_value *tsr_sdy_shardable(const tsr_value *v);
/* The value's sharding, wherever it is written; NULL if it has none. */
tsr_attr *tsr_sdy_sharding_of(const tsr_value *v);
/* The same, or a sharding without axes, closed or open. */
tsr_attr *tsr_sdy_sharding_or(const tsr_value *v, tsr_attr *mesh, bool closed);
/* Sets it there; other values of the op without one get open ones of the same mesh. NULL removes it (for results: those
 * of all results). Does nothing if there is no place for it. Setting many values one at a time is slow; see below. */
void tsr_sdy_set_sharding(tsr_value *v, tsr_attr *sharding);
/* Gets and sets the shardings of all results (sharding[]); NULL: none. Not for ops with a slot of their own. */
tsr_attr *tsr_sdy_shardings_of(const tsr_op *op);
void tsr_sdy_set_shardings(tsr_op *op, tsr_attr *const *shardings, uint32_t n);
void tsr_sdy_set_list(tsr_op *op, tsr_attr *list); /* the same, as #sdy.sharding_per_value */
bool tsr_sdy_has_list(const tsr_op *op);           /* false: it has a slot of its own */
/* As written in a computation's in_shardings (args) or out_shardings, with manual axes; NULL: other ops, or none. */
void tsr_sdy_set_arg_list(tsr_op *op, tsr_attr *const *shardings, uint32_t n); /* in_shardings */
tsr_attr *tsr_sdy_list_sharding(const tsr_op *op, bool args, uint32_t i);

/* Of a function's arguments and results; the plural ones set all at once, NULL removes one. */
tsr_attr *tsr_sdy_arg_sharding(const tsr_op *func, uint32_t i);
tsr_attr *tsr_sdy_result_sharding(const tsr_op *func, uint32_t i);
void tsr_sdy_set_result_sharding(tsr_op *func, uint32_t i, tsr_attr *sharding);
void tsr_sdy_set_arg_shardings(tsr_op *func, tsr_attr *const *shardings);
void tsr_sdy_set_result_shardings(tsr_op *func, tsr_attr *const *shardings);
/* Sets an attribute of all arguments, or of all results; NULL removes it. */
void tsr_sdy_set_func_attr(tsr_op *func, bool args, tsr_str name, tsr_attr *const *values);

#endif
