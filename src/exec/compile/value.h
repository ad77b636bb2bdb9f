/* SPDX-License-Identifier: Apache-2.0 */
/* value.h - computes values of a program from others: functions for the hooks of ops that become several loops, views
 * and products.
 *
 * Each function returns TSR_XNONE if it fails, or if one of its operands is TSR_XNONE: a hook simply writes down what
 * its op computes and checks once at the end, with tsr_x_give. Nodes created before a failure are dead. */
#ifndef TSR_EXEC_VALUE_H
#define TSR_EXEC_VALUE_H

#include "exec/compile/build.h"

/* Sets result i of op to v, converted to the result's element type and shape; false: v is TSR_XNONE, or has another
 * number of elements. */
bool tsr_x_give(tsr_xbuilder *b, tsr_op *op, uint32_t i, tsr_xid v);

/* The type of values of a shape. */
tsr_type *tsr_x_type(const tsr_xbuilder *b, const int64_t *dims, size_t rank, tsr_dtype d);
/* One number, without dimensions. */
tsr_xid tsr_x_number(tsr_xbuilder *b, const tsr_op *op, tsr_dtype d, double number);
tsr_xid tsr_x_integer(tsr_xbuilder *b, const tsr_op *op, tsr_dtype d, int64_t number);
/* Numbers of a shape, in memory. */
tsr_xid tsr_x_numbers(tsr_xbuilder *b, const tsr_op *op, tsr_dtype d, const double *numbers,
                      const int64_t *dims, size_t rank);
/* 0, 1, ... along a dimension of a shape, in 64 bits. */
tsr_xid tsr_x_count(tsr_xbuilder *b, const tsr_op *op, const int64_t *dims, size_t rank,
                    size_t dim);

/* Elementwise. Operands broadcast to one shape, aligned right, and have one type, except select's first; the result has
 * type to. */
tsr_xid tsr_x_apply(tsr_xbuilder *b, const tsr_op *op, uint8_t tile, tsr_dtype to,
                    const tsr_xid *in, uint32_t nin);
tsr_xid tsr_x_apply1(tsr_xbuilder *b, const tsr_op *op, uint8_t tile, tsr_xid x);
tsr_xid tsr_x_apply2(tsr_xbuilder *b, const tsr_op *op, uint8_t tile, tsr_xid x, tsr_xid y);
/* The same with a number as the second operand. */
tsr_xid tsr_x_with(tsr_xbuilder *b, const tsr_op *op, uint8_t tile, tsr_xid x, double number);
tsr_xid tsr_x_compare(tsr_xbuilder *b, const tsr_op *op, uint8_t tile, tsr_xid x, tsr_xid y);
/* The kernel of a comparison of floats or integers; TSR_TILE__COUNT: there is none for its order. */
uint8_t tsr_x_comparison(const tsr_op *op);
/* Compares floats in total order, as result 0 of op. False: not for this type (bits.c). */
bool tsr_x_total_order(tsr_xbuilder *b, tsr_op *op, uint8_t tile);
tsr_xid tsr_x_select(tsr_xbuilder *b, const tsr_op *op, tsr_xid p, tsr_xid x, tsr_xid y);
/* Whether a select with these operands is a quotient or a remainder that is rounded down: its kernel and operands; 0: it
 * is not (floor.c). */
uint8_t tsr_x_floor(const tsr_xbuilder *b, const tsr_xid in[3], tsr_xid operands[2]);
/* Whether a select with these operands is operand 0 where that is not negative, otherwise the sum of both
 * (indices.c). */
bool tsr_x_from_end(const tsr_xbuilder *b, const tsr_xid in[3], tsr_xid operands[2]);
/* The op whose operands say that a number is at least zero and at most another one: one comparison without signs; false:
 * they do not. */
bool tsr_x_inside(tsr_xbuilder *b, tsr_op *op, const tsr_xid in[2]);
/* The operands of the node in this block that computes v with a tile op; NULL: another node, or none. */
const tsr_xid *tsr_x_made_by(const tsr_xbuilder *b, tsr_xid v, tsr_tile_op tile);
/* Whether all elements are the same known number; a given one. */
bool tsr_x_is_splat(const tsr_xbuilder *b, tsr_xid v, int64_t *number);
bool tsr_x_is_number(const tsr_xbuilder *b, tsr_xid v, int64_t number);
tsr_xid tsr_x_as(tsr_xbuilder *b, const tsr_op *op, tsr_xid v, tsr_dtype to);
/* The bits of v as a type of the same shape, with elements of the same size. */
tsr_xid tsr_x_bits(tsr_xbuilder *b, const tsr_op *op, tsr_xid v, tsr_type *type);
/* v broadcast to the shape of another value, in its type. */
tsr_xid tsr_x_like(tsr_xbuilder *b, const tsr_op *op, tsr_xid v, tsr_xid like);

/* Views. */
tsr_xid tsr_x_spread(tsr_xbuilder *b, const tsr_op *op, tsr_xid v, const int64_t *dims,
                     size_t rank);
tsr_xid tsr_x_reshaped(tsr_xbuilder *b, const tsr_op *op, tsr_xid v, const int64_t *dims,
                       size_t rank);
tsr_xid tsr_x_permuted(tsr_xbuilder *b, const tsr_op *op, tsr_xid v, const int64_t *order);
/* Elements begin, begin + step, ... of each dimension, dims of them, all inside v. */
tsr_xid tsr_x_sliced(tsr_xbuilder *b, const tsr_op *op, tsr_xid v, const int64_t *begin,
                     const int64_t *step, const int64_t *dims);

/* Reduces the dimensions that gone marks, to elements of type to. keep: they stay, with size 1. */
tsr_xid tsr_x_folded(tsr_xbuilder *b, const tsr_op *op, tsr_xid v, const bool *gone, bool keep,
                     tsr_fold_op fold, tsr_dtype to);
/* The element of places for the greatest (fold MAX) or least (MIN) element of v along dimension dim, the first of equal
 * ones; NaN precedes all. places: v's shape, integers that increase along dim, from 0 on. best: that element, with dim
 * of size 1. */
tsr_xid tsr_x_picked(tsr_xbuilder *b, const tsr_op *op, tsr_xid v, tsr_xid places, size_t dim,
                     tsr_fold_op fold, tsr_xid *best);
/* The fold of a body with one op on its two arguments; false: there is none. */
bool tsr_x_body_fold(const tsr_op *reduce, tsr_fold_op *fold);
/* Whether init is neutral: a fold that begins with init is the same as one without it. Of sums, 0 and -0 are; a sum of
 * nothing but -0 is the one that it begins with. */
bool tsr_x_is_neutral(const tsr_xbuilder *b, const tsr_xvalue *init, uint8_t fold);
bool tsr_x_is_negative_zero(const tsr_xvalue *init);
/* Folds from an initial value, and rounds once: without it, a sum may be beyond a narrow type. */
tsr_xid tsr_x_folded_from(tsr_xbuilder *b, const tsr_op *op, tsr_xid init, tsr_xid v,
                          const bool *gone, bool keep, tsr_fold_op fold);
/* The elementwise kernel that combines two results of a fold. */
uint8_t tsr_x_fold_tile(tsr_fold_op fold);

/* A reduction with any elementwise body on any number of operands, element after element as in the reference (fold.c):
 * of whole dimensions, or of windows. False: the body has other ops. */
bool tsr_x_reduce_by_body(tsr_xbuilder *b, tsr_op *op);
typedef struct {
    uint8_t rank;
    int64_t size[TSR_VIEW_RANK], stride[TSR_VIEW_RANK], base[TSR_VIEW_RANK],
        dilation[TSR_VIEW_RANK], low[TSR_VIEW_RANK], high[TSR_VIEW_RANK], out[TSR_VIEW_RANK];
} tsr_x_window;
/* axis: windows are all elements up to the result's position along it, or from it on (backwards); -1: others. */
bool tsr_x_window_by_body(tsr_xbuilder *b, tsr_op *op, const tsr_x_window *w, int axis,
                          bool backwards);

/* Products (product.c): dimensions of the result are batch, those of a, those of b, without contracted ones. */
typedef struct {
    int64_t batch[TSR_VIEW_RANK], contract[TSR_VIEW_RANK], rest[TSR_VIEW_RANK];
    size_t nbatch, ncontract, nrest;
} tsr_x_side;
tsr_xid tsr_x_product(tsr_xbuilder *b, const tsr_op *op, const tsr_xid *in, const tsr_x_side *sides,
                      tsr_dtype to);
/* For complex numbers: result 0 of op as four products of parts, or as a sum of v that begins with init. False: not
 * possible (complex.c). */
bool tsr_x_complex_product(tsr_xbuilder *b, tsr_op *op, const tsr_xid *in, const tsr_x_side *sides);
bool tsr_x_complex_sum(tsr_xbuilder *b, tsr_op *op, tsr_xid v, tsr_xid init, const bool *gone);
/* A function of complex numbers, from the parts of its operands to those of its result, in f64; if the result is real,
 * only the first part is set (complex_math.c). */
bool tsr_x_complex_function(tsr_xbuilder *b, const tsr_op *op, uint8_t tile, tsr_xid (*parts)[2],
                            uint32_t nin, tsr_xid out[2]);
/* Converts operands of TTIR's products to one type; returns the type of their sums. */
tsr_dtype tsr_x_product_type(tsr_xbuilder *b, const tsr_op *op, tsr_xid *in, tsr_dtype to);
struct tsr_contract;
struct tsr_contract_side;
/* v as one side of a product: v itself, or a copy in order. */
tsr_xid tsr_x_factor(tsr_xbuilder *b, const tsr_x_side *s, tsr_xid v,
                     struct tsr_contract_side *out);
/* The product c of two values, with this shape. */
tsr_xid tsr_x_contracted(tsr_xbuilder *b, const tsr_op *op, struct tsr_contract *c,
                         const tsr_xid *in, const int64_t *dims, size_t rank);
/* a [..., m, k] by c [..., k, n], each transposed or not; leading dimensions broadcast; a value with one dimension is a
 * row or a column. */
tsr_xid tsr_x_matmul(tsr_xbuilder *b, const tsr_op *op, tsr_xid a, tsr_xid c, bool transpose_a,
                     bool transpose_c, tsr_dtype to);

/* Movements; numbers: see program.h. */
tsr_xid tsr_x_moved(tsr_xbuilder *b, const tsr_op *op, tsr_move_kind kind, const tsr_xid *in,
                    uint32_t nin, const int64_t *numbers, size_t nnumber, const int64_t *dims,
                    size_t rank);
/* Rows of a table [rows, ...] at indices, which are clamped; the shape is that of places, then that of a row. */
tsr_xid tsr_x_rows(tsr_xbuilder *b, const tsr_op *op, tsr_xid table, tsr_xid places);

/* A slice of a splat, whatever its start; false: operand 0 is no splat. */
bool tsr_x_repeats(tsr_xbuilder *b, tsr_op *op);
/* A gather of rows; false: it is another gather. */
bool tsr_x_gather_rows(tsr_xbuilder *b, tsr_op *op);

/* Layers that several dialects have: along some dimensions, in f32 or f64. */
tsr_xid tsr_x_softmax(tsr_xbuilder *b, const tsr_op *op, tsr_xid x, const bool *gone);
/* x / sqrt(mean square of x + epsilon); centred: the mean of x is subtracted first. */
tsr_xid tsr_x_normalized(tsr_xbuilder *b, const tsr_op *op, tsr_xid x, const bool *gone,
                         double epsilon, bool centred);
/* (x - mean) / sqrt(variance + epsilon) * scale + offset; p: scale, offset, mean, variance, which broadcast. */
tsr_xid tsr_x_scaled(tsr_xbuilder *b, const tsr_op *op, tsr_xid x, const tsr_xid *p,
                     double epsilon);
tsr_xid tsr_x_gelu(tsr_xbuilder *b, const tsr_op *op, tsr_xid x, bool by_tanh);
/* The type to compute in: f64 for f64, otherwise f32. */
static inline tsr_dtype tsr_x_working(tsr_dtype d)
{
    return d == TSR_D_F64 ? d : TSR_D_F32;
}

#endif
