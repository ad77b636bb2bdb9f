/* SPDX-License-Identifier: Apache-2.0 */
/* convert_conv.c - hooks of convert-ttir-to-ttnn: convolutions and pools, whose images are flattened by now. */
#include "dialect/params.h"
#include "dialect/ttir/shape.h"
#include "dialect/ttnn/view.h"
#include "lower/ttnn/convert.h"

static tsr_attr *i32(tsr_ttnn_lower *l, int64_t v)
{
    return tsr_attr_i32(l->b.ctx, (int32_t)v);
}

/* Two numbers from an attribute that may have one. */
static tsr_attr *pair(tsr_ttnn_lower *l, const char *name)
{
    int64_t v[2] = {1, 1};
    const tsr_attr *a = tsr_op_attr(l->op, (tsr_str){name, strlen(name)});
    for (size_t i = 0; a && i < 2; i++)
        v[i] = a->kind == TSR_ATTR_INT ? a->i : tsr_attr_int_at(a, tsr_attr_count(a) > 1 ? i : 0);
    return tsr_ttir_i32_array(l->b.ctx, v, 2);
}

/* Top, bottom, left, right; two numbers if both sides are equal. TTIR has top, left, bottom, right. */
static tsr_attr *sides(tsr_ttnn_lower *l, bool always_four)
{
    int64_t v[4] = {0}, p[4];
    const tsr_attr *a = tsr_op_attr(l->op, TSR_STR("padding"));
    size_t n = a->kind == TSR_ATTR_INT ? 1 : (size_t)tsr_attr_count(a);
    for (size_t i = 0; i < 4; i++)
        v[i] = a->kind == TSR_ATTR_INT ? a->i : tsr_attr_int_at(a, n == 4 ? i : n == 2 ? i % 2 : 0);
    p[0] = v[0];
    p[1] = v[2];
    p[2] = v[1];
    p[3] = v[3];
    if (always_four || p[0] != p[1] || p[2] != p[3])
        return tsr_ttir_i32_array(l->b.ctx, p, 4);
    p[1] = p[2];
    return tsr_ttir_i32_array(l->b.ctx, p, 2);
}

static tsr_attr *in_dram(tsr_ctx *ctx)
{
    enum { FIELDS = 16 };
    tsr_attr *params[FIELDS] = {NULL};
    params[FIELDS - 1] = tsr_attr_bool(ctx, true);
    return tsr_attr_struct(ctx, &tsr_def_TTNN_CONV2D_CONFIG, params);
}

static bool picture(tsr_ttnn_lower *l, tsr_op *made,
                    tsr_attr *(*number)(tsr_ttnn_lower *l, int64_t v))
{
    tsr_flat flat = tsr_flat_of(l->op);
    if (!flat.given)
        return tsr_op_error(l->op, "only supports lowering to TTNN for flattened input tensors. "
                                   "Please run the FlattenSlidingWindow pass before lowering to "
                                   "TTNN");
    tsr_ttnn_set(made, "batch_size", number(l, flat.batch));
    tsr_ttnn_set(made, "input_height", number(l, flat.height));
    tsr_ttnn_set(made, "input_width", number(l, flat.width));
    return true;
}

bool lower_ttnn_conv2d(tsr_ttnn_lower *l)
{
    const tsr_type *w = l->op->in[1].value->type;
    bool transposed = l->to == TSR_OP_TTNN_CONV_TRANSPOSE2D;
    tsr_op *made = tsr_ttnn_like(l, l->to, true);
    TSR_TRY(picture(l, made, i32));
    tsr_ttnn_set(made, "in_channels", i32(l, l->op->in[0].value->type->dims[3]));
    tsr_ttnn_set(made, "out_channels", i32(l, l->op->out[0].type->dims[3]));
    tsr_ttnn_set(made, "kernel_size",
                 tsr_ttir_i32_array(l->b.ctx, (const int64_t[]){w->dims[2], w->dims[3]}, 2));
    tsr_ttnn_set(made, "stride", pair(l, "stride"));
    tsr_ttnn_set(made, "dilation", pair(l, "dilation"));
    tsr_ttnn_set(made, "padding", sides(l, false));
    if (transposed) {
        tsr_ttnn_set(made, "output_padding", pair(l, "output_padding"));
        if (tsr_attr_count(tsr_op_attr(made, TSR_STR("padding"))) != 2)
            return tsr_op_error(l->op,
                                "TTNN only supports padding height/width attributes. Thus, "
                                "padding_top/padding_left must equal padding_bottom/padding_right "
                                "for the op to execute as expected.");
    } else if (tsr_attr_count(tsr_op_attr(l->op, TSR_STR("padding"))) == 4) {
        tsr_ttnn_set(made, "padding", sides(l, true));
    }
    tsr_ttnn_set(made, "conv2d_config", in_dram(l->b.ctx));
    return tsr_ttnn_done(l, made);
}

static tsr_attr *si32(tsr_ttnn_lower *l, int64_t v)
{
    return tsr_ttir_si32(l->b.ctx, v);
}

bool lower_ttnn_pool(tsr_ttnn_lower *l)
{
    tsr_op *made = tsr_ttir_open(&l->b, l->to, &l->op->in[0].value, 1, l->op->nout);
    tsr_attrs_by_name(l->op, made->def, made->attrs);
    const tsr_attr *dilation = tsr_op_attr(l->op, TSR_STR("dilation"));
    bool average = l->to == TSR_OP_TTNN_AVG_POOL2D;
    TSR_TRY(picture(l, made, si32));
    for (size_t i = 0; average && i < 2; i++)
        if ((dilation->kind == TSR_ATTR_INT
                 ? dilation->i
                 : tsr_attr_int_at(dilation, tsr_attr_count(dilation) > 1 ? i : 0)) != 1)
            return tsr_op_error(l->op, "only supports lowering to TTNN for dilation of (1, 1)");
    tsr_ttnn_set(made, "channels", si32(l, l->op->in[0].value->type->dims[3]));
    tsr_ttnn_set(made, "kernel_size", pair(l, "kernel"));
    tsr_ttnn_set(made, "stride", pair(l, "stride"));
    tsr_ttnn_set(made, "dilation", pair(l, "dilation"));
    tsr_ttnn_set(made, "padding", sides(l, false));
    tsr_ttnn_set(made, "reallocate_halo_output", tsr_attr_bool(l->b.ctx, false));
    tsr_ttnn_set(made, "config_tensors_in_dram", tsr_attr_bool(l->b.ctx, true));
    return tsr_ttnn_done(l, made);
}
