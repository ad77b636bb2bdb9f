/* SPDX-License-Identifier: Apache-2.0 */
/* random.h - random inputs that are meaningful for a program.
 *
 * Values depend only on the seed, the number of the input and the number of the element: they are the same on every
 * machine, in any order. They are uniform:
 *
 *     floats        multiples of 2^-24 in [-1, 1), rounded to the type; f8E8M0FNU: 2^-2 to 2^2; complex: both parts
 *     integers      -8 to 8, unsigned 0 to 15, within the type; i1: 0 or 1
 *     quantized     the whole range of the storage
 *
 * A float input of which TTIR takes a root or a logarithm, or which is a variance, is not negative: the same numbers
 * without their signs. A parameter of a TTIR model is scaled by a power of two, so that sums of products stay small.
 *
 * An integer input whose uses are constrained has valid values: an index of gather, scatter, dynamic_slice,
 * dynamic_update_slice or of an op whose row has INDEXES is in range for all of them (no clamping), a value that is
 * compared with an iota is in its range (one-hot encodings of labels), a divisor is not 0 (1 to 8), a shift amount is
 * less than the width. Such uses are found through ops that keep or choose values (reshape, broadcast, convert between
 * integers, select, ...), loops and calls. */
#ifndef TSR_EVAL_RANDOM_H
#define TSR_EVAL_RANDOM_H

#include "base/status.h"
#include "eval/tensor.h"

/* Values that an integer input may have. */
typedef struct {
    int64_t least, most;
    bool limited; /* some use constrains it */
} tsr_range;

/* The values that the uses of an argument of func allow. */
tsr_range tsr_random_range(tsr_module *m, const tsr_op *func, size_t i);
/* A tensor for argument i of func. The caller owns it; NULL after a failure. */
tsr_tensor *tsr_random_input(tsr_module *m, const tsr_op *func, size_t i, uint64_t seed,
                             tsr_status *status);
/* The same with another type: the global type of an argument that is a shard. */
tsr_tensor *tsr_random_input_as(tsr_module *m, const tsr_op *func, size_t i, const tsr_type *type,
                                uint64_t seed, tsr_status *status);

#endif
