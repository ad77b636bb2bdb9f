/* SPDX-License-Identifier: Apache-2.0 */
/* quantize.c - --stablehlo-legalize-quantized-op-to-qdq: converts ops on quantized numbers to ops on the expressed
 * values, between uniform_dequantize and uniform_quantize; and --stablehlo-legalize-qdq-to-quantized-op, the inverse.
 * Needs nothing; keeps values; breaks ids.
 *
 * The meaning of such ops is defined by this form, so both directions give the same numbers. Ops that move elements
 * work on the stored numbers and stay. */
#include "lower/quant/quantize.h"

#include <math.h>

#include "dialect/builtin/quant.h"
#include "lower/passes.h"
#include "pass/simplify/simplify.h"

/* Ops without regions that compute on the expressed values of quantized numbers. */
// clang-format off
static const bool on_values[TSR_OP__COUNT] = {
    [TSR_OP_STABLEHLO_ABS] = true, [TSR_OP_STABLEHLO_ADD] = true, [TSR_OP_STABLEHLO_ATAN2] = true,
    [TSR_OP_STABLEHLO_BATCH_NORM_GRAD] = true, [TSR_OP_STABLEHLO_BATCH_NORM_INFERENCE] = true,
    [TSR_OP_STABLEHLO_BATCH_NORM_TRAINING] = true, [TSR_OP_STABLEHLO_CBRT] = true,
    [TSR_OP_STABLEHLO_CEIL] = true, [TSR_OP_STABLEHLO_CHOLESKY] = true,
    [TSR_OP_STABLEHLO_CLAMP] = true, [TSR_OP_STABLEHLO_COMPARE] = true,
    [TSR_OP_STABLEHLO_CONVOLUTION] = true, [TSR_OP_STABLEHLO_COSINE] = true,
    [TSR_OP_STABLEHLO_DIVIDE] = true, [TSR_OP_STABLEHLO_DOT] = true,
    [TSR_OP_STABLEHLO_DOT_GENERAL] = true, [TSR_OP_STABLEHLO_EXPONENTIAL] = true,
    [TSR_OP_STABLEHLO_EXPONENTIAL_MINUS_ONE] = true, [TSR_OP_STABLEHLO_FLOOR] = true,
    [TSR_OP_STABLEHLO_LOG] = true, [TSR_OP_STABLEHLO_LOG_PLUS_ONE] = true,
    [TSR_OP_STABLEHLO_LOGISTIC] = true, [TSR_OP_STABLEHLO_MAXIMUM] = true,
    [TSR_OP_STABLEHLO_MINIMUM] = true, [TSR_OP_STABLEHLO_MULTIPLY] = true,
    [TSR_OP_STABLEHLO_NEGATE] = true, [TSR_OP_STABLEHLO_POWER] = true,
    [TSR_OP_STABLEHLO_REDUCE_PRECISION] = true, [TSR_OP_STABLEHLO_REMAINDER] = true,
    [TSR_OP_STABLEHLO_ROUND_NEAREST_AFZ] = true, [TSR_OP_STABLEHLO_ROUND_NEAREST_EVEN] = true,
    [TSR_OP_STABLEHLO_RSQRT] = true, [TSR_OP_STABLEHLO_SELECT] = true,
    [TSR_OP_STABLEHLO_SIGN] = true, [TSR_OP_STABLEHLO_SINE] = true, [TSR_OP_STABLEHLO_SQRT] = true,
    [TSR_OP_STABLEHLO_SUBTRACT] = true, [TSR_OP_STABLEHLO_TAN] = true,
    [TSR_OP_STABLEHLO_TANH] = true, [TSR_OP_STABLEHLO_TRIANGULAR_SOLVE] = true,
};
// clang-format on

/* Whether t is quantized, and has an expressed type. */
static bool is_quantized(const tsr_type *t)
{
    return tsr_hlo_is_quantized(t) && tsr_hlo_expressed(t);
}

static bool any_quantized(const tsr_op *op, bool results)
{
    for (uint32_t i = 0; !results && i < op->nin; i++)
        if (is_quantized(op->in[i].value->type))
            return true;
    for (uint32_t i = 0; results && i < op->nout; i++)
        if (is_quantized(op->out[i].type))
            return true;
    return false;
}

/* The tensor of t's expressed values; t itself if it is not quantized. */
static tsr_type *expressed(tsr_type *t)
{
    return is_quantized(t) ? tsr_hlo_with_element(t, tsr_hlo_expressed(t)) : t;
}

bool tsr_quant_on_values(const tsr_op *op)
{
    return op->def->opcode != TSR_UNREGISTERED && on_values[op->def->opcode];
}

tsr_op *tsr_quant_same_op(const tsr_op *op, tsr_value *const *in, tsr_type *const *types,
                          tsr_block *block, tsr_op *at)
{
    tsr_op *made = tsr_op_new(op->module, op->def, op->loc, in, op->nin, types, op->nout, 0, 0);
    uint32_t slots =
        op->def->opcode == TSR_UNREGISTERED ? 1 : op->def->nslot; /* properties, or one each */
    for (uint32_t i = 0; i < slots; i++)
        made->attrs[i] = op->attrs[i];
    made->extra = op->extra;
    tsr_op_insert(made, block, at);
    return made;
}

/* Removes unused values. */
static bool finish(tsr_pass *p, tsr_op *root)
{
    static const tsr_simplify_options tidy = {.max_rounds = 10};
    p->changed |= tsr_simplify(p, root, &tidy);
    return true;
}

void tsr_quant_take_apart(tsr_pass *p, tsr_op *op)
{
    tsr_build b = tsr_build_before(op);
    tsr_value **in = TSR_NEW_ARRAY(p->scratch, tsr_value *, op->nin + 1),
              **out = TSR_NEW_ARRAY(p->scratch, tsr_value *, op->nout + 1);
    tsr_type **types = TSR_NEW_ARRAY(p->scratch, tsr_type *, op->nout + 1);
    for (uint32_t i = 0; i < op->nin; i++) {
        in[i] = op->in[i].value;
        if (is_quantized(in[i]->type))
            in[i] = tsr_build_op(&b, TSR_OP_STABLEHLO_UNIFORM_DEQUANTIZE, &in[i], 1,
                                 expressed(in[i]->type));
    }
    for (uint32_t i = 0; i < op->nout; i++)
        types[i] = expressed(op->out[i].type);
    tsr_op *made = tsr_quant_same_op(op, in, types, op->block, op);
    for (uint32_t i = 0; i < op->nout; i++) {
        out[i] = &made->out[i];
        if (is_quantized(op->out[i].type))
            out[i] =
                tsr_build_op(&b, TSR_OP_STABLEHLO_UNIFORM_QUANTIZE, &out[i], 1, op->out[i].type);
    }
    tsr_build_free(&b);
    tsr_build_replace(op, out);
    p->changed = true;
}

/* Whether an integer of t may change when it is dequantized and quantized again: four roundings of the largest
 * difference to a zero point may amount to half a step. */
static bool loses(const tsr_type *t)
{
    const tsr_type *stands_for = tsr_hlo_expressed(t);
    tsr_attr *const *params = tsr_hlo_element(t)->params;
    double steps = (double)params[QUANT_max]->i - (double)params[QUANT_min]->i;
    return stands_for->kind != TSR_TYPE_FLOAT ||
           steps >= ldexp(1, tsr_float_formats[stands_for->sub].mbits - 2);
}

/* Whether op moves elements of one type: exact, even if their expressed values are not. */
static bool moves_one_type(const tsr_op *op)
{
    if (!tsr_quant_moves(op) && !tsr_op_is(op, TSR_OP_STABLEHLO_SELECT))
        return false;
    for (uint32_t i = 0; i < op->nin; i++) {
        const tsr_type *t = op->in[i].value->type;
        if (tsr_hlo_is_quantized(t) && tsr_hlo_element(t) != tsr_hlo_element(op->out[0].type))
            return false;
    }
    return true;
}

/* Whether op is defined by ops on the expressed values. */
static bool comes_apart(const tsr_op *op)
{
    if (!any_quantized(op, false) && !any_quantized(op, true))
        return false;
    return tsr_quant_on_values(op) && !(moves_one_type(op) && loses(op->out[0].type));
}

bool pass_stablehlo_legalize_quantized_op_to_qdq(tsr_pass *p, tsr_op *root)
{
    for (tsr_op *op = tsr_walk_next(root, root), *next; op; op = next) {
        next = tsr_walk_next(root, op);
        if (comes_apart(op))
            tsr_quant_take_apart(p, op);
    }
    return finish(p, root);
}

/* Whether the op on quantized numbers is legal, and equivalent to dequantize, op, quantize. */
static bool is_same(tsr_op *made)
{
    if (moves_one_type(made) ? loses(made->out[0].type) : !tsr_quant_on_values(made))
        return false;
    tsr_ctx *ctx = made->module->ctx;
    bool quiet = ctx->quiet;
    uint32_t nerror = ctx->nerror;
    ctx->quiet = true;
    bool ok = tsr_verify(made);
    ctx->quiet = quiet;
    ctx->nerror = nerror;
    return ok;
}

/* dequantize, op, quantize -> op on quantized numbers. The rest of them is dead, unless it has other users. */
static void put_together(tsr_pass *p, tsr_op *quantize)
{
    tsr_value *v = quantize->in[0].value;
    tsr_op *op = v->is_arg ? NULL : v->op;
    if (!op || op->nregion || op->nout != 1 || !op->nin || any_quantized(op, false))
        return;
    tsr_value **in = TSR_NEW_ARRAY(p->scratch, tsr_value *, op->nin);
    for (uint32_t i = 0; i < op->nin; i++) {
        tsr_value *x = op->in[i].value;
        if (x->is_arg || !tsr_op_is(x->op, TSR_OP_STABLEHLO_UNIFORM_DEQUANTIZE))
            return;
        in[i] = x->op->in[0].value;
    }
    tsr_op *made = tsr_quant_same_op(op, in, &quantize->out[0].type, op->block, op->next);
    if (!is_same(made)) {
        tsr_op_erase(made);
        return;
    }
    tsr_value_replace(&quantize->out[0], &made->out[0]);
    p->changed = true;
}

bool pass_stablehlo_legalize_qdq_to_quantized_op(tsr_pass *p, tsr_op *root)
{
    for (tsr_op *op = tsr_walk_next(root, root); op; op = tsr_walk_next(root, op))
        if (tsr_op_is(op, TSR_OP_STABLEHLO_UNIFORM_QUANTIZE) && op->out[0].uses)
            put_together(p, op);
    return finish(p, root);
}
