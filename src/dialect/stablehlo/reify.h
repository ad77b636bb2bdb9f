/* SPDX-License-Identifier: Apache-2.0 */
/* reify.h - builds ops that compute shapes, for the REIFY hooks of StableHLO and CHLO. */
#ifndef TSR_DIALECT_STABLEHLO_REIFY_H
#define TSR_DIALECT_STABLEHLO_REIFY_H

#include "dialect/stablehlo/types.h"

/* Where ops are inserted: before at, with the location of the op whose result shapes are requested. */
typedef struct {
    tsr_ctx *ctx;
    tsr_module *module;
    tsr_op *at;
    tsr_loc loc;
} tsr_shaper;

tsr_shaper tsr_shaper_for(const tsr_op *op, tsr_op *at);
/* An op with one result. */
tsr_value *tsr_shaper_op(const tsr_shaper *s, enum tsr_opcode opcode, tsr_value *const *in,
                         size_t n, tsr_type *type);

/* ---- Whole shapes: 1-d tensors ---- */

tsr_value *tsr_shape_of(const tsr_shaper *s, tsr_value *v); /* of a tensor, as indices */
tsr_value *tsr_shape_as_index(const tsr_shaper *s,
                              tsr_value *dims); /* a shape operand, its elements cast */
tsr_value *tsr_shape_from(const tsr_shaper *s, tsr_value *const *dims, size_t n, tsr_type *elem);

/* ---- Single dimensions; static sizes become constants ---- */

tsr_value *tsr_dim_const(const tsr_shaper *s, tsr_type *type, int64_t n);
tsr_value *tsr_dim_of(const tsr_shaper *s, tsr_value *v, int64_t dim,
                      tsr_type *type); /* size of a dimension */
tsr_value *tsr_dim_at(const tsr_shaper *s, tsr_value *dims, int64_t i,
                      tsr_type *type); /* element of a shape operand */
tsr_value *tsr_dim_add(const tsr_shaper *s, tsr_value *a, tsr_value *b);
tsr_value *tsr_dim_sub(const tsr_shaper *s, tsr_value *a, tsr_value *b);
tsr_value *tsr_dim_mul(const tsr_shaper *s, tsr_value *a, tsr_value *b);
tsr_value *tsr_dim_div(const tsr_shaper *s, tsr_value *a, tsr_value *b);
/* max(a - 1, 0): how many gaps there are between elements. */
tsr_value *tsr_dim_gaps(const tsr_shaper *s, tsr_value *a);

#endif
