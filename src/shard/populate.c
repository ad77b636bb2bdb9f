/* populate.c - writes each op's sharding rule on it, as the attribute sdy.sharding_rule: a way to see the rules.
 * needs nothing; keeps everything else; breaks nothing. */
#include "dialect/sdy/verify.h"
#include "shard/passes.h"
#include "shard/rule.h"

typedef TSR_VEC(tsr_op *) op_vec;

/* Factors have sizes: a rule needs shapes. What the verifier would say of a rule there. */
static bool check_static(tsr_op *op)
{
    for (uint32_t t = 0; t < op->nin + op->nout; t++) {
        bool in = t < op->nin;
        const tsr_type *type = in ? op->in[t].value->type : op->out[t - op->nin].type;
        if (!tsr_type_is_shaped(type) || tsr_type_has_static_shape(type))
            continue;
        sdy_at at = in ? sdy_at_value(op, "operand", op->nin, t)
                       : sdy_at_value(op, "result", op->nout, t - op->nin);
        tsr_str text = tsr_type_print(type);
        sdy_error(&at, "expected a ranked tensor with a static shape. type: '%.*s'", TSR_STR_ARG(text));
        tsr_free((void *)text.data);
        return false;
    }
    return true;
}

static bool populate(tsr_pass *p, tsr_op *op, tsr_rule_options options)
{
    if (tsr_rule_given(op))
        return true;
    tsr_arena_mark mark = tsr_arena_save(p->scratch);
    const tsr_rule *rule = tsr_rule_of(p->scratch, op, options);
    if (rule) {
        tsr_op_set_attr(op, TSR_STR("sdy.sharding_rule"), tsr_rule_encode(p->ctx, rule));
        p->changed = true;
    }
    tsr_arena_rewind(p->scratch, mark);
    return rule || !tsr_rule_wants_shapes(op, options) || check_static(op);
}

bool pass_sdy_populate_op_sharding_rules(tsr_pass *p, tsr_op *root)
{
    tsr_rule_options options = {.conservative = tsr_pass_bool(p, "conservative-propagation"),
                                .extra = tsr_pass_bool(p, "extra-rules")};
    op_vec open = {0}; /* ops whose insides are being walked: children come first, for the order of warnings */
    bool ok = true;
    for (tsr_op *op = root; ok && op; op = tsr_walk_next(root, op)) {
        while (ok && open.n && open.data[open.n - 1] != tsr_block_parent(op->block))
            ok = populate(p, open.data[--open.n], options);
        tsr_vec_push(&open, op);
    }
    while (ok && open.n)
        ok = populate(p, open.data[--open.n], options);
    tsr_vec_free(&open);
    return ok;
}
