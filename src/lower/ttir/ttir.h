/* SPDX-License-Identifier: Apache-2.0 */
/* ttir.h - lowering of StableHLO to TTIR: the TTIR column of op rows, and shared helpers of its hooks.
 *
 * A row has TTIR_AS(TTIR_ADD) if its op is ttir.add with the same operands and results; TTIR(hook) if ttir_<hook>
 * builds it; TTIR_INSIDE if the op stays and the ops in its regions are converted. An op without such a column, or
 * whose hook returns false, stays as it is, with its regions.
 *
 * TTIR_AS and TTIR apply only to ranked tensors of at most TSR_TTIR_RANK dimensions whose elements are neither complex
 * nor quantized; TTIR_ANY(hook) applies to all. */
#ifndef TSR_LOWER_TTIR_TTIR_H
#define TSR_LOWER_TTIR_TTIR_H

#include "dialect/reducer.h"
#include "dialect/stablehlo/stablehlo.h"
#include "dialect/ttir/build.h"
#include "lower/lower.h"

/* Builds what op computes and returns a value for each of its results; NULL for an unused one. The new ops may be
 * StableHLO's, which are converted in turn. False if op has no such form, without a diagnostic: ops already built are
 * erased, and the op stays. */
typedef bool tsr_ttir_fn(tsr_build *b, tsr_op *op, tsr_value **out);
#include "lower/ttir/ttir_tables.h"

/* Custom calls by target: ttir/calls.def. */
#define CALL(target, hook) tsr_ttir_fn ttir_call_##hook;
#include "lower/ttir/calls.def"

/* ---- ttir/reduce.c ---- */

/* How a body of 2n arguments combines pair i, by a single op of its own that keeps the type. */
tsr_reduce_kind tsr_ttir_joins(const tsr_region *body, size_t n, size_t i);
/* Whether v, of TTIR, counts 0, 1, 2, ... along dim, independent of the other dimensions. */
bool tsr_ttir_counts(const tsr_value *v, int64_t dim);

/* ---- ttir/scatter.c ---- */

/* The #ttcore.reduce_type of a StableHLO op that combines two elements; truth: elements are booleans. False: TTIR has
 * no such reduction. */
bool tsr_ttir_join_type(tsr_reduce_kind kind, bool truth, int64_t *how);
/* The #ttcore.reduce_type with which a body of 2n arguments combines the existing element with the update of pair i;
 * invalid: the update replaces it. False: none. */
bool tsr_ttir_joined_how(const tsr_region *body, size_t n, size_t i, const tsr_type *elem,
                         int64_t *how);
tsr_value *tsr_ttir_scatter(tsr_build *b, tsr_value *x, tsr_value *index, tsr_value *updates,
                            int64_t dim, int64_t how);

/* ---- ttir.c ---- */

/* An op of TTIR on op's operands, with results of its types, which replace those of op. */
tsr_op *tsr_ttir_as(tsr_build *b, const tsr_op *op, enum tsr_opcode as, tsr_value **out);
/* Whether the ops between before (NULL: the first) and op verify: StableHLO allows forms that TTIR's ops do not. The
 * engine checks this for all ops that hooks build; a hook that changes other ops must check before. */
bool tsr_ttir_fits(const tsr_op *before, tsr_op *op);
/* Applies the rows to every op inside root, in program order. refuse: an op that has a hook, and stays, is an error. */
bool tsr_ttir_convert(tsr_op *root, bool refuse);

#endif
