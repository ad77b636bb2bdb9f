/* explicit_reshards.h - parts of insert-explicit-reshards: one op at a time. */
#ifndef TSR_SHARD_RESHARD_EXPLICIT_RESHARDS_H
#define TSR_SHARD_RESHARD_EXPLICIT_RESHARDS_H

#include "shard/reshard/reshards.h"

/* An op with a rule, while it is worked on. */
typedef struct {
    tsr_resharder *s;
    tsr_op *op;
    const tsr_sharding *const *in, *const *out; /* NULL: there is none */
    const tsr_rule *rule;
    const tsr_mesh *mesh; /* that all shardings are on, whatever the order of devices */
    tsr_projection p;
} tsr_reshard_op;

/* Gives tensors that changed (operands, then results) the shardings of the projection. in: those
 * that operands have. */
void tsr_reshard_changed(tsr_reshard_op *r, const tsr_sharding *const *in, const bool *changed);
/* Reshards operands and results so that all of them have the axes that it chooses, which it returns
 * for each factor. */
const tsr_axes **tsr_reshard_to_common(tsr_reshard_op *r);
/* Of a matrix product, outside of the full version: when only the result disagrees, in one
 * dimension, on the axes along which the product sums, and is the smaller tensor, then it is
 * computed as the operands want it, and resharded. */
void tsr_reshard_dot_result(tsr_reshard_op *r);
/* The first mesh of the module with axes; NULL: there is none (single_device.c). */
const tsr_mesh *tsr_global_mesh(tsr_resharder *s);
/* Operands go to the single device that results are on (single_device.c), and results come from it. */
bool tsr_reshard_single_device(tsr_resharder *s, tsr_op *op, const tsr_sharding *const *out);

#endif
