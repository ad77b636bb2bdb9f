/* SPDX-License-Identifier: Apache-2.0 */
/* build.h - builds TTIR ops one after the other, and queries what is known of values: for TTIR's passes and the
 * conversion to TTIR. */
#ifndef TSR_DIALECT_TTIR_BUILD_H
#define TSR_DIALECT_TTIR_BUILD_H

#include "dialect/stablehlo/build.h"
#include "dialect/ttir/ttir.h"

enum { TSR_TTIR_RANK = 64 }; /* tensors with more dimensions are not handled */

/* ---- Ops ---- */

/* An op that is not inserted yet, with the defaults that its row fills in; tsr_build_close_as inserts it. */
tsr_op *tsr_ttir_open(tsr_build *b, enum tsr_opcode opcode, tsr_value *const *in, size_t nin,
                      size_t nout);
/* An op with one result, without attributes except filled ones. */
tsr_value *tsr_ttir_op(tsr_build *b, enum tsr_opcode opcode, tsr_value *const *in, size_t n,
                       tsr_type *type);
/* Inserts op with one result of this type. */
tsr_value *tsr_ttir_close(tsr_build *b, tsr_op *op, tsr_type *type);
/* Elementwise: results have this type, or x's if it is NULL. */
tsr_value *tsr_ttir_unary(tsr_build *b, enum tsr_opcode opcode, tsr_value *x, tsr_type *type);
tsr_value *tsr_ttir_binary(tsr_build *b, enum tsr_opcode opcode, tsr_value *x, tsr_value *y,
                           tsr_type *type);
tsr_value *tsr_ttir_where(tsr_build *b, tsr_value *p, tsr_value *x, tsr_value *y);
tsr_value *tsr_ttir_typecast(tsr_build *b, tsr_value *x,
                             tsr_type *elem); /* x itself if it has this element type */

/* Shapes; return the value itself if nothing changes, except the forms with _op. */
tsr_value *tsr_ttir_reshape(tsr_build *b, tsr_value *v, const int64_t *dims, size_t n);
tsr_value *tsr_ttir_permute(tsr_build *b, tsr_value *v, const int64_t *permutation);
tsr_value *tsr_ttir_reshape_op(tsr_build *b, tsr_value *v, const int64_t *dims, size_t n);
tsr_value *tsr_ttir_permute_op(tsr_build *b, tsr_value *v, const int64_t *permutation);
tsr_value *tsr_ttir_broadcast(tsr_build *b, tsr_value *v,
                              const int64_t *dims); /* of the same rank */
tsr_value *tsr_ttir_everywhere(tsr_build *b, tsr_value *scalar,
                               const tsr_type *like); /* broadcast to a shape */
tsr_value *tsr_ttir_repeat(tsr_build *b, tsr_value *v, const int64_t *times);
tsr_value *tsr_ttir_concat(tsr_build *b, tsr_value *const *in, size_t n, int64_t dim);
tsr_value *tsr_ttir_concat_op(tsr_build *b, tsr_value *const *in, size_t n, int64_t dim);
/* Steps and sizes of a slice of n dimensions; step: NULL means 1 everywhere. */
void tsr_ttir_slice_sizes(const int64_t *begin, const int64_t *end, const int64_t *step, size_t n,
                          int64_t *steps, int64_t *dims);
/* step: NULL for ones. */
tsr_value *tsr_ttir_slice(tsr_build *b, tsr_value *v, const int64_t *begin, const int64_t *end,
                          const int64_t *step);
tsr_value *tsr_ttir_slice_op(tsr_build *b, tsr_value *v, const int64_t *begin, const int64_t *end,
                             const int64_t *step);
/* The bounds of a slice_static. */
void tsr_ttir_set_slice(tsr_op *slice, const int64_t *begin, const int64_t *end,
                        const int64_t *step, size_t n);
tsr_value *tsr_ttir_slice_dim(tsr_build *b, tsr_value *v, int64_t dim, int64_t begin, int64_t end);
/* padding: low, high of each dimension. */
tsr_value *tsr_ttir_pad(tsr_build *b, tsr_value *v, const int64_t *padding, double value);
tsr_value *tsr_ttir_reverse(tsr_build *b, tsr_value *v, const int64_t *dims, size_t n);
/* A reduction: opcode is TTIR_SUM and the like; elem: NULL for v's. */
tsr_value *tsr_ttir_reduce(tsr_build *b, enum tsr_opcode opcode, tsr_value *v, const int64_t *dims,
                           size_t n, bool keep, tsr_type *elem);
/* The same with a known type. */
tsr_value *tsr_ttir_reduce_as(tsr_build *b, enum tsr_opcode opcode, tsr_value *v,
                              const int64_t *dims, size_t n, bool keep, tsr_type *type);

/* Tensors without operands. */
tsr_value *tsr_ttir_constant(tsr_build *b, tsr_attr *value);
tsr_value *tsr_ttir_splat(tsr_build *b, tsr_type *type,
                          double number); /* a ttir.constant of one number */
tsr_value *tsr_ttir_full(tsr_build *b, tsr_type *type, double number); /* a ttir.full */
tsr_value *tsr_ttir_full_of(tsr_build *b, tsr_type *type, tsr_attr *fill);
tsr_value *tsr_ttir_zeros(tsr_build *b, tsr_type *type);
tsr_value *tsr_ttir_ones(tsr_build *b, tsr_type *type);
tsr_value *tsr_ttir_ints(tsr_build *b, tsr_type *elem, const int64_t *numbers, const int64_t *dims,
                         size_t rank);
tsr_value *tsr_ttir_arange(tsr_build *b, tsr_type *type, int64_t start, int64_t step, int64_t dim);

/* ---- Attributes and types ---- */

tsr_attr *tsr_ttir_i32s(tsr_ctx *ctx, const int64_t *numbers, size_t n); /* [1 : i32, 2 : i32] */
tsr_attr *tsr_ttir_i32_array(tsr_ctx *ctx, const int64_t *numbers, size_t n); /* array<i32: 1, 2> */
tsr_attr *tsr_ttir_si32(tsr_ctx *ctx, int64_t number);
tsr_attr *tsr_ttir_ui32(tsr_ctx *ctx, int64_t number);
tsr_attr *tsr_ttir_f32(tsr_ctx *ctx, double number);
/* The value of ttir.full for such elements: an integer if it fits. */
tsr_attr *tsr_ttir_number_attr(tsr_ctx *ctx, const tsr_type *elem, double number);
/* The same element type with other dimensions. */
tsr_type *tsr_ttir_shaped(const tsr_type *like, const int64_t *dims, size_t n);

/* ---- Queries ---- */

static inline bool tsr_ttir_shape_is(const tsr_value *v, const int64_t *dims, size_t n)
{
    return v->type->n == n && (n == 0 || memcmp(v->type->dims, dims, n * sizeof *dims) == 0);
}
bool tsr_ttir_is_identity(const int64_t *permutation, size_t n);

/* The elements of a StableHLO or TTIR constant that v is; NULL if it is not one. through: also through reshapes,
 * broadcasts and conversions of a splat. */
tsr_attr *tsr_ttir_constant_of(const tsr_value *v, bool through);
/* Element i of dense data as a number; 0 if it has none. */
double tsr_ttir_number(const tsr_attr *dense, size_t i);
int64_t tsr_ttir_integer(const tsr_attr *dense, size_t i);
/* The number that all elements of dense data have in common; false if there is none. */
bool tsr_ttir_splat_number(const tsr_attr *dense, double *out);
/* Initial values that a reduction does not change. */
typedef enum {
    TSR_TTIR_LOWEST,
    TSR_TTIR_HIGHEST,
    TSR_TTIR_ZERO,
    TSR_TTIR_ONE,
    TSR_TTIR_ALL_BITS
} tsr_ttir_start;
/* Whether v is a constant with this number of its element type in all elements. */
bool tsr_ttir_starts(const tsr_value *v, tsr_ttir_start start);
/* Whether all operands and results of op are ranked tensors of static shape. */
bool tsr_ttir_static(const tsr_op *op);
/* Writes n numbers of array<i64> or dense i64 data to out; fill if there are none. */
void tsr_ttir_numbers(const tsr_attr *a, int64_t fill, size_t n, int64_t *out);

#endif
