/* lower.h - what the files of lower/ ask of each other: rewrites of ops by the rows of chlo.def. */
#ifndef TSR_LOWER_LOWER_H
#define TSR_LOWER_LOWER_H

#include "lower/chlo/elementwise.h"

/* Builds what op computes and gives a value for each of its results. False when op cannot be written in StableHLO,
 * without a diagnostic; what was built stays, unused. */
typedef bool tsr_rewrite_fn(tsr_build *b, tsr_op *op, tsr_value **out);

/* Functions of one and two values, whatever their float type: narrow ones are computed in f32. NULL: not possible. */
tsr_value *tsr_apply(tsr_build *b, tsr_value *x, tsr_real_fn *real, tsr_complex_fn *complex);
tsr_value *tsr_apply2(tsr_build *b, tsr_value *x, tsr_value *y, tsr_real2_fn *real);

/* Says one op of CHLO in StableHLO and erases it (chlo.c); other ops stay. False after a diagnostic. */
bool tsr_chlo_legalize(tsr_op *op);

/* The same without a diagnostic, as a rewrite: op stays. */
tsr_rewrite_fn tsr_chlo_rewrite;

/* ---- The rewrites of chlo.def ---- */
#define OTHER(opcode, fn) tsr_rewrite_fn tsr_chlo_##fn;
#include "lower/chlo/chlo.def"

/* Whether --tessera-raise-custom-calls has another op for it (calls.c). */
bool tsr_is_raised_call(const tsr_op *op);
/* Whether TTIR has an op for custom calls of this target (ttir/calls.c). */
bool tsr_ttir_takes_call(tsr_str target);

/* Gives all values from root on, signatures of functions and constants the types that map says (retype.c). Whether some
 * changed. */
typedef tsr_type *tsr_type_fn(tsr_type *t);
bool tsr_retype(tsr_op *root, tsr_type_fn *map);

/* ---- deprecated.c ---- */
/* That dot_general on others, not put in place yet. */
tsr_op *tsr_dot_to_general(tsr_build *b, tsr_op *dot, tsr_value *const *in);

/* ---- bits.c ---- */
tsr_value *tsr_lower_next_after(tsr_build *b, tsr_value *x,
                                tsr_value *y); /* NULL: no integers of this width */

#endif
