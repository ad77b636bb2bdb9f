/* SPDX-License-Identifier: Apache-2.0 */
/* window.c - images, and convolutions in one, two and three dimensions. */
#include "dialect/hooks.h"
#include "dialect/ttir/picture.h"
#include "dialect/ttir/say.h"

/* ---- Images (picture.h) ---- */

bool tt_flat_fits(const tsr_op *op, const tsr_flat *flat, const char *the, const char *end)
{
    if (!flat->given)
        return true;
    int64_t want = tt_times(flat->batch, tt_times(flat->height, flat->width));
    int64_t have = IN(op, 0)->n > TT_FLAT_DIM ? IN(op, 0)->dims[TT_FLAT_DIM] : 0;
    return have == want ||
           tsr_op_error(
               op,
               "%s input tensor's flattened dimension (%lld) does not match the product of "
               "batch_size * "
               "input_height * input_width from FlattenedCompatInfo (%lld * %lld * %lld = %lld)%s",
               the, (long long)have, (long long)flat->batch, (long long)flat->height,
               (long long)flat->width, (long long)want, end);
}

tt_picture tt_picture_of(const tsr_flat *flat, const int64_t *d, const int64_t at[4])
{
    if (!flat->given)
        return (tt_picture){d[at[0]], d[at[1]], d[at[2]], d[at[3]], false};
    return (tt_picture){flat->batch, flat->height, flat->width, d[at[3]], true};
}

bool tt_picture_result(const tsr_op *op, tsr_type_vec *out, const tt_picture *p,
                       const int64_t at[4])
{
    tt_shape s = {4, {1, 1, tt_times(p->batch, tt_times(p->height, p->width)), p->channels}};
    const int64_t parts[] = {p->batch, p->height, p->width, p->channels};
    for (size_t i = 0; i < 4 && !p->flat; i++)
        s.d[at[i]] = parts[i];
    return tt_result(op, out, &s);
}

bool tt_each_at_least(tsr_ints v, int64_t least)
{
    for (uint32_t i = 0; i < v.n; i++)
        if (tsr_ints_at(v, i) < least)
            return false;
    return true;
}

bool tt_conv_places(const tsr_op *op, const tsr_conv *c, const char *const *names, int64_t *at)
{
    size_t n = c->in_spatial.n, rank = n + 2;
    at[0] = c->in_batch;
    tsr_ints_copy(c->in_spatial, at + 1, n);
    at[n + 1] = c->in_feature;
    for (size_t i = 0; i < rank; i++)
        if (at[i] < 0 || at[i] >= (int64_t)rank)
            return tsr_op_error(op, "%s%s%lld is not a dimension of a tensor of rank %zu",
                                names ? names[i] : "", names ? " " : "", (long long)at[i], rank);
    return true;
}

/* ---- Windows ---- */

/* (padded - kernel) / stride + 1, if it is known. */
static int64_t windows(int64_t padded, int64_t kernel, int64_t stride)
{
    return padded == TSR_DYNAMIC || kernel == TSR_DYNAMIC ? TSR_DYNAMIC
                                                          : (padded - kernel) / stride + 1;
}

/* A dilated kernel: dilation * (kernel - 1) + 1. */
static int64_t spread(int64_t kernel, int64_t dilation)
{
    return kernel == TSR_DYNAMIC ? TSR_DYNAMIC : tt_plus(tt_times(dilation, kernel - 1), 1);
}

static bool smaller(int64_t a, int64_t b)
{
    return a != TSR_DYNAMIC && b != TSR_DYNAMIC && a < b;
}

/* The size of a side of the input with its padding. */
static int64_t padded(int64_t size, const tsr_window *w, size_t i)
{
    return tt_plus(size, tsr_window_low(w, i) + tsr_window_high(w, i));
}

/* ---- conv2d ---- */

static bool conv_ranks(const tsr_op *op, unsigned rank)
{
    const tsr_type *bias = tt_in(op, 2);
    if (IN(op, 0)->n != rank)
        return tsr_op_error(op, "input must be a %uD tensor", rank);
    if (IN(op, 1)->n != rank)
        return tsr_op_error(op, "weight must be a %uD tensor", rank);
    return !bias || bias->n == rank || tsr_op_error(op, "bias must be a %uD tensor", rank);
}

/* Checks that the channels of input, weight and bias match. */
static bool conv_channels(const tsr_op *op, int64_t in, int64_t groups, int64_t channel_dim)
{
    const tsr_type *weight = IN(op, 1), *bias = tt_in(op, 2);
    int64_t out = weight->dims[0], per_group = weight->dims[1];
    if (groups <= 0)
        return tsr_op_error(op, "groups must be a positive integer");
    if (in != TSR_DYNAMIC && in % groups != 0)
        return tsr_op_error(op,
                            "The number of input channels from the input tensor (%lld) is not "
                            "divisible by the number "
                            "of groups (%lld).",
                            (long long)in, (long long)groups);
    if (out != TSR_DYNAMIC && out % groups != 0)
        return tsr_op_error(
            op,
            "The number of output channels from the weight tensor (%lld) is not divisible by the "
            "number of groups (%lld).",
            (long long)out, (long long)groups);
    if (in != TSR_DYNAMIC && per_group != TSR_DYNAMIC && in / groups != per_group)
        return tsr_op_error(op,
                            "The number of input channels per group (%lld) must match the number "
                            "of input channels in "
                            "the weight tensor (%lld).",
                            (long long)in, (long long)per_group);
    if (bias && bias->dims[channel_dim] != out)
        return tsr_op_error(
            op,
            "The number of output channels from the weight tensor (%lld) must match the number of "
            "output channels in the bias tensor (%lld).",
            (long long)out, (long long)bias->dims[channel_dim]);
    return true;
}

static bool conv2d_shape(const tsr_op *op, int64_t at[4], tt_picture *want)
{
    static const char *const names[] = {"batch_dim", "height_dim", "width_dim", "channel_dim"};
    tsr_conv c;
    const int64_t *weight = IN(op, 1)->dims;
    tsr_conv_of(op, &c);
    TSR_TRY(tt_flat_fits(op, &c.flat, "The", ".") && tt_conv_places(op, &c, names, at));
    TSR_TRY(tt_counts(op, c.window.strides, 2, " for stride") &&
            tt_padding_counts(op, &c.window, " for padding") &&
            tt_counts(op, c.window.window_dilations, 2, " for dilation"));
    if (!tt_each_at_least(c.window.strides, 1))
        return tsr_op_error(op, "Stride attribute values must be > 0.");
    if (!tt_each_at_least(c.window.window_dilations, 1))
        return tsr_op_error(op, "Dilation attribute values must be > 0.");
    if (!tt_each_at_least(c.window.low, 0) || !tt_each_at_least(c.window.high, 0))
        return tsr_op_error(op, "Padding attribute values must be >= 0.");
    tt_picture in = tt_picture_of(&c.flat, IN(op, 0)->dims, at);
    TSR_TRY(conv_channels(op, in.channels, c.feature_groups, at[3]));
    int64_t h = padded(in.height, &c.window, 0), w = padded(in.width, &c.window, 1);
    int64_t kh = spread(weight[2], tsr_window_dilation(&c.window, 0)),
            kw = spread(weight[3], tsr_window_dilation(&c.window, 1));
    if (smaller(h, kh) || smaller(w, kw))
        return tsr_op_error(op,
                            "The effective kernel size (%lld, %lld) cannot be greater than the "
                            "padded input size per "
                            "channel (%lld, %lld).",
                            (long long)kh, (long long)kw, (long long)h, (long long)w);
    *want = (tt_picture){in.batch, windows(h, kh, tsr_window_stride(&c.window, 0)),
                         windows(w, kw, tsr_window_stride(&c.window, 1)), weight[0], c.flat.given};
    return true;
}

bool infer_ttir_conv2d(const tsr_op *op, tsr_type_vec *out)
{
    int64_t at[4];
    tt_picture want;
    return conv_ranks(op, 4) && conv2d_shape(op, at, &want) &&
           tt_picture_result(op, out, &want, at);
}

static bool check_picture(const tsr_op *op, const tt_picture *want, const int64_t *at)
{
    const int64_t *d = OUT(op)->dims;
    int64_t total = tt_times(want->batch, tt_times(want->height, want->width));
    if (!want->flat && d[at[0]] != want->batch)
        return tsr_op_error(
            op,
            "Batch size from the input tensor (%lld) must match the first dimension of the output "
            "tensor (%lld)",
            (long long)want->batch, (long long)d[at[0]]);
    if (want->flat && d[TT_FLAT_DIM] != total)
        return tsr_op_error(op,
                            "The output tensor's flattened dimension (%lld) does not match the "
                            "product of batch_size * "
                            "output_height * output_width (%lld * %lld * %lld = %lld).",
                            (long long)d[TT_FLAT_DIM], (long long)want->batch,
                            (long long)want->height, (long long)want->width, (long long)total);
    if (d[at[3]] != want->channels)
        return tsr_op_error(
            op,
            "The number of output channels from the output tensor (%lld) must match the number of "
            "output channels in the weight tensor (%lld). ",
            (long long)d[at[3]], (long long)want->channels);
    return want->flat || (d[at[1]] == want->height && d[at[2]] == want->width) ||
           tsr_op_error(op,
                        "The output tensor height and width dimension (%lld, %lld) do not match "
                        "the expected dimensions "
                        "(%lld, %lld).",
                        (long long)d[at[1]], (long long)d[at[2]], (long long)want->height,
                        (long long)want->width);
}

bool verify_ttir_conv2d(tsr_op *op)
{
    int64_t at[4];
    tt_picture want;
    TSR_TRY(conv_ranks(op, 4));
    if (OUT(op)->n != 4)
        return tsr_op_error(op, "output must be a 4D tensor");
    return conv2d_shape(op, at, &want) && check_picture(op, &want, at);
}

/* ---- conv1d ---- */

static bool conv1d_shape(const tsr_op *op, tt_shape *out)
{
    const tsr_type *in = IN(op, 0), *weight = IN(op, 1), *bias = tt_in(op, 2);
    static const char *const names[] = {"batch_dim", "length_dim", "channel_dim"};
    tsr_conv c;
    int64_t at[3];
    if (in->n != 3)
        return tsr_op_error(op, "input must be a 3D tensor");
    if (weight->n != 3)
        return tsr_op_error(op, "weight must be a 3D tensor (O, C/G, K)");
    if (bias && bias->n != 3)
        return tsr_op_error(op, "bias must be a 3D tensor (1, 1, O)");
    tsr_conv_of(op, &c);
    TSR_TRY(tt_conv_places(op, &c, names, at));
    int64_t groups = c.feature_groups;
    if (groups <= 0)
        return tsr_op_error(op, "groups must be a positive integer");
    int64_t channels = in->dims[at[2]], filters = weight->dims[0];
    if (channels != TSR_DYNAMIC && channels % groups != 0)
        return tsr_op_error(op,
                            "number of input channels (%lld) must be divisible by groups (%lld)",
                            (long long)channels, (long long)groups);
    if (filters != TSR_DYNAMIC && filters % groups != 0)
        return tsr_op_error(op,
                            "number of output channels (%lld) must be divisible by groups (%lld)",
                            (long long)filters, (long long)groups);
    if (channels != TSR_DYNAMIC && weight->dims[1] != channels / groups)
        return tsr_op_error(
            op,
            "expected weight's input channel dimension (%lld) to match in_channels / groups (%lld)",
            (long long)weight->dims[1], (long long)(channels / groups));
    TSR_TRY(tt_counts(op, c.window.strides, 1, " for stride") &&
            tt_counts(op, c.window.window_dilations, 1, " for dilation") &&
            tt_counts(op, c.window.low, 1, " for padding"));
    if (!tt_each_at_least(c.window.strides, 1) || !tt_each_at_least(c.window.window_dilations, 1) ||
        !tt_each_at_least(c.window.low, 0) || !tt_each_at_least(c.window.high, 0))
        return tsr_op_error(op,
                            "stride and dilation must be positive, padding must not be negative");
    int64_t length = padded(in->dims[at[1]], &c.window, 0),
            kernel = spread(weight->dims[2], tsr_window_dilation(&c.window, 0));
    if (smaller(length, kernel))
        return tsr_op_error(op, "the kernel (%lld) is longer than the padded input (%lld)",
                            (long long)kernel, (long long)length);
    out->n = 3;
    out->d[at[0]] = in->dims[at[0]];
    out->d[at[1]] = windows(length, kernel, tsr_window_stride(&c.window, 0));
    out->d[at[2]] = filters;
    return true;
}

bool infer_ttir_conv1d(const tsr_op *op, tsr_type_vec *out)
{
    tt_shape s;
    return conv1d_shape(op, &s) && tt_result(op, out, &s);
}

bool verify_ttir_conv1d(tsr_op *op)
{
    tt_shape s;
    TSR_TRY(conv1d_shape(op, &s));
    if (OUT(op)->n != 3)
        return tsr_op_error(op, "output must be a 3D tensor");
    tsr_conv conv;
    tsr_conv_of(op, &conv);
    int64_t c = conv.out_feature;
    if (s.d[c] != OUT(op)->dims[c])
        return tsr_op_error(op,
                            "expected weight's output channel dimension (%lld) to match the output "
                            "tensor's channel "
                            "dimension (%lld)",
                            (long long)s.d[c], (long long)OUT(op)->dims[c]);
    return tt_verify_inferred(op);
}

/* ---- conv3d ---- */

static bool conv3d_shape(const tsr_op *op, int64_t dims[5], int64_t want[5])
{
    static const char *const names[] = {"batch_dim", "depth_dim", "height_dim", "width_dim",
                                        "channel_dim"};
    const tsr_type *in = IN(op, 0), *weight = IN(op, 1), *bias = tt_in(op, 2);
    const tsr_attr *mode = op->attrs[TTIR_CONV3D_padding_mode];
    int64_t size[3], kernel[3];
    tsr_conv c;
    if (in->n != 5)
        return tsr_op_error(op, "input must be a 5D tensor");
    if (weight->n != 5)
        return tsr_op_error(op, "weight must be a 5D tensor");
    if (bias && bias->n != 5)
        return tsr_op_error(op, "bias must be a 5D tensor with shape (1,1,1,1,C_out)");
    tsr_conv_of(op, &c);
    TSR_TRY(tt_conv_places(op, &c, names, dims));
    TSR_TRY(tt_counts(op, c.window.strides, 3, " for stride") &&
            tt_counts(op, c.window.low, 3, " for padding"));
    if (!tt_each_at_least(c.window.strides, 1))
        return tsr_op_error(op, "Stride attribute values must be > 0.");
    if (!tt_each_at_least(c.window.low, 0))
        return tsr_op_error(op, "Padding attribute values must be >= 0.");
    if (mode && !tsr_str_is(mode->s, "zeros") && !tsr_str_is(mode->s, "replicate"))
        return tsr_op_error(op, "padding_mode must be either 'zeros' or 'replicate'");
    TSR_TRY(conv_channels(op, in->dims[dims[4]], c.feature_groups, dims[4]));
    bool large = false;
    for (size_t i = 0; i < 3; i++) {
        size[i] = padded(in->dims[dims[1 + i]], &c.window, i);
        kernel[i] = weight->dims[2 + i];
        want[1 + i] = windows(size[i], kernel[i], tsr_window_stride(&c.window, i));
        large |= smaller(size[i], kernel[i]);
    }
    want[0] = in->dims[dims[0]];
    want[4] = weight->dims[0];
    return !large || tsr_op_error(op,
                                  "The kernel size (%s) cannot be greater than the padded input "
                                  "size per channel (%s).",
                                  tt_join(op, kernel, 3, ", "), tt_join(op, size, 3, ", "));
}

bool infer_ttir_conv3d(const tsr_op *op, tsr_type_vec *out)
{
    int64_t dims[5], want[5];
    tt_shape s = {5, {0}};
    TSR_TRY(conv3d_shape(op, dims, want));
    for (size_t i = 0; i < 5; i++)
        s.d[dims[i]] = want[i];
    return tt_result(op, out, &s);
}

bool verify_ttir_conv3d(tsr_op *op)
{
    int64_t dims[5], want[5], got[5];
    TSR_TRY(conv3d_shape(op, dims, want));
    if (OUT(op)->n != 5)
        return tsr_op_error(op, "output must be a 5D tensor");
    for (size_t i = 0; i < 5; i++)
        got[i] = OUT(op)->dims[dims[i]];
    if (got[0] != want[0])
        return tsr_op_error(
            op,
            "Batch size from the input tensor (%lld) must match the first dimension of the output "
            "tensor (%lld)",
            (long long)want[0], (long long)got[0]);
    if (got[4] != want[4])
        return tsr_op_error(
            op,
            "The number of output channels from the output tensor (%lld) must match the number of "
            "output channels in the weight tensor (%lld). ",
            (long long)got[4], (long long)want[4]);
    return memcmp(got + 1, want + 1, 3 * sizeof *got) == 0 ||
           tsr_op_error(op,
                        "The output tensor spatial dimensions (%s) do not match the expected "
                        "dimensions (%s).",
                        tt_join(op, got + 1, 3, ", "), tt_join(op, want + 1, 3, ", "));
}
