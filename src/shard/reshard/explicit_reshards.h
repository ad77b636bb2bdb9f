/* SPDX-License-Identifier: Apache-2.0 */
/* explicit_reshards.h - the parts of insert-explicit-reshards that handle one op. */
#ifndef TSR_SHARD_RESHARD_EXPLICIT_RESHARDS_H
#define TSR_SHARD_RESHARD_EXPLICIT_RESHARDS_H

#include "shard/reshard/reshards.h"

/* An op with a rule, while it is processed. */
typedef struct {
    tsr_resharder *s;
    tsr_op *op;
    const tsr_sharding *const *in, *const *out; /* NULL: there is none */
    const tsr_rule *rule;
    const tsr_mesh *mesh; /* of all shardings, ignoring device order */
    tsr_projection p;
} tsr_reshard_op;

/* Gives changed tensors (operands, then results) the shardings of the projection. in: current shardings of operands. */
void tsr_reshard_changed(tsr_reshard_op *r, const tsr_sharding *const *in, const bool *changed);
/* Reshards operands and results to common axes, which it chooses and returns for each factor. */
const tsr_axes **tsr_reshard_to_common(tsr_reshard_op *r);
/* For a matrix product, outside of the full version: if only the result disagrees, in one dimension, on the axes along
 * which the product sums, and is the smaller tensor, it is computed with the operands' sharding, then resharded. */
void tsr_reshard_dot_result(tsr_reshard_op *r);
/* The first mesh of the module with axes; NULL: none (single_device.c). */
const tsr_mesh *tsr_global_mesh(tsr_resharder *s);
/* Moves operands to the single device that results are on (single_device.c), and results back. */
bool tsr_reshard_single_device(tsr_resharder *s, tsr_op *op, const tsr_sharding *const *out);

#endif
