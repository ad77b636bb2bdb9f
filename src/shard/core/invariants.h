/* SPDX-License-Identifier: Apache-2.0 */
/* invariants.h - what must hold of axes, shardings and groups of devices. For tsr_check: the answers cost more than a
 * comparison. */
#ifndef TSR_SHARD_CORE_INVARIANTS_H
#define TSR_SHARD_CORE_INVARIANTS_H

#include "shard/core/sharding.h"

/* Whether the parts of each axis divide it, and no two axes of the list overlap. */
bool tsr_axes_sound(const tsr_axes *axes, const tsr_mesh *mesh);
/* The same for all lists of a sharding together: an axis shards one dimension, or is replicated, or unreduced. */
bool tsr_sharding_sound(const tsr_sharding *s);
/* Whether ids is a permutation of 0 .. n - 1. */
bool tsr_is_permutation(const int64_t *ids, int64_t n);
/* Whether no two of the lists overlap. */
bool tsr_axes_disjoint(const tsr_axes *const *lists, uint32_t n);
/* Whether each dimension of new has the axes of old, and perhaps more after them. NULL: no axes. */
bool tsr_sharding_extends(const tsr_sharding *old, const tsr_sharding *new);

#endif
