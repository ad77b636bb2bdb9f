/* SPDX-License-Identifier: Apache-2.0 */
/* conv.c - convolution and dynamic_conv, as matrix products: one row per output position, one column per output
 * feature, summed over the window and the input features of a group. A window position outside of the input, or between
 * its dilated elements, contributes zero (a negative offset, eval/math/gemm.h). */
#include <stdlib.h>

#include "base/scope.h"
#include "dialect/params.h"
#include "eval/kernel/conv.h"
#include "eval/math/gemm.h"
#include "eval/kernel/kernels.h"

static int64_t dilated(int64_t size, int64_t dilation)
{
    return size > 0 ? (size - 1) * dilation + 1 : 0;
}

/* Checks that the numbers are so small that nothing computed from them overflows. */
static bool check_bounds(const tsr_conv_run *v, size_t i)
{
    const int64_t most = (int64_t)1 << 40;
    int64_t in = v->in->dims[v->in_sp[i]], k = v->k->dims[v->k_sp[i]];
    if (v->low[i] < -most || v->low[i] > most || v->high[i] < -most || v->high[i] > most)
        return tsr_fail(v->c, "has a padding of %lld and %lld", (long long)v->low[i],
                        (long long)v->high[i]);
    if (v->in_dil[i] > (most << 6) / (in + 1) || v->k_dil[i] > (most << 6) / (k + 1))
        return tsr_fail(v->c, "dilates spatial dimension %zu beyond all bounds", i);
    return true;
}

/* Sizes of the result; false if something does not fit. */
static bool shape_result(tsr_conv_run *v)
{
    int64_t dims[TSR_MAX_RANK];
    v->window = v->positions = 1;
    for (size_t i = 0; i < v->n; i++) {
        TSR_TRY(check_bounds(v, i));
        int64_t padded = v->low[i] + dilated(v->in->dims[v->in_sp[i]], v->in_dil[i]) + v->high[i];
        int64_t window = dilated(v->k->dims[v->k_sp[i]], v->k_dil[i]);
        int64_t size = padded < window || padded <= 0 ? 0 : (padded - window) / v->stride[i] + 1;
        dims[v->out_sp[i]] = size;
        v->window *= v->k->dims[v->k_sp[i]];
    }
    dims[v->out_batch] = v->in->dims[v->in_batch] / v->batch_groups;
    dims[v->out_feature] = v->k->dims[v->k_out];
    v->out = tsr_call_tensor(v->c, v->elem, dims, v->n + 2);
    TSR_TRY(v->out != NULL);
    for (size_t i = 0; i < v->n; i++) /* limited by what the result can have */
        v->positions *= dims[v->out_sp[i]];
    return true;
}

static bool check(tsr_conv_run *v)
{
    int64_t rank = (int64_t)v->n + 2;
    bool ok =
        v->in->rank == rank && v->k->rank == rank && v->feature_groups > 0 && v->batch_groups > 0;
    int64_t dims[] = {v->in_batch, v->in_feature, v->k_in, v->k_out, v->out_batch, v->out_feature};
    for (size_t i = 0; ok && i < TSR_COUNT(dims); i++)
        ok = dims[i] >= 0 && dims[i] < rank;
    for (size_t i = 0; ok && i < v->n; i++)
        ok = v->in_sp[i] >= 0 && v->in_sp[i] < rank && v->k_sp[i] >= 0 && v->k_sp[i] < rank &&
             v->out_sp[i] >= 0 && v->out_sp[i] < rank && v->stride[i] > 0 && v->in_dil[i] > 0 &&
             v->k_dil[i] > 0;
    return ok || tsr_fail(v->c, "has dimension numbers or a window that do not fit its operands");
}

/* Offsets in the input of (output position, window position), or -1: rows of the product without batch and feature. */
static void window_offsets(const tsr_conv_run *v, const int64_t *at, int64_t *out)
{
    int64_t strides[TSR_MAX_RANK], index[TSR_CONV_SPATIAL] = {0}, dims[TSR_CONV_SPATIAL];
    tsr_strides(v->in->dims, v->in->rank, strides);
    for (size_t i = 0; i < v->n; i++)
        dims[i] = v->k->dims[v->k_sp[i]];
    for (int64_t w = 0; w < v->window; w++) {
        int64_t offset = 0;
        for (size_t i = 0; i < v->n && offset >= 0; i++) {
            int64_t k = v->reverse[i] ? dims[i] - 1 - index[i] : index[i];
            int64_t p = at[i] * v->stride[i] + k * v->k_dil[i] - v->low[i];
            if (p < 0 || p % v->in_dil[i] || p / v->in_dil[i] >= v->in->dims[v->in_sp[i]])
                offset = -1;
            else
                offset += p / v->in_dil[i] * strides[v->in_sp[i]];
        }
        out[w] = offset;
        tsr_next_index(index, dims, v->n);
    }
}

/* Positions whose patches are gathered for one product. */
enum { RUN = 256 };

/* One group: ranges of output features, input features and batch entries, each a first index and a count. */
typedef struct {
    tsr_conv_run *v;
    int64_t b0, nb, f0, nf, o0, no, depth; /* depth: elements of a patch */
    int64_t in_s[TSR_MAX_RANK], k_s[TSR_MAX_RANK], out_s[TSR_MAX_RANK];
    tsr_tensor *patch;                 /* RUN rows */
    int64_t *col, *krow, *kcol, *ocol; /* offsets in a patch, in the kernel (two), in outputs */
    int64_t *row, *orow, *offset;      /* offsets of patches, of outputs, of window elements */
} conv_group;

static void kernel_places(const conv_group *g)
{
    const tsr_conv_run *v = g->v;
    int64_t index[TSR_CONV_SPATIAL] = {0}, kdims[TSR_CONV_SPATIAL], nf = g->nf;
    for (size_t i = 0; i < v->n; i++)
        kdims[i] = v->k->dims[v->k_sp[i]];
    /* Sums run over the window, and over the features at each of its positions. */
    for (int64_t w = 0; w < v->window; w++) {
        for (int64_t f = 0; f < nf; f++) {
            int64_t at = f * g->k_s[v->k_in];
            for (size_t i = 0; i < v->n; i++)
                at += index[i] * g->k_s[v->k_sp[i]];
            g->col[w * nf + f] = w * nf + f;
            g->krow[w * nf + f] = at;
        }
        tsr_next_index(index, kdims, v->n);
    }
    for (int64_t o = 0; o < g->no; o++) {
        g->kcol[o] = (g->o0 + o) * g->k_s[v->k_out];
        g->ocol[o] = (g->o0 + o) * g->out_s[v->out_feature];
    }
}

/* Gathers what one window reads into row n of the patches. */
static void gather_patch(const conv_group *g, int64_t base, int64_t n)
{
    const tsr_conv_run *v = g->v;
    size_t size = tsr_dtype_bytes((tsr_dtype)v->in->dtype);
    char *to = (char *)g->patch->data + (size_t)(n * g->depth) * size;
    int64_t step = g->in_s[v->in_feature];
    for (int64_t w = 0; w < v->window; w++)
        for (int64_t f = 0; f < g->nf; f++, to += size) {
            if (g->offset[w] < 0)
                memset(to, 0, size);
            else
                memcpy(to, (char *)v->in->data + (size_t)(base + g->offset[w] + f * step) * size,
                       size);
        }
    g->row[n] = n * g->depth;
}

/* Batch entry b. The gathered patches of a run of output positions are a separate matrix, so that zeros need no special
 * handling. */
static bool run_entry(const conv_group *g, int64_t b)
{
    tsr_conv_run *v = g->v;
    int64_t index[TSR_CONV_SPATIAL] = {0}, odims[TSR_CONV_SPATIAL];
    int64_t base = (g->b0 + b) * g->in_s[v->in_batch] + g->f0 * g->in_s[v->in_feature];
    for (size_t i = 0; i < v->n; i++)
        odims[i] = v->out->dims[v->out_sp[i]];
    for (int64_t p = 0, n = 0; p < v->positions; p++) {
        window_offsets(v, index, g->offset);
        tsr_work(g->depth);
        gather_patch(g, base, n);
        g->orow[n] = b * g->out_s[v->out_batch];
        for (size_t i = 0; i < v->n; i++)
            g->orow[n] += index[i] * g->out_s[v->out_sp[i]];
        tsr_next_index(index, odims, v->n);
        if (++n < RUN && p + 1 < v->positions)
            continue;
        tsr_matrix a = {.t = g->patch, .row = g->row, .col = g->col, .nrow = n, .ncol = g->depth};
        tsr_matrix k = {.t = v->k, .row = g->krow, .col = g->kcol, .nrow = g->depth, .ncol = g->no};
        TSR_TRY(tsr_gemm(v->c, &a, &k, &(tsr_target){v->out, g->orow, g->ocol}));
        n = 0;
    }
    return true;
}

static bool run_group(tsr_conv_run *v, int64_t b0, int64_t nb, int64_t f0, int64_t nf, int64_t o0,
                      int64_t no)
{
    conv_group g = {.v = v, .b0 = b0, .nb = nb, .f0 = f0, .nf = nf, .o0 = o0, .no = no};
    int64_t depth = g.depth = nf * v->window, patch_dims[2] = {RUN, depth};
    tsr_strides(v->in->dims, v->in->rank, g.in_s);
    tsr_strides(v->k->dims, v->k->rank, g.k_s);
    tsr_strides(v->out->dims, v->out->rank, g.out_s);
    g.patch = tsr_tensor_new(v->in->elem, patch_dims, 2);
    int64_t *mem = tsr_malloc((size_t)(depth * 2 + no * 2 + RUN * 2 + v->window + 8) * 8);
    bool ok = g.patch && mem;
    if (ok) {
        g.col = mem;
        g.krow = g.col + depth;
        g.kcol = g.krow + depth;
        g.ocol = g.kcol + no;
        g.row = g.ocol + no;
        g.orow = g.row + RUN;
        g.offset = g.orow + RUN;
        kernel_places(&g);
        for (int64_t b = 0; ok && b < nb; b++)
            ok = run_entry(&g, b);
    } else {
        tsr_fail_memory(v->c, "patches");
    }
    tsr_tensor_unref(g.patch);
    tsr_free(mem);
    return ok;
}

static bool run_groups(tsr_conv_run *v)
{
    int64_t features = v->in->dims[v->in_feature], batch = v->in->dims[v->in_batch];
    int64_t outs = v->out->dims[v->out_feature], nf = features / v->feature_groups;
    if (features % v->feature_groups || batch % v->batch_groups || outs % v->feature_groups ||
        outs % v->batch_groups || v->k->dims[v->k_in] != nf)
        return tsr_fail(v->c, "has group counts that do not divide its operands");
    if (!v->out->n) /* an empty result may have very many positions */
        return true;
    if (v->batch_groups > 1) {
        int64_t nb = batch / v->batch_groups, no = outs / v->batch_groups;
        for (int64_t g = 0; g < v->batch_groups; g++)
            TSR_TRY(run_group(v, g * nb, nb, 0, nf, g * no, no));
        return true;
    }
    int64_t no = outs / v->feature_groups;
    for (int64_t g = 0; g < v->feature_groups; g++)
        TSR_TRY(run_group(v, 0, batch, g * nf, nf, g * no, no));
    return true;
}

bool tsr_convolve(tsr_conv_run *v)
{
    TSR_TRY(check(v) && shape_result(v));
    if (run_groups(v))
        return true;
    tsr_tensor_unref(v->out);
    return false;
}

/* Computes the convolution as the op's result. */
static bool convolve(tsr_conv_run *v)
{
    v->elem = v->c->op->out[0].type->elem;
    TSR_TRY(tsr_convolve(v));
    v->c->out[0] = v->out;
    return true;
}

tsr_conv_run tsr_conv_numbers(const tsr_op *op)
{
    tsr_conv d;
    tsr_conv_of(op, &d);
    tsr_conv_run v = {.in_batch = d.in_batch,
                      .in_feature = d.in_feature,
                      .k_in = d.kernel_in,
                      .k_out = d.kernel_out,
                      .out_batch = d.out_batch,
                      .out_feature = d.out_feature,
                      .feature_groups = d.feature_groups,
                      .batch_groups = d.batch_groups};
    v.n = tsr_ints_copy(d.in_spatial, v.in_sp, TSR_CONV_SPATIAL);
    tsr_ints_copy(d.kernel_spatial, v.k_sp, TSR_CONV_SPATIAL);
    tsr_ints_copy(d.out_spatial, v.out_sp, TSR_CONV_SPATIAL);
    for (size_t i = 0; i < v.n && i < TSR_CONV_SPATIAL; i++) {
        v.stride[i] = tsr_window_stride(&d.window, i);
        v.in_dil[i] = tsr_window_base_dilation(&d.window, i);
        v.k_dil[i] = tsr_window_dilation(&d.window, i);
        v.low[i] = tsr_window_low(&d.window, i);
        v.high[i] = tsr_window_high(&d.window, i);
        v.reverse[i] = tsr_ints_or(d.window.reversal, i, 0) != 0;
    }
    return v;
}

static tsr_conv_run run_of(tsr_call *c)
{
    tsr_conv_run v = tsr_conv_numbers(c->op);
    v.c = c;
    v.in = c->in[0];
    v.k = c->in[1];
    return v;
}

bool eval_convolution(tsr_call *c)
{
    tsr_conv_run v = run_of(c);
    return convolve(&v);
}

/* The padding is the third operand. */
bool eval_dynamic_conv(tsr_call *c)
{
    tsr_conv_run v = run_of(c);
    for (size_t i = 0; i < v.n; i++) {
        if ((int64_t)(2 * i + 1) >= c->in[2]->n)
            return tsr_fail(c, "has padding for fewer dimensions than its window has");
        v.low[i] = tsr_get_int(c->in[2], (int64_t)(2 * i));
        v.high[i] = tsr_get_int(c->in[2], (int64_t)(2 * i + 1));
    }
    return convolve(&v);
}
