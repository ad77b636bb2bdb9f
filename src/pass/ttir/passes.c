/* SPDX-License-Identifier: Apache-2.0 */
/* passes.c - the passes of TTIR that are sets of rules. Needs nothing; keeps what a program computes; breaks ids. */
#include <stdlib.h>

#include "pass/ttir/commute.h"

/* plain: rules that examine one op each, in program order; else last op first, so that users are examined before their
 * operands are folded. */
static bool apply(tsr_pass *p, tsr_op *root, unsigned sets, bool plain)
{
    return tsr_simplify(p, root,
                        &(tsr_simplify_options){.rules = &tsr_ttr_rewrites,
                                                .sets = sets,
                                                .top_down = plain,
                                                .plain = plain,
                                                .max_rounds = TSR_TTR_ROUNDS});
}

bool pass_ttir_to_ttir_decomposition(tsr_pass *p, tsr_op *root)
{
    bool host = tsr_str_is(tsr_pass_str(p, "config"), "cpu-fallback");
    apply(p, root, TSR_TTR_DECOMPOSE | (host ? TSR_TTR_HOST : TSR_TTR_DEVICE), true);
    return true;
}

bool pass_ttir_implicit_broadcast_fold(tsr_pass *p, tsr_op *root)
{
    apply(p, root, TSR_TTR_IMPLICIT | TSR_TTR_FOLD, false);
    return true;
}

bool pass_ttir_explicate_tms(tsr_pass *p, tsr_op *root)
{
    apply(p, root, TSR_TTR_EXPLICIT | TSR_TTR_FOLD, false);
    return true;
}

bool pass_ttir_fold_full_to_scalar(tsr_pass *p, tsr_op *root)
{
    apply(p, root, TSR_TTR_SCALAR | TSR_TTR_FOLD, false);
    return true;
}

bool pass_ttir_reduction_force_keep_dim(tsr_pass *p, tsr_op *root)
{
    apply(p, root, TSR_TTR_KEEP_DIM | TSR_TTR_FOLD, false);
    return true;
}

bool pass_ttir_fold_constant_reshape_broadcast(tsr_pass *p, tsr_op *root)
{
    apply(p, root, TSR_TTR_FOLD_MOVES | TSR_TTR_FOLD, false);
    return true;
}

bool pass_ttir_move_reshape_to_constant(tsr_pass *p, tsr_op *root)
{
    apply(p, root, TSR_TTR_MOVE_RESHAPE | TSR_TTR_FOLD, false);
    return true;
}

bool pass_ttir_fusing(tsr_pass *p, tsr_op *root)
{
    tsr_ttr_origins o = {0};
    unsigned sets = TSR_TTR_FUSE | TSR_TTR_FOLD;
    sets |= tsr_pass_bool(p, "ttnn-enable-conv2d-with-multiply-pattern") ? TSR_TTR_FUSE_CONV : 0;
    sets |= tsr_pass_bool(p, "enable-permute-matmul-fusion") ? TSR_TTR_FUSE_PERMUTE : 0;
    sets |= tsr_pass_bool(p, "enable-permute-slice-after-matmul-fusion") ? TSR_TTR_FUSE_SLICE : 0;
    apply(p, root, TSR_TTR_FUSE_FIRST | TSR_TTR_FOLD, false);
    tsr_simplify(p, root,
                 &(tsr_simplify_options){.rules = &tsr_ttr_rewrites,
                                         .sets = sets,
                                         .top_down = true,
                                         .max_rounds = TSR_TTR_ROUNDS,
                                         .user = &o});
    tsr_free(o.of);
    return true;
}

bool pass_ttir_decompose_composites(tsr_pass *p, tsr_op *root)
{
    apply(p, root, TSR_TTR_COMPOSITES | TSR_TTR_FOLD, false);
    return true;
}

bool pass_ttir_decompose_complex_permute(tsr_pass *p, tsr_op *root)
{
    apply(p, root, TSR_TTR_MOVES, true);
    return true;
}

bool pass_ttir_decompose_complex_reshape(tsr_pass *p, tsr_op *root)
{
    apply(p, root, TSR_TTR_RESHAPES, true);
    return true;
}

bool pass_ttir_flatten_sliding_window(tsr_pass *p, tsr_op *root)
{
    apply(p, root, TSR_TTR_FLATTEN, true);
    return true;
}
