/* SPDX-License-Identifier: Apache-2.0 */
/* movement.h - rules that ops which move whole tensors share with their dynamic forms. */
#ifndef TSR_DIALECT_STABLEHLO_MOVEMENT_H
#define TSR_DIALECT_STABLEHLO_MOVEMENT_H

#include "dialect/stablehlo/types.h"

/* Whether dim is a dimension of the result of a broadcast. */
bool tsr_hlo_verify_broadcast_dim(const tsr_op *op, int64_t dim, const tsr_type *to);
/* Scales of a per-axis quantized tensor must follow its dimensions (dims: broadcast_dimensions). */
bool tsr_hlo_verify_broadcast_scales(const tsr_op *op, const tsr_type *from, const tsr_type *to,
                                     const tsr_attr *dims);
/* Static shapes must have the same number of elements. */
bool tsr_hlo_verify_num_elements(const tsr_op *op, const tsr_type *from, const tsr_type *to);
/* A reshape must keep the quantized dimension and those before it. */
bool tsr_hlo_verify_reshape_scales(const tsr_op *op, tsr_type *from, tsr_type *to);

#endif
