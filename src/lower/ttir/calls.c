/* SPDX-License-Identifier: Apache-2.0 */
/* calls.c - custom calls that are ops of TTIR: the rows of ttir/calls.def, and the simple ones among them. */
#include "lower/ttir/ttir.h"

static const struct {
    const char *target;
    tsr_ttir_fn *fn;
} calls[] = {
#define CALL(target, hook) {target, ttir_call_##hook},
#include "lower/ttir/calls.def"
};

static tsr_ttir_fn *find(tsr_str target)
{
    for (size_t i = 0; i < TSR_COUNT(calls); i++)
        if (tsr_str_is(target, calls[i].target))
            return calls[i].fn;
    return NULL;
}

bool tsr_ttir_takes_call(tsr_str target)
{
    return find(target) != NULL;
}

bool ttir_custom_call(tsr_build *b, tsr_op *op, tsr_value **out)
{
    tsr_ttir_fn *fn = find(tsr_attr_of(op, STABLEHLO_CUSTOM_CALL_call_target_name)->s);
    return fn && fn(b, op, out);
}

static bool unary(tsr_build *b, tsr_op *op, enum tsr_opcode opcode, tsr_value **out)
{
    if (op->nin != 1 || op->nout != 1 || !tsr_ttir_static(op))
        return false;
    out[0] = tsr_ttir_unary(b, opcode, op->in[0].value, op->out[0].type);
    return true;
}

bool ttir_call_erf(tsr_build *b, tsr_op *op, tsr_value **out)
{
    return unary(b, op, TSR_OP_TTIR_ERF, out);
}

bool ttir_call_asinh(tsr_build *b, tsr_op *op, tsr_value **out)
{
    return unary(b, op, TSR_OP_TTIR_ASINH, out);
}

bool ttir_call_topk(tsr_build *b, tsr_op *op, tsr_value **out)
{
    const tsr_attr *attrs = tsr_dict_get(op->extra, TSR_STR("mhlo.attributes"));
    if (!tsr_attr_is(attrs, TSR_ATTR_DICT) || op->nin != 1 || op->nout != 2 || !tsr_ttir_static(op))
        return false;
    const tsr_attr *k = tsr_dict_get(attrs, TSR_STR("k"));
    tsr_attr *largest = tsr_dict_get(attrs, TSR_STR("largest"));
    if (!tsr_attr_is(k, TSR_ATTR_INT) || (largest && !tsr_attr_is(largest, TSR_ATTR_INT)) ||
        k->i < 0 || k->i > INT32_MAX)
        return false;
    tsr_value *x = op->in[0].value;
    tsr_type *types[] = {op->out[0].type, op->out[1].type};
    tsr_op *made = tsr_ttir_open(b, TSR_OP_TTIR_TOPK, &x, 1, 2);
    made->attrs[TTIR_TOPK_k] = tsr_attr_i32(b->ctx, (int32_t)k->i);
    made->attrs[TTIR_TOPK_largest] = largest ? largest : tsr_attr_bool(b->ctx, true);
    tsr_build_close_as(b, made, types);
    out[0] = &made->out[0];
    out[1] = &made->out[1];
    return true;
}
