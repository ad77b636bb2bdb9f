/* SPDX-License-Identifier: Apache-2.0 */
/* table.c - StableHLO's rules as a value. */
#include "pass/simplify/simplify.h"

#define S TSR_RULES_SHAPE
#define F TSR_RULES_FOLD
#define A TSR_RULES_SIMPLIFY
#define X TSR_RULES_EXTRA
#define U TSR_RULES_FAST
#define R TSR_RULES_REFINE
#define D TSR_RULES_STATIC
static const tsr_rewrite rules[] = {
#define RULE(id, s, e, f) {0, TSR_OP_##id, (e), (s), rule_##f},
#define RULE_OF_ALL(d, s, e, f) {TSR_DIALECT_##d, 0, (e), (s), rule_##f},
#include "pass/simplify/rules.def"
};

const tsr_rewrites tsr_hlo_rewrites = {rules, TSR_COUNT(rules)};
