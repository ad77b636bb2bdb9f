/* SPDX-License-Identifier: Apache-2.0 */
/* types.h - when StableHLO considers types compatible, and how it merges what is known about them.
 *
 * Shapes may be partly dynamic: '?' matches anything, a bound (#stablehlo.bounds) limits a '?'. Quantized elements are
 * compatible if their storage and expressed types are the same, whatever their scales. Used by verifiers, inference and
 * CHLO. */
#ifndef TSR_DIALECT_STABLEHLO_TYPES_H
#define TSR_DIALECT_STABLEHLO_TYPES_H

#include "dialect/dialect.h"
#include "dialect/params.h"

typedef TSR_VEC(int64_t) tsr_i64_vec;

/* ---- Parts of types ---- */

static inline tsr_type *
tsr_hlo_element(const tsr_type *t) /* of a shaped type; any other is its own element */
{
    return tsr_type_is_shaped(t) ? t->elem : (tsr_type *)t;
}
static inline bool tsr_hlo_is_ranked(const tsr_type *t) /* a ranked tensor */
{
    return tsr_type_is(t, TSR_TYPE_TENSOR);
}
static inline tsr_type *tsr_hlo_in(const tsr_op *op, size_t i) /* the type of operand i */
{
    return op->in[i].value->type;
}
static inline bool tsr_hlo_is_dynamic(int64_t dim)
{
    return dim == TSR_DYNAMIC;
}
tsr_type *tsr_hlo_token(tsr_ctx *ctx);
/* t with another element type: shape and encoding are kept. */
tsr_type *tsr_hlo_with_element(const tsr_type *t, tsr_type *elem);
/* Bits of an element; complex: both parts, quantized: of its storage; 0 if it has none. */
uint32_t tsr_hlo_bits(const tsr_type *elem);

/* ---- Quantized elements; each takes a tensor type or its element type ---- */

bool tsr_hlo_is_quantized(const tsr_type *t);  /* any !quant type */
bool tsr_hlo_is_per_tensor(const tsr_type *t); /* !quant.uniform with one scale */
bool tsr_hlo_is_per_axis(
    const tsr_type *t); /* !quant.uniform with a scale per slice of one dimension */
tsr_type *tsr_hlo_storage(const tsr_type *t); /* NULL if not quantized or not given */
tsr_type *tsr_hlo_expressed(const tsr_type *t);
int64_t tsr_hlo_quantized_dim(const tsr_type *t); /* per axis only; -1 otherwise */
size_t tsr_hlo_num_scales(const tsr_type *t);
double tsr_hlo_scale(const tsr_type *t, size_t i);
int64_t tsr_hlo_zero_point(const tsr_type *t, size_t i);
/* Both per axis, with equal scales and zero points as far as both have them. */
bool tsr_hlo_same_scales(const tsr_type *a, const tsr_type *b);

/* Ops that only move data keep the scales of quantized operands: per tensor, then per axis. */
bool tsr_hlo_verify_scale(const tsr_op *op, tsr_type *a, tsr_type *b);
bool tsr_hlo_verify_scales(const tsr_op *op, tsr_type *a, tsr_type *b);

/* ---- Compatibility ---- */

static inline bool tsr_hlo_dims_compatible(int64_t a, int64_t b)
{
    return a == b || a == TSR_DYNAMIC || b == TSR_DYNAMIC;
}
/* Both shaped with shapes that may be equal at run time, or neither shaped. */
bool tsr_hlo_compatible_shape(const tsr_type *a, const tsr_type *b);
/* And no size of one exceeds a bound of the other. */
bool tsr_hlo_compatible_bounded(const tsr_type *a, const tsr_type *b);
bool tsr_hlo_compatible_element(const tsr_type *a,
                                const tsr_type *b);            /* shaped types or elements */
bool tsr_hlo_compatible(const tsr_type *a, const tsr_type *b); /* shape, bounds and element */
bool tsr_hlo_compatible_all(tsr_type *const *a, size_t na, tsr_type *const *b, size_t nb);
/* Whether a tensor of exactly this shape may have type t. */
bool tsr_hlo_shape_fits(const int64_t *dims, size_t n, const tsr_type *t);

/* The same element types; with any_float, floats of different precision are accepted. */
bool tsr_hlo_same_element(const tsr_type *a, const tsr_type *b, bool any_float);
/* Compatible shapes and the same element types. */
bool tsr_hlo_same_shape_and_element(const tsr_type *a, const tsr_type *b, bool any_float);
/* Whether a's element type can be promoted to b's: the same kind (and expressed type), at most as many bits; with
 * any_float, floats may also narrow. */
bool tsr_hlo_promotable(const tsr_type *a, const tsr_type *b, bool any_float);

/* ---- Bounds ---- */

/* One per dimension, TSR_DYNAMIC if there is none; NULL if the type has no bounds at all. */
const int64_t *tsr_hlo_bounds(const tsr_type *t);
/* Whether bounds match their tensor type (given without them): one per dimension, only on dynamic ones. */
bool tsr_hlo_verify_encoding(tsr_loc loc, const tsr_type *tensor, const tsr_attr *encoding);
/* The encoding for bounds: like if bounds is NULL, none if no dimension is bounded. */
tsr_attr *tsr_hlo_encoding(tsr_ctx *ctx, tsr_attr *like, const int64_t *bounds, size_t n);
/* A tensor type with these dimensions and bounds (may be NULL: keeps the encoding of like), otherwise as like. */
tsr_type *tsr_hlo_tensor_like(const tsr_type *like, const int64_t *dims, size_t n,
                              const int64_t *bounds);

/* A shape under construction. */
typedef struct {
    size_t n;
    int64_t *dims, *bounds; /* bounds is NULL if there are none */
    int64_t room[32];       /* for both, if they fit */
} tsr_hlo_shape;

void tsr_hlo_shape_start(tsr_hlo_shape *s, size_t n, bool bounded); /* all dimensions unknown */
void tsr_hlo_shape_drop(tsr_hlo_shape *s);
/* Returns the tensor type and frees the shape. like: an encoding to keep if there are no bounds, or NULL. */
tsr_type *tsr_hlo_shape_done(tsr_hlo_shape *s, tsr_type *elem, tsr_attr *like);

/* A dimension with its bound. */
typedef struct {
    int64_t size, bound;
} tsr_hlo_dim;

tsr_hlo_dim tsr_hlo_dim_of(const tsr_type *t, size_t i);
tsr_hlo_dim tsr_hlo_dim_concat(tsr_hlo_dim a, tsr_hlo_dim b);
/* What is known if both hold; dim is the dimension's number in the diagnostic. */
bool tsr_hlo_dim_most(const tsr_op *op, int64_t dim, tsr_hlo_dim a, tsr_hlo_dim b,
                      tsr_hlo_dim *out);
/* What is known if either holds. */
bool tsr_hlo_dim_least(const tsr_op *op, int64_t dim, tsr_hlo_dim a, tsr_hlo_dim b,
                       tsr_hlo_dim *out);
/* The same for whole types, tuples member by member; n > 0. Element and encoding come from the first. */
bool tsr_hlo_most_specific(const tsr_op *op, tsr_type *const *types, size_t n, tsr_type **out);
bool tsr_hlo_least_specific(const tsr_op *op, tsr_type *const *types, size_t n, tsr_type **out);

/* ---- Values and attributes ---- */

/* The integers of a constant, sign-extended, in a vector that the caller frees; false if v is not such a constant. */
bool tsr_hlo_const_ints(const tsr_value *v, tsr_i64_vec *out);
/* A constant shape operand must match the result type. */
bool tsr_hlo_verify_shape_operand(const tsr_op *op, const tsr_value *shape, const tsr_type *result);
/* array<i64> or dense i64 data: how many, and each; 0 if the attribute is absent. */
static inline size_t tsr_hlo_len(const tsr_attr *a)
{
    int64_t n = a ? tsr_attr_count(a) : 0;
    return n > 0 ? (size_t)n : 0;
}
static inline int64_t tsr_hlo_at(const tsr_attr *a, size_t i)
{
    return tsr_attr_int_at(a, i);
}
bool tsr_hlo_is_unique(const tsr_attr *dims);
bool tsr_hlo_repeats(const tsr_attr *a,
                     const tsr_attr *b); /* a number occurs twice in both together */
/* "has duplicated dimension from <a_name> and <b_name>: d" if a dimension occurs twice in the two lists together. */
bool tsr_hlo_check_distinct(const tsr_op *op, const tsr_attr *a, const tsr_attr *b,
                            const char *a_name, const char *b_name);
/* "Expects <name> to be in range [0, <end_name>) ..."; inclusive: up to and including end. */
bool tsr_hlo_check_dim(const tsr_op *op, int64_t dim, int64_t end, const char *name,
                       const char *end_name, bool inclusive);
/* "Expects each element of <name> to be in range ...". */
bool tsr_hlo_check_dims(const tsr_op *op, const tsr_attr *dims, int64_t end, const char *name,
                        const char *end_name);

/* ---- Results of custom_call that alias operands (verify_call.c) ---- */

enum {
    TSR_ALIAS_output,
    TSR_ALIAS_operand,
    TSR_ALIAS_operand_part
}; /* params of #stablehlo.output_operand_alias */
const tsr_attr *tsr_hlo_aliases_of(const tsr_op *custom_call); /* NULL: it has none */
/* The member of nested tuples that the indices select; NULL if they are out of range. */
tsr_type *tsr_hlo_tuple_part(tsr_type *t, const tsr_attr *indices);

/* ---- Messages; the texts live as long as the context ---- */

/* An error at the op's location without its name, as in inference. Always returns false. */
#define tsr_hlo_error(op, ...) tsr_error((op)->module->ctx, (op)->loc, __VA_ARGS__)
const char *tsr_hlo_show_type(const tsr_type *t); /* 'tensor<2xf32>' */
const char *tsr_hlo_show_types(tsr_ctx *ctx, tsr_type *const *types, size_t n); /* 'a', 'b' */
const char *tsr_hlo_show_dims(tsr_ctx *ctx, const int64_t *dims, size_t n);     /* 1, 2 */
const char *tsr_hlo_show_ints(tsr_ctx *ctx, const tsr_attr *ints);              /* 1, 2 */
const char *tsr_hlo_show_dim(tsr_ctx *ctx, int64_t dim);                        /* 1 or ? */

#endif
