/* SPDX-License-Identifier: Apache-2.0 */
/* block.h - elements in block formats: bfp_f8, bfp_bf8 and so on, 16 elements of a row that share one exponent.
 *
 * A block is 16 consecutive elements of the last dimension, starting at the beginning of the row: a row of a face of a
 * tile. Each element is a sign and a mantissa of 7, 3 or 1 bits; the exponent is that of the block's largest element,
 * with eight bits (bfp_bf*) or five (bfp_f*). Here such elements are stored as f32 values that have been rounded to
 * numbers of the format: to nearest, ties to even, limited to the largest mantissa; values smaller than the smallest
 * normal f32 number count as 0. */
#ifndef TSR_EVAL_BLOCK_H
#define TSR_EVAL_BLOCK_H

#include "eval/tensor.h"

enum { TSR_BLOCK = 16 };

/* Bits of the mantissa of an element type; 0: not a block format. */
int tsr_block_bits(const tsr_type *elem);
/* Rounds an f32 tensor in place to a block element type; does nothing for other types. */
void tsr_block_round(tsr_tensor *t, const tsr_type *elem);

#endif
