/* SPDX-License-Identifier: Apache-2.0 */
/* populate.c - writes each op's sharding rule to the attribute sdy.sharding_rule, to inspect the rules. Needs nothing;
 * keeps everything else; breaks nothing. */
#include "shard/passes.h"
#include "shard/rule/rule.h"

typedef TSR_VEC(tsr_op *) op_vec;

static void populate(tsr_pass *p, tsr_op *op, tsr_rule_options options)
{
    if (tsr_rule_given(op))
        return;
    tsr_arena_mark mark = tsr_arena_save(p->scratch);
    const tsr_rule *rule = tsr_rule_of(p->scratch, op, options);
    if (rule) {
        tsr_op_set_attr(op, TSR_STR("sdy.sharding_rule"), tsr_rule_encode(p->ctx, rule));
        p->changed = true;
    }
    tsr_arena_rewind(p->scratch, mark);
}

bool pass_sdy_populate_op_sharding_rules(tsr_pass *p, tsr_op *root)
{
    tsr_rule_options options = {.conservative = tsr_pass_bool(p, "conservative-propagation"),
                                .extra = tsr_pass_bool(p, "extra-rules")};
    op_vec open = {
        0}; /* ops whose regions are being walked: children come first, for the order of warnings */
    for (tsr_op *op = root; op; op = tsr_walk_next(root, op)) {
        while (open.n && open.data[open.n - 1] != tsr_block_parent(op->block))
            populate(p, open.data[--open.n], options);
        tsr_vec_push(&open, op);
    }
    while (open.n)
        populate(p, open.data[--open.n], options);
    tsr_vec_free(&open);
    return true;
}
