/* SPDX-License-Identifier: Apache-2.0 */
/* passes.c - the passes of TTNN that are sets of rules. Needs nothing; keeps what a program computes, within the
 * precision of its data types; breaks ids. */
#include "pass/ttnn/needs.h"

bool pass_ttnn_workaround(tsr_pass *p, tsr_op *root)
{
    int64_t level = tsr_pass_int(p, "ttnn-optimization-level");
    if (tsr_pass_bool(p, "ttnn-enable-decomposition-workaround-pass"))
        tsr_nn_apply(p, root, TSR_NN_WORK | (level < 2 ? TSR_NN_WORK_LATE : 0));
    if (!tsr_pass_bool(p, "ttnn-enable-layout-workaround-pass"))
        return true;
    tsr_nn_fit_needs(p, root, level >= 1);
    return tsr_nn_apply(p, root, 0);
}

bool pass_ttnn_fusing(tsr_pass *p, tsr_op *root)
{
    return tsr_nn_apply(p, root, TSR_NN_FUSE);
}

bool pass_ttnn_decomposition(tsr_pass *p, tsr_op *root)
{
    return tsr_nn_apply(p, root, TSR_NN_DECOMPOSE);
}
