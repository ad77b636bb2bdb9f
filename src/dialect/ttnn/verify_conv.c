/* SPDX-License-Identifier: Apache-2.0 */
/* verify_conv.c - rules of TTNN's convolutions: images are flattened, [1, 1, batch * height * width, channels], and
 * sizes are attributes. */
#include "dialect/ttnn/say.h"

/* The number in the attribute of this name. */
static int64_t num(const tsr_op *op, const char *name)
{
    const tsr_attr *a = tsr_op_attr(op, (tsr_str){name, strlen(name)});
    return a ? a->i : 0;
}

static const tsr_attr *list(const tsr_op *op, const char *name)
{
    return tsr_op_attr(op, (tsr_str){name, strlen(name)});
}

static int64_t at(const tsr_attr *a, size_t i)
{
    return tsr_attr_int_at(a, i);
}

static bool all_at_least(const tsr_attr *a, int64_t least)
{
    for (size_t i = 0; i < tt_count(a); i++)
        if (at(a, i) < least)
            return false;
    return true;
}

static const char *show(const tsr_op *op, const tsr_attr *a)
{
    tt_shape s = {.n = 0};
    for (size_t i = 0; i < tt_count(a) && i < TT_MAX_RANK; i++)
        s.d[s.n++] = at(a, i);
    return tt_join(op, s.d, s.n, ", ");
}

/* ---- Prepared weights and bias ---- */

bool verify_ttnn_prepare_weights(tsr_op *op)
{
    const tsr_type *w = IN(op, 0);
    const tsr_attr *kernel = list(op, "kernel_size");
    int64_t groups = num(op, "groups");
    TSR_TRY(tt_encoded(op));
    SAY(w->n == 4, "Weight must be a 4D tensor");
    SAY(tsr_str_is(list(op, "weights_format")->s, "OIHW"),
        "Only `OIHW` weights format is currently supported");
    SAY(w->dims[0] == num(op, "out_channels"),
        "Expected output channels attribute (%lld) to match the first dimension of the weight "
        "tensor (%lld)",
        LL(num(op, "out_channels")), LL(w->dims[0]));
    SAY(groups > 0, "groups must be a positive integer");
    SAY(w->dims[1] == num(op, "in_channels") / groups,
        "Expected input channels attribute (%lld) to match the number of input channels per group "
        "(%lld)",
        LL(num(op, "in_channels")), LL(w->dims[1] / groups));
    SAY(tt_count(kernel) == 2, "Expected kernel size attribute to be a 2D tensor");
    SAY(w->dims[2] == at(kernel, 0),
        "Expected kernel height attribute (%lld) to match the third dimension of the weight tensor "
        "(%lld)",
        LL(at(kernel, 0)), LL(w->dims[2]));
    SAY(w->dims[3] == at(kernel, 1),
        "Expected kernel width attribute (%lld) to match the fourth dimension of the weight tensor "
        "(%lld)",
        LL(at(kernel, 1)), LL(w->dims[3]));
    SAY(tt_count(list(op, "stride")) == 2, "Expected stride attribute to be a 2D tensor");
    SAY(tt_count(list(op, "dilation")) == 2, "Expected dilation attribute to be a 2D tensor");
    size_t n = tt_count(list(op, "padding"));
    SAY(n == 2 || n == 4, "Expected padding attribute to be a 2D tensor");
    return true;
}

/* kernel_size, stride, padding and dilation have two numbers each, padding two or four. */
static bool counts(const tsr_op *op)
{
    size_t n = tt_count(list(op, "padding"));
    SAY(tt_count(list(op, "kernel_size")) == 2,
        "Kernel size attribute must have two values, got: %zu", tt_count(list(op, "kernel_size")));
    SAY(tt_count(list(op, "stride")) == 2, "Stride attribute must have two values, got: %zu",
        tt_count(list(op, "stride")));
    SAY(all_at_least(list(op, "stride"), 1),
        "Stride attribute values must be greater than 0, got: (%s)", show(op, list(op, "stride")));
    SAY(n == 2 || n == 4, "Padding attribute must have two or four values, got: %zu", n);
    SAY(all_at_least(list(op, "padding"), 0),
        "Padding attribute values must be greater than or equal to 0, got: (%s)",
        show(op, list(op, "padding")));
    SAY(tt_count(list(op, "dilation")) == 2, "Dilation attribute must have two values, got: %zu",
        tt_count(list(op, "dilation")));
    SAY(all_at_least(list(op, "dilation"), 1),
        "Dilation attribute values must be greater than 0, got: (%s)",
        show(op, list(op, "dilation")));
    return true;
}

bool verify_ttnn_prepare_bias(tsr_op *op)
{
    const tsr_type *b = IN(op, 0);
    TSR_TRY(tt_encoded(op));
    SAY(b->n == 4, "Weight must be a 4D tensor");
    SAY(b->dims[3] == num(op, "out_channels"),
        "Expected output channels attribute (%lld) to match the number of output channels in the "
        "bias tensor (%lld)",
        LL(num(op, "out_channels")), LL(b->dims[3]));
    return counts(op);
}

/* ---- conv2d ---- */

/* Weights that were prepared by an op, or that came from a cache, have another shape. */
static bool is_prepared(const tsr_op *op)
{
    const tsr_value *w = op->in[1].value;
    const tsr_type *t = w->type;
    if (t->dims[0] == 1 && t->dims[1] == 1)
        return true;
    if (w->is_arg) /* in a trace: its caller has them */
        return tsr_attr_is(tsr_op_attr(w->block->region->op, TSR_STR("tt.function_type")),
                           TSR_ATTR_STRING);
    return tsr_op_is(w->op, TSR_OP_TTNN_PREPARE_CONV2D_WEIGHTS) ||
           tsr_op_is(w->op, TSR_OP_TTCORE_LOAD_CACHED);
}

static bool weight_fits(const tsr_op *op)
{
    const tsr_type *w = IN(op, 1);
    const tsr_attr *kernel = list(op, "kernel_size");
    int64_t in = num(op, "in_channels"), out = num(op, "out_channels"), groups = num(op, "groups");
    SAY(w->dims[0] == out,
        "Expected output channels attribute (%lld) to match the output channels in the weight "
        "tensor (%lld).",
        LL(out), LL(w->dims[0]));
    SAY(w->dims[1] == in / groups,
        "Expected input channels / groups attribute (%lld/%lld) = %lld to match the number of "
        "input channels per group in the weight tensor (%lld).",
        LL(in), LL(groups), LL(in / groups), LL(w->dims[1]));
    SAY(w->dims[2] == at(kernel, 0),
        "Expected kernel height attribute (%lld) to match the kernel height in the weight tensor "
        "(%lld).",
        LL(at(kernel, 0)), LL(w->dims[2]));
    SAY(w->dims[3] == at(kernel, 1),
        "Expected kernel width attribute (%lld) to match the kernel width in the weight tensor "
        "(%lld).",
        LL(at(kernel, 1)), LL(w->dims[3]));
    return true;
}

static bool channels_fit(const tsr_op *op)
{
    const tsr_type *bias = tt_in(op, 2);
    int64_t in = IN(op, 0)->dims[3], out = num(op, "out_channels"), groups = num(op, "groups"),
            per_group = num(op, "in_channels") / groups;
    SAY(in % groups == 0,
        "The number of input channels from the input tensor (%lld) is not divisible by the number "
        "of groups (%lld).",
        LL(in), LL(groups));
    SAY(out % groups == 0,
        "The number of output channels from the weight tensor (%lld) is not divisible by the "
        "number of groups (%lld).",
        LL(out), LL(groups));
    SAY(in / groups == per_group,
        "The number of input channels per group (%lld) must match the number of input channels in "
        "the weight tensor (%lld).",
        LL(in), LL(per_group));
    SAY(!bias || bias->dims[3] == out,
        "The number of output channels from the weight tensor (%lld) must match the number of "
        "output channels in the bias tensor (%lld).",
        LL(out), LL(bias->dims[3]));
    return true;
}

/* Sizes of the padded image, and of the dilated kernel. */
static void window(const tsr_op *op, int64_t padded[2], int64_t kernel[2])
{
    const tsr_attr *pad = list(op, "padding");
    const int64_t size[] = {num(op, "input_height"), num(op, "input_width")};
    for (size_t i = 0; i < 2; i++) {
        int64_t both = tt_count(pad) == 4 ? at(pad, 2 * i) + at(pad, 2 * i + 1) : 2 * at(pad, i);
        padded[i] = size[i] + both;
        kernel[i] = at(list(op, "dilation"), i) * (at(list(op, "kernel_size"), i) - 1) + 1;
    }
}

static bool result_fits(const tsr_op *op)
{
    int64_t padded[2], kernel[2], n = num(op, "batch_size");
    const tsr_attr *stride = list(op, "stride");
    window(op, padded, kernel);
    SAY(kernel[0] <= padded[0] && kernel[1] <= padded[1],
        "The effective kernel size (%lld, %lld) cannot be greater than the padded input size per "
        "channel (%lld, %lld).",
        LL(kernel[0]), LL(kernel[1]), LL(padded[0]), LL(padded[1]));
    int64_t h = (padded[0] - kernel[0]) / at(stride, 0) + 1,
            w = (padded[1] - kernel[1]) / at(stride, 1) + 1, flat = tt_times(n, tt_times(h, w));
    SAY(OUT(op)->dims[2] == flat,
        "The output tensor's flattened dimension (%lld) does not match the product of batch_size * "
        "output_height * output_width (%lld * %lld * %lld = %lld).",
        LL(OUT(op)->dims[2]), LL(n), LL(h), LL(w), LL(flat));
    SAY(OUT(op)->dims[3] == num(op, "out_channels"),
        "The number of output channels from the output tensor (%lld) must match the number of "
        "output channels in the weight tensor (%lld). ",
        LL(OUT(op)->dims[3]), LL(num(op, "out_channels")));
    return true;
}

static bool ranks_4(const tsr_op *op)
{
    const tsr_type *bias = tt_in(op, 2);
    SAY(IN(op, 0)->n == 4, "Input must be a 4D tensor");
    SAY(IN(op, 1)->n == 4, "Weight must be a 4D tensor");
    SAY(!bias || bias->n == 4, "Bias must be a 4D tensor");
    SAY(OUT(op)->n == 4, "Output must be a 4D tensor");
    SAY(num(op, "groups") > 0, "groups must be a positive integer");
    return true;
}

bool verify_ttnn_conv2d(tsr_op *op)
{
    int64_t n = num(op, "batch_size"), h = num(op, "input_height"), w = num(op, "input_width"),
            flat = tt_times(n, tt_times(h, w));
    TSR_TRY(tt_encoded(op) && ranks_4(op) && counts(op));
    if (!is_prepared(op))
        TSR_TRY(weight_fits(op));
    SAY(IN(op, 0)->dims[2] == flat,
        "The input tensor's flattened dimension (%lld) does not match the product of "
        "batch_size_attr * input_height_attr * input_width_attr (%lld * %lld * %lld = %lld).",
        LL(IN(op, 0)->dims[2]), LL(n), LL(h), LL(w), LL(flat));
    return channels_fit(op) && result_fits(op);
}

bool verify_ttnn_conv_transpose2d(tsr_op *op)
{
    return tt_encoded(op) && ranks_4(op) && counts(op);
}

bool verify_ttnn_conv1d(tsr_op *op)
{
    const tsr_type *bias = tt_in(op, 2);
    int64_t groups = num(op, "groups");
    TSR_TRY(tt_encoded(op));
    SAY(IN(op, 0)->n == 3, "input must be a 3D tensor (N, L_in, C)");
    SAY(IN(op, 1)->n == 3, "weight must be a 3D tensor (O, C/G, K)");
    SAY(!bias || bias->n == 4, "bias must be a 4D tensor (1, 1, 1, O)");
    SAY(OUT(op)->n == 4, "output must be a 4D tensor (1, 1, N * L_out, O)");
    SAY(tt_count(list(op, "padding")) == 2,
        "padding attribute must have exactly 2 elements ([pL, pR])");
    SAY(groups > 0, "groups must be a positive integer");
    SAY(num(op, "in_channels") % groups == 0, "in_channels must be divisible by groups");
    SAY(num(op, "out_channels") % groups == 0, "out_channels must be divisible by groups");
    return true;
}

/* ---- conv3d ---- */

static bool conv3d_numbers(const tsr_op *op)
{
    static const struct {
        const char *name, *rule;
        int64_t least;
    } lists[] = {{"kernel_size", ">= 1", 1}, {"stride", "> 0", 1}, {"padding", ">= 0", 0}};
    for (size_t i = 0; i < TSR_COUNT(lists); i++) {
        const tsr_attr *a = list(op, lists[i].name);
        SAY(tt_count(a) == 3, "%s must have 3 values, got: %zu", lists[i].name, tt_count(a));
        SAY(all_at_least(a, lists[i].least), "%s values must be %s, got: (%s)", lists[i].name,
            lists[i].rule, show(op, a));
    }
    tsr_str mode = list(op, "padding_mode")->s;
    SAY(tsr_str_is(mode, "zeros") || tsr_str_is(mode, "replicate"),
        "padding_mode must be 'zeros' or 'replicate', got: %.*s", TSR_STR_ARG(mode));
    SAY(num(op, "groups") >= 1, "groups must be >= 1, got: %lld", LL(num(op, "groups")));
    return true;
}

static bool conv3d_weight(const tsr_op *op, int64_t out)
{
    const tsr_type *w = IN(op, 1), *bias = tt_in(op, 2);
    const tsr_attr *k = list(op, "kernel_size");
    int64_t in = num(op, "in_channels"), groups = num(op, "groups");
    SAY(in % groups == 0, "in_channels (%lld) must be divisible by groups (%lld)", LL(in),
        LL(groups));
    SAY(out % groups == 0, "out_channels (%lld) must be divisible by groups (%lld)", LL(out),
        LL(groups));
    int64_t flat = tt_times(in / groups, tt_times(at(k, 0), tt_times(at(k, 1), at(k, 2))));
    SAY(w->n == 5 || w->dims[0] == flat,
        "weight flattened dimension (%lld) must equal kD*kH*kW*C_in/groups (%lld)", LL(w->dims[0]),
        LL(flat));
    SAY(w->n == 2 || (w->dims[2] == at(k, 0) && w->dims[3] == at(k, 1) && w->dims[4] == at(k, 2)),
        "weight kernel dimensions (%lld, %lld, %lld) must match kernel_size (%s)", LL(w->dims[2]),
        LL(w->dims[3]), LL(w->dims[4]), show(op, k));
    SAY(!bias || bias->dims[1] == out,
        "bias output channels (%lld) must match weight output channels (%lld)", LL(bias->dims[1]),
        LL(out));
    SAY(!bias || bias->dims[0] == 1, "bias first dimension must be 1, got %lld", LL(bias->dims[0]));
    return true;
}

static bool conv3d_result(const tsr_op *op, int64_t out)
{
    static const char *const names[] = {"depth", "height", "width"};
    const int64_t sizes[] = {num(op, "input_depth"), num(op, "input_height"),
                             num(op, "input_width")};
    const int64_t *d = OUT(op)->dims;
    SAY(d[0] == num(op, "batch_size"),
        "output batch size (%lld) must match input batch size (%lld)", LL(d[0]),
        LL(num(op, "batch_size")));
    for (size_t i = 0; i < 3; i++) {
        int64_t want =
            (sizes[i] + 2 * at(list(op, "padding"), i) - at(list(op, "kernel_size"), i)) /
                at(list(op, "stride"), i) +
            1;
        SAY(d[i + 1] == want, "output %s (%lld) does not match calculated %s (%lld)", names[i],
            LL(d[i + 1]), names[i], LL(want));
    }
    SAY(d[4] == out, "output channels (%lld) must match weight output channels (%lld)", LL(d[4]),
        LL(out));
    return true;
}

bool verify_ttnn_conv3d(tsr_op *op)
{
    const tsr_type *w = IN(op, 1), *bias = tt_in(op, 2);
    TSR_TRY(tt_encoded(op));
    SAY(IN(op, 0)->n == 5, "input must be a 5D tensor [N, D, H, W, C]");
    SAY(w->n == 5 || w->n == 2, "weight must be either a 5D tensor [O, C/G, kD, kH, kW] (raw) or a "
                                "2D tensor [kD*kH*kW*C/G, O] (prepared)");
    SAY(!bias || bias->n == 2, "bias must be a 2D tensor [1, O]");
    SAY(OUT(op)->n == 5, "result must be a 5D tensor [N, D_out, H_out, W_out, O]");
    int64_t out = w->n == 5 ? w->dims[0] : num(op, "out_channels");
    return conv3d_numbers(op) && conv3d_weight(op, out) && conv3d_result(op, out);
}
