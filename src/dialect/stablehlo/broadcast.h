/* SPDX-License-Identifier: Apache-2.0 */
/* broadcast.h - NumPy's broadcasting with bounded dimensions: shapes are aligned at their last dimension, and a
 * dimension of size 1 takes the size of the other. */
#ifndef TSR_DIALECT_STABLEHLO_BROADCAST_H
#define TSR_DIALECT_STABLEHLO_BROADCAST_H

#include "dialect/stablehlo/reify.h"

/* A dimension of a common shape. If it is bounded, its size at run time is that of dimension dim of the value of, and
 * size is the bound. */
typedef struct {
    int64_t size;
    tsr_value *of; /* NULL: not bounded */
    int64_t dim;
} tsr_extent;

typedef TSR_VEC(tsr_extent) tsr_extent_vec;

/* The common shape of n values, in an empty vector that the caller frees. False after a diagnostic at one of the
 * values, or at loc if there are none. */
bool tsr_broadcast_shape(tsr_ctx *ctx, tsr_loc loc, tsr_value *const *values, size_t n,
                         tsr_extent_vec *out);
/* The tensor type of a shape. */
tsr_type *tsr_broadcast_type(const tsr_extent_vec *shape, tsr_type *elem);
/* v broadcast to the shape, by ops if needed; NULL after a diagnostic at v. */
tsr_value *tsr_broadcast_to(const tsr_shaper *s, tsr_value *v, const tsr_extent_vec *shape);

#endif
