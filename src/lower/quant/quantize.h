/* SPDX-License-Identifier: Apache-2.0 */
/* quantize.h - shared by the passes on quantized numbers: rewriting ops on them as ops on the expressed values
 * (quantize.c), and as ops on the stored integers (quantize_math.c, quantize_product.c). */
#ifndef TSR_LOWER_QUANT_QUANTIZE_H
#define TSR_LOWER_QUANT_QUANTIZE_H

#include "dialect/stablehlo/build.h"
#include "pass/pass.h"

/* ---- quantize.c ---- */

/* Whether op computes on the expressed values of quantized numbers; op may have none. */
bool tsr_quant_on_values(const tsr_op *op);
/* Replaces op by dequantize, op, quantize. */
void tsr_quant_take_apart(tsr_pass *p, tsr_op *op);
/* The same op on other operands, before at. */
tsr_op *tsr_quant_same_op(const tsr_op *op, tsr_value *const *in, tsr_type *const *types,
                          tsr_block *block, tsr_op *at);

/* ---- quantize_math.c ---- */

/* Whether stored integers fit in i32 and express f32, with scales per tensor or per axis: the supported case. */
bool tsr_quant_is_plain(const tsr_type *t);
/* Whether op only moves elements, whatever they express. */
bool tsr_quant_moves(const tsr_op *op);
/* The type of the stored integers; NULL if t does not have it. */
tsr_type *tsr_quant_stored(const tsr_type *t);
bool tsr_quant_zero_points(const tsr_type *t); /* whether some zero point is not 0 */
/* A constant: a scalar when n is 0. */
tsr_value *tsr_quant_numbers(tsr_build *b, tsr_type *elem, const double *numbers, size_t n);
tsr_value *tsr_quant_number(tsr_build *b, tsr_type *elem, double number);
/* The scales (as f32) and zero points of t: a scalar, or one number per slice of its axis. */
tsr_value *tsr_quant_scales_of(tsr_build *b, const tsr_type *t);
tsr_value *tsr_quant_zero_points_of(tsr_build *b, const tsr_type *t, tsr_type *elem);
/* x (op) y with CHLO's op, into type; per_axis: the type whose scales y has, one per slice, or NULL. */
tsr_value *tsr_quant_mix(tsr_build *b, enum tsr_opcode opcode, tsr_value *x, tsr_value *y,
                         tsr_type *type, const tsr_type *per_axis);
tsr_value *tsr_quant_convert(tsr_build *b, tsr_value *v,
                             tsr_type *type); /* creates an op even if nothing changes */
/* Clamps to the range of t's stored integers. */
tsr_value *tsr_quant_clamp(tsr_build *b, tsr_value *v, const tsr_type *t);
/* The same for v of i32; v itself if t stores all of i32. */
tsr_value *tsr_quant_narrow(tsr_build *b, tsr_value *v, const tsr_type *t);

/* ---- quantize_product.c: dot, dot_general and convolution ---- */

bool tsr_quant_product_fits(const tsr_op *op);
tsr_value *tsr_quant_product(tsr_build *b, tsr_op *op);

#endif
