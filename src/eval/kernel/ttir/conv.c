/* SPDX-License-Identifier: Apache-2.0 */
/* conv.c - TTIR: convolutions in one, two and three dimensions (eval/kernel/conv.h), with bias. Narrow floats are
 * widened once and summed in f32. */
#include "dialect/params.h"
#include "eval/kernel/conv.h"
#include "eval/kernel/ttir/ttir.h"
#include "eval/kernel/kernels.h"
#include "eval/math/strided.h"

enum { MAX_SPATIAL = 3 };

typedef struct {
    tsr_conv d;
    size_t n; /* spatial dimensions */
    int64_t spatial[MAX_SPATIAL];
    int64_t stride[MAX_SPATIAL], dilation[MAX_SPATIAL], low[MAX_SPATIAL], high[MAX_SPATIAL];
    int64_t more[MAX_SPATIAL];
} window;

static bool below(tsr_call *c, int64_t dim, size_t rank)
{
    return (dim >= 0 && dim < (int64_t)rank) ||
           tsr_fail(c, "names a dimension that its operand does not have");
}

/* Whether there is a number for each dimension, or none at all. */
static bool counts(tsr_call *c, tsr_ints v, size_t n)
{
    return v.n == n || v.n == 0 ||
           tsr_fail(c, "has %u numbers for %zu dimensions of its window", v.n, n);
}

static bool read_window(tsr_call *c, window *w)
{
    const tsr_window *d = &w->d.window;
    tsr_conv_of(c->op, &w->d);
    w->n = w->d.in_spatial.n;
    TSR_TRY(counts(c, d->strides, w->n) && counts(c, d->window_dilations, w->n) &&
            counts(c, w->d.more, w->n));
    if (d->low.n != w->n || d->high.n != w->n)
        return tsr_fail(c, "has %u paddings for %zu dimensions", d->low.n, w->n);
    TSR_TRY(below(c, w->d.in_batch, w->n + 2) && below(c, w->d.in_feature, w->n + 2));
    for (size_t i = 0; i < w->n; i++) {
        w->spatial[i] = tsr_ints_at(w->d.in_spatial, i);
        w->stride[i] = tsr_window_stride(d, i);
        w->dilation[i] = tsr_window_dilation(d, i);
        w->low[i] = tsr_window_low(d, i);
        w->high[i] = tsr_window_high(d, i);
        w->more[i] = tsr_ints_or(w->d.more, i, 0);
        TSR_TRY(below(c, w->spatial[i], w->n + 2));
    }
    return true;
}

/* The input with its edges replicated by w's padding, which is then set to none. */
static tsr_tensor *repeat_edges(tsr_call *c, tsr_tensor *x, window *w)
{
    int64_t dims[TSR_MAX_RANK], pad[TSR_MAX_RANK] = {0}, strides[TSR_MAX_RANK],
                                at[TSR_MAX_RANK] = {0};
    memcpy(dims, x->dims, x->rank * sizeof *dims);
    for (size_t i = 0; i < w->n; i++) {
        dims[w->spatial[i]] += w->low[i] + w->high[i];
        pad[w->spatial[i]] = w->low[i];
        w->low[i] = w->high[i] = 0;
    }
    tsr_tensor *t = x->n ? tsr_tt_new(c, (tsr_dtype)x->dtype, dims, x->rank) : tsr_tensor_ref(x);
    tsr_strides(x->dims, x->rank, strides);
    for (int64_t k = 0; t && x->n && k < t->n; k++, tsr_next_index(at, dims, x->rank)) {
        int64_t from = 0;
        for (size_t d = 0; d < x->rank; d++)
            from += tsr_clamp(at[d] - pad[d], 0, x->dims[d] - 1) * strides[d];
        tsr_copy_element(t, k, x, from);
    }
    tsr_tensor_unref(x);
    return t;
}

/* Weights of a transposed convolution, (groups * in) x out x window, as in x (groups * out) x window. */
static tsr_tensor *by_group(tsr_call *c, tsr_tensor *k, int64_t groups)
{
    int64_t order[] = {1, 0, 2, 3, 4}, split[5], joined[4];
    if (groups == 1 || k->rank != 4 || groups < 1 || k->dims[0] % groups)
        return k;
    split[0] = groups;
    split[1] = k->dims[0] / groups;
    memcpy(split + 2, k->dims + 1, 3 * sizeof *split);
    joined[0] = split[1];
    joined[1] = groups * split[2];
    joined[2] = split[3];
    joined[3] = split[4];
    k = tsr_tensor_reshape(k, k->elem, split, 5);
    tsr_tensor *p = k ? tsr_tt_permuted(c, k, order) : NULL;
    tsr_tensor_unref(k);
    p = p ? tsr_tensor_reshape(p, p->elem, joined, 4) : NULL;
    if (!p)
        tsr_fail_memory(c, "its weights");
    return p;
}

static tsr_tensor *convolve(tsr_call *c, const window *w, const tsr_tensor *x, const tsr_tensor *k)
{
    tsr_conv_run v = {.c = c,
                      .in = x,
                      .k = k,
                      .elem = x->elem,
                      .n = w->n,
                      .batch_groups = 1,
                      .feature_groups = w->d.feature_groups};
    bool transposed = w->d.is_transpose;
    if (x->rank != w->n + 2 || k->rank != w->n + 2) {
        tsr_fail(c, "has operands of ranks that do not fit its window");
        return NULL;
    }
    v.in_batch = v.out_batch = w->d.in_batch;
    v.in_feature = v.out_feature = w->d.in_feature;
    v.k_out = w->d.kernel_out;
    v.k_in = w->d.kernel_in;
    for (size_t i = 0; i < w->n; i++) {
        int64_t reach = w->dilation[i] * (k->dims[2 + i] - 1);
        v.in_sp[i] = v.out_sp[i] = w->spatial[i];
        v.k_sp[i] = tsr_ints_at(w->d.kernel_spatial, i);
        v.k_dil[i] = w->dilation[i];
        v.stride[i] = transposed ? 1 : w->stride[i];
        v.in_dil[i] = transposed ? w->stride[i] : 1;
        v.reverse[i] = transposed;
        v.low[i] = transposed ? reach - w->low[i] : w->low[i];
        v.high[i] = transposed ? reach - w->high[i] + w->more[i] : w->high[i];
    }
    return tsr_convolve(&v) ? v.out : NULL;
}

/* The sums plus a number for each channel. */
static tsr_tensor *add_bias(tsr_call *c, const window *w, tsr_tensor *sums)
{
    tsr_tensor *bias = tsr_tt_in(c, 2);
    if (!sums || !bias)
        return sums;
    int64_t dims[TSR_MAX_RANK], channel = w->d.out_feature;
    tsr_tensor *in[2] = {sums, tsr_tt_as(c, bias, (tsr_dtype)sums->dtype)};
    for (size_t i = 0; i < sums->rank; i++)
        dims[i] = (int64_t)i == channel ? sums->dims[i] : 1;
    if (in[1] && in[1]->n != sums->dims[channel]) {
        tsr_fail(c, "has a bias of %lld numbers for %lld channels", (long long)in[1]->n,
                 (long long)sums->dims[channel]);
        tsr_tensor_unref(in[1]);
        in[1] = NULL;
    }
    if (in[1]) {
        in[1] = tsr_tensor_reshape(in[1], in[1]->elem, dims, sums->rank);
        if (!in[1])
            tsr_fail_memory(c, "a bias");
    }
    return tsr_tt_combine(c, TSR_OP_STABLEHLO_ADD, (tsr_dtype)sums->dtype, in, 2);
}

bool eval_ttir_conv(tsr_call *c)
{
    window w = {0};
    TSR_TRY(read_window(c, &w));
    tsr_dtype d = tsr_tt_sum(tsr_tt_promote(tsr_call_dtype(c, 0), tsr_call_dtype(c, 1)));
    const tsr_flat *flat = &w.d.flat;
    tsr_tensor *k = tsr_tt_as(c, c->in[1], d), *x = k ? tsr_tt_as(c, c->in[0], d) : NULL;
    if (x && flat->given) {
        int64_t dims[] = {flat->batch, flat->height, flat->width, x->dims[x->rank - 1u]};
        x = tsr_tensor_reshape(x, x->elem, dims, 4);
        if (!x)
            tsr_fail(c, "has a flattened picture of another size than it says");
    }
    if (x && w.d.replicates)
        x = repeat_edges(c, x, &w);
    if (x && w.d.is_transpose)
        k = by_group(c, k, w.d.feature_groups);
    tsr_tensor *out = x && k ? add_bias(c, &w, convolve(c, &w, x, k)) : NULL;
    tsr_tensor_unref(x);
    tsr_tensor_unref(k);
    if (out && flat->given) {
        int64_t dims[] = {1, 1, out->dims[0] * out->dims[1] * out->dims[2], out->dims[3]};
        return tsr_tt_give_as(c, 0, out, dims, 4);
    }
    return tsr_tt_give(c, 0, out);
}
