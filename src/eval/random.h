/* random.h - random inputs that a program can do something with.
 *
 * Values are a function of the seed, the number of the input and the number of the element, and nothing else: the same on
 * every machine, in any order. They are uniform:
 *
 *     floats        multiples of 2^-24 in [-1, 1), rounded to the type; f8E8M0FNU: 2^-2 to 2^2; complex: both parts
 *     integers      -8 to 8, unsigned 0 to 15, within the type; i1: 0 or 1
 *     quantized     the whole range of the storage
 *
 * A float input of which TTIR takes a root or a logarithm, or which is a variance, is not negative: the same numbers without
 * their signs. A parameter of a TTIR model is scaled by a power of two, so that sums of products stay small.
 *
 * An integer input of which the program says more has values that are legal: one that becomes an index of gather, scatter,
 * dynamic_slice, dynamic_update_slice or of an op whose row has INDEXES is in range for all of them (no clamping), one that is
 * compared with an iota is a place in it (one-hot encodings of labels), a divisor is not 0 (1 to 8), an amount to shift by is
 * less than the width. Such uses are found through ops that keep or choose values (reshape, broadcast, convert between
 * integers, select, ...), loops and calls. */
#ifndef TSR_EVAL_RANDOM_H
#define TSR_EVAL_RANDOM_H

#include "base/status.h"
#include "eval/tensor.h"

/* Values that an integer input may have. */
typedef struct {
    int64_t least, most;
    bool limited; /* some use says so */
} tsr_range;

/* What the uses of an argument of func allow. */
tsr_range tsr_random_range(tsr_module *m, const tsr_op *func, size_t i);
/* A tensor for argument i of func. The caller owns it; NULL after a failure. */
tsr_tensor *tsr_random_input(tsr_module *m, const tsr_op *func, size_t i, uint64_t seed,
                             tsr_status *status);
/* The same of another type: the whole of which the argument is a part. */
tsr_tensor *tsr_random_input_as(tsr_module *m, const tsr_op *func, size_t i, const tsr_type *type,
                                uint64_t seed, tsr_status *status);

#endif
