/* SPDX-License-Identifier: Apache-2.0 */
/* table.c - TTIR's rules as a value, and how canonicalize applies them. */
#include "pass/ttir/tt.h"

static const tsr_rewrite rules[] = {
#define RULE(id, s, e, f) {0, TSR_OP_##id, (e), (s), rule_##f},
#define RULE_OF_ALL(d, s, e, f) {TSR_DIALECT_##d, 0, (e), (s), rule_##f},
#include "pass/ttir/rules.def"
};

const tsr_rewrites tsr_ttr_rewrites = {rules, TSR_COUNT(rules)};

const tsr_simplify_options canonicalize_ttir = {.rules = &tsr_ttr_rewrites,
                                                .sets = TSR_TTR_CANON | TSR_TTR_FOLD,
                                                .top_down = true,
                                                .keep_regions = true,
                                                .max_rounds = TSR_TTR_ROUNDS};
