/* SPDX-License-Identifier: Apache-2.0 */
/* quantize_product.c - dot, dot_general and convolution of quantized numbers, in integers. With integers x, y and zero
 * points p, q, a product is
 *     sum((x - p) * (y - q)) = sum(x * y) - (q * sum(x) + p * sum(y) - n * p * q)
 * for sums of n terms each: the product of the integers, minus an offset that needs one sum per operand. Multiplied by
 * the scales of the operands, divided by the result's scale, plus its zero point, this is the result's integer.
 *
 * A product of floats and quantized weights dequantizes the weights. */
#include "lower/lower.h"
#include "lower/quant/quantize.h"

/* ---- Correspondence of dimensions ---- */

static bool is_convolution(const tsr_op *op)
{
    return tsr_op_is(op, TSR_OP_STABLEHLO_CONVOLUTION);
}

/* For each dimension of an operand, the corresponding dimension of the result; -1: it is summed. For a convolution this
 * holds for sums over whole windows: of the kernel. */
static void places_of(const tsr_op *op, uint32_t side, tsr_i64_vec *places)
{
    int64_t rank = tsr_hlo_in(op, side)->n;
    if (is_convolution(op)) {
        tsr_conv c;
        tsr_conv_of(op, &c);
        for (int64_t i = 0; i < rank; i++)
            tsr_vec_push(places, i == c.kernel_out ? c.out_feature : -1);
        return;
    }
    tsr_dot d;
    tsr_dot_of(op, &d);
    int64_t next = side ? (int64_t)tsr_hlo_in(op, 0)->n - d.contract[side].n : d.batch[side].n;
    for (int64_t i = 0; i < rank; i++) {
        int64_t batch = tsr_ints_find(d.batch[side], i);
        tsr_vec_push(places, batch >= 0 ? batch : tsr_ints_has(d.contract[side], i) ? -1 : next++);
    }
}

/* ---- Supported ops ---- */

/* The order of dimensions of images, kernels and results; spatial ones are adjacent. */
typedef struct {
    size_t spatial;
    int64_t batch, feature, first, kernel_in, kernel_out, kernel_first;
} layout;

static const layout layouts[] = {
    {2, 0, 3, 1, 2, 3, 0}, /* [b, 0, 1, f]x[0, 1, i, o] */
    {2, 0, 1, 2, 1, 0, 2}, /* [b, f, 0, 1]x[o, i, 0, 1] */
    {3, 0, 4, 1, 3, 4, 0}, /* [b, 0, 1, 2, f]x[0, 1, 2, i, o] */
};

static bool in_a_row(tsr_ints dims, size_t n, int64_t first)
{
    return dims.n == n && tsr_ints_count_from(dims, first);
}

static bool has_layout(const tsr_conv *c, const layout *l)
{
    return c->in_batch == l->batch && c->in_feature == l->feature &&
           in_a_row(c->in_spatial, l->spatial, l->first) && c->kernel_in == l->kernel_in &&
           c->kernel_out == l->kernel_out &&
           in_a_row(c->kernel_spatial, l->spatial, l->kernel_first) && c->out_batch == l->batch &&
           c->out_feature == l->feature && in_a_row(c->out_spatial, l->spatial, l->first);
}

/* Kernels without zero point, images without dilation. */
static bool convolution_fits(const tsr_op *op)
{
    tsr_conv c;
    tsr_conv_of(op, &c);
    bool known = false;
    for (size_t i = 0; i < TSR_COUNT(layouts); i++)
        known |= has_layout(&c, &layouts[i]);
    return known && tsr_ints_all(c.window.base_dilations, 1) &&
           !tsr_quant_zero_points(tsr_hlo_in(op, 1));
}

/* Scales per axis are supported if rhs's axis becomes the result's and the ratio of the scales of one to those of the
 * other is constant: then all slices are multiplied by the same number. */
static bool axes_fit(const tsr_op *op)
{
    const tsr_type *rhs = tsr_hlo_in(op, 1), *out = op->out[0].type;
    size_t n = tsr_hlo_num_scales(rhs);
    tsr_i64_vec places = {0};
    places_of(op, 1, &places);
    bool ok = places.data[tsr_hlo_quantized_dim(rhs)] == tsr_hlo_quantized_dim(out);
    tsr_vec_free(&places);
    ok &=
        n == tsr_hlo_num_scales(out) && !tsr_quant_zero_points(rhs) && !tsr_quant_zero_points(out);
    for (size_t i = 1; ok && i < n; i++) {
        double first = tsr_hlo_scale(out, 0) / tsr_hlo_scale(rhs, 0);
        double off = tsr_hlo_scale(out, i) / tsr_hlo_scale(rhs, i) / first - 1;
        ok = off < 1e-6 && off > -1e-6; /* scales are written with the digits of f32 */
    }
    return ok;
}

static bool is_f32_tensor(const tsr_type *t)
{
    return t->elem->kind == TSR_TYPE_FLOAT && t->elem->sub == TSR_F32;
}

static bool is_hybrid(const tsr_op *op)
{
    return is_f32_tensor(tsr_hlo_in(op, 0)) && tsr_quant_is_plain(tsr_hlo_in(op, 1)) &&
           is_f32_tensor(op->out[0].type);
}

bool tsr_quant_product_fits(const tsr_op *op)
{
    const tsr_type *lhs = tsr_hlo_in(op, 0), *rhs = tsr_hlo_in(op, 1), *out = op->out[0].type;
    if (!tsr_hlo_is_ranked(lhs) || !tsr_hlo_is_ranked(rhs) || !tsr_hlo_is_ranked(out))
        return false;
    if (is_hybrid(op))
        return true;
    if (!tsr_hlo_is_per_tensor(lhs) || !tsr_quant_is_plain(lhs) || !tsr_quant_is_plain(rhs) ||
        !tsr_quant_is_plain(out))
        return false;
    /* Products of signed and unsigned integers have no op. */
    if (tsr_quant_stored(lhs)->sub == TSR_UNSIGNED || tsr_quant_stored(rhs)->sub == TSR_UNSIGNED)
        return false;
    bool per_tensor = tsr_hlo_is_per_tensor(rhs) && tsr_hlo_is_per_tensor(out);
    bool per_axis = tsr_hlo_is_per_axis(rhs) && tsr_hlo_is_per_axis(out);
    return (per_tensor || (per_axis && axes_fit(op))) &&
           (!is_convolution(op) || convolution_fits(op));
}

/* ---- The offset ---- */

typedef struct {
    tsr_build *b;
    tsr_op *op;
    tsr_type *type;   /* of the result, in i32 */
    tsr_value *made;  /* the product of the integers */
    tsr_value *sizes; /* of the result, after the first request: tensor<rank x i64> */
} product;

static tsr_value *size_of(product *p, int64_t dim)
{
    int64_t one = 1;
    tsr_build *b = p->b;
    if (p->type->dims[dim] != TSR_DYNAMIC) {
        double size = (double)p->type->dims[dim];
        return tsr_quant_numbers(b, b->ctx->i64, &size, 1);
    }
    tsr_op *op = tsr_build_open(b, TSR_OP_STABLEHLO_GET_DIMENSION_SIZE, &p->made, 1, 1, 0);
    op->attrs[STABLEHLO_GET_DIMENSION_SIZE_dimension] = tsr_attr_i64(b->ctx, dim);
    tsr_value *size = tsr_build_convert(b, &tsr_build_close(b, op)->out[0], b->ctx->i64);
    return tsr_build_reshape(b, size, tsr_static_type(b->ctx, &one, 1, b->ctx->i64));
}

static tsr_value *sizes_of(product *p)
{
    tsr_value_vec sizes = {0};
    for (uint32_t i = 0; !p->sizes && i < p->type->n; i++)
        tsr_vec_push(&sizes, size_of(p, i));
    if (!p->sizes)
        p->sizes = tsr_build_join(p->b, sizes.data, sizes.n);
    tsr_vec_free(&sizes);
    return p->sizes;
}

/* Broadcasts v to the shape of the result; dims: the positions of its dimensions. */
static tsr_value *spread(product *p, tsr_value *v, const tsr_i64_vec *dims)
{
    tsr_attr *at = tsr_attr_i64_array(p->b->ctx, dims->data, dims->n);
    tsr_op *op;
    if (tsr_type_has_static_shape(p->type)) {
        op = tsr_build_open(p->b, TSR_OP_STABLEHLO_BROADCAST_IN_DIM, &v, 1, 1, 0);
        op->attrs[STABLEHLO_BROADCAST_IN_DIM_broadcast_dimensions] = at;
    } else {
        tsr_value *in[] = {v, sizes_of(p)};
        op = tsr_build_open(p->b, TSR_OP_STABLEHLO_DYNAMIC_BROADCAST_IN_DIM, in, 2, 1, 0);
        op->attrs[STABLEHLO_DYNAMIC_BROADCAST_IN_DIM_broadcast_dimensions] = at;
    }
    return &tsr_build_close_as(p->b, op, &p->type)->out[0];
}

static tsr_value *sum(tsr_build *b, tsr_value *v, const tsr_i64_vec *dims, tsr_type *type)
{
    tsr_type *scalar = tsr_scalar_type(tsr_elem(v)), *args[] = {scalar, scalar};
    tsr_value *in[] = {v, tsr_quant_number(b, tsr_elem(v), 0)};
    tsr_op *op = tsr_build_open(b, TSR_OP_STABLEHLO_REDUCE, in, 2, 1, 1);
    op->attrs[STABLEHLO_REDUCE_dimensions] = tsr_attr_i64_array(b->ctx, dims->data, dims->n);
    tsr_build body = tsr_build_in(b, &op->regions[0], args, 2);
    tsr_value *two = tsr_build_op(&body, TSR_OP_STABLEHLO_ADD, body.block->args, 2, scalar);
    tsr_build_return(&body, &two, 1);
    tsr_build_free(&body);
    return &tsr_build_close_as(b, op, &type)->out[0];
}

/* The sum over one operand, times the zero point of the other, in the shape of the result. */
static tsr_value *partial_offset(product *p, uint32_t side, int64_t zero_point)
{
    tsr_build *b = p->b;
    tsr_value *v = p->op->in[side].value;
    tsr_i64_vec places = {0}, summed = {0}, kept = {0}, at = {0};
    places_of(p->op, side, &places);
    for (size_t i = 0; i < places.n; i++) {
        if (places.data[i] < 0) {
            tsr_vec_push(&summed, (int64_t)i);
            continue;
        }
        tsr_vec_push(&kept, v->type->dims[i]);
        tsr_vec_push(&at, places.data[i]);
    }
    tsr_type *type = tsr_static_type(b->ctx, kept.data, kept.n, b->ctx->i32);
    v = sum(b, tsr_quant_convert(b, v, tsr_hlo_with_element(v->type, b->ctx->i32)), &summed, type);
    tsr_value *factor = tsr_quant_number(b, b->ctx->i32, (double)zero_point);
    v = spread(p, tsr_quant_mix(b, TSR_OP_CHLO_BROADCAST_MULTIPLY, v, factor, type, NULL), &at);
    tsr_vec_free(&places);
    tsr_vec_free(&summed);
    tsr_vec_free(&kept);
    tsr_vec_free(&at);
    return v;
}

/* The number of terms of a sum, times factor: dynamic sizes are queried at run time. */
static tsr_value *terms(product *p, int64_t factor)
{
    tsr_build *b = p->b;
    tsr_value *rhs = p->op->in[1].value, *open = NULL;
    tsr_type *scalar = tsr_scalar_type(b->ctx->i32);
    tsr_i64_vec places = {0};
    uint64_t known = (uint64_t)factor; /* i32 wraps, and so does this */
    places_of(p->op, 1, &places);
    for (size_t i = 0; i < places.n; i++) {
        if (places.data[i] >= 0)
            continue;
        if (rhs->type->dims[i] != TSR_DYNAMIC) {
            known *= (uint64_t)rhs->type->dims[i];
            continue;
        }
        if (!open)
            open = tsr_quant_number(b, b->ctx->i32, 1);
        tsr_op *op = tsr_build_open(b, TSR_OP_STABLEHLO_GET_DIMENSION_SIZE, &rhs, 1, 1, 0);
        op->attrs[STABLEHLO_GET_DIMENSION_SIZE_dimension] = tsr_attr_i64(b->ctx, (int64_t)i);
        tsr_value *in[] = {open, &tsr_build_close_as(b, op, &scalar)->out[0]};
        open = tsr_build_op(b, TSR_OP_STABLEHLO_MULTIPLY, in, 2, scalar);
    }
    tsr_vec_free(&places);
    tsr_value *in[] = {tsr_quant_number(b, b->ctx->i32, (double)(int32_t)(uint32_t)known), open};
    return open ? tsr_build_op(b, TSR_OP_STABLEHLO_MULTIPLY, in, 2, scalar) : in[0];
}

/* NULL if no operand has a zero point. */
static tsr_value *offset(product *p)
{
    int64_t left = tsr_hlo_zero_point(tsr_hlo_in(p->op, 0), 0),
            right = tsr_hlo_zero_point(tsr_hlo_in(p->op, 1), 0);
    tsr_value *in[] = {right ? partial_offset(p, 0, right) : NULL,
                       left ? partial_offset(p, 1, left) : NULL};
    if (!left || !right)
        return in[0] ? in[0] : in[1];
    tsr_value *both = tsr_build_op(p->b, TSR_OP_STABLEHLO_ADD, in, 2, p->type);
    return tsr_quant_mix(p->b, TSR_OP_CHLO_BROADCAST_SUBTRACT, both, terms(p, left * right),
                         p->type, NULL);
}

/* ---- The product of the integers ---- */

/* Images are padded before, with the integer that expresses 0. NULL: there is no padding. */
static tsr_value *padded(tsr_build *b, const tsr_op *op)
{
    tsr_value *x = op->in[0].value;
    tsr_conv c;
    tsr_conv_of(op, &c);
    tsr_i64_vec low = {0}, high = {0}, none = {0}, dims = {0};
    bool any = false;
    for (uint32_t i = 0; i < x->type->n; i++) {
        int64_t at = tsr_ints_find(c.in_spatial, i);
        tsr_vec_push(&low, at < 0 ? 0 : tsr_window_low(&c.window, (size_t)at));
        tsr_vec_push(&high, at < 0 ? 0 : tsr_window_high(&c.window, (size_t)at));
        tsr_vec_push(&none, 0);
        any |= low.data[i] || high.data[i];
        int64_t size = x->type->dims[i];
        tsr_vec_push(&dims, size == TSR_DYNAMIC ? size : size + low.data[i] + high.data[i]);
    }
    tsr_value *made = NULL;
    if (any) {
        tsr_type *elem = tsr_quant_stored(x->type),
                 *type = tsr_type_tensor(b->ctx, dims.data, dims.n, elem, NULL);
        tsr_value *in[] = {x, tsr_quant_number(b, elem, (double)tsr_hlo_zero_point(x->type, 0))};
        tsr_op *pad = tsr_build_open(b, TSR_OP_STABLEHLO_PAD, in, 2, 1, 0);
        pad->attrs[STABLEHLO_PAD_edge_padding_low] = tsr_attr_i64_array(b->ctx, low.data, low.n);
        pad->attrs[STABLEHLO_PAD_edge_padding_high] = tsr_attr_i64_array(b->ctx, high.data, high.n);
        pad->attrs[STABLEHLO_PAD_interior_padding] = tsr_attr_i64_array(b->ctx, none.data, none.n);
        made = &tsr_build_close_as(b, pad, &type)->out[0];
    }
    tsr_vec_free(&low);
    tsr_vec_free(&high);
    tsr_vec_free(&none);
    tsr_vec_free(&dims);
    return made;
}

static tsr_value *of_integers(tsr_build *b, tsr_op *op, tsr_type *type)
{
    tsr_value *in[] = {op->in[0].value, op->in[1].value};
    if (tsr_op_is(op, TSR_OP_STABLEHLO_DOT))
        return &tsr_build_close_as(b, tsr_dot_to_general(b, op, in), &type)->out[0];
    tsr_value *wide = is_convolution(op) ? padded(b, op) : NULL;
    if (wide)
        in[0] = wide;
    tsr_op *made = tsr_quant_same_op(op, in, &type, b->block, b->at);
    if (wide) {
        static const int64_t zero;
        tsr_type *pads = tsr_attr_of(op, STABLEHLO_CONVOLUTION_padding)->type;
        made->attrs[STABLEHLO_CONVOLUTION_padding] =
            tsr_attr_dense(b->ctx, b->module, pads, &zero, sizeof zero, true);
    }
    return &made->out[0];
}

/* ---- The whole ---- */

/* v of i32 times scale, by way of f32. */
static tsr_value *times_scale(tsr_build *b, tsr_value *v, tsr_value *scale)
{
    tsr_type *i32 = v->type, *f32 = tsr_hlo_with_element(i32, tsr_elem(scale));
    v = tsr_quant_convert(b, v, f32);
    v = tsr_quant_mix(b, TSR_OP_CHLO_BROADCAST_MULTIPLY, v, scale, f32, NULL);
    return tsr_quant_convert(b, v, i32);
}

/* The barrier keeps the weights small in the program: folding would expand them to floats. */
static tsr_value *hybrid(tsr_build *b, tsr_op *op)
{
    tsr_value *w = op->in[1].value;
    tsr_type *from = w->type, *f32 = tsr_hlo_with_element(from, op->out[0].type->elem);
    w = tsr_build_op(b, TSR_OP_STABLEHLO_OPTIMIZATION_BARRIER, &w, 1, from);
    tsr_value *scales = tsr_quant_scales_of(b, from),
              *zeros = tsr_quant_zero_points_of(b, from, f32->elem);
    w = tsr_quant_convert(b, w, f32);
    if (tsr_quant_zero_points(from))
        w = tsr_quant_mix(b, TSR_OP_CHLO_BROADCAST_SUBTRACT, w, zeros, f32, from);
    w = tsr_quant_mix(b, TSR_OP_CHLO_BROADCAST_MULTIPLY, w, scales, f32, from);
    tsr_value *in[] = {op->in[0].value, w};
    return &tsr_quant_same_op(op, in, &op->out[0].type, b->block, b->at)->out[0];
}

tsr_value *tsr_quant_product(tsr_build *b, tsr_op *op)
{
    if (is_hybrid(op))
        return hybrid(b, op);
    const tsr_type *lhs = tsr_hlo_in(op, 0), *rhs = tsr_hlo_in(op, 1);
    tsr_type *to = op->out[0].type, *i32 = tsr_hlo_with_element(to, b->ctx->i32);
    tsr_value *x = of_integers(b, op, i32);
    tsr_value *less = offset(&(product){.b = b, .op = op, .type = i32, .made = x});
    float scale = (float)(tsr_hlo_scale(lhs, 0) * tsr_hlo_scale(rhs, 0) / tsr_hlo_scale(to, 0));
    if (scale != 1) {
        tsr_value *factor = tsr_quant_number(b, tsr_type_float(b->ctx, TSR_F32), scale);
        x = times_scale(b, x, factor);
        less = less ? times_scale(b, less, factor) : NULL;
    }
    tsr_value *zero = tsr_quant_number(b, b->ctx->i32, (double)tsr_hlo_zero_point(to, 0));
    if (less)
        zero = tsr_quant_mix(b, TSR_OP_CHLO_BROADCAST_SUBTRACT, zero, less, i32, NULL);
    x = tsr_quant_mix(b, TSR_OP_CHLO_BROADCAST_ADD, x, zero, i32, NULL);
    tsr_type *elem = tsr_quant_stored(to);
    x = tsr_quant_narrow(b, x, to);
    return tsr_quant_convert(b, x, tsr_hlo_with_element(to, elem));
}
