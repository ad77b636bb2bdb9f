/* SPDX-License-Identifier: Apache-2.0 */
/* vjp_conv.c - convolution is linear in the input and in the kernel; its transposes are also convolutions.
 *
 * For the input: the cotangent, dilated by the strides, with the kernel reversed and its feature dimensions swapped.
 * For the kernel: the input with the cotangent as kernel, where batch and feature dimensions are exchanged. Groups of
 * one kind become groups of the other where a dimension changes its role. */
#include "pass/grad/grad.h"

typedef struct {
    int64_t stride, low, high, dilate, kernel_dilate; /* of one spatial dimension */
} window;

typedef TSR_VEC(window) window_vec;

/* ---- Reading and making ---- */

static void read_windows(const tsr_conv *d, window_vec *out)
{
    for (uint32_t i = 0; i < d->in_spatial.n; i++) {
        window w = {.stride = tsr_window_stride(&d->window, i),
                    .low = tsr_window_low(&d->window, i),
                    .high = tsr_window_high(&d->window, i),
                    .dilate = tsr_window_base_dilation(&d->window, i),
                    .kernel_dilate = tsr_window_dilation(&d->window, i)};
        tsr_vec_push(out, w);
    }
}

static int64_t dilated(int64_t n, int64_t by)
{
    return n ? (n - 1) * by + 1 : 0;
}

/* dense<[[low, high], ...]> */
static tsr_attr *padding_attr(tsr_build *b, const window_vec *w)
{
    int64_t dims[] = {(int64_t)w->n, 2};
    tsr_i64_vec values = {0};
    bool same = true;
    for (size_t i = 0; i < w->n; i++) {
        tsr_vec_push(&values, w->data[i].low);
        tsr_vec_push(&values, w->data[i].high);
    }
    for (size_t i = 1; i < values.n; i++)
        same &= values.data[i] == values.data[0];
    tsr_type *type = tsr_static_type(b->ctx, dims, 2, b->ctx->i64);
    bool splat = same && values.n;
    tsr_attr *a = tsr_attr_dense(b->ctx, b->module, type, values.data,
                                 (splat ? 1 : values.n) * sizeof(int64_t), splat);
    tsr_vec_free(&values);
    return a;
}

static tsr_attr *strides_attr(tsr_build *b, const window_vec *w, size_t offset)
{
    tsr_i64_vec values = {0};
    for (size_t i = 0; i < w->n; i++) {
        int64_t v;
        memcpy(&v, (const char *)&w->data[i] + offset, sizeof v);
        tsr_vec_push(&values, v);
    }
    tsr_attr *a = tsr_grad_list(b, values.data, values.n);
    tsr_vec_free(&values);
    return a;
}

static tsr_value *convolve(tsr_build *b, tsr_op *like, tsr_value *x, tsr_value *k,
                           const window_vec *w, const tsr_conv *d, const tsr_type *type)
{
    tsr_value *in[] = {x, k};
    tsr_op *op = tsr_build_open(b, TSR_OP_STABLEHLO_CONVOLUTION, in, 2, 1, 0);
    op->attrs[STABLEHLO_CONVOLUTION_window_strides] = strides_attr(b, w, offsetof(window, stride));
    op->attrs[STABLEHLO_CONVOLUTION_padding] = padding_attr(b, w);
    op->attrs[STABLEHLO_CONVOLUTION_lhs_dilation] = strides_attr(b, w, offsetof(window, dilate));
    op->attrs[STABLEHLO_CONVOLUTION_rhs_dilation] =
        strides_attr(b, w, offsetof(window, kernel_dilate));
    op->attrs[STABLEHLO_CONVOLUTION_dimension_numbers] = tsr_conv_attr(b->ctx, d);
    op->attrs[STABLEHLO_CONVOLUTION_feature_group_count] = tsr_attr_i64(b->ctx, d->feature_groups);
    op->attrs[STABLEHLO_CONVOLUTION_batch_group_count] = tsr_attr_i64(b->ctx, d->batch_groups);
    op->attrs[STABLEHLO_CONVOLUTION_precision_config] =
        tsr_attr_of(like, STABLEHLO_CONVOLUTION_precision_config);
    tsr_type *result = tsr_hlo_with_element(type, tsr_elem(x));
    return &tsr_build_close_as(b, op, &result)->out[0];
}

/* ---- Groups ---- */

/* Splits dimension from into (groups, rest) and merges groups, as the major part, into dimension to. */
static tsr_value *move_groups(tsr_build *b, tsr_value *v, int64_t from, int64_t to, int64_t groups)
{
    tsr_i64_vec dims = {0}, perm = {0}, merged = {0};
    int64_t split = -1;
    for (int64_t i = 0; i < v->type->n; i++) {
        if (i == from) {
            split = (int64_t)dims.n;
            tsr_vec_push(&dims, groups);
            tsr_vec_push(&dims, v->type->dims[i] / groups);
        } else {
            tsr_vec_push(&dims, v->type->dims[i]);
        }
    }
    tsr_value *out =
        tsr_build_reshape(b, v, tsr_static_type(b->ctx, dims.data, dims.n, tsr_elem(v)));
    int64_t target = to > from ? to + 1 : to;
    for (int64_t i = 0; i < (int64_t)dims.n; i++) {
        if (i == target)
            tsr_vec_push(&perm, split);
        if (i != split)
            tsr_vec_push(&perm, i);
    }
    out = tsr_grad_transpose(b, out, perm.data);
    for (int64_t i = 0; i < v->type->n; i++)
        tsr_vec_push(&merged, i == from ? v->type->dims[i] / groups
                              : i == to ? v->type->dims[i] * groups
                                        : v->type->dims[i]);
    out = tsr_build_reshape(b, out, tsr_static_type(b->ctx, merged.data, merged.n, tsr_elem(v)));
    tsr_vec_free(&dims);
    tsr_vec_free(&perm);
    tsr_vec_free(&merged);
    return out;
}

static tsr_value *reversed(tsr_build *b, tsr_value *v, tsr_ints dims)
{
    if (!dims.n)
        return v;
    tsr_op *op = tsr_build_open(b, TSR_OP_STABLEHLO_REVERSE, &v, 1, 1, 0);
    op->attrs[STABLEHLO_REVERSE_dimensions] = tsr_ints_attr(b->ctx, dims);
    return &tsr_build_close(b, op)->out[0];
}

/* The shape of v with a different size of dimension d. */
static tsr_type *resized(tsr_build *b, const tsr_type *t, int64_t d0, int64_t n0, int64_t d1,
                         int64_t n1)
{
    tsr_i64_vec dims = {0};
    for (int64_t i = 0; i < t->n; i++)
        tsr_vec_push(&dims, i == d0 ? n0 : i == d1 ? n1 : t->dims[i]);
    tsr_type *out = tsr_static_type(b->ctx, dims.data, dims.n, t->elem);
    tsr_vec_free(&dims);
    return out;
}

/* ---- Transposes ---- */

/* Sizes along a dimension with what lies between elements: of input and kernel as they are dilated, of the result in steps of the input. */
typedef struct {
    int64_t in, kernel, out;
} extents;

static extents extents_of(const tsr_conv *d, size_t i, const window *w, const tsr_value *x,
                          const tsr_value *k, const tsr_value *ct)
{
    return (extents){
        .in = dilated(x->type->dims[tsr_ints_at(d->in_spatial, i)], w->dilate),
        .kernel = dilated(k->type->dims[tsr_ints_at(d->kernel_spatial, i)], w->kernel_dilate),
        .out = dilated(ct->type->dims[tsr_ints_at(d->out_spatial, i)], w->stride)};
}

static tsr_value *input_cotangent(tsr_build *b, tsr_op *op, tsr_value *ct, const tsr_conv *d)
{
    tsr_value *x = tsr_grad_in(op, 0), *k = tsr_grad_in(op, 1);
    int64_t batches = d->batch_groups, groups = d->feature_groups > 1 ? d->feature_groups : batches;
    window_vec w = {0};
    read_windows(d, &w);
    for (size_t i = 0; i < w.n; i++) {
        window *p = &w.data[i];
        extents e = extents_of(d, i, p, x, k, ct);
        int64_t low = e.kernel - p->low - 1;
        *p = (window){.stride = p->dilate,
                      .low = low,
                      .high = e.in + e.kernel - 1 - e.out - low,
                      .dilate = p->stride,
                      .kernel_dilate = p->kernel_dilate};
    }
    if (groups > 1)
        k = move_groups(b, k, d->kernel_out, d->kernel_in, groups);
    tsr_conv back = {.in_batch = d->out_batch,
                     .in_feature = d->out_feature,
                     .in_spatial = d->out_spatial,
                     .kernel_in = d->kernel_out,
                     .kernel_out = d->kernel_in,
                     .kernel_spatial = d->kernel_spatial,
                     .out_batch = d->in_batch,
                     .out_feature = d->in_feature,
                     .out_spatial = d->in_spatial,
                     .feature_groups = groups,
                     .batch_groups = 1};
    const tsr_type *type = x->type;
    int64_t batch = d->in_batch, feature = d->in_feature;
    if (batches > 1) /* comes out with the groups among the features */
        type = resized(b, type, batch, type->dims[batch] / batches, feature,
                       type->dims[feature] * batches);
    tsr_value *out = convolve(b, op, ct, reversed(b, k, d->kernel_spatial), &w, &back, type);
    if (batches > 1)
        out = move_groups(b, out, feature, batch, batches);
    tsr_vec_free(&w);
    return out;
}

static tsr_value *kernel_cotangent(tsr_build *b, tsr_op *op, tsr_value *ct, const tsr_conv *d)
{
    tsr_value *x = tsr_grad_in(op, 0), *k = tsr_grad_in(op, 1);
    window_vec w = {0};
    read_windows(d, &w);
    for (size_t i = 0; i < w.n; i++) {
        window *p = &w.data[i];
        extents e = extents_of(d, i, p, x, k, ct);
        *p = (window){.stride = p->kernel_dilate,
                      .low = p->low,
                      .high = e.out - e.in + e.kernel - p->low - 1,
                      .dilate = p->dilate,
                      .kernel_dilate = p->stride};
    }
    tsr_conv back = {.in_batch = d->in_feature,
                     .in_feature = d->in_batch,
                     .in_spatial = d->in_spatial,
                     .kernel_in = d->out_batch,
                     .kernel_out = d->out_feature,
                     .kernel_spatial = d->out_spatial,
                     .out_batch = d->kernel_in,
                     .out_feature = d->kernel_out,
                     .out_spatial = d->kernel_spatial,
                     .feature_groups = d->batch_groups,
                     .batch_groups = d->feature_groups};
    tsr_value *out = convolve(b, op, x, ct, &w, &back, k->type);
    tsr_vec_free(&w);
    return out;
}

bool vjp_convolution(tsr_grad *g, tsr_op *op, tsr_value *const *ct)
{
    tsr_value *x = tsr_grad_in(op, 0), *k = tsr_grad_in(op, 1), *c = ct[0];
    tsr_conv d;
    tsr_conv_of(op, &d);
    if (!tsr_type_has_static_shape(x->type) || !tsr_type_has_static_shape(k->type) ||
        !tsr_type_has_static_shape(c->type))
        return tsr_grad_none(op, "sizes are not known");
    if (!tsr_type_num_elements(c->type))
        return true;
    c = tsr_build_convert(&g->b, c, tsr_elem(x));
    if (tsr_grad_varied(g, x))
        tsr_grad_add(g, x, input_cotangent(&g->b, op, c, &d));
    if (tsr_grad_varied(g, k))
        tsr_grad_add(g, k,
                     tsr_build_convert(&g->b, kernel_cotangent(&g->b, op, c, &d), tsr_elem(k)));
    return true;
}

/* Reversed windows: the kernel is reversed instead. */
tsr_unfolded unfold_convolution(tsr_grad *g, tsr_op *op, tsr_build *b, tsr_value **out)
{
    (void)g;
    tsr_conv d;
    tsr_i64_vec dims = {0};
    tsr_conv_of(op, &d);
    for (uint32_t i = 0; i < d.window.reversal.n; i++)
        if (tsr_ints_at(d.window.reversal, i))
            tsr_vec_push(&dims, tsr_ints_at(d.kernel_spatial, i));
    if (!dims.n)
        return TSR_UNFOLD_KEEP;
    tsr_value *in[] = {tsr_grad_in(op, 0),
                       reversed(b, tsr_grad_in(op, 1), tsr_ints_over(dims.data, dims.n))};
    tsr_vec_free(&dims);
    tsr_op *again = tsr_grad_again(b, op, in, NULL);
    again->attrs[STABLEHLO_CONVOLUTION_window_reversal] = NULL;
    tsr_op_insert(again, b->block, b->at);
    out[0] = &again->out[0];
    return TSR_UNFOLD_DONE;
}
