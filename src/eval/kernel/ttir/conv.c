/* conv.c - TTIR: convolutions of lines, pictures and volumes (eval/kernel/conv.h), and their bias. Narrow floats are
 * widened once and summed in f32. */
#include "dialect/ttir/ttir.h"
#include "eval/kernel/conv.h"
#include "eval/kernel/ttir/ttir.h"
#include "eval/kernel/kernels.h"
#include "eval/math/strided.h"

enum { MAX_SPATIAL = 3 };

typedef struct {
    size_t n;               /* spatial dimensions */
    int64_t batch, channel; /* dimensions of input and result */
    int64_t spatial[MAX_SPATIAL];
    int64_t stride[MAX_SPATIAL], dilation[MAX_SPATIAL], low[MAX_SPATIAL], high[MAX_SPATIAL];
    int64_t groups;
    const tsr_attr *flat; /* of pictures whose rows are in one dimension */
    bool transposed, replicate;
    int64_t more[MAX_SPATIAL]; /* of transposed ones: rows that are added at the end */
} window;

/* One number for all, or one for each. */
static bool numbers(tsr_call *c, int slot, size_t n, int64_t *out)
{
    int64_t v[2 * MAX_SPATIAL] = {0};
    const tsr_attr *a = tsr_call_attr(c, slot);
    size_t have = tsr_tt_ints(a, v, 2 * MAX_SPATIAL);
    if (have != 1 && have != n)
        return tsr_fail(c, "has %zu numbers for %zu dimensions of its window", have, n);
    for (size_t i = 0; i < n; i++)
        out[i] = v[have == 1 ? 0 : i];
    return true;
}

/* Of pictures: one number, (vertical, horizontal), or (top, left, bottom, right). */
static bool paddings(tsr_call *c, int slot, window *w)
{
    int64_t v[4] = {0};
    const tsr_attr *a = tsr_call_attr(c, slot);
    size_t have = tsr_tt_ints(a, v, 4);
    if (have != 1 && have != w->n && have != 2 * w->n)
        return tsr_fail(c, "has %zu paddings for %zu dimensions", have, w->n);
    for (size_t i = 0; i < w->n; i++) {
        w->low[i] = v[have == 1 ? 0 : i];
        w->high[i] = have == 2 * w->n ? v[w->n + i] : w->low[i];
    }
    return true;
}

/* The input with its edges repeated outwards by w's padding, which is then none. */
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
                      .feature_groups = w->groups};
    if (x->rank != w->n + 2 || k->rank != w->n + 2) {
        tsr_fail(c, "has operands of ranks that do not fit its window");
        return NULL;
    }
    v.in_batch = v.out_batch = w->batch;
    v.in_feature = v.out_feature = w->channel;
    v.k_out = w->transposed ? 1 : 0;
    v.k_in = w->transposed ? 0 : 1;
    for (size_t i = 0; i < w->n; i++) {
        int64_t reach = w->dilation[i] * (k->dims[2 + i] - 1);
        v.in_sp[i] = v.out_sp[i] = w->spatial[i];
        v.k_sp[i] = (int64_t)i + 2;
        v.k_dil[i] = w->dilation[i];
        v.stride[i] = w->transposed ? 1 : w->stride[i];
        v.in_dil[i] = w->transposed ? w->stride[i] : 1;
        v.reverse[i] = w->transposed;
        v.low[i] = w->transposed ? reach - w->low[i] : w->low[i];
        v.high[i] = w->transposed ? reach - w->high[i] + w->more[i] : w->high[i];
    }
    return tsr_convolve(&v) ? v.out : NULL;
}

/* The sums plus a number for each channel. */
static tsr_tensor *add_bias(tsr_call *c, const window *w, tsr_tensor *sums)
{
    tsr_tensor *bias = tsr_tt_in(c, 2);
    if (!sums || !bias)
        return sums;
    int64_t dims[TSR_MAX_RANK];
    tsr_tensor *in[2] = {sums, tsr_tt_as(c, bias, (tsr_dtype)sums->dtype)};
    for (size_t i = 0; i < sums->rank; i++)
        dims[i] = (int64_t)i == w->channel ? sums->dims[i] : 1;
    if (in[1] && in[1]->n != sums->dims[w->channel]) {
        tsr_fail(c, "has a bias of %lld numbers for %lld channels", (long long)in[1]->n,
                 (long long)sums->dims[w->channel]);
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

static bool run(tsr_call *c, window *w)
{
    tsr_dtype d = tsr_tt_sum(tsr_tt_promote(tsr_call_dtype(c, 0), tsr_call_dtype(c, 1)));
    for (size_t i = 0; i < w->n + 2; i++) {
        int64_t at = i == w->n ? w->batch : i == w->n + 1 ? w->channel : w->spatial[i];
        if (at < 0 || at >= (int64_t)w->n + 2)
            return tsr_fail(c, "names a dimension that its operand does not have");
    }
    tsr_tensor *k = tsr_tt_as(c, c->in[1], d), *x = k ? tsr_tt_as(c, c->in[0], d) : NULL;
    if (x && w->flat) {
        int64_t dims[] = {w->flat->attrs[TTIR_FLATTENED_COMPAT_batch_size]->i,
                          w->flat->attrs[TTIR_FLATTENED_COMPAT_input_height]->i,
                          w->flat->attrs[TTIR_FLATTENED_COMPAT_input_width]->i,
                          x->dims[x->rank - 1u]};
        x = tsr_tensor_reshape(x, x->elem, dims, 4);
        if (!x)
            tsr_fail(c, "has a flattened picture of another size than it says");
    }
    if (x && w->replicate)
        x = repeat_edges(c, x, w);
    if (x && w->transposed)
        k = by_group(c, k, w->groups);
    tsr_tensor *out = x && k ? add_bias(c, w, convolve(c, w, x, k)) : NULL;
    tsr_tensor_unref(x);
    tsr_tensor_unref(k);
    if (out && w->flat) {
        int64_t dims[] = {1, 1, out->dims[0] * out->dims[1] * out->dims[2], out->dims[3]};
        return tsr_tt_give_as(c, 0, out, dims, 4);
    }
    return tsr_tt_give(c, 0, out);
}

_Static_assert(TTIR_CONV1D_channel_dim == TTIR_CONV1D_batch_dim + 2, "slots in order");
_Static_assert(TTIR_CONV2D_channel_dim == TTIR_CONV2D_batch_dim + 3, "slots in order");
_Static_assert(TTIR_CONV3D_channel_dim == TTIR_CONV3D_batch_dim + 4, "slots in order");
_Static_assert(TTIR_CONV_TRANSPOSE2D_channel_dim == TTIR_CONV_TRANSPOSE2D_batch_dim + 3,
               "slots in order");

/* Which dimensions are batch, space and channels: slots from this one on, in this order. */
static void name_dims(tsr_call *c, int slot, window *w)
{
    w->batch = tsr_tt_int(c, slot, 0);
    for (int i = 1; i <= (int)w->n; i++)
        w->spatial[i - 1] = tsr_tt_int(c, slot + i, i);
    w->channel = tsr_tt_int(c, slot + (int)w->n + 1, (int)w->n + 1);
}

bool eval_ttir_conv1d(tsr_call *c)
{
    window w = {.n = 1, .groups = tsr_tt_int(c, TTIR_CONV1D_groups, 1)};
    name_dims(c, TTIR_CONV1D_batch_dim, &w);
    return numbers(c, TTIR_CONV1D_stride, 1, w.stride) &&
           numbers(c, TTIR_CONV1D_dilation, 1, w.dilation) &&
           paddings(c, TTIR_CONV1D_padding, &w) && run(c, &w);
}

bool eval_ttir_conv2d(tsr_call *c)
{
    window w = {.n = 2, .groups = tsr_tt_int(c, TTIR_CONV2D_groups, 1)};
    w.flat = tsr_call_attr(c, TTIR_CONV2D_flattened_compat_info);
    name_dims(c, TTIR_CONV2D_batch_dim, &w);
    return numbers(c, TTIR_CONV2D_stride, 2, w.stride) &&
           numbers(c, TTIR_CONV2D_dilation, 2, w.dilation) &&
           paddings(c, TTIR_CONV2D_padding, &w) && run(c, &w);
}

bool eval_ttir_conv3d(tsr_call *c)
{
    window w = {.n = 3, .groups = tsr_tt_int(c, TTIR_CONV3D_groups, 1), .dilation = {1, 1, 1}};
    const tsr_attr *mode = tsr_call_attr(c, TTIR_CONV3D_padding_mode);
    w.replicate = mode && tsr_str_is(mode->s, "replicate");
    name_dims(c, TTIR_CONV3D_batch_dim, &w);
    TSR_TRY(numbers(c, TTIR_CONV3D_stride, 3, w.stride) &&
            numbers(c, TTIR_CONV3D_padding, 3, w.low));
    memcpy(w.high, w.low, sizeof w.high);
    return run(c, &w);
}

bool eval_ttir_conv_transpose2d(tsr_call *c)
{
    window w = {
        .n = 2, .groups = tsr_tt_int(c, TTIR_CONV_TRANSPOSE2D_groups, 1), .transposed = true};
    w.flat = tsr_call_attr(c, TTIR_CONV_TRANSPOSE2D_flattened_compat_info);
    name_dims(c, TTIR_CONV_TRANSPOSE2D_batch_dim, &w);
    return numbers(c, TTIR_CONV_TRANSPOSE2D_stride, 2, w.stride) &&
           numbers(c, TTIR_CONV_TRANSPOSE2D_dilation, 2, w.dilation) &&
           numbers(c, TTIR_CONV_TRANSPOSE2D_output_padding, 2, w.more) &&
           paddings(c, TTIR_CONV_TRANSPOSE2D_padding, &w) && run(c, &w);
}
