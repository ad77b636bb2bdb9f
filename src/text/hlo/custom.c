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

/* "[dense<[0, 1]> : tensor<2xindex>]": the order in memory of the arrays of shapes. False: the usual one of all. */
static bool layouts(tsr_buf *out, const xla_shape *const *shapes, uint32_t n)
{
    bool any = false;
    tsr_buf_char(out, '[');
    for (uint32_t k = 0; k < n; k++) {
        uint32_t rank = shapes[k]->type && tsr_type_is(shapes[k]->type, TSR_TYPE_TENSOR)
                            ? shapes[k]->type->n
                            : 0;
        tsr_buf_printf(out, "%sdense<%s", k ? ", " : "", rank ? "[" : "");
        for (uint32_t d = 0; d < rank; d++) {
            int64_t usual = rank - 1 - d, at = shapes[k]->order ? shapes[k]->order[d] : usual;
            any |= at != usual;
            tsr_buf_printf(out, "%s%lld", d ? ", " : "", (long long)at);
        }
        tsr_buf_printf(out, "%s> : tensor<%uxindex>", rank ? "]" : "", rank);
    }
    tsr_buf_char(out, ']');
    return any;
}

/* A call whose callee sees arrays in another order than the usual one says so. */
static bool set_layouts(xla_reader *r, const xla_instr *i, tsr_op *op)
{
    const xla_shape **in = TSR_NEW_ARRAY(&r->arena, const xla_shape *, i->nin + 1);
    tsr_buf a = {0}, b = {0};
    for (uint32_t k = 0; k < i->nin; k++) {
        in[k] = i->in[k]->shape;
        if (in[k]->n)
            return true;
    }
    bool any = layouts(&a, in, i->nin);
    any |= i->shape->type ? layouts(&b, &i->shape, 1)
                          : layouts(&b, (const xla_shape *const *)i->shape->members, i->shape->n);
    bool ok =
        !any || (xla_set_text(r, i, op, "operand_layouts", "%.*s", TSR_STR_ARG(tsr_buf_text(&a))) &&
                 xla_set_text(r, i, op, "result_layouts", "%.*s", TSR_STR_ARG(tsr_buf_text(&b))));
    tsr_buf_free(&a);
    tsr_buf_free(&b);
    return ok;
}

/* Calls of the version that has a dictionary of attributes. */
static bool set_typed(xla_reader *r, const xla_instr *i, tsr_op *op)
{
    tsr_str config = xla_attr_of(i, "backend_config");
    xla_set(op, "api_version", tsr_attr_i32(r->ctx, 4));
    return (!config.data || config.data[0] != '{' ||
            xla_set_text(r, i, op, "backend_config", "%.*s", TSR_STR_ARG(config))) &&
           set_layouts(r, i, op);
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
    tsr_str config = xla_attr_of(i, "backend_config"), version = xla_attr_of(i, "api_version");
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
    if (version.data && tsr_str_is(version, "API_VERSION_TYPED_FFI"))
        return set_typed(r, i, op);
    if (config.data && config.data[0] == '"')
        xla_set(op, "backend_config", tsr_attr_string(r->ctx, xla_unquote(r, config)));
    return true;
}
