/* window.c - pictures, and convolutions of them, of lines and of volumes. */
#include "dialect/hooks.h"
#include "dialect/ttir/picture.h"

#define IN(op, i) ((op)->in[i].value->type)
#define OUT(op) ((op)->out[0].type)

/* ---- Pictures (picture.h) ---- */

bool tt_flat_fits(const tsr_op *op, const tsr_attr *flat, const char *the, const char *end)
{
    if (!flat)
        return true;
    int64_t n = flat->attrs[TTIR_FLATTENED_COMPAT_batch_size]->i;
    int64_t h = flat->attrs[TTIR_FLATTENED_COMPAT_input_height]->i;
    int64_t w = flat->attrs[TTIR_FLATTENED_COMPAT_input_width]->i,
            want = tt_times(n, tt_times(h, w));
    int64_t have = IN(op, 0)->n > TT_FLAT_DIM ? IN(op, 0)->dims[TT_FLAT_DIM] : 0;
    return have == want ||
           tsr_op_error(
               op,
               "%s input tensor's flattened dimension (%lld) does not match the product of "
               "batch_size * "
               "input_height * input_width from FlattenedCompatInfo (%lld * %lld * %lld = %lld)%s",
               the, (long long)have, (long long)n, (long long)h, (long long)w, (long long)want,
               end);
}

tt_picture tt_picture_of(const tsr_attr *flat, const int64_t *d, const int64_t at[4])
{
    if (!flat)
        return (tt_picture){d[at[0]], d[at[1]], d[at[2]], d[at[3]], false};
    return (tt_picture){flat->attrs[TTIR_FLATTENED_COMPAT_batch_size]->i,
                        flat->attrs[TTIR_FLATTENED_COMPAT_input_height]->i,
                        flat->attrs[TTIR_FLATTENED_COMPAT_input_width]->i, d[at[3]], true};
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

bool tt_each_at_least(const int64_t *v, size_t n, int64_t least)
{
    for (size_t i = 0; i < n; i++)
        if (v[i] < least)
            return false;
    return true;
}

/* ---- Windows ---- */

/* (padded - kernel) / stride + 1, when it is known. */
static int64_t windows(int64_t padded, int64_t kernel, int64_t stride)
{
    return padded == TSR_DYNAMIC || kernel == TSR_DYNAMIC ? TSR_DYNAMIC
                                                          : (padded - kernel) / stride + 1;
}

/* A kernel with gaps: dilation * (kernel - 1) + 1. */
static int64_t spread(int64_t kernel, int64_t dilation)
{
    return kernel == TSR_DYNAMIC ? TSR_DYNAMIC : tt_plus(tt_times(dilation, kernel - 1), 1);
}

static bool smaller(int64_t a, int64_t b)
{
    return a != TSR_DYNAMIC && b != TSR_DYNAMIC && a < b;
}

static bool place_ok(const tsr_op *op, int64_t dim, const char *name, size_t rank)
{
    return (dim >= 0 && dim < (int64_t)rank) ||
           tsr_op_error(op, "%s %lld is not a dimension of a tensor of rank %zu", name,
                        (long long)dim, rank);
}

/* ---- conv2d ---- */

typedef struct {
    tt_picture in, want;
    int64_t dims[4]; /* of batch, height, width, channels */
    const tsr_attr *flat;
} conv2d;

static bool conv_ranks(const tsr_op *op, unsigned rank)
{
    const tsr_type *bias = tt_in(op, 2);
    if (IN(op, 0)->n != rank)
        return tsr_op_error(op, "input must be a %uD tensor", rank);
    if (IN(op, 1)->n != rank)
        return tsr_op_error(op, "weight must be a %uD tensor", rank);
    return !bias || bias->n == rank || tsr_op_error(op, "bias must be a %uD tensor", rank);
}

/* Channels of input, weight and bias fit together. */
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

static bool conv2d_places(const tsr_op *op, conv2d *c)
{
    static const int slots[] = {TTIR_CONV2D_batch_dim, TTIR_CONV2D_height_dim,
                                TTIR_CONV2D_width_dim, TTIR_CONV2D_channel_dim};
    static const char *const names[] = {"batch_dim", "height_dim", "width_dim", "channel_dim"};
    for (size_t i = 0; i < 4; i++) {
        c->dims[i] = tt_int(op, slots[i], (int64_t)i);
        TSR_TRY(place_ok(op, c->dims[i], names[i], 4));
    }
    c->flat = op->attrs[TTIR_CONV2D_flattened_compat_info];
    const int64_t *d = IN(op, 0)->dims;
    c->in = tt_picture_of(c->flat, d, c->dims);
    return true;
}

static bool conv2d_shape(const tsr_op *op, conv2d *c)
{
    int64_t stride[2], pad[4], dilation[2];
    const int64_t *w = IN(op, 1)->dims;
    TSR_TRY(tt_flat_fits(op, op->attrs[TTIR_CONV2D_flattened_compat_info], "The", ".") &&
            conv2d_places(op, c));
    TSR_TRY(tt_ints(op, op->attrs[TTIR_CONV2D_stride], 2, " for stride", stride) &&
            tt_padding(op, op->attrs[TTIR_CONV2D_padding], " for padding", pad) &&
            tt_ints(op, op->attrs[TTIR_CONV2D_dilation], 2, " for dilation", dilation));
    if (!tt_each_at_least(stride, 2, 1))
        return tsr_op_error(op, "Stride attribute values must be > 0.");
    if (!tt_each_at_least(dilation, 2, 1))
        return tsr_op_error(op, "Dilation attribute values must be > 0.");
    if (!tt_each_at_least(pad, 4, 0))
        return tsr_op_error(op, "Padding attribute values must be >= 0.");
    TSR_TRY(conv_channels(op, c->in.channels, tt_int(op, TTIR_CONV2D_groups, 1), c->dims[3]));
    int64_t h = tt_plus(c->in.height, pad[0] + pad[2]), wd = tt_plus(c->in.width, pad[1] + pad[3]);
    int64_t kh = spread(w[2], dilation[0]), kw = spread(w[3], dilation[1]);
    if (smaller(h, kh) || smaller(wd, kw))
        return tsr_op_error(op,
                            "The effective kernel size (%lld, %lld) cannot be greater than the "
                            "padded input size per "
                            "channel (%lld, %lld).",
                            (long long)kh, (long long)kw, (long long)h, (long long)wd);
    c->want = (tt_picture){c->in.batch, windows(h, kh, stride[0]), windows(wd, kw, stride[1]), w[0],
                           c->flat != NULL};
    return true;
}

bool infer_ttir_conv2d(const tsr_op *op, tsr_type_vec *out)
{
    conv2d c;
    return conv_ranks(op, 4) && conv2d_shape(op, &c) && tt_picture_result(op, out, &c.want, c.dims);
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
    conv2d c;
    TSR_TRY(conv_ranks(op, 4));
    if (OUT(op)->n != 4)
        return tsr_op_error(op, "output must be a 4D tensor");
    return conv2d_shape(op, &c) && check_picture(op, &c.want, c.dims);
}

/* ---- conv1d ---- */

static bool conv1d_shape(const tsr_op *op, tt_shape *out)
{
    const tsr_type *in = IN(op, 0), *weight = IN(op, 1), *bias = tt_in(op, 2);
    int64_t n = tt_int(op, TTIR_CONV1D_batch_dim, 0), l = tt_int(op, TTIR_CONV1D_length_dim, 1);
    int64_t c = tt_int(op, TTIR_CONV1D_channel_dim, 2), groups = tt_int(op, TTIR_CONV1D_groups, 1);
    int64_t stride, dilation, pad[2];
    if (in->n != 3)
        return tsr_op_error(op, "input must be a 3D tensor");
    if (weight->n != 3)
        return tsr_op_error(op, "weight must be a 3D tensor (O, C/G, K)");
    if (bias && bias->n != 3)
        return tsr_op_error(op, "bias must be a 3D tensor (1, 1, O)");
    TSR_TRY(place_ok(op, n, "batch_dim", 3) && place_ok(op, l, "length_dim", 3) &&
            place_ok(op, c, "channel_dim", 3));
    if (groups <= 0)
        return tsr_op_error(op, "groups must be a positive integer");
    int64_t channels = in->dims[c], filters = weight->dims[0];
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
    TSR_TRY(tt_ints(op, op->attrs[TTIR_CONV1D_stride], 1, " for stride", &stride) &&
            tt_ints(op, op->attrs[TTIR_CONV1D_dilation], 1, " for dilation", &dilation));
    const tsr_attr *p = op->attrs[TTIR_CONV1D_padding];
    size_t npad = p->kind == TSR_ATTR_INT || tt_count(p) != 2 ? 1 : 2;
    TSR_TRY(tt_ints(op, p, npad, " for padding", pad));
    if (stride < 1 || dilation < 1 || pad[0] < 0 || (npad == 2 && pad[1] < 0))
        return tsr_op_error(op,
                            "stride and dilation must be positive, padding must not be negative");
    int64_t length = tt_plus(in->dims[l], pad[0] + pad[npad - 1]),
            kernel = spread(weight->dims[2], dilation);
    if (smaller(length, kernel))
        return tsr_op_error(op, "the kernel (%lld) is longer than the padded input (%lld)",
                            (long long)kernel, (long long)length);
    out->n = 3;
    out->d[n] = in->dims[n];
    out->d[l] = windows(length, kernel, stride);
    out->d[c] = filters;
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
    int64_t c = tt_int(op, TTIR_CONV1D_channel_dim, 2);
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
    static const int slots[] = {TTIR_CONV3D_batch_dim, TTIR_CONV3D_depth_dim,
                                TTIR_CONV3D_height_dim, TTIR_CONV3D_width_dim,
                                TTIR_CONV3D_channel_dim};
    static const char *const names[] = {"batch_dim", "depth_dim", "height_dim", "width_dim",
                                        "channel_dim"};
    const tsr_type *in = IN(op, 0), *weight = IN(op, 1), *bias = tt_in(op, 2);
    const tsr_attr *mode = op->attrs[TTIR_CONV3D_padding_mode];
    int64_t stride[3], pad[3], size[3], kernel[3];
    if (in->n != 5)
        return tsr_op_error(op, "input must be a 5D tensor");
    if (weight->n != 5)
        return tsr_op_error(op, "weight must be a 5D tensor");
    if (bias && bias->n != 5)
        return tsr_op_error(op, "bias must be a 5D tensor with shape (1,1,1,1,C_out)");
    for (size_t i = 0; i < 5; i++) {
        dims[i] = tt_int(op, slots[i], (int64_t)i);
        TSR_TRY(place_ok(op, dims[i], names[i], 5));
    }
    TSR_TRY(tt_ints(op, op->attrs[TTIR_CONV3D_stride], 3, " for stride", stride) &&
            tt_ints(op, op->attrs[TTIR_CONV3D_padding], 3, " for padding", pad));
    if (!tt_each_at_least(stride, 3, 1))
        return tsr_op_error(op, "Stride attribute values must be > 0.");
    if (!tt_each_at_least(pad, 3, 0))
        return tsr_op_error(op, "Padding attribute values must be >= 0.");
    if (mode && !tsr_str_is(mode->s, "zeros") && !tsr_str_is(mode->s, "replicate"))
        return tsr_op_error(op, "padding_mode must be either 'zeros' or 'replicate'");
    TSR_TRY(conv_channels(op, in->dims[dims[4]], tt_int(op, TTIR_CONV3D_groups, 1), dims[4]));
    bool large = false;
    for (size_t i = 0; i < 3; i++) {
        size[i] = tt_plus(in->dims[dims[1 + i]], 2 * pad[i]);
        kernel[i] = weight->dims[2 + i];
        want[1 + i] = windows(size[i], kernel[i], stride[i]);
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
