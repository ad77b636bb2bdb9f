/* custom.c - custom calls: those whose meaning is known become ops, the others keep their name. */
#include "text/hlo/reader.h"

#include "dialect/dialect.h"

/* TopK: the result says how many. */
static bool top_k(xla_reader *r, xla_instr *i)
{
    if (i->shape->n != 2 || !i->shape->members[0]->type || !i->shape->members[0]->type->n ||
        i->nin != 1)
        return xla_opaque(r, i, NULL);
    const tsr_type *values = i->shape->members[0]->type;
    tsr_op *op = xla_plain(r, i, TSR_OP_CHLO_TOP_K, 0);
    xla_set(op, "k", tsr_attr_i64(r->ctx, values->dims[values->n - 1]));
    return true;
}

/* Whether its computation is the whole meaning of the call. */
static bool is_call(tsr_str target)
{
    return tsr_str_is(target, "xla.sdy.InlineableManualComputation");
}

bool xla_custom_call(xla_reader *r, xla_instr *i, uint16_t opcode)
{
    tsr_str target = xla_unquote(r, xla_attr_of(i, "custom_call_target"));
    tsr_str effect = xla_attr_of(i, "custom_call_has_side_effect");
    tsr_str config = xla_attr_of(i, "backend_config");
    if (!target.data)
        return xla_error(r, i->at, "'custom-call' has no custom_call_target");
    if (tsr_str_is(target, "TopK"))
        return top_k(r, i);
    if (is_call(target))
        return xla_call(r, i, 0);
    tsr_op *op = xla_plain(r, i, opcode, 0);
    xla_set(op, "call_target_name", tsr_attr_string(r->ctx, target));
    if (effect.data && tsr_str_is(effect, "true"))
        xla_set(op, "has_side_effect", tsr_attr_bool(r->ctx, true));
    if (config.data && config.data[0] == '"')
        xla_set(op, "backend_config", tsr_attr_string(r->ctx, xla_unquote(r, config)));
    return true;
}
