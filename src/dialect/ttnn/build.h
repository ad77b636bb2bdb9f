/* SPDX-License-Identifier: Apache-2.0 */
/* build.h - builds TTNN ops one after the other, for conversions to TTNN and its passes. If no type is given, results
 * are in the memory of the first operand, laid out for their own shape. */
#ifndef TSR_DIALECT_TTNN_BUILD_H
#define TSR_DIALECT_TTNN_BUILD_H

#include "dialect/ttcore/ttcore.h"
#include "dialect/ttir/build.h"
#include "dialect/ttnn/ttnn.h"

/* ---- Devices ---- */

/* The ttcore.device of the module around op; NULL if none is registered. */
tsr_op *tsr_tt_device_op(tsr_op *op);
/* Rows and columns of its cores; 8 x 8 if none is registered. */
void tsr_tt_worker_grid(tsr_op *op, int64_t out[2]);
/* A field of the first chip in the system description of the module around op; NULL if there is none. */
tsr_attr *tsr_tt_chip(tsr_op *op, int field);
/* The first ttnn.get_device of op's block, or a new one at its start. */
tsr_value *tsr_ttnn_device(tsr_build *b, tsr_op *op);

/* ---- Types and attributes ---- */

tsr_attr *tsr_ttnn_shape_attr(tsr_ctx *ctx, const int64_t *dims, size_t n);
/* A tensor type with other dimensions, or other elements, in the same memory. */
tsr_type *tsr_ttnn_reshaped(const tsr_type *t, const int64_t *dims, size_t n);
tsr_type *tsr_ttnn_retyped(const tsr_type *t, tsr_tt_data_type type);
/* The data type of a tensor, from its layout or its elements. */
tsr_tt_data_type tsr_ttnn_data_type(const tsr_type *t);
/* Cores of op's device, row by row, that hold a tensor divided among cores by spec. NULL: there are too few. */
tsr_attr *tsr_ttnn_cores(tsr_op *op, const tsr_ttnn_spec *spec);
/* The location of a new op: a name with this suffix, if loc is a name. */
tsr_loc tsr_loc_suffixed(tsr_ctx *ctx, tsr_loc loc, const char *suffix);
/* Sets an attribute of an op by its name, which its row must have. */
void tsr_ttnn_set(tsr_op *op, const char *name, tsr_attr *a);
/* The only operand of the group of this name; NULL if it is absent. */
tsr_value *tsr_ttnn_operand(const tsr_op *op, const char *name);
/* Its index; -1 if it is absent. */
int tsr_ttnn_operand_index(const tsr_op *op, const char *name);
/* hifi4, exact, accumulated in 32 bits; in L1 if in_l1. */
tsr_attr *tsr_ttnn_exact_config(tsr_ctx *ctx, bool in_l1);

/* ---- Ops ---- */

/* A copy of op with other operands and result types, at b's insertion point; types NULL: op's. */
tsr_op *tsr_nn_copy(tsr_build *b, const tsr_op *op, tsr_value *const *in, size_t n,
                    tsr_type *const *types);
tsr_value *tsr_nn_unary(tsr_build *b, enum tsr_opcode opcode, tsr_value *x, tsr_type *type);
tsr_value *tsr_nn_binary(tsr_build *b, enum tsr_opcode opcode, tsr_value *x, tsr_value *y,
                         tsr_type *type);
tsr_value *tsr_nn_reshape(tsr_build *b, tsr_value *v, const int64_t *dims, size_t n);
tsr_value *tsr_nn_permute(tsr_build *b, tsr_value *v, const int64_t *permutation);
/* padding: low, high of each dimension, with zeros. */
tsr_value *tsr_nn_pad(tsr_build *b, tsr_value *v, const int64_t *padding, double value,
                      bool multicore);
/* Pads dimension dim to this size. */
tsr_value *tsr_nn_pad_dim(tsr_build *b, tsr_value *v, size_t dim, int64_t size, bool multicore);
tsr_value *tsr_nn_slice(tsr_build *b, tsr_value *v, const int64_t *begin, const int64_t *end,
                        const int64_t *step);
tsr_value *tsr_nn_slice_dim(tsr_build *b, tsr_value *v, size_t dim, int64_t begin, int64_t end);
tsr_value *tsr_nn_concat(tsr_build *b, tsr_value *const *in, size_t n, size_t dim);
tsr_value *tsr_nn_repeat(tsr_build *b, tsr_value *v, const int64_t *times);
tsr_value *tsr_nn_typecast(tsr_build *b, tsr_value *v, tsr_tt_data_type type);
/* A to_tensor_spec; v itself if it already has this spec. */
tsr_value *tsr_nn_spec(tsr_build *b, tsr_value *v, tsr_ttnn_spec spec);
/* Tensors without operands; at: an op in the block whose device they are on. */
tsr_value *tsr_nn_full(tsr_build *b, tsr_op *at, tsr_type *type, tsr_attr *number);
tsr_value *tsr_nn_created(tsr_build *b, tsr_op *at, enum tsr_opcode opcode, tsr_type *type);
tsr_value *tsr_nn_matmul(tsr_build *b, tsr_value *x, tsr_value *y, bool transpose_y,
                         tsr_type *type);
/* sum, mean, max, min along one dimension, which is kept. */
tsr_value *tsr_nn_reduce(tsr_build *b, enum tsr_opcode opcode, tsr_value *v, int64_t dim);

/* The next multiple of a size, such as that of tiles. */
static inline int64_t tsr_nn_round_up(int64_t n, int64_t unit)
{
    return (n / unit + (n % unit != 0)) * unit;
}

#endif
