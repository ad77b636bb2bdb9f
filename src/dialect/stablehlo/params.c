/* SPDX-License-Identifier: Apache-2.0 */
/* params.c - dimension numbers, windows and bounds of StableHLO's ops (and of CHLO's, which use the same attributes).
 * The fields of the attributes are in the order of attrs.c. */
#include "dialect/hooks.h"

static tsr_ints list(const tsr_op *op, int slot)
{
    return tsr_attr_ints(tsr_attr_of(op, slot));
}

static int64_t number(const tsr_attr *a)
{
    return a ? a->i : 0;
}

static bool flag(const tsr_op *op, int slot)
{
    return number(tsr_attr_of(op, slot)) != 0;
}

/* ---- Products ---- */

static void dot_lists(const tsr_attr *a, tsr_dot *d)
{
    for (int side = 0; side < 2; side++) {
        d->batch[side] = tsr_attr_ints(a->attrs[side]);
        d->contract[side] = tsr_attr_ints(a->attrs[2 + side]);
    }
}

void params_dot_general(const tsr_op *op, tsr_dot *d)
{
    dot_lists(tsr_attr_of(op, STABLEHLO_DOT_GENERAL_dot_dimension_numbers), d);
}

/* The last dimension of the left with the first of the right. */
void params_dot(const tsr_op *op, tsr_dot *d)
{
    d->contract[0] = tsr_ints_from((int64_t)op->in[0].value->type->n - 1, 1);
    d->contract[1] = tsr_ints_from(0, 1);
}

void params_ragged_dot(const tsr_op *op, tsr_dot *d)
{
    const tsr_attr *a = tsr_attr_of(op, CHLO_RAGGED_DOT_ragged_dot_dimension_numbers);
    dot_lists(a, d);
    d->ragged = tsr_attr_ints(a->attrs[4]);
    d->group = tsr_attr_ints(a->attrs[5]);
}

static void dot_params(tsr_ctx *ctx, const tsr_dot *d, tsr_attr **p)
{
    for (int side = 0; side < 2; side++) {
        p[side] = tsr_ints_attr(ctx, d->batch[side]);
        p[2 + side] = tsr_ints_attr(ctx, d->contract[side]);
    }
}

tsr_attr *tsr_dot_attr(tsr_ctx *ctx, const tsr_dot *d)
{
    tsr_attr *p[4];
    dot_params(ctx, d, p);
    return tsr_attr_struct(ctx, &tsr_def_STABLEHLO_DOT, p);
}

tsr_attr *tsr_ragged_dot_attr(tsr_ctx *ctx, const tsr_dot *d)
{
    tsr_attr *p[6];
    dot_params(ctx, d, p);
    p[4] = tsr_ints_attr(ctx, d->ragged);
    p[5] = tsr_ints_attr(ctx, d->group);
    return tsr_attr_struct(ctx, &tsr_def_CHLO_RAGGED_DOT, p);
}

/* ---- Gather and scatter ---- */

static void gather_lists(const tsr_attr *a, tsr_gather *g)
{
    g->window = tsr_attr_ints(a->attrs[0]);
    g->dropped = tsr_attr_ints(a->attrs[1]);
    g->batch = tsr_attr_ints(a->attrs[2]);
    g->index_batch = tsr_attr_ints(a->attrs[3]);
    g->map = tsr_attr_ints(a->attrs[4]);
    g->vector = number(a->attrs[5]);
}

void params_gather(const tsr_op *op, tsr_gather *g)
{
    gather_lists(tsr_attr_of(op, STABLEHLO_GATHER_dimension_numbers), g);
    g->sizes = list(op, STABLEHLO_GATHER_slice_sizes);
    g->sorted = flag(op, STABLEHLO_GATHER_indices_are_sorted);
}

/* Sizes are an operand. */
void params_dynamic_gather(const tsr_op *op, tsr_gather *g)
{
    gather_lists(tsr_attr_of(op, STABLEHLO_DYNAMIC_GATHER_dimension_numbers), g);
    g->sorted = flag(op, STABLEHLO_DYNAMIC_GATHER_indices_are_sorted);
}

void params_scatter(const tsr_op *op, tsr_gather *g)
{
    gather_lists(tsr_attr_of(op, STABLEHLO_SCATTER_scatter_dimension_numbers), g);
    g->sorted = flag(op, STABLEHLO_SCATTER_indices_are_sorted);
    g->unique = flag(op, STABLEHLO_SCATTER_unique_indices);
}

static tsr_attr *gather_numbers(tsr_ctx *ctx, const tsr_attrdef *def, const tsr_gather *g)
{
    tsr_attr *p[] = {tsr_ints_attr(ctx, g->window), tsr_ints_attr(ctx, g->dropped),
                     tsr_ints_attr(ctx, g->batch),  tsr_ints_attr(ctx, g->index_batch),
                     tsr_ints_attr(ctx, g->map),    tsr_attr_i64(ctx, g->vector)};
    return tsr_attr_struct(ctx, def, p);
}

tsr_attr *tsr_gather_attr(tsr_ctx *ctx, const tsr_gather *g)
{
    return gather_numbers(ctx, &tsr_def_STABLEHLO_GATHER, g);
}

tsr_attr *tsr_scatter_attr(tsr_ctx *ctx, const tsr_gather *g)
{
    return gather_numbers(ctx, &tsr_def_STABLEHLO_SCATTER, g);
}

/* ---- Windows ---- */

void params_reduce_window(const tsr_op *op, tsr_window *w)
{
    w->sizes = list(op, STABLEHLO_REDUCE_WINDOW_window_dimensions);
    w->strides = list(op, STABLEHLO_REDUCE_WINDOW_window_strides);
    w->base_dilations = list(op, STABLEHLO_REDUCE_WINDOW_base_dilations);
    w->window_dilations = list(op, STABLEHLO_REDUCE_WINDOW_window_dilations);
    tsr_window_set_padding(w, list(op, STABLEHLO_REDUCE_WINDOW_padding));
}

void params_select_and_scatter(const tsr_op *op, tsr_window *w)
{
    w->sizes = list(op, STABLEHLO_SELECT_AND_SCATTER_window_dimensions);
    w->strides = list(op, STABLEHLO_SELECT_AND_SCATTER_window_strides);
    tsr_window_set_padding(w, list(op, STABLEHLO_SELECT_AND_SCATTER_padding));
}

static void conv_numbers(const tsr_attr *a, tsr_conv *c)
{
    c->in_batch = number(a->attrs[0]);
    c->in_feature = number(a->attrs[1]);
    c->in_spatial = tsr_attr_ints(a->attrs[2]);
    c->kernel_in = number(a->attrs[3]);
    c->kernel_out = number(a->attrs[4]);
    c->kernel_spatial = tsr_attr_ints(a->attrs[5]);
    c->out_batch = number(a->attrs[6]);
    c->out_feature = number(a->attrs[7]);
    c->out_spatial = tsr_attr_ints(a->attrs[8]);
}

void params_convolution(const tsr_op *op, tsr_conv *c)
{
    conv_numbers(tsr_attr_of(op, STABLEHLO_CONVOLUTION_dimension_numbers), c);
    c->window.strides = list(op, STABLEHLO_CONVOLUTION_window_strides);
    c->window.base_dilations = list(op, STABLEHLO_CONVOLUTION_lhs_dilation);
    c->window.window_dilations = list(op, STABLEHLO_CONVOLUTION_rhs_dilation);
    tsr_window_set_padding(&c->window, list(op, STABLEHLO_CONVOLUTION_padding));
    c->window.reversal = list(op, STABLEHLO_CONVOLUTION_window_reversal);
    c->feature_groups = tsr_attr_of(op, STABLEHLO_CONVOLUTION_feature_group_count)->i;
    c->batch_groups = tsr_attr_of(op, STABLEHLO_CONVOLUTION_batch_group_count)->i;
}

void params_dynamic_conv(const tsr_op *op, tsr_conv *c)
{
    conv_numbers(tsr_attr_of(op, STABLEHLO_DYNAMIC_CONV_dimension_numbers), c);
    c->window.strides = list(op, STABLEHLO_DYNAMIC_CONV_window_strides);
    c->window.base_dilations = list(op, STABLEHLO_DYNAMIC_CONV_lhs_dilation);
    c->window.window_dilations = list(op, STABLEHLO_DYNAMIC_CONV_rhs_dilation);
    c->window.reversal = list(op, STABLEHLO_DYNAMIC_CONV_window_reversal);
    c->feature_groups = tsr_attr_of(op, STABLEHLO_DYNAMIC_CONV_feature_group_count)->i;
    c->batch_groups = tsr_attr_of(op, STABLEHLO_DYNAMIC_CONV_batch_group_count)->i;
}

tsr_attr *tsr_conv_attr(tsr_ctx *ctx, const tsr_conv *c)
{
    tsr_attr *p[] = {tsr_attr_i64(ctx, c->in_batch),    tsr_attr_i64(ctx, c->in_feature),
                     tsr_ints_attr(ctx, c->in_spatial), tsr_attr_i64(ctx, c->kernel_in),
                     tsr_attr_i64(ctx, c->kernel_out),  tsr_ints_attr(ctx, c->kernel_spatial),
                     tsr_attr_i64(ctx, c->out_batch),   tsr_attr_i64(ctx, c->out_feature),
                     tsr_ints_attr(ctx, c->out_spatial)};
    return tsr_attr_struct(ctx, &tsr_def_STABLEHLO_CONV, p);
}

/* ---- Bounds and order ---- */

void params_slice(const tsr_op *op, tsr_slice *s)
{
    s->start = list(op, STABLEHLO_SLICE_start_indices);
    s->limit = list(op, STABLEHLO_SLICE_limit_indices);
    s->strides = list(op, STABLEHLO_SLICE_strides);
}

void params_pad(const tsr_op *op, tsr_pad *p)
{
    p->low = list(op, STABLEHLO_PAD_edge_padding_low);
    p->high = list(op, STABLEHLO_PAD_edge_padding_high);
    p->interior = list(op, STABLEHLO_PAD_interior_padding);
}

void params_transpose(const tsr_op *op, tsr_order *o)
{
    o->dims = list(op, STABLEHLO_TRANSPOSE_permutation);
}
