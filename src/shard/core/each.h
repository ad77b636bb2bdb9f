/* each.h - every sharding of a module, wherever it is written: attributes of functions' arguments and results, of ops'
 * results, and the sharding slots of sdy's own ops. */
#ifndef TSR_SHARD_CORE_EACH_H
#define TSR_SHARD_CORE_EACH_H

#include "dialect/sdy/sharding.h"

/* What is in a sharding's place: the same one, or another. op: where it is written. */
typedef tsr_attr *tsr_sharding_fn(void *user, tsr_op *op, tsr_attr *sharding);

/* Parents first, in program order; within an op arguments come before results. All of these tell whether something
 * changed. */
bool tsr_each_sharding(tsr_op *root, tsr_sharding_fn *fn, void *user);
/* The same for an answer that depends on the sharding alone: each is asked once. Mesh names are those of root. */
bool tsr_map_shardings(tsr_arena *scratch, tsr_op *root, tsr_sharding_fn *fn, void *user);
/* Of one op alone. */
bool tsr_op_each_sharding(tsr_op *op, tsr_sharding_fn *fn, void *user);
/* Of a function's arguments and results alone. */
bool tsr_func_each_sharding(tsr_op *func, tsr_sharding_fn *fn, void *user);

/* The sharding with other axes for each dimension (axis_ref[] each). */
tsr_attr *tsr_sharding_with_dims(tsr_ctx *ctx, const tsr_attr *sharding, tsr_attr *const *dims);

/* Takes discardable attributes of these names from every op inside root, and from arguments and results of functions. */
bool tsr_drop_attrs(tsr_op *root, const tsr_str *names, size_t n);
/* Those that propagation writes to tell how shardings came about. */
bool tsr_drop_debug_info(tsr_op *root);

#endif
