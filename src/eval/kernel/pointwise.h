/* SPDX-License-Identifier: Apache-2.0 */
/* pointwise.h - shared by the kernels of pointwise ops: a row is n elements of each operand and of the result.
 *
 * tsr_pointwise checks operands, finds memory for the result (an operand that dies here, if it fits) and passes one row
 * to the kernel's row function, which only loops. For quantized tensors it only sees the storage: eval/kernel/quant.h
 * handles them before. */
#ifndef TSR_EVAL_KERNEL_POINTWISE_H
#define TSR_EVAL_KERNEL_POINTWISE_H

#include "dialect/stablehlo/cases.h"
#include "eval/eval.h"
#include "eval/math/wide.h"

typedef struct {
    const tsr_op *op;
    int opcode;   /* that of the plain op: stablehlo.x for chlo.broadcast_x */
    tsr_dtype d;  /* of the last operand; all operands have it, except the predicate of select */
    tsr_dtype to; /* of the result */
    int64_t n;
    const void *in[3];
    int64_t step[3]; /* 1; 0: one element applies to all */
    void *out;       /* may be one of in: element i is read before it is written */
} tsr_row;

/* False: the op is not defined for the type. */
typedef bool tsr_row_fn(const tsr_row *r);

/* A complete pointwise kernel with one result. */
bool tsr_pointwise(tsr_call *c, int opcode, tsr_row_fn *fn);
/* The same on operands other than the call's (borrowed), all of one shape or with one element. */
bool tsr_pointwise_on(tsr_call *c, int opcode, tsr_row_fn *fn, tsr_tensor *const *in, size_t nin);

/* Row functions from element functions. Elements go through double, long double complex or int64 in chunks; the result
 * is rounded once. */
void tsr_row_doubles1(const tsr_row *r, double (*fn)(double));
void tsr_row_doubles2(const tsr_row *r, double (*fn)(double, double));
void tsr_row_wides1(const tsr_row *r,
                    tsr_wide (*fn)(tsr_wide)); /* for float results: the real part */
void tsr_row_wides2(const tsr_row *r, tsr_wide (*fn)(tsr_wide, tsr_wide));
/* Wraps results of loops over bytes to the range of i2, i4, ui2, ui4 and i1; other types are not changed. */
void tsr_row_wrap(tsr_dtype d, void *out, int64_t n);

/* The row functions of other files that chlo.broadcast_x needs. */
tsr_row_fn tsr_row_binary, tsr_row_bitwise, tsr_row_compare, tsr_row_select, tsr_row_complex,
    tsr_row_special2;

/* Of one operand (kernel/unary.c), by opcode. */
tsr_row_fn tsr_row_unary;
/* A comparison, of tsr_compare; NaN is equal to nothing. */
bool tsr_row_compare_as(const tsr_row *r, int direction);

/* A kernel with one operand: that of this opcode, whatever the calling op (kernel/unary.c). */
bool tsr_unary(tsr_call *c, int opcode);
/* n elements of one binary op on rows, for kernels whose body is that op (reduce and the like); steps are 0 or 1.
 * False: no such op or type. */
bool tsr_binary_run(int opcode, tsr_dtype d, int64_t n, const void *a, int64_t step_a,
                    const void *b, int64_t step_b, void *out);

/* ---- Quantization (kernel/convert.c) ---- */

static inline bool tsr_is_quantized(const tsr_type *elem)
{
    return elem && elem->kind == TSR_TYPE_DIALECT && elem->def == &tsr_def_QUANT_UNIFORM;
}
/* New tensors of the same shape; NULL: no memory, or parameters that do not fit the shape. t is not consumed. */
tsr_tensor *tsr_dequantize(const tsr_tensor *t); /* to its expressed type */
bool tsr_quantize_into(tsr_tensor *out,
                       const tsr_tensor *floats); /* out: quantized, of the same shape */

#endif
