/* passes.c - the passes of TTIR that are sets of rules.
 * need nothing; keep what a program computes; break ids. */
#include "pass/ttir/tt.h"

enum { ROUNDS = 10 };

bool tsr_tt_inside(tsr_op *root)
{
    TSR_OPS (root, op)
        if (tsr_str_is(tsr_opdef_dialect(op->def), "ttir"))
            return true;
    return false;
}

static bool apply(tsr_pass *p, tsr_op *root, unsigned sets, bool plain)
{
    return tsr_simplify(p, root,
                        &(tsr_simplify_options){.sets = sets, .top_down = true, .plain = plain, .max_rounds = ROUNDS});
}

bool tsr_tt_canonicalize(tsr_pass *p, tsr_op *root)
{
    return tsr_simplify(p, root,
                        &(tsr_simplify_options){
                            .sets = TSR_TT_CANON | TSR_TT_FOLD, .top_down = true, .keep_regions = true, .max_rounds = ROUNDS});
}

bool pass_ttir_to_ttir_decomposition(tsr_pass *p, tsr_op *root)
{
    bool host = tsr_str_is(tsr_pass_str(p, "config"), "cpu-fallback");
    apply(p, root, TSR_TT_DECOMPOSE | (host ? TSR_TT_HOST : TSR_TT_DEVICE), true);
    return true;
}
