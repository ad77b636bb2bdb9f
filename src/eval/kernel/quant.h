/* SPDX-License-Identifier: Apache-2.0 */
/* quant.h - ops on quantized tensors, run by float kernels. */
#ifndef TSR_EVAL_KERNEL_QUANT_H
#define TSR_EVAL_KERNEL_QUANT_H

#include "eval/eval.h"

/* Whether an operand or a result of the op is a quantized tensor. */
bool tsr_op_is_quantized(const tsr_op *op);
/* Whether an op computes with quantized values. The others move stored integers, or run bodies that compute. */
bool tsr_computes_quantized(const tsr_op *op);
/* Runs an op's kernel. If the op computes with quantized values, the kernel sees floats instead: quantized operands are
 * dequantized to their expressed type before, results are quantized after (nearest even, clamped to the storage's
 * range). An op that only moves elements, or has no quantized types, runs unchanged. */
bool tsr_eval_quantized(tsr_call *c, eval_fn *kernel);

#endif
