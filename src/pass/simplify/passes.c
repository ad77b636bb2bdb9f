/* SPDX-License-Identifier: Apache-2.0 */
/* passes.c - the passes that apply rules of simplification. Needs nothing; keeps shardings as far as ops stay; breaks
 * ids. */
#include "pass/simplify/simplify.h"

enum { ROUNDS = 10 };

bool pass_stablehlo_aggressive_folder(tsr_pass *p, tsr_op *root)
{
    tsr_simplify(p, root,
                 &(tsr_simplify_options){.rules = &tsr_hlo_rewrites,
                                         .sets = TSR_RULES_SHAPE | TSR_RULES_FOLD,
                                         .element_limit = tsr_pass_int(p, "fold-op-element-limit"),
                                         .optimize_float = tsr_pass_bool(p, "optimize-float"),
                                         .assume_no_effects =
                                             tsr_pass_bool(p, "assume-no-undeclared-side-effects"),
                                         .max_rounds = ROUNDS});
    return true;
}

bool pass_stablehlo_aggressive_simplification(tsr_pass *p, tsr_op *root)
{
    tsr_simplify(p, root,
                 &(tsr_simplify_options){.rules = &tsr_hlo_rewrites,
                                         .sets = TSR_RULES_SIMPLIFY,
                                         .element_limit = tsr_pass_int(p, "fold-op-element-limit"),
                                         .optimize_float = true,
                                         .max_rounds = ROUNDS});
    return true;
}

bool pass_stablehlo_target_independent_optimization(tsr_pass *p, tsr_op *root)
{
    tsr_simplify(p, root,
                 &(tsr_simplify_options){
                     .rules = &tsr_hlo_rewrites,
                     .sets = TSR_RULES_SHAPE | TSR_RULES_FOLD | TSR_RULES_SIMPLIFY,
                     .element_limit = tsr_pass_int(p, "fold-op-element-limit"),
                     .optimize_float = tsr_pass_bool(p, "optimize-float"),
                     .assume_no_effects = tsr_pass_bool(p, "assume-no-undeclared-side-effects"),
                     .max_rounds = ROUNDS});
    return true;
}

/* Common subexpression elimination in between: equal operands enable more rules. */
bool pass_tessera_simplify(tsr_pass *p, tsr_op *root)
{
    bool exact = !tsr_pass_bool(p, "fast-math");
    tsr_simplify_options options = {.rules = &tsr_hlo_rewrites,
                                    .sets = TSR_RULES_SHAPE | TSR_RULES_FOLD | TSR_RULES_SIMPLIFY |
                                            TSR_RULES_EXTRA | (exact ? 0 : TSR_RULES_FAST),
                                    .element_limit = tsr_pass_int(p, "fold-op-element-limit"),
                                    .limit_all = true,
                                    .optimize_float = true,
                                    .exact = exact,
                                    .strict = true,
                                    .top_down = true,
                                    .max_rounds = ROUNDS};
    bool before = p->changed;
    for (int i = 0; i < ROUNDS; i++) {
        tsr_simplify(p, root, &options);
        bool changed = p->changed;
        p->changed = false;
        TSR_TRY(pass_cse(p, root));
        bool more = p->changed;
        p->changed |= changed | before;
        if (!more)
            break;
    }
    return true;
}
