/* SPDX-License-Identifier: Apache-2.0 */
/* build.h - builds StableHLO ops one after the other, for passes and lowerings: types are inferred, constants have the
 * shape of a value and are built once.
 *
 * Dynamic shapes need no special handling: constants are broadcast to the sizes that a value has at run time. Those
 * sizes are computed by StableHLO itself (get_dimension_size), so that no other dialect is needed. */
#ifndef TSR_DIALECT_STABLEHLO_BUILD_H
#define TSR_DIALECT_STABLEHLO_BUILD_H

#include "dialect/stablehlo/types.h"

typedef struct {
    tsr_type *type;
    tsr_attr *value;
    tsr_value *like; /* the value whose sizes it has, if the type does not give them */
    tsr_value *made;
} tsr_made;

typedef struct {
    tsr_ctx *ctx;
    tsr_module *module;
    tsr_block *block;
    tsr_op *at; /* new ops go before it; NULL: to the end of block */
    tsr_loc loc;
    bool failed; /* some type could not be inferred; there was a diagnostic */
    tsr_value *
        anchor; /* all values with its dimensions have its sizes at run time too; NULL: nothing is known */
    struct {
        tsr_made *data; /* a vector */
        size_t n, cap;
        tsr_map index; /* once there are many: index + 1 by hash */
    } made;
} tsr_build;

tsr_build tsr_build_before(tsr_op *op);
/* A builder in a new block of a region, with arguments of these types. */
tsr_build tsr_build_in(const tsr_build *outer, tsr_region *region, tsr_type *const *args, size_t n);
void tsr_build_free(tsr_build *b);

/* An op that is not inserted yet, so that its attributes can be set; the next call infers its result types and inserts
 * it. Ops without inference get their types from the second form. */
tsr_op *tsr_build_open(tsr_build *b, enum tsr_opcode opcode, tsr_value *const *in, size_t nin,
                       size_t nout, size_t nregion);
tsr_op *tsr_build_close(tsr_build *b, tsr_op *op);
tsr_op *tsr_build_close_as(tsr_build *b, tsr_op *op, tsr_type *const *types);
/* An op without attributes and with one result; type: NULL if it is inferred. */
tsr_value *tsr_build_op(tsr_build *b, enum tsr_opcode opcode, tsr_value *const *in, size_t n,
                        tsr_type *type);
/* The terminator of a block of tsr_build_in. */
void tsr_build_return(tsr_build *b, tsr_value *const *values, size_t n);

/* ---- Types ---- */

static inline tsr_type *tsr_elem(const tsr_value *v)
{
    return v->type->elem;
}
/* Whether numbers of this type can be written as constants: quantized ones cannot. */
static inline bool tsr_is_number(const tsr_type *elem)
{
    return elem->kind == TSR_TYPE_INTEGER || elem->kind == TSR_TYPE_FLOAT ||
           elem->kind == TSR_TYPE_COMPLEX;
}
tsr_type *tsr_scalar_type(tsr_type *elem); /* a tensor without dimensions */
tsr_type *tsr_static_type(tsr_ctx *ctx, const int64_t *dims, size_t n, tsr_type *elem);

/* ---- Constants ---- */

/* A new constant, even if there is an equal one. */
tsr_value *tsr_build_new_constant(tsr_build *b, tsr_attr *value);

/* A number in all elements of a tensor like v, with element type elem (float, integer or complex with imaginary part
 * 0). The second form is for integers that doubles cannot represent. */
tsr_value *tsr_build_like(tsr_build *b, tsr_value *v, tsr_type *elem, double number);
tsr_value *tsr_build_like_int(tsr_build *b, tsr_value *v, tsr_type *elem, int64_t number);
/* The same from an attribute: a float, an integer, or dense data of one element. NULL if it has no such form. */
tsr_value *tsr_build_like_attr(tsr_build *b, tsr_value *v, tsr_type *elem, tsr_attr *value);
tsr_value *tsr_build_int(tsr_build *b, tsr_type *elem, int64_t number);    /* a scalar */
tsr_value *tsr_build_ints(tsr_build *b, const int64_t *numbers, size_t n); /* tensor<nxi64> */

/* ---- Shapes ---- */

/* Size of a dimension: tensor<1xi32>. */
tsr_value *tsr_build_size(tsr_build *b, tsr_value *v, int64_t dim);
tsr_value *tsr_build_size_const(tsr_build *b, int64_t size);
/* All sizes: tensor<rank x i32>. */
tsr_value *tsr_build_sizes(tsr_build *b, tsr_value *v);
/* Concatenates tensor<1xi32> values; n > 0. */
tsr_value *tsr_build_join(tsr_build *b, tsr_value *const *sizes, size_t n);

tsr_value *tsr_build_convert(tsr_build *b, tsr_value *v,
                             tsr_type *elem); /* other elements, same shape */
tsr_value *tsr_build_bitcast(tsr_build *b, tsr_value *v, tsr_type *elem); /* of the same width */
tsr_value *tsr_build_reshape(tsr_build *b, tsr_value *v, tsr_type *type);
/* From start up to limit along one dimension; the others are not changed. */
tsr_value *tsr_build_slice(tsr_build *b, tsr_value *v, int64_t dim, int64_t start, int64_t limit);
/* Removes a dimension of size 1, or adds one. */
tsr_value *tsr_build_drop_dim(tsr_build *b, tsr_value *v, int64_t dim);
tsr_value *tsr_build_add_dim(tsr_build *b, tsr_value *v, int64_t dim);
/* 0, 1, 2, ... along a dimension, in the shape of v. */
tsr_value *tsr_build_iota(tsr_build *b, tsr_value *v, tsr_type *elem, int64_t dim);
/* x broadcast to the shape of v; dims: the dimensions that x's map to. */
tsr_value *tsr_build_spread(tsr_build *b, tsr_value *x, const int64_t *dims, tsr_value *v);
tsr_value *tsr_build_compare(tsr_build *b, const char *direction, const char *type, tsr_value *x,
                             tsr_value *y);
tsr_value *tsr_build_broadcast(tsr_build *b, tsr_value *v, const int64_t *dims,
                               tsr_type *type); /* static type */

/* Broadcasts n operands, at most three, to the shape of result (spread.c). dims: the dimensions that those of the
 * operand of least rank map to, or NULL: the last ones. False if shapes are not ranked. */
bool tsr_broadcast_operands(tsr_build *b, tsr_value **in, size_t n, const tsr_attr *dims,
                            tsr_type *result);

/* Replaces all results of op by the new values, and erases it. */
void tsr_build_replace(tsr_op *op, tsr_value *const *values);

#endif
