/* ttir.h - StableHLO written in TTIR: the TTIR column of op rows, and what its hooks share.
 *
 * A row says TTIR_AS(TTIR_ADD) when its op is ttir.add of the same operands and results;
 * TTIR(hook) when ttir_<hook> builds it; TTIR_INSIDE when the op stays and the ops in its
 * regions are converted. An op that has no such column, or whose hook says no, stays as it is,
 * with its regions.
 *
 * TTIR_AS and TTIR are asked only about ranked tensors of at most TSR_TTIR_RANK dimensions whose
 * elements are neither complex nor quantized; TTIR_ANY(hook) is asked about all. */
#ifndef TSR_LOWER_TTIR_TTIR_H
#define TSR_LOWER_TTIR_TTIR_H

#include "dialect/reducer.h"
#include "dialect/stablehlo/stablehlo.h"
#include "dialect/ttir/build.h"
#include "lower/lower.h"

/* Builds what op computes and gives a value for each of its results; NULL for one that nobody
 * uses. What it builds may be StableHLO's, which is converted in its turn. False when op has no
 * such form, without a diagnostic: what was built is erased, and the op stays. */
typedef bool tsr_ttir_fn(tsr_build *b, tsr_op *op, tsr_value **out);
#include "lower/ttir/ttir_tables.h"

/* Custom calls by target: ttir/calls.def. */
#define CALL(target, hook) tsr_ttir_fn ttir_call_##hook;
#include "lower/ttir/calls.def"

/* ---- ttir/reduce.c ---- */

/* How a body of 2n arguments joins pair i, by one op of its own that keeps the type. */
tsr_reduce_kind tsr_ttir_joins(const tsr_region *body, size_t n, size_t i);
/* Whether v, of TTIR, counts 0, 1, 2, ... along dim, whatever the other places. */
bool tsr_ttir_counts(const tsr_value *v, int64_t dim);

/* ---- ttir/scatter.c ---- */

/* What an op of StableHLO that joins two elements is, as #ttcore.reduce_type counts; truth: elements
 * are truth values. False: TTIR has no such reduction. */
bool tsr_ttir_join_type(tsr_reduce_kind kind, bool truth, int64_t *how);
/* How a body of 2n arguments joins what is there with the update of pair i, as
 * #ttcore.reduce_type counts; invalid: the update takes its place. False: otherwise. */
bool tsr_ttir_joined_how(const tsr_region *body, size_t n, size_t i, const tsr_type *elem,
                         int64_t *how);
tsr_value *tsr_ttir_scatter(tsr_build *b, tsr_value *x, tsr_value *index, tsr_value *updates,
                            int64_t dim, int64_t how);

/* ---- ttir.c ---- */

/* An op of TTIR on op's operands, with results of its types, which become those of op. */
tsr_op *tsr_ttir_as(tsr_build *b, const tsr_op *op, enum tsr_opcode as, tsr_value **out);
/* Whether the ops between before (NULL: the first) and op are right: StableHLO may say what
 * TTIR's ops do not take. The engine asks this of all that hooks built; a hook that changes
 * other ops asks before. */
bool tsr_ttir_fits(const tsr_op *before, tsr_op *op);
/* Asks the rows about every op inside root, in program order. refuse: an op that has a hook, and
 * stays, is an error. */
bool tsr_ttir_convert(tsr_op *root, bool refuse);

#endif
