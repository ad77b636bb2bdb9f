/* SPDX-License-Identifier: Apache-2.0 */
/* each.h - visits every sharding of a module, wherever it is stored: attributes of functions' arguments and results, of
 * ops' results, and the sharding slots of sdy's own ops. */
#ifndef TSR_SHARD_CORE_EACH_H
#define TSR_SHARD_CORE_EACH_H

#include "dialect/sdy/sharding.h"

/* Returns the replacement for a sharding: the same one, or another. op: where it is stored. */
typedef tsr_attr *tsr_sharding_fn(void *user, tsr_op *op, tsr_attr *sharding);

/* Visits parents first, in program order; within an op arguments come before results. All of these return whether
 * something changed. */
bool tsr_each_sharding(tsr_op *root, tsr_sharding_fn *fn, void *user);
/* The same for a function that depends on the sharding alone: it is called once per sharding. Mesh names are those of
 * root. */
bool tsr_map_shardings(tsr_arena *scratch, tsr_op *root, tsr_sharding_fn *fn, void *user);
/* For one op alone. */
bool tsr_op_each_sharding(tsr_op *op, tsr_sharding_fn *fn, void *user);
/* For a function's arguments and results alone. */
bool tsr_func_each_sharding(tsr_op *func, tsr_sharding_fn *fn, void *user);

/* The sharding with different axes for each dimension (axis_ref[] each). */
tsr_attr *tsr_sharding_with_dims(tsr_ctx *ctx, const tsr_attr *sharding, tsr_attr *const *dims);

/* Removes discardable attributes of these names from every op inside root, and from arguments and results of
 * functions. */
bool tsr_drop_attrs(tsr_op *root, const tsr_str *names, size_t n);
/* Removes the attributes in which propagation records how shardings came about. */
bool tsr_drop_debug_info(tsr_op *root);

#endif
