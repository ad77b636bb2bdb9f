/* SPDX-License-Identifier: Apache-2.0 */
/* composite.h - lowers composites, and custom calls that were composites, to ops of TTIR. */
#ifndef TSR_LOWER_TTIR_COMPOSITE_H
#define TSR_LOWER_TTIR_COMPOSITE_H

#include "lower/ttir/mesh.h"

/* Builds what op computes, a composite or a custom call with these attributes (a dictionary, or NULL). Types are ranked
 * tensors of static shape. False: it cannot be lowered, and op stays; ops already built are erased. */
typedef bool tsr_composite_fn(tsr_build *b, tsr_op *op, const tsr_attr *attrs, tsr_value **out);
#define COMPOSITE(name, hook) tsr_composite_fn tsr_composite_##hook;
#include "lower/ttir/composites.def"

/* ---- ttir/composite.c: attributes of a dictionary that may be NULL ---- */

tsr_attr *tsr_given(const tsr_attr *attrs, const char *name,
                    tsr_attr_kind kind); /* NULL: none of this kind */
bool tsr_given_int(const tsr_attr *attrs, const char *name,
                   int64_t *out); /* also accepts dense data of one element */
tsr_attr *tsr_given_bool(const tsr_attr *attrs, const char *name);
/* As an f32. */
tsr_attr *tsr_given_f32(tsr_build *b, const tsr_attr *attrs, const char *name);
/* Integers of an array or of dense data. */
bool tsr_given_ints(const tsr_attr *attrs, const char *name, tsr_i64_vec *out);

/* An op all of whose operands are present. */
tsr_op *tsr_composite_open(tsr_build *b, enum tsr_opcode opcode, tsr_op *op);
/* Inserts made with the types of op's results, which it replaces. */
void tsr_composite_close(tsr_build *b, tsr_op *made, tsr_op *op, tsr_value **out);
/* array<i32: 1, 0, 1> for operandSegmentSizes. */
tsr_attr *tsr_segments(tsr_build *b, const int64_t *sizes, size_t n);

#endif
