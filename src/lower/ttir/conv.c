/* SPDX-License-Identifier: Apache-2.0 */
/* conv.c - lowers stablehlo.convolution to TTIR: 1-d, 2-d and 3-d.
 *
 * Forms that TTIR's ops do not support are expressed around them: groups of batches are convolved one by one, reversed
 * windows reverse the kernel, negative padding crops, and input dilation becomes interior padding (unless the
 * convolution is a transposed one). */
#include "lower/ttir/ttir.h"

enum { SPACE = 3 };     /* maximum number of spatial dimensions */
enum { GROUPS = 1024 }; /* maximum number of convolutions from one */

/* The positions of batch (for kernels: output features), features (input features) and spatial dimensions. */
typedef struct {
    int64_t outer, inner, space[SPACE];
} layout;

typedef struct {
    size_t n; /* number of spatial dimensions */
    layout in, kernel, out;
    int64_t stride[SPACE], low[SPACE], high[SPACE], apart[SPACE],
        holes[SPACE]; /* apart: input dilation; holes: kernel dilation */
    int64_t groups, batch_groups;
    int64_t backward[SPACE]; /* reversed dimensions of the kernel */
    size_t nbackward;
    tsr_value *x, *w;
    tsr_type *type; /* of the result */
} conv;

static bool has(const int64_t *v, size_t n, int64_t other)
{
    for (size_t i = 0; i < n; i++)
        if (v[i] != other)
            return true;
    return false;
}

static bool conv_of(const tsr_op *op, conv *c)
{
    tsr_conv d;
    tsr_conv_of(op, &d);
    c->n = d.in_spatial.n;
    if (c->n < 1 || c->n > SPACE)
        return false;
    c->in = (layout){.outer = d.in_batch, .inner = d.in_feature};
    c->kernel = (layout){.outer = d.kernel_out, .inner = d.kernel_in};
    c->out = (layout){.outer = d.out_batch, .inner = d.out_feature};
    tsr_ints_copy(d.in_spatial, c->in.space, SPACE);
    tsr_ints_copy(d.kernel_spatial, c->kernel.space, SPACE);
    tsr_ints_copy(d.out_spatial, c->out.space, SPACE);
    for (size_t i = 0; i < c->n; i++) {
        c->stride[i] = tsr_window_stride(&d.window, i);
        c->apart[i] = tsr_window_base_dilation(&d.window, i);
        c->holes[i] = tsr_window_dilation(&d.window, i);
        c->low[i] = tsr_window_low(&d.window, i);
        c->high[i] = tsr_window_high(&d.window, i);
        if (tsr_ints_or(d.window.reversal, i, 0))
            c->backward[c->nbackward++] = c->kernel.space[i];
    }
    c->groups = d.feature_groups;
    c->batch_groups = d.batch_groups;
    c->x = op->in[0].value;
    c->w = op->in[1].value;
    c->type = op->out[0].type;
    return true;
}

/* The permutation from one layout to another. */
static void order_of(const layout *from, const layout *to, size_t n, int64_t *order)
{
    order[to->outer] = from->outer;
    order[to->inner] = from->inner;
    for (size_t i = 0; i < n; i++)
        order[to->space[i]] = from->space[i];
}

static tsr_value *laid_out(tsr_build *b, tsr_value *v, const layout *from, const layout *to,
                           size_t n)
{
    int64_t order[SPACE + 2];
    order_of(from, to, n, order);
    return tsr_ttir_permute(b, v, order);
}

static const layout batch_first = {0, 1, {2, 3, 4}}; /* for kernels: outputs, inputs, space */

/* Pads v with zeros between and around elements of its spatial dimensions. */
static tsr_value *widened(tsr_build *b, tsr_value *v, const layout *at, size_t n,
                          const int64_t *apart, const int64_t *low, const int64_t *high)
{
    int64_t pads[3][SPACE + 2] = {{0}};
    size_t rank = v->type->n;
    for (size_t i = 0; i < n; i++) {
        pads[0][at->space[i]] = low ? low[i] : 0;
        pads[1][at->space[i]] = high ? high[i] : 0;
        pads[2][at->space[i]] = apart ? apart[i] - 1 : 0;
    }
    tsr_value *in[] = {v, tsr_ttir_splat(b, tsr_scalar_type(v->type->elem), 0)};
    tsr_op *op = tsr_build_open(b, TSR_OP_STABLEHLO_PAD, in, 2, 1, 0);
    op->attrs[STABLEHLO_PAD_edge_padding_low] = tsr_attr_i64_array(b->ctx, pads[0], rank);
    op->attrs[STABLEHLO_PAD_edge_padding_high] = tsr_attr_i64_array(b->ctx, pads[1], rank);
    op->attrs[STABLEHLO_PAD_interior_padding] = tsr_attr_i64_array(b->ctx, pads[2], rank);
    return &tsr_build_close(b, op)->out[0];
}

/* ---- Lines ---- */

/* A 2-d convolution whose input and kernel have size one in a dimension is 1-d: returns that dimension, or -1. */
static int needless(const conv *c)
{
    int found = -1, n = 0;
    for (int i = 0; i < 2; i++) {
        bool flat = c->x->type->dims[c->in.space[i]] == 1 &&
                    c->w->type->dims[c->kernel.space[i]] == 1 &&
                    c->type->dims[c->out.space[i]] == 1 && !c->low[i] && !c->high[i];
        found = flat && found < 0 ? i : found;
        n += flat;
    }
    return n == 1 ? found : -1;
}

static tsr_value *conv1d(tsr_build *b, const conv *c, size_t gone)
{
    size_t real = 1 - gone;
    /* batch, line, features, the removed one; for kernels outputs, inputs, line, and it */
    layout line = {.outer = 0, .inner = 2}, kernel = {.outer = 0, .inner = 1};
    line.space[real] = 1;
    line.space[gone] = 3;
    kernel.space[real] = 2;
    kernel.space[gone] = 3;
    tsr_value *in[] = {laid_out(b, c->x, &c->in, &line, 2),
                       laid_out(b, c->w, &c->kernel, &kernel, 2)};
    in[0] = tsr_ttir_reshape(b, in[0], in[0]->type->dims, 3);
    in[1] = tsr_ttir_reshape(b, in[1], in[1]->type->dims, 3);
    int64_t pads[] = {c->low[real], c->high[real]};
    int64_t dims[] = {c->type->dims[c->out.outer], c->type->dims[c->out.space[real]],
                      c->type->dims[c->out.inner], 1};
    tsr_op *op = tsr_ttir_open(b, TSR_OP_TTIR_CONV1D, in, 2, 1);
    op->attrs[TTIR_CONV1D_stride] = tsr_attr_i32(b->ctx, (int32_t)c->stride[real]);
    op->attrs[TTIR_CONV1D_padding] = tsr_ttir_i32_array(b->ctx, pads, 2);
    op->attrs[TTIR_CONV1D_dilation] = tsr_attr_i32(b->ctx, (int32_t)c->holes[real]);
    op->attrs[TTIR_CONV1D_groups] = tsr_attr_i32(b->ctx, (int32_t)c->groups);
    tsr_value *y = tsr_ttir_close(b, op, tsr_static_type(b->ctx, dims, 3, c->type->elem));
    return laid_out(b, tsr_ttir_reshape(b, y, dims, 4), &line, &c->out, 2);
}

/* ---- Pictures ---- */

/* Whether the convolution is the transpose of a strided one; padding: that of the strided one. */
static bool transposed(const conv *c, int64_t *padding, int64_t *more)
{
    if (!has(c->apart, 2, 1) || has(c->stride, 2, 1))
        return false;
    for (size_t i = 0; i < 2; i++) {
        int64_t reach = (c->w->type->dims[c->kernel.space[i]] - 1) * c->holes[i];
        padding[i] = padding[i + 2] = reach - c->low[i];
        more[i] = c->high[i] - c->low[i];
        if (padding[i] < 0 || more[i] < 0 || c->w->type->dims[c->kernel.space[i]] == 0)
            return false;
    }
    return true;
}

/* The kernel reversed; an existing reverse is removed instead. */
static tsr_value *backward(tsr_build *b, tsr_value *w, const layout *at, size_t n)
{
    const tsr_attr *dims = !w->is_arg && tsr_op_is(w->op, TSR_OP_TTIR_REVERSE)
                               ? tsr_attr_of(w->op, TTIR_REVERSE_dimensions)
                               : NULL;
    size_t same = 0, busy = 0;
    for (size_t i = 0; i < n; i++)
        busy += w->type->dims[at->space[i]] != 1;
    for (int64_t k = 0; dims && k < tsr_attr_count(dims); k++)
        for (size_t i = 0; i < n; i++)
            same += tsr_attr_int_at(dims, (size_t)k) == at->space[i];
    if (dims && same == (size_t)tsr_attr_count(dims) && same == n)
        return w->op->in[0].value;
    return busy ? tsr_ttir_reverse(b, w, at->space, n) : w;
}

/* (C/G, O, h, w) as (C, O/G, h, w). */
static tsr_value *grouped_kernel(tsr_build *b, tsr_value *w, int64_t groups)
{
    if (groups == 1)
        return w;
    const int64_t *d = w->type->dims, order[] = {1, 0, 2, 3, 4};
    int64_t parted[] = {d[0], groups, d[1] / groups, d[2], d[3]},
            joined[] = {d[0] * groups, d[1] / groups, d[2], d[3]};
    return tsr_ttir_reshape(b, tsr_ttir_permute(b, tsr_ttir_reshape(b, w, parted, 5), order),
                            joined, 4);
}

static tsr_value *conv_transpose2d(tsr_build *b, const conv *c, const int64_t *padding,
                                   const int64_t *more)
{
    static const layout inputs_first = {1, 0, {2, 3}}, channels_last = {0, 3, {1, 2}};
    const layout *at =
        c->out.outer == 0 ? &c->out : &channels_last; /* TTIR requires batch first here */
    int64_t dims[4];
    dims[at->outer] = c->type->dims[c->out.outer];
    dims[at->inner] = c->type->dims[c->out.inner];
    dims[at->space[0]] = c->type->dims[c->out.space[0]];
    dims[at->space[1]] = c->type->dims[c->out.space[1]];
    tsr_value *w = laid_out(b, backward(b, c->w, &c->kernel, 2), &c->kernel, &inputs_first, 2);
    tsr_value *in[] = {laid_out(b, c->x, &c->in, at, 2), grouped_kernel(b, w, c->groups)};
    tsr_op *op = tsr_ttir_open(b, TSR_OP_TTIR_CONV_TRANSPOSE2D, in, 2, 1);
    op->attrs[TTIR_CONV_TRANSPOSE2D_stride] = tsr_ttir_i32_array(b->ctx, c->apart, 2);
    op->attrs[TTIR_CONV_TRANSPOSE2D_padding] = tsr_ttir_i32_array(b->ctx, padding, 4);
    op->attrs[TTIR_CONV_TRANSPOSE2D_output_padding] = tsr_ttir_i32_array(b->ctx, more, 2);
    op->attrs[TTIR_CONV_TRANSPOSE2D_dilation] = tsr_ttir_i32_array(b->ctx, c->holes, 2);
    op->attrs[TTIR_CONV_TRANSPOSE2D_groups] = tsr_attr_i32(b->ctx, (int32_t)c->groups);
    op->attrs[TTIR_CONV_TRANSPOSE2D_batch_dim] = tsr_attr_i64(b->ctx, at->outer);
    op->attrs[TTIR_CONV_TRANSPOSE2D_height_dim] = tsr_attr_i64(b->ctx, at->space[0]);
    op->attrs[TTIR_CONV_TRANSPOSE2D_width_dim] = tsr_attr_i64(b->ctx, at->space[1]);
    op->attrs[TTIR_CONV_TRANSPOSE2D_channel_dim] = tsr_attr_i64(b->ctx, at->inner);
    tsr_value *y =
        tsr_ttir_close(b, op, tsr_type_tensor(b->ctx, dims, 4, c->type->elem, c->type->attr));
    return laid_out(b, y, at, &c->out, 2);
}

static tsr_value *conv2d(tsr_build *b, const conv *c)
{
    int64_t pads[] = {c->low[0], c->low[1], c->high[0], c->high[1]};
    tsr_value *in[] = {laid_out(b, c->x, &c->in, &c->out, 2),
                       laid_out(b, c->w, &c->kernel, &batch_first, 2)};
    tsr_op *op = tsr_ttir_open(b, TSR_OP_TTIR_CONV2D, in, 2, 1);
    op->attrs[TTIR_CONV2D_stride] = tsr_ttir_i32_array(b->ctx, c->stride, 2);
    op->attrs[TTIR_CONV2D_padding] = tsr_ttir_i32_array(b->ctx, pads, 4);
    op->attrs[TTIR_CONV2D_dilation] = tsr_ttir_i32_array(b->ctx, c->holes, 2);
    op->attrs[TTIR_CONV2D_groups] = tsr_attr_i32(b->ctx, (int32_t)c->groups);
    op->attrs[TTIR_CONV2D_batch_dim] = tsr_attr_i64(b->ctx, c->out.outer);
    op->attrs[TTIR_CONV2D_height_dim] = tsr_attr_i64(b->ctx, c->out.space[0]);
    op->attrs[TTIR_CONV2D_width_dim] = tsr_attr_i64(b->ctx, c->out.space[1]);
    op->attrs[TTIR_CONV2D_channel_dim] = tsr_attr_i64(b->ctx, c->out.inner);
    return tsr_ttir_close(b, op, c->type);
}

static tsr_value *of_picture(tsr_build *b, conv c)
{
    int64_t padding[4], more[2];
    int gone = needless(&c);
    if (gone >= 0 && !has(c.apart, 2, 1))
        return conv1d(b, &c, (size_t)gone);
    if (transposed(&c, padding, more))
        return conv_transpose2d(b, &c, padding, more);
    if (has(c.apart, 2, 1)) {
        c.x = widened(b, c.x, &c.in, 2, c.apart, c.low, c.high);
        memset(c.low, 0, sizeof c.low);
        memset(c.high, 0, sizeof c.high);
    }
    return conv2d(b, &c);
}

/* A 1-d convolution as a 2-d one of width 1. */
static tsr_value *of_line(tsr_build *b, conv c)
{
    int64_t dims[3][4];
    tsr_type *to = c.type;
    for (size_t i = 0; i < 3; i++) {
        dims[0][i] = c.x->type->dims[i];
        dims[1][i] = c.w->type->dims[i];
        dims[2][i] = to->dims[i];
    }
    dims[0][3] = dims[1][3] = dims[2][3] = 1;
    c.n = 2;
    c.in.space[1] = c.kernel.space[1] = c.out.space[1] = 3;
    c.stride[1] = c.apart[1] = c.holes[1] = 1;
    c.low[1] = c.high[1] = 0;
    c.x = tsr_ttir_reshape(b, c.x, dims[0], 4);
    c.w = tsr_ttir_reshape(b, c.w, dims[1], 4);
    c.type = tsr_type_tensor(b->ctx, dims[2], 4, to->elem, to->attr);
    return tsr_ttir_reshape(b, of_picture(b, c), to->dims, 3);
}

/* ---- Volumes ---- */

static tsr_value *of_volume(tsr_build *b, conv c)
{
    bool even = true;
    for (size_t i = 0; i < 3; i++)
        even &= c.low[i] == c.high[i];
    if (!even || has(c.apart, 3, 1)) {
        c.x = widened(b, c.x, &c.in, 3, c.apart, c.low, c.high);
        memset(c.low, 0, sizeof c.low);
    }
    if (has(c.holes, 3, 1))
        c.w = widened(b, c.w, &c.kernel, 3, c.holes, NULL, NULL);
    tsr_value *in[] = {laid_out(b, c.x, &c.in, &c.out, 3),
                       laid_out(b, c.w, &c.kernel, &batch_first, 3)};
    tsr_op *op = tsr_ttir_open(b, TSR_OP_TTIR_CONV3D, in, 2, 1);
    op->attrs[TTIR_CONV3D_stride] = tsr_ttir_i32_array(b->ctx, c.stride, 3);
    op->attrs[TTIR_CONV3D_padding] = tsr_ttir_i32_array(b->ctx, c.low, 3);
    op->attrs[TTIR_CONV3D_groups] = tsr_attr_i32(b->ctx, (int32_t)c.groups);
    op->attrs[TTIR_CONV3D_batch_dim] = tsr_attr_i64(b->ctx, c.out.outer);
    op->attrs[TTIR_CONV3D_depth_dim] = tsr_attr_i64(b->ctx, c.out.space[0]);
    op->attrs[TTIR_CONV3D_height_dim] = tsr_attr_i64(b->ctx, c.out.space[1]);
    op->attrs[TTIR_CONV3D_width_dim] = tsr_attr_i64(b->ctx, c.out.space[2]);
    op->attrs[TTIR_CONV3D_channel_dim] = tsr_attr_i64(b->ctx, c.out.inner);
    return tsr_ttir_close(b, op, c.type);
}

/* ---- Wrappers ---- */

static tsr_value *of_space(tsr_build *b, const conv *c)
{
    return c->n == 1 ? of_line(b, *c) : c->n == 2 ? of_picture(b, *c) : of_volume(b, *c);
}

/* If windows are adjacent, starting further in drops the first results; else the input is cropped, which requires that
 * it is not dilated. */
static tsr_value *cropped(tsr_build *b, conv c)
{
    int64_t begins[SPACE + 2] = {0}, ends[SPACE + 2], dims[SPACE + 2];
    tsr_type *to = c.type;
    for (uint32_t i = 0; i < to->n; i++)
        ends[i] = dims[i] = to->dims[i];
    for (size_t i = 0; i < c.n; i++) {
        int64_t low = c.low[i] < 0 ? -c.low[i] : 0, high = c.high[i] < 0 ? -c.high[i] : 0,
                at = c.out.space[i];
        if (!low && !high)
            continue;
        if (c.stride[i] == 1) {
            dims[at] += low + high;
            begins[at] = low;
            ends[at] = low + to->dims[at];
        } else if (c.apart[i] == 1 && low + high < c.x->type->dims[c.in.space[i]]) {
            c.x = tsr_ttir_slice_dim(b, c.x, c.in.space[i], low,
                                     c.x->type->dims[c.in.space[i]] - high);
        } else {
            return NULL;
        }
        c.low[i] += low;
        c.high[i] += high;
    }
    c.type = tsr_type_tensor(b->ctx, dims, to->n, to->elem, to->attr);
    return tsr_ttir_slice(b, of_space(b, &c), begins, ends, NULL);
}

static tsr_value *one_batch(tsr_build *b, const conv *c)
{
    return has(c->low, c->n, 0) || has(c->high, c->n, 0) ? cropped(b, *c) : of_space(b, c);
}

/* Groups of batches: each with its part of the kernel; results are concatenated along the features. */
static tsr_value *of_groups(tsr_build *b, conv c, int64_t groups)
{
    tsr_value_vec parts = {0};
    tsr_value *x = c.x, *w = c.w, *y = NULL;
    int64_t dims[SPACE + 2], batch = x->type->dims[c.in.outer] / groups,
                             outputs = w->type->dims[c.kernel.outer] / groups;
    memcpy(dims, c.type->dims, c.type->n * sizeof *dims);
    dims[c.out.inner] /= groups;
    c.type = tsr_type_tensor(b->ctx, dims, c.type->n, c.type->elem, c.type->attr);
    bool ok = true;
    tsr_value_vec xs = {0}, ws = {0};
    for (int64_t i = 0; i < groups; i++) {
        tsr_vec_push(&xs, tsr_ttir_slice_dim(b, x, c.in.outer, i * batch, (i + 1) * batch));
        tsr_vec_push(&ws, tsr_ttir_slice_dim(b, w, c.kernel.outer, i * outputs, (i + 1) * outputs));
    }
    for (size_t i = 0; ok && i < xs.n; i++) {
        c.x = xs.data[i];
        c.w = ws.data[i];
        tsr_value *part = one_batch(b, &c);
        ok = part != NULL;
        tsr_vec_push(&parts, part);
    }
    if (ok)
        y = tsr_ttir_concat(b, parts.data, parts.n, c.out.inner);
    tsr_vec_free(&xs);
    tsr_vec_free(&ws);
    tsr_vec_free(&parts);
    return y;
}

bool ttir_convolution(tsr_build *b, tsr_op *op, tsr_value **out)
{
    conv c = {0};
    if (!tsr_ttir_static(op) || !conv_of(op, &c) || c.batch_groups > GROUPS ||
        tsr_type_num_elements(c.type) <= 0 || tsr_type_num_elements(c.x->type) <= 0 ||
        tsr_type_num_elements(c.w->type) <= 0)
        return false;
    /* Narrow integers are multiplied and added in the width of the result. */
    if (op->out[0].type->elem->kind == TSR_TYPE_INTEGER) {
        c.x = tsr_ttir_typecast(b, c.x, op->out[0].type->elem);
        c.w = tsr_ttir_typecast(b, c.w, op->out[0].type->elem);
    }
    c.w = tsr_ttir_reverse(b, c.w, c.backward, c.nbackward);
    out[0] = c.batch_groups > 1 ? of_groups(b, c, c.batch_groups) : one_batch(b, &c);
    return out[0] && out[0]->type == op->out[0].type;
}
