/* SPDX-License-Identifier: Apache-2.0 */
/* invariants.h - for tsr_check: whether a rule has the op's tensors and ranks, each factor at most once on a tensor, and
 * factors that fit into their dimensions. */
#ifndef TSR_SHARD_RULE_INVARIANTS_H
#define TSR_SHARD_RULE_INVARIANTS_H

#include "shard/rule/rule.h"

bool tsr_rule_sound(const tsr_rule *r, const tsr_op *op);

#endif
