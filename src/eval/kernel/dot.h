/* SPDX-License-Identifier: Apache-2.0 */
/* dot.h - products of tensors over chosen dimensions, for all ops that are equivalent to dot_general. */
#ifndef TSR_EVAL_KERNEL_DOT_H
#define TSR_EVAL_KERNEL_DOT_H

#include "eval/eval.h"

/* Which dimensions of an operand are batch, contracted and free; tsr_dot_tensors finds the free ones. */
typedef struct {
    const tsr_tensor *t;
    int64_t batch[TSR_MAX_RANK], contract[TSR_MAX_RANK], free_dims[TSR_MAX_RANK];
    size_t nbatch, ncontract, nfree;
} tsr_dot_side;

/* Both sides of an op with dot parameters (dialect/params.h), with these operands. */
void tsr_dot_sides(const tsr_op *op, const tsr_tensor *lhs, const tsr_tensor *rhs,
                   tsr_dot_side side[2]);
/* [batch, free of l, free of r], of this element type; NULL after a failure. */
tsr_tensor *tsr_dot_tensors(tsr_call *c, tsr_dot_side *l, tsr_dot_side *r, tsr_type *elem);

#endif
