/* SPDX-License-Identifier: Apache-2.0 */
/* cost.h - local shapes, bytes per device, and the bytes that collectives move.
 *
 * Bytes moved are those that each device sends, which equal those it receives, with the algorithms that send the fewest
 * (rings). For n devices with b bytes each: an all-gather moves (n - 1) * b, an all-to-all and a reduce-scatter b - b /
 * n, an all-reduce twice that, a permute b; slices move nothing. Latency and topology are not considered here. */
#ifndef TSR_SHARD_CORE_COST_H
#define TSR_SHARD_CORE_COST_H

#include "dialect/kinds.h"
#include "shard/core/sharding.h"

/* The local size of each dimension; dims has type->n entries. A dimension that its axes do not divide counts as padded,
 * and a dynamic dimension stays dynamic. s: NULL for a replicated tensor. */
void tsr_local_dims(const tsr_type *type, const tsr_sharding *s, int64_t *dims);
/* The local type; type itself if it has no shape. */
tsr_type *tsr_local_type(tsr_ctx *ctx, tsr_type *type, const tsr_sharding *s);
/* Bytes of a local tensor: 0 if it has no shape (tokens), -1 if unknown (dynamic dimensions). Saturates at
 * INT64_MAX. */
int64_t tsr_local_bytes(const tsr_type *type, const tsr_sharding *s);
/* Whether the caller of the function donates the buffer of an argument: results may reuse it, and it is free after its
 * last reader. */
bool tsr_arg_is_donated(const tsr_op *func, uint32_t i);

/* Bytes that each of n devices with this many bytes sends in a collective. Saturates at INT64_MAX. */
int64_t tsr_collective_bytes(tsr_collective kind, int64_t bytes, int64_t n);

typedef struct {
    const tsr_mesh *mesh;
    const tsr_axes *axes;  /* devices that differ only along these exchange data */
    int64_t ndevice;       /* their number */
    int64_t before, after; /* bytes per device of operand and result */
    int64_t moved;         /* bytes per device */
    uint32_t nstep;        /* collectives that move data: 0 or 1, possibly more for a reshard */
} tsr_move_cost;

/* The cost of a collective or reshard of sdy; for a reshard, the sum of its collectives. False: another op, a reshard
 * that does not become collectives, or unknown bytes. */
bool tsr_move_cost_of(tsr_shardings *table, const tsr_op *op, tsr_move_cost *out);

#endif
