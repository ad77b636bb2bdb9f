/* SPDX-License-Identifier: Apache-2.0 */
/* params.c - attributes of TTIR's ops, decoded to the structs of dialect/params.h. */
#include "dialect/hooks.h"

static tsr_ints list(const tsr_op *op, int slot)
{
    return tsr_attr_ints(tsr_attr_of(op, slot));
}

static int64_t number(const tsr_op *op, int slot, int64_t otherwise)
{
    const tsr_attr *a = tsr_attr_of(op, slot);
    return a ? a->i : otherwise;
}

/* ---- Products ---- */

void params_ttir_dot_general(const tsr_op *op, tsr_dot *d)
{
    d->batch[0] = list(op, TTIR_DOT_GENERAL_batch_dims_lhs);
    d->batch[1] = list(op, TTIR_DOT_GENERAL_batch_dims_rhs);
    d->contract[0] = list(op, TTIR_DOT_GENERAL_contract_dims_lhs);
    d->contract[1] = list(op, TTIR_DOT_GENERAL_contract_dims_rhs);
}

_Static_assert((int)TTIR_MATMUL_transpose_a == (int)TTIR_LINEAR_transpose_a &&
                   (int)TTIR_MATMUL_transpose_b == (int)TTIR_LINEAR_transpose_b,
               "one hook for both");

void params_ttir_matmul(const tsr_op *op, tsr_matmul *m)
{
    m->transpose[0] = number(op, TTIR_MATMUL_transpose_a, 0) != 0;
    m->transpose[1] = number(op, TTIR_MATMUL_transpose_b, 0) != 0;
}

/* ---- Windows ---- */

/* The parameters of #ttir<flattened_compat ...>. */
static tsr_flat flat_of(const tsr_op *op, int slot)
{
    const tsr_attr *a = tsr_attr_of(op, slot);
    return a ? (tsr_flat){true, a->attrs[0]->i, a->attrs[1]->i, a->attrs[2]->i} : (tsr_flat){0};
}

tsr_attr *tsr_flat_attr(tsr_ctx *ctx, const tsr_flat *f)
{
    tsr_attr *p[] = {tsr_attr_i64(ctx, f->batch), tsr_attr_i64(ctx, f->height),
                     tsr_attr_i64(ctx, f->width)};
    return tsr_attr_struct(ctx, &tsr_def_TTIR_FLATTENED_COMPAT, p);
}

tsr_flat tsr_flat_of(const tsr_op *op)
{
    tsr_conv c;
    tsr_pooling p;
    return tsr_conv_of(op, &c) ? c.flat : tsr_pooling_of(op, &p) ? p.flat : (tsr_flat){0};
}

static tsr_ints each(const tsr_op *op, int slot, size_t n)
{
    return tsr_attr_ints_each(tsr_attr_of(op, slot), n);
}

/* One number, one for each dimension, or first all low ones, then all high ones: (top, left, bottom, right). */
static void set_padding(tsr_window *w, tsr_ints given, size_t n)
{
    w->low = given.n == 2 * n ? tsr_ints_part(given, 0, 1, n) : given;
    w->high = given.n == 2 * n ? tsr_ints_part(given, (uint32_t)n, 1, n)
              : given.n == n   ? given
                               : (tsr_ints){0};
}

/* Slots starting here are the dimensions of batch, space and channels, in this order. Weights are outputs x inputs x
 * space. */
static void set_dims(const tsr_op *op, tsr_conv *c, int slot, int channel, size_t n)
{
    bool filled = true;
    for (int i = slot; i <= channel; i++)
        filled &= tsr_attr_of(op, i) != NULL;
    c->in_batch = c->out_batch = number(op, slot, 0);
    c->in_feature = c->out_feature = number(op, channel, (int64_t)n + 1);
    c->in_spatial = c->out_spatial = filled ? tsr_ints_slots(op, slot + 1, n) : tsr_ints_from(1, n);
    c->kernel_out = 0;
    c->kernel_in = 1;
    c->kernel_spatial = tsr_ints_from(2, n);
    c->batch_groups = 1;
}

_Static_assert(TTIR_CONV1D_channel_dim == TTIR_CONV1D_batch_dim + 2, "slots in order");
_Static_assert(TTIR_CONV2D_channel_dim == TTIR_CONV2D_batch_dim + 3, "slots in order");
_Static_assert(TTIR_CONV3D_channel_dim == TTIR_CONV3D_batch_dim + 4, "slots in order");
_Static_assert(TTIR_CONV_TRANSPOSE2D_channel_dim == TTIR_CONV_TRANSPOSE2D_batch_dim + 3,
               "slots in order");

void params_ttir_conv1d(const tsr_op *op, tsr_conv *c)
{
    set_dims(op, c, TTIR_CONV1D_batch_dim, TTIR_CONV1D_channel_dim, 1);
    c->window.strides = each(op, TTIR_CONV1D_stride, 1);
    c->window.window_dilations = each(op, TTIR_CONV1D_dilation, 1);
    set_padding(&c->window, each(op, TTIR_CONV1D_padding, 1), 1);
    c->feature_groups = number(op, TTIR_CONV1D_groups, 1);
}

void params_ttir_conv2d(const tsr_op *op, tsr_conv *c)
{
    set_dims(op, c, TTIR_CONV2D_batch_dim, TTIR_CONV2D_channel_dim, 2);
    c->window.strides = each(op, TTIR_CONV2D_stride, 2);
    c->window.window_dilations = each(op, TTIR_CONV2D_dilation, 2);
    set_padding(&c->window, each(op, TTIR_CONV2D_padding, 2), 2);
    c->feature_groups = number(op, TTIR_CONV2D_groups, 1);
    c->flat = flat_of(op, TTIR_CONV2D_flattened_compat_info);
}

void params_ttir_conv3d(const tsr_op *op, tsr_conv *c)
{
    const tsr_attr *mode = tsr_attr_of(op, TTIR_CONV3D_padding_mode);
    set_dims(op, c, TTIR_CONV3D_batch_dim, TTIR_CONV3D_channel_dim, 3);
    c->window.strides = each(op, TTIR_CONV3D_stride, 3);
    c->window.low = c->window.high = each(op, TTIR_CONV3D_padding, 3);
    c->feature_groups = number(op, TTIR_CONV3D_groups, 1);
    c->replicates = mode && tsr_str_is(mode->s, "replicate");
}

/* Weights are inputs x outputs x space. */
void params_ttir_conv_transpose2d(const tsr_op *op, tsr_conv *c)
{
    set_dims(op, c, TTIR_CONV_TRANSPOSE2D_batch_dim, TTIR_CONV_TRANSPOSE2D_channel_dim, 2);
    c->kernel_in = 0;
    c->kernel_out = 1;
    c->window.strides = each(op, TTIR_CONV_TRANSPOSE2D_stride, 2);
    c->window.window_dilations = each(op, TTIR_CONV_TRANSPOSE2D_dilation, 2);
    set_padding(&c->window, each(op, TTIR_CONV_TRANSPOSE2D_padding, 2), 2);
    c->feature_groups = number(op, TTIR_CONV_TRANSPOSE2D_groups, 1);
    c->flat = flat_of(op, TTIR_CONV_TRANSPOSE2D_flattened_compat_info);
    c->is_transpose = true;
    c->more = each(op, TTIR_CONV_TRANSPOSE2D_output_padding, 2);
}

_Static_assert((int)TTIR_MAX_POOL2D_kernel == (int)TTIR_AVG_POOL2D_kernel &&
                   (int)TTIR_MAX_POOL2D_stride == (int)TTIR_AVG_POOL2D_stride &&
                   (int)TTIR_MAX_POOL2D_dilation == (int)TTIR_AVG_POOL2D_dilation &&
                   (int)TTIR_MAX_POOL2D_padding == (int)TTIR_AVG_POOL2D_padding &&
                   (int)TTIR_MAX_POOL2D_ceil_mode == (int)TTIR_AVG_POOL2D_ceil_mode &&
                   (int)TTIR_MAX_POOL2D_flattened_compat_info ==
                       (int)TTIR_MAX_POOL2D_WITH_INDICES_flattened_compat_info,
               "one window for all pools");

static void pool_window(const tsr_op *op, tsr_pooling *p)
{
    p->window.sizes = each(op, TTIR_MAX_POOL2D_kernel, 2);
    p->window.strides = each(op, TTIR_MAX_POOL2D_stride, 2);
    p->window.window_dilations = each(op, TTIR_MAX_POOL2D_dilation, 2);
    set_padding(&p->window, each(op, TTIR_MAX_POOL2D_padding, 2), 2);
    p->ceil = number(op, TTIR_MAX_POOL2D_ceil_mode, 0) != 0;
}

void params_ttir_max_pool2d(const tsr_op *op, tsr_pooling *p)
{
    pool_window(op, p);
    p->flat = flat_of(op, TTIR_MAX_POOL2D_flattened_compat_info);
}

void params_ttir_avg_pool2d(const tsr_op *op, tsr_pooling *p)
{
    pool_window(op, p);
    p->counts_pad = number(op, TTIR_AVG_POOL2D_count_include_pad, 1) != 0;
    p->flat = flat_of(op, TTIR_AVG_POOL2D_flattened_compat_info);
}

/* ---- Bounds and dimensions ---- */

void params_ttir_slice_static(const tsr_op *op, tsr_slice *s)
{
    s->start = list(op, TTIR_SLICE_STATIC_begins);
    s->limit = list(op, TTIR_SLICE_STATIC_ends);
    s->strides = list(op, TTIR_SLICE_STATIC_step);
}

/* Low and high of each dimension in turn. */
void params_ttir_pad(const tsr_op *op, tsr_pad *p)
{
    tsr_ints pairs = list(op, TTIR_PAD_padding);
    p->low = tsr_ints_part(pairs, 0, 2, (pairs.n + 1) / 2);
    p->high = tsr_ints_part(pairs, 1, 2, pairs.n / 2);
}

void params_ttir_permute(const tsr_op *op, tsr_order *o)
{
    o->dims = list(op, TTIR_PERMUTE_permutation);
}

void params_ttir_reduction(const tsr_op *op, tsr_reduce_dims *r)
{
    r->dims = list(op, TTIR_SUM_dim_arg);
    r->all = !tsr_attr_of(op, TTIR_SUM_dim_arg);
    r->keep = number(op, TTIR_SUM_keep_dim, 0) != 0;
}

/* The older form, with StableHLO's dimension numbers; empty if the op gathers along one dimension. */
void params_ttir_gather(const tsr_op *op, tsr_gather *g)
{
    g->window = list(op, TTIR_GATHER_offset_dims);
    g->dropped = list(op, TTIR_GATHER_collapsed_slice_dims);
    g->batch = list(op, TTIR_GATHER_operand_batching_dims);
    g->index_batch = list(op, TTIR_GATHER_start_indices_batching_dims);
    g->map = list(op, TTIR_GATHER_start_index_map);
    g->vector = number(op, TTIR_GATHER_index_vector_dim, op->in[1].value->type->n);
    g->sizes = list(op, TTIR_GATHER_slice_sizes);
    g->sorted = number(op, TTIR_GATHER_indices_are_sorted, 0) != 0;
}
