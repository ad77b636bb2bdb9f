/* SPDX-License-Identifier: Apache-2.0 */
/* reshards.h - shared helpers of the passes that insert reshards. */
#ifndef TSR_SHARD_RESHARD_RESHARDS_H
#define TSR_SHARD_RESHARD_RESHARDS_H

#include "shard/propagate/projection.h"

/* Insertion point for new ops. */
typedef struct {
    tsr_block *block;
    tsr_op *before; /* NULL: the end */
} tsr_place;

static inline tsr_place tsr_place_before(tsr_op *op)
{
    return (tsr_place){op->block, op};
}
static inline tsr_place tsr_place_behind(tsr_op *op)
{
    return (tsr_place){op->block, op->next};
}
/* After the definition of v: its op, or the start of its block. */
static inline tsr_place tsr_place_behind_value(const tsr_value *v)
{
    return v->is_arg ? (tsr_place){v->block, v->block->first} : tsr_place_behind(v->op);
}

typedef struct {
    tsr_ctx *ctx;
    tsr_module *module;
    tsr_arena *arena; /* for the current op */
    tsr_shardings table;
    /* single_device.c: the module's first mesh with axes, after the first lookup */
    const tsr_mesh *global;
    bool global_known;
    tsr_map callees; /* calls that were resolved, by name */
    bool local;      /* types will only be cut: devices compute with the data they have */
} tsr_resharder;

/* For a module, or one function of it; the table is allocated in scratch. */
void tsr_resharder_init(tsr_resharder *s, tsr_op *root, tsr_arena *arena, tsr_arena *scratch);
void tsr_resharder_free(tsr_resharder *s);
/* The function that a call calls; NULL: none. */
tsr_op *tsr_callee(tsr_resharder *s, const tsr_op *call);

/* ---- Shardings (reshards.c) ---- */

/* Whether both have equal dimensions and unreduced axes; NULL is equivalent to no axes. If from is NULL, unreduced axes
 * of to are ignored, as in Shardy. */
bool tsr_sharding_equivalent(const tsr_sharding *from, const tsr_sharding *to);
static inline const tsr_axes *tsr_unreduced_of(const tsr_resharder *s, const tsr_sharding *a)
{
    return a ? a->unreduced : s->table.lists.none;
}
/* The value's sharding; NULL: none. With barriers skipped: that of the input of propagation barriers. */
const tsr_sharding *tsr_value_sharding(tsr_resharder *s, const tsr_value *v);
const tsr_sharding *tsr_value_sharding_behind_barriers(tsr_resharder *s, const tsr_value *v);
/* The same, or one without axes, closed. */
const tsr_sharding *tsr_value_sharding_or_closed(tsr_resharder *s, const tsr_value *v,
                                                 const tsr_mesh *mesh);
const tsr_sharding *tsr_closed_like(tsr_resharder *s,
                                    const tsr_sharding *a); /* no axes, same mesh and rank */
static inline uint32_t tsr_value_rank(const tsr_value *v)   /* 0 if it has no shape */
{
    return tsr_type_is_shaped(v->type) ? v->type->n : 0;
}

/* ---- Ops (reshards.c) ---- */

tsr_value *tsr_insert_reshard(tsr_resharder *s, tsr_place at, tsr_value *v, const tsr_sharding *to);
tsr_value *tsr_insert_all_reduce(tsr_resharder *s, tsr_place at, tsr_value *v, const tsr_mesh *mesh,
                                 const tsr_axes *axes, tsr_sdy_reduction how,
                                 const tsr_sharding *to);
/* Replaces all uses of from, except that by to's op, with to. */
void tsr_replace_behind(tsr_value *from, tsr_value *to);

/* All-reduces axes that are unreduced in the operand (with this sharding, which may be NULL) and not in the target.
 * *from becomes the sharding of the value used now. False after a diagnostic: the meshes differ. */
bool tsr_reduce_use(tsr_resharder *s, tsr_place at, tsr_use *use, const tsr_sharding **from,
                    const tsr_sharding *to);
/* Makes axes unreduced that are unreduced in the target, and replicated or sharded in the operand. *to_now: the
 * sharding of the value used now; NULL: nothing was done. */
bool tsr_unreduce_use(tsr_resharder *s, tsr_place at, tsr_use *use, const tsr_sharding *to,
                      const tsr_sharding **to_now);

/* ---- Axes that all tensors of an op agree on (common_axes.c) ---- */

/* Chooses axes for each factor, so that sharding all tensors by them needs few and small reshards. mesh: for the order
 * of names. */
const tsr_axes **tsr_common_axes(tsr_resharder *s, const tsr_projection *p,
                                 const int64_t *tensor_sizes, const tsr_mesh *mesh);
/* Elements of each operand and result; 0 if unknown. */
int64_t *tsr_tensor_sizes(tsr_arena *arena, const tsr_op *op);
/* The axes of a factor if all tensors that have it agree, else NULL. */
const tsr_axes *tsr_agreed_axes(const tsr_projection *p, uint32_t factor);

#endif
