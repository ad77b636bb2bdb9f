/* cost.h - local shapes, bytes per device, and the bytes that collectives move.
 *
 * Bytes moved are those that each device sends, which are as many as it receives, by the algorithms
 * that send the fewest (rings). Of n devices with b bytes each: a gather moves (n - 1) * b, an
 * exchange and a reduce-scatter b - b / n, an all-reduce twice that, a permute b; slices move
 * nothing. Latency and topology do not count here. */
#ifndef TSR_SHARD_CORE_COST_H
#define TSR_SHARD_CORE_COST_H

#include "dialect/kinds.h"
#include "shard/core/sharding.h"

/* How many elements each device has of each dimension; dims has type->n places. What does not
 * divide counts as padded, and a dynamic dimension stays so. s: NULL for a tensor that every device
 * has whole. */
void tsr_local_dims(const tsr_type *type, const tsr_sharding *s, int64_t *dims);
/* The type of a device's part; type itself when it has no shape. */
tsr_type *tsr_local_type(tsr_ctx *ctx, tsr_type *type, const tsr_sharding *s);
/* Bytes of a device's part: 0 for what has no shape (tokens), -1 when unknown (dynamic dimensions).
 * Stops at INT64_MAX. */
int64_t tsr_local_bytes(const tsr_type *type, const tsr_sharding *s);
/* Whether who calls the function gives up the memory of an argument: results may lie there, and nobody needs it after its last reader. */
bool tsr_arg_is_donated(const tsr_op *func, uint32_t i);

/* Bytes that each of n devices with this many sends in a collective. Stops at INT64_MAX. */
int64_t tsr_collective_bytes(tsr_collective kind, int64_t bytes, int64_t n);

typedef struct {
    const tsr_mesh *mesh;
    const tsr_axes *axes;  /* devices that differ along these alone exchange data */
    int64_t ndevice;       /* their number */
    int64_t before, after; /* bytes per device of operand and result */
    int64_t moved;         /* bytes per device */
    uint32_t nstep;        /* collectives that move data: 0 or 1; of a reshard perhaps more */
} tsr_move_cost;

/* Of a collective or reshard of sdy; a reshard's is the sum of the collectives that it becomes.
 * False: another op, a reshard that does not become collectives, or bytes are unknown. */
bool tsr_move_cost_of(tsr_shardings *table, const tsr_op *op, tsr_move_cost *out);

#endif
