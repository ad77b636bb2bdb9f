/* verify_conv.c - convolution and dynamic_conv: dimension numbers, windows, groups and quantization.
 *
 * The two have the same attributes in different slots; dynamic_conv has its padding as an operand. */
#include "dialect/stablehlo/rules.h"

enum { LHS, RHS, PADDING };

/* Params of #stablehlo.conv: per side two single dimensions, then the spatial ones. */
enum {
    CONV_in_batch,
    CONV_in_feature,
    CONV_in_spatial,
    CONV_kernel_in,
    CONV_kernel_out,
    CONV_kernel_spatial,
    CONV_out_batch,
    CONV_out_feature,
    CONV_out_spatial
};

typedef struct {
    const tsr_op *op;
    const tsr_type *lhs, *rhs;
    tsr_attr *const *dims; /* CONV_* */
    int64_t feature_groups, batch_groups;
    const tsr_attr *precision;
    tsr_hlo_window window; /* sizes belong to the caller of window_sizes */
} conv;

#define CONV_OF(NAME)                                                                  \
    {                                                                                  \
        .op = op, .lhs = tsr_hlo_in(op, LHS), .rhs = tsr_hlo_in(op, RHS),              \
        .dims = tsr_attr_of(op, STABLEHLO_##NAME##_dimension_numbers)->attrs,          \
        .feature_groups = tsr_attr_of(op, STABLEHLO_##NAME##_feature_group_count)->i,  \
        .batch_groups = tsr_attr_of(op, STABLEHLO_##NAME##_batch_group_count)->i,      \
        .precision = tsr_attr_of(op, STABLEHLO_##NAME##_precision_config), .window = { \
            .strides = tsr_attr_of(op, STABLEHLO_##NAME##_window_strides),             \
            .base_dilations = tsr_attr_of(op, STABLEHLO_##NAME##_lhs_dilation),        \
            .window_dilations = tsr_attr_of(op, STABLEHLO_##NAME##_rhs_dilation),      \
            .reversal = tsr_attr_of(op, STABLEHLO_##NAME##_window_reversal),           \
        }                                                                              \
    }

static conv conv_of(const tsr_op *op)
{
    conv c;
    if (tsr_op_is(op, TSR_OP_STABLEHLO_DYNAMIC_CONV)) {
        c = (conv)CONV_OF(DYNAMIC_CONV);
    } else {
        c = (conv)CONV_OF(CONVOLUTION);
        c.window.padding = tsr_attr_of(op, STABLEHLO_CONVOLUTION_padding);
    }
    return c;
}

/* ---- Dimension numbers ---- */

/* The numbers of one side: two single ones, then the spatial ones. */
static tsr_attr *side_dims(const conv *c, int side)
{
    tsr_attr *const *p = c->dims + 3 * side;
    tsr_i64_vec all = {0};
    tsr_vec_push(&all, p[0]->i);
    tsr_vec_push(&all, p[1]->i);
    for (size_t i = 0; i < tsr_hlo_len(p[2]); i++)
        tsr_vec_push(&all, tsr_hlo_at(p[2], i));
    tsr_attr *list = tsr_attr_i64_array(c->op->module->ctx, all.data, all.n);
    tsr_vec_free(&all);
    return list;
}

static bool check_dimension_numbers(const conv *c)
{
    static const char *const sides[] = {"input", "kernel", "output"};
    tsr_ctx *ctx = c->op->module->ctx;
    size_t in = tsr_hlo_len(c->dims[CONV_in_spatial]),
           kernel = tsr_hlo_len(c->dims[CONV_kernel_spatial]);
    size_t out = tsr_hlo_len(c->dims[CONV_out_spatial]);
    if (in != kernel || in != out)
        return tsr_hlo_error(c->op,
                             "expects the same size for input, kernel and output "
                             "spatial-dimensions, but got %zu, %zu, "
                             "and %zu resp.",
                             in, kernel, out);
    for (int s = 0; s < 3; s++) {
        const tsr_attr *dims = side_dims(c, s);
        for (size_t i = 0; i < tsr_hlo_len(dims); i++)
            if (tsr_hlo_at(dims, i) < 0 || tsr_hlo_at(dims, i) >= c->lhs->n)
                return tsr_hlo_error(
                    c->op,
                    "expects input, kernel, and output dimension-numbers to be in-range [0, %u).",
                    c->lhs->n);
    }
    for (int s = 0; s < 3; s++) {
        const tsr_attr *dims = side_dims(c, s);
        if (!tsr_hlo_is_unique(dims))
            return tsr_hlo_error(c->op, "expects %s dimension-numbers to be unique, got {%s}.",
                                 sides[s], tsr_hlo_show_ints(ctx, dims));
    }
    return true;
}

/* ---- Groups ---- */

static bool check_input_groups(const conv *c)
{
    int64_t batch = c->lhs->dims[c->dims[CONV_in_batch]->i];
    int64_t features = c->lhs->dims[c->dims[CONV_in_feature]->i];
    int64_t kernel_features = c->rhs->dims[c->dims[CONV_kernel_in]->i];
    if (batch != TSR_DYNAMIC && batch % c->batch_groups != 0)
        return tsr_hlo_error(
            c->op,
            "expects input batch dimension (%lld) to be divisible by batch_group_count. Got "
            "batch_group_count = %lld.",
            (long long)batch, (long long)c->batch_groups);
    if (features == TSR_DYNAMIC)
        return true;
    if (features % c->feature_groups != 0)
        return tsr_hlo_error(
            c->op,
            "expects input feature dimension (%lld) to be a multiple of feature_group_count. Got "
            "feature_group_count = %lld.",
            (long long)features, (long long)c->feature_groups);
    if (kernel_features != TSR_DYNAMIC && features / c->feature_groups != kernel_features)
        return tsr_hlo_error(
            c->op,
            "expects input feature dimension (%lld) / feature_group_count = kernel input feature "
            "dimension (%lld). Got feature_group_count = %lld.",
            (long long)features, (long long)kernel_features, (long long)c->feature_groups);
    return true;
}

static bool check_groups(const conv *c)
{
    if (c->batch_groups > 1 && c->feature_groups > 1)
        return tsr_hlo_error(c->op,
                             "expects batch_group_count and feature_group_count not to be both "
                             "greater than 1. Got %lld "
                             "and %lld resp.",
                             (long long)c->batch_groups, (long long)c->feature_groups);
    TSR_TRY(check_input_groups(c));
    int64_t features = c->rhs->dims[c->dims[CONV_kernel_out]->i];
    if (features == TSR_DYNAMIC)
        return true;
    if (features % c->batch_groups != 0)
        return tsr_hlo_error(c->op,
                             "expects output feature dimension size (%lld) to be a multiple of "
                             "batch_group_count. Got "
                             "batch_group_count = %lld.",
                             (long long)features, (long long)c->batch_groups);
    if (features % c->feature_groups != 0)
        return tsr_hlo_error(c->op,
                             "expects kernel output feature dimension (%lld) to be divisible by "
                             "feature_group_count. For "
                             "feature_group_count = %lld.",
                             (long long)features, (long long)c->feature_groups);
    return true;
}

/* ---- Shapes ---- */

static bool check_operands(const conv *c)
{
    const char *flaw = c->lhs->n < 2            ? ">= 2 dimensions"
                       : c->lhs->n != c->rhs->n ? "same number of dimensions"
                                                : NULL;
    if (flaw)
        return tsr_hlo_error(c->op, "expects convolution arguments to have %s. Got: %s and %s.",
                             flaw, tsr_hlo_show_type(c->lhs), tsr_hlo_show_type(c->rhs));
    if (!tsr_hlo_is_quantized(c->lhs) && !tsr_hlo_is_quantized(c->rhs) &&
        !tsr_hlo_compatible_element(c->lhs, c->rhs))
        return tsr_hlo_error(c->op,
                             "expects lhs and rhs to have compatible element type. Got: %s and %s",
                             tsr_hlo_show_type(c->lhs->elem), tsr_hlo_show_type(c->rhs->elem));
    TSR_TRY(check_dimension_numbers(c));
    TSR_TRY(check_groups(c));
    TSR_TRY(tsr_hlo_verify_precision(c->op, c->precision));
    size_t want = tsr_hlo_len(c->dims[CONV_in_spatial]) + 2;
    if (c->lhs->n != want)
        return tsr_hlo_error(c->op, "expects convolution arguments to have %zu dimensions. Got: %u",
                             want, c->lhs->n);
    return true;
}

static void window_sizes(conv *c, tsr_i64_vec *sizes)
{
    const tsr_attr *spatial = c->dims[CONV_kernel_spatial];
    for (size_t i = 0; i < tsr_hlo_len(spatial); i++)
        tsr_vec_push(sizes, c->rhs->dims[tsr_hlo_at(spatial, i)]);
    c->window.sizes = sizes->data;
    c->window.n = sizes->n;
}

/* The result; spatial dimensions are known when the window is. */
static tsr_type *result_type(const conv *c, bool window_known)
{
    tsr_i64_vec dims = {0};
    int64_t batch = c->lhs->dims[c->dims[CONV_in_batch]->i];
    for (uint32_t i = 0; i < c->lhs->n; i++)
        tsr_vec_push(&dims, TSR_DYNAMIC);
    for (size_t i = 0; window_known && i < c->window.n; i++)
        dims.data[tsr_hlo_at(c->dims[CONV_out_spatial], i)] = tsr_hlo_window_places(
            &c->window, i, c->lhs->dims[tsr_hlo_at(c->dims[CONV_in_spatial], i)]);
    dims.data[c->dims[CONV_out_batch]->i] =
        batch == TSR_DYNAMIC ? TSR_DYNAMIC : batch / c->batch_groups;
    dims.data[c->dims[CONV_out_feature]->i] = c->rhs->dims[c->dims[CONV_kernel_out]->i];
    tsr_type *t =
        tsr_type_tensor(c->op->module->ctx, dims.data, dims.n, tsr_hlo_result_element(c->op), NULL);
    tsr_vec_free(&dims);
    return t;
}

bool infer_stablehlo_convolution(const tsr_op *op, tsr_type_vec *out)
{
    conv c = conv_of(op);
    tsr_i64_vec sizes = {0};
    TSR_TRY(check_operands(&c));
    window_sizes(&c, &sizes);
    bool ok = tsr_hlo_verify_padding(op, c.window.padding) && tsr_hlo_verify_window(op, &c.window);
    if (ok)
        tsr_vec_push(out, result_type(&c, true));
    tsr_vec_free(&sizes);
    return ok;
}

static bool check_padding_operand(const conv *c)
{
    const tsr_type *t = tsr_hlo_in(c->op, PADDING);
    if (t->n != 2)
        return tsr_hlo_error(c->op, "expects padding to be of rank 2 but got %u", t->n);
    if (t->dims[0] != (int64_t)c->lhs->n - 2 || t->dims[1] != 2)
        return tsr_hlo_error(c->op, "expects padding to be of shape [%u, 2], but got [%lld, %lld]",
                             c->lhs->n - 2, (long long)t->dims[0], (long long)t->dims[1]);
    return true;
}

bool infer_stablehlo_dynamic_conv(const tsr_op *op, tsr_type_vec *out)
{
    conv c = conv_of(op);
    tsr_i64_vec sizes = {0}, pads = {0};
    TSR_TRY(check_operands(&c));
    TSR_TRY(check_padding_operand(&c));
    bool known = tsr_hlo_const_ints(op->in[PADDING].value, &pads), ok = true;
    if (known) {
        window_sizes(&c, &sizes);
        c.window.pads = pads.data;
        known = pads.n == 2 * sizes.n;
        ok = tsr_hlo_verify_window(op, &c.window);
    }
    if (ok)
        tsr_vec_push(out, result_type(&c, known));
    tsr_vec_free(&sizes);
    tsr_vec_free(&pads);
    return ok;
}

/* ---- Rules ---- */

static bool check_quantization(const tsr_op *op)
{
    conv c = conv_of(op);
    const tsr_type *result = op->out[0].type;
    if (tsr_hlo_is_per_axis(c.rhs) && tsr_hlo_quantized_dim(c.rhs) != c.dims[CONV_kernel_out]->i)
        return tsr_hlo_error(
            op,
            "quantization dimension of rhs should be same with kernel_output_feature_dimension");
    if (tsr_hlo_is_per_axis(result) && tsr_hlo_quantized_dim(result) != c.dims[CONV_out_feature]->i)
        return tsr_hlo_error(
            op, "quantization dimension of result should be same with output_feature_dimension");
    return tsr_hlo_verify_product_quantization(op, c.lhs, c.rhs, result);
}

bool verify_stablehlo_convolution(tsr_op *op)
{
    tsr_type_vec types = {0};
    bool ok =
        infer_stablehlo_convolution(op, &types) && tsr_hlo_verify_inferred_shape(op, types.data[0]);
    tsr_vec_free(&types);
    return ok && (!tsr_hlo_any_quantized(op) || check_quantization(op));
}

bool verify_stablehlo_dynamic_conv(tsr_op *op)
{
    tsr_type_vec types = {0};
    bool ok = infer_stablehlo_dynamic_conv(op, &types);
    tsr_vec_free(&types);
    return ok && (!tsr_hlo_any_quantized(op) || check_quantization(op));
}
