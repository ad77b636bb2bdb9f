/* SPDX-License-Identifier: Apache-2.0 */
/* pool.c - transposed convolution, pooling and upsampling of images. */
#include "dialect/hooks.h"
#include "dialect/ttir/picture.h"
#include "dialect/ttir/say.h"

/* ---- conv_transpose2d ---- */

static bool transpose_ranks(const tsr_op *op, bool result)
{
    const tsr_type *bias = tt_in(op, 2);
    if (IN(op, 0)->n != 4)
        return tsr_op_error(op, "Input must be a 4D tensor");
    if (result && OUT(op)->n != 4)
        return tsr_op_error(op, "Output must be a 4D tensor");
    if (IN(op, 1)->n != 4)
        return tsr_op_error(op, "Weight must be a 4D tensor");
    return !bias || bias->n == 4 || tsr_op_error(op, "Bias must be a 4D tensor");
}

/* One side of the result: (in - 1) * stride - padding + dilation * (kernel - 1) + more + 1. */
static int64_t grown(int64_t in, const tsr_conv *c, size_t i, int64_t kernel)
{
    if (in == TSR_DYNAMIC || kernel == TSR_DYNAMIC)
        return TSR_DYNAMIC;
    return tt_plus(tt_plus(tt_times(in - 1, tsr_window_stride(&c->window, i)),
                           tt_times(tsr_window_dilation(&c->window, i), kernel - 1)),
                   tsr_ints_at(c->more, i) + 1 -
                       (tsr_window_low(&c->window, i) + tsr_window_high(&c->window, i)));
}

static bool transpose_window(const tsr_op *op, const tsr_conv *c)
{
    const tsr_window *win = &c->window;
    TSR_TRY(tt_counts(op, win->strides, 2, " for stride"));
    if (!tt_each_at_least(win->strides, 1))
        return tsr_op_error(op, "Stride values must be greater than 0");
    TSR_TRY(tt_padding_counts(op, win, " for padding"));
    if (!tt_each_at_least(win->low, 0) || !tt_each_at_least(win->high, 0))
        return tsr_op_error(op, "Padding values must be greater or equal than 0");
    TSR_TRY(tt_counts(op, c->more, 2, " for output padding"));
    if (!tt_each_at_least(c->more, 0))
        return tsr_op_error(op, "Output padding values must be greater or equal than 0");
    TSR_TRY(tt_counts(op, win->window_dilations, 2, " for dilation"));
    if (!tt_each_at_least(win->window_dilations, 1))
        return tsr_op_error(op, "Dilation values must be greater than 0");
    return true;
}

/* ins, outs: channels of the operand and of the result. */
static bool transpose_channels(const tsr_op *op, int64_t groups, int64_t ins, int64_t outs)
{
    const tsr_type *weight = IN(op, 1);
    if (ins != TSR_DYNAMIC && ins % groups != 0)
        return tsr_op_error(op,
                            "Number of input channels from input tensor must be divisible by the "
                            "number of groups. Got "
                            "%lld input channels and %lld groups.",
                            (long long)ins, (long long)groups);
    if (outs != TSR_DYNAMIC && outs % groups != 0)
        return tsr_op_error(op,
                            "Number of output channels from output tensor must be divisible by the "
                            "number of groups. "
                            "Got %lld output channels and %lld groups.",
                            (long long)outs, (long long)groups);
    if (ins != weight->dims[0])
        return tsr_op_error(op,
                            "Number of input channels from input tensor must match the first "
                            "dimension of the weight "
                            "tensor. Got %lld input channels and %lld in the weight tensor.",
                            (long long)ins, (long long)weight->dims[0]);
    if (outs != TSR_DYNAMIC && outs / groups != weight->dims[1])
        return tsr_op_error(op,
                            "Number of output channels per group must match the second dimension "
                            "of the weight tensor. "
                            "Got %lld output channels per group and %lld in the weight tensor.",
                            (long long)(outs / groups), (long long)weight->dims[1]);
    return true;
}

/* The result shape from operands and attributes. have: output channels of the op's result type, or -1. */
static bool transpose_shape(const tsr_op *op, const tsr_conv *c, const int64_t *at, int64_t have,
                            tt_picture *out)
{
    const tsr_type *in = IN(op, 0), *weight = IN(op, 1), *bias = tt_in(op, 2);
    int64_t groups = c->feature_groups;
    TSR_TRY(transpose_window(op, c));
    tt_picture p = tt_picture_of(&c->flat, in->dims, at);
    if (groups <= 0)
        return tsr_op_error(op, "groups must be a positive integer");
    if (have < 0)
        have = tt_times(weight->dims[1], groups);
    TSR_TRY(transpose_channels(op, groups, p.channels, have));
    if (bias && bias->dims[at[3]] != have)
        return tsr_op_error(op,
                            "Mismatch in bias tensor dimensions. Bias tensor has %lld channels, "
                            "but the output tensor "
                            "has %lld channels.",
                            (long long)bias->dims[at[3]], (long long)have);
    int64_t h = grown(p.height, c, 0, weight->dims[2]), w = grown(p.width, c, 1, weight->dims[3]);
    if ((h < 0 && h != TSR_DYNAMIC) || (w < 0 && w != TSR_DYNAMIC))
        return tsr_op_error(op,
                            "Given input size per channel: (%lld x %lld). Calculated output size "
                            "per channel: (%lld x "
                            "%lld). Output size is too small",
                            (long long)p.height, (long long)p.width, (long long)h, (long long)w);
    *out = (tt_picture){p.batch, h, w, have, c->flat.given};
    return true;
}

bool infer_ttir_conv_transpose2d(const tsr_op *op, tsr_type_vec *out)
{
    int64_t at[4];
    tt_picture p;
    tsr_conv c;
    tsr_conv_of(op, &c);
    return tt_flat_fits(op, &c.flat, "The", ".") && transpose_ranks(op, false) &&
           tt_conv_places(op, &c, NULL, at) && transpose_shape(op, &c, at, -1, &p) &&
           tt_picture_result(op, out, &p, at);
}

bool verify_ttir_conv_transpose2d(tsr_op *op)
{
    int64_t at[4];
    tt_picture p;
    tsr_conv c;
    tsr_conv_of(op, &c);
    bool flat = c.flat.given;
    TSR_TRY(tt_flat_fits(op, &c.flat, "The", ".") && transpose_ranks(op, true) &&
            tt_conv_places(op, &c, NULL, at));
    const int64_t *d = OUT(op)->dims;
    if (!flat && IN(op, 0)->dims[0] != d[0])
        return tsr_op_error(op, "Batch size of input and output tensors must match");
    TSR_TRY(transpose_shape(op, &c, at, d[at[3]], &p));
    if (!flat && (d[at[1]] != p.height || d[at[2]] != p.width))
        return tsr_op_error(
            op,
            "Mismatch between expected output size per channel and got output tensor dimensions. "
            "Expected: (%lld x %lld), got: (%lld x %lld).",
            (long long)p.height, (long long)p.width, (long long)d[at[1]], (long long)d[at[2]]);
    int64_t total = tt_times(p.batch, tt_times(p.height, p.width));
    return !flat || total == d[TT_FLAT_DIM] ||
           tsr_op_error(
               op, "Mismatch between expected flattened NHW dim size. Expected: %lld, got: %lld.",
               (long long)total, (long long)d[TT_FLAT_DIM]);
}

/* ---- Pooling ---- */

static const int64_t pool_at[] = {0, 1, 2, 3};

/* How many windows fit; with ceil, a window that begins inside counts even if it ends outside. */
static int64_t pooled(int64_t size, const tsr_pooling *p, size_t i, int64_t kernel)
{
    int64_t before = tsr_window_low(&p->window, i), after = tsr_window_high(&p->window, i),
            stride = tsr_window_stride(&p->window, i);
    if (size == TSR_DYNAMIC)
        return TSR_DYNAMIC;
    int64_t room = tt_plus(size, before + after) - kernel;
    if (!p->ceil)
        return (room < 0 ? -((-room + stride - 1) / stride) : room / stride) + 1;
    int64_t n = (room + stride - 1) / stride + 1;
    return (n - 1) * stride >= size + before ? n - 1 : n;
}

/* The extent of the window along a dimension. */
static int64_t reach(const tsr_window *w, size_t i)
{
    return tt_plus(tt_times(tsr_window_dilation(w, i), tsr_ints_at(w->sizes, i) - 1), 1);
}

static bool pool_shape(const tsr_op *op, tt_picture *out)
{
    tsr_pooling pool;
    tsr_pooling_of(op, &pool);
    const tsr_window *win = &pool.window;
    if (IN(op, 0)->n != 4)
        return tsr_op_error(op, "input must be a 4D tensor");
    TSR_TRY(tt_flat_fits(op, &pool.flat, "the", ""));
    TSR_TRY(tt_counts(op, win->sizes, 2, " for kernel attribute") &&
            tt_counts(op, win->strides, 2, " for stride attribute") &&
            tt_counts(op, win->window_dilations, 2, " for dilation attribute") &&
            tt_padding_counts(op, win, " for padding attribute"));
    if (!tt_each_at_least(win->sizes, 1))
        return tsr_op_error(op, "kernel size attribute values must be > 0");
    if (!tt_each_at_least(win->strides, 1))
        return tsr_op_error(op, "stride attribute values must be > 0");
    if (!tt_each_at_least(win->window_dilations, 1))
        return tsr_op_error(op, "dilation attribute values must be > 0");
    if (!tt_each_at_least(win->low, 0) || !tt_each_at_least(win->high, 0))
        return tsr_op_error(op, "padding attribute values must be >= 0");
    tt_picture p = tt_picture_of(&pool.flat, IN(op, 0)->dims, pool_at);
    int64_t h = tt_plus(p.height, tsr_window_low(win, 0) + tsr_window_high(win, 0)),
            w = tt_plus(p.width, tsr_window_low(win, 1) + tsr_window_high(win, 1));
    int64_t kh = reach(win, 0), kw = reach(win, 1);
    if ((h != TSR_DYNAMIC && h < kh) || (w != TSR_DYNAMIC && w < kw))
        return tsr_op_error(
            op,
            "effective kernel size (%lld, %lld) cannot be greater than the padded input size per "
            "channel (%lld, %lld)",
            (long long)kh, (long long)kw, (long long)h, (long long)w);
    *out = (tt_picture){p.batch, pooled(p.height, &pool, 0, kh), pooled(p.width, &pool, 1, kw),
                        p.channels, pool.flat.given};
    return true;
}

static bool check_pooled(const tsr_op *op, const tt_picture *p)
{
    const int64_t *d = OUT(op)->dims;
    int64_t total = tt_times(p->batch, tt_times(p->height, p->width));
    if (!p->flat && d[0] != p->batch)
        return tsr_op_error(
            op,
            "batch size from the input tensor (%lld) must match the first dimension of the output "
            "tensor (%lld)",
            (long long)p->batch, (long long)d[0]);
    if (d[3] != p->channels)
        return tsr_op_error(op,
                            "number of output channels from the output tensor (%lld) must match "
                            "the number of input "
                            "channels (%lld)",
                            (long long)d[3], (long long)p->channels);
    if (!p->flat && (d[1] != p->height || d[2] != p->width))
        return tsr_op_error(
            op,
            "output tensor height and width dimension (%lld, %lld) do not match the expected "
            "dimensions (%lld, %lld)",
            (long long)d[1], (long long)d[2], (long long)p->height, (long long)p->width);
    return !p->flat || total == d[TT_FLAT_DIM] ||
           tsr_op_error(op,
                        "output tensor's flattened dimension (%lld) does not match the product of "
                        "batch_size * "
                        "output_height * output_width (%lld * %lld * %lld = %lld)",
                        (long long)d[TT_FLAT_DIM], (long long)p->batch, (long long)p->height,
                        (long long)p->width, (long long)total);
}

bool infer_ttir_pool2d(const tsr_op *op, tsr_type_vec *out)
{
    tt_picture p;
    return pool_shape(op, &p) && tt_picture_result(op, out, &p, pool_at);
}

bool infer_ttir_pool2d_with_indices(const tsr_op *op, tsr_type_vec *out)
{
    tt_picture p;
    TSR_TRY(pool_shape(op, &p) && tt_picture_result(op, out, &p, pool_at));
    tt_shape s;
    return tt_shape_of(op, out->data[out->n - 1], &s) &&
           tt_result_of(op, out, &s, op->module->ctx->i32);
}

bool verify_ttir_pool2d(tsr_op *op)
{
    tt_picture p;
    if (IN(op, 0)->n == 4 && OUT(op)->n != 4)
        return tsr_op_error(op, "output must be a 4D tensor");
    return pool_shape(op, &p) && check_pooled(op, &p);
}

bool verify_ttir_pool2d_with_indices(tsr_op *op)
{
    TSR_TRY(verify_ttir_pool2d(op));
    if (!tt_same_shape(op->out[0].type, op->out[1].type))
        return tsr_op_error(op, "Pooled values and indices must have the same shape");
    return tt_is_integer(op->out[1].type->elem) ||
           tsr_op_error(op, "Indices result must have integer element type");
}

bool infer_ttir_global_avg_pool2d(const tsr_op *op, tsr_type_vec *out)
{
    tt_shape s;
    TSR_TRY(tt_shape_of(op, IN(op, 0), &s));
    for (size_t k = 2; k <= 3; k++)
        if (s.n >= k)
            s.d[s.n - k] = 1;
    return tt_result(op, out, &s);
}

bool verify_ttir_global_avg_pool2d(tsr_op *op)
{
    const tsr_type *in = IN(op, 0), *out = OUT(op);
    size_t n = in->n;
    if (n < 2)
        return tsr_op_error(op, "input tensor must have at least 2 dimensions for global average "
                                "pooling over 2 spatial "
                                "dimensions");
    if (out->n != n)
        return tsr_op_error(op, "output tensor must have the same rank as input tensor");
    if (in->dims[0] != out->dims[0])
        return tsr_op_error(op, "batch dimension must remain the same between input and output");
    if (out->dims[n - 2] != 1 || (n >= 3 && out->dims[n - 3] != 1))
        return tsr_op_error(op, "spatial dimensions must be reduced to 1");
    return in->dims[n - 1] == out->dims[n - 1] ||
           tsr_op_error(op, "channel dimension must remain the same between input and output");
}

/* ---- upsample2d ---- */

static bool upsample_scales(const tsr_op *op, int64_t *by)
{
    if (IN(op, 0)->n != 4)
        return tsr_op_error(op, "Expected rank of input tensor is 4, got rank %u", IN(op, 0)->n);
    tsr_ints scales = tsr_attr_ints_each(op->attrs[TTIR_UPSAMPLE2D_scale_factor], 2);
    TSR_TRY(tt_counts(op, scales, 2, ""));
    tsr_ints_copy(scales, by, 2);
    return tt_each_at_least(scales, 1) ||
           tsr_op_error(op, "Scale factors H = %lld and W = %lld must be positive integers",
                        (long long)by[0], (long long)by[1]);
}

bool infer_ttir_upsample2d(const tsr_op *op, tsr_type_vec *out)
{
    int64_t by[2];
    tt_shape s;
    TSR_TRY(upsample_scales(op, by) && tt_shape_of(op, IN(op, 0), &s));
    s.d[1] = tt_times(s.d[1], by[0]);
    s.d[2] = tt_times(s.d[2], by[1]);
    return tt_result(op, out, &s);
}

bool verify_ttir_upsample2d(tsr_op *op)
{
    int64_t by[2];
    const tsr_attr *mode = op->attrs[TTIR_UPSAMPLE2D_mode];
    if (IN(op, 0)->n == 4 && OUT(op)->n != 4)
        return tsr_op_error(op, "Expected rank of output tensor is 4, got rank %u", OUT(op)->n);
    TSR_TRY(upsample_scales(op, by));
    const int64_t *in = IN(op, 0)->dims, *out = OUT(op)->dims;
    for (size_t i = 0; i < 2; i++)
        if (tt_times(in[1 + i], by[i]) != out[1 + i])
            return tsr_op_error(
                op,
                "Expected output %c dimension to be input %c dimension * scale%c = %lld, got %lld",
                "HW"[i], "HW"[i], "HW"[i], (long long)tt_times(in[1 + i], by[i]),
                (long long)out[1 + i]);
    for (size_t i = 0; i < 4; i += 3)
        if (in[i] != out[i])
            return tsr_op_error(op, "Expected output %c dimension to be %lld, got %lld",
                                i ? 'C' : 'N', (long long)in[i], (long long)out[i]);
    return !mode || tsr_str_is(mode->s, "nearest") || tsr_str_is(mode->s, "bilinear") ||
           tsr_op_error(op, "Expected modes are (nearest, bilinear), got \"%.*s\"",
                        TSR_STR_ARG(mode->s));
}
