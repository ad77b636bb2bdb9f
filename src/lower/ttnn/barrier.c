/* SPDX-License-Identifier: Apache-2.0 */
/* barrier.c - ttcore-optimization-barrier-fold: removes barriers, which have separated passes, before deallocations are
 * inserted. */
#include "lower/ttnn/ttnn.h"

bool pass_ttcore_optimization_barrier_fold(tsr_pass *p, tsr_op *root)
{
    TSR_VEC(tsr_op *) barriers = {0};
    TSR_OPS (root, op)
        if (tsr_op_is(op, TSR_OP_TTCORE_OPTIMIZATION_BARRIER))
            tsr_vec_push(&barriers, op);
    for (size_t i = 0; i < barriers.n; i++) {
        tsr_op *op = barriers.data[i];
        for (uint32_t k = 0; k < op->nout && k < op->nin; k++)
            tsr_value_replace(&op->out[k], op->in[k].value);
        tsr_op_erase(op);
        p->changed = true;
    }
    tsr_vec_free(&barriers);
    return true;
}
