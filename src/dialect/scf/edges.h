/* SPDX-License-Identifier: Apache-2.0 */
/* edges.h - values that a region passes to its op's results. */
#ifndef TSR_DIALECT_SCF_EDGES_H
#define TSR_DIALECT_SCF_EDGES_H

#include "ir/ir.h"

/* Whether the operands of a terminator of region 'from', from 'first' on, have the types of op's results. */
bool tsr_verify_edge_to_results(const tsr_op *op, int from, const tsr_op *end, uint32_t first);

#endif
