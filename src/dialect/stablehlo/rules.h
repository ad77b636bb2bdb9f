/* SPDX-License-Identifier: Apache-2.0 */
/* rules.h - rules for several of StableHLO's ops: bodies, reducers, windows, groups of replicas, precision. */
#ifndef TSR_DIALECT_STABLEHLO_RULES_H
#define TSR_DIALECT_STABLEHLO_RULES_H

#include "dialect/stablehlo/types.h"

/* ---- Bodies and reducers (verify_reduce.c) ---- */

/* The op that ends the region's first block; NULL if there is none that could be a terminator. */
const tsr_op *tsr_hlo_terminator(const tsr_region *region);
/* Types of an op's operands first, first + 1, ..., into a vector that the caller frees. */
void tsr_hlo_operand_types(const tsr_op *op, size_t first, size_t n, tsr_type_vec *out);
/* Types of the arguments of the region's first block. */
void tsr_hlo_arg_types(const tsr_region *region, tsr_type_vec *out);
/* The element type that the body returns as its value i; that of input if there is no such value. */
tsr_type *tsr_hlo_accumulator(const tsr_region *body, size_t i, const tsr_type *input);

/* What a reducer works on: n inputs, the initial types of its results, and the dimensions that its arguments may
 * keep. */
typedef struct {
    tsr_type *const *inputs, *const *inits;
    size_t n;
    tsr_ints dims;
} tsr_hlo_reduction;
bool tsr_hlo_verify_reducer(const tsr_op *op, const tsr_region *body, const tsr_hlo_reduction *r);
/* The same for a scalar reducer of one tensor. */
bool tsr_hlo_verify_scalar_reducer(const tsr_op *op, const tsr_region *body, tsr_type *input);
/* All n types must have compatible shapes; n > 0. */
bool tsr_hlo_verify_inputs(const tsr_op *op, tsr_type *const *types, size_t n);

/* ---- Windows (verify_window.c) ---- */

/* The shape of a padding attribute: n x 2. */
bool tsr_hlo_verify_padding(const tsr_op *op, const tsr_attr *padding);
/* Sizes may be TSR_DYNAMIC: not known. */
bool tsr_hlo_verify_window(const tsr_op *op, const tsr_window *w);
/* How many positions the window has along dimension i of this size; TSR_DYNAMIC if that is not known. */
int64_t tsr_hlo_window_places(const tsr_window *w, size_t i, int64_t base);

/* ---- Products (verify_dot.c) ---- */

bool tsr_hlo_verify_precision(const tsr_op *op, const tsr_attr *config);
/* Batching and contracting dimensions of operands 0 and 1 (ranked): they must be distinct, in range, equally many on
 * both sides, and of sizes that may be equal. */
bool tsr_hlo_verify_dot_dims(const tsr_op *op, const tsr_dot *d);
/* Quantized products: rhs is quantized, lhs like the result; storage, expressed types and granularity agree. */
bool tsr_hlo_verify_product_quantization(const tsr_op *op, const tsr_type *lhs, const tsr_type *rhs,
                                         const tsr_type *result);
bool tsr_hlo_any_quantized(const tsr_op *op); /* an operand or a result */
/* The element type of a result that the operands do not determine: the op's current one, else that of lhs. */
tsr_type *tsr_hlo_result_element(const tsr_op *op);
/* Whether the result may have the inferred shape. */
bool tsr_hlo_verify_inferred_shape(const tsr_op *op, const tsr_type *inferred);

/* ---- Collectives (verify_collective.c) ---- */

/* Whether groups of replicas given by mesh axes refer to a mesh and, if it is known, to its axes; errors go to loc. */
bool tsr_hlo_verify_mesh_axes(tsr_ctx *ctx, tsr_loc loc, tsr_attr *const *params);

#endif
