/* SPDX-License-Identifier: Apache-2.0 */
/* picture.h - images in convolutions and pooling: batch, height, width and channels, each at its own dimension, or the
 * first three flattened into dimension 2 of (1, 1, N*H*W, C). */
#ifndef TSR_DIALECT_TTIR_PICTURE_H
#define TSR_DIALECT_TTIR_PICTURE_H

#include "dialect/params.h"
#include "dialect/ttir/shape.h"

enum { TT_FLAT_DIM = 2 };

typedef struct {
    int64_t batch, height, width, channels;
    bool flat;
} tt_picture;

/* Checks that the flattened input has as many rows as flat implies. the, end: how the diagnostic begins and ends. */
bool tt_flat_fits(const tsr_op *op, const tsr_flat *flat, const char *the, const char *end);
/* The image of dimensions d, whose parts are at these indices. */
tt_picture tt_picture_of(const tsr_flat *flat, const int64_t *d, const int64_t at[4]);
/* Appends a result with this image's shape. */
bool tt_picture_result(const tsr_op *op, tsr_type_vec *out, const tt_picture *p,
                       const int64_t at[4]);
bool tt_each_at_least(tsr_ints v, int64_t least);
/* Dimensions of batch, space and channels of a convolution's input, in this order. False after a diagnostic if one does
 * not exist; names: their names in the diagnostic, may be NULL. */
bool tt_conv_places(const tsr_op *op, const tsr_conv *c, const char *const *names, int64_t *at);

#endif
