/* SPDX-License-Identifier: Apache-2.0 */
/* ttir.h - shared by the kernels of TTIR.
 *
 * A TTIR op may have any result element type, so kernels compute in a type that suits the op, on tensors that never
 * leave them, and tsr_tt_give converts at the end. */
#ifndef TSR_EVAL_KERNEL_TTIR_TTIR_H
#define TSR_EVAL_KERNEL_TTIR_TTIR_H

#include "eval/eval.h"

/* An element type for tensors that do not leave a kernel: of the same kind as the context's own, but with another
 * address. */
tsr_type *tsr_tt_elem(tsr_dtype d);
/* The type that two operands are computed in: a float rather than an integer, then the wider one. */
tsr_dtype tsr_tt_promote(tsr_dtype a, tsr_dtype b);
/* d if it is a float type, else the result's type if that is one, else f32. */
tsr_dtype tsr_tt_float(const tsr_call *c, tsr_dtype d);
/* The type that sums of this type are computed in: f32 for narrower floats, 64 bits for integers (a result may be wider
 * than the operands, and for i1 a sum is an or), d otherwise. */
tsr_dtype tsr_tt_sum(tsr_dtype d);

/* t converted to this type, and the same for operand i, which may die here: references that the caller owns; NULL after
 * a failure. */
tsr_tensor *tsr_tt_as(tsr_call *c, tsr_tensor *t, tsr_dtype d);
tsr_tensor *tsr_tt_take(tsr_call *c, size_t i, tsr_dtype d);
/* A new tensor of this type; NULL after a failure. */
tsr_tensor *tsr_tt_new(tsr_call *c, tsr_dtype d, const int64_t *dims, size_t rank);
/* Sets result i to t in the result's element type. Takes ownership of the reference; NULL means a failure that was
 * already reported. */
bool tsr_tt_give(tsr_call *c, size_t i, tsr_tensor *t);
/* The same with another shape of the same number of elements. */
bool tsr_tt_give_as(tsr_call *c, size_t i, tsr_tensor *t, const int64_t *dims, size_t rank);

/* The index of a group's only operand; -1 if it is absent. */
int tsr_tt_at(const tsr_call *c, size_t group);
/* That operand; NULL if it is absent. */
tsr_tensor *tsr_tt_in(const tsr_call *c, size_t group);
/* Numbers in attributes: one or many, and floats. */
int64_t tsr_tt_int(const tsr_call *c, int slot, int64_t otherwise);
double tsr_tt_double(const tsr_call *c, int slot, double otherwise);
size_t tsr_tt_ints(const tsr_attr *a, int64_t *out, size_t max);
/* A dimension, counted from the end if it is negative. False after a failure. */
bool tsr_tt_dim(tsr_call *c, int64_t dim, size_t rank, size_t *out);

/* A tensor around one dimension: outer x n x inner. */
typedef struct {
    int64_t outer, n, inner;
} tsr_tt_axis;
tsr_tt_axis tsr_tt_around(const tsr_tensor *t, size_t dim);

/* The elements of x at byte strides from first, as a new tensor of its type; NULL after a failure. */
tsr_tensor *tsr_tt_view(tsr_call *c, const tsr_tensor *x, const char *first, const int64_t *dims,
                        const int64_t *from, size_t rank);
/* x with its dimensions in another order. */
tsr_tensor *tsr_tt_permuted(tsr_call *c, const tsr_tensor *x, const int64_t *order);

/* Operands broadcast to one shape and combined by a StableHLO op, with element type to, which is I1 or the operands'
 * type. The operands have one type; for select all but the first. Takes ownership of the references, some of which may
 * be NULL after a failure. */
tsr_tensor *tsr_tt_combine(tsr_call *c, int opcode, tsr_dtype to, tsr_tensor **in, size_t nin);

/* a x b as in torch.matmul, with broadcast batches, in the sum type of both. NULL after a failure. */
tsr_tensor *tsr_tt_matmul(tsr_call *c, tsr_tensor *a, tsr_tensor *b, bool transpose_a,
                          bool transpose_b);

#endif
