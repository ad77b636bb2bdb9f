/* composite.h - composites, and custom calls that were composites, as ops of TTIR. */
#ifndef TSR_LOWER_TTIR_COMPOSITE_H
#define TSR_LOWER_TTIR_COMPOSITE_H

#include "lower/ttir/mesh.h"

/* Builds what op computes, a composite or a custom call with these attributes (a dictionary, or
 * NULL). Types are ranked tensors of static shape. False: it cannot be said, and op stays; what
 * was built is erased. */
typedef bool tsr_composite_fn(tsr_build *b, tsr_op *op, const tsr_attr *attrs, tsr_value **out);
#define COMPOSITE(name, hook) tsr_composite_fn tsr_composite_##hook;
#include "lower/ttir/composites.def"

/* ---- ttir/composite.c: attributes of a dictionary that may be NULL ---- */

tsr_attr *tsr_given(const tsr_attr *attrs, const char *name,
                    tsr_attr_kind kind); /* NULL: none of this kind */
bool tsr_given_int(const tsr_attr *attrs, const char *name,
                   int64_t *out); /* dense data of one element, too */
tsr_attr *tsr_given_bool(const tsr_attr *attrs, const char *name);
/* As an f32. */
tsr_attr *tsr_given_f32(tsr_build *b, const tsr_attr *attrs, const char *name);
/* Integers of an array or of dense data. */
bool tsr_given_ints(const tsr_attr *attrs, const char *name, tsr_i64_vec *out);

/* An op with operands that are all there. */
tsr_op *tsr_composite_open(tsr_build *b, enum tsr_opcode opcode, tsr_op *op);
/* Puts made in place with the types of op's results, which it stands for. */
void tsr_composite_close(tsr_build *b, tsr_op *made, tsr_op *op, tsr_value **out);
/* array<i32: 1, 0, 1> for operandSegmentSizes. */
tsr_attr *tsr_segments(tsr_build *b, const int64_t *sizes, size_t n);

#endif
