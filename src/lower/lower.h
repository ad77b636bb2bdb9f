/* SPDX-License-Identifier: Apache-2.0 */
/* lower.h - shared by the files of lower/: rewrites of ops by the rows of chlo.def. */
#ifndef TSR_LOWER_LOWER_H
#define TSR_LOWER_LOWER_H

#include "lower/chlo/elementwise.h"

/* Builds what op computes and returns a value for each of its results. False if op cannot be expressed in StableHLO,
 * without a diagnostic; ops already built stay, unused. */
typedef bool tsr_rewrite_fn(tsr_build *b, tsr_op *op, tsr_value **out);

/* Functions of one and two values of any float type: narrow ones are computed in f32. NULL: not possible. */
tsr_value *tsr_apply(tsr_build *b, tsr_value *x, tsr_real_fn *real, tsr_complex_fn *complex);
tsr_value *tsr_apply2(tsr_build *b, tsr_value *x, tsr_value *y, tsr_real2_fn *real);

/* Lowers one op of CHLO to StableHLO and erases it (chlo.c); other ops stay. False after a diagnostic. */
bool tsr_chlo_legalize(tsr_op *op);

/* The same without a diagnostic, as a rewrite: op stays. */
tsr_rewrite_fn tsr_chlo_rewrite;

/* ---- The rewrites of chlo.def ---- */
#define OTHER(opcode, fn) tsr_rewrite_fn tsr_chlo_##fn;
#include "lower/chlo/chlo.def"

/* Whether --tessera-raise-custom-calls replaces it by another op (calls.c). */
bool tsr_is_raised_call(const tsr_op *op);
/* Whether TTIR has an op for custom calls of this target (ttir/calls.c). */
bool tsr_ttir_takes_call(tsr_str target);

/* Gives all values from root on, signatures of functions and constants the types that map returns (retype.c). Returns
 * whether any changed. */
typedef tsr_type *tsr_type_fn(tsr_type *t);
bool tsr_retype(tsr_op *root, tsr_type_fn *map);

/* ---- deprecated.c ---- */
/* The equivalent dot_general on other operands, not inserted yet. */
tsr_op *tsr_dot_to_general(tsr_build *b, tsr_op *dot, tsr_value *const *in);

/* ---- bits.c ---- */
tsr_value *tsr_lower_next_after(tsr_build *b, tsr_value *x,
                                tsr_value *y); /* NULL: no integers of this width */

#endif
