/* ttir.h - what kernels of TTIR share.
 *
 * An op of TTIR gives its result whatever element type the program says, so kernels compute in a type that fits the
 * op, on tensors that never leave them, and tsr_tt_give converts at the end. */
#ifndef TSR_EVAL_KERNEL_TTIR_TTIR_H
#define TSR_EVAL_KERNEL_TTIR_TTIR_H

#include "eval/eval.h"

/* An element type for tensors that do not leave a kernel: equal in kind to the context's own, but another pointer. */
tsr_type *tsr_tt_elem(tsr_dtype d);
/* The type that two operands are computed in: floats win, then the wider one. */
tsr_dtype tsr_tt_promote(tsr_dtype a, tsr_dtype b);
/* d where it is a float, else the result's type where that is one, else f32. */
tsr_dtype tsr_tt_float(const tsr_call *c, tsr_dtype d);
/* What sums of this type are computed in: f32 for narrower floats, 64 bits for integers (a result may be wider than
 * the operands, and of i1 a sum is an or), d otherwise. */
tsr_dtype tsr_tt_sum(tsr_dtype d);

/* t in this type, and operand i, which dies here perhaps: references that the caller owns; NULL after a failure. */
tsr_tensor *tsr_tt_as(tsr_call *c, tsr_tensor *t, tsr_dtype d);
tsr_tensor *tsr_tt_take(tsr_call *c, size_t i, tsr_dtype d);
/* A new tensor of this type; NULL after a failure. */
tsr_tensor *tsr_tt_new(tsr_call *c, tsr_dtype d, const int64_t *dims, size_t rank);
/* Result i is t in the result's element type. Takes over the reference; NULL counts as a failure that was told. */
bool tsr_tt_give(tsr_call *c, size_t i, tsr_tensor *t);
/* The same under another shape of as many elements. */
bool tsr_tt_give_as(tsr_call *c, size_t i, tsr_tensor *t, const int64_t *dims, size_t rank);

/* The place of a group's one operand; -1: it is not there. */
int tsr_tt_at(const tsr_call *c, size_t group);
/* That operand; NULL: it is not there. */
tsr_tensor *tsr_tt_in(const tsr_call *c, size_t group);
/* Numbers in attributes: one or many, and floats. */
int64_t tsr_tt_int(const tsr_call *c, int slot, int64_t otherwise);
double tsr_tt_double(const tsr_call *c, int slot, double otherwise);
size_t tsr_tt_ints(const tsr_attr *a, int64_t *out, size_t max);
/* A dimension, counted from the end when it is negative. False after a failure. */
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

/* Operands broadcast to one shape and combined by an op of StableHLO's: in the type to, which is I1 or the operands'.
 * They have one type; of select all but the first. Takes over the references, of which some may be NULL after a
 * failure. */
tsr_tensor *tsr_tt_combine(tsr_call *c, int opcode, tsr_dtype to, tsr_tensor **in, size_t nin);

/* a x b as torch.matmul has it, batches broadcast: in the sum type of both. NULL after a failure. */
tsr_tensor *tsr_tt_matmul(tsr_call *c, tsr_tensor *a, tsr_tensor *b, bool transpose_a,
                          bool transpose_b);

#endif
