/* SPDX-License-Identifier: Apache-2.0 */
/* shape.h - shared by inference and verification of TTIR's ops: shapes under construction, operands by group,
 * attributes as numbers, and shapes as text.
 *
 * Result types are inferred from operands and attributes, except for two things that TTIR leaves free: the element type
 * and the encoding of a result. Those are the result's own if the op has results already, and the first operand's in a
 * builder. */
#ifndef TSR_DIALECT_TTIR_SHAPE_H
#define TSR_DIALECT_TTIR_SHAPE_H

#include "dialect/params.h"
#include "dialect/ttcore/ttcore.h"
#include "dialect/ttir/ttir.h"

enum { TT_MAX_RANK = 64 };

/* A shape under construction. TSR_DYNAMIC is an unknown size. */
typedef struct {
    size_t n;
    int64_t d[TT_MAX_RANK];
} tt_shape;

/* The shape of a tensor type. False after a diagnostic if its rank is above TT_MAX_RANK. */
bool tt_shape_of(const tsr_op *op, const tsr_type *t, tt_shape *out);
/* Appends a dimension. */
bool tt_shape_add(const tsr_op *op, tt_shape *s, int64_t size);
bool tt_shape_is(const tt_shape *s, const tsr_type *t);
/* Sums and products of sizes that may be unknown; a result above 62 bits is unknown. */
int64_t tt_times(int64_t a, int64_t b);
int64_t tt_plus(int64_t a, int64_t b);
/* NumPy's rule; false, without a diagnostic, if the two do not broadcast. */
bool tt_broadcast(const tt_shape *a, const tt_shape *b, tt_shape *out);

/* Appends a result with this shape. */
bool tt_result(const tsr_op *op, tsr_type_vec *out, const tt_shape *s);
/* The same with its own element type if the op has no results yet. */
bool tt_result_of(const tsr_op *op, tsr_type_vec *out, const tt_shape *s, tsr_type *elem);
/* Appends a result with the shape of this operand. */
bool tt_result_like(const tsr_op *op, tsr_type_vec *out, const tsr_type *t);
/* Appends the current type of the next result: its shape does not depend on the operands. False if there is none
 * yet. */
bool tt_result_kept(const tsr_op *op, tsr_type_vec *out);

/* Type of the only operand (result) of a group; NULL if it is absent. */
const tsr_type *tt_in(const tsr_op *op, size_t group);
const tsr_type *tt_out(const tsr_op *op, size_t group);
static inline size_t tt_rank(const tsr_type *t)
{
    return t->n;
}
static inline bool tt_same_shape(const tsr_type *a, const tsr_type *b)
{
    return a->n == b->n && (a->n == 0 || memcmp(a->dims, b->dims, a->n * sizeof *a->dims) == 0);
}
static inline bool tt_is_integer(const tsr_type *elem)
{
    return elem && elem->kind == TSR_TYPE_INTEGER;
}
static inline bool tt_is_float(const tsr_type *elem)
{
    return elem && elem->kind == TSR_TYPE_FLOAT;
}

/* The number in a slot, or the default if it is absent. */
static inline int64_t tt_int(const tsr_op *op, int slot, int64_t otherwise)
{
    return op->attrs[slot] ? op->attrs[slot]->i : otherwise;
}
/* The same of a float or an integer. */
double tt_float(const tsr_op *op, int slot, double otherwise);
/* Element i of an array of integers, a dense array, or dense elements. */
int64_t tt_int_at(const tsr_attr *a, size_t i);
static inline size_t tt_count(const tsr_attr *a)
{
    int64_t n = a ? tsr_attr_count(a) : 0;
    return n > 0 ? (size_t)n : 0;
}
/* -1 is the last dimension; false, without a diagnostic, if there is no such dimension. */
bool tt_dim(int64_t dim, size_t rank, size_t *out);
/* Whether a list has numbers for n dimensions. what: " for stride", for the diagnostic. */
bool tt_counts(const tsr_op *op, tsr_ints v, size_t n, const char *what);
/* Whether the padding of images was given as one, two (vertical, horizontal) or four numbers: top, left, bottom,
 * right. */
bool tt_padding_counts(const tsr_op *op, const tsr_window *w, const char *what);

/* 1, 2 or with another separator; the text lives as long as the module. */
const char *tt_join(const tsr_op *op, const int64_t *dims, size_t n, const char *parting);
const char *tt_show(const tsr_op *op, const tsr_type *t, const char *parting);
const char *tt_show_type(const tsr_op *op, const tsr_type *t); /* 'tensor<2xf32>' */

/* How many devices an axis of the module's mesh has; -1 if unknown. */
int64_t tt_mesh_size(const tsr_op *op, int64_t axis);

/* Checks that results have the inferred shapes, with our own message, for ops without another. */
bool tt_verify_inferred(const tsr_op *op);

#endif
