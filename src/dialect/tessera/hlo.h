/* SPDX-License-Identifier: Apache-2.0 */
/* hlo.h - lowering Graph IR to StableHLO: the HLO column, and helpers for its hooks. */
#ifndef TSR_DIALECT_TESSERA_HLO_H
#define TSR_DIALECT_TESSERA_HLO_H

#include "dialect/stablehlo/ops.h"
#include "dialect/tessera/tessera.h"

/* Builds the equivalent of op from StableHLO's ops and sets a value for each of its results. False if it cannot, after
 * a diagnostic; ops that were built remain, unused. */
typedef bool tsr_hlo_fn(tsr_build *b, tsr_op *op, tsr_value **out);
#include "dialect/tessera/hlo_tables.h"
/* The row's hook; NULL: it has none. */
tsr_hlo_fn *tsr_hlo_of(const tsr_op *op);

/* Replaces a tessera.mesh by an sdy.mesh; groups are kept as tessera.groups. */
tsr_op *tsr_tessera_mesh_to_sdy(tsr_op *op);

/* ---- For the hooks ---- */

/* Floats narrower than f32 are computed in f32. */
tsr_type *tsr_hlo_working(tsr_type *elem);
/* Reduces dimensions dims, in order, from a neutral start; opcode: ADD, MULTIPLY, MAXIMUM or MINIMUM of StableHLO. */
tsr_value *tsr_hlo_reduce(tsr_build *b, enum tsr_opcode opcode, tsr_value *v, const int64_t *dims,
                          size_t n);
/* A value without dimension dim, broadcast along it to the shape of like. */
tsr_value *tsr_hlo_repeat_along(tsr_build *b, tsr_value *v, tsr_value *like, int64_t dim);
/* The size of a dimension as a scalar of this element type. */
tsr_value *tsr_hlo_size_scalar(tsr_build *b, tsr_value *v, int64_t dim, tsr_type *elem);
/* A scalar broadcast to the shape of v. */
tsr_value *tsr_hlo_fill(tsr_build *b, tsr_value *scalar, tsr_value *v);
/* Operand i without names of dimensions in its type, as StableHLO's ops need it. */
tsr_value *tsr_hlo_operand(const tsr_op *op, uint32_t i);
/* lhs [..., m, k] by rhs [..., k, n] (or [..., n, k]); leading dimensions broadcast. */
tsr_value *tsr_hlo_matmul(tsr_build *b, tsr_value *lhs, tsr_value *rhs, bool transposed);
/* e / sum(e), e = exp(x - max(x)) along dim. guarded: the result is 0 where all of x is -inf. */
tsr_value *tsr_hlo_softmax(tsr_build *b, tsr_value *x, int64_t dim, bool guarded);
/* "... has no form in StableHLO: why"; always returns false. */
bool tsr_hlo_cannot(const tsr_op *op, const char *why);

#endif
