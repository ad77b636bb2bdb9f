/* SPDX-License-Identifier: Apache-2.0 */
/* projection.h - how the factors of an op are sharded on each of its tensors.
 *
 * A rule says which factors make up each dimension; a projection says which axes shard each of these factors. Axes of a
 * dimension go to its factors major first, cut where a factor is full. In the other direction, the axes of a
 * dimension's factors are concatenated, up to the first factor that is not full: shards are never strided.
 *
 * Parts are parallel to rule->factors: tensor t has parts tsr_projection_first(r, t) .. tsr_projection_first(r, t + 1)
 * - 1, in the order of its dimensions; part i belongs to factor rule->factors[i]. */
#ifndef TSR_SHARD_PROPAGATE_PROJECTION_H
#define TSR_SHARD_PROPAGATE_PROJECTION_H

#include "shard/rule/rule.h"
#include "shard/core/sharding.h"

/* A factor on one tensor. */
typedef struct {
    const tsr_axes *axes;
    /* The remaining axes of the dimension if the factor is not the last of its dimension and cannot be cut by the next
     * axis: kept, so that nothing is lost in the conversion back. */
    const tsr_axes *overflow;
    bool closed;
    bool minor_most; /* the last factor of its dimension */
    /* after an overflow and its neighbour: treated as if the tensor did not have the factor */
    bool absent;
} tsr_factor_sharding;

/* State of a tensor besides its factors. */
typedef struct {
    const tsr_axes *replicated, *unreduced;
    tsr_sdy_reduction reduction;
} tsr_tensor_axes;

typedef struct {
    const tsr_rule *rule;
    tsr_shardings *table;
    tsr_factor_sharding *parts;
    tsr_tensor_axes *tensors;
} tsr_projection;

static inline uint32_t tsr_projection_first(const tsr_rule *r, uint32_t tensor)
{
    return r->first[r->dims[tensor]];
}
static inline uint32_t tsr_projection_parts(const tsr_rule *r) /* of all tensors */
{
    return r->first[r->dims[tsr_rule_tensors(r)]];
}

/* Allocates the rule's tensors, all empty and open. */
void tsr_projection_init(tsr_projection *p, tsr_arena *arena, tsr_shardings *table,
                         const tsr_rule *rule);
/* Builds it from the shardings of the operands, then results; a missing one (NULL) counts as empty, closed or open.
 * Shardings have the ranks of the rule and one mesh, or empty ones. */
void tsr_projection_build(tsr_projection *p, const tsr_sharding *const *shardings,
                          bool closed_if_missing);
/* Builds it from axes for each factor, equal on all tensors; all closed. */
void tsr_projection_build_axes(tsr_projection *p, const tsr_axes *const *axes_per_factor);
/* One tensor alone. */
void tsr_projection_set(tsr_projection *p, uint32_t tensor, const tsr_sharding *sharding,
                        bool closed_if_missing);

/* The factor's part on a tensor; NULL if it has none, or if it is absent. */
tsr_factor_sharding *tsr_projection_part(const tsr_projection *p, uint32_t tensor, uint32_t factor);

/* Sets axes on the factor if its current axes are a strict prefix of them. False: nothing changed. */
bool tsr_projection_expand(tsr_projection *p, uint32_t tensor, uint32_t factor,
                           const tsr_axes *axes);
/* Sets axes and overflow unconditionally. False: nothing changed. */
bool tsr_projection_update(tsr_projection *p, uint32_t tensor, uint32_t factor,
                           const tsr_axes *axes, const tsr_axes *overflow);
/* The same on all tensors; sets changed[tensor] for those that changed. */
void tsr_projection_expand_all(tsr_projection *p, uint32_t factor, const tsr_axes *axes,
                               bool *changed);
void tsr_projection_update_all(tsr_projection *p, uint32_t factor, const tsr_axes *axes,
                               const tsr_axes *overflow, bool *changed);

/* The sharding of a tensor that its parts give. */
const tsr_sharding *tsr_projection_sharding(const tsr_projection *p, uint32_t tensor,
                                            const tsr_mesh *mesh);
/* The product of all axes on the tensor's factors, overflow included. */
int64_t tsr_projection_size(const tsr_projection *p, uint32_t tensor);
/* For each factor, the longest common prefix of its axes on all tensors that have it. */
void tsr_projection_common_prefix(const tsr_projection *p, const tsr_axes **axes_per_factor);
bool tsr_projection_overflows(const tsr_projection *p, uint32_t tensor);
bool tsr_projection_same(const tsr_projection *a, const tsr_projection *b); /* both for one rule */

/* Distributes axes to the factors of one dimension (with these sizes, major first): each axis goes, cut if needed, to
 * the first factors that have room for it. Axes that no factor takes become the overflow of the last one. */
void tsr_distribute_axes(tsr_axis_lists *lists, const tsr_axes *axes, const int64_t *sizes,
                         tsr_factor_sharding *parts, uint32_t n);

#endif
