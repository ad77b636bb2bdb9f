/* SPDX-License-Identifier: Apache-2.0 */
/* conv.c - convolutions on shards: batches and features are as in a product; along a spatial dimension either the
 * result is sharded, and each device gets the stretch of the input that its windows cover, or the kernel is, and each
 * device sums over its part of all windows. */
#include "shard/spmd/stretch.h"

/* The factor that dimension a of tensor t shares with dimension b of tensor u; UINT32_MAX: none. */
static uint32_t shared(const tsr_rule *r, uint32_t t, int64_t a, uint32_t u, int64_t b)
{
    uint32_t x = r->dims[t] + (uint32_t)a, y = r->dims[u] + (uint32_t)b;
    for (uint32_t i = r->first[x]; i < r->first[x + 1]; i++)
        for (uint32_t k = r->first[y]; k < r->first[y + 1]; k++)
            if (r->factors[i] == r->factors[k])
                return r->factors[i];
    return UINT32_MAX;
}

/* Keeps groups together: the number of parts must divide theirs. */
static void settle_groups(tsr_spmd_op *o, int64_t count, int64_t in, int64_t kernel_out)
{
    uint32_t f = count > 1 ? shared(o->rule, 0, in, 1, kernel_out) : UINT32_MAX;
    if (f != UINT32_MAX && count % o->axes[f]->size)
        tsr_spmd_forget(o, f);
}

/* Removes axes that a product cannot work with, apart from spatial factors. Of each spatial dimension one factor is
 * kept. */
static void settle(tsr_spmd_op *o, const tsr_conv *c)
{
    tsr_spmd *s = o->s;
    const tsr_axes *none = s->r.table.lists.none;
    uint32_t n = c->in_spatial.n;
    uint32_t *windows = TSR_NEW_ARRAY(s->r.arena, uint32_t, n + 1),
             *inside = TSR_NEW_ARRAY(s->r.arena, uint32_t, n + 1);
    const tsr_axes **axes = TSR_NEW_ARRAY(s->r.arena, const tsr_axes *, o->rule->nfactor + 1);
    memcpy(axes, o->axes, o->rule->nfactor * sizeof *axes);
    for (uint32_t i = 0; i < n; i++) {
        int64_t in = tsr_ints_at(c->in_spatial, i), kernel = tsr_ints_at(c->kernel_spatial, i);
        windows[i] = shared(o->rule, 0, in, 2, tsr_ints_at(c->out_spatial, i));
        if (windows[i] == UINT32_MAX) /* the input has no dimension for it, and is then whole */
            windows[i] = tsr_spmd_factor(o, 2, (uint32_t)tsr_ints_at(c->out_spatial, i));
        inside[i] = shared(o->rule, 0, in, 1, kernel);
        if (windows[i] != UINT32_MAX)
            o->axes[windows[i]] = none;
        if (inside[i] != UINT32_MAX)
            o->axes[inside[i]] = none;
    }
    settle_groups(o, c->feature_groups, c->in_feature, c->kernel_out);
    settle_groups(o, c->batch_groups, c->in_batch, c->kernel_out);
    tsr_spmd_settle(o, true);
    for (uint32_t i = 0; i < n; i++) {
        int64_t size = tsr_spmd_global(o, 1)->dims[tsr_ints_at(c->kernel_spatial, i)];
        if (windows[i] != UINT32_MAX && axes[windows[i]]->size > 1)
            o->axes[windows[i]] = axes[windows[i]];
        else if (inside[i] != UINT32_MAX && size % axes[inside[i]]->size == 0)
            o->axes[inside[i]] = axes[inside[i]];
    }
}

/* Groups of all devices that have a part of a sum. */
static tsr_attr *groups(tsr_spmd_op *o, int64_t count, int64_t factor_dim, int64_t kernel_out)
{
    uint32_t f = count > 1 ? shared(o->rule, 0, factor_dim, 1, kernel_out) : UINT32_MAX;
    return tsr_attr_i64(o->s->ctx, f == UINT32_MAX ? count : count / o->axes[f]->size);
}

/* The range of the input that a device reads along a dimension. */
typedef struct {
    /* start on the first device, step from one device to the next, length */
    int64_t first, step, len;
} reach;

/* windows: of the result; size: of the kernel. out: these axes divide the result, else the kernel. */
static reach reach_of(const tsr_window *w, uint32_t i, int64_t windows, int64_t size,
                      const tsr_axes *axes, bool out)
{
    int64_t stride = tsr_window_stride(w, i), holes = tsr_window_dilation(w, i);
    int64_t chunk = out ? tsr_spmd_chunk(windows, axes) : size / axes->size;
    reach r = {.first = -tsr_window_low(w, i)};
    r.step = chunk * (out ? stride : holes);
    r.len = ((out ? chunk : windows) - 1) * stride + ((out ? size : chunk) - 1) * holes + 1;
    if (!out && tsr_ints_or(w->reversal, i, 0) && !TSR_BUG(9)) {
        r.first += (size - chunk) * holes; /* the kernel's last part meets the first elements */
        r.step = -r.step;
    }
    return r;
}

static void set_attrs(tsr_spmd_op *o, tsr_op *made, const tsr_conv *c, const int64_t *padding,
                      const int64_t *base)
{
    tsr_spmd *s = o->s;
    uint32_t n = c->in_spatial.n;
    made->attrs[STABLEHLO_CONVOLUTION_padding] = tsr_spmd_pairs(s, padding, n);
    made->attrs[STABLEHLO_CONVOLUTION_lhs_dilation] = tsr_attr_i64_array(s->ctx, base, n);
    made->attrs[STABLEHLO_CONVOLUTION_feature_group_count] =
        groups(o, c->feature_groups, c->in_feature, c->kernel_out);
    made->attrs[STABLEHLO_CONVOLUTION_batch_group_count] =
        groups(o, c->batch_groups, c->in_batch, c->kernel_out);
}

bool spmd_convolution(tsr_spmd_op *o)
{
    if (!tsr_spmd_usual(o))
        return tsr_spmd_whole(o);
    tsr_spmd *s = o->s;
    tsr_op *op = o->op;
    tsr_conv c;
    tsr_conv_of(op, &c);
    settle(o, &c);
    if (!tsr_spmd_any_axes(o))
        return tsr_spmd_whole(o);
    const tsr_type *in = tsr_spmd_global(o, 0), *kernel = tsr_spmd_global(o, 1),
                   *out = tsr_spmd_global(o, 2);
    const tsr_sharding *lhs = tsr_spmd_by_axes(o, 0), *rhs = tsr_spmd_by_axes(o, 1),
                       *to = tsr_spmd_by_axes(o, 2);
    tsr_value *zero = tsr_spmd_zero(s, in->elem), *v[2];
    v[0] = tsr_spmd_mask(s, tsr_spmd_in(o, 0, lhs), in, lhs, (uint64_t)1 << c.in_feature, zero);
    v[1] = tsr_spmd_mask(s, tsr_spmd_in(o, 1, rhs), kernel, rhs, (uint64_t)1 << c.kernel_in,
                         tsr_spmd_zero(s, kernel->elem));
    uint32_t n = c.in_spatial.n;
    int64_t *padding = TSR_NEW_ARRAY(s->r.arena, int64_t, 2 * n + 1),
            *base = TSR_NEW_ARRAY(s->r.arena, int64_t, n + 1);
    for (uint32_t i = 0; i < n; i++) {
        int64_t d = tsr_ints_at(c.in_spatial, i), k = tsr_ints_at(c.kernel_spatial, i);
        int64_t out_dim = tsr_ints_at(c.out_spatial, i), windows = out->dims[out_dim];
        const tsr_axes *axes =
            to->dims[out_dim].axes->size > 1 ? to->dims[out_dim].axes : lhs->dims[d].axes;
        padding[2 * i] = tsr_window_low(&c.window, i);
        padding[2 * i + 1] = tsr_window_high(&c.window, i);
        base[i] = tsr_window_base_dilation(&c.window, i);
        if (axes->size <= 1)
            continue;
        reach r =
            reach_of(&c.window, i, windows, kernel->dims[k], axes, to->dims[out_dim].axes == axes);
        tsr_spmd_dim part = {(uint32_t)d, in->dims[d], o->mesh, axes, lhs->dims[d].axes != axes};
        v[0] = tsr_spmd_dilated_stretch(s, v[0], &part, tsr_spmd_steps(s, axes, r.first, r.step),
                                        r.len, base[i], zero);
        padding[2 * i] = padding[2 * i + 1] = 0;
        base[i] = 1;
    }
    tsr_type *type = tsr_spmd_type(s, op->out[0].type, to);
    tsr_op *made = tsr_spmd_same(o, v, &type);
    set_attrs(o, made, &c, padding, base);
    tsr_spmd_out_joined(o, 0, &made->out[0], to, TSR_OP_STABLEHLO_ADD, tsr_spmd_summed_axes(o));
    return true;
}
