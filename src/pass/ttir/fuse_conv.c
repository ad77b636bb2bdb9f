/* SPDX-License-Identifier: Apache-2.0 */
/* fuse_conv.c - ttir-fusing: merges ops after a convolution into its weights, bias and padding. */
#include "pass/ttir/commute.h"

/* The dimension of output channels in a convolution's result. */
static size_t channel_dim(const tsr_op *conv)
{
    tsr_conv c;
    tsr_conv_of(conv, &c);
    return (size_t)c.out_feature;
}

static tsr_op *convolution(const tsr_value *v)
{
    static const uint16_t kinds[] = {TSR_OP_TTIR_CONV2D, TSR_OP_TTIR_CONV_TRANSPOSE2D,
                                     TSR_OP_TTIR_CONV3D};
    for (size_t i = 0; i < TSR_COUNT(kinds); i++) {
        tsr_op *op = tsr_ttr_single(v, kinds[i]);
        if (op)
            return op;
    }
    return NULL;
}

/* Whether v has one number per channel of the convolution's result; size 1 elsewhere. */
static bool per_channel(const tsr_op *conv, const tsr_value *v)
{
    const tsr_type *out = conv->out[0].type;
    size_t c = channel_dim(conv);
    if (!tsr_ttr_tensor(v) || v->type->n != out->n)
        return false;
    for (size_t i = 0; i < out->n; i++)
        if (v->type->dims[i] != (i == c ? out->dims[c] : 1))
            return false;
    return true;
}

/* A copy of the convolution, before at, with other weights and bias. */
static tsr_value *again(tsr_rewriter *r, tsr_op *at, const tsr_op *conv, tsr_value *weight,
                        tsr_value *bias)
{
    tsr_value *in[] = {tsr_rw_in(conv, 0), weight, bias};
    return &tsr_ttr_copy(r, at, conv, in, bias ? 3 : 2, conv->out[0].type)->out[0];
}

/* conv(x) + bias -> conv(x, bias) */
bool rule_tt_fuse_conv_bias(tsr_rewriter *r, tsr_op *op)
{
    for (int i = 0; i < 2; i++) {
        tsr_op *conv = convolution(tsr_rw_in(op, (size_t)i));
        tsr_value *bias = tsr_rw_in(op, (size_t)(1 - i));
        while (tsr_ttr_def(bias, TSR_OP_TTIR_BROADCAST))
            bias = tsr_rw_in(bias->op, 0);
        if (!conv || conv->out[0].type != op->out[0].type || !per_channel(conv, bias))
            continue;
        if (conv->nin > 2)
            bias = tsr_ttr_binary(r, op, TSR_OP_TTIR_ADD, tsr_rw_in(conv, 2), bias, bias->type);
        tsr_rw_replace_one(r, op, again(r, op, conv, tsr_rw_in(conv, 1), bias));
        return true;
    }
    return false;
}

/* conv(x, w, b) * s -> conv(x, w * s, b * s), if s comes from constants alone */
bool rule_tt_fuse_conv_scale(tsr_rewriter *r, tsr_op *op)
{
    for (int i = 0; i < 2; i++) {
        tsr_op *conv = convolution(tsr_rw_in(op, (size_t)i));
        tsr_value *raw = tsr_rw_in(op, (size_t)(1 - i)), *s = raw;
        if (tsr_ttr_def(s, TSR_OP_TTIR_BROADCAST))
            s = tsr_rw_in(s->op, 0);
        if (!conv || tsr_op_is(conv, TSR_OP_TTIR_CONV3D) || conv->out[0].type != op->out[0].type ||
            !per_channel(conv, s) || !tsr_ttr_no_inputs(r, s))
            continue;
        int64_t dims[TSR_TTIR_RANK];
        /* Groups split the channels, which are the second dimension of a transposed convolution's weights. */
        size_t rank = s->type->n, c = channel_dim(conv),
               at = tsr_op_is(conv, TSR_OP_TTIR_CONV_TRANSPOSE2D) ? 1 : 0;
        tsr_value *w = tsr_rw_in(conv, 1), *bias = conv->nin > 2 ? tsr_rw_in(conv, 2) : NULL;
        if (w->type->n != rank || w->type->dims[at] != s->type->dims[c])
            continue;
        for (size_t k = 0; k < rank; k++)
            dims[k] = k == at ? s->type->dims[c] : 1;
        tsr_value *per_weight = tsr_ttr_reshape(r, op, s, dims, rank);
        if (raw != s)
            per_weight = tsr_ttr_broadcast(r, op, per_weight, w->type->dims);
        w = tsr_ttr_binary(r, op, TSR_OP_TTIR_MULTIPLY, w, per_weight, w->type);
        if (bias)
            bias = tsr_ttr_binary(r, op, TSR_OP_TTIR_MULTIPLY, bias, s, bias->type);
        tsr_rw_replace_one(r, op, again(r, op, conv, w, bias));
        return true;
    }
    return false;
}

/* batch_norm_inference(conv(x)) -> conv(x) * alpha + beta */
bool rule_tt_fuse_batch_norm(tsr_rewriter *r, tsr_op *op)
{
    tsr_value *x = tsr_rw_in(op, 0), *scale = tsr_rw_in(op, 1), *offset = tsr_rw_in(op, 2),
              *mean = tsr_rw_in(op, 3), *variance = tsr_rw_in(op, 4);
    tsr_op *conv = convolution(x);
    if (!conv || tsr_op_is(conv, TSR_OP_TTIR_CONV3D) || !tsr_ttr_tensor(&op->out[0]) ||
        op->out[0].type->n != 4)
        return false;
    for (size_t i = 1; i < 5; i++)
        if (!tsr_ttr_tensor(tsr_rw_in(op, i)) ||
            (tsr_rw_in(op, i)->type->n != 1 && tsr_rw_in(op, i)->type->n != 4) ||
            tsr_rw_in(op, i)->type->n != scale->type->n)
            return false;
    int64_t one = 1, dims[] = {1, 1, 1, 1}, channels = tsr_ttr_elements(scale);
    dims[op->attrs[TTIR_BATCH_NORM_INFERENCE_dimension]->i & 3] = channels;
    tsr_value *eps = tsr_ttr_full_of(r, op, tsr_ttir_shaped(variance->type, &one, 1),
                                     op->attrs[TTIR_BATCH_NORM_INFERENCE_epsilon]);
    tsr_value *v = tsr_ttr_binary(r, op, TSR_OP_TTIR_ADD, variance, eps, variance->type);
    v = tsr_ttr_unary(r, op, TSR_OP_TTIR_SQRT, v, variance->type);
    tsr_value *alpha = tsr_ttr_binary(r, op, TSR_OP_TTIR_DIV, scale, v, scale->type);
    tsr_value *beta = tsr_ttr_binary(r, op, TSR_OP_TTIR_MULTIPLY, mean, alpha, mean->type);
    beta = tsr_ttr_binary(r, op, TSR_OP_TTIR_SUBTRACT, offset, beta, offset->type);
    if (alpha->type->n != 4)
        alpha = tsr_ttr_reshape(r, op, alpha, dims, 4);
    if (beta->type->n != 4)
        beta = tsr_ttr_reshape(r, op, beta, dims, 4);
    v = tsr_ttr_binary(r, op, TSR_OP_TTIR_MULTIPLY, x, alpha, x->type);
    tsr_rw_replace_one(r, op, tsr_ttr_binary(r, op, TSR_OP_TTIR_ADD, v, beta, op->out[0].type));
    return true;
}

/* Marks arguments that are weights of convolutions. */
bool rule_tt_tag_weights(tsr_rewriter *r, tsr_op *op)
{
    tsr_value *w = tsr_rw_in(op, 1);
    if (tsr_ttr_def(w, TSR_OP_TTIR_TYPECAST))
        w = tsr_rw_in(w->op, 0);
    tsr_op *func = w->is_arg ? tsr_block_parent(w->block) : NULL;
    if (!func || !tsr_op_is(func, TSR_OP_FUNC_FUNC))
        return false;
    uint32_t n = w->block->nargs, i = w->index;
    const tsr_attr *old = func->attrs[FUNC_FUNC_arg_attrs];
    const tsr_name *name = tsr_name_get(r->ctx, TSR_STR("ttir.conv2d_weight"));
    tsr_attr **dicts = TSR_NEW_ARRAY(r->p->scratch, tsr_attr *, n);
    for (uint32_t k = 0; k < n; k++)
        dicts[k] = old && k < old->n ? old->attrs[k] : tsr_attr_dict(r->ctx, NULL, 0);
    if (tsr_dict_get(dicts[i], name->str))
        return false;
    dicts[i] = tsr_dict_with(r->ctx, dicts[i], name, tsr_attr_unit(r->ctx));
    func->attrs[FUNC_FUNC_arg_attrs] = tsr_attr_array(r->ctx, dicts, n);
    r->p->changed = true;
    return true;
}

/* Whether the convolution pads by this amount on all sides. */
static bool pads_by(const tsr_conv *c, int64_t n)
{
    return tsr_ints_all(c->window.low, n) && tsr_ints_all(c->window.high, n);
}

static bool same_except_kernel(const tsr_op *a, const tsr_op *b)
{
    for (uint32_t i = 0; i < a->def->nslot; i++)
        if (i != TTIR_CONV2D_padding && a->attrs[i] != b->attrs[i])
            return false;
    return true;
}

/* 3x3 conv + 1x1 conv of the same input -> one 3x3 convolution */
bool rule_tt_fuse_conv_sum(tsr_rewriter *r, tsr_op *op)
{
    for (int i = 0; i < 2; i++) {
        tsr_op *a = tsr_ttr_single(tsr_rw_in(op, (size_t)i), TSR_OP_TTIR_CONV2D);
        tsr_op *b = tsr_ttr_single(tsr_rw_in(op, (size_t)(1 - i)), TSR_OP_TTIR_CONV2D);
        if (!a || !b || a == b || tsr_rw_in(a, 0) != tsr_rw_in(b, 0) || !same_except_kernel(a, b) ||
            a->out[0].type != op->out[0].type || b->out[0].type != op->out[0].type)
            continue;
        tsr_value *wa = tsr_rw_in(a, 1), *wb = tsr_rw_in(b, 1);
        const int64_t *da = wa->type->dims, *db = wb->type->dims;
        tsr_conv ca, cb;
        tsr_conv_of(a, &ca);
        tsr_conv_of(b, &cb);
        if (!tsr_ttr_tensor(wa) || !tsr_ttr_tensor(wb) || wa->type->n != 4 || wb->type->n != 4 ||
            da[2] != 3 || da[3] != 3 || db[2] != 1 || db[3] != 1 || da[0] != db[0] ||
            da[1] != db[1] || wa->type->elem != wb->type->elem || !pads_by(&ca, 1) ||
            !pads_by(&cb, 0) || !tsr_ints_all(ca.window.window_dilations, 1))
            continue;
        tsr_op *pad = tsr_ttr_op(r, op, TSR_OP_TTIR_PAD, &wb, 1, wa->type);
        pad->attrs[TTIR_PAD_padding] =
            tsr_ttir_i32_array(r->ctx, (int64_t[]){0, 0, 0, 0, 1, 1, 1, 1}, 8);
        pad->attrs[TTIR_PAD_value] = tsr_ttir_f32(r->ctx, 0);
        tsr_value *w = tsr_ttr_binary(r, op, TSR_OP_TTIR_ADD, &pad->out[0], wa, wa->type);
        tsr_value *ba = a->nin > 2 ? tsr_rw_in(a, 2) : NULL,
                  *bb = b->nin > 2 ? tsr_rw_in(b, 2) : NULL;
        tsr_value *bias = ba && bb ? tsr_ttr_binary(r, op, TSR_OP_TTIR_ADD, ba, bb, ba->type)
                          : ba     ? ba
                                   : bb;
        tsr_rw_replace_one(r, op, again(r, op, a, w, bias));
        return true;
    }
    return false;
}

/* conv3d(pad(x)) -> conv3d(x) with that padding */
bool rule_tt_fuse_pad_conv3d(tsr_rewriter *r, tsr_op *op)
{
    tsr_op *pad = tsr_ttr_single(tsr_rw_in(op, 0), TSR_OP_TTIR_PAD);
    tsr_conv c;
    tsr_pad by;
    int64_t sum[3];
    tsr_conv_of(op, &c);
    if (!pad || tsr_ttr_float_attr(pad->attrs[TTIR_PAD_value]) != 0 || c.replicates ||
        tsr_rw_in(pad, 0)->type->n != 5)
        return false;
    tsr_pad_of(pad, &by);
    for (size_t i = 0; i < 5; i++) {
        int64_t low = tsr_ints_at(by.low, i);
        bool still = (int64_t)i == c.in_batch || (int64_t)i == c.in_feature;
        if (low != tsr_ints_at(by.high, i) || low < 0 || (still && low != 0))
            return false;
    }
    for (size_t k = 0; k < 3; k++)
        sum[k] = tsr_window_low(&c.window, k) +
                 tsr_ints_at(by.low, (size_t)tsr_ints_at(c.in_spatial, k));
    op->attrs[TTIR_CONV3D_padding] = tsr_ttir_i32_array(r->ctx, sum, 3);
    tsr_rw_set_operand(r, op, 0, tsr_rw_in(pad, 0));
    return true;
}
