/* block.h - elements in formats of blocks: bfp_f8, bfp_bf8 and so on, 16 elements of a row that share one exponent.
 *
 * A block is 16 elements of the last dimension, from the row's begin on: a row of a face of a tile. Each element is a sign and a
 * mantissa of 7, 3 or 1 bits; the exponent is that of the block's largest element, of eight bits (bfp_bf*) or five (bfp_f*). Here such
 * elements are f32 that have been rounded to numbers of the format: to nearest, ties to even, at most the largest mantissa; what is
 * smaller than the smallest normal number of f32 counts as 0. */
#ifndef TSR_EVAL_BLOCK_H
#define TSR_EVAL_BLOCK_H

#include "eval/tensor.h"

enum { TSR_BLOCK = 16 };

/* Bits of the mantissa of an element type; 0: it is no format of blocks. */
int tsr_block_bits(const tsr_type *elem);
/* Rounds a tensor of f32 in place to an element type of blocks; others are left alone. */
void tsr_block_round(tsr_tensor *t, const tsr_type *elem);

#endif
