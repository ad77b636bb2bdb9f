/* SPDX-License-Identifier: Apache-2.0 */
/* flops.h - how many arithmetic operations an op takes: the column FLOPS of its row. */
#ifndef TSR_DIALECT_FLOPS_H
#define TSR_DIALECT_FLOPS_H

#include "ir/ir.h"

/* For one run of the op on its shapes: a multiply-add counts as two, an elementwise op as one per element, ops that
 * only move data as none. Ops in its regions are not counted. -1: sizes are not known. */
double tsr_op_flops(const tsr_op *op);

#endif
