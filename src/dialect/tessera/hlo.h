/* hlo.h - Graph IR written in StableHLO: the HLO column, and what its hooks share. */
#ifndef TSR_DIALECT_TESSERA_HLO_H
#define TSR_DIALECT_TESSERA_HLO_H

#include "dialect/stablehlo/ops.h"
#include "dialect/tessera/tessera.h"

/* Builds what op computes from StableHLO's ops and gives a value for each of its results. False
 * when it cannot, after a diagnostic; what was built stays, unused. */
typedef bool tsr_hlo_fn(tsr_build *b, tsr_op *op, tsr_value **out);
#include "dialect/tessera/hlo_tables.h"
/* The row's hook; NULL: it has none. */
tsr_hlo_fn *tsr_hlo_of(const tsr_op *op);

/* A tessera.mesh as an sdy.mesh in its place; groups stay with it as tessera.groups. */
tsr_op *tsr_tessera_mesh_to_sdy(tsr_op *op);

/* ---- For the hooks ---- */

/* Floats narrower than f32 are computed with in f32. */
tsr_type *tsr_hlo_working(tsr_type *elem);
/* Reduces dimensions dims, in order, from a neutral start; opcode: ADD, MULTIPLY, MAXIMUM or
 * MINIMUM of StableHLO. */
tsr_value *tsr_hlo_reduce(tsr_build *b, enum tsr_opcode opcode, tsr_value *v, const int64_t *dims,
                          size_t n);
/* A value without dimension dim, repeated along it in the shape of like. */
tsr_value *tsr_hlo_repeat_along(tsr_build *b, tsr_value *v, tsr_value *like, int64_t dim);
/* The size of a dimension as a scalar of this element type. */
tsr_value *tsr_hlo_size_scalar(tsr_build *b, tsr_value *v, int64_t dim, tsr_type *elem);
/* A scalar in all places of a tensor like v. */
tsr_value *tsr_hlo_fill(tsr_build *b, tsr_value *scalar, tsr_value *v);
/* Reads operand i with names of dimensions taken from its type: what StableHLO's ops see. */
tsr_value *tsr_hlo_operand(const tsr_op *op, uint32_t i);
/* lhs [..., m, k] by rhs [..., k, n] (or [..., n, k]); leading dimensions broadcast. */
tsr_value *tsr_hlo_matmul(tsr_build *b, tsr_value *lhs, tsr_value *rhs, bool transposed);
/* e / sum(e), e = exp(x - max(x)) along dim. guarded: places where all of x is -inf give 0. */
tsr_value *tsr_hlo_softmax(tsr_build *b, tsr_value *x, int64_t dim, bool guarded);
/* "... has no form in StableHLO: why"; always false. */
bool tsr_hlo_cannot(const tsr_op *op, const char *why);

#endif
