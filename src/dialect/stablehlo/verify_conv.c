/* SPDX-License-Identifier: Apache-2.0 */
/* verify_conv.c - convolution and dynamic_conv: dimension numbers, windows, groups and quantization.
 *
 * Both have the same attributes in different slots; dynamic_conv has its padding as an operand. */
#include "dialect/hooks.h"
#include "dialect/stablehlo/rules.h"

enum { LHS, RHS, PADDING };

typedef struct {
    const tsr_op *op;
    const tsr_type *lhs, *rhs;
    const tsr_attr *precision;
    tsr_conv d; /* window sizes belong to the caller of window_sizes */
} conv;

static conv conv_of(const tsr_op *op)
{
    bool dynamic = tsr_op_is(op, TSR_OP_STABLEHLO_DYNAMIC_CONV);
    conv c = {.op = op, .lhs = tsr_hlo_in(op, LHS), .rhs = tsr_hlo_in(op, RHS)};
    c.precision = tsr_attr_of(op, dynamic ? (int)STABLEHLO_DYNAMIC_CONV_precision_config
                                          : (int)STABLEHLO_CONVOLUTION_precision_config);
    tsr_conv_of(op, &c.d);
    return c;
}

/* ---- Dimension numbers ---- */

/* The numbers of one side: two single dimensions, then the spatial ones. */
static tsr_attr *side_dims(const conv *c, int64_t first, int64_t second, tsr_ints spatial)
{
    tsr_i64_vec all = {0};
    tsr_vec_push(&all, first);
    tsr_vec_push(&all, second);
    for (uint32_t i = 0; i < spatial.n; i++)
        tsr_vec_push(&all, tsr_ints_at(spatial, i));
    tsr_attr *list = tsr_attr_i64_array(c->op->module->ctx, all.data, all.n);
    tsr_vec_free(&all);
    return list;
}

static bool check_dimension_numbers(const conv *c)
{
    static const char *const names[] = {"input", "kernel", "output"};
    const tsr_conv *d = &c->d;
    if (d->in_spatial.n != d->kernel_spatial.n || d->in_spatial.n != d->out_spatial.n)
        return tsr_hlo_error(c->op,
                             "expects the same size for input, kernel and output "
                             "spatial-dimensions, but got %u, %u, "
                             "and %u resp.",
                             d->in_spatial.n, d->kernel_spatial.n, d->out_spatial.n);
    const tsr_attr *sides[] = {side_dims(c, d->in_batch, d->in_feature, d->in_spatial),
                               side_dims(c, d->kernel_in, d->kernel_out, d->kernel_spatial),
                               side_dims(c, d->out_batch, d->out_feature, d->out_spatial)};
    for (int s = 0; s < 3; s++)
        for (size_t i = 0; i < tsr_hlo_len(sides[s]); i++)
            if (tsr_hlo_at(sides[s], i) < 0 || tsr_hlo_at(sides[s], i) >= c->lhs->n)
                return tsr_hlo_error(
                    c->op,
                    "expects input, kernel, and output dimension-numbers to be in-range [0, %u).",
                    c->lhs->n);
    for (int s = 0; s < 3; s++)
        if (!tsr_hlo_is_unique(sides[s]))
            return tsr_hlo_error(c->op, "expects %s dimension-numbers to be unique, got {%s}.",
                                 names[s], tsr_hlo_show_ints(c->op->module->ctx, sides[s]));
    return true;
}

/* ---- Groups ---- */

static bool check_input_groups(const conv *c)
{
    int64_t batch = c->lhs->dims[c->d.in_batch];
    int64_t features = c->lhs->dims[c->d.in_feature];
    int64_t kernel_features = c->rhs->dims[c->d.kernel_in];
    if (batch != TSR_DYNAMIC && batch % c->d.batch_groups != 0)
        return tsr_hlo_error(
            c->op,
            "expects input batch dimension (%lld) to be divisible by batch_group_count. Got "
            "batch_group_count = %lld.",
            (long long)batch, (long long)c->d.batch_groups);
    if (features == TSR_DYNAMIC)
        return true;
    if (features % c->d.feature_groups != 0)
        return tsr_hlo_error(
            c->op,
            "expects input feature dimension (%lld) to be a multiple of feature_group_count. Got "
            "feature_group_count = %lld.",
            (long long)features, (long long)c->d.feature_groups);
    if (kernel_features != TSR_DYNAMIC && features / c->d.feature_groups != kernel_features)
        return tsr_hlo_error(
            c->op,
            "expects input feature dimension (%lld) / feature_group_count = kernel input feature "
            "dimension (%lld). Got feature_group_count = %lld.",
            (long long)features, (long long)kernel_features, (long long)c->d.feature_groups);
    return true;
}

static bool check_groups(const conv *c)
{
    if (c->d.batch_groups > 1 && c->d.feature_groups > 1)
        return tsr_hlo_error(c->op,
                             "expects batch_group_count and feature_group_count not to be both "
                             "greater than 1. Got %lld "
                             "and %lld resp.",
                             (long long)c->d.batch_groups, (long long)c->d.feature_groups);
    TSR_TRY(check_input_groups(c));
    int64_t features = c->rhs->dims[c->d.kernel_out];
    if (features == TSR_DYNAMIC)
        return true;
    if (features % c->d.batch_groups != 0)
        return tsr_hlo_error(c->op,
                             "expects output feature dimension size (%lld) to be a multiple of "
                             "batch_group_count. Got "
                             "batch_group_count = %lld.",
                             (long long)features, (long long)c->d.batch_groups);
    if (features % c->d.feature_groups != 0)
        return tsr_hlo_error(c->op,
                             "expects kernel output feature dimension (%lld) to be divisible by "
                             "feature_group_count. For "
                             "feature_group_count = %lld.",
                             (long long)features, (long long)c->d.feature_groups);
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
    size_t want = c->d.in_spatial.n + 2;
    if (c->lhs->n != want)
        return tsr_hlo_error(c->op, "expects convolution arguments to have %zu dimensions. Got: %u",
                             want, c->lhs->n);
    return true;
}

static void window_sizes(conv *c, tsr_i64_vec *sizes)
{
    for (uint32_t i = 0; i < c->d.kernel_spatial.n; i++)
        tsr_vec_push(sizes, c->rhs->dims[tsr_ints_at(c->d.kernel_spatial, i)]);
    c->d.window.sizes = tsr_ints_over(sizes->data, sizes->n);
}

/* The result type; spatial dimensions are known if the window is. */
static tsr_type *result_type(const conv *c, bool window_known)
{
    tsr_i64_vec dims = {0};
    int64_t batch = c->lhs->dims[c->d.in_batch];
    for (uint32_t i = 0; i < c->lhs->n; i++)
        tsr_vec_push(&dims, TSR_DYNAMIC);
    for (uint32_t i = 0; window_known && i < c->d.window.sizes.n; i++)
        dims.data[tsr_ints_at(c->d.out_spatial, i)] =
            tsr_hlo_window_places(&c->d.window, i, c->lhs->dims[tsr_ints_at(c->d.in_spatial, i)]);
    dims.data[c->d.out_batch] = batch == TSR_DYNAMIC ? TSR_DYNAMIC : batch / c->d.batch_groups;
    dims.data[c->d.out_feature] = c->rhs->dims[c->d.kernel_out];
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
    bool ok =
        tsr_hlo_verify_padding(op, c.d.window.low.attr) && tsr_hlo_verify_window(op, &c.d.window);
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
        tsr_window_set_padding(&c.d.window, tsr_ints_over(pads.data, pads.n));
        known = pads.n == 2 * sizes.n;
        ok = tsr_hlo_verify_window(op, &c.d.window);
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
    if (tsr_hlo_is_per_axis(c.rhs) && tsr_hlo_quantized_dim(c.rhs) != c.d.kernel_out)
        return tsr_hlo_error(
            op,
            "quantization dimension of rhs should be same with kernel_output_feature_dimension");
    if (tsr_hlo_is_per_axis(result) && tsr_hlo_quantized_dim(result) != c.d.out_feature)
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
