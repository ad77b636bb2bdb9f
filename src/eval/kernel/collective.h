/* SPDX-License-Identifier: Apache-2.0 */
/* collective.h - shared by the kernels of collectives of all dialects: meeting a group, and results made from its
 * members' values. */
#ifndef TSR_EVAL_KERNEL_COLLECTIVE_H
#define TSR_EVAL_KERNEL_COLLECTIVE_H

#include "eval/groups.h"
#include "eval/math/strided.h"

/* The values that a group brought together. */
typedef struct {
    tsr_group group;
    size_t me; /* place of this process */
    size_t nin;
    tsr_tensor **values; /* group.n * nin */
    int64_t channel;
    tsr_wants need;
    tsr_tensor *made; /* the result, if it was combined on arrival; NULL: use values */
} tsr_gathering;

/* Meets g->group with operands 0 .. n-1, which must have the same types on all members. */
bool tsr_gather_parts(tsr_call *c, tsr_gathering *g, size_t n);
void tsr_gather_end(tsr_gathering *g);
static inline tsr_tensor *tsr_brought(const tsr_gathering *g, size_t place, size_t i)
{
    return g->values[place * g->nin + i];
}

/* Whether the type of result i allows these dimensions; false after a failure. */
bool tsr_result_fits(tsr_call *c, size_t i, const int64_t *dims, size_t rank);
/* A result with these dimensions, which its type must allow; NULL after a failure. */
tsr_tensor *tsr_result_new(tsr_call *c, size_t i, const int64_t *dims, size_t rank);
/* A result of zeros with the shape of operand i. */
bool tsr_zero_result(tsr_call *c, size_t i);
/* Result i: operands i concatenated along an axis; or part number me of each. */
bool tsr_gathered_result(tsr_call *c, const tsr_gathering *g, size_t i, int64_t axis);
bool tsr_exchanged_result(tsr_call *c, const tsr_gathering *g, size_t i, int64_t split,
                          int64_t concat);
/* The same into a tensor that is there, from every step-th of the values that n members brought. */
void tsr_gather_into(tsr_tensor *t, tsr_tensor *const *in, size_t n, size_t step, int64_t axis);
void tsr_exchange_into(tsr_tensor *t, tsr_tensor *const *in, size_t n, size_t step, size_t me,
                       int64_t split, int64_t concat);
bool tsr_same_type(const tsr_tensor *a, const tsr_tensor *b);
/* Result 0: the value of the preceding process in a chain of pairs, or zeros. */
bool tsr_permuted_result(tsr_call *c, const tsr_attr *pairs, tsr_grouping by, int64_t channel);

/* join.c: an op whose parameters and whose results' memory (comm, into) are known, for an engine in lockstep. */
tsr_joined tsr_collective_join(tsr_call *c);

/* Copies a box of size dims, at element offsets, between two tensors of the same element type. */
void tsr_copy_box(tsr_tensor *to, const int64_t *to_at, const tsr_tensor *from,
                  const int64_t *from_at, const int64_t *dims);
/* Part number i of n along a dimension, as a new tensor; NULL after a failure. */
tsr_tensor *tsr_part_cut(tsr_call *c, const tsr_tensor *t, int64_t axis, size_t i, size_t n);

#endif
