/* SPDX-License-Identifier: Apache-2.0 */
/* quantized.c - ttir-quant-dequant-conversion: makes ops compute on quantized numbers.
 *
 * An op on dequantized numbers becomes one on the quantized ones if it has such a form, and its result is dequantized:
 * convolutions, whose scale is the product of two, sums of one type, and maxima. After any other op the result is
 * quantized like its operand, and dequantized again; the rounding is what the pass is asked for.
 * quantize(dequantize(x)) becomes requantize(x). Needs nothing; keeps what a program computes except for that rounding;
 * breaks ids. */
#include "dialect/builtin/quant.h"
#include "dialect/stablehlo/types.h"
#include "dialect/ttnn/build.h"
#include "pass/ttir/tt.h"

static tsr_type *quantized(const tsr_type *t)
{
    bool is = tsr_type_is(t, TSR_TYPE_TENSOR) && t->elem->kind == TSR_TYPE_DIALECT &&
              t->elem->def == &tsr_def_QUANT_UNIFORM;
    return is ? t->elem : NULL;
}

static tsr_type *with_element(const tsr_type *t, tsr_type *elem)
{
    return tsr_type_tensor(t->ctx, t->dims, t->n, elem, t->attr);
}

/* The operand before it was dequantized, or the operand itself. */
static tsr_value *source(const tsr_op *op, uint32_t i)
{
    const tsr_op *def = tsr_ttr_def(op->in[i].value, TSR_OP_TTIR_DEQUANTIZE);
    return def ? def->in[0].value : op->in[i].value;
}

static tsr_value *quantize(tsr_build *b, tsr_value *v, tsr_type *elem)
{
    return tsr_ttir_op(b, TSR_OP_TTIR_QUANTIZE, &v, 1, with_element(v->type, elem));
}

/* The type of products of these, whose scales are the products of theirs. NULL: none, as for several zero points. */
static tsr_type *product(tsr_ctx *ctx, const tsr_type *x, const tsr_type *w, uint32_t width,
                         int64_t axis, int64_t channels)
{
    enum { MOST = 4096 };
    const tsr_attr *at = w->params[QUANT_axis], *scales = w->params[QUANT_scales],
                   *zeros = w->params[QUANT_zero_points];
    int64_t zero = tsr_attr_int_at(x->params[QUANT_zero_points], 0), n = tsr_attr_count(scales);
    double by = tsr_hlo_scale(x, 0), made[MOST];
    if (x->params[QUANT_axis] || n > MOST ||
        (at && (at->kind != TSR_ATTR_INT || at->i != 0 || n != channels)))
        return NULL;
    for (int64_t i = 0; i < n; i++) {
        if (tsr_attr_int_at(zeros, (size_t)i) != zero)
            return NULL;
        made[i] = by * tsr_hlo_scale(w, (size_t)i);
    }
    tsr_attr *params[16];
    memcpy(params, w->params, w->def->nparam * sizeof *params);
    int64_t high = ((int64_t)1 << (width - 1)) - 1;
    params[QUANT_storage] = tsr_attr_type(ctx, tsr_type_integer(ctx, width, TSR_SIGNLESS));
    params[QUANT_signed] = tsr_attr_bool(ctx, true);
    params[QUANT_min] = tsr_attr_i64(ctx, -high - 1);
    params[QUANT_max] = tsr_attr_i64(ctx, high);
    params[QUANT_axis] = n == 1 ? NULL : tsr_attr_i64(ctx, axis);
    params[QUANT_scales] = tsr_attr_dense_array(ctx, tsr_type_float(ctx, TSR_F64), made, (size_t)n);
    if (n == 1 && at)
        params[QUANT_zero_points] = x->params[QUANT_zero_points];
    return tsr_type_dialect(ctx, w->def, params);
}

static bool is_byte(const tsr_type *elem)
{
    return elem && elem->params[QUANT_storage]->type->width == 8;
}

/* Whether it is worth trying: both operands of a convolution, sums of one type, any other op. */
static bool is_favorable(const tsr_op *op)
{
    bool conv = tsr_op_is(op, TSR_OP_TTIR_CONV2D) || tsr_op_is(op, TSR_OP_TTIR_CONV_TRANSPOSE2D);
    const tsr_type *a = quantized(source(op, 0)->type),
                   *b = op->nin > 1 ? quantized(source(op, 1)->type) : NULL;
    if (conv)
        return is_byte(a) && is_byte(b);
    return !tsr_op_is(op, TSR_OP_TTIR_ADD) || !a || !b || a == b;
}

static tsr_value *quantized_add(tsr_build *b, tsr_op *op)
{
    tsr_value *in[] = {source(op, 0), source(op, 1)};
    tsr_type *x = quantized(in[0]->type), *y = quantized(in[1]->type), *elem = x ? x : y;
    for (size_t i = 0; i < 2; i++)
        if (!quantized(in[i]->type)) {
            if (in[i]->type->elem != elem->params[QUANT_expressed]->type)
                return NULL;
            in[i] = quantize(b, in[i], elem);
        }
    return tsr_ttir_op(b, TSR_OP_TTIR_ADD, in, 2, with_element(op->out[0].type, elem));
}

static tsr_value *quantized_conv(tsr_build *b, tsr_op *op)
{
    bool bias = op->nin > 2;
    const tsr_type *out = op->out[0].type;
    tsr_value *in[] = {source(op, 0), source(op, 1), NULL};
    int64_t axis = op->attrs[tsr_opdef_slot(op->def, TSR_STR("channel_dim"))]->i;
    if (axis < 0 || axis >= (int64_t)out->n)
        return NULL;
    tsr_type *elem = product(b->ctx, quantized(in[0]->type), quantized(in[1]->type), bias ? 8 : 32,
                             axis, out->dims[axis]);
    if (!elem)
        return NULL;
    if (bias)
        in[2] = quantize(b, op->in[2].value, elem);
    tsr_type *type = with_element(out, elem);
    return &tsr_nn_copy(b, op, in, bias ? 3 : 2, &type)->out[0];
}

static tsr_value *quantized_max(tsr_build *b, tsr_op *op)
{
    tsr_value *in = source(op, 0);
    tsr_type *elem = quantized(in->type);
    if (!elem || elem->params[QUANT_axis])
        return NULL;
    tsr_type *type = with_element(op->out[0].type, elem);
    return &tsr_nn_copy(b, op, &in, 1, &type)->out[0];
}

/* The op on quantized numbers; NULL: it has no such form. */
static tsr_value *in_quantized_form(tsr_build *b, tsr_op *op)
{
    static const struct {
        uint16_t opcode;
        tsr_value *(*make)(tsr_build *, tsr_op *);
    } forms[] = {{TSR_OP_TTIR_ADD, quantized_add},
                 {TSR_OP_TTIR_CONV2D, quantized_conv},
                 {TSR_OP_TTIR_CONV_TRANSPOSE2D, quantized_conv},
                 {TSR_OP_TTIR_MAX_POOL2D, quantized_max}};
    for (size_t i = 0; i < TSR_COUNT(forms); i++)
        if (tsr_op_is(op, forms[i].opcode))
            return forms[i].make(b, op);
    return NULL;
}

/* An operand of op that was dequantized only for it. */
static tsr_op *dequantized(const tsr_op *op)
{
    for (uint32_t i = 0; i < op->nin; i++) {
        tsr_op *def = tsr_ttr_single(op->in[i].value, TSR_OP_TTIR_DEQUANTIZE);
        if (def && quantized(def->in[0].value->type))
            return def;
    }
    return NULL;
}

static void round_result(tsr_op *op, tsr_type *elem)
{
    tsr_value *v = &op->out[0];
    tsr_build b = tsr_build_before(op->next);
    b.loc = op->loc;
    tsr_value *q = quantize(&b, v, elem);
    tsr_value *back = tsr_ttir_op(&b, TSR_OP_TTIR_DEQUANTIZE, &q, 1, v->type);
    for (tsr_use *u = v->uses, *next; u; u = next) {
        next = u->next;
        if (u->user != q->op)
            tsr_op_set_operand(u->user, (size_t)(u - u->user->in), back);
    }
    tsr_build_free(&b);
}

bool pass_ttir_quant_dequant_conversion(tsr_pass *p, tsr_op *root)
{
    tsr_str when = tsr_pass_str(p, "when");
    if (!tsr_str_is(when, "true") && !(tsr_str_is(when, "auto") && p->ctx->as_peer))
        return true;
    for (tsr_op *op = root, *next; op; op = next) {
        next = tsr_walk_next(root, op);
        tsr_op *def = op->def->traits & TSR_TRAIT(TT_QUANTIZABLE) ? dequantized(op) : NULL;
        if (tsr_op_is(op, TSR_OP_TTIR_QUANTIZE) &&
            (def = tsr_ttr_def(op->in[0].value, TSR_OP_TTIR_DEQUANTIZE))) {
            tsr_build b = tsr_build_before(op);
            tsr_value *v = def->in[0].value;
            if (v->type != op->out[0].type)
                v = tsr_ttir_op(&b, TSR_OP_TTIR_REQUANTIZE, &v, 1, op->out[0].type);
            tsr_build_replace(op, &v);
        } else if (def && op->nout == 1 && op->next && is_favorable(op)) {
            tsr_build b = tsr_build_before(op);
            tsr_value *v = in_quantized_form(&b, op);
            if (v) {
                v = tsr_ttir_op(&b, TSR_OP_TTIR_DEQUANTIZE, &v, 1, op->out[0].type);
                tsr_build_replace(op, &v);
            } else {
                round_result(op, quantized(def->in[0].value->type));
            }
        }
    }
    return true;
}
