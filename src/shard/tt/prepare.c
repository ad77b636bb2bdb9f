/* SPDX-License-Identifier: Apache-2.0 */
/* prepare.c - small steps before propagation: converts sdy's constants to StableHLO's, duplicates broadcast constants
 * for each user, takes tuples apart, and converts user-written rules in strings to attributes. Needs uses; keeps
 * everything else; breaks ids. */
#include "dialect/sdy/verify.h"
#include "shard/passes.h"
#include "shard/rule/rule.h"
#include "shard/spmd/spmd.h"
#include "shard/tt/tt.h"

/* ---- partially-convert-sdy-to-stablehlo ---- */

static bool convert_constant(void *user, tsr_op *op)
{
    (void)user;
    if (!tsr_op_is(op, TSR_OP_SDY_CONSTANT))
        return false;
    tsr_op *made = tsr_op_new(op->module, tsr_opdef_of(op->module->ctx, TSR_OP_STABLEHLO_CONSTANT),
                              op->loc, NULL, 0, &op->out[0].type, 1, 0, 0);
    made->attrs[STABLEHLO_CONSTANT_value] = op->attrs[SDY_CONSTANT_value];
    tsr_op_insert(made, op->block, op);
    tsr_value_replace(&op->out[0], &made->out[0]);
    tsr_op_erase(op);
    return true;
}

bool pass_tt_partially_convert_sdy_to_stablehlo(tsr_pass *p, tsr_op *root)
{
    return tsr_tt_greedy(p, root, true, convert_constant, NULL);
}

/* ---- decouple-const-fanout ---- */

static bool has_sharded_arguments(const tsr_op *func)
{
    for (uint32_t i = 0, n = tsr_func_count(func, true); i < n; i++) {
        const tsr_attr *s = tsr_sdy_arg_sharding(func, i);
        if (s && !tsr_sdy_is_replicated(s))
            return true;
    }
    return false;
}

/* Makes a copy for each use but the newest. */
static void copy_per_use(tsr_op *op)
{
    for (tsr_use *use = op->out[0].uses->next, *next; use; use = next) {
        next = use->next;
        tsr_mapping map = {0};
        tsr_op *copy = tsr_op_clone(op->module, op, &map);
        tsr_mapping_free(&map);
        tsr_op_insert(copy, use->user->block, use->user);
        tsr_op_set_operand(use->user, (size_t)(use - use->user->in), &copy->out[0]);
    }
}

bool pass_tt_decouple_const_fanout(tsr_pass *p, tsr_op *root)
{
    TSR_VEC(tsr_op *) todo = {0};
    TSR_TT_FUNCS(root, func)
    {
        if (!has_sharded_arguments(func))
            continue;
        todo.n = 0;
        TSR_OPS (func, op)
            if (tsr_op_is(op, TSR_OP_STABLEHLO_BROADCAST_IN_DIM) && !op->in[0].value->is_arg &&
                tsr_op_is(op->in[0].value->op, TSR_OP_STABLEHLO_CONSTANT) && op->out[0].uses &&
                op->out[0].uses->next)
                tsr_vec_push(&todo, op);
        for (size_t i = 0; i < todo.n; i++)
            copy_per_use(todo.data[i]);
        p->changed |= todo.n != 0;
    }
    tsr_vec_free(&todo);
    return true;
}

/* ---- decompose-custom-call-tuples ---- */

bool pass_tt_decompose_custom_call_tuples(tsr_pass *p, tsr_op *root)
{
    for (tsr_op *op = root, *after; op; op = after) {
        after = tsr_walk_next(root, op);
        if (!tsr_op_is(op, TSR_OP_STABLEHLO_TUPLE))
            continue;
        for (tsr_use *use = op->out[0].uses, *next; use; use = next) {
            next = use->next;
            tsr_op *get = use->user;
            const tsr_attr *i = tsr_op_is(get, TSR_OP_STABLEHLO_GET_TUPLE_ELEMENT)
                                    ? get->attrs[STABLEHLO_GET_TUPLE_ELEMENT_index]
                                    : NULL;
            if (!i || i->i < 0 || i->i >= op->nin)
                continue;
            if (after == get)
                after = tsr_walk_next(root, get);
            tsr_value_replace(&get->out[0], op->in[i->i].value);
            tsr_op_erase(get);
            p->changed = true;
        }
        if (!op->out[0].uses) {
            tsr_op_erase(op);
            p->changed = true;
        }
    }
    return true;
}

/* ---- register-user-sharding-rule ---- */

bool pass_tt_register_user_sharding_rule(tsr_pass *p, tsr_op *root)
{
    TSR_OPS (root, op) {
        if (!tsr_op_is(op, TSR_OP_STABLEHLO_CUSTOM_CALL) || !tsr_rule_user_text(op).len)
            continue;
        tsr_attr *rule = tsr_rule_user(op);
        if (!rule)
            return tsr_error(p->ctx, op->loc,
                             "failed to parse 'xla.sdy.custom_sharding_rule' frontend attribute as "
                             "an #sdy.op_sharding_rule");
        if (!sdy_check_rule(op, rule))
            return false;
        tsr_op_set_attr(op, TSR_STR("sdy.sharding_rule"), rule);
        p->changed = true;
    }
    return true;
}

/* ---- register-custom-sharding-rule ---- */

/* Rules of custom calls are in a table (targets.def), for every propagation. This pass covers ops for which Shardy has
 * no rule and we do, if a device computes them from its own shards unchanged: they get the rule as an attribute, for
 * all later passes. */
bool pass_tt_register_custom_sharding_rule(tsr_pass *p, tsr_op *root)
{
    TSR_OPS (root, op) {
        if (!tsr_rule_is_extra(op) || !tsr_spmd_by_itself(op) || tsr_rule_given(op))
            continue;
        tsr_arena_mark mark = tsr_arena_save(p->scratch);
        const tsr_rule *rule =
            tsr_rule_of(p->scratch, op, (tsr_rule_options){.conservative = true, .extra = true});
        if (rule && tsr_rule_is_static(op)) {
            tsr_op_set_attr(op, TSR_STR("sdy.sharding_rule"), tsr_rule_encode(p->ctx, rule));
            p->changed = true;
        }
        tsr_arena_rewind(p->scratch, mark);
    }
    return true;
}
