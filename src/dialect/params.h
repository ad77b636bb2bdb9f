/* SPDX-License-Identifier: Apache-2.0 */
/* params.h - decoded attributes that describe the roles of dimensions.
 *
 * The column PARAMS(kind, hook) of a row names a struct below and the function that fills it. Code that needs dimension
 * numbers, windows or bounds of an op uses these, whatever the dialect's spelling: no other file reads a parameter of
 * such an attribute by its position. Lists are read in place, so decoding allocates nothing and can be repeated
 * wherever it is needed; they live as long as the op's attributes. The functions tsr_*_attr are the inverse. */
#ifndef TSR_DIALECT_PARAMS_H
#define TSR_DIALECT_PARAMS_H

#include "dialect/comm.h"
#include "ir/ints.h"

/* A product of two operands. The lists of both sides have equal lengths. */
typedef struct {
    tsr_ints batch[2], contract[2]; /* dimensions of lhs and rhs */
    tsr_ints ragged, group;         /* of ragged_dot: dimensions of lhs and of rhs */
} tsr_dot;

/* gather, and scatter, its inverse: windows of an input at positions given by indices. A "slice" is the result of
 * gather, the update of scatter. */
typedef struct {
    tsr_ints window;  /* dimensions of slices that correspond to dimensions of the input */
    tsr_ints dropped; /* dimensions of the input that slices do not have */
    tsr_ints batch, index_batch; /* corresponding dimensions of the input and of the indices */
    tsr_ints map;        /* for each element of an index vector, the dimension of the input */
    int64_t vector;      /* the dimension of the indices that holds index vectors */
    tsr_ints sizes;      /* of gather: the window size in each dimension of the input */
    bool sorted, unique; /* indices, as declared by the program */
} tsr_gather;

/* How a window moves over a base. Lists that are not given are empty: ones, or zeros for padding and reversal. Those of
 * TTIR have a number for each spatial dimension; if the op has another count, which is invalid, they are returned as
 * written, and high is empty. */
typedef struct {
    tsr_ints sizes; /* of the window; a convolution has them in the kernel's shape */
    tsr_ints strides, base_dilations, window_dilations;
    tsr_ints low, high; /* padding */
    tsr_ints reversal;  /* 0 or 1 */
} tsr_window;

static inline int64_t tsr_window_stride(const tsr_window *w, size_t i)
{
    return tsr_ints_or(w->strides, i, 1);
}
static inline int64_t tsr_window_base_dilation(const tsr_window *w, size_t i)
{
    return tsr_ints_or(w->base_dilations, i, 1);
}
static inline int64_t tsr_window_dilation(const tsr_window *w, size_t i)
{
    return tsr_ints_or(w->window_dilations, i, 1);
}
static inline int64_t tsr_window_low(const tsr_window *w, size_t i)
{
    return tsr_ints_or(w->low, i, 0);
}
static inline int64_t tsr_window_high(const tsr_window *w, size_t i)
{
    return tsr_ints_or(w->high, i, 0);
}

/* Padding in StableHLO's form: low and high of each dimension in turn. */
static inline void tsr_window_set_padding(tsr_window *w, tsr_ints pairs)
{
    w->low = tsr_ints_part(pairs, 0, 2, pairs.n / 2);
    w->high = tsr_ints_part(pairs, 1, 2, pairs.n / 2);
}

/* TTIR's flattened images: batch, height and width of (1, 1, batch * height * width, channels). */
typedef struct {
    bool given; /* else an image has separate dimensions */
    int64_t batch, height, width;
} tsr_flat;

typedef struct {
    int64_t in_batch, in_feature;
    tsr_ints in_spatial;
    int64_t kernel_in, kernel_out;
    tsr_ints kernel_spatial;
    int64_t out_batch, out_feature;
    tsr_ints out_spatial;
    tsr_window window; /* base: the input; of dynamic_conv without padding, which is an operand */
    int64_t feature_groups, batch_groups;
    tsr_flat flat;     /* of TTIR, as are those below */
    bool replicates;   /* padding repeats the edges of the input; else it is zeros */
    bool is_transpose; /* transposed: from the result of one to its input */
    tsr_ints more;     /* of a transpose: elements that are added at the end */
} tsr_conv;

/* Of TTIR: the maximum or mean of each window of images, batch x height x width x channels. */
typedef struct {
    tsr_window window; /* height and width */
    bool ceil;         /* windows that begin inside and end outside count */
    bool counts_pad;   /* padding counts in a mean */
    tsr_flat flat;
} tsr_pooling;

/* From start to limit, exclusive. TTIR counts negative bounds from the end, and its strides may be negative. */
typedef struct {
    tsr_ints start, limit, strides;
} tsr_slice;

typedef struct {
    tsr_ints low, high, interior;
} tsr_pad;

/* Of TTIR. Negative dimensions count from the end. */
typedef struct {
    tsr_ints dims;
    bool all;  /* not specified: all of them */
    bool keep; /* a reduced dimension is kept, with size 1 */
} tsr_reduce_dims;

/* Dimension i of the result is this dimension of the operand. */
typedef struct {
    tsr_ints dims;
} tsr_order;

/* Of TTIR's products: whether the last two dimensions of an operand are transposed first. */
typedef struct {
    bool transpose[2];
} tsr_matmul;

/* The kinds: tsr_dot_of(op, &d) fills d; false, with d zeroed, if the op's row has no such column. */
#define TSR_PARAMS_KINDS(X) \
    X(dot)                  \
    X(gather) X(window) X(conv) X(pooling) X(slice) X(pad) X(reduce_dims) X(order) X(matmul) X(comm)
#define X(kind) bool tsr_##kind##_of(const tsr_op *op, tsr_##kind *out);
TSR_PARAMS_KINDS(X)
#undef X

/* Of a convolution or a pool of TTIR. */
tsr_flat tsr_flat_of(const tsr_op *op);

/* Dimension numbers as StableHLO attributes: #stablehlo.dot, #stablehlo.gather, #stablehlo.scatter, #stablehlo.conv;
 * #chlo.ragged_dot. */
tsr_attr *tsr_dot_attr(tsr_ctx *ctx, const tsr_dot *d);
tsr_attr *tsr_ragged_dot_attr(tsr_ctx *ctx, const tsr_dot *d);
tsr_attr *tsr_gather_attr(tsr_ctx *ctx, const tsr_gather *g);
tsr_attr *tsr_scatter_attr(tsr_ctx *ctx, const tsr_gather *g);
tsr_attr *tsr_conv_attr(tsr_ctx *ctx, const tsr_conv *c);
tsr_attr *tsr_flat_attr(tsr_ctx *ctx, const tsr_flat *f); /* #ttir<flattened_compat ...> */
/* Dimensions of side 0 or 1 that are neither batch nor contracted nor groups. */
static inline bool tsr_dot_is_free(const tsr_dot *d, int side, int64_t dim)
{
    return !tsr_ints_has(d->batch[side], dim) && !tsr_ints_has(d->contract[side], dim) &&
           !(side && tsr_ints_has(d->group, dim));
}
/* The size of the window along a dimension of the input; 1 if slices do not have it. */
int64_t tsr_gather_window(const tsr_gather *g, const tsr_type *slices, int64_t dim);
/* Whether a dimension of the input is one of the window's; slices have these in the same order. */
static inline bool tsr_gather_keeps(const tsr_gather *g, int64_t dim)
{
    return !tsr_ints_has(g->dropped, dim) && !tsr_ints_has(g->batch, dim);
}

#endif
