/* SPDX-License-Identifier: Apache-2.0 */
/* hlo_test_speculatability.c - checks the claims of "hlo_test_speculatability" ops about the op that defines their
 * operand: is_speculatable, is_not_speculatable, is_recursively_speculatable. If the claim is true, both ops are
 * erased; what is left of a test was wrong. Needs nothing; breaks ids. */
#include "pass/pass.h"

static bool claims(const tsr_op *op, tsr_speculation *out)
{
    static const struct {
        const char *name;
        tsr_speculation claim;
    } names[] = {
        {"hlo_test_speculatability.is_speculatable", TSR_SPECULATE_YES},
        {"hlo_test_speculatability.is_not_speculatable", TSR_SPECULATE_NO},
        {"hlo_test_speculatability.is_recursively_speculatable", TSR_SPECULATE_RECURSIVE},
    };
    for (size_t i = 0; i < TSR_COUNT(names); i++)
        if (tsr_str_is(op->def->name, names[i].name)) {
            *out = names[i].claim;
            return op->nin == 1 && op->nout == 0;
        }
    return false;
}

/* Ops without a speculation trait are skipped, even where "no" would be right. */
static const uint64_t says =
    TSR_TRAIT(SPECULATABLE) | TSR_TRAIT(COND_SPECULATABLE) | TSR_TRAIT(RECURSIVE_SPECULATABLE);

static tsr_op *used_once(tsr_value *v)
{
    if (v->is_arg || !tsr_op_has(v->op, says))
        return NULL;
    uint32_t uses = 0;
    for (uint32_t i = 0; i < v->op->nout; i++)
        for (tsr_use *u = v->op->out[i].uses; u && uses < 2; u = u->next)
            uses++;
    return uses == 1 ? v->op : NULL;
}

bool pass_hlo_test_speculatability(tsr_pass *p, tsr_op *root)
{
    tsr_op *next;
    for (tsr_op *op = tsr_walk_next(root, root); op; op = next) {
        next = tsr_walk_next(root, op);
        tsr_speculation claim;
        if (!claims(op, &claim))
            continue;
        tsr_op *made = used_once(op->in[0].value);
        if (!made || tsr_op_speculation(made) != claim)
            continue;
        if (tsr_op_is_ancestor(made, op) || (next && tsr_op_is_ancestor(made, next)))
            continue; /* a graph region, where an op may come after its user */
        tsr_op_erase(op);
        tsr_op_erase(made);
        p->changed = true;
    }
    p->changed |= tsr_erase_dead_ops(root); /* shapes that were constants */
    return true;
}
